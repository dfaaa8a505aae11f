// The reach of a body against forward kinematics, and fingers against the circle that they touch.
#include "frame.h"
#include "fureai/human_reach.h"
#include "random_vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct person {
    fr_skeleton *skeleton;
    fr_posture posture;
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
} person;

static void make_person(person *p, double stature) {
    fr_body_def def = fr_default_body_def();
    def.stature = stature;
    assert_int_equal(fr_skeleton_create_body(&def, &p->skeleton, NULL), FR_OK);
    p->posture = (fr_posture){.turns = p->turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(p->skeleton, &p->posture, NULL), FR_OK);
}

static void find_poses(person *p) {
    assert_int_equal(fr_posture_poses(p->skeleton, &p->posture, 1, p->poses, NULL), FR_OK);
}

static uint32_t arm_link(fr_side side, uint32_t i) {
    return (side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM) + i;
}

// Somewhere, turned somehow, an arm within its limits.
static void randomize(person *p, fr_random *random, fr_side side, double offset) {
    p->posture.place = random_about(random, offset);
    p->turns[0] = fr_quat_multiply(fr_quat_from_vector(random_about(random, 1.0)), p->turns[0]);
    p->turns[FR_LINK_CHEST] = fr_quat_from_vector(random_about(random, 0.3));
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t link = arm_link(side, i);
        fr_quat turn = fr_quat_multiply(p->turns[link], fr_quat_from_vector(random_about(random, i == 1 ? 2.0 : 0.8)));
        p->turns[link] = fr_skeleton_clamp(p->skeleton, link, turn);
    }
    assert_int_equal(fr_posture_check(p->skeleton, &p->posture, NULL), FR_OK);
}

static double pose_difference(const fr_pose *a, const fr_pose *b) {
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(a->rotation, fr_quat_conjugate(b->rotation)));
    return fmax(fr_vec3_distance(a->position, b->position), fr_vec3_length(turn));
}

static void test_upright_has_the_angles_of_the_source(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    for (int side = 0; side < 2; side++) {
        double t[FR_ARM_ANGLES];
        assert_int_equal(fr_reach_angles(p.skeleton, &p.posture, (fr_side)side, t, NULL), FR_OK);
        for (uint32_t i = 0; i < FR_ARM_ANGLES; i++) {
            assert_true(fabs(t[i] - (i == 1 ? 0.5 * FR_PI : 0.0)) < 1e-12);
        }
    }

    // A bent elbow takes the palm forward and up.
    p.turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_axis_angle((fr_vec3){0, 1, 0}, 1.0);
    double t[FR_ARM_ANGLES];
    assert_int_equal(fr_reach_angles(p.skeleton, &p.posture, FR_RIGHT, t, NULL), FR_OK);
    assert_true(fabs(t[3] - 1.0) < 1e-12);
    fr_skeleton_release(p.skeleton);
}

// The palm goes to where another posture of the same arm has it, from any posture, near the origin and far away.
static void test_the_palm_arrives(void **state) {
    (void)state;
    static const double statures[3] = {1.0, 1.7, 2.0};
    fr_random random = fr_random_seed(1);
    double worst = 0.0;
    uint32_t within = 0, free_choice = 0, tried = (uint32_t)test_count(3000, 100000);
    person p;
    for (uint32_t i = 0; i < tried; i++) {
        if (i % 1000 == 0) { make_person(&p, statures[(i / 1000) % 3]); }
        fr_side side = i % 2 == 0 ? FR_RIGHT : FR_LEFT;
        double offset = i % 5 == 0 ? 1e6 : 2.0;
        assert_int_equal(fr_posture_rest(p.skeleton, &p.posture, NULL), FR_OK);
        randomize(&p, &random, side, offset);
        find_poses(&p);
        fr_reach_input input = fr_default_reach_input();
        input.skeleton = p.skeleton;
        input.posture = &p.posture;
        input.side = side;
        input.palm = p.poses[arm_link(side, 2)];
        input.is_swivel_only = i % 7 == 0;

        // Another posture of the arm, the same place of the body.
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t link = arm_link(side, k);
            fr_quat turn = fr_quat_multiply(p.turns[link], fr_quat_from_vector(random_about(&random, 0.5)));
            p.turns[link] = fr_skeleton_clamp(p.skeleton, link, turn);
        }
        fr_reach_output output;
        assert_int_equal(fr_reach_solve(&input, &output, NULL), FR_OK);
        assert_true(output.solution_count >= 1 && output.lean == 0.0);
        fr_reach_apply(p.skeleton, side, &output, &p.posture);
        find_poses(&p);
        double off = pose_difference(&p.poses[arm_link(side, 2)], &input.palm);
        worst = fmax(worst, off / (offset > 10.0 ? 1e6 : 1.0));
        if (offset > 10.0) { assert_true(off < 1e-8); }
        free_choice += !input.is_swivel_only;
        within += !input.is_swivel_only && output.excess == 0.0;
        if (i % 1000 == 999 || i + 1 == tried) { fr_skeleton_release(p.skeleton); }
    }
    print_message("worst %.1e, within the limits %u of %u\n", worst, within, free_choice);
    assert_true(worst < 1e-9);
    assert_true(within >= free_choice - free_choice / 100);
}

