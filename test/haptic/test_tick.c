// The force at a pen: its law, its limits, what makes it zero at once, and that it makes no energy.
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
#define NO_FORCE                                                                                                       \
    (FR_HAPTIC_FAULT | FR_HAPTIC_RELEASED | FR_HAPTIC_SLIPPED | FR_HAPTIC_STALE | FR_HAPTIC_CLOCK |                    \
     FR_HAPTIC_NOT_FINITE)

static fr_haptic *make(const fr_haptic_def *def) {
    fr_haptic *h = NULL;
    fr_haptic_def d = def != NULL ? *def : fr_default_haptic_def();
    assert_int_equal(fr_haptic_create(&d, &h, NULL), FR_OK);
    return h;
}

static fr_haptic_plane plane_of(uint32_t id, double x, double y, double z, double offset) {
    fr_haptic_plane p = {.id = id, .normal = fr_vec3_make(x, y, z), .offset = offset, .side = 1};
    return p;
}

static fr_haptic_input input_at(double x, double y, double z) {
    fr_haptic_input in;
    memset(&in, 0, sizeof in);
    in.dt = DT;
    in.tip = fr_vec3_make(x, y, z);
    in.is_held = true;
    return in;
}

static void send(fr_haptic_input *in, fr_haptic_plane plane) {
    in->has_planes = true;
    in->planes[in->plane_count++] = plane;
}

// Ticks at one place, planes sent each time, until force and velocity stand.
static fr_haptic_output rest(fr_haptic *h, const fr_haptic_input *in, int ticks) {
    fr_haptic_output out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < ticks; i++) {
        fr_haptic_tick(h, in, &out);
    }
    return out;
}

static void test_a_plane_pushes_by_its_depth(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.3, -0.005, 0.1);
    send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
    fr_haptic_output out = rest(h, &in, 200);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(0.0, 2.0, 0.0)) < 1e-9);
    assert_true(fr_vec3_distance(out.proxy, fr_vec3_make(0.3, 0.0, 0.1)) < 1e-12);
    assert_int_equal(out.flags, 0);
    // With a distance it begins before the surface; from behind it pushes the other way; 4 N are the most
    in.planes[0].distance = 0.01;
    out = rest(h, &in, 200);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(0.0, 4.0, 0.0)) < 1e-9);
    assert_true((out.flags & FR_HAPTIC_CLAMPED) != 0);
    in.planes[0].side = -1;
    out = rest(h, &in, 200);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(0.0, -2.0, 0.0)) < 1e-9);
    in.tip.y = -0.02;
    out = rest(h, &in, 2);
    assert_true(fr_vec3_length(out.force) == 0.0); // never pulls
    fr_haptic_destroy(h);
}

static void test_the_side_of_the_first_touch_is_kept(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.0, 0.004, 0.0);
    fr_haptic_plane plane = plane_of(7, 0.0, 1.0, 0.0, 0.0);
    plane.side = 0;
    plane.distance = 0.005;
    send(&in, plane);
    fr_haptic_output out = rest(h, &in, 100);
    assert_true(out.force.y > 0.0);
    in.tip.y = -0.004; // through the plane: still pushed back to where it came from
    out = rest(h, &in, 100);
    assert_true(fabs(out.force.y - 400.0 * 0.009) < 1e-6);
    fr_haptic_destroy(h);
}

