// What a hand feels of an object that faces hold: springs to where it is shown, the magnet's detent, and no energy.
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
#define THRESHOLD 0.035 // of a cube of 70 mm that lies flat: 0.5 sqrt(A)

static fr_haptic *make(double stiffness) {
    fr_haptic *h = NULL;
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = stiffness;
    def.force_max = 8.0;
    assert_int_equal(fr_haptic_create(&def, &h, NULL), FR_OK);
    return h;
}

static fr_haptic_input input_at(fr_vec3 tip, fr_vec3 turn) {
    fr_haptic_input in;
    memset(&in, 0, sizeof in);
    in.dt = DT;
    in.tip = tip;
    in.has_rotation = true;
    in.rotation = fr_quat_from_vector(turn);
    in.is_held = true;
    return in;
}

// Held by upright planes through the origin whose normals are the first axes of y, x, z: shown is what they leave.
static fr_haptic_hold hold_of(uint32_t count, fr_vec3 tip, fr_vec3 turn) {
    const fr_vec3 normals[] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    fr_haptic_hold hold;
    memset(&hold, 0, sizeof hold);
    hold.count = count;
    fr_vec3 shown = tip, left = turn;
    for (uint32_t i = 0; i < count; i++) {
        hold.normals[i] = normals[i];
        hold.thresholds[i] = THRESHOLD;
        shown = fr_vec3_add_scaled(shown, -fr_vec3_dot(normals[i], shown), normals[i]);
    }
    if (count == 1) { left = fr_vec3_make(0.0, turn.y, 0.0); }
    if (count > 1) { left = fr_vec3_make(0.0, 0.0, 0.0); }
    hold.raw = fr_pose_make(tip, fr_quat_from_vector(turn));
    hold.shown = fr_pose_make(shown, fr_quat_from_vector(left));
    return hold;
}

// Rests at a place with its hold sent each tick.
static fr_haptic_output rest(fr_haptic *h, uint32_t count, fr_vec3 tip, fr_vec3 turn, int ticks) {
    fr_haptic_output out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < ticks; i++) {
        fr_haptic_input in = input_at(tip, turn);
        in.has_hold = true;
        in.hold = hold_of(count, tip, turn);
        fr_haptic_tick(h, &in, &out);
    }
    return out;
}

static void test_springs_go_to_where_it_is_shown(void **state) {
    (void)state;
    fr_vec3 tip = fr_vec3_make(0.004, 0.01, -0.006), none = fr_vec3_make(0.0, 0.0, 0.0);
    const fr_vec3 forces[] = {{0.0, 0.0, 0.0}, {0.0, -4.0, 0.0}, {-1.6, -4.0, 0.0}, {-1.6, -4.0, 2.4}};
    for (uint32_t count = 0; count <= 3; count++) {
        fr_haptic *h = make(400.0);
        fr_haptic_output out = rest(h, count, tip, none, 400);
        assert_true(fr_vec3_distance(out.force, forces[count]) < 1e-9);
        assert_int_equal(out.flags, 0);
        fr_haptic_destroy(h);
    }
    // Turned by 0.2 about x and 0.3 about y: one plane leaves the turn about its normal
    fr_haptic *h = make(400.0);
    fr_haptic_output out = rest(h, 1, none, fr_vec3_make(0.2, 0.0, 0.0), 400);
    assert_true(fr_vec3_distance(out.torque, fr_vec3_make(-0.1, 0.0, 0.0)) < 1e-9);
    out = rest(h, 1, none, fr_vec3_make(0.0, 0.3, 0.0), 400);
    assert_true(fr_vec3_length(out.torque) < 1e-9);
    out = rest(h, 2, none, fr_vec3_make(0.0, 0.3, 0.0), 400);
    assert_true(fr_vec3_distance(out.torque, fr_vec3_make(0.0, -0.15, 0.0)) < 1e-9);
    // 8 N and 0.3 N m are the most
    out = rest(h, 3, fr_vec3_make(0.0, -0.1, 0.0), fr_vec3_make(1.5, 0.0, 0.0), 600);
    assert_true(fabs(out.force.y - 8.0) < 1e-9 && fabs(fr_vec3_length(out.torque) - 0.3) < 1e-9);
    assert_true((out.flags & FR_HAPTIC_CLAMPED) != 0);
    fr_haptic_destroy(h);
}

