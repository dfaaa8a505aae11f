// From what a reader filled to a model.
#include "model.h"

#include <math.h>
#include <string.h>

// Lists beside the corners end with the last corner that has an element: zeros up to the last corner of all.
static bool fill_corners(fr__builder *store) {
    size_t count = store->corners.count;
    fr__float3_array *normals = &store->corner_normals;
    fr__float2_array *uvs = &store->corner_uvs;
    fr__color_array *colors = &store->corner_colors;
    return (normals->count == 0 || fr__float3_array_extend(normals, count, count) != NULL) &&
           (uvs->count == 0 || fr__float2_array_extend(uvs, count, count) != NULL) &&
           (colors->count == 0 || fr__color_array_extend(colors, count, count) != NULL);
}

// The slices of the lists beside the corners that belong to a part.
static void slice_corner_lists(const fr__builder *store, const fr__builder_part *part, fr_model_mesh *mesh) {
    if (part->has_normals && store->corner_normals.count > 0) {
        mesh->corner_normals = store->corner_normals.data[part->first_corner];
    }
    if (part->has_uvs && store->corner_uvs.count > 0) { mesh->corner_uvs = store->corner_uvs.data[part->first_corner]; }
    if (part->has_colors && store->corner_colors.count > 0) {
        mesh->corner_colors = store->corner_colors.data + part->first_corner;
    }
}

// The slices of the shared arrays that belong to each part.
static void slice_meshes(fr_model *model) {
    const fr__builder *store = &model->store;
    const fr__builder_part *parts = store->parts.data;
    size_t start = 0;
    fr_model_mesh *meshes = model->meshes.data;
    for (size_t i = 0; i < store->parts.count; i++) {
        const fr__builder_part *part = &parts[i];
        bool last = i + 1 == store->parts.count;
        size_t vertex_end = last ? store->positions.count : part[1].first_vertex;
        size_t face_end = last ? store->face_count : part[1].first_face;
        fr_model_mesh mesh = {.vertex_count = (uint32_t)(vertex_end - part->first_vertex),
                              .face_count = (uint32_t)(face_end - part->first_face),
                              .first_face = part->first_id,
                              .is_two_sided = part->two_sided,
                              .primitive = part->primitive,
                              .deform = part->deform};
        const void *positions = store->positions.count > 0 ? fr__array_at(&store->positions, part->first_vertex) : NULL;
        if (store->is_double) {
            mesh.positions_double = positions;
        } else {
            mesh.positions_float = positions;
        }
        if (store->corners.count > 0) { mesh.corners = store->corners.data + part->first_corner; }
        if (store->starts.count > 0) { mesh.face_starts = store->starts.data + start; }
        if (store->ids.count > 0) { mesh.face_ids = store->ids.data + part->first_face; }
        if (part->has_face_colors) { mesh.face_colors = store->colors.data + part->first_face; }
        if (store->materials.count > 0) { mesh.face_materials = store->materials.data + part->first_face; }
        slice_corner_lists(store, part, &mesh);
        start += mesh.face_count + 1;
        meshes[i] = mesh;
    }
}

// One node a part, where the reader added none.
static bool list_nodes(fr_model *model) {
    fr__builder *store = &model->store;
    if (store->nodes.count > 0) { return true; }
    const fr__builder_part *parts = store->parts.data;
    fr_model_node *nodes = fr__model_node_array_push(&store->nodes, store->parts.count);
    if (nodes == NULL) { return false; }
    for (size_t i = 0; i < store->parts.count; i++) {
        nodes[i] = fr_default_model_node();
        nodes[i].name = parts[i].name;
        nodes[i].mesh = (uint32_t)i;
    }
    return true;
}

static void add_point(fr_bounds *bounds, fr_vec3 p) {
    bounds->min = fr_vec3_min(bounds->min, p);
    bounds->max = fr_vec3_max(bounds->max, p);
}

static bool add_vertices(fr_bounds *bounds, const fr__placed *placed, fr__work_meter *meter) {
    bool goes_on = true;
    for (uint32_t v = 0; v < placed->mesh->vertex_count && goes_on; v++) {
        add_point(bounds, fr__placed_position(placed, v));
        goes_on = fr__meter_on(meter, 1);
    }
    return goes_on;
}

// Whether no vertex of a node can lie outside of `bounds`, by the box of its mesh with more room than is rounded.
static bool is_inside(const fr_bounds *bounds, const fr__placed *placed, const fr_bounds *own) {
    fr_vec3 c = fr_bounds_center(own), h = fr_vec3_scale(0.5, fr_vec3_sub(own->max, own->min));
    const double low[3] = {bounds->min.x, bounds->min.y, bounds->min.z};
    const double high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    for (int i = 0; i < 3; i++) {
        const double *m = placed->matrix + (ptrdiff_t)4 * i;
        double middle = m[0] * c.x + m[1] * c.y + m[2] * c.z + m[3];
        double size = fabs(m[0] * c.x) + fabs(m[1] * c.y) + fabs(m[2] * c.z) + fabs(m[3]);
        double half = fabs(m[0]) * h.x + fabs(m[1]) * h.y + fabs(m[2]) * h.z;
        half += 1e-14 * (size + half);
        if (!(middle - half >= low[i] && middle + half <= high[i])) { return false; }
    }
    return true;
}

