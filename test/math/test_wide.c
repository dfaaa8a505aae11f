// The wide helpers in every form they can take here, against plain C, bit for bit.
#include "fureai/math.h"

#include "frame.h"
#include "wide_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// What each result must be

static void expect_floats(const wide_input *in, wide_output *out) {
    for (int k = 0; k < 8; k++) {
        float a = in->fa[k], b = in->fb[k];
        const float result[FLOAT_RESULTS] = {
            a + b,
            a - b,
            a * b,
            a / b,
            a < b ? a : b,
            a > b ? a : b,
            fabsf(a),
            -a,
            sqrtf(a),
            a <= b ? a : b,
            in->fa[3],
            k < 4 ? in->fb[k + 1] : in->fa[k - 1],
            k < 4 ? a : in->fb[k - 4],
            k < 4 ? in->fa[k + 4] : b,
            in->fa[(k + 4) % 8],
            in->fa[k / 4 * 4 + 1],
            in->fa[k / 4 * 4 + 3],
        };
        for (int i = 0; i < FLOAT_RESULTS; i++) {
            out->f[i][k] = result[i];
        }
    }
}

static void expect_doubles(const wide_input *in, wide_output *out) {
    for (int k = 0; k < 4; k++) {
        double a = in->da[k], b = in->db[k];
        const float *p = in->points_as_floats;
        const double all[8] = {in->da[0], in->da[1], in->da[2], in->da[3], in->db[0], in->db[1], in->db[2], 0.0};
        static const int double_from[4] = {0, 4, 2, 1}, float_from[4] = {0, 3, 5, 1};
        const double square[4][4] = {{in->da[0], in->da[1], in->da[2], in->da[3]},
                                     {in->db[0], in->db[1], in->db[2], in->db[3]},
                                     {(double)p[4], (double)p[5], (double)p[6], (double)p[7]},
                                     {(double)p[8], (double)p[9], (double)p[10], (double)p[11]}};
        const double *q = all + double_from[k];
        const float *r = in->fa + float_from[k];
        const double result[DOUBLE_RESULTS] = {
            a + b,
            a - b,
            a * b,
            a / b,
            a < b ? a : b,
            a > b ? a : b,
            fabs(a),
            -a,
            sqrt(a),
            a < b ? a : b,
            in->da[2],
            (double)in->fa[k],
            (double)in->fa[4 + k],
            (double)p[4 + k],
            (double)p[3 * k],
            (double)p[3 * k + 1],
            (double)p[3 * k + 2],
            (double)p[k],
            (double)p[4 + k],
            (double)p[8 + k],
            square[k][0],
            square[k][1],
            square[k][2],
            square[k][3],
            q[0],
            q[1],
            q[2],
            (double)r[0],
            (double)r[1],
            (double)r[2],
        };
        for (int i = 0; i < DOUBLE_RESULTS; i++) {
            out->d[i][k] = result[i];
        }
    }
}

