// One cycle of the method of octrees of faces, with its counts and times.
#include "cell_cycle.h"

#include "experiment.h"

#include "collide/faithful/swept_hull.h"
#include "fureai/base_order.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status take_mesh(const fr_mesh *mesh, cell_object *o) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    o->mesh = fr_mesh_retain(mesh);
    o->vertex_count = view->vertex_count;
    o->triangle_count = view->triangle_count;
    o->triangles = view->triangles;
    o->points = calloc(3 * (size_t)view->vertex_count, sizeof *o->points);
    if (o->points == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < 3 * view->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, i / 3, corners);
        o->points[view->triangles[i]] = corners[i % 3];
    }
    return FR_OK;
}

static fr_status build_reference(cell_object *o, const fr_octree_def *def, fr_octree_builder *builder,
                                 fr_error *error) {
    fr_octree_build_input input = fr_default_octree_build_input();
    input.mesh = o->mesh;
    input.pose = &o->first;
    fr_status status = fr_octree_create(def, &o->tree, error);
    if (status == FR_OK) { status = fr_octree_create(def, &o->moved, error); }
    if (status == FR_OK) { status = fr_octree_build(builder, &input, o->tree, error); }
    if (status == FR_OK) { status = fr_octree_reference_create(o->tree, NULL, &o->reference, error); }
    return status;
}

fr_status cell_cycle_create(const fr_mesh *const *meshes, const fr_pose *first, uint32_t count, double edge,
                            uint32_t depth, cell_cycle *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->count = count;
    out->faces = fr_array_make(sizeof(uint32_t), NULL);
    out->found = fr_array_make(sizeof(uint64_t), NULL);
    fr_octree_def def = fr_default_octree_def();
    def.edge = edge;
    def.depth = depth;
    fr_octree_builder *builder = NULL;
    fr_status status = fr_octree_builder_create(NULL, &builder, error);
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        out->objects[i].first = first[i];
        status = take_mesh(meshes[i], &out->objects[i]);
        if (status == FR_OK) { status = build_reference(&out->objects[i], &def, builder, error); }
    }
    fr_octree_builder_destroy(builder);
    if (status != FR_OK) { cell_cycle_destroy(out); }
    return status;
}

void cell_cycle_destroy(cell_cycle *c) {
    for (uint32_t i = 0; i < CELL_CYCLE_OBJECTS; i++) {
        cell_object *o = &c->objects[i];
        fr_mesh_release(o->mesh);
        free(o->points);
        fr_octree_destroy(o->tree);
        fr_octree_destroy(o->moved);
        fr_octree_reference_destroy(o->reference);
    }
    fr_array_destroy(&c->faces);
    fr_array_destroy(&c->found);
    memset(c, 0, sizeof *c);
}

// ---------------------------------------------------------------------------------------------------------------
// A cycle

// From where the reference stands to where the object is now; the scale is the same.
static fr_pose motion_since(const fr_pose *first, const fr_pose *now) {
    fr_pose m =
        fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_multiply(now->rotation, fr_quat_conjugate(first->rotation)));
    m.position = fr_vec3_sub(now->position, fr_pose_apply(&m, first->position));
    return m;
}

