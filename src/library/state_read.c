// Reads what a state holds beside its motions: constraint, looks and transitions.
#include "library/class_reader.h"

#include <math.h>
#include <string.h>

void fr__class_locate(fr__class_reader *r, fr_json_value token, int *line, int *column) {
    fr_json_place(r->reader.json, token, &r->reader.mark, line, column);
}

// ---------------------------------------------------------------------------------------------------------------
// Names of other objects

bool fr__class_read_reference(fr__class_reader *r, fr_json_value token, const char *what, fr_class_reference *out) {
    *out = (fr_class_reference){NULL, FR_NONE};
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_string(&r->reader, token, what, FR_CLASS_NAME_MAX_BYTES, &out->pattern)) { return false; }
    fr_class_texts *all = &r->c->view.references;
    for (uint32_t i = 0; i < all->count; i++) {
        if (strcmp(all->list[i], out->pattern) != 0) { continue; }
        *out = (fr_class_reference){all->list[i], i};
        return true;
    }
    if (all->count == FR_CLASS_MAX_REFERENCES) {
        return fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "a class names at most %d other objects",
                            FR_CLASS_MAX_REFERENCES);
    }
    if (r->references == NULL) {
        r->references = fr__class_take(r, FR_CLASS_MAX_REFERENCES, sizeof *r->references);
        if (r->references == NULL) { return false; }
        all->list = r->references;
    }
    out->index = all->count;
    r->references[all->count++] = out->pattern;
    return true;
}

enum { PLACE_OBJECT, PLACE_FRAME, PLACE_KEYS };

static const fr_json_field place_fields[PLACE_KEYS] = {
    [PLACE_OBJECT] = {.key = "object"},
    [PLACE_FRAME] = {.key = "frame",
                     .type = FR_JSON_AS_STRING,
                     .offset = offsetof(fr_class_place, frame),
                     .count = FR_CLASS_NAME_MAX_BYTES},
};

static bool has_frame(const fr_class_view *view, const char *name) {
    for (uint32_t i = 0; i < view->frame_count; i++) {
        if (strcmp(view->frames[i].name, name) == 0) { return true; }
    }
    return false;
}

bool fr__class_read_place(fr__class_reader *r, fr_json_value token, const char *what, fr_class_place *out) {
    fr_json_value values[PLACE_KEYS];
    *out = (fr_class_place){.frame = NULL};
    if (fr_json_is(r->reader.json, token, FR_JSON_STRING)) {
        return fr__class_read_reference(r, token, what, &out->object);
    }
    if (!fr_json_read_object(&r->reader, token, what, place_fields, PLACE_KEYS, values) ||
        !fr_json_read_fields(&r->reader, values, place_fields, PLACE_KEYS, out) ||
        !fr__class_read_reference(r, values[PLACE_OBJECT], "object", &out->object)) {
        return false;
    }
    bool is_own = out->object.pattern == NULL && out->frame != NULL;
    if (!is_own || has_frame(&r->c->view, out->frame)) { return true; }
    return fr_json_fail(&r->reader, values[PLACE_FRAME], FR_ERROR_ARGUMENT, "the class has no frame '%s'", out->frame);
}

// ---------------------------------------------------------------------------------------------------------------
// Constraints and looks

enum { HANG_KIND, HANG_JOINT, HANG_PARENT, HANG_DRIVER, HANG_KEYS };

static const fr_json_word hang_words[] = {{"free", FR_CONSTRAINT_FREE},
                                          {"falling", FR_CONSTRAINT_FALLING},
                                          {"fixed", FR_CONSTRAINT_FIXED},
                                          {"attached", FR_CONSTRAINT_ATTACHED},
                                          {NULL, 0}};

static const fr_json_field hang_fields[HANG_KEYS] = {
    [HANG_KIND] = {.key = "kind",
                   .type = FR_JSON_AS_WORD,
                   .offset = offsetof(fr_class_constraint, kind),
                   .words = hang_words},
    [HANG_JOINT] = {.key = "joint"},
    [HANG_PARENT] = {.key = "parent"},
    [HANG_DRIVER] = {.key = "driver"},
};

static bool refuse_key(fr__class_reader *r, fr_json_value value, const char *what) {
    const fr_json_text key = fr_json_get_text(r->reader.json, fr_json_key(value));
    return fr_json_fail(&r->reader, fr_json_key(value), FR_ERROR_SYNTAX, "%s has no '%.*s'", what, (int)key.size,
                        key.bytes);
}

