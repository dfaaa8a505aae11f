// What motions bring about, as a search for a goal has it: by the skills of the person and of the object.
#include "act/goal.h"

#include "fureai/human_object.h"

#include <stdalign.h>
#include <string.h>

static const double AWAY = 1e6; // metres between what is in hands and all else

// ---------------------------------------------------------------------------------------------------------------
// What skills mean

// The event of the object that a skill of a person ends with, and whether the person must come near.
typedef struct skill_meaning {
    const char *name, *event; // NULL: none
    bool is_far;
} skill_meaning;

static const skill_meaning meanings[] = {
    {"call", "called", true},     {"check", "seen", true}, {"gesture", NULL, true},   {"grasp", "grasp", false},
    {"look_at", NULL, true},      {"point", NULL, true},   {"press", "press", false}, {"read", "read", true},
    {"release", "release", true}, {"slerp", NULL, true},   {"tap", "turned", false},  {"touch_panel", "touch", false},
    {"type", "press", false},     {"turn", NULL, true},    {"walk", NULL, true},
};

static const skill_meaning *find_meaning(const char *name) {
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strcmp(meanings[i].name, name) == 0) { return &meanings[i]; }
    }
    return NULL;
}

static const fr_class_value *find_value(const fr_class_values *values, const char *key) {
    for (uint32_t i = 0; i < values->count; i++) {
        if (strcmp(values->list[i].key, key) == 0) { return &values->list[i]; }
    }
    return NULL;
}

static const fr_class_value *value_of(const fr_class_motion *m, const fr_class_skill *skill, const char *key) {
    const fr_class_value *value = skill != NULL ? find_value(&skill->parameters, key) : NULL;
    return value != NULL ? value : find_value(&m->parameters, key);
}

static const char *text_of(const fr_class_motion *m, const fr_class_skill *skill, const char *key) {
    const fr_class_value *value = value_of(m, skill, key);
    return value != NULL && value->kind == FR_CLASS_TEXT ? value->text : NULL;
}

static double number_of(const fr_class_motion *m, const fr_class_skill *skill, const char *key) {
    const fr_class_value *value = value_of(m, skill, key);
    return value != NULL && value->kind != FR_CLASS_TEXT && value->count == 1 ? value->numbers[0] : 0.0;
}

static void add_event(fr__goal_effect *e, const char *name) {
    if (name != NULL && e->event_count < FR__GOAL_MAX_EVENTS) { e->events[e->event_count++] = name; }
}

// Events of the parameter `causes`, with commas between.
static bool add_causes(fr__goal_search *s, const char *text, fr__goal_effect *e) {
    while (text != NULL && *text != '\0') {
        const char *end = strchr(text, ',');
        size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        char *name = fr_arena_alloc(s->setup, length + 1, 1, 1);
        if (name == NULL) { return false; }
        memcpy(name, text, length);
        name[length] = '\0';
        add_event(e, name);
        text = end != NULL ? end + 1 : NULL;
        text += text != NULL ? strspn(text, " ") : 0;
    }
    return true;
}

static bool add_stages(fr__goal_search *s, const fr_class_motion *m, fr__goal_effect *e) {
    fr__goal_stage *stages = fr_arena_alloc(s->setup, m->skill_count, sizeof *stages, alignof(fr__goal_stage));
    if (stages == NULL) { return false; }
    for (uint32_t i = 0; i < m->skill_count; i++) {
        const fr_class_skill *skill = &m->skills[i];
        const char *grasp = text_of(m, skill, "grasp");
        if (strcmp(skill->name, "ik_reach") != 0 || grasp == NULL || strcmp(grasp, "tool") != 0) { continue; }
        if (e->tool == NULL) { e->frame = text_of(m, skill, "frame"); }
        e->tool = text_of(m, skill, "tool");
        stages[e->stage_count++] =
            (fr__goal_stage){number_of(m, skill, "lift") == 0.0, fr_radians(number_of(m, skill, "turn_deg"))};
    }
    e->stages = stages;
    return true;
}

// A joint goes to the value that the motion has or asks for.
static void set_value(const fr_class_motion *m, const fr_class_skill *skill, fr__goal_effect *e) {
    const fr_class_value *value = value_of(m, skill, "value");
    e->asks_value = value == NULL && (m->fields & FR_CLASS_ASKS_VALUE) != 0;
    e->has_value = e->asks_value || (value != NULL && value->kind == FR_CLASS_NUMBER);
    if (value != NULL && value->kind == FR_CLASS_NUMBER) { e->value = value->numbers[0]; }
    add_event(e, "grasp");
    add_event(e, "moved");
}

