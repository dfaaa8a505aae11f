// Two hands: one object in both, and one in each.
#include "frame.h"
#include "hands.h"

#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// The largest distance between the places of four points.
static double apart(const fr_pose *a, const fr_pose *b) {
    double worst = 0.0;
    const fr_vec3 corners[4] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 4; i++) {
        worst = fmax(worst, fr_vec3_distance(fr_pose_apply(a, corners[i]), fr_pose_apply(b, corners[i])));
    }
    return worst;
}

// Both hands at random, at least a hand's breadth apart.
static void random_hands(fr_random *random, fr_pose hands[2]) {
    do {
        hands[0] = random_pose(random, 0.5, 3.0);
        hands[1] = random_pose(random, 0.5, 3.0);
    } while (fr_vec3_distance(hands[0].position, hands[1].position) < 0.1);
}

static void test_hands_that_stay_leave_it(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (int i = 0; i < 100; i++) {
        fr_pose hands[2], object = random_pose(&random, 1.0, 3.0);
        object.scale = 2.5;
        random_hands(&random, hands);
        fr_pose pose = fr_hands_pose(&object, hands, hands);
        assert_true(apart(&pose, &object) < 1e-12);
        assert_true(pose.scale == 2.5);
    }
}

// The object follows a motion that both hands make as one body.
static void test_a_common_motion_is_followed(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    uint64_t cases = test_count(2000, 100000);
    for (uint64_t i = 0; i < cases; i++) {
        fr_pose grasp[2], now[2], object = random_pose(&random, 1.0, 3.0), motion = random_pose(&random, 1.0, 3.1);
        random_hands(&random, grasp);
        for (int k = 0; k < 2; k++) {
            now[k] = fr_pose_compose(&motion, &grasp[k]);
        }
        fr_pose pose = fr_hands_pose(&object, grasp, now), expected = fr_pose_compose(&motion, &object);
        assert_true(apart(&pose, &expected) < 1e-9);
    }
}

// The second hand moves about the first without turning: the object turns by that angle, about the middle.
static void test_the_line_between_the_hands_turns_it(void **state) {
    (void)state;
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, now[2], object = fr_pose_identity();
    grasp[0].position.x = -0.2;
    grasp[1].position.x = 0.2;
    double angle = fr_radians(40.0);
    now[0] = grasp[0];
    now[1] = grasp[1];
    now[1].position = fr_vec3_make(-0.2 + 0.4 * cos(angle), 0.4 * sin(angle), 0.0);
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    fr_vec3 turn = fr_quat_to_vector(pose.rotation);
    assert_true(fr_vec3_distance(turn, fr_vec3_make(0.0, 0.0, angle)) < 1e-12);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_lerp(now[0].position, now[1].position, 0.5)) < 1e-12);
}

static void test_turns_about_the_line_are_shared(void **state) {
    (void)state;
    const double turns[5][3] = {
        {0.0, 60.0, 30.0}, {-20.0, 50.0, 15.0}, {90.0, 90.0, 90.0}, {170.0, -170.0, 180.0}, {-30.0, -90.0, -60.0}};
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, object = fr_pose_identity();
    grasp[0].position.z = -0.1;
    grasp[1].position.z = 0.3;
    fr_vec3 axis = {0.0, 0.0, 1.0};
    for (int i = 0; i < 5; i++) {
        fr_pose now[2] = {grasp[0], grasp[1]};
        now[0].rotation = fr_quat_from_axis_angle(axis, fr_radians(turns[i][0]));
        now[1].rotation = fr_quat_from_axis_angle(axis, fr_radians(turns[i][1]));
        fr_pose pose = fr_hands_pose(&object, grasp, now), expected = object;
        expected.rotation = fr_quat_from_axis_angle(axis, fr_radians(turns[i][2]));
        assert_true(apart(&pose, &expected) < 1e-12);
    }
    // A hand that turns across the line turns nothing: the other end would have to move.
    fr_pose now[2] = {grasp[0], grasp[1]};
    now[0].rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), 0.7);
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    assert_true(apart(&pose, &object) < 1e-12);
}

static void test_hands_that_go_apart_do_not_stretch_it(void **state) {
    (void)state;
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, now[2], object = fr_pose_identity();
    grasp[1].position.x = 0.2;
    object.position.x = 0.05;
    now[0] = grasp[0];
    now[1] = grasp[1];
    now[1].position.x = 0.4;
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_make(0.15, 0.0, 0.0)) < 1e-12);
    assert_true(pose.scale == 1.0);
}

