// Ichiguchi's tables: the clips are all there, and what people rated low is smoother than in the source's version.
#include "ichiguchi.h"
#include "repeat.h"

#include <string.h>

static void has_the_clips_of_the_source(void **state) {
    (void)state;
    repeat("ichiguchi-table-5.4", 1);
    assert_int_equal(run.rows.count, 9);
    for (size_t i = 0; i < run.rows.count; i++) {
        const experiment_row *row = &run.rows.data[i];
        if (row->printed > 0.0) { assert_true(row->printed == row->measured); }
    }
    assert_true(measured("fast: clips in all") == 332.0);
    experiment_end(&run);
}

// Rows that people rated 2.5 or less improve on the source's own version, and no boundary jumps by over 4 rad/s (A19).
static void is_smoother_where_people_rated_low(void **state) {
    (void)state;
    static const char *const low[] = {"02 T1", "08 T4", "10 T5", "11 grasp cup", "15 tap"};
    repeat("ichiguchi-table-5.9", 1);
    assert_int_equal(run.rows.count, 21 * 9);
    for (size_t i = 0; i < sizeof low / sizeof low[0]; i++) {
        char source[96], ours[96];
        snprintf(source, sizeof source, "source, %s: speed jump", low[i]);
        snprintf(ours, sizeof ours, "fast, %s: speed jump", low[i]);
        assert_true(measured(ours) < measured(source));
    }
    for (size_t i = 0; i < run.rows.count; i++) {
        const experiment_row *row = &run.rows.data[i];
        bool is_ours = strncmp(row->label, "fast", 4) == 0;
        if (is_ours && strstr(row->label, "speed jump") != NULL && row->measured > 4.0) {
            fail_msg("%s is %g", row->label, row->measured);
        }
        if (is_ours && strstr(row->label, "foot slide") != NULL && row->measured > 5.0) {
            fail_msg("%s is %g", row->label, row->measured);
        }
    }
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_clips_of_the_source),
        cmocka_unit_test(is_smoother_where_people_rated_low),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