// What the keys of a constraint say together.
static bool check_constraint(fr__class_reader *r, fr_json_value token, const fr_json_value *values,
                             const fr_class_constraint *c) {
    bool is_joint = values[HANG_JOINT] != FR_JSON_NONE;
    bool has_parent = is_joint || c->kind == FR_CONSTRAINT_FIXED || c->kind == FR_CONSTRAINT_ATTACHED;
    if (is_joint == (values[HANG_KIND] != FR_JSON_NONE)) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a constraint has either 'kind' or 'joint'");
    }
    if (!has_parent && values[HANG_PARENT] != FR_JSON_NONE) {
        return refuse_key(r, values[HANG_PARENT], "a constraint of this kind");
    }
    if (!is_joint && values[HANG_DRIVER] != FR_JSON_NONE) {
        return refuse_key(r, values[HANG_DRIVER], "a constraint of this kind");
    }
    if (c->kind == FR_CONSTRAINT_ATTACHED && values[HANG_PARENT] == FR_JSON_NONE) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "an attached constraint lacks 'parent'");
    }
    if (r->c->view.is_static) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "a static class has no constraint");
    }
    if (r->c->view.joint == NULL) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT,
                        "the class has a 'joint', which contradicts the constraints of its states");
}

static bool read_joint(fr__class_reader *r, const fr_json_value *values, fr_class_constraint *c) {
    fr_json_value token = values[HANG_JOINT];
    if (token == FR_JSON_NONE) { return true; }
    c->kind = FR_CONSTRAINT_JOINT;
    if (!fr__scene_read_joint(&r->reader, token, NULL, &c->joint)) { return false; }
    if (c->joint.kind == FR_JOINT_FIXED || c->joint.kind == FR_JOINT_ATTACHED) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the joint of a state is a hinge, slider or screw");
    }
    c->joint.parent = c->joint.child = FR_NONE;
    if (values[HANG_DRIVER] == FR_JSON_NONE) { return true; }
    c->is_driven = true;
    if (!fr__class_read_place(r, values[HANG_DRIVER], "driver", &c->driver)) { return false; }
    if (c->joint.kind == FR_JOINT_SLIDER) {
        return fr_json_fail(&r->reader, values[HANG_DRIVER], FR_ERROR_ARGUMENT, "contradicts: a slider does not turn");
    }
    if (c->driver.object.pattern != NULL) { return true; }
    return fr_json_fail(&r->reader, values[HANG_DRIVER], FR_ERROR_ARGUMENT,
                        "contradicts: the driver is another object");
}

static bool read_constraint(fr__class_reader *r, fr_json_value token, fr_class_state *out) {
    fr_json_value values[HANG_KEYS];
    if (token == FR_JSON_NONE) { return true; }
    fr_class_constraint *c = fr__class_take(r, 1, sizeof *c);
    if (c == NULL) { return false; }
    c->driver.object.index = FR_NONE;
    if (!fr_json_read_object(&r->reader, token, "a constraint", hang_fields, HANG_KEYS, values) ||
        !fr_json_read_fields(&r->reader, values, hang_fields, HANG_KEYS, c) || !read_joint(r, values, c) ||
        !fr__class_read_reference(r, values[HANG_PARENT], "parent", &c->parent)) {
        return false;
    }
    out->constraint = c;
    return check_constraint(r, token, values, c);
}

enum { LOOK_COLOR, LOOK_HIDDEN, LOOK_KEYS };

static const fr_json_field look_fields[LOOK_KEYS] = {
    [LOOK_COLOR] = {.key = "color"},
    [LOOK_HIDDEN] = {.key = "hidden", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_class_looks, is_hidden)},
};

static bool read_looks(fr__class_reader *r, fr_json_value token, fr_class_state *out) {
    fr_json_value values[LOOK_KEYS];
    if (token == FR_JSON_NONE) { return true; }
    fr_class_looks *looks = fr__class_take(r, 1, sizeof *looks);
    if (looks == NULL) { return false; }
    out->looks = looks;
    looks->color = fr_default_label().color;
    if (!fr_json_read_object(&r->reader, token, "looks", look_fields, LOOK_KEYS, values) ||
        !fr_json_read_fields(&r->reader, values, look_fields, LOOK_KEYS, looks)) {
        return false;
    }
    looks->has_color = values[LOOK_COLOR] != FR_JSON_NONE;
    return fr__scene_read_color(&r->reader, values[LOOK_COLOR], &looks->color);
}

// ---------------------------------------------------------------------------------------------------------------
// Triggers

enum { ON_EVENT, ON_CONTACT, ON_LIMIT, ON_SECONDS, ON_STATE, ON_OF, ON_WITH, ON_CLASS, ON_KEYS };

static const fr_json_word contact_words[] = {
    {"begin", FR_TRIGGER_CONTACT_BEGIN}, {"end", FR_TRIGGER_CONTACT_END}, {NULL, 0}};
