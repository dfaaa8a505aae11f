// The tick: order, time, failure, memory, threads.
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "histories.h"

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void what_is_no_tick_is_refused(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_tick_input input;
    memset(&input, 0, sizeof input);
    assert_int_equal(fr_world_tick(world, &input, NULL), FR_ERROR_ARGUMENT);
    assert_null(fr_world_snapshot(world));
    fr_world_destroy(world);
}

static fr_status tick_again(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal, (void)wishes, (void)error;
    fr_world *world = user;
    fr_corrector me = {"again", tick_again, user};
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_world_add_mover(world, &me, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_world_set_tick(world, 0, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_world_record(world, NULL, NULL, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_world_remove_corrector(world, tick_again, user, NULL), FR_ERROR_BUSY);
    return FR_OK;
}

static void a_tick_within_a_tick_is_refused(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_corrector mover = {"again", tick_again, world};
    assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_OK);
    world_tick(world);
    world_tick(world);
    fr_world_destroy(world);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void ticks_count_and_time_goes(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id id = world_add(world, box, 0, 0, 0);
    shift s = {.object = id, .travel = {0.25, 0, 0}};
    world_shift(world, &s);
    for (int i = 0; i < 3; i++) {
        world_tick(world);
    }
    assert_true(fr_world_tick_count(world) == 3);
    assert_true(fr_world_time(world) == 3 * 0.01);
    assert_true(world_pose(world, id).position.x == 0.75);

    // Paused: sensing goes on, time does not.
    world_tick_paused(world);
    assert_int_equal(s.calls, 3);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_true(snapshot->sequence == 4 && snapshot->tick == 3 && snapshot->is_paused);
    assert_true(snapshot->time == 3 * 0.01 && snapshot->step == 0.01);
    assert_int_equal(snapshot->object_count, 1);
    assert_true(fr_object_id_equal(snapshot->objects[0].id, id));
    assert_true(snapshot->objects[0].pose.position.x == 0.75);
    fr_snapshot_release(snapshot);

    assert_int_equal(fr_world_set_tick(world, 0, NULL), FR_OK);
    assert_true(fr_world_time(world) == 0.0);
    assert_int_equal(fr_world_set_tick(world, FR_WORLD_TICK_MAX + 1, NULL), FR_ERROR_ARGUMENT);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void touches_begin_and_end(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 2, 0, 0);
    shift s = {.object = b, .travel = {-0.25, 0, 0}};
    world_shift(world, &s);
    fr_event begin = {0}, end = {0};
    uint32_t begins = 0, ends = 0;
    for (int i = 0; i < 40; i++) {
        world_tick(world);
        begins += (uint32_t)world_events(world, FR_EVENT_TOUCH_BEGIN, &begin);
        ends += (uint32_t)world_events(world, FR_EVENT_TOUCH_END, &end);
    }
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 1);
    assert_true(begin.id != 0 && begin.id == end.id);
    assert_true(begin.tick == 4 && begin.time == 4 * 0.01);
    assert_true(fr_object_id_equal(begin.a, a) && fr_object_id_equal(begin.b, b));
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void the_snapshot_holds_what_was_sensed(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *ball = world_mesh("sphere_168"), *box = world_mesh("box");
    (void)world_add(world, ball, 0, 0, 0);
    (void)world_add(world, ball, 1.5, 0, 0);
    fr_object_id inside = world_add(world, box, 0, 0, 0);
    fr_pose small = fr_pose_identity();
    small.scale = 0.125;
    assert_int_equal(fr_object_set_pose(fr_world_space(world), inside, &small, NULL), FR_OK);
    world_tick(world);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_int_equal(snapshot->touch_count, 2);
    assert_int_equal(snapshot->touches[0].relation, FR_RELATION_CROSSING);
    assert_true(snapshot->touches[0].count > 0 && snapshot->touches[0].count == snapshot->pair_count);
    assert_int_equal(snapshot->touches[1].relation, FR_RELATION_B_INSIDE);
    assert_int_equal(snapshot->touches[1].count, 0);
    assert_non_null(snapshot->contacts);
    for (size_t i = 0; i < snapshot->pair_count; i++) {
        assert_int_equal(snapshot->contacts[i].a.index1 - 1, snapshot->pairs[i].a);
        assert_int_equal(snapshot->contacts[i].triangle_b, snapshot->pairs[i].triangle_b);
    }
    assert_true(snapshot->stats.ms_total > 0.0 && snapshot->stats.collide.tested > 0);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
    fr_mesh_release(ball);
    fr_mesh_release(box);
}

static void inputs_wait_for_a_tick_that_fails(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 5, 0, 0);
    world_tick(world);
    shift moves = {.object = b, .travel = {1, 0, 0}}, fails = {.object = b, .fails = FR_ERROR_LIMIT};
    world_shift(world, &moves);
    fr_corrector corrector = {"too much", shift_propose, &fails};
    assert_int_equal(fr_world_add_corrector(world, &corrector, NULL), FR_OK);
    fr_pose raw = pose_at(0, 3, 0), next = pose_at(5, 0, 1);
    assert_int_equal(fr_object_set_next(fr_world_space(world), b, &next, NULL), FR_OK);
    assert_int_equal(fr_world_drag(world, a, &raw, NULL), FR_OK);

    // Nothing is committed, not even planned any more: what was set before the tick stands.
    fr_error error = {0};
    assert_int_equal(fr_world_tick(world, NULL, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "corrector 'too much'"));
    assert_true(fr_world_tick_count(world) == 1);
    assert_true(world_pose(world, a).position.y == 0.0 && world_pose(world, b).position.x == 5.0);
    assert_false(fr_object_get(fr_world_space(world), a)->is_moving);
    assert_true(fr_object_get(fr_world_space(world), b)->is_moving);
    assert_true(fr_object_get(fr_world_space(world), b)->next.position.z == 1.0);

    assert_int_equal(fr_world_remove_corrector(world, shift_propose, &fails, NULL), FR_OK);
    assert_int_equal(fr_world_remove_corrector(world, shift_propose, &moves, NULL), FR_OK);
    world_tick(world);
    assert_true(world_pose(world, a).position.y == 3.0 && world_pose(world, b).position.z == 1.0);
    assert_int_equal(world_events(world, FR_EVENT_HELD, NULL), 1);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// Partial sensing

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void a_stopped_sensing_ends_no_touch(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *ball = world_mesh("sphere_168");
    (void)world_add(world, ball, 0, 0, 0);
    fr_object_id b = world_add(world, ball, 1, 0, 0);
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_BEGIN, NULL), 1);

    fr_control control = {stop_now, NULL, NULL};
    fr_tick_input input = fr_default_tick_input();
    input.control = &control;
    fr_pose raw = pose_at(1, 0.125, 0);
    assert_int_equal(fr_world_drag(world, b, &raw, NULL), FR_OK);
    assert_int_equal(fr_world_tick(world, &input, NULL), FR_OK);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_true(snapshot->is_partial);
    assert_true(snapshot->objects[1].pose.position.y == 0.125);
    assert_int_equal(snapshot->touch_count, 1);
    fr_snapshot_release(snapshot);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_END, NULL), 0);

    // What is gone has ended all the same.
    assert_int_equal(fr_object_remove(fr_world_space(world), b, NULL), FR_OK);
    assert_int_equal(fr_world_tick(world, &input, NULL), FR_OK);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_END, NULL), 1);
    assert_int_equal(world_events(world, FR_EVENT_REMOVED, NULL), 1);
    fr_world_destroy(world);
    fr_mesh_release(ball);
}

