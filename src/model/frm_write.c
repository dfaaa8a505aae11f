// Writes the intermediate file, see frm.h. Arrays go out first and in a fixed order, so that the lists after them can
// count where each one lies without remembering it.
#include "bytes.h"
#include "frm.h"
#include "sink.h"

#include <math.h>
#include <string.h>

// Where the cooked form of a mesh lies in the file; zeros for none.
typedef struct cooked_place {
    uint64_t offset, size;
} cooked_place;

FR_ARRAY_TYPE(cooked_place_array, cooked_place);

typedef struct frm_out {
    fr__sink *sink;
    const fr_model *model;
    const fr_model_view *view;
    fr__frm_chunk chunks[FR__FRM_TAG_COUNT];
    uint64_t next[FR__FRM_TAG_COUNT]; // where the next array of a chunk lies, while lists are written
    uint64_t text_next;               // the same for words, from the beginning of TEXT
    cooked_place_array cooked;        // one a mesh
} frm_out;

static void put_u32(frm_out *out, uint32_t value) { fr__store_u32(fr__sink_room(out->sink, 4), value); }
static void put_float(frm_out *out, float value) { fr__store_float(fr__sink_room(out->sink, 4), value); }
static void put_double(frm_out *out, double value) { fr__store_double(fr__sink_room(out->sink, 8), value); }

static void put_u64(frm_out *out, uint64_t value) {
    put_u32(out, (uint32_t)value);
    put_u32(out, (uint32_t)(value >> 32));
}

static void put_vec3(frm_out *out, fr_vec3 v) {
    put_double(out, v.x);
    put_double(out, v.y);
    put_double(out, v.z);
}

static void put_floats(frm_out *out, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put_float(out, values[i]);
    }
}

static void align(frm_out *out, uint64_t to) {
    while (fr__sink_offset(out->sink) % to != 0) {
        *fr__sink_room(out->sink, 1) = 0;
    }
}

// What was written so far counts for the header; the next bytes are those of a chunk.
static void begin_chunk(frm_out *out, fr__frm_tag tag) {
    align(out, FR__FRM_ALIGN);
    fr__sink_flush(out->sink);
    fr__checksum_take(out->sink->sum);
    out->chunks[tag].offset = out->next[tag] = fr__sink_offset(out->sink);
}

static void end_chunk(frm_out *out, fr__frm_tag tag) {
    fr__sink_flush(out->sink);
    out->chunks[tag].size = fr__sink_offset(out->sink) - out->chunks[tag].offset;
    out->chunks[tag].checksum = fr__checksum_take(out->sink->sum);
}

// An array in a chunk of arrays; nothing for NULL.
static void put_array(frm_out *out, const void *data, uint64_t count, size_t size) {
    if (data == NULL || count == 0) { return; }
    align(out, 8);
    fr__sink_bytes(out->sink, data, (size_t)count * size);
}

// The offset at which put_array left it.
static void put_offset(frm_out *out, fr__frm_tag tag, const void *data, uint64_t count, size_t size) {
    if (data == NULL || count == 0) {
        put_u64(out, 0);
        return;
    }
    uint64_t offset = (out->next[tag] + 7) / 8 * 8;
    out->next[tag] = offset + count * size;
    put_u64(out, offset);
}

// ---------------------------------------------------------------------------------------------------------------
// Arrays

static size_t position_bytes(const frm_out *out) { return out->model->store.is_double ? 24 : 12; }

static const void *positions_of(const fr_model_mesh *mesh) {
    return mesh->positions_double != NULL ? (const void *)mesh->positions_double : mesh->positions_float;
}

static void write_positions(frm_out *out) {
    begin_chunk(out, FR__FRM_VERT);
    for (uint32_t i = 0; i < out->view->mesh_count && out->sink->status == FR_OK; i++) {
        const fr_model_mesh *mesh = &out->view->meshes[i];
        put_array(out, positions_of(mesh), mesh->vertex_count, position_bytes(out));
    }
    end_chunk(out, FR__FRM_VERT);
}

