// Two trees of faces at their poses: the walk over pairs of nodes and leaves, eight boxes at once.
#include "collide/face_kernel.h"
#include "collide/leaf_faces.h"
#include "collide/leaf_pair.h"

// ---------------------------------------------------------------------------------------------------------------
// Nodes: eight boxes against eight, or against the box of a leaf, in both frames

// Leaves that are kept ready, by the low bits of their indices.
enum { KEPT_LEAVES = 16 };

typedef struct face_walker {
    fr__face_walk *walk;
    const fr_tree *tree_a, *tree_b;
    const fr__leaf_corners *corners_a, *corners_b;
    bool has_corners, self;
    wide_frame a_to_b, b_to_a;
    wide_bounds bounds;         // with corners
    both_directions directions; // without
    uint32_t count, crossing_count;
    fr__candidate waiting[FR__BATCH], crossing[FR__BATCH]; // to be handed on
    seen_leaf seen[KEPT_LEAVES];                           // of a
    own_leaf own[KEPT_LEAVES];                             // of b
} face_walker;

// The arithmetic of fr__tree_turn_boxes.
static inline fr__tree_boxes turn_boxes(const fr__tree_boxes *boxes, const wide_frame *frame) {
    fr__f8 center[3], half[3];
    fr__tree_halve_boxes(boxes, center, half);
    fr__tree_boxes out;
    for (int i = 0; i < 3; i++) {
        fr__f8 c = fr__f8_add(dot_floats(frame->turn[i], center), frame->move[i]);
        fr__f8 h = fr__f8_add(dot_floats(frame->size[i], half), frame->growth);
        out.min[i] = fr__f8_sub(c, h);
        out.max[i] = fr__f8_add(c, h);
    }
    return out;
}

// Lanes of the boxes that are not proven apart from one box, which stands at its min_x with a side every `step` floats.
static inline uint32_t overlap_one(const fr__tree_boxes *boxes, const float *one, size_t step) {
    fr__m8 apart = fr__f8_gt(boxes->min[0], fr__f8_splat(one[3 * step]));
    apart = fr__m8_or(apart, fr__f8_gt(fr__f8_splat(one[0]), boxes->max[0]));
    apart = fr__m8_or(apart, fr__f8_gt(boxes->min[1], fr__f8_splat(one[4 * step])));
    apart = fr__m8_or(apart, fr__f8_gt(fr__f8_splat(one[step]), boxes->max[1]));
    apart = fr__m8_or(apart, fr__f8_gt(boxes->min[2], fr__f8_splat(one[5 * step])));
    apart = fr__m8_or(apart, fr__f8_gt(fr__f8_splat(one[2 * step]), boxes->max[2]));
    return ~(uint32_t)fr__m8_bits(apart) & 0xffu;
}

// The box at a slot, in its node.
static inline const float *slot_box(const fr_tree *tree, uint32_t slot) {
    return &tree->nodes[slot / 8].side[0][slot % 8];
}

static inline void put_pair(const face_walker *w, fr__node_pair pair, fr__node_pair *out) {
    fr__tree_prefetch(w->tree_a, pair.a);
    fr__tree_prefetch(w->tree_b, pair.b);
    *out = pair;
}

// Children of node a with children of node b. A row is a child of a; rows and lanes that miss the other node's own box
// are left out first (`slot` FR_NONE: a root, whose box no node holds).
static inline uint32_t open_nodes(const face_walker *w, const fr__node_pair *pair, fr__node_pair *out) {
    const fr__tree_node *node_a = &w->tree_a->nodes[pair->a], *node_b = &w->tree_b->nodes[pair->b];
    fr__tree_boxes a = fr__tree_node_boxes(node_a), b = fr__tree_node_boxes(node_b);
    fr__tree_boxes a_in_b = turn_boxes(&a, &w->a_to_b), b_in_a = turn_boxes(&b, &w->b_to_a);
    uint32_t rows = node_a->lanes, columns = node_b->lanes;
    if (pair->slot_a != FR_NONE) { columns &= overlap_one(&b_in_a, slot_box(w->tree_a, pair->slot_a), 8); }
    if (pair->slot_b != FR_NONE) { rows &= overlap_one(&a_in_b, slot_box(w->tree_b, pair->slot_b), 8); }
    if (columns == 0) { return 0; }

    fr__tree_rows seen;
    fr__tree_store_rows(&a_in_b, &seen);
    bool is_twin = w->self && pair->a == pair->b;
    uint32_t count = 0;
    for (; rows != 0; rows &= rows - 1) {
        uint32_t i = fr__lowest_lane(rows);
        uint32_t lanes = overlap_one(&b_in_a, &node_a->side[0][i], 8) & columns;
        if (lanes == 0) { continue; }
        lanes &= overlap_one(&b, &seen.min[0][i], 8);
        if (is_twin) { lanes &= 0xffu << i; }
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t j = fr__lowest_lane(lanes);
            put_pair(w, (fr__node_pair){node_a->child[i], node_b->child[j], 8 * pair->a + i, 8 * pair->b + j},
                     &out[count++]);
        }
    }
    return count;
}

