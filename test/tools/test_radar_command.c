// The command radar, as a user runs it.
#include "scratch.h"

#define SCENE(name) SCENE_FOLDER "/" name

static const char boxes[] = "{\"fureai\":1,\"objects\":[{\"name\":\"go\",\"shape\":\"box\"},"
                            "{\"name\":\"wall\",\"shape\":\"box\",\"scale\":4,\"position\":[5,0,0]}]}";

static void distances_are_told(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0");
    expect_answer("meets wall after 2.5 m at 3 0 0, normal 1 0 0; 32 x 32 pixels, 4 triangles in ");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--look", "exact");
    expect_answer("meets wall after 2.5 m");
    expect_answer("; between 2.5 and 2.5 m; ");
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

static void documents_have_the_promised_fields(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--conservative");
    expect_answer("{\"hit\":true,\"unit\":\"metre\",\"distance\":2.");
    expect_answer("\"point\":[3,0,0],\"normal\":[1,0,0],\"object\":\"wall\"");
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "0,9,0");
    expect_answer("{\"hit\":false,\"unit\":\"metre\",\"distance\":9,\"low\":0,\"high\":null,\"point\":null,\"normal\":"
                  "null,\"object\":null");
}

static void wrong_usage_is_explained(void **state) {
    (void)state;
    put_file("boxes.json", boxes);
    RUN("radar", "boxes.json", "--move", "1,0,0");
    expect_failure(2, "--mover and either --move or --turn say who is to go where");
    RUN("radar", "boxes.json", "--mover", "nobody", "--move", "1,0,0");
    expect_failure(2, "--mover: no object of the scene is called 'nobody'");
    RUN("radar", "boxes.json", "--mover", "go", "--move", "0,0,0");
    expect_failure(2, "the way has no direction");
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
    expect_answer("meets wall after 2.5 m at 3 0 0, normal 1 0 0; 32 x 32 pixels, 4 triangles in ");
    RUN("--json", "radar", "boxes.json", "--mover", "go", "--move", "9,0,0", "--backend", "gl");
    expect_answer("{\"hit\":true,\"unit\":\"metre\",\"distance\":2.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_told),
        cmocka_unit_test(turns_are_told_in_degrees),
        cmocka_unit_test(documents_have_the_promised_fields),
        cmocka_unit_test(wrong_usage_is_explained),
        cmocka_unit_test(images_are_drawn),
        cmocka_unit_test(opengl_draws_the_same),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
