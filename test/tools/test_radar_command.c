// The command radar, as a user runs it.
#include "scratch.h"

#include <signal.h>

#define SCENE(name) SCENE_FOLDER "/" name

static const char boxes[] = "{\"fureai\":1,\"objects\":[{\"name\":\"go\",\"shape\":\"box\"},"
                            "{\"name\":\"wall\",\"shape\":\"box\",\"scale\":4,\"position\":[5,0,0]}]}";

static void distances_are_told(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0");
    expect_answer("meets wall after 2.5 m at 3 0 0 m, normal 1 0 0; 32 x 32 pixels, 4 triangles in ");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--look", "exact");
    expect_answer("meets wall after 2.5 m");
    expect_answer("; between 2.5 m and 2.5 m; ");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "2,0,0");
    expect_answer("free for 2 m; ");
    RUN("radar", "boxes.json", "--mover", "wall", "--move", "-9,0,0", "--resolution", "8");
    expect_answer("meets go after 2.5 m");
}

static void turns_are_told_in_degrees(void **state) {
    (void)state;
    put_file("bar.json", "{\"fureai\":1,\"objects\":[{\"name\":\"bar\",\"shape\":\"box\",\"position\":[2,0.5,0]},"
                         "{\"name\":\"wall\",\"shape\":\"box\",\"position\":[-0.5,2,0]}]}");
    RUN("radar", "bar.json", "--mover", "bar", "--turn", "0,0,0,0,0,1,180", "--look", "exact");
    expect_answer("meets wall after ");
    expect_answer(" degrees");
    RUN("--json", "radar", "bar.json", "--mover", "bar", "--turn", "0,0,0,0,0,1,5");
    expect_answer("{\"hit\":false,\"unit\":\"degree\",\"distance\":5");
    RUN("radar", "bar.json", "--mover", "bar", "--turn", "0,0,0,0,0,0,5");
    expect_failure(2, "the axis has no direction");
}

static void a_way_and_a_turn_go_together(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--turn", "0,0,0,1,0,0,360", "--look", "exact");
    expect_answer("meets wall after 0.277778 of the step at 3 0 0 m");
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "2,0,0", "--turn", "0,0,0,1,0,0,360");
    expect_answer("{\"hit\":false,\"unit\":\"step\",\"distance\":1,\"low\":null,\"high\":null");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "2,0,0", "--turn", "0,0,0,1,0,0,90", "--picture", "no.svg");
    expect_failure(2, "--picture: a travel and a turn in one step have no images");
}

static void searches_name_who_is_seen(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--search", "-5,0,0,1,0,0", "--volume", "6,6,20");
    expect_answer("go 4.5 m away, at -0.5 ");
    expect_answer("\nwall 8 m away, at 3 ");
    RUN("--json", "radar", "boxes.json", "--search", "-5,0,0,1,0,0", "--look", "conservative");
    expect_answer("{\"hit\":true,\"objects\":[{\"object\":\"go\",\"distance\":4.5,\"point\":[-0.5,");
    expect_answer("\"object\":\"wall\",\"distance\":8,");
    RUN("radar", "boxes.json", "--search", "-5,0,0,-1,0,0");
    expect_answer("nothing is seen; ");
    RUN("radar", "boxes.json", "--search", "0,0,0,0,0,0");
    expect_failure(2, "the radar looks in no direction");
    RUN("radar", "boxes.json", "--search", "0,0,0,1,0,0", "--look", "exact");
    expect_failure(2, "--search looks by centre or conservative");
    if (!FUREAI_HAVE_PICTURES) { return; }
    RUN("radar", "boxes.json", "--search", "-5,0,0,1,0,0", "--volume", "6,6,20", "--picture", "seen.svg");
    assert_int_equal(p.status, 0);
    expect_in(take_file("seen.svg"), "<svg");
}

