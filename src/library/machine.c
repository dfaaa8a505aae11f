// The state machines of objects: which transitions a tick takes.
#include "library/machine.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#define INPUT_COOKIE UINT32_C(0x6d616368)

fr_machines_input fr_default_machines_input(void) { return (fr_machines_input){.cookie = INPUT_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Constraints

bool fr_class_constraint_goes_on(const fr_class_constraint *from, const fr_class_constraint *to) {
    if (from == NULL || to == NULL || from->kind != FR_CONSTRAINT_JOINT || to->kind != FR_CONSTRAINT_JOINT) {
        return false;
    }
    const fr_scene_joint *a = &from->joint, *b = &to->joint;
    return a->kind == b->kind && from->parent.index == to->parent.index && fr_vec3_equal(a->position, b->position) &&
           fr_vec3_equal(a->axis, b->axis) && a->pitch == b->pitch;
}

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

double fr_class_constraint_value(const fr_class_constraint *from, const fr_class_constraint *to, double value) {
    if (to == NULL || to->kind == FR_CONSTRAINT_NONE) { return value; }
    if (to->kind != FR_CONSTRAINT_JOINT) { return FR_UNKNOWN; }
    bool goes_on = fr_class_constraint_goes_on(from, to) && !fr_is_unknown(value);
    return clamp(goes_on ? value : to->joint.value, to->joint.low, to->joint.high);
}

// ---------------------------------------------------------------------------------------------------------------
// Events by object

enum { NO_NODE = UINT32_MAX };

// Node 2 e + side is the place of object a (side 0) or b of event e in the list of that object.
static bool list_events(fr__machines *m) {
    uint32_t count = m->input->event_count;
    if (count == 0) { return true; }
    m->heads = fr_arena_alloc(m->input->arena, m->input->object_count, sizeof *m->heads, alignof(uint32_t));
    m->nodes = fr_arena_alloc(m->input->arena, 2 * (size_t)count, sizeof *m->nodes, alignof(uint32_t));
    if (m->heads == NULL || m->nodes == NULL) { return false; }
    for (uint32_t i = 0; i < m->input->object_count; i++) {
        m->heads[i] = NO_NODE;
    }
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t ends[2] = {m->input->events[i].a, m->input->events[i].b};
        for (uint32_t side = 0; side < 2; side++) {
            m->nodes[2 * i + side] = NO_NODE;
            if (ends[side] == FR_NONE || (side == 1 && ends[1] == ends[0])) { continue; }
            m->nodes[2 * i + side] = m->heads[ends[side]];
            m->heads[ends[side]] = 2 * i + side;
        }
    }
    return true;
}

static bool is_target(const fr_machine_targets *targets, uint32_t object) {
    uint32_t low = 0, high = targets->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (targets->list[middle] < object) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < targets->count && targets->list[low] == object;
}

static bool is_named(const fr__machines *m, uint32_t object, const char *name) {
    for (uint32_t node = m->heads[object]; node != NO_NODE; node = m->nodes[node]) {
        const fr_machine_event *event = &m->input->events[node / 2];
        if (event->kind == FR_MACHINE_NAMED && strcmp(event->name, name) == 0) { return true; }
    }
    return false;
}

static bool has_event(const fr__machines *m, uint32_t object, const fr_class_trigger *on) {
    if (on->object.pattern == NULL) { return is_named(m, object, on->name); }
    const fr_machine_targets *targets = &m->input->objects[object].references[on->object.index];
    for (uint32_t i = 0; i < targets->count; i++) {
        if (is_named(m, targets->list[i], on->name)) { return true; }
    }
    return false;
}

static bool has_contact(const fr__machines *m, uint32_t object, const fr_class_trigger *on) {
    const fr_machine_object *self = &m->input->objects[object];
    fr_machine_event_kind kind =
        on->kind == FR_TRIGGER_CONTACT_BEGIN ? FR_MACHINE_CONTACT_BEGIN : FR_MACHINE_CONTACT_END;
    for (uint32_t node = m->heads[object]; node != NO_NODE; node = m->nodes[node]) {
        const fr_machine_event *event = &m->input->events[node / 2];
        if (event->kind != kind) { continue; }
        uint32_t other = node % 2 == 0 ? event->b : event->a;
        const fr_class_view *c = other != FR_NONE ? m->input->objects[other].c : NULL;
        bool is_class = on->name == NULL || (c != NULL && strcmp(c->name, on->name) == 0);
        bool is_object =
            on->object.pattern == NULL || (other != FR_NONE && is_target(&self->references[on->object.index], other));
        if (is_class && is_object) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

// Whether one of the pass before came into the state.
static bool has_change(const fr__machines *m, uint32_t object, const fr_class_trigger *on) {
    const fr_machine_targets *targets = &m->input->objects[object].references[on->object.index];
    for (uint32_t i = m->changes_first; i < m->changes_end; i++) {
        const fr_machine_step *step = &m->steps[i];
        const fr_class_state *state = &m->input->objects[step->object].c->states[step->transition->to];
        if (strcmp(state->name, on->name) == 0 && is_target(targets, step->object)) { return true; }
    }
    return false;
}

static bool is_at_limit(const fr__machines *m, uint32_t object, bool is_max) {
    const fr__machine_now *now = &m->now[object];
    if (fr_is_unknown(now->value)) { return false; }
    return is_max ? now->value >= now->high - FR_MACHINES_NEAR_LIMIT : now->value <= now->low + FR_MACHINES_NEAR_LIMIT;
}

static bool is_triggered(const fr__machines *m, uint32_t object, const fr_class_trigger *on) {
    bool has_events = m->pass == 0 && m->input->event_count > 0;
    switch (on->kind) {
    case FR_TRIGGER_ALWAYS: return true;
    case FR_TRIGGER_EVENT: return has_events && has_event(m, object, on);
    case FR_TRIGGER_CONTACT_BEGIN:
    case FR_TRIGGER_CONTACT_END: return has_events && has_contact(m, object, on);
    case FR_TRIGGER_LIMIT_MIN: return is_at_limit(m, object, false);
    case FR_TRIGGER_LIMIT_MAX: return is_at_limit(m, object, true);
    case FR_TRIGGER_SECONDS: return m->now[object].seconds >= on->seconds;
    case FR_TRIGGER_STATE: return has_change(m, object, on);
    }
    return false;
}

static const fr_class_transition *find_transition(const fr__machines *m, uint32_t object) {
    const fr_class_state *state = &m->input->objects[object].c->states[m->now[object].state];
    for (uint32_t i = 0; i < state->transition_count; i++) {
        const fr_class_transition *t = &state->transitions[i];
        if (!is_triggered(m, object, &t->trigger)) { continue; }
        if (t->guard == NULL || fr__machines_holds(m, object, t->guard)) { return t; }
    }
    return NULL;
}

// What the guards after it see.
static void take_actions(fr__machine_now *now, const fr_class_transition *t) {
    for (uint32_t i = 0; i < t->action_count; i++) {
        const fr_class_action *action = &t->actions[i];
        if (action->kind == FR_ACTION_SET && !fr_is_unknown(now->value)) {
            now->value = clamp(action->is_deg ? fr_radians(action->value) : action->value, now->low, now->high);
        }
        if (action->kind != FR_ACTION_ATTACH && action->kind != FR_ACTION_DETACH) { continue; }
        now->value = FR_UNKNOWN;
        now->constraint = NULL;
    }
}

static bool take_transition(fr__machines *m, uint32_t object, const fr_class_transition *t) {
    fr__machine_now *now = &m->now[object];
    if (m->step_count == m->step_capacity) {
        uint32_t capacity = m->step_capacity > 0 ? 2 * m->step_capacity : 16;
        fr_machine_step *steps = fr_arena_alloc(m->input->arena, capacity, sizeof *steps, alignof(fr_machine_step));
        if (steps == NULL) { return false; }
        if (m->step_count > 0) { memcpy(steps, m->steps, m->step_count * sizeof *steps); }
        m->steps = steps;
        m->step_capacity = capacity;
    }
    m->steps[m->step_count++] =
        (fr_machine_step){.object = object, .from = now->state, .pass = m->pass, .transition = t};
    const fr_class_constraint *next = m->input->objects[object].c->states[t->to].constraint;
    now->value = fr_class_constraint_value(now->constraint, next, now->value);
    now->state = t->to;
    now->seconds = 0.0;
    if (next != NULL) {
        now->constraint = next;
        now->low = next->joint.low;
        now->high = next->joint.high;
    }
    take_actions(now, t);
    return true;
}

static bool begin(fr__machines *m) {
    uint32_t count = m->input->object_count;
    m->now = fr_arena_alloc(m->input->arena, (size_t)count + 1, sizeof *m->now, alignof(fr__machine_now));
    if (m->now == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        const fr_machine_object *o = &m->input->objects[i];
        m->now[i] = (fr__machine_now){o->state, o->seconds, o->value, o->low, o->high, o->constraint};
    }
    return list_events(m);
}

// One pass; *has_taken says whether it took a transition.
static bool take_pass(fr__machines *m, bool *has_taken) {
    uint32_t first = m->step_count;
    for (uint32_t i = 0; i < m->input->object_count; i++) {
        if (m->now[i].state == FR_NONE) { continue; }
        const fr_class_transition *t = find_transition(m, i);
        if (t != NULL && !take_transition(m, i, t)) { return false; }
    }
    *has_taken = m->step_count > first;
    m->changes_first = first;
    m->changes_end = m->step_count;
    return true;
}

static fr_status check_input(const fr_machines_input *input, fr_error *error) {
    if (input->cookie != INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_machines_input"); }
    if (input->arena == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "state machines need an arena"); }
    bool is_right = true;
    for (uint32_t i = 0; i < input->object_count; i++) {
        const fr_machine_object *o = &input->objects[i];
        is_right = is_right && (o->state == FR_NONE || (o->c != NULL && o->state < o->c->state_count));
    }
    for (uint32_t i = 0; i < input->event_count; i++) {
        const fr_machine_event *event = &input->events[i];
        is_right = is_right && (event->a == FR_NONE || event->a < input->object_count) &&
                   (event->b == FR_NONE || event->b < input->object_count);
    }
    return is_right ? FR_OK : fr_error_set(error, FR_ERROR_ARGUMENT, "an index of a state or of an object is none");
}

fr_status fr_machines_evaluate(const fr_machines_input *input, fr_machines_output *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = (fr_machines_output){.cut = FR_NONE};
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__machines m = {.input = input};
    bool is_right = begin(&m), has_taken = true;
    for (m.pass = 0; is_right && has_taken && m.pass < FR_MACHINES_PASSES; m.pass++) {
        is_right = take_pass(&m, &has_taken);
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the transitions of objects"); }
    for (uint32_t i = 0; has_taken && out->cut == FR_NONE && i < input->object_count; i++) {
        if (m.now[i].state != FR_NONE && find_transition(&m, i) != NULL) { out->cut = i; }
    }
    out->steps = m.steps;
    out->step_count = m.step_count;
    return FR_OK;
}
