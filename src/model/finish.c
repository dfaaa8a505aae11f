// From what a reader filled to a model.
#include "model.h"

#include <math.h>
#include <string.h>

// Element `index` of an array; NULL where the array has none.
static const void *element(const fr_array *array, size_t index) {
    return array->count > 0 ? (const char *)array->data + index * array->element_bytes : NULL;
}

// Lists beside the corners end with the last corner that has an element: zeros up to the last corner of all.
static bool fill_corners(const fr__builder *store, fr_array *list) {
    size_t missing = list->count > 0 ? store->corners.count - list->count : 0;
    if (missing == 0) { return true; }
    void *place = fr__push(list, missing);
    if (place != NULL) { memset(place, 0, missing * list->element_bytes); }
    return place != NULL;
}

// The slices of the shared arrays that belong to each part.
static void slice_meshes(fr_model *model) {
    const fr__builder *store = &model->store;
    const fr__part *parts = store->parts.data;
    size_t start = 0;
    fr_model_mesh *meshes = model->meshes.data;
    for (size_t i = 0; i < store->parts.count; i++) {
        const fr__part *part = &parts[i];
        bool last = i + 1 == store->parts.count;
        size_t vertex_end = last ? store->positions.count : part[1].first_vertex;
        size_t face_end = last ? store->face_count : part[1].first_face;
        fr_model_mesh mesh = {.vertex_count = (uint32_t)(vertex_end - part->first_vertex),
                              .face_count = (uint32_t)(face_end - part->first_face),
                              .first_face = part->first_id,
                              .two_sided = part->two_sided,
                              .primitive = part->primitive};
        if (store->is_double) {
            mesh.positions_double = element(&store->positions, part->first_vertex);
        } else {
            mesh.positions_float = element(&store->positions, part->first_vertex);
        }
        mesh.corners = element(&store->corners, part->first_corner);
        mesh.face_starts = element(&store->starts, start);
        mesh.face_ids = element(&store->ids, part->first_face);
        mesh.face_colors = element(&store->colors, part->first_face);
        mesh.face_materials = element(&store->materials, part->first_face);
        mesh.corner_normals = part->has_normals ? element(&store->corner_normals, part->first_corner) : NULL;
        mesh.corner_uvs = part->has_uvs ? element(&store->corner_uvs, part->first_corner) : NULL;
        mesh.corner_colors = part->has_colors ? element(&store->corner_colors, part->first_corner) : NULL;
        start += mesh.face_count + 1;
        meshes[i] = mesh;
    }
}

// One node a part, where the reader added none.
static bool list_nodes(fr_model *model) {
    fr__builder *store = &model->store;
    if (store->nodes.count > 0) { return true; }
    const fr__part *parts = store->parts.data;
    fr_model_node *nodes = fr__push(&store->nodes, store->parts.count);
    if (nodes == NULL) { return false; }
    for (size_t i = 0; i < store->parts.count; i++) {
        nodes[i] = fr_default_model_node();
        nodes[i].name = parts[i].name;
        nodes[i].mesh = (uint32_t)i;
    }
    return true;
}

// Bounds and counts of what the nodes place.
static void measure(fr_model *model) {
    fr_model_view *view = &model->view;
    view->bounds = (fr_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].mesh == FR_NONE || (view->nodes[i].flags & FR_MODEL_HIDDEN) != 0) { continue; }
        fr__placed placed = fr__place_node(model, i);
        view->placed_triangle_count += fr__corner_count(placed.mesh) - (uint64_t)2 * placed.mesh->face_count;
        for (uint32_t v = 0; v < placed.mesh->vertex_count; v++) {
            fr_vec3 p = fr__placed_position(&placed, v);
            view->bounds.min = fr_vec3_min(view->bounds.min, p);
            view->bounds.max = fr_vec3_max(view->bounds.max, p);
        }
    }
}

// Sums over the meshes, each once.
static void count_meshes(fr_model *model) {
    fr_model_view *view = &model->view;
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        view->vertex_count += view->meshes[i].vertex_count;
        view->face_count += view->meshes[i].face_count;
        view->corner_count += fr__corner_count(&view->meshes[i]);
    }
    view->triangle_count = view->corner_count - 2 * view->face_count;
}

void fr__model_complete(fr_model *model, fr_model_format format) {
    const fr__builder *store = &model->store;
    model->view = (fr_model_view){.format = format,
                                  .nodes = store->nodes.data,
                                  .node_count = (uint32_t)store->nodes.count,
                                  .meshes = model->meshes.data,
                                  .mesh_count = (uint32_t)model->meshes.count,
                                  .materials = store->material_list.data,
                                  .material_count = (uint32_t)store->material_list.count,
                                  .placements = store->placements.data,
                                  .placement_count = (uint32_t)store->placements.count,
                                  .textures = store->textures.data,
                                  .texture_count = (uint32_t)store->textures.count,
                                  .clocks = store->clocks.data,
                                  .clock_count = (uint32_t)store->clocks.count,
                                  .tracks = store->tracks.data,
                                  .track_count = (uint32_t)store->tracks.count,
                                  .sounds = store->sounds.data,
                                  .sound_count = (uint32_t)store->sounds.count,
                                  .notes = store->notes.data,
                                  .note_count = (uint32_t)store->notes.count,
                                  .warnings = store->warnings.data,
                                  .warnings_kept = (uint32_t)store->warnings.count,
                                  .warning_count = store->warning_count,
                                  .line_count = store->line_count,
                                  .point_count = store->point_count,
                                  .unit = store->unit,
                                  .up = store->up};
    count_meshes(model);
    measure(model);
}

fr_model *fr__model_alloc(fr__builder *builder) {
    fr_model *model = fr_allocate(&builder->allocator, 1, sizeof *model, _Alignof(fr_model));
    if (model == NULL) { return NULL; }
    *model = (fr_model){.store = *builder};
    *builder = fr__builder_make(&model->store.limits, &model->store.allocator);
    model->meshes = fr_array_make(sizeof(fr_model_mesh), &model->store.allocator);
    model->cooked = fr_array_make(sizeof(fr__cooked), &model->store.allocator);
    return model;
}

fr_status fr__builder_finish(fr__builder *builder, fr_model_format format, fr_model **out) {
    FR_ASSERT(builder->parts.count > 0 || builder->nodes.count > 0);
    fr_model *model = fr__model_alloc(builder);
    if (model == NULL) {
        fr__builder_free(builder);
        return FR_ERROR_MEMORY;
    }
    fr__builder *store = &model->store;
    if (!fr_array_reserve(&model->meshes, store->parts.count) || !fill_corners(store, &store->corner_normals) ||
        !fill_corners(store, &store->corner_uvs) || !fill_corners(store, &store->corner_colors) || !list_nodes(model)) {
        fr_model_destroy(model);
        return FR_ERROR_MEMORY;
    }
    model->meshes.count = store->parts.count;
    slice_meshes(model);
    fr__model_complete(model, format);
    *out = model;
    return FR_OK;
}
