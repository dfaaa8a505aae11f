// Assertions are on in this file whatever the build is.
#define FR_ENABLE_ASSERT
#include "fureai/base.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct seen {
    int count;
    int line;
    char condition[64];
    char file[256];
} seen;

static bool remember(const char *condition, const char *file, int line, void *user) {
    seen *now = user;
    now->count++;
    now->line = line;
    strncpy(now->condition, condition, sizeof now->condition - 1);
    strncpy(now->file, file, sizeof now->file - 1);
    return false;
}

static void a_true_condition_calls_nobody(void **state) {
    (void)state;
    seen now = {0};
    fr_set_assert(remember, &now);
    FR_ASSERT(1 + 1 == 2);
    fr_set_assert(NULL, NULL);
    assert_int_equal(now.count, 0);
}

static void the_hook_gets_condition_and_place_and_may_go_on(void **state) {
    (void)state;
    seen now = {0};
    fr_set_assert(remember, &now);
    FR_ASSERT(1 + 1 == 3);
    bool answer = fr_assert_failed("x", "y.c", 7);
    fr_set_assert(NULL, NULL);
    assert_false(answer);
    assert_int_equal(now.count, 2);
    assert_int_equal(now.line, 7);
    assert_string_equal(now.condition, "x");
    assert_string_equal(now.file, "y.c");
}

static void the_hook_gets_the_text_of_the_condition(void **state) {
    (void)state;
    seen now = {0};
    fr_set_assert(remember, &now);
    int line = __LINE__ + 1;
    FR_ASSERT(1 + 1 == 3);
    fr_set_assert(NULL, NULL);
    assert_int_equal(now.line, line);
    assert_string_equal(now.condition, "1 + 1 == 3");
    assert_non_null(strstr(now.file, "test_assert.c"));
}

static void a_condition_is_evaluated_once(void **state) {
    (void)state;
    int evaluations = 0;
    FR_ASSERT(++evaluations == 1);
    assert_int_equal(evaluations, 1);
}

static void write_line(fr_log_level level, const char *text, void *user) {
    int out = *(int *)user;
    if (level == FR_LOG_ERROR && write(out, text, strlen(text)) < 0) { _exit(3); }
}

static void the_default_writes_to_the_log_and_stops(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGILL, SIG_DFL);
        signal(SIGTRAP, SIG_DFL);
        fr_set_log(write_line, &ends[1]);
        FR_ASSERT(ends[0] < 0);
        _exit(0);
    }
    close(ends[1]);
    char text[512] = "";
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_non_null(strstr(text, "assertion failed: ends[0] < 0"));
    assert_non_null(strstr(text, "test_assert.c:"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_true_condition_calls_nobody),
        cmocka_unit_test(the_hook_gets_condition_and_place_and_may_go_on),
        cmocka_unit_test(the_hook_gets_the_text_of_the_condition),
        cmocka_unit_test(a_condition_is_evaluated_once),
        cmocka_unit_test(the_default_writes_to_the_log_and_stops),
    };
    return cmocka_run_group_tests_name("assert", tests, NULL, NULL);
}
