#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void distances_count_changes(void **state) {
    (void)state;
    assert_int_equal(fr_suggestion_distance("", ""), 0);
    assert_int_equal(fr_suggestion_distance("", "abc"), 3);
    assert_int_equal(fr_suggestion_distance("collide", "collide"), 0);
    assert_int_equal(fr_suggestion_distance("colide", "collide"), 1);
    assert_int_equal(fr_suggestion_distance("clolide", "collide"), 1);
    assert_int_equal(fr_suggestion_distance("kitten", "sitting"), 3);
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(fr_suggestion_distance(longest, ""), 63);
}

static const char *suggest(const char *typed) {
    static const char *const names[] = {"collide", "convert", "info", "shape"};
    fr_suggestion s = fr_suggestion_begin(typed);
    for (size_t i = 0; i < 4; ++i) {
        fr_suggestion_offer(&s, names[i]);
    }
    return s.best;
}

static void the_nearest_name_is_meant(void **state) {
    (void)state;
    assert_string_equal(suggest("colide"), "collide");
    assert_string_equal(suggest("conv"), "convert");
    assert_string_equal(suggest("sahpe"), "shape");
    assert_string_equal(suggest("inf"), "info");
    assert_null(suggest("x"));
    assert_null(suggest("octree"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count_changes),
        cmocka_unit_test(the_nearest_name_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
