// The seeker: it looks for its target by radar, goes there among obstacles that stand and move, and touches it.
#include "demo.h"
#include "draw_record.h"
#include "failing.h"
#include "frame.h"
#include "tape.h"

#include "fureai/actor.h"
#include "fureai/radar.h"

#include "base/allocator.h"

#include <math.h>

enum { OBSTACLES_MAX = 32 };

typedef struct sought_world {
    fr_world *world;
    fr_cast *cast;
    fr_seeker *seeker;
    fr_object_id probe, target;
    fr_object_id obstacles[OBSTACLES_MAX];
    fr_vec3 swings[OBSTACLES_MAX]; // metres a second, to and fro; zero: it stands
    uint32_t obstacle_count;
    // What was heard.
    uint64_t found, touched, unreachable, gone; // ticks of the events; 0: none
    uint32_t events;
    double value, second; // of the last one
} sought_world;

// Obstacles go to and fro, a second each way.
static fr_status swing(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const sought_world *w = user;
    for (uint32_t i = 0; i < w->obstacle_count; i++) {
        if (fr_vec3_largest(w->swings[i]) == 0.0) { continue; }
        double side = (uint64_t)floor(proposal->time + 1e-9) % 2 == 0 ? 1.0 : -1.0;
        fr_wish wish = {.object = w->obstacles[i], .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(proposal->space, w->obstacles[i])->pose;
        wish.pose.position = fr_vec3_add_scaled(wish.pose.position, side * proposal->step, w->swings[i]);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static fr_object_id add_object(fr_world *world, const char *shape, fr_vec3 place, double scale) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(shape, NULL, &mesh, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    def.pose.scale = scale;
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    return id;
}

static void add_obstacle(sought_world *w, const char *shape, fr_vec3 place, double scale, fr_vec3 to_and_fro) {
    w->swings[w->obstacle_count] = to_and_fro;
    w->obstacles[w->obstacle_count++] = add_object(w->world, shape, place, scale);
}

static void open_world(sought_world *w, fr_vec3 start, fr_vec3 target) {
    memset(w, 0, sizeof *w);
    fr_world_def def = fr_default_world_def();
    def.step = 0.02;
    def.sense = FR_SENSE_CONTINUOUS;
    assert_int_equal(fr_world_create(&def, &w->world, NULL), FR_OK);
    fr_corrector mover = {"swing", swing, w};
    assert_int_equal(fr_world_add_mover(w->world, &mover, NULL), FR_OK);
    w->probe = add_object(w->world, "sphere_168", start, 0.2);
    w->target = add_object(w->world, "chair", target, 0.5);
}

static fr_seeker_def seeker_def(const sought_world *w, double half, bool is_flat, uint64_t seed) {
    fr_seeker_def def = fr_default_seeker_def();
    def.world = w->world;
    def.object = w->probe;
    def.target = w->target;
    def.speed = 2.0;
    def.bounds = (fr_bounds){{-half, is_flat ? 0.0 : -half, -half}, {half, is_flat ? 0.0 : half, half}};
    def.seed = seed;
    return def;
}

static void add_seeker(sought_world *w, const fr_seeker_def *def) {
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = w->world;
    assert_int_equal(fr_cast_create(&cast_def, &w->cast, NULL), FR_OK);
    assert_int_equal(fr_seeker_create(def, &w->seeker, NULL), FR_OK);
    const fr_actor actor = fr_seeker_actor(w->seeker);
    assert_int_equal(fr_cast_add(w->cast, &actor, NULL), FR_OK);
}

static void close_world(sought_world *w) {
    fr_cast_destroy(w->cast);
    fr_world_destroy(w->world);
}

static void note_events(sought_world *w, const fr_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *e = &snapshot->events[i];
        if (e->kind != FR_EVENT_NAMED) { continue; }
        assert_true(fr_object_id_equal(e->a, w->probe));
        w->events++;
        w->value = e->value;
        w->second = e->second;
        if (strcmp(e->name, FR_SEEKER_FOUND) == 0) { w->found = e->tick; }
        if (strcmp(e->name, FR_SEEKER_TOUCHED) == 0) { w->touched = e->tick; }
        if (strcmp(e->name, FR_SEEKER_UNREACHABLE) == 0) { w->unreachable = e->tick; }
        if (strcmp(e->name, FR_SEEKER_GONE) == 0) { w->gone = e->tick; }
    }
}

// Whether faces of the probe met those of something but the target during the last tick.
static bool has_met_obstacle(const sought_world *w, const fr_snapshot *snapshot) {
    uint32_t probe = w->probe.index1 - 1, target = w->target.index1 - 1;
    for (size_t i = 0; i < snapshot->step_result.pair_count; i++) {
        const fr_face_pair *pair = &snapshot->step_result.pairs[i];
        uint32_t other = pair->a == probe ? pair->b : pair->a;
        if ((pair->a == probe || pair->b == probe) && other != target) { return true; }
    }
    return false;
}

// Ticks until the seeker ends, at most so often. No motion of its own goes through a face.
static void run(sought_world *w, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        fr_vec3 before = fr_object_get(fr_world_space(w->world), w->probe)->pose.position;
        assert_int_equal(fr_cast_tick(w->cast, NULL, NULL), FR_OK);
        fr_vec3 after = fr_object_get(fr_world_space(w->world), w->probe)->pose.position;
        const fr_snapshot *snapshot = fr_world_snapshot(w->world);
        note_events(w, snapshot);
        bool is_through = has_met_obstacle(w, snapshot) && !fr_vec3_equal(before, after);
        fr_snapshot_release(snapshot);
        assert_false(is_through);
        fr_seeker_phase phase = fr_seeker_get(w->seeker).phase;
        if (phase != FR_SEEKER_SEARCHING && phase != FR_SEEKER_GOING) { return; }
    }
}

static double distance_to_target(const sought_world *w) {
    fr_object_distance out;
    assert_int_equal(fr_space_distance(fr_world_space(w->world), w->probe, w->target, INFINITY, &out, NULL), FR_OK);
    return out.distance;
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void in_the_open_it_sees_goes_and_touches(void **state) {
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        sought_world w;
        open_world(&w, fr_vec3_make(-4, 0, 1), fr_vec3_make(3, flat != 0 ? -0.2 : 1.5, -2));
        fr_seeker_def def = seeker_def(&w, 6.0, flat != 0, 1);
        add_seeker(&w, &def);
        run(&w, 2000);
        assert_int_equal(fr_seeker_get(w.seeker).phase, FR_SEEKER_TOUCHING);
        assert_true(w.found > 0 && w.touched > w.found && w.events == 2);
        assert_true(distance_to_target(&w) <= 2e-6);
        assert_true(fabs(w.second - fr_seeker_get(w.seeker).went) < 1e-12 && w.second > 6.0 && w.second < 9.0);
        // The world has them in touch, and it stands.
        const fr_snapshot *snapshot = fr_world_snapshot(w.world);
        assert_int_equal(snapshot->touch_count, 1);
        fr_snapshot_release(snapshot);
        fr_vec3 there = fr_object_get(fr_world_space(w.world), w.probe)->pose.position;
        assert_int_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK);
        fr_vec3 later = fr_object_get(fr_world_space(w.world), w.probe)->pose.position;
        assert_true(fr_vec3_equal(there, later));
        // It begins again where it stands.
        assert_int_equal(fr_cast_begin(w.cast, NULL), FR_OK);
        assert_int_equal(fr_seeker_get(w.seeker).phase, FR_SEEKER_SEARCHING);
        close_world(&w);
    }
}

