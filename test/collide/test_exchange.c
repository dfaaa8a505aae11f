// Queries that ranks share: each rank gets what a query without ranks gives, bit for bit, for any number of ranks, cut
// and threads; and what one rank cannot do ends the others too.
#include "collide/moving_scenes.h"
#include "collide/thread_ranks.h"
#include "frame.h"

static const uint32_t rank_counts[] = {1, 2, 3, 4, 8};

// What a rank does, and what came of it.
typedef struct rank_query {
    fr_collide_input input;
    const fr_allocator *allocator; // of this rank; NULL: the default
    bool is_over_step, leaves;
    int threads;
    int repeats; // the same query so often
    fr_collide *collide;
    fr_collide_output output;
    fr_status status;
    fr_error error;
} rank_query;

static void query_as_rank(rank_query *q) {
    fr_task_pool *pool = NULL;
    fr_tasks tasks;
    if (q->threads > 1) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = test_workers(q->threads);
        q->status = fr_task_pool_create(&def, &pool, &q->error);
        if (q->status != FR_OK) { return; }
        tasks = fr_task_pool_tasks(pool);
        q->input.tasks = &tasks;
    }
    q->status = fr_collide_create(q->allocator, &q->collide, &q->error);
    for (int i = 0; i <= q->repeats && q->status == FR_OK; i++) {
        q->status =
            (q->is_over_step ? fr_collide_continuous : fr_collide_static)(q->collide, &q->input, &q->output, &q->error);
    }
    fr_task_pool_destroy(pool);
}

static void *be_rank(void *context) {
    thread_rank *rank = context;
    rank_query *q = rank->context;
    q->input.exchange = &rank->exchange;
    if (!q->leaves) { query_as_rank(q); }
    thread_leave(rank);
    return NULL;
}

static void end_queries(rank_query *queries, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        fr_collide_destroy(queries[r].collide);
    }
}

static void check_contacts(const fr_collide_output *out, const fr_collide_output *expected) {
    for (size_t i = 0; i < out->pair_count && expected->contacts != NULL; i++) {
        const fr_contact *a = &out->contacts[i], *b = &expected->contacts[i];
        assert_memory_equal(a, b, offsetof(fr_contact, flags) + sizeof a->flags);
    }
}

static void check_output(const fr_collide_output *out, const fr_collide_output *expected, uint64_t seed) {
    scene_check_equal(out, expected, "ranks", seed);
    for (size_t i = 0; i < out->object_pair_count; i++) {
        const fr_object_pair *a = &out->object_pairs[i], *b = &expected->object_pairs[i];
        assert_true(a->a == b->a && a->b == b->b && a->first == b->first);
        assert_memory_equal(&a->time_sure, &b->time_sure, sizeof a->time_sure);
    }
    check_contacts(out, expected);
    assert_int_equal(out->interval_count, expected->interval_count);
    if (out->interval_count > 0) {
        assert_memory_equal(out->intervals, expected->intervals, out->interval_count * sizeof *out->intervals);
    }
    assert_memory_equal(&out->free_time, &expected->free_time, sizeof out->free_time);
    assert_int_equal(out->is_partial, expected->is_partial);
}