static void test_hands_at_one_place_turn_as_the_first(void **state) {
    (void)state;
    fr_pose grasp[2] = {fr_pose_identity(), fr_pose_identity()}, now[2], object = fr_pose_identity();
    object.position.y = 0.1;
    now[0] = now[1] = grasp[0];
    now[0].rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 0.5 * FR_PI);
    fr_pose pose = fr_hands_pose(&object, grasp, now);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_make(-0.1, 0.0, 0.0)) < 1e-12);
    // The same holds when they come together later.
    grasp[1].position.x = 0.2;
    object.position.x = 0.1;
    pose = fr_hands_pose(&object, grasp, now);
    assert_true(fr_vec3_distance(pose.position, fr_vec3_make(-0.1, 0.0, 0.0)) < 1e-12);
    assert_true(fr_vec3_distance(fr_quat_to_vector(pose.rotation), fr_vec3_make(0.0, 0.0, 0.5 * FR_PI)) < 1e-12);
}

// A place, an axis, degrees about it, and a size.
static fr_pose placed(const double p[8]) {
    fr_pose pose = fr_pose_identity();
    fr_vec3 axis = fr_vec3_unit(fr_vec3_make(p[3], p[4], p[5]), fr_vec3_make(1.0, 0.0, 0.0));
    pose.position = fr_vec3_make(p[0], p[1], p[2]);
    pose.rotation = fr_quat_from_axis_angle(axis, fr_radians(p[6]));
    pose.scale = p[7];
    return pose;
}

static void test_known_poses_do_not_change(void **state) {
    (void)state;
    static const double cases[2][6][8] = {
        {
            {0.1, 1.2, -0.3, 1.0, 2.0, 3.0, 40.0, 2.5}, // the object
            {0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 30.0, 1.0},  // the hands then
            {0.4, 1.1, 0.1, 1.0, 0.0, 0.0, -20.0, 1.0},
            {0.3, 1.4, 0.2, 0.0, 1.0, 1.0, 70.0, 1.0}, // the hands now
            {0.5, 1.0, 0.5, 1.0, 1.0, 0.0, 55.0, 1.0},
            {0.80059443468448843, 0.46833306921900997, -0.36601987504516065, 0.075776899514638923, 0.63178418148100357,
             1.5178644087521753, 0.36543732048676791, 2.5},
        },
        {
            {2.0, -1.0, 0.5, -1.0, 1.0, 0.0, 100.0, 0.5},
            {2.0, -1.0, 0.4, 1.0, 0.0, 1.0, 150.0, 1.0},
            {2.3, -1.2, 0.6, 0.0, 1.0, 0.0, 10.0, 1.0},
            {1.0, 1.0, 1.0, 1.0, 2.0, 0.0, -160.0, 1.0},
            {1.1, 1.3, 0.6, 0.0, 0.0, 1.0, 120.0, 1.0},
            {-0.18670941898011745, -0.76326419432035941, 0.28256865337615744, 0.55020207075381378, 1.0253618120309458,
             1.1262646141710244, 0.97700166991627857, 0.5},
        },
    };
    for (int i = 0; i < 2; i++) {
        const double(*c)[8] = cases[i];
        fr_pose object = placed(c[0]), grasp[2] = {placed(c[1]), placed(c[2])}, now[2] = {placed(c[3]), placed(c[4])};
        fr_pose pose = fr_hands_pose(&object, grasp, now), expected;
        expected.rotation = (fr_quat){c[5][0], c[5][1], c[5][2], c[5][3]};
        expected.position = fr_vec3_make(c[5][4], c[5][5], c[5][6]);
        expected.scale = c[5][7];
        assert_true(apart(&pose, &expected) < 1e-12);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Two objects

typedef struct pair_of_hands {
    fr_space *space;
    fr_mesh *meshes[2], *wall;
    fr_object_id objects[2];
    fr_aid *aids[2];
    fr_pose raw[2];
    fr_aid_output out[2];
    double time;
} pair_of_hands;

static fr_object_id put(fr_space *space, const fr_mesh *mesh, const fr_pose *pose) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = *pose;
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    return id;
}

// An angle in each hand, 0.3 apart, or a cube in each.
static void open_pair(pair_of_hands *p, bool is_concave, bool is_joined) {
    memset(p, 0, sizeof *p);
    const fr_vec2 el[6] = {{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.0}, {0.0, 0.0}, {0.0, 0.05}, {-0.05, 0.05}};
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &p->space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 0.1, 1.0), NULL, &p->wall, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        fr_status status = is_concave ? fr_mesh_create_extrusion(el, 6, 0.06, NULL, &p->meshes[i], NULL)
                                      : fr_mesh_create_box(fr_vec3_make(EDGE, EDGE, EDGE), NULL, &p->meshes[i], NULL);
        assert_int_equal(status, FR_OK);
        p->raw[i] = fr_pose_make(fr_vec3_make(i == 0 ? -0.15 : 0.15, 0.2, 0.0), fr_quat_identity());
        p->objects[i] = put(p->space, p->meshes[i], &p->raw[i]);
    }
    assert_int_equal(fr_space_update(p->space, NULL, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        fr_aid_def aid = fr_default_aid_def();
        assert_int_equal(fr_aid_create(&aid, &p->aids[i], NULL), FR_OK);
        assert_int_equal(fr_aid_grasp(p->aids[i], p->space, p->objects[i], NULL), FR_OK);
    }
    if (is_joined) { fr_aid_join(p->aids[0], p->aids[1]); }
}

