// Goals: chains for random state machines against a search that is written here and visits all states there are,
// carried out by the mechanism of a world; the classes that come with the project; sentences, bad input, memory.
#include "failing.h"
#include "frame.h"

#include "fureai/act_goal.h"
#include "fureai/act_mechanism.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// Random machines

enum { OBJECTS = 5, STATES = 4, TRANSITIONS = 4, MOTIONS = 4, EVENTS = 3, NAMES = EVENTS + 3, TEXT_BYTES = 1 << 15 };
enum { ATTACHED = EVENTS, GRASP, RELEASE, TAKE = EVENTS, PUT };

static const char *const event_names[NAMES] = {"e0", "e1", "e2", "attached", "grasp", "release"};
static const char *const state_names[STATES] = {"a", "b", "c", "d"};
static const char *const object_names[OBJECTS] = {"o0", "o1", "o2", "o3", "o4"};

typedef struct term {
    int object; // OBJECTS: all
    int state, at_least;
    bool is_not;
} term;

typedef struct transition {
    int event; // of the object; -1: none, -2: an object comes into a state
    int object, state;
    int term_count;
    bool is_any;
    term terms[2];
    int to, emit; // -1: nothing
} transition;

typedef struct machine_state {
    int motion_count, motions[MOTIONS]; // events, TAKE, PUT
    int transition_count;
    transition transitions[TRANSITIONS];
} machine_state;

typedef struct machine {
    int state_count;
    machine_state states[STATES];
} machine;

typedef struct problem {
    machine machines[OBJECTS];
    int goal_count, goal_objects[2], goal_states[2];
} problem;

static int below(fr_random *r, int count) { return (int)fr_random_below(r, (uint64_t)count); }

static term make_term(fr_random *r) {
    term t = {.object = below(r, 3) == 0 ? OBJECTS : below(r, OBJECTS), .state = below(r, STATES)};
    t.at_least = below(r, 2) == 0 ? 1 + below(r, 3) : 0;
    t.is_not = below(r, 4) == 0;
    return t;
}

static transition make_transition(fr_random *r, int state_count) {
    transition t = {.event = below(r, 8) == 0 ? -2 : below(r, NAMES), .emit = below(r, 6) == 0 ? below(r, EVENTS) : -1};
    if (below(r, 12) == 0) { t.event = -1; }
    t.object = below(r, 2) == 0 ? OBJECTS : below(r, OBJECTS);
    t.state = below(r, STATES);
    t.term_count = t.event == -1 ? 1 : below(r, 5) < 3 ? 0 : 1 + below(r, 2);
    t.is_any = below(r, 2) == 0;
    t.terms[0] = make_term(r);
    t.terms[1] = make_term(r);
    t.to = below(r, state_count);
    return t;
}

// A transition on from a state by one of its motions, mostly once another object has come somewhere: such chains are
// long.
static transition make_step_on(fr_random *r, const machine_state *s, int from, int state_count) {
    int motion = s->motions[below(r, s->motion_count)];
    transition t = {.event = motion == TAKE ? GRASP : motion == PUT ? RELEASE : motion, .emit = -1};
    t.term_count = below(r, 4) == 0 ? 0 : 1;
    t.terms[0] = (term){.object = below(r, OBJECTS), .state = below(r, STATES), .at_least = below(r, 2)};
    t.terms[0].is_not = below(r, 5) == 0;
    t.to = (from + 1) % state_count;
    return t;
}