// The box of a mesh in its own frame.
typedef struct own_box {
    const fr_model_mesh *mesh; // NULL: none yet
    fr_bounds box;
} own_box;

#define OWN_BOXES 64 // that are remembered, by the meshes' numbers

// Whether each coordinate of a node depends on one of its mesh alone: then the box of the mesh becomes that of the
// node, bit for bit, since rounding keeps the order of numbers.
static bool is_along_axes(const fr__placed *placed) {
    for (int i = 0; i < 3; i++) {
        const double *m = placed->matrix + (ptrdiff_t)4 * i;
        if ((m[0] != 0.0) + (m[1] != 0.0) + (m[2] != 0.0) > 1) { return false; }
    }
    return true;
}

// Adds what a node places, by the box of its mesh where that is enough.
static bool add_placed(fr_bounds *bounds, const fr__placed *placed, const fr_bounds *own, fr__work_meter *meter) {
    if (!is_along_axes(placed)) {
        return is_inside(bounds, placed, own) ? fr__meter_on(meter, 16) : add_vertices(bounds, placed, meter);
    }
    add_point(bounds, fr__placed_point(placed, own->min));
    add_point(bounds, fr__placed_point(placed, own->max));
    return fr__meter_on(meter, 16);
}

// Bounds and counts of what the nodes place. Most nodes of a mesh that many have lie along the axes, or inside of what
// the others span: their vertices are not placed. False when the caller wants the reading to end.
static bool measure(fr_model *model) {
    static const fr_bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    own_box boxes[OWN_BOXES] = {{.mesh = NULL}};
    fr__work_meter *meter = &model->store.meter;
    fr_model_view *view = &model->view;
    view->bounds = nothing;
    bool goes_on = true;
    for (uint32_t i = 0; i < view->node_count && goes_on; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        if (mesh == FR_NONE || (view->nodes[i].flags & FR_MODEL_HIDDEN) != 0) { continue; }
        fr__placed placed = fr__place_node(model, i);
        view->placed_triangle_count += fr__corner_count(placed.mesh) - (uint64_t)2 * placed.mesh->face_count;
        if (placed.mesh->vertex_count == 0) { continue; }
        own_box *own = &boxes[mesh % OWN_BOXES];
        if (placed.is_shaped) {
            goes_on = add_vertices(&view->bounds, &placed, meter);
            continue;
        }
        if (own->mesh != placed.mesh) {
            *own = (own_box){placed.mesh, nothing};
            fr__placed still = {.mesh = placed.mesh};
            goes_on = add_vertices(&own->box, &still, meter);
        }
        goes_on = goes_on && add_placed(&view->bounds, &placed, &own->box, meter);
    }
    return goes_on;
}

// Sums over the meshes, each once.
static void count_meshes(fr_model *model) {
    fr_model_view *view = &model->view;
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        view->vertex_count += view->meshes[i].vertex_count;
        view->face_count += view->meshes[i].face_count;
        view->shape_count += fr__deform_of(&view->meshes[i]).target_count;
        view->corner_count += fr__corner_count(&view->meshes[i]);
    }
    view->triangle_count = view->corner_count - 2 * view->face_count;
}

fr_status fr__model_complete(fr_model *model, fr_model_format format) {
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
                                  .skins = store->skins.data,
                                  .skin_count = (uint32_t)store->skins.count,
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
                                  .listed_warning_count = (uint32_t)store->warnings.count,
                                  .warning_count = store->warning_count,
                                  .line_count = store->line_count,
                                  .point_count = store->point_count,
                                  .unit = store->unit,
                                  .up = store->up,
                                  .is_unit_guessed = store->is_unit_guessed,
                                  .is_up_guessed = store->is_up_guessed};
    count_meshes(model);
    if (!fr__model_place_bones(model)) { return FR_ERROR_MEMORY; }
    return measure(model) ? FR_OK : FR_ERROR_STOPPED;
}

fr_model *fr__model_alloc(fr__builder *builder) {
    fr_model *model = fr_allocate(&builder->allocator, 1, sizeof *model, _Alignof(fr_model));
    if (model == NULL) { return NULL; }
    *model = (fr_model){.store = *builder};
    *builder = fr__builder_make(&model->store.limits, &model->store.allocator);
    model->meshes = fr__model_mesh_array_make(&model->store.allocator);
    model->cooked = fr__cooked_array_make(&model->store.allocator);
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
    if (!fr__model_mesh_array_reserve(&model->meshes, store->parts.count) || !fill_corners(store) ||
        !list_nodes(model)) {
        fr_model_destroy(model);
        return FR_ERROR_MEMORY;
    }
    model->meshes.count = store->parts.count;
    slice_meshes(model);
    fr_status status = fr__model_complete(model, format);
    if (status != FR_OK) {
        fr_model_destroy(model);
        return status;
    }
    *out = model;
    return FR_OK;
}
