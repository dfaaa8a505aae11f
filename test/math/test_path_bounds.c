// Bounds of paths: they hold the path in real arithmetic (long double as its stand-in), and are tight.
#include "math/sample.h"

#include "frame.h"
#include "math/path_bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DENSE 400

static fr_motion sample_motion(fr_random *random, double travel, double angle) {
    fr_motion motion;
    motion.start = sample_pose(random, 1.0);
    motion.pivot_local = sample_vector(random, 1.0);
    motion.travel = sample_vector(random, travel);
    motion.turn = fr_vec3_scale(angle, sample_direction(random));
    return motion;
}

// `slack`: what the oracle itself may be wrong by.
static bool holds(const fr_bounds *b, long_vec3 x, long double slack) {
    return b->min.x - slack <= x.x && x.x <= b->max.x + slack && //
           b->min.y - slack <= x.y && x.y <= b->max.y + slack && //
           b->min.z - slack <= x.z && x.z <= b->max.z + slack;
}

static double moment(fr_random *random, double t0, double t1, int i, int count) {
    double t = i < count ? t0 + (t1 - t0) * ((double)i / (double)count) : t0 + (t1 - t0) * fr_random_unit(random);
    return fmin(fmax(t, t0), t1);
}

static void sample_times(fr_random *random, double *t0, double *t1) {
    double a = fr_random_unit(random), b = fr_random_unit(random);
    if (fr_random_below(random, 2) == 0) { a = 0.0, b = 1.0; }
    if (fr_random_below(random, 4) == 0) { b = fmin(1.0, a + sample_power(random, -50, -1)); }
    *t0 = fmin(a, b);
    *t1 = fmax(a, b);
}

// Sizes, turns, pivots and travels over many powers of two, each against moments of its path.
static void paths_stay_inside(void **state) {
    (void)state;
    fr_random random = fr_random_seed(81);
    for (uint64_t i = 0; i < test_count(40000, 1000000); i++) {
        double angle = sample_power(&random, -70, 19) * fr_random_between(&random, 1.0, 2.0);
        if (i % 2 == 0) { angle = 15.0 * fr_random_unit(&random); }
        if (i % 16 == 1) { angle = 0.0; }
        double travel = i % 3 == 0 ? 0.0 : sample_power(&random, -20, 10);
        fr_motion motion = sample_motion(&random, travel, angle);
        if (i % 5 == 0) { motion.pivot_local = sample_vector(&random, sample_power(&random, -30, 30)); }
        if (i % 7 == 0) { motion.turn = fr_vec3_make(0.0, i % 2 == 0 ? angle : -angle, 0.0); }
        double size = sample_power(&random, -30, 30);
        motion.start.scale = size;
        motion.start.position = fr_vec3_scale(size * (i % 4 == 0 ? 1024.0 : 1.0), motion.start.position);
        motion.travel = fr_vec3_scale(size, motion.travel);
        double t0, t1;
        sample_times(&random, &t0, &t1);
        fr_vec3 v = sample_vector(&random, 1.0), x0 = fr_pose_apply(&motion.start, v);
        fr_vec3 c = fr_pose_apply(&motion.start, motion.pivot_local);

        fr_bounds bounds = fr_motion_path_bounds(&motion, v, t0, t1);
        long double slack = 0x1p-61L * ((long double)angle * fr_vec3_distance(x0, c) + fr_vec3_length(motion.travel) +
                                        fr_vec3_length(x0));
        for (int k = 0; k <= 12; k++) {
            long_vec3 x = long_motion_point(&motion, v, moment(&random, t0, t1, k, 6));
            assert_true(holds(&bounds, x, slack));
        }
        assert_true(holds(&bounds, long_motion_point(&motion, v, t1), slack));
    }
}

