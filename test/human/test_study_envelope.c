// Reach envelopes against forward kinematics: arms sampled densely within their limits.
#include "fureai/human_study.h"

#include "failing.h"
#include "frame.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

enum { BANDS = 9, MAX_DIRECTIONS = 37 * 72 };

typedef struct body {
    fr_skeleton *skeleton;
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture;
} body;

static void stand(body *b) {
    b->skeleton = default_body();
    b->posture = (fr_posture){.turns = b->turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(b->skeleton, &b->posture, NULL), FR_OK);
}

static fr_envelope_input input_of(const body *b, fr_side side) {
    fr_envelope_input input = fr_default_envelope_input();
    input.skeleton = b->skeleton;
    input.posture = &b->posture;
    input.side = side;
    input.floor = -10.0;
    return input;
}

static double arm_length(const body *b) {
    const fr_skeleton_view *view = fr_skeleton_get(b->skeleton);
    return fr_vec3_length(view->offsets[FR_LINK_RIGHT_FOREARM]) + fr_vec3_length(view->offsets[FR_LINK_RIGHT_PALM]) +
           fr_vec3_length(view->points[FR_POINT_RIGHT_GRIP].offset);
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    body b;
    stand(&b);
    static double radii[MAX_DIRECTIONS];
    fr_envelope out;
    fr_envelope_input input = input_of(&b, FR_LEFT);
    static const uint32_t bands[] = {0, 1, 2, 8, FR_ENVELOPE_MAX_BANDS + 2};
    for (size_t i = 0; i < sizeof bands / sizeof bands[0]; i++) {
        input.bands = bands[i];
        assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_ERROR_ARGUMENT);
    }
    input = input_of(&b, FR_LEFT);
    input.lean_max = 2.0;
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_ERROR_ARGUMENT);
    input.lean_max = NAN;
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_ERROR_ARGUMENT);
    input = input_of(&b, FR_LEFT);
    input.floor = NAN;
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_ERROR_ARGUMENT);
    input = input_of(&b, FR_LEFT);
    input.cookie = 0;
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_ERROR_ARGUMENT);
    input = input_of(&b, FR_LEFT);
    b.posture.count = 3;
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_ERROR_ARGUMENT);
    fr_posture few = {.turns = b.turns, .count = 3};
    assert_int_equal(fr_work_sit(b.skeleton, &few, NULL), FR_ERROR_ARGUMENT);
    fr_skeleton_release(b.skeleton);
}

// Directions begin straight down and end straight up; a quarter of a band is a quarter turn to the left.
static void has_its_directions(void **state) {
    (void)state;
    const fr_envelope envelope = {.front = {0.0, 0.0, 1.0}};
    assert_int_equal(fr_envelope_count(BANDS), 144);
    assert_near(fr_envelope_direction(&envelope, BANDS, 0).y, -1.0, 1e-12);
    assert_near(fr_envelope_direction(&envelope, BANDS, 143).y, 1.0, 1e-12);
    assert_near(fr_envelope_direction(&envelope, BANDS, 64).z, 1.0, 1e-12);
    assert_near(fr_envelope_direction(&envelope, BANDS, 68).x, 1.0, 1e-12);
}

// An arm that hangs, and one that points ahead, sideways or up, is stretched: geometry says how far its grip is.
static void is_stretched_where_the_limits_let_it(void **state) {
    (void)state;
    body b;
    stand(&b);
    double radii[144], length = arm_length(&b);
    fr_envelope out;
    fr_envelope_input input = input_of(&b, FR_LEFT);
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_OK);
    assert_near(radii[64], length, 1.5e-3 * length);  // ahead
    assert_near(radii[68], length, 1.5e-3 * length);  // to the left
    assert_near(radii[0], length, 1.5e-3 * length);   // down
    assert_near(radii[143], length, 1.5e-3 * length); // up
    assert_near(out.top, out.shoulder.y + length, 2e-3 * length);
    assert_near(out.ahead, length, 2e-3 * length);
    assert_near(out.aside, length, 2e-3 * length);
    assert_true(out.across < 0.95 * length); // the shoulder's limit: 45 degrees across
    assert_true(radii[72] < 0.95 * length);  // and 60 degrees back
    fr_skeleton_release(b.skeleton);
}

static void is_mirrored(void **state) {
    (void)state;
    body b;
    stand(&b);
    double left[40], right[40];
    fr_envelope of_left, of_right;
    fr_envelope_input input = input_of(&b, FR_LEFT);
    input.bands = 5;
    assert_int_equal(fr_envelope_find(&input, left, &of_left, NULL), FR_OK);
    input.side = FR_RIGHT;
    assert_int_equal(fr_envelope_find(&input, right, &of_right, NULL), FR_OK);
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t band = i / 8, column = i % 8;
        assert_near(left[i], right[8 * band + (8 - column) % 8], 0.02);
    }
    assert_near(of_left.top, of_right.top, 1e-3);
    fr_skeleton_release(b.skeleton);
}

