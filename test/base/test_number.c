// The reader against the C library's, bit for bit.
#include "fureai/base.h"

#include "frame.h"

#include "fureai/base.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_double(const char *text) {
    const char *at = text;
    double value = 7.0;
    fr_number_result result = fr_number_read(&at, text + strlen(text), &value);
    char *end;
    double expected = strtod(text, &end);
    bool right = isinf(expected) ? result == FR_NUMBER_HUGE && at == text && value == 7.0
                                 : result == FR_NUMBER_OK && at == end && memcmp(&value, &expected, sizeof value) == 0;
    if (!right) { fail_msg("'%s' as double: %a, expected %a", text, value, expected); }
}

static void check_float(const char *text) {
    const char *at = text;
    float value = 7.0f;
    fr_number_result result = fr_number_read_float(&at, text + strlen(text), &value);
    char *end;
    float expected = strtof(text, &end);
    bool right = isinf(expected) ? result == FR_NUMBER_HUGE && at == text && value == 7.0f
                                 : result == FR_NUMBER_OK && at == end && memcmp(&value, &expected, sizeof value) == 0;
    if (!right) { fail_msg("'%s' as float: %a, expected %a", text, (double)value, (double)expected); }
}

static void check(const char *text) {
    check_double(text);
    check_float(text);
}

static void every_form_is_read(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0",
                                        "0.0",
                                        "00",
                                        "1",
                                        "-1",
                                        "+1",
                                        ".5",
                                        "-.5",
                                        "5.",
                                        "1e5",
                                        "1E5",
                                        "1e+05",
                                        "1e-05",
                                        "1.e1",
                                        ".1e1",
                                        "1e",
                                        "1e+",
                                        "1e-x",
                                        "1.5.5",
                                        "1-2",
                                        "12abc",
                                        "0x10",
                                        "1e5.5",
                                        "000000000000000000000000000001.5",
                                        "0.00000000000000000000000000000000000000000000000000000001e57",
                                        "123456789012345678901234567890",
                                        "1234567890123456789",
                                        "12345678901234567890",
                                        "0.1",
                                        "0.10000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strncmp(texts[i], "0x", 2) != 0) { check(texts[i]); }
    }
}

static void hexadecimal_ends_after_the_zero(void **state) {
    (void)state;
    const char *text = "0x10", *at = text;
    double value;
    assert_int_equal(fr_number_read(&at, text + 4, &value), FR_NUMBER_OK);
    assert_ptr_equal(at, text + 1);
}

static void what_is_no_number_is_told_apart(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fr_number_result result;
    } cases[] = {{"", FR_NUMBER_MISSING},    {"-", FR_NUMBER_MISSING},   {".", FR_NUMBER_MISSING},
                 {"+.", FR_NUMBER_MISSING},  {"e5", FR_NUMBER_MISSING},  {"--1", FR_NUMBER_MISSING},
                 {"abc", FR_NUMBER_MISSING}, {"nan", FR_NUMBER_NAMED},   {"-NaN", FR_NUMBER_NAMED},
                 {"inf", FR_NUMBER_NAMED},   {"+Inf", FR_NUMBER_NAMED},  {"infinity", FR_NUMBER_NAMED},
                 {"1e400", FR_NUMBER_HUGE},  {"-1e400", FR_NUMBER_HUGE}, {"1e99999999999999999999", FR_NUMBER_HUGE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = cases[i].text;
        double wide = 7.0;
        float narrow = 7.0f;
        assert_int_equal(fr_number_read(&at, at + strlen(at), &wide), cases[i].result);
        assert_int_equal(fr_number_read_float(&at, at + strlen(at), &narrow), cases[i].result);
        assert_ptr_equal(at, cases[i].text);
        assert_true(wide == 7.0 && narrow == 7.0f);
    }
}

static void nothing_is_read_past_the_end(void **state) {
    (void)state;
    const char *text = "12345e77";
    for (int length = 1; length <= 8; length++) {
        const char *at = text;
        double value;
        assert_int_equal(fr_number_read(&at, text + length, &value), FR_NUMBER_OK);
        assert_true(at <= text + length);
    }
}

