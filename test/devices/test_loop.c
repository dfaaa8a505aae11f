// The loop: a minute about a wall, all that can go wrong in contact, and the thread.
#include "frame.h"

#include "loop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define DT 1e-3

// A person with the device on, whose body sways a little, in front of a wall that the pen is pushed against.
typedef struct scene {
    fr_simulated_pen *device;
    fr_simulated_wander wander;
    fr_simulated_tracker *sensor;
    bool has_sensor;
    double jump_time, jump_seconds; // the sensor tells a place 0.2 m away meanwhile
    fr_haptic_loop *loop;
    double now;
} scene;

static fr_pose body_at(double now) {
    fr_vec3 at = fr_vec3_make(0.02 * sin(1.3 * now), 0.003 * sin(0.7 * now), 0.03 * sin(0.9 * now));
    return fr_pose_make(at, fr_quat_from_vector(fr_vec3_make(0.02 * sin(now), 0.05 * sin(0.5 * now), 0.0)));
}

static void sense(fr_track_input *out, void *user) {
    scene *s = user;
    fr_pose truth = body_at(out->now);
    fr_simulated_tracker_tick(s->sensor, out->now, &truth, out);
    if (out->now >= s->jump_time && out->now < s->jump_time + s->jump_seconds) { out->sample.position.y += 0.2; }
}

static scene *begin(fr_simulated_pen_def def, fr_simulated_tracker_def sensor, bool wanders, bool has_sensor) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->wander =
        (fr_simulated_wander){.centre = {0.0, -0.02, 0.0}, .reach = {0.03, 0.03, 0.03}, .seconds = 0.3, .seed = 7};
    if (!wanders) {
        s->wander.centre.y = -0.035;
        s->wander.reach = (fr_vec3){0.0, 0.0, 0.0};
    }
    def.wish = fr_simulated_wander_wish;
    def.wish_user = &s->wander;
    assert_int_equal(fr_simulated_pen_create(&def, &s->device, NULL), FR_OK);
    assert_int_equal(fr_simulated_tracker_create(&sensor, &s->sensor, NULL), FR_OK);
    s->jump_time = INFINITY;
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    loop.device = fr_simulated_pen_device(s->device);
    loop.sense = has_sensor ? sense : NULL;
    loop.sense_user = s;
    s->has_sensor = has_sensor;
    assert_int_equal(fr_haptic_loop_create(&loop, &s->loop, NULL), FR_OK);
    return s;
}

static void end(scene *s) {
    fr_haptic_loop_destroy(s->loop);
    fr_simulated_pen_destroy(s->device);
    fr_simulated_tracker_destroy(s->sensor);
    free(s);
}

static fr_haptic_contact wall(void) {
    fr_haptic_contact c;
    memset(&c, 0, sizeof c);
    c.has_planes = true;
    c.plane_count = 1;
    c.planes[0] = (fr_haptic_plane){.id = 1, .normal = {0.0, 1.0, 0.0}, .offset = 0.0, .side = 1};
    return c;
}

// One tick of everything, the wall sent sixty times a second; the force may fall at will but rises by 50 N/s at most.
static fr_haptic_state tick(scene *s, double dt) {
    fr_haptic_state before = fr_haptic_loop_state(s->loop);
    if (fr_haptic_loop_report(s->loop)->ticks % 16 == 0) {
        fr_haptic_contact c = wall();
        fr_haptic_loop_send(s->loop, &c);
    }
    fr_simulated_pen_advance(s->device, dt > 0.0 && dt < 1.0 ? dt : DT);
    s->now += dt;
    fr_haptic_loop_step(s->loop, s->now);
    fr_haptic_state after = fr_haptic_loop_state(s->loop);
    double rise = fr_vec3_length(after.force) - fr_vec3_length(before.force);
    assert_true(rise <= 50.0 * fmax(dt, 0.0) + 1e-9);
    return after;
}

