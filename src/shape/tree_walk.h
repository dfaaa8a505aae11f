// The three tree walks, inlined into the kernels that use them:
//
//   fr__tree_walk        one tree: every leaf that a test of boxes lets through
//   fr__tree_walk_near   one tree by distance: nearest first, with a bound that shrinks
//   fr__tree_walk_pairs  two trees under a relation of their frames: every pair of leaves whose boxes may overlap
//
// The callbacks are functions of the including file; given by name they are inlined. None recurses: a tree has at most
// FR__TREE_MAX_DEPTH nodes from the root to any leaf (the builder and the validation ensure it), so every stack has its
// bound. A test that cannot decide (NaN from infinite boxes) must let a box through; empty lanes are dropped here.
#ifndef FUREAI_SHAPE_TREE_WALK_H
#define FUREAI_SHAPE_TREE_WALK_H

#include "math/wide.h"
#include "shape/leaf_corners.h"
#include "shape/tree.h"
#include "shape/tree_relation.h"

// Prefetches a child's first two cache lines before it is visited.
FR__WIDE void fr__tree_prefetch(const fr_tree *tree, uint32_t child) {
    const char *place = fr__tree_is_leaf(child) ? (const char *)&tree->leaves[fr__tree_leaf_index(child)]
                                                : (const char *)&tree->nodes[child];
    __builtin_prefetch(place);
    __builtin_prefetch(place + 64);
}

// The lowest lane of a set, which is not empty.
FR__WIDE uint32_t fr__lowest_lane(uint32_t lanes) { return (uint32_t)__builtin_ctz(lanes); }

// ---------------------------------------------------------------------------------------------------------------
// One tree

// Bit k: child k is to be visited. Bits of empty lanes are ignored.
typedef uint32_t fr__tree_lanes_fn(const fr__tree_node *node, void *context);

// Looks at a leaf; false ends the walk.
typedef bool fr__tree_leaf_fn(const fr__tree_leaf *leaf, void *context);

