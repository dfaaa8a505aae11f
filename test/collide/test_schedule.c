// The same answer for every number of workers, schedule, method and instruction set; and what warm questions cost.
#include "collide/scenes.h"
#include "frame.h"
#include "heap_calls.h"

static fr_pose heap_place(fr_random *r, int ball) {
    static const fr_vec3 large[2] = {{0.0, 0.0, 0.0}, {1.7, 0.2, 0.0}};
    fr_vec3 turn = {ball < 2 ? 0.1 + 0.8 * ball : 0.1 * ball, 0.3, 0.1};
    return fr_pose_make(ball < 2 ? large[ball] : scene_point(r, 1.5), fr_quat_from_vector(turn));
}

// Two large balls that cross, and a heap of small ones.
static fr_space *make_heap(uint32_t stacks, int small) { return scene_balls(stacks, small, heap_place, 5); }

static void workers_and_schedules_agree(void **state) {
    (void)state;
    static const int workers[] = {1, 2, 3, 5, 8};
    fr_space *space = make_heap((uint32_t)test_count(40, 90), 60);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_collide_output expected = scene_ask(first, &input);
    assert_true(expected.pair_count > 500);
    for (int w = 0; w < 5; w++) {
        fr_task_pool *pool = scene_pool(workers[w]);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        input.tasks = &tasks;
        for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_FACE_OCTREE; method++) {
            for (int balance = FR_BALANCE_AUTO; balance <= FR_BALANCE_STEAL; balance++) {
                input.method = (fr_collide_method)method;
                input.balance = (fr_balance)balance;
                fr_collide_output out = scene_ask(other, &input);
                scene_check_equal(&out, &expected, "schedule", (uint64_t)(10 * method + balance));
                uint64_t lists = balance == FR_BALANCE_STATIC ? 1 : balance == FR_BALANCE_DYNAMIC ? 2 : 0;
                uint64_t accesses = lists == 0 ? 0 : lists * out.stats.candidates + out.pair_count;
                assert_int_equal(out.stats.accesses, accesses);
                assert_int_equal(out.stats.tested, out.stats.candidates);
            }
        }
        fr_task_pool_destroy(pool);
    }
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void a_budget_gives_the_same_part_for_any_workers(void **state) {
    (void)state;
    fr_space *space = make_heap(TEST_SAMPLE_DIVISOR > 1 ? 10 : 16, 10);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_task_pool *pool = scene_pool(3);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_BRUTE; method++) {
        for (int balance = FR_BALANCE_AUTO; balance <= FR_BALANCE_STEAL; balance++) {
            fr_collide_input input = scene_question(space, (fr_collide_method)method);
            input.balance = (fr_balance)balance;
            for (input.budget = 4; input.budget < 150; input.budget *= 3) {
                input.tasks = NULL;
                fr_collide_output alone = scene_ask(first, &input);
                input.tasks = &tasks;
                fr_collide_output shared = scene_ask(other, &input);
                assert_true(alone.is_partial && shared.is_partial);
                scene_check_equal(&shared, &alone, "budget", (uint64_t)(10 * method + balance));
            }
        }
    }
    fr_task_pool_destroy(pool);
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void brute_force_is_shared_too(void **state) {
    (void)state;
    fr_space *space = make_heap(6, 20);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_BRUTE);
    fr_collide_output expected = scene_ask(first, &input);
    fr_task_pool *pool = scene_pool(3);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    input.tasks = &tasks;
    for (int balance = FR_BALANCE_AUTO; balance <= FR_BALANCE_STEAL; balance++) {
        input.balance = (fr_balance)balance;
        fr_collide_output out = scene_ask(other, &input);
        scene_check_equal(&out, &expected, "brute", (uint64_t)balance);
    }
    fr_task_pool_destroy(pool);
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

// Tasks that run where they are put: nobody may wait for somebody who comes later.
static void *run_at_once(fr_task_fn *task, void *context, void *user) {
    (void)user;
    task(context);
    return NULL;
}

static void finish_nothing(void *handle, void *user) { (void)handle, (void)user; }

