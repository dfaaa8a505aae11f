// Edges and corners that snap besides faces.
#include "hands.h"

#define REACH 0.005

static fr_aid_def edges(void) {
    fr_aid_def def = fr_default_aid_def();
    def.edge_reach = REACH;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Edges and corners

// The cube over another one, `x` and `z` beside it, comes down.
static void land_beside(scene *s, double x, double z, const fr_aid_def *def) {
    open_scene(s, fr_vec3_make(x, 0.1, z));
    add_other(s, s->cube, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(s, def);
    drag(s, fr_vec3_make(x, EDGE - 0.004, z), 0.002);
}

static void test_nothing_snaps_without_a_reach(void **state) {
    (void)state;
    scene s;
    land_beside(&s, 0.001, 0.001, NULL);
    assert_int_equal(s.out.held_count, 1);
    assert_int_equal(s.out.held[0].kind, FR_AID_FACE);
    assert_true(fabs(s.out.shown.position.x - 0.001) < 1e-9);
    close_scene(&s);

    fr_aid_def def = edges();
    def.magnet = 0.1; // a weak one reaches half a millimetre
    land_beside(&s, 0.001, 0.001, &def);
    assert_int_equal(s.out.held_count, 1);
    close_scene(&s);
}

static void test_an_edge_lines_up_and_is_slid_along(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = edges();
    land_beside(&s, 0.003, 0.02, &def);
    assert_int_equal(s.out.held_count, 2);
    assert_int_equal(s.out.held[0].kind, FR_AID_FACE);
    assert_int_equal(s.out.held[1].kind, FR_AID_EDGE);
    assert_int_equal(s.out.freedom, 1);
    assert_int_equal(s.snaps, 2);
    assert_true(fabs(s.out.held[1].distance - 0.003) < 1e-9);
    assert_true(fabs(s.out.held[1].threshold - 1.5 * REACH) < 1e-12);
    drag(&s, fr_vec3_make(0.004, EDGE - 0.004, 0.03), 0.001);
    assert_true(fabs(s.out.shown.position.x) < 1e-9);
    assert_true(fabs(s.out.shown.position.z - 0.03) < 1e-9);
    // A hand that turns a little does not turn it
    s.raw.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(8.0));
    frame(&s);
    assert_int_equal(s.out.held_count, 2);
    assert_true(fr_vec3_length(fr_quat_to_vector(s.out.shown.rotation)) < 1e-9);
    assert_int_equal(s.releases, 0);
    s.raw.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(16.0));
    frame(&s);
    assert_int_equal(s.releases, 1);
    assert_int_equal(s.out.held_count, 1);
    close_scene(&s);
}

static void test_an_edge_comes_off_beyond_its_reach(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = edges();
    land_beside(&s, 0.003, 0.02, &def);
    double x = 0.003;
    while (s.releases == 0 && x < 0.02) {
        x += 0.0005;
        s.raw.position.x = x;
        frame(&s);
    }
    assert_true(x > 1.5 * REACH && x < 1.5 * REACH + 0.0006);
    const fr_hand_event *e = told(&s, FR_HAND_RELEASE);
    assert_non_null(e);
    assert_int_equal(e->held, FR_AID_EDGE);
    assert_int_equal(e->cause, FR_AID_CAUSE_DISTANCE);
    assert_int_equal(e->count, 1);
    assert_true(fabs(s.out.shown.position.x - x) < 1e-9);
    // Back again: only within the reach
    while (s.out.held_count == 1 && x > 0.0) {
        x -= 0.0005;
        s.raw.position.x = x;
        frame(&s);
    }
    assert_true(x <= REACH && x > REACH - 0.0006);
    e = told(&s, FR_HAND_SNAP);
    assert_non_null(e);
    assert_int_equal(e->held, FR_AID_EDGE);
    assert_int_equal(e->count, 2);
    assert_true(fabs(e->point.y - 0.5 * EDGE) < 2.0 * SKIN);
    close_scene(&s);
}

