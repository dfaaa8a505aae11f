// Parts of thousands of triangles in a hand: a gear goes into its housing, balls and plates meet; nothing is gone into.
#include "hands.h"
#include "parts.h"

#include "fureai/collide.h"

// The held mesh at a place, the other one at the origin.
static void open_parts(scene *s, const fr_mesh *held, const fr_mesh *other, fr_vec3 start, const fr_aid_def *def) {
    open_scene(s, start);
    assert_int_equal(fr_object_remove(s->space, s->held), FR_OK);
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

// Down to the floor of the pocket, with a hand that trembles by more than the gap, and round about when it is there.
static fr_pose hand_of_gear(int frame, fr_random *random) {
    double down = fmax(0.03 - 0.0005 * frame, -0.002);
    fr_vec3 tremble = fr_vec3_scale(fr_random_between(random, 0.0, 4e-4), random_unit(random));
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
    uint64_t cases = test_count(1, 50);
    for (uint64_t i = 0; i < cases; i++) {
        scene s;
        open_parts(&s, gear, housing, fr_vec3_make(0.0, 0.03, 0.0), NULL);
        for (int k = 0; k < 90; k++) {
            s.raw = hand_of_gear(k, &random);
            frame(&s);
            assert_int_equal(crossings_of_two(collide, &s), 0);
        }
        // It lies on the floor, and the floor holds it
        assert_int_equal(s.out.held_count, 1);
        assert_true(s.out.held[0].plane.normal.y > 0.999999);
        assert_true(fabs(s.out.shown.position.y - SKIN) < 1e-7);
        assert_true(s.out.held[0].area > 0.9 * FR_PI * (0.036 * 0.036 - 0.01 * 0.01));
        close_scene(&s);
    }
    fr_collide_destroy(collide);
    fr_mesh_release(gear);
    fr_mesh_release(housing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gear_is_put_into_its_housing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
