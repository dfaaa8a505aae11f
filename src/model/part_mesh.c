// Polygons cut into triangles, as meshes.
#include "part_mesh.h"
#include "polygon.h"
#include "weld.h"
#include "work_meter.h"

#include <string.h>

#define MESH_COOKIE UINT32_C(0x6d646d31)

fr_model_mesh_input fr_default_model_mesh_input(void) { return (fr_model_mesh_input){.cookie = MESH_COOKIE}; }

// The arrays of a mesh being made.
typedef struct triangles {
    const fr_model_mesh_input *input;
    bool is_double;          // positions are doubles: the file's own, or those a transform gives
    fr_array positions;      // of 3 floats or doubles
    fr_uint32_array corners; // 3 a triangle
    fr_uint32_array faces;   // one a triangle
    fr__cutter cutter;
    fr__work_meter meter;
} triangles;

// The triangles of one polygon; vertices are counted from `first_vertex`.
static fr_status add_face(triangles *t, const fr__placed *placed, uint32_t face, uint32_t first_vertex) {
    const fr_model_mesh *mesh = placed->mesh;
    uint32_t count = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face) - 2;
    uint32_t *corners = fr_uint32_array_push(&t->corners, (size_t)3 * count);
    uint32_t *ids = fr_uint32_array_push(&t->faces, count);
    if (corners == NULL || ids == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = fr__face_id(mesh, face);
    }
    fr_status status = fr__cut_polygon(&t->cutter, mesh, face, corners);
    for (uint32_t i = 0; i < 3 * count; i++) {
        corners[i] += first_vertex;
    }
    for (uint32_t i = 0; i < count && placed->is_mirrored; i++) {
        uint32_t second = corners[3 * i + 1];
        corners[3 * i + 1] = corners[3 * i + 2];
        corners[3 * i + 2] = second;
    }
    return status;
}

static fr_status add_vertices(triangles *t, const fr__placed *placed) {
    const fr_model_mesh *mesh = placed->mesh;
    if (t->positions.count + mesh->vertex_count > FR_MESH_MAX_VERTICES) { return FR_ERROR_LIMIT; }
    if (mesh->vertex_count == 0) { return FR_OK; }
    double *place = fr__push(&t->positions, mesh->vertex_count);
    if (place == NULL) { return FR_ERROR_MEMORY; }
    if (!t->is_double) {
        memcpy(place, mesh->positions_float, t->positions.element_bytes * mesh->vertex_count);
        return FR_OK;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++, place += 3) {
        fr_vec3 p = fr__placed_position(placed, v);
        place[0] = p.x;
        place[1] = p.y;
        place[2] = p.z;
    }
    return FR_OK;
}

static fr_status add_mesh(triangles *t, const fr__placed *placed) {
    uint32_t first_vertex = (uint32_t)t->positions.count;
    fr_status status = add_vertices(t, placed);
    for (uint32_t face = 0; face < placed->mesh->face_count && status == FR_OK; face++) {
        status = add_face(t, placed, face, first_vertex);
        uint32_t corners = fr_model_face_end(placed->mesh, face) - fr_model_face_begin(placed->mesh, face);
        if (!fr__meter_on(&t->meter, corners)) { return FR_ERROR_STOPPED; }
        if (t->corners.count / 3 > FR_MESH_MAX_TRIANGLES) { return FR_ERROR_LIMIT; }
    }
    return status;
}

static fr_status make_mesh(const triangles *t, fr_mesh **out, fr_error *error) {
    fr_mesh_def def = fr_default_mesh_def();
    if (t->is_double) {
        def.positions_double = t->positions.data;
    } else {
        def.positions_float = t->positions.data;
    }
    def.vertex_count = (uint32_t)t->positions.count;
    def.triangles = t->corners.data;
    def.triangle_count = (uint32_t)(t->corners.count / 3);
    def.faces = t->faces.data;
    def.is_double = t->input->is_double && t->is_double;
    def.tasks = t->input->tasks;
    def.control = t->input->control;
    def.allocator = t->input->allocator;
    return fr_mesh_create(&def, out, error);
}

// The meshes of the nodes from `begin` to `end` - 1: of those in use, or of all.
static fr_status add_nodes(triangles *t, const fr_model *model, uint32_t begin, uint32_t end, bool all) {
    bool own_frame = all && t->input->is_in_own_frame;
    fr_status status = FR_OK;
    for (uint32_t i = begin; i < end && status == FR_OK; i++) {
        const fr_model_node *node = &model->view.nodes[i];
        if (node->mesh == FR_NONE || (!all && !fr__is_used(node, t->input->use))) { continue; }
        fr__placed placed = fr__place_node(model, i);
        if (own_frame) { placed.is_moved = placed.is_mirrored = placed.is_shaped = false; }
        status = add_mesh(t, &placed);
        if (!fr__meter_on(&t->meter, 32 + (size_t)placed.mesh->vertex_count)) { return FR_ERROR_STOPPED; }
    }
    return status;
}

