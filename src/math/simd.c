// Which version of the kernels is in use.
#include "fureai/math.h"

#include <stdatomic.h>

// The version chosen, or -1 before the first query. Threads that query first at once store the same result.
static atomic_int chosen = -1;

fr_simd fr_simd_best(void) {
#if defined(FR_HAVE_AVX2_KERNELS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) { return FR_SIMD_AVX2; }
#endif
    return FR_SIMD_BASELINE;
}

fr_simd fr_simd_get(void) {
    int simd = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (simd < 0) {
        simd = (int)fr_simd_best();
        atomic_store_explicit(&chosen, simd, memory_order_relaxed);
    }
    return (fr_simd)simd;
}

bool fr_simd_set(fr_simd simd) {
    bool there = simd == FR_SIMD_BASELINE || simd == fr_simd_best();
    if (there) { atomic_store_explicit(&chosen, (int)simd, memory_order_relaxed); }
    return there;
}

const char *fr_simd_name(fr_simd simd) {
    switch (simd) {
    case FR_SIMD_BASELINE: return "baseline";
    case FR_SIMD_AVX2: return "avx2";
    }
    return "unknown";
}
