// Objects of classes in scenes: what they take from the class, what is their own, and what is built of them.
#include "failing.h"

#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static int found, loaded, unloaded;
static char library_named[64];

static fr_status find(const char *library, const char *name, fr_scene_class *out, void *context, fr_error *error) {
    static const char *const one[] = {"cup/cup.obj"}, *const two[] = {"door/leaf.obj", "door/knob.obj"};
    static const fr_scene_joint hinge = {
        .kind = FR_JOINT_HINGE, .position = {1.0, 0.0, 0.0}, .axis = {0.0, 1.0, 0.0}, .low = 0.0, .high = 2.0};
    static const fr_scene_joint slider = {
        .kind = FR_JOINT_SLIDER, .axis = {0.0, 0.0, 1.0}, .low = 0.0, .high = 0.5, .value = 0.1};
    (void)context;
    found++;
    snprintf(library_named, sizeof library_named, "%s", library);
    *out = (fr_scene_class){.models = one, .model_count = 1};
    if (strcmp(name, "cup") == 0) {
        out->has_color = true;
        out->color = (fr_color){1, 2, 3, 255};
        return FR_OK;
    }
    if (strcmp(name, "ken") == 0) {
        *out = (fr_scene_class){.is_person = true, .body = fr_default_body_def(), .speed = 1.5, .seed = 9};
        out->body.stature = 1.5;
        out->body.leg = 0.55;
        return FR_OK;
    }
    if (strcmp(name, "wall") == 0) {
        out->is_static = true;
        return FR_OK;
    }
    if (strcmp(name, "drawer") == 0) {
        out->joint = &slider;
        return FR_OK;
    }
    if (strcmp(name, "door") == 0) {
        *out = (fr_scene_class){.models = two, .model_count = 2, .joint = &hinge};
        return FR_OK;
    }
    if (strcmp(name, "broken") == 0) {
        fr_error_set(error, FR_ERROR_SYNTAX, "no colon");
        fr_error_locate(error, "broken/object.json", 3, 4);
        return FR_ERROR_SYNTAX;
    }
    if (strcmp(name, "empty") == 0) {
        out->model_count = 0;
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no class '%s'", name);
}

static fr_status load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)context;
    if (strstr(path, ".obj") == NULL) { return fr_error_set(error, FR_ERROR_FILE, "%s: no such file", path); }
    loaded++;
    *bytes = tetrahedron;
    *size = sizeof tetrahedron - 1;
    return FR_OK;
}

static void unload(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    (void)context;
    unloaded++;
}

static const fr_scene_classes classes = {find, load, unload, NULL};

static fr_status read(const char *text, fr_scene **out, fr_error *error) {
    fr_scene_read_input input = fr_default_scene_read_input();
    input.classes = classes;
    return fr_scene_read(text, strlen(text), &input, out, error);
}

