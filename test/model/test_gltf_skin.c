// Skins and shapes of glTF files made here: where vertices go, what is written, and what is wrong with a file.
#include "failing.h"
#include "glb_bytes.h"
#include "skinned_glb.h"

#include <math.h>

static fr_model *read_skinned(const char *json, const skinned_binary *lists, bool is_strict, fr_status *status,
                              fr_error *error) {
    fr_array bytes = glb_bytes(json, lists, sizeof *lists);
    fr_model_read_input input = fr_default_model_read_input();
    input.is_strict = is_strict;
    fr_model *model = NULL;
    *status = fr_model_read(bytes.data, bytes.count, &input, &model, error);
    fr_array_destroy(&bytes);
    return model;
}

static fr_model *skinned_model(void) {
    skinned_binary lists = skinned_lists();
    fr_error error = {0};
    fr_status status;
    fr_model *model = read_skinned(SKINNED_JSON, &lists, true, &status, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return model;
}

static void is_at(fr_vec3 p, double x, double y, double z) {
    if (fr_vec3_distance(p, fr_vec3_make(x, y, z)) > 1e-7) {
        fail_msg("%g %g %g, not %g %g %g", p.x, p.y, p.z, x, y, z);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What a file says

static void bones_and_shapes_are_read(void **state) {
    (void)state;
    fr_model *model = skinned_model();
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->skin_count, 1);
    assert_string_equal(view->skins[0].name, "arm");
    assert_int_equal(view->skins[0].bone_count, 2);
    assert_string_equal(view->nodes[view->skins[0].nodes[1]].name, "upper");
    assert_string_equal(view->nodes[view->skins[0].root].name, "lower");
    assert_true(view->skins[0].inverse_binds[12 + 7] == -1.0);
    assert_int_equal(view->nodes[0].skin, 0);
    assert_int_equal(view->nodes[1].skin, FR_NONE);
    const fr_model_deform *deform = view->meshes[0].deform;
    assert_int_equal(deform->influence_count, 4);
    assert_int_equal(deform->bone_count, 2);
    assert_int_equal(deform->target_count, 1);
    assert_int_equal(view->track_count, 2);
    assert_int_equal(view->tracks[0].kind, FR_MODEL_QUATERNION);
    assert_int_equal(view->tracks[1].kind, FR_MODEL_WEIGHTS);
    // At rest: as the bones stand, wherever the node is.
    assert_true(view->bounds.min.x == 0.0 && view->bounds.max.x == 1.0 && view->bounds.max.y == 2.0);
    fr_model_destroy(model);
}

static void vertices_follow_their_bones(void **state) {
    (void)state;
    fr_model *model = skinned_model();
    fr_model_play *play;
    fr_vec3 v[6];
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_true(fr_model_play_moves(play, 0));
    for (int i = 0; i <= 10; i++) {
        double t = i / 10.0, angle = 0.5 * FR_PI * t, c = cos(angle), s = sin(angle), wide = 1.0 + t;
        assert_true(fr_model_play_at(play, 2.0 * t) || i == 0);
        fr_model_play_vertices(play, 0, v);
        is_at(v[0], 0.0, 0.0, 0.0);
        is_at(v[1], wide, 0.0, 0.0);
        is_at(v[2], 0.0, 1.0, 0.0);
        is_at(v[3], 0.5 * wide * (1.0 + c), 1.0 + 0.5 * wide * s, 0.0);
        is_at(v[4], -s, 1.0 + c, 0.0);
        is_at(v[5], wide * c - s, 1.0 + wide * s + c, 0.0);
    }
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

// A model with other units and axes has its bones under the same node.
static void a_frame_takes_bones_along(void **state) {
    (void)state;
    skinned_binary lists = skinned_lists();
    fr_array bytes = glb_bytes(SKINNED_JSON, &lists, sizeof lists);
    fr_model_read_input input = fr_default_model_read_input();
    input.unit = 0.5;
    input.up = FR_MODEL_UP_Z;
    fr_model *model;
    fr_model_play *play;
    fr_vec3 v[6];
    assert_int_equal(fr_model_read(bytes.data, bytes.count, &input, &model, NULL), FR_OK);
    assert_string_equal(fr_model_get(model)->nodes[fr_model_get(model)->skins[0].nodes[1]].name, "upper");
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_model_play_at(play, 2.0);
    fr_model_play_vertices(play, 1, v);
    is_at(v[4], -0.5, 0.0, -0.5);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    fr_array_destroy(&bytes);
}

static void written_files_come_back(fr_model_format format) {
    fr_model *model = skinned_model(), *again;
    fr_array bytes = fr_array_make(1, NULL);
    fr_error error = {0};
    fr_model_play *plays[2];
    assert_int_equal(fr_model_write(model, format, NULL, push_bytes, &bytes, &error), FR_OK);
    if (fr_model_read(bytes.data, bytes.count, NULL, &again, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_model_view *view = fr_model_get(again);
    assert_int_equal(view->skin_count, 1);
    assert_string_equal(view->skins[0].name, "arm");
    assert_string_equal(view->nodes[view->skins[0].root].name, "lower");
    assert_int_equal(view->meshes[0].deform->target_count, 1);
    assert_string_equal(view->clocks[0].name, "bend");
    assert_int_equal(fr_model_play_create(model, NULL, &plays[0], NULL), FR_OK);
    assert_int_equal(fr_model_play_create(again, NULL, &plays[1], NULL), FR_OK);
    for (int i = 0; i <= 20; i++) {
        fr_vec3 v[2][6];
        for (int k = 0; k < 2; k++) {
            fr_model_play_at(plays[k], i / 10.0);
            fr_model_play_vertices(plays[k], 0, v[k]);
        }
        assert_memory_equal(v[0], v[1], sizeof v[0]);
    }
    fr_model_play_destroy(plays[0]);
    fr_model_play_destroy(plays[1]);
    fr_model_destroy(model);
    fr_model_destroy(again);
    fr_array_destroy(&bytes);
}

static void glb_keeps_skins(void **state) {
    (void)state;
    written_files_come_back(FR_MODEL_GLB);
}

// Formats without bones have the vertices where the bones have them at rest: VRML in the frame of the node.
static void others_have_it_at_rest(void **state) {
    (void)state;
    static const fr_model_format formats[] = {FR_MODEL_VRML, FR_MODEL_OBJ, FR_MODEL_STL, FR_MODEL_PLY};
    fr_model *model = skinned_model();
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        fr_model *again = written_and_read(model, formats[i]);
        const fr_bounds *bounds = &fr_model_get(again)->bounds;
        assert_true(fr_vec3_distance(bounds->min, fr_vec3_make(0, 0, 0)) < 1e-6);
        assert_true(fr_vec3_distance(bounds->max, fr_vec3_make(1, 2, 0)) < 1e-6);
        fr_model_destroy(again);
    }
    fr_mesh *mesh;
    assert_int_equal(fr_model_whole_mesh(model, NULL, &mesh, NULL), FR_OK);
    assert_true(fr_mesh_get(mesh)->bounds.max.y == 2.0);
    fr_mesh_release(mesh);
    fr_model_destroy(model);
}

static void frm_keeps_skins(void **state) {
    (void)state;
    written_files_come_back(FR_MODEL_FRM);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong with a file

// Strict reading fails with these words; otherwise they are a warning, or a failure too.
static void is_wrong(const char *json, const skinned_binary *lists, bool is_repaired, const char *words) {
    fr_error error = {0};
    fr_status status;
    assert_null(read_skinned(json, lists, true, &status, &error));
    assert_int_not_equal(status, FR_OK);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' is not in '%s'", words, error.message); }
    fr_model *model = read_skinned(json, lists, false, &status, &error);
    assert_int_equal(status == FR_OK, is_repaired);
    if (!is_repaired) { return; }
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 1);
    if (strstr(view->warnings[0].message, words) == NULL) { fail_msg("'%s'", view->warnings[0].message); }
    fr_model_play *play;
    fr_vec3 v[6];
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_model_play_at(play, 1.0);
    fr_model_play_vertices(play, 0, v);
    for (int i = 0; i < 6; i++) {
        assert_true(fr_vec3_is_finite(v[i]));
    }
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static void weights_that_are_wrong(void **state) {
    (void)state;
    skinned_binary lists = skinned_lists();
    lists.weights[9] = 0.2f;
    is_wrong(SKINNED_JSON, &lists, true, "vertex 2: the sum of its weights is 0.7, not 1");
    lists.weights[8] = lists.weights[9] = 0.0f;
    is_wrong(SKINNED_JSON, &lists, true, "vertex 2: the sum of its weights is 0, not 1");
    lists.weights[8] = -1.0f;
    is_wrong(SKINNED_JSON, &lists, false, "vertex 2 has the weight -1, below 0");
    lists.weights[8] = (float)NAN;
    is_wrong(SKINNED_JSON, &lists, false, "element 2 of this accessor is not finite");
}

static void bones_that_are_wrong(void **state) {
    (void)state;
    skinned_binary lists = skinned_lists();
    lists.joints[16] = 2;
    is_wrong(SKINNED_JSON, &lists, true, "a mesh that follows bones which its skin has not stands still");
    lists = skinned_lists();
    is_wrong(SKINNED_JSON_OF("[1]"), &lists, true, "a mesh that follows bones which its skin has not stands still");
    is_wrong(SKINNED_JSON_OF("[]"), &lists, true, "a skin without bones");
    is_wrong(SKINNED_JSON_OF("[1,9]"), &lists, false, "there is no node of this number");
    is_wrong(SKINNED_JSON_OF("[1,2,1]"), &lists, false, "2 inverse binds for 3 bones");
    lists.binds[16] = 0.0f;
    is_wrong(SKINNED_JSON, &lists, true, "the inverse bind of bone 1 is singular");
    lists.binds[16] = (float)INFINITY;
    is_wrong(SKINNED_JSON, &lists, false, "element 1 of this accessor is not finite");
}

// 65,536 bones in a list of a file.
static void too_many_bones(void **state) {
    (void)state;
    static char json[400000];
    const char *before = SKINNED_JSON, *list = strstr(before, "[1,2]}],\"nodes\"");
    size_t at = (size_t)(list - before);
    assert_non_null(list);
    memcpy(json, before, at);
    json[at++] = '[';
    for (int i = 0; i < 65536; i++) {
        memcpy(json + at, i > 0 ? ",1" : "1", 2);
        at += i > 0 ? 2 : 1;
    }
    strcpy(json + at, list + 4);
    skinned_binary lists = skinned_lists();
    is_wrong(json, &lists, true, "with more than 65535, is passed over");
}

static fr_status read_and_play(const fr_allocator *allocator, void *context) {
    const fr_array *bytes = context;
    fr_model_read_input input = fr_default_model_read_input();
    input.allocator = *allocator;
    fr_model *model = NULL;
    fr_model_play *play = NULL;
    fr_vec3 v[6];
    fr_status status = fr_model_read(bytes->data, bytes->count, &input, &model, NULL);
    if (status == FR_OK) { status = fr_model_play_create(model, allocator, &play, NULL); }
    if (status == FR_OK) {
        fr_model_play_at(play, 1.0);
        fr_model_play_vertices(play, 0, v);
    }
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    skinned_binary lists = skinned_lists();
    fr_array bytes = glb_bytes(SKINNED_JSON, &lists, sizeof lists);
    test_every_failure(read_and_play, &bytes);
    fr_array_destroy(&bytes);
}

// A model from arrays is checked as a file is.
static void definitions_are_checked(void **state) {
    (void)state;
    fr_model *model = skinned_model(), *copy = NULL;
    const fr_model_view *view = fr_model_get(model);
    fr_model_def def = fr_default_model_def();
    def.nodes = view->nodes;
    def.node_count = view->node_count;
    def.meshes = view->meshes;
    def.mesh_count = view->mesh_count;
    def.placements = view->placements;
    def.placement_count = view->placement_count;
    def.skins = view->skins;
    def.skin_count = view->skin_count;
    def.clocks = view->clocks;
    def.clock_count = view->clock_count;
    def.tracks = view->tracks;
    def.track_count = view->track_count;
    fr_error error = {0};
    if (fr_model_create(&def, &copy, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_model_destroy(copy);
    fr_model_skin skin = view->skins[0];
    def.skins = &skin;
    skin.bone_count = 1;
    assert_int_equal(fr_model_create(&def, &copy, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "follows 2 bones of a skin of only 1"));
    skin.bone_count = 65536;
    assert_int_equal(fr_model_create(&def, &copy, &error), FR_ERROR_LIMIT);
    skin = view->skins[0];
    const uint32_t nodes[2] = {1, 3};
    skin.nodes = nodes;
    assert_int_equal(fr_model_create(&def, &copy, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "bone 1 is node 3 of 3"));
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_and_shapes_are_read),
        cmocka_unit_test(vertices_follow_their_bones),
        cmocka_unit_test(a_frame_takes_bones_along),
        cmocka_unit_test(glb_keeps_skins),
        cmocka_unit_test(frm_keeps_skins),
        cmocka_unit_test(others_have_it_at_rest),
        cmocka_unit_test(weights_that_are_wrong),
        cmocka_unit_test(bones_that_are_wrong),
        cmocka_unit_test(too_many_bones),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(definitions_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
