// The parts of a model without their meshes, which are made when they are wanted.
#include "shape_list.h"
#include "work_meter.h"

#include <math.h>

FR_ARRAY_TYPE(listed_array, fr_model_listed_part);
FR_ARRAY_TYPE(part_shape_array, fr_model_shape);

struct fr_model_part_list {
    fr_model_part_list_view view;
    fr_model_mesh_input input;
    fr__shape_list list;
    listed_array parts;
    part_shape_array shapes;
};

// The box of all vertices, which holds the corners of the triangles; grown where positions are rounded to floats.
static fr_bounds bounds_of(const fr__placed *placed, bool is_double) {
    fr_bounds bounds = fr_bounds_empty();
    double largest = 0.0;
    for (uint32_t v = 0; v < placed->mesh->vertex_count; v++) {
        fr_vec3 p = fr__placed_position(placed, v);
        bounds = fr_bounds_with_point(&bounds, p);
        largest = fmax(largest, fr_vec3_largest(p));
    }
    return is_double ? bounds : fr_bounds_grow(&bounds, 0x1p-23 * largest + 0x1p-126);
}

static fr_status measure_shape(const fr_model_part_list *l, uint32_t node, fr_model_shape *out, fr_error *error) {
    const fr__placed *placed = &l->list.placed.data[l->shapes.count - 1];
    uint64_t triangles = 0;
    for (uint32_t face = 0; face < placed->mesh->face_count; face++) {
        triangles += fr_model_face_end(placed->mesh, face) - fr_model_face_begin(placed->mesh, face) - 2;
    }
    if (triangles > FR_MESH_MAX_TRIANGLES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "node %u has over %u triangles", node, FR_MESH_MAX_TRIANGLES);
    }
    *out = (fr_model_shape){bounds_of(placed, l->input.is_double), (uint32_t)triangles};
    return FR_OK;
}

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of a model");
}

static fr_status list_node(fr_model_part_list *l, uint32_t node, fr_error *error) {
    fr__placed placed = fr__place_node(l->list.model, node);
    fr_model_listed_part *part = listed_array_push(&l->parts, 1);
    if (part == NULL) { return no_memory(error); }
    *part = (fr_model_listed_part){.node = node, .pose = fr_pose_identity()};
    if (placed.is_shaped) {
        part->shape = fr__shape_list_add(&l->list, node, &placed);
    } else {
        fr_status status = fr__shape_list_shift(&l->list, node, &placed, &part->pose, error);
        if (status != FR_OK) { return status; }
        part->shape = fr__shape_list_find(&l->list, node, &placed);
    }
    if (part->shape == FR_NONE) { return no_memory(error); }
    if (part->shape < l->shapes.count) { return FR_OK; }
    fr_model_shape *shape = part_shape_array_push(&l->shapes, 1);
    return shape != NULL ? measure_shape(l, node, shape, error) : no_memory(error);
}

static fr_status list_all(fr_model_part_list *l, const fr_control *control, fr_error *error) {
    const fr_model_view *view = &l->list.model->view;
    fr__work_meter meter = {.control = control};
    for (uint32_t i = 0; i < view->node_count; i++) {
        const fr_model_node *node = &view->nodes[i];
        bool is_part = fr__is_used(node, l->input.use) && view->meshes[node->mesh].face_count > 0;
        size_t work = 32 + (is_part ? (size_t)view->meshes[node->mesh].vertex_count : 0);
        if (!fr__meter_on(&meter, work)) { return fr_error_set(error, FR_ERROR_STOPPED, "listing parts was stopped"); }
        fr_status status = is_part ? list_node(l, i, error) : FR_OK;
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr_model_part_list_create(const fr_model *model, const fr_model_mesh_input *given, fr_model_part_list **out,
                                    fr_error *error) {
    FR_ASSERT(model != NULL && out != NULL);
    *out = NULL;
    const fr_model_mesh_input defaults = fr_default_model_mesh_input();
    const fr_model_mesh_input *input = given != NULL ? given : &defaults;
    if (input->cookie != defaults.cookie) { return fr_error_set_cookie(error, "fr_default_model_mesh_input"); }
    if (input->play != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "parts that bones take along are not listed");
    }
    fr_model_part_list *l = fr_allocate(&input->allocator, 1, sizeof *l, 16);
    if (l == NULL) { return no_memory(error); }
    *l = (fr_model_part_list){.input = *input,
                              .parts = listed_array_make(&input->allocator),
                              .shapes = part_shape_array_make(&input->allocator)};
    l->input.tasks = NULL;
    l->input.control = NULL;
    fr_status status = fr__shape_list_begin(&l->list, model, &input->allocator, error);
    if (status == FR_OK) { status = list_all(l, input->control, error); }
    if (status != FR_OK) {
        fr_model_part_list_destroy(l);
        return status;
    }
    l->view =
        (fr_model_part_list_view){l->parts.data, l->shapes.data, (uint32_t)l->parts.count, (uint32_t)l->shapes.count};
    *out = l;
    return FR_OK;
}

void fr_model_part_list_destroy(fr_model_part_list *list) {
    if (list == NULL) { return; }
    fr__shape_list_end(&list->list);
    listed_array_destroy(&list->parts);
    part_shape_array_destroy(&list->shapes);
    fr_allocator allocator = list->input.allocator;
    fr_deallocate(&allocator, list, 1, sizeof *list);
}

const fr_model_part_list_view *fr_model_part_list_get(const fr_model_part_list *list) { return &list->view; }

fr_status fr_model_part_list_make(const fr_model_part_list *list, uint32_t shape, const fr_control *control,
                                  fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (shape >= list->view.shape_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "shape %u of %u", shape, list->view.shape_count);
    }
    const fr__placed *placed = &list->list.placed.data[shape];
    fr_model_mesh_input input = list->input;
    input.control = control;
    if (placed->is_shaped) { input.is_welded = false; } // shapes number vertices
    return fr__model_placed_mesh(list->list.model, placed, &input, out, error);
}
