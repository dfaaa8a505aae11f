// The forecast: what will be hit is announced before it is, once for each approach and when it really happens; what
// turning objects are about to sweep is drawn.
#include "demo.h"
#include "draw_record.h"
#include "failing.h"
#include "frame.h"
#include "random_vector.h"
#include "tape.h"

#include "fureai/actor.h"

#include "base/allocator.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// Bodies that move evenly, tick by tick

enum { BODIES_MAX = 16, EVENTS_MAX = 4096 };

typedef struct even_world {
    fr_world *world;
    fr_cast *cast;
    fr_forecast *forecast;
    fr_object_id ids[BODIES_MAX];
    fr_motion motions[BODIES_MAX]; // of a second, from time 0
    bool is_stopped[BODIES_MAX];   // by the test
    uint32_t count;
} even_world;

typedef struct announced {
    fr_object_id a, b;
    double value, second, speed;
    uint64_t tick; // as of the event
    double time;   // of the event
} announced;

typedef struct heard {
    announced hits[EVENTS_MAX];
    uint32_t hit_count;
    announced touches[EVENTS_MAX]; // begins
    uint32_t touch_count;
    announced ends[EVENTS_MAX]; // of touches
    uint32_t end_count;
} heard;

// Poses are those of time 0 in one go.
static fr_status go_evenly(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const even_world *w = user;
    for (uint32_t i = 0; i < w->count; i++) {
        const fr_object_view *view = fr_object_get(proposal->space, w->ids[i]);
        if (view == NULL || w->is_stopped[i] || (view->flags & FR_OBJECT_STATIC) != 0) { continue; }
        fr_motion step = w->motions[i];
        step.start = view->pose;
        step.travel = fr_vec3_scale(proposal->step, step.travel);
        step.turn = fr_vec3_scale(proposal->step, step.turn);
        const fr_wish wish = {.object = w->ids[i],
                              .kind = FR_WISH_MOTION,
                              .pose = fr_motion_pose(&w->motions[i], (double)(proposal->tick + 1) * proposal->step),
                              .motion = step};
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static void open_world(even_world *w, double step, fr_sense sense, const fr_allocator *allocator) {
    memset(w, 0, sizeof *w);
    fr_world_def def = fr_default_world_def();
    def.step = step;
    def.sense = sense;
    if (allocator != NULL) { def.allocator = *allocator; }
    assert_int_equal(fr_world_create(&def, &w->world, NULL), FR_OK);
    fr_corrector mover = {"even", go_evenly, w};
    assert_int_equal(fr_world_add_mover(w->world, &mover, NULL), FR_OK);
}

static uint32_t add_body(even_world *w, const char *shape, fr_vec3 place, double scale, fr_vec3 velocity,
                         fr_vec3 spin) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(shape, NULL, &mesh, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    def.pose.scale = scale;
    uint32_t i = w->count++;
    assert_int_equal(fr_object_add(fr_world_space(w->world), &def, &w->ids[i], NULL), FR_OK);
    fr_mesh_release(mesh);
    w->motions[i] = (fr_motion){.start = def.pose, .travel = velocity, .turn = spin};
    return i;
}

// A forecast of so many of the bodies, from the first on; 0: all.
static void add_forecast(even_world *w, uint32_t watched, double seconds, const fr_allocator *allocator) {
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = w->world;
    assert_int_equal(fr_cast_create(&cast_def, &w->cast, NULL), FR_OK);
    fr_forecast_object objects[BODIES_MAX];
    for (uint32_t i = 0; i < watched; i++) {
        objects[i] = (fr_forecast_object){w->ids[i], seconds};
    }
    fr_forecast_def def = fr_default_forecast_def();
    def.world = w->world;
    def.objects = objects;
    def.object_count = watched;
    def.seconds = seconds;
    if (allocator != NULL) { def.allocator = *allocator; }
    assert_int_equal(fr_forecast_create(&def, &w->forecast, NULL), FR_OK);
    const fr_actor actor = fr_forecast_actor(w->forecast);
    assert_int_equal(fr_cast_add(w->cast, &actor, NULL), FR_OK);
}

static void close_world(even_world *w) {
    fr_cast_destroy(w->cast);
    fr_world_destroy(w->world);
}

static void note_events(even_world *w, heard *h) {
    const fr_snapshot *snapshot = fr_world_snapshot(w->world);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *e = &snapshot->events[i];
        announced one = {e->a, e->b, e->value, e->second, e->speed, e->tick, e->time};
        if (e->kind == FR_EVENT_NAMED && strcmp(e->name, FR_FORECAST_HIT) == 0) {
            assert_true(h->hit_count < EVENTS_MAX);
            h->hits[h->hit_count++] = one;
        }
        if (e->kind == FR_EVENT_TOUCH_BEGIN) {
            assert_true(h->touch_count < EVENTS_MAX);
            h->touches[h->touch_count++] = one;
        }
        if (e->kind == FR_EVENT_TOUCH_END) {
            assert_true(h->end_count < EVENTS_MAX);
            h->ends[h->end_count++] = one;
        }
    }
    fr_snapshot_release(snapshot);
}

static void tick(even_world *w, uint32_t count, heard *h) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(fr_cast_tick(w->cast, NULL, NULL), FR_OK);
        note_events(w, h);
    }
}

