// Checks the states of a class beyond its file: that each can be reached, and that what they say of other objects can
// be so by some class of the library.
#include "library/state_check.h"

#include "library/library.h"

#include <stdio.h>
#include <string.h>

typedef struct state_checking {
    fr_library *library;
    const fr_class_view *view;
    fr_error *error;
} state_checking;

static fr_status wrong(const state_checking *c, int line, int column, const char *format, const char *name) {
    char path[FR__LIBRARY_PATH_BYTES];
    fr_status status = fr_error_set(c->error, FR_ERROR_ARGUMENT, format, name);
    int written = snprintf(path, sizeof path, "%s/object.json", c->view->name);
    if (c->error != NULL && written > 0 && (size_t)written < sizeof path) {
        fr_error_locate(c->error, path, line, column);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// What some class of the library has

typedef bool has_fn(const fr_class_view *view, const char *name);

static bool has_state(const fr_class_view *view, const char *name) {
    for (uint32_t i = 0; i < view->state_count; i++) {
        if (strcmp(view->states[i].name, name) == 0) { return true; }
    }
    return false;
}

static bool has_frame(const fr_class_view *view, const char *name) {
    for (uint32_t i = 0; i < view->frame_count; i++) {
        if (strcmp(view->frames[i].name, name) == 0) { return true; }
    }
    return false;
}

// Classes that are wrong have nothing.
static bool some_class_has(const state_checking *c, has_fn *has, const char *name) {
    bool is_found = has(c->view, name);
    for (uint32_t i = 0; !is_found && i < fr_library_count(c->library); i++) {
        fr_class *other;
        if (fr_library_find(c->library, fr_library_get(c->library, i)->place.name, &other, NULL) != FR_OK) { continue; }
        is_found = has(fr_class_get(other), name);
        fr_class_release(other);
    }
    return is_found;
}

static bool is_class(const state_checking *c, const char *name) {
    fr_class *found;
    if (fr_library_find(c->library, name, &found, NULL) != FR_OK) { return false; }
    fr_class_release(found);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Guards and triggers

static fr_status check_place(const state_checking *c, const fr_class_place *place, int line, int column) {
    bool is_other = place->object.pattern != NULL && place->frame != NULL;
    if (!is_other || some_class_has(c, has_frame, place->frame)) { return FR_OK; }
    return wrong(c, line, column, "no class of the library has a frame '%s'", place->frame);
}

static fr_status check_guard(const state_checking *c, const fr_class_guard *g) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < g->count && status == FR_OK; i++) {
        status = check_guard(c, &g->list[i]);
    }
    if (status == FR_OK) { status = check_place(c, &g->a, g->line, g->column); }
    if (status == FR_OK) { status = check_place(c, &g->b, g->line, g->column); }
    bool is_state = status == FR_OK && g->kind == FR_GUARD_STATE;
    if (!is_state || some_class_has(c, has_state, g->name)) { return status; }
    return wrong(c, g->line, g->column, "no class of the library has a state '%s'", g->name);
}

static fr_status check_transition(const state_checking *c, const fr_class_transition *t) {
    const fr_class_trigger *on = &t->trigger;
    if (on->kind == FR_TRIGGER_STATE && !some_class_has(c, has_state, on->name)) {
        return wrong(c, t->line, t->column, "no class of the library has a state '%s'", on->name);
    }
    bool is_contact = on->kind == FR_TRIGGER_CONTACT_BEGIN || on->kind == FR_TRIGGER_CONTACT_END;
    if (is_contact && on->name != NULL && !is_class(c, on->name)) {
        return wrong(c, t->line, t->column, "the library has no class '%s'", on->name);
    }
    return t->guard != NULL ? check_guard(c, t->guard) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// States

// From the first state on, until no further one is reached.
static fr_status check_reached(const state_checking *c) {
    const fr_class_view *view = c->view;
    uint64_t reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t i = 0; i < view->state_count; i++) {
            const fr_class_state *state = &view->states[i];
            for (uint32_t k = 0; (reached >> i & 1) != 0 && k < state->transition_count; k++) {
                reached |= UINT64_C(1) << state->transitions[k].to;
            }
        }
    }
    for (uint32_t i = 0; i < view->state_count; i++) {
        if ((reached >> i & 1) != 0) { continue; }
        return wrong(c, view->states[i].line, view->states[i].column, "no transition reaches the state '%s'",
                     view->states[i].name);
    }
    return FR_OK;
}

static fr_status check_state(const state_checking *c, const fr_class_state *state) {
    const fr_class_constraint *constraint = state->constraint;
    fr_status status = FR_OK;
    if (constraint != NULL && constraint->is_driven) {
        status = check_place(c, &constraint->driver, state->line, state->column);
    }
    for (uint32_t i = 0; i < state->transition_count && status == FR_OK; i++) {
        status = check_transition(c, &state->transitions[i]);
    }
    return status;
}

fr_status fr__library_check_states(fr_library *library, const fr_class_view *view, fr_error *error) {
    const state_checking c = {library, view, error};
    fr_status status = FR_OK;
    if (view->kind == FR_CLASS_PERSON) { return FR_OK; }
    for (uint32_t i = 0; i < view->state_count && status == FR_OK; i++) {
        status = check_state(&c, &view->states[i]);
    }
    return status == FR_OK ? check_reached(&c) : status;
}