static void test_corners_hold_by_two_and_three_planes(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(-0.003, -0.004, 0.2);
    send(&in, plane_of(1, 1.0, 0.0, 0.0, 0.0));
    send(&in, plane_of(2, 0.0, 1.0, 0.0, 0.0));
    fr_haptic_output out = rest(h, &in, 200);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(1.2, 1.6, 0.0)) < 1e-9);
    in.tip.z = -0.002;
    send(&in, plane_of(3, 0.0, 0.0, 1.0, 0.0));
    out = rest(h, &in, 200);
    assert_true(fr_vec3_length(out.proxy) < 1e-12);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(1.2, 1.6, 0.8)) < 1e-9);
    // Two that lean on one another: the proxy is on their edge, not the sum of two pushes
    fr_haptic_destroy(h);
    h = make(NULL);
    in = input_at(0.0, -0.003, 0.0);
    send(&in, plane_of(1, 0.6, 0.8, 0.0, 0.0));
    send(&in, plane_of(2, -0.6, 0.8, 0.0, 0.0));
    out = rest(h, &in, 200);
    assert_true(fr_vec3_distance(out.proxy, fr_vec3_make(0.0, 0.0, 0.0)) < 1e-12);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(0.0, 1.2, 0.0)) < 1e-9);
    fr_haptic_destroy(h);
}

static void test_a_slot_that_allows_no_place_holds_the_tip_amid(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.0, 0.001, 0.0);
    fr_haptic_plane low = plane_of(1, 0.0, 1.0, 0.0, -0.002), high = plane_of(2, 0.0, -1.0, 0.0, -0.002);
    low.distance = high.distance = 0.01;
    send(&in, low);
    send(&in, high);
    fr_haptic_output out = rest(h, &in, 200);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(0.0, -0.8, 0.0)) < 1e-9);
    fr_haptic_destroy(h);
}

// The force rises by 50 N/s at most, whatever the pose does.
static void test_no_pose_makes_a_force_step(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    fr_haptic *h = make(NULL);
    fr_vec3 last = fr_vec3_make(0.0, 0.0, 0.0);
    double x = 0.0; // of the last tip
    uint64_t count = test_count(50000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        double size = fr_random_below(&random, 20) == 0 ? 1.0 : 0.003;
        fr_vec3 at = random_about(&random, size);
        fr_haptic_input in = input_at(x + at.x, at.y, at.z);
        x = in.tip.x;
        if (fr_random_below(&random, 15) == 0) {
            uint32_t planes = (uint32_t)fr_random_below(&random, 4);
            for (uint32_t k = 0; k < planes; k++) {
                fr_vec3 n = fr_vec3_unit(random_about(&random, 1.0), fr_vec3_make(1.0, 0.0, 0.0));
                send(&in, plane_of(k + 1, n.x, n.y, n.z, fr_random_between(&random, -0.01, 0.01)));
            }
            in.has_planes = true;
        }
        in.has_pulse = fr_random_below(&random, 200) == 0;
        fr_haptic_output out;
        fr_haptic_tick(h, &in, &out);
        double before = fr_vec3_length(last), now = fr_vec3_length(out.force);
        assert_true(now <= 4.0 + 1e-12 && now <= before + 50.0 * DT + 1e-12);
        last = out.force;
    }
    fr_haptic_destroy(h);
}

static void test_anything_wrong_ends_the_force_at_once(void **state) {
    (void)state;
    for (int what = 0; what < 7; what++) {
        fr_haptic *h = make(NULL);
        fr_haptic_input in = input_at(0.0, -0.01, 0.0);
        send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
        fr_haptic_output out = rest(h, &in, 200);
        assert_true(fabs(out.force.y - 4.0) < 1e-9);
        fr_haptic_input bad = in;
        uint32_t flag = 0;
        switch (what) {
        case 0: bad.is_fault = true, flag = FR_HAPTIC_FAULT; break;
        case 1: bad.is_held = false, flag = FR_HAPTIC_RELEASED; break;
        case 2: bad.is_slipped = true, flag = FR_HAPTIC_SLIPPED; break;
        case 3: bad.dt = 0.5, flag = FR_HAPTIC_CLOCK; break;
        case 4: bad.dt = -1e-3, flag = FR_HAPTIC_CLOCK; break;
        case 5: bad.tip.x = NAN, flag = FR_HAPTIC_NOT_FINITE; break;
        default: bad.planes[0].normal.y = 2.0, flag = FR_HAPTIC_NOT_FINITE; break;
        }
        fr_haptic_tick(h, &bad, &out);
        assert_int_equal(out.flags & NO_FORCE, flag);
        assert_true(fr_vec3_length(out.force) == 0.0);
        // And comes back slowly
        fr_haptic_tick(h, &in, &out);
        assert_true(fr_vec3_length(out.force) <= 0.05 + 1e-12);
        out = rest(h, &in, 200);
        assert_true(fabs(out.force.y - 4.0) < 1e-9);
        fr_haptic_destroy(h);
    }
}

