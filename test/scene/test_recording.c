// Recordings: a body that moves as a clip does and objects of a world, as models and again from GLB files.
#include "failing.h"
#include "fureai/scene_recording.h"
#include "fureai/space.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 40 };

static bool append(const void *bytes, size_t size, void *context) {
    fr_byte_array *array = context;
    unsigned char *to = fr_byte_array_push(array, size);
    if (to != NULL) { memcpy(to, bytes, size); }
    return to != NULL;
}

// The model as it is after it was written as GLB and read again.
static fr_model *again(fr_model *model) {
    fr_byte_array bytes = fr_byte_array_make(NULL);
    fr_model *read = NULL;
    fr_error error = {0};
    assert_int_equal(fr_model_write(model, FR_MODEL_GLB, NULL, append, &bytes, &error), FR_OK);
    if (fr_model_read(bytes.data, bytes.count, NULL, &read, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_byte_array_destroy(&bytes);
    fr_model_destroy(model);
    return read;
}

static uint32_t node_of(const fr_model_view *view, const char *name) {
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (strcmp(view->nodes[i].name, name) == 0) { return i; }
    }
    fail_msg("there is no node %s", name);
    return FR_NONE;
}

static const fr_model_track *track_of(const fr_model_view *view, uint32_t node, fr_model_track_kind kind) {
    for (uint32_t i = 0; i < view->track_count; i++) {
        if (view->tracks[i].target == node && view->tracks[i].kind == kind) { return &view->tracks[i]; }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// A clip on a body

static fr_figure *make_figure(fr_skeleton **skeleton) {
    fr_body_def body = fr_default_body_def();
    body.stature = 1.3;
    assert_int_equal(fr_skeleton_create_body(&body, skeleton, NULL), FR_OK);
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = *skeleton;
    def.detail = FR_FIGURE_COARSE;
    fr_figure *figure = NULL;
    assert_int_equal(fr_figure_create(&def, &figure, NULL), FR_OK);
    return figure;
}

// A motion of all links but one, the head, with turns that pass half a turn.
static fr_clip *make_clip(const fr_skeleton *skeleton) {
    static fr_quat turns[FRAMES][FR_LINK_COUNT];
    static fr_vec3 places[FRAMES];
    for (uint32_t f = 0; f < FRAMES; f++) {
        fr_posture posture = {.turns = turns[f], .count = FR_LINK_COUNT};
        assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
        for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
            if (i == FR_LINK_HEAD) { continue; }
            fr_vec3 turn = fr_vec3_make(0.1 * f * sin(i), 0.2 * f, 0.05 * f * cos(2.0 * i));
            turns[f][i] = fr_quat_multiply(fr_quat_from_vector(turn), turns[f][i]);
        }
        places[f] = fr_vec3_make(0.02 * f, 0.9, 3.0 - 0.01 * f);
    }
    fr_clip_def def = fr_default_clip_def();
    def.name = "Hana";
    def.frame_rate = 30.0;
    def.frame_count = FRAMES;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = turns[0];
    fr_clip *clip = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    return clip;
}

// The turn of a link in a frame, as the file has it.
static fr_quat turn_of(const fr_model_view *view, uint32_t node, uint32_t frame) {
    const fr_model_track *track = track_of(view, node, FR_MODEL_QUATERNION);
    if (track == NULL) { return view->placements[view->nodes[node].placement].rotation; }
    assert_int_equal(track->key_count, FRAMES);
    const float *v = track->values + (size_t)4 * frame;
    return (fr_quat){.x = (double)v[0], .y = (double)v[1], .z = (double)v[2], .w = (double)v[3]};
}

static double angle_between(fr_quat a, fr_quat b) {
    return fr_vec3_length(fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a), b)));
}

