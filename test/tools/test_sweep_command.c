// The commands sweep and replay, as a user runs them.
#include "scratch.h"

#include <dirent.h>
#include <signal.h>

#define SCENE(name) SCENE_FOLDER "/" name
#define DEMO(name) DEMO_FOLDER "/" name

// Kitamura's Table 2.1: only A and B ever meet, in the step after t = 116; the counts are those of collide.
static void steps_and_touches_are_told(void **state) {
    (void)state;
    RUN("sweep", SCENE("kitamura_table_2.1.json"));
    expect_answer("A and B touch from 116.502 s to the end\n130 steps, 14 with colliding faces, most in step 125: 41; "
                  "1 touch began, 0 ended; ");
    RUN("sweep", SCENE("kitamura_table_2.1.json"), "--each-step");
    expect_answer(
        "step 116, 116 s to 117 s: 15 pairs of faces of 1 pair of objects\n  A and B begin to touch at 116.502 "
        "s\nstep 117, 117 s to 118 s: 15 pairs of faces of 1 pair of objects\n");
    expect_in(p.out, "130 steps, 14 with colliding faces, most in step 125: 41; 1 touch began, 0 ended; ");
    expect_in(p.out, " contacts of faces, the first at 116.502 s\n");
    assert_string_equal(p.err, "");
    RUN("collide", SCENE("kitamura_table_2.1.json"), "--step", "125");
    expect_answer("41 pairs of faces of 1 pair of objects ");
    RUN("sweep", SCENE("two_spheres.json"), "--steps", "0", "--each-step");
    expect_answer("at 0 s: 50 pairs of faces of 1 pair of objects\n  left and right begin to touch at 0 s\n0 steps, 0");
    RUN("sweep", SCENE("empty.json"));
    expect_answer("1 step, 0 with colliding faces; 0 touches began, 0 ended\n");
}

// The same by instants alone.
static void instants_are_told_with_static(void **state) {
    (void)state;
    RUN("sweep", SCENE("kitamura_table_2.1.json"), "--static");
    expect_answer("A and B touch from 117 s to the end\n131 instants, ");
    RUN("sweep", SCENE("kitamura_table_2.1.json"), "--static", "--each-step");
    expect_answer("step 117, 117 s: 12 pairs of faces of 1 pair of objects\n  A and B begin to touch\nstep 118, 118 s: "
                  "12 pairs of faces of 1 pair of objects\n");
    expect_in(p.out, "131 instants, 14 with colliding faces, most at step 127: 34; 1 touch began, 0 ended\n");
    RUN("--json", "sweep", SCENE("two_spheres.json"), "--static", "--steps", "1");
    expect_answer("\"steps\":[{\"step\":0,\"time\":0,\"count\":50,\"touches\":1},{\"step\":1,\"time\":0.01,\"count\":"
                  "50,\"touches\":1}],\"sense\":\"static\",\"partial\":false,\"until\":0.01,\"colliding\":2,");
    RUN("sweep", SCENE("empty.json"), "--sense", "static");
    assert_int_equal(p.status, 2);
}

// A box of edge 1 flies 8 m through another in one step of a second: from 3/8 s to 5/8 s.
#define FLIGHT                                                                                                         \
    "{\"fureai\":1,\"step\":1,\"steps\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\",\"states\":{\"open\":0.5}},"  \
    "{\"name\":\"b, \\\"B\\\"\",\"shape\":\"box\",\"position\":[-4,0.25,0.125],\"velocity\":[8,0,0]}]}"

static void what_passes_through_is_told_with_its_times(void **state) {
    (void)state;
    put_file("fly.json", FLIGHT);
    RUN("sweep", "fly.json", "--static");
    expect_answer("2 instants, 0 with colliding faces; 0 touches began, 0 ended\n");
    RUN("sweep", "fly.json");
    expect_answer("a and b, \"B\" touch from 0.375 s to 0.625");
    RUN("sweep", "fly.json", "--each-step");
    expect_answer("step 0, 0 s to 1 s: ");
    expect_in(p.out, " of 1 pair of objects\n  a and b, \"B\" begin to touch at 0.375 s\n  a and b, \"B\" are apart "
                     "again at 0.625");
    expect_in(p.out, "1 touch began, 1 ended; ");
}

