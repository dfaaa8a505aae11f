// The command collide, as a user runs it.
#include "scratch.h"

#include "fureai/math.h"

#define SCENE(name) SCENE_FOLDER "/" name

static void objects_and_counts_are_told(void **state) {
    (void)state;
    RUN("collide", SCENE("two_spheres.json"), "--static");
    expect_answer("left   right  crossing  50\n50 pairs of faces of 1 pair of objects at 0 s (step 0), by tree in ");
    assert_string_equal(p.err, "");
    RUN("collide", SCENE("two_spheres_apart.json"));
    expect_answer("0 pairs of faces of 0 pairs of objects");
    RUN("collide", SCENE("empty.json"));
    expect_answer("0 pairs of faces");
    RUN("collide", SCENE("coplanar_boxes.json"), "--static");
    expect_answer("low     beside  touching  62\nlow     above   touching  15\nlow     inside  around    0\nbeside  "
                  "above   touching  15\n");
}

static void what_is_inside_is_told(void **state) {
    (void)state;
    put_file("inside.json", "{\"fureai\":1,\"objects\":[{\"name\":\"big\",\"shape\":\"box\"},"
                            "{\"name\":\"small\",\"shape\":\"box\",\"scale\":0.1}]}");
    RUN("collide", "inside.json");
    expect_answer("big    small  around    0\n0 pairs of faces of 1 pair of objects");
    RUN("--json", "collide", "inside.json");
    expect_answer("\"relations\":[{\"a\":\"big\",\"b\":\"small\",\"relation\":\"around\",\"count\":0,\"time_sure\":0}],"
                  "\"pairs\":[]");
}

// Equal cubes of edge 1: one ends half inside the other, and so it stands at the next instant.
static void aligned_cubes_cross(void **state) {
    (void)state;
    put_file("cubes.json", "{\"fureai\":1,\"step\":1,\"steps\":2,\"objects\":[{\"name\":\"one\",\"shape\":\"box\"},"
                           "{\"name\":\"two\",\"shape\":\"box\",\"position\":[4.5,0,0],\"velocity\":[-4,0,0]}]}");
    RUN("--json", "collide", "cubes.json");
    expect_answer("\"relation\":\"crossing\"");
    expect_answer("\"time_sure\":0.87500"); // 3.5 of 4 m
    RUN("collide", "cubes.json", "--static", "--step", "1");
    expect_answer("one  two  crossing");
}

// Kitamura's Table 2.1: only A and B ever meet, after t = 116.
static void steps_are_those_of_the_scene(void **state) {
    (void)state;
    RUN("collide", SCENE("kitamura_table_2.1.json"), "--step", "116", "--static");
    expect_answer("0 pairs of faces of 0 pairs of objects at 116 s (step 116)");
    RUN("collide", SCENE("kitamura_table_2.1.json"), "--step=117", "--static");
    expect_answer("A  B  crossing  12\n12 pairs of faces of 1 pair of objects at 117 s");
    RUN("collide", SCENE("kitamura_table_2.1.json"), "--step=115");
    expect_answer("0 pairs of faces of 0 pairs of objects from 115 s to 116 s (step 115), by tree");
    RUN("collide", SCENE("kitamura_table_2.1.json"), "--step=116");
    expect_answer("A  B  crossing  15\n15 pairs of faces of 1 pair of objects from 116 s to 117 s (step 116), first at "
                  "116.");
    RUN("collide", SCENE("two_spheres.json"), "--step", "120", "--static");
    assert_int_equal(p.status, 0);
    RUN("collide", SCENE("two_spheres.json"), "--step", "120");
    expect_failure(2, "--step: no step begins at 120");
    RUN("collide", SCENE("two_spheres.json"), "--step", "121");
    expect_failure(2, "--step: 121 is outside 0 .. 120, the steps of the scene");
    RUN("collide", SCENE("two_spheres.json"), "--step", "-1");
    expect_failure(2, "--step: -1 is outside");
}

