// The space made from a scene.
#include "fureai/scene.h"

#include "failing.h"

#include <stdio.h>
#include <string.h>

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char two_parts[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no one\nf 1 2 3\no two\nf 1 2 4\nf 1 3 4\n";
static const char points[] = "v 0 0 0\nv 1 0 0\n";
static const char wrong[] = "v 0 0 0\nf 1 2 3\n";

// Models in memory, and how often they were loaded.
typedef struct shelf {
    int loads, unloads;
} shelf;

static fr_status load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    shelf *s = context;
    const char *text = NULL;
    if (strcmp(path, "tetrahedron.obj") == 0) { text = tetrahedron; }
    if (strcmp(path, "two_parts.obj") == 0) { text = two_parts; }
    if (strcmp(path, "points.obj") == 0) { text = points; }
    if (strcmp(path, "wrong.obj") == 0) { text = wrong; }
    if (text == NULL) { return fr_error_set(error, FR_ERROR_FILE, "there is no such file"); }
    *bytes = text;
    *size = strlen(text);
    s->loads++;
    return FR_OK;
}

static void unload(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    ((shelf *)context)->unloads++;
}

static fr_scene *read_text(const char *text) {
    fr_scene_read_input options = fr_default_scene_read_input();
    options.name = "s.json";
    fr_scene *scene;
    assert_int_equal(fr_scene_read(text, strlen(text), &options, &scene, NULL), FR_OK);
    return scene;
}

static fr_space *make_space(void) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    return space;
}

static const char scene_text[] = "{\"fureai\":1,\"step\":0.5,\"steps\":4,\"objects\":[\n"
                                 "{\"name\":\"a\",\"model\":\"two_parts.obj\",\"position\":[1,0,0]},\n"
                                 "{\"name\":\"b\",\"shape\":\"box\",\"static\":true,\"pivot\":[1,2,3]},\n"
                                 "{\"name\":\"c\",\"model\":\"tetrahedron.obj\",\"velocity\":[2,0,0]},\n"
                                 "{\"name\":\"d\",\"model\":\"two_parts.obj\",\"scale\":3},\n"
                                 "{\"name\":\"e\",\"shape\":\"box\"}]}";

