// What cups, doors, buttons, levers and dials do, against the formulas of their sources and at their edges.
#include "fureai/human_object.h"
#include "random_vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static fr_status step(const char *name, const fr_object_input *input, fr_object_state *state, fr_object_output *out) {
    const fr_object_skill *skill = fr_object_skill_find(name);
    assert_non_null(skill);
    return skill->step(input, state, out, NULL);
}

static uint32_t count_of(const fr_object_output *out, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->event_count; i++) {
        count += strcmp(out->events[i].name, name) == 0;
    }
    return count;
}

static void put_hand(fr_object_input *input, fr_side side, fr_pose palm) {
    input->hands[side] = (fr_object_hand){true, palm, palm.position, palm.position};
}

static void test_the_table_is_in_order(void **state) {
    (void)state;
    assert_int_equal(fr_object_skill_count(), 6);
    for (uint32_t i = 0; i < fr_object_skill_count(); i++) {
        const fr_object_skill *skill = fr_object_skill_at(i);
        assert_ptr_equal(fr_object_skill_find(skill->name), skill);
        assert_true(skill->words[0] != '\0');
        assert_true(i == 0 || strcmp(fr_object_skill_at(i - 1)->name, skill->name) < 0);
    }
    assert_null(fr_object_skill_find("lamp"));
}

// Section 14.4: the offset is stored once and never changes, whatever the palm does.
static void test_a_cup_follows_the_palm(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    fr_object_input input = fr_default_object_input();
    fr_object_state s = {0};
    fr_object_output out;
    input.object = fr_pose_make(fr_vec3_make(1, 1, 1), fr_quat_from_vector(fr_vec3_make(0.3, 0.2, 0.1)));
    put_hand(&input, FR_LEFT, fr_pose_make(fr_vec3_make(1, 1.16, 1), fr_quat_identity()));
    assert_int_equal(step("follow_hand", &input, &s, &out), FR_OK);
    assert_int_equal(out.intent.kind, FR_INTENT_NONE);
    put_hand(&input, FR_LEFT, fr_pose_make(fr_vec3_make(1, 1.149, 1), fr_quat_from_vector(random_about(&random, 1.0))));
    assert_int_equal(step("follow_hand", &input, &s, &out), FR_OK);
    assert_true(out.intent.kind == FR_INTENT_ATTACH && out.intent.side == FR_LEFT && count_of(&out, "attached") == 1);
    fr_pose offset = out.intent.offset;
    fr_pose back = fr_pose_inverse(&input.hands[FR_LEFT].palm);
    assert_true(fr_vec3_distance(offset.position, fr_pose_apply(&back, input.object.position)) < 1e-15);
    assert_true(fr_vec3_distance(out.intent.pose.position, input.object.position) < 1e-15);
    for (int i = 0; i < 1000; i++) {
        fr_pose palm = fr_pose_make(random_about(&random, i % 3 == 0 ? 1e6 : 2.0),
                                    fr_quat_from_vector(random_about(&random, 3.0)));
        put_hand(&input, FR_LEFT, palm);
        put_hand(&input, FR_RIGHT, fr_pose_make(input.object.position, fr_quat_identity()));
        assert_int_equal(step("follow_hand", &input, &s, &out), FR_OK);
        assert_true(out.intent.kind == FR_INTENT_ATTACH && out.intent.side == FR_LEFT && out.event_count == 0);
        assert_memory_equal(&out.intent.offset, &offset, sizeof offset);
        fr_pose pose = fr_pose_compose(&palm, &offset);
        assert_memory_equal(&out.intent.pose, &pose, sizeof pose);
        input.object = out.intent.pose;
    }

    // Of two hands the nearer one takes it.
    s = (fr_object_state){0};
    input.object = fr_pose_identity();
    put_hand(&input, FR_RIGHT, fr_pose_make(fr_vec3_make(0.1, 0, 0), fr_quat_identity()));
    put_hand(&input, FR_LEFT, fr_pose_make(fr_vec3_make(0, 0.05, 0), fr_quat_identity()));
    assert_int_equal(step("follow_hand", &input, &s, &out), FR_OK);
    assert_true(out.intent.kind == FR_INTENT_ATTACH && out.intent.side == FR_LEFT);
}

