// A slice is the obstacles dilated by a mask. A run of cells in a row of the mask is covered by two windows of a power
// of two, and the windows of the whole world are made once: then a row of the mask costs one or two shifted ORs of the
// world, however long it is.
#include "plan/slice.h"

#include <string.h>

#define MAX_SLICE_BYTES ((uint64_t)256 << 20)

bool fr__plan_poses_make(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_allocator *allocator,
                         fr__plan_poses *out) {
    memset(out, 0, sizeof *out);
    out->bits = *bits;
    out->robot = robot;
    out->allocator = *allocator;
    out->word_count = (size_t)bits->layers * bits->size * bits->row_words;
    out->use_count = (size_t)robot->orientation_count * robot->stride;
    out->uses = fr_allocate(allocator, out->use_count, sizeof *out->uses, 64);
    if (out->uses == NULL) { return false; }
    memset(out->uses, 0, out->use_count * sizeof *out->uses);
    // A word of a slice costs about a quarter of a row of a test.
    out->tests_before_slice = 16 + (uint32_t)(out->word_count / 4);
    return true;
}

static void release_words(fr__plan_poses *p, uint64_t **words) {
    if (*words != NULL) { fr_deallocate(&p->allocator, *words, p->word_count, sizeof **words); }
    *words = NULL;
}

void fr__plan_poses_reset(fr__plan_poses *p, const fr__plan_bits *bits) {
    p->bits = *bits;
    for (size_t i = 0; i < p->use_count && p->slice_bytes > 0; i++) {
        if (p->uses[i].slice == NULL) { continue; }
        release_words(p, &p->uses[i].slice);
        p->slice_bytes -= p->word_count * sizeof(uint64_t);
        p->uses[i].tests = 0;
    }
    for (int k = 0; k < FR__PLAN_WIDTHS; k++) {
        release_words(p, &p->wide[k]);
    }
}