static const fr_json_word limit_words[] = {{"min", FR_TRIGGER_LIMIT_MIN}, {"max", FR_TRIGGER_LIMIT_MAX}, {NULL, 0}};

#define WORD(name, list)                                                                                               \
    { .key = name, .type = FR_JSON_AS_WORD, .offset = offsetof(fr_class_trigger, kind), .words = list }
#define NAME(key_name, bytes)                                                                                          \
    { .key = key_name, .type = FR_JSON_AS_STRING, .offset = offsetof(fr_class_trigger, name), .count = bytes }

static const fr_json_field on_fields[ON_KEYS] = {
    [ON_EVENT] = NAME("event", FR_WORLD_STATE_NAME_MAX_BYTES),
    [ON_CONTACT] = WORD("contact", contact_words),
    [ON_LIMIT] = WORD("limit", limit_words),
    [ON_SECONDS] = {.key = "seconds",
                    .type = FR_JSON_AS_NUMBER,
                    .offset = offsetof(fr_class_trigger, seconds),
                    .range = {0.0, FR_SCENE_LENGTH_MAX}},
    [ON_STATE] = NAME("state", FR_WORLD_STATE_NAME_MAX_BYTES),
    [ON_OF] = {.key = "of"},
    [ON_WITH] = {.key = "with"},
    [ON_CLASS] = NAME("class", FR_CLASS_NAME_MAX_BYTES),
};

// A trigger is of one kind, and has the keys of that alone.
static bool check_trigger(fr__class_reader *r, fr_json_value token, const fr_json_value *values, uint32_t *kind) {
    uint32_t count = 0;
    for (uint32_t i = ON_EVENT; i <= ON_STATE; i++) {
        if (values[i] == FR_JSON_NONE) { continue; }
        *kind = i;
        count++;
    }
    if (count != 1) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX,
                            "'on' has one of 'event', 'contact', 'limit', 'seconds' and 'state'");
    }
    bool has_of = *kind == ON_EVENT || *kind == ON_STATE, has_with = *kind == ON_CONTACT;
    for (uint32_t i = ON_OF; i < ON_KEYS; i++) {
        bool is_right = i == ON_OF ? has_of : has_with;
        if (values[i] != FR_JSON_NONE && !is_right) { return refuse_key(r, values[i], "a trigger of this kind"); }
    }
    if (*kind != ON_STATE || values[ON_OF] != FR_JSON_NONE) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a trigger by a state lacks 'of'");
}

static bool read_trigger(fr__class_reader *r, fr_json_value token, fr_class_trigger *out) {
    static const fr_class_trigger_kind kinds[] = {
        [ON_EVENT] = FR_TRIGGER_EVENT, [ON_SECONDS] = FR_TRIGGER_SECONDS, [ON_STATE] = FR_TRIGGER_STATE};
    fr_json_value values[ON_KEYS];
    uint32_t kind = ON_EVENT;
    out->object.index = FR_NONE;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_object(&r->reader, token, "'on'", on_fields, ON_KEYS, values) ||
        !check_trigger(r, token, values, &kind) || !fr_json_read_fields(&r->reader, values, on_fields, ON_KEYS, out)) {
        return false;
    }
    if (kind != ON_CONTACT && kind != ON_LIMIT) { out->kind = kinds[kind]; }
    bool is_of = values[ON_OF] != FR_JSON_NONE;
    return fr__class_read_reference(r, values[is_of ? ON_OF : ON_WITH], is_of ? "of" : "with", &out->object);
}

// ---------------------------------------------------------------------------------------------------------------
// Actions

enum { DO_SET, DO_SET_DEG, DO_EMIT, DO_ATTACH, DO_DETACH, DO_VALUE, DO_KEYS };

#define NUMBER(name)                                                                                                   \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_class_action, value), .range = {                 \
            -FR_SCENE_LENGTH_MAX,                                                                                      \
            FR_SCENE_LENGTH_MAX                                                                                        \
        }                                                                                                              \
    }

static const fr_json_field do_fields[DO_KEYS] = {
    [DO_SET] = NUMBER("set"),
    [DO_SET_DEG] = NUMBER("set_deg"),
    [DO_EMIT] = {.key = "emit",
                 .type = FR_JSON_AS_STRING,
                 .offset = offsetof(fr_class_action, name),
                 .count = FR_WORLD_STATE_NAME_MAX_BYTES},
    [DO_ATTACH] = {.key = "attach"},
    [DO_DETACH] = {.key = "detach"},
    [DO_VALUE] = NUMBER("value"),
};