// A plate that passes through another within one step, and turns a whole turn.
static void steps_are_not_jumped_over(void **state) {
    (void)state;
    put_file("plates.json", "{\"fureai\":1,\"step\":1,\"steps\":2,\"objects\":["
                            "{\"name\":\"low\",\"shape\":\"box\",\"scale\":0.1},"
                            "{\"name\":\"high\",\"shape\":\"box\",\"scale\":0.1,\"position\":[0.01,1,0.02],"
                            "\"velocity\":[0,-2,0],\"angular_velocity_deg\":[0,360,0]}]}");
    RUN("collide", "plates.json", "--static");
    expect_answer("0 pairs of faces");
    RUN("collide", "plates.json", "--step", "1");
    expect_answer("0 pairs of faces");
    RUN("collide", "plates.json", "--first");
    expect_answer("low   high  crossing");
    expect_in(p.out, "first at 0.4");
    RUN("--json", "collide", "plates.json", "--first");
    expect_answer("\"set\":\"first\",\"narrow\":\"exact\",\"free_time\":0.44999");
    expect_in(p.out, "\"time\":0.44999");
    expect_in(p.out, "\"time_sure\":");
    expect_in(p.out, "\"approach\":2");
    RUN("--json", "collide", "plates.json", "--narrow", "hull");
    expect_answer("\"narrow\":\"hull\",\"free_time\":0,");
    RUN("collide", "plates.json", "--first", "--static");
    expect_failure(2, "--first asks about a step");
}

// The document without its statistics, which hold times.
static char *pairs_of_document(void) {
    assert_int_equal(p.status, 0);
    char *begin = strstr(p.out, "\"count\":"), *end = strstr(p.out, "\"stats\":");
    assert_true(begin != NULL && end != NULL);
    return strndup(begin, (size_t)(end - begin));
}

static void methods_balances_and_threads_agree(void **state) {
    (void)state;
    RUN("--json", "--threads", "1", "collide", SCENE("two_spheres.json"), "--step", "3");
    char *expected = pairs_of_document();
    static const char *const methods[] = {"auto", "octree", "face-octree", "brute"};
    static const char *const balances[] = {"serial", "static", "dynamic", "steal"};
    for (size_t i = 0; i < 16; i++) {
        RUN("--json", "--threads", "3", "collide", SCENE("two_spheres.json"), "--step", "3", "--method", methods[i / 4],
            "--balance", balances[i % 4]);
        char *got = pairs_of_document();
        assert_string_equal(got, expected);
        free(got);
    }
    for (int i = 0; i < 4; i++) {
        const char *set = i % 2 == 0 ? "baseline" : fr_simd_name(fr_simd_best());
        if (i < 2) {
            RUN("--json", "--simd", set, "collide", SCENE("two_spheres.json"), "--step", "3");
        } else {
            setenv("FUREAI_SIMD", set, 1);
            RUN("--json", "collide", SCENE("two_spheres.json"), "--step", "3");
            unsetenv("FUREAI_SIMD");
        }
        char *got = pairs_of_document();
        assert_string_equal(got, expected);
        free(got);
    }
    free(expected);
}

static void the_document_has_its_fields(void **state) {
    (void)state;
    RUN("--json", "--threads", "2", "collide", SCENE("two_spheres.json"), "--static", "--method", "face-octree",
        "--root", "-2,-2,-2,8", "--depth", "5");
    expect_answer(
        "{\"step\":0,\"method\":\"face-octree\",\"threads\":2,\"count\":50,\"relations\":[{\"a\":\"left\",\"b\":"
        "\"right\",\"relation\":\"crossing\",\"count\":50}],\"pairs\":[{\"a\":\"left\",\"b\":\"right\","
        "\"triangle_a\":364,\"triangle_b\":402,\"face_a\":364,\"face_b\":402,\"time\":0,\"point\":[0.95,");
    expect_in(p.out, "\"stats\":{\"object_pairs\":1,\"nodes\":");
    expect_in(p.out, "\"ms\":{\"bounds\":");
    RUN("--json", "collide", SCENE("empty.json"), "--static");
    expect_answer("\"count\":0,\"relations\":[],\"pairs\":[],\"stats\":");
}

