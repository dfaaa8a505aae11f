// Branch and bound over pairs of boxes. All boxes are transformed into tree a's frame and grown by the relation, so
// that the gap between two boxes, in metres, is at most the distance between their contents.
#include "space/pair_walk.h"

#include "shape/tree_walk.h"

#include <float.h>
#include <math.h>

typedef struct near_pair {
    float gap; // in tree a's frame, a lower bound
    uint32_t a, b;
    uint32_t slot_a, slot_b;
} near_pair;

// Computes eight gaps: from one box of tree a, in all lanes, to eight boxes of tree b. The roundings of a difference, a
// square, two sums and a root are each 2^-24 of the gap, so the gap times 1 - 2^-20 is not too large. NaN, from
// infinite boxes, becomes 0; a square that overflows becomes the largest float.
FR__WIDE void gaps_to(const fr__tree_rows *a, uint32_t lane, const fr__tree_boxes *b, float gaps[8]) {
    fr__f8 zero = fr__f8_splat(0.0f), sum = zero;
    for (int i = 0; i < 3; i++) {
        fr__f8 before = fr__f8_sub(fr__f8_splat(a->min[i][lane]), b->max[i]);
        fr__f8 after = fr__f8_sub(b->min[i], fr__f8_splat(a->max[i][lane]));
        fr__f8 away = fr__f8_max(fr__f8_max(before, after), zero);
        sum = fr__f8_add(sum, fr__f8_mul(away, away));
    }
    fr__f8_store(gaps, sum);
    for (int k = 0; k < 8; k++) {
        float square = gaps[k] < FLT_MAX ? gaps[k] : FLT_MAX;
        gaps[k] = gaps[k] > 0.0f ? sqrtf(square) * (1.0f - 0x1p-20f) : 0.0f;
    }
}

FR__WIDE void boxes_of_leaf(const fr__tree_leaf *leaf, fr__tree_boxes *out) {
    _Alignas(32) float rows[6][8];
    const float *const axes[3] = {leaf->x, leaf->y, leaf->z};
    for (int i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < 8; k++) {
            rows[i][k] = k < 4 ? axes[i][k] : INFINITY;
            rows[3 + i][k] = k < 4 ? axes[i][4 + k] : -INFINITY;
        }
        out->min[i] = fr__f8_load_aligned(rows[i]);
        out->max[i] = fr__f8_load_aligned(rows[3 + i]);
    }
}

// Whether a gap is beyond a bound in metres.
static inline bool is_beyond(const fr__pair_walk *walk, float gap, double bound) {
    return (double)gap * walk->metres > bound;
}

static double look_at_leaves(const fr__pair_walk *walk, uint32_t leaf_a, uint32_t leaf_b, double bound,
                             fr__pair_walk_fn *pair, void *context) {
    const fr__tree_leaf *a = &walk->tree_a->leaves[leaf_a], *b = &walk->tree_b->leaves[leaf_b];
    fr__tree_boxes boxes_a, boxes_b;
    fr__tree_rows rows_a;
    boxes_of_leaf(a, &boxes_a);
    boxes_of_leaf(b, &boxes_b);
    fr__tree_boxes b_in_a = fr__tree_turn_boxes(&boxes_b, &walk->relation.b_to_a);
    fr__tree_store_rows(&boxes_a, &rows_a);
    for (uint32_t i = 0; i < a->count; i++) {
        float gaps[8];
        gaps_to(&rows_a, i, &b_in_a, gaps);
        for (uint32_t j = 0; j < b->count; j++) {
            if (!is_beyond(walk, gaps[j], bound)) { bound = pair(a->item[i], b->item[j], context); }
        }
    }
    return bound;
}

// Puts the pairs of children on the stack, the nearest on top.
FR__WIDE uint32_t push_pairs(const fr__pair_walk *walk, const near_pair *open, double bound, near_pair *stack,
                             uint32_t count) {
    fr__tree_side a, b;
    fr__tree_rows rows_a;
    fr__tree_open_side(walk->tree_a, &open->a, open->slot_a, &a);
    fr__tree_open_side(walk->tree_b, &open->b, open->slot_b, &b);
    fr__tree_boxes b_in_a = fr__tree_turn_boxes(&b.boxes, &walk->relation.b_to_a);
    fr__tree_store_rows(&a.boxes, &rows_a);
    uint32_t first = count;
    for (uint32_t rows = a.lanes; rows != 0; rows &= rows - 1) {
        uint32_t i = fr__lowest_lane(rows);
        float gaps[8];
        gaps_to(&rows_a, i, &b_in_a, gaps);
        for (uint32_t lanes = b.lanes; lanes != 0; lanes &= lanes - 1) {
            uint32_t j = fr__lowest_lane(lanes);
            if (is_beyond(walk, gaps[j], bound)) { continue; }
            near_pair entry = {gaps[j], a.child[i], b.child[j], a.first_slot + i, b.first_slot + j};
            uint32_t place = count++;
            while (place > first && stack[place - 1].gap < entry.gap) {
                stack[place] = stack[place - 1];
                place--;
            }
            stack[place] = entry;
        }
    }
    return count;
}

static void nearest(const fr__pair_walk *walk, double bound, fr__pair_walk_fn *pair, void *context) {
    // As in fr__tree_walk_pairs: a descent opens at most FR__TREE_MAX_DEPTH pairs, and each pushes at most 64.
    near_pair stack[63 * FR__TREE_MAX_DEPTH + 1];
    uint32_t count = 0;
    if (walk->tree_a->header->node_count > 0 && walk->tree_b->header->node_count > 0) {
        stack[count++] = (near_pair){0.0f, 0, 0, 0, 0};
    }
    while (count > 0) {
        near_pair open = stack[--count];
        if (is_beyond(walk, open.gap, bound)) { continue; }
        if (fr__tree_is_leaf(open.a) && fr__tree_is_leaf(open.b)) {
            bound =
                look_at_leaves(walk, fr__tree_leaf_index(open.a), fr__tree_leaf_index(open.b), bound, pair, context);
        } else {
            count = push_pairs(walk, &open, bound, stack, count);
        }
    }
}

const fr__pair_walk_table FR_KERNEL_NAME(fr__pair_walk_kernel) = {.nearest = nearest};
