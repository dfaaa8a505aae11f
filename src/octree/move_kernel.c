// Blocks and bricks of the moved tree, 8 at once where the registers are wide. Every version does the arithmetic of
// fr_octree_map on whole numbers, and that of the slabs in the order of fr_octree_map_meets, so the voxels are the
// same.
#include "math/wide.h"
#include "octree/move.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// The first voxel of a block of 2^level voxels by its Morton index.
typedef struct voxel_index {
    int64_t x, y, z;
} voxel_index;

static voxel_index place_of(size_t block, uint32_t level) {
    uint32_t m = (uint32_t)block;
    voxel_index p = {(int64_t)fr__gather3(m) << level, (int64_t)fr__gather3(m >> 1) << level,
                     (int64_t)fr__gather3(m >> 2) << level};
    return p;
}

static void image_of(const fr__move_job *job, const voxel_index *p, int64_t base[3]) {
    for (int axis = 0; axis < 3; axis++) {
        base[axis] = fr__map_image(job->map, axis, p->x, p->y, p->z);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Blocks

#if defined(__AVX2__)

static inline __m256i load8(const int32_t *p) { return _mm256_load_si256((const __m256i *)(const void *)p); }

static inline __m256i clear_place(const fr__move_job *job, uint32_t k, int axis, int32_t base, uint32_t g,
                                  __m256i most) {
    __m128i shift = _mm_cvtsi32_si128(job->clear_shift + 2 * (int)k);
    __m256i u = _mm256_add_epi32(_mm256_set1_epi32(base), load8(job->middle[k][axis] + 8 * g));
    __m256i cell = _mm256_add_epi32(_mm256_sra_epi32(u, shift), _mm256_set1_epi32(FR__CLEAR_PAD));
    return _mm256_min_epi32(_mm256_max_epi32(cell, _mm256_setzero_si256()), most);
}

static void classify_eight(const fr__move_job *job, uint32_t k, const int32_t base[3], uint32_t g, uint8_t *colors) {
    const fr__block_map *c = &job->clear[k];
    __m256i side = _mm256_set1_epi32((int32_t)c->side), most = _mm256_set1_epi32((int32_t)c->side - 1);
    __m256i x = clear_place(job, k, 0, base[0], g, most);
    __m256i y = clear_place(job, k, 1, base[1], g, most);
    __m256i z = clear_place(job, k, 2, base[2], g, most);
    __m256i row = _mm256_add_epi32(_mm256_mullo_epi32(z, side), y);
    __m256i at =
        _mm256_add_epi32(_mm256_mullo_epi32(row, _mm256_set1_epi32((int32_t)c->row_words)), _mm256_srli_epi32(x, 4));
    __m256i word = _mm256_i32gather_epi32((const int *)(const void *)c->codes, at, 4);
    __m256i bit = _mm256_slli_epi32(_mm256_and_si256(x, _mm256_set1_epi32(15)), 1);
    __m256i code = _mm256_and_si256(_mm256_srlv_epi32(word, bit), _mm256_set1_epi32(3));
    __m128i half = _mm_packs_epi32(_mm256_castsi256_si128(code), _mm256_extracti128_si256(code, 1));
    _mm_storel_epi64((__m128i *)(void *)colors, _mm_packus_epi16(half, half));
}

#else

static int32_t clear_place(const fr__move_job *job, uint32_t k, int axis, int32_t base, uint32_t i, int32_t most) {
    int32_t cell = ((base + job->middle[k][axis][i]) >> (job->clear_shift + 2 * (int)k)) + (int32_t)FR__CLEAR_PAD;
    return cell < 0 ? 0 : cell > most ? most : cell;
}

static void classify_eight(const fr__move_job *job, uint32_t k, const int32_t base[3], uint32_t g, uint8_t *colors) {
    const fr__block_map *c = &job->clear[k];
    int32_t most = (int32_t)c->side - 1;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t x = (uint32_t)clear_place(job, k, 0, base[0], 8 * g + i, most);
        uint32_t y = (uint32_t)clear_place(job, k, 1, base[1], 8 * g + i, most);
        uint32_t z = (uint32_t)clear_place(job, k, 2, base[2], 8 * g + i, most);
        uint32_t word = c->codes[((size_t)z * c->side + y) * c->row_words + x / 16];
        colors[i] = (uint8_t)(word >> 2 * (x % 16) & 3u);
    }
}

#endif

static void classify_blocks(const fr__move_job *job, uint32_t k, const int64_t base[3], uint32_t count,
                            uint8_t *colors) {
    int coarse = job->map->shift - job->clear_shift;
    const int32_t from[3] = {(int32_t)(base[0] >> coarse), (int32_t)(base[1] >> coarse), (int32_t)(base[2] >> coarse)};
    for (uint32_t g = 0; 8 * g < count; g++) {
        classify_eight(job, k, from, g, colors + 8 * g);
    }
}

static void classify(const fr__move_job *job, uint32_t k, size_t first, uint32_t count) {
    voxel_index p = place_of(first, 2 * k + 2);
    int64_t base[3];
    image_of(job, &p, base);
    classify_blocks(job, k, base, count, job->out->colors[2 * k + 2] + first);
}

// ---------------------------------------------------------------------------------------------------------------
// Bricks by the rule of centres

// What voxel i of a brick adds to the image of its first one.
static int64_t voxel_step(const fr__move_job *job, int axis, uint32_t i) {
    if (job->map->shift < 32) { return job->voxel[axis][i]; }
    return (int64_t)((uint64_t)(uint32_t)job->voxel_high[axis][i] << 32 | (uint32_t)job->voxel[axis][i]);
}

#if defined(__AVX2__)

// Where 8 voxels of a brick come from on an axis.
typedef struct origin8 {
    __m256i low, high; // of the brick's first voxel; the low word moved by 2^31 where it is compared
    __m128i shift;
} origin8;

static inline origin8 origin_on_axis(const fr__move_job *job, int64_t base, bool is_split) {
    origin8 o;
    uint32_t low = (uint32_t)(uint64_t)base;
    o.low = _mm256_set1_epi32((int32_t)(is_split ? low ^ 0x80000000u : low));
    o.high = _mm256_set1_epi32((int32_t)(base >> 32));
    o.shift = _mm_cvtsi32_si128(job->map->shift);
    return o;
}

// The cells of group g of 8 voxels. At depth 9 the low words are all fraction, and their carry goes to the high ones.
static inline __m256i cells_of(const fr__move_job *job, const origin8 *o, int axis, int g, bool is_split) {
    __m256i step = load8(job->voxel[axis] + 8 * g);
    __m256i low = _mm256_add_epi32(o->low, step);
    if (!is_split) { return _mm256_sra_epi32(low, o->shift); }
    __m256i biased = _mm256_xor_si256(step, _mm256_set1_epi32((int32_t)0x80000000u));
    __m256i carry = _mm256_cmpgt_epi32(biased, low);
    return _mm256_sub_epi32(_mm256_add_epi32(o->high, load8(job->voxel_high[axis] + 8 * g)), carry);
}

// At depth 9, eight voxels at a time.
static uint64_t sample_brick(const fr__move_job *job, const int64_t base[3]) {
    const fr_octree_reference *r = job->reference;
    origin8 ox = origin_on_axis(job, base[0], true), oy = origin_on_axis(job, base[1], true),
            oz = origin_on_axis(job, base[2], true);
    int wide = (int)r->depth - 5;
    __m128i up_y = _mm_cvtsi32_si128(wide), up_z = _mm_cvtsi32_si128(wide + (int)r->depth);
    __m256i beyond = _mm256_set1_epi32(-(1 << r->depth));
    const int *rows = (const int *)(const void *)r->rows;
    uint64_t brick = 0;
    for (int g = 0; g < 8; g++) {
        __m256i x = cells_of(job, &ox, 0, g, true), y = cells_of(job, &oy, 1, g, true),
                z = cells_of(job, &oz, 2, g, true);
        __m256i at = _mm256_add_epi32(_mm256_sll_epi32(z, up_z), _mm256_sll_epi32(y, up_y));
        at = _mm256_add_epi32(at, _mm256_srai_epi32(x, 5));
        __m256i out = _mm256_and_si256(_mm256_or_si256(_mm256_or_si256(x, y), z), beyond);
        __m256i in = _mm256_cmpeq_epi32(out, _mm256_setzero_si256());
        __m256i word = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), rows, at, in, 4);
        __m256i up = _mm256_andnot_si256(x, _mm256_set1_epi32(31));
        int bits = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(word, up)));
        brick |= (uint64_t)(uint32_t)bits << 8 * g;
    }
    return brick;
}

