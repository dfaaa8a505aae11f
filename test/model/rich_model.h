// A model with one of everything, and whether two models are the same in all that they say.
#ifndef FUREAI_TEST_RICH_MODEL_H
#define FUREAI_TEST_RICH_MODEL_H

#include "text_model.h"

static inline void rich_meshes(bool is_double, fr_model_mesh meshes[3]) {
    static const float narrow[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 1, 0.5f, 0.1f, 0, 2, 0};
    static const double wide[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 1, 0.5, 0.1, 0, 2, 0};
    static const uint32_t corners[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 2, 4}, starts[] = {0, 5, 8, 11}, ids[] = {7, 3, 9};
    static const uint32_t face_materials[] = {FR_NONE, 1, 0};
    static const fr_color colors[] = {{1, 2, 3, 255}, {9, 8, 7, 128}, {0, 0, 0, 255}};
    static float normals[33], uvs[22];
    static fr_color corner_colors[11];
    for (int i = 0; i < 11; i++) {
        normals[3 * i + 2] = 1.0f;
        uvs[2 * i] = (float)i * 0.25f;
        corner_colors[i] = (fr_color){(uint8_t)i, 0, (uint8_t)(20 * i), 255};
    }
    static const fr_model_primitive cone = {FR_MODEL_CONE, true, false, true, {0.5, 2.0, 0.0}};
    meshes[0] = (fr_model_mesh){.vertex_count = 5,
                                .face_count = 3,
                                .corners = corners,
                                .face_starts = starts,
                                .face_ids = ids,
                                .face_colors = colors,
                                .face_materials = face_materials,
                                .corner_normals = normals,
                                .corner_uvs = uvs,
                                .corner_colors = corner_colors};
    meshes[1] = (fr_model_mesh){.vertex_count = 5, .face_count = 1, .corners = corners + 5, .primitive = &cone};
    meshes[2] = (fr_model_mesh){.vertex_count = 2, .is_two_sided = true};
    for (int i = 0; i < 3; i++) {
        meshes[i].positions_float = is_double ? NULL : narrow;
        meshes[i].positions_double = is_double ? wide : NULL;
    }
}

static inline void rich_nodes(fr_model_node nodes[5]) {
    static const double shift[12] = {1, 0, 0, 4, 0, 1, 0, 0.5, 0, 0, 1, 0}, turn[12] = {0, 0, 1, 0, 0, 1, 0, 0, -1};
    for (int i = 0; i < 5; i++) {
        nodes[i] = fr_default_model_node();
    }
    nodes[0].name = "world";
    nodes[0].transform = shift;
    nodes[1] = (fr_model_node){"table leg", turn, 0, 0, 1, 0, 0, FR_NONE};
    nodes[2] = (fr_model_node){"", NULL, 1, 1, FR_NONE, FR_NONE, FR_MODEL_NO_COLLIDE, FR_NONE};
    nodes[3] = (fr_model_node){"hidden", NULL, 0, 0, 0, FR_NONE, FR_MODEL_HIDDEN, FR_NONE};
    nodes[4].name = "points";
    nodes[4].mesh = 2;
}

