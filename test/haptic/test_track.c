// Where a worn device is: the filter, what it leaves out, what a sensor's mount is found from, and maps of a field.
#include "failing.h"
#include "frame.h"
#include "random_vector.h"

#include "fureai/haptic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DT 1e-3

static fr_pose random_pose(fr_random *random, double reach, double turn) {
    fr_quat rotation = fr_quat_from_vector(random_about(random, turn));
    return fr_pose_make(random_about(random, reach), rotation);
}

static fr_track *make(void) {
    fr_track *t = NULL;
    fr_track_def def = fr_default_track_def();
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_OK);
    return t;
}

static fr_track_output tick(fr_track *t, double now, const fr_pose *sample, double stamp) {
    fr_track_input in;
    memset(&in, 0, sizeof in);
    in.now = now;
    in.has_sample = sample != NULL;
    in.sample_time = stamp;
    in.sample = sample != NULL ? *sample : fr_pose_identity();
    fr_track_output out;
    fr_track_tick(t, &in, &out);
    return out;
}

// Stands at a pose, a sample every tenth tick, for a while; returns the time after it.
static double stand(fr_track *t, double now, const fr_pose *pose, int ticks) {
    for (int i = 0; i < ticks; i++) {
        now += DT;
        tick(t, now, i % 10 == 0 ? pose : NULL, now);
    }
    return now;
}

static bool is_lost(fr_track *t, double now) { return (tick(t, now, NULL, 0.0).flags & FR_TRACK_LOST) != 0; }

static void test_a_pose_begins_where_three_samples_agree(void **state) {
    (void)state;
    fr_track *t = make();
    fr_pose pose = fr_pose_make(fr_vec3_make(0.5, 1.0, -0.3), fr_quat_from_vector(fr_vec3_make(0.1, 0.2, 0.3)));
    fr_pose wild = fr_pose_make(fr_vec3_make(9.0, 1.0, -0.3), fr_quat_identity());
    assert_int_equal(tick(t, 0.00, &pose, 0.00).flags, FR_TRACK_LOST);
    assert_int_equal(tick(t, 0.01, &wild, 0.01).flags, FR_TRACK_LOST);
    assert_int_equal(tick(t, 0.02, &pose, 0.02).flags, FR_TRACK_LOST);
    assert_int_equal(tick(t, 0.03, &pose, 0.03).flags, FR_TRACK_LOST);
    fr_track_output out = tick(t, 0.04, &pose, 0.04);
    assert_int_equal(out.flags, FR_TRACK_STARTED);
    assert_true(fr_vec3_equal(out.sensor.position, pose.position));
    fr_track_destroy(t);
}

static void test_a_point_goes_through_mount_and_sensor(void **state) {
    (void)state;
    fr_track_def def = fr_default_track_def();
    def.mount = fr_pose_make(fr_vec3_make(0.0, 0.2, 0.0), fr_quat_from_vector(fr_vec3_make(0.0, 0.0, 0.5)));
    fr_track *t = NULL;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_OK);
    fr_pose pose = fr_pose_make(fr_vec3_make(1.0, 0.0, 0.0), fr_quat_from_vector(fr_vec3_make(0.0, 0.7, 0.0)));
    double now = stand(t, 0.0, &pose, 100);
    fr_track_output out = tick(t, now + DT, NULL, 0.0);
    fr_vec3 p = fr_vec3_make(0.1, -0.05, 0.3);
    fr_vec3 expected = fr_pose_apply(&pose, fr_pose_apply(&def.mount, p));
    assert_true(fr_vec3_distance(fr_track_point(&out, p), expected) < 1e-12);
    fr_track_destroy(t);
}