static void edges_of_the_range_are_right(void **state) {
    (void)state;
    static const char *const texts[] = {
        "5e-324",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-323",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.797693134862315807e308",
        "1e308",
        "1e309",
        "1e-400",
        "1e-342",
        "1e-343",
        "1e-350",
        "9999999999999999999e-343",
        "9999999999999999999e-344",
        "9007199254740993",
        "9007199254740992.999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000001",
        "1e22",
        "1e23",
        "8.5e22",
        "1e-22",
        "1e-23",
        "1.4e-45",
        "7.0064923216240853e-46",
        "7.0064923216240854e-46",
        "7.1e-46",
        "1.1754942e-38",
        "1.17549435e-38",
        "3.4028234e38",
        "3.4028235e38",
        "3.4028235677973366e38",
        "3.4028236e38",
        "3.5e38",
        "8388608.5",
        "8388609.5",
        "16777217",
        "16777219",
        "33554434.0000001",
        "0e99999999999999999999",
        "0e-99999999999999999999",
        "1e-99999999999999999999",
        "0.000000000000000000000000000000000000000000000000000000000000000000000001e-300"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check(texts[i]);
    }
}

// Long runs of zeros in front, behind and after the point, far beyond any fixed buffer.
static void very_long_numbers_are_right(void **state) {
    (void)state;
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 64);
    assert_non_null(text);
    memset(text, '0', LENGTH);
    strcpy(text + LENGTH, "1.5");
    check(text);
    text[1] = '.';
    strcpy(text + LENGTH, "15e100000");
    check(text);
    memset(text, '0', LENGTH);
    text[0] = '1';
    strcpy(text + LENGTH, "e-100000");
    check(text);
    // A point halfway between two doubles, with something after a thousand zeros.
    strcpy(text, "9007199254740993.");
    memset(text + 17, '0', 1000);
    strcpy(text + 1017, "1");
    check(text);
    text[1017] = '0';
    check(text);
    memset(text, '9', 900);
    text[1] = '.';
    text[900] = '\0';
    check(text);
    free(text);
}

static double random_double(fr_random *random) {
    for (;;) {
        uint64_t bits = fr_random_bits(random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) { return value; }
    }
}

static float random_float(fr_random *random) {
    for (;;) {
        uint32_t bits = (uint32_t)fr_random_bits(random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) { return value; }
    }
}

static void random_numbers_are_right(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    char text[1300];
    uint64_t count = test_count(200000, 10000000);
    for (uint64_t i = 0; i < count; i++) {
        double value = random_double(&random);
        snprintf(text, sizeof text, "%.*e", (int)fr_random_below(&random, 22), value);
        check(text);
        // As files have them.
        int decimals = (int)fr_random_below(&random, 12);
        snprintf(text, sizeof text, "%.*f", decimals, fr_random_between(&random, -1e3, 1e3));
        check(text);
        // Any digits with a point anywhere and any exponent.
        size_t length = 0, digits = 1 + (size_t)fr_random_below(&random, 25),
               point = fr_random_below(&random, digits + 1);
        for (size_t k = 0; k < digits; k++) {
            if (k == point) { text[length++] = '.'; }
            text[length++] = (char)('0' + fr_random_below(&random, 10));
        }
        snprintf(text + length, 16, "e%d", (int)fr_random_below(&random, 700) - 350);
        check(text);
    }
}

// The exact decimal expansion of points halfway between neighbours, and one digit more or less.
static void halfway_points_are_right(void **state) {
    (void)state;
    fr_random random = fr_random_seed(12);
    char text[2600];
    uint64_t count = test_count(10000, 300000);
    for (uint64_t i = 0; i < count; i++) {
        float narrow = random_float(&random);
        double middle = ((double)narrow + (double)nextafterf(narrow, INFINITY)) / 2.0;
        snprintf(text, sizeof text, "%.200f", middle);
        check(text);
        double wide = fr_random_between(&random, -0x1p60, 0x1p60);
        long double half = ((long double)wide + (long double)nextafter(wide, INFINITY)) / 2.0L;
        snprintf(text, sizeof text, "%.60Lf", half);
        check(text);
        text[strlen(text) - 1] = '1';
        check(text);
        snprintf(text, sizeof text, "%.1080f", random_double(&random) * 0x1p-900);
        check(text);
        snprintf(text, sizeof text, "%.800e", random_double(&random));
        check(text);
    }
}

