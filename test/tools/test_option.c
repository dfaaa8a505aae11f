// The option parser and the numbers it reads.
#include "option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const option table[] = {
    {.name = "flag", .kind = OPTION_FLAG, .help = ""},
    {.name = "name", .kind = OPTION_STRING, .metavar = "NAME", .help = ""},
    {.name = "method", .kind = OPTION_CHOICE, .metavar = "M", .help = "", .choices = "auto,tree", .fallback = "auto"},
    {.name = "depth", .kind = OPTION_INT, .metavar = "D", .help = "", .fallback = "4", .low = 0, .high = 9},
    {.name = "size", .kind = OPTION_NUMBER, .metavar = "S", .help = "", .low = -1, .high = 1},
    {.name = "seed", .kind = OPTION_INT, .metavar = "N", .help = ""},
    {.name = "weight", .kind = OPTION_NUMBER, .metavar = "W", .help = ""},
    {.name = "move", .kind = OPTION_VECTOR, .metavar = "X,Y,Z", .help = "", .components = 3},
    {.name = "place", .kind = OPTION_VECTOR, .metavar = "X,Y", .help = "", .low = -9, .high = 9, .components = 2},
};

enum { MOST_TOKENS = 16 };

// A command line of ours, terminated by NULL, read with the table.
typedef struct reading {
    char *tokens[MOST_TOKENS];
    option_tokens line;
    options options;
    options_end end;
} reading;

static void read_line(reading *r, const char *const *tokens, bool until_argument) {
    memset(r, 0, sizeof *r);
    for (; tokens[r->line.count] != NULL; ++r->line.count) {
        r->tokens[r->line.count] = (char *)tokens[r->line.count];
    }
    r->line.tokens = r->tokens;
    options_add(&r->options, table, sizeof table / sizeof table[0]);
    r->end = options_read(&r->options, &r->line, until_argument);
}

#define LINE(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_fallbacks(void **state) {
    (void)state;
    reading r;
    double move[3] = {7.0, 7.0, 7.0};
    read_line(&r, LINE("argument"), false);
    assert_int_equal(r.end, OPTIONS_READ);
    assert_false(options_flag(&r.options, "flag"));
    assert_null(options_string(&r.options, "name"));
    assert_string_equal(options_string(&r.options, "method"), "auto");
    assert_int_equal(options_int(&r.options, "depth"), 4);
    assert_false(options_given(&r.options, "depth"));
    assert_true(options_number(&r.options, "size") == 0.0);
    assert_false(options_vector(&r.options, "move", move, 3));
    assert_true(move[0] == 7.0);
}

static void test_both_forms_and_any_order(void **state) {
    (void)state;
    reading r;
    double move[3];
    read_line(&r, LINE("one", "--depth", "7", "two", "--size=-0.5", "--flag", "--move", "-1,2.5;1e-3", "three"), false);
    assert_int_equal(r.end, OPTIONS_READ);
    assert_int_equal(r.line.argument_count, 3);
    assert_string_equal(r.tokens[0], "one");
    assert_string_equal(r.tokens[1], "two");
    assert_string_equal(r.tokens[2], "three");
    assert_int_equal(options_int(&r.options, "depth"), 7);
    assert_true(options_given(&r.options, "depth"));
    assert_true(options_number(&r.options, "size") == -0.5);
    assert_true(options_flag(&r.options, "flag"));
    assert_true(options_vector(&r.options, "move", move, 3));
    assert_true(move[0] == -1.0 && move[1] == 2.5 && move[2] == 1e-3);
}

static void test_the_last_value_counts(void **state) {
    (void)state;
    reading r;
    read_line(&r, LINE("--name", "a", "--name=b=c"), false);
    assert_string_equal(options_string(&r.options, "name"), "b=c");
}

static void test_what_is_an_argument(void **state) {
    (void)state;
    reading r;
    read_line(&r, LINE("-1,2", "-.5", "-", "--", "--flag", "-h"), false);
    assert_int_equal(r.end, OPTIONS_READ);
    assert_int_equal(r.line.argument_count, 5);
    assert_string_equal(r.tokens[3], "--flag");
    assert_false(options_flag(&r.options, "flag"));
}

static void test_stops_at_the_first_argument(void **state) {
    (void)state;
    reading r;
    read_line(&r, LINE("--flag", "command", "--unknown"), true);
    assert_int_equal(r.end, OPTIONS_READ);
    assert_int_equal(r.line.next, 1);
}

