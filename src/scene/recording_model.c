// The model of a recording: meshes with their looks, objects and bones as nodes, and what moved as tracks.
#include "scene/recording.h"

#include <stdalign.h>
#include <string.h>

// What the model is made of, in one arena; counts grow while it is filled.
typedef struct model_arrays {
    const fr_recording *recording;
    fr_arena *arena;
    fr_model_def def;
    fr_model_node *nodes;
    fr_model_placement *placements; // one a node that may move
    fr_model_mesh *meshes;
    fr_model_skin *skins;
    fr_model_material *materials; // those of the looks, white, then one an object
    uint32_t white;               // for meshes with colours of their own, which files multiply with the material's
    fr_model_texture *textures;
    fr_model_track *tracks;
    const fr__recorded_part **mesh_parts; // of each mesh: the part that it was made of
    bool *is_mesh_plain;
    fr_model_clock clock;
    float *keys; // fractions of the clock, one a frame
} model_arrays;

#define TAKE(m, list, count) ((m)->list = fr_arena_alloc((m)->arena, count, sizeof *(m)->list, 8))

static bool take_arrays(model_arrays *m) {
    const fr_recording *r = m->recording;
    size_t objects = r->objects.count, parts = r->parts.count, poses = 0;
    for (size_t i = 0; i < objects; i++) {
        poses += r->objects.data[i].pose_count;
    }
    return TAKE(m, nodes, poses + parts) != NULL && TAKE(m, placements, poses) != NULL &&
           TAKE(m, meshes, parts) != NULL && TAKE(m, skins, parts) != NULL && TAKE(m, mesh_parts, parts) != NULL &&
           TAKE(m, is_mesh_plain, parts) != NULL &&
           TAKE(m, materials, r->looks->material_count + 1 + objects) != NULL &&
           TAKE(m, textures, r->looks->picture_count) != NULL && TAKE(m, tracks, 3 * poses) != NULL &&
           TAKE(m, keys, r->frame_count) != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Looks

static void set_light(fr_color color, float to[3]) {
    to[0] = (float)color.r / 255.0f;
    to[1] = (float)color.g / 255.0f;
    to[2] = (float)color.b / 255.0f;
}

static fr_model_material material_of(const fr_material *from, const fr_looks *looks) {
    fr_model_material material = fr_default_model_material();
    set_light(from->color, material.diffuse);
    set_light(from->glow, material.emissive);
    if (from->is_unlit) { set_light(from->color, material.emissive); }
    material.transparency = 1.0f - (float)from->color.a / 255.0f;
    material.is_unlit = from->is_unlit;
    // Pixels are no picture file, and stay behind.
    bool is_file = from->picture != FR_NONE && looks->pictures[from->picture].width == 0;
    material.texture = is_file ? from->picture : FR_NONE;
    return material;
}

static void put_looks(model_arrays *m) {
    const fr_looks *looks = m->recording->looks;
    for (uint32_t i = 0; i < looks->material_count; i++) {
        m->materials[m->def.material_count++] = material_of(&looks->materials[i], looks);
    }
    const fr_material white = {.color = {255, 255, 255, 255}, .glow = {0, 0, 0, 255}, .picture = FR_NONE};
    m->white = m->def.material_count++;
    m->materials[m->white] = material_of(&white, looks);
    for (uint32_t i = 0; i < looks->picture_count; i++) {
        const fr_picture *picture = &looks->pictures[i];
        bool is_file = picture->width == 0;
        m->textures[m->def.texture_count++] = (fr_model_texture){.path = "",
                                                                 .bytes = is_file ? picture->bytes : NULL,
                                                                 .byte_count = is_file ? picture->byte_count : 0,
                                                                 .is_repeated_s = picture->is_repeated_u,
                                                                 .is_repeated_t = picture->is_repeated_v,
                                                                 .scale = {1.0f, 1.0f}};
    }
}

static const fr_mesh_look *find_look(const fr_looks *looks, const fr_mesh *mesh) {
    for (uint32_t i = 0; i < looks->mesh_count; i++) {
        if (looks->meshes[i].mesh == mesh) { return &looks->meshes[i]; }
    }
    return NULL;
}

// The material of all triangles of a look; FR_NONE where they differ.
static uint32_t only_material(const fr_mesh_look *look) {
    uint32_t count = look->materials != NULL ? fr_mesh_get(look->mesh)->triangle_count : 0;
    uint32_t first = count > 0 ? look->materials[0] : FR_NONE;
    for (uint32_t i = 1; i < count; i++) {
        if (look->materials[i] != first) { return FR_NONE; }
    }
    return first != FR_NONE ? first : look->material;
}

// Whether the triangles of a mesh have colours of their own: at their corners, or by several materials.
static bool has_own_colors(const fr_mesh_look *look) {
    return look != NULL && (look->colors != NULL || (look->materials != NULL && only_material(look) == FR_NONE));
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

// Several materials become the colours of the triangles: a file has one material a mesh.
static bool set_face_colors(model_arrays *m, const fr_mesh_look *look, fr_model_mesh *out) {
    if (!has_own_colors(look) || look->colors != NULL) { return true; }
    const fr_looks *looks = m->recording->looks;
    fr_color *colors = fr_arena_alloc(m->arena, out->face_count, sizeof *colors, alignof(fr_color));
    for (uint32_t i = 0; i < out->face_count && colors != NULL; i++) {
        uint32_t material = look->materials[i] != FR_NONE ? look->materials[i] : look->material;
        colors[i] = material != FR_NONE ? looks->materials[material].color : fr_default_label().color;
    }
    out->face_colors = colors;
    return colors != NULL;
}

static bool set_positions(model_arrays *m, const fr_mesh_view *mesh, fr_model_mesh *out) {
    out->positions_float = mesh->positions_float;
    if (mesh->positions_float != NULL) { return true; }
    size_t count = (size_t)3 * mesh->vertex_count;
    float *positions = fr_arena_alloc(m->arena, count, sizeof *positions, alignof(float));
    for (size_t i = 0; i < count && positions != NULL; i++) {
        positions[i] = (float)mesh->positions_double[i];
    }
    out->positions_float = positions;
    return positions != NULL;
}

// Normals of the look, and where it says none those of the triangle.
static bool set_look_normals(model_arrays *m, const fr_mesh_look *look, fr_model_mesh *out) {
    const fr_mesh_view *view = fr_mesh_get(look->mesh);
    size_t corners = (size_t)3 * view->triangle_count;
    float *normals = fr_arena_alloc(m->arena, 3 * corners, sizeof *normals, alignof(float));
    for (size_t i = 0; i < corners && normals != NULL; i++) {
        fr_vec3 normal = fr_direction_unpack(look->normals[i]);
        if (look->normals[i] == FR_DIRECTION_NONE) {
            fr_vec3 at[3];
            for (size_t k = 0; k < 3; k++) {
                const float *p = out->positions_float + (size_t)3 * view->triangles[i / 3 * 3 + k];
                at[k] = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
            }
            fr_vec3 u = fr_vec3_sub(at[1], at[0]);
            fr_vec3 v = fr_vec3_sub(at[2], at[0]);
            normal = fr_vec3_unit(fr_vec3_cross(u, v), fr_vec3_make(0.0, 1.0, 0.0));
        }
        normals[3 * i] = (float)normal.x;
        normals[3 * i + 1] = (float)normal.y;
        normals[3 * i + 2] = (float)normal.z;
    }
    out->corner_normals = normals;
    return normals != NULL;
}

// Of a look that says nothing of them: a mesh that bones take along is smooth, any other one flat.
static bool set_normals(model_arrays *m, const fr_mesh *mesh, fr_model_mesh *out) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    size_t corners = (size_t)3 * view->triangle_count;
    fr_vec3 *at_vertices = fr_arena_alloc(m->arena, view->vertex_count, sizeof *at_vertices, alignof(fr_vec3));
    float *normals = fr_arena_alloc(m->arena, 3 * corners, sizeof *normals, alignof(float));
    if (at_vertices == NULL || normals == NULL) { return false; }
    fr_mesh_vertex_normals(mesh, at_vertices);
    for (size_t i = 0; i < corners; i++) {
        fr_vec3 normal = at_vertices[view->triangles[i]];
        normals[3 * i] = (float)normal.x;
        normals[3 * i + 1] = (float)normal.y;
        normals[3 * i + 2] = (float)normal.z;
    }
    out->corner_normals = normals;
    return true;
}

static bool set_deform(model_arrays *m, const fr_skin *skin, fr_model_mesh *out) {
    const fr_skin_view *view = fr_skin_get(skin);
    size_t count = (size_t)view->vertex_count * view->influence_count;
    fr_model_deform *deform = fr_arena_alloc(m->arena, 1, sizeof *deform, alignof(fr_model_deform));
    uint32_t *bones = fr_arena_alloc(m->arena, count, sizeof *bones, alignof(uint32_t));
    if (deform == NULL || bones == NULL) { return false; }
    for (size_t i = 0; i < count; i++) {
        bones[i] = view->bones[i];
    }
    *deform = (fr_model_deform){.influence_count = view->influence_count,
                                .bone_count = view->bone_count,
                                .bones = bones,
                                .weights = view->weights};
    out->deform = deform;
    return true;
}

// The mesh of a part, which parts of the same shape and look share; FR_NONE without memory.
static uint32_t mesh_of(model_arrays *m, const fr__recorded_part *part, bool is_plain) {
    for (uint32_t i = 0; i < m->def.mesh_count; i++) {
        const fr__recorded_part *known = m->mesh_parts[i];
        if (known->mesh == part->mesh && known->skin == part->skin && m->is_mesh_plain[i] == is_plain) { return i; }
    }
    uint32_t index = m->def.mesh_count++;
    fr_model_mesh *mesh = &m->meshes[index];
    const fr_mesh_view *view = fr_mesh_get(part->mesh);
    const fr_mesh_look *look = is_plain ? NULL : find_look(m->recording->looks, part->mesh);
    m->mesh_parts[index] = part;
    m->is_mesh_plain[index] = is_plain;
    *mesh = (fr_model_mesh){.vertex_count = view->vertex_count,
                            .corners = view->triangles,
                            .face_count = view->triangle_count,
                            .face_ids = view->faces,
                            .corner_uvs = look != NULL ? look->uvs : NULL,
                            .corner_colors = look != NULL ? look->colors : NULL};
    bool is_made = set_positions(m, view, mesh) && set_face_colors(m, look, mesh);
    if (look != NULL && look->normals != NULL) {
        is_made = is_made && set_look_normals(m, look, mesh);
    } else if (part->skin != NULL) {
        is_made = is_made && set_normals(m, part->mesh, mesh);
    }
    if (part->skin != NULL) { is_made = is_made && set_deform(m, part->skin, mesh); }
    return is_made ? index : FR_NONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes and tracks

// Adds a track of a node where its numbers change; `at` is where they stand in a frame.
static bool add_track(model_arrays *m, const fr__recorded_object *object, uint32_t node, fr_model_track_kind kind,
                      size_t at) {
    uint32_t count = m->recording->frame_count;
    uint32_t width = kind == FR_MODEL_QUATERNION ? 4 : 3;
    bool is_scale = kind == FR_MODEL_SCALE, has_moved = false;
    const float *first = fr__recorded_frame(object, 0) + at;
    for (uint32_t f = 1; f < count && !has_moved && object->has_moved; f++) {
        has_moved = memcmp(fr__recorded_frame(object, f) + at, first, (is_scale ? 1 : width) * sizeof *first) != 0;
    }
    if (!has_moved) { return true; }
    float *values = fr_arena_alloc(m->arena, (size_t)width * count, sizeof *values, alignof(float));
    if (values == NULL) { return false; }
    for (uint32_t f = 0; f < count; f++) {
        const float *from = fr__recorded_frame(object, f) + at;
        for (uint32_t k = 0; k < width; k++) {
            values[(size_t)width * f + k] = from[is_scale ? 0 : k];
        }
    }
    m->tracks[m->def.track_count++] = (fr_model_track){
        .kind = kind, .target = node, .key_count = count, .width = width, .keys = m->keys, .values = values};
    return true;
}

// Adds a node that stands where a pose of the first frame says, and moves as the others do; FR_NONE without memory.
static uint32_t add_moving_node(model_arrays *m, const fr__recorded_object *object, uint32_t pose, const char *name,
                                uint32_t parent) {
    size_t at = (size_t)FR__RECORDED_POSE * pose;
    const float *v = fr__recorded_frame(object, 0) + at;
    double(*matrix)[12] = fr_arena_alloc(m->arena, 1, sizeof *matrix, alignof(double));
    if (matrix == NULL) { return FR_NONE; }
    double scale = (double)v[7];
    fr_model_placement *placement = &m->placements[m->def.placement_count];
    *placement = (fr_model_placement){.translation = fr_vec3_make((double)v[0], (double)v[1], (double)v[2]),
                                      .scale = fr_vec3_make(scale, scale, scale),
                                      .scale_orientation = fr_quat_identity()};
    placement->rotation = (fr_quat){.x = (double)v[3], .y = (double)v[4], .z = (double)v[5], .w = (double)v[6]};
    (void)fr_quat_normalize(&placement->rotation, NULL); // the floats of a unit one
    fr_model_placement_matrix(placement, *matrix);
    uint32_t index = m->def.node_count++;
    m->nodes[index] = fr_default_model_node();
    m->nodes[index].name = name;
    m->nodes[index].parent = parent;
    m->nodes[index].transform = *matrix;
    m->nodes[index].placement = m->def.placement_count++;
    bool is_made = add_track(m, object, index, FR_MODEL_TRANSLATION, at) &&
                   add_track(m, object, index, FR_MODEL_QUATERNION, at + 3) &&
                   add_track(m, object, index, FR_MODEL_SCALE, at + 7);
    return is_made ? index : FR_NONE;
}

// The bones of an object as nodes, each pass those whose parents have one; NULL without memory.
static uint32_t *add_bones(model_arrays *m, const fr__recorded_object *object, uint32_t node) {
    const fr_skin_view *skin = fr_skin_get(object->skin);
    uint32_t *nodes = fr_arena_alloc(m->arena, skin->bone_count, sizeof *nodes, alignof(uint32_t));
    if (nodes == NULL) { return NULL; }
    memset(nodes, 0xff, skin->bone_count * sizeof *nodes);
    for (uint32_t placed = 0; placed < skin->bone_count;) {
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            uint32_t parent = skin->parents[b];
            if (nodes[b] != FR_NONE || (parent != FR_NONE && nodes[parent] == FR_NONE)) { continue; }
            uint32_t above = parent != FR_NONE ? nodes[parent] : node;
            nodes[b] = add_moving_node(m, object, b + 1, skin->names[b], above);
            if (nodes[b] == FR_NONE) { return NULL; }
            placed++;
        }
    }
    return nodes;
}

static bool set_part_transform(model_arrays *m, const fr_pose *pose, fr_model_node *node) {
    fr_pose identity = fr_pose_identity();
    if (memcmp(pose, &identity, sizeof identity) == 0) { return true; }
    double(*matrix)[12] = fr_arena_alloc(m->arena, 1, sizeof *matrix, alignof(double));
    if (matrix == NULL) { return false; }
    fr_model_placement placement = {.translation = pose->position,
                                    .scale = fr_vec3_make(pose->scale, pose->scale, pose->scale),
                                    .rotation = pose->rotation,
                                    .scale_orientation = fr_quat_identity()};
    fr_model_placement_matrix(&placement, *matrix);
    node->transform = *matrix;
    return true;
}

// A part is a node below its object.
static bool add_part(model_arrays *m, const fr__recorded_object *object, const fr__recorded_part *part, uint32_t parent,
                     uint32_t material, const uint32_t *bones) {
    uint32_t mesh = mesh_of(m, part, object->is_plain);
    if (mesh == FR_NONE) { return false; }
    const fr_mesh_look *look = object->is_plain ? NULL : find_look(m->recording->looks, part->mesh);
    fr_model_node *node = &m->nodes[m->def.node_count++];
    *node = fr_default_model_node();
    node->name = object->name;
    node->parent = parent;
    node->mesh = mesh;
    uint32_t own = look != NULL ? only_material(look) : FR_NONE;
    node->material = has_own_colors(look) ? m->white : own != FR_NONE ? own : material;
    if (part->skin == NULL) { return set_part_transform(m, &part->pose, node); }
    const fr_skin_view *skin = fr_skin_get(part->skin);
    node->skin = m->def.skin_count++;
    m->skins[node->skin] = (fr_model_skin){object->name, skin->bone_count, bones, skin->inverse_binds, FR_NONE};
    return true;
}

static bool add_object(model_arrays *m, const fr__recorded_object *object) {
    uint32_t node = add_moving_node(m, object, 0, object->name, FR_NONE);
    if (node == FR_NONE) { return false; }
    const uint32_t *bones = NULL;
    if (object->skin != NULL && (bones = add_bones(m, object, node)) == NULL) { return false; }
    const fr_material own = {.color = object->color, .glow = {0, 0, 0, 255}, .picture = FR_NONE};
    uint32_t material = m->def.material_count++;
    m->materials[material] = material_of(&own, m->recording->looks);
    for (uint32_t i = 0; i < object->part_count; i++) {
        const fr__recorded_part *part = &m->recording->parts.data[object->first_part + i];
        if (!add_part(m, object, part, node, material, bones)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The model

static bool fill(model_arrays *m) {
    const fr_recording *r = m->recording;
    m->def = fr_default_model_def();
    if (!take_arrays(m)) { return false; }
    uint32_t last = r->frame_count - 1;
    for (uint32_t f = 0; f < r->frame_count; f++) {
        m->keys[f] = last > 0 ? (float)((double)f / (double)last) : 0.0f;
    }
    m->clock = (fr_model_clock){
        .name = "recording", .cycle = (double)last * fr_world_step(r->world), .is_loop = true, .is_enabled = true};
    put_looks(m);
    for (size_t i = 0; i < r->objects.count; i++) {
        if (!add_object(m, &r->objects.data[i])) { return false; }
    }
    m->def.nodes = m->nodes;
    m->def.meshes = m->meshes;
    m->def.materials = m->materials;
    m->def.placements = m->placements;
    m->def.skins = m->skins;
    m->def.textures = m->textures;
    m->def.tracks = m->tracks;
    m->def.clocks = &m->clock;
    m->def.clock_count = m->def.track_count > 0 ? 1 : 0;
    m->def.allocator = r->allocator;
    return true;
}

fr_status fr_recording_model(const fr_recording *recording, fr_model **out, fr_error *error) {
    FR_ASSERT(recording != NULL && out != NULL);
    *out = NULL;
    if (recording->frame_count == 0 || recording->objects.count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "nothing was recorded");
    }
    model_arrays m = {.recording = recording};
    fr_status status = fr_arena_create(0, &recording->allocator, &m.arena, error);
    if (status != FR_OK) { return status; }
    status = fill(&m) ? fr_model_create(&m.def, out, error)
                      : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the model of a recording");
    fr_arena_destroy(m.arena);
    return status;
}
