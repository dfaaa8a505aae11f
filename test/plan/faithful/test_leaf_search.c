#include "plan/faithful/leaf_search.h"

#include "failing.h"
#include "plan/faithful/leaf_inputs.h"

static bool passes_the_check(const fr_leaf_input *input, const fr_cell_path *path) {
    fr_plan_check_input check_input = fr_default_plan_check_input();
    check_input.world = input->world;
    check_input.shape = &input->robot;
    check_input.states = path->states;
    check_input.state_count = path->state_count;
    fr_plan_check_output check;
    fr_error error;
    assert_int_equal(fr_plan_check_cells(&check_input, &check, &error), FR_OK);
    return check.is_free;
}

// Start, middles of leaves and of shared faces in turn, goal; every step is straight or a turn on the spot.
static void expect_path_line(const fr_leaf_input *input, const fr_leaf_result *result) {
    const fr_cell_path *path = &result->path;
    assert_true(path->state_count >= 3 && !path->is_checked);
    assert_true(fr_vec3_equal(path->states[0].place.position, input->start.position));
    assert_true(fr_vec3_equal(path->states[path->state_count - 1].place.position, input->goal.position));
    const fr_octree *tree = fr_plan_world_octree(input->world);
    double length = 0.0;
    for (uint32_t i = 1; i < path->state_count; i++) {
        fr_vec3 a = path->states[i - 1].place.position, b = path->states[i].place.position;
        fr_vec3 middle = fr_vec3_lerp(a, b, 0.5);
        assert_int_equal(path->states[i].tick, i);
        assert_int_equal(fr_octree_leaf(tree, (int64_t)middle.x, (int64_t)middle.y,
                                        fr_plan_world_get_def(input->world).dimension == 3 ? (int64_t)middle.z : 0)
                             .color,
                         FR_CELL_WHITE);
        length += fr_vec3_distance(a, b);
    }
    assert_true(fabs(length - path->length) < 1e-9 * (1.0 + length));
    assert_true(result->visited.count == path->expanded && result->visited.count >= result->nodes);
}

typedef struct outcome {
    bool is_found, is_free; // and passes the check
    uint32_t turns, nodes;
} outcome;

// Whatever is found must be a path line, and free where it was swept.
static outcome run_search(const fr_leaf_input *input) {
    fr_leaf_result result;
    fr_error error;
    assert_int_equal(fr_leaf_search_run(input, &result, &error), FR_OK);
    outcome o = {result.path.is_found, false, result.path.turns, result.nodes};
    assert_int_equal(result.path.is_exhausted, !o.is_found);
    if (o.is_found) {
        expect_path_line(input, &result);
        o.is_free = passes_the_check(input, &result.path);
        assert_true(o.is_free || !input->is_swept);
    }
    fr_leaf_result_free(&result);
    return o;
}

static outcome run_named(const char *name, bool is_swept, fr_leaf_key key) {
    const named_world *n = named_world_of(name);
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    input.is_swept = is_swept;
    input.key = key;
    outcome o = run_search(&input);
    fr_plan_world_destroy(world);
    return o;
}

static void a_wide_slit_is_passed_by_turning(void **state) {
    (void)state;
    for (int key = 0; key < 2; key++) {
        outcome printed = run_named("S1K", false, (fr_leaf_key)key), swept = run_named("S1K", true, (fr_leaf_key)key);
        assert_true(printed.is_found && printed.turns > 0);
        assert_true(swept.is_found && swept.turns > 0);
        assert_true(run_named("S3", true, (fr_leaf_key)key).is_found);
    }
}

static void what_lies_between_two_leaves_is_not_looked_at(void **state) {
    (void)state;
    outcome o = run_named("S3", false, FR_LEAF_AVERAGE);
    assert_true(o.is_found && !o.is_free);
}

static void narrow_slits_are_not_passed_though_the_robot_fits(void **state) {
    (void)state;
    for (int swept = 0; swept < 2; swept++) {
        assert_false(run_named("S1", swept == 1, FR_LEAF_AVERAGE).is_found);
        assert_false(run_named("S2", swept == 1, FR_LEAF_AVERAGE).is_found);
    }
}

// Like W2, with holes where white leaves have their middles: y 14 .. 17 by z 8 .. 23, and turned.
static fr_plan_world *make_two_walls(void) {
    fr_plan_world *world = make_empty_world(3, 5);
    const fr_plan_box walls[8] = {{{8, 0, 0}, {10, 14, 32}},   {{8, 18, 0}, {10, 32, 32}}, {{8, 14, 0}, {10, 18, 8}},
                                  {{8, 14, 24}, {10, 18, 32}}, {{22, 0, 0}, {24, 8, 32}},  {{22, 24, 0}, {24, 32, 32}},
                                  {{22, 8, 0}, {24, 24, 14}},  {{22, 8, 18}, {24, 24, 32}}};
    for (uint64_t i = 0; i < 8; i++) {
        put_box(world, i, walls[i], unmoved_place());
    }
    return world;
}

