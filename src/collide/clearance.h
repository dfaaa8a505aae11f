// What earlier questions of an asker proved about parts that are near but apart: how far. As long as neither has moved
// farther than that, their trees need no look. It is only ever used to leave out what surely finds nothing.
#ifndef FUREAI_COLLIDE_CLEARANCE_H
#define FUREAI_COLLIDE_CLEARANCE_H

#include "collide/swept_pair.h"

typedef struct fr__clearance {
    uint32_t object_a, object_b, part_a, part_b; // as in fr__parts
    uint32_t generation_a, generation_b;         // of the objects' places
    fr_pose pose_a, pose_b;                      // of object and part in one
    double clearance;  // at these poses no two points of the parts are this near; negative: nothing is known
    double steps;      // so many steps ahead the next proof is to reach
    uint32_t wait;     // questions until it is tried
    uint32_t patience; // how long to wait after a proof that fails
    uint32_t age;      // questions that had these parts, up to a few
    uint64_t nodes;    // of the last walk
    bool is_met;       // the last walk found pairs for the judge, or there was none
} fr__clearance;

// How far two points of the parts come nearer during the step, at most, the given ends included; and what roundings of
// both parts may take from a distance, at a proof and when it is used.
double fr__clearance_way(const fr__case *of);
double fr__clearance_rounding(const fr__case *of);

// Takes over what is known of the question's parts, by their ids. False without memory.
bool fr__clearances_begin(fr__question *q);

// Whether what is known proves that two parts stay apart over the step; counts those that do.
bool fr__clearance_skips(const fr__question *q, const fr__swept_pair *pair, int worker);

// Tells that the walk of two parts took `nodes` and found nothing. One worker at a time.
void fr__clearance_tell(const fr__question *q, uint32_t parts, uint64_t nodes);

// Proves anew what is worth it, for the next question, shared among the workers of `tasks`.
void fr__clearances_prove(fr__question *q, const fr_tasks *tasks);

#endif
