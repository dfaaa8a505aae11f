// The private structure of a skin, and what its kernels are given.
#ifndef FUREAI_SHAPE_SKIN_H
#define FUREAI_SHAPE_SKIN_H

#include "fureai/shape.h"
#include "math/simd.h"

#include <stdatomic.h>

struct fr_skin {
    fr_skin_view view;
    fr_arena *arena; // all arrays of the view
    atomic_uint references;
    fr_allocator allocator;
};

// A bone as kernels read it. Linear: 4 columns of a matrix, each x, y, z, 0. Dual quaternions: the real and the dual
// part, each w, x, y, z, and 3 columns of what is scaled and sheared before.
#define FR__SKIN_LINEAR_NUMBERS 16u
#define FR__SKIN_DUAL_NUMBERS 20u

// What a kernel computes: `count` vertices.
typedef struct fr__skin_work {
    const double *bones_now;        // FR__SKIN_..._NUMBERS a bone, aligned to 32 bytes
    const uint16_t *bones;          // influence_count a vertex
    const float *weights;           // likewise
    uint32_t influence_count;       // 1 .. FR_SKIN_MAX_INFLUENCES
    uint32_t vertex_count;          // 1 or more
    const float *positions_float;   // 3 a vertex; one of the two
    const double *positions_double; // 3 a vertex
    const float *normals;           // 3 a vertex; NULL: none
    fr_skin_output out;
} fr__skin_work;

typedef struct fr__skin_kernel_table {
    // Bones in 4 columns each times their inverse binds, 3 rows of 4 each, in place.
    void (*join)(const double *inverse_binds, uint32_t count, double *bones);
    void (*linear)(const fr__skin_work *work);
    void (*dual)(const fr__skin_work *work);
} fr__skin_kernel_table;

FR__KERNEL_TABLE(fr__skin_kernel_table, fr__skin_kernel)

#endif