// As printed the face octree compares more faces, and finds the same.
static void the_printed_octree_finds_the_same(void **state) {
    (void)state;
    double candidates[2];
    char *found[2];
    for (int i = 0; i < 2; i++) {
        const char *printed = i == 0 ? "--quiet" : "--as-printed";
        RUN("--json", "collide", SCENE("two_spheres.json"), "--static", "--method", "octree", printed);
        const char *at = strstr(p.out, "\"candidates\":");
        assert_non_null(at);
        candidates[i] = strtod(at + strlen("\"candidates\":"), NULL);
        found[i] = pairs_of_document();
    }
    assert_true(candidates[1] > candidates[0]);
    assert_string_equal(found[0], found[1]);
    free(found[0]);
    free(found[1]);
}

static void margins_find_what_is_near(void **state) {
    (void)state;
    RUN("collide", SCENE("two_spheres_apart.json"), "--margin", "0.4");
    expect_answer("0 pairs of faces");
    RUN("collide", SCENE("two_spheres_apart.json"), "--margin", "0.51");
    expect_answer("left   right  near");
    RUN("--json", "collide", SCENE("two_spheres_apart.json"), "--margin", "0.51");
    expect_answer("\"relation\":\"near\"");
    expect_in(p.out, "\"distance\":0.5");
}

static void models_are_found_beside_the_scene(void **state) {
    (void)state;
    assert_int_equal(mkdir("parts", 0755), 0);
    RUN("shape", "box", "parts/b.stl");
    assert_int_equal(p.status, 0);
    put_file("s.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"parts/b.stl\"},\n"
                       "{\"name\":\"b\",\"model\":\"./parts/../parts/b.stl\",\"position\":[0.5,0.5,0.5]}]}");
    RUN("collide", "s.json");
    expect_answer("a  b  crossing");
    assert_int_equal(chdir("parts"), 0);
    RUN("collide", "../s.json");
    assert_int_equal(chdir(".."), 0);
    expect_answer("a  b  crossing");
}

static void models_outside_are_not_opened(void **state) {
    (void)state;
    assert_int_equal(mkdir("inner", 0755), 0);
    RUN("shape", "box", "outside.obj");
    assert_int_equal(symlink("../outside.obj", "inner/link.obj"), 0);
    put_file("inner/up.json", "{\"fureai\":1,\"objects\":[\n{\"name\":\"a\",\"model\":\"../outside.obj\"}]}");
    RUN("collide", "inner/up.json");
    expect_failure(3, "inner/up.json:2:21: the model '../outside.obj' lies outside of the scene's folder");
    put_file("inner/link.json", "{\"fureai\":1,\"objects\":[\n{\"name\":\"a\",\"model\":\"link.obj\"}]}");
    RUN("collide", "inner/link.json");
    expect_failure(3, "inner/link.json:2:21: the model 'link.obj' lies outside");
    put_file("inner/root.json", "{\"fureai\":1,\"objects\":[\n{\"name\":\"a\",\"model\":\"/etc/passwd\"}]}");
    RUN("collide", "inner/root.json");
    expect_failure(3, "lies outside");
}

