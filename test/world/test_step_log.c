// The log of a run against what its snapshots say, one after another.
#include "failing.h"
#include "worlds.h"

#include <math.h>

// A box that goes through another one and on, over a few ticks, with a state that changes on the way.
typedef struct passage {
    fr_world *world;
    fr_object_id a, b;
    shift motion;
} passage;

static passage passage_open(fr_sense sense, const fr_mesh *box) {
    passage p = {0};
    fr_world_def def = fr_default_world_def();
    def.sense = sense;
    def.want = FR_WANT_INTERVALS;
    assert_int_equal(fr_world_create(&def, &p.world, NULL), FR_OK);
    p.a = world_add(p.world, box, -3, 0.1, 0.2);
    p.b = world_add(p.world, box, 0, 0, 0);
    return p;
}

static void passage_begin(passage *p) {
    p->motion = (shift){.object = p->a, .travel = {0.7, 0.01, 0.02}, .kind = FR_WISH_NEXT};
    world_shift(p->world, &p->motion);
}

// Pairs of objects in the step, counted by comparing each pair with each.
static uint64_t touches_of(const fr_snapshot *s) {
    if (s->sense != FR_SENSE_CONTINUOUS) { return s->touch_count; }
    uint64_t count = 0;
    const fr_face_pair *pairs = s->step_result.pairs;
    for (size_t i = 0; i < s->step_result.pair_count; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i; k++) {
            is_first = is_first && !(pairs[k].a == pairs[i].a && pairs[k].b == pairs[i].b);
        }
        count += is_first;
    }
    for (size_t i = 0; i < s->touch_count; i++) {
        bool is_alone = true;
        for (size_t k = 0; k < s->step_result.pair_count; k++) {
            is_alone =
                is_alone && !(pairs[k].a + 1 == s->touches[i].a.index1 && pairs[k].b + 1 == s->touches[i].b.index1);
        }
        count += is_alone;
    }
    return count;
}

static void check_passage(fr_sense sense) {
    fr_mesh *box = world_mesh("box");
    passage p = passage_open(sense, box);
    passage_begin(&p);
    fr_step_log *log = NULL;
    assert_int_equal(fr_step_log_create(NULL, &log, NULL), FR_OK);
    uint64_t rows = 0, colliding = 0, most = 0, ended = 0, lasting = 0;
    double first = INFINITY;
    for (int i = 0; i < 10; i++) {
        if (i == 4) { assert_int_equal(fr_world_set_state(p.world, p.b, "met", 1, NULL), FR_OK); }
        if (i == 0) {
            world_tick_paused(p.world);
        } else {
            world_tick(p.world);
        }
        const fr_snapshot *s = fr_world_snapshot(p.world);
        assert_int_equal(fr_step_log_add(log, s, NULL), FR_OK);
        fr_step_log_view view = fr_step_log_get(log);
        bool is_over = sense == FR_SENSE_CONTINUOUS;
        if (!is_over || i > 0) {
            fr_step_row row = view.steps[view.step_count - 1];
            assert_int_equal(view.step_count, ++rows);
            assert_int_equal(row.step, is_over ? s->tick - 1 : s->tick);
            assert_int_equal(row.pairs, is_over ? s->step_result.pair_count : s->pair_count);
            assert_int_equal(row.touches, touches_of(s));
            colliding += row.pairs > 0;
            most = row.pairs > most ? row.pairs : most;
        }
        lasting = 0;
        for (size_t k = 0; k < s->face_touch_count; k++) {
            first = fmin(first, s->face_touches[k].begin);
            ended += !fr_is_unknown(s->face_touches[k].end);
            lasting += fr_is_unknown(s->face_touches[k].end);
        }
        assert_true(view.until == s->time && view.free_until == first && view.contacts == ended + lasting);
        fr_snapshot_release(s);
    }
    fr_step_log_view view = fr_step_log_get(log);
    assert_true(view.colliding == colliding && view.max_pairs == most && most > 0 && ended > 0);
    assert_true(view.sense == sense && !view.is_partial);
    assert_int_equal(view.touch_count, 1);
    assert_true(view.begins == 1 && view.ends == 1 && view.touches[0].begin < view.touches[0].end);
    assert_int_equal(view.change_count, 3); // two were added, a state was set
    assert_int_equal(view.changes[2].kind, FR_EVENT_STATE);
    fr_step_log_destroy(log);
    fr_world_destroy(p.world);
    fr_mesh_release(box);
}

