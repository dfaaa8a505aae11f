// Postures: what is refused, and where links are, against products of matrices in long double.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The oracle

typedef struct long_pose {
    long double m[3][3], at[3];
} long_pose;

static void long_matrix(fr_quat q, long double m[3][3]) {
    long double w = q.w, x = q.x, y = q.y, z = q.z, s = 2.0L / (w * w + x * x + y * y + z * z);
    const long double rows[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                                    {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                                    {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    memcpy(m, rows, sizeof rows);
}

static long_pose long_child(const long_pose *parent, fr_vec3 offset, fr_quat turn) {
    const long double v[3] = {offset.x, offset.y, offset.z};
    long double m[3][3];
    long_pose child;
    long_matrix(turn, m);
    for (int i = 0; i < 3; i++) {
        child.at[i] = parent->at[i];
        for (int k = 0; k < 3; k++) {
            child.at[i] += parent->m[i][k] * v[k];
            child.m[i][k] = 0.0L;
            for (int j = 0; j < 3; j++) {
                child.m[i][k] += parent->m[i][j] * m[j][k];
            }
        }
    }
    return child;
}

static void long_poses(const fr_skeleton_view *view, const fr_posture *posture, long_pose *poses) {
    const long_pose world = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    for (uint32_t i = 0; i < view->link_count; i++) {
        uint32_t parent = view->parents[i];
        const long_pose *from = parent == FR_NO_LINK ? &world : &poses[parent];
        poses[i] = long_child(from, parent == FR_NO_LINK ? posture->place : view->offsets[i], posture->turns[i]);
    }
}

// The angle between two rotations that are near, from the difference of their matrices.
static double angle_to(const fr_pose *pose, const long_pose *expected) {
    long double m[3][3], sum = 0.0L;
    long_matrix(pose->rotation, m);
    for (int i = 0; i < 9; i++) {
        long double d = m[i / 3][i % 3] - expected->m[i / 3][i % 3];
        sum += d * d;
    }
    return (double)sqrtl(0.5L * sum);
}

static void check_poses(const fr_skeleton *skeleton, const fr_posture *posture, const fr_pose *poses) {
    static long_pose expected[FR_MAX_LINKS];
    long_poses(fr_skeleton_get(skeleton), posture, expected);
    for (uint32_t i = 0; i < posture->count; i++) {
        const fr_vec3 e = {(double)expected[i].at[0], (double)expected[i].at[1], (double)expected[i].at[2]};
        double off = fr_vec3_distance(poses[i].position, e), angle = angle_to(&poses[i], &expected[i]);
        if (!(off <= 1e-12 && angle <= 1e-12)) { fail_msg("link %u: off by %g m and %g rad", i, off, angle); }
        assert_true(poses[i].scale == 1.0);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void places_links_as_matrices_do(void **state) {
    (void)state;
    fr_skeleton *skeleton = default_body();
    fr_random random = fr_random_seed(1);
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    uint64_t count = test_count(2000, 10000);
    for (uint64_t i = 0; i < count; i++) {
        random_posture(&random, 10.0, &posture);
        assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
        check_poses(skeleton, &posture, poses);
    }
    fr_skeleton_release(skeleton);
}

#define MANY 9

static void places_any_tree_of_up_to_256_links(void **state) {
    (void)state;
    static random_tree tree;
    static fr_quat turns[MANY][FR_MAX_LINKS];
    static fr_pose poses[MANY * FR_MAX_LINKS], alone[FR_MAX_LINKS];
    fr_random random = fr_random_seed(2);
    uint64_t count = test_count(60, 600);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t links = i % 10 == 0 ? FR_MAX_LINKS : 1 + (uint32_t)fr_random_below(&random, FR_MAX_LINKS);
        fr_skeleton_def def = random_skeleton_def(&random, links, &tree);
        fr_skeleton *skeleton = NULL;
        assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
        fr_posture postures[MANY];
        size_t bodies = 1 + (size_t)fr_random_below(&random, MANY);
        for (size_t b = 0; b < bodies; b++) {
            postures[b] = (fr_posture){.turns = turns[b], .count = links};
            random_posture(&random, 1.0, &postures[b]);
        }
        assert_int_equal(fr_posture_poses(skeleton, postures, bodies, poses, NULL), FR_OK);
        for (size_t b = 0; b < bodies; b++) {
            check_poses(skeleton, &postures[b], poses + b * links);
            assert_int_equal(fr_posture_poses(skeleton, &postures[b], 1, alone, NULL), FR_OK);
            assert_memory_equal(alone, poses + b * links, links * sizeof alone[0]);
        }
        fr_skeleton_release(skeleton);
    }
}

static void refuses_another_number_of_links(void **state) {
    (void)state;
    fr_skeleton *skeleton = default_body();
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[2 * FR_LINK_COUNT];
    fr_error error = {0};
    fr_posture right = {.turns = turns, .count = FR_LINK_COUNT}, few = {.turns = turns, .count = 15};
    fr_posture none = {.count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(skeleton, &right, NULL), FR_OK);
    assert_int_equal(fr_posture_rest(skeleton, &few, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_posture_check(skeleton, &none, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_posture_copy(&right, &few, NULL), FR_ERROR_ARGUMENT);
    const fr_posture both[2] = {right, few};
    memset(poses, 7, sizeof poses);
    assert_int_equal(fr_posture_poses(skeleton, both, 2, poses, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "posture 1"));
    assert_int_equal(((const unsigned char *)poses)[0], 7);
    assert_int_equal(fr_posture_poses(skeleton, NULL, 0, NULL, NULL), FR_OK);
    fr_skeleton_release(skeleton);
}

static void checks_what_comes_from_outside(void **state) {
    (void)state;
    fr_skeleton *skeleton = default_body();
    fr_quat turns[FR_LINK_COUNT], before[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    const double wrong[] = {NAN, INFINITY, -INFINITY, 3.0, 0.0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
        turns[3].w = 0.005; // a length of about 1.00001, which would be mended
        turns[20].w = wrong[i];
        memcpy(before, turns, sizeof turns);
        fr_error error = {0};
        fr_status status = fr_posture_check(skeleton, &posture, &error);
        assert_int_equal(status, isfinite(wrong[i]) ? FR_ERROR_ARGUMENT : FR_ERROR_NOT_FINITE);
        assert_non_null(strstr(error.message, "link 20"));
        assert_memory_equal(before, turns, sizeof turns);
        turns[20].w = 1.0;
        assert_int_equal(fr_posture_check(skeleton, &posture, NULL), FR_OK);
        double square =
            turns[3].w * turns[3].w + turns[3].x * turns[3].x + turns[3].y * turns[3].y + turns[3].z * turns[3].z;
        assert_near(square, 1.0, 1e-15);
        posture.place.y = isfinite(wrong[i]) ? 1e301 : wrong[i];
        assert_int_equal(fr_posture_check(skeleton, &posture, NULL), FR_ERROR_NOT_FINITE);
    }
    fr_skeleton_release(skeleton);
}

// A turn about the world's axes at upright, as tables of gait have it, and back.
static void speaks_of_turns_away_from_upright(void **state) {
    (void)state;
    fr_skeleton *skeleton = default_body();
    fr_quat turns[FR_LINK_COUNT], away[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_random random = fr_random_seed(3);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        away[i] = random_turn(&random);
        turns[i] = fr_skeleton_turn_from_upright(skeleton, i, away[i]);
        fr_quat back = fr_skeleton_turn_to_upright(skeleton, i, turns[i]);
        assert_near(back.w * away[i].w + back.x * away[i].x + back.y * away[i].y + back.z * away[i].z, 1.0, 1e-14);
    }
    assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
    fr_quat shin = fr_quat_multiply(away[0], fr_quat_multiply(away[FR_LINK_LEFT_THIGH], away[FR_LINK_LEFT_SHIN]));
    shin = fr_quat_multiply(shin, fr_skeleton_get(skeleton)->uprights[FR_LINK_LEFT_SHIN]);
    fr_quat r = poses[FR_LINK_LEFT_SHIN].rotation;
    assert_near(fabs(r.w * shin.w + r.x * shin.x + r.y * shin.y + r.z * shin.z), 1.0, 1e-14);
    fr_skeleton_release(skeleton);
}

static void copies_and_rests(void **state) {
    (void)state;
    fr_skeleton *skeleton = default_body();
    fr_quat a[FR_LINK_COUNT], b[FR_LINK_COUNT];
    fr_posture from = {.turns = a, .count = FR_LINK_COUNT}, to = {.turns = b, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(skeleton, &from, NULL), FR_OK);
    from.contact_left = FR_CONTACT_TOE;
    assert_int_equal(fr_posture_copy(&from, &to, NULL), FR_OK);
    assert_ptr_equal(to.turns, b);
    assert_memory_equal(a, b, sizeof a);
    assert_true(fr_vec3_equal(from.place, to.place));
    assert_int_equal(to.contact_left, FR_CONTACT_TOE);
    assert_int_equal(to.contact_right, FR_CONTACT_HEEL | FR_CONTACT_TOE);
    fr_skeleton_release(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_another_number_of_links),
        cmocka_unit_test(checks_what_comes_from_outside),
        cmocka_unit_test(copies_and_rests),
        cmocka_unit_test(speaks_of_turns_away_from_upright),
        cmocka_unit_test(places_links_as_matrices_do),
        cmocka_unit_test(places_any_tree_of_up_to_256_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