static void check_ranks(const fr_collide_input *input, bool is_over_step, uint32_t count, fr_exchange_cut cut,
                        int threads, uint64_t seed) {
    rank_query alone = {.input = *input, .is_over_step = is_over_step};
    query_as_rank(&alone);
    assert_int_equal(alone.status, FR_OK);
    rank_query queries[THREAD_MOST_RANKS] = {0};
    for (uint32_t r = 0; r < count; r++) {
        queries[r] = (rank_query){.input = *input, .is_over_step = is_over_step, .threads = threads, .repeats = 1};
    }
    static thread_group group;
    thread_ranks_run(&group, count, cut, be_rank, queries, sizeof queries[0]);
    for (uint32_t r = 0; r < count; r++) {
        if (queries[r].status != FR_OK) { fail_msg("rank %u: %s", r, queries[r].error.message); }
        check_output(&queries[r].output, &alone.output, seed);
        assert_false(group.ranks[r].begins);
    }
    end_queries(queries, count);
    fr_collide_destroy(alone.collide);
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static bool no_gather(const void *bytes, size_t size, fr_gathered *out, void *user) {
    (void)bytes, (void)size, (void)out, (void)user;
    return false;
}

static void an_exchange_is_checked(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 0.5);
    fr_collide *collide = scene_asker();
    const fr_exchange wrong[] = {
        {0, 2, FR_EXCHANGE_STATIC, NULL, NULL, NULL, NULL, NULL},
        {2, 2, FR_EXCHANGE_STATIC, no_gather, NULL, NULL, NULL, NULL},
        {0, 0, FR_EXCHANGE_STATIC, no_gather, NULL, NULL, NULL, NULL},
        {0, 2, FR_EXCHANGE_COUNTER, no_gather, NULL, NULL, NULL, NULL},
        {0, 2, (fr_exchange_cut)7, no_gather, NULL, NULL, NULL, NULL},
    };
    fr_collide_output out;
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        input.exchange = &wrong[i];
        assert_int_equal(fr_collide_static(collide, &input, &out, NULL), FR_ERROR_ARGUMENT);
    }
    // One rank needs nobody else.
    const fr_exchange single = {0, 1, FR_EXCHANGE_STATIC, no_gather, NULL, NULL, NULL, NULL};
    input.exchange = &single;
    assert_int_equal(fr_collide_static(collide, &input, &out, NULL), FR_OK);
    assert_true(out.pair_count > 0);
    // A gather that fails is a status, and nothing of the exchange is left for the next query.
    const fr_exchange gone = {0, 2, FR_EXCHANGE_STATIC, no_gather, NULL, NULL, NULL, NULL};
    input.exchange = &gone;
    assert_int_equal(fr_collide_static(collide, &input, &out, NULL), FR_ERROR_SYSTEM);
    assert_true(out.pairs == NULL && out.pair_count == 0);
    input.exchange = NULL;
    assert_int_equal(fr_collide_static(collide, &input, &out, NULL), FR_OK);
    assert_true(out.pair_count > 0);
    fr_collide_destroy(collide);
    fr_space_destroy(space);
}

// ---------------------------------------------------------------------------------------------------------------
// Random scenes

static fr_collide_input random_input(fr_random *r, const fr_space *space) {
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.want = (fr_want)fr_random_below(r, 4);
    input.margin = fr_random_below(r, 3) == 0 ? 0.05 : 0.0;
    input.is_containment_wanted = fr_random_below(r, 2) == 0;
    uint64_t other = fr_random_below(r, 16);
    if (other == 0) { input.budget = 20; }
    if (other == 1) { input.set = FR_SET_FIRST; }
    if (other == 2) { input.narrow = FR_NARROW_HULL; }
    if (other == 3) { input.method = FR_COLLIDE_BRUTE; }
    if (other == 4) { input.balance = FR_BALANCE_STATIC; }
    return input;
}

static void random_scenes_are_those_of_one_process(void **state) {
    (void)state;
    uint64_t count = test_count(40, 300);
    static scene_plan plan;
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(seed + 77000);
        scene_random_plan(&r, seed % 7 == 3, &plan);
        fr_space *space = scene_build(&plan, &scene_as_it_is);
        scene_random_motion(&r, space, plan.unit, 2.0);
        fr_collide_input input = random_input(&r, space);
        input.margin *= plan.unit;
        fr_exchange_cut cut = seed % 2 == 0 ? FR_EXCHANGE_STATIC : FR_EXCHANGE_COUNTER;
        uint32_t ranks = rank_counts[seed % 5];
        check_ranks(&input, seed % 4 != 0, ranks, cut, seed % 8 == 5 ? 2 : 1, seed);
        fr_space_destroy(space);
    }
}

