// Stored octrees walked together give what brute force gives: at an instant and over a step, near and far, with
// margins, for objects with themselves, at every depth, as printed, and with any number of workers.
#include "collide/moving_scenes.h"
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"

static void compare_at_instant(uint64_t seed) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, seed % 5 == 4, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_BRUTE);
    input.margin = seed % 4 == 3 ? 0.05 * plan.unit : 0.0;
    input.is_containment_wanted = true;
    fr_collide_output expected = scene_ask(first, &input);
    input.method = FR_COLLIDE_OCTREE;
    input.octree_depth = (uint32_t)(seed % 7);
    fr_collide_output out = scene_ask(other, &input);
    scene_check_order(&out);
    scene_check_equal(&out, &expected, "octree", seed);
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void an_instant_is_as_by_brute_force(void **state) {
    (void)state;
    uint64_t count = test_count(50, 10000);
    for (uint64_t seed = 0; seed < count; seed++) {
        if (test_is_in_part(seed, count)) { compare_at_instant(7000000 + seed); }
    }
}

static void compare_over_step(uint64_t seed) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, seed % 6 == 5, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    scene_random_motion(&r, space, plan.unit, seed % 4 == 3 ? 60.0 : 3.0);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_BRUTE);
    input.want = FR_WANT_TIMES;
    input.set = seed % 2 == 0 ? FR_SET_ALL : FR_SET_FIRST;
    input.margin = seed % 8 == 7 ? 0.02 * plan.unit : 0.0;
    fr_collide_output expected = scene_ask_step(first, &input);
    input.method = FR_COLLIDE_OCTREE;
    fr_collide_output out = scene_ask_step(other, &input);
    scene_check_equal(&out, &expected, "octree over a step", seed);
    for (size_t i = 0; i < out.pair_count; i++) {
        assert_memory_equal(&out.pairs[i].time, &expected.pairs[i].time, sizeof(float));
    }
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void a_step_is_as_by_brute_force(void **state) {
    (void)state;
    uint64_t count = test_count(5, 5000);
    for (uint64_t seed = 0; seed < count; seed++) {
        if (test_is_in_part(seed, count)) { compare_over_step(8000000 + seed); }
    }
}

static void every_depth_reading_and_balance_gives_the_same_pairs(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_360", 1.9);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_collide_output expected = scene_ask(first, &input);
    assert_true(expected.pair_count > 10);
    fr_task_pool *pool = scene_pool(3);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (uint32_t depth = 1; depth <= 8; depth++) {
        input = scene_question(space, FR_COLLIDE_OCTREE);
        input.octree_edge = 16.0;
        input.octree_depth = depth;
        input.tasks = &tasks;
        input.balance = (fr_balance)(depth % 5);
        fr_collide_output out = scene_ask(other, &input);
        scene_check_equal(&out, &expected, "depth", depth);
        uint64_t divided = out.stats.candidates;
        input.is_as_printed = true;
        out = scene_ask(other, &input);
        scene_check_equal(&out, &expected, "as printed", depth);
        assert_true(out.stats.candidates >= divided);
    }
    fr_task_pool_destroy(pool);
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void a_warm_question_allocates_nothing(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_48", 1.9);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_collide *collide;
    assert_int_equal(fr_collide_create(&allocator, &collide, NULL), FR_OK);
    fr_collide_input input = scene_question(space, FR_COLLIDE_OCTREE);
    scene_ask(collide, &input);
    uint64_t warm = test_allocations(probe);
    scene_ask(collide, &input);
    assert_int_equal(test_allocations(probe), warm);
    fr_collide_destroy(collide);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
    fr_space_destroy(space);
}

static fr_status ask_once(const fr_allocator *allocator, void *context) {
    fr_collide *collide;
    fr_status status = fr_collide_create(allocator, &collide, NULL);
    if (status != FR_OK) { return status; }
    fr_collide_input input = scene_question(context, FR_COLLIDE_OCTREE);
    fr_collide_output output;
    status = fr_collide_static(collide, &input, &output, NULL);
    fr_collide_destroy(collide);
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_48", 1.9);
    assert_true(test_every_failure(ask_once, space) > 10);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instant_is_as_by_brute_force),
        cmocka_unit_test(a_step_is_as_by_brute_force),
        cmocka_unit_test(every_depth_reading_and_balance_gives_the_same_pairs),
        cmocka_unit_test(a_warm_question_allocates_nothing),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
