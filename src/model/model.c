// Models: what is made from a definition, checked and copied, and what a model gives.
#include "model.h"

#include <math.h>
#include <string.h>

#define DEF_COOKIE UINT32_C(0x6d646431)

fr_model_def fr_default_model_def(void) { return (fr_model_def){.cookie = DEF_COOKIE}; }

fr_model_material fr_default_model_material(void) {
    return (fr_model_material){
        .name = "", .diffuse = {0.8f, 0.8f, 0.8f}, .ambient = 0.2f, .shininess = 0.2f, .texture = FR_NONE};
}

const fr_model_view *fr_model_get(const fr_model *model) { return &model->view; }

void fr_model_destroy(fr_model *model) {
    if (model == NULL) { return; }
    fr_allocator allocator = model->store.allocator;
    fr__budget *budget = model->budget;
    fr__builder_free(&model->store);
    fr__model_mesh_array_destroy(&model->meshes);
    fr__cooked_array_destroy(&model->cooked);
    fr_deallocate(&allocator, model->bytes, model->byte_count, 1);
    fr_deallocate(&allocator, model, 1, sizeof *model);
    fr__budget_destroy(budget);
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
        const struct {
            const char *what;
            uint32_t index, count;
        } named[] = {{"mesh", node->mesh, def->mesh_count},
                     {"material", node->material, def->material_count},
                     {"placement", node->placement, def->placement_count}};
        for (size_t k = 0; k < 3; k++) {
            if (named[k].index == FR_NONE || named[k].index < named[k].count) { continue; }
            return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has %s %u of %u", i, named[k].what, named[k].index,
                                named[k].count);
        }
        for (size_t k = 0; k < 12 && node->transform != NULL; k++) {
            if (!isfinite(node->transform[k])) {
                return fr_error_set(error, FR_ERROR_NOT_FINITE, "the transform of node %u is not finite", i);
            }
        }
    }
    return FR_OK;
}

// How many things of a track's kind there are.
static uint32_t target_count(const fr_model_def *def, fr_model_track_kind kind) {
    if (kind == FR_MODEL_COORDINATES) { return def->mesh_count; }
    return fr__is_of_node(kind) ? def->node_count : def->material_count;
}

// The numbers a key of a track has.
static uint64_t track_width(const fr_model_def *def, const fr_model_track *track) {
    switch (track->kind) {
    case FR_MODEL_COORDINATES: return (uint64_t)3 * def->meshes[track->target].vertex_count;
    case FR_MODEL_WEIGHTS: {
        uint32_t mesh = def->nodes[track->target].mesh;
        return mesh != FR_NONE ? fr__deform_of(&def->meshes[mesh]).target_count : 0;
    }
    case FR_MODEL_QUATERNION:
    case FR_MODEL_ROTATION:
    case FR_MODEL_SCALE_ORIENTATION: return 4;
    case FR_MODEL_TRANSPARENCY: return 1;
    default: return 3;
    }
}

static bool are_finite(const float *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) { return false; }
    }
    return true;
}

static fr_status check_track(const fr_model_def *def, uint32_t index, fr_error *error) {
    const fr_model_track *track = &def->tracks[index];
    if ((unsigned)track->kind > FR_MODEL_WEIGHTS || track->clock >= def->clock_count ||
        track->target >= target_count(def, track->kind)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "track %u names a clock or a target that is not there", index);
    }
    if (fr__moves_placement(track->kind) && def->nodes[track->target].placement == FR_NONE) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "track %u moves a node without placement", index);
    }
    if (track->key_count == 0 || track->width == 0 || track->width != track_width(def, track)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "track %u has no keys, or not as many numbers as its kind",
                            index);
    }
    if (!are_finite(track->keys, track->key_count) ||
        !are_finite(track->values, (uint64_t)track->key_count * track->width)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "track %u has a number that is not finite", index);
    }
    for (uint32_t k = 1; k < track->key_count; k++) {
        if (track->keys[k] < track->keys[k - 1]) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the keys of track %u decrease at %u", index, k);
        }
    }
    return FR_OK;
}

