// Questions over a step: what they refuse, what a budget leaves, workers, schedules, instruction sets and memory.
#include "collide/moving_scenes.h"
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"

static fr_pose swarm_place(fr_random *r, int ball) {
    return fr_pose_make(ball < 2 ? fr_vec3_make(2.4 * ball, 0.3 * ball, 0.0) : scene_point(r, 2.0), fr_quat_identity());
}

enum { CLUSTER_PARTS = 12 };

// One object of several small boxes about the place where the large balls meet.
static void add_cluster(fr_space *space, fr_random *r) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.1, 0.2, 0.3), NULL, &mesh, NULL), FR_OK);
    fr_part_def parts[CLUSTER_PARTS];
    for (int i = 0; i < CLUSTER_PARTS; i++) {
        parts[i] = fr_default_part_def();
        parts[i].mesh = mesh;
        fr_vec3 at = scene_point(r, 0.8);
        parts[i].pose = fr_pose_make(at, fr_quat_from_vector(scene_point(r, 2.0)));
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = CLUSTER_PARTS;
    def.pose.position = fr_vec3_make(1.2, 0.0, 0.0);
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
}

// A large ball that flies and turns into another, a swarm of small ones about them and, with many, a cluster.
static fr_space *make_swarm(uint32_t stacks, int small) {
    fr_space *space = scene_balls(stacks, small, swarm_place, 11);
    fr_random r = fr_random_seed(12);
    if (small >= 10) { add_cluster(space, &r); }
    for (int i = 0; i < (int)fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, (uint32_t)i);
        fr_pose next = fr_object_get(space, id)->pose;
        next.position = i == 0 ? fr_vec3_make(0.9, 0.0, 0.0) : fr_vec3_add(next.position, scene_point(&r, 0.3));
        next.rotation = fr_quat_from_vector(scene_point(&r, 0.4));
        if (i % 5 != 1) { assert_int_equal(fr_object_set_next(space, id, &next, NULL), FR_OK); }
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

static void check_same_intervals(const fr_collide_output *out, const fr_collide_output *expected) {
    assert_int_equal(out->interval_count, expected->interval_count);
    assert_memory_equal(out->intervals, expected->intervals, out->interval_count * sizeof *out->intervals);
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    fr_space *space = make_swarm(4, 2);
    fr_collide *asker = scene_asker();
    fr_collide_output out;
    fr_error error;
    const double bad[] = {-1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
        input.tolerance = bad[i];
        assert_int_equal(fr_collide_continuous(asker, &input, &out, &error), FR_ERROR_ARGUMENT);
        input = scene_question(space, FR_COLLIDE_AUTO);
        input.time_tolerance = i == 2 ? 1.5 : bad[i];
        assert_int_equal(fr_collide_continuous(asker, &input, &out, &error), FR_ERROR_ARGUMENT);
    }
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.set = (fr_contact_set)9;
    assert_int_equal(fr_collide_continuous(asker, &input, &out, &error), FR_ERROR_ARGUMENT);
    input = scene_question(space, FR_COLLIDE_AUTO);
    fr_object_id a = fr_space_object_at(space, 0), b = fr_space_object_at(space, 1);
    fr_pose next = fr_pose_identity();
    assert_int_equal(fr_object_set_next(space, a, &next, NULL), FR_OK);
    assert_int_equal(fr_collide_continuous(asker, &input, &out, &error), FR_ERROR_STALE_DATA);
    assert_true(out.pairs == NULL && out.pair_count == 0);
    assert_int_equal(fr_collide_continuous_pair(asker, &input, a, b, &out, &error), FR_OK);
    assert_int_equal(fr_object_remove(space, b, NULL), FR_OK);
    assert_int_equal(fr_collide_continuous_pair(asker, &input, a, b, &out, &error), FR_ERROR_STALE_ID);
    fr_collide_destroy(asker);
    fr_space_destroy(space);
}

static void two_objects_alone_are_the_same(void **state) {
    (void)state;
    fr_space *space = make_swarm(8, 0);
    fr_collide *first = scene_asker(), *second = scene_asker();
    for (int set = FR_SET_ALL; set <= FR_SET_FIRST; set++) {
        fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
        input.set = (fr_contact_set)set;
        fr_collide_output all = scene_ask_step(first, &input), out;
        assert_true(all.pair_count > 0);
        fr_object_id a = fr_space_object_at(space, 0), b = fr_space_object_at(space, 1);
        assert_int_equal(fr_collide_continuous_pair(second, &input, b, a, &out, NULL), FR_OK);
        scene_check_equal(&out, &all, "pair", (uint64_t)set);
        assert_true(out.free_time == all.free_time);
    }
    fr_collide_destroy(first);
    fr_collide_destroy(second);
    fr_space_destroy(space);
}

// The first contacts are a part of all: those that are not later than the earliest proven one and a little.
static void first_contacts_are_the_earliest_of_all(void **state) {
    (void)state;
    fr_space *space = make_swarm(12, 20);
    fr_collide *first = scene_asker(), *second = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.want = FR_WANT_CONTACTS;
    fr_collide_output all = scene_ask_step(first, &input);
    input.set = FR_SET_FIRST;
    fr_collide_output out = scene_ask_step(second, &input);
    size_t kept = 0;
    for (size_t p = 0; p < all.object_pair_count; p++) {
        const fr_object_pair *pair = &all.object_pairs[p];
        double least = (double)INFINITY;
        for (size_t i = pair->first; i < pair->first + pair->count; i++) {
            double sure = all.contacts[i].time_sure;
            if (sure < least) { least = sure; }
        }
        for (size_t i = pair->first; i < pair->first + pair->count; i++) {
            if (!(all.contacts[i].time <= least + 1e-3)) { continue; }
            assert_true(kept < out.pair_count);
            assert_memory_equal(&out.pairs[kept++], &all.pairs[i], sizeof *all.pairs);
        }
    }
    assert_true(kept == out.pair_count && kept < all.pair_count && out.free_time == all.free_time);
    fr_collide_destroy(first);
    fr_collide_destroy(second);
    fr_space_destroy(space);
}

static void a_budget_leaves_a_time_that_is_free(void **state) {
    (void)state;
    fr_space *space = make_swarm(8, 6);
    fr_collide *first = scene_asker(), *second = scene_asker(), *third = scene_asker();
    fr_task_pool *pool = scene_pool(3);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int k = 0; k < 6; k++) {
        fr_collide_input input = scene_question(space, (fr_collide_method)(FR_COLLIDE_TREE + k / 2));
        input.set = (fr_contact_set)(k % 2);
        fr_collide_output all = scene_ask_step(first, &input);
        assert_false(all.is_partial);
        for (uint64_t part = 1; part < 8; part += 3) {
            input.tasks = NULL;
            input.budget = 1 + all.stats.tested * part / 8;
            fr_collide_output alone = scene_ask_step(second, &input);
            assert_true(alone.is_partial && alone.stats.tested <= input.budget);
            assert_true(alone.free_time <= all.free_time && alone.free_time >= 0.0);
            input.tasks = &tasks;
            fr_collide_output shared = scene_ask_step(third, &input);
            scene_check_equal(&shared, &alone, "budget", (uint64_t)k);
            assert_true(shared.free_time == alone.free_time);
        }
    }
    fr_task_pool_destroy(pool);
    fr_collide_destroy(first);
    fr_collide_destroy(second);
    fr_collide_destroy(third);
    fr_space_destroy(space);
}

