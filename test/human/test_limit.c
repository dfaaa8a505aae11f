// Limits of joints: angles that are known, and turns at random brought into their limits.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "human/limit.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

static fr_quat about(fr_vec3 axis, double angle_deg) { return fr_quat_from_axis_angle(axis, fr_radians(angle_deg)); }

// The turn of a link that is turned away from rest about one of its own axes.
static fr_quat turned(const fr_skeleton *skeleton, uint32_t link, fr_vec3 axis, double angle_deg) {
    return fr_quat_multiply(fr_skeleton_get(skeleton)->rests[link], about(axis, angle_deg));
}

static double excess_deg(const fr_skeleton *skeleton, uint32_t link, fr_vec3 axis, double angle_deg) {
    return fr_degrees(fr_skeleton_excess(skeleton, link, turned(skeleton, link, axis, angle_deg)));
}

static void knows_hinges(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    const fr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    assert_near(excess_deg(body, FR_LINK_LEFT_FOREARM, y, 149.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_LEFT_FOREARM, y, 160.0), 10.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_LEFT_FOREARM, y, -7.0), 7.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_LEFT_FOREARM, x, 3.0), 3.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_RIGHT_INDEX_2, z, 100.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_LEFT_INDEX_2, z, -100.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_LEFT_INDEX_2, z, 100.0), 100.0, 1e-9);
    fr_skeleton_release(body);
}

static void knows_three_axes(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    const fr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    // A thigh goes forward by 120 degrees and back by 30, outwards by 45 and inwards by 30.
    assert_near(excess_deg(body, FR_LINK_LEFT_THIGH, y, -119.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_LEFT_THIGH, y, 40.0), 10.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_LEFT_THIGH, z, -44.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_RIGHT_THIGH, z, 44.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_RIGHT_THIGH, z, -40.0), 10.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_RIGHT_THIGH, x, 50.0), 5.0, 1e-9);
    // t6 of the right wrist: -70 .. 80, of the left -80 .. 70.
    assert_near(excess_deg(body, FR_LINK_RIGHT_PALM, z, 79.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_LEFT_PALM, z, 79.0), 9.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_LEFT_PALM, y, 25.0), 5.0, 1e-9);
    // Two angles at once count as the larger excess.
    fr_quat both = fr_quat_multiply(turned(body, FR_LINK_LEFT_PALM, y, 25.0), about(z, 77.0));
    assert_near(fr_degrees(fr_skeleton_excess(body, FR_LINK_LEFT_PALM, both)), 7.0, 1e-9);
    fr_skeleton_release(body);
}

static void knows_the_shoulder(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    const fr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    // Elevations: 180 sideways and forward, 45 across, 60 back.
    assert_near(excess_deg(body, FR_LINK_RIGHT_UPPER_ARM, y, 179.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_RIGHT_UPPER_ARM, y, -70.0), 10.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_LEFT_UPPER_ARM, y, -70.0), 10.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_RIGHT_UPPER_ARM, z, -170.0), 0.0, 0.0); // sideways
    assert_near(excess_deg(body, FR_LINK_RIGHT_UPPER_ARM, z, 50.0), 5.0, 1e-9);  // across
    assert_near(excess_deg(body, FR_LINK_LEFT_UPPER_ARM, z, 170.0), 0.0, 0.0);
    assert_near(excess_deg(body, FR_LINK_LEFT_UPPER_ARM, z, -50.0), 5.0, 1e-9);
    assert_near(excess_deg(body, FR_LINK_LEFT_UPPER_ARM, x, 100.0), 10.0, 1e-9); // twist
    fr_skeleton_release(body);
}

