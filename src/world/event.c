// The events of a tick, collected from bodies, joints and wishes.
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

bool fr__event_is_reported(fr_event_kind kind) { return kind >= FR_EVENT_HAND_FIRST && kind < FR_EVENT_KIND_COUNT; }

bool fr__event_is_finite(const fr_event *event) {
    return isfinite(event->value) && isfinite(event->speed) && isfinite(event->area) && isfinite(event->pull) &&
           fr_vec3_is_finite(event->point) && isfinite(event->second);
}

bool fr__event_has_name(const fr_event *event) {
    bool is_text = memchr(event->name, '\0', sizeof event->name) != NULL;
    return is_text && event->name[0] != '\0' && fr__text_is_right(event->name, FR_WORLD_STATE_NAME_MAX_BYTES);
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

static bool report_presence(fr_world *world, const fr__world_body *body, fr_object_id now) {
    if (fr_object_id_equal(body->known, now)) { return true; }
    return (body->known.index1 == 0 || add_one(world, FR_EVENT_REMOVED, body->known, 0.0)) &&
           (now.index1 == 0 || add_one(world, FR_EVENT_ADDED, now, 0.0));
}

// An object that was taken and released between two ticks gets both events.
static bool report_hold(fr_world *world, const fr__world_body *body, fr_object_id now) {
    if (!fr_object_id_equal(body->owner, now) || body->hold == body->reported_hold) { return true; }
    bool was_held = body->reported_hold == FR_HOLD_HELD, is_held = body->hold == FR_HOLD_HELD;
    bool was_taken = is_held || (body->hold == FR_HOLD_PLACED && body->reported_hold == FR_HOLD_FREE);
    bool was_let_go = was_held || (was_taken && !is_held);
    return (!was_taken || add_one(world, FR_EVENT_HELD, now, 0.0)) &&
           (!was_let_go || add_one(world, FR_EVENT_RELEASED, now, 0.0));
}

static bool report_states(fr_world *world, const fr__world_body *body, fr_object_id now) {
    if (!fr_object_id_equal(body->owner, now)) { return true; }
    const fr__state *states = body->states.data;
    for (size_t i = 0; i < body->states.count; i++) {
        if (!states[i].is_changed) { continue; }
        if (!add_one(world, FR_EVENT_STATE, now, states[i].value)) { return false; }
        fr_event *event = world->events.data + (world->events.count - 1);
        memcpy(event->name, states[i].name, sizeof event->name);
        if (states[i].is_removed) {
            event->value = 0.0;
            event->second = 1.0;
        }
    }
    return true;
}

// Reports the wanted pose of the object and the pose that it got.
static bool report_correction(fr_world *world, const fr__world_body *body, fr_object_id now) {
    if (!body->is_raw_taken || !fr_object_id_equal(body->owner, now)) { return true; }
    const fr_pose *raw = &body->raw, *shown = &fr__space_object(world->space, now.index1 - 1)->view.next;
    if (fr__pose_near(raw, shown, 0.0)) { return true; }
    return add_one(world, FR_EVENT_CORRECTED, now, fr_vec3_distance(raw->position, shown->position));
}

typedef bool report_fn(fr_world *world, const fr__world_body *body, fr_object_id now);

static bool report_all(fr_world *world, bool is_needed, report_fn *report) {
    const fr__world_body *bodies = fr__bodies(&world->bodies);
    for (uint32_t i = 0; is_needed && i < world->bodies.count; i++) {
        if (!report(world, &bodies[i], fr__body_object(world, i))) { return false; }
    }
    return true;
}

// Which reports of bodies may have something to say: in most ticks none has, and one look at all bodies finds that.
typedef struct body_news {
    bool presence, holds, corrections, states;
} body_news;

static body_news find_news(const fr_world *world) {
    const fr__world_body *bodies = fr__bodies(&world->bodies);
    body_news news = {false, false, false, false};
    for (uint32_t i = 0; i < world->bodies.count; i++) {
        const fr__world_body *body = &bodies[i];
        news.presence |= !fr_object_id_equal(body->known, fr__body_object(world, i));
        news.holds |= body->hold != body->reported_hold;
        news.corrections |= body->is_raw_taken;
        news.states |= body->states.count > 0;
    }
    return news;
}

static bool report_limits(fr_world *world) {
    const fr__joint_turn *turns = world->joints.turns.data;
    for (size_t i = 0; i < world->joints.turns.count; i++) {
        if (turns[i].limit == 0) { continue; }
        if (!add_one(world, FR_EVENT_LIMIT, turns[i].joint.child, turns[i].limit)) { return false; }
    }
    return true;
}

// Adds an event of a corrector or of a record: only the fields that its kind has.
static bool add_reported(fr_world *world, const fr_event *reported) {
    if (!fr__event_is_reported(reported->kind)) { return add_one(world, reported->kind, reported->a, reported->value); }
    fr_event *event = fr__event_add(world, reported->kind, reported->a, reported->b);
    if (event == NULL) { return false; }
    event->value = reported->value;
    event->speed = reported->speed;
    event->area = reported->area;
    event->pull = reported->pull;
    event->count = reported->count;
    event->point = reported->point;
    if (reported->kind == FR_EVENT_NAMED) {
        event->second = reported->second;
        memcpy(event->name, reported->name, strlen(reported->name));
    }
    return true;
}

static bool add_all_reported(fr_world *world, const fr_event *reported, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!add_reported(world, &reported[i])) { return false; }
    }
    return true;
}

bool fr__events_collect(fr_world *world) {
    body_news news = find_news(world);
    world->events.count = 0;
    return report_all(world, news.presence, report_presence) && report_all(world, news.holds, report_hold) &&
           report_limits(world) && report_all(world, news.corrections, report_correction) &&
           add_all_reported(world, world->wishes.events.data, world->wishes.events.count) &&
           report_all(world, news.states, report_states);
}

bool fr__events_collect_recorded(fr_world *world, const fr_event *reported, size_t count) {
    body_news news = find_news(world);
    world->events.count = 0;
    return report_all(world, news.presence, report_presence) && report_all(world, news.holds, report_hold) &&
           add_all_reported(world, reported, count) && report_all(world, news.states, report_states);
}
