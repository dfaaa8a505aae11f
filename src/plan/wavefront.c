// Breadth first, 64 cells at once: a front is a set of bits, and its next one is all of it moved by one cell along each
// axis, less what was reached before. Only words that hold some of the front are looked at.
#include "plan/wavefront.h"

#include <string.h>

typedef struct front {
    uint64_t *bits;  // of every word; 0 where the word is not in the list
    uint32_t *words; // those with some of the front
    uint32_t count;
} front;

typedef struct wave {
    uint32_t size, layers, row_words;
    uint64_t *free; // white and not yet reached
    front now, next;
} wave;

static inline void reach(wave *w, uint32_t word, uint64_t bits) {
    bits &= w->free[word];
    if (bits == 0) { return; }
    if (w->next.bits[word] == 0) { w->next.words[w->next.count++] = word; }
    w->next.bits[word] |= bits;
}

static void spread(wave *w, uint32_t word) {
    uint64_t bits = w->now.bits[word];
    uint32_t x = word % w->row_words, row = word / w->row_words, y = row % w->size, z = row / w->size;
    uint32_t layer = w->size * w->row_words;
    reach(w, word, bits << 1 | bits >> 1);
    if (x > 0) { reach(w, word - 1, bits << 63); }
    if (x + 1 < w->row_words) { reach(w, word + 1, bits >> 63); }
    if (y > 0) { reach(w, word - w->row_words, bits); }
    if (y + 1 < w->size) { reach(w, word + w->row_words, bits); }
    if (z > 0) { reach(w, word - layer, bits); }
    if (z + 1 < w->layers) { reach(w, word + layer, bits); }
}

// The next front is reached: marks its cells, and writes how far they are.
static void settle(wave *w, uint32_t steps, uint32_t *out) {
    for (uint32_t i = 0; i < w->next.count; i++) {
        uint32_t word = w->next.words[i];
        uint64_t bits = w->next.bits[word];
        w->free[word] &= ~bits;
        uint32_t *cells = out + (size_t)(word / w->row_words) * w->size + (size_t)(word % w->row_words) * 64;
        for (; bits != 0; bits &= bits - 1) {
            cells[__builtin_ctzll(bits)] = steps;
        }
    }
    for (uint32_t i = 0; i < w->now.count; i++) {
        w->now.bits[w->now.words[i]] = 0;
    }
    front done = w->now;
    w->now = w->next;
    w->next = done;
    w->next.count = 0;
}

static void run(wave *w, const int32_t goal[3], uint32_t *out) {
    uint32_t row = (uint32_t)goal[2] * w->size + (uint32_t)goal[1];
    reach(w, row * w->row_words + (uint32_t)goal[0] / 64, (uint64_t)1 << goal[0] % 64);
    settle(w, 0, out);
    for (uint32_t steps = 1; w->now.count > 0; steps++) {
        for (uint32_t i = 0; i < w->now.count; i++) {
            spread(w, w->now.words[i]);
        }
        settle(w, steps, out);
    }
}

bool fr__plan_wavefront(const fr_plan_world *world, const int32_t goal[3], const fr_allocator *allocator,
                        uint32_t *out) {
    return fr__plan_wavefront_over(fr__plan_world_bits(world), goal, allocator, out);
}

bool fr__plan_wavefront_over(fr__plan_bits bits, const int32_t goal[3], const fr_allocator *allocator, uint32_t *out) {
    size_t words = (size_t)bits.layers * bits.size * bits.row_words;
    uint64_t *block = fr_allocate(allocator, 4 * words, sizeof *block, 64);
    if (block == NULL) { return false; }
    uint32_t *lists = (uint32_t *)(void *)(block + 3 * words);
    wave w = {bits.size,
              bits.layers,
              bits.row_words,
              block,
              {block + words, lists, 0},
              {block + 2 * words, lists + words, 0}};
    uint64_t inside = bits.size < 64 ? ((uint64_t)1 << bits.size) - 1 : ~(uint64_t)0;
    for (size_t i = 0; i < words; i++) {
        w.free[i] = ~bits.words[i] & inside;
    }
    memset(w.now.bits, 0, 2 * words * sizeof *block);
    memset(out, 0xff, (size_t)bits.layers * bits.size * bits.size * sizeof *out);
    int32_t z = bits.layers == 1 ? 0 : goal[2];
    const int32_t at[3] = {goal[0], goal[1], z};
    bool is_in = at[0] >= 0 && at[1] >= 0 && z >= 0 && at[0] < (int32_t)bits.size && at[1] < (int32_t)bits.size &&
                 z < (int32_t)bits.layers;
    if (is_in) { run(&w, at, out); }
    fr_deallocate(allocator, block, 4 * words, sizeof *block);
    return true;
}