static void bad_input_is_told_with_its_place(void **state) {
    (void)state;
    RUN("collide", "nowhere.json");
    expect_failure(3, "nowhere.json: ");
    put_file("key.json", "{ \"fureai\": 1,\n  \"objects\": [ { \"name\": \"a\", \"shpe\": \"box\" } ] }\n");
    RUN("collide", "key.json");
    expect_failure(3, "key.json:2:31: an object has no key 'shpe'; did you mean 'shape'?");
    RUN("--json", "collide", "key.json");
    expect_failure(3, "key.json:2:31: ");
    put_file("text.json", "{ \"fureai\": 1,\n  \"objects\": [ } ] }\n");
    RUN("collide", "text.json");
    expect_failure(3, "text.json:2:16: a value expected, not '}'");
    put_file("gone.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"gone.obj\"}]}");
    RUN("collide", "gone.json");
    expect_failure(3, "gone.json:1:44: gone.obj: No such file or directory");
    assert_int_equal(mkdir("folder.obj", 0755), 0);
    put_file("folder.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"./folder.obj\"}]}");
    RUN("collide", "folder.json");
    expect_failure(3, "folder.json:1:44: ./folder.obj: cannot read: it is a folder\n");
    put_file("wrong.obj", "v 0 0 0\nf 1 2 3\n");
    put_file("wrong.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"wrong.obj\"}]}");
    RUN("collide", "wrong.json");
    expect_failure(3, "wrong.obj:2:");
}

// Nobody writes to the pipe: waiting for it would have no end.
static void a_pipe_is_no_model(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe.obj", 0600), 0);
    put_file("pipe.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"pipe.obj\"}]}");
    RUN("collide", "pipe.json");
    expect_failure(3, "pipe.json:1:44: pipe.obj: cannot read: it is a pipe, not a file\n");
    RUN("collide", "pipe.obj");
    expect_failure(3, "pipe.obj: cannot read: it is a pipe, not a file\n");
    RUN("info", "pipe.obj");
    expect_failure(3, "pipe.obj: cannot read: it is a pipe, not a file\n");
    RUN("info", "");
    expect_failure(3, "the name of a file is empty\n");
}

// Under another name, and through a link, it is the same file.
static void a_picture_overwrites_no_input(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    static const char scene[] = "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"model.obj\"}]}";
    put_file("scene.svg", scene);
    RUN("shape", "box", "model.obj");
    RUN("collide", "scene.svg", "--picture", "./scene.svg");
    expect_failure(3, "scene.svg: --picture would overwrite this file, which is read\n");
    assert_int_equal(symlink("model.obj", "link.svg"), 0);
    RUN("collide", "scene.svg", "--picture", "link.svg");
    expect_failure(3, "scene.svg:1:44: model.obj: --picture would overwrite this file, which is read\n");
    assert_string_equal(take_file("scene.svg"), scene);
    RUN("info", "model.obj");
    expect_answer("triangles  12\n");
}

static void wrong_usage_is_told(void **state) {
    (void)state;
    RUN("collide");
    expect_failure(2, "SCENE is missing");
    RUN("collide", SCENE("two_spheres.json"), "--depth", "3");
    expect_failure(2, "--root, --depth and --as-printed belong to --method face-octree and octree");
    RUN("collide", SCENE("two_spheres.json"), "--method", "face-octree", "--root", "0,0,0,0");
    expect_failure(2, "--root: the edge of the cube must be over 0");
    RUN("collide", SCENE("two_spheres.json"), "--method", "face-octree", "--root", "0,0,0,1e300");
    expect_failure(2, "--root: 0,0,0,1e300 is outside -1e+15 .. 1e+15");
    RUN("collide", SCENE("two_spheres.json"), "--method", "voxels");
    expect_failure(2, "--method");
    RUN("collide", SCENE("two_spheres.json"), "--margin", "-1");
    expect_failure(2, "--margin: -1 is outside");
}