// What an arm within its limits does is in the envelope: turns of shoulder, elbow and wrist are sampled, and the grip
// of each is compared with the directions beside it.
static void holds_what_forward_kinematics_reaches(void **state) {
    (void)state;
    enum { FINE = 13, COUNT = 13 * 24 };
    body b;
    stand(&b);
    static double radii[COUNT];
    fr_envelope out;
    fr_envelope_input input = input_of(&b, FR_RIGHT);
    input.bands = FINE;
    assert_int_equal(fr_envelope_find(&input, radii, &out, NULL), FR_OK);
    fr_random random = fr_random_seed(29);
    double length = arm_length(&b), worst = 0.0;
    static double sampled[COUNT];
    memset(sampled, 0, sizeof sampled);
    uint64_t count = test_count(200000, 5000000), beyond = 0;
    const fr_link_point *grip = &fr_skeleton_get(b.skeleton)->points[FR_POINT_RIGHT_GRIP];
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t link = FR_LINK_RIGHT_UPPER_ARM; link <= FR_LINK_RIGHT_PALM; link++) {
            b.turns[link] = fr_skeleton_clamp(b.skeleton, link, random_turn(&random));
        }
        fr_pose poses[FR_LINK_COUNT];
        assert_int_equal(fr_posture_poses(b.skeleton, &b.posture, 1, poses, NULL), FR_OK);
        fr_vec3 from = fr_vec3_sub(fr_pose_apply(&poses[grip->link], grip->offset), out.shoulder);
        double distance = fr_vec3_length(from);
        if (distance < 1e-3) { continue; }
        fr_vec3 direction = fr_vec3_scale(1.0 / distance, from);
        uint32_t nearest = 0;
        double best = -2.0, radius = 0.0;
        for (uint32_t k = 0; k < COUNT; k++) {
            double along = fr_vec3_dot(direction, fr_envelope_direction(&out, FINE, k));
            if (along > cos(FR_PI / 12.0) && radii[k] > radius) { radius = radii[k]; }
            if (along > best) {
                best = along;
                nearest = k;
            }
        }
        worst = fmax(worst, distance - radius);
        beyond += distance > radius + 0.01 * length;
        sampled[nearest] = fmax(sampled[nearest], distance);
    }
    print_message("envelope: %llu of %llu samples beyond it by over 1 %% of the arm, at most by %.1f mm\n",
                  (unsigned long long)beyond, (unsigned long long)count, 1e3 * worst);
    assert_true(beyond <= count / 1000);
    // And samples come near to it; few of so many arms are stretched along a limit of the shoulder.
    uint32_t bare = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
        bare += radii[k] > sampled[k] + 0.15 * length;
    }
    print_message("envelope: %u of %u directions in which no sample came within 15 %% of it\n", bare, COUNT);
    assert_true(bare <= COUNT / 4);
    fr_skeleton_release(b.skeleton);
}

// A lean takes the hand farther ahead; the ground ends what is reached; who sits reaches less high by what the seat
// takes.
static void leans_and_sits(void **state) {
    (void)state;
    body b;
    stand(&b);
    double radii[144];
    fr_envelope upright, leaning, seated;
    fr_envelope_input input = input_of(&b, FR_RIGHT);
    input.floor = 0.0;
    input.bands = 5;
    assert_int_equal(fr_envelope_find(&input, radii, &upright, NULL), FR_OK);
    input.lean_max = 0.6;
    assert_int_equal(fr_envelope_find(&input, radii, &leaning, NULL), FR_OK);
    assert_true(leaning.ahead > upright.ahead + 0.15);
    for (uint32_t i = 0; i < fr_envelope_count(5); i++) {
        assert_true(leaning.shoulder.y + radii[i] * fr_envelope_direction(&leaning, 5, i).y >= -1e-9);
    }
    double hip = b.posture.place.y;
    assert_int_equal(fr_work_sit(b.skeleton, &b.posture, NULL), FR_OK);
    fr_pose poses[FR_LINK_COUNT];
    assert_int_equal(fr_posture_poses(b.skeleton, &b.posture, 1, poses, NULL), FR_OK);
    assert_near(poses[FR_LINK_LEFT_SHIN].position.y, poses[FR_LINK_LEFT_THIGH].position.y, 1e-9);
    assert_near(poses[FR_LINK_LEFT_SHIN].position.x, poses[FR_LINK_LEFT_FOOT].position.x, 1e-9);
    assert_true(poses[FR_LINK_LEFT_SHIN].position.z > poses[FR_LINK_LEFT_THIGH].position.z + 0.3);
    const fr_link_point *toe = &fr_skeleton_get(b.skeleton)->points[FR_POINT_LEFT_TOE];
    assert_near(fr_pose_apply(&poses[toe->link], toe->offset).y, 0.0, 1e-9);
    fr_work_angles angles;
    assert_int_equal(fr_work_angles_of(b.skeleton, &b.posture, &angles, NULL), FR_OK);
    assert_near(fr_degrees(angles.legs[FR_WORK_LEFT].knee), 90.0, 1e-6);
    input.lean_max = 0.0;
    assert_int_equal(fr_envelope_find(&input, radii, &seated, NULL), FR_OK);
    assert_near(upright.top - seated.top, hip - b.posture.place.y, 2e-3);
    fr_skeleton_release(b.skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(has_its_directions),
        cmocka_unit_test(is_stretched_where_the_limits_let_it),
        cmocka_unit_test(is_mirrored),
        cmocka_unit_test(holds_what_forward_kinematics_reaches),
        cmocka_unit_test(leans_and_sits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
