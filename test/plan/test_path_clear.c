// The clearest path: through random windows it keeps what the planner itself can keep.
#include "failing.h"
#include "frame.h"
#include "plan/clearest.h"
#include "plan/window.h"
#include "random_vector.h"

static fr_quat turn_about(fr_random *r) {
    fr_vec3 axis = fr_vec3_add(random_about(r, 1.0), fr_vec3_make(0.0, 0.0, 0.01));
    return fr_quat_from_axis_angle(fr_vec3_scale(1.0 / fr_vec3_length(axis), axis), fr_random_between(r, -3.0, 3.0));
}

// A window of 0.9 to 2.0, and a start and a goal on both sides in any rotation that stand clear of the wall.
static void open_random(uint64_t seed, window_problem *p) {
    fr_random r = fr_random_seed(seed);
    window_open(fr_random_between(&r, 0.9, 2.0), p);
    p->input.start.position = fr_vec3_make(-3.0, fr_random_between(&r, -2.0, 2.0), fr_random_between(&r, -2.0, 2.0));
    p->input.goal.position = fr_vec3_make(3.0, fr_random_between(&r, -2.0, 2.0), fr_random_between(&r, -2.0, 2.0));
    p->input.start.rotation = turn_about(&r);
    p->input.goal.rotation = turn_about(&r);
}

// In the long run alone; the sample takes the demo's window (test/scene/test_path_problem.c).
static void test_random_windows(void **state) {
    (void)state;
    uint64_t count = test_count(0, 50);
    for (uint64_t seed = 1; seed <= count; seed++) {
        if (!test_is_in_part(seed - 1, count)) { continue; }
        window_problem p;
        open_random(seed, &p);
        double clearance = clearest_is_clear(&p.input, 20000);
        print_message("window %d keeps %.4f\n", (int)seed, clearance);
        window_close(&p);
    }
}

// A box that goes round another keeps what its start and its goal allow; one that rests on it has no clearance there.
static void test_the_ends_bound_it(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    fr_mesh *block = NULL, *body = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &block, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.5, 0.5, 0.5), NULL, &body, NULL), FR_OK);
    (void)window_put(space, block, fr_vec3_make(0.0, 0.0, 0.0));
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = body;
    fr_path_input input = fr_default_path_input();
    input.space = space;
    input.parts = &part;
    input.part_count = 1;
    input.start.position = fr_vec3_make(-1.5, 0.0, 0.0);
    input.goal.position = fr_vec3_make(1.75, 0.0, 0.0);
    input.bounds = (fr_bounds){fr_vec3_make(-3.0, -3.0, -3.0), fr_vec3_make(3.0, 3.0, 3.0)};
    input.objective = FR_PATH_CLEAREST;
    input.optimize_moves = 3000;
    fr_path path;
    assert_int_equal(fr_plan_path(&input, &path, NULL), FR_OK);
    assert_true(path.is_checked && path.clearance >= 0.9 * 0.75 && path.clearance <= 0.75);
    assert_false(clearest_is_nearer(&input, &path, 0.999 * path.clearance));
    fr_path_destroy(&path);
    input.start.position.x = -0.75;
    assert_int_equal(fr_plan_path(&input, &path, NULL), FR_OK);
    assert_true(path.is_checked && path.clearance == 0.0);
    fr_path_destroy(&path);
    fr_mesh_release(body);
    fr_space_destroy(space);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    p.input.objective = FR_PATH_CLEAREST;
    p.input.optimize_moves = 60;
    assert_true(test_every_failure(window_find, &p.input) >= 4);
    window_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_windows), cmocka_unit_test(test_the_ends_bound_it),
                                       cmocka_unit_test(test_every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