// Numbers that are finite and too large to be reckoned with: a force within its limit, or none and a reason.
static void test_huge_numbers_make_no_force_without_a_limit(void **state) {
    (void)state;
    static const double sizes[] = {1e6, 1e100, 1e200, 1e300, 1.7e308};
    fr_haptic *h = make(NULL);
    uint32_t refused = 0;
    for (int i = 0; i < 4 * 5 * 5; i++) {
        double size = sizes[i / 4 % 5], sign = (i & 1) != 0 ? -1.0 : 1.0;
        fr_haptic_input in = input_at(sign * size, -sign * size, size), near = input_at(0.0, -0.001, 0.0);
        fr_haptic_plane plane = plane_of(1, 0.0, 1.0, 0.0, (i & 2) != 0 ? sizes[i / 20] : 0.0);
        fr_haptic_output out;
        send(&in, plane);
        send(&near, plane_of(1, 0.0, 1.0, 0.0, 0.0));
        for (int k = 0; k < 15; k++) {
            fr_haptic_tick(h, &in, &out);
            bool is_right = fr_vec3_length(out.force) <= fr_default_haptic_def().force_max * (1.0 + 1e-12);
            if (!is_right) { fail_msg("%g N at %g, flags %x", fr_vec3_length(out.force), size, out.flags); }
            if ((out.flags & NO_FORCE) != 0) { assert_true(fr_vec3_length(out.force) == 0.0); }
            refused += (out.flags & FR_HAPTIC_NOT_FINITE) != 0;
        }
        // What comes after is felt as ever
        out = rest(h, &near, 200);
        assert_true(fabs(out.force.y - 0.4) < 1e-9);
    }
    assert_true(refused > 0);
    fr_haptic_destroy(h);
}

static void test_planes_grow_stale(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.0, -0.005, 0.0);
    send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
    fr_haptic_output out = rest(h, &in, 200);
    in.has_planes = false;
    out = rest(h, &in, 98);
    assert_true(fabs(out.force.y - 2.0) < 1e-9);
    out = rest(h, &in, 3);
    assert_true(fr_vec3_length(out.force) == 0.0 && (out.flags & FR_HAPTIC_STALE) != 0);
    in.has_planes = true;
    in.plane_count = 0; // nothing near is an answer, too
    out = rest(h, &in, 20);
    assert_int_equal(out.flags, 0);
    fr_haptic_destroy(h);
}

static void test_a_change_of_planes_is_blended(void **state) {
    (void)state;
    fr_haptic_def def = fr_default_haptic_def();
    def.rise = INFINITY;
    fr_haptic *h = make(&def);
    fr_haptic_input in = input_at(0.0, -0.005, 0.0);
    send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
    (void)rest(h, &in, 50);
    in.planes[0] = plane_of(2, 0.0, 1.0, 0.0, 0.004);
    fr_haptic_output out;
    double last = 2.0;
    for (int i = 0; i < 12; i++) {
        fr_haptic_tick(h, &in, &out);
        assert_true(out.force.y >= last - 1e-12 && out.force.y <= last + 0.17);
        last = out.force.y;
    }
    assert_true(fabs(last - 3.6) < 1e-9);
    fr_haptic_destroy(h);
}

