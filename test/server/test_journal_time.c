// Times of a journal as text, against the C library.
#include "fureai/server_journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

static void times_are_read_and_written(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } times[] = {{"1970-01-01T00:00:00.000Z", 0},
                 {"2000-02-29T23:59:59.999Z", INT64_C(951868799999)},
                 {"2026-11-18T01:02:03.004Z", INT64_C(1794963723004)},
                 {"9999-12-31T23:59:59.999Z", INT64_C(253402300799999)}};
    char text[FR_JOURNAL_TIME_BYTES];
    int64_t ms;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        fr_journal_time_text(times[i].ms, text);
        assert_string_equal(text, times[i].text);
        assert_true(fr_journal_time_read(times[i].text, &ms));
        assert_true(ms == times[i].ms);
    }
    // Every day of some centuries, against the C library.
    for (int64_t day = 0; day < 150000; day++) {
        time_t seconds = (time_t)(day * 86400 + day % 86400);
        struct tm parts;
        char expected[FR_JOURNAL_TIME_BYTES];
        assert_non_null(gmtime_r(&seconds, &parts));
        assert_true(strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S.000Z", &parts) > 0);
        fr_journal_time_text((int64_t)seconds * 1000, text);
        assert_string_equal(text, expected);
        assert_true(fr_journal_time_read(text, &ms) && ms == (int64_t)seconds * 1000);
    }
    static const char *const wrong[] = {"",
                                        "2026-11-18",
                                        "2026-11-18T01:02:03",
                                        "2026-11-18T01:02:03+01:00",
                                        "2026-02-29T01:02:03Z",
                                        "2026-13-01T01:02:03Z",
                                        "2026-00-01T01:02:03Z",
                                        "2026-01-00T01:02:03Z",
                                        "2026-01-01T24:00:00Z",
                                        "2026-01-01T00:60:00Z",
                                        "2026-01-01T00:00:60Z",
                                        "1969-12-31T23:59:59Z",
                                        "2026-01-01T00:00:00.5Z",
                                        "2026-01-01T00:00:00.5000Z",
                                        "x026-01-01T00:00:00Z"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(fr_journal_time_read(wrong[i], &ms));
    }
    assert_true(fr_journal_time_read("2026-01-01T00:00:00Z", &ms));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_are_read_and_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