// A body that goes and turns evenly is followed without lag once its velocity is known.
static void test_even_motion_is_followed_without_lag(void **state) {
    (void)state;
    fr_track *t = make();
    double delay = 0.005, worst = 0.0, worst_turn = 0.0;
    for (int i = 0; i < 3000; i++) {
        double now = i * DT, stamp = now - delay;
        fr_pose pose = fr_pose_make(fr_vec3_make(0.4 * stamp, 0.0, 0.1 * stamp),
                                    fr_quat_from_vector(fr_vec3_make(0.0, 0.5 * stamp, 0.0)));
        fr_track_output out = tick(t, now, i % 10 == 0 && i > 5 ? &pose : NULL, stamp);
        if (i < 2000) { continue; }
        fr_pose here = fr_pose_make(fr_vec3_make(0.4 * now, 0.0, 0.1 * now),
                                    fr_quat_from_vector(fr_vec3_make(0.0, 0.5 * now, 0.0)));
        worst = fmax(worst, fr_vec3_distance(out.sensor.position, here.position));
        fr_quat apart = fr_quat_multiply(here.rotation, fr_quat_conjugate(out.sensor.rotation));
        worst_turn = fmax(worst_turn, fr_vec3_length(fr_quat_to_vector(apart)));
    }
    assert_true(worst < 1e-6 && worst_turn < 1e-6);
    fr_track_destroy(t);
}

static double standard_normal(fr_random *r) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        sum += fr_random_unit(r);
    }
    return sum;
}

// The spread of the pose over that of its samples, for a body at rest.
static double noise_share(double rate, double sigma) {
    fr_track *t = make();
    fr_random random = fr_random_seed(9);
    uint64_t ticks = test_count(40000, 400000), every = (uint64_t)(1.0 / (rate * DT) + 0.5);
    double squares = 0.0, count = 0.0, step = 0.0;
    fr_vec3 last = {0.0, 0.0, 0.0};
    for (uint64_t i = 0; i < ticks; i++) {
        fr_vec3 at;
        at.x = sigma * standard_normal(&random);
        at.y = sigma * standard_normal(&random);
        at.z = sigma * standard_normal(&random);
        fr_pose pose = fr_pose_make(at, fr_quat_identity());
        fr_track_output out = tick(t, (double)i * DT, i % every == 0 ? &pose : NULL, (double)i * DT);
        if (i > 1000) {
            squares += fr_vec3_length_squared(out.sensor.position);
            step = fmax(step, fr_vec3_distance(out.sensor.position, last));
            count += 3.0;
        }
        last = out.sensor.position;
    }
    assert_true(step < 0.6 * sigma); // no sample is a step of the pose
    fr_track_destroy(t);
    return sqrt(squares / count) / sigma;
}

static void test_noise_is_filtered(void **state) {
    (void)state;
    double fast = noise_share(125.0, 5e-4), slow = noise_share(62.5, 5e-4);
    print_message("noise of the pose beside that of samples: %.2f at 125 Hz, %.2f at 62.5 Hz\n", fast, slow);
    assert_true(fast < 0.55 && slow < 0.75);
}

static void test_what_jumps_is_left_out(void **state) {
    (void)state;
    fr_track *t = make();
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 1.0, 0.0), fr_quat_identity());
    double now = stand(t, 0.0, &pose, 200);
    fr_pose far = pose, turned = pose;
    far.position.x = 0.051;
    turned.rotation = fr_quat_from_vector(fr_vec3_make(0.0, 0.6, 0.0));
    fr_track_output out = tick(t, now + DT, &far, now + DT);
    assert_int_equal(out.flags, FR_TRACK_JUMPED);
    assert_true(fr_vec3_distance(out.sensor.position, pose.position) < 1e-12);
    out = tick(t, now + 2.0 * DT, &turned, now + 2.0 * DT);
    assert_int_equal(out.flags, FR_TRACK_JUMPED);
    far.position.x = 0.049; // as far as a body may go: followed slowly
    out = tick(t, now + 3.0 * DT, &far, now + 3.0 * DT);
    assert_int_equal(out.flags, 0);
    assert_true(out.sensor.position.x > 0.0 && out.sensor.position.x < 0.01);
    fr_track_destroy(t);
}

