// Snapshots: they never change, live as long as they are held, and cost nothing when they are given back.
#include "failing.h"
#include "frame.h"
#include "histories.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void a_snapshot_outlives_its_world(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_world *world = world_open(&allocator);
    fr_mesh *box = world_mesh("box");
    (void)world_add(world, box, 0, 0, 0);
    (void)world_add(world, box, 0.5, 0, 0);
    world_tick(world);
    const fr_snapshot *first = fr_world_snapshot(world), *again = fr_world_snapshot(world);
    assert_ptr_equal(first, again);
    uint64_t hash = fr_snapshot_hash(first);
    for (int i = 0; i < 5; i++) {
        world_tick(world);
    }
    const fr_snapshot *last = fr_world_snapshot(world);
    fr_world_destroy(world);
    assert_true(fr_snapshot_hash(first) == hash && first->sequence == 1 && last->sequence == 6);
    fr_snapshot_release(again);
    assert_true(fr_snapshot_hash(first) == hash);
    fr_snapshot_release(first);
    fr_snapshot_release(last);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
    fr_mesh_release(box);
}

static void events_of_objects_that_come_and_go(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 0.5, 0, 0);
    world_tick(world);
    fr_event event = {0};
    assert_int_equal(world_events(world, FR_EVENT_ADDED, &event), 2);
    assert_true(fr_object_id_equal(event.a, b) && event.tick == 1);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_BEGIN, &event), 1);
    uint64_t first = event.id;

    // Another object at the same place is another touch.
    assert_int_equal(fr_object_remove(fr_world_space(world), b, NULL), FR_OK);
    fr_object_id c = world_add(world, box, 0.5, 0, 0);
    assert_int_equal(c.index1, b.index1);
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_REMOVED, &event), 1);
    assert_true(fr_object_id_equal(event.a, b));
    assert_int_equal(world_events(world, FR_EVENT_ADDED, &event), 1);
    assert_true(fr_object_id_equal(event.a, c));
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_END, &event), 1);
    assert_true(event.id == first && fr_object_id_equal(event.b, b));
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_BEGIN, &event), 1);
    assert_true(event.id > first && fr_object_id_equal(event.b, c) && fr_object_id_equal(event.a, a));
    world_tick(world);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_true(snapshot->event_count == 0 && snapshot->touch_count == 1);
    assert_true(snapshot->touches[0].since == 2 && snapshot->touches[0].id == event.id);
    fr_snapshot_release(snapshot);

    // What came and went between two ticks was never there.
    fr_object_id d = world_add(world, box, 9, 0, 0);
    assert_int_equal(fr_object_remove(fr_world_space(world), d, NULL), FR_OK);
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_ADDED, NULL), 0);
    assert_int_equal(world_events(world, FR_EVENT_REMOVED, NULL), 0);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void near_objects_do_not_touch(void **state) {
    (void)state;
    fr_world_def def = fr_default_world_def();
    def.margin = 0.5;
    def.want = FR_WANT_PAIRS;
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    fr_mesh *box = world_mesh("box");
    (void)world_add(world, box, 0, 0, 0);
    (void)world_add(world, box, 1.25, 0, 0);
    world_tick(world);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_true(snapshot->pair_count > 0 && snapshot->touch_count == 0 && snapshot->contacts == NULL);
    fr_snapshot_release(snapshot);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_BEGIN, NULL), 0);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void the_hash_sees_every_change(void **state) {
    (void)state;
    fr_world *world = world_open(NULL), *other = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    for (int i = 0; i < 2; i++) {
        (void)world_add(world, box, 0.5 * i, 0, 0);
        (void)world_add(other, box, 0.5 * i, 0, 0);
    }
    world_tick(world);
    world_tick(other);
    assert_true(world_hash(world) == world_hash(other));
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    fr_snapshot copy = *snapshot;
    copy.stats.ms_total += 1.0;
    assert_true(fr_snapshot_hash(&copy) == fr_snapshot_hash(snapshot));
    copy.is_partial = true;
    assert_true(fr_snapshot_hash(&copy) != fr_snapshot_hash(snapshot));
    copy = *snapshot;
    copy.pair_count--;
    assert_true(fr_snapshot_hash(&copy) != fr_snapshot_hash(snapshot));
    fr_event event = snapshot->events[0];
    event.name[31] = 'x';
    copy = *snapshot;
    copy.events = &event;
    copy.event_count = 1;
    uint64_t hash = fr_snapshot_hash(&copy);
    event.name[31] = 'y';
    assert_true(fr_snapshot_hash(&copy) != hash);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
    fr_world_destroy(other);
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads

enum { READERS = 3, MAIL_SLOTS = 8 };

// Snapshots on their way to the readers; a slot is empty, or holds one that nobody else has.
typedef struct mail {
    _Atomic(const fr_snapshot *) slots[MAIL_SLOTS];
    atomic_bool is_over;
    atomic_uint read;
} mail;

static void *read_mail(void *context) {
    mail *m = context;
    uint64_t sum = 0;
    while (true) {
        bool is_over = atomic_load(&m->is_over), any = false;
        for (int i = 0; i < MAIL_SLOTS; i++) {
            const fr_snapshot *snapshot = atomic_exchange(&m->slots[i], NULL);
            if (snapshot == NULL) { continue; }
            sum += fr_snapshot_hash(snapshot);
            atomic_fetch_add(&m->read, 1);
            fr_snapshot_release(snapshot);
            any = true;
        }
        if (is_over && !any) { return (void *)(uintptr_t)(sum & 1); }
        if (!any) { sched_yield(); }
    }
}

// Puts a snapshot where the readers find it.
static void send(mail *m, uint64_t slot, const fr_snapshot *snapshot) {
    fr_snapshot_release(atomic_exchange(&m->slots[slot % MAIL_SLOTS], snapshot));
}

typedef struct sender {
    mail *mail;
    fr_world *world;
    uint64_t sent, sequence; // of the last one that was sent
} sender;

// A mover may take a snapshot inside a tick: it is that of the tick before.
static fr_status send_from_tick(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal, (void)wishes, (void)error;
    sender *s = user;
    const fr_snapshot *snapshot = fr_world_snapshot(s->world);
    if (snapshot == NULL) { return FR_OK; }
    assert_true(snapshot->sequence > s->sequence);
    s->sequence = snapshot->sequence;
    send(s->mail, s->sent++, snapshot);
    return FR_OK;
}

static void any_thread_may_read_and_release(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    history h;
    assert_int_equal(history_open(&h, 3, &allocator), FR_OK);
    mail m;
    for (int i = 0; i < MAIL_SLOTS; i++) {
        atomic_init(&m.slots[i], NULL);
    }
    atomic_init(&m.is_over, false);
    atomic_init(&m.read, 0);
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_mail, &m), 0);
    }
    sender s = {.mail = &m, .world = h.world};
    const fr_corrector mover = {"sender", send_from_tick, &s};
    assert_int_equal(fr_world_add_mover(h.world, &mover, NULL), FR_OK);
    uint64_t ticks = test_count(400, 20000);
    for (uint64_t i = 0; i < ticks; i++) {
        assert_int_equal(history_step(&h, NULL), FR_OK);
        world_tick(h.world);
        send(&m, i, fr_world_snapshot(h.world));
    }
    assert_true(s.sent + 1 >= ticks);
    history_close(&h); // before the last snapshots are given back
    atomic_store(&m.is_over, true);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i], NULL), 0);
    }
    assert_true(atomic_load(&m.read) > 0);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_outlives_its_world),   cmocka_unit_test(events_of_objects_that_come_and_go),
        cmocka_unit_test(near_objects_do_not_touch),       cmocka_unit_test(the_hash_sees_every_change),
        cmocka_unit_test(any_thread_may_read_and_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