static bool moves_joint(const char *object_skill) {
    return strcmp(object_skill, "lever") == 0 || strcmp(object_skill, "dial") == 0 || strcmp(object_skill, "door") == 0;
}

bool fr__goal_compile(fr__goal_search *s, const fr_class_motion *m, fr__goal_effect *e) {
    memset(e, 0, sizeof *e);
    e->motion = m;
    e->is_far = true;
    e->side = -1;
    const char *hand = text_of(m, NULL, "hand"), *object = m->object != NULL ? m->object->name : "";
    if (hand != NULL && strcmp(hand, "right") == 0) { e->side = FR_RIGHT; }
    if (hand != NULL && strcmp(hand, "left") == 0) { e->side = FR_LEFT; }
    bool is_lever = moves_joint(object), is_known = add_stages(s, m, e);
    for (uint32_t i = 0; i < m->skill_count; i++) {
        e->releases = e->releases || strcmp(m->skills[i].name, "release") == 0;
    }
    e->takes = strcmp(object, "follow_hand") == 0 && !e->releases;
    if (e->takes || is_lever) { add_event(e, "attached"); }
    for (uint32_t i = 0; i < m->skill_count && is_known; i++) {
        const skill_meaning *meaning = find_meaning(m->skills[i].name);
        e->is_far = e->is_far && meaning != NULL && meaning->is_far;
        if (strcmp(m->skills[i].name, "slide") == 0) {
            set_value(m, &m->skills[i], e);
        } else if (meaning != NULL) {
            add_event(e, meaning->event);
        }
    }
    if (is_lever) { add_event(e, "released"); }
    is_known = is_known && add_causes(s, text_of(m, NULL, "causes"), e);
    e->is_none = e->event_count == 0 && e->stage_count == 0 && !e->has_value && !e->takes && !e->releases;
    return is_known;
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

static fr_pose pose_of(const fr__goal_search *s, const fr__goal_now *now, uint32_t object) {
    fr_pose pose = s->input->objects[s->own[object]].machine.pose;
    if (object == s->tool) { return s->tool_pose; }
    bool is_put = now[object].on != 0 && now[object].on - 1u != s->input->objects[s->own[object]].on;
    if (now[object].holder == 0 && !is_put) { return pose; }
    // What is in a hand, or was put somewhere, is near nothing that is known.
    pose.position = fr_vec3_make(AWAY * (object + 1.0), -AWAY, AWAY * (now[object].holder + 1.0));
    return pose;
}

static const fr_class_constraint *constraint_of(const fr__goal_search *s, const fr__goal_now *now, uint32_t object) {
    const fr_machine_object *first = &s->input->objects[s->own[object]].machine;
    if (now[object].constraint == UINT8_MAX) { return NULL; }
    return now[object].constraint == 0 ? first->constraint : first->c->states[now[object].constraint - 1].constraint;
}

void fr__goal_see(const fr__goal_search *s, const fr__goal_now *now) {
    for (uint32_t i = 0; i < s->count; i++) {
        fr_machine_object *m = &s->machines[i];
        const fr_machine_object *first = &s->input->objects[s->own[i]].machine;
        m->state = now[i].state == UINT8_MAX ? FR_NONE : now[i].state;
        m->seconds = i == s->waiting ? s->wait_seconds : 0.0;
        m->value = now[i].value;
        m->constraint = constraint_of(s, now, i);
        bool is_own = now[i].constraint != 0 && m->constraint != NULL;
        m->low = is_own ? m->constraint->joint.low : first->low;
        m->high = is_own ? m->constraint->joint.high : first->high;
        m->pose = pose_of(s, now, i);
    }
}

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

static void set_joint(const fr__goal_search *s, uint32_t object, double value) {
    fr__goal_now *now = &s->next[object];
    const fr_machine_object *first = &s->input->objects[s->own[object]].machine;
    const fr_class_constraint *c = now->constraint != 0 ? constraint_of(s, s->next, object) : NULL;
    if (fr_is_unknown(now->value)) { return; }
    now->value = clamp(value, c != NULL ? c->joint.low : first->low, c != NULL ? c->joint.high : first->high) + 0.0;
}

// As fr_machines_evaluate sees it.
static void take_step(const fr__goal_search *s, const fr_machine_step *step) {
    fr__goal_now *now = &s->next[step->object];
    const fr_class_transition *t = step->transition;
    const fr_class_constraint *from = constraint_of(s, s->next, step->object);
    const fr_class_constraint *to = s->machines[step->object].c->states[t->to].constraint;
    now->value = fr_class_constraint_value(from, to, now->value);
    now->state = (uint8_t)t->to;
    if (to != NULL) { now->constraint = (uint8_t)(t->to + 1); }
    for (uint32_t i = 0; i < t->action_count; i++) {
        const fr_class_action *action = &t->actions[i];
        if (action->kind == FR_ACTION_SET) {
            set_joint(s, step->object, action->is_deg ? fr_radians(action->value) : action->value);
        }
        if (action->kind != FR_ACTION_ATTACH && action->kind != FR_ACTION_DETACH) { continue; }
        now->value = FR_UNKNOWN;
        now->constraint = UINT8_MAX;
    }
}

static uint32_t count_emits(const fr_machines_output *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->step_count; i++) {
        for (uint32_t k = 0; k < out->steps[i].transition->action_count; k++) {
            count += out->steps[i].transition->actions[k].kind == FR_ACTION_EMIT ? 1 : 0;
        }
    }
    return count;
}

