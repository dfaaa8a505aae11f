// Quaternions and matrices: against each other, at their edges, and the promises of normalisation.
#include "math/sample.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void normalize_refuses_what_is_no_rotation(void **state) {
    (void)state;
    const struct {
        fr_quat q;
        fr_status status;
    } cases[] = {
        {{NAN, 0.0, 0.0, 0.0}, FR_ERROR_NOT_FINITE}, {{1.0, 0.0, 0.0, INFINITY}, FR_ERROR_NOT_FINITE},
        {{0.0, 0.0, 0.0, 0.0}, FR_ERROR_ARGUMENT},   {{0.0, 0.98, 0.0, 0.0}, FR_ERROR_ARGUMENT},
        {{0.0, 0.0, -1.02, 0.0}, FR_ERROR_ARGUMENT}, {{1e300, 1e300, 0.0, 0.0}, FR_ERROR_ARGUMENT},
        {{1.0, 1.0, 1.0, 1.0}, FR_ERROR_ARGUMENT},   {{1e-300, 0.0, 0.0, 0.0}, FR_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_quat q = cases[i].q;
        fr_error error = {FR_OK, 0, 0, "", ""};
        assert_int_equal(fr_quat_normalize(&q, &error), cases[i].status);
        assert_int_equal(error.status, cases[i].status);
        assert_true(error.message[0] != '\0');
        assert_memory_equal(&q, &cases[i].q, sizeof q);
        assert_int_equal(fr_quat_normalize(&q, NULL), cases[i].status);
    }
}

static long double long_quat_excess(fr_quat q) {
    long double w = q.w, x = q.x, y = q.y, z = q.z;
    return w * w + x * x + y * y + z * z - 1.0L;
}

static void normalizing_twice_changes_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(21);
    for (uint64_t i = 0; i < test_count(1000000, 20000000); i++) {
        fr_quat q = sample_quat(&random);
        double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        double factor = fr_random_between(&random, 0.9901, 1.0099) / (n > 0.0 ? n : 1.0);
        q = (fr_quat){q.w * factor, q.x * factor, q.y * factor, q.z * factor};
        if (fr_quat_normalize(&q, NULL) != FR_OK) { continue; }
        fr_quat once = q;
        assert_int_equal(fr_quat_normalize(&q, NULL), FR_OK);
        assert_memory_equal(&q, &once, sizeof q);
        assert_true(fabsl(long_quat_excess(q)) <= 24.0L * 0x1p-53L);
    }
}

// |q| within 4 ulp of 1, an ulp being 2^-52.
static void what_is_unit_within_four_ulps_is_kept(void **state) {
    (void)state;
    fr_random random = fr_random_seed(22);
    int tried = 0;
    for (int i = 0; i < 200000; i++) {
        fr_quat q = sample_rotation(&random);
        double *c[] = {&q.w, &q.x, &q.y, &q.z};
        double *moved = c[fr_random_below(&random, 4)];
        *moved += (double)(int)(fr_random_below(&random, 33)) * 0x1p-54 - 0x1p-50;
        if (fabsl(sqrtl(1.0L + long_quat_excess(q)) - 1.0L) > 4.0L * 0x1p-52L) { continue; }
        fr_quat kept = q;
        assert_int_equal(fr_quat_normalize(&kept, NULL), FR_OK);
        assert_memory_equal(&kept, &q, sizeof q);
        tried++;
    }
    assert_true(tried > 100000);
}

static double matrix_difference(fr_mat3 a, fr_mat3 b) {
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fr_vec3_largest(fr_vec3_sub(a.row[i], b.row[i])));
    }
    return most;
}

static void matrices_are_rotations(void **state) {
    (void)state;
    fr_random random = fr_random_seed(23);
    for (int i = 0; i < 50000; i++) {
        fr_quat a = sample_rotation(&random), b = sample_rotation(&random);
        fr_mat3 ma = fr_quat_to_mat3(a), mb = fr_quat_to_mat3(b);
        assert_true(fabs(fr_mat3_determinant(ma) - 1.0) < 1e-14);
        assert_true(matrix_difference(fr_mat3_multiply(ma, fr_mat3_transpose(ma)), fr_mat3_identity()) < 1e-14);
        assert_true(matrix_difference(fr_mat3_multiply(ma, mb), fr_quat_to_mat3(fr_quat_multiply(a, b))) < 1e-14);
        assert_true(matrix_difference(fr_quat_to_mat3(fr_quat_conjugate(a)), fr_mat3_transpose(ma)) == 0.0);
        fr_quat back = fr_quat_from_mat3(ma);
        assert_true(back.w >= 0.0 && rotation_distance(a, back) < 2e-15);
        fr_quat unit = back;
        assert_int_equal(fr_quat_normalize(&unit, NULL), FR_OK);
        assert_memory_equal(&unit, &back, sizeof unit);
    }
}