static void a_target_that_moves_is_followed(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, -0.2, 0));
    w.swings[0] = fr_vec3_make(0, 0, 1);
    w.obstacles[w.obstacle_count++] = w.target;
    fr_seeker_def def = seeker_def(&w, 6.0, true, 1);
    add_seeker(&w, &def);
    run(&w, 2000);
    assert_true(w.touched > 0);
    close_world(&w);
}

// Six plates about the target.
static void enclose_target(sought_world *w) {
    fr_vec3 at = fr_object_get(fr_world_space(w->world), w->target)->pose.position;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            fr_vec3 place = at;
            double *coordinate = axis == 0 ? &place.x : axis == 1 ? &place.y : &place.z;
            *coordinate += 2.0 * side;
            add_obstacle(w, "box", place, 3.0, fr_vec3_make(0, 0, 0));
        }
    }
}

static void what_cannot_be_reached_is_reported_and_it_stands(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, 0, 0));
    enclose_target(&w);
    fr_seeker_def def = seeker_def(&w, 7.0, true, 1);
    def.looks = FR_SEEKER_MAX_LOOKS;
    add_seeker(&w, &def);
    run(&w, 4000);
    assert_int_equal(fr_seeker_get(w.seeker).phase, FR_SEEKER_STUCK);
    assert_true(w.unreachable > 0 && w.found == 0 && w.touched == 0 && w.events == 1 && w.second == 0.0);
    close_world(&w);
}