// Lanes of a node's children that are not proven apart from the box of a leaf of the other tree.
static inline uint32_t lanes_at_leaf(const fr__tree_node *node, const wide_frame *node_to_leaf,
                                     const wide_frame *leaf_to_node, const float *leaf_box) {
    fr__tree_boxes children = fr__tree_node_boxes(node), turned = turn_boxes(&children, node_to_leaf);
    uint32_t lanes = overlap_one(&turned, leaf_box, 8) & node->lanes;
    if (lanes == 0) { return 0; }
    fr__tree_boxes leaf;
    for (int i = 0; i < 3; i++) {
        leaf.min[i] = fr__f8_splat(leaf_box[8 * i]);
        leaf.max[i] = fr__f8_splat(leaf_box[24 + 8 * i]);
    }
    fr__tree_boxes leaf_turned = turn_boxes(&leaf, leaf_to_node);
    fr__m8 apart = fr__f8_gt(children.min[0], leaf_turned.max[0]);
    apart = fr__m8_or(apart, fr__f8_gt(leaf_turned.min[0], children.max[0]));
    for (int i = 1; i < 3; i++) {
        apart = fr__m8_or(apart, fr__f8_gt(children.min[i], leaf_turned.max[i]));
        apart = fr__m8_or(apart, fr__f8_gt(leaf_turned.min[i], children.max[i]));
    }
    return lanes & ~(uint32_t)fr__m8_bits(apart);
}

static inline uint32_t open_at_leaf_a(const face_walker *w, const fr__node_pair *pair, fr__node_pair *out) {
    const fr__tree_node *node = &w->tree_b->nodes[pair->b];
    const float *box = slot_box(w->tree_a, pair->slot_a);
    uint32_t count = 0;
    for (uint32_t lanes = lanes_at_leaf(node, &w->b_to_a, &w->a_to_b, box); lanes != 0; lanes &= lanes - 1) {
        uint32_t j = fr__lowest_lane(lanes);
        put_pair(w, (fr__node_pair){pair->a, node->child[j], pair->slot_a, 8 * pair->b + j}, &out[count++]);
    }
    return count;
}

static inline uint32_t open_at_leaf_b(const face_walker *w, const fr__node_pair *pair, fr__node_pair *out) {
    const fr__tree_node *node = &w->tree_a->nodes[pair->a];
    const float *box = slot_box(w->tree_b, pair->slot_b);
    uint32_t count = 0;
    for (uint32_t lanes = lanes_at_leaf(node, &w->a_to_b, &w->b_to_a, box); lanes != 0; lanes &= lanes - 1) {
        uint32_t i = fr__lowest_lane(lanes);
        put_pair(w, (fr__node_pair){node->child[i], pair->b, 8 * pair->a + i, pair->slot_b}, &out[count++]);
    }
    return count;
}

// The children of a pair, not both leaves, that are not proven apart. At most 64.
static inline uint32_t open_pair(const face_walker *w, const fr__node_pair *pair, fr__node_pair *out) {
    if (fr__tree_is_leaf(pair->a)) { return open_at_leaf_a(w, pair, out); }
    if (fr__tree_is_leaf(pair->b)) { return open_at_leaf_b(w, pair, out); }
    return open_nodes(w, pair, out);
}

// ---------------------------------------------------------------------------------------------------------------
// The walk

static inline bool hand_on(face_walker *w) {
    uint32_t count = w->count, crossing_count = w->crossing_count;
    w->count = w->crossing_count = 0;
    w->walk->candidates += count + crossing_count;
    if (count > 0 && !w->walk->found(w->waiting, count, w->walk->context)) { return false; }
    return crossing_count == 0 || w->walk->crossing(w->crossing, crossing_count, w->walk->context);
}

// Candidates of a tree with itself: each pair once, lower triangle first. In a leaf with itself both orders come.
static void put_own_pairs(face_walker *w, const fr__tree_leaf *a, const fr__tree_leaf *b, uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) {
        uint32_t k = fr__lowest_lane(bits);
        uint32_t item_a = a->item[k / 4], item_b = b->item[k % 4];
        if (a == b && item_a >= item_b) { continue; }
        w->waiting[w->count++] = item_a < item_b ? (fr__candidate){item_a, item_b} : (fr__candidate){item_b, item_a};
    }
}

// A leaf of a in b's frame.
static inline const seen_leaf *look_at_leaf(face_walker *w, uint32_t leaf) {
    seen_leaf *seen = &w->seen[leaf % KEPT_LEAVES];
    if (seen->index != leaf) {
        seen->index = leaf;
        see_leaf(&w->corners_a[leaf], &w->a_to_b, &w->bounds, seen->faces);
    }
    return seen;
}

