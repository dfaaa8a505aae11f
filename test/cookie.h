// A table of calls that take a struct with a cookie: each refuses a struct that no fr_default_X made, with a status and
// a sentence that names fr_default_X. A test names its rows COOKIE_CASES(X), X(case, type of the struct, function that
// makes it, call with `given` and `error`), and expands them by COOKIE_TABLE.
#ifndef FUREAI_TEST_COOKIE_H
#define FUREAI_TEST_COOKIE_H

#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A pointer to nothing, for what a call would create.
#define COOKIE_OUT(type) (&(type *){NULL})

typedef struct cookie_case {
    const char *maker;
    fr_status (*call)(fr_error *error);
} cookie_case;

#define COOKIE_CALL(name, type, maker, call)                                                                           \
    static fr_status name##_without_cookie(fr_error *error) {                                                          \
        type given;                                                                                                    \
        memset(&given, 0, sizeof given);                                                                               \
        return call;                                                                                                   \
    }

#define COOKIE_ROW(name, type, maker, call) {#maker, name##_without_cookie},

// Defines the calls, their table and the test a_missing_cookie_is_a_status.
#define COOKIE_TABLE(CASES)                                                                                            \
    CASES(COOKIE_CALL)                                                                                                 \
    static const cookie_case cookie_cases[] = {CASES(COOKIE_ROW)};                                                     \
    static void a_missing_cookie_is_a_status(void **state) {                                                           \
        (void)state;                                                                                                   \
        for (size_t i = 0; i < sizeof cookie_cases / sizeof cookie_cases[0]; i++) {                                    \
            cookie_check(&cookie_cases[i]);                                                                            \
        }                                                                                                              \
    }

static inline void cookie_check(const cookie_case *one) {
    fr_error error = {0};
    assert_int_equal(one->call(&error), FR_ERROR_ARGUMENT);
    assert_int_equal(error.status, FR_ERROR_ARGUMENT);
    if (strstr(error.message, one->maker) == NULL) { fail_msg("%s: %s", one->maker, error.message); }
    assert_int_equal(one->call(NULL), FR_ERROR_ARGUMENT);
}

#endif
