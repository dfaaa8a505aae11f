// Whether guards hold, and what they lack.
#include "library/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The object alone, or those that a reference of its class stands for.
static fr_machine_targets targets_of(const fr__machines *m, const uint32_t *object,
                                     const fr_class_reference *reference) {
    if (reference->pattern == NULL) { return (fr_machine_targets){object, 1}; }
    return m->input->objects[*object].references[reference->index];
}

static uint32_t state_of(const fr__machines *m, uint32_t object) {
    return m->now != NULL ? m->now[object].state : m->input->objects[object].state;
}

static double value_of(const fr__machines *m, uint32_t object) {
    return m->now != NULL ? m->now[object].value : m->input->objects[object].value;
}

static bool compares(fr_class_comparison comparison, double value, double than) {
    switch (comparison) {
    case FR_IS_BELOW: return value < than;
    case FR_IS_AT_MOST: return value <= than;
    case FR_IS_ABOVE: return value > than;
    case FR_IS_AT_LEAST: return value >= than;
    }
    return false;
}

fr_pose fr_machine_place(const fr_machine_object *object, const char *frame) {
    for (uint32_t i = 0; frame != NULL && object->c != NULL && i < object->c->frame_count; i++) {
        if (strcmp(object->c->frames[i].name, frame) != 0) { continue; }
        return fr_pose_compose(&object->pose, &object->c->frames[i].pose);
    }
    return object->pose;
}

// Degrees between the z axes.
static double angle_between(const fr_pose *a, const fr_pose *b) {
    const fr_vec3 z = {0.0, 0.0, 1.0};
    fr_vec3 u = fr_mat3_apply(fr_quat_to_mat3(a->rotation), z), v = fr_mat3_apply(fr_quat_to_mat3(b->rotation), z);
    return fr_degrees(fr_atan2(fr_vec3_length(fr_vec3_cross(u, v)), fr_vec3_dot(u, v)));
}

static bool pair_holds(const fr_class_guard *g, const fr_pose *a, const fr_pose *b) {
    if (g->kind == FR_GUARD_ANGLE) { return compares(g->comparison, angle_between(a, b), g->than); }
    return compares(g->comparison, fr_vec3_distance(a->position, b->position), g->than) &&
           (!g->has_within || angle_between(a, b) <= g->within_deg);
}

static bool places_hold(const fr__machines *m, uint32_t object, const fr_class_guard *g) {
    fr_machine_targets firsts = targets_of(m, &object, &g->a.object), others = targets_of(m, &object, &g->b.object);
    for (uint32_t i = 0; i < firsts.count; i++) {
        fr_pose a = fr_machine_place(&m->input->objects[firsts.list[i]], g->a.frame);
        for (uint32_t k = 0; k < others.count; k++) {
            fr_pose b = fr_machine_place(&m->input->objects[others.list[k]], g->b.frame);
            if (pair_holds(g, &a, &b)) { return true; }
        }
    }
    return false;
}

static bool value_holds(const fr__machines *m, uint32_t object, const fr_class_guard *g) {
    fr_machine_targets targets = targets_of(m, &object, &g->a.object);
    double than = g->is_deg ? fr_radians(g->than) : g->than;
    for (uint32_t i = 0; i < targets.count; i++) {
        double value = value_of(m, targets.list[i]);
        if (!fr_is_unknown(value) && compares(g->comparison, value, than)) { return true; }
    }
    return false;
}

static bool is_in_state(const fr__machines *m, uint32_t object, const char *name) {
    uint32_t state = state_of(m, object);
    return state != FR_NONE && strcmp(m->input->objects[object].c->states[state].name, name) == 0;
}

static uint32_t count_in_state(const fr__machines *m, const fr_machine_targets *targets, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < targets->count; i++) {
        count += is_in_state(m, targets->list[i], name) ? 1 : 0;
    }
    return count;
}

static bool state_holds(const fr__machines *m, uint32_t object, const fr_class_guard *g) {
    fr_machine_targets targets = targets_of(m, &object, &g->a.object);
    uint32_t count = count_in_state(m, &targets, g->name);
    if (g->at_least > 0) { return count >= g->at_least; }
    bool may_be_none = g->a.object.pattern != NULL && strchr(g->a.object.pattern, '*') != NULL;
    return count == targets.count && (count > 0 || may_be_none);
}