static void a_seeker_that_is_walled_in_gives_up_soon(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, 0, 0));
    for (int side = -1; side <= 1; side += 2) {
        add_obstacle(&w, "box", fr_vec3_make(-4.0 + 1.0 * side, 0, 0), 1.4, fr_vec3_make(0, 0, 0));
        add_obstacle(&w, "box", fr_vec3_make(-4.0, 0, 1.0 * side), 1.4, fr_vec3_make(0, 0, 0));
    }
    fr_seeker_def def = seeker_def(&w, 7.0, true, 1);
    add_seeker(&w, &def);
    run(&w, 4000);
    assert_true(w.unreachable > 0 && w.unreachable < 200);
    close_world(&w);
}

static void a_target_that_is_gone_is_reported(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, -0.2, 0));
    fr_seeker_def def = seeker_def(&w, 7.0, true, 1);
    add_seeker(&w, &def);
    run(&w, 40);
    assert_true(w.found > 0 && w.touched == 0);
    assert_int_equal(fr_object_remove(fr_world_space(w.world), w.target, NULL), FR_OK);
    run(&w, 100);
    assert_true(w.gone > 0 && w.events == 2 && fr_seeker_get(w.seeker).phase == FR_SEEKER_LOST);
    assert_int_equal(fr_object_remove(fr_world_space(w.world), w.probe, NULL), FR_OK);
    assert_int_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK);
    close_world(&w);
}

// Beyond all numbers that a radar can look at the world goes on.
static void what_is_too_far_away_ends_the_search(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, -0.2, 0));
    fr_seeker_def def = seeker_def(&w, 7.0, false, 1);
    def.bounds.max.x = 1e300;
    def.bounds.min.x = -1e300;
    def.range = FR_SEEKER_LENGTH_MAX;
    add_seeker(&w, &def);
    fr_pose far = fr_object_get(fr_world_space(w.world), w.probe)->pose;
    far.position.x = 0x1p299;
    assert_int_equal(fr_object_set_pose(fr_world_space(w.world), w.probe, &far, NULL), FR_OK);
    run(&w, 200);
    assert_int_equal(w.touched, 0);
    close_world(&w);
}

// A wall with a gap at one end.
static void add_wall(sought_world *w) {
    for (int i = -3; i <= 2; i++) {
        add_obstacle(w, "box", fr_vec3_make(0, 0, i), 1.0, fr_vec3_make(0, 0, 0));
    }
}

