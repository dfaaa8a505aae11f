// The command objects as a user runs it, and scenes whose objects are of classes, collided, swept, served and replayed.
#include "scratch.h"

static const char model[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void put_class(const char *folder, const char *name, const char *text) {
    char path[200];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/object.json", folder, name);
    put_file(path, text);
    snprintf(path, sizeof path, "%s/%s/m.obj", folder, name);
    put_file(path, model);
}

static const char cup[] =
    "{\"fureai\":1,\"title\":\"A cup\",\"shapes\":[\"m.obj\"],\"affords\":[{\"motion\":\"take\",\"human\":"
    "[{\"skill\":\"grasp\"}],\"object\":{\"skill\":\"follow_hand\"},\"asks\":[\"frames\"]}]}";
static const char gate[] = "{\"fureai\":1,\"shapes\":[\"m.obj\"],\"joint\":{\"kind\":\"hinge\",\"position\":[0,0,0],"
                           "\"axis\":[0,1,0],\"limits_deg\":[0,90]}}";

static int set_up(void **state) {
    if (make_folder(state) != 0) { return -1; }
    put_class("things", "cup", cup);
    put_class("things", "gate", gate);
    put_class("more", "pot", cup);
    put_file("scene.json", "{\"fureai\":1,\"steps\":20,\"step\":0.1,\"library\":\"things\",\"objects\":["
                           "{\"name\":\"a\",\"class\":\"cup\",\"velocity\":[1,0,0]},"
                           "{\"name\":\"b\",\"class\":\"gate\",\"position\":[2,0,0],\"value_deg\":30}]}");
    put_file("none.json", "{\"fureai\":1,\"library\":\"things\",\"objects\":[{\"name\":\"a\",\"class\":\"cupp\"}]}");
    return 0;
}

static void classes_are_listed_and_shown(void **state) {
    (void)state;
    RUN("objects", "list", "things");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "cup: take\ngate\n");
    RUN("--json", "objects", "list", "--objects", "things");
    assert_int_equal(p.status, 0);
    expect_in(p.out,
              "{\"class\":\"cup\",\"kind\":\"object\",\"title\":\"A cup\",\"shapes\":\"m.obj\",\"states\":[\"\"],"
              "\"affords\":[{\"motion\":\"take\",\"state\":\"\",\"human\":\"grasp\",\"object\":\"follow_hand\","
              "\"data\":\"\",\"parameters\":\"\",\"fields\":[\"frames\"]}]}");
    expect_in(p.out, "\"wrong\":[]");
    RUN("objects", "show", "cup", "--objects", "things");
    assert_string_equal(p.out, "A cup\nmodels: m.obj\ntake by grasp; the object by follow_hand\n");
    RUN("objects", "show", "cupp", "--objects", "things");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "did you mean 'cup'");
    RUN("objects", "list");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "door: open");
}

static void classes_are_added_checked_and_removed(void **state) {
    (void)state;
    RUN("objects", "add", "more/pot", "--objects", "things");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "cup: take\ngate\npot: take\n");
    RUN("objects", "add", "more/pot", "--objects", "things");
    assert_int_equal(p.status, 3);
    RUN("objects", "check", "things");
    assert_int_equal(p.status, 0);
    put_file("things/pot/m.obj", "f 1 2 3\n");
    RUN("objects", "check", "things");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "pot/m.obj:1");
    put_file("things/pot/object.json", "{\"fureai\":1,\n\"shapes\":7}");
    RUN("objects", "list", "things");
    assert_int_equal(p.status, 0);
    expect_in(p.err, "left out: pot/object.json:2:10: ");
    RUN("--json", "objects", "list", "things");
    expect_in(p.out, "\"wrong\":[\"pot/object.json:2:10: ");
    RUN("objects", "remove", "pot", "--objects", "things");
    assert_string_equal(p.out, "cup: take\ngate\n");
    RUN("objects", "remove", "pot", "--objects", "things");
    assert_int_equal(p.status, 3);
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    RUN("objects", "lost");
    assert_int_equal(p.status, 2);
    RUN("objects", "show");
    assert_int_equal(p.status, 2);
    RUN("objects", "list", "nowhere");
    assert_int_equal(p.status, 3);
}

// A cup goes through a gate that stands open by 30 degrees.
static void scenes_have_objects_of_classes(void **state) {
    (void)state;
    RUN("--json", "sweep", "scene.json");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "\"a\":\"a\",\"b\":\"b\"");
    RUN("collide", "scene.json", "--step", "15", "--static", "--objects", "more");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "scene.json:1:");
    expect_in(p.err, "there is no class 'cup'");
    RUN("collide", "none.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "none.json:1:");
    expect_in(p.err, "did you mean 'cup'");
    put_class("things", "bad", "{\"fureai\":1,\n\"shapes\":7}");
    put_file("bad.json", "{\"fureai\":1,\"library\":\"things\",\"objects\":[{\"name\":\"a\",\"class\":\"bad\"}]}");
    RUN("collide", "bad.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "bad/object.json:2:10: ");
    RUN("objects", "remove", "bad", "--objects", "things");
    assert_int_equal(p.status, 0);
}

// Recorded and replayed without the library: a record holds all it needs.
static void a_recorded_scene_is_replayed(void **state) {
    (void)state;
    RUN("sweep", "scene.json", "--record", "scene.record");
    assert_int_equal(p.status, 0);
    assert_int_equal(rename("things", "gone"), 0);
    RUN("replay", "scene.record");
    assert_int_equal(rename("gone", "things"), 0);
    assert_int_equal(p.status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_listed_and_shown), cmocka_unit_test(classes_are_added_checked_and_removed),
        cmocka_unit_test(wrong_use_is_refused),         cmocka_unit_test(scenes_have_objects_of_classes),
        cmocka_unit_test(a_recorded_scene_is_replayed),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
