// The string device that does not exist: what it counts, how it pulls, and that it lets go by itself.
#include "frame.h"

#include "fureai/devices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static fr_vec3 tip_of(const fr_haptic_device *device, double *residual) {
    fr_device_reading reading;
    assert_int_equal(device->read(&reading, device->user), FR_OK);
    double lengths[FR_STRING_COUNT];
    fr_pulleys_lengths(&device->pulleys, reading.counts, lengths);
    fr_strings_tip_output tip;
    assert_int_equal(fr_strings_tip(&device->strings, lengths, NULL, &tip, NULL), FR_OK);
    *residual = tip.residual;
    return tip.tip;
}

static void test_counts_tell_the_tip_within_a_fifth_of_a_millimetre(void **state) {
    (void)state;
    fr_simulated_wander wander = {.reach = {0.08, 0.08, 0.08}, .seconds = 0.3, .seed = 1};
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.wish = fr_simulated_wander_wish;
    def.wish_user = &wander;
    fr_simulated_pen *s;
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_OK);
    fr_haptic_device device = fr_simulated_pen_device(s);
    double worst = 0.0, farthest = 0.0;
    uint64_t ticks = test_count(5000, 100000);
    for (uint64_t i = 0; i < ticks; i++) {
        fr_simulated_pen_advance(s, 1e-3);
        double residual;
        fr_vec3 tip = tip_of(&device, &residual);
        worst = fmax(worst, fr_vec3_distance(tip, fr_simulated_pen_get(s).tip));
        farthest = fmax(farthest, fr_vec3_length(fr_simulated_pen_get(s).tip));
        assert_true(residual < 8e-4);
    }
    print_message("the tip is off by %.3f mm at most\n", 1e3 * worst);
    assert_true(worst <= 2e-4 && farthest > 0.05);
    fr_simulated_pen_destroy(s);
}

static void test_strings_pull_as_told_and_let_go_alone(void **state) {
    (void)state;
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    fr_simulated_pen *s;
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_OK);
    fr_haptic_device device = fr_simulated_pen_device(s);
    fr_vec3 wanted = fr_vec3_make(0.5, 1.0, -0.3);
    for (int i = 0; i < 2000; i++) {
        fr_strings_pull_output pull;
        assert_int_equal(
            fr_strings_pull(&device.strings, fr_simulated_pen_get(s).tip, wanted, FR_PULL_NEAREST, &pull, NULL), FR_OK);
        fr_device_command command;
        memset(&command, 0, sizeof command);
        memcpy(command.tensions, pull.tensions, sizeof command.tensions);
        assert_int_equal(device.write(&command, device.user), FR_OK);
        fr_simulated_pen_advance(s, 1e-3);
    }
    assert_true(fr_vec3_distance(fr_simulated_pen_get(s).force, wanted) < 0.02);
    assert_true(fr_vec3_distance(fr_simulated_pen_get(s).tip, fr_vec3_scale(1.0 / def.grip, wanted)) <
                1e-4); // the grip gave way
    fr_simulated_pen_advance(s, 0.019);
    assert_true(fr_vec3_length(fr_simulated_pen_get(s).force) > 1.0);
    fr_simulated_pen_advance(s, 0.01);
    assert_true(fr_vec3_length(fr_simulated_pen_get(s).force) < 1e-6);
    fr_device_command wrong;
    memset(&wrong, 0, sizeof wrong);
    wrong.tensions[2] = 7.0;
    assert_int_equal(device.write(&wrong, device.user), FR_ERROR_ARGUMENT);
    wrong.tensions[2] = (double)NAN;
    assert_int_equal(device.write(&wrong, device.user), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_simulated_pen_get(s).refused, 2);
    fr_simulated_pen_destroy(s);
}

static void test_it_slips_and_falls_silent_when_asked_to(void **state) {
    (void)state;
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.slip_time = 0.1;
    def.slip = 0.005;
    def.loss_time = 0.2;
    def.loss_seconds = 0.05;
    def.start = fr_vec3_make(0.03, 0.02, -0.05);
    fr_simulated_pen *s;
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_OK);
    fr_haptic_device device = fr_simulated_pen_device(s);
    double residual;
    tip_of(&device, &residual);
    assert_true(residual < 2e-4);
    fr_simulated_pen_advance(s, 0.11);
    tip_of(&device, &residual);
    assert_true(residual > 8e-4);
    fr_simulated_pen_advance(s, 0.1);
    fr_device_reading reading;
    assert_int_equal(device.read(&reading, device.user), FR_ERROR_SYSTEM);
    fr_simulated_pen_advance(s, 0.1);
    assert_int_equal(device.read(&reading, device.user), FR_OK);
    fr_simulated_pen_destroy(s);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_simulated_pen *s;
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.mass = 0.0;
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_simulated_pen_def();
    def.grip = (double)NAN;
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_simulated_pen_def();
    def.strings.anchors[1] = def.strings.anchors[0];
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_simulated_pen_def();
    def.start.x = (double)NAN;
    assert_int_equal(fr_simulated_pen_create(&def, &s, NULL), FR_ERROR_NOT_FINITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_tell_the_tip_within_a_fifth_of_a_millimetre),
        cmocka_unit_test(test_strings_pull_as_told_and_let_go_alone),
        cmocka_unit_test(test_it_slips_and_falls_silent_when_asked_to),
        cmocka_unit_test(test_wrong_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
