// The walk of face_walk_kernel.c while the frames move. Boxes of one tree go along chords in the frame of the other:
// two boxes meet while they meet on each of three axes, in either frame, and what is left of the slice, from `enter` to
// `exit`, must not be empty. The bounds are derived in swept_pair.c.
#include "collide/swept_leaf.h"

// ---------------------------------------------------------------------------------------------------------------
// Boxes that move

// A frame with every number in all lanes.
typedef struct wide_swept_frame {
    fr__f8 turn[2][3][3], move[2][3], size[3][3], grown[3], min_path;
} wide_swept_frame;

// Eight boxes that move along chords: where they are at the beginning, grown, and one over their travel on each axis.
typedef struct moving_boxes {
    fr__f8 min[3], max[3], slowness[3];
} moving_boxes;

// The same in memory, to take single boxes out.
typedef struct moving_rows {
    _Alignas(32) float min[3][8];
    float max[3][8];
    float slowness[3][8];
} moving_rows;

static inline void widen_frame(const fr__swept_frame *frame, wide_swept_frame *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->turn[0][i][j] = fr__f8_splat(frame->turn[0][i][j]);
            out->turn[1][i][j] = fr__f8_splat(frame->turn[1][i][j]);
            out->size[i][j] = fr__f8_splat(frame->size[i][j]);
        }
        out->move[0][i] = fr__f8_splat(frame->move[0][i]);
        out->move[1][i] = fr__f8_splat(frame->move[1][i]);
        out->grown[i] = fr__f8_splat(frame->grown[i]);
    }
    out->min_path = fr__f8_splat(frame->min_path);
}

static inline moving_boxes move_boxes(const fr__tree_boxes *boxes, const wide_swept_frame *frame) {
    fr__f8 center[3], half[3];
    fr__tree_halve_boxes(boxes, center, half);
    moving_boxes out;
    for (int i = 0; i < 3; i++) {
        fr__f8 first = fr__f8_add(dot_floats(frame->turn[0][i], center), frame->move[0][i]);
        fr__f8 last = fr__f8_add(dot_floats(frame->turn[1][i], center), frame->move[1][i]);
        fr__f8 reach = fr__f8_add(dot_floats(frame->size[i], half), frame->grown[i]);
        out.min[i] = fr__f8_sub(first, reach);
        out.max[i] = fr__f8_add(first, reach);
        out.slowness[i] = slowness_of(fr__f8_sub(last, first), frame->min_path);
    }
    return out;
}

static inline void store_moving(const moving_boxes *boxes, moving_rows *rows) {
    for (int i = 0; i < 3; i++) {
        fr__f8_store_aligned(rows->min[i], boxes->min[i]);
        fr__f8_store_aligned(rows->max[i], boxes->max[i]);
        fr__f8_store_aligned(rows->slowness[i], boxes->slowness[i]);
    }
}

// Moving boxes against one still box, which stands at its min_x with a side every 8 floats.
static inline void cut_by_still(time_span *s, const moving_boxes *boxes, const float *one) {
    for (int i = 0; i < 3; i++) {
        cut_span(s, fr__f8_splat(one[8 * i]), fr__f8_splat(one[24 + 8 * i]), boxes->min[i], boxes->max[i],
                 boxes->slowness[i]);
    }
}