// Two parts that many pieces are made of, and many parts that are given by eights.
static void large_parts_and_heaps_are_cut(void **state) {
    (void)state;
    for (int scene = 0; scene < 2; scene++) {
        fr_space *space = scene == 0 ? scene_two_spheres("sphere_3968", 0.7) : scene_space();
        fr_random r = fr_random_seed(5);
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_sphere(0.5, 4, 8, FR_AXIS_X, NULL, &mesh, NULL), FR_OK);
        for (int i = 0; scene == 1 && i < (int)test_count(400, 1600); i++) {
            (void)scene_add_at(space, mesh, scene_point(&r, 3.0), i % 50 == 7 ? FR_OBJECT_SELF : 0);
        }
        fr_mesh_release(mesh);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
        input.want = FR_WANT_INTERVALS;
        for (int k = 0; k < 10; k++) {
            fr_exchange_cut cut = k % 2 == 0 ? FR_EXCHANGE_STATIC : FR_EXCHANGE_COUNTER;
            check_ranks(&input, false, rank_counts[k / 2], cut, k == 3 ? 3 : 1, 0);
        }
        scene_random_motion(&r, space, 0.2, 0.3);
        for (int k = 0; k < 4; k++) {
            check_ranks(&input, true, 2 + (uint32_t)k, k % 2 == 0 ? FR_EXCHANGE_COUNTER : FR_EXCHANGE_STATIC,
                        k == 3 ? 2 : 1, 0);
        }
        fr_space_destroy(space);
    }
}

// Nothing to do, and nothing that meets.
static void empty_spaces_have_no_work(void **state) {
    (void)state;
    fr_space *space = scene_space();
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.want = FR_WANT_INTERVALS;
    for (int k = 0; k < 8; k++) {
        check_ranks(&input, k % 2 == 0, 3, k / 2 % 2 == 0 ? FR_EXCHANGE_COUNTER : FR_EXCHANGE_STATIC, 1, 0);
        if (k != 3) { continue; }
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &mesh, NULL), FR_OK);
        (void)scene_add_at(space, mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
        fr_mesh_release(mesh);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    }
    fr_space_destroy(space);
}

// ---------------------------------------------------------------------------------------------------------------
// Messages

// The work of an instant is one loop; every rank takes one number beyond the last piece from the counter.
static void counter_calls_are_pieces_and_ranks(void **state) {
    (void)state;
    fr_space *space = scene_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &mesh, NULL), FR_OK);
    for (int i = 0; i < 1601; i++) { // a chain: 1600 pairs, 200 pieces of eight; fewer than 3 x 64 would be split
        (void)scene_add_at(space, mesh, fr_vec3_make(0.9 * i, 0.0, 0.0), 0);
    }
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    rank_query queries[3] = {0};
    for (int r = 0; r < 3; r++) {
        queries[r].input = scene_question(space, FR_COLLIDE_AUTO);
    }
    static thread_group group;
    thread_ranks_run(&group, 3, FR_EXCHANGE_COUNTER, be_rank, queries, sizeof queries[0]);
    uint64_t calls = 0;
    for (int r = 0; r < 3; r++) {
        assert_int_equal(queries[r].status, FR_OK);
        assert_int_equal(group.ranks[r].gathers, 2); // hits, relations
        assert_int_equal(queries[r].output.stats.object_pairs, 1600);
        calls += group.ranks[r].calls;
    }
    assert_int_equal(calls, 1600 / 8 + 3);
    end_queries(queries, 3);
    fr_space_destroy(space);
}

// ---------------------------------------------------------------------------------------------------------------
// What goes wrong

static bool stop_at_once(void *user) {
    (void)user;
    return true;
}

static void one_rank_that_is_stopped_stops_all(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 0.7);
    fr_random r = fr_random_seed(9);
    scene_random_motion(&r, space, 0.2, 0.3);
    const fr_control control = {.stop = stop_at_once};
    for (int k = 0; k < 4; k++) {
        rank_query queries[3] = {0};
        for (int i = 0; i < 3; i++) {
            queries[i].input = scene_question(space, FR_COLLIDE_AUTO);
            queries[i].input.set = k == 3 ? FR_SET_FIRST : FR_SET_ALL;
            queries[i].is_over_step = k > 0;
        }
        queries[1].input.control = &control;
        static thread_group group;
        thread_ranks_run(&group, 3, (fr_exchange_cut)(k % 2), be_rank, queries, sizeof queries[0]);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(queries[i].status, FR_OK);
            assert_true(queries[i].output.is_partial);
            assert_true(k == 3 || queries[i].output.free_time == queries[0].output.free_time);
        }
        end_queries(queries, 3);
    }
    fr_space_destroy(space);
}

