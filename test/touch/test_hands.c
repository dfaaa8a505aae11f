// Two hands: one object in both.
#include "frame.h"
#include "hands.h"

#include "fureai/touch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static double apart(const fr_pose *a, const fr_pose *b) {
    double worst = 0.0;
    const fr_vec3 corners[4] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 4; i++) {
        worst = fmax(worst, fr_vec3_distance(fr_pose_apply(a, corners[i]), fr_pose_apply(b, corners[i])));
    }
    return worst;
}

// Both hands at random, at least a hand's breadth apart.
static void random_hands(fr_random *random, fr_pose hands[2]) {
    do {
        hands[0] = random_pose(random, 0.5, 3.0);
        hands[1] = random_pose(random, 0.5, 3.0);
    } while (fr_vec3_distance(hands[0].position, hands[1].position) < 0.1);
}

static void test_hands_that_stay_leave_it(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (int i = 0; i < 100; i++) {
        fr_pose hands[2], object = random_pose(&random, 1.0, 3.0);
        object.scale = 2.5;
        random_hands(&random, hands);
        fr_pose pose = fr_hands_pose(&object, hands, hands);
        assert_true(apart(&pose, &object) < 1e-12);
        assert_true(pose.scale == 2.5);
    }
}

// What both hands do as one body, the object does.
static void test_a_common_motion_is_followed(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    uint64_t cases = test_count(2000, 100000);
    for (uint64_t i = 0; i < cases; i++) {
        fr_pose grasp[2], now[2], object = random_pose(&random, 1.0, 3.0), motion = random_pose(&random, 1.0, 3.1);
        random_hands(&random, grasp);
        for (int k = 0; k < 2; k++) {
            now[k] = fr_pose_compose(&motion, &grasp[k]);
        }
        fr_pose pose = fr_hands_pose(&object, grasp, now), expected = fr_pose_compose(&motion, &object);
        assert_true(apart(&pose, &expected) < 1e-9);
    }
}

// The second hand goes about the first without turning: the object turns by that angle, about the middle.
static void test_the_line_between_the_hands_turns_it(void **state) {
    (void)state;
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, now[2], object = fr_pose_identity();
    grasp[0].position.x = -0.2;
    grasp[1].position.x = 0.2;
    double angle = fr_radians(40.0);
    now[0] = grasp[0];
    now[1] = grasp[1];
    now[1].position = fr_vec3_make(-0.2 + 0.4 * cos(angle), 0.4 * sin(angle), 0.0);
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    fr_vec3 turn = fr_quat_to_vector(pose.rotation);
    assert_true(fr_vec3_distance(turn, fr_vec3_make(0.0, 0.0, angle)) < 1e-12);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_lerp(now[0].position, now[1].position, 0.5)) < 1e-12);
}

static void test_turns_about_the_line_are_shared(void **state) {
    (void)state;
    const double turns[5][3] = {
        {0.0, 60.0, 30.0}, {-20.0, 50.0, 15.0}, {90.0, 90.0, 90.0}, {170.0, -170.0, 180.0}, {-30.0, -90.0, -60.0}};
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, object = fr_pose_identity();
    grasp[0].position.z = -0.1;
    grasp[1].position.z = 0.3;
    fr_vec3 axis = {0.0, 0.0, 1.0};
    for (int i = 0; i < 5; i++) {
        fr_pose now[2] = {grasp[0], grasp[1]};
        now[0].rotation = fr_quat_from_axis_angle(axis, fr_radians(turns[i][0]));
        now[1].rotation = fr_quat_from_axis_angle(axis, fr_radians(turns[i][1]));
        fr_pose pose = fr_hands_pose(&object, grasp, now), expected = object;
        expected.rotation = fr_quat_from_axis_angle(axis, fr_radians(turns[i][2]));
        assert_true(apart(&pose, &expected) < 1e-12);
    }
    // A hand that turns across the line turns nothing: the other end would have to move
    fr_pose now[2] = {grasp[0], grasp[1]};
    now[0].rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), 0.7);
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    assert_true(apart(&pose, &object) < 1e-12);
}