static bool read_action(fr__class_reader *r, fr_json_value token, fr_class_action *out) {
    static const fr_class_action_kind kinds[] = {[DO_SET] = FR_ACTION_SET,
                                                 [DO_SET_DEG] = FR_ACTION_SET,
                                                 [DO_EMIT] = FR_ACTION_EMIT,
                                                 [DO_ATTACH] = FR_ACTION_ATTACH,
                                                 [DO_DETACH] = FR_ACTION_DETACH};
    fr_json_value values[DO_KEYS];
    if (!fr_json_read_object(&r->reader, token, "an action", do_fields, DO_KEYS, values)) { return false; }
    uint32_t kind = DO_KEYS, count = 0;
    for (uint32_t i = DO_SET; i <= DO_DETACH; i++) {
        if (values[i] == FR_JSON_NONE) { continue; }
        kind = i;
        count++;
    }
    if (count != 1) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX,
                            "an action has one of 'set', 'set_deg', 'emit', 'attach' and 'detach'");
    }
    if (values[DO_VALUE] != FR_JSON_NONE && kind != DO_EMIT) { return refuse_key(r, values[DO_VALUE], "this action"); }
    out->kind = kinds[kind];
    out->is_deg = kind == DO_SET_DEG;
    bool is_true = true;
    if (kind == DO_DETACH && !fr_json_read_bool(&r->reader, values[kind], "detach", &is_true)) { return false; }
    if (!is_true) { return fr_json_fail(&r->reader, values[kind], FR_ERROR_SYNTAX, "'detach' is true"); }
    return fr_json_read_fields(&r->reader, values, do_fields, DO_KEYS, out) &&
           fr__class_read_reference(r, values[DO_ATTACH], "attach", &out->object);
}

static bool read_actions(fr__class_reader *r, fr_json_value token, fr_class_transition *out) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "do", 0, FR_CLASS_MAX_ACTIONS)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_action *list = fr__class_take(r, count, sizeof *list);
    if (list == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!read_action(r, value, &list[i])) { return false; }
    }
    out->actions = list;
    out->action_count = count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

enum { GO_ON, GO_WHEN, GO_TO, GO_DO, GO_KEYS };

static const fr_json_field go_fields[GO_KEYS] = {
    [GO_ON] = {.key = "on"},
    [GO_WHEN] = {.key = "when"},
    [GO_TO] = {.key = "to", .is_required = true},
    [GO_DO] = {.key = "do"},
};

static bool read_to(fr__class_reader *r, fr_json_value token, fr_class_transition *out) {
    const fr_class_view *view = &r->c->view;
    const char *name;
    if (!fr_json_read_string(&r->reader, token, "to", FR_WORLD_STATE_NAME_MAX_BYTES, &name)) { return false; }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (out->to = 0; out->to < view->state_count; out->to++) {
        if (strcmp(view->states[out->to].name, name) == 0) { return true; }
        fr_suggestion_offer(&suggestion, view->states[out->to].name);
    }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT,
                        suggestion.best != NULL ? "there is no state '%s'; did you mean '%s'?"
                                                : "there is no state '%s'",
                        name, suggestion.best);
}

static bool read_transition(fr__class_reader *r, fr_json_value token, fr_class_transition *out) {
    fr_json_value values[GO_KEYS];
    fr__class_locate(r, token, &out->line, &out->column);
    if (!fr_json_read_object(&r->reader, token, "a transition", go_fields, GO_KEYS, values)) { return false; }
    if (values[GO_ON] == FR_JSON_NONE && values[GO_WHEN] == FR_JSON_NONE) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX,
                            "a transition lacks 'on' and 'when', one of which it needs");
    }
    if (!read_trigger(r, values[GO_ON], &out->trigger)) { return false; }
    if (values[GO_WHEN] != FR_JSON_NONE) {
        fr_class_guard *guard = fr__class_take(r, 1, sizeof *guard);
        if (guard == NULL || !fr__class_read_guard(r, values[GO_WHEN], guard)) { return false; }
        out->guard = guard;
    }
    return read_to(r, values[GO_TO], out) && read_actions(r, values[GO_DO], out);
}

static bool read_transitions(fr__class_reader *r, fr_json_value token, fr_class_state *out) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "transitions", 0, FR_CLASS_MAX_TRANSITIONS)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_transition *list = fr__class_take(r, count, sizeof *list);
    if (list == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!read_transition(r, value, &list[i])) { return false; }
    }
    out->transitions = list;
    out->transition_count = count;
    return true;
}

bool fr__class_read_state(fr__class_reader *r, const fr__class_state_values *values, fr_class_state *out) {
    return read_constraint(r, values->constraint, out) && read_looks(r, values->looks, out) &&
           read_transitions(r, values->transitions, out);
}