static void in_space_holes_at_right_angles_are_passed_by_turning(void **state) {
    (void)state;
    // A plate with a fin.
    static const fr_plan_box plate[2] = {{{-3, -3, 0}, {4, 4, 1}}, {{-3, 0, 1}, {-1, 1, 2}}};
    fr_plan_world *world = make_two_walls();
    fr_leaf_input input = fr_default_leaf_input();
    input.world = world;
    input.robot = (fr_plan_shape){plate, 2, {0.5, 0.5, 0.5}};
    input.start = (fr_plan_place){{4.5, 16.5, 16.5}, {0.0, 0.0, 0.0}};
    input.goal = (fr_plan_place){{27.5, 16.5, 16.5}, {0.0, 0.0, 0.0}};
    input.alpha_deg = 90.0;
    outcome o = run_search(&input);
    assert_true(o.is_found && o.turns >= 2);
    // An obstacle in the second hole, and moved away: seen by the same update that moves the robot.
    fr_plan_box plug = {{22, 8, 8}, {24, 24, 24}};
    put_box(world, 20, plug, unmoved_place());
    assert_false(run_search(&input).is_found);
    put_box(world, 20, plug, (fr_plan_place){{0.0, -16.0, 0.0}, {0.0, 0.0, 0.0}});
    assert_true(run_search(&input).is_found);
    fr_plan_world_destroy(world);
}

// Maps as the specification tries them: a bar of 9 x 3 among boxes in the plane.
static void swept_paths_never_collide_and_printed_ones_do(void **state) {
    (void)state;
    fr_random random = fr_random_seed(61);
    static const fr_plan_box bar = {{-4, -1, 0}, {5, 2, 1}};
    uint64_t maps = test_count(8, 200), printed_bad = 0, found[2] = {0, 0};
    for (uint64_t i = 0; i < maps; i++) {
        fr_plan_world *world = make_empty_world(2, 6);
        for (uint64_t k = 0; k < 24; k++) {
            fr_plan_box box = random_box(&random, 2, 64, 9);
            // Room to begin and to end.
            bool is_first = box.low[0] < 16 && box.low[1]<16, is_last = box.high[0]> 48 && box.high[1] > 48;
            if (!is_first && !is_last) { put_box(world, k, box, unmoved_place()); }
        }
        fr_leaf_input input = fr_default_leaf_input();
        input.world = world;
        input.robot = (fr_plan_shape){&bar, 1, {0.5, 0.5, 0.5}};
        input.start = (fr_plan_place){{8.5, 8.5, 0.5}, {0.0, 0.0, 0.0}};
        input.goal = (fr_plan_place){{55.5, 55.5, 0.5}, {0.0, 0.0, 0.0}};
        for (int swept = 0; swept < 2; swept++) {
            input.is_swept = swept == 1;
            outcome o = run_search(&input);
            found[swept] += o.is_found;
            printed_bad += swept == 0 && o.is_found && !o.is_free;
        }
        fr_plan_world_destroy(world);
    }
    assert_true(found[0] >= found[1] && found[1] > 0);
    assert_true(printed_bad > 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Bad input, memory

static void bad_input_is_refused(void **state) {
    (void)state;
    const named_world *n = named_world_of("S1");
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    fr_leaf_result result;
    fr_error error;
    input.start.position = fr_vec3_make(31.0, 3.0, 0.0);
    assert_int_equal(fr_leaf_search_run(&input, &result, &error), FR_ERROR_ARGUMENT);
    input.start = n->start;
    input.alpha_deg = 7.0;
    assert_int_equal(fr_leaf_search_run(&input, &result, &error), FR_ERROR_ARGUMENT);
    input.alpha_deg = 30.0;
    input.goal.position.x = (double)NAN;
    assert_int_equal(fr_leaf_search_run(&input, &result, &error), FR_ERROR_NOT_FINITE);
    fr_plan_world_destroy(world);
}

static void a_threshold_leaves_turns_out(void **state) {
    (void)state;
    const named_world *n = named_world_of("S1K");
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    input.threshold = 0.0;
    assert_false(run_search(&input).is_found);
    fr_plan_world_destroy(world);
}

static fr_status search_once(const fr_allocator *allocator, void *context) {
    fr_leaf_input input = *(const fr_leaf_input *)context;
    input.allocator = *allocator;
    fr_leaf_result result;
    fr_error error;
    fr_status status = fr_leaf_search_run(&input, &result, &error);
    if (status == FR_OK) { fr_leaf_result_free(&result); }
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    const named_world *n = named_world_of("S1K");
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    // A goal that is near: a path is reported, too.
    input.goal.position = fr_vec3_make(18.5, 40.5, 0.5);
    assert_true(test_every_failure(search_once, &input) > 20);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wide_slit_is_passed_by_turning),
        cmocka_unit_test(what_lies_between_two_leaves_is_not_looked_at),
        cmocka_unit_test(narrow_slits_are_not_passed_though_the_robot_fits),
        cmocka_unit_test(in_space_holes_at_right_angles_are_passed_by_turning),
        cmocka_unit_test(swept_paths_never_collide_and_printed_ones_do),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_threshold_leaves_turns_out),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
