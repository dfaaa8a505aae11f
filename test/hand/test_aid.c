// The manipulation aid: thresholds, the tasks' geometry, and that nothing is gone into.
#include "hands.h"

#include "fureai/collide.h"

static void test_a_cube_has_six_faces_and_lands_on_one(void **state) {
    (void)state;
    scene s;
    land(&s, 0.0, NULL);
    assert_int_equal(s.out.held_count, 1);
    assert_int_equal(s.out.freedom, 3);
    assert_int_equal(s.snaps, 1);
    assert_int_equal(s.releases, 0);
    assert_true(s.out.held[0].pair.face < 6 && s.out.held[0].pair.other_face < 6);
    assert_true(fr_object_id_equal(s.out.held[0].pair.other, s.others[0]));
    assert_true(fabs(s.out.held[0].ratio - 1.0) < 1e-6);
    assert_true(fabs(s.out.held[0].area - EDGE * EDGE) < 1e-8);
    assert_true(fabs(s.out.shown.position.y - EDGE - SKIN) < 1e-7);
    assert_false(s.out.is_blocked);
    fr_aid_output out = release(&s);
    assert_int_equal(out.event_count, 1);
    assert_int_equal(out.events[0].kind, FR_HAND_DONE);
    assert_int_equal(out.events[0].count, 1);
    assert_true(fabs(out.shown.position.y - EDGE - SKIN) < 1e-7);
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, 100.0, &out, NULL), FR_ERROR_ARGUMENT);
    close_scene(&s);
}

static void test_a_tilted_cube_is_laid_flat(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    uint64_t cases = test_count(20, 1000);
    for (uint64_t i = 0; i < cases; i++) {
        scene s;
        open_scene(&s, fr_vec3_make(0.01, 0.13, 0.005));
        add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
        grasp(&s, NULL);
        double tilt = fr_random_between(&random, 0.02, 0.6);
        s.raw.rotation = fr_quat_from_axis_angle(random_unit(&random), tilt);
        drag(&s, fr_vec3_make(0.01, EDGE - 0.004, 0.005), 0.003);
        assert_int_equal(s.out.held_count, 1);
        assert_false(s.out.is_blocked);
        fr_vec3 m = fr_pose_turn(&s.out.shown, s.out.held[0].plane.normal_local);
        assert_true(fr_vec3_length(fr_vec3_add(m, s.out.held[0].plane.normal)) < 1e-12);
        close_scene(&s);
    }
}

static void test_engages_above_a_tenth_of_overlap(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        land(&s, (i == 0 ? 0.895 : 0.905) * EDGE, NULL);
        assert_int_equal(s.out.held_count, i == 0 ? 1 : 0);
        assert_true(s.out.is_blocked == (i == 1));
        assert_true(s.contacts > 0);
        close_scene(&s);
    }
}

// What shares too little to be held by stops the cube, and lets it go along.
static void test_what_does_not_hold_is_slid_along(void **state) {
    (void)state;
    scene s;
    land(&s, 0.95 * EDGE, NULL);
    assert_int_equal(s.out.held_count, 0);
    drag(&s, fr_vec3_make(0.95 * EDGE, EDGE - 0.004, 0.03), 0.002);
    assert_int_equal(s.out.held_count, 0);
    assert_true(s.out.is_blocked);
    assert_true(fabs(s.out.shown.position.z - 0.03) < 1e-6);
    assert_true(s.out.shown.position.y > EDGE && s.out.shown.position.y < EDGE + SKIN);
    close_scene(&s);
}

static void test_slides_until_nothing_is_shared(void **state) {
    (void)state;
    scene s;
    land(&s, 0.0, NULL);
    double y = s.out.shown.position.y;
    while (s.releases == 0 && s.raw.position.x < 0.2) {
        drag(&s, fr_vec3_add(s.raw.position, fr_vec3_make(0.001, 0.0, 0.0)), 0.002);
        if (s.releases == 0) {
            assert_true(fabs(s.out.shown.position.y - y) < 1e-9);
            assert_true(fabs(s.out.shown.position.x - s.raw.position.x) < 1e-9);
        }
    }
    assert_int_equal(s.cause, FR_AID_CAUSE_OVERLAP);
    assert_true(fabs(s.raw.position.x - EDGE) <= 0.0011);
    assert_true(s.slides > 60);
    close_scene(&s);
}