static void it_goes_round_a_wall(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-3, 0, 0), fr_vec3_make(3, -0.2, 0));
    add_wall(&w);
    fr_seeker_def def = seeker_def(&w, 5.0, true, 3);
    add_seeker(&w, &def);
    run(&w, 6000);
    assert_true(w.found > 0 && w.touched > 0);
    assert_true(w.second > 6.5); // longer than straight through
    close_world(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// Random worlds, against the search of the source in a frozen one

// Turns until the target is seen, and goes straight there: whether it is met.
static bool is_reached_offline(const sought_world *w, double range) {
    fr_radar *radar;
    assert_int_equal(fr_radar_create(NULL, &radar, NULL), FR_OK);
    fr_space *space = fr_world_space(w->world);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_radar_search_input input = fr_default_radar_search_input();
    input.space = space;
    input.eye = fr_object_get(space, w->probe)->pose.position;
    input.depth = range;
    input.filter.ignore = w->probe;
    bool is_reached = false;
    int steps = (int)ceil(2.0 * FR_PI * range);
    for (int i = 0; i < steps && !is_reached; i++) {
        double sine, cosine;
        fr_sincos(2.0 * FR_PI * i / steps, &sine, &cosine);
        input.direction = fr_vec3_make(cosine, 0.0, -sine);
        fr_radar_search_output seen;
        assert_int_equal(fr_radar_search(radar, &input, &seen, NULL), FR_OK);
        for (uint32_t k = 0; k < seen.count; k++) {
            if (!fr_object_id_equal(seen.sights[k].object, w->target)) { continue; }
            fr_radar_input move = fr_default_radar_input();
            move.space = space;
            move.mover = w->probe;
            move.travel = fr_vec3_sub(seen.sights[k].point, input.eye);
            move.look = FR_RADAR_EXACT;
            fr_radar_output met;
            assert_int_equal(fr_radar_move(radar, &move, &met, NULL), FR_OK);
            const fr_contact *c = &met.contact;
            is_reached = met.is_hit && (fr_object_id_equal(c->a, w->target) || fr_object_id_equal(c->b, w->target));
            break;
        }
    }
    fr_radar_destroy(radar);
    return is_reached;
}

static bool is_near(fr_vec3 a, fr_vec3 b) { return fr_vec3_distance(a, b) < 1.6; }

static void fill_randomly(sought_world *w, uint64_t seed) {
    fr_random r = fr_random_seed(seed);
    fr_vec3 start = {-4.5, 0.0, 0.0}, goal = {4.5, -0.2, 0.0};
    start.z = fr_random_between(&r, -4, 4);
    goal.z = fr_random_between(&r, -4, 4);
    open_world(w, start, goal);
    static const char *const shapes[] = {"box", "sphere_80", "torus", "cone"};
    uint64_t tries = 2 + seed % 13;
    for (uint64_t i = 0; i < tries; i++) {
        fr_vec3 place = {0.0, 0.0, 0.0};
        place.x = fr_random_between(&r, -4, 4);
        place.z = fr_random_between(&r, -5, 5);
        fr_vec3 moves = {0.0, 0.0, fr_random_below(&r, 4) == 0 ? fr_random_between(&r, -0.5, 0.5) : 0.0};
        const char *shape = shapes[fr_random_below(&r, 4)];
        if (is_near(place, start) || is_near(place, goal)) { continue; }
        add_obstacle(w, shape, place, fr_random_between(&r, 0.3, 0.9), moves);
    }
}

static void it_reaches_what_the_search_of_the_source_reaches(void **state) {
    (void)state;
    uint32_t offline = 0, touched = 0, count = (uint32_t)test_count(6, 200);
    for (uint64_t seed = 1; seed <= count; seed++) {
        sought_world w;
        fill_randomly(&w, seed);
        bool is_reached = is_reached_offline(&w, 12.0);
        fr_seeker_def def = seeker_def(&w, 5.5, true, seed);
        def.looks = 128;
        add_seeker(&w, &def);
        run(&w, 5000);
        offline += is_reached;
        touched += w.touched > 0;
        if (is_reached && w.touched == 0) {
            fail_msg("world %llu is searched in vain: phase %d", (unsigned long long)seed,
                     (int)fr_seeker_get(w.seeker).phase);
        }
        if (w.touched > 0) { assert_true(distance_to_target(&w) <= 1e-5); }
        close_world(&w);
    }
    print_message("of %u worlds %u are reached by turning and going straight, %u by the seeker\n", count, offline,
                  touched);
    assert_true(offline > 0 && touched == count);
}

// ---------------------------------------------------------------------------------------------------------------
// Records, memory, layers

static uint64_t run_recorded(tape *record, uint32_t *ticks) {
    sought_world w;
    fill_randomly(&w, 7);
    if (record != NULL) { assert_int_equal(fr_world_record(w.world, tape_keep, record, NULL), FR_OK); }
    fr_seeker_def def = seeker_def(&w, 5.5, true, 7);
    add_seeker(&w, &def);
    uint64_t hash = 0;
    for (*ticks = 0; *ticks < 400; ++*ticks) {
        run(&w, 1);
        const fr_snapshot *snapshot = fr_world_snapshot(w.world);
        uint64_t one = fr_snapshot_hash(snapshot);
        hash = fr_hash(&one, sizeof one, hash);
        fr_snapshot_release(snapshot);
    }
    close_world(&w);
    return hash;
}

static void it_is_the_same_in_every_run_and_in_a_replay(void **state) {
    (void)state;
    tape record = {0};
    uint32_t ticks;
    uint64_t hash = run_recorded(&record, &ticks);
    assert_true(hash == run_recorded(NULL, &ticks));
    fr_world_def def = fr_default_world_def();
    fr_world *copy;
    assert_int_equal(fr_world_create(&def, &copy, NULL), FR_OK);
    assert_int_equal(fr_world_replay(copy, record.bytes, record.size, NULL, NULL), FR_OK);
    assert_int_equal(fr_world_tick_count(copy), ticks);
    fr_world_destroy(copy);
    free(record.bytes);
}

static void a_warm_tick_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    sought_world w;
    open_world(&w, fr_vec3_make(-3, 0, 0), fr_vec3_make(3, -0.2, 0));
    add_wall(&w);
    fr_seeker_def def = seeker_def(&w, 5.0, true, 3);
    def.allocator = fr_probe_allocator(probe);
    add_seeker(&w, &def);
    const fr_pose start = fr_object_get(fr_world_space(w.world), w.probe)->pose;
    run(&w, 6000);
    assert_true(w.touched > 0);
    // The same search once more.
    uint64_t before = fr_probe_get(probe).allocations;
    w.touched = 0;
    assert_int_equal(fr_object_set_pose(fr_world_space(w.world), w.probe, &start, NULL), FR_OK);
    assert_int_equal(fr_cast_begin(w.cast, NULL), FR_OK);
    run(&w, 6000);
    assert_true(w.touched > 0);
    assert_int_equal(fr_probe_get(probe).allocations, before);
    close_world(&w);
    fr_probe_destroy(probe);
}

