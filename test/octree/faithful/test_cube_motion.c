#include "octree/faithful/cube_motion.h"

#include "failing.h"
#include "octree/solids.h"

typedef struct object {
    fr_octree *tree, *fast, *slow;
    fr_octree_reference *reference;
    fr_cube_list leaves, compact;
    fr_cube_motion *mover;
} object;

static object make_object(solid which, uint32_t depth) {
    object o = {.tree = make_solid(which, depth), .fast = make_tree(3, depth), .slow = make_tree(3, depth)};
    fr_error error;
    assert_int_equal(fr_octree_reference_create(o.tree, NULL, &o.reference, &error), FR_OK);
    assert_int_equal(fr_cube_list_leaves(o.tree, NULL, &o.leaves), FR_OK);
    assert_int_equal(fr_cube_list_compact(o.tree, NULL, &o.compact), FR_OK);
    assert_int_equal(fr_cube_motion_create(NULL, &o.mover, &error), FR_OK);
    return o;
}

static void free_object(object *o) {
    fr_octree_destroy(o->tree);
    fr_octree_destroy(o->fast);
    fr_octree_destroy(o->slow);
    fr_octree_reference_destroy(o->reference);
    fr_cube_array_destroy(&o->leaves.array);
    fr_cube_array_destroy(&o->compact.array);
    fr_cube_motion_destroy(o->mover);
}

static fr_cube_motion_input input_of(const object *o, bool is_compact, const fr_octree_motion *motion) {
    const fr_cube_list *list = is_compact ? &o->compact : &o->leaves;
    fr_cube_motion_input input = {.cubes = fr_cubes_of(list),
                                  .cube_count = list->array.count,
                                  .depth = fr_octree_get_def(o->tree).depth,
                                  .motion = *motion};
    return input;
}

static bool has_turn(const fr_octree_motion *m) {
    fr_mat3 identity = fr_mat3_identity();
    for (int i = 0; i < 3; i++) {
        if (!fr_vec3_equal(m->rotation.row[i], identity.row[i])) { return true; }
    }
    return false;
}

// One motion by one rule: every method that can, of leaves and compacted cubes, in one tree and in many, by workers.
static void expect_all_alike(object *o, const fr_octree_motion *motion, fr_octree_rule rule, const fr_tasks *tasks,
                             bool all) {
    fr_octree_move_input fast = fr_default_octree_move_input();
    fast.motion = *motion;
    fast.rule = rule;
    assert_int_equal(fr_octree_move(o->reference, &fast, o->fast, NULL, NULL), FR_OK);
    for (int variant = all ? 0 : 3; variant < 4; variant++) {
        fr_cube_motion_input input = input_of(o, variant % 2 == 1, motion);
        input.rule = rule;
        input.in_one_tree = variant / 2 == 1;
        input.tasks = variant == 1 ? tasks : NULL;
        for (int method = FR_CUBE_PRINTED; method <= FR_CUBE_AXIS_TREES; method++) {
            input.method = (fr_cube_method)method;
            if (method == FR_CUBE_PRINTED && (rule == FR_OCTREE_OVERLAP || rule == FR_OCTREE_TOUCH)) { continue; }
            if (method >= FR_CUBE_PLANES && has_turn(motion)) { continue; }
            fr_cube_motion_output output;
            fr_error error;
            assert_int_equal(fr_cube_motion_run(o->mover, &input, o->slow, &output, &error), FR_OK);
            if (!fr_octree_equal(o->fast, o->slow)) {
                fail_msg("method %d variant %d rule %d depth %u", method, variant, (int)rule, (unsigned)input.depth);
            }
        }
    }
}

// In the long run 1,000 motions of each of three solids, by each rule, at each depth, in parts.
static void every_method_gives_the_voxels_of_the_fast_one(void **state) {
    (void)state;
    fr_random random = fr_random_seed(94);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 3;
    fr_task_pool *pool;
    fr_error error;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, &error), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    const solid solids[3] = {SOLID_SHUTTLE, SOLID_SPHERE, SOLID_CHAIR};
    for (uint32_t depth = 4; depth <= 7; depth++) {
        for (int which = depth <= 5 || test_is_long() ? 0 : 2; which < 3; which++) {
            object o = make_object(solids[which], depth);
            uint64_t sample = depth == 4 ? 12 : depth == 5 ? 3 : depth == 6 ? 2 : 1;
            uint64_t count = test_count(sample, 1000);
            for (uint64_t i = 0; i < count; i++) {
                fr_octree_motion motion = random_motion(&random, depth);
                if (!test_is_in_part(i, count)) { continue; }
                for (int rule = test_is_long() ? 0 : (int)(i % 4); rule < (test_is_long() ? 4 : (int)(i % 4) + 1);
                     rule++) {
                    expect_all_alike(&o, &motion, (fr_octree_rule)rule, &tasks, i % 8 == 0);
                }
            }
            free_object(&o);
        }
    }
    fr_task_pool_destroy(pool);
}