static fr_haptic_state run(scene *s, int ticks) {
    fr_haptic_state state;
    memset(&state, 0, sizeof state);
    for (int i = 0; i < ticks; i++) {
        state = tick(s, DT);
    }
    return state;
}

// What the strings truly gave to the hand, in the room.
static double work_of_tick(const scene *s, fr_vec3 *last) {
    fr_pose body = body_at(s->now);
    fr_vec3 at =
        s->has_sensor ? fr_pose_apply(&body, fr_simulated_pen_get(s->device).tip) : fr_simulated_pen_get(s->device).tip;
    fr_vec3 force = fr_simulated_pen_get(s->device).force;
    if (s->has_sensor) { force = fr_pose_turn(&body, force); }
    double work = fr_vec3_dot(force, fr_vec3_sub(at, *last));
    *last = at;
    return work;
}

static void minute(bool has_sensor, uint64_t sample) {
    scene *s = begin(fr_default_simulated_pen_def(), fr_default_simulated_tracker_def(), true, has_sensor);
    uint64_t ticks = test_count(sample, 600000), felt = 0;
    double work = 0.0, work_most = 0.0;
    fr_vec3 last = fr_simulated_pen_get(s->device).tip;
    for (uint64_t i = 0; i < ticks; i++) {
        fr_haptic_state now = tick(s, DT);
        felt += fr_vec3_length(now.force) > 0.05;
        double gave = work_of_tick(s, &last);
        work += i > 100 ? gave : 0.0;
        work_most = fmax(work_most, work);
    }
    const fr_haptic_report *r = fr_haptic_loop_report(s->loop);
    print_message("%.0f s, %s: %.0f %% in contact, %.2f N at most, observer %.3f mJ, truly %.3f mJ made at most\n",
                  (double)ticks * DT, has_sensor ? "worn" : "fixed", 100.0 * (double)felt / (double)ticks, r->force_max,
                  1e3 * r->energy_max, 1e3 * work_most);
    assert_true(r->energy_max <= 1e-3);
    assert_true(felt > ticks / 4);
    assert_true(r->flagged[0] < 200); // the tracker begins lost, and is not lost again
    assert_true(fr_simulated_pen_get(s->device).refused == 0 && r->unwritten == 0 && r->lost == 0);
    end(s);
}

static void test_a_minute_about_a_wall_makes_no_energy(void **state) {
    (void)state;
    minute(false, 20000);
    minute(true, 60000);
}

// Comes from outside and leans on the wall until the force stands. A hand that was inside when the force ended is not
// pushed out, since the energy would come from nothing.
static fr_haptic_state lean(scene *s) {
    s->wander.centre.y = 0.02;
    run(s, 300);
    s->wander.centre.y = -0.035;
    return run(s, 500);
}

static scene *leaning(fr_simulated_pen_def def, fr_simulated_tracker_def sensor) {
    scene *s = begin(def, sensor, false, true);
    fr_haptic_state now = lean(s);
    assert_true(fr_vec3_length(now.force) > 1.5);
    assert_true((now.flags & FR_HAPTIC_FAULT) == 0);
    return s;
}

// At each of these the force ends within a tick, tensions too, and comes back slowly once all is well.
static void ends_and_comes_back(scene *s, int wrong_ticks, uint32_t flag) {
    bool has_ended = false;
    for (int i = 0; i < wrong_ticks; i++) {
        fr_haptic_state now = tick(s, DT);
        if ((now.flags & flag) == 0) { continue; }
        has_ended = true;
        assert_true(fr_vec3_length(now.force) == 0.0);
        assert_string_not_equal(fr_haptic_flags_text(now.flags), fr_haptic_flags_text(0));
    }
    assert_true(has_ended);
    fr_haptic_state now = lean(s);
    assert_true(fr_vec3_length(now.force) > 1.5);
    end(s);
}

