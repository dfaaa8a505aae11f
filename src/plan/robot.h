// A robot made ready for the lattice: the cells it covers at every orientation, and those it sweeps from one to the
// next.
#ifndef FUREAI_PLAN_ROBOT_H
#define FUREAI_PLAN_ROBOT_H

#include "plan/world.h"

#include <stdatomic.h>

#define FR__PLAN_AXES 3
#define FR__PLAN_NONE UINT32_MAX
#define FR__PLAN_MAX_QUARTER 12     // steps in 90 degrees, in space
#define FR__PLAN_MAX_QUARTER_2D 180 // in the plane
#define FR__PLAN_FINER_TURN 1u      // half the step of turning
#define FR__PLAN_FINER_CELLS 2u     // cells of half the edge

// Up to 64 cells of one row: bit i is cell (x + i, y, z) from the cell of the reference point.
typedef struct fr__plan_row {
    int16_t x, y, z;
    uint64_t bits;
} fr__plan_row;

// Cells about the reference point, which is in the middle of cell (0, 0, 0). All within low .. high - 1. Rows wider
// than 64 cells are several; those of a mask that is not wider all begin at low[0].
typedef struct fr__plan_mask {
    int32_t low[3], high[3];
    uint32_t row_count;
    fr__plan_row rows[];
} fr__plan_mask;

typedef _Atomic(fr__plan_mask *) fr__plan_slot;
typedef _Atomic(struct fr_plan_robot *) fr__plan_finer;

struct fr_plan_robot {
    int dimension;
    double alpha_deg;
    uint32_t quarter;              // steps in 90 degrees
    uint32_t steps[FR__PLAN_AXES]; // orientations of each angle
    uint32_t orientation_count;    // (x steps[1] + y) steps[2] + z is the number of one
    uint32_t (*next)[6];           // one step up about x, y, z, then down; FR__PLAN_NONE where there is none
    uint32_t stride;               // masks of an orientation: where it stands, and one turn up for each axis
    fr_plan_shape shape;           // boxes that do not overlap
    uint64_t cell_count;
    double reach;         // from the pivot to the farthest point
    fr__plan_mask *core;  // cells of every mask, however the robot is turned; never NULL
    fr__plan_slot *slots; // orientation_count stride, NULL until needed
    atomic_uint_fast64_t bytes, made;
    fr__plan_finer finer[4]; // by FR__PLAN_FINER_, NULL until needed
    fr_allocator allocator;
};

// The mask of an orientation, and that of the turn one step up from it about an axis (in the plane 2 alone), which
// holds the masks of both ends. Made when first needed, from any thread; NULL without memory.
const fr__plan_mask *fr__plan_robot_mask(const fr_plan_robot *robot, uint32_t slot);
static inline uint32_t fr__plan_stand_slot(const fr_plan_robot *r, uint32_t orientation) {
    return orientation * r->stride;
}
static inline uint32_t fr__plan_turn_slot(const fr_plan_robot *r, uint32_t orientation, int axis) {
    return orientation * r->stride + 1 + (r->dimension == 2 ? 0 : (uint32_t)axis);
}

// The angles of an orientation.
fr_vec3 fr__plan_orientation_turn(const fr_plan_robot *robot, uint32_t orientation);

// The orientation nearest to a turn; *is_exact where it is the same turn, by the same angles but for whole rounds.
uint32_t fr__plan_orientation_near(const fr_plan_robot *robot, fr_vec3 turn_deg, bool *is_exact);

// Whether two orientations turn alike: at 90 degrees about y, different angles do.
bool fr__plan_orientation_equal(const fr_plan_robot *robot, uint32_t a, uint32_t b);

// The same robot in cells of half the edge, with steps of half the angle, or both; the step must stay within the limits
// above. Made when first needed; lives as long as the robot. NULL without memory or where it would be too large.
const fr_plan_robot *fr__plan_robot_finer(const fr_plan_robot *robot, uint32_t which);

// Whether the robot is within the world at a cell, by its bounds.
static inline bool fr__plan_mask_is_inside(const fr__plan_mask *m, const fr__plan_bits *b, const int32_t at[3]) {
    int32_t n = (int32_t)b->size, layers = (int32_t)b->layers;
    return at[0] + m->low[0] >= 0 && at[0] + m->high[0] <= n && at[1] + m->low[1] >= 0 && at[1] + m->high[1] <= n &&
           at[2] + m->low[2] >= 0 && at[2] + m->high[2] <= layers;
}

// 64 cells of a row from x on; those beyond its end are white.
static inline uint64_t fr__plan_bits_at(const uint64_t *row, uint32_t row_words, int32_t x) {
    uint32_t word = (uint32_t)x >> 6, bit = (uint32_t)x & 63;
    uint64_t low = row[word] >> bit;
    return bit == 0 || word + 1 >= row_words ? low : low | row[word + 1] << (64 - bit);
}

// Whether no cell of a mask, put at a cell, is black or outside the world.
static inline bool fr__plan_mask_is_free(const fr__plan_mask *m, const fr__plan_bits *b, const int32_t at[3]) {
    if (!fr__plan_mask_is_inside(m, b, at)) { return false; }
    int32_t n = (int32_t)b->size;
    if (b->row_words == 1) {
        const uint64_t *base = b->words + (ptrdiff_t)at[2] * n + at[1];
        int32_t shift = at[0] + m->low[0];
        uint64_t hit = 0;
        for (uint32_t i = 0; i < m->row_count && hit == 0; i++) {
            const fr__plan_row *r = &m->rows[i];
            hit = base[(ptrdiff_t)r->z * n + r->y] >> shift & r->bits;
        }
        return hit == 0;
    }
    for (uint32_t i = 0; i < m->row_count; i++) {
        const fr__plan_row *r = &m->rows[i];
        const uint64_t *row = b->words + ((ptrdiff_t)(at[2] + r->z) * n + at[1] + r->y) * (ptrdiff_t)b->row_words;
        if ((fr__plan_bits_at(row, b->row_words, at[0] + r->x) & r->bits) != 0) { return false; }
    }
    return true;
}

#endif