// Still boxes against one moving box.
static inline void cut_by_moving(time_span *s, const fr__tree_boxes *boxes, const moving_rows *rows, uint32_t lane) {
    for (int i = 0; i < 3; i++) {
        cut_span(s, boxes->min[i], boxes->max[i], fr__f8_splat(rows->min[i][lane]), fr__f8_splat(rows->max[i][lane]),
                 fr__f8_splat(rows->slowness[i][lane]));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

typedef struct swept_walker {
    fr__swept_walk *walk;
    const fr__swept_cull_kernel_table *culls;
    const fr_tree *tree_a, *tree_b;
    const fr__leaf_corners *corners_a, *corners_b;
    bool has_planes, self, by_time;
    fr__f8 limit;
    wide_swept_frame a_to_b, b_to_a;
    both_frames frames;
    uint32_t most;   // candidates wait until there are more
    uint32_t leaves; // pairs that were met
    uint32_t passed; // bits of the last eight that looked at their boxes first: whether these met
    uint32_t count;  // of candidates that wait
    fr__swept_candidate *waiting;
} swept_walker;

static inline const float *slot_box(const fr_tree *tree, uint32_t slot) {
    return &tree->nodes[slot / 8].side[0][slot % 8];
}

static inline void put_pair(const swept_walker *w, uint32_t a, uint32_t b, fr__child_pair pair, fr__child_pair *out) {
    fr__tree_prefetch(w->tree_a, a);
    fr__tree_prefetch(w->tree_b, b);
    *out = pair;
}

// The nodes of a pair of children of an opened pair.
static inline fr__node_pair child_nodes(const swept_walker *w, const fr__node_pair *opened, fr__child_pair pair) {
    fr__node_pair nodes = *opened;
    if (!fr__tree_is_leaf(opened->a)) {
        nodes.a = w->tree_a->nodes[opened->a].child[pair.row];
        nodes.slot_a = 8 * opened->a + pair.row;
    }
    if (!fr__tree_is_leaf(opened->b)) {
        nodes.b = w->tree_b->nodes[opened->b].child[pair.lane];
        nodes.slot_b = 8 * opened->b + pair.lane;
    }
    return nodes;
}

// Children of node a with children of node b. Rows and lanes that miss the other node's own box are left out first.
static inline uint32_t open_nodes(const swept_walker *w, const fr__node_pair *pair, uint16_t level,
                                  fr__child_pair *out) {
    const fr__tree_node *node_a = &w->tree_a->nodes[pair->a], *node_b = &w->tree_b->nodes[pair->b];
    fr__tree_boxes a = fr__tree_node_boxes(node_a), b = fr__tree_node_boxes(node_b);
    moving_boxes a_in_b = move_boxes(&a, &w->a_to_b), b_in_a = move_boxes(&b, &w->b_to_a);
    uint32_t rows = node_a->lanes, columns = node_b->lanes;
    if (pair->slot_a != FR_NONE) {
        time_span s = whole_slice();
        cut_by_still(&s, &b_in_a, slot_box(w->tree_a, pair->slot_a));
        columns &= lanes_of(&s, w->limit);
    }
    if (pair->slot_b != FR_NONE) {
        time_span s = whole_slice();
        cut_by_still(&s, &a_in_b, slot_box(w->tree_b, pair->slot_b));
        rows &= lanes_of(&s, w->limit);
    }
    if (columns == 0) { return 0; }

    moving_rows moving_a;
    store_moving(&a_in_b, &moving_a);
    bool is_twin = w->self && pair->a == pair->b;
    uint32_t count = 0;
    for (; rows != 0; rows &= rows - 1) {
        uint32_t i = fr__lowest_lane(rows);
        time_span s = whole_slice();
        cut_by_still(&s, &b_in_a, &node_a->side[0][i]);
        uint32_t lanes = lanes_of(&s, w->limit) & columns;
        if (lanes == 0) { continue; }
        cut_by_moving(&s, &b, &moving_a, i);
        lanes &= lanes_of(&s, w->limit);
        if (is_twin) { lanes &= 0xffu << i; }
        _Alignas(32) float enter[8];
        fr__f8_store_aligned(enter, s.enter);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t j = fr__lowest_lane(lanes);
            put_pair(w, node_a->child[i], node_b->child[j], (fr__child_pair){enter[j], level, (uint8_t)i, (uint8_t)j},
                     &out[count++]);
        }
    }
    return count;
}

// From when to when a node's children may meet the box of a leaf of the other tree.
static inline time_span span_at_leaf(const fr__tree_node *node, const wide_swept_frame *node_to_leaf,
                                     const wide_swept_frame *leaf_to_node, const float *leaf_box) {
    fr__tree_boxes children = fr__tree_node_boxes(node), leaf;
    for (int i = 0; i < 3; i++) {
        leaf.min[i] = fr__f8_splat(leaf_box[8 * i]);
        leaf.max[i] = fr__f8_splat(leaf_box[24 + 8 * i]);
    }
    moving_boxes moving = move_boxes(&children, node_to_leaf), moving_leaf = move_boxes(&leaf, leaf_to_node);
    time_span s = whole_slice();
    cut_by_still(&s, &moving, leaf_box);
    for (int i = 0; i < 3; i++) {
        cut_span(&s, children.min[i], children.max[i], moving_leaf.min[i], moving_leaf.max[i], moving_leaf.slowness[i]);
    }
    return s;
}

static inline uint32_t open_at_leaf_a(const swept_walker *w, const fr__node_pair *pair, uint16_t level,
                                      fr__child_pair *out) {
    const fr__tree_node *node = &w->tree_b->nodes[pair->b];
    time_span s = span_at_leaf(node, &w->b_to_a, &w->a_to_b, slot_box(w->tree_a, pair->slot_a));
    _Alignas(32) float enter[8];
    fr__f8_store_aligned(enter, s.enter);
    uint32_t count = 0;
    for (uint32_t lanes = lanes_of(&s, w->limit) & node->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t j = fr__lowest_lane(lanes);
        put_pair(w, pair->a, node->child[j], (fr__child_pair){enter[j], level, 0, (uint8_t)j}, &out[count++]);
    }
    return count;
}

static inline uint32_t open_at_leaf_b(const swept_walker *w, const fr__node_pair *pair, uint16_t level,
                                      fr__child_pair *out) {
    const fr__tree_node *node = &w->tree_a->nodes[pair->a];
    time_span s = span_at_leaf(node, &w->a_to_b, &w->b_to_a, slot_box(w->tree_b, pair->slot_b));
    _Alignas(32) float enter[8];
    fr__f8_store_aligned(enter, s.enter);
    uint32_t count = 0;
    for (uint32_t lanes = lanes_of(&s, w->limit) & node->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t i = fr__lowest_lane(lanes);
        put_pair(w, node->child[i], pair->b, (fr__child_pair){enter[i], level, (uint8_t)i, 0}, &out[count++]);
    }
    return count;
}

// The children of a pair, not both leaves, that are not proven apart. At most 64.
static inline uint32_t open_pair(const swept_walker *w, const fr__node_pair *pair, uint16_t level,
                                 fr__child_pair *out) {
    if (fr__tree_is_leaf(pair->a)) { return open_at_leaf_a(w, pair, level, out); }
    if (fr__tree_is_leaf(pair->b)) { return open_at_leaf_b(w, pair, level, out); }
    return open_nodes(w, pair, level, out);
}

// ---------------------------------------------------------------------------------------------------------------
// The walk

// The earliest first; few.
static void sort_candidates(fr__swept_candidate *candidates, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        fr__swept_candidate one = candidates[i];
        uint32_t place = i;
        for (; place > 0 && candidates[place - 1].enter > one.enter; place--) {
            candidates[place] = candidates[place - 1];
        }
        candidates[place] = one;
    }
}