static void test_comes_off_at_the_distance_of_its_contact(void **state) {
    (void)state;
    scene s;
    land(&s, 0.0, NULL);
    double full = lift_off(&s);
    assert_true(full > 0.035 && full <= 0.0361);
    close_scene(&s);
    land(&s, 0.5 * EDGE, NULL);
    double half = lift_off(&s);
    assert_true(half > 0.0247 && half <= 0.0259);
    // A face just released by lifting is not taken again, although it is let down at once
    for (int i = 0; i < 2; i++) {
        frame(&s);
        assert_int_equal(s.out.held_count, 0);
    }
    close_scene(&s);
}

static void test_pushing_in_never_releases_but_by_the_switch(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        fr_aid_def def = fr_default_aid_def();
        def.may_release_inward = i == 1;
        land(&s, 0.0, &def);
        drag(&s, fr_vec3_make(0.0, -0.02, 0.0), 0.002);
        assert_int_equal(s.releases > 0, i == 1);
        assert_true(s.out.shown.position.y >= EDGE);
        close_scene(&s);
    }
}

// The thesis's own rule sits on its limit for a cube that lies flat: a trembling hand makes it come off.
static void test_the_printed_rule_chatters_and_the_corrected_does_not(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        fr_aid_def def = fr_default_aid_def();
        def.is_as_printed = i == 1;
        land(&s, 0.0, &def);
        fr_random random = fr_random_seed(6);
        for (int k = 0; k < 200; k++) {
            s.raw.position.y = EDGE + fr_random_between(&random, -0.0005, 0.0005);
            frame(&s);
        }
        if (i == 0) {
            assert_int_equal(s.releases, 0);
        } else {
            assert_true(s.releases > 0);
        }
        close_scene(&s);
    }
}

// In the tasks nobody pulls, and nothing comes off; by the printed rule it does.
static void test_nothing_chatters_in_the_tasks_but_by_the_printed_rule(void **state) {
    (void)state;
    uint64_t releases[2] = {0, 0}, trials = test_count(20, 500);
    for (int i = 0; i < 2; i++) {
        fr_aid_def def = fr_default_aid_def();
        def.is_as_printed = i == 1;
        fr_random random = fr_random_seed(18);
        for (uint64_t k = 0; k < 3 * trials; k++) {
            scene s;
            open_task_with(&s, (uint32_t)(k % 3) + 1, &def);
            do_task(&s, (uint32_t)(k % 3) + 1, &random);
            fr_vec3 at = s.raw.position;
            for (int n = 0; n < 30; n++) {
                s.raw.position = fr_vec3_add(at, fr_vec3_scale(0.001, random_unit(&random)));
                frame(&s);
            }
            releases[i] += s.releases;
            close_scene(&s);
        }
    }
    printf("%llu trials: %llu releases, as printed %llu\n", (unsigned long long)(3 * trials),
           (unsigned long long)releases[0], (unsigned long long)releases[1]);
    assert_true(100 * releases[0] <= 3 * trials);
    assert_true(releases[1] > 3 * trials / 10);
}

// A cube comes down on the ridge of a roof; the flatter side holds it, whichever it is.
static void test_the_flatter_of_two_faces_wins(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        double left = fr_radians(i == 0 ? 5.0 : 20.0), right = fr_radians(i == 0 ? 20.0 : 5.0);
        fr_vec2 roof[4] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, -0.1 * tan(right)}, {0.0, 0.0}};
        fr_vec2 outline[5] = {roof[0], roof[1], roof[2], roof[3], {-0.1, -0.1 * tan(left)}};
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_extrusion(outline, 5, 0.3, NULL, &mesh, NULL), FR_OK);
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 0.06, 0.0));
        add_other(&s, mesh, fr_vec3_make(0.0, 0.0, 0.0));
        grasp(&s, NULL);
        while (s.snaps == 0 && s.raw.position.y > 0.0) {
            s.raw.position.y -= 0.002;
            frame(&s);
        }
        assert_int_equal(s.out.held_count, 1);
        fr_vec3 n = s.out.held[0].plane.normal;
        assert_true(fabs(fabs(n.x) - sin(fr_radians(5.0))) < 1e-6);
        assert_true((n.x < 0.0) == (i == 0));
        close_scene(&s);
        fr_mesh_release(mesh);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Tasks A, B and C

