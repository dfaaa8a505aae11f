// The topology of a mesh (neighbours, components, fans) in O(n). Edges are grouped by their lower vertex (a counting
// sort) and matched by their higher one inside each group. Components are flooded through twins, and each vertex's fan
// is walked around.
#include "fureai/base_order.h"
#include "shape/mesh.h"
#include "shape/place_table.h"

#include <string.h>

#define TOPOLOGY_DEF_COOKIE 0x746f706fu // "topo"

typedef struct topology_block {
    fr_topology topology; // first, so that the public pointer is the block
    fr_allocator allocator;
    size_t triangle_count;
} topology_block;

// Scratch of one run; every array has its own count so that it can be given back.
typedef struct topology_scratch {
    const uint32_t *corner; // the vertex of each corner; where vertices are welded, the first one at its place
    uint32_t *welded;       // what `corner` is then; else NULL
    uint32_t *bucket; // first edge of each lower vertex in `edges`, vertex_count + 1; later corners at each vertex
    uint64_t *edges;  // higher vertex << 32 | edge, gathered by lower vertex; later a queue of triangles
    uint32_t *first;  // of each vertex: the first at its place, later its first corner
    size_t vertex_count, edge_count;
    const fr_control *control;
} topology_scratch;

fr_topology_def fr_default_topology_def(void) {
    fr_topology_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TOPOLOGY_DEF_COOKIE;
    return def;
}