// Random turns of one voxel about the middle of the root: tests of an update, as section 6.3 of the specification
// counts.
static void a_voxel_takes_as_many_tests_as_known(void **state) {
    (void)state;
    object o = make_object(SOLID_CHAIR, 5);
    fr_random random = fr_random_seed(95);
    double tests[2] = {0.0, 0.0};
    const int poses = 4000;
    for (int i = 0; i < poses; i++) {
        const fr_cube voxel = {15, 16, 15, 1};
        fr_vec3 axis = random_about(&random, 1.0), travel = random_about(&random, 4.0);
        fr_octree_motion motion = fr_octree_motion_turn(travel, axis, fr_random_between(&random, -FR_PI, FR_PI));
        for (int k = 0; k < 2; k++) {
            fr_cube_motion_input input = input_of(&o, false, &motion);
            input.cubes = &voxel;
            input.cube_count = 1;
            input.method = k == 0 ? FR_CUBE_PRINTED : FR_CUBE_STAGED;
            fr_cube_motion_output output;
            fr_error error;
            assert_int_equal(fr_cube_motion_run(o.mover, &input, NULL, &output, &error), FR_OK);
            tests[k] += (double)output.tests / poses;
        }
    }
    if (fabs(tests[0] - 62.0) > 2.0 || fabs(tests[1] - 49.0) > 2.0) {
        fail_msg("%.2f and %.2f tests a voxel", tests[0], tests[1]);
    }
    free_object(&o);
}

// 39 cycles of the source: the numbers of tests.
static void tests_are_as_many_as_known(void **state) {
    (void)state;
    object o = make_object(SOLID_SHUTTLE, 5);
    fr_octree_motion all = fr_octree_motion_identity();
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(-0.1, 0.0, 0.0), fr_vec3_make(1.5, -1.5, 1.5));
    double tests[3] = {0.0, 0.0, 0.0};
    const int cycles = 13; // every third
    for (int i = 0; i < 39; i++) {
        fr_octree_motion_compose(&all, &step);
        if (i % 3 != 1) { continue; }
        for (int k = 0; k < 3; k++) {
            fr_cube_motion_input input = input_of(&o, k == 2, &all);
            input.method = k == 0 ? FR_CUBE_PRINTED : FR_CUBE_STAGED;
            fr_cube_motion_output output;
            fr_error error;
            assert_int_equal(fr_cube_motion_run(o.mover, &input, o.slow, &output, &error), FR_OK);
            tests[k] += (double)output.tests / cycles;
            fr_cube_motion_output again;
            assert_int_equal(fr_cube_motion_run(o.mover, &input, NULL, &again, &error), FR_OK);
            assert_int_equal(output.tests, again.tests);
        }
    }
    assert_true(fabs(tests[0] - 61579.0) < 600.0);
    assert_true(fabs(tests[1] - 46835.0) < 500.0);
    assert_true(fabs(tests[2] - 26537.0) < 300.0);
    assert_true(tests[0] / tests[1] > 1.25 && tests[0] / tests[1] < 1.35);
    free_object(&o);
}

static void without_turning_axis_trees_compare_ten_times_fewer_planes(void **state) {
    (void)state;
    object o = make_object(SOLID_SHUTTLE, 5);
    fr_octree_motion motion = fr_octree_motion_turn(fr_vec3_make(-1.3, 0.6, 0.2), fr_vec3_make(0.0, 0.0, 1.0), 0.0);
    uint64_t comparisons[2];
    for (int k = 0; k < 2; k++) {
        fr_cube_motion_input input = input_of(&o, k == 1, &motion);
        input.rule = FR_OCTREE_OVERLAP;
        input.method = k == 0 ? FR_CUBE_PLANES : FR_CUBE_AXIS_TREES;
        fr_cube_motion_output output;
        fr_error error;
        assert_int_equal(fr_cube_motion_run(o.mover, &input, o.slow, &output, &error), FR_OK);
        comparisons[k] = output.comparisons;
    }
    assert_true(comparisons[0] >= 10 * comparisons[1]);
    free_object(&o);
}

static void what_a_method_cannot_do_is_refused(void **state) {
    (void)state;
    object o = make_object(SOLID_CHAIR, 4);
    fr_octree_motion turn = fr_octree_motion_step(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(5.0, 0.0, 0.0));
    fr_cube_motion_input input = input_of(&o, false, &turn);
    fr_cube_motion_output output;
    fr_error error;
    input.method = FR_CUBE_AXIS_TREES;
    assert_int_equal(fr_cube_motion_run(o.mover, &input, o.slow, &output, &error), FR_ERROR_ARGUMENT);
    input.method = FR_CUBE_PRINTED;
    input.rule = FR_OCTREE_OVERLAP;
    assert_int_equal(fr_cube_motion_run(o.mover, &input, o.slow, &output, &error), FR_ERROR_ARGUMENT);
    input.rule = FR_OCTREE_CENTER;
    input.depth = 5;
    assert_int_equal(fr_cube_motion_run(o.mover, &input, o.slow, &output, &error), FR_ERROR_ARGUMENT);
    input.depth = 4;
    input.motion.travel.z = NAN;
    assert_int_equal(fr_cube_motion_run(o.mover, &input, o.slow, &output, &error), FR_ERROR_NOT_FINITE);
    free_object(&o);
}

static fr_status move_once(const fr_allocator *allocator, void *context) {
    object *o = context;
    fr_cube_motion *mover;
    fr_error error;
    fr_status status = fr_cube_motion_create(allocator, &mover, &error);
    if (status != FR_OK) { return status; }
    fr_octree_motion still = fr_octree_motion_identity();
    fr_cube_motion_input input = input_of(o, true, &still);
    input.method = FR_CUBE_AXIS_TREES;
    fr_cube_motion_output output;
    status = fr_cube_motion_run(mover, &input, o->slow, &output, &error);
    fr_cube_motion_destroy(mover);
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    object o = make_object(SOLID_CHAIR, 5);
    assert_true(test_every_failure(move_once, &o) > 3);
    free_object(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_voxels_of_the_fast_one),
        cmocka_unit_test(a_voxel_takes_as_many_tests_as_known),
        cmocka_unit_test(tests_are_as_many_as_known),
        cmocka_unit_test(without_turning_axis_trees_compare_ten_times_fewer_planes),
        cmocka_unit_test(what_a_method_cannot_do_is_refused),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
