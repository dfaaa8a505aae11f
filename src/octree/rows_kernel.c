// Rows become bricks, 16 of them at once where the registers are wide.
#include "octree/rows.h"

#include "math/wide.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX2__)

static inline __m256i load8(const uint32_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }

static inline void store8(uint32_t *p, __m256i v) { _mm256_storeu_si256((__m256i *)(void *)p, v); }

// Four words of 64 voxels and their colours: white 0, black 1, gray 2, a byte each.
static inline void store_bricks(__m256i four, uint64_t *words, uint8_t *colors) {
    static const uint32_t bytes[16] = {0x00000000, 0x00000001, 0x00000100, 0x00000101, 0x00010000, 0x00010001,
                                       0x00010100, 0x00010101, 0x01000000, 0x01000001, 0x01000100, 0x01000101,
                                       0x01010000, 0x01010001, 0x01010100, 0x01010101};
    __m256i is_white = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
    __m256i is_black = _mm256_cmpeq_epi64(four, _mm256_set1_epi64x(-1));
    uint32_t white = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(is_white));
    uint32_t black = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(is_black));
    uint32_t four_colors = 0x02020202u - 2 * bytes[white] - bytes[black];
    _mm256_storeu_si256((__m256i *)(void *)words, four);
    memcpy(colors, &four_colors, sizeof four_colors);
}

// A plane holds, for each of two bricks beside each other on y (a half each), a byte of each of its 16 rows: the
// voxels of two bricks beside each other on x. Rows come with z0 y0 y1 z1 as the bits of their number, so that after
// the nibbles of a brick are put together the bits of a voxel's number are x0 x1 z0 y0 y1 z1, and an exchange of places
// 1 and 3 gives Morton order.
static inline __m256i bricks_of_plane(__m256i plane) {
    const __m256i nibble = _mm256_set1_epi8(15), weight = _mm256_set1_epi16(0x1001);
    const __m256i mask = _mm256_set1_epi64x(0x00cc00cc00cc00cc);
    __m256i even = _mm256_maddubs_epi16(_mm256_and_si256(plane, nibble), weight);
    __m256i odd = _mm256_maddubs_epi16(_mm256_and_si256(_mm256_srli_epi16(plane, 4), nibble), weight);
    __m256i w = _mm256_packus_epi16(even, odd);
    __m256i moved = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64(w, 6), w), mask);
    return _mm256_xor_si256(_mm256_xor_si256(w, moved), _mm256_slli_epi64(moved, 6));
}

static void bricks(fr_octree *t, uint32_t brick_z, uint32_t word, const uint32_t *layers) {
    const __m256i by_byte = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9,
                                             13, 2, 6, 10, 14, 3, 7, 11, 15);
    static const uint32_t pairs[4] = {0, 8, 64, 72}; // bricks 0, 2, 4, 6 on x
    uint32_t n = 1u << t->def.depth;
    uint32_t line = fr__spread3(brick_z) << 2 | fr__spread3(8 * word);
    for (uint32_t y = 0; y < n; y += 8) {
        uint32_t first = line | fr__spread3(y / 4) << 1;
        const uint32_t *at = layers + y;
        __m256i z0 = load8(at), z1 = load8(at + n), z2 = load8(at + 2 * (size_t)n), z3 = load8(at + 3 * (size_t)n);
        __m256i any = _mm256_or_si256(_mm256_or_si256(z0, z1), _mm256_or_si256(z2, z3));
        if (_mm256_testz_si256(any, any)) {
            for (int k = 0; k < 4; k++) {
                memset(t->colors[2] + (first | pairs[k]), FR_CELL_WHITE, 4);
            }
            continue;
        }
        z0 = _mm256_shuffle_epi8(z0, by_byte);
        z1 = _mm256_shuffle_epi8(z1, by_byte);
        z2 = _mm256_shuffle_epi8(z2, by_byte);
        z3 = _mm256_shuffle_epi8(z3, by_byte);
        __m256i low01 = _mm256_unpacklo_epi8(z0, z1), high01 = _mm256_unpackhi_epi8(z0, z1);
        __m256i low23 = _mm256_unpacklo_epi8(z2, z3), high23 = _mm256_unpackhi_epi8(z2, z3);
        const __m256i planes[4] = {_mm256_unpacklo_epi64(low01, low23), _mm256_unpackhi_epi64(low01, low23),
                                   _mm256_unpacklo_epi64(high01, high23), _mm256_unpackhi_epi64(high01, high23)};
        for (int k = 0; k < 4; k++) {
            uint32_t brick = first | pairs[k];
            store_bricks(bricks_of_plane(planes[k]), t->words + brick, t->colors[2] + brick);
        }
    }
}

static void shift(const uint32_t *low, const uint32_t *high, int bit, uint32_t count, uint32_t *to) {
    __m128i down = _mm_cvtsi32_si128(bit), up = _mm_cvtsi32_si128(32 - bit);
    for (uint32_t i = 0; i < count; i += 8) {
        __m256i moved = _mm256_or_si256(_mm256_srl_epi32(load8(low + i), down), _mm256_sll_epi32(load8(high + i), up));
        store8(to + i, _mm256_or_si256(load8(to + i), moved));
    }
}

static void join(const uint32_t *from, uint32_t count, uint32_t *to) {
    for (uint32_t i = 0; i < count; i += 8) {
        store8(to + i, _mm256_or_si256(load8(to + i), load8(from + i)));
    }
}

#else

static void bricks(fr_octree *t, uint32_t brick_z, uint32_t word, const uint32_t *layers) {
    uint32_t n = 1u << t->def.depth, line = fr__spread3(brick_z) << 2 | fr__spread3(8 * word);
    for (uint32_t y = 0; y < n; y += 4) {
        uint32_t first = line | fr__spread3(y / 4) << 1, any = 0;
        for (uint32_t r = 0; r < 16; r++) {
            any |= layers[n * (r / 4) + y + r % 4];
        }
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t brick = first | fr__spread3(k);
            uint64_t lines = 0;
            for (uint32_t r = 0; r < 16 && (any >> 4 * k & 15u) != 0; r++) {
                lines |= (uint64_t)(layers[n * (r / 4) + y + r % 4] >> 4 * k & 15u) << 4 * r;
            }
            t->words[brick] = fr__brick_of_lines(lines);
            t->colors[2][brick] = (uint8_t)fr__color_of_bits(lines, ~(uint64_t)0);
        }
    }
}

static void shift(const uint32_t *low, const uint32_t *high, int bit, uint32_t count, uint32_t *to) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] |= bit == 0 ? low[i] : low[i] >> bit | high[i] << (32 - bit);
    }
}

static void join(const uint32_t *from, uint32_t count, uint32_t *to) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] |= from[i];
    }
}

#endif

const fr__rows_kernel_table FR_KERNEL_NAME(fr__rows_kernel) = {bricks, shift, join};
