// Who is beside whom, in O(n): edges are gathered by their lower vertex (a counting sort), matched by their higher one
// inside each gathering, and joined into components and fans by union-find.
#include "shape/mesh.h"

#include <string.h>

typedef struct topology_block {
    fr_topology topology; // first, so that the public pointer is the block
    fr_allocator allocator;
    size_t triangle_count;
} topology_block;

// Scratch of one run; every array has its own count so that it can be given back.
typedef struct topology_scratch {
    uint32_t *vertex; // canonical vertex of each vertex
    uint32_t *bucket; // first edge of each lower vertex in `edges`; vertex_count + 1
    uint32_t *edges;  // edge indices gathered by lower vertex
    uint32_t *parent; // union-find over corners, then over triangles
    uint32_t *seen;   // per vertex
    size_t vertex_count, edge_count;
} topology_scratch;

static size_t block_bytes(size_t triangle_count) {
    return sizeof(topology_block) + triangle_count * 4 * sizeof(uint32_t);
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices at the same place

// Positions compare by value: -0 and 0 are one place.
static uint64_t place_hash(fr_vec3 p) {
    double key[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0};
    return fr_hash(key, sizeof key, 0);
}

// The first vertex at each vertex's place, by an open hash table of at least twice the vertices.
static bool weld_vertices(const fr_mesh_view *view, const fr_allocator *allocator, uint32_t *vertex) {
    size_t slot_count = 16;
    while (slot_count < 2 * (size_t)view->vertex_count) {
        slot_count *= 2;
    }
    uint32_t *slots = fr_allocate(allocator, slot_count, sizeof *slots, _Alignof(uint32_t));
    if (slots == NULL) { return false; }
    memset(slots, 0xff, slot_count * sizeof *slots);

    for (uint32_t i = 0; i < view->vertex_count; i++) {
        fr_vec3 p = fr__mesh_position(view, i);
        size_t slot = (size_t)place_hash(p) & (slot_count - 1);
        while (slots[slot] != FR_NONE && !fr_vec3_equal(fr__mesh_position(view, slots[slot]), p)) {
            slot = (slot + 1) & (slot_count - 1);
        }
        if (slots[slot] == FR_NONE) { slots[slot] = i; }
        vertex[i] = slots[slot];
    }
    fr_release(allocator, slots, slot_count, sizeof *slots);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

static uint32_t next_edge(uint32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }

static uint32_t edge_start(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t edge) {
    return scratch->vertex[view->triangles[edge]];
}

static uint32_t edge_end(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t edge) {
    return scratch->vertex[view->triangles[next_edge(edge)]];
}

// A triangle with two corners at one vertex has no part in the topology: its neighbours meet through it.
static bool has_collapsed(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t triangle) {
    uint32_t a = edge_start(view, scratch, 3 * triangle);
    uint32_t b = edge_start(view, scratch, 3 * triangle + 1);
    uint32_t c = edge_start(view, scratch, 3 * triangle + 2);
    return a == b || b == c || c == a;
}

static void gather_edges(const fr_mesh_view *view, topology_scratch *scratch) {
    uint32_t *bucket = scratch->bucket;
    memset(bucket, 0, (scratch->vertex_count + 1) * sizeof *bucket);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < view->triangle_count; t++) {
            if (has_collapsed(view, scratch, t)) { continue; }
            for (uint32_t e = 3 * t; e < 3 * t + 3; e++) {
                uint32_t u = edge_start(view, scratch, e), v = edge_end(view, scratch, e);
                uint32_t low = u < v ? u : v;
                if (pass == 0) {
                    bucket[low]++;
                } else {
                    scratch->edges[--bucket[low]] = e;
                }
            }
        }
        // After counting, each entry becomes the end of its gathering; filling counts it down to its beginning.
        if (pass == 0) {
            for (size_t i = 1; i <= scratch->vertex_count; i++) {
                bucket[i] += bucket[i - 1];
            }
        }
    }
}

// The edges of one lower vertex are sorted by their higher vertex, then by number. Gatherings are short (a vertex's
// edges) except at the pole of a fan, so the sort must not be quadratic.
static uint32_t higher_vertex(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t edge) {
    uint32_t u = edge_start(view, scratch, edge), v = edge_end(view, scratch, edge);
    return u > v ? u : v;
}