// Beyond the arm the chest leans; beyond that too, the step that is named brings the goal within reach.
static void test_lean_then_step(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    find_poses(&p);
    fr_reach_input input = fr_default_reach_input();
    input.skeleton = p.skeleton;
    input.posture = &p.posture;
    input.palm = p.poses[FR_LINK_RIGHT_PALM];
    fr_vec3 shoulder = p.poses[FR_LINK_RIGHT_UPPER_ARM].position;
    double last_lean = 0.0;
    for (int i = 0; i < 60; i++) {
        double far = 0.3 + 0.03 * i;
        input.palm.position = fr_vec3_add(shoulder, (fr_vec3){0.05, -0.2, far});
        fr_reach_output output;
        assert_int_equal(fr_reach_solve(&input, &output, NULL), FR_OK);
        bool is_in_arm = fr_vec3_distance(input.palm.position, shoulder) <= 0.564;
        assert_int_equal(output.lean == 0.0, is_in_arm);
        assert_true(output.lean >= last_lean - 1e-9 && output.lean <= 0.6 + 1e-9);
        last_lean = output.lean;
        person q = p;
        q.posture.turns = q.turns;
        fr_reach_apply(p.skeleton, FR_RIGHT, &output, &q.posture);
        find_poses(&q);
        double left = fr_vec3_distance(q.poses[FR_LINK_RIGHT_PALM].position, input.palm.position);
        assert_true(fabs(left - output.miss) < 2e-9);
        if (output.miss == 0.0) { continue; }
        assert_true(output.step.z > 0.0 && output.step.y == 0.0);
        q.posture.place = fr_vec3_add(p.posture.place, output.step);
        input.posture = &q.posture;
        input.lean_max = 0.0;
        assert_int_equal(fr_reach_solve(&input, &output, NULL), FR_OK);
        assert_true(output.miss == 0.0);
        input.lean_max = 0.6;
        input.posture = &p.posture;
    }
    assert_true(last_lean > 0.3);
    fr_skeleton_release(p.skeleton);
}

// The elbow turns about the line from shoulder to wrist by the swivel, and the palm stays at its goal.
static void test_a_swivel_turns_the_elbow(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    p.turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_axis_angle((fr_vec3){0, 1, 0}, 1.2);
    find_poses(&p);
    fr_pose palm = p.poses[FR_LINK_RIGHT_PALM];
    fr_vec3 shoulder = p.poses[FR_LINK_RIGHT_UPPER_ARM].position, elbow = p.poses[FR_LINK_RIGHT_FOREARM].position;
    for (double angle = -3.0; angle <= 3.0; angle += 0.5) {
        fr_reach_input input = fr_default_reach_input();
        input.skeleton = p.skeleton;
        input.posture = &p.posture;
        input.palm = palm;
        input.is_swivel_only = true;
        input.swivel = angle;
        fr_reach_output output;
        assert_int_equal(fr_reach_solve(&input, &output, NULL), FR_OK);
        person q = p;
        q.posture.turns = q.turns;
        fr_reach_apply(p.skeleton, FR_RIGHT, &output, &q.posture);
        find_poses(&q);
        fr_quat turn = fr_quat_from_axis_angle(fr_vec3_sub(palm.position, shoulder), angle);
        fr_vec3 arm = fr_mat3_apply(fr_quat_to_mat3(turn), fr_vec3_sub(elbow, shoulder));
        assert_true(fr_vec3_distance(q.poses[FR_LINK_RIGHT_FOREARM].position, fr_vec3_add(shoulder, arm)) < 1e-9);
        assert_true(pose_difference(&q.poses[FR_LINK_RIGHT_PALM], &palm) < 1e-9);
    }
    fr_skeleton_release(p.skeleton);
}

