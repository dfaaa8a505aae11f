// Several octrees traversed together: the cells that two of them share.
#include "octree/octree.h"

typedef struct traversal {
    const fr_octree_traverse_input *input;
    uint64_t *visited;
    uint32_t *lists;       // one a level: the trees that are not white
    fr_cell_color *colors; // beside each
} traversal;

typedef enum cell_verdict { VERDICT_NONE, VERDICT_MEET, VERDICT_DIVIDE } cell_verdict;

// What the colours of the trees that are not white say about a cell.
static cell_verdict judge(fr_octree_reading reading, const fr_cell_color *colors, uint32_t count) {
    uint32_t black = 0;
    for (uint32_t i = 0; i < count; i++) {
        black += colors[i] == FR_CELL_BLACK;
    }
    if (count < 2) { return VERDICT_NONE; }
    if (black == count || (reading == FR_OCTREE_PRINTED && black > 0)) { return VERDICT_MEET; }
    return VERDICT_DIVIDE;
}

// The trees of `level`'s list are those that are not white at the cell. Voxels are never gray.
static bool visit(const traversal *t, const fr_cell *cell, uint32_t index, uint32_t count) {
    const fr_octree_traverse_input *input = t->input;
    uint32_t *list = t->lists + (size_t)cell->level * input->tree_count;
    fr_cell_color *colors = t->colors + (size_t)cell->level * input->tree_count;
    (*t->visited)++;
    cell_verdict v = judge(input->reading, colors, count);
    if (v == VERDICT_NONE) { return true; }
    if (v == VERDICT_MEET) {
        fr_cell found = *cell;
        found.color = FR_CELL_BLACK;
        for (uint32_t i = 0; i < count; i++) {
            if (colors[i] == FR_CELL_GRAY) { found.color = FR_CELL_GRAY; }
        }
        return input->found(&found, list, count, input->context);
    }
    uint32_t dimension = input->trees[0]->dimension;
    uint32_t *next = list - input->tree_count;
    fr_cell_color *next_colors = colors - input->tree_count;
    for (uint32_t c = 0; c < 1u << dimension; c++) {
        fr_cell child = fr__cell_child(cell, c);
        uint32_t child_index = (index << dimension) + c, kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            fr_cell_color color = FR_CELL_BLACK;
            if (colors[i] == FR_CELL_GRAY) { color = fr__octree_node(input->trees[list[i]], child.level, child_index); }
            if (color == FR_CELL_WHITE) { continue; }
            next[kept] = list[i];
            next_colors[kept++] = color;
        }
        if (kept > 1 && !visit(t, &child, child_index, kept)) { return false; }
    }
    return true;
}

fr_status fr_octree_traverse(const fr_octree_traverse_input *input, fr_octree_traverse_output *output,
                             fr_error *error) {
    FR_ASSERT(input != NULL && (input->tree_count == 0 || input->trees != NULL) && input->found != NULL);
    fr_octree_traverse_output unused;
    output = output != NULL ? output : &unused;
    output->visited = 0;
    if (input->tree_count > 1u << 20) { return fr_error_set(error, FR_ERROR_LIMIT, "more than 2^20 octrees"); }
    for (uint32_t i = 1; i < input->tree_count; i++) {
        if (!fr__octree_alike(input->trees[0], input->trees[i])) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "octree %u has another depth than the first", (unsigned)i);
        }
    }
    if (input->tree_count < 2) { return FR_OK; }
    uint32_t depth = input->trees[0]->def.depth;
    size_t count = (size_t)(depth + 1) * input->tree_count;
    traversal t = {input, &output->visited, fr_allocate(&input->allocator, count, sizeof *t.lists, 64),
                   fr_allocate(&input->allocator, count, sizeof *t.colors, 64)};
    fr_status status = FR_OK;
    if (t.lists == NULL || t.colors == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a walk of octrees");
    } else {
        uint32_t kept = 0;
        uint32_t *list = t.lists + (size_t)depth * input->tree_count;
        fr_cell_color *colors = t.colors + (size_t)depth * input->tree_count;
        for (uint32_t i = 0; i < input->tree_count; i++) {
            fr_cell_color color = fr__octree_node(input->trees[i], depth, 0);
            if (color == FR_CELL_WHITE) { continue; }
            list[kept] = i;
            colors[kept++] = color;
        }
        fr_cell root = {0, 0, 0, depth, FR_CELL_WHITE};
        if (!visit(&t, &root, 0, kept)) {
            status = fr_error_set(error, FR_ERROR_STOPPED, "the walk of octrees was ended");
        }
    }
    fr_deallocate(&input->allocator, t.lists, count, sizeof *t.lists);
    fr_deallocate(&input->allocator, t.colors, count, sizeof *t.colors);
    return status;
}

// A gray cell always holds some black.
static bool share_black(const fr_octree *a, const fr_octree *b, uint32_t level, uint32_t index) {
    fr_cell_color ca = fr__octree_node(a, level, index), cb = fr__octree_node(b, level, index);
    if (ca == FR_CELL_WHITE || cb == FR_CELL_WHITE) { return false; }
    if (ca == FR_CELL_BLACK || cb == FR_CELL_BLACK) { return true; }
    if (level <= a->word_level) {
        uint32_t shift = a->dimension * (a->word_level - level);
        return (a->words[index >> shift] & b->words[index >> shift]) != 0;
    }
    for (uint32_t c = 0; c < fr__octree_children(a); c++) {
        if (share_black(a, b, level - 1, (index << a->dimension) + c)) { return true; }
    }
    return false;
}

bool fr_octree_interfere(const fr_octree *a, const fr_octree *b) {
    return fr__octree_alike(a, b) && share_black(a, b, a->def.depth, 0);
}
