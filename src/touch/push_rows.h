// What a push has to keep: places of the body, and of what stands or pushes, that must not come together.
#ifndef FUREAI_TOUCH_PUSH_ROWS_H
#define FUREAI_TOUCH_PUSH_ROWS_H

#include "collide/move.h"
#include "fureai/touch_push.h"
#include "touch/least_motion.h"

enum {
    FR__PUSH_ROWS = 2048,
    FR__PUSH_NEAR_ROWS = 1792, // of what is near where a piece begins; the rest is for what is met on it
    FR__PUSH_TABLE = 4096,     // places of the table of near rows, a power of two
    FR__PUSH_BEST = 2048,      // places of another table
    FR__PUSH_HITS = 64
};

// Two places that face one another. The plane between them goes with the body or with the other one, whichever has
// the face.
typedef struct fr__push_row {
    fr_vec3 on_body;  // in the body
    fr_vec3 on_other; // in the pusher, or in the world
    fr_vec3 normal;   // from the body to the other, in the body or in the other
    bool is_of_body;  // the normal is
    bool is_border;   // between the borders of two faces, along the normal of none
    bool is_left_out; // while rows are sorted out
    uint32_t pusher;  // FR_NONE: it stands
    fr_object_id object;
    uint64_t key;      // of near rows: a small place and a direction have one of them
    double gap;        // along the normal, where the piece begins
    bool is_small;     // small faces are pieces of a curved surface: what they do is linear in the screw of the body
    double g[6], need; // of small ones that were met: what widens the gap, and how much of it is to be
    double reach;      // of the step, that these are about; 0: it was not met
} fr__push_row;

// The scratch of a push.
typedef struct fr__push_memory {
    fr__move_memory move;
    fr__near_cache visited;
    fr_contact hits[FR__PUSH_HITS];
    fr_pusher pushers[FR_PUSH_MAX_PUSHERS];
    fr__push_row rows[FR__PUSH_ROWS];
    fr__motion_row linear[FR__PUSH_ROWS];
    uint32_t table[FR__PUSH_TABLE];
    struct {
        uint64_t key;
        double distance;
    } best[FR__PUSH_BEST]; // of small faces at a place, the nearest so far
} fr__push_memory;

_Static_assert(sizeof(fr__push_memory) <= FR_PUSH_SCRATCH_BYTES, "a push has the scratch it needs");

// The rows of a piece.
typedef struct fr__push_rows {
    fr__push_memory *memory;
    uint32_t count;
    double cell;    // the size of a small place
    double large;   // a face with a longer edge counts with all that it shares with a parallel one
    double nearest; // distance of what is nearest
    double near;    // what is farther is no row
    fr_pose body;   // where the piece begins
    fr_pose other;  // the pusher that is looked at, or the world
    uint32_t pusher;
} fr__push_rows;

void fr__push_rows_clear(fr__push_rows *rows, const fr_pose *body, double near);

// A fr__near_faces_fn whose context is fr__push_rows: puts what is near.
bool fr__push_rows_put_near(const fr__near_faces *near, void *context);

// Leaves out what leads sideways: called once all that is near was put.
void fr__push_rows_end_near(fr__push_rows *rows);

// What a piece meets.
typedef struct fr__push_hit {
    const fr_contact *contact;
    const fr_motion *motion; // of the body
    fr_pose other;           // at the contact
    uint32_t pusher;
    double reach; // of the step
    double skin;
    bool is_small;  // both faces are
    uint32_t first; // row of the same check: of those with one key there is one
} fr__push_hit;

// Puts what a piece meets; returns the gap where the piece begins, as the plane of the contact has it.
double fr__push_rows_put_hit(fr__push_rows *rows, const fr__push_hit *hit);

// Whether a face is small beside the body.
bool fr__push_rows_is_small(const fr__push_rows *rows, const fr_vec3 corners[3]);

// Sets the gaps where the piece begins, with the pushers at `begin` of their motions.
void fr__push_rows_begin(fr__push_rows *rows, double begin);

// Makes the rows linear about where the body ends by a motion, with the pushers at `end`. `skin` is what each shall
// keep; with `is_kept` those that begin nearer only shall not come nearer. Small ones are linear about the beginning.
void fr__push_rows_linear(fr__push_rows *rows, const fr_motion *motion, double begin, double end, double skin,
                          bool is_kept);

// The place on the body and the normal in the world, and the gap, at poses of the body and of the pushers.
double fr__push_row_at(const fr__push_rows *rows, const fr__push_row *row, const fr_pose *body, double time,
                       fr_vec3 *point, fr_vec3 *normal);

#endif
