// Segments and capsules against a sector: known values, and the least distance of the segment's points.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect_near(double a, double b, double slack) {
    if (!(fabs(a - b) <= slack)) { fail_msg("%.17g is not %.17g", a, b); }
}

static void test_known_distances(void **state) {
    (void)state;
    const fr_sector s[4] = {sample_canonical(1, 3, FR_PI / 4, 0.5), sample_canonical(2, 5, FR_PI, 1),
                            sample_canonical(4, 6, 2.5, 1), sample_canonical(0, 3, FR_PI / 3, 0.5)};
    const struct {
        int sector;
        fr_vec3 segment[2];
        double distance;
    } known[] = {{0, {{-1, -1, 0}, {-1, 1, 0}}, 1.707106781187},
                 {0, {{.2, 0, 2}, {.6, .1, .8}}, 0.493403986547},
                 {0, {{4, -1, 3}, {3, 1, -3}}, 0.416124128687},
                 {1, {{-1, .3, 3}, {1, .3, 1.2}}, 0.976666471440},
                 {1, {{0, 0, -5}, {0, 0, 5}}, 2},
                 {2, {{-8, 1, 2}, {-3, -.5, 1.5}}, 1.969432570681},
                 {3, {{-2, 1, 1}, {1, 4, 1}}, 1.434802093987},
                 {1, {{-1.5, .2, 1.6}, {1.8, .2, 2.6}}, 0.772594084776},
                 {3, {{-1, 0, 0}, {-1, 0, 0}}, 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        expect_near(fr_sector_segment_distance(&s[known[i].sector], known[i].segment), known[i].distance, 1e-9);
    }

    // Reported by the source's capsule around it, and 0.37 away.
    fr_sector wedge = sample_canonical(2, 6, FR_PI / 3, 1);
    const fr_vec3 beside[2] = {{-2, -7, 1}, {0, 5.5, 3.5}};
    expect_near(fr_sector_segment_distance(&wedge, beside), 2.368767840, 1e-8);
    assert_false(fr_sector_overlap_capsule(&wedge, beside, 2.0));
    assert_true(fr_sector_overlap_capsule(&wedge, beside, 2.3687679));
}

// ---------------------------------------------------------------------------------------------------------------
// By the distances of points

static double distance_at(const fr_sector *s, const fr_vec3 segment[2], double t) {
    return fr_sector_distance(s, fr_vec3_lerp(segment[0], segment[1], t));
}

// The least distance of N points, then of ever closer ones about the best few.
static double refined_distance(const fr_sector *s, const fr_vec3 segment[2], int n) {
    double *values = malloc(((size_t)n + 1) * sizeof *values), best = INFINITY;
    assert_non_null(values);
    for (int i = 0; i <= n; i++) {
        values[i] = distance_at(s, segment, (double)i / n);
        best = fmin(best, values[i]);
    }
    for (int i = 0; i <= n; i++) {
        double before = i > 0 ? values[i - 1] : INFINITY, after = i < n ? values[i + 1] : INFINITY;
        if (values[i] > before || values[i] > after) { continue; }
        double low = fmax(0.0, (i - 1.0) / n), high = fmin(1.0, (i + 1.0) / n);
        for (int k = 0; k < 80; k++) {
            double a = low + 0.381966 * (high - low), b = low + 0.618034 * (high - low);
            double at_a = distance_at(s, segment, a), at_b = distance_at(s, segment, b);
            best = fmin(best, fmin(at_a, at_b));
            if (at_a < at_b) {
                high = b;
            } else {
                low = a;
            }
        }
    }
    free(values);
    return best;
}

// Random ones, level, upright, of no length, through the axis, in the plane of an edge, over the hole.
static void sample_segment(fr_random *random, const fr_sector *s, fr_vec3 out[2]) {
    double reach = 1.5 * s->outer + 0.1;
    for (int k = 0; k < 2; k++) {
        out[k] = sample_point(random, reach);
        out[k].z = fr_random_between(random, -s->half_thickness - 10.0, s->half_thickness + 10.0);
    }
    switch (fr_random_below(random, 14)) {
    case 0: out[1].z = out[0].z; break;
    case 1: out[1].x = out[0].x, out[1].y = out[0].y; break;
    case 2: out[1] = out[0]; break;
    case 3: out[1].x = -0.5 * out[0].x, out[1].y = -0.5 * out[0].y; break;
    case 4: out[0] = fr_vec3_make(2 * s->cosine, 2 * s->sine, out[0].z), out[1] = fr_vec3_scale(3.0, out[0]); break;
    case 5:
        for (int k = 0; k < 2; k++) {
            out[k].x *= 0.5 * s->inner / reach, out[k].y *= 0.5 * s->inner / reach;
        }
        break;
    default: break;
    }
}

static void test_distance_by_refined_samples(void **state) {
    (void)state;
    fr_random random = fr_random_seed(20);
    uint64_t count = test_count(1200, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, true);
        fr_vec3 segment[2];
        sample_segment(&random, &s, segment);
        double d = fr_sector_segment_distance(&s, segment), by_points = refined_distance(&s, segment, 128);

        // Two hollows between three points look like one: then closer ones tell.
        if (!(fabs(d - by_points) <= 1e-9)) { by_points = fmin(by_points, refined_distance(&s, segment, 20000)); }
        if (!(fabs(d - by_points) <= 1e-9)) { fail_msg("case %d: %.17g by points %.17g", (int)i, d, by_points); }
    }
}

