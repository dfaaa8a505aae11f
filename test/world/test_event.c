// Events that correctors report: taken or refused whole, in order, in the hash, recorded and replayed.
#include "failing.h"
#include "tape.h"
#include "worlds.h"

#include <math.h>

#define TELLER_EVENTS 8

// A corrector that reports a list of events every tick, and the status it got.
typedef struct reporter {
    fr_event events[TELLER_EVENTS];
    uint32_t count;
    uint32_t times; // each of them
    fr_status status;
    fr_error error;
} reporter;

static fr_status report(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal, (void)error;
    reporter *t = user;
    t->status = FR_OK;
    for (uint32_t i = 0; i < t->count * t->times && t->status == FR_OK; i++) {
        t->status = fr_wishes_add_event(wishes, &t->events[i % t->count], &t->error);
    }
    return t->status == FR_ERROR_MEMORY ? t->status : FR_OK;
}

static fr_event snap_of(fr_object_id a, fr_object_id b) {
    fr_event event = {.kind = FR_EVENT_SNAP, .a = a, .b = b, .speed = 0.5, .area = 0.25, .pull = 0.75, .count = 2};
    event.point = fr_vec3_make(1, 2, 3);
    return event;
}

static void add_reporter(fr_world *world, reporter *t) {
    fr_corrector corrector = {"reporter", report, t};
    t->times = 1;
    assert_int_equal(fr_world_add_corrector(world, &corrector, NULL), FR_OK);
}

static fr_status report_alone(fr_world *world, reporter *t, const fr_event *event) {
    t->events[0] = *event;
    t->count = 1;
    world_tick(world);
    return t->status;
}

static void what_is_no_event_of_handling_is_refused(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 5, 0, 0);
    reporter t = {0};
    add_reporter(world, &t);
    fr_event right = snap_of(a, b), wrong = right;
    assert_int_equal(report_alone(world, &t, &right), FR_OK);
    assert_int_equal(world_events(world, FR_EVENT_SNAP, NULL), 1);

    wrong.kind = FR_EVENT_CORRECTED;
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_ARGUMENT);
    wrong.kind = (fr_event_kind)FR_EVENT_KIND_COUNT;
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_ARGUMENT);
    double *numbers[] = {&wrong.value, &wrong.speed, &wrong.area, &wrong.pull, &wrong.point.z};
    for (int i = 0; i < 5; i++) {
        wrong = right;
        *numbers[i] = i % 2 == 0 ? NAN : INFINITY;
        assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_NOT_FINITE);
    }
    wrong = right;
    wrong.a.index1 = 0;
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_remove(fr_world_space(world), b, NULL), FR_OK);
    assert_int_equal(report_alone(world, &t, &right), FR_ERROR_STALE_ID);
    assert_int_equal(world_events(world, FR_EVENT_SNAP, NULL), 0);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// A name of 31 bytes fits; none, one without an end and one that is no UTF-8 are refused, and so are its numbers.
static void a_named_event_has_a_name_and_two_numbers(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 5, 0, 0);
    reporter t = {0};
    add_reporter(world, &t);
    fr_event right = {.kind = FR_EVENT_NAMED, .a = a, .b = b, .value = 0.25, .second = 7, .name = "will_hit"};
    fr_event got = {0}, wrong = right;
    memset(right.name + 9, 'x', 5); // what stands after the end is no part of it
    assert_int_equal(report_alone(world, &t, &right), FR_OK);
    assert_int_equal(world_events(world, FR_EVENT_NAMED, &got), 1);
    assert_true(got.value == 0.25 && got.second == 7 && got.b.index1 == b.index1);
    const char name[sizeof got.name] = "will_hit";
    assert_memory_equal(got.name, name, sizeof name);

    memset(wrong.name, 'n', FR_WORLD_STATE_NAME_MAX_BYTES);
    wrong.b = (fr_object_id){0, 0, 0};
    assert_int_equal(report_alone(world, &t, &wrong), FR_OK);
    memset(wrong.name, 'n', sizeof wrong.name);
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_ARGUMENT);
    memset(wrong.name, 0, sizeof wrong.name);
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_ARGUMENT);
    wrong.name[0] = (char)0xff;
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_ARGUMENT);
    wrong = right;
    wrong.second = NAN;
    assert_int_equal(report_alone(world, &t, &wrong), FR_ERROR_NOT_FINITE);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void there_is_an_end_to_them(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0);
    reporter t = {.count = 1, .events = {{.kind = FR_EVENT_FORCE, .a = a, .value = 1}}};
    add_reporter(world, &t);
    t.times = FR_WISHES_MAX_EVENTS + 1;
    world_tick(world);
    assert_int_equal(t.status, FR_ERROR_LIMIT);
    assert_int_equal(world_events(world, FR_EVENT_FORCE, NULL), FR_WISHES_MAX_EVENTS);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// After limits and corrections, before states, with nothing in them but what their kind has.
