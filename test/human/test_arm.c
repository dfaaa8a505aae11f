// The seven angles of an arm against matrices in long double with the C library's trigonometry.
#include "frame.h"
#include "fureai/human_reach.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define UPPER 0.30
#define LOWER 0.26

// ---------------------------------------------------------------------------------------------------------------
// The oracle: the product of the seven matrices as the source writes it

typedef struct long_pose {
    long double r[3][3], p[3];
} long_pose;

static long_pose long_turn(int axis, long double angle) {
    long_pose out = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    out.r[a][a] = out.r[b][b] = cosl(angle);
    out.r[a][b] = -sinl(angle);
    out.r[b][a] = sinl(angle);
    return out;
}

static long_pose long_product(long_pose a, long_pose b) {
    long_pose out;
    for (int i = 0; i < 3; i++) {
        out.p[i] = a.p[i];
        for (int k = 0; k < 3; k++) {
            out.p[i] += a.r[i][k] * b.p[k];
            out.r[i][k] = 0;
            for (int m = 0; m < 3; m++) {
                out.r[i][k] += a.r[i][m] * b.r[m][k];
            }
        }
    }
    return out;
}

static long_pose long_wrist(double upper, double lower, const double t[7]) {
    static const int axes[7] = {2, 0, 2, 1, 1, 0, 2};
    long_pose out = long_turn(0, 0.0L);
    for (int i = 0; i < 7; i++) {
        long_pose next = long_turn(axes[i], t[i]);
        out = long_product(out, next);
        if (i == 2 || i == 3) {
            long_pose along = long_turn(0, 0.0L);
            along.p[2] = i == 2 ? upper : lower;
            out = long_product(out, along);
        }
    }
    return out;
}

// The largest difference in place and in the elements of the rotation.
static double difference(const long_pose *a, fr_vec3 place, fr_quat rotation) {
    fr_mat3 m = fr_quat_to_mat3(rotation);
    double worst = fabs((double)(a->p[0] - place.x));
    worst = fmax(worst, fabs((double)(a->p[1] - place.y)));
    worst = fmax(worst, fabs((double)(a->p[2] - place.z)));
    for (int i = 0; i < 3; i++) {
        const double row[3] = {m.row[i].x, m.row[i].y, m.row[i].z};
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs((double)(a->r[i][k] - row[k])));
        }
    }
    return worst;
}

static double wrap(double angle) { return remainder(angle, 2.0 * FR_PI); }

static void random_angles(fr_random *random, double t[7]) {
    for (int i = 0; i < 7; i++) {
        t[i] = fr_random_between(random, -FR_PI, FR_PI);
    }
    t[3] = fr_random_between(random, 0.05, 2.9);
}

static fr_arm_input input_for(const double t[7], const double previous[7]) {
    fr_arm_input input = fr_default_arm_input();
    input.upper = UPPER;
    input.lower = LOWER;
    input.wrist = fr_arm_wrist(UPPER, LOWER, t);
    for (int i = 0; i < 7; i++) {
        input.previous[i] = previous[i];
    }
    return input;
}

static double worst_residual(const fr_arm_input *input, const fr_arm_output *output, fr_vec3 place) {
    double worst = 0.0;
    for (uint32_t i = 0; i < output->count; i++) {
        long_pose wrist = long_wrist(input->upper, input->lower, output->solutions[i].angles);
        worst = fmax(worst, difference(&wrist, place, input->wrist.rotation));
    }
    return worst;
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void test_the_wrist_is_where_the_matrices_put_it(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        double t[7];
        random_angles(&random, t);
        long_pose wanted = long_wrist(UPPER, LOWER, t);
        fr_pose wrist = fr_arm_wrist(UPPER, LOWER, t);
        assert_true(difference(&wanted, wrist.position, wrist.rotation) < 1e-14);
    }
}