static void write_faces(frm_out *out) {
    begin_chunk(out, FR__FRM_FACE);
    for (uint32_t i = 0; i < out->view->mesh_count; i++) {
        const fr_model_mesh *mesh = &out->view->meshes[i];
        put_array(out, mesh->corners, fr__corner_count(mesh), 4);
        put_array(out, mesh->face_starts, (uint64_t)mesh->face_count + 1, 4);
        put_array(out, mesh->face_ids, mesh->face_count, 4);
        if (!fr__sink_faces_done(out->sink, mesh->face_count)) { break; }
    }
    end_chunk(out, FR__FRM_FACE);
}

static void write_draw_data(frm_out *out) {
    begin_chunk(out, FR__FRM_GSET);
    for (uint32_t i = 0; i < out->view->mesh_count && out->sink->status == FR_OK; i++) {
        const fr_model_mesh *mesh = &out->view->meshes[i];
        uint32_t corners = fr__corner_count(mesh);
        put_array(out, mesh->face_colors, mesh->face_count, sizeof(fr_color));
        put_array(out, mesh->face_materials, mesh->face_count, 4);
        put_array(out, mesh->corner_normals, corners, 12);
        put_array(out, mesh->corner_uvs, corners, 8);
        put_array(out, mesh->corner_colors, corners, sizeof(fr_color));
    }
    end_chunk(out, FR__FRM_GSET);
}

static void write_pictures(frm_out *out) {
    begin_chunk(out, FR__FRM_DATA);
    for (uint32_t i = 0; i < out->view->texture_count; i++) {
        const fr_model_texture *texture = &out->view->textures[i];
        put_array(out, texture->bytes, texture->byte_count, 1);
        put_array(out, texture->pixels, (uint64_t)texture->width * texture->height, texture->components);
    }
    end_chunk(out, FR__FRM_DATA);
}

static void write_bones(frm_out *out) {
    begin_chunk(out, FR__FRM_BONE);
    for (uint32_t i = 0; i < out->view->mesh_count; i++) {
        fr_model_deform deform = fr__deform_of(&out->view->meshes[i]);
        uint64_t vertices = out->view->meshes[i].vertex_count;
        put_array(out, deform.bones, deform.influence_count * vertices, 4);
        put_array(out, deform.weights, deform.influence_count * vertices, 4);
        put_array(out, deform.targets, deform.target_count * vertices, 12);
        put_array(out, deform.target_weights, deform.target_count, 4);
    }
    for (uint32_t i = 0; i < out->view->skin_count; i++) {
        put_array(out, out->view->skins[i].nodes, out->view->skins[i].bone_count, 4);
        put_array(out, out->view->skins[i].inverse_binds, out->view->skins[i].bone_count, 96);
    }
    end_chunk(out, FR__FRM_BONE);
}

static void write_keys(frm_out *out) {
    begin_chunk(out, FR__FRM_KEYS);
    for (uint32_t i = 0; i < out->view->track_count; i++) {
        const fr_model_track *track = &out->view->tracks[i];
        put_array(out, track->keys, track->key_count, 4);
        put_array(out, track->values, (uint64_t)track->key_count * track->width, 4);
    }
    end_chunk(out, FR__FRM_KEYS);
}

// The cooked form of a node's mesh; where it lies, 0 where there is none (no polygon, for instance).
static void cook(frm_out *out, uint32_t node, cooked_place *place) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_in_own_frame = true;
    input.control = out->sink->control;
    input.allocator = out->model->store.allocator;
    fr_mesh *mesh;
    fr_status status = fr_model_part_mesh(out->model, node, &input, &mesh, NULL);
    if (status == FR_ERROR_MEMORY || status == FR_ERROR_STOPPED) {
        fr__sink_fail(out->sink, status, fr_status_text(status));
    }
    if (status != FR_OK) { return; }
    size_t size = fr_mesh_cook(mesh, NULL, 0);
    void *block = fr_allocate(&input.allocator, size, 1, FR__FRM_ALIGN);
    if (block != NULL) {
        fr_mesh_cook(mesh, block, size);
        align(out, FR__FRM_ALIGN);
        place->offset = fr__sink_offset(out->sink);
        place->size = size;
        fr__sink_bytes(out->sink, block, size);
    } else {
        fr__sink_fail(out->sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
    }
    fr_deallocate(&input.allocator, block, size, 1);
    fr_mesh_release(mesh);
}

