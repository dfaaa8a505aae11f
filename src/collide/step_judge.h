// Two parts before the judge of a step: fr_triangle_time.
#ifndef FUREAI_COLLIDE_STEP_JUDGE_H
#define FUREAI_COLLIDE_STEP_JUDGE_H

#include "collide/judge.h"

// What is added to the earliest proven contact of two objects to make the set of the first ones.
#define FR__FIRST_SPAN 1e-3

// The time after which no contact of two parts is wanted; 1 or more: all are. One worker at a time looks for the first
// contacts of two parts, and lowers it.
double fr__step_limit(const fr__question *q, uint32_t parts);

// Decides a pair of triangles, puts it to the worker's hits when they come together, and counts. False when the work is
// to end: no memory, or over the budget. `is_apart`: the triangles are known to share no point at the beginning.
bool fr__step_judge(fr__question *q, const fr__case *of, int worker, fr__candidate candidate, bool is_apart);

// The same for several pairs of two parts, at most FR__BATCH, of which some may cross at the beginning: what surely
// does needs no more, and the kernel of the judge at an instant tells it of four at once.
bool fr__step_judge_batch(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                          uint32_t count);

// Whether pairs that surely cross at the beginning need no more to be told; and puts such pairs to the worker's hits,
// as fr__step_judge does.
bool fr__step_tells_crossing(const fr__question *q);
bool fr__step_put_crossing(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                           uint32_t count);

// Asks the judge about a pair of triangles of two parts; `is_apart` as above.
bool fr__step_ask(const fr__case *of, fr__candidate candidate, bool is_apart, const fr_time_options *options,
                  fr_time_result *out);

// The options of a question for the judge.
fr_time_options fr__step_options(const fr__question *q);

#endif
