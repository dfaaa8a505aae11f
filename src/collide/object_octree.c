// The octree method: stored octrees of the parts' faces, walked together.
//
// Step 1: boxes and faces as of the face octree (face_octree.c), and one root cube for all.
// Step 2: for each part, which of its faces are in which smallest cube; these cubes as an octree.
// Step 3: the octrees walked together: cells that two parts share.
// Step 4: the faces of two parts in such a cell make pairs for the judge.
//
// Nothing is lost for the reasons of the face octree: a point two faces share lies in a smallest cube, grown, that both
// meet; this cube is black in both octrees. The octree is made of the faces where they are now, or of their paths over
// the step, each time from scratch, so it never lags behind the faces as one that is moved would.
#include "collide/object_octree.h"

#include "collide/face_octree.h"
#include "fureai/base_order.h"
#include "octree/octree.h"

#include <string.h>

// The deepest octrees of one part are 2 MiB.
enum { MAX_DEPTH = 8 };

// ---------------------------------------------------------------------------------------------------------------
// Step 2: cells

typedef struct marker {
    const fr__octree_root *root;
    uint32_t face;
    uint32_t member;
} marker;

static bool mark_cube(const marker *m, uint32_t level, const uint32_t at[3]) {
    fr_bounds cube = fr__octree_cube(m->root, at, 1u << level);
    if (!fr__octree_face_meets(m->root, m->face, &cube)) { return true; }
    if (level == 0) {
        fr__face_cell *cell = fr__face_cell_array_push(&m->root->scratch->cells, 1);
        if (cell == NULL) { return fr__run_fail(m->root->run); }
        *cell = (fr__face_cell){m->member, fr__morton3(at[0], at[1], at[2]), m->face};
        return true;
    }
    uint32_t half = 1u << (level - 1);
    for (uint32_t c = 0; c < 8; c++) {
        const uint32_t part[3] = {at[0] + (c & 1) * half, at[1] + (c >> 1 & 1) * half, at[2] + (c >> 2) * half};
        if (!mark_cube(m, level - 1, part)) { return false; }
    }
    return true;
}

static uint64_t key_of_cell(const fr__face_cell *cell) { return fr__pair_key(cell->member, cell->voxel); }

static bool cell_is_before(const fr__face_cell *a, const fr__face_cell *b) {
    uint64_t key_a = key_of_cell(a), key_b = key_of_cell(b);
    return key_a != key_b ? key_a < key_b : a->face < b->face;
}

FR_SORT_TYPE(sort_cells, fr__face_cell, cell_is_before);

// The faces of all members in cells, sorted by member and cell.
static bool mark_faces(const fr__octree_root *root) {
    fr__octree_scratch *scratch = root->scratch;
    const fr__octree_face *faces = scratch->faces.data;
    scratch->cells.count = 0;
    for (uint32_t i = 0; i < scratch->faces.count; i++) {
        marker m = {root, i, faces[i].member};
        const uint32_t corner[3] = {0, 0, 0};
        if (!mark_cube(&m, root->depth, corner)) { return false; }
    }
    sort_cells(scratch->cells.data, scratch->cells.count);
    return true;
}

// White trees of the root's depth, one a member.
static bool take_trees(const fr__octree_root *root) {
    fr__octree_scratch *scratch = root->scratch;
    fr_octree **trees = scratch->trees.data;
    for (size_t i = 0; i < scratch->trees.count; i++) {
        if (trees[i]->def.depth == root->depth) {
            fr_octree_clear(trees[i], FR_CELL_WHITE);
            continue;
        }
        fr_octree_destroy(trees[i]);
        trees[i--] = trees[--scratch->trees.count];
    }
    fr_octree_def def = fr_default_octree_def();
    def.depth = root->depth;
    def.allocator = root->run->scratch->allocator;
    while (scratch->trees.count < scratch->members.count) {
        fr_octree *tree;
        if (fr_octree_create(&def, &tree, NULL) != FR_OK) { return fr__run_fail(root->run); }
        fr_octree **place = fr__octree_owner_array_push(&scratch->trees, 1);
        if (place == NULL) {
            fr_octree_destroy(tree);
            return fr__run_fail(root->run);
        }
        *place = tree;
    }
    return true;
}

