// The commands sweep and replay, as a user runs them.
#include "scratch.h"

#include <dirent.h>
#include <signal.h>

#define SCENE(name) SCENE_FOLDER "/" name
#define DEMO(name) DEMO_FOLDER "/" name

// Kitamura's Table 2.1: only A and B ever meet, after t = 116; the counts are those of collide.
static void instants_and_touches_are_told(void **state) {
    (void)state;
    RUN("sweep", SCENE("kitamura_table_2.1.json"));
    expect_answer("step 117, 117 s: 12 pairs of faces of 1 pair of objects\n  A and B begin to touch\nstep 118, 118 s: "
                  "12 pairs of faces of 1 pair of objects\n");
    expect_in(p.out, "131 instants, 14 with colliding faces, most at step 127: 34; 1 touch began, 0 ended\n");
    assert_string_equal(p.err, "");
    RUN("sweep", SCENE("two_spheres.json"), "--steps", "0");
    expect_answer(
        "step 0, 0 s: 50 pairs of faces of 1 pair of objects\n  left and right begin to touch\n1 instant, 1 with");
    RUN("sweep", SCENE("empty.json"));
    expect_answer("2 instants, 0 with colliding faces; 0 touches began, 0 ended\n");
}

static void the_document_has_its_fields(void **state) {
    (void)state;
    RUN("--json", "sweep", SCENE("two_spheres.json"), "--steps", "1");
    expect_answer("{\"steps\":[{\"step\":0,\"time\":0,\"count\":50,\"touches\":1,\"events\":[{\"kind\":\"added\",\"a\":"
                  "\"left\"},{\"kind\":\"added\",\"a\":\"right\"},{\"kind\":\"touch_begin\",\"a\":\"left\",\"b\":"
                  "\"right\",\"id\":1}]},{\"step\":1,\"time\":0.01,\"count\":50,\"touches\":1,\"events\":[]}],"
                  "\"instants\":2,\"colliding\":2,\"begins\":1,\"ends\":0}");
    put_file("states.json",
             "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\",\"states\":{\"open\":0.5}}]}");
    RUN("--json", "sweep", "states.json", "--steps", "0");
    expect_in(p.out, "{\"kind\":\"state\",\"a\":\"a\",\"state\":\"open\",\"value\":0.5}");
}

// A box of edge 1 flies 8 m through another in one step of a second: from 3/8 s to 5/8 s.
static void what_passes_through_is_told_with_its_times(void **state) {
    (void)state;
    put_file("fly.json",
             "{\"fureai\":1,\"step\":1,\"steps\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":"
             "\"b\",\"shape\":\"box\",\"position\":[-4,0.25,0.125],\"velocity\":[8,0,0]}]}");
    RUN("sweep", "fly.json");
    expect_answer("2 instants, 0 with colliding faces; 0 touches began, 0 ended\n");
    RUN("sweep", "fly.json", "--sense", "continuous");
    expect_answer("step 1, 1 s: 0 pairs of faces of 0 pairs of objects\n  a and b begin to touch at 0.375 s\n  a and b "
                  "are apart again at 0.625");
    expect_in(p.out, "1 touch began, 1 ended\n");
    RUN("--json", "sweep", "fly.json", "--sense", "continuous");
    expect_in(p.out, "\"kind\":\"touch_begin\",\"a\":\"a\",\"b\":\"b\",\"id\":1,\"time\":0.37");
    RUN("sweep", "fly.json", "--sense", "nonsense");
    assert_int_equal(p.status, 2);
}

static void threads_change_nothing(void **state) {
    (void)state;
    RUN("--json", "--threads", "1", "sweep", DEMO("gears.json"), "--steps", "20");
    assert_int_equal(p.status, 0);
    char *expected = strdup(p.out);
    RUN("--json", "--threads", "3", "sweep", DEMO("gears.json"), "--steps", "20");
    assert_string_equal(p.out, expected);
    free(expected);
}

static void every_demo_lives(void **state) {
    (void)state;
    static const char *const demos[] = {DEMO("door.json"), DEMO("gears.json"), DEMO("knots.json"),
                                        DEMO("spheres.json")};
    for (size_t i = 0; i < 4; i++) {
        RUN("--quiet", "sweep", demos[i], "--steps", i == 1 ? "60" : "680");
        assert_int_equal(p.status, 0);
        assert_string_equal(p.err, "");
        assert_null(strstr(p.out, " instants, 0 with colliding faces"));
    }
    RUN("sweep", DEMO("door.json"));
    expect_in(p.out, "  door and chair begin to touch\n");
    expect_in(p.out, "  door and chair are apart again\n");
    expect_in(p.out, "  drawer comes to its low limit\n");
}

static void records_are_replayed(void **state) {
    (void)state;
    RUN("sweep", DEMO("door.json"), "--record", "door.record");
    assert_int_equal(p.status, 0);
    char *expected = strdup(p.out);
    RUN("--threads", "1", "replay", "door.record");
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

// Ctrl-C ends it soon, says that it was a part, and leaves no record.
static void an_interrupt_ends_it(void **state) {
    (void)state;
    const char *const argv[] = {FUREAI_TOOL, "sweep",    DEMO("knots.json"), "--steps",
                                "100000000", "--record", "k.record",         NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "steps"));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    assert_int_equal(p.status, 1);
    expect_in(p.err, "stopped");
    assert_int_not_equal(access("k.record", F_OK), 0);
    DIR *folder = opendir(".");
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        assert_null(strstr(entry->d_name, "k.record"));
    }
    closedir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_and_touches_are_told),
        cmocka_unit_test(the_document_has_its_fields),
        cmocka_unit_test(what_passes_through_is_told_with_its_times),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_demo_lives),
        cmocka_unit_test(records_are_replayed),
        cmocka_unit_test(bad_input_is_told_with_its_place),
        cmocka_unit_test(an_interrupt_ends_it),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
