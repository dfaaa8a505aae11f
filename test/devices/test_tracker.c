// The sensor that does not exist: its noise, its rate, its silences; and what the filter makes of it.
#include "frame.h"

#include "fureai/devices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DT 1e-3

static fr_simulated_tracker *make(const fr_simulated_tracker_def *def) {
    fr_simulated_tracker *t;
    assert_int_equal(fr_simulated_tracker_create(def, &t, NULL), FR_OK);
    return t;
}

static void test_noise_grows_towards_the_screens(void **state) {
    (void)state;
    fr_simulated_tracker_def def = fr_default_simulated_tracker_def();
    assert_true(fr_simulated_tracker_noise(&def, def.centre) == 5e-4);
    assert_true(fabs(fr_simulated_tracker_noise(&def, fr_vec3_make(0.0, -1.5, 0.3)) - 5e-3) < 1e-15);
    assert_true(fr_simulated_tracker_noise(&def, fr_vec3_make(0.0, 9.0, 0.3)) ==
                fr_simulated_tracker_noise(&def, fr_vec3_make(0.0, 1.5, 0.0)));
    for (int i = 0; i < 100; i++) {
        assert_true(fr_simulated_tracker_noise(&def, fr_vec3_make(0.015 * i, 0.0, 0.0)) <
                    fr_simulated_tracker_noise(&def, fr_vec3_make(0.015 * (i + 1), 0.0, 0.0)));
    }
}

// Deviation along an axis of samples and of the filtered pose, of a body that stands.
static void spread(fr_vec3 at, double *raw, double *filtered, double *rate) {
    fr_simulated_tracker_def def = fr_default_simulated_tracker_def();
    fr_simulated_tracker *t = make(&def);
    fr_track_def track_def = fr_default_track_def();
    fr_track *track = NULL;
    assert_int_equal(fr_track_create(&track_def, &track, NULL), FR_OK);
    fr_pose truth = fr_pose_make(at, fr_quat_identity());
    double sum = 0.0, sum_filtered = 0.0, ticks = 0.0, samples = 0.0;
    uint64_t count = test_count(40000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_track_input in;
        fr_track_output out;
        fr_simulated_tracker_tick(t, (double)i * DT, &truth, &in);
        fr_track_tick(track, &in, &out);
        if (in.has_sample) {
            assert_true(in.sample_time <= in.now - def.delay + 1e-9);
            sum += fr_vec3_length_squared(fr_vec3_sub(in.sample.position, at));
            samples += 1.0;
        }
        if (i < 1000) { continue; }
        assert_true((out.flags & FR_TRACK_LOST) == 0);
        sum_filtered += fr_vec3_length_squared(fr_vec3_sub(out.sensor.position, at));
        ticks += 1.0;
    }
    *raw = sqrt(sum / (3.0 * samples));
    *filtered = sqrt(sum_filtered / (3.0 * ticks));
    *rate = samples / ((double)count * DT);
    fr_track_destroy(track);
    fr_simulated_tracker_destroy(t);
}

static void test_the_filter_halves_the_noise(void **state) {
    (void)state;
    double raw, filtered, rate;
    spread(fr_vec3_make(0.0, 0.0, 0.0), &raw, &filtered, &rate);
    print_message("centre: %.2f mm, filtered %.2f mm, %.0f Hz\n", 1e3 * raw, 1e3 * filtered, rate);
    assert_true(fabs(raw - 5e-4) < 2e-5 && filtered < 0.6 * raw && fabs(rate - 120.0) < 2.0);
    spread(fr_vec3_make(0.2, 1.5, 0.0), &raw, &filtered, &rate);
    print_message("screen: %.2f mm, filtered %.2f mm\n", 1e3 * raw, 1e3 * filtered);
    assert_true(fabs(raw - 5e-3) < 2e-4 && filtered < 0.6 * raw);
}