static bool comes_before(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t a, uint32_t b) {
    uint32_t high_a = higher_vertex(view, scratch, a), high_b = higher_vertex(view, scratch, b);
    return high_a != high_b ? high_a < high_b : a < b;
}

// Heap sort: in place, no recursion, the same for every input order.
static void sift_down(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t *edges, uint32_t root,
                      uint32_t count) {
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_before(view, scratch, edges[child], edges[child + 1])) { child++; }
        if (!comes_before(view, scratch, edges[root], edges[child])) { return; }
        uint32_t swap = edges[root];
        edges[root] = edges[child];
        edges[child] = swap;
    }
}

static void sort_by_end(const fr_mesh_view *view, const topology_scratch *scratch, uint32_t *edges, uint32_t count) {
    for (uint32_t root = count / 2; root-- > 0;) {
        sift_down(view, scratch, edges, root, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        uint32_t swap = edges[0];
        edges[0] = edges[end];
        edges[end] = swap;
        sift_down(view, scratch, edges, 0, end);
    }
}

// Counts and joins one run of edges between the same two vertices.
static void join_run(const fr_mesh_view *view, const topology_scratch *scratch, const uint32_t *run, uint32_t count,
                     fr_topology *topology, uint32_t *twin) {
    if (count == 1) {
        topology->border_edges++;
    } else if (count > 2) {
        topology->crowded_edges += count;
    } else {
        twin[run[0]] = run[1];
        twin[run[1]] = run[0];
        if (edge_start(view, scratch, run[0]) == edge_start(view, scratch, run[1])) { topology->flipped_edges += 2; }
    }
}

static void match_edges(const fr_mesh_view *view, topology_scratch *scratch, fr_topology *topology, uint32_t *twin) {
    memset(twin, 0xff, scratch->edge_count * sizeof *twin);
    for (size_t v = 0; v < scratch->vertex_count; v++) {
        uint32_t *edges = scratch->edges + scratch->bucket[v];
        uint32_t count = scratch->bucket[v + 1] - scratch->bucket[v];
        sort_by_end(view, scratch, edges, count);
        for (uint32_t begin = 0, end; begin < count; begin = end) {
            uint32_t high = higher_vertex(view, scratch, edges[begin]);
            for (end = begin + 1; end < count && higher_vertex(view, scratch, edges[end]) == high;) {
                end++;
            }
            join_run(view, scratch, edges + begin, end - begin, topology, twin);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Components and fans

static uint32_t find_root(uint32_t *parent, uint32_t item) {
    while (parent[item] != item) {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

// The lower root stays, so that a set is named by its lowest member.
static void join_sets(uint32_t *parent, uint32_t a, uint32_t b) {
    uint32_t root_a = find_root(parent, a), root_b = find_root(parent, b);
    if (root_a < root_b) {
        parent[root_b] = root_a;
    } else {
        parent[root_a] = root_b;
    }
}

static void find_components(const fr_mesh_view *view, topology_scratch *scratch, fr_topology *topology,
                            const uint32_t *twin, uint32_t *component) {
    uint32_t *parent = scratch->parent;
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        parent[t] = t;
    }
    for (uint32_t e = 0; e < topology->edge_count; e++) {
        if (twin[e] != FR_NONE) { join_sets(parent, e / 3, twin[e] / 3); }
    }
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        if (has_collapsed(view, scratch, t)) {
            component[t] = FR_NONE;
        } else {
            uint32_t root = find_root(parent, t);
            component[t] = root == t ? topology->component_count++ : component[root];
        }
    }
}

// Whether the triangles around each vertex form one fan: all its corners are joined through shared edges.
static bool fans_are_whole(const fr_mesh_view *view, topology_scratch *scratch, const uint32_t *twin) {
    uint32_t *parent = scratch->parent;
    for (uint32_t e = 0; e < scratch->edge_count; e++) {
        parent[e] = e;
    }
    for (uint32_t e = 0; e < scratch->edge_count; e++) {
        uint32_t f = twin[e];
        if (f == FR_NONE || f < e) { continue; }
        bool same_way = edge_start(view, scratch, e) == edge_start(view, scratch, f);
        join_sets(parent, e, same_way ? f : next_edge(f));
        join_sets(parent, next_edge(e), same_way ? next_edge(f) : f);
    }
    memset(scratch->seen, 0xff, scratch->vertex_count * sizeof *scratch->seen);
    for (uint32_t e = 0; e < scratch->edge_count; e++) {
        if (has_collapsed(view, scratch, e / 3)) { continue; }
        uint32_t *seen = &scratch->seen[edge_start(view, scratch, e)];
        uint32_t root = find_root(parent, e);
        if (*seen != FR_NONE && *seen != root) { return false; }
        *seen = root;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static bool take_scratch(const fr_mesh_view *view, const fr_allocator *allocator, topology_scratch *scratch) {
    size_t vertex_count = view->vertex_count, edge_count = 3 * (size_t)view->triangle_count, align = sizeof(uint32_t);
    memset(scratch, 0, sizeof *scratch);
    scratch->vertex_count = vertex_count;
    scratch->edge_count = edge_count;
    scratch->vertex = fr_allocate(allocator, vertex_count, sizeof(uint32_t), align);
    scratch->bucket = fr_allocate(allocator, vertex_count + 1, sizeof(uint32_t), align);
    scratch->seen = fr_allocate(allocator, vertex_count, sizeof(uint32_t), align);
    scratch->edges = fr_allocate(allocator, edge_count, sizeof(uint32_t), align);
    scratch->parent = fr_allocate(allocator, edge_count, sizeof(uint32_t), align);
    return scratch->vertex != NULL && scratch->bucket != NULL && scratch->seen != NULL && scratch->edges != NULL &&
           scratch->parent != NULL;
}

static void give_scratch_back(const fr_allocator *allocator, topology_scratch *scratch) {
    fr_release(allocator, scratch->vertex, scratch->vertex_count, sizeof(uint32_t));
    fr_release(allocator, scratch->bucket, scratch->vertex_count + 1, sizeof(uint32_t));
    fr_release(allocator, scratch->seen, scratch->vertex_count, sizeof(uint32_t));
    fr_release(allocator, scratch->edges, scratch->edge_count, sizeof(uint32_t));
    fr_release(allocator, scratch->parent, scratch->edge_count, sizeof(uint32_t));
}

static void fill_topology(const fr_mesh_view *view, topology_scratch *scratch, topology_block *block) {
    fr_topology *topology = &block->topology;
    uint32_t *twin = (uint32_t *)(void *)(block + 1);
    uint32_t *component = twin + scratch->edge_count;
    topology->edge_count = (uint32_t)scratch->edge_count;
    topology->twin = twin;
    topology->component = component;

    gather_edges(view, scratch);
    match_edges(view, scratch, topology, twin);
    find_components(view, scratch, topology, twin, component);
    topology->closed = topology->border_edges == 0 && topology->crowded_edges == 0 && topology->flipped_edges == 0;
    topology->manifold = topology->crowded_edges == 0 && fans_are_whole(view, scratch, twin);
}

fr_status fr_topology_create(const fr_mesh *mesh, bool weld, const fr_allocator *allocator, fr_topology **out,
                             fr_error *error) {
    FR_ASSERT(mesh != NULL && out != NULL);
    *out = NULL;
    const fr_mesh_view *view = &mesh->view;
    fr_allocator chosen = fr_allocator_or_default(allocator);

    topology_scratch scratch;
    topology_block *block = fr_allocate(&chosen, block_bytes(view->triangle_count), 1, _Alignof(topology_block));
    bool taken = take_scratch(view, &chosen, &scratch);
    if (block == NULL || !taken) { goto fail; }
    if (weld) {
        if (!weld_vertices(view, &chosen, scratch.vertex)) { goto fail; }
    } else {
        for (uint32_t i = 0; i < view->vertex_count; i++) {
            scratch.vertex[i] = i;
        }
    }

    memset(block, 0, sizeof *block);
    block->allocator = chosen;
    block->triangle_count = view->triangle_count;
    fill_topology(view, &scratch, block);
    give_scratch_back(&chosen, &scratch);
    *out = &block->topology;
    return FR_OK;

fail:
    give_scratch_back(&chosen, &scratch);
    fr_release(&chosen, block, block_bytes(view->triangle_count), 1);
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the topology of %u triangles", view->triangle_count);
}

void fr_topology_destroy(fr_topology *topology) {
    if (topology == NULL) { return; }
    topology_block *block = (topology_block *)topology;
    fr_allocator allocator = block->allocator;
    fr_release(&allocator, block, block_bytes(block->triangle_count), 1);
}