// A sensor that really is somewhere else: nothing for a tenth of a second, then lost, then there.
static void test_a_jump_that_stays_is_a_loss(void **state) {
    (void)state;
    fr_track *t = make();
    fr_pose pose = fr_pose_identity(), there = fr_pose_make(fr_vec3_make(1.0, 0.0, 0.0), fr_quat_identity());
    double now = stand(t, 0.0, &pose, 200);
    bool was_lost = false, has_started = false;
    for (int i = 0; i < 300; i++) {
        now += DT;
        fr_track_output out = tick(t, now, i % 10 == 0 ? &there : NULL, now);
        was_lost = was_lost || (out.flags & FR_TRACK_LOST) != 0;
        if ((out.flags & FR_TRACK_STARTED) != 0) {
            assert_true(was_lost && i > 90);
            has_started = true;
        }
        double x = out.sensor.position.x;
        assert_true(has_started ? x == 1.0 : x == 0.0);
    }
    assert_true(has_started);
    fr_track_destroy(t);
}

static void test_a_dropout_stands_then_is_lost(void **state) {
    (void)state;
    fr_track *t = make();
    double now = 0.0, last = 0.0, farthest = 0.0;
    fr_track_output out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < 1000; i++) {
        now += DT;
        fr_pose pose = fr_pose_make(fr_vec3_make(0.5 * now, 0.0, 0.0), fr_quat_identity());
        if (i % 10 == 0) { last = now; }
        out = tick(t, now, i % 10 == 0 ? &pose : NULL, now);
    }
    for (int i = 0; i < 200; i++) {
        now += DT;
        out = tick(t, now, NULL, 0.0);
        farthest = fmax(farthest, out.sensor.position.x - 0.5 * last);
        double age = now - last;
        if (age > 0.021 && age < 0.099) { assert_int_equal(out.flags, FR_TRACK_OLD); }
        if (age > 0.101) { assert_int_equal(out.flags, FR_TRACK_LOST); }
    }
    assert_true(farthest > 0.0095 && farthest < 0.0105); // 20 ms ahead, no more
    fr_pose again = fr_pose_make(fr_vec3_make(0.6, 0.0, 0.0), fr_quat_identity());
    now = stand(t, now, &again, 100);
    assert_false(is_lost(t, now));
    fr_track_destroy(t);
}

static void test_clocks_that_jump_are_told(void **state) {
    (void)state;
    fr_track *t = make();
    fr_pose pose = fr_pose_identity();
    double now = stand(t, 10.0, &pose, 200);
    assert_int_equal(tick(t, now + DT, &pose, now - 0.05).flags, FR_TRACK_CLOCK);      // older than the last
    assert_int_equal(tick(t, now + 2.0 * DT, &pose, now + 5.0).flags, FR_TRACK_CLOCK); // of the future
    assert_int_equal(tick(t, now + 3.0 * DT, &pose, (double)NAN).flags, FR_TRACK_CLOCK);
    assert_int_equal(tick(t, (double)NAN, NULL, 0.0).flags, FR_TRACK_CLOCK | FR_TRACK_LOST);
    assert_int_equal(tick(t, now + 4.0 * DT, NULL, 0.0).flags, 0);
    assert_int_equal(tick(t, now + 3600.0, NULL, 0.0).flags, FR_TRACK_LOST); // an hour ahead
    now = stand(t, now + 3600.0, &pose, 100);
    assert_false(is_lost(t, now));
    assert_int_equal(tick(t, 1.0, NULL, 0.0).flags, FR_TRACK_CLOCK | FR_TRACK_LOST); // and back
    now = stand(t, 1.0, &pose, 100);
    assert_false(is_lost(t, now));
    fr_track_destroy(t);
}

