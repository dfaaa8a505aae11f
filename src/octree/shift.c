// Moving without turning: every axis by itself. A target voxel i takes the reference's voxels i + low .. i + high, one
// by the rule of centres, at most three where voxels may overlap or touch.
#include "octree/move.h"

#include <string.h>

typedef struct axis_shift {
    int32_t low, high;
} axis_shift;

// With no turn the 15 axes of the map are the three of the root: a neighbour counts when it is within the limit on
// each.
static axis_shift shift_on_axis(const fr_octree_map *m, int axis) {
    int32_t whole = (int32_t)(m->b[axis] >> m->shift);
    axis_shift s = {whole, whole};
    if (m->rule == FR_OCTREE_CENTER) { return s; }
    double g = 0.5 - ldexp((double)(m->b[axis] - whole * ((int64_t)1 << m->shift)), -m->shift);
    s.low -= fabs(g - 1.0) <= m->limit[axis];
    s.high += fabs(g + 1.0) <= m->limit[axis];
    return s;
}

// Ors a row, moved down by `by` voxels (up where it is negative), into another.
static void or_moved(const uint32_t *from, uint32_t words, int32_t by, uint32_t *to) {
    int32_t word = by >> 5, bit = by & 31;
    for (int32_t w = 0; w < (int32_t)words; w++) {
        int32_t i = w + word;
        uint32_t low = i >= 0 && i < (int32_t)words ? from[i] : 0;
        uint32_t high = i + 1 >= 0 && i + 1 < (int32_t)words ? from[i + 1] : 0;
        to[w] |= bit == 0 ? low : low >> bit | high << (32 - bit);
    }
}

// Row (y, z) of the target where a row is one word.
static uint32_t make_word(const fr_octree_reference *r, const axis_shift shift[3], int32_t y, int32_t z) {
    int32_t n = 1 << r->depth;
    uint32_t all = 0, out = 0;
    for (int32_t sz = z + shift[2].low; sz <= z + shift[2].high; sz++) {
        for (int32_t sy = y + shift[1].low; sy <= y + shift[1].high; sy++) {
            if ((uint32_t)sy < (uint32_t)n && (uint32_t)sz < (uint32_t)n) { all |= r->rows[(sz << r->depth) + sy]; }
        }
    }
    for (int32_t by = shift[0].low; by <= shift[0].high && all != 0; by++) {
        if (by > -32 && by < 32) { out |= by >= 0 ? all >> by : all << -by; }
    }
    return n < 32 ? out & ((1u << n) - 1) : out;
}

// Row (y, z) of the target.
static void make_row(const fr_octree_reference *r, const axis_shift shift[3], int32_t y, int32_t z, uint32_t *out) {
    int32_t n = 1 << r->depth;
    memset(out, 0, r->row_words * sizeof *out);
    uint32_t all[4] = {0, 0, 0, 0};
    bool is_any = false;
    for (int32_t sz = z + shift[2].low; sz <= z + shift[2].high; sz++) {
        for (int32_t sy = y + shift[1].low; sy <= y + shift[1].high; sy++) {
            if (sy < 0 || sz < 0 || sy >= n || sz >= n) { continue; }
            const uint32_t *row = r->rows + (((size_t)sz << r->depth) + (size_t)sy) * r->row_words;
            for (uint32_t w = 0; w < r->row_words; w++) {
                all[w] |= row[w];
                is_any = is_any || row[w] != 0;
            }
        }
    }
    for (int32_t by = shift[0].low; by <= shift[0].high && is_any; by++) {
        or_moved(all, r->row_words, by, out);
    }
}

void fr__move_shift(const fr__move_job *job) {
    const fr_octree_reference *r = job->reference;
    axis_shift shift[3] = {shift_on_axis(job->map, 0), shift_on_axis(job->map, 1), shift_on_axis(job->map, 2)};
    uint32_t bricks = 1u << (r->depth - 2);
    for (uint32_t z = 0; z < bricks; z++) {
        for (uint32_t y = 0; y < bricks; y++) {
            uint32_t rows[16][4];
            const uint32_t *sixteen[16];
            for (uint32_t i = 0; i < 16; i++) {
                int32_t at_y = (int32_t)(4 * y + i % 4), at_z = (int32_t)(4 * z + i / 4);
                if (r->row_words == 1) {
                    rows[i][0] = make_word(r, shift, at_y, at_z);
                } else {
                    make_row(r, shift, at_y, at_z, rows[i]);
                }
                sixteen[i] = rows[i];
            }
            fr__octree_bricks_of_rows(job->out, y, z, sixteen);
        }
    }
}
