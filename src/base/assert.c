// The hook that a failed assertion calls.
#include "fureai/base.h"

static bool log_and_stop(const char *condition, const char *file, int line, void *user) {
    (void)user;
    fr_log(FR_LOG_ERROR, "assertion failed: %s (%s:%d)", condition, file, line);
    return true;
}

static fr_assert_fn *assert_hook = log_and_stop;
static void *assert_user;

void fr_set_assert(fr_assert_fn *hook, void *user) {
    assert_hook = hook != NULL ? hook : log_and_stop;
    assert_user = hook != NULL ? user : NULL;
}

bool fr_assert_failed(const char *condition, const char *file, int line) {
    return assert_hook(condition, file, line, assert_user);
}
