// State machines: random machines, places and events against an interpreter that does everything the long way.
#include "class_text.h"
#include "failing.h"
#include "frame.h"

#include "fureai/library_machine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CLASSES = 3, OBJECTS = 7, EVENTS = 6, STEPS_MAX = 8 * OBJECTS, TEXT_BYTES = 1 << 16 };

static const char *const names[OBJECTS] = {"nut1", "nut2", "cover", "nut10", "wrench", "w", "bolt"};
static const char *const patterns[] = {"nut*", "nut1", "cover", "*", "w*", "*1*", "nobody", "n*1"};
static const char *const event_names[] = {"grasp", "release", "turn"};
static const char *const state_names[] = {"a", "b", "c", "d"};

// ---------------------------------------------------------------------------------------------------------------
// Random classes, as files

typedef struct writing {
    char *text;
    size_t size;
    fr_random random;
} writing;

static void put(writing *w, const char *format, ...) {
    va_list list;
    va_start(list, format);
    w->size += (size_t)vsnprintf(w->text + w->size, TEXT_BYTES - w->size, format, list);
    va_end(list);
    assert_true(w->size < TEXT_BYTES);
}

static uint32_t below(writing *w, uint32_t count) { return (uint32_t)fr_random_below(&w->random, count); }

static const char *pattern_of(writing *w) { return patterns[below(w, sizeof patterns / sizeof patterns[0])]; }

static void put_place(writing *w) {
    static const char *const frames[] = {"", "\"frame\":\"axis\""};
    bool is_own = below(w, 2) == 0;
    const char *frame = frames[below(w, 2)];
    if (is_own) { put(w, "{%s}", frame); }
    if (!is_own) { put(w, "{\"object\":\"%s\"%s%s}", pattern_of(w), frame[0] != '\0' ? "," : "", frame); }
}

static void put_guard(writing *w, int depth) {
    static const char *const comparisons[] = {"below", "at_most", "above", "at_least"};
    switch (below(w, depth > 0 ? 7 : 4)) {
    case 0:
        put(w, "{\"dist\":[");
        put_place(w);
        put(w, ",");
        put_place(w);
        put(w, "],\"%s\":%u.5%s}", below(w, 3) > 0 ? "below" : "above", below(w, 3),
            below(w, 3) == 0 ? ",\"within_deg\":40" : "");
        return;
    case 1:
        put(w, "{\"angle\":[");
        put_place(w);
        put(w, ",");
        put_place(w);
        put(w, "],\"%s\":%u}", below(w, 2) == 0 ? "below_deg" : "above_deg", 7 + 20 * below(w, 9));
        return;
    case 2:
        put(w, "{\"value\":\"%s\",\"%s\":%g", comparisons[below(w, 4)], below(w, 2) == 0 ? "than" : "than_deg",
            0.5 * below(w, 5));
        if (below(w, 2) == 0) { put(w, ",\"of\":\"%s\"", pattern_of(w)); }
        put(w, "}");
        return;
    case 3:
        put(w, "{\"state\":\"%s\",\"of\":\"%s\"", state_names[below(w, 4)], pattern_of(w));
        if (below(w, 2) == 0) { put(w, ",\"at_least\":%u", 1 + below(w, 3)); }
        put(w, "}");
        return;
    case 4:
        put(w, "{\"not\":");
        put_guard(w, depth - 1);
        put(w, "}");
        return;
    default: break;
    }
    put(w, "{\"%s\":[", below(w, 2) == 0 ? "all" : "any");
    for (uint32_t count = below(w, 4), i = 0; i < count; i++) {
        put(w, i > 0 ? "," : "");
        put_guard(w, depth - 1);
    }
    put(w, "]}");
}

