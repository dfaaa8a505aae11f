// Lists of faces by the cells of an octree, and the pairs of faces that share a cell.
#include "octree/cells.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Nodes

static void *take_node(const fr_allocator *allocator, size_t bytes, uint32_t count) {
    fr__cell_node *node = fr_allocate(allocator, bytes, 1, 16);
    if (node == NULL) { return NULL; }
    memset(node, 0, bytes);
    atomic_init(&node->references, 1u);
    node->count = count;
    return node;
}

static size_t leaf_bytes(uint32_t count) { return sizeof(fr__cell_leaf) + count * sizeof(fr_cell_face); }

static fr__cell_node *retain_node(fr__cell_node *node) {
    if (node != NULL) { atomic_fetch_add_explicit(&node->references, 1u, memory_order_relaxed); }
    return node;
}

static void release_node(const fr_allocator *allocator, fr__cell_node *node) {
    if (node == NULL || atomic_fetch_sub_explicit(&node->references, 1u, memory_order_acq_rel) != 1) { return; }
    if (node->count > 0) {
        fr_deallocate(allocator, node, leaf_bytes(node->count), 1);
        return;
    }
    fr__cell_branch *branch = (fr__cell_branch *)node;
    for (int c = 0; c < 8; c++) {
        release_node(allocator, branch->child[c]);
    }
    fr_deallocate(allocator, branch, sizeof *branch, 1);
}

fr_cells *fr__cells_make(const fr_octree_def *def) {
    fr_cells *cells = fr_allocate(&def->allocator, 1, sizeof *cells, 16);
    if (cells == NULL) { return NULL; }
    memset(cells, 0, sizeof *cells);
    atomic_init(&cells->references, 1u);
    cells->allocator = def->allocator;
    cells->def = *def;
    return cells;
}

void fr_cells_release(const fr_cells *shared) {
    fr_cells *cells = (fr_cells *)(uintptr_t)shared;
    if (cells == NULL || atomic_fetch_sub_explicit(&cells->references, 1u, memory_order_acq_rel) != 1) { return; }
    release_node(&cells->allocator, cells->root);
    fr_allocator allocator = cells->allocator;
    fr_deallocate(&allocator, cells, 1, sizeof *cells);
}

// ---------------------------------------------------------------------------------------------------------------
// Changing

typedef struct editing {
    fr_cells *cells;
    uint64_t owner;
    uint64_t changed;
    bool has_failed;
} editing;

static bool is_before(const fr_cell_face *a, const fr_cell_face *b) {
    return a->owner != b->owner ? a->owner < b->owner : a->triangle < b->triangle;
}

// The faces of a voxel after its edits, into `out`, which may be NULL to count them.
static uint32_t merge_faces(const editing *e, const fr__cell_leaf *old, const fr__cell_edit *edits, size_t count,
                            fr_cell_face *out) {
    uint32_t kept = 0, old_count = old != NULL ? old->node.count : 0, i = 0;
    size_t k = 0;
    while (i < old_count || k < count) {
        fr_cell_face edited = {e->owner, k < count ? edits[k].triangle : 0};
        fr_cell_face next;
        if (k == count || (i < old_count && is_before(&old->faces[i], &edited))) {
            next = old->faces[i++];
        } else {
            bool is_there = i < old_count && !is_before(&edited, &old->faces[i]);
            i += is_there;
            if (!edits[k++].is_added) { continue; }
            next = edited;
        }
        if (out != NULL) { out[kept] = next; }
        kept++;
    }
    return kept;
}

static fr__cell_node *edit_voxel(editing *e, const fr__cell_node *node, const fr__cell_edit *edits, size_t count) {
    const fr__cell_leaf *old = (const fr__cell_leaf *)node;
    uint32_t kept = merge_faces(e, old, edits, count, NULL), before = old != NULL ? old->node.count : 0;
    e->changed++;
    e->cells->faces += kept;
    e->cells->faces -= before;
    e->cells->cells += kept > 0;
    e->cells->cells -= before > 0;
    if (kept == 0) { return NULL; }
    fr__cell_leaf *leaf = take_node(&e->cells->allocator, leaf_bytes(kept), kept);
    if (leaf == NULL) {
        e->has_failed = true;
        return NULL;
    }
    merge_faces(e, old, edits, count, leaf->faces);
    return &leaf->node;
}

// The node of a cell of a level after the edits, all of which are in it: a new one, or NULL where nothing is left.
static fr__cell_node *edit_node(editing *e, const fr__cell_node *node, uint32_t level, const fr__cell_edit *edits,
                                size_t count) {
    if (level == 0) { return edit_voxel(e, node, edits, count); }
    const fr__cell_branch *old = (const fr__cell_branch *)node;
    fr__cell_branch *branch = take_node(&e->cells->allocator, sizeof *branch, 0);
    if (branch == NULL) {
        e->has_failed = true;
        return NULL;
    }
    bool is_any = false;
    size_t begin = 0;
    for (uint32_t c = 0; c < 8; c++) {
        fr__cell_node *child = old != NULL ? old->child[c] : NULL;
        size_t end = begin;
        while (end < count && (edits[end].voxel >> 3 * (level - 1) & 7u) == c) {
            end++;
        }
        branch->child[c] =
            begin == end ? retain_node(child) : edit_node(e, child, level - 1, edits + begin, end - begin);
        is_any = is_any || branch->child[c] != NULL;
        begin = end;
    }
    if (is_any && !e->has_failed) { return &branch->node; }
    release_node(&e->cells->allocator, &branch->node);
    return NULL;
}