static void make_problem(problem *p, uint64_t seed) {
    fr_random r = fr_random_seed(seed);
    memset(p, 0, sizeof *p);
    bool is_long = seed % 4 != 0;
    for (int i = 0; i < OBJECTS; i++) {
        machine *m = &p->machines[i];
        m->state_count = is_long ? STATES : 2 + below(&r, STATES - 1);
        for (int k = 0; k < m->state_count; k++) {
            machine_state *s = &m->states[k];
            s->motion_count = is_long ? 1 + below(&r, MOTIONS) : below(&r, MOTIONS + 1);
            for (int n = 0, next = 0; n < s->motion_count; n++, next++) {
                s->motions[n] = next; // each at most once: names of motions differ in a state
                if (below(&r, 2) == 0 && next + s->motion_count - n <= PUT) { s->motions[n] = ++next; }
            }
            s->transition_count = is_long ? 1 + below(&r, 3) / 2 : 1 + below(&r, TRANSITIONS);
            for (int n = 0; n < s->transition_count; n++) {
                bool is_step_on = is_long && n == 0;
                s->transitions[n] =
                    is_step_on ? make_step_on(&r, s, k, m->state_count) : make_transition(&r, m->state_count);
            }
        }
    }
    p->goal_count = 1 + below(&r, 2);
    for (int i = 0; i < p->goal_count; i++) {
        p->goal_objects[i] = below(&r, OBJECTS);
        p->goal_states[i] =
            is_long ? 1 + below(&r, STATES - 1) : below(&r, p->machines[p->goal_objects[i]].state_count);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// As files

typedef struct writing {
    char text[TEXT_BYTES];
    size_t size;
} writing;

static void put(writing *w, const char *format, ...) {
    va_list list;
    va_start(list, format);
    w->size += (size_t)vsnprintf(w->text + w->size, TEXT_BYTES - w->size, format, list);
    va_end(list);
    assert_true(w->size < TEXT_BYTES);
}

static const char *pattern(int object) { return object == OBJECTS ? "o*" : object_names[object]; }

static void put_term(writing *w, const term *t) {
    put(w, "%s{\"state\":\"%s\",\"of\":\"%s\"", t->is_not ? "{\"not\":" : "", state_names[t->state],
        pattern(t->object));
    if (t->at_least > 0) { put(w, ",\"at_least\":%d", t->at_least); }
    put(w, t->is_not ? "}}" : "}");
}

static void put_transition(writing *w, const transition *t) {
    put(w, "{");
    if (t->event >= 0) { put(w, "\"on\":{\"event\":\"%s\"},", event_names[t->event]); }
    if (t->event == -2) {
        put(w, "\"on\":{\"state\":\"%s\",\"of\":\"%s\"},", state_names[t->state], pattern(t->object));
    }
    if (t->term_count > 0) {
        put(w, "\"when\":{\"%s\":[", t->is_any ? "any" : "all");
        for (int i = 0; i < t->term_count; i++) {
            put(w, i > 0 ? "," : "");
            put_term(w, &t->terms[i]);
        }
        put(w, "]},");
    }
    if (t->emit >= 0) { put(w, "\"do\":[{\"emit\":\"%s\"}],", event_names[t->emit]); }
    put(w, "\"to\":\"%s\"}", state_names[t->to]);
}

static void put_motion(writing *w, int motion) {
    if (motion == TAKE) {
        put(w, "{\"motion\":\"take\",\"human\":[{\"skill\":\"grasp\"}],\"object\":{\"skill\":\"follow_hand\"},"
               "\"parameters\":{\"hand\":\"right\"}}");
    } else if (motion == PUT) {
        put(w, "{\"motion\":\"put\",\"human\":[{\"skill\":\"release\"}],\"object\":{\"skill\":\"follow_hand\"}}");
    } else {
        put(w, "{\"motion\":\"m%d\",\"human\":[{\"skill\":\"gesture\"}],\"parameters\":{\"causes\":\"%s\"}}", motion,
            event_names[motion]);
    }
}

static fr_class *make_class(const machine *m) {
    static writing w;
    w.size = 0;
    put(&w, "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"states\":[");
    for (int i = 0; i < m->state_count; i++) {
        const machine_state *s = &m->states[i];
        put(&w, "%s{\"name\":\"%s\",\"affords\":[", i > 0 ? "," : "", state_names[i]);
        for (int k = 0; k < s->motion_count; k++) {
            put(&w, k > 0 ? "," : "");
            put_motion(&w, s->motions[k]);
        }
        put(&w, "],\"transitions\":[");
        for (int k = 0; k < s->transition_count; k++) {
            put(&w, k > 0 ? "," : "");
            put_transition(&w, &s->transitions[k]);
        }
        put(&w, "]}");
    }
    put(&w, "]}");
    fr_class *c;
    fr_error error = {0};
    if (fr_class_read(w.text, w.size, NULL, &c, &error) != FR_OK) { fail_msg("%s\n%s", error.message, w.text); }
    return c;
}

// ---------------------------------------------------------------------------------------------------------------
// The oracle: all states there are, by the rules as they are written in words

typedef struct whole {
    int states[OBJECTS];
    int held; // in the right hand, 1 and more; 0: none
} whole;

static bool term_holds(const problem *p, const whole *w, const term *t) {
    (void)p;
    int meant = 0, right = 0;
    for (int i = 0; i < OBJECTS; i++) {
        if (t->object != OBJECTS && t->object != i) { continue; }
        meant++;
        right += w->states[i] == t->state;
    }
    bool holds = t->at_least > 0 ? right >= t->at_least : right == meant;
    return holds != t->is_not;
}

static bool guard_holds(const problem *p, const whole *w, const transition *t) {
    int right = 0;
    for (int i = 0; i < t->term_count; i++) {
        right += term_holds(p, w, &t->terms[i]);
    }
    return t->term_count == 0 || (t->is_any ? right > 0 : right == t->term_count);
}

// One tick: passes over all objects, eight at most. `events` has a bit for each event of each object, and is that of
// the next tick then. Returns how many transitions were taken.
static int tick_once(const problem *p, whole *w, bool events[OBJECTS][NAMES]) {
    bool next[OBJECTS][NAMES] = {{false}};
    bool came[OBJECTS] = {false};
    int taken = 0;
    for (int pass = 0; pass < 8; pass++) {
        bool comes[OBJECTS] = {false};
        int before = taken;
        int came_to[OBJECTS];
        memcpy(came_to, w->states, sizeof came_to);
        for (int i = 0; i < OBJECTS; i++) {
            const machine_state *s = &p->machines[i].states[w->states[i]];
            for (int k = 0; k < s->transition_count; k++) {
                const transition *t = &s->transitions[k];
                bool is_on = t->event == -1 || (t->event >= 0 && pass == 0 && events[i][t->event]);
                for (int o = 0; t->event == -2 && o < OBJECTS; o++) {
                    is_on = is_on || (came[o] && came_to[o] == t->state && (t->object == OBJECTS || t->object == o));
                }
                if (!is_on || !guard_holds(p, w, t)) { continue; }
                w->states[i] = t->to;
                comes[i] = true;
                if (t->emit >= 0) { next[i][t->emit] = true; }
                taken++;
                break;
            }
        }
        memcpy(came, comes, sizeof came);
        if (taken == before) { break; }
    }
    memcpy(events, next, sizeof next);
    return taken;
}

// An event, or none, and what follows; true where all comes to rest within eight ticks.
static bool settle(const problem *p, whole *w, int object, int event) {
    bool events[OBJECTS][NAMES] = {{false}};
    if (event >= 0) { events[object][event] = true; }
    for (int i = 0; i < 8; i++) {
        bool has_event = false;
        int taken = tick_once(p, w, events);
        for (int k = 0; k < OBJECTS * NAMES; k++) {
            has_event = has_event || events[k / NAMES][k % NAMES];
        }
        if (taken == 0 && !has_event) { return true; }
    }
    return false;
}

// A motion; false where it cannot be done.
static bool do_motion(const problem *p, whole *w, int object, int motion, bool *is_restless) {
    if (motion == TAKE && w->held != 0 && w->held != object + 1) { return false; }
    if (motion == PUT && w->held != object + 1) { return false; }
    bool was_held = w->held == object + 1, rests = true;
    if (motion == TAKE) {
        w->held = object + 1;
        if (!was_held) { rests = settle(p, w, object, ATTACHED); }
        rests = settle(p, w, object, GRASP) && rests;
    } else if (motion == PUT) {
        rests = settle(p, w, object, RELEASE);
        w->held = 0;
    } else {
        rests = settle(p, w, object, motion);
    }
    *is_restless = *is_restless || !rests;
    return true;
}

static int number_of(const whole *w) {
    int number = w->held;
    for (int i = 0; i < OBJECTS; i++) {
        number = number * STATES + w->states[i];
    }
    return number;
}

enum { WHOLE_COUNT = 6 * 1024 };

typedef struct searched {
    int length; // -1: there is no chain
    bool is_restless;
} searched;

static bool is_goal(const problem *p, const whole *w) {
    bool is_right = true;
    for (int i = 0; i < p->goal_count; i++) {
        is_right = is_right && w->states[p->goal_objects[i]] == p->goal_states[i];
    }
    return is_right;
}

static searched search_all(const problem *p) {
    static whole queue[WHOLE_COUNT];
    static int lengths[WHOLE_COUNT];
    static bool is_known[WHOLE_COUNT];
    memset(is_known, 0, sizeof is_known);
    searched out = {.length = -1};
    int count = 1;
    memset(&queue[0], 0, sizeof queue[0]);
    out.is_restless = !settle(p, &queue[0], 0, -1);
    lengths[0] = 0;
    is_known[number_of(&queue[0])] = true;
    for (int at = 0; at < count; at++) {
        if (is_goal(p, &queue[at]) && out.length < 0) { out.length = lengths[at]; }
        for (int i = 0; i < OBJECTS; i++) {
            const machine_state *s = &p->machines[i].states[queue[at].states[i]];
            for (int k = 0; k < s->motion_count; k++) {
                whole next = queue[at];
                if (!do_motion(p, &next, i, s->motions[k], &out.is_restless)) { continue; }
                int number = number_of(&next);
                if (is_known[number]) { continue; }
                is_known[number] = true;
                lengths[count] = lengths[at] + 1;
                queue[count++] = next;
            }
        }
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// The search that is tested

typedef struct given {
    fr_class *classes[OBJECTS];
    fr_goal_object objects[OBJECTS];
    fr_machine_targets targets[OBJECTS][16];
    uint32_t lists[OBJECTS][16][OBJECTS];
    fr_goal_condition conditions[2];
    fr_goal_person person;
    fr_goal_search_input input;
    fr_arena *arena;
} given;

static void open_given(given *a, const problem *p) {
    memset(a, 0, sizeof *a);
    assert_int_equal(fr_arena_create(0, NULL, &a->arena, NULL), FR_OK);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        a->classes[i] = make_class(&p->machines[i]);
        const fr_class_view *c = fr_class_get(a->classes[i]);
        assert_true(c->references.count <= 16);
        for (uint32_t k = 0; k < c->references.count; k++) {
            fr_machine_targets *t = &a->targets[i][k];
            t->list = a->lists[i][k];
            for (uint32_t o = 0; o < OBJECTS; o++) {
                if (fr_class_pattern_matches(c->references.list[k], object_names[o])) {
                    a->lists[i][k][t->count++] = o;
                }
            }
        }
        a->objects[i] = (fr_goal_object){.name = object_names[i], .on = FR_NONE};
        a->objects[i].machine =
            (fr_machine_object){.c = c, .pose = fr_pose_identity(), .value = FR_UNKNOWN, .references = a->targets[i]};
    }
    for (int i = 0; i < p->goal_count; i++) {
        a->conditions[i] = (fr_goal_condition){
            .object = (uint32_t)p->goal_objects[i], .state = state_names[p->goal_states[i]], .on = FR_NONE};
    }
    a->person = (fr_goal_person){.name = "Aya", .held = {FR_NONE, FR_NONE}};
    a->input = fr_default_goal_search_input();
    a->input.objects = a->objects;
    a->input.object_count = OBJECTS;
    a->input.people = &a->person;
    a->input.person_count = 1;
    a->input.conditions = a->conditions;
    a->input.condition_count = (uint32_t)p->goal_count;
    a->input.arena = a->arena;
}

static void close_given(given *a) {
    for (int i = 0; i < OBJECTS; i++) {
        fr_class_release(a->classes[i]);
    }
    fr_arena_destroy(a->arena);
}

static int motion_of(const char *name) {
    return strcmp(name, "take") == 0 ? TAKE : strcmp(name, "put") == 0 ? PUT : name[1] - '0';
}

// The chain does what it says by the oracle's rules.
static void expect_chain(const problem *p, const fr_goal_search_output *out) {
    whole w = {.held = 0};
    bool is_restless = false;
    (void)settle(p, &w, 0, -1);
    for (uint32_t i = 0; i < out->step_count; i++) {
        const fr_goal_step *step = &out->steps[i];
        assert_int_equal(step->state, w.states[step->object]);
        assert_true(do_motion(p, &w, (int)step->object, motion_of(step->motion->name), &is_restless));
        for (uint32_t k = 0; k < OBJECTS; k++) {
            uint32_t said = out->states[i * OBJECTS + k];
            if (said != FR_NONE) { assert_int_equal(said, w.states[k]); }
        }
        for (int k = 0; k < p->goal_count; k++) {
            assert_int_not_equal(out->states[i * OBJECTS + (uint32_t)p->goal_objects[k]], FR_NONE);
        }
    }
    assert_true(is_goal(p, &w));
}

// ---------------------------------------------------------------------------------------------------------------
// In a world

typedef struct room {
    fr_world *world;
    fr_cast *cast;
    fr_mechanism *mechanism;
    fr_object_id ids[OBJECTS];
    const char *event; // of the next tick
    fr_object_id of;
} room;

static fr_status move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    room *r = user;
    if (r->event == NULL) { return FR_OK; }
    fr_event event = {.kind = FR_EVENT_NAMED, .a = r->of};
    memcpy(event.name, r->event, strlen(r->event));
    r->event = NULL;
    return fr_wishes_add_event(wishes, &event, error);
}

static fr_object_id add_box(fr_world *world, const char *name, fr_vec3 place) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("box", NULL, &mesh, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    part.pose.scale = 0.01;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    fr_label label = fr_default_label();
    label.name = name;
    assert_int_equal(fr_world_set_label(world, id, &label, NULL), FR_OK);
    return id;
}

static void open_room(room *r, const given *a) {
    memset(r, 0, sizeof *r);
    fr_world_def def = fr_default_world_def();
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &r->world, NULL), FR_OK);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = r->world;
    assert_int_equal(fr_cast_create(&cast, &r->cast, NULL), FR_OK);
    const fr_actor mover = {.name = "mover", .move = move, .user = r};
    assert_int_equal(fr_cast_add(r->cast, &mover, NULL), FR_OK);
    fr_mechanism_def mechanism = fr_default_mechanism_def();
    mechanism.cast = r->cast;
    assert_int_equal(fr_mechanism_create(&mechanism, &r->mechanism, NULL), FR_OK);
    const fr_actor actor = fr_mechanism_actor(r->mechanism);
    assert_int_equal(fr_cast_add(r->cast, &actor, NULL), FR_OK);
    for (int i = 0; i < OBJECTS; i++) {
        r->ids[i] = add_box(r->world, object_names[i], fr_vec3_make(i, 0, 0));
        assert_int_equal(fr_mechanism_set_class(r->mechanism, r->ids[i], a->classes[i], NULL), FR_OK);
    }
}