// Three meshes, five nodes, and all that stands beside them. With `is_double` the positions are doubles.
static inline fr_model *rich_model(bool is_double) {
    fr_model_mesh meshes[3];
    fr_model_node nodes[5];
    rich_meshes(is_double, meshes);
    rich_nodes(nodes);
    fr_model_material materials[2] = {fr_default_model_material(), fr_default_model_material()};
    materials[0] = (fr_model_material){"oak", {0.5f, 0.25f, 0.1f}, {0}, {1, 1, 1}, 0.3f, 0.7f, 0.5f, true, 0};
    materials[1].name = "steel";
    static const fr_model_placement placement = {{1, 2, 3}, {0.5, 0, 0}, {1, 2, 1}, {1, 0, 0, 0}, {0.6, 0.8, 0, 0}};
    static const uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
    const fr_model_texture textures[2] = {
        {.path = "wood.png", .is_repeated_s = true, .scale = {1, 1}, .rotation = 0.5f},
        {.path = "", .bytes = "\211PNG", .byte_count = 4, .pixels = pixels, .width = 1, .height = 2, .components = 3}};
    const fr_model_clock clock = {"clock", 2.5, 1.0, 9.0, true, true};
    static const float keys[] = {0, 0.5f, 1}, values[] = {0, 0, 0, 1, 2, 3, 0, 0, 0}, fades[] = {0, 1, 0};
    const fr_model_track tracks[2] = {{FR_MODEL_TRANSLATION, 1, 0, 3, 3, keys, values},
                                      {FR_MODEL_TRANSPARENCY, 1, 0, 3, 1, keys, fades}};
    const fr_model_sound sound = {"creak.wav", "a creak", 1,  {1, 2, 3}, {0, 0, 1}, 0.5,  1.5, 1,
                                  10,          2,         20, 0,         7,         true, true};
    const fr_model_note notes[2] = {{"WorldInfo", "", "a table"}, {"Viewpoint", "front", "0 0 10"}};
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 5;
    def.meshes = meshes;
    def.mesh_count = 3;
    def.materials = materials;
    def.material_count = 2;
    def.placements = &placement;
    def.placement_count = 1;
    def.textures = textures;
    def.texture_count = 2;
    def.clocks = &clock;
    def.clock_count = 1;
    def.tracks = tracks;
    def.track_count = 2;
    def.sounds = &sound;
    def.sound_count = 1;
    def.notes = notes;
    def.note_count = 2;
    fr_model *model;
    fr_error error;
    if (fr_model_create(&def, &model, &error) != FR_OK) { fail_msg("%s", error.message); }
    return model;
}

// Two arrays, both there or both not.
static inline void assert_same_array(const void *a, const void *b, size_t bytes) {
    if (bytes == 0) { return; }
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL) { assert_memory_equal(a, b, bytes); }
}

static inline void assert_same_mesh(const fr_model_mesh *a, const fr_model_mesh *b) {
    size_t corners = fr_model_face_begin(a, a->face_count), faces = a->face_count, vertices = a->vertex_count;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->first_face, b->first_face);
    assert_int_equal(a->is_two_sided, b->is_two_sided);
    assert_same_array(a->positions_float, b->positions_float, 12 * vertices);
    assert_same_array(a->positions_double, b->positions_double, 24 * vertices);
    assert_same_array(a->face_starts, b->face_starts, 4 * (faces + 1));
    assert_same_array(a->corners, b->corners, 4 * corners);
    assert_same_array(a->face_ids, b->face_ids, 4 * faces);
    assert_same_array(a->face_colors, b->face_colors, 4 * faces);
    assert_same_array(a->face_materials, b->face_materials, 4 * faces);
    assert_same_array(a->corner_normals, b->corner_normals, 12 * corners);
    assert_same_array(a->corner_uvs, b->corner_uvs, 8 * corners);
    assert_same_array(a->corner_colors, b->corner_colors, 4 * corners);
    assert_int_equal(a->primitive == NULL, b->primitive == NULL);
    if (a->primitive != NULL) {
        assert_int_equal(a->primitive->kind, b->primitive->kind);
        assert_int_equal(a->primitive->has_side, b->primitive->has_side);
        assert_int_equal(a->primitive->has_top, b->primitive->has_top);
        assert_int_equal(a->primitive->has_bottom, b->primitive->has_bottom);
        assert_memory_equal(a->primitive->size, b->primitive->size, sizeof a->primitive->size);
    }
}

static inline void assert_same_looks(const fr_model_view *a, const fr_model_view *b) {
    assert_int_equal(a->material_count, b->material_count);
    for (uint32_t i = 0; i < a->material_count; i++) {
        const fr_model_material *x = &a->materials[i], *y = &b->materials[i];
        assert_string_equal(x->name, y->name);
        assert_memory_equal(x->diffuse, y->diffuse, 12 * sizeof(float));
        assert_int_equal(x->is_unlit, y->is_unlit);
        assert_int_equal(x->texture, y->texture);
    }
    assert_int_equal(a->texture_count, b->texture_count);
    for (uint32_t i = 0; i < a->texture_count; i++) {
        const fr_model_texture *x = &a->textures[i], *y = &b->textures[i];
        assert_string_equal(x->path, y->path);
        assert_int_equal(x->byte_count, y->byte_count);
        assert_same_array(x->bytes, y->bytes, x->byte_count);
        assert_true(x->width == y->width && x->height == y->height && x->components == y->components);
        assert_same_array(x->pixels, y->pixels, (size_t)x->width * x->height * x->components);
        assert_true(x->is_repeated_s == y->is_repeated_s && x->is_repeated_t == y->is_repeated_t);
        assert_memory_equal(x->center, y->center, 7 * sizeof(float));
    }
}