// Section 14.3 in plain numbers beside the skill: a random walk of the hand about the knob's arc.
static void test_a_door_follows_the_formula(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    for (int door = 0; door < 50; door++) {
        fr_object_input input = fr_default_object_input();
        input.joint = fr_pose_make(random_about(&random, 2.0), fr_quat_from_vector(random_about(&random, 2.0)));
        input.knob = random_within(&random, fr_vec3_make(-0.9, -0.9, -0.2), fr_vec3_make(0.9, 0.9, 0.2));
        input.low = 0.0;
        input.high = fr_random_between(&random, 0.5, 2.0);
        double rho = hypot(input.knob.x, input.knob.y), angle0 = atan2(input.knob.y, input.knob.x), angle = 0.0;
        bool is_attached = false;
        fr_object_state s = {0};
        double phi = angle0, radius = rho + 0.4, height = input.knob.z;
        for (int k = 0; k < 400; k++) {
            phi += fr_random_between(&random, -0.05, 0.06);
            radius += 0.1 * (rho + (k % 100 > 80 ? 0.4 : 0.0) - radius) + fr_random_between(&random, -0.01, 0.01);
            if (phi > angle0 + 2.5) { phi = angle0 - 0.3; }
            fr_vec3 r = {radius * cos(phi), radius * sin(phi), height + fr_random_between(&random, -0.02, 0.02)};
            fr_pose joint = input.joint;
            put_hand(&input, FR_RIGHT, fr_pose_make(fr_pose_apply(&joint, r), fr_quat_identity()));

            fr_vec3 knob = {rho * cos(angle0 + angle), rho * sin(angle0 + angle), input.knob.z};
            double off = hypot(hypot(r.x, r.y) - rho, r.z - input.knob.z), before = angle;
            if (fr_vec3_distance(r, knob) <= 0.15 || (is_attached && off <= 0.15)) {
                is_attached = true;
                double wanted = remainder(atan2(r.y, r.x) - angle0 - angle, 2.0 * FR_PI) + angle;
                angle = fmin(fmax(wanted, input.low), input.high);
            } else {
                is_attached = false;
            }
            fr_object_output out;
            input.value = before;
            assert_int_equal(step("door", &input, &s, &out), FR_OK);
            assert_int_equal(s.is_attached, is_attached);
            assert_int_equal(out.intent.kind, is_attached ? FR_INTENT_JOINT : FR_INTENT_NONE);
            assert_true(fabs(out.intent.value - angle) < 1e-9);
            angle = out.intent.value;
        }
    }
}

// A door that is let go stays; the events say so once each.
static void test_a_door_stops_when_released(void **state) {
    (void)state;
    fr_object_input input = fr_default_object_input();
    input.knob = fr_vec3_make(0.8, 0, 0);
    input.high = 1.5;
    fr_object_state s = {0};
    fr_object_output out;
    uint32_t attached = 0, released = 0, moved = 0, limits = 0;
    for (int k = 0; k <= 100; k++) {
        double angle = 0.02 * k, radius = k < 60 ? 0.8 : 1.2;
        put_hand(&input, FR_RIGHT,
                 fr_pose_make(fr_vec3_make(radius * cos(angle), radius * sin(angle), 0), fr_quat_identity()));
        assert_int_equal(step("door", &input, &s, &out), FR_OK);
        attached += count_of(&out, "attached");
        released += count_of(&out, "released");
        moved += count_of(&out, "moved");
        limits += count_of(&out, "limit");
        input.value = out.intent.value;
    }
    assert_true(attached == 1 && released == 1 && moved == 1 && limits == 0);
    assert_true(fabs(input.value - 0.02 * 59) < 1e-12);
    for (int k = 59; k <= 140; k++) { // taken again, to the stop and beyond
        double angle = 0.02 * k;
        put_hand(&input, FR_RIGHT,
                 fr_pose_make(fr_vec3_make(0.8 * cos(angle), 0.8 * sin(angle), 0), fr_quat_identity()));
        assert_int_equal(step("door", &input, &s, &out), FR_OK);
        limits += count_of(&out, "limit");
        input.value = out.intent.value;
    }
    assert_true(limits == 1 && input.value == 1.5);
}

static void test_a_button_is_pressed_once(void **state) {
    (void)state;
    fr_object_input input = fr_default_object_input();
    input.joint = fr_pose_make(fr_vec3_make(0.2, 1, 0.5), fr_quat_from_vector(fr_vec3_make(0.3, 2.5, 0)));
    input.high = 0.005;
    fr_object_state s = {0};
    fr_object_output out;
    for (int round = 0; round < 3; round++) {
        uint32_t presses = 0;
        for (int k = -30; k <= 30; k++) {
            double height = 0.002 * abs(k) - 0.008;
            fr_pose joint = input.joint;
            put_hand(&input, FR_RIGHT,
                     fr_pose_make(fr_pose_apply(&joint, fr_vec3_make(0.004, 0, height)), fr_quat_identity()));
            assert_int_equal(step("button", &input, &s, &out), FR_OK);
            double depth = fmin(fmax(-height, 0.0), 0.005);
            assert_true(fabs(out.intent.value - depth) < 1e-12);
            presses += count_of(&out, "press");
            input.value = out.intent.value;
        }
        assert_int_equal(presses, 1);
    }

    // Beside it nothing happens.
    fr_pose joint = input.joint;
    put_hand(&input, FR_RIGHT, fr_pose_make(fr_pose_apply(&joint, fr_vec3_make(0.011, 0, -0.004)), fr_quat_identity()));
    assert_int_equal(step("button", &input, &s, &out), FR_OK);
    assert_true(out.event_count == 0 && out.intent.value == 0.0);
}