static void they_stand_in_order_among_the_others(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 5, 0, 0);
    world_tick(world);
    reporter t = {.count = 3};
    t.events[0] = (fr_event){.kind = FR_EVENT_FORCE, .a = a, .value = 3, .id = 9, .fraction = 0.5, .name = "x"};
    t.events[1] = snap_of(b, a);
    t.events[2] = (fr_event){.kind = FR_EVENT_CONTACT, .a = a, .b = b, .speed = 1};
    shift s = {.object = a, .travel = {0, 1, 0}, .kind = FR_WISH_NEXT};
    fr_corrector up = {"up", shift_propose, &s};
    assert_int_equal(fr_world_add_corrector(world, &up, NULL), FR_OK);
    add_reporter(world, &t);
    fr_pose hand = pose_at(1, 0, 0);
    assert_int_equal(fr_world_drag(world, a, &hand, NULL), FR_OK);
    assert_int_equal(fr_world_set_state(world, b, "open", 1, NULL), FR_OK);
    world_tick(world);

    const fr_snapshot *snapshot = fr_world_snapshot(world);
    const fr_event_kind kinds[] = {FR_EVENT_HELD, FR_EVENT_CORRECTED, FR_EVENT_FORCE,
                                   FR_EVENT_SNAP, FR_EVENT_CONTACT,   FR_EVENT_STATE};
    assert_int_equal(snapshot->event_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(snapshot->events[i].kind, kinds[i]);
        assert_true(snapshot->events[i].tick == 2 && snapshot->events[i].time == snapshot->time);
    }
    const fr_event *force = &snapshot->events[2], *snap = &snapshot->events[3];
    assert_true(force->value == 3 && force->id == 0 && force->fraction == 1 && force->name[0] == '\0');
    assert_true(fr_object_id_equal(snap->a, b) && fr_object_id_equal(snap->b, a) && snap->speed == 0.5);
    assert_true(snap->area == 0.25 && snap->pull == 0.75 && snap->count == 2 && snap->point.z == 3);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// Events of a failed tick are not reported by the next one.
static void a_tick_that_fails_reports_nothing(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0);
    reporter t = {.count = 1, .events = {{.kind = FR_EVENT_FORCE, .a = a, .value = 1}}};
    add_reporter(world, &t);
    shift s = {.object = a, .kind = FR_WISH_STAY, .fails = FR_ERROR_STOPPED};
    fr_corrector failing = {"failing", shift_propose, &s};
    assert_int_equal(fr_world_add_corrector(world, &failing, NULL), FR_OK);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_ERROR_STOPPED);
    s.fails = FR_OK;
    t.count = 0;
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_FORCE, NULL), 0);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static uint64_t hash_of(const fr_event *event) {
    fr_snapshot snapshot = {.events = event, .event_count = 1};
    return fr_snapshot_hash(&snapshot);
}