void fr__plan_poses_free(fr__plan_poses *p) {
    if (p->uses == NULL) { return; }
    fr__plan_poses_reset(p, &p->bits);
    fr_deallocate(&p->allocator, p->uses, p->use_count, sizeof *p->uses);
    p->uses = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Slices

// Ors a row, read from x + `by` on, into another; what is outside is white.
static void or_moved(const uint64_t *from, int32_t words, int32_t by, uint64_t *to) {
    int32_t word = by >> 6, bit = by & 63;
    for (int32_t w = 0; w < words; w++) {
        int32_t i = w + word;
        uint64_t low = i >= 0 && i < words ? from[i] : 0, high = i + 1 >= 0 && i + 1 < words ? from[i + 1] : 0;
        to[w] |= bit == 0 ? low : low >> bit | high << (64 - bit);
    }
}

// The windows of 2^k cells; NULL without memory.
static const uint64_t *windows(fr__plan_poses *p, int k) {
    if (k == 0) { return p->bits.words; }
    if (p->wide[k] != NULL) { return p->wide[k]; }
    const uint64_t *half = windows(p, k - 1);
    uint64_t *wide = half == NULL ? NULL : fr_allocate(&p->allocator, p->word_count, sizeof *wide, 64);
    if (wide == NULL) { return NULL; }
    memcpy(wide, half, p->word_count * sizeof *wide);
    int32_t words = (int32_t)p->bits.row_words, by = 1 << (k - 1);
    for (size_t row = 0; row < p->word_count / p->bits.row_words; row++) {
        or_moved(half + row * p->bits.row_words, words, by, wide + row * p->bits.row_words);
    }
    p->wide[k] = wide;
    return wide;
}

// Where a mask is inside the world: cells low .. high - 1.
static void inside_of(const fr__plan_poses *p, const fr__plan_mask *m, int32_t low[3], int32_t high[3]) {
    const int32_t n[3] = {(int32_t)p->bits.size, (int32_t)p->bits.size, (int32_t)p->bits.layers};
    for (int a = 0; a < 3; a++) {
        low[a] = m->low[a] < 0 ? -m->low[a] : 0;
        high[a] = n[a] - (m->high[a] > 1 ? m->high[a] - 1 : 0);
    }
}

// Ors the windows, moved by (x, y, z), into the rows low .. high - 1 of a slice.
static void or_windows(const fr__plan_poses *p, const uint64_t *wide, const int32_t by[3], const int32_t low[3],
                       const int32_t high[3], uint64_t *out) {
    int32_t n = (int32_t)p->bits.size, words = (int32_t)p->bits.row_words;
    for (int32_t z = low[2]; z < high[2]; z++) {
        const uint64_t *from = wide + ((ptrdiff_t)(z + by[2]) * n + low[1] + by[1]) * words;
        uint64_t *to = out + ((ptrdiff_t)z * n + low[1]) * words;
        int32_t rows = high[1] - low[1];
        if (words > 1) {
            for (int32_t y = 0; y < rows; y++) {
                or_moved(from + (ptrdiff_t)y * words, words, by[0], to + (ptrdiff_t)y * words);
            }
        } else if (by[0] >= 0) {
            for (int32_t y = 0; y < rows; y++) {
                to[y] |= from[y] >> by[0];
            }
        } else {
            for (int32_t y = 0; y < rows; y++) {
                to[y] |= from[y] << -by[0];
            }
        }
    }
}

static bool or_row(fr__plan_poses *p, const fr__plan_row *row, const int32_t low[3], const int32_t high[3],
                   uint64_t *out) {
    uint64_t bits = row->bits;
    while (bits != 0) {
        int from = __builtin_ctzll(bits);
        uint64_t rest = ~(bits >> from);
        int length = rest == 0 ? 64 - from : __builtin_ctzll(rest);
        bits = from + length >= 64 ? 0 : bits & ~(uint64_t)0 << (from + length);
        int k = 31 - __builtin_clz((unsigned)length);
        const uint64_t *wide = windows(p, k);
        if (wide == NULL) { return false; }
        int32_t by[3] = {row->x + from, row->y, row->z};
        or_windows(p, wide, by, low, high, out);
        if (length != 1 << k) {
            by[0] += length - (1 << k);
            or_windows(p, wide, by, low, high, out);
        }
    }
    return true;
}

bool fr__plan_slice_make(fr__plan_poses *p, const fr__plan_mask *mask, uint64_t *out) {
    int32_t low[3], high[3], n = (int32_t)p->bits.size;
    inside_of(p, mask, low, high);
    memset(out, 0xff, p->word_count * sizeof *out);
    if (low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2]) { return true; }
    uint64_t edge[64]; // 4096 cells, the limit
    memset(edge, 0xff, sizeof edge);
    for (int32_t x = low[0]; x < high[0]; x++) {
        edge[x >> 6] &= ~((uint64_t)1 << (x & 63));
    }
    for (int32_t z = low[2]; z < high[2]; z++) {
        for (int32_t y = low[1]; y < high[1]; y++) {
            memcpy(out + ((ptrdiff_t)z * n + y) * (ptrdiff_t)p->bits.row_words, edge, p->bits.row_words * sizeof *out);
        }
    }
    for (uint32_t i = 0; i < mask->row_count; i++) {
        if (!or_row(p, &mask->rows[i], low, high, out)) { return false; }
    }
    return true;
}

bool fr__plan_poses_ask(fr__plan_poses *p, uint32_t slot, const int32_t at[3]) {
    fr__plan_slot_use *use = &p->uses[slot];
    if (use->mask == NULL) { use->mask = fr__plan_robot_mask(p->robot, slot); }
    if (use->mask == NULL) {
        p->has_failed = true;
        return false;
    }
    use->tests++;
    uint64_t bytes = p->word_count * sizeof(uint64_t);
    if (use->tests == p->tests_before_slice && p->slice_bytes + bytes <= MAX_SLICE_BYTES) {
        uint64_t *slice = fr_allocate(&p->allocator, p->word_count, sizeof *slice, 64);
        if (slice != NULL && fr__plan_slice_make(p, use->mask, slice)) {
            use->slice = slice;
            p->slice_bytes += bytes;
        } else {
            release_words(p, &slice);
            p->has_failed = true;
        }
    }
    return fr__plan_mask_is_free(use->mask, &p->bits, at);
}