// Where the bone of the right upper arm points: raised from hanging by an elevation at an azimuth, degrees, which
// counts from sideways to forward.
static fr_vec3 bone_at(const fr_limit *limit, double elevation_deg, double azimuth_deg) {
    double e_sine, e_cosine, a_sine, a_cosine;
    fr_sincos(fr_radians(elevation_deg), &e_sine, &e_cosine);
    fr_sincos(fr_radians(azimuth_deg), &a_sine, &a_cosine);
    fr_vec3 level = fr_vec3_add_scaled(fr_vec3_scale(a_cosine, limit->axes[1]), a_sine, limit->axes[2]);
    return fr_vec3_add_scaled(fr_vec3_scale(e_cosine, limit->axes[0]), e_sine, level);
}

// The greatest elevation at an azimuth, as the header says: between the four by the cosine.
static double edge_deg(double azimuth_deg) {
    static const double edges[5] = {180.0, 180.0, 45.0, 60.0, 180.0};
    int quarter = (int)(azimuth_deg / 90.0);
    double blend = 0.5 * (1.0 - cos(FR_PI * (azimuth_deg / 90.0 - quarter)));
    return (1.0 - blend) * edges[quarter] + blend * edges[quarter + 1];
}

// Beside every direction that is within, one after another (of bones so low that no twist is in the way). An arm that
// is raised past the vertical is as far beyond as it is past it, though the edge is low where it points.
static void knows_the_nearest_direction_within(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    const fr_limit *limit = &fr_skeleton_get(body)->limits[FR_LINK_RIGHT_UPPER_ARM];
    fr_quat rest = fr_skeleton_get(body)->rests[FR_LINK_RIGHT_UPPER_ARM];
    fr_random random = fr_random_seed(3);
    double worst = 0.0;
    for (uint64_t i = 0, count = test_count(40, 2000); i < count; i++) {
        double azimuth = fr_random_between(&random, 91.0, 269.0), edge = edge_deg(azimuth);
        double elevation = fr_random_between(&random, edge, fmax(edge, 120.0)), nearest = FR_PI;
        fr_vec3 bone = bone_at(limit, i == 0 ? 178.0 : elevation, i == 0 ? 180.0 : azimuth);
        for (double a = 0.0; a < 360.0; a += 0.5) {
            for (double e = edge_deg(a); e > 0.0; e -= 1.0) {
                nearest = fmin(nearest, fr_acos(fr_vec3_dot(bone_at(limit, e, a), bone)));
            }
        }
        fr_quat turn = fr_quat_multiply(rest, fr_quat_between(limit->axes[0], bone));
        double excess = fr_skeleton_excess(body, FR_LINK_RIGHT_UPPER_ARM, turn);
        if (i == 0) { assert_near(excess, fr_radians(2.0), 1e-3); }
        assert_true(excess <= nearest + 1e-4);
        worst = fmax(worst, nearest - excess);
    }
    print_message("nearer than the nearest of a grid by up to %.4f rad\n", worst);
    assert_true(worst < fr_radians(1.0));
    fr_skeleton_release(body);
}

// A path between two turns that are within goes on smoothly from one to the other and stays within.
static void goes_between_within(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_random random = fr_random_seed(4);
    uint64_t left = 0, count = test_count(300, 20000);
    double worst = 0.0, ends = 0.0, step = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t link = 1 + (uint32_t)fr_random_below(&random, FR_LINK_COUNT - 1);
        fr_quat from = fr_skeleton_clamp(body, link, fr_quat_from_vector(random_about(&random, 1.2)));
        fr_quat to = fr_skeleton_clamp(body, link, fr_quat_from_vector(random_about(&random, 1.2))), last = from;
        left += fr__limit_leaves(body, link, from, to) ? 1 : 0;
        for (int k = 0; k <= 100; k++) {
            fr_quat turn = fr__limit_between(body, link, from, to, k / 100.0);
            worst = fmax(worst, fr_skeleton_excess(body, link, turn));
            if (k == 0) { ends = fmax(ends, angle_between(turn, from)); }
            if (k == 100) { ends = fmax(ends, angle_between(turn, to)); }
            step = fmax(step, angle_between(last, turn));
            last = turn;
        }
    }
    print_message("%llu of %llu arcs lead beyond; paths within by %.1e rad at most, ends by %.1e, steps of %.3f\n",
                  (unsigned long long)left, (unsigned long long)count, worst, ends, step);
    assert_true(left > 0 && worst < fr_radians(0.1) && ends < 1e-7 && step < 0.2);
    fr_skeleton_release(body);
}