static void test_a_device_that_is_lost_in_contact(void **state) {
    (void)state;
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.loss_time = 0.9;
    def.loss_seconds = 0.3;
    scene *s = leaning(def, fr_default_simulated_tracker_def());
    run(s, 110);
    fr_haptic_state now = fr_haptic_loop_state(s->loop);
    assert_true((now.status & FR_DEVICE_LOST) != 0 && fr_vec3_length(now.force) == 0.0);
    run(s, 30);
    assert_true(fr_vec3_length(fr_simulated_pen_get(s->device).force) < 1e-3); // and it lets go by itself
    ends_and_comes_back(s, 300, FR_HAPTIC_FAULT);
}

static void test_a_tracker_that_falls_silent_in_contact(void **state) {
    (void)state;
    scene *s = leaning(fr_default_simulated_pen_def(), fr_default_simulated_tracker_def());
    fr_simulated_tracker_silence(s->sensor, s->now + 0.5);
    ends_and_comes_back(s, 600, FR_HAPTIC_FAULT);
    // Short silences are bridged
    fr_simulated_tracker_def sensor = fr_default_simulated_tracker_def();
    sensor.dropouts = 2.0;
    sensor.dropout_seconds = 0.06;
    s = leaning(fr_default_simulated_pen_def(), sensor);
    uint64_t before = fr_haptic_loop_report(s->loop)->flagged[0];
    run(s, 2000);
    assert_true(fr_haptic_loop_report(s->loop)->flagged[0] - before < 200);
    end(s);
}

static void test_a_tracker_that_jumps_in_contact(void **state) {
    (void)state;
    scene *s = leaning(fr_default_simulated_pen_def(), fr_default_simulated_tracker_def());
    s->jump_time = s->now;
    s->jump_seconds = 0.05; // short: left out
    uint64_t before = fr_haptic_loop_report(s->loop)->flagged[0];
    fr_haptic_state now = run(s, 200);
    assert_true(fr_vec3_length(now.force) > 1.0);
    assert_int_equal(fr_haptic_loop_report(s->loop)->flagged[0], before);
    assert_true(fr_haptic_loop_report(s->loop)->track_flagged[2] > 0);
    s->jump_time = s->now;
    s->jump_seconds = 1.0; // long: lost, then there, then lost again
    ends_and_comes_back(s, 1300, FR_HAPTIC_FAULT);
}

static void test_a_string_that_slips_in_contact(void **state) {
    (void)state;
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.slip_time = 0.9;
    def.slip = 0.006;
    scene *s = leaning(def, fr_default_simulated_tracker_def());
    fr_haptic_state now = run(s, 400);
    assert_true((now.flags & FR_HAPTIC_SLIPPED) != 0 && fr_vec3_length(now.force) == 0.0);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        assert_true(now.tensions[i] == 0.0); // motors off until the pen was in its dock again
    }
    now = run(s, 300);
    assert_true((now.flags & FR_HAPTIC_SLIPPED) != 0);
    end(s);
}

static void test_clocks_that_jump_in_contact(void **state) {
    (void)state;
    const double jumps[] = {0.5, 3600.0, -10.0, 0.0};
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
        scene *s = leaning(fr_default_simulated_pen_def(), fr_default_simulated_tracker_def());
        fr_haptic_state now = tick(s, jumps[i]);
        assert_true((now.flags & FR_HAPTIC_CLOCK) != 0 && fr_vec3_length(now.force) == 0.0);
        now = lean(s);
        assert_true(fr_vec3_length(now.force) > 1.5);
        end(s);
    }
}

static void test_letting_the_button_go_ends_the_force(void **state) {
    (void)state;
    scene *s = leaning(fr_default_simulated_pen_def(), fr_default_simulated_tracker_def());
    fr_simulated_pen_press(s->device, 0);
    fr_haptic_state now = tick(s, DT);
    assert_true((now.flags & FR_HAPTIC_RELEASED) != 0 && fr_vec3_length(now.force) == 0.0);
    assert_true(now.tensions[0] > 0.0); // the strings stay taut
    fr_simulated_pen_press(s->device, FR_DEVICE_BUTTON_HELD);
    now = lean(s);
    assert_true(fr_vec3_length(now.force) > 1.5);
    end(s);
}