static bool is_pair(const announced *x, const announced *y) {
    return (fr_object_id_equal(x->a, y->a) && fr_object_id_equal(x->b, y->b)) ||
           (fr_object_id_equal(x->a, y->b) && fr_object_id_equal(x->b, y->a));
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void a_ball_that_comes_is_announced_once_with_its_time(void **state) {
    (void)state;
    static heard h;
    memset(&h, 0, sizeof h);
    even_world w;
    open_world(&w, 0.01, FR_SENSE_CONTINUOUS, NULL);
    // Boxes of edge 1, 4 metres between their faces, at 2 metres a second.
    uint32_t goes = add_body(&w, "box", fr_vec3_make(0, 0, 0), 1.0, fr_vec3_make(2, 0, 0), fr_vec3_make(0, 0, 0));
    uint32_t stands = add_body(&w, "box", fr_vec3_make(5, 0, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 0));
    add_forecast(&w, 1, 1.0, NULL);
    tick(&w, 99, &h);
    assert_int_equal(h.hit_count, 0); // more than a second ahead
    tick(&w, 250, &h);
    assert_int_equal(h.hit_count, 1);
    assert_true(fr_object_id_equal(h.hits[0].a, w.ids[goes]) && fr_object_id_equal(h.hits[0].b, w.ids[stands]));
    assert_int_equal(h.hits[0].tick, 100);
    assert_true(fabs(h.hits[0].time + h.hits[0].value - 2.0) < 1e-5 && h.hits[0].value <= 1.0);
    assert_true(fabs(h.hits[0].speed - 2.0) < 1e-6 && h.hits[0].second == 0.0);
    assert_int_equal(fr_forecast_get(w.forecast).hit_count, 0);
    close_world(&w);
}

static void what_turns_hits_once_a_turn(void **state) {
    (void)state;
    static heard h;
    memset(&h, 0, sizeof h);
    even_world w;
    open_world(&w, 0.01, FR_SENSE_CONTINUOUS, NULL);
    // A box whose pivot is 3 metres beside it turns once in two seconds and passes a ball on the other side.
    uint32_t bat = add_body(&w, "box", fr_vec3_make(3, 0, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, FR_PI, 0));
    w.motions[bat].pivot_local = fr_vec3_make(-3, 0, 0);
    add_body(&w, "sphere_168", fr_vec3_make(-3, 0, 0), 0.25, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 0));
    add_forecast(&w, 1, 0.5, NULL);
    tick(&w, 1000, &h); // five turns
    assert_int_equal(h.hit_count, 5);
    assert_int_equal(h.touch_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        double predicted = h.hits[i].time + h.hits[i].value;
        assert_true(predicted <= h.touches[i].time + 1e-6 && predicted > h.touches[i].time - 1e-3);
        assert_true(h.hits[i].value > 0.48 && h.hits[i].value <= 0.5);
        assert_true(fabs(h.hits[i].second - FR_PI * h.hits[i].value) < 1e-9);
    }
    close_world(&w);
}