// The voxels of the reference that a brick may come from: 8 an axis are enough, since a brick's voxel centres, 3 apart,
// are within 3 sqrt 3 on each axis. A table holds the bits of x by y, and by z in its upper half; both halves of a
// register hold the same, so that each byte of an index finds it.
static inline void load_window(const uint16_t *at, size_t side, int x, __m256i tables[4]) {
    __m128i down = _mm_cvtsi32_si128(x);
    __m256i byte = _mm256_set1_epi16(255);
    for (size_t k = 0; k < 4; k++) {
        const __m128i *lower = (const __m128i *)(const void *)(at + 2 * k * side);
        const __m128i *upper = (const __m128i *)(const void *)(at + (2 * k + 1) * side);
        __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128(lower));
        __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128(upper));
        tables[k] = _mm256_packus_epi16(_mm256_and_si256(_mm256_srl_epi16(low, down), byte),
                                        _mm256_and_si256(_mm256_srl_epi16(high, down), byte));
    }
}

// 32 voxels of a brick: `places` are 8 z + y, and `bits` x, of where they come from in the window.
static inline uint32_t look_up(const __m256i tables[4], __m256i places, __m256i bits) {
    const __m256i one_bit = _mm256_broadcastsi128_si256(_mm_set1_epi64x((int64_t)0x8040201008040201u));
    __m256i by_2 = _mm256_slli_epi16(places, 3), by_4 = _mm256_slli_epi16(places, 2);
    __m256i z01 =
        _mm256_blendv_epi8(_mm256_shuffle_epi8(tables[0], places), _mm256_shuffle_epi8(tables[1], places), by_2);
    __m256i z23 =
        _mm256_blendv_epi8(_mm256_shuffle_epi8(tables[2], places), _mm256_shuffle_epi8(tables[3], places), by_2);
    __m256i bit = _mm256_shuffle_epi8(one_bit, bits);
    __m256i found = _mm256_and_si256(_mm256_blendv_epi8(z01, z23, by_4), bit);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, bit));
}