// Events that transitions emit count in the next evaluation.
static bool list_emits(const fr__goal_search *s, const fr_machines_output *out, fr_machines_input *input) {
    uint32_t count = count_emits(out);
    input->event_count = 0;
    if (count == 0) { return true; }
    fr_machine_event *list = fr_arena_alloc(s->scratch, count, sizeof *list, alignof(fr_machine_event));
    if (list == NULL) { return false; }
    for (uint32_t i = 0; i < out->step_count; i++) {
        const fr_machine_step *step = &out->steps[i];
        for (uint32_t k = 0; k < step->transition->action_count; k++) {
            const fr_class_action *action = &step->transition->actions[k];
            if (action->kind != FR_ACTION_EMIT) { continue; }
            list[input->event_count++] = (fr_machine_event){FR_MACHINE_NAMED, action->name, step->object, FR_NONE};
        }
    }
    input->events = list;
    return true;
}

bool fr__goal_settle(fr__goal_search *s, const fr_machine_event *events, uint32_t event_count) {
    fr_machines_input input = fr_default_machines_input();
    fr_arena_reset(s->scratch);
    input.objects = s->machines;
    input.object_count = s->count;
    input.events = events;
    input.event_count = event_count;
    input.arena = s->scratch;
    fr_machines_output out = {.step_count = 1};
    for (uint32_t round = 0; round < FR_MACHINES_PASSES && (out.step_count > 0 || input.event_count > 0); round++) {
        fr__goal_see(s, s->next);
        if (fr_machines_evaluate(&input, &out, NULL) != FR_OK) { return false; }
        for (uint32_t i = 0; i < out.step_count; i++) {
            take_step(s, &out.steps[i]);
        }
        s->waiting = FR_NONE;
        if (!list_emits(s, &out, &input)) { return false; }
    }
    return true;
}

bool fr__goal_wait(fr__goal_search *s, uint32_t object, double seconds) {
    s->waiting = object;
    s->wait_seconds = seconds;
    return fr__goal_settle(s, NULL, 0);
}

// ---------------------------------------------------------------------------------------------------------------
// A motion

// The turn of a tool about the frame of an object, as the joint of what it drives counts it.
static double turn_of_joint(const fr__goal_search *s, uint32_t driven, uint32_t object, const char *frame,
                            double turn) {
    const fr_machine_object *m = &s->machines[driven];
    if (driven != object) { return turn; }
    const fr_vec3 z = {0.0, 0.0, 1.0};
    const fr_machine_object at_rest = {.c = m->c, .pose = fr_pose_identity()};
    fr_pose place = fr_machine_place(&at_rest, frame);
    return fr_vec3_dot(fr_mat3_apply(fr_quat_to_mat3(place.rotation), z), m->constraint->joint.axis) < 0.0 ? -turn
                                                                                                           : turn;
}

static bool has_target(const fr_machine_object *m, const fr_class_reference *reference, uint32_t object) {
    const fr_machine_targets *targets = m->references != NULL ? &m->references[reference->index] : NULL;
    for (uint32_t i = 0; targets != NULL && i < targets->count; i++) {
        if (targets->list[i] == object) { return true; }
    }
    return false;
}