static void the_hash_has_every_number_of_them(void **state) {
    (void)state;
    fr_object_id a = {1, 0, 7}, b = {2, 0, 7};
    fr_event event = snap_of(a, b), other = event;
    uint64_t hash = hash_of(&event);
    double *numbers[] = {&other.value, &other.speed, &other.area, &other.pull, &other.point.y};
    for (int i = 0; i < 5; i++) {
        other = event;
        *numbers[i] += 1.0;
        assert_true(hash_of(&other) != hash);
    }
    other = event;
    other.count++;
    assert_true(hash_of(&other) != hash);
    assert_true(hash_of(&event) == hash);

    fr_event named = {.kind = FR_EVENT_NAMED, .a = a, .second = 1, .name = "door_opens"}, changed = named;
    hash = hash_of(&named);
    changed.second = 2;
    assert_true(hash_of(&changed) != hash);
    changed = named;
    changed.name[9] = 'z';
    assert_true(hash_of(&changed) != hash);
}

static void records_hold_reported_events(void **state) {
    (void)state;
    fr_world *world = world_open(NULL), *again = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 5, 0, 0);
    reporter t = {.count = 3, .events = {snap_of(a, b), {.kind = FR_EVENT_FORCE, .a = b, .value = 2}}};
    t.events[2] =
        (fr_event){.kind = FR_EVENT_NAMED, .a = a, .value = 3, .second = 4, .name = "a name of 31 bytes, no more, ye"};
    add_reporter(world, &t);
    tape record = {0};
    assert_int_equal(fr_world_record(world, tape_keep, &record, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        t.events[1].value += 1.0;
        world_tick(world);
    }
    fr_error error = {0};
    if (fr_world_replay(again, record.bytes, record.size, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(world_hash(world) == world_hash(again));
    fr_event snap = {0}, force = {0}, named = {0};
    assert_int_equal(world_events(again, FR_EVENT_SNAP, &snap), 1);
    assert_int_equal(world_events(again, FR_EVENT_FORCE, &force), 1);
    assert_int_equal(world_events(again, FR_EVENT_NAMED, &named), 1);
    assert_true(named.value == 3 && named.second == 4);
    assert_string_equal(named.name, t.events[2].name);
    assert_true(snap.point.x == 1 && snap.b.index1 == b.index1 && force.value == 5);

    // Cut anywhere it is a record that ends, or a status; changed anywhere, no harm.
    for (size_t size = 0; size < record.size; size += 7) {
        fr_world *cut = world_open(NULL);
        (void)fr_world_replay(cut, record.bytes, size, NULL, NULL);
        fr_world_destroy(cut);
    }
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < 200; i++) {
        size_t at = (size_t)fr_random_below(&random, (uint32_t)record.size);
        unsigned char *byte = record.bytes + at, before = *byte;
        *byte ^= (unsigned char)(1u << fr_random_below(&random, 8));
        fr_world *hurt = world_open(NULL);
        (void)fr_world_replay(hurt, record.bytes, record.size, NULL, NULL);
        fr_world_destroy(hurt);
        *byte = before;
    }
    free(record.bytes);
    fr_world_destroy(world);
    fr_world_destroy(again);
    fr_mesh_release(box);
}

static fr_status make_and_report(const fr_allocator *allocator, void *context) {
    fr_world *world;
    reporter t = {.count = 1, .times = 40, .events = {{.kind = FR_EVENT_FORCE, .value = 1}}};
    fr_status status = world_try(allocator, context, &world, &t.events[0].a);
    fr_corrector corrector = {"reporter", report, &t};
    if (status == FR_OK) { status = fr_world_add_corrector(world, &corrector, NULL); }
    if (status == FR_OK) { status = fr_world_tick(world, NULL, NULL); }
    fr_world_destroy(world);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fr_mesh *box = world_mesh("box");
    assert_true(test_every_failure(make_and_report, box) > 5);
    fr_mesh_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_event_of_handling_is_refused),
        cmocka_unit_test(there_is_an_end_to_them),
        cmocka_unit_test(they_stand_in_order_among_the_others),
        cmocka_unit_test(a_tick_that_fails_reports_nothing),
        cmocka_unit_test(the_hash_has_every_number_of_them),
        cmocka_unit_test(records_hold_reported_events),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(a_named_event_has_a_name_and_two_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
