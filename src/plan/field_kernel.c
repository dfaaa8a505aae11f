// Sweeps, 16 cells at once where the registers are wide. Whole numbers: every version gives the same.
#include "plan/field.h"

#include "math/wide.h"

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

// ---------------------------------------------------------------------------------------------------------------
// Eight numbers of 16 bits

#if defined(__SSE2__)

typedef __m128i eight;
static inline eight load8(const int16_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
static inline void store8(int16_t *p, eight v) { _mm_storeu_si128((__m128i *)(void *)p, v); }
static inline eight splat8(int16_t x) { return _mm_set1_epi16(x); }
static inline eight add8(eight a, eight b) { return _mm_add_epi16(a, b); }
static inline eight sub8(eight a, eight b) { return _mm_sub_epi16(a, b); }
static inline eight min8(eight a, eight b) { return _mm_min_epi16(a, b); }

#else

typedef struct eight {
    int16_t v[8];
} eight;

static inline eight load8(const int16_t *p) {
    eight r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = p[i];
    }
    return r;
}

static inline void store8(int16_t *p, eight a) {
    for (int i = 0; i < 8; i++) {
        p[i] = a.v[i];
    }
}

static inline eight splat8(int16_t x) {
    eight r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = x;
    }
    return r;
}

static inline eight add8(eight a, eight b) {
    for (int i = 0; i < 8; i++) {
        a.v[i] = (int16_t)(a.v[i] + b.v[i]);
    }
    return a;
}

static inline eight sub8(eight a, eight b) {
    for (int i = 0; i < 8; i++) {
        a.v[i] = (int16_t)(a.v[i] - b.v[i]);
    }
    return a;
}

static inline eight min8(eight a, eight b) {
    for (int i = 0; i < 8; i++) {
        a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    }
    return a;
}

#endif

// ---------------------------------------------------------------------------------------------------------------
// Sixteen: one register or two

#if defined(__AVX2__)

typedef __m256i sixteen;
static inline sixteen load16(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
static inline void store16(int16_t *p, sixteen v) { _mm256_storeu_si256((__m256i *)(void *)p, v); }
static inline sixteen splat16(int16_t x) { return _mm256_set1_epi16(x); }
static inline sixteen add16(sixteen a, sixteen b) { return _mm256_add_epi16(a, b); }
static inline sixteen min16(sixteen a, sixteen b) { return _mm256_min_epi16(a, b); }

#else

typedef struct sixteen {
    eight low, high;
} sixteen;

static inline sixteen load16(const int16_t *p) { return (sixteen){load8(p), load8(p + 8)}; }
static inline void store16(int16_t *p, sixteen v) {
    store8(p, v.low);
    store8(p + 8, v.high);
}
static inline sixteen splat16(int16_t x) { return (sixteen){splat8(x), splat8(x)}; }
static inline sixteen add16(sixteen a, sixteen b) { return (sixteen){add8(a.low, b.low), add8(a.high, b.high)}; }
static inline sixteen min16(sixteen a, sixteen b) { return (sixteen){min8(a.low, b.low), min8(a.high, b.high)}; }

#endif

// ---------------------------------------------------------------------------------------------------------------
// The kernel

static inline uint32_t byte_of(const uint64_t *words, uint32_t k) {
    return (uint32_t)(words[k / 8] >> k % 8 * 8 & 255u);
}

// Stands for no black cell in this direction: after 2 for each of seven cells is taken off, still not below none.
#define NONE_AHEAD (FR_PLAN_G_NONE + 16)

// Each cell of a byte takes the smallest of three: from the byte itself, from the last black cell before it, from the
// first one after it.
static void row(const uint64_t *words, uint32_t bytes, const int16_t (*steps)[8], int16_t *out) {
    static const int16_t twice[8] = {0, 2, 4, 6, 8, 10, 12, 14};
    const eight ramp = load8(twice);
    int16_t after[(1u << FR_PLAN_MAX_DEPTH_2D) / 8];
    int32_t next = NONE_AHEAD;
    for (uint32_t k = bytes; k-- > 0;) {
        // 2 (first black cell - first cell of the byte) - 1
        next = next + 16 < NONE_AHEAD ? next + 16 : NONE_AHEAD;
        after[k] = (int16_t)next;
        uint32_t byte = byte_of(words, k);
        if (byte != 0) { next = 2 * __builtin_ctz(byte) - 1; }
    }
    int32_t last = FR_PLAN_G_NONE;
    for (uint32_t k = 0; k < bytes; k++) {
        uint32_t byte = byte_of(words, k);
        eight v = min8(load8(steps[byte]), add8(splat8((int16_t)last), ramp));
        v = min8(v, sub8(splat8(after[k]), ramp));
        store8(out + 8 * k, min8(v, splat8(FR_PLAN_G_NONE)));
        last = last + 16 < FR_PLAN_G_NONE ? last + 16 : FR_PLAN_G_NONE;
        // 2 (first cell of the next byte - last black cell) - 1
        if (byte != 0) { last = 2 * (8 - (31 - __builtin_clz(byte))) - 1; }
    }
}

// One step of a sweep: `r` is the smallest of g + 2 for each row between, over the rows before this one.
static inline sixteen step(sixteen r, sixteen g) { return min16(add16(r, splat16(2)), g); }
static inline sixteen reach(sixteen r) { return add16(r, splat16(1)); }

// Several registers at once: rows that lie far apart, on pages of their own, are touched once a sweep. The count is
// constant where this is called.
static inline void sweep_many(const int16_t *from, uint32_t steps, size_t stride, int16_t *to, uint32_t count) {
    sixteen r[8];
    for (uint32_t k = 0; k < count; k++) {
        r[k] = splat16(FR_PLAN_G_NONE);
    }
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t k = 0; k < count; k++) {
            sixteen g = load16(from + i * stride + 16 * k);
            store16(to + i * stride + 16 * k, min16(g, reach(r[k])));
            r[k] = step(r[k], g);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        r[k] = splat16(FR_PLAN_G_NONE);
    }
    for (uint32_t i = steps; i-- > 0;) {
        for (uint32_t k = 0; k < count; k++) {
            sixteen g = load16(from + i * stride + 16 * k);
            store16(to + i * stride + 16 * k, min16(load16(to + i * stride + 16 * k), reach(r[k])));
            r[k] = step(r[k], g);
        }
    }
}

static void sweep(const int16_t *in, uint32_t steps, size_t stride, uint32_t lanes, int16_t *out) {
    uint32_t lane = 0;
    for (; lane + 128 <= lanes; lane += 128) {
        sweep_many(in + lane, steps, stride, out + lane, 8);
    }
    for (; lane + 32 <= lanes; lane += 32) {
        sweep_many(in + lane, steps, stride, out + lane, 2);
    }
    if (lane < lanes) { sweep_many(in + lane, steps, stride, out + lane, 1); }
}

const fr__field_table FR_KERNEL_NAME(fr__field_kernels) = {row, sweep};