static inline bool hand_on(swept_walker *w) {
    uint32_t count = w->count;
    w->count = 0;
    bool is_culled = w->walk->relation->is_small && !w->walk->culls_itself;
    if (count > 0 && is_culled) { count = w->culls->cull(w->walk, w->waiting, count); }
    if (count == 0) { return true; }
    w->walk->candidates += count;
    if (w->by_time) { sort_candidates(w->waiting, count); }
    bool goes_on = w->walk->found(w->walk, w->waiting, count);
    w->limit = fr__f8_splat(w->walk->limit);
    return goes_on;
}

static inline void put_candidate(swept_walker *w, const fr__tree_leaf *a, const fr__tree_leaf *b, uint32_t k,
                                 float enter, float exit) {
    uint32_t item_a = a->item[k / 4], item_b = b->item[k % 4];
    if (w->self) {
        if (a == b && item_a >= item_b) { return; }
        uint32_t low = item_a < item_b ? item_a : item_b;
        item_b = item_a < item_b ? item_b : item_a;
        item_a = low;
    }
    w->waiting[w->count++] = (fr__swept_candidate){item_a, item_b, enter, exit};
}

// The latest first, so that the earliest is taken off the stack next.
static void sort_pairs(fr__child_pair *pairs, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        fr__child_pair one = pairs[i];
        uint32_t place = i;
        for (; place > 0 && pairs[place - 1].enter < one.enter; place--) {
            pairs[place] = pairs[place - 1];
        }
        pairs[place] = one;
    }
}

