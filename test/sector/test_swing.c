// The sweep of a swung box: exact, held by a sector and by a cover.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_near(double a, double b, double slack) {
    if (!(fabs(a - b) <= slack)) { fail_msg("%.17g is not %.17g", a, b); }
}

// A swing whose middle arm is x, so that the sweep's frame is the canonical one.
static fr_swing swing_about_x(double distance, fr_vec3 sizes, double angle) {
    fr_swing swing = {.axis = {0, 0, 1},
                      .arm = {cos(0.5 * angle), -sin(0.5 * angle), 0},
                      .distance = distance,
                      .half = fr_vec3_scale(0.5, sizes),
                      .angle = angle};
    assert_int_equal(fr_swing_check(&swing, NULL), FR_OK);
    return swing;
}

// The box of a swing at t, and the swing of the protocol of Yamamoto 3.1: half of them with the pivot inside when
// asked.
static fr_oriented_box box_at(const fr_swing *swing, double t) {
    double angle = t * swing->angle;
    fr_vec3 across = fr_vec3_cross(swing->axis, swing->arm);
    fr_vec3 arm = fr_vec3_add_scaled(fr_vec3_scale(cos(angle), swing->arm), sin(angle), across);
    fr_oriented_box box = {.half = swing->half};
    box.axes.row[0] = fr_vec3_cross(arm, swing->axis);
    box.axes.row[1] = arm;
    box.axes.row[2] = swing->axis;
    box.center = fr_vec3_add_scaled(swing->pivot, swing->distance, arm);
    return box;
}

static fr_swing sample_swing(fr_random *random, bool is_inside) {
    fr_swing swing;
    swing.pivot = sample_point(random, 20.0);
    swing.axis = sample_direction(random);
    swing.arm = sample_direction(random);
    swing.distance = fr_random_between(random, is_inside ? 0.0 : 12.5, is_inside ? 12.5 : 25.0);
    swing.half = sample_half(random);
    swing.angle = fr_random_between(random, -2.0 * FR_PI, 2.0 * FR_PI);
    switch (fr_random_below(random, 8)) {
    case 0: swing.angle *= 0.02; break;
    case 1: swing.half.x = 0.0; break;
    case 2: swing.half.y = swing.distance < 12.5 ? swing.half.y : swing.distance; break; // the pivot on a face
    case 3: swing.angle = 2.0 * FR_PI; break;
    default: break;
    }
    if (fr_swing_check(&swing, NULL) != FR_OK) { return sample_swing(random, is_inside); }
    return swing;
}

static double box_distance(const fr_oriented_box *box, fr_vec3 p) {
    fr_vec3 d = fr_vec3_sub(p, box->center);
    double x = fmax(fabs(fr_vec3_dot(d, box->axes.row[0])) - box->half.x, 0.0);
    double y = fmax(fabs(fr_vec3_dot(d, box->axes.row[1])) - box->half.y, 0.0);
    double z = fmax(fabs(fr_vec3_dot(d, box->axes.row[2])) - box->half.z, 0.0);
    return sqrt(x * x + y * y + z * z);
}

// ---------------------------------------------------------------------------------------------------------------

static void test_refuses_what_is_no_swing(void **state) {
    (void)state;
    fr_swing good = swing_about_x(20, fr_vec3_make(4, 10, 6), 1), bad = good;
    bad.arm = bad.axis;
    assert_int_equal(fr_swing_check(&bad, NULL), FR_ERROR_ARGUMENT);
    bad = good, bad.axis = fr_vec3_make(0, 0, 0);
    assert_int_equal(fr_swing_check(&bad, NULL), FR_ERROR_ARGUMENT);
    bad = good, bad.half.z = -1.0;
    assert_int_equal(fr_swing_check(&bad, NULL), FR_ERROR_ARGUMENT);
    bad = good, bad.angle = (double)NAN;
    assert_int_equal(fr_swing_check(&bad, NULL), FR_ERROR_NOT_FINITE);
    fr_oriented_box box = {{5, 1, 0}, fr_mat3_identity(), {1, 1, 1}};
    fr_screw screw = {{0, 0, 0}, {0, 0, 1}, 1, 0}, slide = screw, tilted = screw;
    fr_swing swing;
    assert_false(fr_swing_of_box(&box, &screw, &swing)); // its middle is not straight out along an axis
    box.center.y = 0.0;
    assert_true(fr_swing_of_box(&box, &screw, &swing));
    slide.slide = 1.0;
    tilted.axis = fr_vec3_make(0, 0.1, 1);
    assert_false(fr_swing_of_box(&box, &slide, &swing));
    assert_false(fr_swing_of_box(&box, &tilted, &swing));
    box.center.x = 0.0;
    assert_true(fr_swing_of_box(&box, &screw, &swing) && swing.distance == 0.0);
}

