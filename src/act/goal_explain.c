// What prevents a goal, in a sentence: from the goal back to what nothing that can be done brings about.
#include "act/goal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 512, DEPTH_MAX = 4 };

typedef struct explaining {
    fr__goal_search *s;
    char *text;
    size_t size;
    uint32_t depth;
} explaining;

static uint32_t newest_of(const fr__goal_search *s, uint32_t object, uint32_t state) {
    return s->newest[object * FR_CLASS_MAX_STATES + state];
}

static bool is_reached(const fr__goal_search *s, uint32_t object, uint32_t state) {
    return newest_of(s, object, state) != 0;
}

static void say(explaining *e, const char *format, ...) FR_PRINTF(2, 3);

static void say(explaining *e, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vsnprintf(e->text, e->size, format, list);
    va_end(list);
    size_t used = written < 0 ? 0 : (size_t)written < e->size ? (size_t)written : e->size - 1;
    e->text += used;
    e->size -= used;
}

static const char *name_of(const fr__goal_search *s, uint32_t object) {
    const char *name = s->input->objects[s->own[object]].name;
    return name != NULL ? name : "an object";
}

// The machines as they were in a node.
static fr_machines_input look_at(fr__goal_search *s, uint32_t node) {
    memcpy(s->now, s->states.data + (node - 1) * s->node_bytes, s->count * sizeof *s->now);
    fr__goal_see(s, s->now);
    fr_machines_input input = fr_default_machines_input();
    input.objects = s->machines;
    input.object_count = s->count;
    return input;
}

// A transition from a state that is reached to one that is not, from which others lead to the state wanted.
static const fr_class_transition *find_gap(const fr__goal_search *s, uint32_t object, uint32_t state, uint32_t *from) {
    const fr_class_view *c = s->machines[object].c;
    uint64_t wanted = UINT64_C(1) << state, before = 0;
    while (wanted != before) {
        before = wanted;
        for (uint32_t i = 0; i < c->state_count; i++) {
            for (uint32_t k = 0; k < c->states[i].transition_count; k++) {
                const fr_class_transition *t = &c->states[i].transitions[k];
                if ((wanted >> t->to & 1) == 0) { continue; }
                *from = i;
                if (is_reached(s, object, i) && !is_reached(s, object, t->to)) { return t; }
                wanted |= is_reached(s, object, i) ? 0 : UINT64_C(1) << i;
            }
        }
    }
    return NULL;
}

static const fr__goal_denial *find_denial(const fr__goal_search *s, uint32_t object, const fr_class_motion *motion) {
    for (size_t i = 0; i < s->denials.count; i++) {
        const fr__goal_denial *d = &s->denials.data[i];
        if (d->object == object && d->motion == motion) { return d->is_done ? NULL : d; }
    }
    return NULL;
}

// Motions of a state by which an event happens: what keeps people from them; "": some are done, NULL: there are none.
static const char *find_motion(const fr__goal_search *s, uint32_t object, uint32_t state, const char *event,
                               const fr_class_motion **motion) {
    const fr_class_view *c = s->machines[object].c;
    const fr__goal_effect *effect = &s->effects[s->effect_first[object]];
    for (uint32_t i = 0; i < state; i++) {
        effect += c->states[i].motion_count;
    }
    const char *why = NULL;
    for (uint32_t i = 0; i < c->states[state].motion_count; i++) {
        bool has_event = event == NULL && (effect[i].has_value || effect[i].stage_count > 0);
        for (uint32_t k = 0; event != NULL && k < effect[i].event_count; k++) {
            has_event = has_event || strcmp(effect[i].events[k], event) == 0;
        }
        if (!has_event) { continue; }
        const fr__goal_denial *denial = find_denial(s, object, effect[i].motion);
        if (denial == NULL) { return ""; }
        if (why == NULL) { *motion = effect[i].motion; }
        why = why == NULL ? denial->why : why;
    }
    return why;
}

static void explain_state(explaining *e, uint32_t object, uint32_t state);

// The first object that a guard wants in a state in which it never is.
static bool explain_guard(explaining *e, uint32_t object, const fr_class_guard *g) {
    for (uint32_t i = 0; g != NULL && g->kind != FR_GUARD_NOT && i < g->count; i++) {
        if (explain_guard(e, object, &g->list[i])) { return true; }
    }
    if (g == NULL || g->kind != FR_GUARD_STATE || g->a.object.pattern == NULL) { return false; }
    const fr_machine_targets *targets = &e->s->machines[object].references[g->a.object.index];
    for (uint32_t i = 0; i < targets->count; i++) {
        uint32_t other = targets->list[i], state = fr__goal_state(e->s->machines[other].c, g->name);
        if (state == FR_NONE || is_reached(e->s, other, state) || e->s->now[other].state == UINT8_MAX) { continue; }
        say(e, "; ");
        explain_state(e, other, state);
        return true;
    }
    return false;
}

