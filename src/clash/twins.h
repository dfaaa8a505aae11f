// Parts that are the same in the same place: one part twice.
#ifndef FR_CLASH_TWINS_H
#define FR_CLASH_TWINS_H

#include "clash/placed_part.h"

// Corners that are this near, as a fraction of the part's size, are one place.
#define FR__SAME_FRACTION 1e-9

// Sets the twin of each part. Two parts are the same when they have as many triangles, and either each corner of each
// triangle is within 1e-9 of the size at the same corner of the other, or the triangles are the same ones in another
// order, bit for bit. FR_ERROR_MEMORY, FR_ERROR_STOPPED.
fr_status fr__find_twins(fr__rest_part *parts, size_t count, const fr_tasks *tasks, const fr_control *control,
                         const fr_allocator *allocator);

// The box around the corners of a part in the world.
fr_bounds fr__twin_bounds(const fr__rest_part *part);

// Whether two parts with these boxes are the same, by the size of the first one. FR_ERROR_MEMORY.
fr_status fr__twins_compare(const fr__rest_part *a, const fr_bounds *bounds_a, const fr__rest_part *b,
                            const fr_bounds *bounds_b, const fr_allocator *allocator, bool *is_same);

#endif
