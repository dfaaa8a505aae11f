// What earlier queries of one fr_collide proved about parts that are near but apart: how far. As long as neither has
// moved farther than that, their trees need no look. It is only ever used to leave out what surely finds nothing.
#ifndef FUREAI_COLLIDE_CLEARANCE_H
#define FUREAI_COLLIDE_CLEARANCE_H

#include "collide/run.h"
#include "collide/swept_pair.h"

// How far two points of the parts come nearer during the step, at most, the given ends included; and what roundings of
// both parts may take from a distance, at a proof and when it is used.
double fr__clearance_travel(const fr__pair_geometry *geometry);
double fr__clearance_rounding(const fr__pair_geometry *geometry);

// Takes over what is known of the plan's part pairs, by their ids. False without memory.
bool fr__clearances_begin(fr__run *run);

// Whether what is known proves that two parts stay apart over the step; counts those that do.
bool fr__clearance_skips(const fr__run *run, const fr__swept_pair *pair, int worker);

// Reports that the walk of two parts took `nodes` and found nothing. One worker at a time.
void fr__clearance_report(const fr__run *run, uint32_t part_pair, uint64_t nodes);

// Proves again what is worth it, for the next query, shared among the workers of `tasks`.
void fr__clearances_prove(fr__run *run, const fr_tasks *tasks);

#endif