// A budget asks about the earliest first: the free time of an answer cut short is close to the true one.
static void the_earliest_are_asked_first(void **state) {
    (void)state;
    fr_space *space = make_swarm(16, 0);
    fr_collide *first = scene_asker(), *second = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_collide_output all = scene_ask_step(first, &input);
    assert_true(all.free_time > 0.1 && all.stats.tested > 100);
    input.budget = all.stats.tested / 2;
    fr_collide_output out = scene_ask_step(second, &input);
    assert_true(out.is_partial && out.free_time == all.free_time);
    input.budget = 1;
    out = scene_ask_step(second, &input);
    assert_true(out.is_partial && out.free_time > 0.5 * all.free_time);
    fr_collide_destroy(first);
    fr_collide_destroy(second);
    fr_space_destroy(space);
}

static bool stop_at_once(void *user) {
    ++*(int *)user;
    return true;
}

static void a_stopped_answer_is_partial(void **state) {
    (void)state;
    fr_space *space = make_swarm(8, 6);
    fr_collide *first = scene_asker(), *second = scene_asker();
    int asked = 0;
    fr_control control = {stop_at_once, NULL, &asked};
    for (int k = 0; k < 6; k++) {
        fr_collide_input input = scene_question(space, (fr_collide_method)(FR_COLLIDE_TREE + k / 2));
        input.set = (fr_contact_set)(k % 2);
        fr_collide_output all = scene_ask_step(first, &input);
        input.control = &control;
        fr_collide_output out = scene_ask_step(second, &input);
        assert_true(out.is_partial && out.free_time <= all.free_time);
    }
    assert_true(asked >= 6);
    fr_collide_destroy(first);
    fr_collide_destroy(second);
    fr_space_destroy(space);
}