static void turn_driven(const fr__goal_search *s, const fr__goal_effect *e, uint32_t object, double turn) {
    fr__goal_see(s, s->next);
    for (uint32_t i = 0; i < s->count; i++) {
        const fr_class_constraint *c = s->machines[i].constraint;
        if (c == NULL || !c->is_driven || c->driver.object.pattern == NULL) { continue; }
        if (!has_target(&s->machines[i], &c->driver.object, s->tool)) { continue; }
        set_joint(s, i, s->next[i].value + turn_of_joint(s, i, object, e->frame, turn));
    }
}

// The tool comes to the frame of the object, turns there, and leaves.
static bool use_tool(fr__goal_search *s, const fr__goal_effect *e, uint32_t object, uint32_t tool) {
    bool is_right = true;
    for (uint32_t i = 0; i < e->stage_count && is_right; i++) {
        const fr__goal_stage *stage = &e->stages[i];
        bool was_on = s->tool == tool;
        if (stage->is_on && !was_on) {
            fr__goal_see(s, s->next);
            fr_machine_object in_tool = s->machines[tool];
            in_tool.pose = fr_pose_identity();
            fr_pose frame = fr_machine_place(&in_tool, e->tool), back = fr_pose_inverse(&frame);
            fr_pose place = fr_machine_place(&s->machines[object], e->frame);
            s->tool_pose = fr_pose_compose(&place, &back);
            s->tool = tool;
        }
        if (stage->is_on && was_on && stage->turn != 0.0) { turn_driven(s, e, object, stage->turn); }
        if (!stage->is_on) { s->tool = FR_NONE; }
        is_right = fr__goal_settle(s, NULL, 0);
    }
    bool stays = s->tool == tool;
    s->tool = FR_NONE;
    s->next[tool].over = stays ? (uint16_t)(s->own[object] + 1) : 0;
    return is_right && (!stays || fr__goal_settle(s, NULL, 0));
}

// What lies on something, and no more.
static bool lift(fr__goal_search *s, uint32_t object) {
    uint32_t on = s->next[object].on;
    s->next[object].on = s->next[object].over = 0;
    uint32_t below = on != 0 && on != FR__GOAL_DROPPED ? s->place[on - 1] : FR_NONE;
    const fr_machine_event event = {FR_MACHINE_CONTACT_END, NULL, object, below};
    return below == FR_NONE || fr__goal_settle(s, &event, 1);
}

static bool put_down(fr__goal_search *s, uint32_t object) {
    fr__goal_now *now = &s->next[object];
    now->holder = 0;
    now->on = now->over != 0 ? now->over : FR__GOAL_DROPPED;
    uint32_t below = now->over != 0 ? s->place[now->over - 1] : FR_NONE;
    now->over = 0;
    const fr_machine_event event = {FR_MACHINE_CONTACT_BEGIN, NULL, object, below};
    return below == FR_NONE || fr__goal_settle(s, &event, 1);
}

bool fr__goal_apply(fr__goal_search *s, const fr__goal_effect *e, uint32_t person, uint32_t object, fr_side side,
                    double value) {
    fr__goal_now *now = &s->next[object];
    uint16_t hand = (uint16_t)(1 + 2 * person + (uint32_t)side);
    bool is_right = true, was_held = now->holder == hand;
    uint32_t tool = FR_NONE;
    for (uint32_t i = 0; i < s->count; i++) {
        bool is_mine = s->next[i].holder == 1 + 2 * person || s->next[i].holder == 2 + 2 * person;
        if (is_mine && !(e->releases && i == object)) { s->next[i].over = 0; }
        if (s->next[i].holder == hand) { tool = i; }
    }
    if (e->takes && !was_held) {
        is_right = lift(s, object);
        now->holder = hand;
    }
    if (e->tool != NULL && tool != FR_NONE) { is_right = is_right && use_tool(s, e, object, tool); }
    if (e->has_value) { set_joint(s, object, value); }
    // With a tool it is the tool that the hand lets go.
    uint32_t released = e->tool != NULL ? tool : object;
    for (uint32_t i = 0; i < e->event_count && is_right; i++) {
        if (was_held && strcmp(e->events[i], "attached") == 0) { continue; }
        const fr_machine_event event = {FR_MACHINE_NAMED, e->events[i], object, FR_NONE};
        is_right = fr__goal_settle(s, &event, 1);
        if (released == object || released == FR_NONE || strcmp(e->events[i], "release") != 0) { continue; }
        const fr_machine_event other = {FR_MACHINE_NAMED, e->events[i], released, FR_NONE};
        is_right = is_right && fr__goal_settle(s, &other, 1);
    }
    if (is_right && e->releases && released != FR_NONE) { is_right = put_down(s, released); }
    return is_right;
}
