// Matrices taken apart: put together again they are the same.
#include "text_model.h"

#include "model/decompose.h"

static void check(const double matrix[12], double tolerance) {
    fr_model_placement placement = fr__decompose(matrix);
    double again[12];
    fr_model_placement_matrix(&placement, again);
    for (int i = 0; i < 12; i++) {
        if (!(fabs(again[i] - matrix[i]) <= tolerance)) { fail_msg("number %d: %g, not %g", i, again[i], matrix[i]); }
    }
}

static void shifts_scales_and_mirrors_are_exact(void **state) {
    (void)state;
    check((const double[12]){1, 0, 0, 5, 0, 1, 0, -6, 0, 0, 1, 7}, 0.0);
    check((const double[12]){2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0.5, 0}, 0.0);
    check((const double[12]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0}, 0.0);
    check((const double[12]){-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 1e-15);
    check((const double[12]){0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0}, 1e-15);
}

static void any_matrix_is_put_together_again(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    for (int round = 0; round < 2000; round++) {
        double matrix[12];
        for (int i = 0; i < 12; i++) {
            matrix[i] = fr_random_between(&random, -3.0, 3.0);
        }
        check(matrix, 1e-6);
    }
    // A scale of 0 has no axes to find; its lengths are kept.
    fr_model_placement flat = fr__decompose((const double[12]){2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0});
    assert_true(flat.scale.x == 2.0 && flat.scale.y == 0.0 && flat.scale.z == 3.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifts_scales_and_mirrors_are_exact),
        cmocka_unit_test(any_matrix_is_put_together_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
