// The command touch, as a user runs it.
#include "scratch.h"

#define SESSION(touch)                                                                                                 \
    "{\"fureai\":1,\"step\":0.05,\"steps\":20,\"objects\":["                                                           \
    "{\"name\":\"box\",\"shape\":\"box\",\"static\":true},"                                                            \
    "{\"name\":\"pen\",\"shape\":\"cone\",\"scale\":0.1,\"path\":[{\"t\":0,\"position\":[0.1,0.6,0.2]},"               \
    "{\"t\":1,\"position\":[0.1,0.505,0.2]}]}],\"touch\":" touch "}"

static void touches_are_told(void **state) {
    (void)state;
    put_file("pen.json", SESSION("{\"operated\":\"pen\"}"));
    RUN("touch", "pen.json");
    // The pen comes down by 4.75 mm a step: at 0.95 s it is 9.75 mm above
    expect_answer("step 19, 0.95 s: pair 8, box face 6, 0.00975 m at 0.1 0.5 0.2 m, 0.109 N\n");
    expect_in(p.out, "box blinks: 2 of 12 triangles\n20 steps, 2 touches, at most 2.01 N each; ");
    assert_string_equal(p.err, "");
}

static void the_document_has_its_fields(void **state) {
    (void)state;
    put_file("pen.json", SESSION("{\"operated\":\"pen\",\"distance\":0.006}"));
    RUN("--json", "touch", "pen.json");
    expect_answer("{\"operated\":\"pen\",\"strategy\":\"combined-near\",\"distance\":0.006,\"pairs\":[8],\"hits\":[{"
                  "\"step\":20,\"time\":1,\"pair\":8,\"object\":\"box\",\"part\":0,\"element\":6,\"triangle\":6,"
                  "\"distance\":0.00");
    expect_in(p.out, "\"normal\":[0,1,0],\"side\":1,\"force\":[0,0.4");
    expect_in(p.out, "\"new\":true}],\"felt\":[],\"blinks\":[{\"object\":\"box\",\"triangles\":2,\"of\":12}]}");
}

// The way down is asked for as a whole: the same faces with longer steps. Points have no side, and let all blink.
static void options_speak_louder_than_the_scene(void **state) {
    (void)state;
    put_file("pen.json", SESSION("{\"operated\":\"pen\",\"distance\":0.006,\"force\":{\"pulse\":2}}"));
    RUN("touch", "pen.json", "--pairs", "6", "--strategy", "box", "--distance", "0.02");
    expect_answer("step 17, 0.85 s: pair 6, box side 3, 0.01925 m");
    expect_in(p.out, "box blinks: 12 of 12 triangles\n");
    RUN("touch", "pen.json", "--pairs", "1,3", "--distance", "0.6");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "pair 1, box corner ");
    expect_in(p.out, ", 2 N\n");
    RUN("touch", "pen.json", "--pairs", "3", "--distance", "0.505");
    expect_answer("step 7, 0.35 s: pair 3, box corner 7, 0.5044 m at 0.5 0.5 0.5 m, 2 N\n");
    expect_in(p.out, "20 steps, 14 touches, at most 2 N each; 2 N felt\n");
    RUN("touch", "pen.json", "--pairs", "8,x");
    expect_failure(2, "--pairs: '8,x' is no list of numbers from 1 to 11");
    RUN("touch", "pen.json", "--pairs", "12");
    assert_int_equal(p.status, 2);
}

// Beside an edge of the box there is a gap, unless the edge belongs to its faces.
static void edges_belong_to_faces_when_asked(void **state) {
    (void)state;
    put_file("edge.json",
             "{\"fureai\":1,\"objects\":[{\"name\":\"box\",\"shape\":\"box\"},{\"name\":\"pen\",\"shape\":\"cone\","
             "\"scale\":0.1,\"position\":[0.503,0.503,0.2]}],\"touch\":{\"operated\":\"pen\"}}");
    RUN("touch", "edge.json");
    expect_answer("1 steps, 0 touches");
    RUN("touch", "edge.json", "--closest");
    expect_answer("pair 8, box face ");
}

// A box of 50 mm is jumped by a pen that goes 100 mm a step, unless its way counts.
static void ways_are_not_jumped(void **state) {
    (void)state;
    put_file("wall.json",
             "{\"fureai\":1,\"step\":1,\"steps\":2,\"objects\":[{\"name\":\"wall\",\"shape\":\"box\",\"scale\":"
             "0.05},{\"name\":\"pen\",\"shape\":\"cone\",\"scale\":0.01,\"path\":[{\"t\":0,\"position\":"
             "[0,0.1,0]},{\"t\":2,\"position\":[0,-0.1,0]}]}],\"touch\":{\"operated\":\"pen\","
             "\"distance\":0.001}}");
    RUN("touch", "wall.json");
    expect_answer("2 steps, 0 touches");
    RUN("touch", "wall.json", "--way");
    expect_answer("step 1, 1 s: pair 8, wall face ");
}

static void tables_and_pictures_are_written(void **state) {
    (void)state;
    put_file("pen.json", SESSION("{\"operated\":\"pen\"}"));
    RUN("touch", "pen.json", "--csv", "pen.csv");
    assert_int_equal(p.status, 0);
    char text[2000];
    FILE *file = fopen("pen.csv", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    expect_in(text, "step,time,pair,object,part,element,triangle,distance,");
    expect_in(text, "\n19,0.9500000000000001,8,\"box\",0,6,6,0.0097");
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    RUN("touch", "pen.json", "--picture", "pen.svg");
    assert_int_equal(p.status, 0);
    file = fopen("pen.svg", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    assert_true(ftell(file) > 4000);
    fclose(file);
}

// Two sides of the box and some of the ball, and nothing changes by the strategy.
static void the_demo_is_touched(void **state) {
    (void)state;
    RUN("touch", DEMO_FOLDER "/touch.json");
    expect_answer("step 49, 0.98 s: pair 8, box face ");
    expect_in(p.out, "box blinks: 4 of 12 triangles\nball blinks: ");
    char first[4000];
    assert_true(strlen(p.out) < sizeof first);
    memcpy(first, p.out, strlen(p.out) + 1);
    RUN("touch", DEMO_FOLDER "/touch.json", "--strategy", "polygon-all");
    assert_string_equal(p.out, first);
}

static void wrong_sessions_are_refused(void **state) {
    (void)state;
    put_file("none.json", "{\"fureai\":1,\"objects\":[]}");
    RUN("touch", "none.json");
    expect_failure(3, "none.json: the scene has no 'touch'");
    put_file("wrong.json", "{\"fureai\":1,\"objects\":[],\n\"touch\":{\"operated\":\"pen\"}}");
    RUN("touch", "wrong.json");
    expect_failure(3, "wrong.json:2:");
    RUN("touch", "missing.json");
    assert_int_equal(p.status, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_are_told),
        cmocka_unit_test(the_document_has_its_fields),
        cmocka_unit_test(options_speak_louder_than_the_scene),
        cmocka_unit_test(edges_belong_to_faces_when_asked),
        cmocka_unit_test(ways_are_not_jumped),
        cmocka_unit_test(tables_and_pictures_are_written),
        cmocka_unit_test(the_demo_is_touched),
        cmocka_unit_test(wrong_sessions_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