static void put_trigger(writing *w) {
    uint32_t kind = below(w, 6);
    if (kind == 0) { put(w, "{\"limit\":\"%s\"}", below(w, 2) == 0 ? "min" : "max"); }
    if (kind == 1) { put(w, "{\"seconds\":%u}", 1 + below(w, 4)); }
    if (kind == 2) { put(w, "{\"state\":\"%s\",\"of\":\"%s\"}", state_names[below(w, 4)], pattern_of(w)); }
    if (kind == 3) {
        put(w, "{\"contact\":\"%s\"", below(w, 2) == 0 ? "begin" : "end");
        if (below(w, 2) == 0) { put(w, ",\"with\":\"%s\"", pattern_of(w)); }
        if (below(w, 2) == 0) { put(w, ",\"class\":\"class%u\"", below(w, CLASSES)); }
        put(w, "}");
    }
    if (kind > 3) {
        put(w, "{\"event\":\"%s\"", event_names[below(w, 3)]);
        if (below(w, 2) == 0) { put(w, ",\"of\":\"%s\"", pattern_of(w)); }
        put(w, "}");
    }
}

static void put_transition(writing *w) {
    static const char *const actions[] = {"",
                                          ",\"do\":[{\"set\":0.25},{\"emit\":\"x\"}]",
                                          ",\"do\":[{\"detach\":true}]",
                                          ",\"do\":[{\"attach\":\"nut*\"}]",
                                          "",
                                          ",\"do\":[{\"set_deg\":300}]"};
    bool has_on = below(w, 3) > 0, has_when = !has_on || below(w, 2) == 0;
    put(w, "{");
    if (has_on) {
        put(w, "\"on\":");
        put_trigger(w);
        put(w, ",");
    }
    if (has_when) {
        put(w, "\"when\":");
        put_guard(w, 2);
        put(w, ",");
    }
    put(w, "\"to\":\"%s\"%s}", state_names[below(w, 4)], actions[below(w, 6)]);
}

static void put_class(writing *w) {
    static const char *const constraints[] = {
        "", ",\"constraint\":{\"kind\":\"free\"}",
        ",\"constraint\":{\"joint\":{\"kind\":\"hinge\",\"position\":[0,0,0],\"axis\":[0,1,0],\"limits_deg\":[0,90]}}",
        (",\"constraint\":{\"joint\":{\"kind\":\"hinge\",\"position\":[0,0,0],\"axis\":[0,1,0],\"limits_deg\":[30,60],"
         "\"value_deg\":45}}"),
        ",\"constraint\":{\"joint\":{\"kind\":\"slider\",\"axis\":[0,0,1],\"limits\":[0,2],\"value\":1}}"};
    put(w, "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"frames\":[{\"name\":\"axis\",\"position\":[0.3,0,0],"
           "\"axis_angle_deg\":[1,0,0,-90]}],\"states\":[");
    for (uint32_t i = 0; i < 4; i++) {
        put(w, "%s{\"name\":\"%s\",\"affords\":[]%s,\"transitions\":[", i > 0 ? "," : "", state_names[i],
            constraints[below(w, 5)]);
        for (uint32_t count = below(w, 4), k = 0; k < count; k++) {
            put(w, k > 0 ? "," : "");
            put_transition(w);
        }
        put(w, "]}");
    }
    put(w, "]}");
}

static fr_class *make_class(writing *w, uint32_t number) {
    char name[16];
    w->size = 0;
    put_class(w);
    fr_class_read_input input = fr_default_class_read_input();
    snprintf(name, sizeof name, "class%u", number);
    input.name = name;
    fr_class *c;
    fr_error error = {0};
    if (fr_class_read(w->text, w->size, &input, &c, &error) != FR_OK) { fail_msg("%s\n%s", error.message, w->text); }
    return c;
}

// ---------------------------------------------------------------------------------------------------------------
// A world of them

typedef struct scattered {
    fr_class *classes[CLASSES];
    fr_machine_object objects[OBJECTS];
    fr_machine_targets targets[OBJECTS][FR_CLASS_MAX_REFERENCES];
    uint32_t lists[OBJECTS][16][OBJECTS];
    fr_machine_event events[EVENTS];
    fr_machines_input input;
} scattered;