static void objects_share_their_meshes(void **state) {
    (void)state;
    fr_scene *scene = read_text(scene_text);
    fr_space *space = make_space();
    fr_object_id ids[5];
    shelf s = {0};
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load;
    options.unload = unload;
    options.context = &s;
    options.k = 2;
    assert_int_equal(fr_scene_build(scene, &options, space, ids, NULL), FR_OK);
    assert_int_equal(s.loads, 2);
    assert_int_equal(s.unloads, 2);
    assert_int_equal(fr_space_object_count(space), 5);

    const fr_object_view *a = fr_object_get(space, ids[0]), *b = fr_object_get(space, ids[1]);
    assert_int_equal(a->part_count, 2);
    assert_int_equal(a->triangle_count, 3);
    assert_true(a->pose.position.x == 1.0 && !a->is_moving);
    assert_ptr_equal(fr_object_part(space, ids[0], 1).mesh, fr_object_part(space, ids[3], 1).mesh);
    assert_ptr_equal(fr_object_part(space, ids[1], 0).mesh, fr_object_part(space, ids[4], 0).mesh);
    assert_int_equal(b->flags, FR_OBJECT_STATIC);
    assert_true(fr_vec3_equal(b->pivot_local, fr_vec3_make(1, 2, 3)));
    assert_string_equal(((const fr_scene_object *)b->user)->name, "b");
    assert_true(fr_object_get(space, ids[2])->pose.position.x == 2.0);
    assert_true(fr_object_get(space, ids[3])->pose.scale == 3.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
}

static void steps_place_and_move(void **state) {
    (void)state;
    fr_scene *scene = read_text("{\"fureai\":1,\"step\":0.5,\"steps\":4,\"objects\":[{\"name\":\"a\",\"shape\":\"box\","
                                "\"velocity\":[2,0,0]},{\"name\":\"b\",\"shape\":\"box\"}]}");
    fr_space *space = make_space();
    fr_object_id ids[2];
    assert_int_equal(fr_scene_build(scene, NULL, space, ids, NULL), FR_OK);
    assert_int_equal(fr_scene_move(scene, 1, space, ids, NULL), FR_OK);
    const fr_object_view *a = fr_object_get(space, ids[0]);
    fr_pose expected = fr_scene_pose(scene, 0, 2);
    assert_true(a->is_moving && a->pose.position.x == 1.0);
    assert_memory_equal(&a->next, &expected, sizeof expected);
    assert_false(fr_object_get(space, ids[1])->is_moving);
    assert_int_equal(fr_scene_place(scene, 4, space, ids, NULL), FR_OK);
    a = fr_object_get(space, ids[0]);
    assert_true(!a->is_moving && a->pose.position.x == 4.0);

    fr_object_remove(space, ids[1], NULL);
    assert_int_equal(fr_scene_place(scene, 0, space, ids, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_scene_move(scene, 0, space, ids, NULL), FR_ERROR_STALE_ID);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
}

static void failures_name_the_place_and_add_nothing(void **state) {
    (void)state;
    static const struct {
        const char *source, *message;
        fr_status status;
    } cases[] = {
        {"\"model\":\"none.obj\"", "s.json:2:21: there is no such file", FR_ERROR_FILE},
        {"\"model\":\"points.obj\"", "s.json:2:21: the model has no polygons", FR_ERROR_ARGUMENT},
        {"\"model\":\"wrong.obj\"", "wrong.obj:2:", FR_ERROR_CORRUPT},
        {"\"shape\":\"sphere:1x1\"", "s.json:2:21: ", FR_ERROR_ARGUMENT},
        {"\"shape\":\"sphere:999999999x999999999\"", "s.json:2:21: ", FR_ERROR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300], printed[600];
        snprintf(text, sizeof text,
                 "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},\n{\"name\":\"b\",%s}]}",
                 cases[i].source);
        fr_scene *scene = read_text(text);
        fr_space *space = make_space();
        fr_object_id ids[2];
        shelf s = {0};
        fr_error error = {0};
        fr_scene_build_input options = fr_default_scene_build_input();
        options.load = load;
        options.unload = unload;
        options.context = &s;
        assert_int_equal(fr_scene_build(scene, &options, space, ids, &error), cases[i].status);
        fr_error_format(&error, printed, sizeof printed);
        if (strncmp(printed, cases[i].message, strlen(cases[i].message)) != 0) { fail_msg("%s", printed); }
        assert_int_equal(s.loads, s.unloads);
        assert_int_equal(fr_space_object_count(space), 0);
        assert_int_equal(fr_scene_build(scene, &options, space, ids, NULL), cases[i].status);
        fr_space_destroy(space);
        fr_scene_destroy(scene);
    }
}

static bool stop_at_once(void *user) {
    (void)user;
    return true;
}

static void doubles_are_kept_and_a_caller_can_stop_it(void **state) {
    (void)state;
    fr_scene *scene = read_text(scene_text);
    shelf s = {0};
    fr_object_id ids[5];
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load;
    options.unload = unload;
    options.context = &s;
    for (int is_kept = 0; is_kept < 2; is_kept++) {
        fr_space *space = make_space();
        options.is_double = is_kept == 1;
        assert_int_equal(fr_scene_build(scene, &options, space, ids, NULL), FR_OK);
        assert_int_equal(fr_mesh_get(fr_object_part(space, ids[0], 0).mesh)->positions_double != NULL, is_kept);
        fr_space_destroy(space);
    }
    fr_space *space = make_space();
    fr_control control = {.stop = stop_at_once};
    options.control = &control;
    assert_int_equal(fr_scene_build(scene, &options, space, ids, NULL), FR_ERROR_STOPPED);
    assert_int_equal(fr_space_object_count(space), 0);
    assert_int_equal(s.loads, s.unloads);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
}

static void without_a_loader_there_are_no_models(void **state) {
    (void)state;
    fr_scene *scene = read_text(scene_text);
    fr_space *space = make_space();
    fr_object_id ids[5];
    fr_error error = {0};
    assert_int_equal(fr_scene_build(scene, NULL, space, ids, &error), FR_ERROR_UNSUPPORTED);
    assert_int_equal(error.line, 2);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
}

static void an_empty_scene_adds_nothing(void **state) {
    (void)state;
    fr_scene *scene = read_text("{\"fureai\":1,\"objects\":[]}");
    fr_space *space = make_space();
    assert_int_equal(fr_scene_build(scene, NULL, space, NULL, NULL), FR_OK);
    assert_int_equal(fr_space_object_count(space), 0);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status != FR_OK) { return status; }
    shelf s = {0};
    fr_object_id ids[5];
    fr_scene_build_input options = fr_default_scene_build_input();
    options.allocator = *allocator;
    options.load = load;
    options.unload = unload;
    options.context = &s;
    status = fr_scene_build(context, &options, space, ids, NULL);
    assert_int_equal(fr_space_object_count(space), status == FR_OK ? 5 : 0);
    assert_int_equal(s.loads, s.unloads);
    if (status == FR_OK) { status = fr_scene_move(context, 0, space, ids, NULL); }
    if (status == FR_OK) { status = fr_scene_place(context, 1, space, ids, NULL); }
    fr_space_destroy(space);
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    fr_scene *scene = read_text(scene_text);
    assert_true(test_every_failure(make, scene) >= 10);
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_share_their_meshes),
        cmocka_unit_test(steps_place_and_move),
        cmocka_unit_test(failures_name_the_place_and_add_nothing),
        cmocka_unit_test(doubles_are_kept_and_a_caller_can_stop_it),
        cmocka_unit_test(without_a_loader_there_are_no_models),
        cmocka_unit_test(an_empty_scene_adds_nothing),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