static inline void assert_same_motion(const fr_model_view *a, const fr_model_view *b) {
    assert_int_equal(a->clock_count, b->clock_count);
    for (uint32_t i = 0; i < a->clock_count; i++) {
        assert_string_equal(a->clocks[i].name, b->clocks[i].name);
        assert_memory_equal(&a->clocks[i].cycle, &b->clocks[i].cycle, 3 * sizeof(double));
        assert_true(a->clocks[i].is_loop == b->clocks[i].is_loop && a->clocks[i].is_enabled == b->clocks[i].is_enabled);
    }
    assert_int_equal(a->track_count, b->track_count);
    for (uint32_t i = 0; i < a->track_count; i++) {
        const fr_model_track *x = &a->tracks[i], *y = &b->tracks[i];
        assert_true(x->kind == y->kind && x->target == y->target && x->clock == y->clock);
        assert_true(x->key_count == y->key_count && x->width == y->width);
        assert_same_array(x->keys, y->keys, 4 * (size_t)x->key_count);
        assert_same_array(x->values, y->values, (size_t)4 * x->key_count * x->width);
    }
    assert_int_equal(a->sound_count, b->sound_count);
    for (uint32_t i = 0; i < a->sound_count; i++) {
        const fr_model_sound *x = &a->sounds[i], *y = &b->sounds[i];
        assert_string_equal(x->path, y->path);
        assert_string_equal(x->description, y->description);
        assert_int_equal(x->node, y->node);
        assert_memory_equal(&x->location, &y->location, 14 * sizeof(double));
        assert_true(x->is_loop == y->is_loop && x->is_spatial == y->is_spatial);
    }
}

static inline void assert_same_nodes(const fr_model_view *a, const fr_model_view *b) {
    assert_int_equal(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count; i++) {
        const fr_model_node *x = &a->nodes[i], *y = &b->nodes[i];
        assert_string_equal(x->name, y->name);
        assert_same_array(x->transform, y->transform, 12 * sizeof(double));
        assert_true(x->parent == y->parent && x->mesh == y->mesh && x->material == y->material);
        assert_true(x->placement == y->placement && x->flags == y->flags);
    }
    assert_int_equal(a->placement_count, b->placement_count);
    assert_same_array(a->placements, b->placements, a->placement_count * sizeof *a->placements);
}

static inline void assert_same_models(const fr_model *one, const fr_model *other) {
    const fr_model_view *a = fr_model_get(one), *b = fr_model_get(other);
    assert_same_nodes(a, b);
    assert_int_equal(a->mesh_count, b->mesh_count);
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        assert_same_mesh(&a->meshes[i], &b->meshes[i]);
    }
    assert_same_looks(a, b);
    assert_same_motion(a, b);
    assert_int_equal(a->note_count, b->note_count);
    for (uint32_t i = 0; i < a->note_count; i++) {
        assert_string_equal(a->notes[i].kind, b->notes[i].kind);
        assert_string_equal(a->notes[i].name, b->notes[i].name);
        assert_string_equal(a->notes[i].text, b->notes[i].text);
    }
    assert_int_equal(a->listed_warning_count, b->listed_warning_count);
    for (uint32_t i = 0; i < a->listed_warning_count; i++) {
        assert_true(a->warnings[i].line == b->warnings[i].line && a->warnings[i].column == b->warnings[i].column);
        assert_string_equal(a->warnings[i].message, b->warnings[i].message);
    }
    assert_true(a->vertex_count == b->vertex_count && a->face_count == b->face_count);
    assert_true(a->triangle_count == b->triangle_count && a->placed_triangle_count == b->placed_triangle_count);
    assert_true(a->line_count == b->line_count && a->point_count == b->point_count);
    assert_true(a->warning_count == b->warning_count && a->unit == b->unit && a->up == b->up);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
}

#endif