static void write_cooked(frm_out *out) {
    if (out->sink->no_cooked || out->sink->status != FR_OK) { return; }
    cooked_place *places = cooked_place_array_push(&out->cooked, out->view->mesh_count);
    if (places == NULL) {
        fr__sink_fail(out->sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
        return;
    }
    memset(places, 0, out->cooked.count * sizeof *places);
    begin_chunk(out, FR__FRM_COOK);
    for (uint32_t i = 0; i < out->view->node_count && out->sink->status == FR_OK; i++) {
        uint32_t mesh = out->view->nodes[i].mesh;
        if (mesh != FR_NONE && places[mesh].offset == 0) { cook(out, i, &places[mesh]); }
    }
    end_chunk(out, FR__FRM_COOK);
    begin_chunk(out, FR__FRM_CKIX);
    for (uint32_t i = 0; i < out->view->mesh_count; i++) {
        put_u64(out, places[i].offset);
        put_u64(out, places[i].size);
    }
    end_chunk(out, FR__FRM_CKIX);
}

// ---------------------------------------------------------------------------------------------------------------
// Words, in the order in which the lists name them

static void put_words(frm_out *out, const char *text) {
    if (text[0] != '\0') { fr__sink_bytes(out->sink, text, strlen(text) + 1); }
}

static void put_words_at(frm_out *out, const char *text) {
    put_u64(out, text[0] != '\0' ? out->text_next : 0);
    if (text[0] != '\0') { out->text_next += strlen(text) + 1; }
}

static void write_text(frm_out *out) {
    const fr_model_view *view = out->view;
    begin_chunk(out, FR__FRM_TEXT);
    fr__sink_bytes(out->sink, "", 1);
    for (uint32_t i = 0; i < view->node_count; i++) {
        put_words(out, view->nodes[i].name);
    }
    for (uint32_t i = 0; i < view->material_count; i++) {
        put_words(out, view->materials[i].name);
    }
    for (uint32_t i = 0; i < view->texture_count; i++) {
        put_words(out, view->textures[i].path);
    }
    for (uint32_t i = 0; i < view->clock_count; i++) {
        put_words(out, view->clocks[i].name);
    }
    for (uint32_t i = 0; i < view->skin_count; i++) {
        put_words(out, view->skins[i].name);
    }
    for (uint32_t i = 0; i < view->sound_count; i++) {
        put_words(out, view->sounds[i].path);
        put_words(out, view->sounds[i].description);
    }
    for (uint32_t i = 0; i < view->note_count; i++) {
        put_words(out, view->notes[i].kind);
        put_words(out, view->notes[i].name);
        put_words(out, view->notes[i].text);
    }
    for (uint32_t i = 0; i < view->listed_warning_count; i++) {
        put_words(out, view->warnings[i].message);
    }
    end_chunk(out, FR__FRM_TEXT);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// What is written of a node beside what the model says: its place among the others, and what its subtree holds.
typedef struct node_sums {
    uint32_t first_child, next_sibling;
    uint64_t own_polygons, polygons;
    fr_bounds own_bounds, bounds;
} node_sums;

static const fr_bounds no_bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void sum_node(frm_out *out, uint32_t node, node_sums *sums) {
    const fr_model *model = out->model;
    (void)fr__sink_goes_on(out->sink, 4);
    *sums = (node_sums){.first_child = FR_NONE, .next_sibling = FR_NONE, .own_bounds = no_bounds, .bounds = no_bounds};
    if (model->view.nodes[node].mesh == FR_NONE) { return; }
    fr__placed placed = fr__place_node(model, node);
    for (uint32_t v = 0; v < placed.mesh->vertex_count && fr__sink_goes_on(out->sink, 1); v++) {
        fr_vec3 p = fr__placed_position(&placed, v);
        sums->own_bounds.min = fr_vec3_min(sums->own_bounds.min, p);
        sums->own_bounds.max = fr_vec3_max(sums->own_bounds.max, p);
    }
    sums->bounds = sums->own_bounds;
    sums->own_polygons = sums->polygons = placed.mesh->face_count;
}

// Children come after their parents, so that one pass from the last node to the first adds all up.
static void sum_nodes(frm_out *out, node_sums *sums) {
    const fr_model *model = out->model;
    uint32_t next_root = FR_NONE;
    for (uint32_t i = model->view.node_count; i-- > 0 && fr__sink_goes_on(out->sink, 4);) {
        uint32_t parent = model->view.nodes[i].parent;
        if (parent == FR_NONE) {
            sums[i].next_sibling = next_root;
            next_root = i;
            continue;
        }
        sums[i].next_sibling = sums[parent].first_child;
        sums[parent].first_child = i;
        sums[parent].polygons += sums[i].polygons;
        sums[parent].bounds.min = fr_vec3_min(sums[parent].bounds.min, sums[i].bounds.min);
        sums[parent].bounds.max = fr_vec3_max(sums[parent].bounds.max, sums[i].bounds.max);
    }
}

static void write_nodes(frm_out *out) {
    const fr_model_view *view = out->view;
    const fr_allocator *allocator = &out->model->store.allocator;
    node_sums *sums = fr_allocate(allocator, view->node_count, sizeof *sums, _Alignof(node_sums));
    if (sums == NULL) {
        fr__sink_fail(out->sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
        return;
    }
    for (uint32_t i = 0; i < view->node_count && out->sink->status == FR_OK; i++) {
        sum_node(out, i, &sums[i]);
    }
    if (out->sink->status == FR_OK) { sum_nodes(out, sums); }
    begin_chunk(out, FR__FRM_NODE);
    uint32_t transform = 0;
    for (uint32_t i = 0; i < view->node_count && out->sink->status == FR_OK; i++) {
        const fr_model_node *node = &view->nodes[i];
        put_words_at(out, node->name);
        const uint32_t numbers[8] = {node->parent,        node->mesh,
                                     node->material,      node->placement,
                                     node->flags,         node->transform != NULL ? transform++ : FR_NONE,
                                     sums[i].first_child, sums[i].next_sibling};
        for (int k = 0; k < 8; k++) {
            put_u32(out, numbers[k]);
        }
        put_u64(out, sums[i].own_polygons);
        put_u64(out, sums[i].polygons);
        put_vec3(out, sums[i].own_bounds.min);
        put_vec3(out, sums[i].own_bounds.max);
        put_vec3(out, sums[i].bounds.min);
        put_vec3(out, sums[i].bounds.max);
    }
    end_chunk(out, FR__FRM_NODE);
    fr_deallocate(allocator, sums, view->node_count, sizeof *sums);
}

static void put_quat(frm_out *out, fr_quat q) {
    put_double(out, q.w);
    put_double(out, q.x);
    put_double(out, q.y);
    put_double(out, q.z);
}

static void write_places(frm_out *out) {
    begin_chunk(out, FR__FRM_XFRM);
    for (uint32_t i = 0; i < out->view->node_count; i++) {
        const double *transform = out->view->nodes[i].transform;
        for (int k = 0; k < 12 && transform != NULL; k++) {
            put_double(out, transform[k]);
        }
    }
    end_chunk(out, FR__FRM_XFRM);
    begin_chunk(out, FR__FRM_PLAC);
    for (uint32_t i = 0; i < out->view->placement_count; i++) {
        const fr_model_placement *placement = &out->view->placements[i];
        put_vec3(out, placement->translation);
        put_vec3(out, placement->center);
        put_vec3(out, placement->scale);
        put_quat(out, placement->rotation);
        put_quat(out, placement->scale_orientation);
    }
    end_chunk(out, FR__FRM_PLAC);
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static uint32_t mesh_flags(const fr_model_mesh *mesh) {
    uint32_t flags = mesh->is_two_sided ? FR__FRM_TWO_SIDED : 0;
    if (mesh->primitive == NULL) { return flags; }
    return flags | FR__FRM_PRIMITIVE | (mesh->primitive->has_side ? FR__FRM_SIDE : 0) |
           (mesh->primitive->has_top ? FR__FRM_TOP : 0) | (mesh->primitive->has_bottom ? FR__FRM_BOTTOM : 0);
}

static void put_mesh(frm_out *out, const fr_model_mesh *mesh) {
    uint32_t corners = fr__corner_count(mesh);
    put_u32(out, mesh->vertex_count);
    put_u32(out, mesh->face_count);
    put_u32(out, corners);
    put_u32(out, mesh->first_face);
    put_u32(out, mesh_flags(mesh));
    put_u32(out, mesh->primitive != NULL ? (uint32_t)mesh->primitive->kind : 0);
    put_offset(out, FR__FRM_VERT, positions_of(mesh), mesh->vertex_count, position_bytes(out));
    put_offset(out, FR__FRM_FACE, mesh->corners, corners, 4);
    put_offset(out, FR__FRM_FACE, mesh->face_starts, (uint64_t)mesh->face_count + 1, 4);
    put_offset(out, FR__FRM_FACE, mesh->face_ids, mesh->face_count, 4);
    put_offset(out, FR__FRM_GSET, mesh->face_colors, mesh->face_count, sizeof(fr_color));
    put_offset(out, FR__FRM_GSET, mesh->face_materials, mesh->face_count, 4);
    put_offset(out, FR__FRM_GSET, mesh->corner_normals, corners, 12);
    put_offset(out, FR__FRM_GSET, mesh->corner_uvs, corners, 8);
    put_offset(out, FR__FRM_GSET, mesh->corner_colors, corners, sizeof(fr_color));
    fr_bounds bounds = no_bounds;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        fr_vec3 p = fr__position(mesh, v);
        bounds.min = fr_vec3_min(bounds.min, p);
        bounds.max = fr_vec3_max(bounds.max, p);
    }
    put_vec3(out, bounds.min);
    put_vec3(out, bounds.max);
    for (int i = 0; i < 3; i++) {
        put_double(out, mesh->primitive != NULL ? mesh->primitive->size[i] : 0.0);
    }
}

static void write_meshes(frm_out *out) {
    begin_chunk(out, FR__FRM_MESH);
    for (uint32_t i = 0; i < out->view->mesh_count && out->sink->status == FR_OK; i++) {
        put_mesh(out, &out->view->meshes[i]);
    }
    end_chunk(out, FR__FRM_MESH);
}

// ---------------------------------------------------------------------------------------------------------------
// What stands beside the meshes

static void write_materials(frm_out *out) {
    begin_chunk(out, FR__FRM_MATL);
    for (uint32_t i = 0; i < out->view->material_count; i++) {
        const fr_model_material *material = &out->view->materials[i];
        put_words_at(out, material->name);
        put_floats(out, material->diffuse, 3);
        put_floats(out, material->emissive, 3);
        put_floats(out, material->specular, 3);
        put_float(out, material->ambient);
        put_float(out, material->shininess);
        put_float(out, material->transparency);
        put_u32(out, material->is_unlit ? FR__FRM_UNLIT : 0);
        put_u32(out, material->texture);
    }
    end_chunk(out, FR__FRM_MATL);
}

static void write_textures(frm_out *out) {
    begin_chunk(out, FR__FRM_TEXR);
    for (uint32_t i = 0; i < out->view->texture_count; i++) {
        const fr_model_texture *texture = &out->view->textures[i];
        put_words_at(out, texture->path);
        put_offset(out, FR__FRM_DATA, texture->bytes, texture->byte_count, 1);
        put_u64(out, texture->bytes != NULL ? texture->byte_count : 0);
        put_offset(out, FR__FRM_DATA, texture->pixels, (uint64_t)texture->width * texture->height, texture->components);
        put_u32(out, texture->width);
        put_u32(out, texture->height);
        put_u32(out, texture->components);
        put_u32(out, (texture->is_repeated_s ? FR__FRM_REPEAT_S : 0) | (texture->is_repeated_t ? FR__FRM_REPEAT_T : 0));
        put_floats(out, texture->center, 2);
        put_floats(out, texture->scale, 2);
        put_floats(out, texture->translation, 2);
        put_float(out, texture->rotation);
        put_u32(out, 0);
    }
    end_chunk(out, FR__FRM_TEXR);
}

static void write_motion(frm_out *out) {
    begin_chunk(out, FR__FRM_CLCK);
    for (uint32_t i = 0; i < out->view->clock_count; i++) {
        const fr_model_clock *clock = &out->view->clocks[i];
        put_words_at(out, clock->name);
        put_double(out, clock->cycle);
        put_double(out, clock->start);
        put_double(out, clock->stop);
        put_u32(out, (clock->is_loop ? FR__FRM_LOOP : 0) | (clock->is_enabled ? FR__FRM_ENABLED : 0));
        put_u32(out, 0);
    }
    end_chunk(out, FR__FRM_CLCK);
    begin_chunk(out, FR__FRM_ANIM);
    for (uint32_t i = 0; i < out->view->track_count; i++) {
        const fr_model_track *track = &out->view->tracks[i];
        put_u32(out, (uint32_t)track->kind);
        put_u32(out, track->target);
        put_u32(out, track->clock);
        put_u32(out, track->key_count);
        put_u32(out, track->width);
        put_u32(out, 0);
        put_offset(out, FR__FRM_KEYS, track->keys, track->key_count, 4);
        put_offset(out, FR__FRM_KEYS, track->values, (uint64_t)track->key_count * track->width, 4);
    }
    end_chunk(out, FR__FRM_ANIM);
}

static void write_skins(frm_out *out) {
    const fr_model_view *view = out->view;
    begin_chunk(out, FR__FRM_DFRM);
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        const fr_model_deform *deform = view->meshes[i].deform;
        uint64_t vertices = view->meshes[i].vertex_count;
        if (deform == NULL) { continue; }
        put_u32(out, i);
        put_u32(out, deform->influence_count);
        put_u32(out, deform->bone_count);
        put_u32(out, deform->target_count);
        put_offset(out, FR__FRM_BONE, deform->bones, deform->influence_count * vertices, 4);
        put_offset(out, FR__FRM_BONE, deform->weights, deform->influence_count * vertices, 4);
        put_offset(out, FR__FRM_BONE, deform->targets, deform->target_count * vertices, 12);
        put_offset(out, FR__FRM_BONE, deform->target_weights, deform->target_count, 4);
    }
    end_chunk(out, FR__FRM_DFRM);
    begin_chunk(out, FR__FRM_SKIN);
    for (uint32_t i = 0; i < view->skin_count; i++) {
        put_words_at(out, view->skins[i].name);
        put_u32(out, view->skins[i].bone_count);
        put_u32(out, view->skins[i].root);
        put_offset(out, FR__FRM_BONE, view->skins[i].nodes, view->skins[i].bone_count, 4);
        put_offset(out, FR__FRM_BONE, view->skins[i].inverse_binds, view->skins[i].bone_count, 96);
    }
    end_chunk(out, FR__FRM_SKIN);
    begin_chunk(out, FR__FRM_FLLW);
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].skin == FR_NONE) { continue; }
        put_u32(out, i);
        put_u32(out, view->nodes[i].skin);
    }
    end_chunk(out, FR__FRM_FLLW);
}