static void test_tasks_end_with_one_two_three_faces(void **state) {
    (void)state;
    const uint32_t freedom[4] = {6, 3, 1, 0};
    fr_random random = fr_random_seed(7);
    uint64_t cases = test_count(20, 1000);
    for (uint64_t i = 0; i < cases; i++) {
        for (uint32_t faces = 1; faces <= 3; faces++) {
            scene s;
            open_task(&s, faces);
            do_task(&s, faces, &random);
            assert_int_equal(s.out.held_count, faces);
            assert_int_equal(s.out.freedom, freedom[faces]);
            assert_int_equal(s.releases, 0);
            assert_false(s.out.is_blocked);
            // What is held is right but for the skin
            assert_true(fabs(s.out.shown.position.y - EDGE) < 2.0 * SKIN);
            if (faces > 1) { assert_true(fabs(s.out.shown.position.z) < 2.0 * SKIN); }
            if (faces > 2) { assert_true(fabs(s.out.shown.position.x) < 2.0 * SKIN); }
            close_scene(&s);
        }
    }
}

static void test_the_same_hand_gives_the_same_bits(void **state) {
    (void)state;
    fr_aid_output out[2];
    for (int i = 0; i < 2; i++) {
        fr_random random = fr_random_seed(8);
        scene s;
        open_task(&s, 3);
        do_task(&s, 3, &random);
        out[i] = s.out;
        close_scene(&s);
    }
    assert_memory_equal(&out[0].shown, &out[1].shown, sizeof out[0].shown);
    assert_int_equal(out[0].event_count, out[1].event_count);
}

// ---------------------------------------------------------------------------------------------------------------
// What stands

static void test_supports_in_one_plane_hold_together(void **state) {
    (void)state;
    scene s;
    open_scene(&s, fr_vec3_make(0.5 * EDGE, 0.1, 0.0));
    add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
    add_other(&s, s.cube, fr_vec3_make(EDGE, 0.0, 0.0));
    grasp(&s, NULL);
    drag(&s, fr_vec3_make(0.5 * EDGE, EDGE - 0.004, 0.0), 0.002);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.held[0].area - EDGE * EDGE) < 1e-7);
    assert_true(fabs(s.out.held[0].ratio - 0.5) < 1e-6);
    // From the one onto the other without coming off
    fr_vec3 over = s.out.held[0].pair.other.index1 == s.others[0].index1 ? fr_vec3_make(EDGE + 0.03, EDGE, 0.0)
                                                                         : fr_vec3_make(-0.03, EDGE, 0.0);
    drag(&s, over, 0.002);
    assert_int_equal(s.releases, 0);
    assert_true(fr_vec3_distance(s.out.shown.position, over) < 2.0 * SKIN);
    close_scene(&s);
}

// A bridge comes down on its two feet: one of them is held, and both hold.
static void test_feet_hold_together(void **state) {
    (void)state;
    const fr_vec2 bridge[8] = {{-0.06, 0.0}, {-0.04, 0.0}, {-0.04, 0.03}, {0.04, 0.03},
                               {0.04, 0.0},  {0.06, 0.0},  {0.06, 0.05},  {-0.06, 0.05}};
    fr_mesh *mesh, *floor;
    assert_int_equal(fr_mesh_create_extrusion(bridge, 8, 0.05, NULL, &mesh, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 0.1, 1.0), NULL, &floor, NULL), FR_OK);
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 0.05, 0.0));
    assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
    s.held = add_mesh(&s, mesh, &s.raw);
    add_other(&s, floor, fr_vec3_make(0.0, -0.05, 0.0));
    grasp(&s, NULL);
    drag(&s, fr_vec3_make(0.0, -0.005, 0.0), 0.002);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.held[0].support - 0.02 * 0.05) < 1e-8);
    assert_true(fabs(s.out.held[0].area - 2.0 * 0.02 * 0.05) < 1e-8);
    assert_true(fabs(s.out.held[0].threshold - 0.5 * sqrt(2.0 * 0.02 * 0.05)) < 1e-6);
    close_scene(&s);
    fr_mesh_release(mesh);
    fr_mesh_release(floor);
}

