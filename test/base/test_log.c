#include "fureai/base.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct line {
    int count;
    fr_log_level level;
    char text[1024];
} line;

static void keep(fr_log_level level, const char *text, void *user) {
    line *last = user;
    last->count++;
    last->level = level;
    strcpy(last->text, text);
}

static void without_a_hook_everything_is_dropped(void **state) {
    (void)state;
    fr_log(FR_LOG_ERROR, "%d", 1);
    line last = {0};
    fr_set_log(keep, &last);
    fr_set_log(NULL, NULL);
    fr_log(FR_LOG_ERROR, "%d", 1);
    assert_int_equal(last.count, 0);
}

static void the_hook_gets_level_and_line(void **state) {
    (void)state;
    line last = {0};
    fr_set_log(keep, &last);
    fr_log(FR_LOG_WARNING, "%s: %d", "count", 3);
    fr_set_log(NULL, NULL);
    assert_int_equal(last.count, 1);
    assert_int_equal(last.level, FR_LOG_WARNING);
    assert_string_equal(last.text, "count: 3");
}

static void a_line_has_no_end_of_line(void **state) {
    (void)state;
    line last = {0};
    fr_set_log(keep, &last);
    fr_log(FR_LOG_INFO, "one\ntwo\r\n\n");
    assert_string_equal(last.text, "one two");
    fr_log(FR_LOG_INFO, "%s", "\n");
    assert_string_equal(last.text, "");
    fr_set_log(NULL, NULL);
}

static void a_long_line_is_cut_at_511_bytes_and_a_whole_character(void **state) {
    (void)state;
    line last = {0};
    fr_set_log(keep, &last);
    fr_log(FR_LOG_INFO, "%0600d", 1);
    assert_int_equal(strlen(last.text), 511);
    fr_log(FR_LOG_INFO, "%0510d\xC3\xA9", 1);
    assert_int_equal(strlen(last.text), 510);
    fr_log(FR_LOG_INFO, "%0509d\xC3\xA9", 1);
    assert_int_equal(strlen(last.text), 511);
    fr_set_log(NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_hook_everything_is_dropped),
        cmocka_unit_test(the_hook_gets_level_and_line),
        cmocka_unit_test(a_line_has_no_end_of_line),
        cmocka_unit_test(a_long_line_is_cut_at_511_bytes_and_a_whole_character),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
