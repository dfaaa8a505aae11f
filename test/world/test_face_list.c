// Faces that touch, followed from tick to tick: one id and one begin for each contact, however many steps it lasts.
#include "frame.h"
#include "heap_calls.h"
#include "histories.h"

static fr_world *open_following(fr_sense sense, const fr_allocator *allocator) {
    fr_world_def def = fr_default_world_def();
    def.sense = sense;
    def.want = FR_WANT_INTERVALS;
    def.step = 0.5;
    if (allocator != NULL) { def.allocator = *allocator; }
    fr_world *world = NULL;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    return world;
}

// A box of edge 1 at rest, and one that goes along x past it, `way` metres a step, a bit to the side.
typedef struct passing {
    fr_world *world;
    fr_mesh *box;
    fr_object_id still, moved;
    shift shift;
} passing;

static void passing_open(passing *p, fr_sense sense, double from, double way) {
    *p = (passing){.world = open_following(sense, NULL), .box = world_mesh("box")};
    p->still = world_add(p->world, p->box, 0, 0, 0);
    p->moved = world_add(p->world, p->box, from, 0.25, 0.125);
    p->shift = (shift){.object = p->moved, .travel = {way, 0, 0}};
    world_shift(p->world, &p->shift);
}

static void passing_close(passing *p) {
    fr_world_destroy(p->world);
    fr_mesh_release(p->box);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void only_those_who_ask_are_told(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    (void)world_add(world, box, 0, 0, 0);
    (void)world_add(world, box, 0.5, 0.25, 0.125);
    world_tick(world);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_true(snapshot->pair_count > 0 && snapshot->face_touch_count == 0);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// 8 m in one step of half a second: from 3/8 to 5/8 of it.
static void a_passage_inside_a_step_is_whole(void **state) {
    (void)state;
    passing p;
    passing_open(&p, FR_SENSE_CONTINUOUS, -4, 8);
    world_tick(p.world);
    const fr_snapshot *snapshot = fr_world_snapshot(p.world);
    assert_int_equal(snapshot->face_touch_count, snapshot->step_result.interval_count);
    assert_true(snapshot->face_touch_count > 0);
    double first = 1, last = 0;
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        const fr_face_pair *pair = &snapshot->step_result.pairs[touch->pair];
        assert_true(fr_object_id_equal(touch->a, p.still) && fr_object_id_equal(touch->b, p.moved));
        assert_true(pair->triangle_a == touch->triangle_a && pair->triangle_b == touch->triangle_b);
        assert_true(touch->id == i + 1 && touch->begin <= touch->end);
        first = touch->begin < first ? touch->begin : first;
        last = touch->end > last ? touch->end : last;
    }
    assert_true(first <= 0.1875 && first > 0.1875 - 1e-5 && last >= 0.3125 && last < 0.3125 + 1e-5);
    fr_snapshot_release(snapshot);
    world_tick(p.world);
    snapshot = fr_world_snapshot(p.world);
    assert_int_equal(snapshot->face_touch_count, 0);
    fr_snapshot_release(snapshot);
    passing_close(&p);
}

// At instants alone: begins where it is first found, ends where it is found no more. 0.5 m a step from -2.25: x is
// -0.75, -0.25, 0.25 and 0.75 at ticks 3 to 6.
static void at_instants_it_is_told_from_found_to_not_found(void **state) {
    (void)state;
    passing p;
    passing_open(&p, FR_SENSE_STATIC, -2.25, 0.5);
    double first = 100, last = 0;
    for (int i = 0; i < 10; i++) {
        world_tick(p.world);
        const fr_snapshot *snapshot = fr_world_snapshot(p.world);
        size_t lasting = 0;
        for (size_t k = 0; k < snapshot->face_touch_count; k++) {
            const fr_face_touch *touch = &snapshot->face_touches[k];
            first = touch->begin < first ? touch->begin : first;
            lasting += fr_is_unknown(touch->end);
            if (!fr_is_unknown(touch->end)) { last = touch->end > last ? touch->end : last; }
            assert_true(fr_is_unknown(touch->end) == (touch->pair != FR_NONE));
        }
        assert_int_equal(lasting, snapshot->pair_count);
        fr_snapshot_release(snapshot);
    }
    assert_true(first == 1.5 && last == 3.5);
    passing_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

static void who_is_gone_touches_no_more(void **state) {
    (void)state;
    passing p;
    passing_open(&p, FR_SENSE_CONTINUOUS, -0.5, 0);
    world_tick(p.world);
    const fr_snapshot *before = fr_world_snapshot(p.world);
    assert_true(before->face_touch_count > 0 && fr_is_unknown(before->face_touches[0].end));
    assert_int_equal(fr_object_remove(fr_world_space(p.world), p.moved, NULL), FR_OK);
    fr_object_id other = world_add(p.world, p.box, -0.5, 0.25, 0.125);
    assert_int_equal(other.index1, p.moved.index1);
    world_tick(p.world);
    const fr_snapshot *after = fr_world_snapshot(p.world);
    size_t ended = 0, begun = 0;
    for (size_t i = 0; i < after->face_touch_count; i++) {
        const fr_face_touch *touch = &after->face_touches[i];
        bool is_old = touch->b.generation == p.moved.generation;
        assert_true(is_old == !fr_is_unknown(touch->end) && (is_old == (touch->pair == FR_NONE)));
        assert_true(is_old ? touch->end == 0.5 && touch->id <= before->face_touch_count
                           : touch->begin == 0.5 && touch->id > before->face_touch_count);
        ended += is_old;
        begun += !is_old;
    }
    assert_true(ended == before->face_touch_count && begun == ended);
    fr_snapshot_release(before);
    fr_snapshot_release(after);
    passing_close(&p);
}

static bool stop_always(void *user) {
    (void)user;
    return true;
}

// What was not looked at is not told as over, and goes on with its id.
static void stopped_sensing_ends_nothing(void **state) {
    (void)state;
    passing p;
    passing_open(&p, FR_SENSE_CONTINUOUS, -0.5, 0);
    world_tick(p.world);
    const fr_snapshot *first = fr_world_snapshot(p.world);
    fr_control control = {stop_always, NULL, NULL};
    fr_tick_input input = fr_default_tick_input();
    input.control = &control;
    assert_int_equal(fr_world_tick(p.world, &input, NULL), FR_OK);
    const fr_snapshot *stopped = fr_world_snapshot(p.world);
    assert_true(stopped->is_partial && stopped->face_touch_count == first->face_touch_count);
    world_tick(p.world);
    const fr_snapshot *last = fr_world_snapshot(p.world);
    assert_true(last->face_touch_count == first->face_touch_count);
    for (size_t i = 0; i < first->face_touch_count; i++) {
        assert_true(fr_is_unknown(stopped->face_touches[i].end) && fr_is_unknown(last->face_touches[i].end));
        assert_true(stopped->face_touches[i].id == first->face_touches[i].id);
        assert_true(last->face_touches[i].id == first->face_touches[i].id);
        assert_true(last->face_touches[i].begin == first->face_touches[i].begin);
    }
    fr_snapshot_release(first);
    fr_snapshot_release(stopped);
    fr_snapshot_release(last);
    passing_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Random, against joining by hand

#define KNOWN_MAX 60000

typedef struct known {
    fr_face_touch touch;
    bool is_over;
} known;

typedef struct ledger {
    known *list; // by id - 1
    uint64_t count;
    uint64_t ended, joined;
} ledger;

// Each id is told in one tick after another until its end, with the same faces and begin.
static void check_told(ledger *l, const fr_snapshot *snapshot, uint64_t *told) {
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        assert_true(touch->id >= 1 && touch->id <= KNOWN_MAX && touch->id <= l->count + 1);
        known *k = &l->list[touch->id - 1];
        bool is_new = touch->id == l->count + 1;
        if (is_new) {
            *k = (known){.touch = *touch};
            l->count++;
        } else {
            // Time may be set back, and nothing begins after it is told.
            assert_true(!k->is_over && touch->begin <= k->touch.begin);
            assert_true(touch->begin == k->touch.begin || k->touch.begin > snapshot->time - snapshot->step);
            k->touch.begin = touch->begin;
            assert_true(k->touch.triangle_a == touch->triangle_a && k->touch.triangle_b == touch->triangle_b);
            assert_true(fr_object_id_equal(k->touch.a, touch->a) && fr_object_id_equal(k->touch.b, touch->b));
            l->joined++;
        }
        k->is_over = !fr_is_unknown(touch->end);
        l->ended += k->is_over;
        if (k->is_over) { assert_true(touch->end >= touch->begin && touch->end <= snapshot->time); }
        *told += !k->is_over;
    }
}

// Every interval of the step is in a face touch that holds it, and begins or ends there where it should.
static void check_intervals(const fr_snapshot *snapshot) {
    double begin = snapshot->time - (snapshot->is_paused ? 0.0 : snapshot->step), length = snapshot->time - begin;
    for (size_t i = 0; i < snapshot->step_result.interval_count; i++) {
        const fr_touch_interval *interval = &snapshot->step_result.intervals[i];
        double from = begin + interval->begin * length, to = begin + interval->end * length;
        size_t holding = 0;
        for (size_t k = 0; k < snapshot->face_touch_count; k++) {
            const fr_face_touch *touch = &snapshot->face_touches[k];
            bool begins = touch->begin <= from + 1e-6 * snapshot->step;
            bool ends = fr_is_unknown(touch->end) ? interval->end >= 1.0 : fabs(touch->end - to) < 1e-9;
            holding += touch->pair == interval->pair && begins && ends;
        }
        assert_true(holding >= 1);
    }
}

static void ids_last_as_long_as_contacts(void **state) {
    (void)state;
    ledger l = {.list = calloc(KNOWN_MAX, sizeof(known))};
    assert_non_null(l.list);
    uint64_t histories = test_count(6, 200), joined = 0, ended = 0;
    for (uint64_t seed = 0; seed < histories; seed++) {
        history h;
        l.count = l.ended = l.joined = 0;
        assert_int_equal(history_open(&h, seed % 2 == 0 ? 6 * seed + 5 : 6 * seed + 1, NULL), FR_OK);
        uint64_t sequence = 0;
        for (uint32_t i = 0; i < 120; i++) {
            assert_int_equal(history_step(&h, NULL), FR_OK);
            const fr_snapshot *snapshot = fr_world_snapshot(h.world);
            if (snapshot == NULL || snapshot->sequence == sequence) {
                fr_snapshot_release(snapshot);
                continue;
            }
            uint64_t lasting = 0;
            sequence = snapshot->sequence;
            check_told(&l, snapshot, &lasting);
            check_intervals(snapshot);
            fr_snapshot_release(snapshot);
            assert_true(lasting + l.ended == l.count);
        }
        joined += l.joined;
        ended += l.ended;
        history_close(&h);
    }
    assert_true(joined > 100 && ended > 100);
    free(l.list);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static void a_warm_tick_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_world *world = open_following(FR_SENSE_CONTINUOUS, &allocator);
    fr_mesh *box = world_mesh("box");
    (void)world_add(world, box, 0, 0, 0);
    shift s = {.object = world_add(world, box, -2, 0.25, 0.125)};
    world_shift(world, &s);
    uint64_t after_first = 0;
    for (int i = 0; i < 96; i++) {
        s.travel.x = i / 8 % 2 == 0 ? 0.5 : -0.5;
        world_tick(world);
        if (i == 47) { after_first = test_allocations(probe); }
    }
    assert_true(after_first > 0 && test_allocations(probe) == after_first);
    fr_world_destroy(world);
    fr_mesh_release(box);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_those_who_ask_are_told),
        cmocka_unit_test(a_passage_inside_a_step_is_whole),
        cmocka_unit_test(at_instants_it_is_told_from_found_to_not_found),
        cmocka_unit_test(who_is_gone_touches_no_more),
        cmocka_unit_test(stopped_sensing_ends_nothing),
        cmocka_unit_test(ids_last_as_long_as_contacts),
        cmocka_unit_test(a_warm_tick_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