static void test_trembling_at_the_reach_does_not_chatter(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    scene s;
    fr_aid_def def = edges();
    land_beside(&s, 0.007, 0.02, &def);
    for (int i = 0; i < 300; i++) {
        s.raw.position.x = REACH + fr_random_between(&random, -0.001, 0.001);
        frame(&s);
    }
    assert_int_equal(s.snaps, 2);
    assert_int_equal(s.releases, 0);
    close_scene(&s);
}

// The faces share a strip less than the reach wide: left edge on right edge would be the other side.
static void test_edges_that_look_apart_do_not_snap(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = edges();
    def.edge_reach = 0.01;
    land_beside(&s, EDGE - 0.0095, 0.012, &def);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.shown.position.x - (EDGE - 0.0095)) < 1e-9);
    close_scene(&s);
}

// A wall that reaches over the lower cube by a millimetre: the flush place is not free.
static void test_what_is_in_the_way_of_an_edge_keeps_it_off(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = edges();
    open_scene(&s, fr_vec3_make(0.003, 0.1, 0.02));
    add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
    add_other(&s, s.cube, fr_vec3_make(0.001 - EDGE, 1.1 * EDGE, 0.0));
    grasp(&s, &def);
    drag(&s, fr_vec3_make(0.003, EDGE - 0.004, 0.02), 0.002);
    assert_int_equal(held_of_kind(&s, FR_AID_FACE), 1);
    assert_int_equal(held_of_kind(&s, FR_AID_EDGE), 0);
    assert_int_equal(crossings(&s, s.cube), 0);
    close_scene(&s);
}

static void test_a_face_goes_before_an_edge(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = edges();
    open_scene(&s, fr_vec3_make(0.003, 0.1, 0.02));
    add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
    add_other(&s, s.cube, fr_vec3_make(0.0, EDGE, -EDGE));
    grasp(&s, &def);
    drag(&s, fr_vec3_make(0.003, EDGE - 0.004, 0.02), 0.002);
    assert_int_equal(held_of_kind(&s, FR_AID_EDGE), 1);
    while (held_of_kind(&s, FR_AID_FACE) < 2 && s.raw.position.z > -0.02) {
        s.raw.position.z -= 0.002;
        frame(&s);
    }
    assert_int_equal(held_of_kind(&s, FR_AID_FACE), 2);
    assert_int_equal(s.out.held[0].kind, FR_AID_FACE);
    assert_int_equal(s.out.held[1].kind, FR_AID_FACE);
    const fr_hand_event *e = told(&s, FR_HAND_RELEASE);
    assert_non_null(e);
    assert_int_equal(e->held, FR_AID_EDGE);
    // Along both faces an edge may line up again: then nothing is free any more
    frame(&s);
    assert_int_equal(held_of_kind(&s, FR_AID_EDGE), 1);
    assert_int_equal(s.out.freedom, 0);
    assert_true(fabs(s.out.shown.position.x) < 1e-9);
    close_scene(&s);
}

