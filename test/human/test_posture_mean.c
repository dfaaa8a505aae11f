// The mean of postures with weights: what the plain mean of the source needs beside, against long double.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "heap_calls.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

#define LINKS 7
#define MOTIONS 6

typedef struct fused {
    fr_quat turns[MOTIONS][LINKS], previous_turns[LINKS], out_turns[LINKS];
    double weights[MOTIONS][LINKS + 1];
    fr_weighted_posture motions[MOTIONS];
    fr_posture previous, out;
    size_t count;
} fused;

static void make_fused(fr_random *random, fused *f) {
    f->previous = (fr_posture){.turns = f->previous_turns, .count = LINKS};
    f->out = (fr_posture){.turns = f->out_turns, .count = LINKS};
    random_posture(random, 2.0, &f->previous);
    f->count = (size_t)fr_random_below(random, MOTIONS + 1);
    for (size_t m = 0; m < MOTIONS; m++) {
        f->motions[m] = (fr_weighted_posture){{.turns = f->turns[m], .count = LINKS}, f->weights[m]};
        random_posture(random, 2.0, &f->motions[m].posture);
        f->motions[m].posture.contact_left = (uint8_t)fr_random_below(random, 4);
        for (int i = 0; i <= LINKS; i++) {
            uint64_t kind = fr_random_below(random, 4);
            f->weights[m][i] = kind == 0 ? 0.0 : fr_random_between(random, 0.01, kind == 1 ? 100.0 : 1.0);
        }
    }
}