static inline __m256i narrow(const __m256i groups[4]) {
    __m256i low = _mm256_packus_epi32(groups[0], groups[1]), high = _mm256_packus_epi32(groups[2], groups[3]);
    return _mm256_packus_epi16(low, high);
}

// Up to depth 8, by one window of the reference.
static uint64_t window_brick(const fr__move_job *job, const int64_t base[3]) {
    const fr_octree_reference *r = job->reference;
    int shift = job->map->shift;
    int64_t most = ((int64_t)1 << r->depth) + FR__WINDOW_PAD;
    size_t side = (size_t)most + FR__WINDOW_PAD;
    int64_t first[3];
    __m256i from[3];
    for (int axis = 0; axis < 3; axis++) {
        int64_t cell = (base[axis] + job->window_low[axis]) >> shift;
        first[axis] = cell + FR__WINDOW_PAD;
        if (first[axis] < 0 || first[axis] > most) { return 0; }
        from[axis] = _mm256_set1_epi32((int32_t)(base[axis] - cell * ((int64_t)1 << shift)));
    }
    __m256i tables[4];
    const uint16_t *at = r->windows + ((size_t)(first[0] >> 3) * side + (size_t)first[2]) * side + (size_t)first[1];
    load_window(at, side, (int)(first[0] & 7), tables);

    __m128i whole = _mm_cvtsi32_si128(shift), eight = _mm_cvtsi32_si128(shift - 3);
    uint64_t brick = 0;
    for (int half = 0; half < 2; half++) {
        __m256i places[4], bits[4];
        for (int g = 0; g < 4; g++) {
            int i = 32 * half + 8 * g;
            __m256i z = _mm256_srl_epi32(_mm256_add_epi32(from[2], load8(job->window[2] + i)), eight);
            __m256i y = _mm256_srl_epi32(_mm256_add_epi32(from[1], load8(job->window[1] + i)), whole);
            places[g] = _mm256_or_si256(_mm256_and_si256(z, _mm256_set1_epi32(0x38)), y);
            bits[g] = _mm256_srl_epi32(_mm256_add_epi32(from[0], load8(job->window[0] + i)), whole);
        }
        brick |= (uint64_t)look_up(tables, narrow(places), narrow(bits)) << 32 * half;
    }
    return brick;
}