static void test_a_plane_that_moves_takes_the_cube_along(void **state) {
    (void)state;
    scene s;
    land(&s, 0.0, NULL);
    fr_pose lower = fr_pose_make(fr_vec3_make(0.0, -0.01, 0.0), fr_quat_identity());
    assert_int_equal(fr_object_set_pose(s.space, s.others[0], &lower, NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    frame(&s);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.shown.position.y - (EDGE - 0.01)) < 2.0 * SKIN);
    assert_int_equal(fr_object_remove(s.space, s.others[0], NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    frame(&s);
    assert_int_equal(s.out.held_count, 0);
    assert_int_equal(s.cause, FR_AID_CAUSE_GONE);
    close_scene(&s);
}

// A lift goes up by 10 mm under a ceiling that is 5 mm above the cube: it stays on the lift, where it holds.
static void test_what_is_carried_asks_for_nothing_else(void **state) {
    (void)state;
    scene s;
    land(&s, 0.0, NULL);
    add_other(&s, s.cube, fr_vec3_make(0.0, 2.0 * EDGE + 0.005, 0.0));
    fr_pose higher = fr_pose_make(fr_vec3_make(0.0, 0.01, 0.0), fr_quat_identity());
    assert_int_equal(fr_object_set_pose(s.space, s.others[0], &higher, NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    frame(&s);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.shown.position.y - (EDGE + 0.01)) < 2.0 * SKIN);
    assert_true(crossings(&s, s.cube) > 0);
    close_scene(&s);
}

// It stands exactly on another, touching, and is taken away to the side and upwards.
static void test_what_touches_can_be_taken(void **state) {
    (void)state;
    scene s;
    open_scene(&s, fr_vec3_make(0.0, EDGE, 0.0));
    fr_mesh *floor;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, EDGE, 1.0), NULL, &floor, NULL), FR_OK);
    add_other(&s, floor, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(&s, NULL);
    drag(&s, fr_vec3_make(0.05, EDGE + 0.002, 0.0), 0.005);
    drag(&s, fr_vec3_make(0.1, 0.3, 0.0), 0.005);
    assert_true(fr_vec3_distance(s.out.shown.position, s.raw.position) < 1e-12);
    close_scene(&s);
    fr_mesh_release(floor);
}

// It stands above the other by less than can be told apart: it is no captive, and is not pushed in.
static void test_what_is_nearer_than_told_apart_can_be_taken(void **state) {
    (void)state;
    static const double gaps[] = {0.0, 1e-16, 1e-12, 1e-9};
    for (int i = 0; i < 4; i++) {
        scene s;
        open_scene(&s, fr_vec3_make(0.0, EDGE + gaps[i], 0.0));
        fr_mesh *block;
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(EDGE, EDGE, EDGE), NULL, &block, NULL), FR_OK);
        add_other(&s, block, fr_vec3_make(0.0, 0.0, 0.0));
        grasp(&s, NULL);
        drag(&s, fr_vec3_make(0.0, 0.0, 0.0), 0.005);
        assert_true(s.out.shown.position.y >= EDGE);
        drag(&s, fr_vec3_make(0.1, 0.3, 0.0), 0.005);
        assert_true(fr_vec3_distance(s.out.shown.position, s.raw.position) < 1e-12);
        close_scene(&s);
        fr_mesh_release(block);
    }
}

// It stands exactly on an edge of its own; it is lifted, and cannot be pushed through.
static void test_what_touches_with_an_edge_can_be_taken(void **state) {
    (void)state;
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 0.5, 0.0));
    fr_vec2 wedge[3] = {{0.0, 0.0}, {0.0625, 0.125}, {-0.0625, 0.125}};
    fr_mesh *mesh, *floor;
    assert_int_equal(fr_mesh_create_extrusion(wedge, 3, 0.125, NULL, &mesh, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 0.0625, 1.0), NULL, &floor, NULL), FR_OK);
    s.raw.position = fr_vec3_make(0.0, 0.0, 0.0);
    s.held = add_mesh(&s, mesh, &s.raw);
    add_other(&s, floor, fr_vec3_make(0.0, -0.03125, 0.0));
    grasp(&s, NULL);
    drag(&s, fr_vec3_make(0.0, -0.2, 0.0), 0.05);
    assert_true(s.out.shown.position.y > 0.0);
    drag(&s, fr_vec3_make(0.0, 0.2, 0.0), 0.05);
    assert_true(fr_vec3_distance(s.out.shown.position, s.raw.position) < 1e-12);
    close_scene(&s);
    fr_mesh_release(mesh);
    fr_mesh_release(floor);
}