// The lower one moves and turns: what is lined up with it goes along.
static void test_edges_and_corners_follow_what_moves(void **state) {
    (void)state;
    scene s;
    fr_aid_def def = edges();
    land_beside(&s, 0.001, 0.002, &def);
    assert_int_equal(s.out.held_count, 3);
    assert_int_equal(s.out.freedom, 0);
    fr_pose moved = fr_pose_make(fr_vec3_make(0.002, -0.002, -0.001),
                                 fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(3.0)));
    assert_int_equal(fr_object_set_pose(s.space, s.others[0], &moved, NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    frame(&s);
    assert_int_equal(s.out.held_count, 3);
    fr_vec3 up = fr_pose_apply(&moved, fr_vec3_make(0.0, EDGE, 0.0));
    assert_true(fr_vec3_distance(s.out.shown.position, up) < 2.0 * SKIN);
    assert_int_equal(fr_object_remove(s.space, s.others[0], NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    frame(&s);
    assert_int_equal(s.out.held_count, 0);
    close_scene(&s);
}

// The farthest of the four lower corners from the upper corner of the other cube that it belongs to.
static double corners_apart(const scene *s) {
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
        double x = (i & 1) != 0 ? 0.5 * EDGE : -0.5 * EDGE, z = (i & 2) != 0 ? 0.5 * EDGE : -0.5 * EDGE;
        // Corners of meshes are floats
        float half = (float)(0.5 * EDGE);
        fr_vec3 own =
            fr_vec3_make(x > 0.0 ? (double)half : -(double)half, -(double)half, z > 0.0 ? (double)half : -(double)half);
        fr_vec3 other = fr_vec3_make(own.x, (double)half, own.z);
        worst = fmax(worst, fr_vec3_distance(fr_pose_apply(&s->out.shown, own), other));
    }
    return worst;
}

// Task A by a hand that trembles: with corners it ends exactly, without it does not.
static void test_four_corners_meet(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    uint64_t trials = test_count(25, 1000), exact = 0, without = 0;
    for (uint64_t i = 0; i < 2 * trials; i++) {
        fr_aid_def def = edges();
        def.skin = 5e-7;
        if (i >= trials) { def.edge_reach = 0.0; }
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 0.1, 0.05));
        add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
        grasp(&s, &def);
        fr_vec3 spread = fr_vec3_scale(fr_random_between(&random, 0.0, 0.004), random_unit(&random));
        fr_quat tilt = fr_quat_from_axis_angle(random_unit(&random), fr_random_between(&random, 0.0, fr_radians(6.0)));
        for (int k = 0; k <= 40; k++) {
            double left = fmax(0.0, 1.0 - k / 30.0);
            fr_pose tremble = random_pose(&random, 0.0005, fr_radians(0.4));
            // The middle of the lower face is what comes within reach
            fr_vec3 target = fr_vec3_make(0.0, 0.5 * EDGE - 0.006 + 0.04 * left, 0.05 * left);
            s.raw = fr_pose_make(fr_vec3_add(target, spread), fr_quat_multiply(tremble.rotation, tilt));
            fr_vec3 up = fr_pose_turn(&s.raw, fr_vec3_make(0.0, 0.5 * EDGE, 0.0));
            s.raw.position = fr_vec3_add(fr_vec3_add(s.raw.position, up), tremble.position);
            frame(&s);
        }
        bool is_exact = corners_apart(&s) < 1e-6;
        exact += i < trials && is_exact && s.out.freedom == 0;
        without += i >= trials && is_exact;
        assert_int_equal(crossings(&s, s.cube), 0);
        close_scene(&s);
    }
    assert_int_equal(exact, trials);
    assert_int_equal(without, 0);
}

// Whether an edge of the held box's lower face lies on a line of the standing one's upper face, outsides alike.
static bool is_flush(const scene *s, fr_vec3 held, fr_vec3 standing, const fr_pose *place) {
    fr_pose back = fr_pose_inverse(place);
    for (int axis = 0; axis < 2; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            for (int own = 0; own < 4; own++) {
                fr_vec3 out = own < 2 ? fr_vec3_make(own == 0 ? 1.0 : -1.0, 0.0, 0.0)
                                      : fr_vec3_make(0.0, 0.0, own == 2 ? 1.0 : -1.0);
                fr_vec3 at = fr_vec3_scale(0.5 * (own < 2 ? held.x : held.z), out);
                fr_vec3 point = fr_pose_apply(&back, fr_pose_apply(&s->out.shown, at));
                fr_vec3 way = fr_pose_turn(&back, fr_pose_turn(&s->out.shown, out));
                double off = axis == 0 ? side * point.x - 0.5 * standing.x : side * point.z - 0.5 * standing.z;
                double look = axis == 0 ? side * way.x : side * way.z;
                if (fabs(off) < 1e-7 && look > 1.0 - 1e-9) { return true; }
            }
        }
    }
    return false;
}

