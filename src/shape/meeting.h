// The result of two moving sets that meet: the contact data, and the time by which the contact is proven.
#ifndef FUREAI_SHAPE_MEETING_H
#define FUREAI_SHAPE_MEETING_H

#include "shape/advance.h"

// Fills the result from the end of a search: no hit, or all data of a hit.
void fr__meeting_result(const fr__moving_pair *pair, const fr__arrival *at, fr_time_output *out);

// The speed at which the points on_a and on_b of two sets, at the positions `a` and `b`, approach along `normal`.
double fr__meeting_approach(const fr__moving_pair *pair, const fr__moving *a, const fr__moving *b, fr_vec3 on_a,
                            fr_vec3 on_b, fr_vec3 normal);

// A result without a hit; its padding is zero.
void fr__meeting_none(uint32_t steps, fr_time_output *out);

#endif
