// Records: what is replayed is what was recorded, from any moment on, and nothing hostile does harm.
#include "failing.h"
#include "frame.h"
#include "history.h"
#include "space/replay.h"
#include "space/space.h"
#include "tape.h"

static fr_space *new_space(const fr_allocator *allocator) {
    fr_space_def def = fr_default_space_def();
    if (allocator != NULL) { def.allocator = *allocator; }
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    return space;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static fr_status play(const void *bytes, size_t size, fr_error *error) {
    fr_space *space = new_space(NULL);
    fr_status status = fr_space_replay(space, bytes, size, NULL, error);
    assert_true(fr_space_validate(space, NULL));
    fr_space_destroy(space);
    return status;
}

static void what_is_no_record_is_refused(void **state) {
    (void)state;
    fr_error error = {0};
    assert_int_equal(play(NULL, 0, &error), FR_ERROR_SYNTAX);
    assert_int_equal(play("FRSPACE", 7, &error), FR_ERROR_SYNTAX);
    assert_int_equal(play("FRSPACE\r\1\0\0\0", 12, &error), FR_ERROR_SYNTAX);
    assert_int_equal(play("FRSPACE\n\7\0\0\0", 12, &error), FR_ERROR_VERSION);
    assert_int_equal(play("FRSPACE\n\1\0\0\0", 12, &error), FR_OK);
    assert_int_equal(play("FRSPACE\n\1\0\0\0\377\0\0\0", 16, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "byte 12"));
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    (void)scene_add(&s, true);
    assert_int_equal(fr_space_replay(s.space, "FRSPACE\n\1\0\0\0", 12, NULL, &error), FR_ERROR_ARGUMENT);
    scene_close(&s);
    fr_space *space = new_space(NULL);
    tape t = {0};
    assert_int_equal(fr_space_record(space, tape_keep, &t, NULL), FR_OK);
    assert_int_equal(fr_space_replay(space, t.bytes, t.size, NULL, &error), FR_ERROR_ARGUMENT);
    fr_space_destroy(space);
    free(t.bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Determinism

// Records a history from a moment in its middle on, and replays it.
static void check_history(uint64_t seed, uint32_t before, uint32_t after, uint64_t counts[FR__OPERATION_COUNT]) {
    scene s;
    tape t = {0};
    scene_open(&s, seed, 5, 0, NULL);
    for (uint32_t i = 0; i < before; i++) {
        history_step(&s, 10);
    }
    uint64_t at_start = history_hash(s.space);
    assert_int_equal(fr_space_record(s.space, tape_keep, &t, NULL), FR_OK);
    assert_true(history_hash(s.space) == at_start);
    fr_space *copy = new_space(NULL);
    fr_error error = {0};
    if (fr__replay(copy, t.bytes, t.size, NULL, counts, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(history_hash(copy) == at_start);
    fr_space_destroy(copy);

    for (uint32_t i = 0; i < after; i++) {
        history_step(&s, 10);
    }
    copy = new_space(NULL);
    if (fr__replay(copy, t.bytes, t.size, NULL, counts, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(fr_space_validate(copy, NULL));
    assert_true(history_hash(copy) == history_hash(s.space));

    // The recording has ended: what follows is not in it.
    size_t size = t.size;
    assert_int_equal(fr_space_record(s.space, NULL, NULL, NULL), FR_OK);
    (void)scene_add(&s, true);
    assert_int_equal(t.size, size);
    fr_space_destroy(copy);
    free(t.bytes);
    scene_close(&s);
}

static void histories_are_replayed_alike(void **state) {
    (void)state;
    uint64_t counts[FR__OPERATION_COUNT] = {0};
    uint64_t histories = test_count(200, 4000);
    for (uint64_t i = 0; i < histories; i++) {
        check_history(i, (uint32_t)(i % 4) * 40, 150, counts);
    }
    for (int kind = 0; kind < FR__OPERATION_COUNT; kind++) {
        if (counts[kind] == 0) { fail_msg("%s was never replayed", fr__operation_text((fr__operation_kind)kind)); }
    }
}

static void a_mesh_is_recorded_once(void **state) {
    (void)state;
    scene s;
    tape t = {0};
    scene_open(&s, 1, 5, 0, NULL);
    assert_int_equal(fr_space_record(s.space, tape_keep, &t, NULL), FR_OK);
    fr_part_def part;
    fr_object_def def = test_mesh_object(s.meshes[2], &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
    size_t one = t.size;
    assert_true(one > fr_mesh_cook(s.meshes[2], NULL, 0));
    for (int i = 0; i < 100; i++) {
        assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
    }
    assert_true((t.size - one) / 100 < 256);
    free(t.bytes);
    scene_close(&s);
}

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void a_replay_can_be_stopped(void **state) {
    (void)state;
    scene s;
    tape t = {0};
    scene_open(&s, 1, 5, 0, NULL);
    assert_int_equal(fr_space_record(s.space, tape_keep, &t, NULL), FR_OK);
    scene_fill(&s, 5, true);
    fr_space *copy = new_space(NULL);
    fr_control control = {stop_now, NULL, NULL};
    assert_int_equal(fr_space_replay(copy, t.bytes, t.size, &control, NULL), FR_ERROR_STOPPED);
    fr_space_destroy(copy);
    free(t.bytes);
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Hostile records

static tape record_of(uint64_t seed, uint32_t steps) {
    scene s;
    tape t = {0};
    scene_open(&s, seed, 5, 0, NULL);
    for (uint32_t i = 0; i < steps / 2; i++) {
        history_step(&s, 3);
    }
    assert_int_equal(fr_space_record(s.space, tape_keep, &t, NULL), FR_OK);
    for (uint32_t i = 0; i < steps; i++) {
        history_step(&s, 3);
    }
    scene_close(&s);
    return t;
}

static void cut_records_are_survived(void **state) {
    (void)state;
    tape t = record_of(5, 30);
    tape_check_cut(&t, play, test_count(1000, 10000));
    free(t.bytes);
}

// Damaged anywhere, under a bound of memory: no crash, and never more memory than a small factor of the record.
static void damaged_records_are_survived(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    uint64_t tries = test_count(3000, 40000);
    tape t = record_of(6, 40);
    fr_random random = fr_random_seed(2);
    unsigned char *bytes = malloc(t.size);
    assert_non_null(bytes);
    for (uint64_t i = 0; i < tries; i++) {
        memcpy(bytes, t.bytes, t.size);
        for (uint64_t k = fr_random_below(&random, 3) + 1; k > 0; k--) {
            size_t at = (size_t)fr_random_below(&random, t.size);
            bytes[at] = (unsigned char)fr_random_bits(&random);
        }
        fr_probe_bound(probe, 64 * t.size + (1u << 20));
        fr_space *space = new_space(&allocator);
        fr_error error = {0};
        fr_status status = fr_space_replay(space, bytes, t.size, NULL, &error);
        assert_int_not_equal(status, FR_ERROR_MEMORY);
        assert_true(fr_space_validate(space, NULL));
        fr_space_destroy(space);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    free(bytes);
    free(t.bytes);
    fr_probe_destroy(probe);
}

static void put(tape *t, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    tape_keep(bytes, size, t);
}

// Places without end, and states that contradict what is there.
static void forged_places_are_refused(void **state) {
    (void)state;
    tape t = {0};
    tape_keep("FRSPACE\n\1\0\0\0", 12, &t);
    for (int i = 0; i < 1000; i++) {
        put(&t, FR__OPERATION_HOLE, 4);
    }
    assert_int_equal(play(t.bytes, t.size, NULL), FR_ERROR_CORRUPT);
    t.size = 12;
    for (int i = 0; i < 1000; i++) {
        put(&t, FR__OPERATION_JOINT_HOLE, 4);
    }
    assert_int_equal(play(t.bytes, t.size, NULL), FR_ERROR_CORRUPT);
    t.size = 12;
    put(&t, FR__OPERATION_PLACE, 4);
    for (int i = 0; i < 5; i++) {
        put(&t, 0, 8);
    }
    assert_int_equal(play(t.bytes, t.size, NULL), FR_ERROR_CORRUPT);
    t.size = 12;
    put(&t, FR__OPERATION_SET_VERTICES, 4);
    put(&t, 1, 8);
    put(&t, UINT32_MAX, 4);
    assert_int_equal(play(t.bytes, t.size, NULL), FR_ERROR_SYNTAX);
    t.size = 12;
    put(&t, FR__OPERATION_MESH, 4);
    put(&t, 0, 4);
    put(&t, UINT64_MAX, 8);
    assert_int_equal(play(t.bytes, t.size, NULL), FR_ERROR_SYNTAX);
    free(t.bytes);
}

// Many objects of a mesh with few vertices and many triangles, all deformed: a few bytes each, a tree each.
static void deforming_is_paid_for(void **state) {
    (void)state;
    enum { TRIANGLES = 2000, OBJECTS = 500 };
    static uint32_t triangles[3 * TRIANGLES];
    const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        triangles[i] = i % 3;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = points;
    def.vertex_count = 3;
    def.triangles = triangles;
    def.triangle_count = TRIANGLES;
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_space *space = new_space(NULL);
    tape t = {0};
    assert_int_equal(fr_space_record(space, tape_keep, &t, NULL), FR_OK);
    const fr_vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}};
    for (int i = 0; i < OBJECTS; i++) {
        fr_part_def part;
        fr_object_def object = test_mesh_object(mesh, &part);
        fr_object_id id;
        assert_int_equal(fr_object_add(space, &object, &id, NULL), FR_OK);
        assert_int_equal(fr_object_set_vertices(space, id, vertices, 3, NULL), FR_OK);
    }
    assert_int_equal(play(t.bytes, t.size, NULL), FR_ERROR_LIMIT);
    free(t.bytes);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory that runs out

static fr_status replay_with(const fr_allocator *allocator, void *context) {
    const tape *t = context;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status != FR_OK) { return status; }
    status = fr_space_replay(space, t->bytes, t->size, NULL, NULL);
    assert_true(fr_space_validate(space, NULL));
    fr_space_destroy(space);
    return status;
}

static void drop(const void *bytes, size_t size, void *context) {
    (void)bytes;
    *(size_t *)context += size;
}

static fr_status record_with(const fr_allocator *allocator, void *context) {
    const scene *meshes = context;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    size_t size = 0;
    fr_object_id id;
    fr_part_def part;
    fr_object_def object = test_mesh_object(meshes->meshes[0], &part);
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status == FR_OK) { status = fr_object_add(space, &object, &id, NULL); }
    if (status == FR_OK) { status = fr_space_record(space, drop, &size, NULL); }
    if (status == FR_OK) { status = fr_object_add_mesh(space, meshes->meshes[1], NULL, &id, NULL); }
    fr_space_destroy(space);
    return status;
}

static void every_failure_is_survived(void **state) {
    (void)state;
    tape t = record_of(8, 40);
    assert_true(test_every_failure(replay_with, &t) > 10);
    free(t.bytes);
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    assert_true(test_every_failure(record_with, &s) > 5);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_record_is_refused), cmocka_unit_test(histories_are_replayed_alike),
        cmocka_unit_test(a_mesh_is_recorded_once),      cmocka_unit_test(a_replay_can_be_stopped),
        cmocka_unit_test(cut_records_are_survived),     cmocka_unit_test(damaged_records_are_survived),
        cmocka_unit_test(forged_places_are_refused),    cmocka_unit_test(deforming_is_paid_for),
        cmocka_unit_test(every_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