static fr_status make_seeker(const fr_allocator *allocator, void *context) {
    sought_world *w = context;
    fr_seeker_def def = seeker_def(w, 6.0, true, 1);
    def.allocator = *allocator;
    fr_seeker *seeker;
    fr_status status = fr_seeker_create(&def, &seeker, NULL);
    if (status != FR_OK) { return status; }
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = w->world;
    fr_cast *cast;
    assert_int_equal(fr_cast_create(&cast_def, &cast, NULL), FR_OK);
    const fr_actor actor = fr_seeker_actor(seeker);
    assert_int_equal(fr_cast_add(cast, &actor, NULL), FR_OK);
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        status = fr_cast_tick(cast, NULL, NULL);
    }
    if (status != FR_OK) {
        test_lift(allocator);
        assert_int_equal(fr_cast_tick(cast, NULL, NULL), FR_OK);
    }
    fr_cast_destroy(cast);
    return status;
}

static void memory_that_runs_short_is_survived(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, -0.2, 0));
    test_every_failure_leaves_nothing(make_seeker, &w);
    fr_world_destroy(w.world);
}

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, -0.2, 0));
    const fr_seeker_def right = seeker_def(&w, 6.0, true, 1);
    fr_seeker *seeker;
    fr_seeker_def def = right;
    def.world = NULL;
    assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_ARGUMENT);
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        def = right;
        def.speed = bad[i];
        assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_ARGUMENT);
        def = right;
        def.range = bad[i];
        assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_ARGUMENT);
    }
    def = right;
    def.looks = 0;
    assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_ARGUMENT);
    def = right;
    def.bounds.max.x = (double)INFINITY;
    assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_ARGUMENT);
    def = right;
    def.target = def.object;
    assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_STALE_ID);
    def.target = (fr_object_id){99, 0, 0};
    assert_int_equal(fr_seeker_create(&def, &seeker, NULL), FR_ERROR_STALE_ID);
    fr_world_destroy(w.world);
}