static void test_a_seed_gives_the_same_samples(void **state) {
    (void)state;
    fr_simulated_tracker_def def = fr_default_simulated_tracker_def();
    def.dropouts = 1.0;
    def.wild_share = 0.05;
    fr_simulated_tracker *a = make(&def), *b = make(&def);
    def.seed = 2;
    fr_simulated_tracker *c = make(&def);
    bool differs = false;
    uint32_t samples = 0;
    for (int i = 0; i < 5000; i++) {
        fr_pose truth = fr_pose_make(fr_vec3_make(0.1 * i * DT, 0.0, 0.0), fr_quat_identity());
        fr_track_input x, y, z;
        fr_simulated_tracker_tick(a, i * DT, &truth, &x);
        fr_simulated_tracker_tick(b, i * DT, &truth, &y);
        fr_simulated_tracker_tick(c, i * DT, &truth, &z);
        assert_memory_equal(&x.sample, &y.sample, sizeof x.sample);
        assert_true(x.has_sample == y.has_sample);
        samples += x.has_sample;
        differs = differs || memcmp(&x.sample, &z.sample, sizeof x.sample) != 0;
    }
    assert_true(differs && samples > 400 && samples < 590); // of 600
    fr_simulated_tracker_destroy(a);
    fr_simulated_tracker_destroy(b);
    fr_simulated_tracker_destroy(c);
}

static void test_silence_is_told_as_a_loss_and_wild_samples_are_left_out(void **state) {
    (void)state;
    fr_simulated_tracker_def def = fr_default_simulated_tracker_def();
    def.wild_share = 0.1;
    fr_simulated_tracker *t = make(&def);
    fr_track_def track_def = fr_default_track_def();
    fr_track *track = NULL;
    assert_int_equal(fr_track_create(&track_def, &track, NULL), FR_OK);
    fr_pose truth = fr_pose_identity();
    uint32_t jumps = 0, losses = 0;
    for (int i = 0; i < 10000; i++) {
        fr_track_input in;
        fr_track_output out;
        if (i == 5000) { fr_simulated_tracker_silence(t, 5.3); }
        fr_simulated_tracker_tick(t, i * DT, &truth, &in);
        fr_track_tick(track, &in, &out);
        jumps += (out.flags & FR_TRACK_JUMPED) != 0;
        losses += i > 1000 && (out.flags & FR_TRACK_LOST) != 0;
        assert_true(fr_vec3_length(out.sensor.position) < 0.01);
    }
    assert_true(jumps > 50 && losses > 190 && losses < 400);
    fr_track_destroy(track);
    fr_simulated_tracker_destroy(t);
}

// A field that is wrong in a known way is put right by its map.
static void test_a_map_takes_the_warp_off(void **state) {
    (void)state;
    fr_vec3 offsets[8];
    for (int i = 0; i < 8; i++) {
        offsets[i] = fr_vec3_make(i & 1 ? 0.02 : -0.02, i & 2 ? 0.01 : -0.01, 0.005);
    }
    fr_track_map map = {.bounds = {{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}, .count = {2, 2, 2}, .offsets = offsets};
    fr_simulated_tracker_def def = fr_default_simulated_tracker_def();
    def.warp = &map;
    def.noise_centre = def.noise_screen = 0.0;
    fr_pose truth = fr_pose_make(fr_vec3_make(1.0, 1.0, 0.0), fr_quat_identity());
    double off[2];
    for (int with = 0; with < 2; with++) {
        fr_simulated_tracker *t = make(&def);
        fr_track_def track_def = fr_default_track_def();
        track_def.map = with ? &map : NULL;
        fr_track *track = NULL;
        assert_int_equal(fr_track_create(&track_def, &track, NULL), FR_OK);
        for (int i = 0; i < 2000; i++) {
            fr_track_input in;
            fr_track_output out;
            fr_simulated_tracker_tick(t, i * DT, &truth, &in);
            fr_track_tick(track, &in, &out);
            off[with] = fr_vec3_distance(out.sensor.position, truth.position);
        }
        fr_track_destroy(track);
        fr_simulated_tracker_destroy(t);
    }
    assert_true(off[0] > 0.014 && off[1] < 3e-4); // the map is asked at the measured place, not the true one
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise_grows_towards_the_screens),
        cmocka_unit_test(test_the_filter_halves_the_noise),
        cmocka_unit_test(test_a_seed_gives_the_same_samples),
        cmocka_unit_test(test_silence_is_told_as_a_loss_and_wild_samples_are_left_out),
        cmocka_unit_test(test_a_map_takes_the_warp_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
