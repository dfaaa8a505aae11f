// The command assist, as a user runs it.
#include "scratch.h"

#include <signal.h>

static void test_tells_the_means_and_what_the_operator_is(void **state) {
    (void)state;
    RUN("assist", "A", "--trials", "2", "--subjects", "1,1.6");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "task A, mode 3, as exactly and quickly as possible; 2 trials of each subject, seed 1\n");
    expect_in(p.out, "simulated operator, fitted to the source's time gains\n");
    expect_in(p.out, "subject 1.6 ");
    expect_in(p.out, "4 vertices; ");
    RUN("--json", "assist", "B", "--trials", "1", "--mode", "1", "--protocol", "efficiency", "--limit", "4");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "{\"operator\":\"fitted to the source's time gains\",\"task\":\"B\",\"mode\":1,"
                     "\"protocol\":\"efficiency\",\"limit_mm\":4,\"seed\":1,\"vertices\":6,\"distance_mm\":{\"mean\":");
    expect_in(p.out, "\"angle_deg\":{\"mean\":");
    expect_in(p.out, "\"seconds\":{\"mean\":");
    expect_in(p.out, "\"subjects\":[{\"factor\":0.85,");
}

static void test_builds_a_snail_and_among_real_things(void **state) {
    (void)state;
    RUN("assist", "snail", "--trials", "1", "--subjects", "1");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "14 vertices; ");
    RUN("assist", "B", "--trials", "1", "--subjects", "1", "--real", "1,0.3,30");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "real things: alignment error of 1.32 mm expected\n");
}

// Each option that changes aid or display changes what comes of the same trials.
static void test_options_change_the_trials(void **state) {
    (void)state;
    static const char *const more[][2] = {{"--k", "0.01"},   {"--overlap", "0.9"}, {"--edges", "5"},
                                          {"--rate", "120"}, {"--delay", "200"},   {"--as-printed", "--quiet"}};
    static char usual[PROCESS_TEXT_BYTES];
    RUN("assist", "A", "--trials", "2", "--subjects", "1");
    assert_int_equal(p.status, 0);
    memcpy(usual, p.out, sizeof usual);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        RUN("assist", "A", "--trials", "2", "--subjects", "1", more[i][0], more[i][1]);
        assert_int_equal(p.status, 0);
        if (strcmp(p.out, usual) == 0) { fail_msg("%s changes nothing", more[i][0]); }
    }
}

// The same seed writes the same files; another seed others.
static void test_events_are_logged_and_heard(void **state) {
    (void)state;
    RUN("assist", "A", "--mode", "4", "--trials", "2", "--subjects", "1", "--log", "a.csv", "--sound", "a.wav");
    assert_int_equal(p.status, 0);
    expect_in(take_file("a.csv"), "subject,trial,time,event,object,part,face,other,other_part,other_face,cause,count,");
    expect_in(take_file("a.csv"), ",snap,");
    expect_in(take_file("a.csv"), ",done,");
    expect_in(take_file("a.csv"), "\n1,2,");
    RUN("assist", "A", "--mode", "4", "--trials", "2", "--subjects", "1", "--log", "b.csv", "--sound", "b.wav");
    assert_int_equal(system("cmp a.csv b.csv && cmp a.wav b.wav"), 0);
    RUN("assist", "A", "--mode", "4", "--trials", "2", "--subjects", "1", "--log", "b.csv", "--seed", "2");
    assert_int_equal(p.status, 0);
    assert_int_not_equal(system("cmp -s a.csv b.csv"), 0);
}

static void test_refuses_what_makes_no_sense(void **state) {
    (void)state;
    RUN("assist", "D");
    assert_int_equal(p.status, 2);
    expect_in(p.err, "no task D; A, B, C and snail are there");
    RUN("assist", "A", "--mode", "7");
    assert_int_equal(p.status, 2);
    static const char *const weights[] = {"-3,1", "3,1e300"};
    for (int i = 0; i < 2; i++) {
        RUN("assist", "A", "--weights", weights[i]);
        expect_failure(2, " is outside 0 .. 1000000");
    }
    RUN("assist", "A", "--limit", "2");
    assert_int_equal(p.status, 2);
    expect_in(p.err, "--limit belongs to --protocol efficiency");
    RUN("assist", "A", "--sound", "a.wav");
    assert_int_equal(p.status, 2);
    RUN("assist", "A", "--subjects", "1,,2");
    assert_int_equal(p.status, 2);
    RUN("assist", "A", "--real", "1,-1,0");
    assert_int_equal(p.status, 2);
    RUN("assist", "A", "--trials", "1", "--log", "no/such/folder.csv");
    assert_int_equal(p.status, 1);
    assert_int_equal(p.out_size, 0);
}

static void test_stops_when_asked(void **state) {
    (void)state;
    const char *const argv[] = {FUREAI_TOOL, "assist", "C", "--trials", "100000", "--log", "long.csv", NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "trials ["));
    kill(p.id, SIGINT);
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "fureai: stopped"));
    assert_int_equal(p.out_size, 0);
    assert_int_not_equal(access("long.csv", F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tells_the_means_and_what_the_operator_is),
        cmocka_unit_test(test_builds_a_snail_and_among_real_things),
        cmocka_unit_test(test_options_change_the_trials),
        cmocka_unit_test(test_events_are_logged_and_heard),
        cmocka_unit_test(test_refuses_what_makes_no_sense),
        cmocka_unit_test(test_stops_when_asked),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