static uint64_t center_brick(const fr__move_job *job, const int64_t base[3]) {
    return job->map->shift == 32 ? sample_brick(job, base) : window_brick(job, base);
}

#else

static uint64_t center_brick(const fr__move_job *job, const int64_t base[3]) {
    const fr_octree_reference *r = job->reference;
    int shift = job->map->shift;
    uint64_t brick = 0;
    for (uint32_t i = 0; i < 64; i++) {
        int64_t x = (base[0] + voxel_step(job, 0, i)) >> shift, y = (base[1] + voxel_step(job, 1, i)) >> shift,
                z = (base[2] + voxel_step(job, 2, i)) >> shift;
        if (((x | y | z) & -((int64_t)1 << r->depth)) != 0) { continue; }
        uint32_t word = r->rows[(((size_t)z << r->depth) + (size_t)y) * r->row_words + (size_t)(x >> 5)];
        brick |= (uint64_t)(word >> (x & 31) & 1u) << i;
    }
    return brick;
}

#endif

// The closed form: a centre on the border of voxels is also theirs on the other side, the least step below.
static uint64_t closed_brick(const fr__move_job *job, const int64_t base[3]) {
    uint32_t ties = 0;
    for (int axis = 0; axis < 3; axis++) {
        ties |= (uint32_t)fr__map_has_ties(job->map, axis) << axis;
    }
    uint64_t brick = 0;
    for (uint32_t below = 0; below < 8; below++) {
        if ((below & ~ties) != 0) { continue; }
        const int64_t at[3] = {base[0] - (below & 1), base[1] - (below >> 1 & 1), base[2] - (below >> 2)};
        brick |= center_brick(job, at);
    }
    return brick;
}

// ---------------------------------------------------------------------------------------------------------------
// Bricks by the rules of overlap and touch

// The 27 voxels about one, black ones as set bits, as fr_octree_map numbers them.
static inline uint32_t black_about(const fr_octree_reference *r, const int32_t cell[3]) {
    size_t line = r->row_bytes, sheet = ((1u << r->depth) + 4) * line;
    int32_t x = cell[0] - 1;
    const uint8_t *at = r->black + (size_t)(cell[2] - 1) * sheet + (size_t)(cell[1] - 1) * line + (size_t)(x >> 3);
    uint32_t all = 0;
    for (int z = 0; z < 3; z++) {
        for (int y = 0; y < 3; y++) {
            uint16_t bits;
            memcpy(&bits, at + (size_t)z * sheet + (size_t)y * line, sizeof bits);
            all |= ((uint32_t)bits >> (x & 7) & 7u) << (3 * y + 9 * z);
        }
    }
    return all;
}