static void test_what_is_no_pose_is_left_out(void **state) {
    (void)state;
    fr_track *t = make();
    fr_pose pose = fr_pose_identity();
    double now = stand(t, 0.0, &pose, 100);
    fr_pose bad = pose;
    bad.position.y = (double)NAN;
    assert_int_equal(tick(t, now + DT, &bad, now + DT).flags, FR_TRACK_NOT_FINITE);
    bad = pose;
    bad.rotation.w = 0.5;
    fr_track_output out = tick(t, now + 2.0 * DT, &bad, now + 2.0 * DT);
    assert_int_equal(out.flags, FR_TRACK_NOT_FINITE);
    assert_true(fr_vec3_length(out.sensor.position) == 0.0);
    fr_track_destroy(t);
}

// Anything at all may come: the pose stays finite and unit, and moves no faster than the filter unless it is lost.
static void test_nothing_makes_the_pose_jump(void **state) {
    (void)state;
    fr_track *t = make();
    fr_random random = fr_random_seed(4);
    double now = 0.0;
    fr_vec3 last = {0.0, 0.0, 0.0};
    bool was_lost = true;
    uint64_t count = test_count(50000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        now += fr_random_below(&random, 2000) == 0 ? fr_random_between(&random, -0.5, 0.5) : DT;
        double size = fr_random_below(&random, 10) == 0 ? 1.0 : 0.01;
        fr_pose pose = random_pose(&random, size, size);
        if (fr_random_below(&random, 100) == 0) { pose.position.x = (double)INFINITY; }
        bool has_sample = fr_random_below(&random, 9) == 0;
        double stamp = now - fr_random_between(&random, -0.001, 0.01);
        fr_track_output out = tick(t, now, has_sample ? &pose : NULL, stamp);
        bool is_lost = (out.flags & FR_TRACK_LOST) != 0;
        assert_true(fr_vec3_is_finite(out.sensor.position));
        if (!is_lost && !was_lost && (out.flags & FR_TRACK_STARTED) == 0) {
            assert_true(fr_vec3_distance(out.sensor.position, last) < 0.05);
        }
        last = out.sensor.position;
        was_lost = is_lost;
    }
    fr_track_destroy(t);
}

// ---------------------------------------------------------------------------------------------------------------
// Maps

static void test_a_map_is_trilinear(void **state) {
    (void)state;
    fr_vec3 offsets[3 * 2 * 4];
    fr_track_map map = {.bounds = {{-1.0, 0.0, -1.0}, {1.0, 2.0, 2.0}}, .count = {3, 2, 4}, .offsets = offsets};
    for (int z = 0, i = 0; z < 4; z++) {
        for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 3; x++) {
                double px = -1.0 + x, py = 2.0 * y, pz = -1.0 + z;
                offsets[i++] = fr_vec3_make(0.01 * px + 0.02 * py * pz, 0.03 * px * py * pz, 0.01);
            }
        }
    }
    assert_int_equal(fr_track_map_check(&map, NULL), FR_OK);
    fr_random random = fr_random_seed(2);
    for (int i = 0; i < 1000; i++) {
        double x = fr_random_between(&random, -1.0, 1.0), y = fr_random_between(&random, 0.0, 2.0);
        double z = fr_random_between(&random, -1.0, 2.0);
        fr_vec3 o = fr_track_map_offset(&map, fr_vec3_make(x, y, z));
        assert_true(fr_vec3_distance(o, fr_vec3_make(0.01 * x + 0.02 * y * z, 0.03 * x * y * z, 0.01)) < 1e-12);
    }
    fr_vec3 corner = fr_track_map_offset(&map, fr_vec3_make(9.0, 9.0, 9.0));
    assert_true(fr_vec3_distance(corner, offsets[23]) < 1e-15);
    // It is taken off before anything else
    fr_track_def def = fr_default_track_def();
    def.map = &map;
    fr_track *t = NULL;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_OK);
    fr_pose pose = fr_pose_make(fr_vec3_make(0.5, 1.0, 0.5), fr_quat_identity());
    double now = stand(t, 0.0, &pose, 100);
    assert_true(fr_vec3_distance(tick(t, now, NULL, 0.0).sensor.position, fr_vec3_make(0.515, 1.0075, 0.51)) < 1e-9);
    fr_track_destroy(t);
    offsets[5].y = (double)NAN;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_NOT_FINITE);
    map.count[1] = 1;
    assert_int_equal(fr_track_map_check(&map, NULL), FR_ERROR_ARGUMENT);
    fr_track_destroy(t);
}