static void rest(room *r) {
    for (int i = 0; i < 12; i++) {
        assert_int_equal(fr_cast_tick(r->cast, NULL, NULL), FR_OK);
    }
}

static void happen(room *r, uint32_t object, const char *event) {
    r->event = event;
    r->of = r->ids[object];
    rest(r);
}

static void perform(const problem *p, const given *a, const fr_goal_search_output *out) {
    room r;
    open_room(&r, a);
    rest(&r);
    uint32_t held = FR_NONE;
    for (uint32_t i = 0; i < out->step_count; i++) {
        const fr_goal_step *step = &out->steps[i];
        int motion = motion_of(step->motion->name);
        if (motion == TAKE && held != step->object) { happen(&r, step->object, "attached"); }
        happen(&r, step->object, motion == TAKE ? "grasp" : motion == PUT ? "release" : event_names[motion]);
        held = motion == TAKE ? step->object : motion == PUT ? FR_NONE : held;
        for (uint32_t k = 0; k < OBJECTS; k++) {
            uint32_t said = out->states[i * OBJECTS + k];
            if (said != FR_NONE) { assert_int_equal(fr_mechanism_state(r.mechanism, r.ids[k]), said); }
        }
    }
    for (int i = 0; i < p->goal_count; i++) {
        assert_int_equal(fr_mechanism_state(r.mechanism, r.ids[p->goal_objects[i]]), p->goal_states[i]);
    }
    fr_cast_destroy(r.cast);
    fr_world_destroy(r.world);
}