// Whole numbers bring segments that touch circles, lie in edges and pass through the axis.
static void test_distance_on_a_lattice(void **state) {
    (void)state;
    fr_random random = fr_random_seed(21);
    static const double angles[] = {0.0, FR_PI / 4, FR_PI / 2, 3 * FR_PI / 4, FR_PI};
    uint64_t count = test_count(10000, 500000);
    for (uint64_t i = 0; i < count; i++) {
        double inner = (double)fr_random_below(&random, 4), outer = inner + (double)fr_random_below(&random, 4);
        double half_angle = angles[fr_random_below(&random, 5)], half_thickness = (double)fr_random_below(&random, 3);
        fr_sector s = sample_canonical(inner, outer, half_angle, half_thickness);
        fr_vec3 segment[2];
        for (int k = 0; k < 2; k++) {
            segment[k].x = (double)fr_random_below(&random, 13) - 6.0;
            segment[k].y = (double)fr_random_below(&random, 13) - 6.0;
            segment[k].z = (double)fr_random_below(&random, 9) - 4.0;
        }
        enum { N = 64 };
        double best = INFINITY, d = fr_sector_segment_distance(&s, segment);
        for (int k = 0; k <= N; k++) {
            best = fmin(best, distance_at(&s, segment, (double)k / N));
        }
        double step = 0.5 * fr_vec3_distance(segment[0], segment[1]) / N;
        if (!(d <= best + 1e-12 && best <= d + step + 1e-12)) {
            fail_msg("case %d: %.17g by points %.17g", (int)i, d, best);
        }
    }
}

static void test_plane_segments(void **state) {
    (void)state;
    fr_random random = fr_random_seed(22);
    uint64_t count = test_count(10000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, true);
        s.half_thickness = 1.0;
        fr_vec3 segment[2];
        sample_segment(&random, &s, segment);
        segment[0].z = segment[1].z = 0.0;
        const fr_vec2 flat[2] = {{segment[0].x, segment[0].y}, {segment[1].x, segment[1].y}};
        double d = fr_sector_plane_segment_distance(&s, flat);
        expect_near(d, fr_sector_segment_distance(&s, segment), 1e-11);
        assert_true(fr_sector_plane_overlap_capsule(&s, flat, d + 1e-9));
        assert_true(d < 2e-9 || !fr_sector_plane_overlap_capsule(&s, flat, d - 1e-9));
    }
}

// The filter before the exact test loses nothing, and frames make no difference.
static void test_capsules_by_distance(void **state) {
    (void)state;
    fr_random random = fr_random_seed(23);
    uint64_t count = test_count(30000, 2000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, true);
        fr_vec3 segment[2];
        sample_segment(&random, &s, segment);
        double radius = fr_random_between(&random, 0.0, 12.5), d = fr_sector_segment_distance(&s, segment);
        if (fabs(d - radius) < 1e-9) { continue; }
        assert_int_equal(fr_sector_overlap_capsule(&s, segment, radius), d < radius);
        hits += d < radius;
        fr_sector moved = sample_sector(&random, false);
        moved.inner = s.inner, moved.outer = s.outer, moved.half_angle = s.half_angle;
        moved.half_thickness = s.half_thickness;
        fr_sector_check(&moved, NULL);
        for (int k = 0; k < 2; k++) {
            fr_vec3 p = fr_vec3_add_scaled(moved.center, segment[k].x, moved.bisector);
            p = fr_vec3_add_scaled(p, segment[k].y, moved.side);
            segment[k] = fr_vec3_add_scaled(p, segment[k].z, moved.axis);
        }
        expect_near(fr_sector_segment_distance(&moved, segment), d, 1e-11);
    }
    assert_true(hits > count / 4 && hits < count * 9 / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distances),       cmocka_unit_test(test_distance_by_refined_samples),
        cmocka_unit_test(test_distance_on_a_lattice), cmocka_unit_test(test_plane_segments),
        cmocka_unit_test(test_capsules_by_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