static fr_status move_octrees(cell_cycle *c, const fr_pose *start) {
    for (uint32_t i = 0; i < c->count; i++) {
        cell_object *o = &c->objects[i];
        fr_octree_move_input input = fr_default_octree_move_input();
        input.rule = FR_OCTREE_OVERLAP;
        fr_pose since = motion_since(&o->first, &start[i]);
        fr_status status = fr_octree_motion_of_pose(o->tree, &since, &input.motion, NULL);
        if (status == FR_OK) { status = fr_octree_move(o->reference, &input, o->moved, NULL, NULL); }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static void corners_of(const cell_object *o, uint32_t triangle, uint32_t run, fr_vec3 out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = o->points[(size_t)run * o->vertex_count + o->triangles[3 * (size_t)triangle + (size_t)k]];
    }
}

static bool hulls_meet(const cell_object *a, uint32_t i, const cell_object *b, uint32_t k) {
    fr_vec3 start[3], end[3];
    fr_swept_hull hulls[2];
    corners_of(a, i, 1, start);
    corners_of(a, i, 2, end);
    fr_swept_hull_make(start, end, &hulls[0]);
    corners_of(b, k, 1, start);
    corners_of(b, k, 2, end);
    fr_swept_hull_make(start, end, &hulls[1]);
    return fr_swept_hull_meet(&hulls[0], &hulls[1]);
}

// Appends the faces of an object that meet a cell where they are at the start.
static bool extract_faces(cell_cycle *c, uint32_t object, const fr_bounds *cell) {
    const cell_object *o = &c->objects[object];
    for (uint32_t t = 0; t < o->triangle_count; t++) {
        fr_vec3 corners[3];
        corners_of(o, t, 1, corners);
        fr_bounds bounds = fr_bounds_of_points(corners, 3);
        if (!fr_bounds_overlap(&bounds, cell) || !fr_triangle_box_overlap(corners, cell)) { continue; }
        uint32_t *face = fr_array_push(&c->faces, 1);
        if (face == NULL) { return false; }
        *face = t;
    }
    return true;
}

static bool test_pair(cell_cycle *c, uint32_t a, uint32_t i, uint32_t b, uint32_t k) {
    c->tested++;
    if (!hulls_meet(&c->objects[a], i, &c->objects[b], k)) { return true; }
    uint64_t *pair = fr_array_push(&c->found, 1);
    if (pair == NULL) { return false; }
    *pair = (uint64_t)a << 61 | (uint64_t)b << 58 | (uint64_t)i << 29 | k;
    return true;
}

static bool visit_cell(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context) {
    cell_cycle *c = context;
    fr_bounds bounds = fr_octree_cell_bounds(c->objects[0].tree, cell);
    size_t ends[CELL_CYCLE_OBJECTS];
    c->nodes++;
    c->faces.count = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (!extract_faces(c, trees[n], &bounds)) { c->has_failed = true; }
        ends[n] = c->faces.count;
    }
    c->in_nodes += c->faces.count;
    const uint32_t *faces = c->faces.data;
    for (uint32_t a = 0; a < count && !c->has_failed; a++) {
        for (size_t i = a > 0 ? ends[a - 1] : 0; i < ends[a]; i++) {
            for (uint32_t b = a + 1; b < count; b++) {
                for (size_t k = ends[b - 1]; k < ends[b]; k++) {
                    if (!test_pair(c, trees[a], faces[i], trees[b], faces[k])) { c->has_failed = true; }
                }
            }
        }
    }
    return !c->has_failed;
}

static uint64_t count_pairs(cell_cycle *c) {
    uint64_t *pairs = c->found.data, count = 0;
    fr_sort_uint64(pairs, c->found.count);
    for (size_t i = 0; i < c->found.count; i++) {
        count += i == 0 || pairs[i] != pairs[i - 1];
    }
    return count;
}

fr_status cell_cycle_run(cell_cycle *c, const fr_pose *start, const fr_pose *end, cell_cycle_output *output,
                         fr_error *error) {
    for (uint32_t i = 0; i < c->count; i++) {
        cell_object *o = &c->objects[i];
        fr_pose_apply_many(&start[i], o->points, o->vertex_count, o->points + o->vertex_count);
        fr_pose_apply_many(&end[i], o->points, o->vertex_count, o->points + 2 * (size_t)o->vertex_count);
    }
    uint64_t begin = experiment_cpu_ns();
    c->nodes = c->in_nodes = c->tested = 0;
    c->found.count = 0;
    c->has_failed = false;
    fr_status status = move_octrees(c, start);
    if (status != FR_OK) { return fr_error_set(error, status, "an octree could not be moved"); }
    output->ms_octree = (double)(experiment_cpu_ns() - begin) * 1e-6;
    const fr_octree *trees[CELL_CYCLE_OBJECTS];
    for (uint32_t i = 0; i < c->count; i++) {
        trees[i] = c->objects[i].moved;
    }
    fr_octree_traverse_input input = {
        .trees = trees, .tree_count = c->count, .reading = c->reading, .found = visit_cell, .context = c};
    status = fr_octree_traverse(&input, NULL, error);
    if (c->has_failed) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for faces"); }
    if (status != FR_OK) { return status; }
    output->pairs = count_pairs(c);
    output->ms_total = (double)(experiment_cpu_ns() - begin) * 1e-6;
    output->nodes = c->nodes;
    output->faces = c->in_nodes;
    output->tested = c->tested;
    return FR_OK;
}

static uint64_t count_meeting(const cell_object *a, const cell_object *b) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < a->triangle_count; i++) {
        for (uint32_t k = 0; k < b->triangle_count; k++) {
            count += hulls_meet(a, i, b, k);
        }
    }
    return count;
}

uint64_t cell_cycle_polyhedra_only(const cell_cycle *c, double *ms) {
    uint64_t begin = experiment_cpu_ns(), count = 0;
    for (uint32_t a = 0; a < c->count; a++) {
        for (uint32_t b = a + 1; b < c->count; b++) {
            count += count_meeting(&c->objects[a], &c->objects[b]);
        }
    }
    *ms = (double)(experiment_cpu_ns() - begin) * 1e-6;
    return count;
}
