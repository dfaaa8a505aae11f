// Parts of thousands of triangles in a hand: a gear goes into its housing, balls and plates meet; nothing is gone into.
#include "hands.h"
#include "parts.h"

#include "fureai/collide.h"

#include <time.h>

// The held mesh at a place, the other one at the origin.
static void open_parts(scene *s, const fr_mesh *held, const fr_mesh *other, fr_vec3 start, const fr_aid_def *def) {
    open_scene(s, start);
    assert_int_equal(fr_object_remove(s->space, s->held, NULL), FR_OK);
    s->held = add_mesh(s, held, &s->raw);
    add_other(s, other, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(s, def);
}

// Pairs of triangles of the two objects that share a point.
static size_t crossings_of_two(fr_collide *collide, const scene *s) {
    fr_collide_input input = fr_default_collide_input();
    input.space = s->space;
    fr_collide_output out;
    assert_int_equal(fr_collide_static_pair(collide, &input, s->held, s->others[0], &out, NULL), FR_OK);
    return out.pair_count;
}

#define GEAR_FRAMES 50

// Down to the floor of the pocket, with a hand that trembles by more than the gap, and round about when it is there.
static fr_pose hand_of_gear(int frame, fr_random *random) {
    double down = fmax(0.03 - 0.001 * frame, -0.002);
    fr_vec3 way = random_unit(random);
    fr_vec3 tremble = fr_vec3_scale(fr_random_between(random, 0.0, 4e-4), way);
    double turn = fr_random_between(random, -0.01, 0.01), tilt = fr_random_between(random, 0.0, 0.01);
    fr_quat about = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), turn);
    return fr_pose_make(fr_vec3_add(tremble, fr_vec3_make(0.0, down, 0.0)),
                        fr_quat_multiply(about, fr_quat_from_axis_angle(random_unit(random), tilt)));
}

static void test_a_gear_is_put_into_its_housing(void **state) {
    (void)state;
    fr_mesh *gear = part_gear(), *housing = part_housing(5e-4);
    assert_int_equal(fr_mesh_get(gear)->triangle_count, 4000);
    assert_int_equal(fr_mesh_get(housing)->triangle_count, 4000);
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    fr_random random = fr_random_seed(15);
    uint64_t cases = test_count(1, 50), held = 0;
    double seconds = 0.0, frames = 0.0;
    for (uint64_t i = 0; i < cases; i++) {
        scene s;
        open_parts(&s, gear, housing, fr_vec3_make(0.0, 0.03, 0.0), NULL);
        // A hand that jams it tries on
        for (int k = 0; k < GEAR_FRAMES || (k < 10 * GEAR_FRAMES && s.out.shown.position.y > 2.0 * SKIN); k++) {
            s.raw = hand_of_gear(k, &random);
            clock_t before = clock();
            frame(&s);
            seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
            frames += 1.0;
            assert_int_equal(crossings_of_two(collide, &s), 0);
        }
        // It is on the floor. Now and then it stands askew between the flanks, and the floor does not hold it
        assert_true(s.out.shown.position.y < 2.0 * SKIN);
        bool is_held = s.out.held_count == 1 && s.out.held[0].plane.normal.y > 0.999999;
        if (is_held) {
            assert_true(fabs(s.out.shown.position.y - SKIN) < 1e-7);
            assert_true(s.out.held[0].area > 0.9 * FR_PI * (0.036 * 0.036 - 0.01 * 0.01));
        }
        held += is_held ? 1 : 0;
        close_scene(&s);
    }
    printf("held in %llu of %llu, %.2f ms a frame\n", (unsigned long long)held, (unsigned long long)cases,
           1e3 * seconds / frames);
    assert_true(10 * held >= 9 * cases);
    fr_collide_destroy(collide);
    fr_mesh_release(gear);
    fr_mesh_release(housing);
}

// Thousands of triangles meet, and the faces that touch are few: the two that lie on one another, and those that end at
// their borders. One pair holds.
static void test_fine_plates_meet_by_few_faces(void **state) {
    (void)state;
    fr_mesh *plate = part_plate(0.1, 0.01, 31);
    assert_int_equal(fr_mesh_get(plate)->triangle_count, 4092);
    scene s;
    open_parts(&s, plate, plate, fr_vec3_make(0.0, 0.02, 0.0), NULL);
    drag(&s, fr_vec3_make(0.0, 0.006, 0.0), 0.002);
    assert_true(s.contacts >= 1 && s.contacts <= 9);
    assert_int_equal(s.snaps, 1);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.held[0].area - 0.01) < 1e-8);
    assert_true(fabs(s.out.held[0].ratio - 1.0) < 1e-6);
    close_scene(&s);
    fr_mesh_release(plate);
}