// Where a coordinate turns back is where a bound would be short.
static void extremes_stay_inside(void **state) {
    (void)state;
    fr_random random = fr_random_seed(82);
    for (uint64_t i = 0; i < test_count(100, 5000); i++) {
        double travel = sample_power(&random, -8, 2);
        fr_motion motion = sample_motion(&random, travel, 14.0 * fr_random_unit(&random));
        fr_vec3 v = sample_vector(&random, 1.0);
        fr_bounds bounds = fr_motion_path_bounds(&motion, v, 0.0, 1.0);
        for (int k = 0; k < 64; k++) {
            // Golden-section search for a top of y between two moments; where there is none it ends at one of them.
            double a = (double)k / 64.0, b = (double)(k + 1) / 64.0;
            for (int n = 0; n < 45 && b - a > 1e-10; n++) {
                double p = b - 0.6180339887498949 * (b - a), q = a + 0.6180339887498949 * (b - a);
                if (long_motion_point(&motion, v, p).y > long_motion_point(&motion, v, q).y) {
                    b = q;
                } else {
                    a = p;
                }
            }
            assert_true(holds(&bounds, long_motion_point(&motion, v, a), 0x1p-60L));
        }
    }
}

static double volume(const fr_bounds *b) {
    return (b->max.x - b->min.x) * (b->max.y - b->min.y) * (b->max.z - b->min.z);
}

static fr_bounds dense_box(const fr_motion *motion, fr_vec3 v) {
    fr_bounds box = fr_bounds_empty();
    for (int i = 0; i <= DENSE; i++) {
        box = fr_bounds_with_point(&box, fr_motion_point(motion, v, (double)i / (double)DENSE));
    }
    return box;
}

typedef struct tightness {
    double volume;     // mean ratio of volumes, the bounds' over a dense sample's
    double most_extra; // most that a side is too long by, over the longest side
} tightness;

// For turns of half of `angle` to all of it.
static tightness measure_tightness(double travel, double angle) {
    fr_random random = fr_random_seed(83);
    tightness found = {0.0, 0.0};
    int count = 300;
    for (int i = 0; i < count; i++) {
        fr_motion motion = sample_motion(&random, travel, angle * fr_random_between(&random, 0.5, 1.0));
        fr_vec3 v = sample_vector(&random, 1.0);
        fr_bounds bounds = fr_motion_path_bounds(&motion, v, 0.0, 1.0), box = dense_box(&motion, v);
        fr_vec3 side = fr_vec3_sub(bounds.max, bounds.min), dense_side = fr_vec3_sub(box.max, box.min);
        double extra = fr_vec3_largest(fr_vec3_sub(side, dense_side)) / fr_vec3_largest(dense_side);
        found.volume += volume(&bounds) / volume(&box) / count;
        found.most_extra = fmax(found.most_extra, extra);
    }
    return found;
}

static void bounds_are_tight(void **state) {
    (void)state;
    const double travels[] = {0.0, 0.1, 1.0, 4.0}, angles[] = {0.001, 0.01, 0.1, 0.5, 1.0, 3.0, 6.0, 12.0};
    for (size_t i = 0; i < sizeof travels / sizeof travels[0]; i++) {
        for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++) {
            tightness found = measure_tightness(travels[i], angles[k]);
            print_message("travel %-4g turn %-6g volume over a dense sample's %.4f, most extra on a side %.4f\n",
                          travels[i], angles[k], found.volume, found.most_extra);
            assert_true(found.volume >= 0.999999 && found.volume < 1.02 && found.most_extra < 0.02);
        }
    }
}

static void a_still_point_has_no_extent(void **state) {
    (void)state;
    fr_random random = fr_random_seed(84);
    for (int i = 0; i < 1000; i++) {
        fr_pose pose = sample_pose(&random, 10.0);
        fr_motion still = fr_motion_still(&pose);
        fr_vec3 v = sample_vector(&random, 1.0), x = fr_pose_apply(&pose, v);
        fr_bounds bounds = fr_motion_path_bounds(&still, v, 0.0, 1.0);
        assert_true(fr_vec3_equal(bounds.min, x) && fr_vec3_equal(bounds.max, x));
    }
}