static void postures_are_those_of_the_clip(void **state) {
    (void)state;
    fr_skeleton *skeleton = NULL;
    fr_figure *figure = make_figure(&skeleton);
    fr_clip *clip = make_clip(skeleton);
    fr_model *model = NULL;
    assert_int_equal(fr_recording_model_of_clip(figure, clip, NULL, &model, NULL), FR_OK);
    model = again(model);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->skin_count, 1);
    assert_int_equal(view->skins[0].bone_count, FR_LINK_COUNT);
    assert_int_equal(view->clock_count, 1);
    assert_true(fabs(view->clocks[0].cycle - (FRAMES - 1) / 30.0) < 1e-6);
    uint32_t root = view->skins[0].nodes[0];
    const fr_model_track *places = track_of(view, root, FR_MODEL_TRANSLATION);
    assert_non_null(places);
    assert_null(track_of(view, view->skins[0].nodes[FR_LINK_HEAD], FR_MODEL_QUATERNION)); // which does not move
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    double turned = 0.0, moved = 0.0;
    for (uint32_t f = 0; f < FRAMES; f++) {
        assert_int_equal(fr_clip_frame(clip, f, &posture, NULL), FR_OK);
        for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
            uint32_t node = view->skins[0].nodes[i];
            assert_string_equal(view->nodes[node].name, fr_skeleton_get(skeleton)->names[i]);
            turned = fmax(turned, angle_between(turn_of(view, node, f), turns[i]));
        }
        const float *v = places->values + (size_t)3 * f;
        fr_vec3 place = fr_vec3_make((double)v[0], (double)v[1], (double)v[2]);
        moved = fmax(moved, fr_vec3_distance(place, posture.place));
    }
    print_message("turns within %.1e rad, places within %.1e m\n", turned, moved);
    assert_true(turned < 1e-6 && moved < 1e-6);
    fr_model_destroy(model);
    fr_clip_release(clip);
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

