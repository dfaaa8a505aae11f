// Boxes that were turned and moved, as cells.
#ifndef FUREAI_PLAN_RASTER_H
#define FUREAI_PLAN_RASTER_H

#include "fureai/plan.h"

// The rotation Rz Ry Rx of a place. Our own sine and cosine; exact at multiples of 90 degrees.
fr_mat3 fr__plan_rotation(fr_vec3 turn_deg);

// x' = rotation (x - pivot) + target
typedef struct fr__plan_motion {
    fr_mat3 rotation;
    fr_vec3 pivot, target;
} fr__plan_motion;

// Of an obstacle, which goes from where its boxes are, and of a robot, whose pivot is put somewhere. In the plane z and
// the turns about x and y are not looked at.
fr__plan_motion fr__plan_obstacle_motion(int dimension, const fr_plan_shape *shape, const fr_plan_place *place);
fr__plan_motion fr__plan_robot_motion(int dimension, const fr_plan_shape *shape, const fr_plan_place *place);

// FR_OK where shape and place are finite and within the limits that plan.h gives.
fr_status fr__plan_check_shape(const fr_plan_shape *shape, fr_error *error);
fr_status fr__plan_check_place(const fr_plan_place *place, fr_error *error);

// Cells low .. high - 1 as bits: bit x & 63 of words[((z - low[2]) rows + (y - low[1])) row_words + word], where rows =
// high[1] - low[1] and word counts from low[0], a multiple of 64, as high[0] is.
typedef struct fr__plan_bitmap {
    int32_t low[3], high[3];
    uint32_t row_words;
    uint64_t *words;
    size_t word_count;
} fr__plan_bitmap;

// An empty bitmap for the cells low .. high - 1, its ends on x brought to multiples of 64; nothing is allocated where
// there are none. False without memory.
bool fr__plan_bitmap_make(const int32_t low[3], const int32_t high[3], const fr_allocator *allocator,
                          fr__plan_bitmap *out);
void fr__plan_bitmap_free(fr__plan_bitmap *bitmap, const fr_allocator *allocator);

static inline uint64_t *fr__plan_bitmap_row(const fr__plan_bitmap *b, int32_t y, int32_t z) {
    size_t rows = (size_t)(b->high[1] - b->low[1]);
    return b->words + ((size_t)(z - b->low[2]) * rows + (size_t)(y - b->low[1])) * b->row_words;
}

// Sets the bits from .. to - 1 of a row, from < to.
void fr__plan_set_run(uint64_t *row, int32_t from, int32_t to);

// Makes every cell black that is at most `by` steps along the axes from a black one; in the plane along x and y. False,
// and nothing changed, without memory.
bool fr__plan_bitmap_dilate(fr__plan_bitmap *bitmap, int dimension, uint32_t by, const fr_allocator *allocator);

// The cells that a moved shape may meet, `grow` cells thicker on every side, brought into `min` .. `max` on each
// axis; none where low >= high on some axis.
void fr__plan_raster_bounds(int dimension, const fr_plan_shape *shape, const fr__plan_motion *motion, double grow,
                            int32_t min, int32_t max, int32_t low[3], int32_t high[3]);

// Sets the bits of the cells that a moved shape meets by the rule, those of the bitmap; `grow`, of FR_OCTREE_OVERLAP,
// makes the boxes thicker on every side, in their own axes. FR_OCTREE_OVERLAP: cells that share more than 1e-9 with a
// moved box along every separating axis; FR_OCTREE_CENTER: those whose centre comes from within a box, low ends
// counted.
void fr__plan_raster(int dimension, const fr_plan_shape *shape, const fr__plan_motion *motion, fr_octree_rule rule,
                     double grow, fr__plan_bitmap *bitmap);

#endif