static inline const own_leaf *open_leaf(face_walker *w, uint32_t leaf) {
    own_leaf *own = &w->own[leaf % KEPT_LEAVES];
    if (own->index != leaf) {
        own->index = leaf;
        make_own_leaf(&w->tree_b->leaves[leaf], &w->corners_b[leaf], &w->bounds, &own->faces);
    }
    return own;
}

static inline uint32_t put_pairs(const fr__tree_leaf *a, const fr__tree_leaf *b, uint32_t bits, fr__candidate *out,
                                 uint32_t count) {
    for (; bits != 0; bits &= bits - 1) {
        uint32_t k = fr__lowest_lane(bits);
        out[count++] = (fr__candidate){a->item[k / 4], b->item[k % 4]};
    }
    return count;
}

static inline bool meet_leaves(face_walker *w, uint32_t leaf_a, uint32_t leaf_b) {
    const fr__tree_leaf *a = &w->tree_a->leaves[leaf_a], *b = &w->tree_b->leaves[leaf_b];
    static const uint16_t rows_of[5] = {0, 0x000f, 0x00ff, 0x0fff, 0xffff};
    static const uint16_t lanes_of[5] = {0, 0x1111, 0x3333, 0x7777, 0xffff};
    uint32_t bits = (uint32_t)rows_of[a->count] & lanes_of[b->count], crossing = 0;
    if (w->has_corners) {
        bits = meet_faces(look_at_leaf(w, leaf_a), open_leaf(w, leaf_b), &w->bounds, bits, &crossing);
    } else {
        bits &= leaf_overlap(a, b, &w->directions);
    }
    if (w->self) {
        put_own_pairs(w, a, b, bits);
    } else {
        if (w->walk->crossing == NULL) { crossing = 0; }
        w->count = put_pairs(a, b, bits & ~crossing, w->waiting, w->count);
        w->crossing_count = put_pairs(a, b, crossing, w->crossing, w->crossing_count);
    }
    bool has_room = w->count + 16 <= FR__BATCH && w->crossing_count + 16 <= FR__BATCH;
    return has_room || hand_on(w);
}

static inline void make_walker(fr__face_walk *walk, face_walker *out) {
    out->walk = walk;
    out->tree_a = walk->a->tree;
    out->tree_b = walk->b->tree;
    out->corners_a = walk->a->leaf_corners;
    out->corners_b = walk->b->leaf_corners;
    out->has_corners = walk->relation->has_corners;
    out->self = walk->relation->tree.self;
    out->count = out->crossing_count = 0;
    widen_frame(&walk->relation->tree.a_to_b, &out->a_to_b);
    widen_frame(&walk->relation->tree.b_to_a, &out->b_to_a);
    if (!out->has_corners) {
        make_both_directions(walk->relation, &out->directions);
        return;
    }
    widen_bounds(walk->relation, &out->bounds);
    for (int i = 0; i < KEPT_LEAVES; i++) {
        out->seen[i].index = out->own[i].index = FR_NONE;
    }
}

// What a walk's memory holds.
typedef struct walk_memory {
    face_walker w;
    fr__node_pair stack[FR__WAITING_PAIRS];
} walk_memory;

_Static_assert(sizeof(walk_memory) <= FR__FACE_WALK_BYTES, "a walk has the memory it needs");

static uint32_t open_one(fr__face_walk *walk, fr__node_pair pair, fr__node_pair out[FR__NODE_PAIRS]) {
    face_walker *w = &((walk_memory *)walk->memory)->w;
    make_walker(walk, w);
    walk->nodes++;
    return open_pair(w, &pair, out);
}

static bool walk_pairs(fr__face_walk *walk, fr__node_pair start) {
    walk_memory *memory = walk->memory;
    face_walker *w = &memory->w;
    fr__node_pair *stack = memory->stack;
    make_walker(walk, w);
    uint32_t count = 0;
    uint64_t nodes = 0;
    if (w->tree_a->header->node_count > 0 && w->tree_b->header->node_count > 0) { stack[count++] = start; }
    while (count > 0) {
        fr__node_pair pair = stack[--count];
        nodes++;
        if (!fr__tree_is_leaf(pair.a) || !fr__tree_is_leaf(pair.b)) {
            count += open_pair(w, &pair, stack + count);
        } else if (!meet_leaves(w, fr__tree_leaf_index(pair.a), fr__tree_leaf_index(pair.b))) {
            break;
        }
    }
    walk->nodes += nodes;
    return count == 0 && hand_on(w);
}

const fr__face_walk_kernel_table FR_KERNEL_NAME(fr__face_walk_kernel) = {.walk = walk_pairs, .open = open_one};
