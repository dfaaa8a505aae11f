// How a room chooses among the versions of its kernels.
//
// A kernel file defines one table, named after the instruction set it is compiled for:
//
//     thing_kernel.c      static void work(...) { ... }
//                         const fr__thing_table FR_KERNEL_NAME(fr__thing_kernels) = {work};
//     thing.h             typedef struct fr__thing_table { void (*work)(...); } fr__thing_table;
//                         FR__KERNEL_TABLE(fr__thing_table, fr__thing_kernels)
//     a user              fr__thing_kernels()->work(...);
//
// The choice is one relaxed load of one integer: make it once a batch, not once an item.
#ifndef FUREAI_MATH_SIMD_H
#define FUREAI_MATH_SIMD_H

#include "fureai/math.h"

#if defined(FR_HAVE_AVX2_KERNELS)
#define FR__KERNEL_TABLE(type, name)                                                                                   \
    extern const type name##_baseline, name##_avx2;                                                                    \
    static inline const type *name(void) { return fr_simd_get() == FR_SIMD_AVX2 ? &name##_avx2 : &name##_baseline; }
#else
#define FR__KERNEL_TABLE(type, name)                                                                                   \
    extern const type name##_baseline;                                                                                 \
    static inline const type *name(void) { return &name##_baseline; }
#endif

#endif