// By all ways in which the star can stand for something.
static bool plainly_matches(const char *pattern, const char *name) {
    if (pattern[0] == '\0') { return name[0] == '\0'; }
    if (pattern[0] != '*') { return pattern[0] == name[0] && plainly_matches(pattern + 1, name + 1); }
    for (size_t i = 0; i <= strlen(name); i++) {
        if (plainly_matches(pattern + 1, name + i)) { return true; }
    }
    return false;
}

static void scatter_object(scattered *s, uint32_t index, fr_random *random) {
    fr_machine_object *o = &s->objects[index];
    bool is_known = fr_random_below(random, 5) > 0;
    *o = (fr_machine_object){.state = FR_NONE, .value = FR_UNKNOWN, .pose = fr_pose_identity()};
    o->pose.position = fr_vec3_make(fr_random_between(random, 0, 2), fr_random_between(random, 0, 2), 0.0);
    o->pose.rotation = fr_quat_from_vector(fr_vec3_make(fr_random_between(random, 0, 3), 0, 0));
    if (!is_known) { return; }
    o->c = fr_class_get(s->classes[fr_random_below(random, CLASSES)]);
    o->state = (uint32_t)fr_random_below(random, 4);
    o->seconds = (double)fr_random_below(random, 5);
    o->constraint = o->c->states[o->state].constraint;
    if (o->constraint != NULL && o->constraint->kind == FR_CONSTRAINT_JOINT) {
        o->low = o->constraint->joint.low;
        o->high = o->constraint->joint.high;
        double part = 0.5 * (double)fr_random_below(random, 3);
        o->value = o->low + part * (o->high - o->low);
    }
    for (uint32_t k = 0; k < o->c->references.count; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < OBJECTS; i++) {
            if (plainly_matches(o->c->references.list[k], names[i])) { s->lists[index][k][count++] = i; }
            assert_int_equal(fr_class_pattern_matches(o->c->references.list[k], names[i]),
                             plainly_matches(o->c->references.list[k], names[i]));
        }
        s->targets[index][k] = (fr_machine_targets){s->lists[index][k], count};
    }
    o->references = s->targets[index];
}

static void scatter(scattered *s, fr_random *random) {
    for (uint32_t i = 0; i < OBJECTS; i++) {
        scatter_object(s, i, random);
    }
    s->input = fr_default_machines_input();
    s->input.objects = s->objects;
    s->input.object_count = OBJECTS;
    s->input.events = s->events;
    s->input.event_count = (uint32_t)fr_random_below(random, EVENTS + 1);
    for (uint32_t i = 0; i < s->input.event_count; i++) {
        uint32_t b = (uint32_t)fr_random_below(random, OBJECTS + 1);
        s->events[i] = (fr_machine_event){(fr_machine_event_kind)fr_random_below(random, 3),
                                          event_names[fr_random_below(random, 3)],
                                          (uint32_t)fr_random_below(random, OBJECTS), b == OBJECTS ? FR_NONE : b};
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The long way

typedef struct plain {
    const scattered *s;
    uint32_t state[OBJECTS];
    double seconds[OBJECTS], value[OBJECTS], low[OBJECTS], high[OBJECTS];
    const fr_class_constraint *constraint[OBJECTS];
    uint32_t entered[OBJECTS]; // the pass in which it came into its state, and 1; 0: in none
    uint32_t pass;
    fr_machine_step steps[STEPS_MAX + OBJECTS];
    uint32_t count, cut;
} plain;

static bool is_meant(const fr_class_reference *who, uint32_t self, uint32_t other) {
    return who->pattern == NULL ? self == other : plainly_matches(who->pattern, names[other]);
}

static const char *state_name(const plain *p, uint32_t i) {
    return p->state[i] == FR_NONE ? "" : p->s->objects[i].c->states[p->state[i]].name;
}

static bool compares(fr_class_comparison c, double a, double b) {
    return (c == FR_IS_BELOW && a < b) || (c == FR_IS_AT_MOST && a <= b) || (c == FR_IS_ABOVE && a > b) ||
           (c == FR_IS_AT_LEAST && a >= b);
}

static fr_pose plain_place(const plain *p, uint32_t object, const char *frame) {
    fr_pose local = fr_pose_make(fr_vec3_make(0.3, 0, 0), fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), -FR_PI / 2));
    bool has_frame = frame != NULL && p->s->objects[object].c != NULL;
    return has_frame ? fr_pose_compose(&p->s->objects[object].pose, &local) : p->s->objects[object].pose;
}