// ---------------------------------------------------------------------------------------------------------------
// What has no faces to be held by

// The tip of a cone comes down on a plate: contact without an area.
static void test_a_tip_is_stopped_and_not_held(void **state) {
    (void)state;
    fr_mesh *cone, *plate = part_plate(0.1, 0.01, 3);
    assert_int_equal(fr_mesh_create_cone(0.02, 0.06, 24, FR_AXIS_Y, NULL, &cone, NULL), FR_OK);
    scene s;
    open_parts(&s, cone, plate, fr_vec3_make(0.013, 0.05, 0.007), NULL);
    s.raw.rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), FR_PI);
    drag(&s, fr_vec3_make(0.013, 0.06, 0.007), 0.002);
    drag(&s, fr_vec3_make(0.013, 0.0, 0.007), 0.002);
    assert_int_equal(s.snaps, 0);
    assert_true(s.contacts > 0 && s.out.is_blocked);
    assert_true(s.out.shown.position.y > 0.035 && s.out.shown.position.y < 0.035 + 2.0 * SKIN);
    drag(&s, fr_vec3_make(0.03, 0.0, 0.007), 0.002);
    assert_true(fabs(s.out.shown.position.x - 0.03) < 1e-6);
    close_scene(&s);
    fr_mesh_release(cone);
    fr_mesh_release(plate);
}

// A ball is held by no more than a facet: it is stopped, told, and comes off at once.
static void test_a_ball_is_stopped_and_hardly_held(void **state) {
    (void)state;
    fr_mesh *ball, *plate = part_plate(0.2, 0.01, 3);
    assert_int_equal(fr_mesh_create_sphere(0.035, 32, 64, FR_AXIS_Y, NULL, &ball, NULL), FR_OK);
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    fr_random random = fr_random_seed(17);
    uint64_t cases = test_count(8, 500);
    for (uint64_t i = 0; i < cases; i++) {
        scene s;
        open_parts(&s, ball, plate, fr_vec3_make(0.0, 0.08, 0.0), NULL);
        s.raw.rotation = random_pose(&random, 0.1, 3.0).rotation;
        frame(&s);
        drag(&s, fr_vec3_make(0.0, 0.03, 0.0), 0.003);
        assert_true(s.contacts > 0);
        assert_true(s.out.shown.position.y < 0.0401 && s.out.shown.position.y > 0.0399 - 0.035 * 0.005);
        assert_int_equal(crossings_of_two(collide, &s), 0);
        drag(&s, fr_vec3_make(0.0, 0.045, 0.0), 0.003);
        assert_int_equal(s.out.held_count, 0);
        close_scene(&s);
    }
    fr_collide_destroy(collide);
    fr_mesh_release(ball);
    fr_mesh_release(plate);
}

// Triangles without an area, in the faces that meet and beside them, change nothing.
static void test_triangles_without_an_area_change_nothing(void **state) {
    (void)state;
    static const double positions[] = {-0.05, 0.0, -0.05, 0.05, 0.0, -0.05, 0.05,  0.0, 0.05,
                                       -0.05, 0.0, 0.05,  0.0,  0.0, 0.0,   -0.05, 0.0, 0.0};
    static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2, 4, 4, 4, 0, 5, 3, 0, 4, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = 6;
    def.triangles = triangles;
    def.triangle_count = 5;
    fr_mesh *sheet;
    assert_int_equal(fr_mesh_create(&def, &sheet, NULL), FR_OK);
    assert_int_equal(fr_mesh_get(sheet)->degenerate_count, 3);
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 0.08, 0.0));
    add_other(&s, sheet, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(&s, NULL);
    drag(&s, fr_vec3_make(0.0, 0.03, 0.0), 0.002);
    assert_int_equal(s.out.held_count, 1);
    assert_true(fabs(s.out.held[0].area - EDGE * EDGE) < 1e-8);
    assert_true(fabs(s.out.shown.position.y - 0.5 * EDGE - SKIN) < 1e-8);
    close_scene(&s);
    fr_mesh_release(sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gear_is_put_into_its_housing),
        cmocka_unit_test(test_fine_plates_meet_by_few_faces),
        cmocka_unit_test(test_a_tip_is_stopped_and_not_held),
        cmocka_unit_test(test_a_ball_is_stopped_and_hardly_held),
        cmocka_unit_test(test_triangles_without_an_area_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
