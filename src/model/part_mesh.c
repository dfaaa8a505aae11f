// Polygons cut into triangles, as meshes.
#include "polygon.h"

#include <string.h>

#define MESH_COOKIE UINT32_C(0x6d646d31)

// Asked and told once in so many polygons.
#define CHECK_FACES 4096

fr_model_mesh_options fr_default_model_mesh_options(void) { return (fr_model_mesh_options){.cookie = MESH_COOKIE}; }

// The arrays of a mesh being made.
typedef struct triangles {
    const fr_model_mesh_options *options;
    fr_array positions; // of 3 floats or doubles
    fr_array corners;   // 3 uint32_t a triangle
    fr_array faces;     // uint32_t
    fr__cutter cutter;
} triangles;

// The triangles of one polygon; vertices are counted from `first_vertex`.
static fr_status add_face(triangles *t, const fr_model_mesh *mesh, uint32_t face, uint32_t first_vertex) {
    uint32_t count = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face) - 2;
    uint32_t *corners = fr__push(&t->corners, count);
    uint32_t *ids = fr__push(&t->faces, count);
    if (corners == NULL || ids == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = fr__face_id(mesh, face);
    }
    fr_status status = fr__cut_polygon(&t->cutter, mesh, face, corners);
    for (uint32_t i = 0; i < 3 * count; i++) {
        corners[i] += first_vertex;
    }
    return status;
}

static fr_status add_mesh(triangles *t, const fr_model_mesh *mesh) {
    size_t first_vertex = t->positions.count;
    if (first_vertex + mesh->vertex_count > FR_MESH_MAX_VERTICES) { return FR_ERROR_LIMIT; }
    if (mesh->vertex_count > 0) {
        void *place = fr__push(&t->positions, mesh->vertex_count);
        if (place == NULL) { return FR_ERROR_MEMORY; }
        const void *positions =
            mesh->positions_double != NULL ? (const void *)mesh->positions_double : mesh->positions_float;
        memcpy(place, positions, t->positions.element_bytes * mesh->vertex_count);
    }
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (face % CHECK_FACES == 0 && fr_control_stop(t->options->control)) { return FR_ERROR_STOPPED; }
        fr_status status = add_face(t, mesh, face, (uint32_t)first_vertex);
        if (status != FR_OK) { return status; }
        if (t->corners.count > FR_MESH_MAX_TRIANGLES) { return FR_ERROR_LIMIT; }
    }
    return FR_OK;
}

static fr_status make_mesh(const triangles *t, bool is_double, fr_mesh **out, fr_error *error) {
    fr_mesh_def def = fr_default_mesh_def();
    if (is_double) {
        def.positions_double = t->positions.data;
    } else {
        def.positions_float = t->positions.data;
    }
    def.vertex_count = (uint32_t)t->positions.count;
    def.triangles = t->corners.data;
    def.triangle_count = (uint32_t)t->corners.count;
    def.faces = t->faces.data;
    def.keep_double = t->options->keep_double && is_double;
    def.tasks = t->options->tasks;
    def.control = t->options->control;
    def.allocator = t->options->allocator;
    return fr_mesh_create(&def, out, error);
}

// A mesh of the nodes from `begin` to `end` - 1.
static fr_status nodes_mesh(const fr_model *model, uint32_t begin, uint32_t end, const fr_model_mesh_options *options,
                            fr_mesh **out, fr_error *error) {
    fr_model_mesh_options defaults = fr_default_model_mesh_options();
    if (options == NULL) { options = &defaults; }
    FR_ASSERT(options->cookie == MESH_COOKIE);
    *out = NULL;
    bool is_double = model->store.is_double;
    triangles t = {.options = options,
                   .positions = fr_array_make(model->store.positions.element_bytes, &options->allocator),
                   .corners = fr_array_make(3 * sizeof(uint32_t), &options->allocator),
                   .faces = fr_array_make(sizeof(uint32_t), &options->allocator)};
    fr_status status = fr__cutter_create(&options->allocator, &t.cutter);
    for (uint32_t i = begin; i < end && status == FR_OK; i++) {
        uint32_t mesh = model->view.nodes[i].mesh;
        if (mesh != FR_NONE) { status = add_mesh(&t, &model->view.meshes[mesh]); }
    }
    if (status == FR_OK) {
        status = make_mesh(&t, is_double, out, error);
    } else {
        fr_error_set(error, status, "%s", fr_status_text(status));
    }
    fr_array_free(&t.positions);
    fr_array_free(&t.corners);
    fr_array_free(&t.faces);
    fr__cutter_destroy(&t.cutter);
    return status;
}

fr_status fr_model_part_mesh(const fr_model *model, uint32_t node, const fr_model_mesh_options *options, fr_mesh **out,
                             fr_error *error) {
    *out = NULL;
    if (node >= model->view.node_count || model->view.nodes[node].mesh == FR_NONE) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has no mesh", node);
    }
    return nodes_mesh(model, node, node + 1, options, out, error);
}

fr_status fr_model_whole_mesh(const fr_model *model, const fr_model_mesh_options *options, fr_mesh **out,
                              fr_error *error) {
    return nodes_mesh(model, 0, model->view.node_count, options, out, error);
}