static void a_rank_with_other_objects_is_found(void **state) {
    (void)state;
    fr_space *spaces[2] = {scene_two_spheres("sphere_960", 0.7), scene_two_spheres("sphere_960", 0.71)};
    for (int k = 0; k < 2; k++) {
        rank_query queries[3] = {0};
        for (int i = 0; i < 3; i++) {
            queries[i].input = scene_question(spaces[i == 2], FR_COLLIDE_AUTO);
            queries[i].input.method = k == 0 ? FR_COLLIDE_AUTO : FR_COLLIDE_BRUTE;
        }
        static thread_group group;
        thread_ranks_run(&group, 3, FR_EXCHANGE_STATIC, be_rank, queries, sizeof queries[0]);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(queries[i].status, FR_ERROR_ARGUMENT);
            assert_null(queries[i].output.pairs);
        }
        end_queries(queries, 3);
    }
    fr_space_destroy(spaces[0]);
    fr_space_destroy(spaces[1]);
}

static void a_rank_that_leaves_ends_all(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 0.7);
    for (int cut = FR_EXCHANGE_STATIC; cut <= FR_EXCHANGE_COUNTER; cut++) {
        rank_query queries[4] = {0};
        for (int i = 0; i < 4; i++) {
            queries[i].input = scene_question(space, FR_COLLIDE_AUTO);
            queries[i].leaves = i == 2;
        }
        static thread_group group;
        thread_ranks_run(&group, 4, (fr_exchange_cut)cut, be_rank, queries, sizeof queries[0]);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(queries[i].status, i == 2 ? FR_OK : FR_ERROR_SYSTEM);
        }
        end_queries(queries, 4);
    }
    fr_space_destroy(space);
}

// The n-th allocation of one rank fails: no rank waits, none has a result that is not the whole one.
static void memory_that_fails_on_a_rank_ends_all(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 0.5);
    fr_random r = fr_random_seed(4);
    scene_random_motion(&r, space, 0.2, 0.3);
    rank_query alone = {.input = scene_question(space, FR_COLLIDE_AUTO), .is_over_step = true};
    alone.input.want = FR_WANT_INTERVALS;
    query_as_rank(&alone);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    uint64_t failed = 0, count = 1, step = test_count(4, 1);
    for (uint64_t n = 0; n <= count; n += n == 0 ? 1 : step) { // 0: none fails, to count them
        rank_query queries[3] = {0};
        for (int i = 0; i < 3; i++) {
            queries[i] = (rank_query){.input = alone.input, .is_over_step = true};
        }
        queries[1].allocator = &allocator;
        fr_probe_fail(probe, n, n % 3 != 0);
        static thread_group group;
        thread_ranks_run(&group, 3, (fr_exchange_cut)(n / step % 2), be_rank, queries, sizeof queries[0]);
        if (n == 0) { count = fr_probe_get(probe).allocations; }
        failed += queries[1].status != FR_OK;
        for (int i = 0; i < 3; i++) {
            bool is_failed = queries[i].status == FR_ERROR_MEMORY || queries[i].status == FR_ERROR_SYSTEM;
            assert_true(queries[i].status == FR_OK || is_failed);
            if (is_failed) { assert_null(queries[i].output.pairs); }
            if (queries[i].status == FR_OK) { check_output(&queries[i].output, &alone.output, n); }
        }
        end_queries(queries, 3);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    assert_true(failed >= count / step / 2);
    fr_probe_destroy(probe);
    fr_collide_destroy(alone.collide);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exchange_is_checked),
        cmocka_unit_test(random_scenes_are_those_of_one_process),
        cmocka_unit_test(large_parts_and_heaps_are_cut),
        cmocka_unit_test(empty_spaces_have_no_work),
        cmocka_unit_test(counter_calls_are_pieces_and_ranks),
        cmocka_unit_test(one_rank_that_is_stopped_stops_all),
        cmocka_unit_test(a_rank_with_other_objects_is_found),
        cmocka_unit_test(a_rank_that_leaves_ends_all),
        cmocka_unit_test(memory_that_fails_on_a_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
