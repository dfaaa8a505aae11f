// Records: what is replayed is what was recorded, from any moment on, and nothing hostile does harm.
#include "failing.h"
#include "frame.h"
#include "histories.h"
#include "tape.h"

#include "world/replay.h"

static fr_status play(const void *bytes, size_t size, fr_error *error) {
    fr_world *world = world_open(NULL);
    fr_status status = fr_world_replay(world, bytes, size, NULL, error);
    assert_true(fr_space_validate(fr_world_space(world), NULL));
    fr_world_destroy(world);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

#define BEGINNING "FRWORLD\n\1\0\0\0FRSPACE\n\1\0\0\0"

static void what_is_no_record_is_refused(void **state) {
    (void)state;
    fr_error error = {0};
    assert_int_equal(play(NULL, 0, &error), FR_ERROR_SYNTAX);
    assert_int_equal(play("FRSPACE\n\1\0\0\0", 12, &error), FR_ERROR_SYNTAX);
    assert_int_equal(play("FRWORLD\n\7\0\0\0", 12, &error), FR_ERROR_VERSION);
    assert_int_equal(play("FRWORLD\n\1\0\0\0", 12, &error), FR_ERROR_SYNTAX);
    assert_int_equal(play(BEGINNING, 24, &error), FR_OK);
    assert_int_equal(play(BEGINNING "\377\0\1\0", 28, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "byte 24"));
    assert_int_equal(play(BEGINNING "\13\0\1\0\0\0\0\0\0\0\0\0", 36, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "before it begins"));

    // Only into a world that is new and without a recorder.
    fr_world *world = world_open(NULL);
    tape t = {0};
    assert_int_equal(fr_world_record(world, tape_keep, &t, NULL), FR_OK);
    assert_int_equal(fr_world_replay(world, t.bytes, t.size, NULL, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_world_record(world, NULL, NULL, NULL), FR_OK);
    world_tick(world);
    assert_int_equal(fr_world_replay(world, t.bytes, t.size, NULL, &error), FR_ERROR_ARGUMENT);
    fr_world_destroy(world);
    free(t.bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Determinism

typedef struct audience {
    uint64_t ticks, last;
    uint64_t most; // ticks to see
} audience;

static bool watch(fr_world *world, void *context) {
    audience *a = context;
    a->ticks++;
    a->last = world_hash(world);
    return a->ticks < a->most;
}

static uint64_t ticks_of(fr_world *world) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint64_t sequence = snapshot != NULL ? snapshot->sequence : 0;
    fr_snapshot_release(snapshot);
    return sequence;
}

// Records a history from a moment in its middle on, replays it, and goes on with both.
static void check_history(uint64_t seed, uint32_t before, uint32_t after, uint64_t *counts) {
    history h;
    tape t = {0};
    assert_int_equal(history_open(&h, seed, NULL), FR_OK);
    for (uint32_t i = 0; i < before; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
    }
    uint64_t taken = ticks_of(h.world);
    assert_int_equal(fr_world_record(h.world, tape_keep, &t, NULL), FR_OK);
    for (uint32_t i = 0; i < after; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
    }
    assert_int_equal(history_tick(&h, NULL), FR_OK);
    taken = ticks_of(h.world) - taken;

    fr_world *copy = world_open(NULL);
    audience a = {.most = UINT64_MAX};
    fr_replay_input options = {.ticked = watch, .context = &a};
    fr_error error = {0};
    if (fr__world_replay(copy, t.bytes, t.size, &options, counts, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(a.ticks == taken && a.last == world_hash(h.world));
    assert_true(fr_world_tick_count(copy) == fr_world_tick_count(h.world));

    // The recording has ended: what follows is not in it.
    size_t size = t.size;
    assert_int_equal(fr_world_record(h.world, NULL, NULL, NULL), FR_OK);
    assert_int_equal(fr_world_remove_corrector(h.world, history_propose, &h, NULL), FR_OK);
    world_tick(h.world);
    world_tick(copy);
    assert_int_equal(t.size, size);
    assert_true(world_hash(copy) == world_hash(h.world));
    for (uint32_t i = 0; i < fr_space_object_places(fr_world_space(copy)); i++) {
        fr_object_id of_copy = fr_space_object_at(fr_world_space(copy), i);
        fr_object_id of_first = fr_space_object_at(fr_world_space(h.world), i);
        fr_label label = fr_world_label(h.world, of_first), copied = fr_world_label(copy, of_copy);
        assert_string_equal(label.name, copied.name);
        assert_memory_equal(&label.color, &copied.color, sizeof label.color);
    }
    fr_world_destroy(copy);
    free(t.bytes);
    history_close(&h);
}

static void histories_are_replayed_alike(void **state) {
    (void)state;
    uint64_t counts[FR__WORLD_OPERATION_COUNT] = {0};
    uint64_t histories = test_count(30, 3000);
    for (uint64_t i = 0; i < histories; i++) {
        check_history(i, (uint32_t)(i % 4) * 40, 120, counts);
    }
    for (int kind = 0; kind < FR__WORLD_OPERATION_COUNT; kind++) {
        const char *text = fr__world_operation_text((fr__world_operation_kind)kind);
        if (counts[kind] == 0) { fail_msg("%s was never replayed", text); }
    }
}

static bool stop_now(void *user) { return *(const bool *)user; }

// A tick whose sensing was stopped is told as it was, and those after it are compared again.
static void stopped_ticks_do_not_part_the_ways(void **state) {
    (void)state;
    history h;
    tape t = {0};
    bool stops = false;
    assert_int_equal(history_open(&h, 5, NULL), FR_OK);
    assert_int_equal(fr_world_record(h.world, tape_keep, &t, NULL), FR_OK);
    fr_control control = {stop_now, NULL, &stops};
    fr_tick_input input = fr_default_tick_input();
    input.control = &control;
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
        stops = i % 3 == 0;
        assert_int_equal(fr_world_tick(h.world, &input, NULL), FR_OK);
    }
    fr_error error = {0};
    if (play(t.bytes, t.size, &error) != FR_OK) { fail_msg("%s", error.message); }
    free(t.bytes);
    history_close(&h);
}

static void a_replay_ends_when_asked(void **state) {
    (void)state;
    history h;
    tape t = {0};
    assert_int_equal(history_open(&h, 3, NULL), FR_OK);
    assert_int_equal(fr_world_record(h.world, tape_keep, &t, NULL), FR_OK);
    for (uint32_t i = 0; i < 20; i++) {
        world_tick(h.world);
    }
    fr_world *world = world_open(NULL);
    audience a = {.most = 7};
    fr_replay_input options = {.ticked = watch, .context = &a};
    assert_int_equal(fr_world_replay(world, t.bytes, t.size, &options, NULL), FR_OK);
    assert_true(a.ticks == 7 && fr_world_tick_count(world) == 7);
    fr_world_destroy(world);

    bool stops = true;
    fr_control control = {stop_now, NULL, &stops};
    options = (fr_replay_input){.control = &control};
    world = world_open(NULL);
    assert_int_equal(fr_world_replay(world, t.bytes, t.size, &options, NULL), FR_ERROR_STOPPED);
    fr_world_destroy(world);
    free(t.bytes);
    history_close(&h);
}

// ---------------------------------------------------------------------------------------------------------------
// Hostile records

static tape record_of(uint64_t seed, uint32_t steps) {
    history h;
    tape t = {0};
    assert_int_equal(history_open(&h, seed, NULL), FR_OK);
    for (uint32_t i = 0; i < steps; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
    }
    assert_int_equal(fr_world_record(h.world, tape_keep, &t, NULL), FR_OK);
    for (uint32_t i = 0; i < steps; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
    }
    history_close(&h);
    return t;
}

static void cut_records_are_survived(void **state) {
    (void)state;
    tape t = record_of(5, 40);
    tape_check_cut(&t, play, test_count(100, 3000));
    free(t.bytes);
}

// Damaged anywhere behind the meshes: no crash, and what was taken in is whole.
static void damaged_records_are_survived(void **state) {
    (void)state;
    tape t = record_of(11, 60);
    fr_random random = fr_random_seed(2);
    uint64_t tries = test_count(300, 20000), refused = 0;
    for (uint64_t i = 0; i < tries; i++) {
        size_t at = t.size - 1 - (size_t)fr_random_below(&random, t.size < 8000 ? t.size : 8000);
        unsigned char was = t.bytes[at];
        t.bytes[at] ^= (unsigned char)(1 + fr_random_below(&random, 255));
        fr_error error = {0};
        refused += play(t.bytes, t.size, &error) != FR_OK;
        t.bytes[at] = was;
    }
    assert_true(refused > tries / 2);
    free(t.bytes);
}

// A hash that is another's is found.
static void another_outcome_is_found(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    tape t = {0};
    assert_int_equal(fr_world_record(world, tape_keep, &t, NULL), FR_OK);
    (void)world_add(world, box, 0, 0, 0);
    world_tick(world);
    fr_error error = {0};
    assert_int_equal(play(t.bytes, t.size, &error), FR_OK);
    t.bytes[t.size - 1] ^= 1;
    assert_int_equal(play(t.bytes, t.size, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "differs from its record"));
    fr_world_destroy(world);
    fr_mesh_release(box);
    free(t.bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Allocation failure

static fr_status replay_all(const fr_allocator *allocator, void *context) {
    const tape *t = context;
    fr_world_def def = fr_default_world_def();
    def.allocator = *allocator;
    fr_world *world = NULL;
    fr_status status = fr_world_create(&def, &world, NULL);
    if (status == FR_OK) { status = fr_world_replay(world, t->bytes, t->size, NULL, NULL); }
    fr_world_destroy(world);
    return status;
}

static void ignore(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    (void)context;
}

static fr_status record_all(const fr_allocator *allocator, void *context) {
    fr_world *world;
    fr_object_id id = {0, 0, 0};
    fr_status status = world_try(allocator, context, &world, &id);
    fr_label label = {"box", {1, 2, 3, 4}};
    if (status == FR_OK) { status = fr_world_set_label(world, id, &label, NULL); }
    if (status == FR_OK) { status = fr_world_record(world, ignore, NULL, NULL); }
    if (status == FR_OK) { status = fr_world_tick(world, NULL, NULL); }
    fr_world_destroy(world);
    return status;
}

static void every_failure_is_survived(void **state) {
    (void)state;
    tape t = record_of(11, 25);
    assert_true(test_every_failure(replay_all, &t) > 20);
    fr_mesh *box = world_mesh("box");
    assert_true(test_every_failure(record_all, box) > 10);
    fr_mesh_release(box);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_record_is_refused),       cmocka_unit_test(histories_are_replayed_alike),
        cmocka_unit_test(stopped_ticks_do_not_part_the_ways), cmocka_unit_test(a_replay_ends_when_asked),
        cmocka_unit_test(cut_records_are_survived),           cmocka_unit_test(damaged_records_are_survived),
        cmocka_unit_test(another_outcome_is_found),           cmocka_unit_test(every_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
