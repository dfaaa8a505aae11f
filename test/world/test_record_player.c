// Record players: at every tick the world is as it was, whatever was looked at before, and nothing hostile does harm.
#include "failing.h"
#include "frame.h"
#include "histories.h"
#include "tape.h"

#include "fureai/world_player.h"

#define MAX_TICKS 512u

// What a record player promises of a world: all of its objects with poses, flags, vertices, labels, states and holds.
static uint64_t digest_of(fr_world *world) {
    const fr_space *space = fr_world_space(world);
    uint64_t sum = fr_hash("", 0, fr_world_tick_count(world));
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        if (view == NULL) { continue; }
        uint32_t numbers[] = {id.index1,        id.generation,      view->flags,
                              view->part_count, view->vertex_count, (uint32_t)fr_world_hold(world, id)};
        fr_label label = fr_world_label(world, id);
        sum = fr_hash(numbers, sizeof numbers, sum);
        sum = fr_hash(&view->pose, sizeof view->pose, sum);
        sum = fr_hash(label.name, strlen(label.name), sum);
        if (view->vertices != NULL) { sum = fr_hash(view->vertices, view->vertex_count * sizeof *view->vertices, sum); }
        for (uint32_t k = 0; k < fr_world_state_count(world, id); k++) {
            const char *name = fr_world_state_name(world, id, k);
            double value = fr_world_state(world, id, name);
            sum = fr_hash(name, strlen(name), sum);
            sum = fr_hash(&value, sizeof value, sum);
        }
    }
    return sum;
}

// A history that is recorded from its middle on, and what its world was after each tick.
typedef struct session {
    tape record;
    uint64_t digests[MAX_TICKS]; // [0]: none is compared with the beginning, which is before the first step
    uint64_t ticks;
} session;

static session session_of(uint64_t seed, uint32_t before, uint32_t after) {
    history h;
    session s = {0};
    assert_int_equal(history_open(&h, seed, NULL), FR_OK);
    for (uint32_t i = 0; i < before; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
    }
    assert_int_equal(fr_world_record(h.world, tape_keep, &s.record, NULL), FR_OK);
    for (uint32_t i = 0; i < after; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
        assert_int_equal(history_tick(&h, NULL), FR_OK);
    }
    history_close(&h);
    return s;
}

static bool note_tick(fr_world *world, void *context) {
    session *s = context;
    s->digests[++s->ticks] = digest_of(world);
    return s->ticks + 1 < MAX_TICKS;
}