static fr_vec3 random_plate(fr_random *random) {
    fr_vec3 size = {0.0, 0.04, 0.0};
    size.z = fr_random_between(random, 0.03, 0.1);
    size.x = fr_random_between(random, 0.03, 0.1);
    return size;
}

static void test_random_boxes_line_up_by_their_outlines(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    uint64_t cases = test_count(60, 1000), lined = 0;
    for (uint64_t i = 0; i < cases; i++) {
        fr_aid_def def = edges();
        fr_vec3 held = random_plate(&random), standing = random_plate(&random);
        fr_mesh *meshes[2];
        assert_int_equal(fr_mesh_create_box(held, NULL, &meshes[0], NULL), FR_OK);
        assert_int_equal(fr_mesh_create_box(standing, NULL, &meshes[1], NULL), FR_OK);
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 2.0, 0.0));
        assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
        fr_pose place =
            fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0),
                         fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_random_between(&random, -3.0, 3.0)));
        fr_vec3 side = fr_pose_turn(&place, fr_vec3_make(0.5 * (standing.x - held.x), 0.0, 0.0));
        fr_vec3 aside = random_unit(&random);
        side = fr_vec3_add_scaled(side, fr_random_between(&random, 0.0, 0.008), aside);
        s.raw = place;
        s.raw.position = fr_vec3_make(side.x, 0.06, side.z);
        s.raw.rotation = fr_quat_multiply(
            fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_random_between(&random, -0.2, 0.2)),
            place.rotation);
        s.held = add_mesh(&s, meshes[0], &s.raw);
        s.others[s.other_count++] = add_mesh(&s, meshes[1], &place);
        grasp(&s, &def);
        drag(&s, fr_vec3_make(side.x, 0.036, side.z), 0.004);
        frame(&s);
        assert_true(s.out.held_count > 0);
        assert_int_equal(crossings(&s, meshes[0]), 0);
        if (s.out.held_count > 1) {
            assert_true(is_flush(&s, held, standing, &place));
            lined++;
        }
        close_scene(&s);
        fr_mesh_release(meshes[0]);
        fr_mesh_release(meshes[1]);
    }
    assert_true(2 * lined > cases);
}

// ---------------------------------------------------------------------------------------------------------------
// Wrong input

static void test_wrong_reaches_are_refused(void **state) {
    (void)state;
    const double wrong[3][3] = {{-1.0, 0.0, 1.15}, {0.0, NAN, 1.15}, {0.0, 0.0, 0.9}};
    for (int i = 0; i < 3; i++) {
        fr_aid_def def = fr_default_aid_def();
        def.edge_reach = wrong[i][0];
        def.axis_reach = wrong[i][1];
        def.clearance = wrong[i][2];
        fr_aid *aid;
        assert_int_equal(fr_aid_create(&def, &aid, NULL), FR_ERROR_ARGUMENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_snaps_without_a_reach),
        cmocka_unit_test(test_an_edge_lines_up_and_is_slid_along),
        cmocka_unit_test(test_an_edge_comes_off_beyond_its_reach),
        cmocka_unit_test(test_trembling_at_the_reach_does_not_chatter),
        cmocka_unit_test(test_edges_that_look_apart_do_not_snap),
        cmocka_unit_test(test_what_is_in_the_way_of_an_edge_keeps_it_off),
        cmocka_unit_test(test_a_face_goes_before_an_edge),
        cmocka_unit_test(test_edges_and_corners_follow_what_moves),
        cmocka_unit_test(test_four_corners_meet),
        cmocka_unit_test(test_random_boxes_line_up_by_their_outlines),
        cmocka_unit_test(test_wrong_reaches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