// ---------------------------------------------------------------------------------------------------------------
// Mounts

// Poses of a body whose tip is on one point of the room; `turn` in radians about each axis, `reach` of the tip.
static void stand_about(fr_random *r, const fr_pose *mount, fr_vec3 point, double turn, double reach, double noise,
                        uint32_t count, fr_pose *sensors, fr_vec3 *tips) {
    for (uint32_t i = 0; i < count; i++) {
        tips[i] = fr_vec3_add(fr_vec3_make(0.05, -0.1, 0.3), random_about(r, reach));
        fr_quat q = fr_quat_from_vector(random_about(r, turn));
        fr_pose turned = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
        fr_vec3 at = fr_pose_apply(&turned, fr_pose_apply(mount, tips[i]));
        sensors[i] = fr_pose_make(fr_vec3_add(fr_vec3_sub(point, at), random_about(r, noise)), q);
    }
}

static void test_a_mount_is_found_however_it_is_turned(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    fr_pose sensors[10];
    fr_vec3 tips[10];
    uint64_t count = test_count(60, 1000);
    for (uint64_t i = 0; i < count; i++) {
        fr_pose mount = random_pose(&random, 0.3, 1.8);
        fr_vec3 point = random_about(&random, 1.5);
        stand_about(&random, &mount, point, 0.6, 0.12, 0.0, 10, sensors, tips);
        fr_track_mount_input in = {sensors, tips, 10};
        fr_track_mount_output out;
        assert_int_equal(fr_track_mount(&in, &out, NULL), FR_OK);
        assert_true(fr_vec3_distance(out.mount.position, mount.position) < 1e-8);
        assert_true(fr_vec3_distance(out.point, point) < 1e-8);
        fr_quat apart = fr_quat_multiply(out.mount.rotation, fr_quat_conjugate(mount.rotation));
        assert_true(fr_vec3_length(fr_quat_to_vector(apart)) < 1e-8);
        assert_true(out.residual < 1e-9 && out.worst < 1e-8);
    }
}

static void test_a_mount_bears_noise(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    fr_pose sensors[40];
    fr_vec3 tips[40];
    fr_pose mount = fr_pose_make(fr_vec3_make(0.1, 0.2, -0.1), fr_quat_from_vector(fr_vec3_make(0.3, -1.0, 0.2)));
    stand_about(&random, &mount, fr_vec3_make(0.2, 1.1, 0.0), 0.6, 0.12, 1e-3, 40, sensors, tips);
    fr_track_mount_input in = {sensors, tips, 40};
    fr_track_mount_output out;
    assert_int_equal(fr_track_mount(&in, &out, NULL), FR_OK);
    assert_true(fr_vec3_distance(out.mount.position, mount.position) < 1e-3);
    assert_true(out.residual > 5e-4 && out.residual < 1.2e-3);
}

