// The sector itself, points and balls: against its definition, by dense samples.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_near(double a, double b, double slack) {
    if (!(fabs(a - b) <= slack)) { fail_msg("%.17g is not %.17g", a, b); }
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void expect_refused(const fr_sector *wrong, fr_status status) {
    fr_sector s = *wrong;
    fr_error error;
    assert_int_equal(fr_sector_check(&s, &error), status);
    assert_int_equal(error.status, status);
    assert_true(s.side.x == wrong->side.x && s.sine == wrong->sine);
}

static void test_refuses_what_is_no_sector(void **state) {
    (void)state;
    fr_sector good = sample_canonical(1, 3, 0.5, 0.5), bad = good;
    bad.axis = fr_vec3_make(0, 0, 0);
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.bisector = bad.axis;
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.inner = -1.0;
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.inner = 4.0;
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.half_thickness = -0.1;
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.half_angle = -0.1;
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.half_angle = 3.2;
    expect_refused(&bad, FR_ERROR_ARGUMENT);
    bad = good, bad.outer = (double)NAN;
    expect_refused(&bad, FR_ERROR_NOT_FINITE);
    bad = good, bad.center.y = (double)INFINITY;
    expect_refused(&bad, FR_ERROR_NOT_FINITE);
}

static void test_makes_axes_unit(void **state) {
    (void)state;
    fr_sector s = {.axis = {0, 0, 7}, .bisector = {3, 0, 5}, .inner = 1, .outer = 2, .half_angle = 1};
    assert_int_equal(fr_sector_check(&s, NULL), FR_OK);
    assert_true(fr_vec3_equal(s.axis, fr_vec3_make(0, 0, 1)));
    assert_true(fr_vec3_equal(s.bisector, fr_vec3_make(1, 0, 0)));
    assert_true(fr_vec3_equal(s.side, fr_vec3_make(0, 1, 0)));
    fr_vec3 p = fr_sector_local(&s, fr_vec3_make(4, 5, 6));
    assert_true(fr_vec3_equal(p, fr_vec3_make(4, 5, 6)));
}

// ---------------------------------------------------------------------------------------------------------------
// Known values

static void test_known_distances(void **state) {
    (void)state;
    const fr_sector s[4] = {sample_canonical(1, 3, FR_PI / 4, 0.5), sample_canonical(2, 5, FR_PI, 1),
                            sample_canonical(4, 6, 2.5, 1), sample_canonical(0, 3, FR_PI / 3, 0.5)};
    const struct {
        int sector;
        fr_vec3 point;
        double distance;
    } known[] = {{0, {2, 0, 0}, 0},
                 {0, {0, 0, 0}, 1},
                 {0, {4, 0, 1}, 1.118033988750},
                 {0, {0, 2, 0}, 1.414213562373},
                 {0, {-1, 0, 0}, 1.847759065023},
                 {0, {0, 4, 2}, 3.201562118716},
                 {1, {1, 0, 0}, 1},
                 {1, {0, 0, 2}, 2.236067977500},
                 {2, {-5, 0, 0}, 2.992360720520},
                 {2, {-5, 1, 0}, 2.191217104973},
                 {3, {-1, 0, 0}, 1},
                 {2, {0, 3, 1.5}, 1.118033988750}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        expect_near(fr_sector_distance(&s[known[i].sector], known[i].point), known[i].distance, 1e-9);
    }
}

static void test_limits_of_angle_and_radius(void **state) {
    (void)state;
    fr_sector ring = sample_canonical(2, 5, FR_PI, 1), ray = sample_canonical(0, 3, 0, 0),
              arc = sample_canonical(2, 2, 1, 0);
    assert_true(fr_sector_contains(&ring, fr_vec3_make(-3, 0, 0)));
    assert_true(fr_sector_contains(&ring, fr_vec3_make(-3, -0.0, 1)));
    assert_true(fr_sector_distance(&ring, fr_vec3_make(-3, 0, 0)) == 0.0);
    assert_false(fr_sector_contains(&ring, fr_vec3_make(-1, 0, 0)));
    assert_true(fr_sector_contains(&ray, fr_vec3_make(1, 0, 0)));
    assert_true(fr_sector_contains(&ray, fr_vec3_make(0, 0, 0)));
    assert_false(fr_sector_contains(&ray, fr_vec3_make(-1, 0, 0)));
    assert_true(fr_sector_distance(&ray, fr_vec3_make(-1, 0, 0)) == 1.0);
    assert_true(fr_sector_contains(&arc, fr_vec3_make(2, 0, 0)));
    assert_true(fr_sector_overlap_sphere(&arc, fr_vec3_make(0, 0, 0), 2.0));
    assert_false(fr_sector_overlap_sphere(&arc, fr_vec3_make(0, 0, 0), 1.999999));
    fr_sector half = sample_canonical(1, 3, FR_PI / 2, 1);
    assert_true(fr_sector_plane_overlap_circle(&half, (fr_vec2){0.2, 0.0}, 2.5)); // closes the hole
}

