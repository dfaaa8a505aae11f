// The judge of a step: decides which candidates of two parts come together, by fr_triangle_time.
#ifndef FUREAI_COLLIDE_STEP_JUDGE_H
#define FUREAI_COLLIDE_STEP_JUDGE_H

#include "collide/judge.h"

// What is added to the earliest proven contact of two objects to make the set of the first ones.
#define FR__FIRST_SPAN 1e-3

// The time after which no contact of two parts is wanted; 1 or more: all are. One worker at a time looks for the first
// contacts of two parts, and lowers it.
double fr__step_limit(const fr__run *run, uint32_t part_pair);

// Decides a candidate, puts it to what the worker found when the triangles come together, and counts. False when the
// work is to end: no memory, or over the budget. `is_apart`: the triangles are known to share no point at the
// beginning.
bool fr__step_judge(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate candidate,
                    bool is_apart);

// The same for several pairs of two parts, at most FR__BATCH, of which some may cross at the beginning: what surely
// does needs no more, and the kernel of the judge of an instant finds four of them at once.
bool fr__step_judge_batch(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                          uint32_t count);

// Whether pairs that surely cross at the beginning need no more of the judge; and puts such pairs to what the worker
// found, as fr__step_judge does.
bool fr__step_accepts_crossing(const fr__query *query);
bool fr__step_put_crossing(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                           uint32_t count);

// When a pair of triangles of two parts comes together, by the judge; `is_apart` as above.
bool fr__step_time(const fr__pair_geometry *geometry, fr__candidate candidate, bool is_apart,
                   const fr_time_input *options, fr_time_output *out);

// The options of the judge for a query.
fr_time_input fr__step_options(const fr__query *query);

#endif