static void blacken(fr_octree *tree, uint32_t voxel) {
    const int64_t low[3] = {fr__gather3(voxel), fr__gather3(voxel >> 1), fr__gather3(voxel >> 2)};
    const int64_t high[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
    fr_octree_fill(tree, low, high, FR_CELL_BLACK);
}

// Colours the trees, and picks those to be walked: a part that may meet itself is there twice.
static bool colour_trees(const fr__octree_root *root) {
    fr__octree_scratch *scratch = root->scratch;
    const fr__face_cell *cells = scratch->cells.data;
    fr_octree **trees = scratch->trees.data;
    for (size_t i = 0; i < scratch->cells.count; i++) {
        if (i > 0 && key_of_cell(&cells[i - 1]) == key_of_cell(&cells[i])) { continue; }
        blacken(trees[cells[i].member], cells[i].voxel);
    }
    scratch->walked.count = scratch->owners.count = 0;
    for (uint32_t m = 0; m < scratch->members.count; m++) {
        uint32_t copies = fr__octree_find_part_pair(root, m, m) != FR_NONE ? 2 : 1;
        for (uint32_t k = 0; k < copies; k++) {
            const fr_octree **walked = fr__octree_view_array_push(&scratch->walked, 1);
            uint32_t *owner = fr_uint32_array_push(&scratch->owners, 1);
            if (walked == NULL || owner == NULL) { return fr__run_fail(root->run); }
            *walked = trees[m];
            *owner = m;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps 3 and 4

static bool cell_is_before_key(const fr__face_cell *cell, uint64_t key) { return key_of_cell(cell) < key; }

FR_SEARCH_TYPE(search_cells, fr__face_cell, uint64_t, cell_is_before_key);

// The first of the cells at or after a key.
static size_t find_cell(const fr__face_cell_array *cells, uint64_t key) {
    return search_cells(cells->data, cells->count, key);
}

// Pairs of the faces of two members in a cell, of `voxels` smallest cubes from `voxel` on.
static bool list_members(const fr__octree_root *root, uint32_t a, uint32_t b, uint32_t voxel, uint32_t voxels) {
    const fr__face_cell_array *cells = &root->scratch->cells;
    const fr__face_cell *all = cells->data;
    if (fr__octree_find_part_pair(root, a, b) == FR_NONE) { return true; }
    size_t a0 = find_cell(cells, fr__pair_key(a, voxel)), a1 = find_cell(cells, fr__pair_key(a, voxel) + voxels);
    size_t b0 = find_cell(cells, fr__pair_key(b, voxel)), b1 = find_cell(cells, fr__pair_key(b, voxel) + voxels);
    for (size_t i = a0; i < a1; i++) {
        for (size_t j = a == b ? i + 1 : b0; j < (a == b ? a1 : b1); j++) {
            if (all[i].face == all[j].face) { continue; }
            if (!fr__octree_list_faces(root, all[i].face, all[j].face)) { return false; }
        }
    }
    return !atomic_load_explicit(&root->run->is_stopped, memory_order_relaxed);
}

static bool list_cell(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context) {
    const fr__octree_root *root = context;
    const uint32_t *owners = root->scratch->owners.data;
    uint32_t voxel = fr__morton3(cell->x, cell->y, cell->z), voxels = 1u << 3 * cell->level;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            if (!list_members(root, owners[trees[i]], owners[trees[j]], voxel, voxels)) { return false; }
        }
    }
    return true;
}

// The walk's scratch comes from an array that stays: pieces of it one after another.
static void *take_piece(size_t size, size_t align, void *user) {
    fr__walk_block_array *walk = user;
    (void)align;
    size_t blocks = (size + 63) / 64;
    return walk->count + blocks <= walk->capacity ? fr__walk_block_array_push(walk, blocks) : NULL;
}

static void leave_piece(void *pointer, size_t size, void *user) {
    (void)pointer;
    (void)size;
    (void)user;
}

static bool walk_trees(fr__octree_root *root) {
    fr__octree_scratch *scratch = root->scratch;
    size_t count = scratch->walked.count, bytes = (root->depth + 1) * count * sizeof(uint32_t);
    scratch->walk.count = 0;
    if (!fr__walk_block_array_reserve(&scratch->walk, 2 * (bytes / 64 + 1))) { return fr__run_fail(root->run); }
    fr_octree_traverse_input input = {.trees = scratch->walked.data,
                                      .tree_count = (uint32_t)count,
                                      .reading =
                                          root->run->query.input->is_as_printed ? FR_OCTREE_PRINTED : FR_OCTREE_DIVIDE,
                                      .found = list_cell,
                                      .context = root,
                                      .allocator = {take_piece, leave_piece, &scratch->walk}};
    fr_octree_traverse_output output;
    fr_status status = fr_octree_traverse(&input, &output, NULL);
    root->run->stats.nodes += output.visited;
    if (status == FR_ERROR_MEMORY || status == FR_ERROR_LIMIT) { fr__run_fail(root->run); }
    return status == FR_OK;
}

// Deep trees of many members would take more scratch than all faces do.
static uint32_t depth_for(size_t members) {
    uint32_t depth = MAX_DEPTH;
    while (depth > 4 && members << 3 * depth > (size_t)1 << 31) {
        depth--;
    }
    return depth;
}

bool fr__object_octree_list(fr__run *run) {
    fr__octree_root root;
    if (!fr__octree_begin(run, depth_for(2 * (size_t)run->plan.part_pair_count), &root)) { return false; }
    if (run->scratch->octree.faces.count == 0) { return true; }
    return mark_faces(&root) && take_trees(&root) && colour_trees(&root) && walk_trees(&root);
}
