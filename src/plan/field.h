// The integer g of every cell by an exact distance transform.
//
// g = min over black cells of the sum over axes of f(|d|), f(0) = 0, f(n) = 2 n - 1: the sum is separable and f convex,
// so two sweeps along each axis give it. Along x it is read off the bits. What the sweeps along all axes but the last
// give is stored: where it did not change, the last need not be swept again.
#ifndef FUREAI_PLAN_FIELD_H
#define FUREAI_PLAN_FIELD_H

#include "math/simd.h"
#include "plan/world.h"

// Rows of g are padded to whole registers.
#define FR__PLAN_LANES 16u

typedef struct fr__field_table {
    // g along x alone of a row of `bytes` bytes of bits; `steps` as fr__plan_make_steps makes it.
    void (*row)(const uint64_t *words, uint32_t bytes, const int16_t (*steps)[8], int16_t *out);
    // Sweeps `steps` rows that lie `stride` apart, in both directions, `lanes` (a multiple of FR__PLAN_LANES) columns
    // of them.
    void (*sweep)(const int16_t *in, uint32_t steps, size_t stride, uint32_t lanes, int16_t *out);
} fr__field_table;

FR__KERNEL_TABLE(fr__field_table, fr__field_kernels)

// For every byte of bits, g at its eight cells from the cells in it; FR_PLAN_G_NONE where it has none.
void fr__plan_make_steps(int16_t steps[256][8]);

struct fr_plan_field {
    fr_plan_field_def def;
    fr_allocator allocator;
    fr_tasks tasks; // worker_count 0: none
    uint32_t size, layers, stride;
    size_t layer; // from a cell to the one above it
    int dimension;
    fr_vec3 goal;
    uint64_t version;  // of the world at the last update
    int16_t *inner;    // swept along all axes but the last
    int16_t *g;        // swept along all
    size_t lane_count; // of each
    int16_t *scratch;  // two layers a worker, in the plane a row
    size_t scratch_count;
    double *sums; // (size + 1)^2 (layers + 1), NULL before the first fr_plan_field_sum_up
    size_t sum_count;
    bool has_sums;
    _Alignas(16) int16_t steps[256][8];
};

#endif
