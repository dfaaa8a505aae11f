// New boxes for an old shape: segments in parallel, each from its last node to its first, then the top.
#include "shape/tree_kernel.h"

// Leaves a task takes at once.
#define LEAF_GRAIN 4096

typedef struct refit {
    fr_tree *tree;
    const fr_box *boxes; // of the items, or NULL: the leaves come from triangles
    const uint32_t *triangles;
    const fr__corner_box *vertices;
    fr__corner_box *joined; // of the leaves
    const fr__tree_kernel_table *kernel;
} refit;

static void refit_nodes(const refit *r, uint32_t begin, uint32_t end) {
    if (r->boxes != NULL) {
        r->kernel->refit(r->tree, r->boxes, begin, end);
    } else {
        r->kernel->refit_joined(r->tree, r->joined, begin, end);
    }
}

static void join_leaves(size_t begin, size_t end, int worker, void *context) {
    const refit *r = context;
    (void)worker;
    r->kernel->join_leaves(r->tree, r->triangles, r->vertices, r->joined, (uint32_t)begin, (uint32_t)end);
}

// [begin, end) counts the segments after the top.
static void refit_segments(size_t begin, size_t end, int worker, void *context) {
    const refit *r = context;
    (void)worker;
    for (size_t s = begin + 1; s < end + 1; s++) {
        refit_nodes(r, r->tree->segments[s], r->tree->segments[s + 1]);
    }
}

static void join_root(fr_tree *tree) {
    const fr__tree_node *root = &tree->nodes[0];
    fr_box *all = &tree->header->bounds;
    for (int k = 0; k < 8; k++) {
        if (k == 0 || root->min_x[k] < all->min.x) { all->min.x = root->min_x[k]; }
        if (k == 0 || root->min_y[k] < all->min.y) { all->min.y = root->min_y[k]; }
        if (k == 0 || root->min_z[k] < all->min.z) { all->min.z = root->min_z[k]; }
        if (k == 0 || root->max_x[k] > all->max.x) { all->max.x = root->max_x[k]; }
        if (k == 0 || root->max_y[k] > all->max.y) { all->max.y = root->max_y[k]; }
        if (k == 0 || root->max_z[k] > all->max.z) { all->max.z = root->max_z[k]; }
    }
}

static void refit_all(const refit *r, const fr_tasks *tasks) {
    const fr__tree_header *header = r->tree->header;
    if (header->node_count == 0) { return; }
    refit shared = *r;
    if (r->boxes == NULL) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, header->leaf_count, LEAF_GRAIN, join_leaves, &shared);
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, header->segment_count - 1, 1, refit_segments, &shared);
    refit_nodes(r, r->tree->segments[0], r->tree->segments[1]);
    join_root(r->tree);
}

void fr__tree_refit_boxes(fr_tree *tree, const fr_box *boxes, const fr_tasks *tasks) {
    refit r = {tree, boxes, NULL, NULL, NULL, fr__tree_kernel()};
    refit_all(&r, tasks);
}

void fr__tree_refit_triangles(fr_tree *tree, const uint32_t *triangles, const fr__corner_box *vertices,
                              fr__corner_box *joined, const fr_tasks *tasks) {
    refit r = {tree, NULL, triangles, vertices, joined, fr__tree_kernel()};
    refit_all(&r, tasks);
}

fr_status fr_tree_refit(fr_tree *tree, const fr_box *boxes, uint32_t count, const fr_tasks *tasks, fr_error *error) {
    FR_ASSERT(tree != NULL && tree->owns_block);
    if (count != tree->header->item_count || (count > 0 && boxes == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a tree is refitted with as many boxes as it has items");
    }
    fr_status status = fr__tree_check_boxes(boxes, count, error);
    if (status != FR_OK) { return status; }
    fr__tree_refit_boxes(tree, boxes, tasks);
    return FR_OK;
}
