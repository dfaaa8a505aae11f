// What is known of objects whose poses are not known exactly, and the grade of a pair of their faces.
#ifndef FUREAI_COLLIDE_UNCERTAINTY_H
#define FUREAI_COLLIDE_UNCERTAINTY_H

#include "fureai/collide.h"
#include "space/space.h"

// ---------------------------------------------------------------------------------------------------------------
// One object

typedef struct fr__doubt {
    bool is_listed;    // the caller gave its errors
    bool is_uncertain; // and some is not 0
    double shift;      // how far the reference point may be off
    double angle;      // how far the object may be turned about it, at most pi
    double swing;      // how far a vertex is off by that, for each metre from the reference point
    double arithmetic; // what rounding adds to any vertex, and half the tolerance over a step
    double max;        // for any vertex of the object, all of it
    fr_vec3 reference_local;
} fr__doubt;

fr_status fr__uncertainty_check(const fr_uncertainty *uncertainty, fr_error *error);

// Of an object; `uncertainty` NULL: it is certain. The tolerance is read over a step.
fr__doubt fr__doubt_make(const fr__object *object, const fr_uncertainty *uncertainty, bool is_over_step,
                         double tolerance);

// The distance of the farthest vertex of an object from its reference point, at both ends of the step, rounded up.
double fr__doubt_rho(const fr__object *object, fr_vec3 reference_local);

// How far a vertex at `rho` may be off, all of it.
static inline double fr__doubt_reach(const fr__doubt *doubt, double rho) {
    return (doubt->shift + rho * doubt->swing) * (1.0 + 0x1p-40) + doubt->arithmetic;
}

// ---------------------------------------------------------------------------------------------------------------
// Draws

// An admissible truth of an object: its motion and where it ends.
typedef struct fr__draw {
    fr_motion motion;
    fr_pose end;
} fr__draw;

// Number `k` of those of the object at a place; the same for the same seed.
void fr__draw_make(const fr__object *object, const fr__doubt *doubt, uint64_t seed, uint32_t place, uint32_t k,
                   fr__draw *out);

// ---------------------------------------------------------------------------------------------------------------
// Grades

// A face before the judge.
typedef struct fr__doubtful {
    const fr__object *object;
    const fr__doubt *doubt;
    uint32_t place;
    uint32_t part;
    bool is_straight;     // its vertices go straight, to places of their own
    fr_vec3 local[3];     // corners in the object
    fr_vec3 local_end[3]; // the same at the end of a step
    fr_vec3 world[3];     // at its pose: the doubles of fr_object_corners
    fr_vec3 end[3];       // at its next pose, of a query over a step
} fr__doubtful;

void fr__doubtful_make(const fr_space *space, const fr__doubt *doubts, uint32_t place, uint32_t triangle,
                       bool is_over_step, fr__doubtful *out);

// Grades a pair whose names and flags by its objects are filled in; false when no admissible truth collides. `hits`
// gets the draws that do, one bit each.
bool fr__uncertainty_grade(const fr_uncertain_input *input, const fr__doubtful *a, const fr__doubtful *b,
                           fr_uncertain_pair *pair, uint64_t *hits);

// The part of the draws that collide; negative when there are none.
float fr__uncertainty_share(uint64_t hits, uint32_t draws);

// Whether the faces share a point although every corner of both may be off, together by up to `separation`.
bool fr__uncertainty_is_sure(const fr_vec3 a[3], const fr_vec3 b[3], double separation);

// ---------------------------------------------------------------------------------------------------------------
// Scratch

FR_ARRAY_TYPE(fr__doubt_array, fr__doubt);
FR_ARRAY_TYPE(fr__uncertain_pair_array, fr_uncertain_pair);
FR_ARRAY_TYPE(fr__uncertain_objects_array, fr_uncertain_objects);

typedef struct fr__uncertain_scratch {
    fr__doubt_array doubts;              // one a place
    fr__uncertain_pair_array pairs;      // of the output
    fr_uint64_array hits;                // one a pair: which draws collide
    fr__uncertain_pair_array certain;    // pairs of certain objects, until they are merged
    fr__uncertain_objects_array objects; // of the output
} fr__uncertain_scratch;

void fr__uncertain_scratch_make(fr__uncertain_scratch *scratch, const fr_allocator *allocator);
void fr__uncertain_scratch_free(fr__uncertain_scratch *scratch);

#endif