static void whole_numbers_saturate(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        int length;
    } cases[] = {{"0", 0, 1},
                 {"-7 ", -7, 2},
                 {"+42/1", 42, 3},
                 {"4611686018427387904", INT64_C(1) << 62, 19},
                 {"4611686018427387903", (INT64_C(1) << 62) - 1, 19},
                 {"99999999999999999999999", INT64_C(1) << 62, 23},
                 {"-99999999999999999999999", -(INT64_C(1) << 62), 24}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = cases[i].text;
        int64_t value;
        assert_true(fr_number_read_whole(&at, at + strlen(at), &value));
        assert_true(value == cases[i].value);
        assert_int_equal(at - cases[i].text, cases[i].length);
    }
    const char *none = "-x";
    int64_t value;
    assert_false(fr_number_read_whole(&none, none + 2, &value));
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static void check_written_double(double value) {
    char text[FR_NUMBER_BYTES + 1];
    size_t length = fr_number_write(value, text);
    assert_true(length <= 25);
    text[length] = '\0';
    double back = strtod(text, NULL);
    if (memcmp(&back, &value, sizeof back) != 0) { fail_msg("%a was written as %s", value, text); }
}

static void check_written_float(float value) {
    char text[FR_NUMBER_BYTES + 1];
    size_t length = fr_number_write_float(value, text);
    assert_true(length <= 17);
    text[length] = '\0';
    float back = strtof(text, NULL);
    if (memcmp(&back, &value, sizeof back) != 0) { fail_msg("%a was written as %s", (double)value, text); }
}

static void written_numbers_read_back_to_the_same_bits(void **state) {
    (void)state;
    fr_random random = fr_random_seed(13);
    uint64_t count = test_count(200000, 10000000);
    for (uint64_t i = 0; i < count; i++) {
        check_written_double(random_double(&random));
        check_written_float(random_float(&random));
        check_written_double(fr_random_between(&random, -1000.0, 1000.0));
        check_written_float((float)fr_random_between(&random, -1000.0, 1000.0));
    }
    for (int e = -1074; e < 1024; e++) {
        double power = ldexp(1.0, e);
        check_written_double(power);
        check_written_double(nextafter(power, 0.0));
        check_written_double(nextafter(power, INFINITY));
    }
    for (int e = -149; e < 128; e++) {
        float power = ldexpf(1.0f, e);
        check_written_float(power);
        check_written_float(nextafterf(power, 0.0f));
        check_written_float(nextafterf(power, INFINITY));
    }
    check_written_double(1.7976931348623157e308);
    check_written_float(3.4028234e38f);
}

static void written_numbers_are_as_short_as_people_write_them(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {1.0, "1"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {0.3, "0.3"},
                 {100.0, "100"},
                 {123456.0, "123456"},
                 {0.001, "0.001"},
                 {0.00001, "0.00001"},
                 {1e-7, "1e-7"},
                 {1.25e-7, "1.25e-7"},
                 {1e23, "1e23"},
                 {5e-324, "5e-324"},
                 {1e16, "10000000000000000"},
                 {1e17, "1e17"},
                 {2.0 / 3.0, "0.6666666666666666"},
                 {9007199254740993.0, "9007199254740992"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[FR_NUMBER_BYTES + 1];
        text[fr_number_write(cases[i].value, text)] = '\0';
        assert_string_equal(text, cases[i].text);
    }
    char text[FR_NUMBER_BYTES + 1];
    text[fr_number_write_float(0.1f, text)] = '\0';
    assert_string_equal(text, "0.1");
    text[fr_number_write_float(16777216.0f, text)] = '\0';
    assert_string_equal(text, "16777216");
    text[fr_number_write_float(1.4e-45f, text)] = '\0';
    assert_string_equal(text, "1e-45");
}

// Decimals that people type, up to the digits each width keeps, come back as they were typed.
static void short_decimals_survive(void **state) {
    (void)state;
    fr_random random = fr_random_seed(14);
    for (int i = 0; i < 100000; i++) {
        char typed[40], text[FR_NUMBER_BYTES + 1];
        int whole = (int)fr_random_below(&random, 9) + 1, part = (int)fr_random_below(&random, 100000) * 10 + 1;
        snprintf(typed, sizeof typed, "%d.%06d", whole, part);
        const char *at = typed;
        double value;
        fr_number_read(&at, typed + strlen(typed), &value);
        text[fr_number_write(value, text)] = '\0';
        assert_string_equal(text, typed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(hexadecimal_ends_after_the_zero),
        cmocka_unit_test(what_is_no_number_is_told_apart),
        cmocka_unit_test(nothing_is_read_past_the_end),
        cmocka_unit_test(edges_of_the_range_are_right),
        cmocka_unit_test(very_long_numbers_are_right),
        cmocka_unit_test(random_numbers_are_right),
        cmocka_unit_test(halfway_points_are_right),
        cmocka_unit_test(whole_numbers_saturate),
        cmocka_unit_test(written_numbers_read_back_to_the_same_bits),
        cmocka_unit_test(written_numbers_are_as_short_as_people_write_them),
        cmocka_unit_test(short_decimals_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