// Both arms do the same: the mirrored goal has the mirrored solution.
static void test_left_mirrors_right(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < 200; i++) {
        fr_reach_input input = fr_default_reach_input();
        input.skeleton = p.skeleton;
        input.posture = &p.posture;
        find_poses(&p);
        input.palm = p.poses[FR_LINK_RIGHT_PALM];
        input.palm.position =
            fr_vec3_add(input.palm.position, random_within(&random, (fr_vec3){-0.3, 0, 0}, (fr_vec3){0.2, 0.7, 0.4}));
        fr_reach_output right, left;
        assert_int_equal(fr_reach_solve(&input, &right, NULL), FR_OK);
        input.side = FR_LEFT;
        input.palm.position.x = -input.palm.position.x;
        input.palm.rotation = p.poses[FR_LINK_LEFT_PALM].rotation;
        assert_int_equal(fr_reach_solve(&input, &left, NULL), FR_OK);
        assert_true(fabs(left.miss - right.miss) < 1e-9);
        assert_true(fabs(left.lean - right.lean) < 1e-9);
        assert_true(fabs(left.excess - right.excess) < 1e-6);
    }
    fr_skeleton_release(p.skeleton);
}

static void test_progress_is_smooth(void **state) {
    (void)state;
    double last = 0.0, fastest = 0.0;
    for (int i = 1; i <= 1000; i++) {
        double s = fr_reach_progress(i / 1000.0);
        assert_true(s >= last);
        fastest = fmax(fastest, (s - last) * 1000.0);
        last = s;
    }
    assert_true(last == 1.0 && fr_reach_progress(-1.0) == 0.0 && fr_reach_progress(NAN) == 0.0);
    assert_true(fabs(fastest - 1.875) < 1e-3);
    assert_true(fr_reach_duration(0.0) == 0.3 && fr_reach_duration(100.0) == 1.5);
    assert_true(fr_reach_duration(0.4) > 0.6 && fr_reach_duration(0.4) < 0.75);
}

// Every phalanx touches the circle: the distance of its line from the centre is the radius, where no limit stops it.
static void test_fingers_are_tangents(void **state) {
    (void)state;
    const double lengths[3] = {0.045, 0.028, 0.020};
    double bends[3];
    fr_grip_bends(0.035, lengths, 3, bends);
    assert_true(fabs(fr_degrees(bends[0]) - 64.0) < 0.6);
    assert_true(fabs(fr_degrees(bends[1]) - 45.0) < 0.6);
    assert_true(fabs(fr_degrees(bends[2]) - 26.0) < 0.6);
    for (double radius = 0.02; radius < 0.08; radius += 0.005) {
        fr_grip_bends(radius, lengths, 3, bends);
        double circle = radius + 0.008, angle = 0.0, x = -0.6 * lengths[0], y = 0.0;
        for (int i = 0; i < 3; i++) {
            if (bends[i] >= fr_radians(i == 0 ? 90.0 : i == 1 ? 110.0 : 80.0)) { break; }
            angle += bends[i];

            // The palm lies on y = 0 and touches at x = -0.6 l - 0.6 l before the joint: the centre is above it.
            double centre_x = -2.0 * 0.6 * lengths[0], centre_y = circle;
            double distance = fabs((centre_x - x) * sin(angle) - (centre_y - y) * cos(angle));
            assert_true(fabs(distance - circle) < 1e-12);
            x += lengths[i] * cos(angle);
            y += lengths[i] * sin(angle);
        }
    }
}

