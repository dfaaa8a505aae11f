// Moving without turning: every axis by itself. A target voxel i takes the reference's voxels i + low .. i + high, one
// by the rule of centres, at most three where voxels may overlap or touch.
#include "octree/move.h"
#include "octree/rows.h"

#include <string.h>

typedef struct axis_shift {
    int32_t low, high;
} axis_shift;

// With no turn the 15 axes of the map are the three of the root, and the most distance on each is 1 and the rule's
// tolerance: a neighbour counts when it is within that on each.
static axis_shift shift_on_axis(const fr_octree_map *m, int axis) {
    int32_t whole = (int32_t)(m->b[axis] >> m->shift);
    axis_shift s = {whole, whole};
    if (fr__rule_is_center(m->rule)) {
        s.low -= fr__map_has_ties(m, axis);
        return s;
    }
    double g = 0.5 - ldexp((double)(m->b[axis] - whole * ((int64_t)1 << m->shift)), -m->shift);
    double limit = 1.0 + fr__map_tolerance(m->rule);
    s.low -= fabs(g - 1.0) <= limit;
    s.high += fabs(g + 1.0) <= limit;
    return s;
}

// ---------------------------------------------------------------------------------------------------------------
// Small roots, whose rows are less than a word

// Row (y, z) of the target.
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
    return out & ((1u << n) - 1);
}

static void shift_small(const fr__move_job *job, const axis_shift shift[3]) {
    const fr_octree_reference *r = job->reference;
    uint32_t bricks = 1u << (r->depth - 2);
    for (uint32_t z = 0; z < bricks; z++) {
        for (uint32_t y = 0; y < bricks; y++) {
            uint32_t rows[16];
            const uint32_t *sixteen[16];
            for (uint32_t i = 0; i < 16; i++) {
                rows[i] = make_word(r, shift, (int32_t)(4 * y + i % 4), (int32_t)(4 * z + i / 4));
                sixteen[i] = &rows[i];
            }
            fr__octree_bricks_of_rows(job->out, y, z, sixteen);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Rows of whole words

enum { MOST_ROWS = 1 << FR__SHIFT_DEPTH, MOST_WORDS = MOST_ROWS / 32 };

// Word w of all rows of a layer, with as many empty rows before and after them, so that a shift on y is an address;
// and an empty column for what comes from outside.
typedef struct shift_columns {
    uint32_t words[MOST_WORDS][3 * MOST_ROWS];
    uint32_t empty[3 * MOST_ROWS];
} shift_columns;

// The layers of the reference that layer z of the target takes, joined.
static void join_layers(const fr_octree_reference *r, const axis_shift *shift, int32_t z, shift_columns *out) {
    const fr__rows_kernel_table *kernel = fr__rows_kernel();
    int32_t n = 1 << r->depth;
    for (uint32_t w = 0; w < r->row_words; w++) {
        memset(out->words[w] + n, 0, (size_t)n * sizeof(uint32_t));
    }
    for (int32_t sz = z + shift->low; sz <= z + shift->high; sz++) {
        if (sz < 0 || sz >= n) { continue; }
        const uint32_t *layer = r->rows + ((size_t)sz << r->depth) * r->row_words;
        if (r->row_words == 1) {
            kernel->join(layer, (uint32_t)n, out->words[0] + n);
            continue;
        }
        for (uint32_t w = 0; w < r->row_words; w++) {
            for (int32_t y = 0; y < n; y++) {
                out->words[w][n + y] |= layer[(uint32_t)y * r->row_words + w];
            }
        }
    }
}

// Word w of the rows of a target layer: the columns moved on y and x.
static void shift_layer(const fr_octree_reference *r, const axis_shift shift[3], const shift_columns *from, int32_t w,
                        uint32_t *out) {
    const fr__rows_kernel_table *kernel = fr__rows_kernel();
    int32_t n = 1 << r->depth, words = (int32_t)r->row_words;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int32_t bx = shift[0].low; bx <= shift[0].high; bx++) {
        int32_t i = w + (bx >> 5);
        const uint32_t *low = i >= 0 && i < words ? from->words[i] : from->empty;
        const uint32_t *high = i + 1 >= 0 && i + 1 < words ? from->words[i + 1] : from->empty;
        for (int32_t by = shift[1].low; by <= shift[1].high; by++) {
            if (by >= -n && by <= n) { kernel->shift(low + n + by, high + n + by, bx & 31, (uint32_t)n, out); }
        }
    }
}

static void shift_slabs(const fr__move_job *job, const axis_shift shift[3]) {
    const fr_octree_reference *r = job->reference;
    const fr__rows_kernel_table *kernel = fr__rows_kernel();
    int32_t n = 1 << r->depth, first = (int32_t)r->bounds.min.z, last = (int32_t)r->bounds.max.z - 1;
    shift_columns from;
    uint32_t layers[MOST_WORDS][4 * MOST_ROWS];
    for (uint32_t w = 0; w < r->row_words; w++) {
        memset(from.words[w], 0, 3 * (size_t)n * sizeof(uint32_t));
    }
    memset(from.empty, 0, 3 * (size_t)n * sizeof(uint32_t));
    memset(job->out->colors[2], FR_CELL_WHITE, (size_t)1 << 3 * (r->depth - 2));
    for (int32_t z = 0; z < n; z += 4) {
        // A slab that no black layer comes to stays white.
        if (z + 3 + shift[2].high < first || z + shift[2].low > last) { continue; }
        for (int32_t i = 0; i < 4; i++) {
            join_layers(r, &shift[2], z + i, &from);
            for (uint32_t w = 0; w < r->row_words; w++) {
                shift_layer(r, shift, &from, (int32_t)w, layers[w] + i * n);
            }
        }
        for (uint32_t w = 0; w < r->row_words; w++) {
            kernel->bricks(job->out, (uint32_t)z / 4, w, layers[w]);
        }
    }
}

void fr__move_shift(const fr__move_job *job) {
    axis_shift shift[3] = {shift_on_axis(job->map, 0), shift_on_axis(job->map, 1), shift_on_axis(job->map, 2)};
    if (job->reference->depth < 5) {
        shift_small(job, shift);
    } else {
        shift_slabs(job, shift);
    }
}