// The neighbours that the first three axes leave: on these a neighbour's offset is -1, 0 or 1, so they are tested
// all 27 at once.
static inline uint32_t neighbors_in_reach(const fr_octree_map *m, const double g[3]) {
    static const uint32_t below[3] = {0x1249249u, 0x1c0e07u, 0x1ffu}, beyond[3] = {0x4924924u, 0x70381c0u, 0x7fc0000u};
    uint32_t left = 0x7ffffffu;
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(g[axis] - 1.0) <= m->limit[axis])) { left &= ~below[axis]; }
        if (!(fabs(g[axis] + 1.0) <= m->limit[axis])) { left &= ~beyond[axis]; }
    }
    return left;
}

// Whether a neighbour through a face is so near that the balls in both cubes meet: then so do the cubes, on every axis
// with more room than rounding takes. g points from the voxel's middle to that of its cell.
static inline bool is_close(const double g[3], uint32_t neighbors) {
    static const uint32_t faces[3][2] = {{1u << 12, 1u << 14}, {1u << 10, 1u << 16}, {1u << 4, 1u << 22}};
    double squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    for (int axis = 0; axis < 3; axis++) {
        bool is_there = (neighbors & faces[axis][g[axis] < 0.0]) != 0;
        if (is_there && 1.0 - 2.0 * fabs(g[axis]) + squared < 0.999) { return true; }
    }
    return false;
}

// Whether one of the neighbours meets the voxel whose middle is g from its own cell's middle.
static inline bool meets_any(const fr_octree_map *m, const double g[3], uint32_t neighbors) {
    fr__d4 p[4], limit[4];
    fr__d4 x = fr__d4_splat(g[0]), y = fr__d4_splat(g[1]), z = fr__d4_splat(g[2]);
    for (int v = 0; v < 4; v++) {
        fr__d4 xy =
            fr__d4_add(fr__d4_mul(fr__d4_load(m->axis[0] + 4 * v), x), fr__d4_mul(fr__d4_load(m->axis[1] + 4 * v), y));
        p[v] = fr__d4_add(xy, fr__d4_mul(fr__d4_load(m->axis[2] + 4 * v), z));
        limit[v] = fr__d4_load(m->limit + 4 * v);
    }
    for (; neighbors != 0; neighbors &= neighbors - 1) {
        const double *offset = m->offset[__builtin_ctz(neighbors)];
        fr__m4 is_in[4];
        for (int v = 0; v < 4; v++) {
            is_in[v] = fr__d4_le(fr__d4_abs(fr__d4_add(p[v], fr__d4_load(offset + 4 * v))), limit[v]);
        }
        fr__m4 all = fr__m4_and(fr__m4_and(is_in[0], is_in[1]), fr__m4_and(is_in[2], is_in[3]));
        if (fr__m4_bits(all) == 15) { return true; }
    }
    return false;
}

// What is known of a brick's voxels by the cells their centres come from.
typedef struct own_cells {
    uint64_t black;                  // the cell is black, or one beside it surely meets
    uint64_t near;                   // it, or one of the 26 about it, is
    bool has_reach;                  // `near` and `about` hold only those that the first three axes may leave
    _Alignas(32) uint32_t about[64]; // the 27 about it, where the reference has them
} own_cells;

// Voxel i of a brick, whose image lies in a white cell with black neighbours: does one of them meet? Where the
// reference has words of all about, what could be decided of 8 voxels at once has been.
static bool edge_voxel(const fr__move_job *job, const int64_t base[3], const own_cells *own, uint32_t i) {
    const fr_octree_map *m = job->map;
    int32_t cell[3];
    double g[3];
    for (int axis = 0; axis < 3; axis++) {
        int64_t u = base[axis] + voxel_step(job, axis, i), whole = u >> m->shift;
        cell[axis] = (int32_t)(whole + 2);
        g[axis] = 0.5 - (double)(u - whole * ((int64_t)1 << m->shift)) * job->unit;
    }
    if (own->has_reach) { return meets_any(m, g, own->about[i]); }
    uint32_t black = job->reference->about != NULL ? own->about[i] : black_about(job->reference, cell);
    if (is_close(g, black)) { return true; }
    uint32_t neighbors = black & neighbors_in_reach(m, g);
    return neighbors != 0 && meets_any(m, g, neighbors);
}

