// What is told of a meeting: its contact data, and the time by which it is proven.
#ifndef FUREAI_SHAPE_MEETING_H
#define FUREAI_SHAPE_MEETING_H

#include "shape/advance.h"

// The answer from where a search ended: none, or all that is told of a hit.
void fr__meeting_answer(const fr__chase *chase, const fr__arrival *at, fr_time_output *out);

// How fast the points on_a and on_b of two sets, which are where `a` and `b` tell, come together along `normal`.
double fr__meeting_approach(const fr__chase *chase, const fr__moving *a, const fr__moving *b, fr_vec3 on_a,
                            fr_vec3 on_b, fr_vec3 normal);

// An answer without a hit; what is between its numbers is zero.
void fr__meeting_none(uint32_t steps, fr_time_output *out);

#endif