static void workers_schedules_and_instruction_sets_agree(void **state) {
    (void)state;
    static const int workers[] = {1, 2, 5};
    fr_space *space = make_swarm(test_is_long() ? 96 : 10, 12);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_simd best = fr_simd_get();
    for (int set = FR_SET_ALL; set <= FR_SET_FIRST; set++) {
        fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
        input.set = (fr_contact_set)set;
        input.want = FR_WANT_INTERVALS;
        fr_collide_output expected = scene_ask_step(first, &input);
        assert_true(expected.pair_count > 100 && expected.interval_count >= expected.pair_count);
        for (int k = 0; k < 6; k++) {
            fr_task_pool *pool = scene_pool(workers[k / 2]);
            fr_tasks tasks = fr_task_pool_tasks(pool);
            assert_true(fr_simd_set(k % 2 == 0 ? FR_SIMD_BASELINE : best));
            input.tasks = &tasks;
            for (int balance = FR_BALANCE_AUTO; balance <= FR_BALANCE_STEAL; balance++) {
                input.balance = (fr_balance)balance;
                fr_collide_output out = scene_ask_step(other, &input);
                scene_check_equal(&out, &expected, "schedule", (uint64_t)(10 * k + balance));
                check_same_intervals(&out, &expected);
                assert_true(out.free_time == expected.free_time);
                uint64_t lists = balance == FR_BALANCE_STATIC ? 1 : balance == FR_BALANCE_DYNAMIC ? 2 : 0;
                uint64_t hits = set == FR_SET_ALL ? out.pair_count : 0;
                if (lists > 0 && set == FR_SET_ALL) {
                    assert_int_equal(out.stats.accesses, lists * out.stats.candidates + hits);
                }
            }
            fr_task_pool_destroy(pool);
        }
        assert_true(fr_simd_set(best));
    }
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

static void a_warm_question_allocates_nothing(void **state) {
    (void)state;
    fr_space *space = make_swarm(8, 12);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_task_pool *pool = scene_pool(4);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int k = 0; k < 16; k++) {
        fr_collide *collide;
        assert_int_equal(fr_collide_create(&allocator, &collide, NULL), FR_OK);
        fr_collide_input input = scene_question(space, k < 8 ? FR_COLLIDE_TREE : FR_COLLIDE_FACE_OCTREE);
        input.tasks = &tasks;
        input.balance = (fr_balance)(FR_BALANCE_SERIAL + k % 4);
        input.set = (fr_contact_set)(k / 4 % 2);
        input.want = k % 2 == 0 ? FR_WANT_CONTACTS : FR_WANT_INTERVALS;
        scene_ask_step(collide, &input);
        uint64_t before = test_allocations(probe);
        for (int i = 0; i < 3; i++) {
            scene_ask_step(collide, &input);
        }
        assert_int_equal(test_allocations(probe), before);
        fr_collide_destroy(collide);
    }
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_task_pool_destroy(pool);
    fr_probe_destroy(probe);
    fr_space_destroy(space);
}

// The first two objects at an instant, then over the step: both outputs are the asker's, so the second is returned.
static fr_status ask_pair(fr_collide *asker, const fr_collide_input *input, fr_collide_output *out, fr_error *error) {
    fr_object_id a = fr_space_object_at(input->space, 0), b = fr_space_object_at(input->space, 1);
    fr_status status = fr_collide_static_pair(asker, input, a, b, out, error);
    return status == FR_OK ? fr_collide_continuous_pair(asker, input, a, b, out, error) : status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fr_space *space = make_swarm(5, 3);
    for (int k = 0; k < 12; k++) {
        fr_collide_input input = scene_question(space, (fr_collide_method)(FR_COLLIDE_TREE + k / 4));
        input.balance = k % 2 == 0 ? FR_BALANCE_SERIAL : FR_BALANCE_STATIC;
        input.set = (fr_contact_set)(k / 2 % 2);
        input.want = FR_WANT_CONTACTS;
        scene_failing_question question = {fr_collide_continuous, &input};
        assert_true(test_every_failure(scene_ask_new_asker, &question) > 3);
        scene_failing_question pair_question = {ask_pair, &input};
        assert_true(test_every_failure(scene_ask_new_asker, &pair_question) > 2);
    }
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(two_objects_alone_are_the_same),
        cmocka_unit_test(first_contacts_are_the_earliest_of_all),
        cmocka_unit_test(a_budget_leaves_a_time_that_is_free),
        cmocka_unit_test(the_earliest_are_asked_first),
        cmocka_unit_test(a_stopped_answer_is_partial),
        cmocka_unit_test(workers_schedules_and_instruction_sets_agree),
        cmocka_unit_test(a_warm_question_allocates_nothing),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
