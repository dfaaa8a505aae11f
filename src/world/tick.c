// The tick of a world.
#include "world/tick.h"

#include "world/event.h"
#include "world/sense.h"
#include "world/world.h"

#include <string.h>

#define TICK_INPUT_COOKIE 0x5449434bu

fr_tick_input fr_default_tick_input(void) {
    fr_tick_input input;
    memset(&input, 0, sizeof input);
    input.cookie = TICK_INPUT_COOKIE;
    return input;
}

// Milliseconds since the last call, or since `since` was set.
static double lap(uint64_t *since) {
    uint64_t now = fr_clock_ns(), before = *since;
    *since = now;
    return 1e-6 * (double)(now - before);
}

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a tick"); }

fr_status fr__tick_begin(fr_world *world, fr_error *error) {
    bool is_provided = fr__bodies_provide(world) &&
                       fr__wishes_begin(&world->wishes, fr_space_object_places(world->space)) &&
                       fr__step_begin(world) && fr__joints_begin(world);
    return is_provided ? FR_OK : no_memory(error);
}

// ---------------------------------------------------------------------------------------------------------------
// Movers and correctors

static fr_proposal proposal_of(const fr_world *world) {
    return (fr_proposal){.space = world->space,
                         .pose_result = &world->pose_result,
                         .tick = world->tick,
                         .time = fr_world_time(world),
                         .step = world->step};
}

static fr_status ask(fr_world *world, const fr__proposer *proposer, const char *what, const fr_proposal *proposal,
                     fr_error *error) {
    fr_error own;
    memset(&own, 0, sizeof own);
    fr_status status = proposer->propose(proposal, &world->wishes, proposer->user, &own);
    if (status == FR_OK) { return FR_OK; }
    const char *message = own.message[0] != '\0' ? own.message : fr_status_text(status);
    return fr_error_set(error, status, "%s '%s': %s", what, proposer->name, message);
}

static fr_status run_movers(fr_world *world, fr_error *error) {
    fr_status status = FR_OK;
    const fr_proposal proposal = proposal_of(world);
    world->wishes.from_movers = true;
    for (uint32_t i = 0; i < world->movers.count && status == FR_OK; i++) {
        status = ask(world, &world->movers.list[i], "mover", &proposal, error);
    }
    world->wishes.from_movers = false;
    return status;
}

// Takes the inputs of people, which replace the wishes of movers.
static void take_inputs(fr_world *world) {
    fr__world_body *bodies = fr__bodies(&world->bodies);
    for (size_t i = 0; world->has_inputs && i < world->bodies.count; i++) {
        if (!bodies[i].has_raw || !fr_object_exists(world->space, bodies[i].owner)) { continue; }
        fr_wish wish = {.object = bodies[i].owner, .kind = FR_WISH_NEXT, .pose = bodies[i].raw};
        fr_status status = fr_wishes_add(&world->wishes, &wish, NULL);
        FR_ASSERT(status == FR_OK);
        (void)status;
        bodies[i].is_raw_taken = true;
    }
}