static void close_pair(pair_of_hands *p) {
    for (int i = 0; i < 2; i++) {
        fr_aid_destroy(p->aids[i]);
        fr_mesh_release(p->meshes[i]);
    }
    fr_mesh_release(p->wall);
    fr_space_destroy(p->space);
}

static uint32_t crossings_of(const pair_of_hands *p, int i) {
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = FR_OVERLAP_MESH;
    shape.mesh = p->meshes[i];
    shape.pose = p->out[i].shown;
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->objects[i];
    uint32_t count = 0;
    assert_int_equal(fr_space_overlap(p->space, &shape, &filter, NULL, 0, &count, NULL), FR_OK);
    return count;
}

// A frame of each, in turn; after each nothing shares a point with anything.
static void both(pair_of_hands *p) {
    p->time += FRAME;
    for (int i = 0; i < 2; i++) {
        fr_error error;
        fr_status status = fr_aid_frame(p->aids[i], p->space, &p->raw[i], p->time, &p->out[i], &error);
        if (status != FR_OK) { print_message("%s\n", error.message); }
        assert_int_equal(status, FR_OK);
        assert_int_equal(fr_object_set_pose(p->space, p->objects[i], &p->out[i].shown, NULL), FR_OK);
        if (p->out[i].taken.index1 != 0) {
            assert_true(fr_object_id_equal(p->out[i].taken, p->objects[1 - i]));
            p->out[1 - i].shown = p->out[i].taken_pose;
            assert_int_equal(fr_object_set_pose(p->space, p->objects[1 - i], &p->out[i].taken_pose, NULL), FR_OK);
        }
        assert_int_equal(fr_space_update(p->space, NULL, NULL), FR_OK);
        if (p->out[1 - i].shown.scale > 0.0) {
            assert_int_equal(crossings_of(p, 0), 0);
            assert_int_equal(crossings_of(p, 1), 0);
        }
    }
}

static bool is_held(const pair_of_hands *p) { return p->out[0].held_count + p->out[1].held_count > 0; }

static void come_together(pair_of_hands *p) {
    for (int k = 0; k < 60 && !is_held(p); k++) {
        p->raw[0].position.x += 0.003;
        p->raw[1].position.x -= 0.003;
        both(p);
    }
    assert_true(is_held(p));
}

// Both hands go the same way: the one leads exactly, the other follows with its face in the plane.
static void test_two_blocks_in_two_hands_go_together(void **state) {
    (void)state;
    pair_of_hands p;
    open_pair(&p, false, true);
    come_together(&p);
    // One is held to the other, never both
    assert_int_equal(p.out[0].held_count + p.out[1].held_count, 1);
    int follower = p.out[0].held_count > 0 ? 0 : 1, leader = 1 - follower;
    fr_random random = fr_random_seed(8);
    const fr_vec3 ways[4] = {{0.004, 0.0, 0.0}, {-0.004, 0.0, 0.0}, {0.0, 0.004, 0.0}, {0.0, 0.0, 0.004}};
    for (int k = 0; k < 1000; k++) {
        fr_vec3 way = ways[k / 20 % 4];
        fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), k % 40 < 20 ? 0.01 : -0.01);
        for (int i = 0; i < 2; i++) {
            fr_pose tremble = random_pose(&random, 0.0002, 0.001);
            p.raw[i].position = fr_vec3_add(fr_vec3_add(p.raw[i].position, way), tremble.position);
            p.raw[i].rotation = fr_quat_multiply(turn, p.raw[i].rotation);
        }
        both(&p);
        assert_int_equal(p.out[leader].held_count, 0);
        if (!p.out[leader].is_blocked) { assert_true(apart(&p.out[leader].shown, &p.raw[leader]) < 1e-9); }
        assert_int_equal(p.out[follower].held_count, 1);
        // Its middle stands an edge and a skin before the face of the leader, where that is now
        fr_pose back = fr_pose_inverse(&p.out[leader].shown);
        fr_vec3 at = fr_pose_apply(&back, p.out[follower].shown.position);
        assert_true(fabs(fr_vec3_largest(at) - EDGE - SKIN) < 2.0 * SKIN);
    }
    close_pair(&p);
}

