// The mechanism of a world: its objects that are in states, and its table of an actor.
#include "act/mechanism.h"

#include <stdalign.h>
#include <string.h>

#define MECHANISM_COOKIE UINT32_C(0x4d656368)

fr_mechanism_def fr_default_mechanism_def(void) { return (fr_mechanism_def){.cookie = MECHANISM_COOKIE}; }

fr_status fr_mechanism_create(const fr_mechanism_def *def, fr_mechanism **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != MECHANISM_COOKIE) { return fr_error_set_cookie(error, "fr_default_mechanism_def"); }
    if (def->cast == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a mechanism needs a cast"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_mechanism *m = fr_allocate(&allocator, 1, sizeof *m, alignof(fr_mechanism));
    if (m == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a mechanism"); }
    memset(m, 0, sizeof *m);
    m->def = *def;
    m->world = fr_cast_world(def->cast);
    m->allocator = allocator;
    m->objects = fr__mechanism_object_array_make(&allocator);
    m->slots = fr_uint32_array_make(&allocator);
    m->seen = fr__machine_object_array_make(&allocator);
    m->events = fr__machine_event_array_make(&allocator);
    m->steps = fr__machine_step_array_make(&allocator);
    m->emits = fr__mechanism_emit_array_make(&allocator);
    m->cut = FR_NONE;
    fr_status status = fr_arena_create(0, &allocator, &m->names, error);
    if (status == FR_OK) { status = fr_arena_create(0, &allocator, &m->scratch, error); }
    if (status != FR_OK) {
        fr_mechanism_destroy(m);
        return status;
    }
    *out = m;
    return FR_OK;
}

void fr_mechanism_destroy(fr_mechanism *mechanism) {
    if (mechanism == NULL) { return; }
    for (size_t i = 0; i < mechanism->objects.count; i++) {
        fr_class_release(mechanism->objects.data[i].c);
    }
    fr_allocator allocator = mechanism->allocator;
    fr__mechanism_object_array_destroy(&mechanism->objects);
    fr_uint32_array_destroy(&mechanism->slots);
    fr__machine_object_array_destroy(&mechanism->seen);
    fr__machine_event_array_destroy(&mechanism->events);
    fr__machine_step_array_destroy(&mechanism->steps);
    fr__mechanism_emit_array_destroy(&mechanism->emits);
    if (mechanism->names != NULL) { fr_arena_destroy(mechanism->names); }
    if (mechanism->scratch != NULL) { fr_arena_destroy(mechanism->scratch); }
    fr_deallocate(&allocator, mechanism, 1, sizeof *mechanism);
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static size_t object_place(const fr_mechanism *m, fr_object_id object) {
    size_t low = 0, high = m->objects.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->objects.data[middle].object.index1 < object.index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t fr__mechanism_find(const fr_mechanism *m, fr_object_id object) {
    size_t place = object_place(m, object);
    bool is_there = place < m->objects.count && fr_object_id_equal(m->objects.data[place].object, object);
    return is_there ? (uint32_t)place : FR_NONE;
}

static bool has_states(const fr_class *c) { return c != NULL && fr_class_get(c)->states[0].name[0] != '\0'; }

// A state of the same name in another class; FR_NONE: it has none.
static uint32_t same_state(const fr_class *from, uint32_t state, const fr_class *to) {
    if (from == NULL || state == FR_NONE) { return FR_NONE; }
    const fr_class_view *view = fr_class_get(to);
    for (uint32_t i = 0; i < view->state_count; i++) {
        if (strcmp(view->states[i].name, fr_class_get(from)->states[state].name) == 0) { return i; }
    }
    return FR_NONE;
}

static void remove_object(fr_mechanism *m, size_t place) {
    fr_class_release(m->objects.data[place].c);
    size_t behind = --m->objects.count - place;
    memmove(&m->objects.data[place], &m->objects.data[place + 1], behind * sizeof *m->objects.data);
}

// Steps that were not carried out are of objects by their places; a place may be another's now.
static void forget_steps(fr_mechanism *m) {
    m->steps.count = m->step_next = 0;
    m->cut = FR_NONE;
    m->is_changed = true;
}

static fr_status add_object(fr_mechanism *m, fr_object_id object, size_t place, fr_error *error) {
    if (m->objects.count == FR_MECHANISM_MAX_OBJECTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a mechanism has at most %u objects", FR_MECHANISM_MAX_OBJECTS);
    }
    if (fr__mechanism_object_array_push(&m->objects, 1) == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the states of an object");
    }
    size_t behind = m->objects.count - 1 - place;
    memmove(&m->objects.data[place + 1], &m->objects.data[place], behind * sizeof *m->objects.data);
    m->objects.data[place] = (fr__mechanism_object){.object = object, .state = FR_NONE, .initial = FR_NONE};
    return FR_OK;
}

fr_status fr_mechanism_set_class(fr_mechanism *mechanism, fr_object_id object, const fr_class *c, fr_error *error) {
    FR_ASSERT(mechanism != NULL);
    if (!fr_object_exists(fr_world_space(mechanism->world), object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    size_t place = object_place(mechanism, object);
    bool is_there = place < mechanism->objects.count && mechanism->objects.data[place].object.index1 == object.index1;
    bool is_same = is_there && fr_object_id_equal(mechanism->objects.data[place].object, object);
    if (!has_states(c)) {
        if (!is_there) { return FR_OK; }
        forget_steps(mechanism);
        remove_object(mechanism, place);
        return FR_OK;
    }
    if (is_same && mechanism->objects.data[place].c == c) { return FR_OK; }
    fr_status status = is_there ? FR_OK : add_object(mechanism, object, place, error);
    if (status != FR_OK) { return status; }
    forget_steps(mechanism);
    fr__mechanism_object *o = &mechanism->objects.data[place];
    fr_class *old = o->c;
    if (!is_same) { *o = (fr__mechanism_object){.object = object, .state = FR_NONE, .initial = FR_NONE}; }
    if (is_same) {
        // Without a state of that name the object is looked at again.
        bool was_own =
            old != NULL && o->state != FR_NONE && o->constraint == fr_class_get(old)->states[o->state].constraint;
        o->initial = same_state(old, o->initial, c);
        o->state = same_state(old, o->state, c);
        o->constraint = was_own && o->state != FR_NONE ? fr_class_get(c)->states[o->state].constraint : NULL;
    }
    o->c = fr_class_retain(c);
    fr_class_release(old);
    return FR_OK;
}

uint32_t fr_mechanism_count(const fr_mechanism *mechanism) {
    uint32_t count = 0;
    for (size_t i = 0; i < mechanism->objects.count; i++) {
        count += mechanism->objects.data[i].c != NULL ? 1 : 0;
    }
    return count;
}

uint32_t fr_mechanism_state(const fr_mechanism *mechanism, fr_object_id object) {
    FR_ASSERT(mechanism != NULL);
    uint32_t place = fr__mechanism_find(mechanism, object);
    return place != FR_NONE ? mechanism->objects.data[place].state : FR_NONE;
}

void fr_mechanism_explain(fr_mechanism *mechanism, fr_object_id object, uint32_t state, char *text, size_t size) {
    FR_ASSERT(mechanism != NULL && text != NULL && size > 0);
    text[0] = '\0';
    // Objects may have come or gone since, and have another class.
    if (fr__mechanism_link(mechanism, NULL) != FR_OK || fr__mechanism_see(mechanism, NULL) != FR_OK) { return; }
    uint32_t place = fr__mechanism_find(mechanism, object);
    if (place == FR_NONE || mechanism->objects.data[place].state == FR_NONE) { return; }
    const fr__mechanism_object *o = &mechanism->objects.data[place];
    const fr_class_state *now = &fr_class_get(o->c)->states[o->state];
    const fr_machines_input input = fr__mechanism_input(mechanism);
    for (uint32_t i = 0; i < now->transition_count && text[0] == '\0'; i++) {
        if (now->transitions[i].to != state) { continue; }
        fr_machines_explain(&input, place, now->transitions[i].guard, text, size);
    }
}

uint64_t fr_mechanism_hash(const fr_mechanism *mechanism) {
    uint64_t hash = 0;
    for (size_t i = 0; i < mechanism->objects.count; i++) {
        const fr__mechanism_object *o = &mechanism->objects.data[i];
        const uint64_t parts[4] = {o->object.index1, o->state, o->since, (uint64_t)o->falling << 1 | o->is_held};
        if (o->c != NULL) { hash = fr_hash(parts, sizeof parts, hash); }
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// The actor

fr_status fr__mechanism_begin(void *user, fr_error *error) {
    fr_mechanism *m = user;
    fr_status status = FR_OK;
    m->steps.count = m->step_next = m->events.count = m->emits.count = 0;
    m->cut = FR_NONE;
    m->tick = 0;
    for (size_t i = 0; i < m->objects.count && status == FR_OK; i++) {
        status = fr__mechanism_restore(m, &m->objects.data[i], error);
    }
    return status;
}

static void leave(void *user) { fr_mechanism_destroy(user); }

fr_actor fr_mechanism_actor(fr_mechanism *mechanism) {
    return (fr_actor){.name = FR_MECHANISM_NAME,
                      .move = fr__mechanism_move,
                      .correct = fr__mechanism_drive,
                      .prepare = fr__mechanism_prepare,
                      .begin = fr__mechanism_begin,
                      .is_idle = fr__mechanism_is_idle,
                      .resume = fr__mechanism_resume,
                      .leave = leave,
                      .user = mechanism};
}
