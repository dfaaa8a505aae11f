// Octrees from meshes: definition, checks and the choice of method.
#include "octree/builder.h"

#include "shape/mesh.h"

#include <string.h>

#define OCTREE_MESH_COOKIE 0x4f4d4553u

fr_octree_build_input fr_default_octree_build_input(void) {
    fr_octree_build_input input;
    memset(&input, 0, sizeof input);
    input.rule = FR_VOXEL_TOUCH;
    input.cookie = OCTREE_MESH_COOKIE;
    return input;
}

fr_status fr_octree_builder_create(const fr_allocator *allocator, fr_octree_builder **out, fr_error *error) {
    fr_allocator from = fr_allocator_or_default(allocator);
    fr_octree_builder *b = fr_allocate(&from, 1, sizeof *b, _Alignof(fr_octree_builder));
    *out = b;
    if (b == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a builder of octrees"); }
    memset(b, 0, sizeof *b);
    b->allocator = from;
    b->order = fr_uint32_array_make(&from);
    b->pieces = fr_uint32_array_make(&from);
    b->used = fr_uint32_array_make(&from);
    b->points = fr__vec3_array_make(&from);
    b->grid = fr__int32_array_make(&from);
    b->rows = fr_uint32_array_make(&from);
    return FR_OK;
}

void fr_octree_builder_destroy(fr_octree_builder *b) {
    if (b == NULL) { return; }
    fr_mesh_release(b->mesh);
    fr_uint32_array_destroy(&b->order);
    fr_uint32_array_destroy(&b->pieces);
    fr_uint32_array_destroy(&b->used);
    fr__vec3_array_destroy(&b->points);
    fr__int32_array_destroy(&b->grid);
    fr_uint32_array_destroy(&b->rows);
    fr_allocator allocator = b->allocator;
    fr_deallocate(&allocator, b, 1, sizeof *b);
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

// Counts the triangles of every piece, 0 for one with an edge that has no twin.
static void count_pieces(const fr_mesh_view *view, const fr_topology *t, uint32_t *counts) {
    memset(counts, 0, t->component_count * sizeof *counts);
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        if (t->component[i] != FR_NONE) { counts[t->component[i]]++; }
    }
    for (uint32_t e = 0; e < t->edge_count; e++) {
        if (t->component[e / 3] != FR_NONE && t->twin[e] == FR_NONE) { counts[t->component[e / 3]] = 0; }
    }
}

static bool order_pieces(fr_octree_builder *b, const fr_mesh_view *view, const fr_topology *t) {
    b->order.count = b->pieces.count = 0;
    uint32_t *ends = fr_uint32_array_push(&b->pieces, t->component_count);
    uint32_t *order = fr_uint32_array_push(&b->order, view->triangle_count);
    if (ends == NULL || order == NULL) { return false; }
    count_pieces(view, t, ends);
    uint32_t begin = 0;
    for (uint32_t c = 0; c < t->component_count; c++) {
        uint32_t count = ends[c];
        ends[c] = count > 0 ? begin : FR_NONE;
        begin += count;
    }
    b->order.count = begin;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        uint32_t c = t->component[i];
        if (c != FR_NONE && ends[c] != FR_NONE) { order[ends[c]++] = i; }
    }
    // Where a piece's triangles end is where the next begins; pieces that are open have none.
    size_t kept = 0;
    for (uint32_t c = 0; c < t->component_count; c++) {
        if (ends[c] != FR_NONE) { ends[kept++] = ends[c]; }
    }
    b->pieces.count = kept;
    return true;
}

// The vertices that triangles use, each once; others may be anywhere.
static bool find_used(fr_octree_builder *b, const fr_mesh_view *view) {
    b->used.count = b->grid.count = 0;
    uint32_t *used = fr_uint32_array_push(&b->used, view->vertex_count);
    int32_t *is_used = fr__int32_array_push(&b->grid, 3 * (size_t)view->vertex_count);
    if (used == NULL || is_used == NULL) { return view->vertex_count == 0; }
    memset(is_used, 0, view->vertex_count * sizeof *is_used);
    for (size_t k = 0; k < 3 * (size_t)view->triangle_count; k++) {
        is_used[view->triangles[k]] = 1;
    }
    b->used.count = 0;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        if (is_used[i]) { used[b->used.count++] = i; }
    }
    return true;
}