// What is taken along stops the one that takes it.
static void test_a_follower_is_not_pushed_into_a_wall(void **state) {
    (void)state;
    pair_of_hands p;
    open_pair(&p, false, true);
    come_together(&p);
    int follower = p.out[0].held_count > 0 ? 0 : 1, leader = 1 - follower;
    double sign = follower == 0 ? -1.0 : 1.0;
    fr_pose wall = fr_pose_make(fr_vec3_make(sign * 0.25, 0.2, 0.0),
                                fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 0.5 * FR_PI));
    (void)put(p.space, p.wall, &wall);
    assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < 2; i++) {
            p.raw[i].position.x += sign * 0.003;
        }
        both(&p);
    }
    double room = 0.25 - 0.05 - 1.5 * EDGE;
    assert_true(p.out[leader].is_blocked);
    assert_true(fabs(p.out[leader].shown.position.x) < room + 1e-6);
    assert_true(fabs(p.out[leader].shown.position.x) > room - 0.001);
    close_pair(&p);
}

// Any motion of both hands, with angles, joined or not: nothing goes into anything.
static void test_random_hands_go_into_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    uint64_t runs = test_count(8, 200);
    uint32_t held = 0;
    for (uint64_t run = 0; run < runs; run++) {
        pair_of_hands p;
        open_pair(&p, run % 2 == 0, run % 4 < 2);
        fr_pose wall = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_identity());
        (void)put(p.space, p.wall, &wall);
        assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
        come_together(&p);
        fr_vec3 common = {0.0, 0.0, 0.0};
        for (int k = 0; k < 60; k++) {
            if (k % 10 == 0) { common = fr_vec3_scale(0.006, random_unit(&random)); }
            for (int i = 0; i < 2; i++) {
                fr_pose own = random_pose(&random, 0.004, 0.04);
                p.raw[i].position = fr_vec3_add(fr_vec3_add(p.raw[i].position, common), own.position);
                p.raw[i].rotation = fr_quat_multiply(own.rotation, p.raw[i].rotation);
            }
            both(&p);
            held += is_held(&p);
        }
        close_pair(&p);
    }
    assert_true(held > 20 * runs);
}

// Each is joined with one at most: the last.
static void test_who_is_joined_anew_takes_nobody_along(void **state) {
    (void)state;
    pair_of_hands p;
    open_pair(&p, false, true);
    come_together(&p);
    int leader = p.out[0].held_count > 0 ? 1 : 0;
    both(&p);
    assert_true(p.out[leader].taken.index1 != 0);
    fr_aid_def def = fr_default_aid_def();
    fr_aid *third;
    assert_int_equal(fr_aid_create(&def, &third, NULL), FR_OK);
    fr_aid_join(p.aids[0], third);
    both(&p);
    assert_true(p.out[0].taken.index1 == 0 && p.out[1].taken.index1 == 0);
    fr_aid_join(p.aids[0], p.aids[1]);
    both(&p);
    assert_true(p.out[leader].taken.index1 != 0);
    fr_aid_join(p.aids[1], NULL);
    both(&p);
    assert_true(p.out[0].taken.index1 == 0 && p.out[1].taken.index1 == 0);
    fr_aid_destroy(third);
    close_pair(&p);
}

static void test_a_hand_that_goes_leaves_the_other(void **state) {
    (void)state;
    pair_of_hands p;
    open_pair(&p, false, true);
    come_together(&p);
    fr_aid_let_go(p.aids[0], NULL);
    p.time += FRAME;
    assert_int_equal(fr_aid_frame(p.aids[1], p.space, &p.raw[1], p.time, &p.out[1], NULL), FR_OK);
    fr_aid_destroy(p.aids[0]);
    p.aids[0] = NULL;
    p.time += FRAME;
    assert_int_equal(fr_aid_frame(p.aids[1], p.space, &p.raw[1], p.time, &p.out[1], NULL), FR_OK);
    close_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hands_that_stay_leave_it),
        cmocka_unit_test(test_a_common_motion_is_followed),
        cmocka_unit_test(test_the_line_between_the_hands_turns_it),
        cmocka_unit_test(test_turns_about_the_line_are_shared),
        cmocka_unit_test(test_hands_that_go_apart_do_not_stretch_it),
        cmocka_unit_test(test_hands_at_one_place_turn_as_the_first),
        cmocka_unit_test(test_known_poses_do_not_change),
        cmocka_unit_test(test_two_blocks_in_two_hands_go_together),
        cmocka_unit_test(test_a_follower_is_not_pushed_into_a_wall),
        cmocka_unit_test(test_random_hands_go_into_nothing),
        cmocka_unit_test(test_who_is_joined_anew_takes_nobody_along),
        cmocka_unit_test(test_a_hand_that_goes_leaves_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
