// The heuristic of the lattice search: how far each cell is from the goal, as two bits a cell.
#include "plan/wave.h"

#include <string.h>

// One front to the next: words first .. last - 1 of all arrays. A cell joins when a neighbour is in the front; a zero
// word after each row and a zero row after each layer keep neighbours apart that are none.
static uint64_t spread(const fr__plan_wave *w, const uint64_t *restrict now, size_t first, size_t last,
                       const uint64_t digit[2], uint64_t *restrict next) {
    uint64_t *restrict waiting = w->waiting, *restrict low = w->plane[0], *restrict high = w->plane[1];
    ptrdiff_t row = (ptrdiff_t)w->row_stride, layer = (ptrdiff_t)w->layer_stride;
    uint64_t any = 0;
    for (ptrdiff_t i = (ptrdiff_t)first; i < (ptrdiff_t)last; i++) { // neighbours may lie before the first word
        uint64_t sides = now[i] << 1 | now[i] >> 1 | now[i - 1] >> 63 | now[i + 1] << 63;
        uint64_t reached = waiting[i] & (sides | now[i - row] | now[i + row] | now[i - layer] | now[i + layer]);
        next[i] = reached;
        waiting[i] &= ~reached;
        low[i] |= reached & digit[0];
        high[i] |= reached & digit[1];
        any |= reached;
    }
    return any;
}

static void run(fr__plan_wave *w, const int32_t goal[3], const int32_t start[3], bool is_whole, uint32_t layers,
                uint64_t *now, uint64_t *next) {
    size_t at = (size_t)goal[2] * w->layer_stride + (size_t)goal[1] * w->row_stride + (uint32_t)goal[0] / 64;
    size_t end = (size_t)start[2] * w->layer_stride + (size_t)start[1] * w->row_stride + (uint32_t)start[0] / 64;
    uint64_t bit = (uint64_t)1 << (goal[0] & 63), end_bit = (uint64_t)1 << (start[0] & 63);
    w->start_left = FR__PLAN_UNREACHED;
    if ((w->waiting[at] & bit) == 0) { return; }
    now[at] = bit;
    w->waiting[at] &= ~bit;
    uint64_t any = 1;
    for (uint32_t steps = 0; any != 0; steps++) {
        if ((now[end] & end_bit) != 0) {
            w->start_left = steps;
            if (!is_whole) { return; }
        }
        // The front is at most so many layers away from the goal's.
        size_t reach = (size_t)steps + 1, z = (size_t)goal[2];
        size_t low = z > reach ? z - reach : 0, high = z + reach + 1 < layers ? z + reach + 1 : layers;
        const uint64_t digit[2] = {((steps + 1) & 1) != 0 ? ~(uint64_t)0 : 0,
                                   ((steps + 1) & 2) != 0 ? ~(uint64_t)0 : 0};
        any = spread(w, now, low * w->layer_stride, high * w->layer_stride, digit, next);
        uint64_t *done = now;
        now = next;
        next = done;
    }
}

// The cells where the core is free, row by row.
static void take_white(const fr__plan_poses *p, const uint64_t *grown, fr__plan_wave *w) {
    uint64_t inside = p->bits.size < 64 ? ((uint64_t)1 << p->bits.size) - 1 : ~(uint64_t)0;
    for (uint32_t z = 0; z < p->bits.layers; z++) {
        for (uint32_t y = 0; y < p->bits.size; y++) {
            const uint64_t *from = grown + ((size_t)z * p->bits.size + y) * p->bits.row_words;
            size_t to = (size_t)z * w->layer_stride + (size_t)y * w->row_stride;
            for (uint32_t i = 0; i < p->bits.row_words; i++) {
                w->white[to + i] = w->waiting[to + i] = ~from[i] & inside;
            }
        }
    }
}

bool fr__plan_wave_make(fr__plan_poses *p, const int32_t goal[3], const int32_t start[3], bool is_whole,
                        fr__plan_wave *w) {
    memset(w, 0, sizeof *w);
    w->row_stride = p->bits.row_words + 1;
    w->layer_stride = (size_t)(p->bits.size + 1) * w->row_stride;
    // Six arrays, each with a zero layer before and after, which the next shares.
    size_t whole = (p->bits.layers + 1) * w->layer_stride, grown_words = p->word_count;
    w->block_words = 6 * whole + w->layer_stride;
    uint64_t *grown = fr_allocate(&p->allocator, grown_words, sizeof *grown, 64);
    w->block = fr_allocate(&p->allocator, w->block_words, sizeof *w->block, 64);
    bool is_made = grown != NULL && w->block != NULL;
    if (is_made) {
        memset(w->block, 0, w->block_words * sizeof *w->block);
        w->white = w->block + w->layer_stride;
        w->waiting = w->white + whole;
        w->plane[0] = w->waiting + whole;
        w->plane[1] = w->plane[0] + whole;
        if (p->robot->core->row_count == 0) {
            memset(grown, 0, grown_words * sizeof *grown);
        } else {
            is_made = fr__plan_slice_make(p, p->robot->core, grown);
        }
    }
    if (is_made) {
        take_white(p, grown, w);
        uint64_t *now = w->plane[1] + whole;
        run(w, goal, start, is_whole, p->bits.layers, now, now + whole);
    }
    fr_deallocate(&p->allocator, grown, grown_words, sizeof *grown);
    if (!is_made) { fr__plan_wave_free(w, &p->allocator); }
    return is_made;
}

void fr__plan_wave_free(fr__plan_wave *w, const fr_allocator *allocator) {
    if (w->block != NULL) { fr_deallocate(allocator, w->block, w->block_words, sizeof *w->block); }
    memset(w, 0, sizeof *w);
}