static void test_what_is_nan_is_nowhere(void **state) {
    (void)state;
    fr_sector s = sample_canonical(1, 3, 1, 1);
    for (int i = 0; i < 3; i++) {
        fr_vec3 p = {i == 0 ? (double)NAN : 2.0, i == 1 ? (double)NAN : 0.0, i == 2 ? (double)NAN : 0.0};
        assert_false(fr_sector_contains(&s, p));
        assert_false(fr_sector_overlap_sphere(&s, p, 100.0));
        assert_true(isnan(fr_sector_distance(&s, p)));
        const fr_vec3 segment[2] = {{2, 0, 0}, p};
        assert_true(isnan(fr_sector_segment_distance(&s, segment)));
        assert_false(fr_sector_overlap_capsule(&s, segment, 100.0));
        const fr_vec3 triangle[3] = {{2, 0, 0}, {2, 1, 0}, p};
        assert_false(fr_sector_overlap_triangle(&s, triangle));
        assert_true(isnan(fr_sector_triangle_distance(&s, triangle)));
        fr_oriented_box box = {p, fr_mat3_identity(), {1, 1, 1}};
        assert_false(fr_sector_overlap_box(&s, &box));
        assert_true(isnan(fr_sector_box_distance(&s, &box)));
    }
    assert_false(fr_sector_overlap_sphere(&s, fr_vec3_make(2, 0, 0), (double)NAN));
}

// ---------------------------------------------------------------------------------------------------------------
// Dense samples

// The least distance of the border's samples in the plane, and how far apart they are at most.
static double sampled_distance(const fr_sector *s, double x, double y, double *step) {
    enum { N = 128 };
    double best = INFINITY, widest = 0.0;
    for (int i = 0; i <= N; i++) {
        double angle = s->half_angle * (2.0 * i / N - 1.0), along = s->inner + (s->outer - s->inner) * i / N;
        const double p[4][2] = {{s->inner * cos(angle), s->inner * sin(angle)},
                                {s->outer * cos(angle), s->outer * sin(angle)},
                                {along * cos(s->half_angle), along * sin(s->half_angle)},
                                {along * cos(s->half_angle), -along * sin(s->half_angle)}};
        for (int k = 0; k < 4; k++) {
            double d = hypot(x - p[k][0], y - p[k][1]);
            if (d < best) { best = d; }
        }
    }
    widest = fmax(2.0 * s->half_angle * s->outer, s->outer - s->inner) / N;
    *step = 0.5 * widest;
    double rho = hypot(x, y);
    bool is_inside = rho >= s->inner && rho <= s->outer && fabs(atan2(y, x)) <= s->half_angle;
    return is_inside ? 0.0 : best;
}

static void test_distance_by_samples(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(4000, 1000000), inside = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, true);
        double reach = 1.5 * s.outer, x = fr_random_between(&random, -reach, reach);
        double y = fr_random_between(&random, -reach, reach), z = fr_random_between(&random, -20.0, 20.0), step;
        if (i % 4 == 0) {
            x = floor(x), y = floor(y);
            s.inner = floor(s.inner), s.outer = ceil(s.outer);
        }
        double planar = sampled_distance(&s, x, y, &step), over = fmax(fabs(z) - s.half_thickness, 0.0);
        double d = fr_sector_plane_distance(&s, (fr_vec2){x, y});
        assert_true(d <= planar + 1e-12 * (1.0 + reach) && planar <= d + step + 1e-12);
        double whole = fr_sector_distance(&s, fr_vec3_make(x, y, z));
        expect_near(whole, hypot(d, over), 1e-12 * (1.0 + whole));
        if (planar == 0.0) { expect_near(d, 0.0, 1e-13 * (1.0 + reach)); }
        inside += planar == 0.0;
    }
    assert_true(inside > count / 10 && inside < count / 2);
}