// Each of the six cases, with the kept angle at its true value, gives four solutions, the generating one among them.
static void test_every_case_finds_four_and_the_true_one(void **state) {
    (void)state;
    static const uint32_t kept[6] = {1, 2, 3, 5, 6, 7};
    fr_random random = fr_random_seed(2);
    uint32_t tried = (uint32_t)test_count(4000, 60000), all_four = 0;
    double worst = 0.0;
    for (uint32_t i = 0; i < tried; i++) {
        double t[7], previous[7];
        random_angles(&random, t);
        random_angles(&random, previous);
        uint32_t fixed = kept[i % 6];
        previous[fixed - 1] = t[fixed - 1];
        fr_arm_input input = input_for(t, previous);
        fr_arm_output output;
        assert_int_equal(fr_arm_solve(&input, &output, NULL), FR_OK);
        assert_in_range(output.count, 5, FR_ARM_SOLUTIONS_MAX);
        worst = fmax(worst, worst_residual(&input, &output, input.wrist.position));

        uint32_t count = 0;
        bool is_found = false;
        for (uint32_t k = 0; k < output.count; k++) {
            if (output.solutions[k].fixed != fixed) { continue; }
            double far = 0.0;
            for (int j = 0; j < 7; j++) {
                far = fmax(far, fabs(wrap(output.solutions[k].angles[j] - t[j])));
            }
            count++;
            is_found = is_found || far < 1e-5;
        }
        assert_true(is_found);
        assert_in_range(count, 2, 4);
        all_four += count == 4;
    }
    assert_true(worst < 1e-9);
    assert_true(all_four >= tried - tried / 1000);
}

// From any previous posture there is at least one solution to every goal within reach, and none of them misses it.
static void test_any_goal_from_any_posture(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    uint32_t tried = (uint32_t)test_count(5000, 200000);
    double worst = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < tried; i++) {
        double t[7], previous[7];
        random_angles(&random, t);
        random_angles(&random, previous);
        fr_arm_input input = input_for(t, previous);
        input.metric = i % 2 == 0 ? FR_ARM_ROTATIONS : FR_ARM_ANGLE_SUM;
        fr_arm_output output;
        assert_int_equal(fr_arm_solve(&input, &output, NULL), FR_OK);
        assert_in_range(output.count, 1, FR_ARM_SOLUTIONS_MAX);
        assert_true(output.miss == 0.0);
        for (uint32_t k = 0; k < output.count; k++) {
            assert_true(output.solutions[output.best].change <= output.solutions[k].change);
        }
        worst = fmax(worst, worst_residual(&input, &output, input.wrist.position));
        sum += output.count;
    }
    assert_true(worst < 1e-9);
    assert_true(sum / tried > 16.0 && sum / tried < 20.0); // 17 of the six cases and the swivel
}

// The elbow straight or folded, the upper arm sideways, the wrist bent by a right angle: all within 1e-2 to 0.
static void test_near_singularities(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    double worst = 0.0;
    for (uint32_t i = 0; i < test_count(6000, 60000); i++) {
        double t[7], previous[7];
        random_angles(&random, t);
        random_angles(&random, previous);
        double near = i % 7 == 0 ? 0.0 : pow(10.0, -fr_random_between(&random, 2.0, 17.0));
        if (i % 3 == 0 || i % 11 == 0) { t[3] = i % 2 == 0 ? near : FR_PI - near; }
        if (i % 3 == 1 || i % 11 == 0) { t[1] = i % 2 == 0 ? near : FR_PI - near; }
        if (i % 3 == 2 || i % 11 == 0) { t[5] = (i % 2 == 0 ? 0.5 : -0.5) * FR_PI + near; }
        if (i % 5 == 0) {
            for (int k = 0; k < 7; k++) {
                previous[k] = t[k];
            }
        }
        fr_arm_input input = input_for(t, previous);
        fr_arm_output output;
        assert_int_equal(fr_arm_solve(&input, &output, NULL), FR_OK);
        assert_true(output.count >= 1);
        assert_true(output.miss < 1e-15);
        worst = fmax(worst, worst_residual(&input, &output, input.wrist.position));
    }
    assert_true(worst < 1e-9);
}

static void test_out_of_reach_says_how_far(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    for (int i = 0; i < 2000; i++) {
        double t[7], previous[7];
        random_angles(&random, t);
        random_angles(&random, previous);
        fr_arm_input input = input_for(t, previous);
        fr_vec3 direction = fr_vec3_unit(input.wrist.position, (fr_vec3){0, 0, 1});
        bool is_far = i % 2 == 0;
        double distance =
            is_far ? fr_random_between(&random, UPPER + LOWER, 5.0) : fr_random_between(&random, 0.0, UPPER - LOWER);
        if (i % 100 == 1) { distance = 0.0; }
        input.wrist.position = fr_vec3_scale(distance, direction);
        fr_arm_output output;
        assert_int_equal(fr_arm_solve(&input, &output, NULL), FR_OK);
        double edge = is_far ? UPPER + LOWER : UPPER - LOWER;
        assert_true(output.count >= 1);
        assert_true(fabs(output.miss - fabs(distance - edge)) < 1e-9);
        if (distance > 0.0) { assert_true(worst_residual(&input, &output, fr_vec3_scale(edge, direction)) < 2e-9); }
    }
}

