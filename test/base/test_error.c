#include "fureai/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// One character of three bytes.
#define FU "\xE3\x81\xB5"

static const char *format(const fr_error *error) {
    static char text[1024];
    size_t length = fr_error_format(error, text, sizeof text);
    assert_int_equal(length, strlen(text));
    return text;
}

static void set_fills_the_error_and_returns_the_status(void **state) {
    (void)state;
    fr_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(fr_error_set(&error, FR_ERROR_SYNTAX, "%d sides, %s", 7, "too many"), FR_ERROR_SYNTAX);
    assert_int_equal(error.status, FR_ERROR_SYNTAX);
    assert_string_equal(error.message, "7 sides, too many");
    assert_string_equal(error.path, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
}

static void no_error_to_fill_is_fine(void **state) {
    (void)state;
    assert_int_equal(fr_error_set(NULL, FR_ERROR_LIMIT, "%d", 1), FR_ERROR_LIMIT);
    fr_error_locate(NULL, "a.obj", 1, 1);
}

static void set_clears_the_place(void **state) {
    (void)state;
    fr_error error = {0};
    fr_error_locate(&error, "old.obj", 4, 5);
    fr_error_set(&error, FR_ERROR_SYNTAX, "new");
    assert_string_equal(format(&error), "new");
}

static void set_takes_its_own_texts_as_arguments(void **state) {
    (void)state;
    fr_error error = {0};
    fr_error_set(&error, FR_ERROR_SYNTAX, "a vertex is missing");
    fr_error_locate(&error, "part.obj", 3, 0);
    fr_error_set(&error, FR_ERROR_SYNTAX, "in %s: %s", error.path, error.message);
    assert_string_equal(error.message, "in part.obj: a vertex is missing");
}

static void locate_adds_the_place_and_may_keep_the_path(void **state) {
    (void)state;
    fr_error error = {0};
    fr_error_set(&error, FR_ERROR_SYNTAX, "wrong");
    fr_error_locate(&error, "a.obj", 12, 3);
    assert_string_equal(format(&error), "a.obj:12:3: wrong");
    fr_error_locate(&error, NULL, 13, 0);
    assert_string_equal(format(&error), "a.obj:13: wrong");
    fr_error_locate(&error, error.path, 14, 1);
    assert_string_equal(format(&error), "a.obj:14:1: wrong");
    fr_error_locate(&error, NULL, -1, -1);
    assert_string_equal(format(&error), "a.obj: wrong");
}

static void format_leaves_out_what_is_unknown(void **state) {
    (void)state;
    fr_error error = {0};
    assert_string_equal(format(&error), "done");
    fr_error_set(&error, FR_ERROR_FILE, "%s", "");
    assert_string_equal(format(&error), fr_status_text(FR_ERROR_FILE));
    fr_error_set(&error, FR_ERROR_FILE, "gone");
    assert_string_equal(format(&error), "gone");
    fr_error_locate(&error, "", 2, 3);
    assert_string_equal(format(&error), "2:3: gone");
    fr_error_locate(&error, "b", 0, 3);
    assert_string_equal(format(&error), "b: gone");
}

static void format_is_always_terminated_and_returns_the_whole_length(void **state) {
    (void)state;
    fr_error error = {0};
    fr_error_set(&error, FR_ERROR_FILE, FU FU);
    fr_error_locate(&error, "x", 1, 2);
    assert_int_equal(fr_error_format(&error, NULL, 0), 13);
    for (size_t size = 1; size < 16; ++size) {
        char text[16];
        memset(text, '#', sizeof text);
        assert_int_equal(fr_error_format(&error, text, size), 13);
        assert_true(strlen(text) < size);
        assert_true(size == 16 || text[size] == '#');
        size_t expected = size > 13 ? 13 : size - 1;
        if (expected > 7) { expected -= (expected - 7) % 3; }
        assert_int_equal(strlen(text), expected);
    }
}

static void a_long_message_is_cut_at_a_whole_character(void **state) {
    (void)state;
    for (int before = 0; before < 4; ++before) {
        char text[600] = "";
        for (int i = 0; i < before; ++i) {
            strcat(text, "a");
        }
        for (int i = 0; i < 100; ++i) {
            strcat(text, FU);
        }
        fr_error error;
        fr_error_set(&error, FR_ERROR_SYNTAX, "%s", text);
        size_t length = strlen(error.message);
        assert_true(length < FR_ERROR_MESSAGE_BYTES && length >= FR_ERROR_MESSAGE_BYTES - 3);
        assert_int_equal((length - (size_t)before) % 3, 0);
        assert_int_equal(strncmp(error.message, text, length), 0);
    }
    fr_error error;
    fr_error_set(&error, FR_ERROR_SYNTAX, "%0300d", 1);
    assert_int_equal(strlen(error.message), FR_ERROR_MESSAGE_BYTES - 1);
}

static void a_long_path_keeps_its_end(void **state) {
    (void)state;
    for (size_t length = 250; length < 270; ++length) {
        char path[300];
        for (size_t i = 0; i < length; ++i) {
            path[i] = (char)('a' + i % 26);
        }
        path[length] = '\0';
        fr_error error = {0};
        fr_error_locate(&error, path, 1, 1);
        if (length < FR_ERROR_PATH_BYTES) {
            assert_string_equal(error.path, path);
        } else {
            assert_int_equal(strlen(error.path), FR_ERROR_PATH_BYTES - 1);
            assert_memory_equal(error.path, "...", 3);
            assert_string_equal(error.path + 3, path + length - (FR_ERROR_PATH_BYTES - 4));
        }
    }
}

static void a_long_path_is_cut_at_a_whole_character(void **state) {
    (void)state;
    for (int after = 0; after < 4; ++after) {
        char path[600] = "";
        for (int i = 0; i < 120; ++i) {
            strcat(path, FU);
        }
        for (int i = 0; i < after; ++i) {
            strcat(path, "z");
        }
        fr_error error = {0};
        fr_error_locate(&error, path, 0, 0);
        size_t length = strlen(error.path);
        assert_true(length < FR_ERROR_PATH_BYTES && length >= FR_ERROR_PATH_BYTES - 3);
        assert_memory_equal(error.path, "..." FU, 6);
        assert_int_equal((length - 3 - (size_t)after) % 3, 0);
        assert_string_equal(error.path + 3, path + strlen(path) - (length - 3));
    }
}

static void a_path_of_no_utf8_ends(void **state) {
    (void)state;
    char path[400];
    memset(path, '\x80', sizeof path);
    path[sizeof path - 1] = '\0';
    fr_error error = {0};
    fr_error_locate(&error, path, 0, 0);
    assert_string_equal(error.path, "...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_fills_the_error_and_returns_the_status),
        cmocka_unit_test(no_error_to_fill_is_fine),
        cmocka_unit_test(set_clears_the_place),
        cmocka_unit_test(set_takes_its_own_texts_as_arguments),
        cmocka_unit_test(locate_adds_the_place_and_may_keep_the_path),
        cmocka_unit_test(format_leaves_out_what_is_unknown),
        cmocka_unit_test(format_is_always_terminated_and_returns_the_whole_length),
        cmocka_unit_test(a_long_message_is_cut_at_a_whole_character),
        cmocka_unit_test(a_long_path_keeps_its_end),
        cmocka_unit_test(a_long_path_is_cut_at_a_whole_character),
        cmocka_unit_test(a_path_of_no_utf8_ends),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