// A guard is as deep as its file may be.
bool fr__machines_holds(const fr__machines *m, uint32_t object, const fr_class_guard *g) {
    switch (g->kind) {
    case FR_GUARD_ALL:
    case FR_GUARD_ANY:
        for (uint32_t i = 0; i < g->count; i++) {
            bool is_any = g->kind == FR_GUARD_ANY;
            if (fr__machines_holds(m, object, &g->list[i]) == is_any) { return is_any; }
        }
        return g->kind == FR_GUARD_ALL;
    case FR_GUARD_NOT: return !fr__machines_holds(m, object, &g->list[0]);
    case FR_GUARD_DIST:
    case FR_GUARD_ANGLE: return places_hold(m, object, g);
    case FR_GUARD_VALUE: return value_holds(m, object, g);
    case FR_GUARD_STATE: return state_holds(m, object, g);
    }
    return false;
}

bool fr_machines_guard_holds(const fr_machines_input *input, uint32_t object, const fr_class_guard *guard) {
    FR_ASSERT(input != NULL && object < input->object_count);
    const fr__machines m = {.input = input};
    return guard == NULL || fr__machines_holds(&m, object, guard);
}

// ---------------------------------------------------------------------------------------------------------------
// In words

static const char *place_name(const fr_class_place *place) {
    if (place->object.pattern != NULL) { return place->object.pattern; }
    return place->frame != NULL ? place->frame : "it";
}

static void explain_state(const fr__machines *m, uint32_t object, const fr_class_guard *g, char *text, size_t size) {
    fr_machine_targets targets = targets_of(m, &object, &g->a.object);
    const char *pattern = g->a.object.pattern != NULL ? g->a.object.pattern : "it";
    uint32_t count = count_in_state(m, &targets, g->name);
    if (targets.count == 0) {
        (void)snprintf(text, size, "there is no %s", pattern);
    } else if (targets.count == 1) {
        (void)snprintf(text, size, "%s is not %s", pattern, g->name);
    } else {
        (void)snprintf(text, size, "%u of %u %s are not %s", (unsigned)(targets.count - count), (unsigned)targets.count,
                       pattern, g->name);
    }
}

static void explain(const fr__machines *m, uint32_t object, const fr_class_guard *g, char *text, size_t size) {
    static const char *const words[] = {"below", "at most", "above", "at least"};
    text[0] = '\0';
    if (fr__machines_holds(m, object, g)) { return; }
    switch (g->kind) {
    case FR_GUARD_ALL:
    case FR_GUARD_ANY: // the first that does not hold
        for (uint32_t i = 0; i < g->count && text[0] == '\0'; i++) {
            explain(m, object, &g->list[i], text, size);
        }
        return;
    case FR_GUARD_NOT:
        if (g->list[0].kind == FR_GUARD_STATE) {
            (void)snprintf(text, size, "%s is %s", place_name(&g->list[0].a), g->list[0].name);
        } else {
            (void)snprintf(text, size, "what must not be is so");
        }
        return;
    case FR_GUARD_DIST:
        (void)snprintf(text, size, "%s is not %s %g m from %s%s", place_name(&g->b),
                       g->comparison == FR_IS_BELOW ? "within" : "beyond", g->than, place_name(&g->a),
                       g->has_within ? " and along its axis" : "");
        return;
    case FR_GUARD_ANGLE:
        (void)snprintf(text, size, "%s is not %s %g degrees of %s", place_name(&g->b),
                       g->comparison == FR_IS_BELOW ? "within" : "beyond", g->than, place_name(&g->a));
        return;
    case FR_GUARD_VALUE:
        (void)snprintf(text, size, "the joint of %s is not %s %g%s", place_name(&g->a), words[g->comparison], g->than,
                       g->is_deg ? " degrees" : "");
        return;
    case FR_GUARD_STATE: explain_state(m, object, g, text, size); return;
    }
}

void fr_machines_explain(const fr_machines_input *input, uint32_t object, const fr_class_guard *guard, char *text,
                         size_t size) {
    FR_ASSERT(input != NULL && object < input->object_count && text != NULL && size > 0);
    const fr__machines m = {.input = input};
    text[0] = '\0';
    if (guard != NULL) { explain(&m, object, guard, text, size); }
}