// An arm on a desk takes force and torque as they are, in its own frame.
typedef struct arm {
    fr_device_reading reading;
    fr_device_command command;
    bool is_closed;
} arm;

static fr_status read_arm(fr_device_reading *out, void *user) {
    *out = ((arm *)user)->reading;
    return FR_OK;
}

static fr_status write_arm(const fr_device_command *command, void *user) {
    ((arm *)user)->command = *command;
    return FR_OK;
}

static void close_arm(void *user) { ((arm *)user)->is_closed = true; }

static void test_an_arm_holds_what_is_shown(void **state) {
    (void)state;
    arm a;
    memset(&a, 0, sizeof a);
    a.reading.buttons = FR_DEVICE_BUTTON_HELD;
    a.reading.tip = fr_vec3_make(0.01, 0.0, 0.0); // mounted so that its x is the room's y
    a.reading.rotation = fr_quat_identity();
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    def.device = (fr_haptic_device){
        .kind = FR_DEVICE_ARM, .force_max = 8.0, .read = read_arm, .write = write_arm, .close = close_arm, .user = &a};
    def.haptic.force_max = 20.0;
    def.track.mount = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0),
                                   fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 1.5707963267948966));
    fr_haptic_loop *loop;
    assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_OK);
    fr_haptic_contact c;
    memset(&c, 0, sizeof c);
    c.has_hold = true;
    c.hold.raw = fr_pose_make(fr_vec3_make(0.0, 0.01, 0.0), def.track.mount.rotation);
    c.hold.shown = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), def.track.mount.rotation);
    c.hold.count = 1;
    c.hold.normals[0] = fr_vec3_make(0.0, 1.0, 0.0);
    c.hold.thresholds[0] = 0.035;
    for (int i = 0; i < 500; i++) {
        if (i % 16 == 0) { fr_haptic_loop_send(loop, &c); }
        fr_haptic_loop_step(loop, i * DT);
    }
    fr_haptic_state now = fr_haptic_loop_state(loop);
    assert_true(fr_vec3_distance(now.force, fr_vec3_make(0.0, -4.0, 0.0)) < 1e-9);
    assert_true(fr_vec3_distance(a.command.force, fr_vec3_make(-4.0, 0.0, 0.0)) < 1e-9 && !a.command.is_safe);
    fr_haptic_loop_destroy(loop);
    assert_true(a.command.is_safe && a.is_closed);
}

// The thread, briefly: it ticks, its answers come back, and what it was given is let go at the end.
static void test_the_thread_ticks_and_ends(void **state) {
    (void)state;
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.is_real_time = true;
    fr_simulated_wander wander = {.centre = {0.0, -0.03, 0.0}, .seconds = 1.0};
    def.wish = fr_simulated_wander_wish;
    def.wish_user = &wander;
    fr_simulated_pen *device;
    assert_int_equal(fr_simulated_pen_create(&def, &device, NULL), FR_OK);
    fr_haptic_loop_def loop_def = fr_default_haptic_loop_def();
    loop_def.device = fr_simulated_pen_device(device);
    fr_haptic_loop *loop;
    assert_int_equal(fr_haptic_loop_create(&loop_def, &loop, NULL), FR_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(fr_haptic_loop_start(loop, NULL), FR_OK);
        assert_int_equal(fr_haptic_loop_start(loop, NULL), FR_ERROR_BUSY);
        uint64_t last = 0;
        for (int i = 0; i < 12; i++) {
            fr_haptic_contact c = wall();
            fr_haptic_loop_send(loop, &c);
            struct timespec pause = {0, 16000000};
            nanosleep(&pause, NULL);
            fr_haptic_state now = fr_haptic_loop_state(loop);
            assert_true(now.tick >= last);
            last = now.tick;
        }
        fr_haptic_loop_stop(loop);
        fr_haptic_loop_stop(loop);
        assert_true(last > 0);
    }
    const fr_haptic_report *r = fr_haptic_loop_report(loop);
    print_message("%llu ticks, CPU %.1f us at 99.9 %%, late by %.1f us at 99.9 %%, real time: %d\n",
                  (unsigned long long)r->ticks, 1e6 * fr_haptic_times_share(&r->cpu, 0.999),
                  1e6 * fr_haptic_times_share(&r->late, 0.999), r->is_real_time);
    assert_true(r->cpu.count == r->ticks && r->rise_max <= 50.0 + 1e-6);
    assert_true(fr_simulated_pen_get(device).commanded[0] == 0.0 && fr_simulated_pen_get(device).refused == 0);
    fr_haptic_loop_destroy(loop);
    fr_simulated_pen_destroy(device);
}