static void test_known_distances(void **state) {
    (void)state;
    const struct {
        double distance;
        fr_vec3 sizes;
        double angle;
        fr_vec3 point;
        double expected;
    } known[] = {
        {20, {4, 10, 6}, 1, {27, 0, 0}, 1.920127592031},   {20, {4, 10, 6}, 1, {14, 0, 0}, 1},
        {20, {4, 10, 6}, 1, {20, 15, 0}, 1.575227656272},  {20, {20, 4, 6}, 0.2, {23, 0, 0}, 0.885095801395},
        {20, {20, 4, 6}, 0.2, {27, 0, 1}, 4.865112462507}, {20, {20, 4, 6}, 0.2, {17, 9, 5}, 2.008670098202},
        {5, {4, 10, 2}, 3, {-3, 0, 0}, 1.014918795151},    {20, {4, 10, 6}, 2 * FR_PI, {-26, 0, 0}, 0.920127592031}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        fr_swing swing = swing_about_x(known[i].distance, known[i].sizes, known[i].angle);
        fr_sweep sweep = fr_sweep_of_swing(&swing);
        fr_vec3 p = known[i].point;
        if (known[i].angle == 2 * FR_PI) { p = fr_vec3_negate(p); } // the frame's bisector is opposite to the arm
        expect_near(fr_sweep_distance(&sweep, p), known[i].expected, 1e-9);
        assert_true(fr_sweep_overlap_sphere(&sweep, p, known[i].expected + 1e-9));
        assert_false(fr_sweep_overlap_sphere(&sweep, p, known[i].expected - 1e-9));
    }
}

// Against the least distance of many poses: never above it, and below it by no more than the box goes between two of
// them.
static void test_exact_sweep_by_poses(void **state) {
    (void)state;
    fr_random random = fr_random_seed(8);
    uint64_t swings = test_count(200, 10000), inside = 0, all = 0;
    for (uint64_t i = 0; i < swings; i++) {
        fr_swing swing = sample_swing(&random, i % 3 == 0);
        fr_sweep sweep = fr_sweep_of_swing(&swing);
        fr_sector held = fr_sector_of_swing(&swing);
        fr_cover cover = fr_cover_of_swing(&swing);
        enum { POSES = 300 };
        for (int k = 0; k < 30; k++) {
            fr_vec3 p = fr_vec3_add(swing.pivot, sample_point(&random, 45.0));
            if (k % 2) { p = fr_vec3_add_scaled(p, -fr_vec3_dot(swing.axis, fr_vec3_sub(p, swing.pivot)), swing.axis); }
            double least = INFINITY, d = fr_sweep_distance(&sweep, p);
            for (int j = 0; j <= POSES; j++) {
                fr_oriented_box box = box_at(&swing, (double)j / POSES);
                least = fmin(least, box_distance(&box, p));
            }
            double step = fabs(swing.angle) / POSES * 0.5 * fr_vec3_distance(p, swing.pivot);
            if (!(d <= least + 1e-11 && least <= d + step + 1e-11)) { fail_msg("%.17g by poses %.17g", d, least); }
            assert_true(fr_sector_distance(&held, p) <= d + 1e-11);
            double cover_least = fmin(fr_sector_distance(&cover.sector, p),
                                      fmin(box_distance(&cover.ends[0], p), box_distance(&cover.ends[1], p)));
            assert_true(cover_least <= d + 1e-11);
            inside += d == 0.0;
            all++;
        }
    }
    assert_true(inside > all / 50 && inside < all / 2);
}