// A hand that jumps through a thin wall does not take the cube along.
static void test_a_jump_does_not_go_through_a_wall(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    fr_mesh *wall;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.001, 4.0, 4.0), NULL, &wall, NULL), FR_OK);
    uint64_t cases = test_count(20, 1000);
    for (uint64_t i = 0; i < cases; i++) {
        scene s;
        open_scene(&s, fr_vec3_make(-0.2, 0.0, 0.0));
        add_other(&s, wall, fr_vec3_make(0.0, 0.0, 0.0));
        grasp(&s, NULL);
        for (int k = 0; k < 10; k++) {
            s.raw = random_pose(&random, 0.5, 3.0);
            frame(&s);
            assert_true(s.out.shown.position.x < -0.5 * EDGE);
        }
        close_scene(&s);
    }
    fr_mesh_release(wall);
}

// Concave blocks are dragged at random among concave blocks, with jumps: what is shown shares no point with anything.
static void test_random_drags_go_into_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(10);
    const fr_vec2 el[6] = {{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.0}, {0.0, 0.0}, {0.0, 0.05}, {-0.05, 0.05}};
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_extrusion(el, 6, 0.06, NULL, &mesh, NULL), FR_OK);
    uint32_t snaps = 0, releases = 0, blocked = 0;
    uint64_t drags = test_count(16, 100000);
    for (uint64_t i = 0; i < drags; i++) {
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 0.5, 0.0));
        assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
        s.held = add_mesh(&s, mesh, &s.raw);
        for (int k = 0; k < 5; k++) {
            fr_pose pose = random_pose(&random, 0.2, 3.0);
            if (k % 2 == 0) { pose.rotation = fr_quat_identity(); }
            s.others[s.other_count++] = add_mesh(&s, k < 3 ? mesh : s.cube, &pose);
        }
        fr_aid_def def = random_def(&random);
        grasp(&s, &def);
        for (int k = 0; k < 40; k++) {
            wander(&s, &random, 0.3);
            frame(&s);
            assert_int_equal(crossings(&s, mesh), 0);
            blocked += s.out.is_blocked;
        }
        snaps += s.snaps;
        releases += s.releases;
        close_scene(&s);
    }
    fr_mesh_release(mesh);
    assert_true(snaps > 0 && releases > 0 && blocked > 0);
}

static void test_sensors_and_other_layers_stop_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 0.1, 0.0));
        add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
        fr_filter apart = {2, 2, 0};
        if (i == 0) {
            assert_int_equal(fr_object_set_flags(s.space, s.others[0], FR_OBJECT_SENSOR, NULL), FR_OK);
        } else {
            assert_int_equal(fr_object_set_filter(s.space, s.others[0], apart, NULL), FR_OK);
        }
        grasp(&s, NULL);
        drag(&s, fr_vec3_make(0.0, -0.1, 0.0), 0.01);
        assert_int_equal(s.out.held_count, 0);
        assert_true(fr_vec3_distance(s.out.shown.position, s.raw.position) < 1e-12);
        close_scene(&s);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Wrong input and no memory

// A number of a definition and its limits.
typedef struct limited {
    size_t offset;
    double low, high;
} limited;