// The oracle: the record replayed from its beginning.
static void watch_session(session *s) {
    fr_world *world = world_open(NULL);
    fr_replay_input input = {.ticked = note_tick, .context = s};
    fr_error error = {0};
    if (fr_world_replay(world, s->record.bytes, s->record.size, &input, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    fr_world_destroy(world);
}

static fr_record_player *open_player(const session *s, uint64_t interval, uint64_t memory) {
    fr_record_player_def def = fr_default_record_player_def();
    def.bytes = s->record.bytes;
    def.size = s->record.size;
    def.interval_bytes = interval;
    def.checkpoint_bytes = memory;
    fr_record_player *player;
    fr_error error = {0};
    if (fr_record_player_create(&def, &player, &error) != FR_OK) { fail_msg("%s", error.message); }
    return player;
}

static void go_to(fr_record_player *player, const session *s, uint64_t tick) {
    fr_error error = {0};
    if (fr_record_player_seek(player, tick, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(fr_record_player_tick(player) == tick);
    assert_true(fr_space_validate(fr_world_space(fr_record_player_world(player)), NULL));
    if (tick > 0 && digest_of(fr_record_player_world(player)) != s->digests[tick]) {
        fail_msg("tick %llu is another one", (unsigned long long)tick);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static fr_status try_open(const void *bytes, size_t size, fr_error *error) {
    fr_record_player_def def = fr_default_record_player_def();
    def.bytes = bytes;
    def.size = size;
    fr_record_player *player;
    fr_status status = fr_record_player_create(&def, &player, error);
    assert_true((status == FR_OK) == (player != NULL));
    fr_record_player_destroy(player);
    return status;
}

static void what_is_no_record_is_refused(void **state) {
    (void)state;
    fr_error error = {0};
    fr_record_player *player;
    fr_record_player_def none = {0};
    assert_true(fr_default_record_player_def().interval_bytes == UINT64_C(1) << 18); // as the header says
    assert_int_equal(fr_record_player_create(&none, &player, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(try_open(NULL, 0, &error), FR_ERROR_SYNTAX);
    assert_int_equal(try_open("FRSPACE\n\1\0\0\0", 12, &error), FR_ERROR_SYNTAX);
    assert_int_equal(try_open("FRWORLD\n\7\0\0\0", 12, &error), FR_ERROR_VERSION);
    assert_non_null(strstr(error.message, "version 7"));
    assert_int_equal(try_open("FRWORLD\n\1\0\0\0FRSPACE\n\1\0\0\0", 24, &error), FR_OK);
    assert_int_equal(try_open("FRWORLD\n\1\0\0\0FRSPACE\n\1\0\0\0\377\0\1\0", 28, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "byte 24"));
    fr_record_player_destroy(NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Seeking

static void every_tick_is_as_it_was(void **state) {
    (void)state;
    uint64_t sessions = test_count(12, 600);
    for (uint64_t seed = 0; seed < sessions; seed++) {
        session s = session_of(seed, (uint32_t)(seed % 3) * 20, 80);
        watch_session(&s);
        fr_record_player *player = open_player(&s, 1 + 700 * (seed % 4), seed % 2 == 0 ? UINT64_MAX : 20000);
        assert_true(fr_record_player_tick_count(player) == s.ticks && s.ticks >= 80);
        assert_string_equal(fr_record_player_flaw(player), "");
        fr_random random = fr_random_seed(seed);
        for (uint64_t tick = 0; tick <= s.ticks; tick++) {
            go_to(player, &s, tick);
        }
        for (int i = 0; i < 60; i++) {
            go_to(player, &s, fr_random_below(&random, s.ticks + 1));
        }
        // Beyond the end is the end.
        assert_int_equal(fr_record_player_seek(player, UINT64_MAX, NULL, NULL), FR_OK);
        assert_true(fr_record_player_tick(player) == s.ticks);
        fr_record_player_destroy(player);
        free(s.record.bytes);
    }
}

// Objects share their meshes, wherever the player stands: who shows them needs each once.
static void meshes_stay_the_same(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id id = world_add(world, box, 0, 0, 0);
    session s = {0};
    assert_int_equal(fr_world_record(world, tape_keep, &s.record, NULL), FR_OK);
    for (int i = 0; i < 20; i++) {
        fr_pose pose = pose_at(0.1 * i, 0, 0);
        assert_int_equal(fr_object_set_pose(fr_world_space(world), id, &pose, NULL), FR_OK);
        world_tick(world);
    }
    fr_record_player *player = open_player(&s, 1, UINT64_MAX);
    const fr_mesh *first = NULL;
    for (uint64_t tick = 20; tick <= 20; tick--) {
        assert_int_equal(fr_record_player_seek(player, tick, NULL, NULL), FR_OK);
        fr_space *space = fr_world_space(fr_record_player_world(player));
        fr_object_id here = fr_space_object_at(space, 0);
        const fr_mesh *mesh = fr_object_part(space, here, 0).mesh;
        assert_true(mesh != NULL && (first == NULL || mesh == first));
        first = mesh;
        if (tick > 0) { assert_true(fr_object_get(space, here)->pose.position.x == 0.1 * (double)(tick - 1)); }
    }
    fr_record_player_destroy(player);
    fr_world_destroy(world);
    fr_mesh_release(box);
    free(s.record.bytes);
}

// Records that an object goes on by one a tick.
static void shift_far(fr_world *world, fr_object_id id, tape *t, uint64_t ticks) {
    assert_int_equal(fr_world_record(world, tape_keep, t, NULL), FR_OK);
    for (uint64_t i = 1; i <= ticks; i++) {
        fr_pose pose = pose_at((double)i, 0, 0);
        assert_int_equal(fr_object_set_pose(fr_world_space(world), id, &pose, NULL), FR_OK);
        world_tick(world);
    }
    assert_int_equal(fr_world_record(world, NULL, NULL, NULL), FR_OK);
}

// However long a record is, its checkpoints stay within their memory, and every tick is found.
static void a_long_record_is_gone_through(void **state) {
    (void)state;
    uint64_t ticks = test_count(20000, 1000000);
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id id = world_add(world, box, 0, 0, 0);
    session s = {0};
    shift_far(world, id, &s.record, ticks);
    fr_probe *probe = fr_probe_create();
    fr_record_player_def def = fr_default_record_player_def();
    def.bytes = s.record.bytes;
    def.size = s.record.size;
    def.checkpoint_bytes = 100000;
    def.interval_bytes = 2000;
    def.allocator = fr_probe_allocator(probe);
    fr_record_player *player;
    assert_int_equal(fr_record_player_create(&def, &player, NULL), FR_OK);
    assert_true(fr_record_player_tick_count(player) == ticks);
    assert_true(fr_probe_get(probe).peak_bytes < 1000000);
    fr_random random = fr_random_seed(1);
    for (int i = 0; i < 100; i++) {
        uint64_t tick = fr_random_below(&random, ticks + 1);
        assert_int_equal(fr_record_player_seek(player, tick, NULL, NULL), FR_OK);
        fr_space *space = fr_world_space(fr_record_player_world(player));
        assert_true(fr_object_get(space, fr_space_object_at(space, 0))->pose.position.x == (double)tick);
    }
    fr_record_player_destroy(player);
    fr_probe_destroy(probe);
    fr_world_destroy(world);
    fr_mesh_release(box);
    free(s.record.bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Hostile records

// A record that ends too soon is shown up to there.
static void a_cut_record_is_shown_as_far_as_it_goes(void **state) {
    (void)state;
    session s = session_of(4, 20, 60);
    watch_session(&s);
    fr_random random = fr_random_seed(3);
    uint64_t whole = s.record.size, shown = 0;
    for (uint64_t i = 0; i < test_count(60, 2000); i++) {
        s.record.size = 1 + (size_t)fr_random_below(&random, whole - 1);
        fr_record_player_def def = fr_default_record_player_def();
        def.bytes = s.record.bytes;
        def.size = s.record.size;
        def.interval_bytes = i % 2 == 0 ? 500 : 1; // a checkpoint may fall between two ticks
        fr_record_player *player;
        fr_error error = {0};
        if (fr_record_player_create(&def, &player, &error) != FR_OK) {
            assert_true(error.message[0] != '\0');
            continue;
        }
        uint64_t count = fr_record_player_tick_count(player);
        shown += count > 0;
        go_to(player, &s, count);
        go_to(player, &s, count / 2);
        fr_record_player_destroy(player);
    }
    assert_true(shown > 10);
    free(s.record.bytes);
}

static void damaged_records_are_survived(void **state) {
    (void)state;
    session s = session_of(11, 40, 40);
    fr_random random = fr_random_seed(2);
    uint64_t flaws = 0;
    for (uint64_t i = 0; i < test_count(200, 10000); i++) {
        size_t at = s.record.size - 1 - (size_t)fr_random_below(&random, s.record.size < 8000 ? s.record.size : 8000);
        unsigned char was = s.record.bytes[at];
        s.record.bytes[at] ^= (unsigned char)(1 + fr_random_below(&random, 255));
        fr_record_player_def def = fr_default_record_player_def();
        def.bytes = s.record.bytes;
        def.size = s.record.size;
        def.interval_bytes = 300;
        fr_record_player *player;
        if (fr_record_player_create(&def, &player, NULL) == FR_OK) {
            flaws += fr_record_player_flaw(player)[0] != '\0';
            for (int k = 0; k < 4; k++) {
                uint64_t tick = fr_random_below(&random, fr_record_player_tick_count(player) + 1);
                (void)fr_record_player_seek(player, tick, NULL, NULL);
                if (fr_record_player_world(player) != NULL) {
                    assert_true(fr_space_validate(fr_world_space(fr_record_player_world(player)), NULL));
                }
            }
            fr_record_player_destroy(player);
        }
        s.record.bytes[at] = was;
    }
    assert_true(flaws > 10);
    free(s.record.bytes);
}

static bool stop_now(void *user) { return *(const bool *)user; }

static void a_player_stops_when_asked(void **state) {
    (void)state;
    session s = session_of(3, 0, 40);
    watch_session(&s);
    bool stops = true;
    fr_control control = {stop_now, NULL, &stops};
    fr_record_player_def def = fr_default_record_player_def();
    def.bytes = s.record.bytes;
    def.size = s.record.size;
    def.control = &control;
    fr_record_player *player;
    assert_int_equal(fr_record_player_create(&def, &player, NULL), FR_ERROR_STOPPED);
    player = open_player(&s, 1 << 20, UINT64_MAX);
    assert_int_equal(fr_record_player_seek(player, 30, &control, NULL), FR_ERROR_STOPPED);
    go_to(player, &s, 30);
    fr_record_player_destroy(player);
    free(s.record.bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Allocation failure

static fr_status look_around(const fr_allocator *allocator, void *context) {
    const session *s = context;
    fr_record_player_def def = fr_default_record_player_def();
    def.bytes = s->record.bytes;
    def.size = s->record.size;
    def.interval_bytes = 2000;
    def.allocator = *allocator;
    fr_record_player *player = NULL;
    fr_status status = fr_record_player_create(&def, &player, NULL);
    uint64_t count = status == FR_OK ? fr_record_player_tick_count(player) : 0;
    for (uint64_t i = 4; i > 0 && status == FR_OK; i--) {
        status = fr_record_player_seek(player, count * i / 4, NULL, NULL);
    }
    if (player != NULL && status != FR_OK) {
        test_lift(allocator);
        go_to(player, s, count / 2);
    }
    fr_record_player_destroy(player);
    return status;
}

static void every_failure_is_survived(void **state) {
    (void)state;
    session s = session_of(11, 0, 25);
    watch_session(&s);
    assert_true(test_every_failure(look_around, &s) > 20);
    free(s.record.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_record_is_refused),
        cmocka_unit_test(every_tick_is_as_it_was),
        cmocka_unit_test(meshes_stay_the_same),
        cmocka_unit_test(a_long_record_is_gone_through),
        cmocka_unit_test(a_cut_record_is_shown_as_far_as_it_goes),
        cmocka_unit_test(damaged_records_are_survived),
        cmocka_unit_test(a_player_stops_when_asked),
        cmocka_unit_test(every_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