static void test_a_pulse_tells_of_a_point(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.01, 0.0, 0.0);
    (void)rest(h, &in, 10);
    in.has_pulse = true;
    fr_haptic_output out;
    fr_haptic_tick(h, &in, &out);
    in.has_pulse = false;
    out = rest(h, &in, 40);
    assert_true(fr_vec3_distance(out.force, fr_vec3_make(1.0, 0.0, 0.0)) < 1e-9);
    out = rest(h, &in, 25);
    assert_true(fr_vec3_length(out.force) == 0.0);
    // Against the motion of a pen that moves
    for (int i = 0; i < 100; i++) {
        in.tip.y += 1e-4;
        in.has_pulse = i == 80;
        fr_haptic_tick(h, &in, &out);
    }
    assert_true(out.force.y < -0.5 && fabs(out.force.x) < 1e-3);
    fr_haptic_destroy(h);
}

// A pen of 0.08 kg with a damping b on a wall of stiffness k, pushed onto it by 1 N. It
// swings by 0.2 mm at first; returns how much it does so at the end.
static double swing(double k, double b, double damping, double dt, double seconds) {
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = k;
    def.damping = damping;
    def.rise = INFINITY;
    def.blend = 0.0;
    def.force_max = 1e9;
    def.jump = def.late = 1e9;
    def.is_observed = false;
    fr_haptic *h = make(&def);
    double mass = 0.08, push = 1.0, x = -push / k - 1e-4, v = 0.0, low = 0.0, high = 0.0;
    double decay = exp(-b / mass * dt);
    int ticks = (int)(seconds / dt);
    for (int i = 0; i < ticks; i++) {
        fr_haptic_input in = input_at(0.0, x, 0.0);
        in.dt = dt;
        send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
        fr_haptic_output out;
        fr_haptic_tick(h, &in, &out);
        // The force stands over the tick: v' = (F - push - b v) / m, exactly
        double end = (out.force.y - push) / b;
        x += end * dt + (v - end) * mass / b * (1.0 - decay);
        v = end + (v - end) * decay;
        if (i == ticks * 9 / 10) { low = high = x; }
        low = fmin(low, x);
        high = fmax(high, x);
    }
    fr_haptic_destroy(h);
    return high - low;
}

static void test_walls_are_stable_up_to_the_bound(void **state) {
    (void)state;
    assert_true(swing(1000.0, 0.5, 0.0, 1e-3, 20.0) < 1.95e-4);
    assert_true(swing(1100.0, 0.5, 0.0, 1e-3, 20.0) > 2.2e-4);
    assert_true(swing(4000.0, 2.0, 0.0, 1e-3, 20.0) < 1.95e-4);
    assert_true(swing(4500.0, 2.0, 0.0, 1e-3, 20.0) > 2.2e-4);
    assert_true(swing(600.0, 0.5, 0.2, 1e-3, 20.0) < 1.95e-4);
    // At the rate of pictures a wall is a cushion
    assert_true(swing(30.0, 0.5, 0.0, 1.0 / 30.0, 120.0) < 1.95e-4);
    assert_true(swing(40.0, 0.5, 0.0, 1.0 / 30.0, 120.0) > 2.2e-4);
}