// Between two pictures SHOWN goes with the hand: sliding fast is free, and so is turning about the normal.
static void test_sliding_between_pictures_is_free(void **state) {
    (void)state;
    fr_haptic *h = make(2000.0);
    double most = 0.0, most_torque = 0.0;
    for (int i = 0; i < 2000; i++) {
        fr_vec3 tip = fr_vec3_make(0.5 * i * DT, -0.001, 0.0), turn = fr_vec3_make(0.0, i * DT, 0.0);
        fr_haptic_input in = input_at(tip, turn);
        if (i % 33 == 0) {
            in.has_hold = true;
            in.hold = hold_of(1, tip, turn);
        }
        fr_haptic_output out;
        fr_haptic_tick(h, &in, &out);
        most = fmax(most, fabs(out.force.x));
        most_torque = fmax(most_torque, fr_vec3_length(out.torque));
        if (i > 100) { assert_true(out.proxy.x == tip.x && fabs(out.proxy.y) < 1e-15); }
    }
    assert_true(most < 0.06 && most_torque < 2e-3); // the damping alone: 0.1 N s/m, 0.001 N m s/rad
    fr_haptic_destroy(h);
}

static void test_the_pull_is_a_detent(void **state) {
    (void)state;
    fr_vec3 none = fr_vec3_make(0.0, 0.0, 0.0);
    const double away[] = {0.0, 0.005, 0.0175, 0.02, 0.03, 0.035, 0.05};
    const double pulls[] = {0.0, 2.0, 7.0, 6.0, 2.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof away / sizeof away[0]; i++) {
        fr_haptic *h = make(400.0);
        fr_haptic_output out = rest(h, 1, fr_vec3_make(0.0, away[i], 0.0), none, 400);
        assert_true(fabs(out.force.y + pulls[i]) < 1e-9);
        fr_haptic_destroy(h);
    }
    // The torque goes with it; into the face there is no end but 8 N
    fr_haptic *h = make(400.0);
    fr_haptic_output out = rest(h, 1, fr_vec3_make(0.0, 0.034, 0.0), fr_vec3_make(0.2, 0.0, 0.0), 400);
    assert_true(fr_vec3_length(out.torque) < 0.004);
    out = rest(h, 1, fr_vec3_make(0.0, -0.018, 0.0), none, 400);
    assert_true(fabs(out.force.y - 7.2) < 1e-9);
    fr_haptic_destroy(h);
}

// A hand of 0.3 kg with the grip of a spring of 20 Hz, damped a little, between the device and what a person wishes.
typedef struct hand {
    fr_vec3 x, v; // metres
    fr_quat q;
    fr_vec3 spin;
    double damping; // share of the critical
    double given;   // joules that the device gave it, and the most it ever had
    double most;
} hand;

static hand hand_of(double damping) { return (hand){.q = fr_quat_identity(), .damping = damping}; }

static fr_vec3 sprung(fr_vec3 away, fr_vec3 v, fr_vec3 force, double mass, double damping) {
    double w = 2.0 * FR_PI * 20.0;
    fr_vec3 a = fr_vec3_add_scaled(fr_vec3_scale(w * w, away), -2.0 * damping * w, v);
    return fr_vec3_add_scaled(a, 1.0 / mass, force);
}

// The device's force stands over a tick; the hand goes on in ten small steps.
static void move(hand *m, fr_vec3 wish, fr_vec3 wish_turn, const fr_haptic_output *out) {
    double dt = DT / 10.0, inertia = 0.3 * 0.05 * 0.05;
    for (int i = 0; i < 10; i++) {
        fr_vec3 away = fr_vec3_sub(wish, m->x);
        fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(fr_quat_from_vector(wish_turn), fr_quat_conjugate(m->q)));
        m->v = fr_vec3_add_scaled(m->v, dt, sprung(away, m->v, out->force, 0.3, m->damping));
        m->spin = fr_vec3_add_scaled(m->spin, dt, sprung(turn, m->spin, out->torque, inertia, m->damping));
        m->x = fr_vec3_add_scaled(m->x, dt, m->v);
        m->q = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(dt, m->spin)), m->q);
        assert_int_equal(fr_quat_normalize(&m->q, NULL), FR_OK);
        m->given += dt * (fr_vec3_dot(out->force, m->v) + fr_vec3_dot(out->torque, m->spin));
    }
    m->most = fmax(m->most, m->given);
}

static fr_vec3 turn_of(const hand *m) { return fr_quat_to_vector(m->q); }