static void test_poses_that_tell_too_little_are_refused(void **state) {
    (void)state;
    fr_random random = fr_random_seed(8);
    fr_pose sensors[20], mount = fr_pose_identity();
    fr_vec3 tips[20], point = fr_vec3_make(0.0, 1.0, 0.0);
    fr_track_mount_input in = {sensors, tips, 20};
    fr_track_mount_output out;
    fr_error error;
    stand_about(&random, &mount, point, 0.0, 0.1, 0.0, 20, sensors, tips); // never turned
    assert_int_equal(fr_track_mount(&in, &out, &error), FR_ERROR_ARGUMENT);
    stand_about(&random, &mount, point, 0.5, 0.0, 0.0, 20, sensors, tips); // the tip stayed in the device
    assert_int_equal(fr_track_mount(&in, &out, &error), FR_ERROR_ARGUMENT);
    stand_about(&random, &mount, point, 0.5, 0.1, 0.0, 20, sensors, tips);
    in.count = 9;
    assert_int_equal(fr_track_mount(&in, &out, &error), FR_ERROR_ARGUMENT);
    in.count = 20;
    tips[3].x = (double)NAN;
    assert_int_equal(fr_track_mount(&in, &out, &error), FR_ERROR_NOT_FINITE);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_track *t = NULL;
    fr_track_def def = fr_default_track_def();
    def.cutoff = 0.0;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_ARGUMENT);
    // A filter that lets through so much is none, and would divide infinite by infinite.
    def.cutoff = 1e308;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_track_def();
    def.velocity_cutoff = 1e308;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_track_def();
    def.mount.scale = 2.0;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_track_def();
    def.mount.position.x = (double)NAN;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_NOT_FINITE);
    def = fr_default_track_def();
    def.cookie = 0;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_ERROR_ARGUMENT);
    fr_track_destroy(t);
}

// Limits that are as wide as may be, and a pause of many years: the pose stays a pose.
static void test_the_widest_filter_gives_poses(void **state) {
    (void)state;
    fr_track_def def = fr_default_track_def();
    def.cutoff = def.velocity_cutoff = FR_TRACK_CUTOFF_MAX;
    def.jump = def.lost = def.ahead = 1e300;
    fr_track *t = NULL;
    assert_int_equal(fr_track_create(&def, &t, NULL), FR_OK);
    const double times[] = {0.01, 0.02, 0.03, 0.04, 1e9, 1e304, 1.5e308};
    for (int i = 0; i < 7; i++) {
        fr_track_input in = {
            .now = times[i], .has_sample = true, .sample = fr_pose_identity(), .sample_time = times[i]};
        in.sample.position.x = 0.001 * i;
        fr_track_output out;
        fr_track_tick(t, &in, &out);
        assert_true(fr_vec3_is_finite(out.sensor.position) && isfinite(out.sensor.rotation.w));
    }
    fr_track_destroy(t);
}

static fr_status make_one(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_track_def def = fr_default_track_def();
    def.allocator = *allocator;
    fr_track *made = NULL;
    fr_status status = fr_track_create(&def, &made, NULL);
    assert_true((status == FR_OK) == (made != NULL));
    fr_track_destroy(made);
    return status;
}

static void test_memory_that_fails_is_reported(void **state) {
    (void)state;
    assert_int_equal(test_every_failure(make_one, NULL), 1);
    fr_track_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pose_begins_where_three_samples_agree),
        cmocka_unit_test(test_a_point_goes_through_mount_and_sensor),
        cmocka_unit_test(test_even_motion_is_followed_without_lag),
        cmocka_unit_test(test_noise_is_filtered),
        cmocka_unit_test(test_what_jumps_is_left_out),
        cmocka_unit_test(test_a_jump_that_stays_is_a_loss),
        cmocka_unit_test(test_a_dropout_stands_then_is_lost),
        cmocka_unit_test(test_clocks_that_jump_are_told),
        cmocka_unit_test(test_what_is_no_pose_is_left_out),
        cmocka_unit_test(test_nothing_makes_the_pose_jump),
        cmocka_unit_test(test_a_map_is_trilinear),
        cmocka_unit_test(test_a_mount_is_found_however_it_is_turned),
        cmocka_unit_test(test_a_mount_bears_noise),
        cmocka_unit_test(test_poses_that_tell_too_little_are_refused),
        cmocka_unit_test(test_wrong_definitions_are_refused),
        cmocka_unit_test(test_the_widest_filter_gives_poses),
        cmocka_unit_test(test_memory_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
