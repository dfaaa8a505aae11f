// The command experiment, as a user runs it.
#include "process.h"

#include <signal.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static process p;

static void start(const char *a, const char *b, const char *c, process_wiring wiring) {
    const char *argv[] = {FUREAI_TOOL, a, b, c, NULL};
    assert_true(process_start(&p, argv, wiring));
}

static int fureai(const char *a, const char *b, const char *c) {
    start(a, b, c, PROCESS_PIPES);
    process_finish(&p);
    return p.status;
}

static void printed(const char *words) {
    if (strstr(p.out, words) == NULL) { fail_msg("'%s' in '%s'", words, p.out); }
}

static void lists_without_a_name(void **state) {
    (void)state;
    assert_int_equal(fureai("experiment", NULL, NULL), 0);
    printed("kitamura-3.5 ");
    printed("kitamura-table-3.1 ");
    assert_int_equal(fureai("--json", "experiment", NULL), 0);
    printed("{\"experiments\":[{\"name\":\"asano-6\",\"source\":\"Asano and others, figure 6\",\"about\":\"");
}

// Those that have a picture say so, in the text and in the document.
static void lists_which_have_a_picture(void **state) {
    (void)state;
    assert_int_equal(fureai("experiment", NULL, NULL), 0);
    size_t marked = 0, told = 0;
    for (const char *at = p.out; (at = strstr(at, " [picture]\n")) != NULL; at++) {
        marked++;
    }
    const char *plain = strstr(p.out, "kitamura-3.5 ");
    assert_non_null(plain);
    assert_true(strcspn(plain, "[") > strcspn(plain, "\n"));
    assert_int_equal(fureai("--json", "experiment", NULL), 0);
    for (const char *at = p.out; (at = strstr(at, "\"picture\":true")) != NULL; at++) {
        told++;
    }
    assert_true(marked > 0);
    assert_int_equal(marked, told);
}

static void refuses_what_it_does_not_know(void **state) {
    (void)state;
    assert_int_equal(fureai("experiment", "kitamura-3.55", NULL), 2);
    assert_non_null(strstr(p.err, "no experiment kitamura-3.55; kitamura-3.5 is one"));
    assert_int_equal(fureai("experiment", "nothing-like-it", NULL), 2);
    assert_non_null(strstr(p.err, "no experiment nothing-like-it; fureai experiment lists them"));
    assert_int_equal(p.out_size, 0);
    assert_int_equal(fureai("experiment", "kitamura-3.5", "--picture=figure.png"), 2);
    assert_non_null(strstr(p.err, "kitamura-3.5 has no picture"));
}

static void repeats_a_figure(void **state) {
    (void)state;
    assert_int_equal(fureai("experiment", "kitamura-3.6", NULL), 0);
    printed("kitamura-3.6, Kitamura 1996, section 3.5.1\n");
    printed("sample: last cycle");
    printed("instant, a sheet through a sheet: found");
    assert_int_equal(fureai("--json", "experiment", "kitamura-3.6"), 0);
    printed("{\"name\":\"kitamura-3.6\",\"source\":\"Kitamura 1996, section 3.5.1\",");
    printed("{\"label\":\"instant, a sheet through a sheet: found\",\"printed\":null,\"measured\":0,\"error\":null,"
            "\"unit\":\"pairs\",\"speedup\":null}");
    printed("{\"label\":\"fast 3968: time of the last cycle\",\"printed\":null,\"measured\":");
}

static void stops_when_asked(void **state) {
    (void)state;
    start("experiment", "kitamura-3.5", "--full", PROCESS_TERMINAL);
    assert_true(process_wait_for(&p, "phases ["));
    kill(p.id, SIGINT);
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "fureai: stopped"));
    assert_int_equal(p.out_size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_without_a_name),
        cmocka_unit_test(lists_which_have_a_picture),
        cmocka_unit_test(refuses_what_it_does_not_know),
        cmocka_unit_test(repeats_a_figure),
        cmocka_unit_test(stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