static void both_may_move_and_both_may_be_watched(void **state) {
    (void)state;
    for (uint32_t watched = 0; watched <= 2; watched++) {
        static heard h;
        memset(&h, 0, sizeof h);
        even_world w;
        open_world(&w, 0.01, FR_SENSE_CONTINUOUS, NULL);
        add_body(&w, "box", fr_vec3_make(0, 0, 0), 1.0, fr_vec3_make(1, 0, 0), fr_vec3_make(1, 2, 0));
        add_body(&w, "torus", fr_vec3_make(5, 0, 0), 1.0, fr_vec3_make(-1, 0, 0), fr_vec3_make(0, 1, 3));
        add_forecast(&w, watched, 0.7, NULL);
        while (h.touch_count == 0) {
            tick(&w, 1, &h);
        }
        assert_int_equal(h.hit_count, 1);
        assert_true(fabs(h.hits[0].time + h.hits[0].value - h.touches[0].time) < 1e-5);
        close_world(&w);
    }
}

static void a_meeting_that_vanished_is_announced_again(void **state) {
    (void)state;
    static heard h;
    memset(&h, 0, sizeof h);
    even_world w;
    open_world(&w, 0.01, FR_SENSE_STATIC, NULL);
    uint32_t goes = add_body(&w, "box", fr_vec3_make(0, 0, 0), 1.0, fr_vec3_make(1, 0, 0), fr_vec3_make(0, 0, 0));
    add_body(&w, "box", fr_vec3_make(3, 0, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 0));
    add_forecast(&w, 1, 1.5, NULL);
    tick(&w, 100, &h);
    assert_int_equal(h.hit_count, 1);
    assert_int_equal(fr_forecast_get(w.forecast).hit_count, 1);
    // Time stands still: nothing is forgotten.
    fr_tick_input paused = fr_default_tick_input();
    paused.is_paused = true;
    assert_int_equal(fr_cast_tick(w.cast, &paused, NULL), FR_OK);
    note_events(&w, &h);
    tick(&w, 5, &h);
    assert_int_equal(h.hit_count, 1);
    w.is_stopped[goes] = true;
    tick(&w, 1, &h);
    assert_int_equal(fr_forecast_get(w.forecast).hit_count, 0);
    w.motions[goes] = (fr_motion){.start = fr_object_get(fr_world_space(w.world), w.ids[goes])->pose,
                                  .travel = fr_vec3_make(1, 0, 0)};
    w.motions[goes].start.position.x -= (double)fr_world_tick_count(w.world) * 0.01;
    w.is_stopped[goes] = false;
    tick(&w, 5, &h);
    assert_int_equal(h.hit_count, 2);
    // Other layers do not meet.
    const fr_filter alone = {.layers = 2, .mask = 2};
    assert_int_equal(fr_object_set_filter(fr_world_space(w.world), w.ids[goes], alone, NULL), FR_OK);
    tick(&w, 1, &h);
    assert_int_equal(fr_forecast_get(w.forecast).hit_count, 0);
    // Objects that are gone are not met.
    assert_int_equal(fr_object_set_filter(fr_world_space(w.world), w.ids[goes], (fr_filter){1, UINT32_MAX, 0}, NULL),
                     FR_OK);
    tick(&w, 1, &h);
    assert_int_equal(h.hit_count, 3);
    assert_int_equal(fr_object_remove(fr_world_space(w.world), w.ids[1], NULL), FR_OK);
    tick(&w, 1, &h);
    assert_int_equal(fr_forecast_get(w.forecast).hit_count, 0);
    // What begins again has forgotten all.
    assert_int_equal(fr_cast_begin(w.cast, NULL), FR_OK);
    close_world(&w);
}