static void test_hands_that_go_apart_do_not_stretch_it(void **state) {
    (void)state;
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, now[2], object = fr_pose_identity();
    grasp[1].position.x = 0.2;
    object.position.x = 0.05;
    now[0] = grasp[0];
    now[1] = grasp[1];
    now[1].position.x = 0.4;
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_make(0.15, 0.0, 0.0)) < 1e-12);
    assert_true(pose.scale == 1.0);
}

static void test_hands_at_one_place_turn_as_the_first(void **state) {
    (void)state;
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, now[2], object = fr_pose_identity();
    object.position.y = 0.1;
    now[0] = now[1] = grasp[0];
    now[0].rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 0.5 * FR_PI);
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_make(-0.1, 0.0, 0.0)) < 1e-12);
    // Also when they come together later
    grasp[1].position.x = 0.2;
    object.position.x = 0.1;
    pose = fr_hands_pose(&object, grasp, now);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_make(-0.1, 0.0, 0.0)) < 1e-12);
    assert_true(fr_vec3_distance(fr_quat_to_vector(pose.rotation), fr_vec3_make(0.0, 0.0, 0.5 * FR_PI)) < 1e-12);
}

// A place, an axis, degrees about it, and a size.
static fr_pose placed(const double p[8]) {
    fr_pose pose = fr_pose_identity();
    fr_vec3 axis = fr_vec3_unit(fr_vec3_make(p[3], p[4], p[5]), fr_vec3_make(1.0, 0.0, 0.0));
    pose.position = fr_vec3_make(p[0], p[1], p[2]);
    pose.rotation = fr_quat_from_axis_angle(axis, fr_radians(p[6]));
    pose.scale = p[7];
    return pose;
}

// The viewer does the same by itself: viewer/test/two_hands.test.ts has these numbers.
static void test_the_viewer_has_these_numbers(void **state) {
    (void)state;
    static const double cases[2][6][8] = {
        {
            {0.1, 1.2, -0.3, 1.0, 2.0, 3.0, 40.0, 2.5}, // the object
            {0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 30.0, 1.0},  // the hands then
            {0.4, 1.1, 0.1, 1.0, 0.0, 0.0, -20.0, 1.0},
            {0.3, 1.4, 0.2, 0.0, 1.0, 1.0, 70.0, 1.0}, // the hands now
            {0.5, 1.0, 0.5, 1.0, 1.0, 0.0, 55.0, 1.0},
            {0.80059443468448843, 0.46833306921900997, -0.36601987504516065, 0.075776899514638923, 0.63178418148100357,
             1.5178644087521753, 0.36543732048676791, 2.5},
        },
        {
            {2.0, -1.0, 0.5, -1.0, 1.0, 0.0, 100.0, 0.5},
            {2.0, -1.0, 0.4, 1.0, 0.0, 1.0, 150.0, 1.0},
            {2.3, -1.2, 0.6, 0.0, 1.0, 0.0, 10.0, 1.0},
            {1.0, 1.0, 1.0, 1.0, 2.0, 0.0, -160.0, 1.0},
            {1.1, 1.3, 0.6, 0.0, 0.0, 1.0, 120.0, 1.0},
            {-0.18670941898011745, -0.76326419432035941, 0.28256865337615744, 0.55020207075381378, 1.0253618120309458,
             1.1262646141710244, 0.97700166991627857, 0.5},
        },
    };
    for (int i = 0; i < 2; i++) {
        const double(*c)[8] = cases[i];
        fr_pose object = placed(c[0]), grasp[2] = {placed(c[1]), placed(c[2])}, now[2] = {placed(c[3]), placed(c[4])};
        fr_pose pose = fr_hands_pose(&object, grasp, now), expected;
        expected.rotation = (fr_quat){c[5][0], c[5][1], c[5][2], c[5][3]};
        expected.position = fr_vec3_make(c[5][4], c[5][5], c[5][6]);
        expected.scale = c[5][7];
        assert_true(apart(&pose, &expected) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hands_that_stay_leave_it),
        cmocka_unit_test(test_a_common_motion_is_followed),
        cmocka_unit_test(test_the_line_between_the_hands_turns_it),
        cmocka_unit_test(test_turns_about_the_line_are_shared),
        cmocka_unit_test(test_hands_that_go_apart_do_not_stretch_it),
        cmocka_unit_test(test_hands_at_one_place_turn_as_the_first),
        cmocka_unit_test(test_the_viewer_has_these_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