// A tracked block that comes down on a table: possible before it touches, certain when it is deep in it.
static void errors_give_grades(void **state) {
    (void)state;
    RUN("collide", SCENE("tracked_box.json"));
    expect_answer("table  block  near      15  possible: 0 certain, 0 likely, 15 possible; in ");
    expect_in(p.out, "first at 0.059");
    expect_in(p.out,
              "\nblock is off by at most 0.00703499 m: position 0.001 m, rotation 0.004534 m, prediction 0.0015 m, ");
    RUN("collide", SCENE("tracked_box.json"), "--step", "2", "--static");
    expect_answer("table  block  touching  15  likely: 0 certain, 15 likely, 0 possible; in ");
    RUN("collide", SCENE("tracked_box.json"), "--step", "9", "--static");
    expect_answer("table  block  crossing  12  certain: 12 certain, 0 likely, 0 possible; in 100 % of the draws\n");
    RUN("collide", SCENE("tracked_box.json"), "--measured");
    expect_answer("0 pairs of faces of 0 pairs of objects");
    RUN("collide", SCENE("tracked_box.json"), "--margin", "0.1");
    expect_failure(2, "--margin, --first and --narrow hull need --measured");
    RUN("collide", SCENE("tracked_box.json"), "--margin", "0.1", "--measured");
    expect_answer("table  block  near      22\n");
}

static void grades_are_in_the_document(void **state) {
    (void)state;
    RUN("--json", "collide", SCENE("tracked_box.json"), "--step", "1", "--static");
    expect_answer("\"count\":15,\"errors\":[{\"name\":\"block\",\"position\":0.001,\"rotation\":0.00453");
    expect_in(p.out, "\"relation\":\"near\",\"count\":15,\"grade\":\"possible\",\"share\":");
    expect_in(p.out, "\"certain\":0,\"likely\":0,\"possible\":15}]");
    expect_in(p.out, "\"normal\":[0,1,0],\"distance\":0.00");
    expect_in(p.out, "\"grade\":\"possible\",\"share\":0,\"separation\":0.0");
    RUN("--json", "collide", SCENE("tracked_box.json"));
    expect_answer("\"approach\":0.005");
    expect_in(p.out, "\"separation\":0.0");
    expect_in(p.out, "\"earliest\":0.59");
    put_file("inside.json", "{\"fureai\":1,\"objects\":[{\"name\":\"big\",\"shape\":\"box\"},"
                            "{\"name\":\"small\",\"shape\":\"box\",\"scale\":0.1,\"position_error\":0.01}]}");
    RUN("--json", "collide", "inside.json");
    expect_answer("\"relations\":[{\"a\":\"big\",\"b\":\"small\",\"relation\":\"around\",\"count\":0,\"time_sure\":0}],"
                  "\"pairs\":[]");
}

static void pictures_show_what_collides(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    RUN("collide", SCENE("two_spheres.json"), "--static", "--picture", "spheres.svg");
    expect_answer("left   right  crossing  50");
    expect_in(take_file("spheres.svg"), "<svg");
    RUN("collide", "nowhere.json", "--picture", "never.svg");
    assert_int_equal(p.status, 3);
    assert_int_not_equal(access("never.svg", F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_counts_are_told),
        cmocka_unit_test(what_is_inside_is_told),
        cmocka_unit_test(aligned_cubes_cross),
        cmocka_unit_test(steps_are_those_of_the_scene),
        cmocka_unit_test(methods_balances_and_threads_agree),
        cmocka_unit_test(the_document_has_its_fields),
        cmocka_unit_test(the_printed_octree_finds_the_same),
        cmocka_unit_test(margins_find_what_is_near),
        cmocka_unit_test(models_are_found_beside_the_scene),
        cmocka_unit_test(models_outside_are_not_opened),
        cmocka_unit_test(bad_input_is_told_with_its_place),
        cmocka_unit_test(a_pipe_is_no_model),
        cmocka_unit_test(a_picture_overwrites_no_input),
        cmocka_unit_test(wrong_usage_is_told),
        cmocka_unit_test(pictures_show_what_collides),
        cmocka_unit_test(steps_are_not_jumped_over),
        cmocka_unit_test(errors_give_grades),
        cmocka_unit_test(grades_are_in_the_document),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