#if defined(__AVX2__)

// Cells counted from 2 voxels outside the root; what is farther out takes the border's place, where nothing is near.
static inline __m256i padded(__m256i cells, __m256i most) {
    __m256i moved = _mm256_add_epi32(cells, _mm256_set1_epi32(2));
    return _mm256_min_epi32(_mm256_max_epi32(moved, _mm256_setzero_si256()), most);
}

static inline uint64_t top_bits(__m256i words) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(words)); }

// 1/2 less the fraction of where 8 voxels come from on an axis, as floats: near enough to say what is surely close.
static inline __m256 fractions_of(const fr__move_job *job, const origin8 *o, int axis, int g) {
    __m256i low = _mm256_add_epi32(o->low, load8(job->voxel[axis] + 8 * g));
    __m256i part = _mm256_and_si256(low, _mm256_set1_epi32((int32_t)((1u << job->map->shift) - 1)));
    __m256 fraction = _mm256_mul_ps(_mm256_cvtepi32_ps(part), _mm256_set1_ps((float)job->unit));
    return _mm256_sub_ps(_mm256_set1_ps(0.5f), fraction);
}

// is_close of 8 voxels at once, with a hundredth to spare for floats.
static inline uint64_t close_voxels(const __m256 g[3], __m256i words) {
    static const int32_t faces[3][2] = {{1 << 12, 1 << 14}, {1 << 10, 1 << 16}, {1 << 4, 1 << 22}};
    __m256 sum = _mm256_add_ps(_mm256_mul_ps(g[0], g[0]), _mm256_mul_ps(g[1], g[1]));
    sum = _mm256_add_ps(_mm256_add_ps(sum, _mm256_mul_ps(g[2], g[2])), _mm256_set1_ps(1.0f));
    __m256 close = _mm256_setzero_ps();
    for (int axis = 0; axis < 3; axis++) {
        __m256 below = _mm256_castsi256_ps(_mm256_set1_epi32(faces[axis][0]));
        __m256 beyond = _mm256_castsi256_ps(_mm256_set1_epi32(faces[axis][1]));
        __m256i face = _mm256_castps_si256(_mm256_blendv_ps(below, beyond, g[axis]));
        __m256i is_there = _mm256_cmpeq_epi32(_mm256_and_si256(words, face), face);
        __m256 twice = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), _mm256_add_ps(g[axis], g[axis]));
        __m256 is_near = _mm256_cmp_ps(_mm256_sub_ps(sum, twice), _mm256_set1_ps(0.99f), _CMP_LT_OQ);
        close = _mm256_or_ps(close, _mm256_and_ps(is_near, _mm256_castsi256_ps(is_there)));
    }
    return (uint32_t)_mm256_movemask_ps(close);
}

// neighbors_in_reach of 8 voxels at once, with a little to spare for floats.
static inline __m256i reach_of(const __m256 g[3], const __m256 least[3]) {
    static const int32_t below[3] = {0x1249249, 0x1c0e07, 0x1ff}, beyond[3] = {0x4924924, 0x70381c0, 0x7fc0000};
    __m256i left = _mm256_set1_epi32(0x7ffffff);
    for (int axis = 0; axis < 3; axis++) {
        __m256 negative = _mm256_xor_ps(g[axis], _mm256_set1_ps(-0.0f));
        __m256i no_below = _mm256_castps_si256(_mm256_cmp_ps(g[axis], least[axis], _CMP_LT_OQ));
        __m256i no_beyond = _mm256_castps_si256(_mm256_cmp_ps(negative, least[axis], _CMP_LT_OQ));
        left = _mm256_andnot_si256(_mm256_and_si256(no_below, _mm256_set1_epi32(below[axis])), left);
        left = _mm256_andnot_si256(_mm256_and_si256(no_beyond, _mm256_set1_epi32(beyond[axis])), left);
    }
    return left;
}