static void what_touches_from_the_start_is_no_approach(void **state) {
    (void)state;
    static heard h;
    memset(&h, 0, sizeof h);
    even_world w;
    open_world(&w, 0.01, FR_SENSE_STATIC, NULL);
    add_body(&w, "box", fr_vec3_make(0, 0, 0), 1.0, fr_vec3_make(0.1, 0, 0), fr_vec3_make(0, 0, 0));
    add_body(&w, "box", fr_vec3_make(0.9, 0, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 0));
    add_forecast(&w, 1, 1.0, NULL);
    tick(&w, 50, &h);
    assert_int_equal(h.hit_count, 0);
    close_world(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// Random scenes

static void fill_randomly(even_world *w, fr_random *r, double offset) {
    static const char *const shapes[] = {"box", "sphere_80", "torus", "cone", "knot_1920", "chair"};
    uint32_t count = 2 + (uint32_t)fr_random_below(r, 5);
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 place = random_about(r, 3.0);
        fr_vec3 velocity = fr_vec3_scale(fr_random_between(r, 0.2, 4.0), fr_vec3_scale(-0.3, place));
        velocity = fr_vec3_add(velocity, random_about(r, 0.5));
        fr_vec3 spin = random_about(r, fr_random_below(r, 3) == 0 ? 8.0 : 2.0);
        if (fr_random_below(r, 4) == 0) { velocity = fr_vec3_make(0, 0, 0); }
        if (fr_random_below(r, 4) == 0) { spin = fr_vec3_make(0, 0, 0); }
        const char *shape = shapes[fr_random_below(r, 6)];
        uint32_t at = add_body(w, shape, fr_vec3_add(place, fr_vec3_make(offset, 0, offset)),
                               fr_random_between(r, 0.3, 1.0), velocity, spin);
        if (fr_random_below(r, 2) == 0) { w->motions[at].pivot_local = random_about(r, 1.5); }
    }
}

// The distance of two of the bodies at a time, in a space of their own.
static double distance_at(const even_world *w, fr_space *space, uint32_t a, uint32_t b, double time) {
    fr_pose pose_a = fr_motion_pose(&w->motions[a], time), pose_b = fr_motion_pose(&w->motions[b], time);
    assert_int_equal(fr_object_set_pose(space, w->ids[a], &pose_a, NULL), FR_OK);
    assert_int_equal(fr_object_set_pose(space, w->ids[b], &pose_b, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_object_distance near;
    assert_int_equal(fr_space_distance(space, w->ids[a], w->ids[b], INFINITY, &near, NULL), FR_OK);
    return near.distance;
}

static uint32_t place_of(const even_world *w, fr_object_id id) {
    uint32_t i = 0;
    while (!fr_object_id_equal(w->ids[i], id)) {
        i++;
    }
    return i;
}

// What was announced touches then and not before: by samples of time, in a space that nothing was predicted for.
static void check_by_samples(const even_world *w, fr_space *space, const announced *hit, uint64_t seed) {
    uint32_t a = place_of(w, hit->a), b = place_of(w, hit->b);
    double then = hit->time + hit->value;
    double there = distance_at(w, space, a, b, then);
    if (!(there < 1e-4)) { fail_msg("scene %llu: %g m apart when they should touch", (unsigned long long)seed, there); }
    for (int i = 1; i < 40; i++) {
        double before = hit->time + hit->value * i / 40.0;
        if (!(distance_at(w, space, a, b, before) > 0.0)) {
            fail_msg("scene %llu: they touch before", (unsigned long long)seed);
        }
    }
}

// Every touch was announced, at least a tick before where the two were apart long enough.
static uint32_t check_touches(const heard *h, double step, uint64_t seed) {
    uint32_t checked = 0;
    for (uint32_t i = 0; i < h->touch_count; i++) {
        const announced *touch = &h->touches[i];
        if (touch->tick <= 2) { continue; } // they were together or came together too soon
        const announced *last = NULL;
        bool was_apart = true;
        for (uint32_t k = 0; k < h->hit_count; k++) {
            if (is_pair(touch, &h->hits[k]) && h->hits[k].tick <= touch->tick) { last = &h->hits[k]; }
        }
        for (uint32_t k = 0; k < h->end_count; k++) {
            const announced *end = &h->ends[k];
            if (is_pair(touch, end) && end->tick <= touch->tick && touch->tick - end->tick <= 2) { was_apart = false; }
        }
        if (!was_apart) { continue; } // they parted within a tick or two, and came together again
        if (last == NULL) { fail_msg("scene %llu: a touch was not announced", (unsigned long long)seed); }
        double off = touch->time - (last->time + last->value);
        if (last->tick >= touch->tick || !(fabs(off) <= step)) {
            fail_msg("scene %llu: announced in tick %llu, %g s off, touched in %llu", (unsigned long long)seed,
                     (unsigned long long)last->tick, off, (unsigned long long)touch->tick);
        }
        checked++;
    }
    return checked;
}

static void every_touch_of_random_bodies_was_announced(void **state) {
    (void)state;
    uint32_t touches = 0, announcements = 0;
    for (uint64_t seed = 1; seed <= test_count(24, 1000); seed++) {
        static heard h;
        memset(&h, 0, sizeof h);
        fr_random r = fr_random_seed(seed);
        double step = 0.02;
        even_world w;
        open_world(&w, step, FR_SENSE_CONTINUOUS, NULL);
        fill_randomly(&w, &r, seed % 7 == 0 ? 1e6 : 0.0);
        add_forecast(&w, seed % 2 == 0 ? 0 : w.count, fr_random_between(&r, 0.1, 1.0), NULL);
        tick(&w, 100, &h);
        touches += check_touches(&h, step, seed);
        announcements += h.hit_count;
        for (uint32_t i = 0; i < h.hit_count && i < 8; i++) {
            if (h.hits[i].value > 0.0) { check_by_samples(&w, fr_world_space(w.world), &h.hits[i], seed); }
        }
        close_world(&w);
    }
    assert_true(touches > 0 && announcements >= touches);
    print_message("%u touches, %u announcements\n", touches, announcements);
}

// ---------------------------------------------------------------------------------------------------------------
// Records, memory

static bool count_hits(fr_world *world, void *context) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        *(uint32_t *)context += snapshot->events[i].kind == FR_EVENT_NAMED;
    }
    fr_snapshot_release(snapshot);
    return true;
}

static uint64_t run_recorded(tape *record, heard *h) {
    even_world w;
    fr_random r = fr_random_seed(5);
    open_world(&w, 0.02, FR_SENSE_CONTINUOUS, NULL);
    fill_randomly(&w, &r, 0.0);
    fill_randomly(&w, &r, 0.0);
    if (record != NULL) { assert_int_equal(fr_world_record(w.world, tape_keep, record, NULL), FR_OK); }
    add_forecast(&w, 0, 0.5, NULL);
    uint64_t hash = 0;
    for (int i = 0; i < 100; i++) {
        tick(&w, 1, h);
        const fr_snapshot *snapshot = fr_world_snapshot(w.world);
        uint64_t one = fr_snapshot_hash(snapshot);
        hash = fr_hash(&one, sizeof one, hash);
        fr_snapshot_release(snapshot);
    }
    close_world(&w);
    return hash;
}

static void announcements_are_in_hash_record_and_replay(void **state) {
    (void)state;
    static heard h, again;
    memset(&h, 0, sizeof h);
    memset(&again, 0, sizeof again);
    tape record = {0};
    uint64_t hash = run_recorded(&record, &h);
    assert_true(hash == run_recorded(NULL, &again) && h.hit_count == again.hit_count && h.hit_count > 0);
    uint32_t replayed = 0;
    fr_world_def def = fr_default_world_def();
    fr_world *copy;
    assert_int_equal(fr_world_create(&def, &copy, NULL), FR_OK);
    const fr_replay_input input = {.ticked = count_hits, .context = &replayed};
    assert_int_equal(fr_world_replay(copy, record.bytes, record.size, &input, NULL), FR_OK);
    assert_int_equal(replayed, h.hit_count);
    fr_world_destroy(copy);
    free(record.bytes);
}

static void a_warm_tick_allocates_nothing(void **state) {
    (void)state;
    static heard h;
    memset(&h, 0, sizeof h);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    even_world w;
    open_world(&w, 0.01, FR_SENSE_STATIC, NULL);
    uint32_t bat = add_body(&w, "box", fr_vec3_make(3, 0, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, FR_PI, 0));
    w.motions[bat].pivot_local = fr_vec3_make(-3, 0, 0);
    add_body(&w, "sphere_168", fr_vec3_make(-3, 0, 0), 0.25, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 0));
    add_forecast(&w, 0, 0.5, &allocator);
    tick(&w, 250, &h);
    uint64_t before = fr_probe_get(probe).allocations;
    tick(&w, 500, &h);
    assert_int_equal(fr_probe_get(probe).allocations, before);
    close_world(&w);
    fr_probe_destroy(probe);
}

