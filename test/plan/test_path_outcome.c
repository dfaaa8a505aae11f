// Which result "no path" is: none found, none at the resolution of a lattice, or proven impossible.
#include "frame.h"
#include "plan/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static fr_path find(const fr_path_input *input) {
    fr_path path;
    fr_error error = {0};
    if (fr_plan_path(input, &path, &error) != FR_OK) { fail_msg("%s", error.message); }
    return path;
}

// A cube of 1 before a window of 0.5: no ball of radius 0.5 passes, whatever is tried.
static void test_proves_that_there_is_no_path(void **state) {
    (void)state;
    window_problem p;
    window_open(0.5, &p);
    fr_mesh *cube;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &cube, NULL), FR_OK);
    p.part.mesh = cube;
    p.input.bounds = (fr_bounds){fr_vec3_make(-2.0, -2.0, -2.0), fr_vec3_make(2.0, 2.0, 2.0)};
    p.input.start.position = fr_vec3_make(-1.5, 0.0, 0.0);
    p.input.goal.position = fr_vec3_make(1.5, 0.0, 0.0);
    p.input.max_moves = 8000;
    p.input.lattice_moves = 100;
    fr_path path = find(&p.input);
    assert_true(!path.is_found && path.outcome == FR_PATH_IMPOSSIBLE);
    fr_path_destroy(&path);
    // A window through which the ball fits proves nothing.
    window_problem wide;
    window_open(1.05, &wide);
    wide.part.mesh = cube;
    wide.input.max_moves = 300;
    wide.input.lattice_moves = 0;
    path = find(&wide.input);
    assert_true(path.is_found ? path.outcome == FR_PATH_FOUND : path.outcome == FR_PATH_NOT_FOUND);
    fr_path_destroy(&path);
    window_close(&wide);
    // A start that is not free has no path either.
    p.input.start.position = fr_vec3_make(0.0, 1.5, 0.0);
    path = find(&p.input);
    assert_true(path.is_blocked && path.outcome == FR_PATH_IMPOSSIBLE);
    fr_path_destroy(&path);
    fr_mesh_release(cube);
    window_close(&p);
}

// In the plane a bar before the corner of two corridors, which it does not get round, though a ball does; a short one
// gets round.
static fr_path go_round_corner(double length, double width) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    fr_mesh *bar, *wall;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    // Corridors along y = 0 .. 1 and x = 3 .. 4.
    const double boxes[5][4] = {{0.0, 1.0, 3.0, 4.0},
                                {-1.0, -1.0, 5.0, 0.0},
                                {4.0, 0.0, 5.0, 4.0},
                                {-1.0, 0.0, 0.0, 1.0},
                                {3.0, 4.0, 4.0, 5.0}};
    for (int i = 0; i < 5; i++) {
        fr_vec3 size = {boxes[i][2] - boxes[i][0], boxes[i][3] - boxes[i][1], 2.0};
        assert_int_equal(fr_mesh_create_box(size, NULL, &wall, NULL), FR_OK);
        window_put(space, wall, fr_vec3_make(boxes[i][0] + 0.5 * size.x, boxes[i][1] + 0.5 * size.y, 0.0));
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(length, width, 1.0), NULL, &bar, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = bar;
    fr_path_input q = fr_default_path_input();
    q.space = space;
    q.parts = &part;
    q.part_count = 1;
    q.dimension = 2;
    q.depth = 4;
    q.bounds = (fr_bounds){fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(4.0, 4.0, 0.0)};
    q.start.position = fr_vec3_make(1.625, 0.625, 0.0);
    q.goal.position = fr_vec3_make(3.625, 2.375, 0.0);
    q.goal.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 0.5 * FR_PI);
    q.max_moves = 3000;
    fr_path path = find(&q);
    fr_space_destroy(space);
    fr_mesh_release(bar);
    return path;
}

static void test_says_which_no_it_is(void **state) {
    (void)state;
    fr_path path = go_round_corner(3.0, 0.4);
    assert_true(!path.is_found && path.outcome == FR_PATH_NONE_AT_RESOLUTION);
    assert_true(path.cells > 0 && path.cell_edge == 0.25);
    fr_path_destroy(&path);
    path = go_round_corner(1.2, 0.4);
    assert_true(path.is_found && path.is_checked && path.outcome == FR_PATH_FOUND);
    fr_path_destroy(&path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proves_that_there_is_no_path),
        cmocka_unit_test(test_says_which_no_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