static void options_change_how_it_looks(void **state) {
    (void)state;
    put_file("balls.json", "{\"fureai\":1,\"step\":1,\"steps\":3,\"objects\":[{\"name\":\"go\",\"shape\":"
                           "\"sphere_168\",\"velocity\":[0,0.5,0]},{\"name\":\"stay\",\"shape\":\"sphere_168\","
                           "\"position\":[3.5,0.3,0]}]}");
    RUN("radar", "balls.json", "--mover", "go", "--move", "9,0,0");
    expect_answer("meets stay after 1.59903 m");
    RUN("radar", "balls.json", "--mover", "go", "--move", "9,0,0", "--step", "2"); // it is higher then
    expect_answer("meets stay after 1.71873 m");
    // A coarse image: the bounds are as far apart as they may be.
    RUN("radar", "balls.json", "--mover", "go", "--move", "9,0,0", "--resolution", "4", "--look", "refined");
    expect_answer("between 1.59903 m and 1.59903 m");
    RUN("radar", "balls.json", "--mover", "go", "--move", "9,0,0", "--resolution", "4", "--look", "refined",
        "--tolerance", "0.5");
    expect_answer("between 1.59903 m and 1.62104 m");
    RUN("radar", "balls.json", "--search", "-5,0,0,1,0,0");
    expect_answer(" 1 volumes, ");
    RUN("radar", "balls.json", "--search", "-5,0,0,1,0,0", "--pixel", "0.01");
    expect_answer(" 21 volumes, ");
}

// What a demonstration shows is a scene that can be read again, with models beside it where it has some.
static void demonstrations_are_played(void **state) {
    (void)state;
    RUN("radar", "--demo", "search", "--seed", "3", "--scene", "search.json");
    expect_answer("saw chair after ");
    RUN("radar", "search.json", "--mover", "probe", "--move", "1,0,0");
    assert_int_equal(p.status, 0);
    RUN("--json", "radar", "--demo", "grasp");
    expect_answer("{\"demo\":\"grasp\",\"found\":\"rose ");
    RUN("radar", "--demo", "tree");
    expect_answer(" branches after ");
    RUN("radar", "boxes.json", "--demo", "tree");
    expect_failure(2, "--demo has a scene of its own");
    RUN("radar");
    expect_failure(2, "no SCENE is given");
    if (!FUREAI_HAVE_PICTURES) { return; }
    RUN("radar", "--demo", "tree", "--picture", "tree.svg");
    assert_int_equal(p.status, 0);
    expect_in(take_file("tree.svg"), "<svg");
}

static void documents_have_the_promised_fields(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--look", "conservative");
    expect_answer("{\"hit\":true,\"unit\":\"metre\",\"distance\":2.");
    expect_answer("\"point\":[3,0,0],\"normal\":[1,0,0],\"object\":\"wall\"");
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "0,9,0");
    expect_answer("{\"hit\":false,\"unit\":\"metre\",\"distance\":9,\"low\":0,\"high\":null,\"point\":null,\"normal\":"
                  "null,\"object\":null");
}

static void a_demonstration_can_be_stopped(void **state) {
    (void)state;
    put_file("kept.json", "as it was");
    const char *const argv[] = {FUREAI_TOOL, "radar",   "--demo",    "balls", "--frames",
                                "100000",    "--scene", "kept.json", NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "bouncing"));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    expect_failure(1, "stopped");
    assert_string_equal(take_file("kept.json"), "as it was");
}

static void wrong_usage_is_explained(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--move", "1,0,0");
    expect_failure(2, "--mover and --move or --turn or both say who is to go where");
    RUN("radar", "boxes.json", "--mover", "nobody", "--move", "1,0,0");
    expect_failure(2, "--mover: no object of the scene is called 'nobody'");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "0,0,0");
    expect_failure(2, "the travel has no direction");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "1,0,0", "--resolution", "0");
    expect_failure(2, "--resolution: 0 is outside");
    RUN("radar", "nowhere.json", "--mover", "go", "--move", "1,0,0");
    expect_failure(3, "nowhere.json");
}

static void images_are_drawn(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { return; }
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--picture", "sight.svg");
    assert_int_equal(p.status, 0);
    expect_in(take_file("sight.svg"), "<svg");
}

// Where there is none the reason is told.
static void opengl_draws_the_same(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--backend", "gl");
    if (p.status != 0) {
        expect_failure(1, "OpenGL");
        return;
    }
    expect_answer("meets wall after 2.5 m at 3 0 0 m, normal 1 0 0; 32 x 32 pixels, 4 triangles in ");
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--backend", "gl");
    expect_answer("{\"hit\":true,\"unit\":\"metre\",\"distance\":2.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_told),
        cmocka_unit_test(turns_are_told_in_degrees),
        cmocka_unit_test(a_way_and_a_turn_go_together),
        cmocka_unit_test(searches_name_who_is_seen),
        cmocka_unit_test(options_change_how_it_looks),
        cmocka_unit_test(demonstrations_are_played),
        cmocka_unit_test(documents_have_the_promised_fields),
        cmocka_unit_test(a_demonstration_can_be_stopped),
        cmocka_unit_test(wrong_usage_is_explained),
        cmocka_unit_test(images_are_drawn),
        cmocka_unit_test(opengl_draws_the_same),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