// A tick without memory changes nothing: the next one announces what it would have.
static fr_status make_forecast(const fr_allocator *allocator, void *context) {
    even_world *w = context;
    fr_forecast_object object = {w->ids[0], 1.0};
    fr_forecast_def def = fr_default_forecast_def();
    def.world = w->world;
    def.objects = &object;
    def.object_count = 1;
    def.allocator = *allocator;
    fr_forecast *forecast;
    fr_status status = fr_forecast_create(&def, &forecast, NULL);
    if (status != FR_OK) { return status; }
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = w->world;
    fr_cast *cast;
    assert_int_equal(fr_cast_create(&cast_def, &cast, NULL), FR_OK);
    const fr_actor actor = fr_forecast_actor(forecast);
    assert_int_equal(fr_cast_add(cast, &actor, NULL), FR_OK);
    status = fr_cast_tick(cast, NULL, NULL);
    if (status != FR_OK) {
        test_lift(allocator);
        assert_int_equal(fr_cast_tick(cast, NULL, NULL), FR_OK);
    }
    assert_int_equal(fr_forecast_get(forecast).hit_count, 1);
    fr_cast_destroy(cast);
    return status;
}

static void memory_that_runs_short_is_survived(void **state) {
    (void)state;
    even_world w;
    open_world(&w, 1e-6, FR_SENSE_STATIC, NULL);
    add_body(&w, "box", fr_vec3_make(0, 0, 0), 1.0, fr_vec3_make(2, 0, 0), fr_vec3_make(0, 1, 0));
    add_body(&w, "box", fr_vec3_make(2, 0, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 0));
    assert_true(test_every_failure(make_forecast, &w) > 3);
    fr_world_destroy(w.world);
}

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    even_world w;
    open_world(&w, 0.01, FR_SENSE_STATIC, NULL);
    add_body(&w, "box", fr_vec3_make(0, 0, 0), 1.0, fr_vec3_make(2, 0, 0), fr_vec3_make(0, 1, 0));
    fr_forecast *forecast;
    fr_forecast_def def = fr_default_forecast_def();
    assert_int_equal(fr_forecast_create(&def, &forecast, NULL), FR_ERROR_ARGUMENT);
    def.world = w.world;
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 61.0};
    for (int i = 0; i < 5; i++) {
        fr_forecast_object object = {w.ids[0], bad[i]};
        def.seconds = bad[i];
        def.object_count = 0;
        assert_int_equal(fr_forecast_create(&def, &forecast, NULL), FR_ERROR_ARGUMENT);
        def.objects = &object;
        def.object_count = 1;
        assert_int_equal(fr_forecast_create(&def, &forecast, NULL), FR_ERROR_ARGUMENT);
        object = (fr_forecast_object){{99, 0, 0}, 1.0};
        assert_int_equal(fr_forecast_create(&def, &forecast, NULL), FR_ERROR_STALE_ID);
    }
    fr_world_destroy(w.world);
}