static void test_nothing_swept_is_outside(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    uint64_t swings = test_count(1000, 20000);
    for (uint64_t i = 0; i < swings; i++) {
        fr_swing swing = sample_swing(&random, i % 3 == 0);
        fr_sweep sweep = fr_sweep_of_swing(&swing);
        fr_sector held = fr_sector_of_swing(&swing);
        fr_cover cover = fr_cover_of_swing(&swing);
        for (int k = 0; k < 50; k++) {
            fr_oriented_box box = box_at(&swing, k < 2 ? k : fr_random_unit(&random));
            fr_vec3 at = sample_point(&random, 1.0);
            if (k % 2) { at = fr_vec3_make(k & 2 ? 1 : -1, k & 4 ? 1 : -1, k & 8 ? 1 : -1); }
            fr_vec3 p = box_point(&box, at);
            if (!(fr_sector_distance(&held, p) <= 0.0)) { fail_msg("outside by %g", fr_sector_distance(&held, p)); }
            assert_true(fr_sweep_distance(&sweep, p) <= 1e-11);
            double least = fmin(fr_sector_distance(&cover.sector, p),
                                fmin(box_distance(&cover.ends[0], p), box_distance(&cover.ends[1], p)));
            assert_true(least <= 0.0);
        }
    }
}

// Balls against the sweep, and against the box followed step by step.
static void test_sweep_agrees_with_first_contact(void **state) {
    (void)state;
    fr_random random = fr_random_seed(10);
    uint64_t count = test_count(4000, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_swing swing = sample_swing(&random, i % 3 == 0);
        fr_sweep sweep = fr_sweep_of_swing(&swing);
        fr_oriented_box box = box_at(&swing, 0.0);
        fr_screw screw = {swing.pivot, swing.axis, swing.angle, 0.0};
        fr_vec3 center = fr_vec3_add(swing.pivot, sample_point(&random, 25.0));
        double radius = fr_random_between(&random, 0.0, 10.0), d = fr_sweep_distance(&sweep, center);
        if (fabs(d - radius) < 1e-5) { continue; }
        fr_screw_hit hit = fr_screw_box_sphere(&box, &screw, center, radius, 1e-7);
        if (hit.is_capped) { continue; }
        assert_int_equal(hit.is_hit, fr_sweep_overlap_sphere(&sweep, center, radius));
        hits += hit.is_hit;
    }
    assert_true(hits > count / 10);
}

static void test_cover_meets_shapes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    uint64_t count = test_count(300, 5000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_swing swing = sample_swing(&random, i % 3 == 0);
        fr_cover cover = fr_cover_of_swing(&swing);
        fr_oriented_box at_start = box_at(&swing, 0.0);
        fr_vec3 points[4], center = fr_vec3_add(swing.pivot, sample_point(&random, 25.0));
        for (int k = 0; k < 4; k++) {
            points[k] = fr_vec3_add(center, sample_point(&random, 5.0));
        }
        fr_convex set = {points, 1 + i % 4, i % 2 ? 1.5 : 0.0};
        fr_vec3 corners[8];
        for (int k = 0; k < 8; k++) {
            corners[k] = box_point(&at_start, fr_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
        }
        fr_convex body = {corners, 8, 0.0};
        fr_screw screw = {swing.pivot, swing.axis, swing.angle, 0.0};
        fr_screw_hit hit = fr_screw_contact(&body, &screw, &set, 1e-6);
        bool answer = fr_cover_overlap_convex(&cover, &set);
        if (hit.is_hit && !hit.is_capped && hit.distance == 0.0) { assert_true(answer); }
        if (!answer) { assert_true(!hit.is_hit || hit.is_capped || hit.distance > 0.0); }
        hits += answer;
        fr_sector other = sample_sector(&random, false);
        if (fr_sector_overlap_box(&other, &at_start)) { assert_true(fr_cover_overlap_sector(&cover, &other, 1e-3)); }
    }
    assert_true(hits > count / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_what_is_no_swing),
        cmocka_unit_test(test_known_distances),
        cmocka_unit_test(test_exact_sweep_by_poses),
        cmocka_unit_test(test_nothing_swept_is_outside),
        cmocka_unit_test(test_sweep_agrees_with_first_contact),
        cmocka_unit_test(test_cover_meets_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