static void matrices_near_half_turns_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(24);
    for (int i = 0; i < 50000; i++) {
        double small = sample_signed(&random) * sample_power(&random, -60, -1);
        fr_vec3 axis = i % 4 == 0 ? sample_direction(&random) : fr_vec3_make(i % 4 == 1, i % 4 == 2, i % 4 == 3);
        fr_quat q = fr_quat_from_axis_angle(axis, FR_PI + small);
        assert_true(rotation_distance(fr_quat_from_mat3(fr_quat_to_mat3(q)), q) < 2e-15);
    }
}

static void a_quaternion_times_its_conjugate_is_exactly_real(void **state) {
    (void)state;
    fr_random random = fr_random_seed(25);
    for (int i = 0; i < 10000; i++) {
        fr_quat q = sample_rotation(&random), p = fr_quat_multiply(q, fr_quat_conjugate(q));
        assert_true(p.x == 0.0 && p.y == 0.0 && p.z == 0.0);
    }
}

static void turns_go_the_right_way(void **state) {
    (void)state;
    fr_vec3 y = {0.0, 2.5, 0.0}, z = {0.0, 0.0, 1.0};
    fr_quat quarter = fr_quat_from_axis_angle(y, 0.5 * FR_PI);
    fr_vec3 turned = fr_mat3_apply(fr_quat_to_mat3(quarter), z);
    assert_true(fr_vec3_distance(turned, fr_vec3_make(1.0, 0.0, 0.0)) < 1e-15); // right hand: z goes to x about y
    fr_quat none = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 0.0), 1.0), identity = fr_quat_identity();
    assert_memory_equal(&none, &identity, sizeof none);
}

// From 2^-1000 to pi, relative; the quaternion's vector part holds its small angles to the last bit.
static void vectors_survive_the_way_through_quaternions(void **state) {
    (void)state;
    fr_random random = fr_random_seed(26);
    for (int i = 0; i < 100000; i++) {
        double angle = FR_PI * fr_random_unit(&random) * (i % 2 == 0 ? 1.0 : sample_power(&random, -1000, 0));
        fr_vec3 turn = fr_vec3_scale(angle, sample_direction(&random));
        fr_vec3 back = fr_quat_to_vector(fr_quat_from_vector(turn));
        double size = fr_vec3_largest(turn), power = size > 0.0 ? ldexp(1.0, -ilogb(size)) : 1.0;
        fr_vec3 difference = fr_vec3_scale(power, fr_vec3_sub(turn, back));
        assert_true(fr_vec3_largest(difference) < 32.0 * 0x1p-53);
    }
}

static void vectors_near_half_turns_are_accurate(void **state) {
    (void)state;
    fr_random random = fr_random_seed(27);
    for (int i = 0; i < 50000; i++) {
        double missing = sample_power(&random, -60, -4);
        fr_vec3 turn = fr_vec3_scale(FR_PI - missing, sample_direction(&random));
        fr_quat q = fr_quat_from_vector(turn);
        fr_vec3 back = fr_quat_to_vector(q);
        assert_true(fr_vec3_length(back) <= FR_PI * (1.0 + 0x1p-50));
        assert_true(fr_vec3_distance(back, turn) < 64.0 * 0x1p-53 * FR_PI || q.w <= 0.0);
        fr_quat minus = {-q.w, -q.x, -q.y, -q.z};
        fr_vec3 same = fr_quat_to_vector(minus);
        assert_memory_equal(&same, &back, sizeof same);
    }
}

static void exact_half_turns_take_the_upper_axis(void **state) {
    (void)state;
    const fr_quat q[] = {{0.0, -1.0, 0.0, 0.0}, {0.0, 0.0, -1.0, 0.0}, {0.0, 0.0, 0.0, -1.0}, {0.0, -0.6, 0.8, 0.0}};
    for (size_t i = 0; i < sizeof q / sizeof q[0]; i++) {
        fr_vec3 v = fr_quat_to_vector(q[i]);
        double first = v.x != 0.0 ? v.x : v.y != 0.0 ? v.y : v.z;
        assert_true(first > 0.0 && fabs(fr_vec3_length(v) - FR_PI) < 1e-15);
    }
    fr_vec3 none = fr_quat_to_vector(fr_quat_identity());
    assert_true(fr_vec3_equal(none, fr_vec3_make(0.0, 0.0, 0.0)));
}