static void inline_tasks_come_to_an_end(void **state) {
    (void)state;
    fr_space *space = make_heap(20, 30);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_collide_output expected = scene_ask(first, &input);
    fr_tasks tasks = {4, run_at_once, finish_nothing, NULL};
    input.tasks = &tasks;
    for (int balance = FR_BALANCE_AUTO; balance <= FR_BALANCE_STEAL; balance++) {
        input.balance = (fr_balance)balance;
        fr_collide_output out = scene_ask(other, &input);
        scene_check_equal(&out, &expected, "inline", (uint64_t)balance);
    }
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void instruction_sets_agree(void **state) {
    (void)state;
    fr_space *space = make_heap(24, 40);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_simd best = fr_simd_get();
    assert_true(fr_simd_set(FR_SIMD_BASELINE));
    fr_collide_output expected = scene_ask(first, &input);
    assert_true(fr_simd_set(best));
    fr_collide_output out = scene_ask(other, &input);
    scene_check_equal(&out, &expected, "instruction set", 0);
    assert_int_equal(out.stats.candidates, expected.stats.candidates);
    assert_int_equal(out.stats.exact, expected.stats.exact);
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void a_warm_question_allocates_nothing(void **state) {
    (void)state;
    fr_space *space = make_heap(30, 40);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_task_pool *pool = scene_pool(4);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_FACE_OCTREE; method++) {
        for (int balance = FR_BALANCE_SERIAL; balance <= FR_BALANCE_STEAL; balance++) {
            fr_collide *collide;
            assert_int_equal(fr_collide_create(&allocator, &collide, NULL), FR_OK);
            fr_collide_input input = scene_question(space, (fr_collide_method)method);
            input.tasks = &tasks;
            input.balance = (fr_balance)balance;
            input.want = FR_WANT_CONTACTS;
            input.is_containment_wanted = true;
            scene_ask(collide, &input);
            uint64_t before = test_allocations(probe);
            for (uint64_t i = 0; i < test_count(20, 100); i++) {
                scene_ask(collide, &input);
            }
            assert_int_equal(test_allocations(probe), before);
            fr_collide_destroy(collide);
        }
    }
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_task_pool_destroy(pool);
    fr_probe_destroy(probe);
    fr_space_destroy(space);
}

// Several askers at once on one space.
typedef struct asking {
    const fr_space *space;
    fr_collide *askers[8];
    size_t counts[8];
} asking;

static void ask_alone(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    asking *all = context;
    for (size_t i = begin; i < end; i++) {
        fr_collide_input input = scene_question(all->space, i % 2 == 0 ? FR_COLLIDE_TREE : FR_COLLIDE_FACE_OCTREE);
        fr_collide_output out;
        if (fr_collide_static(all->askers[i], &input, &out, NULL) == FR_OK) { all->counts[i] = out.pair_count; }
    }
}

static void many_may_ask_at_once(void **state) {
    (void)state;
    asking all;
    memset(&all, 0, sizeof all);
    fr_space *space = make_heap(12, 30);
    all.space = space;
    for (int i = 0; i < 8; i++) {
        all.askers[i] = scene_asker();
    }
    fr_task_pool *pool = scene_pool(4);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_tasks_run(&tasks, FR_SCHEDULE_DYNAMIC, 8, 1, ask_alone, &all);
    assert_true(all.counts[0] > 0);
    for (int i = 1; i < 8; i++) {
        assert_int_equal(all.counts[i], all.counts[0]);
    }
    for (int i = 0; i < 8; i++) {
        fr_collide_destroy(all.askers[i]);
    }
    fr_task_pool_destroy(pool);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_and_schedules_agree), cmocka_unit_test(a_budget_gives_the_same_part_for_any_workers),
        cmocka_unit_test(brute_force_is_shared_too),   cmocka_unit_test(inline_tasks_come_to_an_end),
        cmocka_unit_test(instruction_sets_agree),      cmocka_unit_test(a_warm_question_allocates_nothing),
        cmocka_unit_test(many_may_ask_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