// Where the vertices of the model are is where the skin of the figure puts them.
static void the_skin_goes_along(void **state) {
    (void)state;
    fr_skeleton *skeleton = NULL;
    fr_figure *figure = make_figure(&skeleton);
    fr_clip *clip = make_clip(skeleton);
    fr_model *model = NULL;
    assert_int_equal(fr_recording_model_of_clip(figure, clip, NULL, &model, NULL), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    uint32_t node = 0;
    while (view->nodes[node].mesh == FR_NONE) {
        node++;
    }
    uint32_t count = view->meshes[0].vertex_count;
    fr_arena *arena = NULL;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    fr_vec3 *one = fr_arena_alloc(arena, count, sizeof *one, 8), *two = fr_arena_alloc(arena, count, sizeof *two, 8);
    fr_model_play *play = NULL;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    for (uint32_t f = 0; f < FRAMES; f += 13) {
        assert_int_equal(fr_clip_frame(clip, f, &posture, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
        fr_skin_input input = fr_default_skin_input();
        input.skin = fr_figure_get(figure)->skin;
        input.poses = poses;
        input.bone_count = FR_LINK_COUNT;
        input.scratch = arena;
        const fr_skin_output output = {.vertices = one};
        assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_OK);
        (void)fr_model_play_at(play, f / 30.0);
        fr_model_play_vertices(play, node, two);
        for (uint32_t v = 0; v < count; v++) {
            assert_true(fr_vec3_distance(one[v], two[v]) < 5e-6);
        }
    }
    fr_model_play_destroy(play);
    fr_arena_destroy(arena);
    fr_model_destroy(model);
    fr_clip_release(clip);
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

static void other_skeletons_are_refused(void **state) {
    (void)state;
    fr_skeleton *skeleton = NULL;
    fr_figure *figure = make_figure(&skeleton);
    fr_vec3 place = {0};
    fr_quat turns[FR_LINK_COUNT + 1];
    for (uint32_t i = 0; i <= FR_LINK_COUNT; i++) {
        turns[i] = fr_quat_identity();
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = 1;
    def.link_count = FR_LINK_COUNT + 1;
    def.places = &place;
    def.turns = turns;
    fr_clip *clip = NULL;
    fr_model *model = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    assert_int_equal(fr_recording_model_of_clip(figure, clip, NULL, &model, NULL), FR_ERROR_ARGUMENT);
    assert_null(model);
    fr_clip_release(clip);
    // One frame is a posture: a model without tracks.
    def.link_count = FR_LINK_COUNT;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    assert_int_equal(fr_recording_model_of_clip(figure, clip, NULL, &model, NULL), FR_OK);
    model = again(model);
    assert_int_equal(fr_model_get(model)->track_count, 0);
    assert_int_equal(fr_model_get(model)->skin_count, 1);
    fr_model_destroy(model);
    fr_clip_release(clip);
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

// ---------------------------------------------------------------------------------------------------------------
// Objects of a world

typedef struct small_world {
    fr_world *world;
    fr_mesh *box;
    fr_object_id still, mover, late, proxy;
    fr_looks looks;
    fr_material material;
    fr_mesh_look look;
} small_world;

static fr_object_id add_box(small_world *s, const char *name, uint32_t flags) {
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = s->box;
    parts[1].pose.position = fr_vec3_make(0.0, 2.0, 0.0);
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 2;
    def.flags = flags;
    fr_object_id id = {0};
    assert_int_equal(fr_object_add(fr_world_space(s->world), &def, &id, NULL), FR_OK);
    fr_label label = fr_default_label();
    label.name = name;
    label.color = (fr_color){10, 20, 30, 255};
    assert_int_equal(fr_world_set_label(s->world, id, &label, NULL), FR_OK);
    return id;
}

static void make_world(small_world *s) {
    memset(s, 0, sizeof *s);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &s->box, NULL), FR_OK);
    fr_world_def def = fr_default_world_def();
    def.step = 0.5;
    assert_int_equal(fr_world_create(&def, &s->world, NULL), FR_OK);
    s->still = add_box(s, "still", 0);
    s->mover = add_box(s, "mover", 0);
    s->late = add_box(s, "late", 0);
    s->proxy = add_box(s, "proxy", FR_OBJECT_PROXY);
    s->material = (fr_material){.color = {255, 0, 51, 255}, .glow = {0, 0, 0, 255}, .picture = FR_NONE};
    s->look = (fr_mesh_look){.mesh = s->box, .material = 0};
    s->looks = (fr_looks){.materials = &s->material,
                          .material_count = 1,
                          .meshes = &s->look,
                          .mesh_count = 1,
                          .plain = &s->mover,
                          .plain_count = 1};
}

static void end_world(small_world *s) {
    fr_world_destroy(s->world);
    fr_mesh_release(s->box);
}

// Frame f: the mover turns and goes on, `late` jumps at frame 5 and is gone from frame 7 on.
static fr_status record(small_world *s, fr_recording *recording) {
    fr_space *space = fr_world_space(s->world);
    fr_status status = FR_OK;
    for (uint32_t f = 0; f < 9 && status == FR_OK; f++) {
        fr_pose pose = fr_pose_make(fr_vec3_make(f, 0, 0), fr_quat_from_vector(fr_vec3_make(0, 0.8 * f, 0)));
        assert_int_equal(fr_object_set_pose(space, s->mover, &pose, NULL), FR_OK);
        pose = fr_pose_make(fr_vec3_make(0, 0, 7), fr_quat_identity());
        if (f == 5) { assert_int_equal(fr_object_set_pose(space, s->late, &pose, NULL), FR_OK); }
        if (f == 7) { assert_int_equal(fr_object_remove(space, s->late, NULL), FR_OK); }
        status = fr_recording_take(recording, NULL);
    }
    return status;
}

static const fr_model_material *material_below(const fr_model_view *view, const char *name) {
    uint32_t part = node_of(view, name) + 1;
    assert_string_equal(view->nodes[part].name, name);
    return &view->materials[view->nodes[part].material];
}

// An object has the material of its mesh; one that is shown in its own colour has that.
static void check_colors(const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    const fr_model_material *look = material_below(view, "still"), *plain = material_below(view, "mover");
    assert_true(look->diffuse[0] == 1.0f && look->diffuse[1] == 0.0f && fabsf(look->diffuse[2] - 0.2f) < 1e-6f);
    assert_true(fabsf(plain->diffuse[0] - 10.0f / 255.0f) < 1e-6f);
}

// Colours of triangles are in place of the material's: that is white.
static void own_colors_are_not_darkened(void **state) {
    (void)state;
    small_world s;
    make_world(&s);
    uint32_t materials[12];
    fr_material two[2] = {s.material, {.color = {0, 255, 0, 255}, .glow = {0, 0, 0, 255}, .picture = FR_NONE}};
    for (uint32_t i = 0; i < 12; i++) {
        materials[i] = i % 2;
    }
    s.look.materials = materials;
    s.looks.materials = two;
    s.looks.material_count = 2;
    s.looks.plain_count = 0;
    fr_recording_def def = fr_default_recording_def();
    def.world = s.world;
    def.looks = &s.looks;
    fr_recording *recording = NULL;
    fr_model *model = NULL;
    assert_int_equal(fr_recording_create(&def, &recording, NULL), FR_OK);
    assert_int_equal(fr_recording_take(recording, NULL), FR_OK);
    assert_int_equal(fr_recording_model(recording, &model, NULL), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    assert_true(material_below(view, "still")->diffuse[0] == 1.0f && material_below(view, "still")->diffuse[1] == 1.0f);
    assert_int_equal(view->meshes[0].face_colors[0].r, 255);
    assert_int_equal(view->meshes[0].face_colors[1].g, 255);
    assert_int_equal(view->meshes[0].face_colors[1].r, 0);
    fr_model_destroy(model);
    fr_recording_destroy(recording);
    end_world(&s);
}

static void objects_move_as_they_did(void **state) {
    (void)state;
    small_world s;
    make_world(&s);
    fr_recording_def def = fr_default_recording_def();
    def.world = s.world;
    def.looks = &s.looks;
    fr_recording *recording = NULL;
    assert_int_equal(fr_recording_create(&def, &recording, NULL), FR_OK);
    fr_model *model = NULL;
    assert_int_equal(fr_recording_model(recording, &model, NULL), FR_ERROR_ARGUMENT); // no frame
    assert_int_equal(record(&s, recording), FR_OK);
    assert_int_equal(fr_recording_model(recording, &model, NULL), FR_OK);
    fr_recording_destroy(recording);
    assert_int_equal(fr_model_get(model)->mesh_count, 2); // with its look, and plain
    check_colors(model);
    model = again(model);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 9); // three objects of two parts; no proxy
    uint32_t mover = node_of(view, "mover"), still = node_of(view, "still"), late = node_of(view, "late");
    assert_null(track_of(view, still, FR_MODEL_TRANSLATION));
    assert_null(track_of(view, late, FR_MODEL_QUATERNION));
    const fr_model_track *jump = track_of(view, late, FR_MODEL_TRANSLATION);
    for (uint32_t f = 0; f < 9; f++) {
        assert_true(jump->values[3 * f + 2] == (f < 5 ? 0.0f : 7.0f));
    }
    fr_model_play *play = NULL;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    for (uint32_t f = 0; f < 9; f++) {
        double matrix[12];
        (void)fr_model_play_at(play, 0.5 * f);
        fr_model_play_matrix(play, mover, matrix);
        assert_true(fabs(matrix[3] - f) < 1e-5 && fabs(matrix[0] - cos(0.8 * f)) < 1e-5);
    }
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    end_world(&s);
}

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_recording *recording = NULL;
    fr_recording_def def = fr_default_recording_def();
    assert_int_equal(fr_recording_create(&def, &recording, NULL), FR_ERROR_ARGUMENT);
    assert_null(recording);
    fr_world_def world = fr_default_world_def();
    assert_int_equal(fr_world_create(&world, &def.world, NULL), FR_OK);
    assert_int_equal(fr_recording_create(&def, &recording, NULL), FR_OK);
    fr_model *model = NULL;
    assert_int_equal(fr_recording_take(recording, NULL), FR_OK);
    assert_int_equal(fr_recording_model(recording, &model, NULL), FR_ERROR_ARGUMENT); // no object
    fr_recording_destroy(recording);
    fr_world_destroy(def.world);
    fr_recording_destroy(NULL);
}

// A frame that there is no memory for is not taken, and the recording goes on.
static fr_status make_recording(const fr_allocator *allocator, void *context) {
    (void)context;
    small_world s;
    make_world(&s);
    fr_recording_def def = fr_default_recording_def();
    def.world = s.world;
    def.allocator = *allocator;
    fr_recording *recording = NULL;
    fr_model *model = NULL;
    fr_status status = fr_recording_create(&def, &recording, NULL);
    if (status == FR_OK) { status = record(&s, recording); }
    if (status == FR_ERROR_MEMORY && recording != NULL) {
        test_lift(allocator);
        assert_int_equal(fr_recording_take(recording, NULL), FR_OK);
        assert_int_equal(fr_recording_model(recording, &model, NULL), FR_OK);
        fr_model_destroy(model);
    } else if (status == FR_OK) {
        status = fr_recording_model(recording, &model, NULL);
        if (status == FR_OK) { test_note_number(fr_model_get(model)->track_count); }
        fr_model_destroy(model);
    }
    fr_recording_destroy(recording);
    end_world(&s);
    return status;
}

typedef struct clip_on_figure {
    fr_figure *figure;
    fr_clip *clip;
} clip_on_figure;

static fr_status make_model(const fr_allocator *allocator, void *context) {
    const clip_on_figure *c = context;
    fr_model *model = NULL;
    fr_status status = fr_recording_model_of_clip(c->figure, c->clip, allocator, &model, NULL);
    if (status == FR_OK) { test_note_number(fr_model_get(model)->track_count); }
    fr_model_destroy(model);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    assert_true(test_every_failure(make_recording, NULL) >= 5);
    fr_skeleton *skeleton = NULL;
    clip_on_figure c = {.figure = make_figure(&skeleton)};
    c.clip = make_clip(skeleton);
    assert_true(test_every_failure(make_model, &c) >= 5);
    fr_clip_release(c.clip);
    fr_figure_release(c.figure);
    fr_skeleton_release(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(postures_are_those_of_the_clip),   cmocka_unit_test(the_skin_goes_along),
        cmocka_unit_test(other_skeletons_are_refused),      cmocka_unit_test(objects_move_as_they_did),
        cmocka_unit_test(own_colors_are_not_darkened),      cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