static void several_turns_are_one_rotation(void **state) {
    (void)state;
    fr_random random = fr_random_seed(28);
    for (int i = 0; i < 1000; i++) {
        fr_vec3 axis = sample_direction(&random);
        double angle = sample_signed(&random), turns = (double)fr_random_below(&random, 100);
        fr_quat once = fr_quat_from_vector(fr_vec3_scale(angle, axis));
        fr_quat often = fr_quat_from_vector(fr_vec3_scale(angle + turns * 2.0 * FR_PI, axis));
        assert_true(rotation_distance(once, often) < 1e-12);
    }
    assert_true(isnan(fr_quat_from_vector(fr_vec3_make(1e300, 0.0, 0.0)).w));

    // The sine and cosine of half the angle reach twice as far as the promise.
    fr_quat longest = fr_quat_from_vector(fr_vec3_make(0.0, FR_TURN_MAX, 0.0));
    fr_quat beyond = fr_quat_from_vector(fr_vec3_make(0.0, nextafter(FR_TURN_MAX, INFINITY), 0.0));
    assert_true(isfinite(longest.w) && isfinite(longest.y));
    assert_true(isnan(beyond.w) && isnan(beyond.x) && isnan(beyond.y) && isnan(beyond.z));
}

static double angle_missed(fr_quat q, fr_vec3 from, fr_vec3 to) {
    return fr_vec3_distance(fr_mat3_apply(fr_quat_to_mat3(q), from), to);
}

static void between_takes_one_vector_to_the_other(void **state) {
    (void)state;
    fr_random random = fr_random_seed(29);
    for (int i = 0; i < 100000; i++) {
        fr_vec3 from = sample_direction(&random), to = sample_direction(&random);
        if (i % 2 == 0) {
            // Nearly the same or nearly opposite, by every power of two.
            double sign = i % 4 == 0 ? 1.0 : -1.0;
            fr_vec3 off = sample_vector(&random, sample_power(&random, -60, -1));
            to = fr_vec3_unit(fr_vec3_add(fr_vec3_scale(sign, from), off), from);
        }
        fr_quat q = fr_quat_between(from, to);
        assert_true(angle_missed(q, from, to) < 24.0 * 0x1p-53);
        // The short way: the axis is perpendicular to both, unless only rounding is left of it.
        fr_vec3 v = {q.x, q.y, q.z};
        assert_true(q.w >= 0.0 && fabs(fr_vec3_dot(v, from)) < 1e-14);
        assert_true(fabsl(long_quat_excess(q)) < 24.0L * 0x1p-53L);
    }
}

static void between_opposite_axes_is_a_half_turn(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        fr_vec3 from = fr_vec3_make(i == 0, i == 1, i == 2), to = fr_vec3_negate(from);
        fr_quat q = fr_quat_between(from, to);
        assert_true(q.w == 0.0 && angle_missed(q, from, to) < 1e-15);
        // One ulp short of unit: the sum has a direction, along the vector itself, that means nothing.
        fr_vec3 shorter = fr_vec3_scale(1.0 - 0x1p-53, to);
        assert_true(angle_missed(fr_quat_between(from, shorter), from, to) < 1e-15);
    }
}

// Mirroring x changes the sign of a rotation's y and z, and of x in vectors: exact, so bit for bit.
static void mirrored_rotations_are_mirrored_bit_for_bit(void **state) {
    (void)state;
    fr_random random = fr_random_seed(30);
    for (int i = 0; i < 10000; i++) {
        fr_vec3 turn = sample_vector(&random, 3.0), mirrored = {turn.x, -turn.y, -turn.z};
        fr_quat q = fr_quat_from_vector(turn), m = fr_quat_from_vector(mirrored);
        assert_true(q.w == m.w && q.x == m.x && q.y == -m.y && q.z == -m.z);
        fr_vec3 v = sample_vector(&random, 1.0), w = {-v.x, v.y, v.z};
        fr_vec3 a = fr_mat3_apply(fr_quat_to_mat3(q), v), b = fr_mat3_apply(fr_quat_to_mat3(m), w);
        assert_true(a.x == -b.x && a.y == b.y && a.z == b.z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalize_refuses_what_is_no_rotation),
        cmocka_unit_test(normalizing_twice_changes_nothing),
        cmocka_unit_test(what_is_unit_within_four_ulps_is_kept),
        cmocka_unit_test(matrices_are_rotations),
        cmocka_unit_test(matrices_near_half_turns_come_back),
        cmocka_unit_test(a_quaternion_times_its_conjugate_is_exactly_real),
        cmocka_unit_test(turns_go_the_right_way),
        cmocka_unit_test(vectors_survive_the_way_through_quaternions),
        cmocka_unit_test(vectors_near_half_turns_are_accurate),
        cmocka_unit_test(exact_half_turns_take_the_upper_axis),
        cmocka_unit_test(several_turns_are_one_rotation),
        cmocka_unit_test(between_takes_one_vector_to_the_other),
        cmocka_unit_test(between_opposite_axes_is_a_half_turn),
        cmocka_unit_test(mirrored_rotations_are_mirrored_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