static void test_contains_and_closest_agree_with_distance(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    uint64_t count = test_count(20000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, false);
        fr_vec3 p = fr_vec3_add(s.center, sample_point(&random, 1.2 * s.outer + 0.1)), q = fr_sector_closest(&s, p);
        double d = fr_sector_distance(&s, p), size = 100.0;
        bool is_in = fr_sector_contains(&s, p);
        if (d > 1e-13 * size) { assert_false(is_in); }
        if (is_in) { assert_true(d <= 1e-13 * size); }
        expect_near(fr_vec3_distance(p, q), d, 1e-13 * size);
        assert_true(fr_sector_distance(&s, q) <= 1e-13 * size);
        assert_true(fr_sector_overlap_sphere(&s, p, d * (1.0 + 1e-12) + 1e-12));
        assert_true(d < 1e-9 || !fr_sector_overlap_sphere(&s, p, d * (1.0 - 1e-12) - 1e-12));
        fr_vec3 in = sample_in_sector(&random, &s);
        assert_true(fr_sector_distance(&s, in) <= 1e-13 * size);
    }
}

static void test_support_and_bounds(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    uint64_t count = test_count(300, 20000);
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, false);
        fr_vec3 n = sample_direction(&random);
        fr_bounds bounds = fr_sector_bounds(&s), sampled = fr_bounds_empty();
        double support = fr_sector_support(&s, n), most = -INFINITY;
        for (int k = 0; k < 4000; k++) {
            fr_vec3 p = sector_point(&s, k / 1000.0 - floor(k / 1000.0), k / 1000 % 2, k / 2000);
            sampled = fr_bounds_with_point(&sampled, p);
            most = fmax(most, fr_vec3_dot(n, p));
            assert_true(fr_bounds_contain_point(&bounds, p) || fr_sector_distance(&s, p) > 0.0);
        }
        double slack = 1e-2 + 4.0 * s.outer * s.half_angle / 1000.0;
        assert_true(most <= support + 1e-12 * 100.0 && support <= most + slack);
        assert_true(fr_vec3_largest(fr_vec3_sub(bounds.max, sampled.max)) <= slack);
        assert_true(fr_vec3_largest(fr_vec3_sub(bounds.min, sampled.min)) <= slack);
    }
    fr_sector disc = sample_canonical(0, 2, FR_PI, 1);
    expect_near(fr_sector_volume(&disc), 8.0 * FR_PI, 1e-12);
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

typedef struct drawn {
    const fr_sector *s;
    size_t triangles, lines;
} drawn;

static void take_triangles(const double *points, size_t count, fr_color color, void *user) {
    drawn *d = user;
    (void)color;
    d->triangles += count;
    for (size_t i = 0; i < 3 * count; i++) {
        fr_vec3 p = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
        assert_true(fr_sector_distance(d->s, p) < 1e-12);
    }
}

static void take_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    drawn *d = user;
    (void)points, (void)color, (void)width;
    d->lines += count;
}

static void test_draws_the_border(void **state) {
    (void)state;
    fr_sector s = sample_canonical(1, 3, 1, 1), full = sample_canonical(0, 3, FR_PI, 1);
    drawn d = {&s, 0, 0};
    fr_draw draw = {.triangles = take_triangles, .lines = take_lines, .user = &d};
    const fr_color color = {1, 2, 3, 255}, none = {0, 0, 0, 0};
    fr_sector_draw(&s, &draw, color, color);
    assert_true(d.triangles > 100 && d.lines > 80);
    d = (drawn){&full, 0, 0};
    fr_sector_draw(&full, &draw, none, color);
    assert_true(d.triangles == 0 && d.lines == 130);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_what_is_no_sector),
        cmocka_unit_test(test_makes_axes_unit),
        cmocka_unit_test(test_known_distances),
        cmocka_unit_test(test_limits_of_angle_and_radius),
        cmocka_unit_test(test_what_is_nan_is_nowhere),
        cmocka_unit_test(test_distance_by_samples),
        cmocka_unit_test(test_contains_and_closest_agree_with_distance),
        cmocka_unit_test(test_support_and_bounds),
        cmocka_unit_test(test_draws_the_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
