// Writes what a state holds beside its motions.
#include "library/class_writer.h"

#include <math.h>

static void write_place(fr_json_writer *j, const fr_class_place *place) {
    fr_json_write_object(j);
    if (place->object.pattern != NULL) { fr_json_write_string_field(j, "object", place->object.pattern); }
    if (place->frame != NULL) { fr_json_write_string_field(j, "frame", place->frame); }
    fr_json_write_object_end(j);
}

static void write_constraint(fr_json_writer *j, const fr_class_constraint *c) {
    static const char *const words[] = {[FR_CONSTRAINT_FREE] = "free",
                                        [FR_CONSTRAINT_FALLING] = "falling",
                                        [FR_CONSTRAINT_FIXED] = "fixed",
                                        [FR_CONSTRAINT_ATTACHED] = "attached"};
    if (c == NULL || c->kind == FR_CONSTRAINT_NONE) { return; }
    fr_json_write_key(j, "constraint");
    fr_json_write_object(j);
    if (c->kind != FR_CONSTRAINT_JOINT) { fr_json_write_string_field(j, "kind", words[c->kind]); }
    if (c->kind == FR_CONSTRAINT_JOINT) { fr__class_write_joint(j, &c->joint); }
    if (c->parent.pattern != NULL) { fr_json_write_string_field(j, "parent", c->parent.pattern); }
    if (c->is_driven) {
        fr_json_write_key(j, "driver");
        write_place(j, &c->driver);
    }
    fr_json_write_object_end(j);
}

static void write_looks(fr_json_writer *j, const fr_class_looks *looks) {
    if (looks == NULL) { return; }
    const double color[3] = {looks->color.r, looks->color.g, looks->color.b};
    fr_json_write_key(j, "looks");
    fr_json_write_object(j);
    if (looks->has_color) { fr_json_write_numbers_field(j, "color", color, 3); }
    if (looks->is_hidden) { fr_json_write_bool_field(j, "hidden", true); }
    fr_json_write_object_end(j);
}

void fr__class_write_trigger(fr_json_writer *j, const fr_class_trigger *on) {
    bool is_begin = on->kind == FR_TRIGGER_CONTACT_BEGIN, is_min = on->kind == FR_TRIGGER_LIMIT_MIN;
    const char *object = on->object.pattern;
    fr_json_write_object(j);
    switch (on->kind) {
    case FR_TRIGGER_ALWAYS: break;
    case FR_TRIGGER_EVENT: fr_json_write_string_field(j, "event", on->name); break;
    case FR_TRIGGER_STATE: fr_json_write_string_field(j, "state", on->name); break;
    case FR_TRIGGER_SECONDS: fr_json_write_number_field(j, "seconds", on->seconds); break;
    case FR_TRIGGER_LIMIT_MIN:
    case FR_TRIGGER_LIMIT_MAX: fr_json_write_string_field(j, "limit", is_min ? "min" : "max"); break;
    case FR_TRIGGER_CONTACT_BEGIN:
    case FR_TRIGGER_CONTACT_END:
        fr_json_write_string_field(j, "contact", is_begin ? "begin" : "end");
        if (object != NULL) { fr_json_write_string_field(j, "with", object); }
        if (on->name != NULL) { fr_json_write_string_field(j, "class", on->name); }
        object = NULL;
        break;
    }
    if (object != NULL) { fr_json_write_string_field(j, "of", object); }
    fr_json_write_object_end(j);
}

static void write_list(fr_json_writer *j, const char *key, const fr_class_guard *g) {
    fr_json_write_key(j, key);
    fr_json_write_array(j);
    for (uint32_t i = 0; i < g->count; i++) {
        fr__class_write_guard(j, &g->list[i]);
    }
    fr_json_write_array_end(j);
}

