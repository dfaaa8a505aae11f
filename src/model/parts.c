// The parts of a model for collision: nodes that show the same mesh share it.
#include "names.h"
#include "part_mesh.h"
#include "play.h"

#include <string.h>

// What a mesh was made from. What is between the fields is zero.
typedef struct part_key {
    double matrix[12];
    uint32_t mesh, material;
} part_key;

FR_ARRAY_TYPE(made_mesh_array, fr_mesh *);

typedef struct part_list {
    const fr_model *model;
    const fr_model_mesh_input *input;
    fr_arena *keys;
    fr__names names;      // the keys
    made_mesh_array made; // beside them; the list has a reference to each
    bool is_still;        // no track moves the model
} part_list;

// Takes the shift out of what places a mesh. The sum that it was the last part of keeps its bits.
static fr_vec3 take_shift(fr__placed *placed) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double *m = placed->matrix;
    fr_vec3 shift = {m[3], m[7], m[11]};
    m[3] = m[7] = m[11] = 0.0;
    placed->is_moved = memcmp(m, identity, sizeof identity) != 0;
    return shift;
}

// Keeps a reference to a mesh that was made; false when there is no memory.
static bool remember(part_list *list, const part_key *key, fr_mesh *mesh) {
    part_key *kept = fr_arena_alloc(list->keys, 1, sizeof *kept, _Alignof(part_key));
    fr_mesh **place = kept != NULL ? made_mesh_array_push(&list->made, 1) : NULL;
    if (place == NULL) { return false; }
    memcpy(kept, key, sizeof *key);
    if (fr__names_find_or_append(&list->names, (fr__span){(const char *)kept, sizeof *kept}) == FR_NONE) {
        list->made.count--;
        return false;
    }
    fr_mesh_retain(mesh);
    *place = mesh;
    return true;
}

// The mesh that was made for the same before, or a new one; *mesh is a reference of the caller's.
static fr_status find_mesh(part_list *list, uint32_t node, const fr__placed *placed, fr_mesh **mesh, fr_error *error) {
    part_key key;
    memset(&key, 0, sizeof key);
    memcpy(key.matrix, placed->matrix, sizeof key.matrix);
    key.mesh = list->model->view.nodes[node].mesh;
    key.material = list->model->view.nodes[node].material;
    uint32_t number = fr__names_find(&list->names, (fr__span){(const char *)&key, sizeof key});
    if (number != FR_NONE) {
        *mesh = list->made.data[number];
        fr_mesh_retain(*mesh);
        return FR_OK;
    }
    fr_status status = fr__model_placed_mesh(list->model, placed, list->input, mesh, error);
    if (status != FR_OK) { return status; }
    if (remember(list, &key, *mesh)) { return FR_OK; }
    fr_mesh_release(*mesh);
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of a model");
}

// A part before the bones take it along, and its skin.
static fr_status make_boned(part_list *list, fr__placed *placed, fr_model_part *part, fr_error *error) {
    fr_model_mesh_input input = *list->input;
    input.is_double = input.is_double || list->model->store.is_double;
    input.is_welded = false; // the skin numbers vertices
    placed->is_moved = placed->is_shaped = false;
    fr_status status = fr__model_placed_mesh(list->model, placed, &input, &part->mesh, error);
    if (status != FR_OK) { return status; }
    status = fr__play_skin(input.play, part->node, part->mesh, &input.allocator, &part->skin, error);
    if (status != FR_OK) { fr_mesh_release(part->mesh); }
    return status;
}

static fr_status make_part(part_list *list, uint32_t node, fr_model_part *part, fr_error *error) {
    fr__placed placed = fr__place_node(list->model, node);
    *part = (fr_model_part){.node = node, .pose = fr_pose_identity()};
    if (list->input->play != NULL && fr__play_is_boned(list->input->play, node)) {
        return make_boned(list, &placed, part, error);
    }
    // What bones or weights shape is a node's own.
    if (placed.is_shaped) {
        fr_model_mesh_input input = *list->input;
        input.is_welded = false; // shapes number vertices
        return fr__model_placed_mesh(list->model, &placed, &input, &part->mesh, error);
    }
    if (list->is_still) { part->pose.position = take_shift(&placed); }
    if (!fr_vec3_is_finite(part->pose.position)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a transform takes node %u beyond all numbers", node);
    }
    return find_mesh(list, node, &placed, &part->mesh, error);
}

static fr_status visit_parts(part_list *list, fr_model_part_fn *take, void *context, fr_error *error) {
    const fr_model_view *view = &list->model->view;
    fr__work_meter meter = {.control = list->input->control};
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (!fr__meter_on(&meter, 32)) { return fr_error_set(error, FR_ERROR_STOPPED, "making parts was stopped"); }
        const fr_model_node *node = &view->nodes[i];
        if (!fr__is_used(node, list->input->use) || view->meshes[node->mesh].face_count == 0) { continue; }
        fr_model_part part;
        fr_status status = make_part(list, i, &part, error);
        if (status == FR_OK) { status = take(&part, context, error); }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr_model_parts(const fr_model *model, const fr_model_mesh_input *input, fr_model_part_fn *take, void *context,
                         fr_error *error) {
    fr_model_mesh_input defaults = fr_default_model_mesh_input();
    if (input == NULL) { input = &defaults; }
    if (input->cookie != defaults.cookie) { return fr_error_set_cookie(error, "fr_default_model_mesh_input"); }
    part_list list = {.model = model,
                      .input = input,
                      .names = fr__names_make(&input->allocator),
                      .made = made_mesh_array_make(&input->allocator),
                      .is_still = model->view.track_count == 0};
    fr_status status = fr_arena_create(0, &input->allocator, &list.keys, error);
    if (status == FR_OK) { status = visit_parts(&list, take, context, error); }
    for (size_t i = 0; i < list.made.count; i++) {
        fr_mesh_release(list.made.data[i]);
    }
    made_mesh_array_destroy(&list.made);
    fr__names_free(&list.names);
    fr_arena_destroy(list.keys);
    return status;
}
