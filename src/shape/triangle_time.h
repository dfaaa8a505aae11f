// The time at which two moving triangles first meet; the data that depend on their objects alone are made once.
#ifndef FUREAI_SHAPE_TRIANGLE_TIME_H
#define FUREAI_SHAPE_TRIANGLE_TIME_H

#include "shape/swept.h"

// fr_triangle_time, bit for bit, with guide_a = fr__guide_of(a->motion) and guide_b = fr__guide_of(b->motion): for
// many triangles of two objects. `is_apart`: they are known to share no point at the beginning.
bool fr__triangle_time(const fr__guide *guide_a, const fr_triangle_path *a, const fr__guide *guide_b,
                       const fr_triangle_path *b, bool is_apart, const fr_time_input *input, fr_time_output *out);

#endif