// Each corrector sees a current space with the motions of all correctors before it, and the step result from before all
// of them. Collisions of changed motions are detected again.
static fr_status run_correctors(fr_world *world, fr__tick *tick, fr_error *error) {
    fr_status status = fr__sense_step(world, tick, error);
    fr_proposal proposal = proposal_of(world);
    proposal.ahead = world->sense == FR_SENSE_CONTINUOUS ? &world->step_result : NULL;
    proposal.is_paused = tick->input->is_paused;
    bool is_changed = false;
    for (uint32_t i = 0; i < world->correctors.count && status == FR_OK; i++) {
        if (world->correctors.list[i].is_idle) { continue; }
        status = fr_space_update(world->space, tick->input->tasks, error);
        uint64_t count = world->wishes.count;
        if (status == FR_OK) { status = ask(world, &world->correctors.list[i], "corrector", &proposal, error); }
        if (status == FR_OK && world->wishes.count != count) {
            fr__step_revert(world);
            status = fr__step_apply(world, tick->input->tasks, error);
            is_changed = true;
        }
    }
    return status == FR_OK && is_changed ? fr__sense_step(world, tick, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Before the commit: everything that may fail

static void settle_inputs(fr_world *world, bool is_done) {
    fr__world_body *bodies = fr__bodies(&world->bodies);
    bool is_left = false;
    for (size_t i = 0; world->has_inputs && i < world->bodies.count; i++) {
        if (is_done && bodies[i].is_raw_taken) { bodies[i].has_raw = false; }
        bodies[i].is_raw_taken = false;
        is_left = is_left || bodies[i].has_raw;
    }
    world->has_inputs = is_left;
}

void fr__tick_forget_inputs(fr_world *world) {
    fr__world_body *bodies = fr__bodies(&world->bodies);
    for (size_t i = 0; i < world->bodies.count; i++) {
        bodies[i].has_raw = false;
    }
}

fr_status fr__tick_provide(fr_world *world, fr__tick *tick, fr_error *error) {
    fr__snapshot_room room = {.objects = fr_space_object_count(world->space), .bones = world->space->bone_total};
    room.touches = world->touches.now.count;
    room.face_touches = world->faces.now.count;
    room.events = world->events.count + world->touches.now.count;
    bool is_provided = fr__event_array_reserve(&world->events, room.events) &&
                       fr__touch_array_reserve(&world->touches.after, room.touches) &&
                       fr__face_touch_array_reserve(&world->faces.after, room.face_touches);
    tick->snapshot = is_provided ? fr__snapshot_take(world->pool, &room) : NULL;
    return tick->snapshot != NULL ? FR_OK : no_memory(error);
}

static fr_status plan_step(fr_world *world, fr__tick *tick, fr_error *error) {
    uint64_t since = tick->start;
    fr_status status = fr__tick_begin(world, error);
    if (status != FR_OK) { return status; }

    // Stage 1: movers.
    if (!tick->input->is_paused) { status = run_movers(world, error); }
    if (status != FR_OK) { return status; }
    tick->stats.ms_movers = lap(&since);

    // Stage 2: inputs of people; motions, and joints by them.
    take_inputs(world);
    status = fr__step_apply(world, tick->input->tasks, error);
    tick->stats.ms_joints = lap(&since);

    // Stage 3: corrections, and the events and memory of the planned step.
    if (status == FR_OK) { status = run_correctors(world, tick, error); }
    tick->stats.ms_correctors = lap(&since) - tick->stats.ms_collide_step;
    if (status == FR_OK && !fr__events_collect(world)) { status = no_memory(error); }
    if (status == FR_OK) { status = fr__tick_provide(world, tick, error); }
    tick->stats.ms_events = lap(&since);
    if (status != FR_OK) { fr__step_revert(world); }
    return status;
}

static void commit(fr_world *world, const fr_tick_input *input) {
    fr__joints_write(world);
    fr__record_step(world);
    fr_status status = fr__space_commit(world->space, input->tasks, NULL);
    FR_ASSERT(status == FR_OK);
    (void)status;
    settle_inputs(world, true);
    fr__record_tick(world, input->is_paused);
}

// Whether a replay will get the same results: the detection was not stopped.
static bool is_whole(const fr_world *world, const fr_tick_input *input, fr_status status) {
    bool is_partial = world->pose_result.is_partial || world->step_result.is_partial;
    if (status != FR_OK || !is_partial) { return status == FR_OK; }
    return world->budget > 0 && !fr_control_is_stopped(input->control);
}

// ---------------------------------------------------------------------------------------------------------------
// After the commit

// Finds a snapshot with room for all results; the one that was taken before may have it.
static bool find_room(fr_world *world, fr__tick *tick) {
    fr__snapshot_room room = {.objects = fr_space_object_count(world->space), .bones = world->space->bone_total};
    room.pairs = world->pose_result.pair_count;
    room.contacts = world->pose_result.contacts != NULL ? world->pose_result.pair_count : 0;
    room.touches = world->touches.after.count;
    room.face_touches = world->faces.after.count;
    room.events = world->events.count;
    room.step_pairs = world->step_result.pair_count;
    room.step_contacts = world->want >= FR_WANT_CONTACTS ? world->step_result.pair_count : 0;
    room.step_intervals = world->step_result.interval_count;
    if (fr__snapshot_holds(tick->snapshot, &room)) { return true; }
    fr__snapshot *larger = fr__snapshot_take(world->pool, &room);
    if (larger == NULL) { return false; }
    fr_snapshot_release(&tick->snapshot->view);
    tick->snapshot = larger;
    return true;
}

// Compares touches with the results; without memory, with an empty partial result.
static fr_status compare_touches(fr_world *world, fr__tick *tick, fr_status sensed, fr_error *error) {
    size_t event_count = world->events.count;
    bool is_paused = tick->input->is_paused;
    bool is_done = sensed == FR_OK && fr__touches_compare(world) && fr__touches_provide(world) &&
                   fr__faces_compare(world, is_paused) && fr__faces_provide(world) && find_room(world, tick);
    fr_status status = sensed;
    if (!is_done) {
        if (sensed == FR_OK) {
            status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the result of a tick");
        }
        world->events.count = event_count;
        memset(&world->pose_result, 0, sizeof world->pose_result);
        memset(&world->step_result, 0, sizeof world->step_result);
        world->pose_result.is_partial = world->step_result.is_partial = true;
        bool is_kept = fr__touches_compare(world) && fr__faces_compare(world, is_paused);
        FR_ASSERT(is_kept);
        (void)is_kept;
    }
    fr__touches_take(world);
    fr__faces_take(world);
    return status;
}

static void copy_array(void *to, const void *from, size_t count, size_t size) {
    if (count > 0) { memcpy(to, from, count * size); }
}

// The places of a world are copied in runs, side by side. A run begins with the object and bone of these numbers.
#define MAX_RUNS 64
#define MIN_RUN_PLACES 256

typedef struct object_run {
    size_t object_count, bone_count; // of the run; then of all before it
} object_run;

typedef struct object_copy {
    const fr_world *world;
    fr_snapshot_object *objects;
    fr_pose *bones;
    uint32_t places, run_places;
    object_run runs[MAX_RUNS];
} object_copy;

static uint32_t run_end(const object_copy *copy, size_t run) {
    uint64_t end = (uint64_t)(run + 1) * copy->run_places;
    return end < copy->places ? (uint32_t)end : copy->places;
}

static size_t bone_count_of(const fr__object *object) {
    return object->view.bones != NULL ? object->view.bone_count : 0;
}

static void count_runs(size_t begin, size_t end, int worker, void *context) {
    object_copy *copy = context;
    const fr_space *space = copy->world->space;
    (void)worker;
    for (size_t run = begin; run < end; run++) {
        object_run count = {0, 0};
        for (uint32_t i = (uint32_t)run * copy->run_places; i < run_end(copy, run); i++) {
            if (!fr__places_is_used(&space->object_places, i)) { continue; }
            count.object_count++;
            if (space->bone_total > 0) { count.bone_count += bone_count_of(fr__space_object(space, i)); }
        }
        copy->runs[run] = count;
    }
}

static void copy_runs(size_t begin, size_t end, int worker, void *context) {
    const object_copy *copy = context;
    const fr_space *space = copy->world->space;
    const fr__world_body *bodies = fr__bodies(&copy->world->bodies);
    (void)worker;
    for (size_t run = begin; run < end; run++) {
        fr_snapshot_object *out = copy->objects + copy->runs[run].object_count;
        fr_pose *bones = copy->bones + copy->runs[run].bone_count;
        for (uint32_t i = (uint32_t)run * copy->run_places; i < run_end(copy, run); i++) {
            if (!fr__places_is_used(&space->object_places, i)) { continue; }
            const fr__object *object = fr__space_object(space, i);
            out->id = fr__space_object_id(space, i);
            out->pose = object->view.pose;
            out->versions = object->versions;
            out->flags = object->view.flags;
            out->hold = fr_object_id_equal(bodies[i].owner, out->id) ? bodies[i].hold : FR_HOLD_FREE;
            out->bone_count = (uint32_t)bone_count_of(object);
            out->bones = out->bone_count > 0 ? bones : NULL;
            copy_array(bones, object->view.bones, out->bone_count, sizeof *bones);
            bones += out->bone_count;
            out++;
        }
    }
}

static size_t copy_objects(const fr_world *world, const fr_tasks *tasks, fr__snapshot *snapshot) {
    object_copy copy = {.world = world, .objects = snapshot->objects, .bones = snapshot->bones};
    copy.places = fr_space_object_places(world->space);
    copy.run_places = copy.places / MAX_RUNS + 1;
    if (copy.run_places < MIN_RUN_PLACES) { copy.run_places = MIN_RUN_PLACES; }
    size_t run_count = (copy.places + copy.run_places - 1) / copy.run_places;
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, run_count, 1, count_runs, &copy);
    object_run before = {0, 0};
    for (size_t i = 0; i < run_count; i++) {
        object_run count = copy.runs[i];
        copy.runs[i] = before;
        before.object_count += count.object_count;
        before.bone_count += count.bone_count;
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, run_count, 1, copy_runs, &copy);
    return before.object_count;
}

static void copy_step(const fr_world *world, fr__snapshot *snapshot) {
    const fr_collide_output *result = &world->step_result;
    fr_snapshot_step *view = &snapshot->view.step_result;
    if (world->sense != FR_SENSE_CONTINUOUS) { return; }
    view->pair_count = result->pair_count;
    view->pairs = snapshot->step_pairs;
    copy_array(snapshot->step_pairs, result->pairs, result->pair_count, sizeof *result->pairs);
    if (world->want >= FR_WANT_CONTACTS) {
        view->contacts = snapshot->step_contacts;
        copy_array(snapshot->step_contacts, result->contacts, result->pair_count, sizeof *result->contacts);
    }
    view->interval_count = result->interval_count;
    view->intervals = snapshot->step_intervals;
    copy_array(snapshot->step_intervals, result->intervals, result->interval_count, sizeof *result->intervals);
    view->free_time = result->free_time;
}

static void fill_events(const fr_world *world, fr__snapshot *snapshot) {
    fr_snapshot *view = &snapshot->view;
    view->event_count = world->events.count;
    view->events = snapshot->events;
    copy_array(snapshot->events, world->events.data, view->event_count, sizeof(fr_event));
    for (size_t i = 0; i < view->event_count; i++) {
        fr_event *event = &snapshot->events[i];
        double left = view->is_paused ? 0.0 : 1.0 - event->fraction;
        event->tick = view->tick;
        event->time = view->time - left * view->step;
    }
}

static void fill_snapshot(const fr_world *world, const fr__tick *tick, fr__snapshot *snapshot) {
    fr_snapshot *view = &snapshot->view;
    const fr_collide_output *result = &world->pose_result;
    view->sequence = world->sequence;
    view->tick = world->tick;
    view->time = fr_world_time(world);
    view->step = world->step;
    view->is_paused = tick->input->is_paused;
    view->is_partial = result->is_partial || world->step_result.is_partial;
    view->sense = world->sense;
    view->object_count = copy_objects(world, tick->input->tasks, snapshot);
    view->objects = snapshot->objects;
    view->pair_count = result->pair_count;
    view->pairs = snapshot->pairs;
    copy_array(snapshot->pairs, result->pairs, result->pair_count, sizeof *result->pairs);
    if (world->want >= FR_WANT_CONTACTS) {
        view->contacts = snapshot->contacts;
        copy_array(snapshot->contacts, result->contacts, result->pair_count, sizeof *result->contacts);
    }
    copy_step(world, snapshot);
    view->touch_count = world->touches.now.count;
    view->touches = snapshot->touches;
    copy_array(snapshot->touches, world->touches.now.data, view->touch_count, sizeof(fr_touch));
    view->face_touch_count = world->faces.now.count;
    view->face_touches = snapshot->face_touches;
    copy_array(snapshot->face_touches, world->faces.now.data, view->face_touch_count, sizeof(fr_face_touch));
    fill_events(world, snapshot);
}

fr_status fr__tick_end(fr_world *world, fr__tick *tick, fr_error *error) {
    fr__bodies_settle(world);
    world->sequence++;
    if (!tick->input->is_paused) { world->tick++; }
    fr_status status = fr__sense_poses(world, tick, error);
    uint64_t since = fr_clock_ns();
    status = compare_touches(world, tick, status, error);
    tick->stats.ms_events += lap(&since);

    fill_snapshot(world, tick, tick->snapshot);
    if (world->newest != NULL) { fr_snapshot_release(&world->newest->view); }
    world->newest = tick->snapshot;
    tick->stats.ms_snapshot = lap(&since);
    tick->stats.ms_total = 1e-6 * (double)(since - tick->start);
    world->newest->view.stats = tick->stats;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The tick

fr_status fr_world_tick(fr_world *world, const fr_tick_input *input, fr_error *error) {
    FR_ASSERT(world != NULL);
    fr_tick_input defaults = fr_default_tick_input();
    fr__tick tick = {.input = input != NULL ? input : &defaults, .start = fr_clock_ns()};
    if (tick.input->cookie != TICK_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_tick_input"); }
    if (world->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "a tick is running"); }
    fr_status status = fr__space_check_change(world->space, error);
    if (status != FR_OK) { return status; }

    world->is_ticking = true;
    status = plan_step(world, &tick, error);
    if (status == FR_OK) {
        commit(world, tick.input);
        status = fr__tick_end(world, &tick, error);
        fr__record_hash(world, is_whole(world, tick.input, status));
    } else {
        settle_inputs(world, false);
    }
    world->is_ticking = false;
    return status;
}

const fr_snapshot *fr_world_snapshot(fr_world *world) {
    FR_ASSERT(world != NULL);
    if (world->newest == NULL) { return NULL; }
    fr__snapshot_retain(world->newest);
    return &world->newest->view;
}
