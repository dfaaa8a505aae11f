// What tunes the aid: the magnet's number, the way back to the hand, friction, and how flat a deformed face must be.
#include "hands.h"
#include "parts.h"

#include "fureai/collide.h"

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

// A floor and a wall, both of which hold.
static void land_in_corner(scene *s, const fr_aid_def *def, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    open_scene(s, fr_vec3_make(0.0, 0.0, 0.16));
    add_other(s, s->cube, fr_vec3_make(0.0, 0.0, 0.0));
    add_other(s, s->cube, fr_vec3_make(0.0, EDGE, -EDGE));
    grasp(s, def);
    do_task(s, 2, &random);
    assert_int_equal(s->out.held_count, 2);
}

// Of two faces one comes off: what is shown on the way back lies in the plane of the other all the time.
static void test_a_blend_keeps_the_faces_that_still_hold(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.blend = 0.2;
    land_in_corner(&s, &def, 12);
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
    // The face is below the hand's, whose tilt is taken away
    fr_vec3 face = s.out.held[0].plane.centroid_local;
    assert_true(fabs(fr_pose_apply(&s.raw, face).z - fr_pose_apply(&s.out.shown, face).z) < 1e-9);
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

// ---------------------------------------------------------------------------------------------------------------
// Friction

static void test_friction_sticks_and_drags_behind(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.friction = 0.5;
    land(&s, 0.0, &def);
    drag(&s, fr_vec3_make(0.0, EDGE - 0.008, 0.0), 0.002);
    double x = s.out.shown.position.x;
    // 8 mm deep: 4 mm are held back, whichever way
    drag(&s, fr_vec3_make(0.0038, EDGE - 0.008, 0.0), 0.001);
    assert_true(fabs(s.out.shown.position.x - x) < 1e-9);
    drag(&s, fr_vec3_make(0.010, EDGE - 0.008, 0.0), 0.001);
    assert_true(fabs(s.out.shown.position.x - 0.006) < 2e-5);
    drag(&s, fr_vec3_make(0.003, EDGE - 0.008, 0.0), 0.001);
    assert_true(fabs(s.out.shown.position.x - 0.006) < 2e-5);
    // It stays with what holds it when that goes
    fr_pose away = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.001), fr_quat_identity());
    assert_int_equal(fr_object_set_pose(s.space, s.others[0], &away, NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    frame(&s);
    assert_true(fabs(s.out.shown.position.z - 0.001) < 1e-9);
    // Without a push it slides
    drag(&s, fr_vec3_make(0.003, EDGE + 0.001, 0.0), 0.001);
    assert_true(fabs(s.out.shown.position.x - 0.003) < 1e-9 && fabs(s.out.shown.position.z) < 1e-9);
    assert_int_equal(s.out.held_count, 1);
    assert_int_equal(s.releases, 0);
    close_scene(&s);
}

static void test_friction_along_two_faces(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = fr_default_aid_def();
    def.friction = 0.25;
    land_in_corner(&s, &def, 16);
    double x = s.out.shown.position.x, raw = s.raw.position.x;
    // 8 mm into each: 16 mm in all but for the spread of the hand
    drag(&s, fr_vec3_make(raw + 0.001, s.raw.position.y, s.raw.position.z), 0.001);
    assert_true(fabs(s.out.shown.position.x - x) < 1e-9);
    drag(&s, fr_vec3_make(raw + 0.02, s.raw.position.y, s.raw.position.z), 0.001);
    double behind = s.raw.position.x - s.out.shown.position.x;
    assert_true(behind > 0.002 && behind < 0.006);
    assert_int_equal(s.out.held_count, 2);
    close_scene(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Deformed faces

#define SIDE 9 // vertices along an edge of the cloth

// The vertices of part_plate(0.1, 0.01, 8), its upper side bent by a wave of this height and tilted.
static void bend(scene *s, double wave, double slope) {
    fr_vec3 vertices[2 * SIDE * SIDE];
    for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++) {
        uint32_t k = i % (SIDE * SIDE);
        double x = 0.1 * ((double)(k % SIDE) / (SIDE - 1) - 0.5), z = 0.1 * ((double)(k / SIDE) / (SIDE - 1) - 0.5);
        double up = (k % 2 == 0 ? wave : -wave) + slope * x;
        vertices[i] = fr_vec3_make(x, i < SIDE * SIDE ? -0.005 : 0.005 + up, z);
    }
    assert_int_equal(fr_object_set_vertices(s->space, s->others[0], vertices, 2 * SIDE * SIDE, NULL), FR_OK);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
}

static size_t crossing_pairs(const scene *s) {
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    fr_collide_input input = fr_default_collide_input();
    input.space = s->space;
    fr_collide_output out;
    assert_int_equal(fr_collide_static_pair(collide, &input, s->held, s->others[0], &out, NULL), FR_OK);
    size_t count = out.pair_count;
    fr_collide_destroy(collide);
    return count;
}

static void test_a_deformed_face_holds_while_it_is_flat(void **state) {
    (void)state;
    fr_mesh *cloth = part_plate(0.1, 0.01, SIDE - 1);
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 0.08, 0.0));
    add_other(&s, cloth, fr_vec3_make(0.0, 0.0, 0.0));
    bend(&s, 0.0003, 0.0);
    grasp(&s, NULL);
    drag(&s, fr_vec3_make(0.0, 0.5 * EDGE, 0.0), 0.002);
    // On its highest places, within the wave of its plane
    assert_int_equal(s.out.held_count, 1);
    double over = s.out.shown.position.y - 0.5 * EDGE - 0.005;
    assert_true(over > 0.0003 && over < 0.0007);
    assert_int_equal(crossing_pairs(&s), 0);
    // Tilted it is fitted again, and lifts what lies on it
    bend(&s, 0.0001, 0.05);
    frame(&s);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.held[0].plane.normal.x + 0.05 * s.out.held[0].plane.normal.y) < 1e-3);
    fr_vec3 m = fr_pose_turn(&s.out.shown, s.out.held[0].plane.normal_local);
    assert_true(fr_vec3_length(fr_vec3_add(m, s.out.held[0].plane.normal)) < 1e-9);
    assert_int_equal(crossing_pairs(&s), 0);
    // No face any more
    bend(&s, 0.002, 0.0);
    frame(&s);
    assert_int_equal(s.out.held_count, 0);
    assert_int_equal(s.cause, FR_AID_CAUSE_GONE);
    // A hand does not hold what is deformed, and what it held before is let go
    assert_int_equal(fr_aid_grasp(s.aid, s.space, s.others[0], NULL), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, s.time, &s.out, NULL), FR_ERROR_ARGUMENT);
    close_scene(&s);
    fr_mesh_release(cloth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twice_the_magnet_holds_twice_as_far),
        cmocka_unit_test(test_without_the_magnet_contact_still_stops),
        cmocka_unit_test(test_shown_goes_over_to_raw_in_the_time_of_the_blend),
        cmocka_unit_test(test_a_blend_keeps_the_faces_that_still_hold),
        cmocka_unit_test(test_a_blend_goes_into_nothing),
        cmocka_unit_test(test_friction_sticks_and_drags_behind),
        cmocka_unit_test(test_friction_along_two_faces),
        cmocka_unit_test(test_a_deformed_face_holds_while_it_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
