// Limits of joints: angles that are known, and turns at random brought into their limits.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
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
        cmocka_unit_test(brings_any_turn_into_its_limit),
        cmocka_unit_test(keeps_limits_where_angles_are_not_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