static bool plain_pair(const plain *p, const fr_class_guard *g, uint32_t a, uint32_t b) {
    fr_pose u = plain_place(p, a, g->a.frame), v = plain_place(p, b, g->b.frame);
    fr_vec3 z = {0, 0, 1}, zu = fr_pose_turn(&u, z), zv = fr_pose_turn(&v, z);
    double dot = fr_vec3_dot(zu, zv), angle = fr_degrees(acos(dot > 1 ? 1 : dot < -1 ? -1 : dot));
    if (g->kind == FR_GUARD_ANGLE) { return compares(g->comparison, angle, g->than); }
    return compares(g->comparison, fr_vec3_distance(u.position, v.position), g->than) &&
           (!g->has_within || angle <= g->within_deg);
}

static bool plain_guard(const plain *p, uint32_t self, const fr_class_guard *g) {
    uint32_t meant = 0, right = 0, holding = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        holding += plain_guard(p, self, &g->list[i]);
    }
    if (g->kind == FR_GUARD_ALL) { return holding == g->count; }
    if (g->kind == FR_GUARD_ANY) { return holding > 0; }
    if (g->kind == FR_GUARD_NOT) { return holding == 0; }
    for (uint32_t i = 0; i < OBJECTS; i++) {
        if (!is_meant(&g->a.object, self, i)) { continue; }
        meant++;
        if (g->kind == FR_GUARD_STATE) { right += strcmp(state_name(p, i), g->name) == 0; }
        if (g->kind == FR_GUARD_VALUE && p->value[i] == p->value[i]) {
            right += compares(g->comparison, p->value[i], g->is_deg ? fr_radians(g->than) : g->than);
        }
        for (uint32_t k = 0; (g->kind == FR_GUARD_DIST || g->kind == FR_GUARD_ANGLE) && k < OBJECTS; k++) {
            right += is_meant(&g->b.object, self, k) && plain_pair(p, g, i, k);
        }
    }
    if (g->kind != FR_GUARD_STATE) { return right > 0; }
    if (g->at_least > 0) { return right >= g->at_least; }
    return right == meant && (meant > 0 || strchr(g->a.object.pattern, '*') != NULL);
}

static bool plain_event(const plain *p, uint32_t self, const fr_class_trigger *on) {
    for (uint32_t i = 0; i < p->s->input.event_count; i++) {
        const fr_machine_event *e = &p->s->events[i];
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t one = side == 0 ? e->a : e->b, other = side == 0 ? e->b : e->a;
            if (one == FR_NONE) { continue; }
            if (on->kind == FR_TRIGGER_EVENT && e->kind == FR_MACHINE_NAMED && is_meant(&on->object, self, one) &&
                strcmp(e->name, on->name) == 0) {
                return true;
            }
            bool is_begin = on->kind == FR_TRIGGER_CONTACT_BEGIN && e->kind == FR_MACHINE_CONTACT_BEGIN;
            bool is_end = on->kind == FR_TRIGGER_CONTACT_END && e->kind == FR_MACHINE_CONTACT_END;
            if ((!is_begin && !is_end) || one != self) { continue; }
            if (e->a == e->b && side == 1) { continue; }
            const fr_class_view *c = other != FR_NONE ? p->s->objects[other].c : NULL;
            bool has_name = on->name == NULL || (c != NULL && strcmp(c->name, on->name) == 0);
            bool has_object = on->object.pattern == NULL || (other != FR_NONE && is_meant(&on->object, self, other));
            if (has_name && has_object) { return true; }
        }
    }
    return false;
}