static void expect_masks(const wide_input *in, wide_output *out) {
    memset(out->m, 0, sizeof out->m);
    for (int k = 0; k < 8; k++) {
        float a = in->fa[k], b = in->fb[k];
        bool less = a < b, first = k < in->first;
        const bool result[9] = {less,  a <= b,        a > b,         a >= b,        a == b,
                                first, less && first, less || first, less && !first};
        for (int i = 0; i < 9; i++) {
            out->m[i] |= (int)result[i] << k;
        }
    }
    for (int k = 0; k < 4; k++) {
        double a = in->da[k], b = in->db[k];
        bool less = a < b, first = k < in->first / 2;
        const bool result[9] = {less,  a <= b,        a > b,         a >= b,        a == b,
                                first, less && first, less || first, less && !first};
        for (int i = 0; i < 9; i++) {
            out->m[9 + i] |= (int)result[i] << k;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Inputs and comparison

static float any_float(fr_random *random) {
    static const float special[] = {0.0f, -0.0f,   1.0f,     -1.0f,     INFINITY,  -INFINITY,
                                    NAN,  3.4e38f, -3.4e38f, 0x1p-149f, 0x1p-126f, 0.1f};
    if (fr_random_below(random, 3) == 0) {
        return special[fr_random_below(random, sizeof special / sizeof special[0])];
    }
    uint32_t bits = (uint32_t)fr_random_bits(random);
    float x;
    memcpy(&x, &bits, sizeof x);
    return fr_random_below(random, 2) ? x : (float)fr_random_between(random, -2.0, 2.0);
}

static double any_double(fr_random *random) {
    if (fr_random_below(random, 2)) { return (double)any_float(random); }
    uint64_t bits = fr_random_bits(random);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static wide_input random_input(fr_random *random) {
    wide_input in;
    for (int i = 0; i < 8; i++) {
        in.fa[i] = any_float(random);
        in.fb[i] = fr_random_below(random, 6) == 0 ? in.fa[i] : any_float(random);
    }
    for (int i = 0; i < 4; i++) {
        in.da[i] = any_double(random);
        in.db[i] = fr_random_below(random, 6) == 0 ? in.da[i] : any_double(random);
    }
    for (int i = 0; i < 12; i++) {
        in.points_as_floats[i] = any_float(random);
    }
    in.first = (int)fr_random_below(random, 9);
    return in;
}

// Same bits, or both NaN.
static bool same_float(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }
static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void check(wide_twin_fn *twin) {
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(30000, 3000000);
    for (uint64_t n = 0; n < count; n++) {
        wide_input in = random_input(&random);
        wide_output expected, got;
        expect_floats(&in, &expected);
        expect_doubles(&in, &expected);
        expect_masks(&in, &expected);
        twin(&in, &got);
        for (int i = 0; i < FLOAT_RESULTS * 8; i++) {
            if (!same_float(got.f[i / 8][i % 8], expected.f[i / 8][i % 8])) { fail_msg("float result %d", i / 8); }
        }
        for (int i = 0; i < DOUBLE_RESULTS * 4; i++) {
            if (!same_double(got.d[i / 4][i % 4], expected.d[i / 4][i % 4])) { fail_msg("double result %d", i / 4); }
        }
        for (int i = 0; i < MASK_RESULTS; i++) {
            if (got.m[i] != expected.m[i]) { fail_msg("mask %d: %x, not %x", i, got.m[i], expected.m[i]); }
        }
    }
}

static void baseline_is_plain_arithmetic(void **state) {
    (void)state;
    check(wide_twin_baseline);
}

static void plain_form_is_plain_arithmetic(void **state) {
    (void)state;
    check(wide_twin_plain);
}

static void avx2_is_plain_arithmetic(void **state) {
    (void)state;
#if defined(FR_HAVE_AVX2_KERNELS)
    if (fr_simd_best() == FR_SIMD_AVX2) {
        check(wide_twin_avx2);
        return;
    }
#endif
    skip();
}

static void the_choice_can_be_changed(void **state) {
    (void)state;
    assert_int_equal(fr_simd_get(), fr_simd_best());
    assert_true(fr_simd_set(FR_SIMD_BASELINE));
    assert_int_equal(fr_simd_get(), FR_SIMD_BASELINE);
    assert_false(fr_simd_set((fr_simd)99));
    assert_int_equal(fr_simd_get(), FR_SIMD_BASELINE);
    assert_true(fr_simd_set(fr_simd_best()));
    assert_string_equal(fr_simd_name(FR_SIMD_BASELINE), "baseline");
    assert_string_equal(fr_simd_name(FR_SIMD_AVX2), "avx2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choice_can_be_changed),
        cmocka_unit_test(baseline_is_plain_arithmetic),
        cmocka_unit_test(plain_form_is_plain_arithmetic),
        cmocka_unit_test(avx2_is_plain_arithmetic),
    };
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