static void the_document_has_its_fields(void **state) {
    (void)state;
    put_file("fly.json", FLIGHT);
    RUN("--json", "sweep", "fly.json");
    expect_answer("{\"events\":[{\"a\":\"a\",\"b\":\"b, \\\"B\\\"\",\"triangle_a\":");
    expect_in(p.out, ",\"id\":1,\"begin\":0.37");
    expect_in(p.out, ",\"end\":0.62");
    expect_in(p.out, "],\"touches\":[{\"a\":\"a\",\"b\":\"b, \\\"B\\\"\",\"id\":1,\"begin\":0.37");
    expect_in(p.out, "\"changes\":[{\"kind\":\"added\",\"time\":0,\"a\":\"a\"},");
    expect_in(p.out, "{\"kind\":\"state\",\"time\":0,\"a\":\"a\",\"state\":\"open\",\"value\":0.5}");
    expect_in(p.out, "\"steps\":[{\"step\":0,\"time\":0,\"count\":");
    expect_in(p.out, "\"sense\":\"continuous\",\"partial\":false,\"until\":1,\"free_until\":0.37");
    expect_in(p.out, ",\"colliding\":1,\"begins\":1,\"ends\":1}");
    RUN("--json", "sweep", SCENE("two_spheres.json"), "--steps", "1");
    expect_answer(",\"begin\":0,\"end\":null}");
}

static void the_table_has_a_line_for_each_contact(void **state) {
    (void)state;
    put_file("fly.json", FLIGHT);
    RUN("sweep", "fly.json", "--csv", "fly.csv");
    assert_int_equal(p.status, 0);
    const char *table = take_file("fly.csv");
    expect_in(table, "a,b,triangle_a,triangle_b,id,begin,end\n\"a\",\"b, \"\"B\"\"\",");
    RUN("sweep", "fly.json", "--csv", "fly.json");
    expect_failure(3, "fly.json: --csv would overwrite this file, which is read");
    RUN("sweep", "fly.json", "--csv", "no/such/folder");
    assert_int_equal(p.status, 1);
}

static void threads_change_nothing(void **state) {
    (void)state;
    RUN("--json", "--threads", "1", "sweep", DEMO("gears.json"), "--steps", "3");
    assert_int_equal(p.status, 0);
    char *expected = strdup(p.out);
    RUN("--json", "--threads", "3", "sweep", DEMO("gears.json"), "--steps", "3");
    assert_string_equal(p.out, expected);
    free(expected);
}

static void every_demo_lives(void **state) {
    (void)state;
    static const char *const demos[] = {DEMO("door.json"), DEMO("gears.json"), DEMO("knots.json"), DEMO("spheres.json"),
                                        DEMO("swing.json")};
    static const char *const steps[] = {"680", "4", "60", "680", "100"};
    for (size_t i = 0; i < 5; i++) {
        RUN("--quiet", "sweep", demos[i], "--steps", steps[i]);
        assert_int_equal(p.status, 0);
        assert_string_equal(p.err, "");
        assert_null(strstr(p.out, " steps, 0 with colliding faces"));
    }
    RUN("sweep", DEMO("gears.json"), "--steps", "30");
    expect_in(p.out, ": 2 touches, the first at 0.0369341 s, the last to 0.402343 s, 0.3452 s in all\n");
    expect_in(p.out, "\nand 5 touches of other pairs\n30 steps, ");
    RUN("sweep", DEMO("door.json"), "--each-step");
    expect_in(p.out, "  door and chair begin to touch at 2.869");
    expect_in(p.out, "  door and chair are apart again at 7.130");
    expect_in(p.out, "  drawer comes to its low limit\n");
}

