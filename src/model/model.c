#include "model.h"

#include <math.h>
#include <string.h>

#define DEF_COOKIE UINT32_C(0x6d646431)

fr_model_def fr_default_model_def(void) { return (fr_model_def){.cookie = DEF_COOKIE}; }

const fr_model_view *fr_model_get(const fr_model *model) { return &model->view; }

void fr_model_destroy(fr_model *model) {
    if (model == NULL) { return; }
    fr_allocator allocator = model->store.allocator;
    fr__builder_free(&model->store);
    fr_array_free(&model->nodes);
    fr_array_free(&model->meshes);
    fr_array_free(&model->materials);
    fr_release(&allocator, model, 1, sizeof *model);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_nodes(const fr_model_def *def, fr_error *error) {
    if (def->node_count == 0 || def->nodes == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a model has at least one node");
    }
    for (uint32_t i = 0; i < def->node_count; i++) {
        const fr_model_node *node = &def->nodes[i];
        if (node->parent != FR_NONE && node->parent >= i) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has parent %u, which does not come before it", i,
                                node->parent);
        }
        if (node->mesh != FR_NONE && node->mesh >= def->mesh_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has mesh %u of %u", i, node->mesh, def->mesh_count);
        }
    }
    return FR_OK;
}

static fr_status check_positions(const fr_model_mesh *mesh, uint32_t index, fr_error *error) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (!fr_vec3_is_finite(fr__position(mesh, v))) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "mesh %u, vertex %u is not finite", index, v);
        }
    }
    return FR_OK;
}

static fr_status check_faces(const fr_model_mesh *mesh, uint32_t index, uint32_t material_count, fr_error *error) {
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint64_t begin = fr_model_face_begin(mesh, f), end = fr_model_face_end(mesh, f);
        if (f == 0 && begin != 0) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u: its first polygon does not start at 0", index);
        }
        if (end < begin + 3) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u, polygon %u has fewer than 3 corners", index, f);
        }
        if (mesh->face_materials != NULL && mesh->face_materials[f] != FR_NONE &&
            mesh->face_materials[f] >= material_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u, polygon %u has material %u of %u", index, f,
                                mesh->face_materials[f], material_count);
        }
        for (uint64_t c = begin; c < end; c++) {
            if (mesh->corners[c] < mesh->vertex_count) { continue; }
            return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u, polygon %u has vertex %u of %u", index, f,
                                mesh->corners[c], mesh->vertex_count);
        }
    }
    return FR_OK;
}

