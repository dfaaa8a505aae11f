// Named states of objects.
#include "world/world.h"

#include "fureai/world_state.h"

#include <string.h>

enum { MAX_PLACES = 2 * FR_WORLD_MAX_STATES }; // with those that were removed since the last tick

static fr__state *find_state(const fr__world_body *body, const char *name) {
    fr__state *states = body->states.data;
    for (size_t i = 0; i < body->states.count; i++) {
        if (strcmp(states[i].name, name) == 0) { return &states[i]; }
    }
    return NULL;
}

// Those that are not removed.
static uint32_t count_states(const fr__world_body *body) {
    uint32_t count = 0;
    for (size_t i = 0; i < body->states.count; i++) {
        count += body->states.data[i].is_removed ? 0 : 1;
    }
    return count;
}

fr_status fr_world_set_state(fr_world *world, fr_object_id id, const char *name, double value, fr_error *error) {
    FR_ASSERT(world != NULL && name != NULL);
    if (name[0] == '\0' || !fr__text_is_right(name, FR_WORLD_STATE_NAME_MAX_BYTES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of a state is empty, longer than %d bytes or no UTF-8",
                            FR_WORLD_STATE_NAME_MAX_BYTES);
    }
    if (!isfinite(value)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the value of state '%s' is not finite", name);
    }
    fr_status status;
    fr__world_body *body = fr__body_open(world, id, &status, error);
    if (body == NULL) { return status; }

    fr__state *state = find_state(body, name);
    if (state == NULL) {
        bool is_full = body->states.count >= MAX_PLACES || count_states(body) >= FR_WORLD_MAX_STATES;
        if (is_full) {
            return fr_error_set(error, FR_ERROR_LIMIT, "an object has at most %d states", FR_WORLD_MAX_STATES);
        }
        state = fr__state_array_push(&body->states, 1);
        if (state == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a state"); }
        memset(state, 0, sizeof *state);
        memcpy(state->name, name, strlen(name));
        state->is_changed = true;
    }
    if (state->value != value || state->is_removed) { state->is_changed = true; }
    state->value = value;
    state->is_removed = false;
    fr__world_operation operation = {.kind = FR__WORLD_SET_STATE, .object = id, .text = state->name};
    operation.text_bytes = (uint32_t)strlen(state->name);
    operation.value = value;
    operation.is_set = state->is_changed;
    fr__world_record(world, &operation);
    return FR_OK;
}

fr_status fr_world_remove_state(fr_world *world, fr_object_id id, const char *name, fr_error *error) {
    FR_ASSERT(world != NULL && name != NULL);
    fr_status status;
    fr__world_body *body = fr__body_open(world, id, &status, error);
    if (body == NULL) { return status; }
    fr__state *state = find_state(body, name);
    if (state == NULL || state->is_removed) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the object has no such state");
    }
    state->is_removed = state->is_changed = true;
    fr__world_operation operation = {.kind = FR__WORLD_REMOVE_STATE, .object = id, .text = state->name};
    operation.text_bytes = (uint32_t)strlen(state->name);
    fr__world_record(world, &operation);
    return FR_OK;
}

void fr__states_settle(fr__state_array *states) {
    size_t left = 0;
    for (size_t i = 0; i < states->count; i++) {
        if (states->data[i].is_removed) { continue; }
        states->data[i].is_changed = false;
        if (left < i) { states->data[left] = states->data[i]; }
        left++;
    }
    states->count = left;
}

void fr__state_mark(fr_world *world, fr_object_id id, const char *name, bool is_changed) {
    const fr__world_body *body = fr__body_find(world, id);
    fr__state *state = body != NULL ? find_state(body, name) : NULL;
    if (state != NULL) { state->is_changed = is_changed; }
}

double fr_world_state(const fr_world *world, fr_object_id id, const char *name) {
    FR_ASSERT(world != NULL && name != NULL);
    const fr__world_body *body = fr__body_find(world, id);
    const fr__state *state = body != NULL ? find_state(body, name) : NULL;
    return state != NULL && !state->is_removed ? state->value : FR_UNKNOWN;
}

uint32_t fr_world_state_count(const fr_world *world, fr_object_id id) {
    FR_ASSERT(world != NULL);
    const fr__world_body *body = fr__body_find(world, id);
    return body != NULL ? count_states(body) : 0;
}

const char *fr_world_state_name(const fr_world *world, fr_object_id id, uint32_t index) {
    FR_ASSERT(world != NULL);
    const fr__world_body *body = fr__body_find(world, id);
    for (size_t i = 0; body != NULL && i < body->states.count; i++) {
        if (body->states.data[i].is_removed) { continue; }
        if (index == 0) { return body->states.data[i].name; }
        index--;
    }
    return NULL;
}
