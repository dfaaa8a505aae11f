// Yamachi and Shindo's tables on the smallest samples: what must hold whatever the sample.
#include "repeat.h"
#include "yamachi.h"

// Ten times as many that are all drawn take about ten times as long each; with boxes first far less than that. Twice
// is allowed for a machine that is busy; the figures are in the documents.
static void time_a_ball_stays_with_boxes_first(void **state) {
    (void)state;
    repeat("yamachi-table-1", 1);
    assert_int_equal(run.rows.count, 9);
    assert_true(measured("draw all, 10 balls: time a ball over 10 balls") == 1.0);
    assert_true(measured("draw all, 100 balls: time a ball over 10 balls") > 4.0);
    assert_true(measured("box test, 100 balls: time a ball over 10 balls") < 3.0);
    assert_true(row_of("box test, 100 balls: time a ball over 10 balls")->speedup > 5.0);
    assert_true(fabs(row_of("draw all, 100 balls: time a ball over 10 balls")->printed - 1.34) < 0.01);
    assert_true(measured("both, 10 balls: masks drawn") == 1.0);
    assert_true(measured("both, 100 balls: masks drawn") == 1.0);
    experiment_end(&run);
}

static void pixels_cost_less_than_their_number(void **state) {
    (void)state;
    repeat("yamachi-table-2", 1);
    assert_int_equal(run.rows.count, 18);
    assert_true(measured("draw all, 10 x 10, 50 balls: time over 10 x 10") == 1.0);
    // 25 times the pixels.
    assert_true(measured("draw all, 50 x 50, 100 balls: time over 10 x 10") < 2.5);
    assert_true(measured("box test, 50 x 50, 10 balls: time over 10 x 10") < 25.0);
    assert_true(measured("box test, 50 x 50, 100 balls: time over 10 x 10") < 25.0);
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_a_ball_stays_with_boxes_first),
        cmocka_unit_test(pixels_cost_less_than_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
