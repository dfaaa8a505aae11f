#include "world/event.h"

#include "world/pose_compare.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

fr_event *fr__event_add(fr_world *world, fr_event_kind kind, fr_object_id a, fr_object_id b) {
    fr_event *event = fr__event_array_push(&world->events, 1);
    if (event == NULL) { return NULL; }
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->fraction = 1.0;
    event->a = a;
    event->b = b;
    return event;
}

bool fr__event_is_handling(fr_event_kind kind) { return kind >= FR_EVENT_HAND_FIRST && kind <= FR_EVENT_FORCE; }

bool fr__event_is_finite(const fr_event *event) {
    return isfinite(event->value) && isfinite(event->speed) && isfinite(event->area) && isfinite(event->pull) &&
           fr_vec3_is_finite(event->point);
}

static bool add_one(fr_world *world, fr_event_kind kind, fr_object_id a, double value) {
    fr_object_id none = {0, 0, 0};
    fr_event *event = fr__event_add(world, kind, a, none);
    if (event == NULL) { return false; }
    event->value = value;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// By body

static bool tell_presence(fr_world *world, const fr__body *body, fr_object_id now) {
    if (fr_object_id_equal(body->known, now)) { return true; }
    return (body->known.index1 == 0 || add_one(world, FR_EVENT_REMOVED, body->known, 0.0)) &&
           (now.index1 == 0 || add_one(world, FR_EVENT_ADDED, now, 0.0));
}

// Taken and let go between two ticks: both are told.
static bool tell_hold(fr_world *world, const fr__body *body, fr_object_id now) {
    if (!fr_object_id_equal(body->owner, now) || body->hold == body->hold_told) { return true; }
    bool was_held = body->hold_told == FR_HOLD_HELD, is_held = body->hold == FR_HOLD_HELD;
    bool was_taken = is_held || (body->hold == FR_HOLD_PLACED && body->hold_told == FR_HOLD_FREE);
    bool was_let_go = was_held || (was_taken && !is_held);
    return (!was_taken || add_one(world, FR_EVENT_HELD, now, 0.0)) &&
           (!was_let_go || add_one(world, FR_EVENT_RELEASED, now, 0.0));
}

static bool tell_states(fr_world *world, const fr__body *body, fr_object_id now) {
    if (!fr_object_id_equal(body->owner, now)) { return true; }
    const fr__state *states = body->states.data;
    for (size_t i = 0; i < body->states.count; i++) {
        if (!states[i].is_changed) { continue; }
        if (!add_one(world, FR_EVENT_STATE, now, states[i].value)) { return false; }
        fr_event *event = world->events.data + (world->events.count - 1);
        memcpy(event->state, states[i].name, sizeof event->state);
    }
    return true;
}

// What was asked for the object and what it got.
static bool tell_correction(fr_world *world, const fr__body *body, fr_object_id now) {
    if (!body->is_raw_taken || !fr_object_id_equal(body->owner, now)) { return true; }
    const fr_pose *raw = &body->raw, *shown = &fr__space_object(world->space, now.index1 - 1)->view.next;
    if (fr__pose_near(raw, shown, 0.0)) { return true; }
    return add_one(world, FR_EVENT_CORRECTED, now, fr_vec3_distance(raw->position, shown->position));
}

typedef bool tell_fn(fr_world *world, const fr__body *body, fr_object_id now);

static bool tell_all(fr_world *world, tell_fn *tell) {
    const fr__body *bodies = fr__bodies(&world->bodies);
    for (uint32_t i = 0; i < world->bodies.count; i++) {
        if (!tell(world, &bodies[i], fr_space_object_at(world->space, i))) { return false; }
    }
    return true;
}

static bool tell_limits(fr_world *world) {
    const fr__joint_turn *turns = world->joints.turns.data;
    for (size_t i = 0; i < world->joints.turns.count; i++) {
        if (turns[i].limit == 0) { continue; }
        if (!add_one(world, FR_EVENT_LIMIT, turns[i].joint.child, turns[i].limit)) { return false; }
    }
    return true;
}

// An event that a corrector or a record tells: what its kind has, and nothing else of it.
static bool add_told(fr_world *world, const fr_event *told) {
    if (!fr__event_is_handling(told->kind)) { return add_one(world, told->kind, told->a, told->value); }
    fr_event *event = fr__event_add(world, told->kind, told->a, told->b);
    if (event == NULL) { return false; }
    event->value = told->value;
    event->speed = told->speed;
    event->area = told->area;
    event->pull = told->pull;
    event->count = told->count;
    event->point = told->point;
    return true;
}

static bool add_all_told(fr_world *world, const fr_event *told, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!add_told(world, &told[i])) { return false; }
    }
    return true;
}

bool fr__events_collect(fr_world *world) {
    world->events.count = 0;
    return tell_all(world, tell_presence) && tell_all(world, tell_hold) && tell_limits(world) &&
           tell_all(world, tell_correction) && add_all_told(world, world->wishes.told.data, world->wishes.told.count) &&
           tell_all(world, tell_states);
}

bool fr__events_collect_told(fr_world *world, const fr_event *told, size_t count) {
    world->events.count = 0;
    return tell_all(world, tell_presence) && tell_all(world, tell_hold) && add_all_told(world, told, count) &&
           tell_all(world, tell_states);
}
