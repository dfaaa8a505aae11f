// The measured curves of gait: values that were published beside the coefficients, laws by speed, own powers.
#include "frame.h"
#include "human/gait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) { fail_msg("%.15g is not %.15g", value, expected); }
}

// Values at the relative speed 0.4, phases 0, 0.1, .. 0.5, as published with the table.
static void gives_the_published_values(void **state) {
    (void)state;
    static const struct {
        fr__gait_curve curve;
        double values[5], tolerance;
    } rows[] = {{FR__KNEE_FLEXION, {7.24, 24.06, 20.71, 22.23, 13.46}, 0.01},
                {FR__HIP_FLEXION, {25.90, 26.06, 14.20, 6.11, -5.97}, 0.01},
                {FR__PELVIS_TURN, {4.59, 4.00, 3.67, 1.31, -1.58}, 0.01},
                {FR__CHEST_TURN, {-7.53, -6.72, -3.79, 1.32, 5.00}, 0.01},
                {FR__SHOULDER_FLEXION, {-17.27, -16.04, -10.42, -1.88, 5.10}, 0.01},
                {FR__ELBOW_FLEXION, {24.29, 21.88, 24.34, 30.22, 38.40}, 0.01},
                {FR__FOOT_PITCH, {26.09, 4.39, 1.73, -0.80, -3.48}, 0.01},
                {FR__ANKLE_FORWARD, {0.3419, 0.2082, 0.0604, -0.0748, -0.2065}, 1e-4}};
    fr__gait gait;
    fr__gait_init(&gait, 0.9005, 0.4 * sqrt(FR__GRAVITY * 0.9005), 0.0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 5; k++) {
            double value = fr__gait_at(&gait, rows[i].curve, 0.1 * k);
            expect_near(value, rows[i].values[k], rows[i].tolerance);
            expect_near(fr__gait_at(&gait, rows[i].curve, 0.1 * k - 3.0), value, 1e-9);
        }
    }
}

static void follows_the_laws_by_speed(void **state) {
    (void)state;
    for (double s = 0.1; s < 0.8; s += 0.05) {
        fr__gait gait;
        fr__gait_init(&gait, 0.7, s * sqrt(FR__GRAVITY * 0.7), 0.0);
        double kept = s < 0.17 ? 0.17 : (s > 0.68 ? 0.68 : s);
        expect_near(gait.speed, kept, 1e-12);
        expect_near(gait.stride, 2.316 * 0.7 * pow(kept, 0.4534), 1e-12);
        expect_near(gait.stride / gait.period, kept * sqrt(FR__GRAVITY * 0.7), 1e-12);
        assert_true(gait.stance > 0.5 && gait.stance < 0.7);
    }
}

static void powers_are_those_of_the_library(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < 10000; i++) {
        double base = exp(fr_random_between(&random, -13.8, 13.8)), exponent = fr_random_between(&random, -2.0, 2.0);
        double expected = pow(base, exponent);
        assert_true(fabs(fr__gait_power(base, exponent) - expected) <= 1e-13 * expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_values),
        cmocka_unit_test(follows_the_laws_by_speed),
        cmocka_unit_test(powers_are_those_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
