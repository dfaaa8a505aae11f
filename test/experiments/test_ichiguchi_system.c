// Ichiguchi's tables of rates: the exchange of two writes is as slow as printed, ours is not, and objects cost little.
#include "ichiguchi_system.h"
#include "repeat.h"

static const char *const cases[] = {"mocap_play",   "walk",          "slerp",
                                    "walk + slerp", "walk + object", "walk + slerp + object"};

static double of_case(const char *method, const char *name, const char *what) {
    char label[96];
    snprintf(label, sizeof label, "%s, %s: %s", method, name, what);
    return measured(label);
}

// Two writes a message wait for a delayed acknowledgement, 40 ms here and 200 ms elsewhere; one message does not.
static void one_message_shows_more_pictures(void **state) {
    (void)state;
    repeat("ichiguchi-table-5.5", 1);
    assert_int_equal(run.rows.count, 12);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double slow = of_case("two writes", cases[i], "pictures a second");
        double fast = of_case("fast", cases[i], "pictures a second");
        assert_true(slow > 2.0 && fast > 60.0 && fast > slow);
    }
    experiment_end(&run);
}

// The rates of the source are those of its exchanges: one a frame, two with an object.
static void frames_are_faster_than_their_exchange(void **state) {
    (void)state;
    repeat("ichiguchi-table-5.6", 1);
    assert_int_equal(run.rows.count, 18);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double slow = of_case("two writes", cases[i], "frames a second");
        assert_true(of_case("programs", cases[i], "frames a second") > slow);
        assert_true(of_case("fast", cases[i], "frames a second") > 1000.0);
    }
    double one = of_case("two writes", "walk", "frames a second");
    double two = of_case("two writes", "walk + object", "frames a second");
    if (one < 100.0) { assert_true(two < 0.8 * one); } // where acknowledgements are delayed
    experiment_end(&run);
}

static void polygons_are_those_of_the_room(void **state) {
    (void)state;
    repeat("ichiguchi-table-5.7", 1);
    assert_int_equal(run.rows.count, 14);
    double sum = 0.0;
    for (size_t i = 0; i + 1 < run.rows.count; i++) {
        sum += run.rows.data[i].measured;
    }
    assert_true(sum == measured("fast, all: polygons"));
    assert_true(measured("fast, person: polygons") == 1320.0);
    experiment_end(&run);
}

static void programs_start(void **state) {
    (void)state;
    repeat("ichiguchi-table-5.8", 1);
    assert_int_equal(run.rows.count, 12);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double cold = of_case("programs", cases[i], "milliseconds to the first frame");
        double warm = of_case("programs that wait", cases[i], "milliseconds to the first frame");
        assert_true(cold > 0.0 && warm > 0.0 && warm < cold);
    }
    experiment_end(&run);
}

// Without folders the tables that need them say so.
static void folders_are_needed(void **state) {
    (void)state;
    run = experiment_begin(EXPERIMENT_BRIEF, 1, NULL, &error);
    assert_int_equal(experiment_ichiguchi_table_5_7.run(&run), FR_ERROR_FILE);
    assert_int_equal(experiment_ichiguchi_table_5_8.run(&run), FR_ERROR_FILE);
    run.objects = "/nonexistent";
    run.algorithms = "/nonexistent";
    assert_int_equal(experiment_ichiguchi_table_5_7.run(&run), FR_ERROR_FILE);
    assert_int_equal(experiment_ichiguchi_table_5_8.run(&run), FR_ERROR_FILE);
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_message_shows_more_pictures),
        cmocka_unit_test(frames_are_faster_than_their_exchange),
        cmocka_unit_test(polygons_are_those_of_the_room),
        cmocka_unit_test(programs_start),
        cmocka_unit_test(folders_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