// What lies along one another passes most boxes and few planes: planes come first there. Of every so many pairs of
// leaves one looks at the boxes first, and of the last eight of these so many must have passed. Both are always looked
// at, so the order makes no difference to what is left.
enum { PROBE_EVERY = 16, MIN_PASSED = 7 };

static inline bool looks_at_planes_first(const swept_walker *w) {
    return w->has_planes && w->leaves % PROBE_EVERY != 0 && (uint32_t)__builtin_popcount(w->passed) >= MIN_PASSED;
}

static inline bool meet_leaves(swept_walker *w, uint32_t leaf_a, uint32_t leaf_b) {
    const fr__tree_leaf *a = &w->tree_a->leaves[leaf_a], *b = &w->tree_b->leaves[leaf_b];
    static const uint16_t rows_of[5] = {0, 0x000f, 0x00ff, 0x0fff, 0xffff};
    static const uint16_t columns_of[5] = {0, 0x1111, 0x3333, 0x7777, 0xffff};
    _Alignas(32) float enter[4][8], exit[4][8];
    const bool is_probe = w->leaves % PROBE_EVERY == 0, has_planes_first = looks_at_planes_first(w);
    uint32_t kept = rows_of[a->count] & columns_of[b->count];
    w->leaves++;
    if (has_planes_first) {
        kept &= ~apart_all_the_time(&w->corners_a[leaf_a], &w->corners_b[leaf_b], &w->frames);
        if (kept == 0) { return true; }
    }
    leaf_meeting meeting = meet_boxes(a, b, &w->frames);
    uint32_t bits = meet_row_0(&meeting, w->limit, enter[0], exit[0]) |
                    meet_row_1(&meeting, w->limit, enter[1], exit[1]) << 4 |
                    meet_row_2(&meeting, w->limit, enter[2], exit[2]) << 8 |
                    meet_row_3(&meeting, w->limit, enter[3], exit[3]) << 12;
    bits &= kept;
    if (is_probe) { w->passed = (w->passed << 1 | (bits != 0 ? 1u : 0u)) & 0xffu; }
    if (bits != 0 && w->has_planes && !has_planes_first) {
        bits &= ~apart_all_the_time(&w->corners_a[leaf_a], &w->corners_b[leaf_b], &w->frames);
    }
    for (; bits != 0; bits &= bits - 1) {
        uint32_t k = fr__lowest_lane(bits);
        put_candidate(w, a, b, k, enter[k / 4][k % 4], exit[k / 4][k % 4]);
    }
    return w->count <= w->most || hand_on(w);
}

static inline void make_walker(fr__swept_walk *walk, swept_walker *out) {
    out->walk = walk;
    out->culls = fr__swept_cull_kernel();
    out->tree_a = walk->a->tree;
    out->tree_b = walk->b->tree;
    out->corners_a = walk->a->leaf_corners;
    out->corners_b = walk->b->leaf_corners;
    out->has_planes = walk->relation->has_planes;
    out->self = walk->relation->self;
    out->by_time = walk->by_time;
    out->most = walk->at_once ? 0 : walk->by_time ? FR__FEW - 16 : FR__BATCH - 16; // two leaves add up to 16
    out->limit = fr__f8_splat(walk->limit);
    out->leaves = out->passed = out->count = 0;
    out->waiting = walk->waiting;
    widen_frame(&walk->relation->a_to_b, &out->a_to_b);
    widen_frame(&walk->relation->b_to_a, &out->b_to_a);
    widen_frames(walk->relation, &out->frames);
}

