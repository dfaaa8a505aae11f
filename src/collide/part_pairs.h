// The pairs of parts that may meet: the first list of every query.
#ifndef FUREAI_COLLIDE_PART_PAIRS_H
#define FUREAI_COLLIDE_PART_PAIRS_H

#include "collide/run.h"

// Those whose boxes over the step are at most `margin` apart: the broad phase.
fr_status fr__part_pairs_find(fr__run *run, double margin, fr_error *error);

// More than the judge of a step raises its tolerance by for any two objects: see fr__course.
static inline double fr__part_pairs_slack(const fr_space *space) { return 0x1p-38 * space->path_size; }

// All parts of the objects at two places, a <= b, or of one with itself.
fr_status fr__part_pairs_of_two(fr__run *run, uint32_t a, uint32_t b, fr_error *error);

// Refits the stale trees of all objects of the plan's pairs.
void fr__part_pairs_refit(fr__run *run);

#endif
