// The parts of a model for collision: nodes that show the same mesh share it.
#include "part_mesh.h"
#include "play.h"
#include "shape_list.h"

#include <stdatomic.h>

// Parts are made in batches of this many, so that workers have enough to share and a taker that ends the call soon does
// not wait for all.
#define BATCH_COUNT 256

// A mesh that parts share; the list has a reference.
typedef struct made_mesh {
    fr_mesh *mesh; // NULL: not yet, or it could not be made
    fr_status status;
} made_mesh;

FR_ARRAY_TYPE(made_mesh_array, made_mesh);

typedef struct part_list {
    const fr_model *model;
    const fr_model_mesh_input *input;
    fr__shape_list shapes;
    made_mesh_array made; // beside them
} part_list;

// The number of the mesh that a part has: that of an equal one, or a new one that is still to be made. FR_NONE: no
// memory.
static uint32_t find_mesh(part_list *list, uint32_t node, const fr__placed *placed) {
    uint32_t number = fr__shape_list_find(&list->shapes, node, placed);
    if (number < list->made.count) { return number; }
    made_mesh *place = number != FR_NONE ? made_mesh_array_push(&list->made, 1) : NULL;
    if (place == NULL) { return FR_NONE; }
    *place = (made_mesh){0};
    return number;
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
    if (status != FR_OK) {
        fr_mesh_release(part->mesh);
        part->mesh = NULL;
    }
    return status;
}

// A part of a batch: its mesh is the list's where it has a number there, else its own.
typedef struct listed_part {
    fr_model_part part;
    uint32_t made;
    fr_status status;
    fr_error error;
} listed_part;

// Lists a part and, where nothing else can have its mesh, makes that.
static void list_part(part_list *list, uint32_t node, listed_part *out) {
    fr__placed placed = fr__place_node(list->model, node);
    fr_model_part *part = &out->part;
    *out = (listed_part){.part = {.node = node, .pose = fr_pose_identity()}, .made = FR_NONE};
    if (list->input->play != NULL && fr__play_is_boned(list->input->play, node)) {
        out->status = make_boned(list, &placed, part, &out->error);
        return;
    }
    // What bones or weights shape is a node's own.
    if (placed.is_shaped) {
        fr_model_mesh_input input = *list->input;
        input.is_welded = false; // shapes number vertices
        out->status = fr__model_placed_mesh(list->model, &placed, &input, &part->mesh, &out->error);
        return;
    }
    out->status = fr__shape_list_shift(&list->shapes, node, &placed, &part->pose, &out->error);
    if (out->status != FR_OK) { return; }
    out->made = find_mesh(list, node, &placed);
    if (out->made == FR_NONE) {
        out->status = fr_error_set(&out->error, FR_ERROR_MEMORY, "no memory for the parts of a model");
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes of a batch

typedef struct mesh_making {
    part_list *list;
    size_t first;           // mesh of the batch
    fr_error *errors;       // why a mesh of the batch could not be made
    atomic_bool is_stopped; // the control said so: only the calling thread, worker 0, may ask it
} mesh_making;

typedef struct making_control {
    mesh_making *making;
    int worker;
} making_control;

static bool wants_stop(void *user) {
    const making_control *w = user;
    mesh_making *m = w->making;
    if (w->worker == 0 && fr_control_is_stopped(m->list->input->control)) { atomic_store(&m->is_stopped, true); }
    return atomic_load(&m->is_stopped);
}

static void make_meshes(size_t begin, size_t end, int worker, void *context) {
    mesh_making *m = context;
    making_control w = {m, worker};
    const fr_control control = {.stop = wants_stop, .user = &w};
    fr_model_mesh_input input = *m->list->input;
    input.control = &control;
    for (size_t i = m->first + begin; i < m->first + end; i++) {
        made_mesh *made = m->list->made.data + i;
        made->status = fr__model_placed_mesh(m->list->model, &m->list->shapes.placed.data[i], &input, &made->mesh,
                                             &m->errors[i - m->first]);
    }
}

// Gives a part to the taker, with a reference to its mesh.
static fr_status give_part(const mesh_making *m, listed_part *listed, fr_model_part_fn *take, void *context,
                           fr_error *error) {
    const made_mesh *made = listed->made != FR_NONE ? m->list->made.data + listed->made : NULL;
    fr_status status = made != NULL ? made->status : listed->status;
    if (status != FR_OK) {
        if (error != NULL) { *error = made != NULL ? m->errors[listed->made - m->first] : listed->error; }
        return status;
    }
    if (made != NULL) { listed->part.mesh = fr_mesh_retain(made->mesh); }
    fr_model_part part = listed->part;
    listed->part.mesh = NULL; // the taker's from here on
    listed->part.skin = NULL;
    return take(&part, context, error);
}

static void release_batch(const listed_part *batch, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fr_mesh_release(batch[i].part.mesh);
        fr_skin_release(batch[i].part.skin);
    }
}

// Makes the meshes of a batch and gives its parts, in order, until one fails.
static fr_status give_batch(mesh_making *m, listed_part *batch, size_t count, fr_model_part_fn *take, void *context,
                            fr_error *error) {
    part_list *list = m->list;
    fr_tasks_run(list->input->tasks, FR_SCHEDULE_DYNAMIC, list->made.count - m->first, 1, make_meshes, m);
    fr_status status = FR_OK;
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        status = give_part(m, &batch[i], take, context, error);
    }
    m->first = list->made.count;
    release_batch(batch, count);
    return status;
}