static fr_scene *read_right(const char *text) {
    fr_scene *scene;
    fr_error error = {0};
    if (read(text, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    return scene;
}

#define SCENE(objects) "{\"fureai\":1,\"library\":\"things\",\"objects\":[" objects "]}"

static void expect_point(fr_vec3 p, double x, double y, double z) {
    if (fr_vec3_distance(p, fr_vec3_make(x, y, z)) > 1e-12) { fail_msg("%g %g %g", p.x, p.y, p.z); }
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static void objects_take_what_the_class_has(void **state) {
    (void)state;
    found = 0;
    fr_scene *scene =
        read_right(SCENE("{\"name\":\"a\",\"class\":\"cup\"},{\"name\":\"b\",\"class\":\"cup\",\"color\":[9,9,9],"
                         "\"data\":{\"take\":\"mine.ahmc\"}},{\"name\":\"c\",\"class\":\"wall\"}"));
    const fr_scene_view *v = fr_scene_get(scene);
    assert_int_equal(found, 2); // once a class
    assert_string_equal(library_named, "things");
    assert_string_equal(v->library, "things");
    assert_string_equal(v->objects[0].class_name, "cup");
    assert_string_equal(v->objects[0].models[0], "cup/cup.obj");
    assert_int_equal(v->objects[0].color.b, 3);
    assert_int_equal(v->objects[1].color.b, 9);
    assert_string_equal(v->objects[1].data[0].text, "mine.ahmc");
    assert_true(v->objects[2].is_static && (v->objects[2].flags & FR_OBJECT_STATIC) != 0);
    assert_int_equal(v->joint_count, 0);
    fr_scene_destroy(scene);
}

// The door stands turned and twice as large; its hinge is one metre from its origin.
static void joints_come_with_the_place(void **state) {
    (void)state;
    fr_scene *scene = read_right(
        SCENE("{\"name\":\"closed\",\"class\":\"door\",\"position\":[0,0,5],\"axis_angle_deg\":[0,1,0,90],\"scale\":2},"
              "{\"name\":\"open\",\"class\":\"door\",\"position\":[0,0,5],\"axis_angle_deg\":[0,1,0,90],\"scale\":2,"
              "\"value_deg\":90},"
              "{\"name\":\"d\",\"class\":\"drawer\",\"scale\":2},{\"name\":\"e\",\"class\":\"drawer\",\"scale\":2,"
              "\"value\":0.4},"
              "{\"name\":\"s\",\"class\":\"door\",\"static\":true},"
              "{\"name\":\"p\",\"class\":\"door\",\"path\":[{\"t\":0,\"position\":[0,7,0]},{\"t\":1,\"position\":[0,8,"
              "0]}]}"));
    const fr_scene_view *v = fr_scene_get(scene);
    assert_int_equal(v->joint_count, 5);
    const fr_scene_joint *j = v->joints;
    expect_point(j[0].position, 0.0, 0.0, 3.0); // +x of the door is -z of the world
    expect_point(j[0].axis, 0.0, 1.0, 0.0);
    expect_point(v->objects[0].pose.position, 0.0, 0.0, 5.0);
    expect_point(j[1].position, 0.0, 0.0, 3.0);
    expect_point(v->objects[1].pose.position, 2.0, 0.0, 3.0); // a quarter turn about the hinge
    assert_true(j[1].value > 1.57 && j[1].value < 1.571 && j[1].parent == FR_NONE && j[1].child == 1);
    assert_true(j[2].value == 0.2 && j[2].high == 1.0);
    expect_point(v->objects[2].pose.position, 0.0, 0.0, 0.0);
    expect_point(v->objects[3].pose.position, 0.0, 0.0, 0.6);
    assert_true(j[3].value == 0.8);
    assert_int_equal(v->objects[4].joint, FR_NONE);
    expect_point(j[4].position, 1.0, 7.0, 0.0);
    fr_scene_destroy(scene);

    // A joint of the scene comes before that of the class.
    scene = read_right(
        "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"class\":\"door\"},{\"name\":\"b\",\"class\":\"door\"}],"
        "\"joints\":[{\"kind\":\"attached\",\"parent\":\"a\",\"child\":\"b\"}]}");
    assert_int_equal(fr_scene_get(scene)->joint_count, 2);
    assert_int_equal(fr_scene_get(scene)->joints[0].kind, FR_JOINT_ATTACHED);
    fr_scene_destroy(scene);
}

// Measures and looks of the class, where the scene does not give them.
static void people_may_be_of_classes(void **state) {
    (void)state;
    fr_scene *scene = read_right("{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"class\":\"ken\"},"
                                 "{\"name\":\"b\",\"class\":\"ken\",\"stature\":1.8,\"seed\":2},{\"name\":\"c\"}]}");
    const fr_scene_person *p = fr_scene_get(scene)->people;
    assert_true(p[0].body.stature == 1.5 && p[0].body.leg == 0.55 && p[0].speed == 1.5 && p[0].seed == 9);
    assert_true(p[1].body.stature == 1.8 && p[1].body.leg == 0.55 && p[1].speed == 1.5 && p[1].seed == 2);
    assert_true(p[2].body.stature == 1.7 && p[2].body.leg == 0.0 && p[2].speed == 0.0 && p[2].class_name == NULL);
    assert_string_equal(p[0].class_name, "ken");
    fr_scene_destroy(scene);
}

static void expect_wrong(const char *text, fr_status status, const char *message, const char *at) {
    fr_scene *scene;
    fr_error error = {0};
    assert_int_equal(read(text, &scene, &error), status);
    assert_null(scene);
    if (strstr(error.message, message) == NULL) { fail_msg("%s", error.message); }
    assert_int_equal(error.column, (int)(strstr(text, at) - text) + 1);
}

static void what_is_wrong_has_a_place(void **state) {
    (void)state;
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"cupp\"}"), FR_ERROR_ARGUMENT, "no class 'cupp'", "\"cupp\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"empty\"}"), FR_ERROR_ARGUMENT, "no models", "\"empty\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"cup\",\"model\":\"m\"}"), FR_ERROR_SYNTAX, "not two", "\"model\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"shape\":\"box\",\"value\":1}"), FR_ERROR_SYNTAX, "with 'class'", "\"value\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"cup\",\"value\":1}"), FR_ERROR_SYNTAX, "no joint", "\"value\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"door\",\"value\":1}"), FR_ERROR_SYNTAX, "'value_deg'", "\"value\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"door\",\"value_deg\":-1}"), FR_ERROR_ARGUMENT, "limits", "-1");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"wall\",\"velocity\":[1,0,0]}"), FR_ERROR_SYNTAX, "static",
                 "\"velocity\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"cup\",\"data\":{\"k\":\"a\",\"k\":\"b\"}}"), FR_ERROR_SYNTAX,
                 "second time", "\"k\":\"b\"");
    expect_wrong(SCENE("{\"name\":\"a\",\"class\":\"ken\"}"), FR_ERROR_ARGUMENT, "is a person", "\"ken\"");
    expect_wrong("{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"class\":\"cup\"}]}", FR_ERROR_ARGUMENT,
                 "is no person", "\"cup\"");
    fr_scene *scene;
    fr_error error = {0};
    assert_int_equal(read(SCENE("{\"name\":\"a\",\"class\":\"broken\"}"), &scene, &error), FR_ERROR_SYNTAX);
    assert_true(error.line == 3 && error.column == 4 && strcmp(error.path, "broken/object.json") == 0);
    static const char text[] = SCENE("{\"name\":\"a\",\"class\":\"cup\"}");
    assert_int_equal(fr_scene_read(text, sizeof text - 1, NULL, &scene, &error), FR_ERROR_UNSUPPORTED);
}