static void write_sounds(frm_out *out) {
    begin_chunk(out, FR__FRM_SOND);
    for (uint32_t i = 0; i < out->view->sound_count; i++) {
        const fr_model_sound *sound = &out->view->sounds[i];
        put_words_at(out, sound->path);
        put_words_at(out, sound->description);
        put_u32(out, sound->node);
        put_u32(out, (sound->is_loop ? FR__FRM_LOOP : 0) | (sound->is_spatial ? FR__FRM_SPATIAL : 0));
        put_vec3(out, sound->location);
        put_vec3(out, sound->direction);
        const double numbers[8] = {sound->intensity, sound->pitch,    sound->min_front, sound->max_front,
                                   sound->min_back,  sound->max_back, sound->start,     sound->stop};
        for (int k = 0; k < 8; k++) {
            put_double(out, numbers[k]);
        }
    }
    end_chunk(out, FR__FRM_SOND);
}

static void write_notes(frm_out *out) {
    begin_chunk(out, FR__FRM_NOTE);
    for (uint32_t i = 0; i < out->view->note_count; i++) {
        put_words_at(out, out->view->notes[i].kind);
        put_words_at(out, out->view->notes[i].name);
        put_words_at(out, out->view->notes[i].text);
    }
    end_chunk(out, FR__FRM_NOTE);
    begin_chunk(out, FR__FRM_WARN);
    for (uint32_t i = 0; i < out->view->listed_warning_count; i++) {
        put_u32(out, (uint32_t)out->view->warnings[i].line);
        put_u32(out, (uint32_t)out->view->warnings[i].column);
        put_words_at(out, out->view->warnings[i].message);
    }
    end_chunk(out, FR__FRM_WARN);
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static void write_header(frm_out *out, uint32_t *checksum) {
    fr__sink_bytes(out->sink, FR__FRM_MARK, 8);
    put_u32(out, FR__FRM_VERSION);
    put_u32(out, out->model->store.is_double ? FR__FRM_DOUBLES : 0);
    put_double(out, out->view->unit);
    put_u32(out, (uint32_t)out->view->up);
    put_u32(out, 0);
    put_u64(out, out->view->line_count);
    put_u64(out, out->view->point_count);
    put_u64(out, out->view->warning_count);
    put_u64(out, 0);
    fr__sink_flush(out->sink);
    *checksum = out->sink->sum->state;
}

static void write_table(frm_out *out, uint32_t header_checksum) {
    align(out, FR__FRM_ALIGN);
    fr__sink_flush(out->sink);
    out->sink->sum->state = header_checksum;
    uint64_t table = fr__sink_offset(out->sink);
    uint32_t count = 0;
    for (int tag = 0; tag < FR__FRM_TAG_COUNT; tag++) {
        if (out->chunks[tag].size == 0) { continue; }
        count++;
        fr__sink_bytes(out->sink, fr__frm_letters[tag], 4);
        put_u32(out, out->chunks[tag].checksum);
        put_u64(out, out->chunks[tag].offset);
        put_u64(out, out->chunks[tag].size);
        put_u64(out, 0);
    }
    fr__sink_flush(out->sink);
    uint32_t checksum = fr__checksum_take(out->sink->sum);
    put_u64(out, table);
    put_u32(out, count);
    put_u32(out, checksum);
    fr__sink_bytes(out->sink, FR__FRM_END_MARK, 8);
    put_u64(out, fr__sink_offset(out->sink) + 8);
}

void fr__write_frm(fr__sink *sink, const fr_model *model) {
    const uint16_t one = 1;
    if (*(const char *)&one != 1) {
        fr__sink_fail(sink, FR_ERROR_UNSUPPORTED, "intermediate files are for little-endian machines");
        return;
    }
    if (sink->has_frame) {
        fr__sink_fail(sink, FR_ERROR_ARGUMENT, "an intermediate file is in metres, y up; it has no other frame");
        return;
    }
    fr__checksum sum;
    fr__checksum_init(&sum);
    sink->sum = &sum;
    frm_out out = {.sink = sink,
                   .model = model,
                   .view = &model->view,
                   .text_next = 1,
                   .cooked = cooked_place_array_make(&model->store.allocator)};
    uint32_t header_checksum = 0;
    write_header(&out, &header_checksum);
    write_positions(&out);
    write_faces(&out);
    write_draw_data(&out);
    write_pictures(&out);
    write_bones(&out);
    write_keys(&out);
    write_text(&out);
    write_places(&out);
    write_nodes(&out);
    write_meshes(&out);
    write_materials(&out);
    write_textures(&out);
    write_motion(&out);
    write_skins(&out);
    write_sounds(&out);
    write_notes(&out);
    write_cooked(&out);
    write_table(&out, header_checksum);
    cooked_place_array_destroy(&out.cooked);
    fr__sink_flush(sink);
    sink->sum = NULL;
}