// 200 goals: the chain is as short as can be, or there is none at all; the mechanism of a world carries it out.
static void chains_are_found_or_proven_impossible(void **state) {
    (void)state;
    int count = test_is_long() ? 5000 : 200, found = 0, impossible = 0, performed = 0, longest = 0, at_once = 0;
    for (int i = 0; i < count; i++) {
        problem p;
        given a;
        make_problem(&p, (uint64_t)i + 1);
        open_given(&a, &p);
        searched right = search_all(&p);
        fr_goal_search_output out;
        fr_error error = {0};
        if (fr_goal_search(&a.input, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
        assert_int_equal(out.result, right.length >= 0 ? FR_GOAL_FOUND : FR_GOAL_IMPOSSIBLE);
        if (right.length >= 0) {
            assert_int_equal(out.step_count, right.length);
            assert_string_equal(out.why, "");
            expect_chain(&p, &out);
            found++;
            at_once += right.length == 0;
            longest = right.length > longest ? right.length : longest;
        } else {
            assert_true(out.why[0] != '\0');
            impossible++;
        }
        if (right.length > 0 && !right.is_restless) {
            perform(&p, &a, &out);
            performed++;
        }
        close_given(&a);
    }
    print_message("%d found (%d at once, the longest has %d steps; %d performed), %d impossible\n", found, at_once,
                  longest, performed, impossible);
    assert_true(found - at_once >= count / 10 && impossible >= count / 10 && longest >= 4 && performed >= count / 10);
}

// ---------------------------------------------------------------------------------------------------------------
// The classes that come with the project

enum { PARTS = 9, CUP = 7, TABLE };

static const char *const part_names[PARTS] = {"cover",  "nut1",    "nut2", "nut3", "nut4",
                                              "wrench", "machine", "cup",  "table"};
static const char *const part_classes[PARTS] = {"cover",  "nut",     "nut", "nut",  "nut",
                                                "wrench", "machine", "cup", "table"};

typedef struct workshop {
    fr_library *library;
    fr_class *classes[PARTS];
    fr_goal_object objects[PARTS];
    fr_machine_targets targets[PARTS][8];
    uint32_t lists[PARTS][8][PARTS];
    fr_goal_person people[2];
    fr_goal_condition conditions[2];
    fr_goal_search_input input;
    fr_arena *arena;
    uint32_t unreached; // object that the first person does not reach
} workshop;

static void open_workshop(workshop *w) {
    memset(w, 0, sizeof *w);
    assert_int_equal(fr_library_open(OBJECT_FOLDER, NULL, &w->library, NULL), FR_OK);
    assert_int_equal(fr_arena_create(0, NULL, &w->arena, NULL), FR_OK);
    for (uint32_t i = 0; i < PARTS; i++) {
        assert_int_equal(fr_library_find(w->library, part_classes[i], &w->classes[i], NULL), FR_OK);
        const fr_class_view *c = fr_class_get(w->classes[i]);
        for (uint32_t k = 0; k < c->references.count; k++) {
            w->targets[i][k].list = w->lists[i][k];
            for (uint32_t o = 0; o < PARTS; o++) {
                if (!fr_class_pattern_matches(c->references.list[k], part_names[o])) { continue; }
                w->lists[i][k][w->targets[i][k].count++] = o;
            }
        }
        const fr_class_constraint *joint = c->states[0].constraint;
        bool is_joint = joint != NULL && joint->kind == FR_CONSTRAINT_JOINT;
        w->objects[i] = (fr_goal_object){.name = part_names[i], .on = FR_NONE};
        w->objects[i].machine = (fr_machine_object){.c = c,
                                                    .state = c->states[0].name[0] != '\0' ? 0 : FR_NONE,
                                                    .pose = fr_pose_identity(),
                                                    .value = is_joint ? 0.0 : FR_UNKNOWN,
                                                    .high = is_joint ? joint->joint.high : 0.0,
                                                    .constraint = joint,
                                                    .references = w->targets[i]};
        w->objects[i].machine.pose.position.x = 0.2 * i;
    }
    w->people[0] = (fr_goal_person){.name = "Aya", .held = {FR_NONE, FR_NONE}};
    w->people[1] = (fr_goal_person){.name = "Ken", .held = {FR_NONE, FR_NONE}};
    w->conditions[0] = (fr_goal_condition){.state = "in_hand", .on = FR_NONE};
    w->input = fr_default_goal_search_input();
    w->input.objects = w->objects;
    w->input.object_count = PARTS;
    w->input.people = w->people;
    w->input.person_count = 1;
    w->input.conditions = w->conditions;
    w->input.condition_count = 1;
    w->input.arena = w->arena;
    w->unreached = FR_NONE;
}

static void close_workshop(workshop *w) {
    for (int i = 0; i < PARTS; i++) {
        fr_class_release(w->classes[i]);
    }
    fr_library_destroy(w->library);
    fr_arena_destroy(w->arena);
}

static fr_goal_search_output find(workshop *w) {
    fr_goal_search_output out;
    fr_error error = {0};
    if (fr_goal_search(&w->input, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    return out;
}

// The wrench is taken, each nut turned three times, and the cover taken off.
static void a_cover_comes_off_after_its_nuts(void **state) {
    (void)state;
    workshop w;
    open_workshop(&w);
    fr_goal_search_output out = find(&w);
    assert_int_equal(out.result, FR_GOAL_FOUND);
    assert_int_equal(out.step_count, 14);
    assert_string_equal(out.steps[0].motion->name, "take");
    assert_int_equal(out.steps[0].side, FR_RIGHT);
    assert_string_equal(out.steps[13].motion->name, "take off");
    assert_int_equal(out.steps[13].side, FR_LEFT);
    int turns[PARTS] = {0};
    for (int i = 1; i < 13; i++) {
        assert_string_equal(out.steps[i].motion->name, "turn");
        turns[out.steps[i].object]++;
        assert_int_equal(out.states[PARTS * i], i < 12 ? 0 : 1); // the cover is loose after the last turn
    }
    assert_true(turns[1] == 3 && turns[2] == 3 && turns[3] == 3 && turns[4] == 3);
    // What is done already need not be done again.
    w.objects[1].machine.value = fr_radians(100.0);
    w.objects[2].machine.state = 2;
    w.people[0].held[FR_RIGHT] = 5;
    w.objects[5].machine.state = 1;
    assert_int_equal(find(&w).step_count, 8);
    w.objects[0].machine.state = 2;
    assert_int_equal(find(&w).step_count, 0);
    close_workshop(&w);
}

static bool reach(const fr_goal_reach_input *input, fr_goal_reach *out, void *user) {
    const workshop *w = user;
    if (input->object == w->unreached && input->person == 0) {
        (void)snprintf(out->why, sizeof out->why, "the table blocks the path");
        return false;
    }
    // Everything has a place of its own, one second from each other.
    out->place = 1 + input->object;
    out->seconds = input->place == out->place ? 1.0 : 2.0;
    return true;
}

static void expect_why(workshop *w, const char *why) {
    fr_goal_search_output out = find(w);
    assert_int_equal(out.result, FR_GOAL_IMPOSSIBLE);
    assert_string_equal(out.why, why);
    assert_int_equal(out.step_count, 0);
}

static void what_stands_in_the_way_is_said(void **state) {
    (void)state;
    workshop w;
    open_workshop(&w);
    w.input.reach = reach;
    w.input.user = &w;
    assert_int_equal(find(&w).step_count, 14);
    w.unreached = 3;
    expect_why(&w, "'cover' stays bolted: 1 of 4 nut* are not off; 'nut3' stays on_bolt: "
                   "'turn' cannot be done: the table blocks the path");
    // Another person can.
    w.input.person_count = 2;
    assert_int_equal(find(&w).result, FR_GOAL_FOUND);
    w.people[1].is_out = true;
    assert_int_equal(find(&w).result, FR_GOAL_IMPOSSIBLE);
    w.unreached = 5;
    w.conditions[0].object = 5;
    expect_why(&w, "'wrench' stays lying: 'take' cannot be done: the table blocks the path");
    w.people[0].held[FR_RIGHT] = 6;
    w.unreached = FR_NONE;
    expect_why(&w, "'wrench' stays lying: 'take' cannot be done: the right hand of Aya is full");
    // What the other holds cannot be had.
    w.people[0].held[FR_RIGHT] = FR_NONE;
    w.people[1].held[FR_LEFT] = 5;
    expect_why(&w, "'wrench' stays lying: 'take' cannot be done: Ken holds it");
    w.conditions[0] = (fr_goal_condition){.object = 1, .state = "on_cover", .on = FR_NONE};
    w.conditions[1] = (fr_goal_condition){.object = 0, .state = "bolted", .on = FR_NONE};
    w.people[1].held[FR_LEFT] = FR_NONE;
    w.input.condition_count = 2;
    expect_why(&w, "each part of the goal can be reached, but not all at once");
    // With too few nodes nothing is proven.
    w.input.condition_count = 1;
    w.input.max_nodes = 40;
    fr_goal_search_output out = find(&w);
    assert_int_equal(out.result, FR_GOAL_GIVEN_UP);
    assert_string_equal(out.why, "none was found among the first 40 states of all objects");
    close_workshop(&w);
}

// The cup is taken and put on the table by the same hand; what is in a hand lies on nothing.
static void a_cup_comes_onto_a_table(void **state) {
    (void)state;
    workshop w;
    open_workshop(&w);
    w.conditions[0] = (fr_goal_condition){.object = CUP, .on = TABLE};
    fr_goal_search_output out = find(&w);
    assert_int_equal(out.result, FR_GOAL_FOUND);
    assert_int_equal(out.step_count, 2);
    assert_int_equal(out.steps[0].object, CUP);
    assert_int_equal(out.steps[1].object, TABLE);
    assert_string_equal(out.steps[1].motion->name, "put");
    assert_int_equal(out.steps[1].side, out.steps[0].side);
    w.people[0].held[FR_LEFT] = CUP;
    out = find(&w);
    assert_int_equal(out.step_count, 1);
    assert_int_equal(out.steps[0].side, FR_LEFT);
    // Already there; and there, in a hand as well: it is taken again.
    w.people[0].held[FR_LEFT] = FR_NONE;
    w.objects[CUP].on = TABLE;
    assert_int_equal(find(&w).step_count, 0);
    w.conditions[0].is_held = true;
    expect_why(&w, "each part of the goal can be reached, but not all at once");
    w.conditions[0] = (fr_goal_condition){.object = CUP, .on = TABLE};
    w.conditions[1] = (fr_goal_condition){.object = 5, .is_held = true, .on = FR_NONE};
    w.input.condition_count = 2;
    w.objects[CUP].on = FR_NONE;
    assert_int_equal(find(&w).step_count, 3);
    // The wrench has no base to stand on.
    w.conditions[0] = (fr_goal_condition){.object = 5, .on = TABLE};
    w.input.condition_count = 1;
    assert_int_equal(find(&w).result, FR_GOAL_IMPOSSIBLE);
    w.conditions[0] = (fr_goal_condition){.object = CUP, .on = TABLE};
    w.people[1].held[FR_RIGHT] = CUP;
    w.input.person_count = 2;
    w.people[1].is_out = true;
    assert_int_equal(find(&w).result, FR_GOAL_IMPOSSIBLE);
    close_workshop(&w);
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    workshop w;
    fr_goal_search_output out;
    fr_error error = {0};
    open_workshop(&w);
    fr_goal_search_input input = w.input;
    input.cookie = 0;
    assert_int_equal(fr_goal_search(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = w.input;
    input.arena = NULL;
    assert_int_equal(fr_goal_search(&input, &out, NULL), FR_ERROR_ARGUMENT);
    w.conditions[0].state = "open";
    assert_int_equal(fr_goal_search(&w.input, &out, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, "'cover' has no state 'open'");
    w.conditions[0] = (fr_goal_condition){.object = PARTS, .on = FR_NONE};
    assert_int_equal(fr_goal_search(&w.input, &out, NULL), FR_ERROR_ARGUMENT);
    w.conditions[0] = (fr_goal_condition){.object = 0, .on = PARTS};
    assert_int_equal(fr_goal_search(&w.input, &out, NULL), FR_ERROR_ARGUMENT);
    w.conditions[0] = (fr_goal_condition){.object = 0, .on = FR_NONE};
    w.people[0].held[1] = PARTS;
    assert_int_equal(fr_goal_search(&w.input, &out, NULL), FR_ERROR_ARGUMENT);
    w.people[0].held[1] = FR_NONE;
    w.objects[4].machine.state = 9;
    assert_int_equal(fr_goal_search(&w.input, &out, NULL), FR_ERROR_ARGUMENT);
    w.objects[4].machine.state = 0;
    input = w.input;
    input.person_count = FR_GOAL_MAX_PEOPLE + 1;
    assert_int_equal(fr_goal_search(&input, &out, NULL), FR_ERROR_LIMIT);
    input = w.input;
    input.person_count = input.condition_count = 0; // a goal of nothing is reached
    assert_int_equal(fr_goal_search(&input, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_GOAL_FOUND);
    close_workshop(&w);
}

static fr_status search_with(const fr_allocator *allocator, void *context) {
    workshop *w = context;
    w->input.allocator = *allocator;
    fr_arena_reset(w->arena);
    fr_goal_search_output out;
    fr_status status = fr_goal_search(&w->input, &out, NULL);
    if (status == FR_OK) { test_note_number(out.step_count); }
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    workshop w;
    open_workshop(&w);
    w.conditions[0] = (fr_goal_condition){.object = 1, .state = "off", .on = FR_NONE};
    test_every_failure(search_with, &w);
    test_every_bound(search_with, &w, true);
    close_workshop(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_found_or_proven_impossible),
        cmocka_unit_test(a_cover_comes_off_after_its_nuts),
        cmocka_unit_test(what_stands_in_the_way_is_said),
        cmocka_unit_test(a_cup_comes_onto_a_table),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
