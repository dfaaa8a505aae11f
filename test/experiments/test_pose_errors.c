// The study of errors: nothing is missed and nothing is certain in error when the noise stays within what is allowed
// for, and poses taken as they are miss some.
#include "repeat.h"

static void what_is_allowed_for_is_not_missed(void **state) {
    (void)state;
    repeat("kitamura-7.1.1", 1);
    assert_true(measured("fast 960: colliding") > 20.0);
    assert_true(measured("uncertain 960, within 3 sigma: missed") == 0.0);
    assert_true(measured("uncertain 960, within 3 sigma: certain but apart") == 0.0);
    assert_true(measured("uncertain 960, 0 sigma: missed") > 0.0);
    assert_true(measured("uncertain 960, 1 sigma: extra") > measured("uncertain 960, 0.5 sigma: extra"));
    assert_true(measured("uncertain 960, 3 sigma: extra") > measured("uncertain 960, 1 sigma: extra"));
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_allowed_for_is_not_missed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
