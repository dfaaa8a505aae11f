// Between two postures: unit turns, exact ends, the short arc and constant speed, against long double.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

#define LINKS 7

typedef struct pair {
    fr_quat from_turns[LINKS], to_turns[LINKS], turns[LINKS];
    fr_posture from, to, out;
} pair;

static void make_pair(fr_random *random, pair *p) {
    p->from = (fr_posture){.turns = p->from_turns, .count = LINKS, .contact_left = 1, .contact_right = 2};
    p->to = (fr_posture){.turns = p->to_turns, .count = LINKS, .contact_left = 3};
    p->out = (fr_posture){.turns = p->turns, .count = LINKS};
    random_posture(random, 2.0, &p->from);
    random_posture(random, 2.0, &p->to);
    // Arcs of all sizes: near ones, opposite ones, the same turn.
    for (int i = 0; i < LINKS; i++) {
        uint64_t kind = fr_random_below(random, 5);
        double size = kind == 0 ? 1e-4 : kind == 1 ? 1e-7 : kind == 2 ? 1e-12 : 0.0;
        if (kind == 4) { continue; }
        fr_quat near = fr_quat_multiply(p->from_turns[i], fr_quat_from_vector(random_about(random, size)));
        (void)fr_quat_normalize(&near, NULL);
        double sign = fr_random_below(random, 2) == 0 ? 1.0 : -1.0;
        p->to_turns[i] = (fr_quat){sign * near.w, sign * near.x, sign * near.y, sign * near.z};
    }
}

// (5.7) in long double, with the arc by atan2.
static void long_slerp(fr_quat a, fr_quat b, long double t, long double out[4]) {
    const long double p[4] = {a.w, a.x, a.y, a.z};
    long double q[4] = {b.w, b.x, b.y, b.z}, dot = 0.0L, apart = 0.0L, sum = 0.0L;
    for (int i = 0; i < 4; i++) {
        dot += p[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] = dot < 0.0L ? -q[i] : q[i];
        apart += (q[i] - p[i]) * (q[i] - p[i]);
        sum += (q[i] + p[i]) * (q[i] + p[i]);
    }
    long double arc = 2.0L * atan2l(sqrtl(apart), sqrtl(sum));
    long double from = arc > 1e-9L ? sinl((1.0L - t) * arc) / sinl(arc) : 1.0L - t;
    long double to = arc > 1e-9L ? sinl(t * arc) / sinl(arc) : t;
    for (int i = 0; i < 4; i++) {
        out[i] = from * p[i] + to * q[i];
    }
}

static void agrees_with_long_double(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    static pair p;
    double worst = 0.0;
    uint64_t count = test_count(20000, 200000);
    for (uint64_t n = 0; n < count; n++) {
        make_pair(&random, &p);
        double t = fr_random_unit(&random);
        assert_int_equal(fr_posture_slerp(&p.from, &p.to, t, &p.out, NULL), FR_OK);
        for (int i = 0; i < LINKS; i++) {
            long double expected[4];
            long_slerp(p.from_turns[i], p.to_turns[i], (long double)t, expected);
            const double got[4] = {p.turns[i].w, p.turns[i].x, p.turns[i].y, p.turns[i].z};
            for (int k = 0; k < 4; k++) {
                double off = fabs((double)(got[k] - expected[k]));
                worst = off > worst ? off : worst;
            }
            assert_near(quat_length(p.turns[i]), 1.0, 1e-14);
        }
        assert_true(fr_vec3_distance(p.out.place, fr_vec3_lerp(p.from.place, p.to.place, t)) <= 1e-15);
        assert_int_equal(p.out.contact_left, t < 0.5 ? 1 : 3);
    }
    print_message("off by %.3g\n", worst);
    assert_true(worst <= 1e-14);
}

static void begins_and_ends_exactly(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    static pair p;
    make_pair(&random, &p);
    assert_int_equal(fr_posture_slerp(&p.from, &p.to, 0.0, &p.out, NULL), FR_OK);
    assert_memory_equal(p.turns, p.from_turns, sizeof p.turns);
    assert_int_equal(fr_posture_slerp(&p.from, &p.to, 1.0, &p.out, NULL), FR_OK);
    assert_memory_equal(p.turns, p.to_turns, sizeof p.turns);
    assert_true(fr_vec3_equal(p.out.place, p.to.place));
    assert_int_equal(p.out.contact_left, 3);
}

// The arc is never longer than a quarter turn of quaternions, and equal times make equal angles.
static void goes_the_short_arc_at_constant_speed(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    static pair p;
    uint64_t count = test_count(1000, 20000);
    for (uint64_t n = 0; n < count; n++) {
        make_pair(&random, &p);
        double angles[LINKS];
        for (int i = 0; i < LINKS; i++) {
            angles[i] = angle_between(p.from_turns[i], p.to_turns[i]);
        }
        fr_quat before[LINKS];
        memcpy(before, p.from_turns, sizeof before);
        for (int k = 1; k < 16; k++) {
            assert_int_equal(fr_posture_slerp(&p.from, &p.to, k / 16.0, &p.out, NULL), FR_OK);
            for (int i = 0; i < LINKS; i++) {
                double step = angle_between(before[i], p.turns[i]);
                assert_near(step * 16.0, angles[i], 1e-9 * angles[i] + 1e-14);
            }
            memcpy(before, p.turns, sizeof before);
        }
    }
}

static void gives_the_same_bits_in_every_place_and_set(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    static pair p;
    fr_simd best = fr_simd_best();
    for (int n = 0; n < 2000; n++) {
        make_pair(&random, &p);
        double t = fr_random_unit(&random);
        fr_quat whole[LINKS];
        assert_int_equal(fr_posture_slerp(&p.from, &p.to, t, &p.out, NULL), FR_OK);
        memcpy(whole, p.turns, sizeof whole);
        assert_true(fr_simd_set(FR_SIMD_BASELINE));
        assert_int_equal(fr_posture_slerp(&p.from, &p.to, t, &p.out, NULL), FR_OK);
        assert_true(fr_simd_set(best));
        assert_memory_equal(whole, p.turns, sizeof whole);
        for (uint32_t i = 0; i < LINKS; i++) {
            fr_quat one;
            fr_posture from = {.turns = &p.from_turns[i], .count = 1}, to = {.turns = &p.to_turns[i], .count = 1};
            fr_posture out = {.turns = &one, .count = 1};
            assert_int_equal(fr_posture_slerp(&from, &to, t, &out, NULL), FR_OK);
            assert_memory_equal(&one, &whole[i], sizeof one);
        }
        // In place.
        assert_int_equal(fr_posture_slerp(&p.from, &p.to, t, &p.from, NULL), FR_OK);
        assert_memory_equal(whole, p.from_turns, sizeof whole);
    }
}

static void refuses_what_is_no_fraction(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    static pair p;
    make_pair(&random, &p);
    const double wrong[] = {-0.1, 1.1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fr_posture_slerp(&p.from, &p.to, wrong[i], &p.out, NULL), FR_ERROR_ARGUMENT);
    }
    p.to.count--;
    assert_int_equal(fr_posture_slerp(&p.from, &p.to, 0.5, &p.out, NULL), FR_ERROR_ARGUMENT);
    p.to.count++;
    p.out.turns = NULL;
    assert_int_equal(fr_posture_slerp(&p.from, &p.to, 0.5, &p.out, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_fraction),
        cmocka_unit_test(begins_and_ends_exactly),
        cmocka_unit_test(agrees_with_long_double),
        cmocka_unit_test(goes_the_short_arc_at_constant_speed),
        cmocka_unit_test(gives_the_same_bits_in_every_place_and_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