// A hand that wanders about a wall for a while; the energy it got back is never more than what it gave.
static void test_no_energy_is_made(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    fr_haptic *h = make(NULL);
    double x = 0.0, v = 0.0, aim = 0.0, given = 0.0, worst = 0.0, most = 0.0;
    uint64_t ticks = test_count(60000, 600000), in_contact = 0;
    for (uint64_t i = 0; i < ticks; i++) {
        if (i % 150 == 0) { aim = fr_random_between(&random, -0.03, 0.01); }
        fr_haptic_input in = input_at(0.0, x, 0.0);
        if (i % 33 == 0) { send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.002 * fr_random_between(&random, -1.0, 1.0))); }
        fr_haptic_output out;
        fr_haptic_tick(h, &in, &out);
        in_contact += out.force.y > 0.0;
        double hand = 150.0 * (aim - x) - 3.0 * v, before = x;
        v += (out.force.y + hand) / 0.2 * DT;
        x += v * DT;
        given += out.force.y * (x - before);
        worst = fmax(worst, out.energy);
        most = fmax(most, given);
    }
    print_message("%.0f s about a wall: %.3f mJ made at most (observer %.3f mJ), %.0f %% in contact\n",
                  DT * (double)ticks, 1e3 * most, 1e3 * worst, 100.0 * (double)in_contact / (double)ticks);
    assert_true(in_contact > ticks / 10);
    assert_true(worst <= 1e-3 && most <= 1e-3);
    fr_haptic_destroy(h);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_haptic *h = NULL;
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = NAN;
    assert_int_equal(fr_haptic_create(&def, &h, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_haptic_def();
    def.rise = 0.0;
    assert_int_equal(fr_haptic_create(&def, &h, NULL), FR_ERROR_ARGUMENT);
    def.rise = def.torque_rise = INFINITY;
    assert_int_equal(fr_haptic_create(&def, &h, NULL), FR_OK);
    fr_haptic_destroy(h);
    def.cutoff = INFINITY; // of no use: the velocity would be no number
    assert_int_equal(fr_haptic_create(&def, &h, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_haptic_def();
    def.cookie = 0;
    assert_int_equal(fr_haptic_create(&def, &h, NULL), FR_ERROR_ARGUMENT);
    fr_haptic_destroy(h);
}

static fr_status make_one(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_haptic_def def = fr_default_haptic_def();
    def.allocator = *allocator;
    fr_haptic *made = NULL;
    fr_status status = fr_haptic_create(&def, &made, NULL);
    assert_true((status == FR_OK) == (made != NULL));
    fr_haptic_destroy(made);
    return status;
}

static void test_memory_that_fails_is_reported(void **state) {
    (void)state;
    assert_int_equal(test_every_failure(make_one, NULL), 1);
    fr_haptic_destroy(NULL);
}

// A weight is felt whole up to half of what the device can do, comes by 10 N/s, and ends at once when nothing is sent
// any more. Over a wall it never makes the force rise faster than it may, and the observer counts what the wall does.
static void test_a_load_is_carried(void **state) {
    (void)state;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.0, 0.0, 0.0);
    in.has_planes = true;
    in.load = fr_vec3_make(0.0, -1.0, 0.0);
    fr_haptic_output out = rest(h, &in, 50);
    assert_true(fabs(out.force.y + 0.5) < 1e-9);
    out = rest(h, &in, 60);
    assert_true(fr_vec3_distance(out.force, in.load) < 1e-12 && out.energy == 0.0);
    in.load.y = -9.0;
    out = rest(h, &in, 500);
    assert_true(fabs(out.force.y + 2.0) < 1e-12);
    in.has_planes = false;
    out = rest(h, &in, 101);
    assert_true(out.force.y == 0.0 && (out.flags & FR_HAPTIC_STALE) != 0);
    in.has_planes = true;
    in.load.y = (double)NAN;
    fr_haptic_tick(h, &in, &out);
    assert_true(out.force.y == 0.0 && (out.flags & FR_HAPTIC_NOT_FINITE) != 0);
    fr_haptic_destroy(h);

    fr_random random = fr_random_seed(5);
    h = make(NULL);
    in = input_at(0.0, 0.01, 0.0);
    send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
    double last = 0.0, most = 0.0, farthest = 0.0;
    fr_vec3 aim = in.tip;
    uint64_t count = test_count(20000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 200 == 0) {
            aim = fr_vec3_make(fr_random_between(&random, -0.03, 0.03), fr_random_between(&random, -0.015, 0.02), 0.0);
            in.load = fr_vec3_make(0.0, -2.0 * fr_random_unit(&random), 0.0);
        }
        double height = in.tip.y;
        in.tip = fr_vec3_lerp(in.tip, aim, 0.01);
        farthest = fmax(farthest, in.tip.y - height);
        fr_haptic_tick(h, &in, &out);
        double force = fr_vec3_length(out.force);
        assert_true(force <= 4.0 + 1e-9 && force - last <= 50.0 * DT + 1e-9);
        last = force;
        most = fmax(most, out.energy);
    }
    // The tip starts and stops within one tick, and the force of the tick before, k x at the depth x, stands over all
    // of its displacement d, though the hand put in k x^2 / 2: of k x d this leaves k d^2 / 2 at most.
    print_message("%.0f s with a load: %.4f mJ made at most\n", DT * (double)count, 1e3 * most);
    assert_true(most <= 0.5 * fr_default_haptic_def().stiffness * farthest * farthest && most <= 2.5e-5);
    fr_haptic_destroy(h);
}

// What is set down on a table is not lighter there: the hand that leans on with a tremor stays in touch, or nearly so,
// and as it is lifted its weight is whole again within the time that a force may rise in.
static void test_a_load_stays_while_it_is_set_down(void **state) {
    (void)state;
    const double mass = 0.2, grip = 150.0, damping = 3.0, weight = 0.65;
    fr_haptic *h = make(NULL);
    fr_haptic_input in = input_at(0.0, 0.01, 0.0);
    fr_haptic_output out = {0};
    send(&in, plane_of(1, 0.0, 1.0, 0.0, 0.0));
    in.load = fr_vec3_make(0.0, -weight, 0.0);
    double velocity = 0.0, highest = 0.0, lightest = weight, lifted = -1.0;
    for (int i = 0; i < 6000; i++) {
        // Held by a wish above it, as high as its weight asks for; pressed 1 mm in from 1 s to 5 s
        double time = i * DT,
               wish = weight / grip + (time < 1.0 || time > 5.0 ? 0.01 : -1e-3 + 6e-4 * sin(52.0 * time));
        double force = out.force.y + grip * (wish - in.tip.y) - damping * velocity;
        velocity += force / mass * DT;
        in.tip.y += velocity * DT;
        fr_haptic_tick(h, &in, &out);
        if (time > 2.0 && time < 5.0) { highest = fmax(highest, in.tip.y); }
        if (time > 5.0 && lifted < 0.0 && in.tip.y > 0.0) { lifted = time; }
        if (lifted > 0.0 && time > lifted + weight / 50.0 + 2.0 * DT) { lightest = fmin(lightest, -out.force.y); }
    }
    assert_true(highest < 1e-3 && lifted > 5.0 && fabs(lightest - weight) < 1e-9 && out.energy <= 1e-6);
    fr_haptic_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_load_is_carried),
        cmocka_unit_test(test_a_load_stays_while_it_is_set_down),
        cmocka_unit_test(test_a_plane_pushes_by_its_depth),
        cmocka_unit_test(test_the_side_of_the_first_touch_is_kept),
        cmocka_unit_test(test_corners_hold_by_two_and_three_planes),
        cmocka_unit_test(test_a_slot_that_allows_no_place_holds_the_tip_amid),
        cmocka_unit_test(test_no_pose_makes_a_force_step),
        cmocka_unit_test(test_anything_wrong_ends_the_force_at_once),
        cmocka_unit_test(test_huge_numbers_make_no_force_without_a_limit),
        cmocka_unit_test(test_planes_grow_stale),
        cmocka_unit_test(test_a_change_of_planes_is_blended),
        cmocka_unit_test(test_a_pulse_tells_of_a_point),
        cmocka_unit_test(test_walls_are_stable_up_to_the_bound),
        cmocka_unit_test(test_no_energy_is_made),
        cmocka_unit_test(test_wrong_definitions_are_refused),
        cmocka_unit_test(test_memory_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