// What stands beside nodes and meshes.
static fr_status check_rest(const fr_model_def *def, fr_error *error) {
    for (uint32_t i = 0; i < def->material_count; i++) {
        if (def->materials[i].texture != FR_NONE && def->materials[i].texture >= def->texture_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "material %u has texture %u of %u", i,
                                def->materials[i].texture, def->texture_count);
        }
    }
    for (uint32_t i = 0; i < def->sound_count; i++) {
        if (def->sounds[i].node >= def->node_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "sound %u stands at node %u of %u", i, def->sounds[i].node,
                                def->node_count);
        }
    }
    for (uint32_t i = 0; i < def->track_count; i++) {
        fr_status status = check_track(def, i, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr__model_check_links(const fr_model_def *def, fr_error *error) {
    fr_status status = check_nodes(def, error);
    if (status == FR_OK) { status = fr__model_check_skins(def, error); }
    return status == FR_OK ? check_rest(def, error) : status;
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

// A copy that lives as long as the model.
static const void *copied(fr__builder *builder, const void *data, size_t count, size_t size) {
    void *copy = fr__builder_alloc(builder, count, size, _Alignof(max_align_t));
    if (copy != NULL && count > 0) { memcpy(copy, data, count * size); }
    return copy;
}

// The copies of a text; on failure the pointer becomes NULL and the result false.
static bool copy_text(fr__builder *builder, const char **text) {
    *text = fr__builder_text(builder, span_of(*text));
    return *text != NULL;
}

// The same for numbers and bytes; NULL stays NULL.
static bool copy_data(fr__builder *builder, const void **data, size_t count, size_t size) {
    if (*data == NULL) { return true; }
    *data = copied(builder, *data, count, size);
    return *data != NULL;
}

// Bones, weights and shapes of the mesh that is copied.
static bool copy_deform(fr__builder *builder, const fr_model_mesh *mesh) {
    if (mesh->deform == NULL) { return true; }
    fr_model_deform *deform = fr__builder_deform(builder);
    if (deform == NULL) { return false; }
    *deform = *mesh->deform;
    size_t influences = (size_t)deform->influence_count * mesh->vertex_count;
    size_t numbers = (size_t)3 * deform->target_count * mesh->vertex_count;
    const void *bones = deform->bones, *weights = deform->weights, *targets = deform->targets;
    const void *rest = deform->target_weights;
    bool is_copied = copy_data(builder, &bones, influences, sizeof(uint32_t)) &&
                     copy_data(builder, &weights, influences, sizeof(float)) &&
                     copy_data(builder, &targets, numbers, sizeof(float)) &&
                     copy_data(builder, &rest, deform->target_count, sizeof(float));
    deform->bones = bones;
    deform->weights = weights;
    deform->targets = targets;
    deform->target_weights = rest;
    return is_copied;
}

// A corner with what stands at it.
static bool copy_corner(fr__builder *builder, const fr_model_mesh *mesh, uint32_t corner) {
    return fr__builder_corner(builder, mesh->corners[corner]) &&
           (mesh->corner_normals == NULL ||
            fr__builder_normal_corner(builder, mesh->corner_normals + (size_t)3 * corner)) &&
           (mesh->corner_uvs == NULL || fr__builder_uv_corner(builder, mesh->corner_uvs + (size_t)2 * corner)) &&
           (mesh->corner_colors == NULL || fr__builder_color_corner(builder, mesh->corner_colors[corner]));
}

static bool copy_mesh(fr__builder *builder, const fr_model_mesh *mesh) {
    if (!fr__builder_begin_part(builder, span_of(NULL))) { return false; }
    fr__builder_part *part = fr__builder_last_part(builder);
    part->two_sided = mesh->is_two_sided;
    if (mesh->primitive != NULL) {
        part->primitive = copied(builder, mesh->primitive, 1, sizeof *mesh->primitive);
        if (part->primitive == NULL) { return false; }
    }
    if (!copy_deform(builder, mesh)) { return false; }
    const void *positions = builder->is_double ? (const void *)mesh->positions_double : mesh->positions_float;
    void *place = mesh->vertex_count > 0 ? fr__push(&builder->positions, mesh->vertex_count) : NULL;
    if (mesh->vertex_count > 0 && place == NULL) { return false; }
    if (place != NULL) { memcpy(place, positions, builder->positions.element_bytes * mesh->vertex_count); }
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t begin = fr_model_face_begin(mesh, f), end = fr_model_face_end(mesh, f);
        if (!fr__builder_set_id(builder, fr__face_id(mesh, f))) { return false; }
        for (uint32_t c = begin; c < end; c++) {
            if (!copy_corner(builder, mesh, c)) { return false; }
        }
        if (!fr__builder_end_face(builder, end - begin) ||
            (mesh->face_colors != NULL && !fr__builder_color_face(builder, mesh->face_colors[f])) ||
            (mesh->face_materials != NULL && !fr__builder_material_face(builder, mesh->face_materials[f]))) {
            return false;
        }
    }
    return true;
}

static bool copy_nodes(const fr_model_def *def, fr__builder *builder) {
    for (uint32_t i = 0; i < def->node_count; i++) {
        fr_model_node node = def->nodes[i];
        if (def->skin_count == 0) { node.skin = FR_NONE; }
        const void *transform = node.transform;
        if (!copy_text(builder, &node.name) || !copy_data(builder, &transform, 12, sizeof(double))) { return false; }
        node.transform = transform;
        if (fr__builder_add_node(builder, &node) == FR_NONE) { return false; }
    }
    for (uint32_t i = 0; i < def->skin_count; i++) {
        fr_model_skin skin = def->skins[i];
        const void *nodes = skin.nodes, *binds = skin.inverse_binds;
        if (!copy_text(builder, &skin.name) || !copy_data(builder, &nodes, skin.bone_count, sizeof(uint32_t)) ||
            !copy_data(builder, &binds, skin.bone_count, 12 * sizeof(double))) {
            return false;
        }
        skin.nodes = nodes;
        skin.inverse_binds = binds;
        if (fr__model_skin_array_add(&builder->skins, &skin) == FR_NONE) { return false; }
    }
    for (uint32_t i = 0; i < def->placement_count; i++) {
        if (fr__model_placement_array_add(&builder->placements, &def->placements[i]) == FR_NONE) { return false; }
    }
    return true;
}

static bool copy_texture(const fr_model_texture *source, fr__builder *builder) {
    fr_model_texture texture = *source;
    const void *bytes = texture.bytes, *pixels = texture.pixels;
    if (!copy_text(builder, &texture.path) || !copy_data(builder, &bytes, texture.byte_count, 1) ||
        !copy_data(builder, &pixels, (size_t)texture.width * texture.height, texture.components)) {
        return false;
    }
    texture.bytes = bytes;
    texture.pixels = pixels;
    return fr__model_texture_array_add(&builder->textures, &texture) != FR_NONE;
}

static bool copy_looks(const fr_model_def *def, fr__builder *builder) {
    for (uint32_t i = 0; i < def->material_count; i++) {
        fr_model_material material = def->materials[i];
        if (!copy_text(builder, &material.name) ||
            fr__model_material_array_add(&builder->material_list, &material) == FR_NONE) {
            return false;
        }
    }
    for (uint32_t i = 0; i < def->texture_count; i++) {
        if (!copy_texture(&def->textures[i], builder)) { return false; }
    }
    return true;
}

static bool copy_motion(const fr_model_def *def, fr__builder *builder) {
    for (uint32_t i = 0; i < def->clock_count; i++) {
        fr_model_clock clock = def->clocks[i];
        if (!copy_text(builder, &clock.name) || fr__model_clock_array_add(&builder->clocks, &clock) == FR_NONE) {
            return false;
        }
    }
    for (uint32_t i = 0; i < def->track_count; i++) {
        fr_model_track track = def->tracks[i];
        const void *keys = track.keys, *values = track.values;
        if (!copy_data(builder, &keys, track.key_count, sizeof(float)) ||
            !copy_data(builder, &values, (size_t)track.key_count * track.width, sizeof(float))) {
            return false;
        }
        track.keys = keys;
        track.values = values;
        if (fr__model_track_array_add(&builder->tracks, &track) == FR_NONE) { return false; }
    }
    return true;
}

static bool copy_words(const fr_model_def *def, fr__builder *builder) {
    for (uint32_t i = 0; i < def->sound_count; i++) {
        fr_model_sound sound = def->sounds[i];
        if (!copy_text(builder, &sound.path) || !copy_text(builder, &sound.description) ||
            fr__model_sound_array_add(&builder->sounds, &sound) == FR_NONE) {
            return false;
        }
    }
    for (uint32_t i = 0; i < def->note_count; i++) {
        fr_model_note note = def->notes[i];
        if (!copy_text(builder, &note.kind) || !copy_text(builder, &note.name) || !copy_text(builder, &note.text) ||
            fr__model_note_array_add(&builder->notes, &note) == FR_NONE) {
            return false;
        }
    }
    return true;
}

static bool copy_all(const fr_model_def *def, fr__builder *builder) {
    for (uint32_t i = 0; i < def->mesh_count; i++) {
        if (!copy_mesh(builder, &def->meshes[i])) { return false; }
    }
    return copy_nodes(def, builder) && copy_looks(def, builder) && copy_motion(def, builder) &&
           copy_words(def, builder);
}

fr_status fr_model_create(const fr_model_def *def, fr_model **out, fr_error *error) {
    *out = NULL;
    if (def->cookie != DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_model_def"); }
    bool is_double = def->mesh_count > 0 && def->meshes[0].positions_double != NULL;
    fr_status status = check_nodes(def, error);
    for (uint32_t i = 0; i < def->mesh_count && status == FR_OK; i++) {
        status = check_mesh(def, i, is_double, error);
    }
    if (status == FR_OK) { status = fr__model_check_skins(def, error); }
    if (status == FR_OK) { status = check_rest(def, error); }
    if (status != FR_OK) { return status; }

    const uint64_t max = UINT32_MAX - 1;
    fr_model_limits limits = {.vertices = max, .faces = max, .corners = max, .polygon_corners = max, .nodes = max};
    fr__builder builder = fr__builder_make(&limits, &def->allocator);
    fr__builder_set_double(&builder, is_double);
    if (!copy_all(def, &builder)) {
        status = builder.over_what != NULL ? FR_ERROR_LIMIT : FR_ERROR_MEMORY;
        fr__builder_free(&builder);
        return fr_error_set(error, status, "%s", fr_status_text(status));
    }
    fr_model *model = NULL;
    status = fr__builder_finish(&builder, FR_MODEL_AUTO, &model);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
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
    fr_model_node node = fr_default_model_node();
    node.name = name;
    node.mesh = 0;
    fr_model_def def = fr_default_model_def();
    def.nodes = &node;
    def.node_count = 1;
    def.meshes = &part;
    def.mesh_count = 1;
    if (allocator != NULL) { def.allocator = *allocator; }
    return fr_model_create(&def, out, error);
}