static void test_help(void **state) {
    (void)state;
    reading r;
    read_line(&r, LINE("a", "--help", "--unknown"), false);
    assert_int_equal(r.end, OPTIONS_HELP);
    read_line(&r, LINE("-h"), true);
    assert_int_equal(r.end, OPTIONS_HELP);
}

static void expect_problem(const char *const *tokens, const char *says) {
    reading r;
    read_line(&r, tokens, false);
    assert_int_equal(r.end, OPTIONS_PROBLEM);
    if (strstr(r.options.problem, says) == NULL) { fail_msg("'%s' does not say '%s'", r.options.problem, says); }
}

static void test_problems(void **state) {
    (void)state;
    expect_problem(LINE("--dept", "3"), "unknown option '--dept'; did you mean '--depth'?");
    expect_problem(LINE("--dpeth=3"), "unknown option '--dpeth'; did you mean '--depth'?");
    expect_problem(LINE("-flag"), "unknown option '-flag'; did you mean '--flag'?");
    expect_problem(LINE("--zzzzzz"), "unknown option '--zzzzzz'");
    expect_problem(LINE("--flag=yes"), "--flag takes no value");
    expect_problem(LINE("--depth"), "--depth needs a value: --depth D");
    expect_problem(LINE("--name", "--flag"), "--name needs a value");
    expect_problem(LINE("--name="), "--name: the value is empty");
    expect_problem(LINE("--method", "tre"), "--method: 'tre' is none of auto,tree");
    expect_problem(LINE("--method", "auto,tree"), "--method: 'auto,tree' is none of");
    expect_problem(LINE("--depth", "10"), "--depth: 10 is outside 0 .. 9");
    expect_problem(LINE("--depth", "-1"), "--depth: -1 is outside 0 .. 9");
    expect_problem(LINE("--depth", "3x"), "--depth: '3x' is not a whole number");
    expect_problem(LINE("--depth", "3.0"), "not a whole number");
    expect_problem(LINE("--depth", ""), "not a whole number");
    expect_problem(LINE("--depth", "99999999999999999999"), "--depth: 99999999999999999999 is outside 0 .. 9");
    expect_problem(LINE("--depth", "-99999999999999999999"), "is outside 0 .. 9");
    expect_problem(LINE("--seed", "99999999999999999999"), "--seed: 99999999999999999999 is too large");
    expect_problem(LINE("--seed", "1e3"), "not a whole number");
    expect_problem(LINE("--size", "nan"), "--size: 'nan' is not a finite number");
    expect_problem(LINE("--size", "inf"), "not a finite number");
    expect_problem(LINE("--size", "1e999"), "--size: 1e999 is outside -1 .. 1");
    expect_problem(LINE("--size=-1e999"), "--size: -1e999 is outside -1 .. 1");
    expect_problem(LINE("--weight", "1e999"), "--weight: 1e999 is too large");
    expect_problem(LINE("--size", ""), "not a finite number");
    expect_problem(LINE("--size", "0x1"), "not a finite number");
    expect_problem(LINE("--size", " 1"), "not a finite number");
    expect_problem(LINE("--size", "2"), "--size: 2 is outside -1 .. 1");
    expect_problem(LINE("--move", "1,2"), "--move: '1,2' is not 3 finite numbers");
    expect_problem(LINE("--move", "1,2,3,4"), "is not 3 finite numbers");
    expect_problem(LINE("--move", "1,2,3,"), "is not 3 finite numbers");
    expect_problem(LINE("--move", "1 2 3"), "is not 3 finite numbers");
    expect_problem(LINE("--move", ""), "is not 3 finite numbers");
    expect_problem(LINE("--move", "1,,3"), "is not 3 finite numbers");
    expect_problem(LINE("--place", "0,9.5"), "--place: 0,9.5 is outside -9 .. 9");
    expect_problem(LINE("--place", "-1e300,0"), "--place: -1e300,0 is outside -9 .. 9");
    expect_problem(LINE("--move", "1,2,nan"), "is not 3 finite numbers");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fallbacks),
        cmocka_unit_test(test_both_forms_and_any_order),
        cmocka_unit_test(test_the_last_value_counts),
        cmocka_unit_test(test_what_is_an_argument),
        cmocka_unit_test(test_stops_at_the_first_argument),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
