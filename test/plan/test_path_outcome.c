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

// A vector of the plane of x and y, or what it becomes on a floor, where y is up.
static fr_vec3 in_plane(fr_path_plane plane, double x, double y, double z) {
    return plane == FR_PATH_PLANE_XY ? fr_vec3_make(x, y, z) : fr_vec3_make(x, z, -y);
}

static fr_mesh *make_plate(fr_path_plane plane, double x, double y, double z) {
    fr_mesh *mesh = NULL;
    fr_vec3 size = in_plane(plane, x, y, z);
    size.z = fabs(size.z);
    assert_int_equal(fr_mesh_create_box(size, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// Its pivot stays at the height of the start, and it turns about the normal of the plane alone.
static void assert_in_plane(const fr_path_input *q, const fr_path *path) {
    for (uint32_t i = 0; i < path->state_count; i++) {
        const fr_pose *p = &path->states[i];
        bool is_floor = q->plane == FR_PATH_PLANE_XZ;
        assert_true(fabs(is_floor ? p->position.y : p->position.z) < 1e-9);
        assert_true(fabs(p->rotation.x) < 1e-9 && fabs(is_floor ? p->rotation.z : p->rotation.y) < 1e-9);
    }
}

// In the plane a bar before the corner of two corridors, which it does not get round, though a ball does; a short one
// gets round.
static fr_path go_round_corner(double length, double width, fr_path_plane plane, bool is_timed) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    fr_mesh *bar, *wall;
    fr_object_id block = {0, 0, 0};
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    // Corridors along y = 0 .. 1 and x = 3 .. 4.
    const double boxes[5][4] = {{0.0, 1.0, 3.0, 4.0},
                                {-1.0, -1.0, 5.0, 0.0},
                                {4.0, 0.0, 5.0, 4.0},
                                {-1.0, 0.0, 0.0, 1.0},
                                {3.0, 4.0, 4.0, 5.0}};
    for (int i = 0; i < 5; i++) {
        const double *b = boxes[i];
        wall = make_plate(plane, b[2] - b[0], b[3] - b[1], 2.0);
        window_put(space, wall, in_plane(plane, 0.5 * (b[0] + b[2]), 0.5 * (b[1] + b[3]), 0.0));
    }
    if (is_timed) {
        wall = make_plate(plane, 0.95, 0.5, 1.0);
        block = window_put(space, wall, in_plane(plane, 3.5, 1.0, 0.0));
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    bar = make_plate(plane, length, width, 1.0);
    fr_part_def part = fr_default_part_def();
    part.mesh = bar;
    fr_path_input q = fr_default_path_input();
    q.space = space;
    q.parts = &part;
    q.part_count = 1;
    q.dimension = 2;
    q.plane = plane;
    q.depth = 4;
    const fr_vec3 corners[2] = {in_plane(plane, 0.0, 0.0, 0.0), in_plane(plane, 4.0, 4.0, 0.0)};
    q.bounds = fr_bounds_of_points(corners, 2);
    q.start.position = in_plane(plane, 1.625, 0.625, 0.0);
    q.goal.position = in_plane(plane, 3.625, 2.375, 0.0);
    q.goal.rotation = fr_quat_from_axis_angle(in_plane(plane, 0.0, 0.0, 1.0), 0.5 * FR_PI);
    q.max_moves = 3000;
    // The block fills the second corridor until it goes up and away after 8 seconds.
    fr_path_sample samples[2] = {{8.0, fr_pose_identity()}, {9.0, fr_pose_identity()}};
    samples[0].pose.position = in_plane(plane, 3.5, 1.0, 0.0);
    samples[1].pose.position = in_plane(plane, 3.5, 1.0, 3.0);
    const fr_path_obstacle obstacle = {block, samples, 2, 0.0};
    q.obstacles = is_timed ? &obstacle : NULL;
    q.obstacle_count = is_timed ? 1 : 0;
    fr_path path = find(&q);
    assert_in_plane(&q, &path);
    fr_space_destroy(space);
    fr_mesh_release(bar);
    return path;
}

static void test_says_which_no_it_is(void **state) {
    (void)state;
    fr_path path = go_round_corner(3.0, 0.4, FR_PATH_PLANE_XY, false);
    assert_true(!path.is_found && path.outcome == FR_PATH_NONE_AT_RESOLUTION);
    assert_true(path.cells > 0 && path.cell_edge == 0.25);
    fr_path_destroy(&path);
    path = go_round_corner(1.2, 0.4, FR_PATH_PLANE_XY, false);
    assert_true(path.is_found && path.is_checked && path.outcome == FR_PATH_FOUND);
    fr_path_destroy(&path);
}

// The same on a floor, where a block may stand in the corridor for a while.
static void test_walks_on_a_floor(void **state) {
    (void)state;
    fr_path path = go_round_corner(3.0, 0.4, FR_PATH_PLANE_XZ, false);
    assert_true(!path.is_found && path.outcome == FR_PATH_NONE_AT_RESOLUTION);
    fr_path_destroy(&path);
    path = go_round_corner(1.2, 0.4, FR_PATH_PLANE_XZ, false);
    assert_true(path.is_found && path.is_checked && !path.is_timed);
    fr_path_destroy(&path);
    for (int plane = FR_PATH_PLANE_XY; plane <= FR_PATH_PLANE_XZ; plane++) {
        path = go_round_corner(0.6, 0.3, (fr_path_plane)plane, true);
        assert_true(path.is_found && path.is_checked && path.is_timed && path.times[path.state_count - 1] >= 9.0);
        fr_path_destroy(&path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proves_that_there_is_no_path),
        cmocka_unit_test(test_says_which_no_it_is),
        cmocka_unit_test(test_walks_on_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