// Pulls a cube off a table slowly, pictures thirty times a second. Returns the most pull; where it came off and what
// work the hand did are printed.
static double pull_off(double stiffness) {
    fr_haptic *h = make(stiffness);
    hand m = hand_of(0.3);
    double most = 0.0, off = 0.0;
    bool is_held = true;
    fr_vec3 none = fr_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 4000; i++) {
        fr_vec3 wish = fr_vec3_make(0.0, 0.02 * fmax(0.0, i * DT - 0.2), 0.0);
        fr_haptic_input in = input_at(m.x, turn_of(&m));
        if (i % 33 == 0) {
            if (is_held && m.x.y > THRESHOLD) {
                is_held = false;
                off = m.x.y;
            }
            in.has_hold = true;
            in.hold = hold_of(is_held ? 1 : 0, m.x, turn_of(&m));
        }
        fr_haptic_output out;
        fr_haptic_tick(h, &in, &out);
        most = fmax(most, -out.force.y);
        move(&m, wish, none, &out);
    }
    print_message("K = %.1f N/mm: pulls by %.2f N at most, comes off at %.1f mm, the hand did %.0f mJ\n",
                  1e-3 * stiffness, most, 1e3 * off, -1e3 * m.given);
    assert_true(!is_held && off < THRESHOLD + 2e-3 && m.given < 0.0);
    fr_haptic_destroy(h);
    return most;
}

static void test_the_peak_pull_is_the_printed_one(void **state) {
    (void)state;
    const double stiffnesses[] = {200.0, 400.0, 1000.0, 2000.0};
    for (size_t i = 0; i < sizeof stiffnesses / sizeof stiffnesses[0]; i++) {
        double expected = fmin(8.0, stiffnesses[i] * THRESHOLD / 2.0), most = pull_off(stiffnesses[i]);
        assert_true(fabs(most - expected) < 0.1 * expected);
    }
}

// A hand at a corner that is knocked and left alone: it comes to rest, with no more energy than it was given.
static void test_a_knocked_hand_comes_to_rest(void **state) {
    (void)state;
    const double stiffnesses[] = {400.0, 1000.0, 2000.0};
    for (size_t k = 0; k < sizeof stiffnesses / sizeof stiffnesses[0]; k++) {
        for (uint32_t count = 1; count <= 3; count++) {
            fr_haptic *h = make(stiffnesses[k]);
            hand m = hand_of(0.02);
            m.v = fr_vec3_make(-0.1, -0.2, 0.05);
            m.spin = fr_vec3_make(1.0, 0.5, -1.0);
            fr_vec3 none = fr_vec3_make(0.0, 0.0, 0.0);
            for (int i = 0; i < 3000; i++) {
                fr_haptic_input in = input_at(m.x, turn_of(&m));
                if (i % 16 == 0) {
                    in.has_hold = true;
                    in.hold = hold_of(count, m.x, turn_of(&m));
                }
                fr_haptic_output out;
                fr_haptic_tick(h, &in, &out);
                move(&m, none, none, &out);
            }
            assert_true(m.most <= 1e-3);
            assert_true(fr_vec3_length(m.v) < 0.01 && fr_vec3_length(m.x) < 1e-3 && fr_vec3_length(turn_of(&m)) < 0.01);
            fr_haptic_destroy(h);
        }
    }
}

// A wild minute: wishes, faces and turns at random. The hand never gets back more than it gave.
static void test_no_energy_is_made(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        const double stiffnesses[] = {400.0, 1000.0, 2000.0};
        fr_haptic *h = make(stiffnesses[k]);
        hand m = hand_of(0.1);
        fr_vec3 aim = {0.0, 0.0, 0.0}, aim_turn = aim, wish = aim, turned = aim;
        double last = 0.0, seen = 0.0;
        uint32_t count = 0;
        uint64_t ticks = test_count(20000, 60000), felt = 0;
        for (uint64_t i = 0; i < ticks; i++) {
            if (i % 200 == 0) {
                aim = random_within(&random, fr_vec3_make(-0.02, -0.03, -0.02), fr_vec3_make(0.02, 0.04, 0.02));
                aim_turn = random_about(&random, 0.3);
                count = (uint32_t)fr_random_below(&random, 4);
            }
            wish = fr_vec3_lerp(wish, aim, 0.02); // as fast as an arm goes: a time constant of 50 ms
            turned = fr_vec3_lerp(turned, aim_turn, 0.02);
            fr_haptic_input in = input_at(m.x, turn_of(&m));
            if (i % 33 == 0) {
                in.has_hold = true;
                in.hold = hold_of(count, m.x, turn_of(&m));
            }
            fr_haptic_output out;
            fr_haptic_tick(h, &in, &out);
            seen = fmax(seen, out.energy);
            double size = fr_vec3_length(out.force);
            assert_true(size <= last + 50.0 * DT + 1e-12 && size <= 8.0 + 1e-12);
            last = size;
            felt += size > 0.1;
            move(&m, wish, turned, &out);
        }
        worst = fmax(worst, fmax(m.most, seen));
        assert_true(felt > ticks / 4);
        fr_haptic_destroy(h);
    }
    print_message("%.3f mJ made at most\n", 1e3 * worst);
    assert_true(worst <= 1e-3);
}