static bool plain_trigger(const plain *p, uint32_t self, const fr_class_trigger *on) {
    switch (on->kind) {
    case FR_TRIGGER_ALWAYS: return true;
    case FR_TRIGGER_EVENT:
    case FR_TRIGGER_CONTACT_BEGIN:
    case FR_TRIGGER_CONTACT_END: return p->pass == 0 && plain_event(p, self, on);
    case FR_TRIGGER_LIMIT_MIN: return p->value[self] <= p->low[self] + FR_MACHINES_NEAR_LIMIT;
    case FR_TRIGGER_LIMIT_MAX: return p->value[self] >= p->high[self] - FR_MACHINES_NEAR_LIMIT;
    case FR_TRIGGER_SECONDS: return p->seconds[self] >= on->seconds;
    case FR_TRIGGER_STATE: break;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        const fr_machine_step *step = &p->steps[i];
        const char *name = p->s->objects[step->object].c->states[step->transition->to].name;
        if (step->pass + 1 == p->pass && strcmp(name, on->name) == 0 && is_meant(&on->object, self, step->object)) {
            return true;
        }
    }
    return false;
}

static const fr_class_transition *plain_find(const plain *p, uint32_t self) {
    if (p->state[self] == FR_NONE) { return NULL; }
    const fr_class_state *state = &p->s->objects[self].c->states[p->state[self]];
    for (uint32_t i = 0; i < state->transition_count; i++) {
        const fr_class_transition *t = &state->transitions[i];
        if (plain_trigger(p, self, &t->trigger) && (t->guard == NULL || plain_guard(p, self, t->guard))) { return t; }
    }
    return NULL;
}

static double within(double value, double low, double high) { return fmin(fmax(value, low), high); }

static void plain_take(plain *p, uint32_t i, const fr_class_transition *t) {
    const fr_class_constraint *c = p->s->objects[i].c->states[t->to].constraint, *was = p->constraint[i];
    p->steps[p->count++] = (fr_machine_step){i, p->state[i], p->pass, t};
    p->state[i] = t->to;
    p->seconds[i] = 0.0;
    if (c != NULL) {
        bool is_joint = c->kind == FR_CONSTRAINT_JOINT;
        bool is_same = is_joint && was != NULL && was->kind == FR_CONSTRAINT_JOINT && was->joint.kind == c->joint.kind;
        bool goes_on = is_same && p->value[i] == p->value[i];
        p->low[i] = c->joint.low;
        p->high[i] = c->joint.high;
        p->value[i] = !is_joint ? FR_UNKNOWN : within(goes_on ? p->value[i] : c->joint.value, p->low[i], p->high[i]);
        p->constraint[i] = c;
    }
    for (uint32_t k = 0; k < t->action_count; k++) {
        const fr_class_action *a = &t->actions[k];
        if (a->kind == FR_ACTION_SET && p->value[i] == p->value[i]) {
            p->value[i] = within(a->is_deg ? fr_radians(a->value) : a->value, p->low[i], p->high[i]);
        }
        if (a->kind == FR_ACTION_ATTACH || a->kind == FR_ACTION_DETACH) {
            p->value[i] = FR_UNKNOWN;
            p->constraint[i] = NULL;
        }
    }
}