static void explain_trigger(explaining *e, uint32_t object, uint32_t from, const fr_class_transition *t) {
    fr__goal_search *s = e->s;
    const fr_class_trigger *on = &t->trigger;
    bool is_limit = on->kind == FR_TRIGGER_LIMIT_MIN || on->kind == FR_TRIGGER_LIMIT_MAX;
    bool is_own = is_limit || (on->kind == FR_TRIGGER_EVENT && on->object.pattern == NULL);
    const fr_class_motion *motion = NULL;
    const char *why = is_own ? find_motion(s, object, from, is_limit ? NULL : on->name, &motion) : "";
    // What a guard alone waits for a tool may bring about.
    if (on->kind == FR_TRIGGER_ALWAYS) { why = find_motion(s, object, from, NULL, &motion); }
    if (on->kind == FR_TRIGGER_ALWAYS && why == NULL) { why = ""; }
    if (why == NULL && is_limit) { say(e, "nothing that it affords then moves its joint"); }
    if (why == NULL && !is_limit) { say(e, "nothing that it affords then brings '%s' about", on->name); }
    if (why == NULL) { return; }
    if (motion != NULL) {
        say(e, "'%s' cannot be done: %s", motion->name, why);
        return;
    }
    char lack[FR_GOAL_WHY_MAX_BYTES + 1] = "";
    const fr_machines_input input = look_at(s, newest_of(s, object, from));
    if (t->guard != NULL) { fr_machines_explain(&input, object, t->guard, lack, sizeof lack); }
    bool is_state = on->kind == FR_TRIGGER_STATE;
    if (lack[0] != '\0') {
        say(e, "%s", lack);
    } else if (is_state) {
        say(e, "%s never comes into '%s' then", on->object.pattern, on->name);
    } else {
        say(e, "what it needs never holds at once");
    }
    (void)explain_guard(e, object, t->guard);
}

static void explain_state(explaining *e, uint32_t object, uint32_t state) {
    const fr_class_view *c = e->s->machines[object].c;
    uint32_t from = 0;
    const fr_class_transition *t = find_gap(e->s, object, state, &from);
    if (t == NULL) {
        say(e, "no transition brings '%s' into '%s'", name_of(e->s, object), c->states[state].name);
        return;
    }
    say(e, "'%s' stays %s: ", name_of(e->s, object), c->states[from].name);
    if (++e->depth > DEPTH_MAX) {
        say(e, "and so on");
        return;
    }
    explain_trigger(e, object, from, t);
}

// The first motion of those that take an object, or that put it down, and why it was not done.
static void explain_hands(explaining *e, uint32_t object, const char *what) {
    const fr__goal_search *s = e->s;
    const fr_class_view *c = s->machines[object].c;
    const fr__goal_effect *effect = &s->effects[s->effect_first[object]];
    say(e, "nothing brings '%s' %s", name_of(s, object), what);
    for (uint32_t i = 0; c != NULL && i < c->state_count; i++) {
        for (uint32_t k = 0; k < c->states[i].motion_count; k++, effect++) {
            const fr__goal_denial *denial = find_denial(s, object, effect->motion);
            if (denial == NULL || !effect->takes) { continue; }
            say(e, ": '%s' cannot be done: %s", effect->motion->name, denial->why);
            return;
        }
    }
}

static void explain_on(explaining *e, const fr_goal_condition *condition) {
    const fr__goal_search *s = e->s;
    uint32_t below = s->place[condition->on];
    const fr__goal_denial *denial = NULL;
    for (size_t i = 0; i < s->denials.count && denial == NULL; i++) {
        if (s->denials.data[i].object == below && !s->denials.data[i].is_done) { denial = &s->denials.data[i]; }
    }
    char what[FR_GOAL_WHY_MAX_BYTES];
    (void)snprintf(what, sizeof what, "onto '%.100s'", name_of(s, below));
    if (denial == NULL) {
        explain_hands(e, s->place[condition->object], what);
        return;
    }
    say(e, "nothing brings '%s' %s: '%s' cannot be done: %s", name_of(s, s->place[condition->object]), what,
        denial->motion->name, denial->why);
}

const char *fr__goal_explain(fr__goal_search *s) {
    char *text = fr_arena_alloc(s->input->arena, TEXT_BYTES, 1, 1);
    if (text == NULL) { return NULL; }
    explaining e = {.s = s, .text = text, .size = TEXT_BYTES};
    text[0] = '\0';
    if (s->nodes.count >= s->input->max_nodes) {
        say(&e, "none was found among the first %u states of all objects", (unsigned)s->input->max_nodes);
        return text;
    }
    for (uint32_t i = 0; i < s->input->condition_count && text[0] == '\0'; i++) {
        const fr_goal_condition *condition = &s->input->conditions[i];
        uint32_t object = s->place[condition->object];
        memcpy(s->now, s->states.data, s->count * sizeof *s->now);
        uint32_t state = condition->state != NULL ? fr__goal_state(s->machines[object].c, condition->state) : FR_NONE;
        bool is_held = false, is_on = false;
        for (uint32_t n = 0; n < s->nodes.count; n++) {
            const fr__goal_now *now = (const fr__goal_now *)(const void *)(s->states.data + n * s->node_bytes);
            is_held = is_held || now[object].holder != 0;
            is_on = is_on || (now[object].holder == 0 && now[object].on == condition->on + 1);
        }
        if (state != FR_NONE && !is_reached(s, object, state)) { explain_state(&e, object, state); }
        if (text[0] == '\0' && condition->is_held && !is_held) { explain_hands(&e, object, "into a hand"); }
        if (text[0] == '\0' && condition->on != FR_NONE && !is_on) { explain_on(&e, condition); }
    }
    if (text[0] == '\0') { say(&e, "each part of the goal can be reached, but not all at once"); }
    return text;
}