static uint32_t open_one(fr__swept_walk *walk, fr__node_pair pair, fr__node_pair out[FR__NODE_PAIRS]) {
    swept_walker w;
    fr__child_pair opened[FR__NODE_PAIRS];
    make_walker(walk, &w);
    walk->nodes++;
    uint32_t count = open_pair(&w, &pair, 0, opened);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = child_nodes(&w, &pair, opened[i]);
    }
    return count;
}

static inline void start_stack(const swept_walker *w, fr__node_pair start, fr__swept_memory *stack) {
    bool is_empty = w->tree_a->header->node_count == 0 || w->tree_b->header->node_count == 0;
    stack->opened[0] = start;
    stack->pairs[0] = (fr__child_pair){0.0f, 0, 0, 0};
    stack->count = is_empty ? 0 : 1;
}

static inline fr__node_pair nodes_on(const swept_walker *w, const fr__swept_memory *stack, fr__child_pair pair) {
    return pair.level == 0 ? stack->opened[0] : child_nodes(w, &stack->opened[pair.level], pair);
}

// Puts the children of a pair on, one level below it; how many.
static inline uint32_t push_children(const swept_walker *w, fr__swept_memory *stack, const fr__node_pair *pair,
                                     uint16_t level) {
    stack->opened[level + 1] = *pair;
    uint32_t count = open_pair(w, pair, (uint16_t)(level + 1), stack->pairs + stack->count);
    stack->count += count;
    return count;
}

static bool walk_pairs(fr__swept_walk *walk, fr__node_pair start) {
    swept_walker w;
    fr__swept_memory *stack = walk->memory;
    make_walker(walk, &w);
    start_stack(&w, start, stack);
    uint64_t nodes = 0;
    bool goes_on = true;
    while (stack->count > 0 && goes_on) {
        fr__child_pair next = stack->pairs[--stack->count];
        if (next.enter > walk->limit) { continue; }
        fr__node_pair pair = nodes_on(&w, stack, next);
        nodes++;
        if (fr__tree_is_leaf(pair.a) && fr__tree_is_leaf(pair.b)) {
            goes_on = meet_leaves(&w, fr__tree_leaf_index(pair.a), fr__tree_leaf_index(pair.b));
        } else {
            uint32_t count = push_children(&w, stack, &pair, next.level);
            if (w.by_time) { sort_pairs(stack->pairs + stack->count - count, count); }
        }
    }
    walk->nodes += nodes;
    return goes_on && hand_on(&w);
}

static bool list_leaves(fr__swept_walk *walk, fr__leaves_fn *found) {
    swept_walker w;
    fr__two_leaves listed[FR__BATCH];
    uint32_t listed_count = 0;
    fr__swept_memory *stack = walk->memory;
    make_walker(walk, &w);
    start_stack(&w, (fr__node_pair){0, 0, FR_NONE, FR_NONE}, stack);
    while (stack->count > 0) {
        fr__child_pair next = stack->pairs[--stack->count];
        fr__node_pair pair = nodes_on(&w, stack, next);
        walk->nodes++;
        if (!fr__tree_is_leaf(pair.a) || !fr__tree_is_leaf(pair.b)) {
            (void)push_children(&w, stack, &pair, next.level);
            continue;
        }
        listed[listed_count++] = (fr__two_leaves){fr__tree_leaf_index(pair.a), fr__tree_leaf_index(pair.b)};
        if (listed_count == FR__BATCH) {
            if (!found(walk, listed, listed_count)) { return false; }
            listed_count = 0;
        }
    }
    return found(walk, listed, listed_count);
}

static bool meet_listed(fr__swept_walk *walk, const fr__two_leaves *pairs, uint32_t count) {
    swept_walker w;
    make_walker(walk, &w);
    bool goes_on = true;
    for (uint32_t i = 0; i < count && goes_on; i++) {
        goes_on = meet_leaves(&w, pairs[i].a, pairs[i].b);
    }
    walk->nodes += count;
    return goes_on && hand_on(&w);
}

const fr__swept_kernel_table FR_KERNEL_NAME(fr__swept_kernel) = {
    .walk = walk_pairs, .open = open_one, .list = list_leaves, .meet = meet_listed};