static void test_equal_bones_fold_to_nothing(void **state) {
    (void)state;
    fr_arm_input input = fr_default_arm_input();
    input.upper = input.lower = 0.3;
    input.wrist.position = (fr_vec3){0, 0, 0};
    fr_arm_output output;
    assert_int_equal(fr_arm_solve(&input, &output, NULL), FR_OK);
    assert_true(output.count >= 1);
    assert_true(worst_residual(&input, &output, (fr_vec3){0, 0, 0}) < 2e-9);
}

// The largest turn of the shoulder from one frame to the next along smooth paths of the angles.
static double largest_step(fr_arm_metric metric, uint32_t paths) {
    fr_random random = fr_random_seed(6);
    double worst = 0.0;
    for (uint32_t path = 0; path < paths; path++) {
        double amplitude[7], rate[7], phase[7], previous[7];
        for (int k = 0; k < 7; k++) {
            amplitude[k] = fr_random_between(&random, 0.3, 1.0);
            rate[k] = fr_random_between(&random, 0.01, 0.035) / amplitude[k];
            phase[k] = fr_random_between(&random, 0.0, 6.0);
            previous[k] = (k == 1 ? 1.3 : 0.0) + amplitude[k] * sin(phase[k]);
        }
        previous[3] = 1.3 + amplitude[3] * sin(phase[3]);
        for (int frame = 1; frame <= 1000; frame++) {
            double t[7];
            for (int k = 0; k < 7; k++) {
                t[k] = (k == 1 ? 1.3 : 0.0) + amplitude[k] * sin(phase[k] + rate[k] * frame);
            }
            t[3] = 1.3 + amplitude[3] * sin(phase[3] + rate[3] * frame);
            fr_arm_input input = input_for(t, previous);
            input.metric = metric;
            fr_arm_output output;
            assert_int_equal(fr_arm_solve(&input, &output, NULL), FR_OK);
            const double *best = output.solutions[output.best].angles;
            double before[7] = {previous[0], previous[1], previous[2]}, after[7] = {best[0], best[1], best[2]};
            fr_quat a = fr_arm_wrist(1.0, 1.0, before).rotation, b = fr_arm_wrist(1.0, 1.0, after).rotation;
            double turned = fr_vec3_length(fr_quat_to_vector(fr_quat_multiply(b, fr_quat_conjugate(a))));
            worst = fmax(worst, turned);
            for (int k = 0; k < 7; k++) {
                previous[k] = best[k];
            }
        }
    }
    return worst;
}

static void test_smooth_paths_stay_smooth(void **state) {
    (void)state;
    uint32_t paths = (uint32_t)test_count(8, 400);
    double by_rotations = largest_step(FR_ARM_ROTATIONS, paths), by_angles = largest_step(FR_ARM_ANGLE_SUM, paths);
    print_message("largest shoulder step: %.3f rad by rotations, %.3f by angles\n", by_rotations, by_angles);
    assert_true(by_rotations <= 0.10);
    assert_true(by_angles <= 0.35);
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    fr_error error;
    fr_arm_output output;
    fr_arm_input input = {0};
    assert_int_equal(fr_arm_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    input = fr_default_arm_input();
    input.upper = 0.0;
    assert_int_equal(fr_arm_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    input = fr_default_arm_input();
    input.previous[3] = NAN;
    assert_int_equal(fr_arm_solve(&input, &output, &error), FR_ERROR_NOT_FINITE);
    input = fr_default_arm_input();
    input.wrist.position.x = INFINITY;
    assert_int_equal(fr_arm_solve(&input, &output, &error), FR_ERROR_NOT_FINITE);
    input = fr_default_arm_input();
    input.wrist.rotation.w = 2.0;
    assert_int_equal(fr_arm_solve(&input, &output, &error), FR_ERROR_ARGUMENT);
    input = fr_default_arm_input();
    assert_int_equal(fr_arm_solve(&input, &output, &error), FR_OK);
    assert_true(output.miss == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_wrist_is_where_the_matrices_put_it),
        cmocka_unit_test(test_every_case_finds_four_and_the_true_one),
        cmocka_unit_test(test_any_goal_from_any_posture),
        cmocka_unit_test(test_near_singularities),
        cmocka_unit_test(test_out_of_reach_says_how_far),
        cmocka_unit_test(test_equal_bones_fold_to_nothing),
        cmocka_unit_test(test_smooth_paths_stay_smooth),
        cmocka_unit_test(test_bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