typedef struct shown_tree {
    draw_record record;
    int pictures;
    int most_lines;
} shown_tree;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)error;
    shown_tree *shown = user;
    assert_string_equal(layer->name, FR_SEEKER_LAYER);
    if (layer->paint == NULL) { return FR_OK; }
    fr_draw draw = draw_record_begin(&shown->record);
    layer->paint(&draw, layer->user);
    shown->pictures++;
    int lines = (int)shown->record.line_count;
    shown->most_lines = lines > shown->most_lines ? lines : shown->most_lines;
    return FR_OK;
}

static void the_tree_grows_as_it_is_drawn(void **state) {
    (void)state;
    sought_world w;
    open_world(&w, fr_vec3_make(-4, 0, 0), fr_vec3_make(3, 0, 0));
    enclose_target(&w);
    fr_seeker_def def = seeker_def(&w, 7.0, true, 1);
    add_seeker(&w, &def);
    shown_tree shown = {.pictures = 0};
    fr_cast_set_draw(w.cast, show, &shown);
    run(&w, 20);
    int early = shown.most_lines;
    run(&w, 200);
    assert_true(shown.most_lines > early + 20 && shown.pictures > 100);
    close_world(&w);
}

// The demo: the probe touches the chair, and again when the chair is elsewhere.
static void a_scene_says_what_is_sought(void **state) {
    (void)state;
    fr_scene *scene = demo_read(DEMO_FOLDER, "seek.json");
    fr_world *world = demo_world(scene, DEMO_FOLDER, FR_SENSE_CONTINUOUS);
    fr_cast *cast;
    assert_int_equal(fr_scene_cast(scene, world, NULL, &cast, NULL), FR_OK);
    sought_world w = {.world = world, .cast = cast};
    w.probe = fr_world_find(world, "probe");
    w.target = fr_world_find(world, "chair");
    uint32_t touches = 0;
    for (int i = 0; i < 1900; i++) {
        w.touched = 0;
        assert_int_equal(fr_cast_tick(cast, NULL, NULL), FR_OK);
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        note_events(&w, snapshot);
        fr_snapshot_release(snapshot);
        touches += w.touched > 0;
    }
    assert_true(touches >= 2 && w.unreachable == 0);
    fr_cast_destroy(cast);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(in_the_open_it_sees_goes_and_touches),
        cmocka_unit_test(a_target_that_moves_is_followed),
        cmocka_unit_test(it_goes_round_a_wall),
        cmocka_unit_test(what_is_too_far_away_ends_the_search),
        cmocka_unit_test(what_cannot_be_reached_is_reported_and_it_stands),
        cmocka_unit_test(a_seeker_that_is_walled_in_gives_up_soon),
        cmocka_unit_test(a_target_that_is_gone_is_reported),
        cmocka_unit_test(it_reaches_what_the_search_of_the_source_reaches),
        cmocka_unit_test(it_is_the_same_in_every_run_and_in_a_replay),
        cmocka_unit_test(a_warm_tick_allocates_nothing),
        cmocka_unit_test(memory_that_runs_short_is_survived),
        cmocka_unit_test(the_tree_grows_as_it_is_drawn),
        cmocka_unit_test(a_scene_says_what_is_sought),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