static void brings_any_turn_into_its_limit(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(500, 20000), kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t link = 0; link < FR_LINK_COUNT; link++) {
            fr_quat turn = random_turn(&random);
            if (i % 2 == 0) {
                fr_vec3 small = random_about(&random, 0.4);
                turn = fr_quat_multiply(fr_skeleton_get(body)->rests[link], fr_quat_from_vector(small));
            }
            fr_quat inside = fr_skeleton_clamp(body, link, turn);
            double excess = fr_skeleton_excess(body, link, turn), left = fr_skeleton_excess(body, link, inside);
            if (left != 0.0) {
                fail_msg("link %u: %g radians over after it was brought in from %g", link, left, excess);
            }
            assert_near(inside.w * inside.w + inside.x * inside.x + inside.y * inside.y + inside.z * inside.z, 1.0,
                        1e-14);
            if (excess > 0.0) { continue; }
            assert_memory_equal(&inside, &turn, sizeof turn);
            kept += link > 0;
        }
    }
    assert_true(kept > count);
    fr_skeleton_release(body);
}

// Ranges that end at a half turn, second axes at a quarter, bones that point straight back: angles there are not
// unique.
static void keeps_limits_where_angles_are_not_unique(void **state) {
    (void)state;
    enum { KINDS = 4 };
    const fr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, minus_x = {-1, 0, 0};
    const double quarter = 0.5 * FR_PI;
    const fr_limit limits[KINDS] = {
        {.kind = FR_LIMIT_HINGE, .axes = {z}, .min = {3.0}, .max = {FR_PI}},
        {.kind = FR_LIMIT_AXES, .axes = {y, z, x}, .min = {0.1, quarter, 0.3}, .max = {0.2, quarter, 0.4}},
        {.kind = FR_LIMIT_AXES, .axes = {y, z, minus_x}, .min = {0.1, -quarter, -3.0}, .max = {0.2, -quarter, -2.0}},
        {.kind = FR_LIMIT_SWING, .axes = {x, y, z}, .min = {3.0}, .max = {FR_PI}, .elevations = {1.0, 2.0, 0.5, FR_PI}},
    };
    const char *const names[KINDS] = {"a", "b", "c", "d"};
    const uint32_t parents[KINDS] = {FR_NO_LINK, 0, 0, 0};
    const fr_vec3 offsets[KINDS] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = KINDS;
    def.names = names;
    def.parents = parents;
    def.offsets = offsets;
    def.limits = limits;
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    fr_random random = fr_random_seed(2);
    for (int i = 0; i < 20000; i++) {
        // Turns by whole quarters, those of any size, and small changes of both.
        fr_vec3 about_one = i % 3 == 0 ? x : i % 3 == 1 ? y : z;
        fr_quat turn = i % 2 == 0 ? about(about_one, 90.0 * (i % 8 - 4)) : random_turn(&random);
        if (i % 5 == 0) { turn = fr_quat_multiply(turn, fr_quat_from_vector(random_about(&random, 1e-7))); }
        for (uint32_t link = 0; link < KINDS; link++) {
            fr_quat inside = fr_skeleton_clamp(skeleton, link, turn);
            double left = fr_skeleton_excess(skeleton, link, inside);
            if (!(left <= 1e-5)) { fail_msg("case %d, link %u: %g radians over", i, link, left); }
        }
    }
    fr_skeleton_release(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_hinges),
        cmocka_unit_test(knows_three_axes),
        cmocka_unit_test(knows_the_shoulder),
        cmocka_unit_test(knows_the_nearest_direction_within),
        cmocka_unit_test(goes_between_within),
        cmocka_unit_test(brings_any_turn_into_its_limit),
        cmocka_unit_test(keeps_limits_where_angles_are_not_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
