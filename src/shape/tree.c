// Trees of boxes: the memory block, creation, cost and quality.
#include "shape/tree.h"

#include "shape/tree_kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TREE_DEF_COOKIE 0x54524545u

fr_tree_def fr_default_tree_def(void) {
    fr_tree_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TREE_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// The block

static uint64_t aligned(uint64_t offset) { return (offset + (FR__TREE_ALIGN - 1)) & ~(uint64_t)(FR__TREE_ALIGN - 1); }

// Counts are below 2^32 and parts at most 256 bytes, so nothing overflows 64 bits.
bool fr__tree_lay_out(fr__tree_header *header) {
    header->version = FR__TREE_VERSION;
    header->nodes_offset = aligned(sizeof *header);
    header->leaves_offset = header->nodes_offset + header->node_count * (uint64_t)sizeof(fr__tree_node);
    header->segments_offset = header->leaves_offset + header->leaf_count * (uint64_t)sizeof(fr__tree_leaf);
    header->bytes = aligned(header->segments_offset + ((uint64_t)header->segment_count + 1) * sizeof(uint32_t));
    return header->bytes <= SIZE_MAX;
}

// Points the tree at a block with its header filled in.
static void use_block(fr_tree *tree, void *block, bool owns) {
    unsigned char *bytes = block;
    tree->header = block;
    tree->nodes = (fr__tree_node *)(void *)(bytes + tree->header->nodes_offset);
    tree->leaves = (fr__tree_leaf *)(void *)(bytes + tree->header->leaves_offset);
    tree->segments = (const uint32_t *)(const void *)(bytes + tree->header->segments_offset);
    tree->owns_block = owns;
}

static void release_block(fr_tree *tree) {
    if (tree->header != NULL && tree->owns_block) {
        fr_deallocate(&tree->allocator, tree->header, (size_t)tree->header->bytes, 1);
    }
    tree->header = NULL;
}

bool fr__tree_take_block(fr_tree *tree, const fr__tree_header *counts, uint32_t **segments) {
    fr__tree_header header = *counts;
    if (!fr__tree_lay_out(&header)) { return false; }
    unsigned char *block = fr_allocate(&tree->allocator, (size_t)header.bytes, 1, FR__TREE_ALIGN);
    if (block == NULL) { return false; }
    // The table's end and the padding behind it: all bytes of a block are defined.
    memset(block + header.segments_offset, 0, (size_t)(header.bytes - header.segments_offset));
    memcpy(block, &header, sizeof header);
    release_block(tree);
    use_block(tree, block, true);
    *segments = (uint32_t *)(void *)(block + header.segments_offset);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

// An extent may be infinite, but its near end must be a place: so empty lanes, which begin at infinity, are never met.
static inline bool is_box(const fr_box *b) {
    const fr_vec3f *low = &b->min, *high = &b->max;
    return (low->x <= high->x) & (low->y <= high->y) & (low->z <= high->z) & (low->x <= FLT_MAX) & (low->y <= FLT_MAX) &
           (low->z <= FLT_MAX) & (high->x >= -FLT_MAX) & (high->y >= -FLT_MAX) & (high->z >= -FLT_MAX);
}

fr_status fr__tree_check_boxes(const fr_box *boxes, uint32_t count, fr_error *error) {
    bool all = true;
    for (uint32_t i = 0; i < count; i++) {
        all &= is_box(&boxes[i]);
    }
    if (all) { return FR_OK; }

    uint32_t i = 0;
    while (is_box(&boxes[i])) {
        i++;
    }
    const fr_vec3f *low = &boxes[i].min, *high = &boxes[i].max;
    return fr_error_set(error, FR_ERROR_NOT_FINITE, "box %u: (%g, %g, %g) to (%g, %g, %g) is no box", i, (double)low->x,
                        (double)low->y, (double)low->z, (double)high->x, (double)high->y, (double)high->z);
}

// A tree without items has a block too, with a header alone.
static fr_status build_empty(fr_tree *tree, fr_error *error) {
    fr__tree_header counts;
    uint32_t *segments;
    memset(&counts, 0, sizeof counts);
    counts.segment_count = 1;
    counts.build_cost = 1.0;
    counts.bounds = (fr_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (fr__tree_take_block(tree, &counts, &segments)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a tree");
}

static fr_tree *make_handle(const fr_allocator *given) {
    fr_allocator allocator = given != NULL && given->alloc != NULL ? *given : fr_default_allocator();
    fr_tree *tree = fr_allocate(&allocator, 1, sizeof *tree, _Alignof(fr_tree));
    if (tree == NULL) { return NULL; }
    memset(tree, 0, sizeof *tree);
    tree->allocator = allocator;
    return tree;
}

fr_status fr_tree_create(const fr_tree_def *def, fr_tree **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != TREE_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_tree_def"); }
    if (def->count > FR_TREE_MAX_ITEMS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u items; the limit is %u", def->count, FR_TREE_MAX_ITEMS);
    }
    if (def->count > 0 && def->boxes == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a tree needs boxes"); }
    fr_status status = fr__tree_check_boxes(def->boxes, def->count, error);
    if (status != FR_OK) { return status; }

    fr_tree *tree = make_handle(&def->allocator);
    if (tree == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a tree"); }
    status = def->count > 0 ? fr__tree_build(tree, def, error) : build_empty(tree, error);
    if (status != FR_OK) {
        fr_tree_destroy(tree);
        return status;
    }
    *out = tree;
    return FR_OK;
}

void fr_tree_destroy(fr_tree *tree) {
    if (tree == NULL) { return; }
    fr_allocator allocator = tree->allocator;
    release_block(tree);
    fr_deallocate(&allocator, tree, 1, sizeof *tree);
}

fr_status fr__tree_from_block(const void *block, size_t bytes, bool in_place, const fr_allocator *allocator,
                              fr_tree **out, fr_error *error) {
    *out = NULL;
    fr__tree_header header;
    fr_status status = fr__tree_check_header(block, bytes, &header, error);
    if (status != FR_OK) { return status; }

    fr_tree *tree = make_handle(allocator);
    if (tree == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a tree"); }
    if (in_place) {
        // The block is only read: a tree that does not own its block is never refitted.
        union {
            const void *shared;
            void *used;
        } same = {block};
        use_block(tree, same.used, false);
    } else {
        void *copy = fr_allocate(&tree->allocator, (size_t)header.bytes, 1, FR__TREE_ALIGN);
        if (copy == NULL) {
            fr_tree_destroy(tree);
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a tree of %u items", header.item_count);
        }
        memcpy(copy, block, (size_t)header.bytes);
        use_block(tree, copy, true);
    }
    status = fr__tree_check_structure(tree, error);
    if (status != FR_OK) {
        fr_tree_destroy(tree);
        return status;
    }
    *out = tree;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Cost and quality

// Half the surface of child k; infinite sides count as the longest there are.
static double side_length(float min, float max) {
    double length = (double)max - (double)min, longest = 2.0 * (double)FLT_MAX;
    return length < longest ? length : longest;
}

static double child_area(const fr__tree_node *node, uint32_t k) {
    double x = side_length(node->min_x[k], node->max_x[k]);
    double y = side_length(node->min_y[k], node->max_y[k]);
    double z = side_length(node->min_z[k], node->max_z[k]);
    return (x * y + y * z) + z * x;
}

static double root_area(const fr_tree *tree) {
    const fr_box *b = &tree->header->bounds;
    fr__tree_node node;
    node.min_x[0] = b->min.x;
    node.min_y[0] = b->min.y;
    node.min_z[0] = b->min.z;
    node.max_x[0] = b->max.x;
    node.max_y[0] = b->max.y;
    node.max_z[0] = b->max.z;
    return child_area(&node, 0);
}

// A ray that meets the root meets a box inside it with the ratio of their surfaces; it then tests the boxes in it,
// which are tested all at once, idle ones included. Where the root has no surface, every box is met.
double fr__tree_cost(const fr_tree *tree) {
    if (tree->header->node_count == 0) { return 1.0; }
    double root = root_area(tree), inner = 0.0, leaves = 0.0;
    for (uint32_t n = 0; n < tree->header->node_count; n++) {
        const fr__tree_node *node = &tree->nodes[n];
        for (uint32_t k = 0; (node->lanes >> k & 1u) != 0; k++) {
            double area = root > 0.0 ? child_area(node, k) : 1.0;
            if (fr__tree_is_leaf(node->child[k])) {
                leaves += area;
            } else {
                inner += area;
            }
        }
    }
    double unit = root > 0.0 ? root : 1.0;
    return FR__TREE_WIDTH * (1.0 + inner / unit) + FR__TREE_LEAF_ITEMS * (leaves / unit);
}

double fr_tree_quality(const fr_tree *tree) {
    FR_ASSERT(tree != NULL);
    return fr__tree_cost(tree) / tree->header->build_cost;
}

fr_status fr_tree_update(fr_tree *tree, const fr_box *boxes, uint32_t count, double limit, const fr_tasks *tasks,
                         fr_error *error) {
    fr_status status = fr_tree_refit(tree, boxes, count, tasks, error);
    if (status != FR_OK || count == 0 || (limit >= 1.0 && fr_tree_quality(tree) <= limit)) { return status; }
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = count;
    def.tasks = tasks;
    return fr__tree_build(tree, &def, error);
}

fr_tree_stats fr_tree_get_stats(const fr_tree *tree) {
    FR_ASSERT(tree != NULL);
    const fr__tree_header *header = tree->header;
    fr_tree_stats stats = {header->item_count,
                           header->node_count,
                           header->leaf_count,
                           header->depth,
                           sizeof *tree + (size_t)header->bytes,
                           header->node_count > 0 ? fr__tree_cost(tree) : 0.0};
    return stats;
}

bool fr_tree_overlap_box(const fr_tree *tree, const fr_box *box, fr_tree_item_fn *found, void *context) {
    FR_ASSERT(tree != NULL && box != NULL && found != NULL);
    bool is_empty = !(box->min.x <= box->max.x) || !(box->min.y <= box->max.y) || !(box->min.z <= box->max.z);
    return is_empty || fr__tree_kernel()->overlap_box(tree, box, found, context);
}