static void test_planes_and_holds_take_turns(void **state) {
    (void)state;
    fr_haptic *h = make(400.0);
    fr_vec3 none = fr_vec3_make(0.0, 0.0, 0.0), tip = fr_vec3_make(0.0, -0.005, 0.0);
    fr_haptic_output out = rest(h, 1, tip, none, 200);
    assert_true(fabs(out.force.y - 2.0) < 1e-9);
    fr_haptic_input in = input_at(tip, none);
    in.has_planes = true;
    in.plane_count = 1;
    in.planes[0] = (fr_haptic_plane){.id = 1, .normal = {0.0, 1.0, 0.0}, .offset = 0.005, .side = 1};
    for (int i = 0; i < 200; i++) {
        fr_haptic_tick(h, &in, &out);
    }
    assert_true(fabs(out.force.y - 4.0) < 1e-9);
    out = rest(h, 0, tip, none, 20);
    assert_true(fr_vec3_length(out.force) == 0.0);
    fr_haptic_destroy(h);
}

static void test_anything_wrong_ends_force_and_torque(void **state) {
    (void)state;
    fr_vec3 tip = fr_vec3_make(0.0, 0.01, 0.0), turn = fr_vec3_make(0.3, 0.0, 0.0);
    for (int what = 0; what < 8; what++) {
        fr_haptic *h = make(400.0);
        fr_haptic_output out = rest(h, 1, tip, turn, 400);
        assert_true(fr_vec3_length(out.force) > 3.9 && fr_vec3_length(out.torque) > 0.14);
        fr_haptic_input bad = input_at(tip, turn);
        bad.has_hold = true;
        bad.hold = hold_of(1, tip, turn);
        switch (what) {
        case 0: bad.rotation.w = 3.0; break;
        case 1: bad.hold.normals[0].y = 1.1; break;
        case 2: bad.hold.thresholds[0] = 0.0; break;
        case 3: bad.hold.shown.position.x = (double)NAN; break;
        case 4: bad.hold.count = 4; break;
        case 5: bad.hold.count = 2, bad.hold.normals[1] = bad.hold.normals[0], bad.hold.thresholds[1] = 1.0; break;
        case 6: bad.is_held = false; break;
        default: bad.dt = -1.0; break;
        }
        fr_haptic_tick(h, &bad, &out);
        assert_true(fr_vec3_length(out.force) == 0.0 && fr_vec3_length(out.torque) == 0.0);
        assert_true((out.flags & (FR_HAPTIC_NOT_FINITE | FR_HAPTIC_RELEASED | FR_HAPTIC_CLOCK)) != 0);
        out = rest(h, 1, tip, turn, 1);
        assert_true(fr_vec3_length(out.force) <= 50.0 * DT + 1e-12 && fr_vec3_length(out.torque) <= 2.0 * DT + 1e-12);
        fr_haptic_destroy(h);
    }
    // What is not sent again ends too
    fr_haptic *h = make(400.0);
    rest(h, 1, tip, turn, 400);
    fr_haptic_output out;
    for (int i = 0; i < 102; i++) {
        fr_haptic_input in = input_at(tip, turn);
        fr_haptic_tick(h, &in, &out);
    }
    assert_true(fr_vec3_length(out.force) == 0.0 && (out.flags & FR_HAPTIC_STALE) != 0);
    fr_haptic_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_go_to_where_it_is_shown),
        cmocka_unit_test(test_sliding_between_pictures_is_free),
        cmocka_unit_test(test_the_pull_is_a_detent),
        cmocka_unit_test(test_the_peak_pull_is_the_printed_one),
        cmocka_unit_test(test_a_knocked_hand_comes_to_rest),
        cmocka_unit_test(test_no_energy_is_made),
        cmocka_unit_test(test_planes_and_holds_take_turns),
        cmocka_unit_test(test_anything_wrong_ends_force_and_torque),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
