// First contact: never late, near when told, and none when none.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TOLERANCE 1e-6

static double distance_at(const fr_convex *body, const fr_screw *screw, const fr_convex *other, double t) {
    fr_vec3 points[8];
    for (size_t i = 0; i < body->count; i++) {
        points[i] = fr_screw_apply(screw, body->points[i], t);
    }
    fr_convex now = {points, body->count, body->radius};
    return fr_gjk(&now, other, fr_vec3_make(1, 0, 0)).distance;
}

static void corners_of(const fr_oriented_box *box, fr_vec3 corners[8]) {
    for (int k = 0; k < 8; k++) {
        corners[k] = box_point(box, fr_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
    }
}

static void test_a_bat_meets_a_ball(void **state) {
    (void)state;
    fr_oriented_box bat = {{0, 5, 0}, fr_mat3_identity(), {0.5, 2, 0.25}};
    fr_screw swing = {{0, 0, 0}, {0, 0, -2}, FR_PI, 0}; // clockwise, the axis of any length
    fr_screw_hit hit = fr_screw_box_sphere(&bat, &swing, fr_vec3_make(5, 0.5, 0), 1.0, TOLERANCE);
    assert_true(hit.is_hit && !hit.is_capped);
    assert_true(hit.angle > 1.1 && hit.angle < 1.3 && hit.time == hit.angle / FR_PI);
    assert_true(fabs(fr_vec3_distance(hit.point, fr_vec3_make(5, 0.5, 0)) - 1.0) < 1e-9);
    assert_true(hit.normal.y < -0.9 && fabs(fr_vec3_length(hit.normal) - 1.0) < 1e-9);
    swing.angle = 1.0;
    assert_false(fr_screw_box_sphere(&bat, &swing, fr_vec3_make(5, 0.5, 0), 1.0, TOLERANCE).is_hit);
    hit = fr_screw_box_sphere(&bat, &swing, fr_vec3_make(0, 5, 0), 0.0, TOLERANCE);
    assert_true(hit.is_hit && hit.time == 0.0 && hit.distance == 0.0 && hit.normal.x == 0.0);
}

static void test_bad_input_hits_nothing(void **state) {
    (void)state;
    fr_oriented_box box = {{5, 0, 0}, fr_mat3_identity(), {1, 1, 1}};
    fr_vec3 point = {5, 0, 0}, lost = {(double)NAN, 0, 0};
    fr_convex body = {&point, 1, 1.0}, none = {&point, 0, 1.0}, nowhere = {&lost, 1, 1.0};
    fr_screw turn = {{0, 0, 0}, {0, 0, 1}, 1, 0}, zero = {{0, 0, 0}, {0, 0, 0}, 1, 0};
    assert_true(fr_screw_contact(&body, &turn, &body, TOLERANCE).is_hit);
    assert_false(fr_screw_contact(&none, &turn, &body, TOLERANCE).is_hit);
    assert_false(fr_screw_contact(&body, &turn, &nowhere, TOLERANCE).is_hit);
    assert_false(fr_screw_contact(&body, &zero, &body, TOLERANCE).is_hit);
    assert_false(fr_screw_contact(&body, &turn, &body, 0.0).is_hit);
    fr_vec3 crowd[FR_HULL_MAX_POINTS + 1] = {{5, 0, 0}};
    fr_convex more = {crowd, FR_HULL_MAX_POINTS + 1, 1.0};
    assert_false(fr_screw_contact(&more, &turn, &body, TOLERANCE).is_hit);
    assert_false(fr_screw_contact(&body, &turn, &more, TOLERANCE).is_hit);
    assert_false(fr_screw_box_sphere(&box, &turn, lost, 1.0, TOLERANCE).is_hit);
    assert_false(fr_screw_box_sphere(&box, &turn, point, (double)NAN, TOLERANCE).is_hit);
    assert_true(isnan(fr_screw_box_point(&box, &turn, lost)));
    assert_true(isnan(fr_screw_box_point(&box, &zero, point)));
    assert_true(fr_screw_box_point(&box, &turn, point) == 0.0);
}

static void test_contact_by_samples_of_time(void **state) {
    (void)state;
    fr_random random = fr_random_seed(50);
    uint64_t count = test_count(400, 200000), hits = 0, capped = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 mine[8], others[8], center = sample_point(&random, 5.0), place = sample_point(&random, 5.0);
        fr_convex body = {mine, 1 + fr_random_below(&random, 8), i % 3 ? 0.0 : 0.5};
        fr_convex other = {others, 1 + fr_random_below(&random, 8), i % 2 ? 0.0 : 0.5};
        for (int k = 0; k < 8; k++) {
            mine[k] = fr_vec3_add(center, sample_point(&random, 3.0));
            others[k] = fr_vec3_add(place, sample_point(&random, 3.0));
        }
        fr_screw screw = sample_screw(&random);
        screw.point = sample_point(&random, 5.0);
        screw.slide *= 0.3;
        fr_screw_hit hit = fr_screw_contact(&body, &screw, &other, TOLERANCE);
        capped += hit.is_capped;
        if (hit.is_capped) { continue; }
        hits += hit.is_hit;
        if (hit.is_hit) { assert_true(distance_at(&body, &screw, &other, hit.time) <= TOLERANCE * 1.01); }
        for (int k = 0; k <= 100; k++) {
            double t = k / 100.0 * (hit.is_hit ? hit.time : 1.0);
            if (hit.is_hit && k == 100) { break; }
            assert_true(hit.time == 0.0 || distance_at(&body, &screw, &other, t) > 0.0);
        }
    }
    assert_true(hits > count / 10 && hits < count * 9 / 10 && capped < count / 50);
}

