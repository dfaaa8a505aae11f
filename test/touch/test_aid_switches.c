// What tunes the aid: the magnet's number and the way back to the hand.
#include "hands.h"

// How far the raw cube is lifted when it comes off.
static double lift(double magnet) {
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.magnet = magnet;
    land(&s, 0.0, &def);
    assert_int_equal(s.out.held_count, 1);
    double height = lift_off(&s);
    close_scene(&s);
    return height;
}

static void test_twice_the_magnet_holds_twice_as_far(void **state) {
    (void)state;
    const double magnets[3] = {0.5, 1.0, 2.0};
    for (int i = 0; i < 3; i++) {
        double height = lift(magnets[i]);
        assert_true(height > 0.035 * magnets[i] && height <= 0.035 * magnets[i] + 0.0011);
    }
}

static void test_without_the_magnet_contact_still_stops(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.magnet = 0.0;
    land(&s, 0.0, &def);
    drag(&s, fr_vec3_make(0.0, -0.3, 0.0), 0.01);
    assert_int_equal(s.snaps, 0);
    assert_int_equal(s.out.held_count, 0);
    assert_int_equal(s.out.freedom, 6);
    assert_true(s.contacts > 0 && s.out.is_blocked);
    assert_true(s.out.shown.position.y > EDGE && s.out.shown.position.y < EDGE + SKIN);
    close_scene(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Blending

// The first frame in which the cube came off, pulled straight up by a tenth of a millimetre a frame.
static void pull_off(scene *s) {
    while (s->releases == 0) {
        assert_true(s->raw.position.y < 0.3);
        s->raw.position.y += 1e-4;
        frame(s);
    }
}

static void test_shown_goes_over_to_raw_in_the_time_of_the_blend(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.blend = 5.0 * FRAME;
    land(&s, 0.0, &def);
    s.raw.rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), 0.1);
    pull_off(&s);
    double gap = s.raw.position.y - EDGE;
    for (int i = 1; i <= 5; i++) {
        double left = s.raw.position.y - s.out.shown.position.y;
        fr_quat turn = fr_quat_multiply(s.raw.rotation, fr_quat_conjugate(s.out.shown.rotation));
        assert_true(fabs(left - gap * (1.0 - i / 5.0)) < 1e-3);
        assert_true(fabs(fr_vec3_length(fr_quat_to_vector(turn)) - 0.1 * (1.0 - i / 5.0)) < 1e-9);
        frame(&s);
    }
    assert_true(fr_vec3_distance(s.out.shown.position, s.raw.position) < 1e-12);
    assert_int_equal(s.releases, 1);
    close_scene(&s);
}

// Of two faces one comes off: what is shown on the way back lies in the plane of the other all the time.
static void test_a_blend_keeps_the_faces_that_still_hold(void **state) {
    (void)state;
    scene s;
    fr_random random = fr_random_seed(12);
    fr_aid_def def = fr_default_aid_def();
    def.blend = 0.2;
    open_scene(&s, fr_vec3_make(0.0, 0.0, 0.16));
    add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
    add_other(&s, s.cube, fr_vec3_make(0.0, EDGE, -EDGE));
    grasp(&s, &def);
    do_task(&s, 2, &random);
    assert_int_equal(s.out.held_count, 2);
    while (s.releases == 0) {
        assert_true(s.raw.position.z < 0.3);
        s.raw.position.z += 1e-3;
        frame(&s);
    }
    assert_true(s.raw.position.z - s.out.shown.position.z > 0.02);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(s.out.held_count, 1);
        assert_true(fabs(s.out.shown.position.y - EDGE - SKIN) < 1e-7);
        frame(&s);
    }
    assert_true(fabs(s.raw.position.z - s.out.shown.position.z) < 1e-3);
    close_scene(&s);
}

// A lid is in the way back: the blend ends before it.
static void test_a_blend_goes_into_nothing(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.blend = 0.08;
    open_scene(&s, fr_vec3_make(0.0, EDGE + 0.005, 0.0));
    add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
    add_other(&s, s.cube, fr_vec3_make(0.0, 2.0 * EDGE + 0.01, 0.0));
    grasp(&s, &def);
    drag(&s, fr_vec3_make(0.0, EDGE - 0.004, 0.0), 0.002);
    assert_int_equal(s.out.held_count, 1);
    pull_off(&s);
    for (int i = 0; i < 10; i++) {
        frame(&s);
        assert_true(s.out.shown.position.y <= EDGE + 0.01);
    }
    assert_true(s.out.shown.position.y > EDGE + 0.009);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twice_the_magnet_holds_twice_as_far),
        cmocka_unit_test(test_without_the_magnet_contact_still_stops),
        cmocka_unit_test(test_shown_goes_over_to_raw_in_the_time_of_the_blend),
        cmocka_unit_test(test_a_blend_keeps_the_faces_that_still_hold),
        cmocka_unit_test(test_a_blend_goes_into_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
