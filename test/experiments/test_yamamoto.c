// Yamamoto's tables on the smallest samples: what must hold whatever the sample.
#include "repeat.h"
#include "yamamoto.h"

#include <string.h>

static void test_accuracy(void **state) {
    (void)state;
    repeat("yamamoto-table-3.1", 2);
    assert_true(measured("conservative: under-detection") == 0.0);
    assert_true(measured("conservative, sector and two boxes: under-detection") == 0.0);
    assert_true(measured("exact: under-detection") == 0.0);
    assert_true(measured("S-CCD, tight: under-detection") == 0.0);
    assert_true(measured("sector: under-detection") > 15.0);
    assert_true(measured("sector: accuracy") > 50.0 && measured("sector: accuracy") < 85.0);
    assert_true(measured("conservative: accuracy") > measured("sector: accuracy"));
    assert_true(measured("exact: accuracy") > measured("conservative, sector and two boxes: accuracy"));
    assert_true(measured("exact: accuracy") > 93.0);
    assert_true(measured("S-CCD, both ends: accuracy") < 25.0);
    const experiment_row *rows = run.rows.data;
    for (size_t i = 0; i + 2 < run.rows.count; i += 3) {
        double sum = rows[i].measured + rows[i + 1].measured + rows[i + 2].measured;
        assert_true(sum > 99.999 && sum < 100.001);
    }
    assert_true(row_of("sector: accuracy")->printed == 67.68);
    experiment_end(&run);
}

static void test_figures_have_their_groups(void **state) {
    (void)state;
    repeat("yamamoto-3.8", 2);
    assert_int_equal(run.rows.count, 36 * 4);
    assert_non_null(experiment_row_find(&run, "sector, 350 to 360 degrees: accuracy"));
    experiment_end(&run);
    repeat("yamamoto-3.9", 2);
    assert_int_equal(run.rows.count, 20 * 4);
    experiment_end(&run);
}

static void test_speed_has_a_ratio_for_every_column(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t rows;
    } tables[] = {{"yamamoto-table-3.2", 10},
                  {"yamamoto-table-3.3", 10},
                  {"yamamoto-table-3.4", 3},
                  {"yamamoto-table-3.5", 3},
                  {"yamamoto-table-3.6", 3}};
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        repeat(tables[k].name, 2);
        assert_int_equal(run.rows.count, tables[k].rows);
        const experiment_row *rows = run.rows.data;
        assert_true(rows[0].measured == 1.0 && rows[0].printed == 1.0);
        for (size_t i = 0; i < run.rows.count; i++) {
            assert_true(rows[i].measured > 0.0);
            assert_true((strncmp(rows[i].label, "fast", 4) == 0) == (rows[i].speedup > 0.0));
        }
        experiment_end(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_figures_have_their_groups),
        cmocka_unit_test(test_speed_has_a_ratio_for_every_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
