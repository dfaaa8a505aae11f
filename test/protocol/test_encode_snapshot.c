// Messages of snapshots that are made by hand.
#include "failing.h"
#include "heap_calls.h"
#include "sample.h"

#include <float.h>
#include <string.h>

static const fr_pose here = {{1, 0, 0, 0}, {0, 0, 0}, 1};

static fr_snapshot_object object(uint32_t index1, uint32_t generation, double x, fr_hold hold) {
    fr_snapshot_object made = {.id = {index1, generation, 7}, .pose = here, .hold = hold};
    made.pose.position.x = x;
    return made;
}

typedef struct fixture {
    fr_encoder *encoder;
    fr_array out;
    fr_arena *arena;
    fr_message message;
} fixture;

static fixture make(void) {
    fixture f = {.out = fr_array_make(1, NULL)};
    assert_int_equal(fr_encoder_create(NULL, &f.encoder, NULL), FR_OK);
    assert_int_equal(fr_arena_create(0, NULL, &f.arena, NULL), FR_OK);
    return f;
}

static void unmake(fixture *f) {
    fr_encoder_destroy(f->encoder);
    fr_array_destroy(&f->out);
    fr_arena_destroy(f->arena);
}

// Reads the one message that was made.
static const fr_message *made(fixture *f) {
    fr_frame frame = {f->out.data, f->out.count, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    assert_true(fr_frame_next(&frame, &packet, &status, NULL));
    assert_int_equal(frame.at, f->out.count);
    assert_int_equal(fr_protocol_read(&packet, f->arena, &f->message, NULL), FR_OK);
    f->out.count = 0;
    return &f->message;
}

// ---------------------------------------------------------------------------------------------------------------
// State

static void a_complete_state_lists_all(void **state) {
    (void)state;
    fixture f = make();
    fr_snapshot_object objects[] = {object(1, 0, 1, FR_HOLD_FREE), object(4, 2, 2, FR_HOLD_PLACED)};
    fr_snapshot snapshot = {.sequence = 9, .tick = 5, .time = 0.5, .is_paused = true, .objects = objects};
    snapshot.object_count = 2;
    assert_int_equal(fr_protocol_encode_state(f.encoder, &snapshot, NULL, &f.out, NULL), FR_OK);
    const fr_message_state *received = &made(&f)->as.state;
    assert_true(received->sequence == 9 && received->since == 0 && received->tick == 5 && received->time == 0.5);
    assert_int_equal(received->flags, FR_STATE_COMPLETE | FR_STATE_PAUSED);
    assert_int_equal(received->body_count, 2);
    assert_true(received->bodies[1].object.index1 == 4 && received->bodies[1].object.generation == 2);
    assert_int_equal(received->bodies[1].hold, FR_HOLD_PLACED);
    assert_true(received->bodies[1].pose.position.x == 2);
    unmake(&f);
}

static void changes_are_poses_holds_and_places(void **state) {
    (void)state;
    fixture f = make();
    fr_snapshot_object before[] = {object(1, 0, 1, FR_HOLD_FREE), object(2, 0, 2, FR_HOLD_FREE),
                                   object(3, 0, 3, FR_HOLD_FREE), object(5, 0, 5, FR_HOLD_FREE),
                                   object(6, 0, 6, FR_HOLD_FREE)};
    fr_snapshot_object after[] = {object(1, 0, 1, FR_HOLD_FREE), // the same
                                  object(2, 0, 9, FR_HOLD_FREE), // moved
                                  object(3, 0, 3, FR_HOLD_HELD), // held
                                  object(4, 0, 4, FR_HOLD_FREE), // new
                                  object(6, 1, 6, FR_HOLD_FREE), // another at its place; 5 is gone
                                  object(7, 0, 7, FR_HOLD_FREE)};
    fr_snapshot old = {.sequence = 3, .objects = before, .object_count = 5};
    fr_snapshot new = {.sequence = 4, .is_partial = true, .objects = after, .object_count = 6};
    assert_int_equal(fr_protocol_encode_state(f.encoder, &new, &old, &f.out, NULL), FR_OK);
    const fr_message_state *received = &made(&f)->as.state;
    static const uint32_t expected[] = {2, 3, 4, 6, 7};
    assert_true(received->since == 3 && received->flags == FR_STATE_PARTIAL);
    assert_int_equal(received->body_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(received->bodies[i].object.index1, expected[i]);
    }

    assert_int_equal(fr_protocol_encode_state(f.encoder, &new, &new, &f.out, NULL), FR_OK);
    assert_int_equal(made(&f)->as.state.body_count, 0);
    unmake(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs, contacts, events, stats

static void pairs_are_capped_and_counted(void **state) {
    (void)state;
    fixture f = make();
    enum { COUNT = FR_PROTOCOL_MAX_PAIRS + 10 };
    fr_array pairs = fr_array_make(sizeof(fr_face_pair), NULL);
    fr_face_pair *all = fr_array_push(&pairs, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = (fr_face_pair){2, 5, i, 2 * i, 0, FR_CONTACT_START};
    }
    fr_snapshot snapshot = {.sequence = 8, .pairs = all, .pair_count = 3};
    assert_int_equal(fr_protocol_encode_pairs(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    const fr_message_pairs *received = &made(&f)->as.pairs;
    assert_true(received->sequence == 8 && received->total == 3 && received->pair_count == 3);
    assert_true(received->pairs[2].a == 3 && received->pairs[2].b == 6 && received->pairs[2].triangle_a == 2 &&
                received->pairs[2].triangle_b == 4 && received->pairs[2].flags == FR_CONTACT_START);

    snapshot.pair_count = COUNT;
    assert_int_equal(fr_protocol_encode_pairs(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    received = &made(&f)->as.pairs;
    assert_true(received->total == COUNT && received->pair_count == FR_PROTOCOL_MAX_PAIRS);
    assert_int_equal(received->pairs[FR_PROTOCOL_MAX_PAIRS - 1].triangle_a, FR_PROTOCOL_MAX_PAIRS - 1);

    snapshot.pair_count = 0;
    assert_int_equal(fr_protocol_encode_pairs(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    assert_int_equal(made(&f)->as.pairs.pair_count, 0);
    fr_array_destroy(&pairs);
    unmake(&f);
}

static void contacts_are_spread_over_all(void **state) {
    (void)state;
    fixture f = make();
    enum { COUNT = 2 * FR_PROTOCOL_MAX_CONTACTS + 1 };
    fr_array contacts = fr_array_make(sizeof(fr_contact), NULL);
    fr_contact *all = fr_array_push(&contacts, COUNT);
    memset(all, 0, COUNT * sizeof *all);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i].a = (fr_object_id){3, 0, 1};
        all[i].b = (fr_object_id){4, 0, 1};
        all[i].point.x = i;
        all[i].normal = (fr_vec3){0, 1, 0};
        all[i].distance = i == 0 ? FR_UNKNOWN : i == 1 ? 1e300 : -1e300;
        all[i].flags = FR_CONTACT_NEAR;
    }
    fr_snapshot snapshot = {.sequence = 8, .contacts = all, .pair_count = 3};
    assert_int_equal(fr_protocol_encode_contacts(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    const fr_message_contacts *received = &made(&f)->as.contacts;
    assert_true(received->total == 3 && received->contact_count == 3);
    assert_true(received->contacts[0].distance == 0 && received->contacts[1].distance == FLT_MAX &&
                received->contacts[2].distance == -FLT_MAX);
    assert_true(received->contacts[1].a == 3 && received->contacts[1].b == 4 && received->contacts[1].point.x == 1 &&
                received->contacts[1].normal_y == 1 && received->contacts[1].flags == FR_CONTACT_NEAR);

    for (snapshot.pair_count = FR_PROTOCOL_MAX_CONTACTS - 1; snapshot.pair_count <= COUNT; snapshot.pair_count++) {
        if (snapshot.pair_count == FR_PROTOCOL_MAX_CONTACTS + 2) { snapshot.pair_count = COUNT - 1; }
        assert_int_equal(fr_protocol_encode_contacts(f.encoder, &snapshot, &f.out, NULL), FR_OK);
        received = &made(&f)->as.contacts;
        assert_int_equal(received->total, snapshot.pair_count);
        assert_true(received->contact_count <= FR_PROTOCOL_MAX_CONTACTS && received->contact_count >= COUNT / 3 / 2);
        double first = received->contacts[0].point.x, last = received->contacts[received->contact_count - 1].point.x;
        assert_true(first == 0 && last + 3 >= (double)snapshot.pair_count);
    }
    snapshot.contacts = NULL;
    assert_int_equal(fr_protocol_encode_contacts(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    assert_int_equal(made(&f)->as.contacts.total, 0);
    fr_array_destroy(&contacts);
    unmake(&f);
}

// Of those that began or ended alone, each with its times and, where it is in contact in the tick, its place.
static void face_touches_are_sent_when_they_change(void **state) {
    (void)state;
    fixture f = make();
    fr_face_pair pairs[2] = {{.flags = FR_CONTACT_NEAR}, {.flags = FR_CONTACT_START}};
    fr_contact contacts[2];
    memset(contacts, 0, sizeof contacts);
    contacts[1].point = (fr_vec3){7, 8, 9};
    fr_face_touch touches[] = {
        {{1, 0, 9}, {2, 0, 9}, 3, 4, .id = 5, .begin = 0.5, .end = FR_UNKNOWN, .is_new = false, .pair = 0},
        {{1, 0, 9}, {2, 0, 9}, 3, 5, .id = 6, .begin = 1.5, .end = FR_UNKNOWN, .is_new = true, .pair = 1},
        {{1, 0, 9}, {2, 0, 9}, 3, 6, .id = 2, .begin = 0.25, .end = 1.0, .is_new = false, .pair = FR_NONE}};
    fr_snapshot snapshot = {.sequence = 11, .time = 2, .face_touches = touches, .sense = FR_SENSE_CONTINUOUS};
    snapshot.step_result.pairs = pairs;
    snapshot.step_result.contacts = contacts;
    snapshot.face_touch_count = 1;
    assert_int_equal(fr_protocol_encode_face_touches(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    assert_int_equal(f.out.count, 0);
    snapshot.face_touch_count = 3;
    assert_int_equal(fr_protocol_encode_face_touches(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    const fr_message_face_touches *received = &made(&f)->as.face_touches;
    assert_true(received->sequence == 11 && received->total == 2 && received->face_touch_count == 2);
    const fr_wire_face_touch *begun = &received->face_touches[0], *ended = &received->face_touches[1];
    assert_true(begun->a == 1 && begun->b == 2 && begun->triangle_a == 3 && begun->triangle_b == 5 && begun->id == 6);
    assert_true(begun->phase == (FR_PHASE_BEGAN | FR_PHASE_POINT) && begun->flags == FR_CONTACT_START);
    assert_true(begun->begin == 1.5 && begun->end == 2 && begun->point.y == 8);
    assert_true(ended->phase == FR_PHASE_ENDED && ended->id == 2 && ended->begin == 0.25 && ended->end == 1.0);
    assert_true(ended->flags == 0 && ended->point.x == 0);

    // Without contacts, and at the poses alone.
    snapshot.step_result.contacts = NULL;
    snapshot.sense = FR_SENSE_STATIC;
    snapshot.pairs = pairs;
    assert_int_equal(fr_protocol_encode_face_touches(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    assert_int_equal(made(&f)->as.face_touches.face_touches[0].phase, FR_PHASE_BEGAN);
    unmake(&f);
}

static void face_touches_are_spread_over_all(void **state) {
    (void)state;
    fixture f = make();
    enum { COUNT = 2 * FR_PROTOCOL_MAX_FACE_TOUCHES + 1 };
    fr_array touches = fr_array_make(sizeof(fr_face_touch), NULL);
    fr_face_touch *all = fr_array_push(&touches, COUNT);
    assert_non_null(all);
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = (fr_face_touch){.triangle_a = i, .end = 1.0, .pair = FR_NONE};
    }
    fr_snapshot snapshot = {.face_touches = all};
    const size_t counts[] = {FR_PROTOCOL_MAX_FACE_TOUCHES, FR_PROTOCOL_MAX_FACE_TOUCHES + 1, COUNT - 1, COUNT};
    for (size_t i = 0; i < 4; i++) {
        snapshot.face_touch_count = counts[i];
        assert_int_equal(fr_protocol_encode_face_touches(f.encoder, &snapshot, &f.out, NULL), FR_OK);
        const fr_message_face_touches *received = &made(&f)->as.face_touches;
        assert_true(received->total == counts[i] && received->face_touch_count <= FR_PROTOCOL_MAX_FACE_TOUCHES);
        assert_true(received->face_touch_count > FR_PROTOCOL_MAX_FACE_TOUCHES / 2);
        assert_true(received->face_touches[0].triangle_a == 0);
        assert_true(received->face_touches[received->face_touch_count - 1].triangle_a + 3 >= counts[i]);
    }
    fr_array_destroy(&touches);
    unmake(&f);
}

static void events_and_stats_are_sent(void **state) {
    (void)state;
    fixture f = make();
    fr_event events[] = {{.kind = FR_EVENT_TOUCH_BEGIN, .a = {1, 2, 9}, .b = {3, 4, 9}, .id = 5, .tick = 6, .time = 7},
                         {.kind = FR_EVENT_STATE, .a = {1, 2, 9}, .value = 0.5, .name = "open"},
                         {.kind = FR_EVENT_SNAP, .a = {1, 2, 9}, .b = {3, 4, 9}, .speed = 0.5, .area = 1e300}};
    events[2].pull = 0.75;
    events[2].count = 2;
    events[2].point = fr_vec3_make(1, 2, 3);
    fr_snapshot snapshot = {.sequence = 11, .events = events, .event_count = 3};
    assert_int_equal(fr_protocol_encode_events(f.encoder, &snapshot, &f.out, NULL), FR_OK);
    const fr_message_events *received = &made(&f)->as.events;
    assert_int_equal(received->event_count, 3);
    assert_true(received->events[0].kind == FR_EVENT_TOUCH_BEGIN && received->events[0].b.generation == 4 &&
                received->events[0].id == 5 && received->events[0].tick == 6 && received->events[0].time == 7);
    assert_string_equal(received->events[0].name, "");
    assert_string_equal(received->events[1].name, "open");
    assert_true(received->events[1].value == 0.5 && received->events[1].point.z == 0 && received->events[1].count == 0);
    assert_true(received->events[2].kind == FR_EVENT_SNAP && received->events[2].speed == 0.5f &&
                received->events[2].area == FLT_MAX && received->events[2].pull == 0.75f &&
                received->events[2].count == 2 && received->events[2].point.z == 3);

    snapshot.stats = (fr_tick_stats){.ms_movers = 1,
                                     .ms_correctors = 2,
                                     .ms_joints = 3,
                                     .ms_update = 4,
                                     .ms_collide = 3,
                                     .ms_collide_step = 2,
                                     .ms_events = 6,
                                     .ms_snapshot = 7,
                                     .ms_total = 8,
                                     .collide = {.object_pairs = 4, .candidates = 4, .tested = 5},
                                     .collide_step = {.object_pairs = 5, .candidates = 6, .tested = 6}};
    fr_protocol_service service = {1e300, 12, 13};
    assert_int_equal(fr_protocol_encode_stats(&snapshot, &service, &f.out, NULL), FR_OK);
    const fr_message_stats *stats = &made(&f)->as.stats;
    assert_true(stats->sequence == 11 && stats->ms_movers == 1 && stats->ms_correctors == 2 && stats->ms_joints == 3 &&
                stats->ms_update == 4 && stats->ms_collide == 5 && stats->ms_events == 6 && stats->ms_snapshot == 7 &&
                stats->ms_total == 8 && stats->ms_encode == FLT_MAX && stats->clients == 12 &&
                stats->object_pairs == 9 && stats->candidates == 10 && stats->tested == 11 && stats->dropped == 13);
    unmake(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static fr_status encode_all(const fr_allocator *allocator, void *context) {
    const fr_snapshot *snapshot = context;
    fr_encoder *encoder = NULL;
    fr_array out = fr_array_make(1, allocator);
    fr_status status = fr_encoder_create(allocator, &encoder, NULL);
    if (status == FR_OK) { status = fr_protocol_encode_state(encoder, snapshot, NULL, &out, NULL); }
    size_t whole = out.count;
    if (status == FR_OK) { status = fr_protocol_encode_pairs(encoder, snapshot, &out, NULL); }
    if (status == FR_OK) { whole = out.count; }
    if (status == FR_OK) { status = fr_protocol_encode_contacts(encoder, snapshot, &out, NULL); }
    if (status == FR_OK) { whole = out.count; }
    if (status == FR_OK) { status = fr_protocol_encode_face_touches(encoder, snapshot, &out, NULL); }
    if (status == FR_OK) { whole = out.count; }
    if (status == FR_OK) { status = fr_protocol_encode_events(encoder, snapshot, &out, NULL); }
    if (status == FR_OK) { whole = out.count; }
    const fr_protocol_service service = {0.5, 12, 13};
    if (status == FR_OK) { status = fr_protocol_encode_stats(snapshot, &service, &out, NULL); }
    if (status != FR_OK) { assert_int_equal(out.count, whole); }
    test_note(out.data, status == FR_OK ? out.count : 0);
    fr_encoder_destroy(encoder);
    fr_array_destroy(&out);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_snapshot_object objects[] = {object(1, 0, 1, FR_HOLD_FREE)};
    fr_face_pair pairs[3] = {{0}};
    fr_contact contacts[3];
    memset(contacts, 0, sizeof contacts);
    fr_event events[2] = {{0}};
    fr_face_touch touches[2] = {{.end = 1.0, .pair = FR_NONE}};
    fr_snapshot snapshot = {.objects = objects,
                            .object_count = 1,
                            .pairs = pairs,
                            .pair_count = 3,
                            .contacts = contacts,
                            .face_touches = touches,
                            .face_touch_count = 1,
                            .events = events,
                            .event_count = 2};
    assert_true(test_every_failure(encode_all, &snapshot) > 5);
}

static void a_warm_encoder_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_encoder *encoder;
    assert_int_equal(fr_encoder_create(&allocator, &encoder, NULL), FR_OK);
    fr_array out = fr_array_make(1, &allocator);
    fr_snapshot_object objects[] = {object(1, 0, 1, FR_HOLD_FREE), object(2, 0, 1, FR_HOLD_FREE)};
    fr_face_pair pairs[3] = {{0}};
    fr_snapshot snapshot = {.objects = objects, .object_count = 2, .pairs = pairs, .pair_count = 3};
    uint64_t before = 0;
    for (int round = 0; round < 3; round++) {
        out.count = 0;
        assert_int_equal(fr_protocol_encode_state(encoder, &snapshot, NULL, &out, NULL), FR_OK);
        assert_int_equal(fr_protocol_encode_pairs(encoder, &snapshot, &out, NULL), FR_OK);
        if (round == 0) { before = test_allocations(probe); }
    }
    assert_int_equal(test_allocations(probe), before);
    fr_encoder_destroy(encoder);
    fr_array_destroy(&out);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_complete_state_lists_all),
        cmocka_unit_test(changes_are_poses_holds_and_places),
        cmocka_unit_test(pairs_are_capped_and_counted),
        cmocka_unit_test(contacts_are_spread_over_all),
        cmocka_unit_test(face_touches_are_sent_when_they_change),
        cmocka_unit_test(face_touches_are_spread_over_all),
        cmocka_unit_test(events_and_stats_are_sent),
        cmocka_unit_test(every_failure_of_memory_is_survived),
        cmocka_unit_test(a_warm_encoder_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