static void the_log_holds_what_snapshots_say(void **state) {
    (void)state;
    check_passage(FR_SENSE_CONTINUOUS);
    check_passage(FR_SENSE_STATIC);
}

// A log that begins while two objects touch does not know since when.
static void a_begin_that_was_not_seen_is_unknown(void **state) {
    (void)state;
    fr_mesh *box = world_mesh("box");
    passage p = passage_open(FR_SENSE_STATIC, box);
    fr_step_log *log = NULL;
    assert_int_equal(fr_step_log_create(NULL, &log, NULL), FR_OK);
    const double places[] = {-0.5, -3.0};
    for (int i = 0; i < 2; i++) {
        fr_pose pose = pose_at(places[i], 0, 0);
        assert_int_equal(fr_object_set_pose(fr_world_space(p.world), p.a, &pose, NULL), FR_OK);
        world_tick(p.world);
        const fr_snapshot *s = fr_world_snapshot(p.world);
        if (i == 1) { assert_int_equal(fr_step_log_add(log, s, NULL), FR_OK); }
        fr_snapshot_release(s);
    }
    fr_step_log_view view = fr_step_log_get(log);
    assert_true(view.touch_count == 1 && view.begins == 0 && view.ends == 1);
    assert_true(fr_is_unknown(view.touches[0].begin) && !fr_is_unknown(view.touches[0].end));
    fr_step_log_destroy(log);
    fr_world_destroy(p.world);
    fr_mesh_release(box);
}

static void a_partial_sensing_is_no_step(void **state) {
    (void)state;
    fr_mesh *box = world_mesh("box");
    passage p = passage_open(FR_SENSE_CONTINUOUS, box);
    world_tick(p.world);
    const fr_snapshot *s = fr_world_snapshot(p.world);
    fr_snapshot part = *s;
    part.is_partial = true;
    part.step_result.free_time = 0.25;
    fr_step_log *log = NULL;
    assert_int_equal(fr_step_log_create(NULL, &log, NULL), FR_OK);
    assert_int_equal(fr_step_log_add(log, &part, NULL), FR_OK);
    fr_step_log_view view = fr_step_log_get(log);
    assert_true(view.is_partial && view.step_count == 0 && view.change_count == 0);
    assert_true(view.until == s->time - s->step && view.free_until == s->time - s->step * 0.75);
    fr_snapshot_release(s);
    fr_step_log_destroy(log);
    fr_world_destroy(p.world);
    fr_mesh_release(box);
}

static fr_status log_all(const fr_allocator *allocator, void *context) {
    fr_step_log *log = NULL;
    fr_status status = fr_step_log_create(allocator, &log, NULL);
    if (status == FR_OK) { status = fr_step_log_add(log, context, NULL); }
    fr_step_log_destroy(log);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_mesh *box = world_mesh("box");
    passage p = passage_open(FR_SENSE_STATIC, box);
    fr_pose pose = pose_at(-0.5, 0, 0);
    assert_int_equal(fr_object_set_pose(fr_world_space(p.world), p.a, &pose, NULL), FR_OK);
    world_tick(p.world);
    const fr_snapshot *s = fr_world_snapshot(p.world);
    assert_true(test_every_failure(log_all, (void *)(uintptr_t)s) >= 4);
    fr_snapshot_release(s);
    fr_world_destroy(p.world);
    fr_mesh_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_holds_what_snapshots_say),
        cmocka_unit_test(a_begin_that_was_not_seen_is_unknown),
        cmocka_unit_test(a_partial_sensing_is_no_step),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