static fr_status visit_parts(part_list *list, fr_model_part_fn *take, void *context, fr_error *error) {
    const fr_model_view *view = &list->model->view;
    const fr_allocator *allocator = &list->input->allocator;
    fr__work_meter meter = {.control = list->input->control};
    mesh_making m = {.list = list};
    listed_part *batch = fr_allocate(allocator, BATCH_COUNT, sizeof *batch, 16);
    m.errors = fr_allocate(allocator, BATCH_COUNT, sizeof *m.errors, 16);
    bool has_room = batch != NULL && m.errors != NULL;
    fr_status status = has_room ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of a model");
    size_t count = 0;
    for (uint32_t i = 0; i < view->node_count && status == FR_OK; i++) {
        if (!fr__meter_on(&meter, 32)) {
            status = fr_error_set(error, FR_ERROR_STOPPED, "making parts was stopped");
            break;
        }
        const fr_model_node *node = &view->nodes[i];
        if (!fr__is_used(node, list->input->use) || view->meshes[node->mesh].face_count == 0) { continue; }
        list_part(list, i, &batch[count++]);
        if (count < BATCH_COUNT && batch[count - 1].status == FR_OK) { continue; }
        status = give_batch(&m, batch, count, take, context, error);
        count = 0;
    }
    if (status == FR_OK) {
        status = give_batch(&m, batch, count, take, context, error);
    } else if (has_room) {
        release_batch(batch, count);
    }
    fr_deallocate(allocator, batch, BATCH_COUNT, sizeof *batch);
    fr_deallocate(allocator, m.errors, BATCH_COUNT, sizeof *m.errors);
    return status;
}

fr_status fr_model_parts(const fr_model *model, const fr_model_mesh_input *input, fr_model_part_fn *take, void *context,
                         fr_error *error) {
    fr_model_mesh_input defaults = fr_default_model_mesh_input();
    if (input == NULL) { input = &defaults; }
    if (input->cookie != defaults.cookie) { return fr_error_set_cookie(error, "fr_default_model_mesh_input"); }
    part_list list = {.model = model, .input = input, .made = made_mesh_array_make(&input->allocator)};
    fr_status status = fr__shape_list_begin(&list.shapes, model, &input->allocator, error);
    if (status == FR_OK) { status = visit_parts(&list, take, context, error); }
    for (size_t i = 0; i < list.made.count; i++) {
        fr_mesh_release(list.made.data[i].mesh);
    }
    made_mesh_array_destroy(&list.made);
    fr__shape_list_end(&list.shapes);
    return status;
}