static void test_a_grip_changes_fingers_alone(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    fr_quat before[FR_LINK_COUNT];
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        before[i] = p.turns[i];
    }
    assert_int_equal(fr_grip_posture(p.skeleton, FR_LEFT, 0.035, &p.posture, NULL), FR_OK);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        bool is_finger = i >= FR_LINK_LEFT_THUMB_1;
        fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(p.turns[i], fr_quat_conjugate(before[i])));
        assert_int_equal(fr_vec3_length(turn) > 0.0, is_finger);
    }
    assert_int_equal(fr_posture_check(p.skeleton, &p.posture, NULL), FR_OK);
    fr_skeleton_release(p.skeleton);
}

// The thumb comes from the other side: bent, its tip is nearer to the little finger's side than straight.
static void test_the_thumb_bends_towards_the_fingers(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    find_poses(&p);
    for (int side = 0; side < 2; side++) {
        uint32_t palm = side == 0 ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM;
        uint32_t thumb = side == 0 ? FR_LINK_RIGHT_THUMB_2 : FR_LINK_LEFT_THUMB_2;
        fr_pose to_palm = fr_pose_inverse(&p.poses[palm]);
        person q = p;
        q.posture.turns = q.turns;
        assert_int_equal(fr_grip_posture(p.skeleton, (fr_side)side, 0.03, &q.posture, NULL), FR_OK);
        find_poses(&q);
        fr_vec3 tip = fr_skeleton_get(p.skeleton)->tips[thumb];
        fr_vec3 before = fr_pose_apply(&to_palm, fr_pose_apply(&p.poses[thumb], tip));
        fr_vec3 after = fr_pose_apply(&to_palm, fr_pose_apply(&q.poses[thumb], tip));
        assert_true(before.z > 0.0 && after.z < before.z - 0.02);
        assert_true((side == 0 ? -1.0 : 1.0) * (after.y - before.y) > 0.01);
    }
    fr_skeleton_release(p.skeleton);
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    person p;
    make_person(&p, 1.7);
    fr_error error;
    fr_reach_output output;
    fr_reach_input input = {0};
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    input = fr_default_reach_input();
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    input.skeleton = p.skeleton;
    input.posture = &p.posture;
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_OK);
    input.palm.position.y = NAN;
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_ERROR_NOT_FINITE);
    input.palm = fr_pose_identity();
    input.lean_max = -1.0;
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    input.lean_max = 0.0;
    p.posture.count = 12;
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_grip_posture(p.skeleton, FR_RIGHT, 0.1, &p.posture, &error), FR_ERROR_ARGUMENT);
    p.posture.count = FR_LINK_COUNT;
    assert_int_equal(fr_grip_posture(p.skeleton, FR_RIGHT, -0.1, &p.posture, &error), FR_ERROR_ARGUMENT);
    fr_skeleton_release(p.skeleton);

    // One link has no arm.
    fr_skeleton_def def = fr_default_skeleton_def();
    const uint32_t parents[1] = {FR_NO_LINK};
    const char *const names[1] = {"stone"};
    const fr_vec3 offsets[1] = {{0, 0, 0}};
    fr_quat turn = fr_quat_identity();
    def.link_count = 1;
    def.parents = parents;
    def.names = names;
    def.offsets = offsets;
    assert_int_equal(fr_skeleton_create(&def, &p.skeleton, NULL), FR_OK);
    fr_posture stone = {.turns = &turn, .count = 1};
    input.skeleton = p.skeleton;
    input.posture = &stone;
    assert_int_equal(fr_reach_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_grip_posture(p.skeleton, FR_RIGHT, 0.1, &stone, &error), FR_ERROR_ARGUMENT);
    fr_skeleton_release(p.skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upright_has_the_angles_of_the_source),
        cmocka_unit_test(test_the_palm_arrives),
        cmocka_unit_test(test_lean_then_step),
        cmocka_unit_test(test_a_swivel_turns_the_elbow),
        cmocka_unit_test(test_left_mirrors_right),
        cmocka_unit_test(test_progress_is_smooth),
        cmocka_unit_test(test_fingers_are_tangents),
        cmocka_unit_test(test_a_grip_changes_fingers_alone),
        cmocka_unit_test(test_the_thumb_bends_towards_the_fingers),
        cmocka_unit_test(test_bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
