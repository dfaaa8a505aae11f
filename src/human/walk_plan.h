// Chooses the clips of a walk and puts its parts in a row.
#ifndef FUREAI_HUMAN_WALK_PLAN_H
#define FUREAI_HUMAN_WALK_PLAN_H

#include "human/walk_part.h"

FR_ARRAY_TYPE(fr__walk_parts, fr__walk_part);
FR_ARRAY_TYPE(fr__walk_points, fr_vec2);

// Which clips a walk of a length has (Ichiguchi A.8 - A.13), and by how much start and end are stretched.
typedef struct fr__walk_choice {
    fr_walk_pattern pattern;
    fr_stride stride;   // of the one or two steps, or of the end
    uint32_t straights; // straight steps
    double start_ratio; // of the start, or of the only clip
    double step_ratio;  // of the straight steps
    double end_ratio;
} fr__walk_choice;

// The index of the clips for an angle: the nearest multiple of 30 degrees, 0 .. 6, whatever its sign.
int fr__walk_nearest(double angle);

// The lengths of the clips from which is chosen. An end has the same length with either foot.
typedef struct fr__walk_lengths {
    double one[2], two[2], start, straight, end[2]; // normal, small
} fr__walk_lengths;

// The clips of a walk in a direction away from the heading, with a facing away from the direction.
fr__walk_lengths fr__walk_lengths_of(const fr_walk_set *set, double direction, double facing);

fr__walk_choice fr__walk_choose(const fr__walk_lengths *lengths, double length);

// The plan of one body: where it is, and the parts so far.
typedef struct fr__walk_plan {
    const fr_walk_set *set;
    fr__walk_parts parts;
    fr__walk_points points;   // of the route that is being planned
    fr__walk_spot spot;       // where the plan ends so far
    fr__walk_print prints[2]; // of a body that stands, before the first part
    bool is_standing;         // the plan ends with a body that stands; else in the middle of steady walking
    int front;                // then the foot that is about to land
    bool is_committed;        // the print where it lands is settled
    double joined_turn;
    fr_walk_pattern pattern;
} fr__walk_plan;

// Adds `first`, the part that goes on (NULL: none), and the parts of a walk through all goals. False when memory runs
// out; parts may have been added.
bool fr__walk_plan_go(fr__walk_plan *plan, const fr__walk_part *first, const fr_walk_goal *goals, size_t count);

// Whether a walk through goals can be planned from where the plan ends: fails as fr_walk_go.
fr_status fr__walk_check_goals(const fr__walk_plan *plan, const fr_walk_goal *goals, size_t count, uint32_t frames,
                               fr_error *error);

// Adds an end where the body walks. False when memory runs out.
bool fr__walk_plan_stop(fr__walk_plan *plan, double facing);

// Whether a walk that was planned may be walked; else a status with a sentence.
typedef fr_status fr__walk_accept_fn(const fr_walk *walk, void *context, fr_error *error);

typedef struct fr__walk_judge {
    fr__walk_accept_fn *accept;
    void *context;
} fr__walk_judge;

// As fr_walk_go, `steady` times as fast as the set unless `frames` is given. Starts and ends of a faster walk take
// their time. A judge (NULL: none) looks at the plan; where it does not accept, the walk goes on as before.
fr_status fr__walk_go(fr_walk *walk, const fr_walk_goal *goals, size_t count, uint32_t frames, double steady,
                      const fr__walk_judge *judge, fr_error *error);

// A posture of a walk to come, after so many frames; false: no more are wanted.
typedef bool fr__walk_look_fn(const fr_posture *posture, uint32_t frame, void *context);

// Shows the postures of a walk to come, every `stride`-th and the last one, until `look` returns false. On entry
// `posture` has the turns of the links that walking does not move. FR_ERROR_MEMORY.
fr_status fr__walk_foresee(const fr_walk *walk, uint32_t stride, fr_posture *posture, fr__walk_look_fn *look,
                           void *context, fr_error *error);

// What the walk takes its memory from.
const fr_allocator *fr__walk_allocator(const fr_walk *walk);

// Whether the body walks.
bool fr__walk_is_walking(const fr_walk *walk);

// The set of its clips; fr_walk_get computes more.
const fr_walk_set *fr__walk_set_of(const fr_walk *walk);

#endif