static void test_limits_of_definitions_are_kept(void **state) {
    (void)state;
#define OF(number) offsetof(fr_aid_def, number)
    const limited numbers[] = {{OF(weight_normals), 0.0, 1e9},
                               {OF(weight_approach), 0.0, 1e9},
                               {OF(angle_min), 0.5 * FR_PI, FR_PI},
                               {OF(overlap_threshold), 0.0, 1.0},
                               {OF(hysteresis), 0.0, 1.0},
                               {OF(hold), 0.0, 1e9},
                               {OF(magnet), 0.0, 100.0},
                               {OF(turn_max), 0.0, FR_PI},
                               {OF(pause), 0.0, 1e9},
                               {OF(separation), 0.0, 1e9},
                               {OF(blend), 0.0, 10.0},
                               {OF(edge_reach), 0.0, 1e9},
                               {OF(axis_reach), 0.0, 1e9},
                               {OF(clearance), 1.0, 10.0},
                               {OF(friction), 0.0, 1e9},
                               {OF(flat), 0.0, 1e9},
                               {OF(skin), 1e-9, 1.0}};
#undef OF
    fr_aid *aid;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const limited *n = &numbers[i];
        const double tries[] = {n->low, n->high, nextafter(n->low, -1.0), nextafter(n->high, 1e10), NAN};
        for (int k = 0; k < 5; k++) {
            fr_aid_def def = fr_default_aid_def();
            memcpy((char *)&def + n->offset, &tries[k], sizeof tries[k]);
            assert_int_equal(fr_aid_create(&def, &aid, NULL), k < 2 ? FR_OK : FR_ERROR_ARGUMENT);
            assert_true((aid != NULL) == (k < 2));
            fr_aid_destroy(aid);
        }
    }
    fr_aid_def def = fr_default_aid_def();
    def.cookie = 0;
    assert_int_equal(fr_aid_create(&def, &aid, NULL), FR_ERROR_ARGUMENT);
}

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    scene s;
    land(&s, 0.0, NULL);
    fr_aid_output out;
    fr_pose raw = s.raw;
    raw.position.x = NAN;
    assert_int_equal(fr_aid_frame(s.aid, s.space, &raw, s.time, &out, NULL), FR_ERROR_NOT_FINITE);
    raw = s.raw;
    raw.scale = 2.0;
    assert_int_equal(fr_aid_frame(s.aid, s.space, &raw, s.time, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, NAN, &out, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, s.time - 1.0, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_set_pose(s.space, s.held, &s.out.shown, NULL), FR_OK);
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, s.time, &out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    // Nothing of this came off
    frame(&s);
    assert_int_equal(s.out.held_count, 1);
    assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, s.time, &out, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_aid_grasp(s.aid, s.space, s.held, NULL), FR_ERROR_STALE_ID);
    // What was not grasped is not held
    assert_int_equal(fr_aid_frame(s.aid, s.space, &s.raw, s.time, &out, NULL), FR_ERROR_ARGUMENT);
    fr_aid_let_go(s.aid, &out);
    assert_int_equal(out.event_count + out.held_count, 0);
    close_scene(&s);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 0.1, 0.0));
    fr_mesh *plate;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, EDGE, 1.0), NULL, &plate, NULL), FR_OK);
    add_other(&s, plate, fr_vec3_make(0.0, 0.0, 0.0));
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    fr_pose down = fr_pose_make(fr_vec3_make(0.0, EDGE - 0.004, 0.0), fr_quat_identity());
    fail_frames(s.space, s.held, fr_default_aid_def(), down);
    close_scene(&s);
    fr_mesh_release(plate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube_has_six_faces_and_lands_on_one),
        cmocka_unit_test(test_a_tilted_cube_is_laid_flat),
        cmocka_unit_test(test_engages_above_a_tenth_of_overlap),
        cmocka_unit_test(test_what_does_not_hold_is_slid_along),
        cmocka_unit_test(test_slides_until_nothing_is_shared),
        cmocka_unit_test(test_comes_off_at_the_distance_of_its_contact),
        cmocka_unit_test(test_pushing_in_never_releases_but_by_the_switch),
        cmocka_unit_test(test_the_printed_rule_chatters_and_the_corrected_does_not),
        cmocka_unit_test(test_nothing_chatters_in_the_tasks_but_by_the_printed_rule),
        cmocka_unit_test(test_the_flatter_of_two_faces_wins),
        cmocka_unit_test(test_tasks_end_with_one_two_three_faces),
        cmocka_unit_test(test_the_same_hand_gives_the_same_bits),
        cmocka_unit_test(test_supports_in_one_plane_hold_together),
        cmocka_unit_test(test_feet_hold_together),
        cmocka_unit_test(test_a_plane_that_moves_takes_the_cube_along),
        cmocka_unit_test(test_what_is_carried_asks_for_nothing_else),
        cmocka_unit_test(test_what_touches_can_be_taken),
        cmocka_unit_test(test_what_touches_with_an_edge_can_be_taken),
        cmocka_unit_test(test_what_is_nearer_than_told_apart_can_be_taken),
        cmocka_unit_test(test_a_jump_does_not_go_through_a_wall),
        cmocka_unit_test(test_random_drags_go_into_nothing),
        cmocka_unit_test(test_sensors_and_other_layers_stop_nothing),
        cmocka_unit_test(test_limits_of_definitions_are_kept),
        cmocka_unit_test(test_wrong_input_is_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