static fr_status check_mesh(const fr_model_def *def, uint32_t index, bool is_double, fr_error *error) {
    const fr_model_mesh *mesh = &def->meshes[index];
    bool has_double = mesh->positions_double != NULL, has_float = mesh->positions_float != NULL;
    if (mesh->vertex_count > 0 && (has_double == has_float || has_double != is_double)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u: all meshes have floats, or all have doubles", index);
    }
    if (mesh->face_count > UINT32_MAX / 3 || (mesh->face_count > 0 && mesh->corners == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u has no corners, or too many polygons", index);
    }
    fr_status status = check_positions(mesh, index, error);
    return status == FR_OK ? check_faces(mesh, index, def->material_count, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Copies

static fr__span span_of(const char *name) {
    return (fr__span){name != NULL ? name : "", name != NULL ? strlen(name) : 0};
}

static bool copy_mesh(fr__builder *builder, const fr_model_mesh *mesh) {
    if (!fr__builder_begin_part(builder, span_of(NULL))) { return false; }
    const void *positions = builder->is_double ? (const void *)mesh->positions_double : mesh->positions_float;
    void *place = mesh->vertex_count > 0 ? fr__push(&builder->positions, mesh->vertex_count) : NULL;
    if (mesh->vertex_count > 0 && place == NULL) { return false; }
    if (place != NULL) { memcpy(place, positions, builder->positions.element_bytes * mesh->vertex_count); }
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t begin = fr_model_face_begin(mesh, f), end = fr_model_face_end(mesh, f);
        if (!fr__builder_set_id(builder, fr__face_id(mesh, f))) { return false; }
        for (uint32_t c = begin; c < end; c++) {
            if (!fr__builder_corner(builder, mesh->corners[c])) { return false; }
        }
        if (!fr__builder_end_face(builder, end - begin) ||
            (mesh->face_colors != NULL && !fr__builder_color_face(builder, mesh->face_colors[f])) ||
            (mesh->face_materials != NULL && !fr__builder_material_face(builder, mesh->face_materials[f]))) {
            return false;
        }
    }
    return true;
}

// Replaces the nodes that the builder makes, one a mesh, by those of the definition.
static bool copy_nodes(fr_model *model, const fr_model_def *def) {
    model->nodes.count = 0;
    fr_model_node *nodes = fr__push(&model->nodes, def->node_count);
    if (nodes == NULL) { return false; }
    fr_array *names = &model->store.names;
    size_t bytes = 0;
    for (uint32_t i = 0; i < def->node_count; i++) {
        bytes += span_of(def->nodes[i].name).length + 1;
    }
    // All at once: names that moved would leave the nodes' pointers behind.
    fr_array pool = fr_array_make(1, &names->allocator);
    size_t old_bytes = names->count;
    if (!fr_array_reserve(&pool, old_bytes + bytes)) { return false; }
    char *text = pool.data;
    if (old_bytes > 0) { memcpy(text, names->data, old_bytes); }
    pool.count = old_bytes + bytes;
    size_t at = old_bytes;
    for (uint32_t i = 0; i < def->node_count; i++) {
        fr__span name = span_of(def->nodes[i].name);
        memcpy(text + at, name.begin, name.length);
        text[at + name.length] = '\0';
        nodes[i] = (fr_model_node){text + at, def->nodes[i].parent, def->nodes[i].mesh};
        at += name.length + 1;
    }
    const size_t *material_names = model->store.material_names.data;
    fr_model_material *materials = model->materials.data;
    for (size_t i = 0; i < model->materials.count; i++) {
        materials[i].name = text + material_names[i];
    }
    fr_array_free(names);
    *names = pool;
    model->view.nodes = nodes;
    model->view.node_count = def->node_count;
    return true;
}

static bool copy_all(const fr_model_def *def, fr__builder *builder) {
    for (uint32_t i = 0; i < def->mesh_count; i++) {
        if (!copy_mesh(builder, &def->meshes[i])) { return false; }
    }
    for (uint32_t i = 0; i < def->material_count; i++) {
        if (!fr__builder_add_material(builder, span_of(def->materials[i].name))) { return false; }
    }
    return def->mesh_count > 0 || fr__builder_begin_part(builder, span_of(NULL));
}

fr_status fr_model_create(const fr_model_def *def, fr_model **out, fr_error *error) {
    FR_ASSERT(def->cookie == DEF_COOKIE);
    *out = NULL;
    bool is_double = def->mesh_count > 0 && def->meshes[0].positions_double != NULL;
    fr_status status = check_nodes(def, error);
    for (uint32_t i = 0; i < def->mesh_count && status == FR_OK; i++) {
        status = check_mesh(def, i, is_double, error);
    }
    if (status != FR_OK) { return status; }

    const uint64_t most = UINT32_MAX - 1;
    fr_model_limits limits = {SIZE_MAX, most, most, most, most, most};
    fr__builder builder = fr__builder_make(&limits, &def->allocator);
    fr__builder_set_double(&builder, is_double);
    if (!copy_all(def, &builder)) {
        status = builder.over_what != NULL ? FR_ERROR_LIMIT : FR_ERROR_MEMORY;
        fr__builder_free(&builder);
        return fr_error_set(error, status, "%s", fr_status_text(status));
    }
    fr_model *model = NULL;
    status = fr__builder_finish(&builder, FR_MODEL_AUTO, &model);
    if (status == FR_OK && !copy_nodes(model, def)) {
        fr_model_destroy(model);
        status = FR_ERROR_MEMORY;
    }
    if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
    model->view.mesh_count = def->mesh_count;
    *out = model;
    return FR_OK;
}

fr_status fr_model_from_mesh(const fr_mesh *mesh, const char *name, const fr_allocator *allocator, fr_model **out,
                             fr_error *error) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_model_mesh part = {.positions_float = view->positions_float,
                          .positions_double = view->positions_double,
                          .vertex_count = view->vertex_count,
                          .corners = view->triangles,
                          .face_count = view->triangle_count,
                          .face_ids = view->faces};
    fr_model_node node = {.name = name, .parent = FR_NONE, .mesh = 0};
    fr_model_def def = fr_default_model_def();
    def.nodes = &node;
    def.node_count = 1;
    def.meshes = &part;
    def.mesh_count = 1;
    if (allocator != NULL) { def.allocator = *allocator; }
    return fr_model_create(&def, out, error);
}
