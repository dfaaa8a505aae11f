#include "plan/faithful/leaf_draw.h"

#include "failing.h"
#include "plan/faithful/leaf_inputs.h"

// What was drawn: segments by width, triangles, dots.
typedef struct drawn {
    size_t thin, robot, path, triangles, dots;
    double last[3]; // end of the path
} drawn;

static void count_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    (void)color;
    drawn *d = user;
    d->thin += width < 1.2 ? count : 0;
    d->robot += width > 1.2 && width < 2.0 ? count : 0;
    d->path += width > 2.0 ? count : 0;
    if (width > 2.0) { memcpy(d->last, points + 6 * count - 3, sizeof d->last); }
}

static void count_triangles(const double *points, size_t count, fr_color color, void *user) {
    (void)points;
    (void)color;
    ((drawn *)user)->triangles += count;
}

static void count_points(const double *points, size_t count, fr_color color, double size, void *user) {
    (void)points;
    (void)color;
    (void)size;
    ((drawn *)user)->dots += count;
}

static drawn draw_named(const char *name, fr_leaf_result *result) {
    const named_world *n = named_world_of(name);
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    input.budget = 20000;
    fr_error error;
    assert_int_equal(fr_leaf_search_run(&input, result, &error), FR_OK);
    drawn d = {0, 0, 0, 0, 0, {0.0, 0.0, 0.0}};
    fr_draw draw = {count_lines, count_triangles, count_points, NULL, &d};
    fr_leaf_draw(world, &input.robot, result, &draw);
    if (n->dimension == 2) {
        uint64_t black = fr_octree_count(fr_plan_world_octree(world)).black;
        assert_int_equal(d.triangles, 2 * black);
        assert_int_equal(d.thin, 4 * (black + result->visited.count));
    }
    fr_plan_world_destroy(world);
    return d;
}

static void the_path_line_and_the_leaves_are_drawn(void **state) {
    (void)state;
    fr_leaf_result result;
    drawn d = draw_named("S1K", &result);
    assert_int_equal(d.path, result.path.state_count - 1);
    assert_int_equal(d.dots, result.visited.count);
    assert_true(d.robot >= 4 * 3); // start, a turn, goal
    assert_true(d.last[0] == 52.5 && d.last[1] == 32.5 && d.last[2] == 0.0);
    fr_leaf_result_free(&result);
}

static void without_a_path_the_explored_leaves_are_drawn(void **state) {
    (void)state;
    fr_leaf_result result;
    drawn d = draw_named("S1", &result);
    assert_true(!result.path.is_found && d.path == 0 && d.robot == 0);
    assert_int_equal(d.dots, result.visited.count);
    fr_leaf_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_line_and_the_leaves_are_drawn),
        cmocka_unit_test(without_a_path_the_explored_leaves_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