static void test_boxes_and_balls_agree(void **state) {
    (void)state;
    fr_random random = fr_random_seed(51);
    uint64_t count = test_count(1000, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_oriented_box box = sample_box(&random, 5.0, 10.0);
        fr_screw screw = sample_screw(&random);
        screw.point = sample_point(&random, 5.0);
        fr_vec3 corners[8], center = sample_point(&random, 8.0);
        corners_of(&box, corners);
        fr_convex body = {corners, 8, 0.0}, ball = {&center, 1, fr_random_between(&random, 0.0, 2.0)};
        fr_screw_hit a = fr_screw_box_sphere(&box, &screw, center, ball.radius, TOLERANCE);
        fr_screw_hit b = fr_screw_contact(&body, &screw, &ball, TOLERANCE);
        if (a.is_capped || b.is_capped) { continue; }
        assert_int_equal(a.is_hit, b.is_hit);
        if (a.is_hit && a.time > 0.0) {
            assert_true(fabs(a.time - b.time) < 1e-3);
            assert_true(fr_vec3_distance(a.point, b.point) < 1e-2);
        }
        hits += a.is_hit;
    }
    assert_true(hits > count / 10);
}

static void test_points_in_closed_form(void **state) {
    (void)state;
    fr_random random = fr_random_seed(52);
    uint64_t count = test_count(4000, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_oriented_box box = sample_box(&random, 5.0, 10.0);
        box.half.x += 0.1;
        fr_screw screw = sample_screw(&random);
        screw.slide = 0.0;
        screw.point = sample_point(&random, 5.0);
        fr_vec3 p = sample_point(&random, 6.0);
        double angle = fr_screw_box_point(&box, &screw, p);
        fr_screw_hit hit = fr_screw_box_sphere(&box, &screw, p, 0.0, 1e-8);
        if (hit.is_capped) { continue; }
        if (!isnan(angle)) {
            assert_true(fabs(angle) <= fabs(screw.angle) && angle * screw.angle >= 0.0);
            assert_true(hit.is_hit && fabs(angle - hit.angle) < 2e-3);
            hits++;
        } else if (hit.is_hit) {
            // Within the search's tolerance of the box and not in it: a sphere of that radius less must miss.
            fr_oriented_box smaller = box;
            smaller.half =
                fr_vec3_make(fmax(0, box.half.x - 1e-6), fmax(0, box.half.y - 1e-6), fmax(0, box.half.z - 1e-6));
            assert_true(isnan(fr_screw_box_point(&smaller, &screw, p)));
        }
    }
    assert_true(hits > count / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bat_meets_a_ball),         cmocka_unit_test(test_bad_input_hits_nothing),
        cmocka_unit_test(test_contact_by_samples_of_time), cmocka_unit_test(test_boxes_and_balls_agree),
        cmocka_unit_test(test_points_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