static void pieces_of_time_are_inside_the_whole(void **state) {
    (void)state;
    fr_random random = fr_random_seed(85);
    for (int i = 0; i < 2000; i++) {
        fr_motion motion = sample_motion(&random, 1.0, 10.0 * fr_random_unit(&random));
        fr_vec3 v = sample_vector(&random, 1.0);
        fr_bounds all = fr_bounds_empty();
        for (int k = 0; k < 64; k++) {
            fr_bounds piece = fr_motion_path_bounds(&motion, v, k / 64.0, (k + 1) / 64.0);
            all = fr_bounds_union(&all, &piece);
        }
        fr_bounds whole = fr_motion_path_bounds(&motion, v, 0.0, 1.0);
        whole = fr_bounds_grow(&whole, 1e-3); // the pieces' own growth
        assert_true(fr_bounds_contain_point(&whole, all.min) && fr_bounds_contain_point(&whole, all.max));
    }
}

static void boxes_and_balls_stay_inside(void **state) {
    (void)state;
    fr_random random = fr_random_seed(86);
    for (uint64_t i = 0; i < test_count(3000, 300000); i++) {
        fr_motion motion = sample_motion(&random, 1.0, 8.0 * fr_random_unit(&random) * (i % 3 == 0 ? 0.0 : 1.0));
        motion.start.scale = fr_random_between(&random, 0.1, 10.0);
        fr_vec3 center = sample_vector(&random, 1.0), half = sample_vector(&random, 1.0);
        half = fr_vec3_make(fabs(half.x), fabs(half.y), i % 5 == 0 ? 0.0 : fabs(half.z));
        fr_bounds box = {fr_vec3_sub(center, half), fr_vec3_add(center, half)};
        double radius = fr_random_unit(&random), t0, t1;
        sample_times(&random, &t0, &t1);
        fr_bounds box_bounds = fr_motion_box_bounds(&motion, &box, t0, t1);
        fr_bounds ball_bounds = fr_motion_ball_bounds(&motion, center, radius, t0, t1);
        for (int k = 0; k < 32; k++) {
            double t = moment(&random, t0, t1, k, 16);
            fr_vec3 p = sample_vector(&random, 1.0);
            fr_vec3 v = {k % 2 == 0 ? copysign(half.x, p.x) : half.x * p.x, //
                         k % 3 == 0 ? copysign(half.y, p.y) : half.y * p.y, copysign(half.z, p.z)};
            v = fr_vec3_max(box.min, fr_vec3_min(box.max, fr_vec3_add(center, v)));
            assert_true(holds(&box_bounds, long_motion_point(&motion, v, t), 0x1p-58L));
            fr_vec3 w = fr_vec3_add_scaled(center, radius * (1.0 - 0x1p-50), sample_direction(&random));
            assert_true(holds(&ball_bounds, long_motion_point(&motion, w, t), 0x1p-58L));
        }
    }
}

static void an_empty_box_has_empty_bounds(void **state) {
    (void)state;
    fr_random random = fr_random_seed(87);
    fr_motion motion = sample_motion(&random, 1.0, 1.0);
    fr_bounds empty = fr_bounds_empty(), bounds = fr_motion_box_bounds(&motion, &empty, 0.0, 1.0);
    assert_true(fr_bounds_is_empty(&bounds));
}

// What cannot be bounded is unbounded, not NaN.
static void numbers_beyond_the_limits_give_everything(void **state) {
    (void)state;
    fr_random random = fr_random_seed(88);
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int field = 0; field < 9; field++) {
            fr_motion motion = sample_motion(&random, 1.0, 1.0);
            fr_vec3 v = {0.5, 0.5, 0.5};
            double *fields[] = {&v.x,
                                &v.y,
                                &v.z,
                                &motion.travel.x,
                                &motion.travel.z,
                                &motion.turn.y,
                                &motion.turn.z,
                                &motion.start.position.x,
                                &motion.pivot_local.y};
            *fields[field] = bad[i];
            fr_bounds bounds = fr_motion_path_bounds(&motion, v, 0.25, 0.5);
            assert_false(fr_bounds_is_empty(&bounds));
            fr_bounds box = {v, v};
            bounds = fr_motion_box_bounds(&motion, &box, 0.0, 1.0);
            assert_true(isnan(bad[i]) || !fr_bounds_is_empty(&bounds));
        }
    }
}