// By words of all about, or by codes of two bits.
static inline __attribute__((always_inline)) void sample_overlap(const fr__move_job *job, const int64_t base[3],
                                                                 bool is_split, bool has_words, own_cells *out) {
    const fr_octree_reference *r = job->reference;
    origin8 ox = origin_on_axis(job, base[0], is_split), oy = origin_on_axis(job, base[1], is_split),
            oz = origin_on_axis(job, base[2], is_split);
    __m256i side = _mm256_set1_epi32((1 << r->depth) + 4), most = _mm256_set1_epi32((1 << r->depth) + 3);
    __m256i row_bytes = _mm256_set1_epi32((int32_t)r->near_bytes);
    __m256 least[3];
    for (int axis = 0; axis < 3 && has_words; axis++) {
        least[axis] = _mm256_set1_ps((float)(1.0 - job->map->limit[axis]) - 1e-5f);
    }
    uint64_t black = 0, near = 0;
    for (int g = 0; g < 8; g++) {
        __m256i x = padded(cells_of(job, &ox, 0, g, is_split), most);
        __m256i y = padded(cells_of(job, &oy, 1, g, is_split), most);
        __m256i z = padded(cells_of(job, &oz, 2, g, is_split), most);
        __m256i row = _mm256_add_epi32(_mm256_mullo_epi32(z, side), y);
        if (has_words) {
            __m256i at = _mm256_add_epi32(_mm256_mullo_epi32(row, side), x);
            __m256i word = _mm256_i32gather_epi32((const int *)(const void *)r->about, at, 4);
            __m256 from[3] = {fractions_of(job, &ox, 0, g), fractions_of(job, &oy, 1, g), fractions_of(job, &oz, 2, g)};
            __m256i within = _mm256_and_si256(word, reach_of(from, least));
            _mm256_store_si256((__m256i *)(void *)(out->about + 8 * g), within);
            near |= (~top_bits(_mm256_cmpeq_epi32(within, _mm256_setzero_si256())) & 255u) << 8 * g;
            black |= (top_bits(_mm256_slli_epi32(word, 18)) | close_voxels(from, word)) << 8 * g;
            continue;
        }
        __m256i at = _mm256_add_epi32(_mm256_mullo_epi32(row, row_bytes), _mm256_srli_epi32(x, 2));
        __m256i in_byte = _mm256_slli_epi32(_mm256_and_si256(x, _mm256_set1_epi32(3)), 1);
        __m256i word = _mm256_i32gather_epi32((const int *)(const void *)r->near, at, 1);
        word = _mm256_sllv_epi32(word, _mm256_sub_epi32(_mm256_set1_epi32(30), in_byte));
        near |= top_bits(word) << 8 * g;
        black |= top_bits(_mm256_slli_epi32(word, 1)) << 8 * g;
    }
    out->near = near;
    out->black = black;
    out->has_reach = has_words;
}

static void look_at_cells(const fr__move_job *job, const int64_t base[3], own_cells *out) {
    if (job->reference->about != NULL) {
        sample_overlap(job, base, false, true, out);
    } else if (job->map->shift == 32) {
        sample_overlap(job, base, true, false, out);
    } else {
        sample_overlap(job, base, false, false, out);
    }
}

#else