// One turn in long double, by the text of the method.
static fr_quat expected_turn(const fused *f, int link) {
    size_t reference = MOTIONS;
    double largest = 0.0;
    for (size_t m = 0; m < f->count; m++) {
        if (f->weights[m][link] > largest) {
            largest = f->weights[m][link];
            reference = m;
        }
    }
    if (reference == MOTIONS) { return f->previous_turns[link]; }
    fr_quat r = f->turns[reference][link];
    long double sum[4] = {0.0L, 0.0L, 0.0L, 0.0L}, total = 0.0L;
    for (size_t m = 0; m < f->count; m++) {
        fr_quat q = f->turns[m][link];
        long double w = f->weights[m][link];
        total += w;
        if (q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z < 0.0) { w = -w; }
        sum[0] += w * q.w;
        sum[1] += w * q.x;
        sum[2] += w * q.y;
        sum[3] += w * q.z;
    }
    long double length = sqrtl(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
    assert_true(length / total > 1e-6L); // turns on one side of the largest never cancel out
    return (fr_quat){(double)(sum[0] / length), (double)(sum[1] / length), (double)(sum[2] / length),
                     (double)(sum[3] / length)};
}

static fr_vec3 expected_place(const fused *f) {
    long double sum[3] = {0.0L, 0.0L, 0.0L}, total = 0.0L;
    for (size_t m = 0; m < f->count; m++) {
        long double w = f->weights[m][LINKS];
        sum[0] += w * f->motions[m].posture.place.x;
        sum[1] += w * f->motions[m].posture.place.y;
        sum[2] += w * f->motions[m].posture.place.z;
        total += w;
    }
    if (total == 0.0L) { return f->previous.place; }
    return fr_vec3_make((double)(sum[0] / total), (double)(sum[1] / total), (double)(sum[2] / total));
}

static double distance_of(fr_quat a, fr_quat b) {
    double w = a.w - b.w, x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(w * w + x * x + y * y + z * z);
}

static void agrees_with_long_double(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    static fused f;
    uint64_t count = test_count(20000, 500000);
    for (uint64_t n = 0; n < count; n++) {
        make_fused(&random, &f);
        uint64_t before = test_heap_calls();
        assert_int_equal(fr_posture_mean(f.motions, f.count, &f.previous, &f.out, NULL), FR_OK);
        assert_int_equal(test_heap_calls(), before);
        for (int i = 0; i < LINKS; i++) {
            double off = distance_of(f.out_turns[i], expected_turn(&f, i));
            if (!(off <= 1e-12)) { fail_msg("link %d is off by %g", i, off); }
            assert_near(quat_length(f.out_turns[i]), 1.0, 1e-14);
        }
        assert_true(fr_vec3_distance(f.out.place, expected_place(&f)) <= 1e-13);
    }
}

// Two equal weights: the middle of the arc.
static void is_the_middle_of_two(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    static fused f;
    uint64_t count = test_count(5000, 100000);
    for (uint64_t n = 0; n < count; n++) {
        make_fused(&random, &f);
        for (int i = 0; i <= LINKS; i++) {
            f.weights[0][i] = f.weights[1][i] = 0.7;
        }
        fr_quat middle[LINKS];
        fr_posture half = {.turns = middle, .count = LINKS};
        assert_int_equal(fr_posture_slerp(&f.motions[0].posture, &f.motions[1].posture, 0.5, &half, NULL), FR_OK);
        assert_int_equal(fr_posture_mean(f.motions, 2, &f.previous, &f.out, NULL), FR_OK);
        for (int i = 0; i < LINKS; i++) {
            assert_true(angle_between(middle[i], f.out_turns[i]) <= 1e-12);
        }
        assert_true(fr_vec3_distance(half.place, f.out.place) <= 1e-14);
    }
}

static void does_not_depend_on_signs_or_order(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    static fused f;
    for (int n = 0; n < 5000; n++) {
        make_fused(&random, &f);
        assert_int_equal(fr_posture_mean(f.motions, f.count, &f.previous, &f.out, NULL), FR_OK);
        fr_quat first[LINKS];
        memcpy(first, f.out_turns, sizeof first);
        for (size_t m = 0; m < f.count; m++) {
            for (int i = 0; i < LINKS; i++) {
                fr_quat *q = &f.turns[m][i];
                if (fr_random_below(&random, 2) == 0) { *q = (fr_quat){-q->w, -q->x, -q->y, -q->z}; }
            }
        }
        assert_int_equal(fr_posture_mean(f.motions, f.count, &f.previous, &f.out, NULL), FR_OK);
        for (int i = 0; i < LINKS; i++) {
            // The same bits, up to the sign of all four.
            fr_quat q = f.out_turns[i], minus = {-q.w, -q.x, -q.y, -q.z};
            assert_true(distance_of(q, first[i]) == 0.0 || distance_of(minus, first[i]) == 0.0);
        }
        for (size_t m = 0; m + m < f.count; m++) {
            fr_weighted_posture other = f.motions[m];
            f.motions[m] = f.motions[f.count - 1 - m];
            f.motions[f.count - 1 - m] = other;
        }
        assert_int_equal(fr_posture_mean(f.motions, f.count, &f.previous, &f.out, NULL), FR_OK);
        for (int i = 0; i < LINKS; i++) {
            assert_true(angle_between(f.out_turns[i], first[i]) <= 1e-12);
        }
    }
}

// Motions of weight 0 may have any numbers; one motion alone is taken as it is; none leaves what was.
static void takes_one_alone_as_it_is(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    static fused f;
    make_fused(&random, &f);
    memset(f.weights, 0, sizeof f.weights);
    for (size_t m = 0; m < MOTIONS; m++) {
        f.weights[m][2] = -1.0;
        f.weights[m][3] = NAN;
    }
    memset(f.turns[3], 0xff, sizeof f.turns[3]); // NaN
    assert_int_equal(fr_posture_mean(f.motions, MOTIONS, &f.previous, &f.out, NULL), FR_OK);
    assert_memory_equal(f.out_turns, f.previous_turns, sizeof f.out_turns);
    assert_true(fr_vec3_equal(f.out.place, f.previous.place));
    for (int i = 0; i <= LINKS; i++) {
        f.weights[1][i] = 0.3;
    }
    assert_int_equal(fr_posture_mean(f.motions, MOTIONS, &f.previous, &f.out, NULL), FR_OK);
    assert_memory_equal(f.out_turns, f.turns[1], sizeof f.out_turns);
    assert_true(fr_vec3_equal(f.out.place, f.motions[1].posture.place));
    assert_int_equal(f.out.contact_left, f.motions[1].posture.contact_left);
    assert_int_equal(fr_posture_mean(NULL, 0, &f.previous, &f.out, NULL), FR_OK);
    assert_memory_equal(f.out_turns, f.previous_turns, sizeof f.out_turns);
    // Weights too small to be one, such as subnormal numbers, are 0.
    f.weights[2][0] = f.weights[4][0] = 1e-310;
    f.weights[1][0] = 0.0;
    assert_int_equal(fr_posture_mean(f.motions, MOTIONS, &f.previous, &f.out, NULL), FR_OK);
    assert_memory_equal(&f.out_turns[0], &f.previous_turns[0], sizeof(fr_quat));
    f.weights[2][0] = 2e-12;
    f.weights[4][0] = 1e-12;
    assert_int_equal(fr_posture_mean(f.motions, MOTIONS, &f.previous, &f.out, NULL), FR_OK);
    assert_near(quat_length(f.out_turns[0]), 1.0, 1e-14);
    f.weights[4][0] = 0.0;
    f.weights[1][0] = 0.3;
    // A weight without bounds wins.
    f.weights[2][0] = INFINITY;
    assert_int_equal(fr_posture_mean(f.motions, MOTIONS, &f.previous, &f.out, NULL), FR_OK);
    assert_true(angle_between(f.out_turns[0], f.turns[2][0]) <= 1e-11);
}

static void gives_the_same_bits_in_every_set(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    static fused f;
    fr_simd best = fr_simd_best();
    for (int n = 0; n < 2000; n++) {
        make_fused(&random, &f);
        assert_int_equal(fr_posture_mean(f.motions, f.count, &f.previous, &f.out, NULL), FR_OK);
        fr_quat first[LINKS];
        memcpy(first, f.out_turns, sizeof first);
        assert_true(fr_simd_set(FR_SIMD_BASELINE));
        assert_int_equal(fr_posture_mean(f.motions, f.count, &f.previous, &f.previous, NULL), FR_OK);
        assert_true(fr_simd_set(best));
        assert_memory_equal(first, f.previous_turns, sizeof first);
    }
}

static void refuses_other_numbers_of_links(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    static fused f;
    fr_error error = {0};
    make_fused(&random, &f);
    f.motions[1].posture.count = LINKS - 1;
    assert_int_equal(fr_posture_mean(f.motions, 3, &f.previous, &f.out, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "motion 1"));
    f.motions[1].posture.count = LINKS;
    f.motions[2].weights = NULL;
    assert_int_equal(fr_posture_mean(f.motions, 3, &f.previous, &f.out, NULL), FR_ERROR_ARGUMENT);
    f.previous.count = 2;
    assert_int_equal(fr_posture_mean(f.motions, 0, &f.previous, &f.out, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_other_numbers_of_links),    cmocka_unit_test(takes_one_alone_as_it_is),
        cmocka_unit_test(agrees_with_long_double),           cmocka_unit_test(is_the_middle_of_two),
        cmocka_unit_test(does_not_depend_on_signs_or_order), cmocka_unit_test(gives_the_same_bits_in_every_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