// ---------------------------------------------------------------------------------------------------------------
// Determinism

static uint64_t hash_of_history(uint64_t seed, const fr_tasks *tasks) {
    history h;
    assert_int_equal(history_open(&h, seed, NULL), FR_OK);
    uint64_t hash = 0;
    for (int i = 0; i < 120; i++) {
        assert_int_equal(history_step(&h, tasks), FR_OK);
        const fr_snapshot *snapshot = fr_world_snapshot(h.world);
        if (snapshot == NULL) { continue; }
        uint64_t now = fr_snapshot_hash(snapshot);
        hash = fr_hash(&now, sizeof now, hash);
        fr_snapshot_release(snapshot);
    }
    history_close(&h);
    return hash;
}

static void threads_and_instruction_sets_change_nothing(void **state) {
    (void)state;
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_simd best = fr_simd_best();
    uint64_t histories = test_count(10, 200);
    for (uint64_t seed = 0; seed < histories; seed++) {
        assert_true(fr_simd_set(best));
        uint64_t expected = hash_of_history(seed, NULL);
        assert_true(hash_of_history(seed, &tasks) == expected);
        assert_true(fr_simd_set(FR_SIMD_BASELINE));
        assert_true(hash_of_history(seed, &tasks) == expected);
    }
    assert_true(fr_simd_set(best));
    fr_task_pool_destroy(pool);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

// Objects that swing through one another, on hinges, held and let go: the second time around nothing is allocated.
static void check_warm_ticks(fr_sense sense) {
    enum { MOST = 30, ROUND = 24 };
    const int bodies = sense == FR_SENSE_STATIC ? MOST : 6; // over a step it takes longer
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_world_def def = fr_default_world_def();
    def.allocator = allocator;
    def.sense = sense;
    fr_world *world = NULL;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    fr_mesh *ball = world_mesh(sense == FR_SENSE_STATIC ? "sphere_168" : "sphere_24");
    fr_object_id ids[MOST];
    for (int i = 0; i < bodies; i++) {
        ids[i] = world_add(world, ball, 3.0 * i, 0, 0);
    }
    fr_joint joint = {.kind = FR_JOINT_HINGE, .child = ids[1], .parent = ids[0], .low = -1.0, .high = 1.0};
    joint.frame_parent = joint.frame_child = fr_pose_identity();
    joint.frame_child.position.x = -3.0;
    fr_joint_id joint_id;
    assert_int_equal(fr_joint_add(fr_world_space(world), &joint, &joint_id, NULL), FR_OK);
    const fr_snapshot *kept[2] = {NULL, NULL};
    uint64_t after_first = 0;
    for (int i = 0; i < 4 * ROUND; i++) {
        if (i == 2 * ROUND) { after_first = test_allocations(probe); }
        int phase = i % ROUND;
        for (int k = 0; k < bodies; k += 2) {
            fr_pose raw = pose_at(3.0 * k + 2.0 * fr_sin(2.0 * FR_PI * phase / ROUND), 0, 0);
            assert_int_equal(fr_world_drag(world, ids[k], &raw, NULL), FR_OK);
            if (phase % 5 == 0) { assert_int_equal(fr_world_let_go(world, ids[k], NULL), FR_OK); }
        }
        assert_int_equal(fr_world_set_state(world, ids[3], "phase", phase, NULL), FR_OK);
        world_tick(world);
        fr_snapshot_release(kept[i % 2]);
        kept[i % 2] = fr_world_snapshot(world);
    }
    assert_true(after_first > 0 && test_allocations(probe) == after_first);
    fr_snapshot_release(kept[0]);
    fr_snapshot_release(kept[1]);
    fr_world_destroy(world);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
    fr_mesh_release(ball);
}

static void a_warm_tick_allocates_nothing(void **state) {
    (void)state;
    check_warm_ticks(FR_SENSE_STATIC);
    check_warm_ticks(FR_SENSE_CONTINUOUS);
}

// Whatever fails leaves the world as it was, or says partial when the step was taken.
static fr_status live(const fr_allocator *allocator, void *context) {
    (void)context;
    history h;
    fr_status status = history_open(&h, 17, allocator);
    for (int i = 0; i < 60 && status == FR_OK; i++) {
        uint64_t before = fr_world_tick_count(h.world);
        status = history_step(&h, NULL);
        if (status != FR_ERROR_MEMORY) { continue; }
        const fr_snapshot *snapshot = fr_world_snapshot(h.world);
        bool was_taken = fr_world_tick_count(h.world) != before;
        if (was_taken) { assert_true(snapshot != NULL && snapshot->is_partial && snapshot->pair_count == 0); }
        fr_snapshot_release(snapshot);
        assert_true(fr_space_validate(fr_world_space(h.world), NULL));
    }
    history_close(&h);
    return status;
}

static void every_failure_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(live, NULL) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_tick_is_refused),
        cmocka_unit_test(a_tick_within_a_tick_is_refused),
        cmocka_unit_test(ticks_count_and_time_goes),
        cmocka_unit_test(touches_begin_and_end),
        cmocka_unit_test(the_snapshot_holds_what_was_sensed),
        cmocka_unit_test(inputs_wait_for_a_tick_that_fails),
        cmocka_unit_test(a_stopped_sensing_ends_no_touch),
        cmocka_unit_test(threads_and_instruction_sets_change_nothing),
        cmocka_unit_test(a_warm_tick_allocates_nothing),
        cmocka_unit_test(every_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