static void look_at_cells(const fr__move_job *job, const int64_t base[3], own_cells *out) {
    const fr_octree_reference *r = job->reference;
    int64_t most = ((int64_t)1 << r->depth) + 3;
    size_t side = (size_t)most + 1;
    uint64_t black = 0, near = 0;
    for (uint32_t i = 0; i < 64; i++) {
        int64_t cell[3];
        for (int axis = 0; axis < 3; axis++) {
            cell[axis] = ((base[axis] + voxel_step(job, axis, i)) >> job->map->shift) + 2;
            cell[axis] = cell[axis] < 0 ? 0 : cell[axis] > most ? most : cell[axis];
        }
        size_t row = (size_t)cell[2] * side + (size_t)cell[1];
        if (r->about != NULL) {
            uint32_t word = r->about[row * side + (size_t)cell[0]];
            out->about[i] = word;
            near |= (uint64_t)(word != 0) << i;
            black |= (uint64_t)(word >> 13 & 1u) << i;
            continue;
        }
        uint32_t code = (uint32_t)r->near[row * r->near_bytes + (size_t)(cell[0] >> 2)] >> 2 * (cell[0] & 3);
        near |= (uint64_t)(code >> 1 & 1u) << i;
        black |= (uint64_t)(code & 1u) << i;
    }
    out->near = near;
    out->black = black;
    out->has_reach = false;
}

#endif

// A voxel is black when its image lies in a black cell, or a black cell about that one meets it.
static uint64_t overlap_brick(const fr__move_job *job, const int64_t base[3]) {
    own_cells own;
    look_at_cells(job, base, &own);
    uint64_t brick = own.black;
    for (uint64_t left = own.near & ~brick; left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        if (edge_voxel(job, base, &own, i)) { brick |= (uint64_t)1 << i; }
    }
    return brick;
}

// ---------------------------------------------------------------------------------------------------------------
// Filling

static uint64_t brick_at(const fr__move_job *job, const int64_t base[3]) {
    switch (job->map->rule) {
    case FR_OCTREE_CENTER: return center_brick(job, base);
    case FR_OCTREE_CENTER_CLOSED: return closed_brick(job, base);
    default: return overlap_brick(job, base);
    }
}

// Which of 64 colours are gray: bit 1 of a byte, gathered by a product of each eight.
static inline uint64_t gray_of(const uint8_t *colors) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t eight;
        memcpy(&eight, colors + 8 * i, sizeof eight);
        all |= ((eight >> 1 & 0x0101010101010101u) * 0x0102040810204080u >> 56) << 8 * i;
    }
    return all;
}

// Fills the 64 parts of the block whose first voxel comes from `base`; they are 4^k voxels wide, the first is `first`.
static uint64_t fill_parts(const fr__move_job *job, uint32_t k, size_t first, const int64_t base[3]) {
    fr_octree *out = job->out;
    uint32_t level = 2 * k;
    uint8_t *colors = out->colors[level] + first;
    uint64_t mixed = 0;
    classify_blocks(job, k - 1, base, 64, colors);
    for (uint64_t left = gray_of(colors); left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        // A part begins where voxel i of a brick would, 4^k times as far.
        int64_t at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = base[axis] + voxel_step(job, axis, i) * ((int64_t)1 << level);
        }
        if (k > 1) {
            mixed += fill_parts(job, k - 1, (first + i) * 64, at);
            continue;
        }
        uint64_t word = brick_at(job, at);
        out->words[first + i] = word;
        colors[i] = (uint8_t)fr__color_of_bits(word, ~(uint64_t)0);
        mixed++;
    }
    uint8_t *eighths = out->colors[level + 1] + first / 8;
    for (uint32_t i = 0; i < 8; i++) {
        eighths[i] = fr__color_of_eight(colors + 8 * i);
    }
    out->colors[level + 2][first / 64] = fr__color_of_eight(eighths);
    return mixed;
}

static uint64_t fill(const fr__move_job *job, uint32_t k, size_t block) {
    voxel_index p = place_of(block, 2 * k + 2);
    int64_t at[3];
    image_of(job, &p, at);
    if (k > 0) { return fill_parts(job, k, block * 64, at); }
    uint64_t word = brick_at(job, at);
    job->out->words[block] = word;
    job->out->colors[2][block] = (uint8_t)fr__color_of_bits(word, ~(uint64_t)0);
    return 1;
}

const fr__move_kernel_table FR_KERNEL_NAME(fr__move_kernel) = {classify, fill};
