// The graph of white leaves of a tree: which leaves share a face.
#include "plan/faithful/white_graph.h"

#include <string.h>

fr_white_graph fr_white_graph_empty(const fr_allocator *allocator) {
    fr_white_graph g;
    memset(&g, 0, sizeof g);
    g.leaves = fr__cell_array_make(allocator);
    g.owners = fr_uint32_array_make(allocator);
    g.begins = fr_uint32_array_make(allocator);
    g.edges = fr_uint32_array_make(allocator);
    return g;
}

void fr_white_graph_free(fr_white_graph *g) {
    fr__cell_array_destroy(&g->leaves);
    fr_uint32_array_destroy(&g->owners);
    fr_uint32_array_destroy(&g->begins);
    fr_uint32_array_destroy(&g->edges);
}

static uint32_t *owner_at(const fr_white_graph *g, uint32_t x, uint32_t y, uint32_t z) {
    return g->owners.data + ((size_t)z * g->size + y) * g->size + x;
}

static uint32_t layers_of(const fr_white_graph *g, const fr_cell *leaf) {
    return g->dimension == 3 ? 1u << leaf->level : 1;
}

static bool add_leaf(const fr_cell *cell, void *context) {
    fr_white_graph *g = context;
    fr_cell *leaf = fr__cell_array_push(&g->leaves, 1);
    if (leaf == NULL) { return false; }
    *leaf = *cell;
    uint32_t number = (uint32_t)g->leaves.count - 1, size = 1u << cell->level;
    for (uint32_t i = 0; i < size * layers_of(g, cell); i++) {
        uint32_t *row = owner_at(g, cell->x, cell->y + i % size, cell->z + i / size);
        for (uint32_t x = 0; x < size; x++) {
            row[x] = number;
        }
    }
    return true;
}

// The neighbours through the face of a leaf on an axis, one side of it. Walking the cells beyond the face, an owner is
// new where its cell is the first of that owner's there.
static bool add_neighbors(fr_white_graph *g, const fr_cell *leaf, int axis, bool up) {
    uint32_t size = 1u << leaf->level, at[3] = {leaf->x, leaf->y, leaf->z};
    if (up ? at[axis] + size >= g->size : at[axis] == 0) { return true; }
    at[axis] = up ? at[axis] + size : at[axis] - 1;
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    uint32_t across = g->dimension == 3 ? size : 1, low_u = at[u], low_v = at[v];
    for (uint32_t i = 0; i < size * across; i++) {
        at[u] = low_u + i % size;
        at[v] = low_v + i / size;
        uint32_t owner = *owner_at(g, at[0], at[1], at[2]);
        if (owner == FR_WHITE_NONE) { continue; }
        const fr_cell *other = fr_white_leaf(g, owner);
        const uint32_t first[3] = {other->x, other->y, other->z};
        bool is_new = (at[u] == low_u || at[u] == first[u]) && (at[v] == low_v || at[v] == first[v]);
        if (!is_new) { continue; }
        uint32_t *edge = fr_uint32_array_push(&g->edges, 1);
        if (edge == NULL) { return false; }
        *edge = owner;
    }
    return true;
}

static bool add_edges(fr_white_graph *g) {
    uint32_t *begins = fr_uint32_array_push(&g->begins, g->leaves.count + 1);
    if (begins == NULL) { return false; }
    for (uint32_t i = 0; i < g->leaves.count; i++) {
        begins[i] = (uint32_t)g->edges.count;
        for (int side = 0; side < 2 * g->dimension; side++) {
            if (!add_neighbors(g, fr_white_leaf(g, i), side / 2, side % 2 == 1)) { return false; }
        }
    }
    begins[g->leaves.count] = (uint32_t)g->edges.count;
    return true;
}

fr_status fr_white_graph_make(fr_white_graph *g, const fr_octree *octree, fr_error *error) {
    fr_octree_def def = fr_octree_get_def(octree);
    g->dimension = def.dimension;
    g->size = 1u << def.depth;
    g->leaves.count = g->owners.count = g->begins.count = g->edges.count = 0;
    size_t cells = (size_t)g->size * g->size * (def.dimension == 3 ? g->size : 1);
    bool has_memory = fr_uint32_array_push(&g->owners, cells) != NULL;
    if (has_memory) { memset(g->owners.data, 0xff, cells * sizeof(uint32_t)); }
    has_memory = has_memory && fr_octree_leaves(octree, FR_CELL_WHITE, add_leaf, g) && add_edges(g);
    return has_memory ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the white leaves of a tree");
}

uint32_t fr_white_leaf_at(const fr_white_graph *g, fr_vec3 p) {
    double n = (double)g->size, z = g->dimension == 3 ? p.z : 0.5;
    bool is_in = p.x >= 0.0 && p.y >= 0.0 && z >= 0.0 && p.x < n && p.y < n && z < n;
    return is_in ? *owner_at(g, (uint32_t)p.x, (uint32_t)p.y, (uint32_t)z) : FR_WHITE_NONE;
}

fr_vec3 fr_white_center(const fr_white_graph *g, uint32_t leaf) {
    const fr_cell *c = fr_white_leaf(g, leaf);
    double half = 0.5 * (double)(1u << c->level);
    return fr_vec3_make(c->x + half, c->y + half, g->dimension == 3 ? c->z + half : 0.5);
}

fr_vec3 fr_white_shared_face(const fr_white_graph *g, uint32_t a, uint32_t b) {
    const fr_cell *ca = fr_white_leaf(g, a), *cb = fr_white_leaf(g, b);
    uint32_t small = ca->level <= cb->level ? a : b, large = small == a ? b : a;
    fr_vec3 p = fr_white_center(g, small);
    double half = 0.5 * (double)(1u << fr_white_leaf(g, small)->level);
    const fr_cell *l = fr_white_leaf(g, large);
    double size = (double)(1u << l->level);
    // On the axis where the smaller one lies outside the larger.
    if (p.x < l->x || p.x > l->x + size) {
        p.x += p.x < l->x ? half : -half;
    } else if (p.y < l->y || p.y > l->y + size) {
        p.y += p.y < l->y ? half : -half;
    } else {
        p.z += p.z < l->z ? half : -half;
    }
    return p;
}

fr_plan_box fr_white_box(const fr_white_graph *g, uint32_t leaf) {
    const fr_cell *c = fr_white_leaf(g, leaf);
    int32_t x = (int32_t)c->x, y = (int32_t)c->y, z = (int32_t)c->z, size = 1 << c->level;
    return (fr_plan_box){{x, y, z}, {x + size, y + size, z + (int32_t)layers_of(g, c)}};
}
