// Eight floats or four doubles at once: what kernels are written with.
//
//   fr__f8  8 floats        fr__m8  8 lanes of yes or no, from comparing fr__f8
//   fr__d4  4 doubles       fr__m4  4 lanes of yes or no, from comparing fr__d4
//
// A kernel is a file NOUN_kernel.c that is compiled once for each instruction set, with FR_KERNEL naming it; see simd.h
// for the table that chooses. This header picks AVX2, pairs of SSE2, NEON or SIMD-128 registers, or plain C, by what
// the compiler may use. All give the same bits: each lane is one IEEE operation, nothing is fused, reordered or
// approximated, and
//   min(a, b) = a < b ? a : b,   max(a, b) = a > b ? a : b
// exactly: where a lane of either is NaN, or both are zeros, the second is the result. So min(point, so_far) passes
// over NaN points. Comparisons with NaN are false. (Which NaN an invalid operation makes is not promised: its sign and
// payload differ between processors.)
//
// Every function is inlined by force: the same name compiled for two instruction sets must never become one symbol.
// There is no gather; data are laid out so that none is needed.
//
//   load(p), store(p, a)              any address; load_aligned, store_aligned: multiples of 32 bytes
//   splat(s)                          s in all lanes
//   add sub mul div min max abs neg   lane by lane; sqrt too
//   lt le gt ge eq                    masks
//   m8_and, m8_or, m8_and_not (a and not b), m8_bits (lane i in bit i), m8_first(n) (lanes below n); m4 alike
//   select(m, a, b)                   m ? a : b
//   d4_of_low(f), d4_of_high(f)       lanes 0 .. 3 and 4 .. 7 of 8 floats as doubles
//   d4_load_floats(p)                 4 floats as doubles
//   f8_load_halves(p, q)              4 floats at p, then 4 at q
//   f8_load_twice(p)                  4 floats at p, twice
//   f8_lows(a, b), f8_highs(a, b)     lanes 0 .. 3 (4 .. 7) of a, then of b
//   f8_swap(a)                        lanes 4 .. 7, then 0 .. 3
//   f8_spread(a, k)                   lane k of each half in all lanes of that half; k a constant 0 .. 3
//   d4_from_points, d4_to_points      four points x y z x y z ... as three vectors, and back
//   d4_transpose                      four vectors as the rows of a square: rows become columns
//   d4_gather, d4_gather_floats       points x y z at four addresses as three vectors; nothing beyond them is read
#ifndef FUREAI_MATH_WIDE_H
#define FUREAI_MATH_WIDE_H

#include <float.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "Fureai needs arithmetic that rounds every operation to its type");

#define FR__WIDE static inline __attribute__((always_inline))

// NAME_baseline or NAME_avx2, after the instruction set the file is compiled for.
#define FR_KERNEL_NAME(name) FR__KERNEL_JOIN(name, FR_KERNEL)
#define FR__KERNEL_JOIN(name, kernel) FR__KERNEL_PASTE(name, kernel)
#define FR__KERNEL_PASTE(name, kernel) name##_##kernel

// The first n entries from 8 - n on are set: masks of the first lanes.
static const int32_t fr__first_lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

#if defined(FR_WIDE_PLAIN)
#include "math/wide_half_plain.h"
#include "math/wide_pairs.h"
#elif defined(__AVX2__)
#include "math/wide_avx2.h"
#elif defined(__SSE2__)
#include "math/wide_half_sse2.h"
#include "math/wide_pairs.h"
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include "math/wide_half_neon.h"
#include "math/wide_pairs.h"
#elif defined(__wasm_simd128__)
#include "math/wide_half_wasm.h"
#include "math/wide_pairs.h"
#else
#include "math/wide_half_plain.h"
#include "math/wide_pairs.h"
#endif

#endif