fr_cells *fr__cells_edit(const fr_cells *cells, uint64_t owner, const fr__cell_edit *edits, size_t count,
                         uint64_t *changed) {
    editing e = {fr__cells_make(&cells->def), owner, 0, false};
    if (e.cells == NULL) { return NULL; }
    e.cells->cells = cells->cells;
    e.cells->faces = cells->faces;
    e.cells->root = count == 0 ? retain_node(cells->root) : edit_node(&e, cells->root, cells->def.depth, edits, count);
    if (e.has_failed) {
        fr_cells_release(e.cells);
        return NULL;
    }
    *changed = e.changed;
    return e.cells;
}

// ---------------------------------------------------------------------------------------------------------------
// Asking

const fr_cell_face *fr_cells_at(const fr_cells *cells, uint32_t x, uint32_t y, uint32_t z, size_t *count) {
    *count = 0;
    uint32_t n = 1u << cells->def.depth;
    if (x >= n || y >= n || z >= n) { return NULL; }
    uint32_t voxel = fr__morton3(x, y, z);
    const fr__cell_node *node = cells->root;
    for (uint32_t level = cells->def.depth; level > 0 && node != NULL; level--) {
        node = ((const fr__cell_branch *)node)->child[voxel >> 3 * (level - 1) & 7u];
    }
    if (node == NULL) { return NULL; }
    *count = node->count;
    return ((const fr__cell_leaf *)node)->faces;
}

typedef struct cell_walk {
    fr_cell_faces_fn *found;
    void *context;
} cell_walk;

static bool walk_node(const cell_walk *w, const fr__cell_node *node, const fr_cell *cell) {
    if (node == NULL) { return true; }
    if (cell->level == 0) {
        fr_cell black = *cell;
        black.color = FR_CELL_BLACK;
        return w->found(&black, ((const fr__cell_leaf *)node)->faces, node->count, w->context);
    }
    for (uint32_t c = 0; c < 8; c++) {
        fr_cell child = fr__cell_child(cell, c);
        if (!walk_node(w, ((const fr__cell_branch *)node)->child[c], &child)) { return false; }
    }
    return true;
}

bool fr_cells_walk(const fr_cells *cells, fr_cell_faces_fn *found, void *context) {
    cell_walk w = {found, context};
    fr_cell root = {0, 0, 0, cells->def.depth, FR_CELL_WHITE};
    return walk_node(&w, cells->root, &root);
}

typedef struct cell_pair_walk {
    fr_face_candidate_fn *found;
    void *context;
    bool has_owners; // only those of these two
    uint64_t a, b;
} cell_pair_walk;

static bool walk_pairs(const fr_cell *cell, const fr_cell_face *faces, size_t count, void *context) {
    const cell_pair_walk *w = context;
    for (size_t i = 0; i < count; i++) {
        if (w->has_owners && faces[i].owner != w->a) { continue; }
        for (size_t j = i + 1; j < count; j++) {
            if (faces[j].owner == faces[i].owner || (w->has_owners && faces[j].owner != w->b)) { continue; }
            if (!w->found(cell, &faces[i], &faces[j], w->context)) { return false; }
        }
    }
    return true;
}

bool fr_cells_pairs(const fr_cells *cells, fr_face_candidate_fn *found, void *context) {
    cell_pair_walk w = {found, context, false, 0, 0};
    return fr_cells_walk(cells, walk_pairs, &w);
}

bool fr_cells_pairs_of(const fr_cells *cells, const fr_cell *cell, uint64_t owner_a, uint64_t owner_b,
                       fr_face_candidate_fn *found, void *context) {
    FR_ASSERT(cell->level <= cells->def.depth);
    bool is_turned = owner_b < owner_a;
    cell_pair_walk w = {found, context, true, is_turned ? owner_b : owner_a, is_turned ? owner_a : owner_b};
    uint32_t voxel = fr__morton3(cell->x, cell->y, cell->z);
    const fr__cell_node *node = cells->root;
    for (uint32_t level = cells->def.depth; level > cell->level && node != NULL; level--) {
        node = ((const fr__cell_branch *)node)->child[voxel >> 3 * (level - 1) & 7u];
    }
    cell_walk walk = {walk_pairs, &w};
    return walk_node(&walk, node, cell);
}

static bool blacken(const fr_cell *cell, const fr_cell_face *faces, size_t count, void *context) {
    (void)faces;
    (void)count;
    const int64_t low[3] = {cell->x, cell->y, cell->z}, high[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
    fr_octree_fill(context, low, high, FR_CELL_BLACK);
    return true;
}

fr_status fr_cells_octree(const fr_cells *cells, fr_octree *out, fr_error *error) {
    if (out->dimension != 3 || out->def.depth != cells->def.depth) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the tree is no octree of the depth of the cells");
    }
    fr_octree_clear(out, FR_CELL_WHITE);
    fr_cells_walk(cells, blacken, out);
    return FR_OK;
}
