// Building a tree.
//
// Stage 1: every item becomes a box with centre in a working buffer.
// Stage 2: ranges of more than `segment_items` are opened one after another, each with all workers at once; what is
//          smaller becomes a segment.
// Stage 3: segments are built apart, in parallel.
// Stage 4: the parts are numbered, the block is taken, and nodes and leaves are written; the boxes come from a refit.
//
// What is a segment depends on the number of items alone, minima of boxes do not depend on their order, and division is
// stable: so the tree is the same for any number of workers.
#include "shape/tree_build.h"

#include <stdatomic.h>
#include <string.h>

// Ranges below this are not worth a task; and no tree is cut into more than this many pieces of equal size.
#define SEGMENT_MIN_ITEMS 4096u
#define SEGMENT_PIECES 64u

// Items that a worker takes at once.
#define CHUNK_ITEMS 8192u

// At each depth fewer than SEGMENT_PIECES ranges have more than count / SEGMENT_PIECES items.
#define MAX_TOP_NODES (SEGMENT_PIECES * FR__TREE_MAX_DEPTH)
#define MAX_SEGMENTS (7u * MAX_TOP_NODES + 1u)

// What a worker gathers for all.
typedef struct worker_share {
    fr__build_box box;
    fr__build_bins bins;
} worker_share;

typedef struct top_node {
    uint32_t child[8]; // index of a top node, or FR__TREE_LEAF and a segment
    uint32_t count;
} top_node;

typedef struct tree_builder {
    const fr_tree_def *def;
    const fr__build_kernel_table *kernel;
    const fr_tasks *tasks;
    const fr_allocator *allocator;
    int worker_count;
    uint32_t segment_items;
    fr__build_box root_box;
    bool stopped;

    // Scratch
    fr__build_item *buffers[2];
    fr__build_node *nodes;
    uint32_t *leaves;
    uint32_t *order;
    worker_share *shares;
    size_t *chunk_left; // items of each chunk that go left; then where they go
    top_node *top;
    fr__build_segment *segments;
    uint32_t top_count, segment_count;
    size_t node_used, node_capacity, chunk_capacity, top_capacity, segment_capacity;

    // One parallel stage
    fr__build_range range;
    fr__build_grid grid;
    fr__build_split split;
    atomic_size_t items_done;
    atomic_bool stop;
} tree_builder;

// ---------------------------------------------------------------------------------------------------------------
// Scratch

static void release_scratch(tree_builder *b) {
    size_t count = b->def->count;
    fr_deallocate(b->allocator, b->buffers[0], count, sizeof *b->buffers[0]);
    fr_deallocate(b->allocator, b->buffers[1], count, sizeof *b->buffers[1]);
    fr_deallocate(b->allocator, b->nodes, b->node_capacity, sizeof *b->nodes);
    fr_deallocate(b->allocator, b->leaves, count, sizeof *b->leaves);
    fr_deallocate(b->allocator, b->order, count, sizeof *b->order);
    fr_deallocate(b->allocator, b->shares, (size_t)b->worker_count, sizeof *b->shares);
    fr_deallocate(b->allocator, b->chunk_left, b->chunk_capacity, sizeof *b->chunk_left);
    fr_deallocate(b->allocator, b->top, b->top_capacity, sizeof *b->top);
    fr_deallocate(b->allocator, b->segments, b->segment_capacity, sizeof *b->segments);
}