static bool same_bounds(const fr_bounds *a, const fr_bounds *b) {
    return fr_vec3_equal(a->min, b->min) && fr_vec3_equal(a->max, b->max);
}

static void a_shared_sweep_gives_the_same_bits(void **state) {
    (void)state;
    fr_random random = fr_random_seed(90);
    for (int i = 0; i < 200; i++) {
        fr_motion motion = sample_motion(&random, 1.0, i % 5 == 0 ? 0.0 : 15.0 * fr_random_unit(&random));
        fr__sweep sweep;
        fr__sweep_make(&sweep, &motion, 0.25, 0.75);
        for (int k = 0; k < 20; k++) {
            fr_vec3 v = sample_vector(&random, 1.0);
            fr_bounds shared = fr__sweep_point(&sweep, fr_pose_apply(&motion.start, v));
            fr_bounds alone = fr_motion_path_bounds(&motion, v, 0.25, 0.75);
            assert_memory_equal(&shared, &alone, sizeof alone);
        }
    }
}

static void powers_of_two_and_mirrors_change_no_bit(void **state) {
    (void)state;
    fr_random random = fr_random_seed(89);
    for (int i = 0; i < 10000; i++) {
        fr_motion m = sample_motion(&random, 1.0, 6.0 * fr_random_unit(&random));
        fr_vec3 v = sample_vector(&random, 1.0);
        fr_bounds b = fr_motion_path_bounds(&m, v, 0.0, 1.0);

        double power = sample_power(&random, -90, 90);
        fr_motion larger = {{m.start.rotation, fr_vec3_scale(power, m.start.position), power},
                            m.pivot_local,
                            fr_vec3_scale(power, m.travel),
                            m.turn};
        fr_bounds expected = {fr_vec3_scale(power, b.min), fr_vec3_scale(power, b.max)};
        fr_bounds found = fr_motion_path_bounds(&larger, v, 0.0, 1.0);
        assert_true(same_bounds(&found, &expected));

        // Mirror x: turns are mirrored as axial vectors.
        fr_quat q = m.start.rotation;
        fr_vec3 p = m.start.position, c = m.pivot_local, d = m.travel, w = m.turn;
        fr_motion mirrored = {
            {{q.w, q.x, -q.y, -q.z}, {-p.x, p.y, p.z}, 1.0}, {-c.x, c.y, c.z}, {-d.x, d.y, d.z}, {w.x, -w.y, -w.z}};
        expected = (fr_bounds){{-b.max.x, b.min.y, b.min.z}, {-b.min.x, b.max.y, b.max.z}};
        found = fr_motion_path_bounds(&mirrored, fr_vec3_make(-v.x, v.y, v.z), 0.0, 1.0);
        assert_true(same_bounds(&found, &expected));

        // Swap x and y: a mirror as well.
        fr_motion swapped = {
            {{q.w, -q.y, -q.x, -q.z}, {p.y, p.x, p.z}, 1.0}, {c.y, c.x, c.z}, {d.y, d.x, d.z}, {-w.y, -w.x, -w.z}};
        expected = (fr_bounds){{b.min.y, b.min.x, b.min.z}, {b.max.y, b.max.x, b.max.z}};
        found = fr_motion_path_bounds(&swapped, fr_vec3_make(v.y, v.x, v.z), 0.0, 1.0);
        assert_true(same_bounds(&found, &expected));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_stay_inside),
        cmocka_unit_test(extremes_stay_inside),
        cmocka_unit_test(bounds_are_tight),
        cmocka_unit_test(a_still_point_has_no_extent),
        cmocka_unit_test(pieces_of_time_are_inside_the_whole),
        cmocka_unit_test(boxes_and_balls_stay_inside),
        cmocka_unit_test(an_empty_box_has_empty_bounds),
        cmocka_unit_test(numbers_beyond_the_limits_give_everything),
        cmocka_unit_test(a_shared_sweep_gives_the_same_bits),
        cmocka_unit_test(powers_of_two_and_mirrors_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