// Whether a transform prevents the use of the file's own floats.
static bool is_moved(const fr_model *model, uint32_t begin, uint32_t end) {
    const fr_model_node *nodes = model->view.nodes;
    // The parents of all but the first are among the nodes, or its own.
    for (uint32_t k = begin < end ? nodes[begin].parent : FR_NONE; k != FR_NONE; k = nodes[k].parent) {
        if (nodes[k].transform != NULL) { return true; }
    }
    for (uint32_t i = begin; i < end; i++) {
        if (nodes[i].mesh != FR_NONE && fr__place_node(model, i).is_shaped) { return true; }
        if (nodes[i].transform != NULL) { return true; }
    }
    return false;
}

static triangles begin_making(const fr_model_mesh_input *input, bool is_double) {
    return (triangles){.input = input,
                       .is_double = is_double,
                       .positions = fr_array_make(3 * (is_double ? sizeof(double) : sizeof(float)), &input->allocator),
                       .corners = fr_uint32_array_make(&input->allocator),
                       .faces = fr_uint32_array_make(&input->allocator),
                       .meter = {.control = input->control}};
}

// Makes the mesh, where all went well so far, and gives the memory back.
static fr_status end_making(triangles *t, fr_status status, fr_mesh **out, fr_error *error) {
    if (status == FR_OK && t->input->is_welded && t->positions.count > 0) {
        status = fr__weld(&t->positions, &t->corners, &t->input->allocator, &t->meter);
    }
    if (status == FR_OK) {
        status = make_mesh(t, out, error);
    } else {
        fr_error_set(error, status, "%s", fr_status_text(status));
    }
    fr_array_destroy(&t->positions);
    fr_uint32_array_destroy(&t->corners);
    fr_uint32_array_destroy(&t->faces);
    fr__cutter_destroy(&t->cutter);
    return status;
}

static fr_status nodes_mesh(const fr_model *model, uint32_t begin, uint32_t end, bool all,
                            const fr_model_mesh_input *input, fr_mesh **out, fr_error *error) {
    fr_model_mesh_input defaults = fr_default_model_mesh_input();
    if (input == NULL) { input = &defaults; }
    *out = NULL;
    if (input->cookie != MESH_COOKIE) { return fr_error_set_cookie(error, "fr_default_model_mesh_input"); }
    bool is_double = model->store.is_double || (!(all && input->is_in_own_frame) && is_moved(model, begin, end));
    triangles t = begin_making(input, is_double);
    fr_status status = fr__cutter_create(&input->allocator, &t.cutter);
    if (status == FR_OK) { status = add_nodes(&t, model, begin, end, all); }
    return end_making(&t, status, out, error);
}

fr_status fr__model_placed_mesh(const fr_model *model, const fr__placed *placed, const fr_model_mesh_input *input,
                                fr_mesh **out, fr_error *error) {
    *out = NULL;
    bool is_own = !placed->is_moved && !placed->is_shaped && !placed->is_mirrored;
    bool is_float = !input->is_double || !model->store.is_double; // as the cooked ones are
    const fr__cooked *cooked =
        is_own && is_float && model->cooked.count > 0 ? model->cooked.data + (placed->mesh - model->view.meshes) : NULL;
    if (cooked != NULL && cooked->block != NULL) {
        return fr_mesh_from_cooked(cooked->block, cooked->size, true, &input->allocator, out, error);
    }
    triangles t = begin_making(input, model->store.is_double || !is_own);
    fr_status status = fr__cutter_create(&input->allocator, &t.cutter);
    if (status == FR_OK) { status = add_mesh(&t, placed); }
    return end_making(&t, status, out, error);
}

// The cooked mesh of a node, where there is one and it is what is wanted: the node's own frame, floats.
static const fr__cooked *find_cooked(const fr_model *model, uint32_t node, const fr_model_mesh_input *input) {
    if (model->cooked.count == 0 || (input != NULL && input->is_double && model->store.is_double)) { return NULL; }
    bool own_frame = input != NULL && input->is_in_own_frame;
    fr__placed placed = fr__place_node(model, node);
    if (placed.is_shaped || (!own_frame && placed.is_moved)) { return NULL; }
    const fr__cooked *cooked = model->cooked.data + model->view.nodes[node].mesh;
    return cooked->block != NULL ? cooked : NULL;
}

fr_status fr_model_part_mesh(const fr_model *model, uint32_t node, const fr_model_mesh_input *input, fr_mesh **out,
                             fr_error *error) {
    *out = NULL;
    if (node >= model->view.node_count || model->view.nodes[node].mesh == FR_NONE) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has no mesh", node);
    }
    const fr__cooked *cooked = find_cooked(model, node, input);
    if (cooked != NULL) {
        const fr_allocator *allocator = input != NULL ? &input->allocator : NULL;
        return fr_mesh_from_cooked(cooked->block, cooked->size, true, allocator, out, error);
    }
    return nodes_mesh(model, node, node + 1, true, input, out, error);
}

fr_status fr_model_whole_mesh(const fr_model *model, const fr_model_mesh_input *input, fr_mesh **out, fr_error *error) {
    return nodes_mesh(model, 0, model->view.node_count, false, input, out, error);
}