// Visits every leaf that `lanes` lets through, in no particular order. False when `leaf` ended it.
FR__WIDE bool fr__tree_walk(const fr_tree *tree, fr__tree_lanes_fn *lanes, fr__tree_leaf_fn *leaf, void *context) {
    // Every node taken off puts on at most 8: 7 more a level, and the root.
    uint32_t stack[7 * FR__TREE_MAX_DEPTH + 1];
    uint32_t count = 0;
    if (tree->header->node_count > 0) { stack[count++] = 0; }
    while (count > 0) {
        const fr__tree_node *node = &tree->nodes[stack[--count]];
        for (uint32_t left = lanes(node, context) & node->lanes; left != 0; left &= left - 1) {
            uint32_t child = node->child[fr__lowest_lane(left)];
            if (!fr__tree_is_leaf(child)) {
                fr__tree_prefetch(tree, child);
                stack[count++] = child;
            } else if (!leaf(&tree->leaves[fr__tree_leaf_index(child)], context)) {
                return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// One tree by distance

// Writes a lower bound of the distance to each child; bit k: child k may hold something within `bound`.
typedef uint32_t fr__tree_distances_fn(const fr__tree_node *node, float bound, float distance[8], void *context);

// A point that is anywhere between `low` and `high`; distances to it are squares, scaled.
typedef struct fr__tree_spot {
    fr__f8 low[3], high[3], scale;
} fr__tree_spot;

FR__WIDE fr__tree_spot fr__tree_spot_make(const float low[3], const float high[3], float scale) {
    fr__tree_spot spot;
    spot.scale = fr__f8_splat(scale);
    for (int i = 0; i < 3; i++) {
        spot.low[i] = fr__f8_splat(low[i]);
        spot.high[i] = fr__f8_splat(high[i]);
    }
    return spot;
}

// For an fr__tree_distances_fn. A square is off by a difference, a scaling that is exact, a square and two sums, each
// 2^-24 of it: times 1 - 16 2^-24 it is a lower bound.
FR__WIDE uint32_t fr__tree_spot_distances(const fr__tree_spot *spot, const fr__tree_node *node, float bound,
                                          float distance[8]) {
    fr__f8 sum = fr__f8_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        fr__f8 before = fr__f8_sub(fr__f8_load_aligned(node->side[i]), spot->high[i]);
        fr__f8 after = fr__f8_sub(spot->low[i], fr__f8_load_aligned(node->side[3 + i]));
        fr__f8 away = fr__f8_mul(fr__f8_max(fr__f8_max(before, after), fr__f8_splat(0.0f)), spot->scale);
        sum = fr__f8_add(sum, fr__f8_mul(away, away));
    }
    sum = fr__f8_mul(sum, fr__f8_splat(1.0f - 0x1p-20f));
    fr__f8_store(distance, sum);
    return ~(uint32_t)fr__m8_bits(fr__f8_gt(sum, fr__f8_splat(bound)));
}

// Looks at a leaf and returns the bound from now on: at most the one given. Negative ends the walk.
typedef float fr__tree_near_leaf_fn(const fr__tree_leaf *leaf, float bound, void *context);

typedef struct fr__tree_near {
    float distance;
    uint32_t child;
} fr__tree_near;

// Prefetches the data of a child that is read first: all of a node, and of a leaf its corners where these are wanted.
FR__WIDE void fr__tree_prefetch_near(const fr_tree *tree, const fr__leaf_corners *corners, uint32_t child) {
    if (fr__tree_is_leaf(child) && corners == NULL) {
        fr__tree_prefetch(tree, child);
        return;
    }
    bool is_leaf = fr__tree_is_leaf(child);
    const char *place =
        is_leaf ? (const char *)&corners[fr__tree_leaf_index(child)] : (const char *)&tree->nodes[child];
    for (size_t i = 0; i < (is_leaf ? sizeof *corners : sizeof *tree->nodes); i += 64) {
        __builtin_prefetch(place + i);
    }
}

// Puts the children of a node on the stack, the nearest on top.
FR__WIDE uint32_t fr__tree_push_near(const fr_tree *tree, const fr__leaf_corners *corners, const fr__tree_node *node,
                                     uint32_t lanes, const float distance[8], fr__tree_near *stack, uint32_t count) {
    uint32_t first = count;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = fr__lowest_lane(left);
        fr__tree_near entry = {distance[lane], node->child[lane]};
        fr__tree_prefetch_near(tree, corners, entry.child);
        uint32_t place = count++;
        while (place > first && stack[place - 1].distance < entry.distance) {
            stack[place] = stack[place - 1];
            place--;
        }
        stack[place] = entry;
    }
    return count;
}

// Visits the leaves that may hold something within the bound, nearer boxes first, where `leaf` looks at their corners;
// NULL: at their boxes.
FR__WIDE void fr__tree_walk_corners(const fr_tree *tree, const fr__leaf_corners *corners, float bound,
                                    fr__tree_distances_fn *distances, fr__tree_near_leaf_fn *leaf, void *context) {
    fr__tree_near stack[7 * FR__TREE_MAX_DEPTH + 1];
    uint32_t count = 0;
    if (tree->header->node_count > 0) { stack[count++] = (fr__tree_near){0.0f, 0}; }
    while (count > 0) {
        fr__tree_near entry = stack[--count];
        if (entry.distance > bound) { continue; }
        if (fr__tree_is_leaf(entry.child)) {
            bound = leaf(&tree->leaves[fr__tree_leaf_index(entry.child)], bound, context);
            if (bound < 0.0f) { return; }
            continue;
        }
        const fr__tree_node *node = &tree->nodes[entry.child];
        float distance[8];
        uint32_t lanes = distances(node, bound, distance, context) & node->lanes;
        count = fr__tree_push_near(tree, corners, node, lanes, distance, stack, count);
    }
}

FR__WIDE void fr__tree_walk_near(const fr_tree *tree, float bound, fr__tree_distances_fn *distances,
                                 fr__tree_near_leaf_fn *leaf, void *context) {
    fr__tree_walk_corners(tree, NULL, bound, distances, leaf, context);
}

// ---------------------------------------------------------------------------------------------------------------
// Two trees

// Eight boxes in one frame.
typedef struct fr__tree_boxes {
    fr__f8 min[3], max[3];
} fr__tree_boxes;

// The same in memory, to take single boxes out.
typedef struct fr__tree_rows {
    _Alignas(32) float min[3][8];
    float max[3][8];
} fr__tree_rows;

FR__WIDE fr__tree_boxes fr__tree_node_boxes(const fr__tree_node *node) {
    fr__tree_boxes boxes = {
        {fr__f8_load_aligned(node->min_x), fr__f8_load_aligned(node->min_y), fr__f8_load_aligned(node->min_z)},
        {fr__f8_load_aligned(node->max_x), fr__f8_load_aligned(node->max_y), fr__f8_load_aligned(node->max_z)}};
    return boxes;
}

// Centres and half sizes of boxes, on each axis.
FR__WIDE void fr__tree_halve_boxes(const fr__tree_boxes *boxes, fr__f8 center[3], fr__f8 half[3]) {
    fr__f8 one_half = fr__f8_splat(0.5f);
    for (int j = 0; j < 3; j++) {
        fr__f8 low = fr__f8_mul(one_half, boxes->min[j]), high = fr__f8_mul(one_half, boxes->max[j]);
        center[j] = fr__f8_add(low, high);
        half[j] = fr__f8_sub(high, low);
    }
}

// The boxes as seen from the other frame, grown so that none is smaller than it is in real arithmetic.
FR__WIDE fr__tree_boxes fr__tree_turn_boxes(const fr__tree_boxes *boxes, const fr__tree_frame *frame) {
    fr__f8 center[3], half[3];
    fr__tree_halve_boxes(boxes, center, half);
    fr__tree_boxes out;
    for (int i = 0; i < 3; i++) {
        fr__f8 c = fr__f8_mul(fr__f8_splat(frame->turn[i][0]), center[0]);
        fr__f8 h = fr__f8_mul(fr__f8_splat(frame->size[i][0]), half[0]);
        for (int j = 1; j < 3; j++) {
            c = fr__f8_add(c, fr__f8_mul(fr__f8_splat(frame->turn[i][j]), center[j]));
            h = fr__f8_add(h, fr__f8_mul(fr__f8_splat(frame->size[i][j]), half[j]));
        }
        c = fr__f8_add(c, fr__f8_splat(frame->move[i]));
        h = fr__f8_add(h, fr__f8_splat(frame->growth));
        out.min[i] = fr__f8_sub(c, h);
        out.max[i] = fr__f8_add(c, h);
    }
    return out;
}

FR__WIDE void fr__tree_store_rows(const fr__tree_boxes *boxes, fr__tree_rows *rows) {
    for (int i = 0; i < 3; i++) {
        fr__f8_store_aligned(rows->min[i], boxes->min[i]);
        fr__f8_store_aligned(rows->max[i], boxes->max[i]);
    }
}

// Bits of the boxes that are not proven apart from row `lane`. Written by what is apart, so that NaN counts as overlap.
FR__WIDE uint32_t fr__tree_row_overlap(const fr__tree_rows *rows, uint32_t lane, const fr__tree_boxes *boxes) {
    fr__m8 apart = fr__f8_gt(fr__f8_splat(rows->min[0][lane]), boxes->max[0]);
    apart = fr__m8_or(apart, fr__f8_gt(boxes->min[0], fr__f8_splat(rows->max[0][lane])));
    for (int i = 1; i < 3; i++) {
        apart = fr__m8_or(apart, fr__f8_gt(fr__f8_splat(rows->min[i][lane]), boxes->max[i]));
        apart = fr__m8_or(apart, fr__f8_gt(boxes->min[i], fr__f8_splat(rows->max[i][lane])));
    }
    return ~(uint32_t)fr__m8_bits(apart) & 0xffu;
}

// Both nodes' boxes in both frames.
typedef struct fr__tree_meeting {
    fr__tree_rows a_in_a, a_in_b;
    fr__tree_boxes b_in_a, b_in_b;
    bool two_frames;
} fr__tree_meeting;

FR__WIDE void fr__tree_meet(const fr__tree_boxes *a, const fr__tree_boxes *b, const fr__tree_relation *relation,
                            fr__tree_meeting *out) {
    out->two_frames = !relation->same_frame;
    fr__tree_store_rows(a, &out->a_in_a);
    if (relation->same_frame) {
        fr__f8 growth = fr__f8_splat(relation->b_to_a.growth);
        for (int i = 0; i < 3; i++) {
            out->b_in_a.min[i] = fr__f8_sub(b->min[i], growth);
            out->b_in_a.max[i] = fr__f8_add(b->max[i], growth);
        }
        return;
    }
    fr__tree_boxes a_in_b = fr__tree_turn_boxes(a, &relation->a_to_b);
    fr__tree_store_rows(&a_in_b, &out->a_in_b);
    out->b_in_a = fr__tree_turn_boxes(b, &relation->b_to_a);
    out->b_in_b = *b;
}

// Bits of b's boxes that are not proven apart from a's box `lane`: three axes of a's frame, then three of b's.
FR__WIDE uint32_t fr__tree_meeting_row(const fr__tree_meeting *meeting, uint32_t lane) {
    uint32_t bits = fr__tree_row_overlap(&meeting->a_in_a, lane, &meeting->b_in_a);
    if (bits != 0 && meeting->two_frames) { bits &= fr__tree_row_overlap(&meeting->a_in_b, lane, &meeting->b_in_b); }
    return bits;
}

// A pair to be opened: two children, and where their boxes stand (8 * node + lane).
typedef struct fr__tree_pair {
    uint32_t a, b;
    uint32_t slot_a, slot_b;
} fr__tree_pair;

// The box at a slot in lane 0 (and in all other lanes).
FR__WIDE fr__tree_boxes fr__tree_slot_box(const fr_tree *tree, uint32_t slot) {
    const fr__tree_node *node = &tree->nodes[slot / 8];
    uint32_t k = slot % 8;
    fr__tree_boxes boxes = {{fr__f8_splat(node->min_x[k]), fr__f8_splat(node->min_y[k]), fr__f8_splat(node->min_z[k])},
                            {fr__f8_splat(node->max_x[k]), fr__f8_splat(node->max_y[k]), fr__f8_splat(node->max_z[k])}};
    return boxes;
}

// The side of a pair that is being opened: a node's children, or a leaf alone.
typedef struct fr__tree_side {
    const uint32_t *child;
    uint32_t lanes;
    uint32_t first_slot;
    fr__tree_boxes boxes;
} fr__tree_side;

FR__WIDE void fr__tree_open_side(const fr_tree *tree, const uint32_t *child, uint32_t slot, fr__tree_side *out) {
    if (fr__tree_is_leaf(*child)) {
        out->child = child;
        out->lanes = 1;
        out->first_slot = slot;
        out->boxes = fr__tree_slot_box(tree, slot);
    } else {
        const fr__tree_node *node = &tree->nodes[*child];
        out->child = node->child;
        out->lanes = node->lanes;
        out->first_slot = *child * 8;
        out->boxes = fr__tree_node_boxes(node);
    }
}

// Visits every pair of leaves whose boxes, grown by the relation's growth, are not proven apart. With `relation->self`
// the trees are one and each unordered pair comes once, a leaf with itself included. False when `pair` ended it.
FR__WIDE bool fr__tree_walk_pairs(const fr_tree *tree_a, const fr_tree *tree_b, const fr__tree_relation *relation,
                                  fr__tree_leaf_pair_fn *pair, void *context) {
    // A pair opens both its nodes, or its node when the other is a leaf: a descent opens at most FR__TREE_MAX_DEPTH
    // pairs, and each pushes at most 64.
    fr__tree_pair stack[63 * FR__TREE_MAX_DEPTH + 1];
    uint32_t count = 0;
    if (tree_a->header->node_count > 0 && tree_b->header->node_count > 0) {
        stack[count++] = (fr__tree_pair){0, 0, 0, 0};
    }
    while (count > 0) {
        fr__tree_pair open = stack[--count];
        fr__tree_side a, b;
        fr__tree_meeting meeting;
        fr__tree_open_side(tree_a, &open.a, open.slot_a, &a);
        fr__tree_open_side(tree_b, &open.b, open.slot_b, &b);
        fr__tree_meet(&a.boxes, &b.boxes, relation, &meeting);
        bool is_twin = relation->self && open.a == open.b;

        for (uint32_t rows = a.lanes; rows != 0; rows &= rows - 1) {
            uint32_t i = fr__lowest_lane(rows);
            uint32_t child_a = a.child[i];
            uint32_t lanes = fr__tree_meeting_row(&meeting, i) & b.lanes;
            if (is_twin) { lanes &= 0xffu << i; }
            for (; lanes != 0; lanes &= lanes - 1) {
                uint32_t j = fr__lowest_lane(lanes);
                uint32_t child_b = b.child[j];
                if (fr__tree_is_leaf(child_a) && fr__tree_is_leaf(child_b)) {
                    if (!pair(fr__tree_leaf_index(child_a), fr__tree_leaf_index(child_b), context)) { return false; }
                    continue;
                }
                fr__tree_prefetch(tree_a, child_a);
                fr__tree_prefetch(tree_b, child_b);
                stack[count++] = (fr__tree_pair){child_a, child_b, a.first_slot + i, b.first_slot + j};
            }
        }
    }
    return true;
}

#endif