static void plain_evaluate(plain *p) {
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const fr_machine_object *o = &p->s->objects[i];
        p->state[i] = o->state;
        p->seconds[i] = o->seconds;
        p->value[i] = o->value;
        p->low[i] = o->low;
        p->high[i] = o->high;
        p->constraint[i] = o->constraint;
    }
    p->count = 0;
    p->cut = FR_NONE;
    for (p->pass = 0;; p->pass++) {
        uint32_t before = p->count;
        for (uint32_t i = 0; i < OBJECTS; i++) {
            const fr_class_transition *t = plain_find(p, i);
            if (t == NULL) { continue; }
            if (p->pass == 8) {
                p->cut = i;
                return;
            }
            plain_take(p, i, t);
        }
        if (p->count == before) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------

static void both_take_the_same(const scattered *s, uint32_t *taken, uint32_t *cuts) {
    static plain p;
    p.s = s;
    plain_evaluate(&p);
    fr_machines_output out;
    assert_int_equal(fr_machines_evaluate(&s->input, &out, NULL), FR_OK);
    assert_int_equal(out.step_count, p.count);
    assert_int_equal(out.cut, p.cut);
    for (uint32_t i = 0; i < p.count; i++) {
        assert_int_equal(out.steps[i].object, p.steps[i].object);
        assert_int_equal(out.steps[i].from, p.steps[i].from);
        assert_int_equal(out.steps[i].pass, p.steps[i].pass);
        assert_ptr_equal(out.steps[i].transition, p.steps[i].transition);
    }
    *taken += p.count;
    *cuts += p.cut != FR_NONE;
}

static void random_machines_go_as_the_long_way(void **state) {
    (void)state;
    static scattered s;
    writing w = {malloc(TEXT_BYTES), 0, fr_random_seed(20)};
    fr_arena *arena;
    assert_non_null(w.text);
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    uint32_t taken = 0, cuts = 0, rounds = test_is_long() ? 20000 : 400;
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < CLASSES; i++) {
            s.classes[i] = make_class(&w, i);
        }
        for (int k = 0; k < 25; k++) {
            scatter(&s, &w.random);
            fr_arena_reset(arena);
            s.input.arena = arena;
            both_take_the_same(&s, &taken, &cuts);
        }
        for (uint32_t i = 0; i < CLASSES; i++) {
            fr_class_release(s.classes[i]);
        }
    }
    print_message("%u transitions, %u cycles\n", taken, cuts);
    assert_true(taken > rounds && cuts > rounds / 20);
    fr_arena_destroy(arena);
    free(w.text);
}

#define CLASS(states) "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"states\":[" states "]}"

static fr_class *read_states(const char *text) {
    fr_class *c;
    fr_error error = {0};
    if (read_class(text, FR_CLASS_OBJECT, NULL, &c, &error) != FR_OK) { fail_msg("%s", error.message); }
    return c;
}

// A guard says what it lacks.
static void a_guard_says_what_it_lacks(void **state) {
    (void)state;
    fr_class *c = read_states(CLASS("{\"name\":\"on\",\"affords\":[],\"transitions\":[{\"when\":{\"all\":[{\"all\":[]},"
                                    "{\"state\":\"off\",\"of\":\"nut*\"}]},"
                                    "\"to\":\"off\"}]},{\"name\":\"off\",\"affords\":[]}"));
    const uint32_t all[4] = {0, 1, 2, 3};
    const fr_machine_targets targets = {all, 4};
    fr_machine_object objects[4];
    for (uint32_t i = 0; i < 4; i++) {
        objects[i] =
            (fr_machine_object){.c = fr_class_get(c), .state = i == 1, .value = FR_UNKNOWN, .references = &targets};
    }
    fr_machines_input input = fr_default_machines_input();
    input.objects = objects;
    input.object_count = 4;
    char text[64];
    const fr_class_guard *guard = fr_class_get(c)->states[0].transitions[0].guard;
    fr_machines_explain(&input, 0, guard, text, sizeof text);
    assert_string_equal(text, "3 of 4 nut* are not off");
    fr_machines_explain(&input, 0, guard, text, 9);
    assert_string_equal(text, "3 of 4 n");
    for (uint32_t i = 0; i < 4; i++) {
        objects[i].state = 1;
    }
    assert_true(fr_machines_guard_holds(&input, 0, guard));
    fr_machines_explain(&input, 0, guard, text, sizeof text);
    assert_string_equal(text, "");
    fr_class_release(c);
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    fr_machines_input input = fr_default_machines_input();
    fr_machines_output out;
    fr_error error = {0};
    assert_int_equal(fr_machines_evaluate(&input, &out, &error), FR_ERROR_ARGUMENT);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    input.arena = arena;
    assert_int_equal(fr_machines_evaluate(&input, &out, NULL), FR_OK);
    assert_true(out.step_count == 0 && out.cut == FR_NONE);
    const fr_machine_event event = {FR_MACHINE_NAMED, "grasp", 3, FR_NONE};
    input.events = &event;
    input.event_count = 1;
    assert_int_equal(fr_machines_evaluate(&input, &out, &error), FR_ERROR_ARGUMENT);
    input.cookie = 0;
    assert_int_equal(fr_machines_evaluate(&input, &out, &error), FR_ERROR_ARGUMENT);
    fr_arena_destroy(arena);
}

