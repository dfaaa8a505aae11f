// Bodies: the data of the world for each object of its space.
#include "world/body.h"

#include "world/world.h"

#include <string.h>

static bool is_none(fr_object_id id) { return id.index1 == 0; }

static void clear_body(fr_world *world, fr__world_body *body) {
    fr_object_id known = body->known;
    fr_deallocate(&world->allocator, body->name, body->name_bytes, 1);
    fr__state_array_destroy(&body->states);
    memset(body, 0, sizeof *body);
    body->known = known;
    body->states = fr__state_array_make(&world->allocator);
}

static bool provide(fr_world *world, size_t count) {
    size_t before = world->bodies.count;
    if (count <= before) { return true; }
    fr__world_body *bodies = fr__body_array_push(&world->bodies, count - before);
    if (bodies == NULL) { return false; }
    memset(bodies, 0, (count - before) * sizeof *bodies);
    for (size_t i = 0; i < count - before; i++) {
        bodies[i].states = fr__state_array_make(&world->allocator);
    }
    return true;
}

bool fr__bodies_provide(fr_world *world) { return provide(world, fr_space_object_places(world->space)); }

const fr__world_body *fr__body_find(const fr_world *world, fr_object_id id) {
    if (!fr_object_exists(world->space, id) || id.index1 > world->bodies.count) { return NULL; }
    const fr__world_body *body = &fr__bodies(&world->bodies)[id.index1 - 1];
    return fr_object_id_equal(body->owner, id) ? body : NULL;
}

fr__world_body *fr__body_open(fr_world *world, fr_object_id id, fr_status *status, fr_error *error) {
    if (!fr_object_exists(world->space, id)) {
        *status = fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this world");
        return NULL;
    }
    if (!provide(world, id.index1)) {
        *status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the data of an object");
        return NULL;
    }
    *status = FR_OK;
    fr__world_body *body = &fr__bodies(&world->bodies)[id.index1 - 1];
    if (!fr_object_id_equal(body->owner, id)) {
        clear_body(world, body);
        body->owner = id;
    }
    return body;
}

void fr__bodies_settle(fr_world *world) {
    fr__world_body *bodies = fr__bodies(&world->bodies);
    bool has_holds = false;
    for (uint32_t i = 0; i < world->bodies.count; i++) {
        fr__world_body *body = &bodies[i];
        fr_object_id now = fr__body_object(world, i);
        if (!is_none(body->owner) && !fr_object_id_equal(body->owner, now)) { clear_body(world, body); }
        // Most ticks change nothing here, and what is only read stays in the caches of all processors.
        if (!fr_object_id_equal(body->known, now)) { body->known = now; }
        if (body->reported_hold != body->hold) { body->reported_hold = body->hold; }
        if (body->states.count > 0) { fr__states_settle(&body->states); }
        has_holds = has_holds || body->hold != FR_HOLD_FREE;
    }
    world->has_holds = has_holds;
}

void fr__bodies_free(fr_world *world) {
    fr__world_body *bodies = fr__bodies(&world->bodies);
    for (size_t i = 0; i < world->bodies.count; i++) {
        clear_body(world, &bodies[i]);
    }
    fr__body_array_destroy(&world->bodies);
}

bool fr__text_is_right(const char *text, size_t max_bytes) {
    size_t size = strlen(text), at = 0;
    if (size > max_bytes) { return false; }
    while (at < size) {
        size_t length = fr_utf8_length(text + at, size - at);
        if (length == 0) { return false; }
        at += length;
    }
    return true;
}