// ---------------------------------------------------------------------------------------------------------------
// Building

static const char three[] =
    SCENE("{\"name\":\"a\",\"class\":\"door\"},{\"name\":\"b\",\"class\":\"door\",\"position\":[3,0,0]},"
          "{\"name\":\"c\",\"class\":\"cup\",\"position\":[0,3,0]}");

// Each model is loaded once; both of a class make one object of two parts.
static void models_are_loaded_once_a_class(void **state) {
    (void)state;
    for (int with_player = 0; with_player < 2; with_player++) {
        fr_scene *scene = read_right(three);
        fr_world_def def = fr_scene_world_def(scene);
        fr_world *world;
        fr_scene_player *player = NULL;
        fr_object_id ids[3];
        assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
        fr_scene_build_input input = fr_default_scene_build_input();
        input.classes = classes;
        if (with_player) { assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK); }
        input.player = player;
        loaded = unloaded = 0;
        fr_error error = {0};
        if (fr_scene_build_world(scene, &input, world, ids, &error) != FR_OK) { fail_msg("%s", error.message); }
        assert_true(loaded == 3 && unloaded == 3);
        const fr_space *space = fr_world_space(world);
        assert_int_equal(fr_object_get(space, ids[0])->part_count, 2);
        assert_int_equal(fr_object_get(space, ids[2])->part_count, 1);
        assert_int_equal(fr_world_tick(world, NULL, &error), FR_OK);
        fr_world_destroy(world);
        fr_scene_player_destroy(player);
        fr_scene_destroy(scene);
    }
}

static void without_files_it_is_refused(void **state) {
    (void)state;
    fr_scene *scene = read_right(three);
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    fr_object_id ids[3];
    fr_error error = {0};
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    assert_int_equal(fr_scene_build(scene, NULL, space, ids, &error), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_space_object_count(space), 0);
    assert_true(error.line == 1 && error.column > 1);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = classes;
    reading.allocator = *allocator;
    fr_scene *scene;
    fr_status status = fr_scene_read(three, sizeof three - 1, &reading, &scene, NULL);
    if (status != FR_OK) { return status; }
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_object_id ids[3];
    status = fr_space_create(&def, &space, NULL);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = classes;
    building.allocator = *allocator;
    if (status == FR_OK) { status = fr_scene_build(scene, &building, space, ids, NULL); }
    fr_space_destroy(space);
    fr_scene_destroy(scene);
    return status;
}

static void short_memory_is_survived(void **state) {
    (void)state;
    test_every_failure(make, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_take_what_the_class_has), cmocka_unit_test(joints_come_with_the_place),
        cmocka_unit_test(people_may_be_of_classes),        cmocka_unit_test(what_is_wrong_has_a_place),
        cmocka_unit_test(models_are_loaded_once_a_class),  cmocka_unit_test(without_files_it_is_refused),
        cmocka_unit_test(short_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