static bool push_text(const void *bytes, size_t size, void *context) {
    writing *w = context;
    if (w->size + size >= TEXT_BYTES) { return false; }
    memcpy(w->text + w->size, bytes, size);
    w->size += size;
    return true;
}

// What is written reads back as the same: it is written again to the same bytes.
static void machines_read_back_as_written(void **state) {
    (void)state;
    writing w = {malloc(TEXT_BYTES), 0, fr_random_seed(3)}, again = {malloc(TEXT_BYTES), 0, fr_random_seed(4)};
    writing first = {malloc(TEXT_BYTES), 0, fr_random_seed(5)};
    for (int i = 0; i < 200; i++) {
        fr_class *c = i == 0 ? read_states(whole_machine) : make_class(&w, 0), *same;
        fr_class_read_input input = fr_default_class_read_input();
        first.size = again.size = 0;
        assert_int_equal(fr_class_write(fr_class_get(c), push_text, &first, NULL, NULL), FR_OK);
        assert_int_equal(fr_class_read(first.text, first.size, &input, &same, NULL), FR_OK);
        assert_int_equal(fr_class_write(fr_class_get(same), push_text, &again, NULL, NULL), FR_OK);
        assert_int_equal(first.size, again.size);
        assert_memory_equal(first.text, again.text, first.size);
        fr_class_release(c);
        fr_class_release(same);
    }
    free(w.text);
    free(again.text);
    free(first.text);
}

static fr_status make_evaluation(const fr_allocator *allocator, void *context) {
    scattered *s = context;
    fr_arena *arena;
    fr_status status = fr_arena_create(0, allocator, &arena, NULL);
    if (status != FR_OK) { return status; }
    s->input.arena = arena;
    fr_machines_output out;
    status = fr_machines_evaluate(&s->input, &out, NULL);
    if (status == FR_OK) { test_note_number(out.step_count); }
    fr_arena_destroy(arena);
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    static scattered s;
    writing w = {malloc(TEXT_BYTES), 0, fr_random_seed(9)};
    for (uint32_t i = 0; i < CLASSES; i++) {
        s.classes[i] = make_class(&w, i);
    }
    scatter(&s, &w.random);
    test_every_failure(make_evaluation, &s);
    for (uint32_t i = 0; i < CLASSES; i++) {
        fr_class_release(s.classes[i]);
    }
    free(w.text);
}

static fr_status make_machine(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_class *c;
    fr_status status = read_class(whole_machine, FR_CLASS_OBJECT, allocator, &c, NULL);
    fr_class_release(c);
    return status;
}

static void reading_with_little_memory(void **state) {
    (void)state;
    test_every_failure(make_machine, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_says_what_it_lacks),    cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(machines_read_back_as_written), cmocka_unit_test(random_machines_go_as_the_long_way),
        cmocka_unit_test(memory_may_run_short),          cmocka_unit_test(reading_with_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