// Numbers at the ends of their ranges: no tick fails, and nothing is announced of what is beyond them.
static void motions_beyond_limits_are_survived(void **state) {
    (void)state;
    static heard h;
    memset(&h, 0, sizeof h);
    even_world w;
    open_world(&w, 1e-3, FR_SENSE_STATIC, NULL);
    add_body(&w, "box", fr_vec3_make(1e15, 0, 0), 1.0, fr_vec3_make(-1e18, 0, 0), fr_vec3_make(0, 1e5, 0));
    add_body(&w, "box", fr_vec3_make(0, 0, 0), 1e-12, fr_vec3_make(0, 1e-9, 0), fr_vec3_make(0, 0, 1e-12));
    add_body(&w, "box", fr_vec3_make(0, 2, 0), 1.0, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 1e6));
    add_forecast(&w, 0, 60.0, NULL);
    tick(&w, 10, &h);
    close_world(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// The layer

static const char text[] =
    "{ \"fureai\": 1, \"step\": 0.02, \"steps\": 50, \"objects\": ["
    "  { \"name\": \"door\", \"shape\": \"box\", \"position\": [4, 0, 0], \"angular_velocity_deg\": [0, 57.3, 0] },"
    "  { \"name\": \"cart\", \"shape\": \"box\", \"position\": [0, 3, 0], \"velocity\": [1, 0, 0] },"
    "  { \"name\": \"table\", \"shape\": \"box\", \"position\": [0, -3, 0], \"static\": true } ] }";

typedef struct shown_sweeps {
    draw_record record; // of the last picture
    int count;
    int removals;
} shown_sweeps;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)error;
    shown_sweeps *shown = user;
    assert_string_equal(layer->name, FR_FORECAST_LAYER);
    assert_int_equal(layer->object.index1, 0);
    if (layer->paint == NULL) {
        shown->removals++;
        return FR_OK;
    }
    fr_draw draw = draw_record_begin(&shown->record);
    layer->paint(&draw, layer->user);
    shown->count++;
    return FR_OK;
}

