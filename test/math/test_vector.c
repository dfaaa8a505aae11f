// Unit and perpendicular vectors over the whole range of doubles.
#include "math/sample.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const fr_vec3 FALLBACK = {0.0, 0.0, 1.0};

static void the_unit_of_an_axis_is_exact(void **state) {
    (void)state;
    const double lengths[] = {0x1p-1074, 3.0 * 0x1p-1074, 1e-308, 1e-200, 1e-100, 1.0, 3.7, 1e100, 1e200, 1.7e308};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        fr_vec3 x = {lengths[i], 0.0, 0.0}, y = {0.0, -lengths[i], 0.0},
                diagonal = {lengths[i], lengths[i], -lengths[i]};
        assert_true(fr_vec3_equal(fr_vec3_unit(x, FALLBACK), fr_vec3_make(1.0, 0.0, 0.0)));
        assert_true(fr_vec3_equal(fr_vec3_unit(y, FALLBACK), fr_vec3_make(0.0, -1.0, 0.0)));
        fr_vec3 unit = fr_vec3_unit(diagonal, FALLBACK);
        assert_true(fabs(unit.x - sqrt(1.0 / 3.0)) < 1e-15 && unit.y == unit.x && unit.z == -unit.x);
    }
}

static void what_has_no_direction_takes_the_fallback(void **state) {
    (void)state;
    const fr_vec3 none[] = {{0.0, 0.0, 0.0}, {-0.0, 0.0, -0.0},    {NAN, 1.0, 0.0},
                            {0.0, 0.0, NAN}, {INFINITY, 0.0, 0.0}, {1.0, -INFINITY, NAN}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(fr_vec3_equal(fr_vec3_unit(none[i], FALLBACK), FALLBACK));
    }
}

// The length is 1 and the direction kept, whatever the size; a power of two changes no bit.
static void units_are_right_at_all_sizes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    for (int i = 0; i < 100000; i++) {
        fr_vec3 v = sample_vector(&random, 1.0);
        fr_vec3 unit = fr_vec3_unit(v, FALLBACK);
        assert_true(fabs(fr_vec3_length(unit) - 1.0) < 4.0 * 0x1p-52);
        long double n = sqrtl((long double)v.x * v.x + (long double)v.y * v.y + (long double)v.z * v.z);
        long_vec3 truth = {v.x / n, v.y / n, v.z / n};
        assert_true(long_distance(truth, unit) < 4.0L * 0x1p-53L);

        double power = sample_power(&random, -900, 1000);
        if (fr_vec3_largest(v) < 0.01 || fabs(v.x) < 1e-6 || fabs(v.y) < 1e-6 || fabs(v.z) < 1e-6) { continue; }
        fr_vec3 scaled = fr_vec3_unit(fr_vec3_scale(power, v), FALLBACK);
        assert_memory_equal(&scaled, &unit, sizeof unit);
    }
}

static void subnormal_vectors_keep_their_direction(void **state) {
    (void)state;
    fr_vec3 tiny = {3.0 * 0x1p-1074, 4.0 * 0x1p-1074, 0.0};
    fr_vec3 unit = fr_vec3_unit(tiny, FALLBACK);
    assert_true(unit.x == 0.6 && unit.y == 0.8 && unit.z == 0.0);
}

static void perpendicular_vectors_are_unit_and_perpendicular(void **state) {
    (void)state;
    fr_random random = fr_random_seed(12);
    for (int i = 0; i < 100000; i++) {
        fr_vec3 a = sample_direction(&random);
        if (i < 3) { a = fr_vec3_make(i == 0, i == 1, i == 2); }
        fr_vec3 b = fr_vec3_perpendicular(a);
        assert_true(fabs(fr_vec3_dot(a, b)) < 0x1p-51 && fabs(fr_vec3_length(b) - 1.0) < 0x1p-51);
        fr_vec3 again = fr_vec3_perpendicular(a);
        assert_memory_equal(&b, &again, sizeof b);
    }
}

static void lerp_meets_both_ends(void **state) {
    (void)state;
    fr_random random = fr_random_seed(13);
    for (int i = 0; i < 1000; i++) {
        fr_vec3 a = sample_vector(&random, 1e3), b = sample_vector(&random, 1e-3);
        assert_true(fr_vec3_equal(fr_vec3_lerp(a, b, 0.0), a) && fr_vec3_equal(fr_vec3_lerp(a, b, 1.0), b));
    }
}

static void packed_directions_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(14);
    const double bound = 0.004 * FR_PI / 180.0;
    for (int i = 0; i < 100000; i++) {
        fr_vec3 a = sample_direction(&random);
        if (i < 6) {
            a = fr_vec3_make(i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0, i == 4 ? 1 : i == 5 ? -1 : 0);
        }
        uint32_t packed = fr_direction_pack(fr_vec3_scale(i % 2 == 0 ? 1.0 : 1e-200, a));
        fr_vec3 b = fr_direction_unpack(packed);
        assert_true(packed != FR_DIRECTION_NONE && fr_vec3_distance(a, b) <= bound);
        assert_true(i >= 6 || fr_vec3_equal(a, b));
    }
    // Any bits give a unit vector, but those for none.
    for (uint32_t i = 0; i < 100000; i++) {
        fr_vec3 a = fr_direction_unpack(i * 0x9e3779b1u);
        assert_true(i * 0x9e3779b1u == FR_DIRECTION_NONE || fabs(fr_vec3_length(a) - 1.0) < 0x1p-50);
    }
    const fr_vec3 none = {0, 0, 0};
    assert_true(fr_direction_pack(none) == FR_DIRECTION_NONE);
    assert_true(fr_direction_pack(fr_vec3_make((double)NAN, 1, 0)) == FR_DIRECTION_NONE);
    assert_true(fr_vec3_equal(fr_direction_unpack(FR_DIRECTION_NONE), none));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_of_an_axis_is_exact),
        cmocka_unit_test(what_has_no_direction_takes_the_fallback),
        cmocka_unit_test(units_are_right_at_all_sizes),
        cmocka_unit_test(subnormal_vectors_keep_their_direction),
        cmocka_unit_test(perpendicular_vectors_are_unit_and_perpendicular),
        cmocka_unit_test(lerp_meets_both_ends),
        cmocka_unit_test(packed_directions_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
