#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

// How far a name is from what was typed; none when it is too far to be meant.
static size_t distance(const char *typed, const char *name) {
    fr_suggestion s = fr_suggestion_begin(typed);
    fr_suggestion_offer(&s, name);
    assert_true(s.best == NULL || s.best == name);
    return s.best_distance;
}

static void distances_count_changes(void **state) {
    (void)state;
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("", "a"), 1);
    assert_int_equal(distance("collide", "collide"), 0);
    assert_int_equal(distance("colide", "collide"), 1);
    assert_int_equal(distance("clolide", "collide"), 1);
    assert_int_equal(distance("kittenss", "sittings"), 3);
    assert_true(distance("kitten", "sitting") == (size_t)-1);
    char longest[200], longer[300];
    memset(longest, 'a', sizeof longest - 1);
    memset(longer, 'a', sizeof longer - 1);
    longest[sizeof longest - 1] = longer[sizeof longer - 1] = '\0';
    longer[100] = 'b'; // beyond the letters that count
    assert_int_equal(distance(longest, longer), 0);
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
    assert_null(suggest("i")); // one letter is no beginning
    assert_null(suggest("octree"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count_changes),
        cmocka_unit_test(the_nearest_name_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