fr_status fr__builder_take_mesh(fr_octree_builder *b, const fr_mesh *mesh, fr_error *error) {
    if (b->mesh == mesh) { return FR_OK; }
    fr_mesh_release(b->mesh);
    b->mesh = NULL;
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    def.allocator = b->allocator;
    fr_topology *topology = NULL;
    fr_status status = fr_topology_create(mesh, &def, &topology, error);
    if (status != FR_OK) { return status; }
    bool has_room = order_pieces(b, fr_mesh_get(mesh), topology) && find_used(b, fr_mesh_get(mesh));
    fr_topology_destroy(topology);
    if (!has_room) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the pieces of a mesh"); }
    b->mesh = fr_mesh_retain(mesh);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Building

// Positions in voxels from the root's low corner.
static fr_status place_points(fr_octree_builder *b, const fr_octree_build_input *input, const fr_octree *out,
                              fr_error *error) {
    const fr_mesh_view *view = fr_mesh_get(input->mesh);
    fr_pose pose = input->pose != NULL ? *input->pose : fr_pose_identity();
    fr_status status = fr_pose_check(&pose, error);
    if (status != FR_OK) { return status; }
    b->points.count = b->grid.count = 0;
    fr_vec3 *points = fr__vec3_array_push(&b->points, view->vertex_count);
    if (points == NULL || fr__int32_array_push(&b->grid, 3 * (size_t)view->vertex_count) == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the vertices of a mesh");
    }
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        points[i] = input->vertices != NULL ? input->vertices[i] : fr__mesh_position(view, i);
    }
    fr_pose_apply_many(&pose, points, view->vertex_count, points);
    double scale = 1.0 / out->voxel;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        points[i] = fr_vec3_scale(scale, fr_vec3_sub(points[i], out->def.min));
    }
    return FR_OK;
}

// To the nearest whole number, halves upwards; x is within 32 bits.
static int32_t round_up(double x) {
    int32_t whole = (int32_t)(x + 0.5);
    return whole - (whole > x + 0.5);
}

static fr_status round_points(fr_octree_builder *b, const fr_octree_build_input *input, uint32_t depth, int fraction,
                              fr_error *error) {
    const fr_vec3 *points = b->points.data;
    const uint32_t *used = b->used.data;
    int32_t *grid = b->grid.data;
    double n = ldexp(1.0, (int)depth), one = ldexp(1.0, fraction);
    double low = input->may_clip ? -n : 0.0, high = input->may_clip ? 2.0 * n : n;
    for (size_t k = 0; k < b->used.count; k++) {
        uint32_t i = used[k];
        fr_vec3 p = points[i];
        if (!fr_vec3_is_finite(p)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "vertex %u is not finite", (unsigned)i);
        }
        if (p.x < low || p.y < low || p.z < low || p.x > high || p.y > high || p.z > high) {
            return fr_error_set(error, FR_ERROR_LIMIT, "vertex %u is outside the root of the octree", (unsigned)i);
        }
        grid[3 * (size_t)i] = round_up(p.x * one);
        grid[3 * (size_t)i + 1] = round_up(p.y * one);
        grid[3 * (size_t)i + 2] = round_up(p.z * one);
    }
    return FR_OK;
}

fr_status fr_octree_build(fr_octree_builder *b, const fr_octree_build_input *input, fr_octree *out, fr_error *error) {
    fr_octree_clear(out, FR_CELL_WHITE);
    if (input->cookie != OCTREE_MESH_COOKIE) { return fr_error_set_cookie(error, "fr_default_octree_build_input"); }
    uint32_t depth = out->def.depth;
    if (out->dimension != 3 || depth < 2) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "meshes fill octrees of depth 2 or more");
    }
    // With 10 bits of fraction, at depth 9 with 9, no product of fr__builder_fill_inside is over 2^62.
    int fraction = depth < 9 ? 10 : 9;
    fr_status status = fr__builder_take_mesh(b, input->mesh, error);
    if (status == FR_OK) { status = place_points(b, input, out, error); }
    if (status == FR_OK) { status = round_points(b, input, depth, fraction, error); }
    if (status != FR_OK) { return status; }

    size_t count = fr__rows_count(depth);
    b->rows.count = 0;
    uint32_t *rows = fr_uint32_array_push(&b->rows, 2 * count);
    if (rows == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the rows of an octree"); }
    memset(rows, 0, count * sizeof *rows);
    if (!input->is_surface_only) { fr__builder_fill_inside(b, depth, fraction, rows, rows + count); }
    if (input->rule == FR_VOXEL_TOUCH) { fr__builder_add_surface(b, depth, rows); }
    fr__octree_from_rows(out, rows);
    return FR_OK;
}

void fr_octree_root_about(const fr_bounds *bounds, fr_octree_def *def) {
    double diagonal = fr_vec3_distance(bounds->min, bounds->max);
    fr_vec3 middle = fr_bounds_center(bounds);
    // A little more than the diagonal, so that what touches the cube's sides is inside whatever the rounding.
    double edge = diagonal > 0.0 ? diagonal * (1.0 + 0x1p-20) : 1.0;
    def->edge = edge;
    def->min = fr_vec3_sub(middle, fr_vec3_make(0.5 * edge, 0.5 * edge, 0.5 * edge));
}