// Shows two ticks of the scene with a forecast of so many seconds; the door may be removed before the second.
static shown_sweeps show_scene(double seconds, bool has_door) {
    shown_sweeps shown = {.count = 0};
    fr_scene *scene;
    fr_cast *cast;
    fr_error error = {0};
    if (fr_scene_read(text, strlen(text), NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world *world = demo_world(scene, NULL, FR_SENSE_STATIC);
    fr_cast_def def = fr_default_cast_def();
    def.draw = show;
    def.draw_user = &shown;
    assert_int_equal(fr_scene_cast(scene, world, &def, &cast, NULL), FR_OK);
    fr_forecast_def forecast_def = fr_default_forecast_def();
    forecast_def.world = world;
    forecast_def.seconds = seconds;
    fr_forecast *forecast;
    assert_int_equal(fr_forecast_create(&forecast_def, &forecast, NULL), FR_OK);
    fr_actor actor = fr_forecast_actor(forecast);
    assert_int_equal(fr_cast_add(cast, &actor, NULL), FR_OK);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    if (!has_door) {
        assert_int_equal(fr_object_remove(fr_world_space(world), fr_world_find(world, "door"), NULL), FR_OK);
    }
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    assert_int_equal(shown.count, 2);
    fr_cast_destroy(cast);
    assert_int_equal(shown.removals, 1);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
    return shown;
}

static void what_turns_is_drawn_about_all_that_it_sweeps(void **state) {
    (void)state;
    const draw_record record = show_scene(1.0, true).record;
    assert_true(record.triangle_count > 0 && record.line_count > 0);
    assert_int_equal(record.point_count + record.text_count, 0);
    // In a second the box of edge 1 turns by a radian, so that its corners pass the farthest place to every side.
    double reach = 0.5 * sqrt(2.0);
    assert_true(record.bounds.min.x <= 4.0 - reach + 1e-3 && record.bounds.max.x >= 4.0 + reach - 1e-3);
    assert_true(record.bounds.min.y <= -0.5 + 1e-9 && record.bounds.max.y >= 0.5 - 1e-9);
    // Neither what goes straight nor what stands is drawn.
    assert_true(record.bounds.min.x > 2.0 && record.bounds.min.y > -2.0 && record.bounds.max.y < 2.0);
}

static void nothing_is_drawn_where_nothing_turns(void **state) {
    (void)state;
    assert_int_equal(show_scene(1.0, false).record.call_count, 0);
    // A twentieth of a radian is too little to see.
    assert_int_equal(show_scene(0.05, true).record.call_count, 0);
}

// A scene whose object looks ahead has a forecast of its own.
static void a_scene_says_what_looks_ahead(void **state) {
    (void)state;
    static const char scene_text[] =
        "{ \"fureai\": 1, \"step\": 0.01, \"steps\": 200, \"objects\": ["
        "  { \"name\": \"cart\", \"shape\": \"box\", \"velocity\": [1, 0, 0], \"ahead\": { \"seconds\": 0.5 } },"
        "  { \"name\": \"other\", \"shape\": \"box\", \"position\": [0, 3, 0], \"velocity\": [2, 0, 0] },"
        "  { \"name\": \"wall\", \"shape\": \"box\", \"position\": [2, 1.5, 0], \"scale\": 2.5, \"static\": true } ] }";
    fr_scene *scene;
    fr_cast *cast;
    assert_int_equal(fr_scene_read(scene_text, strlen(scene_text), NULL, &scene, NULL), FR_OK);
    fr_world *world = demo_world(scene, NULL, FR_SENSE_CONTINUOUS);
    assert_int_equal(fr_scene_cast(scene, world, NULL, &cast, NULL), FR_OK);
    assert_non_null(fr_cast_find(cast, FR_FORECAST_NAME));
    even_world w = {.world = world, .cast = cast};
    static heard h;
    memset(&h, 0, sizeof h);
    tick(&w, 60, &h);
    // The cart meets the wall after a quarter of a second; what does not look ahead is not announced.
    assert_int_equal(h.touch_count, 2);
    assert_int_equal(h.hit_count, 1);
    assert_true(fr_object_id_equal(h.hits[0].a, fr_world_find(world, "cart")) && h.hits[0].tick == 1);
    assert_true(fabs(h.hits[0].time + h.hits[0].value - 0.25) < 1e-5);
    fr_cast_destroy(cast);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(a_ball_that_comes_is_announced_once_with_its_time),
        cmocka_unit_test(what_turns_hits_once_a_turn),
        cmocka_unit_test(both_may_move_and_both_may_be_watched),
        cmocka_unit_test(a_meeting_that_vanished_is_announced_again),
        cmocka_unit_test(what_touches_from_the_start_is_no_approach),
        cmocka_unit_test(motions_beyond_limits_are_survived),
        cmocka_unit_test(every_touch_of_random_bodies_was_announced),
        cmocka_unit_test(announcements_are_in_hash_record_and_replay),
        cmocka_unit_test(a_warm_tick_allocates_nothing),
        cmocka_unit_test(memory_that_runs_short_is_survived),
        cmocka_unit_test(what_turns_is_drawn_about_all_that_it_sweeps),
        cmocka_unit_test(nothing_is_drawn_where_nothing_turns),
        cmocka_unit_test(a_scene_says_what_looks_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