static size_t block_bytes(size_t triangle_count) {
    return sizeof(topology_block) + triangle_count * 4 * sizeof(uint32_t);
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices at the same place

static fr_status weld_vertices(const fr_mesh_view *view, const fr_allocator *allocator, topology_scratch *scratch) {
    fr__place_table table;
    if (!fr__place_table_take(view, view->vertex_count, allocator, &table)) { return FR_ERROR_MEMORY; }
    bool stopped = false;
    for (uint32_t i = 0; i < view->vertex_count && !stopped; i++) {
        stopped = fr__is_stopped(scratch->control, i);
        scratch->first[i] = fr__place_table_first(&table, i);
    }
    fr__place_table_release(&table);
    for (size_t e = 0; e < scratch->edge_count && !stopped; e++) {
        scratch->welded[e] = scratch->first[view->triangles[e]];
    }
    scratch->corner = scratch->welded;
    return stopped ? FR_ERROR_STOPPED : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

static uint32_t next_edge(uint32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }

static uint32_t previous_edge(uint32_t edge) { return edge % 3 == 0 ? edge + 2 : edge - 1; }

// A triangle with two corners at one vertex has no part in the topology: its neighbours meet through it.
static bool has_collapsed(const topology_scratch *scratch, uint32_t triangle) {
    const uint32_t *c = scratch->corner + 3 * (size_t)triangle;
    return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
}

static bool gather_edges(uint32_t triangle_count, topology_scratch *scratch) {
    uint32_t *bucket = scratch->bucket;
    memset(bucket, 0, (scratch->vertex_count + 1) * sizeof *bucket);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < triangle_count; t++) {
            if (fr__is_stopped(scratch->control, t)) { return false; }
            if (has_collapsed(scratch, t)) { continue; }
            for (uint32_t e = 3 * t; e < 3 * t + 3; e++) {
                uint32_t u = scratch->corner[e], v = scratch->corner[next_edge(e)];
                uint32_t low = u < v ? u : v, high = u < v ? v : u;
                if (pass == 0) {
                    bucket[low]++;
                } else {
                    scratch->edges[--bucket[low]] = (uint64_t)high << 32 | e;
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
    return true;
}

// Counts and joins one run of edges between the same two vertices.
static void join_run(const topology_scratch *scratch, const uint64_t *run, uint32_t count, fr_topology *topology,
                     uint32_t *twin) {
    if (count == 1) {
        topology->border_edges++;
    } else if (count > 2) {
        topology->crowded_edges += count;
    } else {
        uint32_t e = (uint32_t)run[0], f = (uint32_t)run[1];
        twin[e] = f;
        twin[f] = e;
        if (scratch->corner[e] == scratch->corner[f]) { topology->flipped_edges += 2; }
    }
}

static bool match_edges(const topology_scratch *scratch, fr_topology *topology, uint32_t *twin) {
    memset(twin, 0xff, scratch->edge_count * sizeof *twin);
    for (size_t v = 0; v < scratch->vertex_count; v++) {
        if (fr__is_stopped(scratch->control, v)) { return false; }
        uint64_t *edges = scratch->edges + scratch->bucket[v];
        uint32_t count = scratch->bucket[v + 1] - scratch->bucket[v];
        fr_sort_uint64(edges, count);
        for (uint32_t begin = 0, end; begin < count; begin = end) {
            for (end = begin + 1; end < count && edges[end] >> 32 == edges[begin] >> 32;) {
                end++;
            }
            join_run(scratch, edges + begin, end - begin, topology, twin);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Components and fans

// Flooded from the lowest triangle that has none yet, so that they are numbered by their lowest triangles.
static bool find_components(uint32_t triangle_count, topology_scratch *scratch, fr_topology *topology,
                            const uint32_t *twin, uint32_t *component) {
    uint32_t *queue = (uint32_t *)(void *)scratch->edges;
    size_t head = 0, tail = 0;
    memset(component, 0xff, triangle_count * sizeof *component);
    for (uint32_t seed = 0; seed < triangle_count; seed++) {
        if (component[seed] != FR_NONE || has_collapsed(scratch, seed)) { continue; }
        uint32_t number = topology->component_count++;
        component[seed] = number;
        queue[tail++] = seed;
        for (; head < tail; head++) {
            if (fr__is_stopped(scratch->control, head)) { return false; }
            const uint32_t *beside = twin + 3 * (size_t)queue[head];
            for (int k = 0; k < 3; k++) {
                uint32_t triangle = beside[k] / 3;
                if (beside[k] == FR_NONE || component[triangle] != FR_NONE) { continue; }
                component[triangle] = number;
                queue[tail++] = triangle;
            }
        }
    }
    return true;
}

// Goes around a vertex from its corner `start`, first across `edge` of that triangle, and counts the corners met.
// Returns whether it came back to the start; it ends at a border otherwise. Each corner has two edges with at most one
// twin each, so the walk has no fork.
static bool walk_around(const topology_scratch *scratch, const uint32_t *twin, uint32_t start, uint32_t edge,
                        uint32_t *met) {
    uint32_t vertex = scratch->corner[start];
    while (twin[edge] != FR_NONE) {
        uint32_t across = twin[edge];
        bool leaves = scratch->corner[across] == vertex; // where the two faces disagree on what is outside
        uint32_t corner = leaves ? across : next_edge(across);
        if (corner == start) { return true; }
        edge = leaves ? previous_edge(across) : corner;
        ++*met;
    }
    return false;
}

// Whether the triangles around each vertex form one fan: a walk from one of its corners, in both directions where it
// meets a border, meets them all.
static bool find_fans(const topology_scratch *scratch, const uint32_t *twin, bool *are_whole) {
    uint32_t *corner_count = scratch->bucket, *first = scratch->first;
    memset(corner_count, 0, scratch->vertex_count * sizeof *corner_count);
    memset(first, 0xff, scratch->vertex_count * sizeof *first);
    for (uint32_t e = 0; e < scratch->edge_count; e++) {
        if (fr__is_stopped(scratch->control, e)) { return false; }
        if (has_collapsed(scratch, e / 3)) { continue; }
        corner_count[scratch->corner[e]]++;
        first[scratch->corner[e]] = e;
    }
    *are_whole = true;
    for (size_t v = 0; v < scratch->vertex_count && *are_whole; v++) {
        if (fr__is_stopped(scratch->control, v)) { return false; }
        if (first[v] == FR_NONE) { continue; }
        uint32_t met = 1;
        if (!walk_around(scratch, twin, first[v], first[v], &met)) {
            walk_around(scratch, twin, first[v], previous_edge(first[v]), &met);
        }
        *are_whole = met == corner_count[v];
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static bool take_scratch(const fr_mesh_view *view, bool weld, const fr_allocator *allocator,
                         topology_scratch *scratch) {
    size_t vertex_count = view->vertex_count, edge_count = 3 * (size_t)view->triangle_count, align = sizeof(uint32_t);
    scratch->corner = view->triangles;
    scratch->vertex_count = vertex_count;
    scratch->edge_count = edge_count;
    if (weld) { scratch->welded = fr_allocate(allocator, edge_count, sizeof(uint32_t), align); }
    scratch->bucket = fr_allocate(allocator, vertex_count + 1, sizeof(uint32_t), align);
    scratch->first = fr_allocate(allocator, vertex_count, sizeof(uint32_t), align);
    scratch->edges = fr_allocate(allocator, edge_count, sizeof(uint64_t), _Alignof(uint64_t));
    return (!weld || scratch->welded != NULL) && scratch->bucket != NULL && scratch->first != NULL &&
           scratch->edges != NULL;
}

static void give_scratch_back(const fr_allocator *allocator, topology_scratch *scratch) {
    fr_deallocate(allocator, scratch->welded, scratch->edge_count, sizeof(uint32_t));
    fr_deallocate(allocator, scratch->bucket, scratch->vertex_count + 1, sizeof(uint32_t));
    fr_deallocate(allocator, scratch->first, scratch->vertex_count, sizeof(uint32_t));
    fr_deallocate(allocator, scratch->edges, scratch->edge_count, sizeof(uint64_t));
}

// False when stopped.
static bool fill_topology(const fr_mesh_view *view, topology_scratch *scratch, topology_block *block) {
    fr_topology *topology = &block->topology;
    uint32_t *twin = (uint32_t *)(void *)(block + 1);
    uint32_t *component = twin + scratch->edge_count;
    topology->edge_count = (uint32_t)scratch->edge_count;
    topology->twin = twin;
    topology->component = component;

    if (!gather_edges(view->triangle_count, scratch) || !match_edges(scratch, topology, twin) ||
        !find_components(view->triangle_count, scratch, topology, twin, component)) {
        return false;
    }
    topology->is_closed = topology->border_edges == 0 && topology->crowded_edges == 0 && topology->flipped_edges == 0;
    return topology->crowded_edges > 0 || find_fans(scratch, twin, &topology->is_manifold);
}

fr_status fr_topology_create(const fr_mesh *mesh, const fr_topology_def *def, fr_topology **out, fr_error *error) {
    FR_ASSERT(mesh != NULL && def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != TOPOLOGY_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_topology_def"); }
    const fr_mesh_view *view = &mesh->view;
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);

    topology_scratch scratch = {.control = def->control};
    topology_block *block = fr_allocate(&allocator, block_bytes(view->triangle_count), 1, _Alignof(topology_block));
    bool taken = take_scratch(view, def->is_welded, &allocator, &scratch);
    fr_status status = block != NULL && taken ? FR_OK : FR_ERROR_MEMORY;
    if (status == FR_OK && def->is_welded) { status = weld_vertices(view, &allocator, &scratch); }
    if (status == FR_OK) {
        memset(block, 0, sizeof *block);
        block->allocator = allocator;
        block->triangle_count = view->triangle_count;
        status = fill_topology(view, &scratch, block) ? FR_OK : FR_ERROR_STOPPED;
    }
    give_scratch_back(&allocator, &scratch);
    if (status == FR_OK) {
        *out = &block->topology;
        return FR_OK;
    }

    fr_deallocate(&allocator, block, block_bytes(view->triangle_count), 1);
    const char *reason = status == FR_ERROR_MEMORY ? "out of memory for" : "stopped while finding";
    return fr_error_set(error, status, "%s the topology of %u triangles", reason, view->triangle_count);
}

void fr_topology_destroy(fr_topology *topology) {
    if (topology == NULL) { return; }
    topology_block *block = (topology_block *)topology;
    fr_allocator allocator = block->allocator;
    fr_deallocate(&allocator, block, block_bytes(block->triangle_count), 1);
}