static void test_a_slider_and_a_dial(void **state) {
    (void)state;
    fr_object_input input = fr_default_object_input();
    input.kind = FR_JOINT_SLIDER;
    input.joint.rotation = fr_quat_from_vector(fr_vec3_make(0, 0.5 * FR_PI, 0)); // z along +x
    input.knob = fr_vec3_make(0, 0.05, 0);
    input.high = 0.1;
    fr_object_state s = {0};
    fr_object_output out;
    for (int k = 0; k <= 30; k++) {
        put_hand(&input, FR_LEFT, fr_pose_make(fr_vec3_make(0.005 * k, 0.06, 0), fr_quat_identity()));
        assert_int_equal(step("lever", &input, &s, &out), FR_OK);
        assert_true(fabs(out.intent.value - fmin(0.005 * k, 0.1)) < 1e-12);
        input.value = out.intent.value;
    }
    input.hands[FR_LEFT].is_there = false;
    assert_int_equal(step("lever", &input, &s, &out), FR_OK);
    assert_true(count_of(&out, "moved") == 1 && out.events[1].value == input.value);

    // A dial: three turns of the palm, with the limit in between; what was turned too far must be turned back first.
    input = fr_default_object_input();
    input.low = -2.0;
    input.high = 10.0;
    s = (fr_object_state){0};
    double raw = 0.0;
    for (int k = 0; k <= 200; k++) {
        double turned = k <= 150 ? 0.08 * k : 12.0 - 0.08 * (k - 150);
        put_hand(&input, FR_RIGHT,
                 fr_pose_make(fr_vec3_make(0, 0, 0.05), fr_quat_from_vector(fr_vec3_make(0, 0, turned))));
        assert_int_equal(step("dial", &input, &s, &out), FR_OK);
        raw = turned;
        assert_true(fabs(out.intent.value - fmin(raw, 10.0)) < 1e-9);
        input.value = out.intent.value;
    }
}

static void test_a_fall_is_announced_once(void **state) {
    (void)state;
    fr_object_input input = fr_default_object_input();
    fr_object_state s = {0};
    fr_object_output out;
    assert_int_equal(step("fall", &input, &s, &out), FR_OK);
    assert_true(out.intent.kind == FR_INTENT_FALL && out.is_done && count_of(&out, "fall") == 1);
    assert_int_equal(step("fall", &input, &s, &out), FR_OK);
    assert_true(out.intent.kind == FR_INTENT_FALL && out.event_count == 0);
}

// Any numbers: a status or a value within the limits, and a refusal leaves the state as it was.
static void test_hostile_numbers(void **state) {
    (void)state;
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, NAN, INFINITY, -INFINITY, 1e6, 0.15};
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < 20000; i++) {
        fr_object_input input = fr_default_object_input();
        put_hand(&input, FR_RIGHT,
                 fr_pose_make(random_about(&random, 0.1), fr_quat_from_vector(random_about(&random, 3.0))));
        double *const numbers[] = {&input.low,
                                   &input.high,
                                   &input.value,
                                   &input.threshold,
                                   &input.size,
                                   &input.knob.x,
                                   &input.joint.position.y,
                                   &input.object.rotation.w,
                                   &input.hands[0].grip.x,
                                   &input.hands[0].tip.z,
                                   &input.hands[0].palm.position.z,
                                   &input.joint.scale};
        for (int k = 0; k < 2; k++) {
            *numbers[fr_random_below(&random, sizeof numbers / sizeof *numbers)] =
                odd[fr_random_below(&random, sizeof odd / sizeof *odd)];
        }
        fr_object_state s = {0}, before = {0};
        fr_object_output out;
        const fr_object_skill *skill = fr_object_skill_at((uint32_t)i % fr_object_skill_count());
        fr_error error = {0};
        if (skill->step(&input, &s, &out, &error) != FR_OK) {
            assert_true(error.message[0] != '\0');
            assert_memory_equal(&s, &before, sizeof s);
            continue;
        }
        if (out.intent.kind == FR_INTENT_JOINT) {
            assert_true(out.intent.value >= input.low && out.intent.value <= input.high);
        }
    }
    fr_object_input forgotten = {0};
    fr_object_state s = {0};
    fr_object_output out;
    assert_int_equal(step("door", &forgotten, &s, &out), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table_is_in_order),      cmocka_unit_test(test_a_cup_follows_the_palm),
        cmocka_unit_test(test_a_door_follows_the_formula), cmocka_unit_test(test_a_door_stops_when_released),
        cmocka_unit_test(test_a_button_is_pressed_once),   cmocka_unit_test(test_a_slider_and_a_dial),
        cmocka_unit_test(test_a_fall_is_announced_once),   cmocka_unit_test(test_hostile_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