static void records_are_replayed(void **state) {
    (void)state;
    RUN("sweep", DEMO("door.json"), "--record", "door.record", "--each-step");
    assert_int_equal(p.status, 0);
    char *expected = strdup(p.out);
    RUN("--threads", "1", "replay", "door.record", "--each-step");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, expected);
    free(expected);

    put_file("not.record", "FRWORLD\nnot a record");
    RUN("replay", "not.record");
    expect_failure(3, "not.record: record, byte 0: ");
    RUN("replay", "nowhere.record");
    expect_failure(3, "nowhere.record: ");
    RUN("sweep", SCENE("empty.json"), "--record", "no/such/folder");
    assert_int_equal(p.status, 1);
}

static void bad_input_is_told_with_its_place(void **state) {
    (void)state;
    put_file("joint.json",
             "{ \"fureai\": 1, \"objects\": [],\n  \"joints\": [ { \"kind\": \"fixed\", \"child\": \"a\" } ] }\n");
    RUN("sweep", "joint.json");
    expect_failure(3, "joint.json:2:43: there is no object 'a'");
    RUN("sweep", SCENE("empty.json"), "--steps", "-1");
    expect_failure(2, "--steps: -1 is outside");
}

// Begins a sweep that takes forever, with its answer in a file, stops it, and gives back the end of the answer.
static const char *stopped_answer(const char *line) {
    static char tail[1025];
    const char *const argv[] = {"/bin/sh", "-c", line, FUREAI_TOOL, DEMO("knots.json"), NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "steps"));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    assert_int_equal(p.status, 1);
    expect_in(p.err, "stopped");
    FILE *file = fopen("answer", "rb");
    assert_non_null(file);
    if (fseek(file, -1024, SEEK_END) != 0) { rewind(file); } // it may be shorter
    tail[fread(tail, 1, 1024, file)] = '\0';
    fclose(file);
    return tail;
}

// Every bracket of the answer has its partner; no name of the demo has one.
static bool is_whole_document(void) {
    FILE *file = fopen("answer", "rb");
    int depth = 0, least = 1;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c != '\n' && depth < least && depth != 0) { least = depth; }
    }
    fclose(file);
    return depth == 0 && least >= 1;
}

// Ctrl-C ends it soon with a part that says so, and leaves no files.
static void an_interrupt_gives_a_part(void **state) {
    (void)state;
    const char *tail =
        stopped_answer("exec \"$0\" sweep \"$1\" --steps 100000000 --record k.record --csv k.csv >answer");
    expect_in(tail, "stopped at ");
    expect_in(tail, " s, the report is a part: ");
    tail = stopped_answer("exec \"$0\" --json sweep \"$1\" --steps 100000000 --csv k.csv >answer");
    expect_in(tail, "\"sense\":\"continuous\",\"partial\":true,\"until\":");
    assert_true(is_whole_document());
    DIR *folder = opendir(".");
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        assert_null(strstr(entry->d_name, "k.record"));
        assert_null(strstr(entry->d_name, "k.csv"));
    }
    closedir(folder);
}

static void a_reader_that_leaves_hears_nothing(void **state) {
    (void)state;
    const char *const line[] = {FUREAI_TOOL, "sweep", SCENE_FOLDER "/two_spheres.json", "--json", NULL};
    assert_true(process_start(&p, line, PROCESS_CLOSED_PIPE));
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_touches_are_told),
        cmocka_unit_test(instants_are_told_with_static),
        cmocka_unit_test(what_passes_through_is_told_with_its_times),
        cmocka_unit_test(the_document_has_its_fields),
        cmocka_unit_test(the_table_has_a_line_for_each_contact),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_demo_lives),
        cmocka_unit_test(records_are_replayed),
        cmocka_unit_test(bad_input_is_told_with_its_place),
        cmocka_unit_test(an_interrupt_gives_a_part),
        cmocka_unit_test(a_reader_that_leaves_hears_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