static void test_times_know_their_shares(void **state) {
    (void)state;
    fr_haptic_times *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->width = 1e-6;
    for (int i = 0; i < 1000; i++) {
        fr__haptic_times_add(t, 1e-6 * (i % 100) + 5e-7);
    }
    fr__haptic_times_add(t, 1.0);
    assert_true(fabs(fr_haptic_times_share(t, 0.5) - 51e-6) < 2e-6);
    assert_true(fr_haptic_times_share(t, 0.99) < 1.01e-4);
    assert_true(fr_haptic_times_share(t, 1.0) == 1.0 && t->over == 1);
    free(t);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_simulated_pen_def device_def = fr_default_simulated_pen_def();
    fr_simulated_pen *device;
    assert_int_equal(fr_simulated_pen_create(&device_def, &device, NULL), FR_OK);
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    fr_haptic_loop *loop;
    assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_ERROR_ARGUMENT);
    def.device = fr_simulated_pen_device(device);
    def.rate = 1.0;
    assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_ERROR_ARGUMENT);
    def.rate = 1000.0;
    def.haptic.stiffness = -1.0;
    assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_ERROR_ARGUMENT);
    // The device is the caller's still: neither written nor closed
    arm a;
    memset(&a, 0, sizeof a);
    def.device = (fr_haptic_device){
        .kind = FR_DEVICE_ARM, .force_max = 8.0, .read = read_arm, .write = write_arm, .close = close_arm, .user = &a};
    assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_ERROR_ARGUMENT);
    assert_true(loop == NULL && !a.is_closed && !a.command.is_safe);
    fr_haptic_loop_destroy(NULL);
    def = fr_default_haptic_loop_def();
    def.device = fr_simulated_pen_device(device);
    fr_probe *probe = fr_probe_create();
    def.allocator = fr_probe_allocator(probe);
    for (uint64_t n = 1; n <= 3; n++) {
        fr_probe_fail(probe, n, true);
        assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_ERROR_MEMORY);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    fr_probe_destroy(probe);
    fr_simulated_pen_destroy(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_minute_about_a_wall_makes_no_energy),
        cmocka_unit_test(test_a_device_that_is_lost_in_contact),
        cmocka_unit_test(test_a_tracker_that_falls_silent_in_contact),
        cmocka_unit_test(test_a_tracker_that_jumps_in_contact),
        cmocka_unit_test(test_a_string_that_slips_in_contact),
        cmocka_unit_test(test_clocks_that_jump_in_contact),
        cmocka_unit_test(test_letting_the_button_go_ends_the_force),
        cmocka_unit_test(test_an_arm_holds_what_is_shown),
        cmocka_unit_test(test_the_thread_ticks_and_ends),
        cmocka_unit_test(test_times_know_their_shares),
        cmocka_unit_test(test_wrong_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