static bool take_scratch(tree_builder *b) {
    size_t count = b->def->count;
    bool is_one_segment = count <= b->segment_items;
    b->top_capacity = is_one_segment ? 1 : MAX_TOP_NODES;
    b->segment_capacity = is_one_segment ? 1 : MAX_SEGMENTS;
    b->node_capacity = fr__build_node_bound(count) + b->segment_capacity;
    b->chunk_capacity = count / CHUNK_ITEMS + 1;
    b->buffers[0] = fr_allocate(b->allocator, count, sizeof *b->buffers[0], FR__TREE_ALIGN);
    b->buffers[1] = fr_allocate(b->allocator, count, sizeof *b->buffers[1], FR__TREE_ALIGN);
    b->nodes = fr_allocate(b->allocator, b->node_capacity, sizeof *b->nodes, FR__TREE_ALIGN);
    b->leaves = fr_allocate(b->allocator, count, sizeof *b->leaves, FR__TREE_ALIGN);
    b->order = fr_allocate(b->allocator, count, sizeof *b->order, FR__TREE_ALIGN);
    b->shares = fr_allocate(b->allocator, (size_t)b->worker_count, sizeof *b->shares, FR__TREE_ALIGN);
    b->chunk_left = fr_allocate(b->allocator, b->chunk_capacity, sizeof *b->chunk_left, FR__TREE_ALIGN);
    b->top = fr_allocate(b->allocator, b->top_capacity, sizeof *b->top, FR__TREE_ALIGN);
    b->segments = fr_allocate(b->allocator, b->segment_capacity, sizeof *b->segments, FR__TREE_ALIGN);
    return b->buffers[0] != NULL && b->buffers[1] != NULL && b->nodes != NULL && b->leaves != NULL &&
           b->order != NULL && b->shares != NULL && b->chunk_left != NULL && b->top != NULL && b->segments != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes and bins of all workers

static void clear_share_boxes(tree_builder *b) {
    for (int w = 0; w < b->worker_count; w++) {
        for (int i = 0; i < 8; i++) {
            b->shares[w].box.bound[i] = INFINITY;
        }
    }
}

static void join_box(fr__build_box *into, const fr__build_box *other) {
    for (int i = 0; i < 8; i++) {
        if (other->bound[i] < into->bound[i]) { into->bound[i] = other->bound[i]; }
    }
}

static fr__build_box join_share_boxes(const tree_builder *b) {
    fr__build_box all = b->shares[0].box;
    for (int w = 1; w < b->worker_count; w++) {
        join_box(&all, &b->shares[w].box);
    }
    return all;
}

// All bins into those of worker 0.
static void join_share_bins(tree_builder *b) {
    fr__build_bins *into = &b->shares[0].bins;
    for (int w = 1; w < b->worker_count; w++) {
        const fr__build_bins *other = &b->shares[w].bins;
        for (int axis = 0; axis < 3; axis++) {
            for (uint32_t i = 0; i < b->grid.bins; i++) {
                join_box(&into->box[axis][i], &other->box[axis][i]);
                into->count[axis][i] += other->count[axis][i];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces of work on a large range; [begin, end) counts from the range's beginning

static const fr__build_item *range_items(const tree_builder *b) { return b->buffers[b->range.buffer] + b->range.begin; }

static void load_piece(size_t begin, size_t end, int worker, void *context) {
    tree_builder *b = context;
    fr__build_box box;
    b->kernel->load(b->def->boxes, (uint32_t)begin, (uint32_t)end, b->buffers[0], &box);
    join_box(&b->shares[worker].box, &box);
}

static void centers_piece(size_t begin, size_t end, int worker, void *context) {
    tree_builder *b = context;
    fr__build_box box;
    b->kernel->centers(range_items(b) + begin, end - begin, &box);
    join_box(&b->shares[worker].box, &box);
}

static void bin_piece(size_t begin, size_t end, int worker, void *context) {
    tree_builder *b = context;
    b->kernel->bin(range_items(b) + begin, end - begin, &b->grid, &b->shares[worker].bins);
}

static void count_piece(size_t begin, size_t end, int worker, void *context) {
    tree_builder *b = context;
    (void)worker;
    b->chunk_left[begin / CHUNK_ITEMS] =
        b->kernel->count_left(range_items(b) + begin, end - begin, &b->grid, &b->split);
}

// Left items of a chunk go behind those of the chunks before it; the others fill the rest.
static void scatter_piece(size_t begin, size_t end, int worker, void *context) {
    tree_builder *b = context;
    (void)worker;
    fr__build_item *out = b->buffers[1 - b->range.buffer] + b->range.begin;
    size_t left = b->chunk_left[begin / CHUNK_ITEMS];
    size_t right = b->split.left_count + (begin - left);
    b->kernel->scatter(range_items(b) + begin, end - begin, &b->grid, &b->split, out + left, out + right);
}

static void scatter_range(tree_builder *b, size_t count) {
    if (b->worker_count == 1) {
        b->chunk_left[0] = 0;
        scatter_piece(0, count, 0, b);
        return;
    }
    fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, count, CHUNK_ITEMS, count_piece, b);
    size_t chunk_count = (count - 1) / CHUNK_ITEMS + 1, sum = 0;
    for (size_t i = 0; i < chunk_count; i++) {
        size_t left = b->chunk_left[i];
        b->chunk_left[i] = sum;
        sum += left;
    }
    fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, count, CHUNK_ITEMS, scatter_piece, b);
}

// Finds where to divide the range by surface area.
static void choose_split(tree_builder *b, uint32_t count) {
    clear_share_boxes(b);
    fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, count, CHUNK_ITEMS, centers_piece, b);
    fr__build_box centers = join_share_boxes(b);
    b->grid = b->kernel->make_grid(&centers, count);

    for (int w = 0; w < b->worker_count; w++) {
        b->kernel->clear(&b->shares[w].bins, b->grid.bins);
    }
    fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, count, CHUNK_ITEMS, bin_piece, b);
    join_share_bins(b);
    b->kernel->choose(&b->shares[0].bins, &b->grid, &b->range, &b->split);
}

// Divides a large range with all workers. Once the caller wants to stop, nothing costly is done any more.
static void divide_top(const fr__build_range *range, bool balanced, fr__build_range halves[2], void *context) {
    tree_builder *b = context;
    uint32_t count = range->end - range->begin;
    b->range = *range;
    b->split = (fr__build_split){.axis = 3, .left_count = count / 2};
    b->stopped = b->stopped || fr_control_is_stopped(b->def->control);
    if (!balanced && !b->stopped) { choose_split(b, count); }

    halves[0] = halves[1] = *range;
    halves[0].end = halves[1].begin = range->begin + b->split.left_count;
    if (b->split.axis != 3) {
        scatter_range(b, count);
        halves[0].buffer = halves[1].buffer = 1 - range->buffer;
        halves[0].box = b->split.left;
        halves[1].box = b->split.right;
    } else if (!b->stopped) {
        const fr__build_item *items = b->buffers[range->buffer];
        for (int i = 0; i < 2; i++) {
            b->kernel->around(items + halves[i].begin, halves[i].end - halves[i].begin, &halves[i].box);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Stages

static uint32_t add_segment(tree_builder *b, const fr__build_range *range, bool is_root) {
    fr__build_segment *segment = &b->segments[b->segment_count];
    *segment = (fr__build_segment){.range = *range, .is_root = is_root};
    segment->buffers[0] = b->buffers[0];
    segment->buffers[1] = b->buffers[1];
    segment->nodes = b->nodes + b->node_used;
    segment->leaves = b->leaves + range->begin;
    segment->order = b->order;
    b->node_used += fr__build_node_bound(range->end - range->begin); // in all at most count / 3 and one a segment
    return FR__TREE_LEAF | b->segment_count++;
}

typedef struct open_top {
    uint32_t node;
    fr__build_range range;
} open_top;

// Stage 2
static void open_top_nodes(tree_builder *b, const fr__build_range *root) {
    open_top stack[7 * FR__TREE_MAX_DEPTH + 1];
    uint32_t stack_count = 0;
    stack[stack_count++] = (open_top){b->top_count++, *root};
    while (stack_count > 0 && !b->stopped) {
        open_top open = stack[--stack_count];
        fr__build_range pieces[8];
        top_node *node = &b->top[open.node];
        node->count = fr__build_open(&open.range, divide_top, b, pieces);
        for (uint32_t i = 0; i < node->count; i++) {
            bool large = pieces[i].end - pieces[i].begin > b->segment_items;
            pieces[i].depth++;
            node->child[i] = large ? b->top_count++ : add_segment(b, &pieces[i], false);
        }
        for (uint32_t i = node->count; i-- > 0;) {
            if (fr__tree_is_leaf(node->child[i])) { continue; }
            stack[stack_count++] = (open_top){node->child[i], pieces[i]};
        }
    }
}

// Stage 3. Only the calling thread, worker 0, speaks to the caller.
static void build_segments(size_t begin, size_t end, int worker, void *context) {
    tree_builder *b = context;
    for (size_t i = begin; i < end; i++) {
        if (worker == 0 && fr_control_is_stopped(b->def->control)) { atomic_store(&b->stop, true); }
        if (atomic_load_explicit(&b->stop, memory_order_relaxed)) { return; }
        fr__build_segment *segment = &b->segments[i];
        b->kernel->build(segment);
        size_t items = segment->range.end - segment->range.begin;
        size_t done = items + atomic_fetch_add_explicit(&b->items_done, items, memory_order_relaxed);
        if (worker == 0) { fr_control_progress(b->def->control, (double)done / (double)b->def->count, "tree"); }
    }
}

// Stage 4: where each segment's nodes and leaves go, and how much there is in all.
static void number_parts(tree_builder *b, fr__tree_header *counts) {
    counts->item_count = b->def->count;
    counts->node_count = b->top_count;
    counts->segment_count = 1;
    for (uint32_t i = 0; i < b->segment_count; i++) {
        fr__build_segment *segment = &b->segments[i];
        segment->node_base = counts->node_count;
        segment->leaf_base = counts->leaf_count;
        counts->node_count += segment->node_count;
        counts->leaf_count += segment->leaf_count;
        if (segment->node_count > 0) { counts->segment_count++; }
        uint32_t depth = segment->node_count > 0 ? segment->depth : segment->range.depth - 1;
        if (depth > counts->depth) { counts->depth = depth; }
    }
}

typedef struct emitter {
    const tree_builder *builder;
    fr_tree *tree;
} emitter;

static void emit_node(fr__tree_node *node, uint32_t count) {
    for (uint32_t k = count; k < FR__TREE_WIDTH; k++) {
        node->child[k] = FR_NONE;
    }
    node->lanes = (1u << count) - 1u;
    memset(node->unused, 0, sizeof node->unused);
}

static void emit_leaf(fr__tree_leaf *leaf, uint32_t packed, const uint32_t *order) {
    uint32_t begin = packed & 0x0fffffffu;
    leaf->count = (packed >> 28) + 1;
    for (uint32_t k = 0; k < FR__TREE_LEAF_ITEMS; k++) {
        leaf->item[k] = k < leaf->count ? order[begin + k] : FR_NONE;
    }
    memset(leaf->unused, 0, sizeof leaf->unused);
}

static void emit_segments(size_t begin, size_t end, int worker, void *context) {
    const emitter *e = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const fr__build_segment *segment = &e->builder->segments[i];
        for (uint32_t n = 0; n < segment->node_count; n++) {
            const fr__build_node *from = &segment->nodes[n];
            fr__tree_node *to = &e->tree->nodes[segment->node_base + n];
            emit_node(to, from->count);
            for (uint32_t k = 0; k < from->count; k++) {
                bool is_leaf = fr__tree_is_leaf(from->child[k]);
                to->child[k] = from->child[k] + (is_leaf ? segment->leaf_base : segment->node_base);
            }
        }
        for (uint32_t n = 0; n < segment->leaf_count; n++) {
            emit_leaf(&e->tree->leaves[segment->leaf_base + n], segment->leaves[n], segment->order);
        }
    }
}

static void emit_top(const tree_builder *b, fr_tree *tree) {
    for (uint32_t n = 0; n < b->top_count; n++) {
        const top_node *from = &b->top[n];
        fr__tree_node *to = &tree->nodes[n];
        emit_node(to, from->count);
        for (uint32_t k = 0; k < from->count; k++) {
            to->child[k] = from->child[k];
            if (!fr__tree_is_leaf(from->child[k])) { continue; }
            const fr__build_segment *segment = &b->segments[fr__tree_leaf_index(from->child[k])];
            to->child[k] = segment->node_count > 0 ? segment->node_base : FR__TREE_LEAF | segment->leaf_base;
        }
    }
}

// The table of segments: the top, then every built segment that has nodes.
static void emit_segment_table(const tree_builder *b, uint32_t *table) {
    uint32_t count = 0;
    table[count++] = 0;
    table[count] = b->top_count;
    for (uint32_t i = 0; i < b->segment_count; i++) {
        const fr__build_segment *segment = &b->segments[i];
        if (segment->node_count == 0) { continue; }
        count++;
        table[count] = segment->node_base + segment->node_count;
    }
}

static fr_status shape_tree(tree_builder *b, fr_error *error) {
    fr__build_range root = {.end = b->def->count, .depth = 1};
    clear_share_boxes(b);
    fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, b->def->count, CHUNK_ITEMS, load_piece, b);
    root.box = join_share_boxes(b);

    if (b->def->count <= b->segment_items) {
        add_segment(b, &root, true);
    } else {
        open_top_nodes(b, &root);
    }
    if (!b->stopped) { fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, b->segment_count, 1, build_segments, b); }
    if (b->stopped || atomic_load(&b->stop)) {
        return fr_error_set(error, FR_ERROR_STOPPED, "stopped while building a tree");
    }
    return FR_OK;
}

static fr_status build_items(tree_builder *b, fr_tree *tree, fr_error *error) {
    fr_status status = shape_tree(b, error);
    if (status != FR_OK) { return status; }

    fr__tree_header counts;
    memset(&counts, 0, sizeof counts);
    number_parts(b, &counts);
    uint32_t *table = NULL;
    if (!fr__tree_take_block(tree, &counts, &table)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a tree of %u items", b->def->count);
    }
    emitter e = {b, tree};
    emit_top(b, tree);
    emit_segment_table(b, table);
    fr_tasks_run(b->tasks, FR_SCHEDULE_DYNAMIC, b->segment_count, 1, emit_segments, &e);
    fr__tree_refit_boxes(tree, b->def->boxes, b->tasks);
    tree->header->build_cost = fr__tree_cost(tree);
    return FR_OK;
}

fr_status fr__tree_build(fr_tree *tree, const fr_tree_def *def, fr_error *error) {
    tree_builder b;
    memset(&b, 0, sizeof b);
    b.def = def;
    b.kernel = fr__build_kernel();
    b.tasks = def->tasks;
    b.allocator = &tree->allocator;
    b.worker_count = fr_tasks_worker_count(def->tasks);
    b.segment_items = def->count / SEGMENT_PIECES;
    if (b.segment_items < SEGMENT_MIN_ITEMS) { b.segment_items = SEGMENT_MIN_ITEMS; }
    atomic_init(&b.items_done, 0);
    atomic_init(&b.stop, false);

    fr_status status = FR_OK;
    if (take_scratch(&b)) {
        status = build_items(&b, tree, error);
    } else {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory while building a tree of %u items", def->count);
    }
    release_scratch(&b);
    return status;
}