static void write_two(fr_json_writer *j, const fr_class_guard *g) {
    bool is_dist = g->kind == FR_GUARD_DIST, is_below = g->comparison == FR_IS_BELOW;
    fr_json_write_key(j, is_dist ? "dist" : "angle");
    fr_json_write_array(j);
    write_place(j, &g->a);
    write_place(j, &g->b);
    fr_json_write_array_end(j);
    const char *key = is_dist ? (is_below ? "below" : "above") : is_below ? "below_deg" : "above_deg";
    fr_json_write_number_field(j, key, g->than);
    if (g->has_within) { fr_json_write_number_field(j, "within_deg", g->within_deg); }
}

void fr__class_write_guard(fr_json_writer *j, const fr_class_guard *g) {
    static const char *const comparisons[] = {"below", "at_most", "above", "at_least"};
    fr_json_write_object(j);
    switch (g->kind) {
    case FR_GUARD_ALL: write_list(j, "all", g); break;
    case FR_GUARD_ANY: write_list(j, "any", g); break;
    case FR_GUARD_NOT:
        fr_json_write_key(j, "not");
        fr__class_write_guard(j, &g->list[0]);
        break;
    case FR_GUARD_DIST:
    case FR_GUARD_ANGLE: write_two(j, g); break;
    case FR_GUARD_VALUE:
        fr_json_write_string_field(j, "value", comparisons[g->comparison]);
        fr_json_write_number_field(j, g->is_deg ? "than_deg" : "than", g->than);
        if (g->a.object.pattern != NULL) { fr_json_write_string_field(j, "of", g->a.object.pattern); }
        break;
    case FR_GUARD_STATE:
        fr_json_write_string_field(j, "state", g->name);
        fr_json_write_string_field(j, "of", g->a.object.pattern);
        if (g->at_least > 0) { fr_json_write_uint_field(j, "at_least", g->at_least); }
        break;
    }
    fr_json_write_object_end(j);
}

static void write_action(fr_json_writer *j, const fr_class_action *action) {
    fr_json_write_object(j);
    switch (action->kind) {
    case FR_ACTION_SET: fr_json_write_number_field(j, action->is_deg ? "set_deg" : "set", action->value); break;
    case FR_ACTION_EMIT:
        fr_json_write_string_field(j, "emit", action->name);
        if (action->value != 0.0) { fr_json_write_number_field(j, "value", action->value); }
        break;
    case FR_ACTION_ATTACH: fr_json_write_string_field(j, "attach", action->object.pattern); break;
    case FR_ACTION_DETACH: fr_json_write_bool_field(j, "detach", true); break;
    }
    fr_json_write_object_end(j);
}

void fr__class_write_actions(fr_json_writer *j, const fr_class_transition *t) {
    fr_json_write_array(j);
    for (uint32_t i = 0; i < t->action_count; i++) {
        write_action(j, &t->actions[i]);
    }
    fr_json_write_array_end(j);
}

static void write_transition(fr_json_writer *j, const fr_class_view *view, const fr_class_transition *t) {
    fr_json_write_object(j);
    if (t->trigger.kind != FR_TRIGGER_ALWAYS) {
        fr_json_write_key(j, "on");
        fr__class_write_trigger(j, &t->trigger);
    }
    if (t->guard != NULL) {
        fr_json_write_key(j, "when");
        fr__class_write_guard(j, t->guard);
    }
    fr_json_write_string_field(j, "to", view->states[t->to].name);
    if (t->action_count > 0) {
        fr_json_write_key(j, "do");
        fr__class_write_actions(j, t);
    }
    fr_json_write_object_end(j);
}

void fr__class_write_state(fr_json_writer *j, const fr_class_view *view, const fr_class_state *state) {
    write_constraint(j, state->constraint);
    write_looks(j, state->looks);
    if (state->transition_count == 0) { return; }
    fr_json_write_key(j, "transitions");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < state->transition_count; i++) {
        write_transition(j, view, &state->transitions[i]);
    }
    fr_json_write_array_end(j);
}
