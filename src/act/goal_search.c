// The search for a chain of motions that reaches a goal: best first, by the fewest steps.
#include "act/goal.h"

#include "fureai/base_order.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define INPUT_COOKIE UINT32_C(0x676f616c)

fr_goal_search_input fr_default_goal_search_input(void) {
    return (fr_goal_search_input){.max_nodes = FR_GOAL_MAX_NODES, .cookie = INPUT_COOKIE};
}

// Fewer steps first; of those the node that is nearer to the goal, then less time, then the older one.
static bool is_before(const fr__goal_open *a, const fr__goal_open *b) {
    if (a->estimate != b->estimate) { return a->estimate < b->estimate; }
    if (a->unmet != b->unmet) { return a->unmet < b->unmet; }
    if (a->seconds != b->seconds) { return a->seconds < b->seconds; }
    return a->node < b->node;
}

FR_HEAP_TYPE(open_heap, fr__goal_open, 4, is_before);

uint32_t fr__goal_state(const fr_class_view *c, const char *name) {
    for (uint32_t i = 0; c != NULL && i < c->state_count; i++) {
        if (strcmp(c->states[i].name, name) == 0) { return i; }
    }
    return FR_NONE;
}

bool fr__goal_holds(const fr__goal_search *s, const fr__goal_now *now, const fr_goal_condition *condition) {
    uint32_t object = s->place[condition->object];
    const fr__goal_now *o = &now[object];
    if (condition->state != NULL && o->state != fr__goal_state(s->machines[object].c, condition->state)) {
        return false;
    }
    if (condition->on != FR_NONE && (o->holder != 0 || o->on != condition->on + 1)) { return false; }
    return !condition->is_held || o->holder != 0;
}

void fr__goal_deny(fr__goal_search *s, uint32_t object, const fr_class_motion *motion, fr__goal_lack lack,
                   const char *format, ...) {
    fr__goal_denial *denial = NULL;
    for (size_t i = 0; i < s->denials.count && denial == NULL; i++) {
        fr__goal_denial *known = &s->denials.data[i];
        if (known->object == object && known->motion == motion) { denial = known; }
    }
    bool is_known = denial != NULL;
    if ((is_known && denial->lack >= lack) || (!is_known && s->denials.count == FR__GOAL_MAX_DENIALS)) { return; }
    if (!is_known) { denial = fr__goal_denial_array_push(&s->denials, 1); }
    s->is_short = s->is_short || denial == NULL;
    if (denial == NULL) { return; }
    *denial = (fr__goal_denial){.object = object, .motion = motion, .lack = lack};
    va_list list;
    va_start(list, format);
    (void)vsnprintf(denial->why, sizeof denial->why, format, list);
    va_end(list);
}

void fr__goal_admit(fr__goal_search *s, uint32_t object, const fr_class_motion *motion) {
    fr__goal_deny(s, object, motion, FR__GOAL_LACKS_REACH, "%s", "");
    for (size_t i = 0; i < s->denials.count; i++) {
        fr__goal_denial *known = &s->denials.data[i];
        if (known->object == object && known->motion == motion) { known->is_done = true; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// A node is what all objects are and where all people stand, as bytes.
static void write_node(const fr__goal_search *s, unsigned char *bytes) {
    memset(bytes, 0, s->node_bytes);
    memcpy(bytes, s->next, s->count * sizeof *s->next);
    memcpy(bytes + s->count * sizeof *s->next, s->next_stands, s->input->person_count * sizeof *s->next_stands);
}

static void read_node(const fr__goal_search *s, uint32_t node, fr__goal_now *now, uint32_t *stands) {
    const unsigned char *bytes = s->states.data + node * s->node_bytes;
    memcpy(now, bytes, s->count * sizeof *now);
    memcpy(stands, bytes + s->count * sizeof *now, s->input->person_count * sizeof *stands);
}

static uint32_t *find_slot(const fr__goal_search *s, const unsigned char *bytes) {
    size_t mask = s->table.count - 1, at = (size_t)fr_hash(bytes, s->node_bytes, 0) & mask;
    while (s->table.data[at] != 0 &&
           memcmp(s->states.data + (s->table.data[at] - 1) * s->node_bytes, bytes, s->node_bytes) != 0) {
        at = (at + 1) & mask;
    }
    return &s->table.data[at];
}

static bool grow_table(fr__goal_search *s) {
    size_t size = s->table.count;
    if (2 * (s->nodes.count + 1) <= size) { return true; }
    size = size > 0 ? 2 * size : 256;
    if (fr_uint32_array_reset(&s->table, size) == NULL) { return false; }
    memset(s->table.data, 0, size * sizeof *s->table.data);
    for (uint32_t i = 0; i < s->nodes.count; i++) {
        *find_slot(s, s->states.data + i * s->node_bytes) = i + 1;
    }
    return true;
}

static bool push_open(fr__goal_search *s, uint32_t node) {
    const fr__goal_node *n = &s->nodes.data[node];
    fr__goal_open *place = fr__goal_open_array_push(&s->open, 1);
    if (place == NULL) { return false; }
    // While something is unmet one step at least is to be done.
    *place = (fr__goal_open){n->cost + (n->unmet > 0 ? 1 : 0), n->unmet, n->seconds, node};
    open_heap_sift_up(s->open.data, s->open.count - 1);
    return true;
}

// The newest node in which an object is in a state is the one that came farthest.
static void note_states(fr__goal_search *s, uint32_t node) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->next[i].state == UINT8_MAX) { continue; }
        s->newest[i * FR_CLASS_MAX_STATES + s->next[i].state] = node + 1;
    }
}

// s->next becomes a node, unless it is one already that is not longer; false without memory, or where there is no room.
static bool add_node(fr__goal_search *s, const fr__goal_node *node) {
    if (!grow_table(s)) { return false; }
    size_t at = s->states.count;
    unsigned char *bytes = fr_byte_array_push(&s->states, s->node_bytes);
    if (bytes == NULL) { return false; }
    write_node(s, bytes);
    uint32_t *slot = find_slot(s, bytes);
    if (*slot != 0) {
        fr__goal_node *old = &s->nodes.data[*slot - 1];
        s->states.count = at;
        bool is_better = node->cost < old->cost || (node->cost == old->cost && node->seconds < old->seconds);
        if (old->is_closed || !is_better) { return true; }
        uint32_t unmet = old->unmet;
        *old = *node;
        old->unmet = unmet;
        return push_open(s, *slot - 1);
    }
    fr__goal_node *place = s->nodes.count < s->input->max_nodes ? fr__goal_node_array_push(&s->nodes, 1) : NULL;
    if (place == NULL) {
        s->states.count = at;
        return false;
    }
    *place = *node;
    for (uint32_t i = 0; i < s->input->condition_count; i++) {
        place->unmet += fr__goal_holds(s, s->next, &s->input->conditions[i]) ? 0 : 1;
    }
    *slot = (uint32_t)s->nodes.count;
    note_states(s, *slot - 1);
    return push_open(s, *slot - 1);
}

// ---------------------------------------------------------------------------------------------------------------
// What can be done in a node

typedef struct doing {
    fr__goal_search *s;
    uint32_t node, person, object;
    const fr__goal_effect *effect;
    uint32_t tool; // that the motion uses; FR_NONE: none
} doing;

static const char *name_of(const fr__goal_search *s, uint32_t person) { return s->input->people[person].name; }

static bool follow(const doing *g, fr_side side, double value) {
    fr__goal_search *s = g->s;
    const fr__goal_node before = s->nodes.data[g->node];
    bool has_reach = s->input->reach != NULL && !g->effect->is_far;
    bool is_held = s->now[g->object].holder != 0;
    uint32_t on = s->now[g->object].on;
    fr_goal_reach reach = {.place = s->stands[g->person], .seconds = 1.0};
    const fr_goal_reach_input input = {.person = g->person,
                                       .object = s->own[g->object],
                                       .motion = g->effect->motion,
                                       .side = side,
                                       .place = s->stands[g->person],
                                       .on = on == 0                  ? FR_NONE
                                             : on == FR__GOAL_DROPPED ? FR_GOAL_DROPPED
                                                                      : on - 1,
                                       .tool = g->tool != FR_NONE ? s->own[g->tool] : FR_NONE};
    if (has_reach && !is_held && !s->input->reach(&input, &reach, s->input->user)) {
        if (reach.why[0] != '\0') {
            fr__goal_deny(s, g->object, g->effect->motion, FR__GOAL_LACKS_REACH, "%s", reach.why);
        }
        return true;
    }
    if (has_reach && !is_held) { fr__goal_admit(s, g->object, g->effect->motion); }
    memcpy(s->next, s->now, s->count * sizeof *s->next);
    memcpy(s->next_stands, s->stands, s->input->person_count * sizeof *s->stands);
    s->next_stands[g->person] = reach.place;
    if (!fr__goal_apply(s, g->effect, g->person, g->object, side, value)) { return false; }
    fr__goal_node node = {.parent = g->node, .cost = before.cost + 1, .seconds = before.seconds + reach.seconds};
    node.step = (fr_goal_step){.motion = g->effect->motion,
                               .person = g->person,
                               .object = s->own[g->object],
                               .side = side,
                               .has_value = g->effect->asks_value,
                               .value = value,
                               .place = reach.place,
                               .seconds = reach.seconds};
    node.step.state = s->now[g->object].state == UINT8_MAX ? FR_NONE : s->now[g->object].state;
    return add_node(s, &node);
}

// With each value that is worth a try: the limits of the joint, where one is to be given.
static bool follow_values(const doing *g, fr_side side) {
    const fr__goal_effect *e = g->effect;
    if (!e->asks_value) { return follow(g, side, e->value); }
    fr__goal_see(g->s, g->s->now);
    const fr_machine_object m = g->s->machines[g->object];
    if (fr_is_unknown(m.value)) { return true; }
    return (m.value == m.low || follow(g, side, m.low)) && (m.value == m.high || follow(g, side, m.high));
}

static uint32_t object_in(const fr__goal_search *s, uint32_t person, uint32_t side) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->now[i].holder == 1 + 2 * person + side) { return i; }
    }
    return FR_NONE;
}

static bool has_frame(const fr_class_view *c, const char *name) {
    for (uint32_t i = 0; c != NULL && i < c->frame_count; i++) {
        if (strcmp(c->frames[i].name, name) == 0) { return true; }
    }
    return false;
}

static bool take(const doing *g) {
    fr__goal_search *s = g->s;
    bool is_right = true, has_free = false;
    for (uint32_t side = 0; side < 2 && is_right; side++) {
        bool may_be = g->effect->side < 0 || (uint32_t)g->effect->side == side;
        if (!may_be || object_in(s, g->person, side) != FR_NONE) { continue; }
        has_free = true;
        is_right = follow_values(g, (fr_side)side);
    }
    if (!has_free) {
        static const char *const hands[] = {"the right hand of", "the left hand of", "each hand of"};
        fr__goal_deny(s, g->object, g->effect->motion, FR__GOAL_LACKS_HAND, "%s %s is full",
                      hands[g->effect->side < 0 ? 2 : g->effect->side], name_of(s, g->person));
    }
    return is_right;
}

static bool use(doing *g) {
    fr__goal_search *s = g->s;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t tool = object_in(s, g->person, side);
        if (tool == FR_NONE || tool == g->object || !has_frame(s->machines[tool].c, g->effect->tool)) { continue; }
        g->tool = tool;
        bool is_right = follow_values(g, (fr_side)side);
        g->tool = FR_NONE;
        return is_right;
    }
    fr__goal_deny(s, g->object, g->effect->motion, FR__GOAL_LACKS_TOOL, "%s has nothing with a frame '%s' in a hand",
                  name_of(s, g->person), g->effect->tool);
    return true;
}

static bool try_motion(doing *g) {
    fr__goal_search *s = g->s;
    uint32_t holder = s->now[g->object].holder;
    bool is_mine = holder == 1 + 2 * g->person || holder == 2 + 2 * g->person;
    if (holder != 0 && !is_mine) {
        fr__goal_deny(s, g->object, g->effect->motion, FR__GOAL_LACKS_HAND, "%s holds it",
                      name_of(s, (holder - 1u) / 2));
        return true;
    }
    if (g->effect->releases && g->effect->tool == NULL) {
        return !is_mine || follow_values(g, (fr_side)((holder - 1) % 2));
    }
    if (g->effect->takes && !is_mine) { return take(g); }
    if (g->effect->tool != NULL) { return use(g); }
    if (is_mine) { return follow_values(g, (fr_side)((holder - 1) % 2)); }
    return follow_values(g, g->effect->side >= 0 ? (fr_side)g->effect->side : FR_RIGHT);
}

static bool try_object(doing *g) {
    fr__goal_search *s = g->s;
    const fr_class_view *c = s->machines[g->object].c;
    uint32_t state = s->now[g->object].state == UINT8_MAX ? 0 : s->now[g->object].state;
    if (c == NULL) { return true; }
    const fr__goal_effect *effect = &s->effects[s->effect_first[g->object]];
    for (uint32_t i = 0; i < state; i++) {
        effect += c->states[i].motion_count;
    }
    bool is_right = true;
    for (uint32_t i = 0; i < c->states[state].motion_count && is_right; i++) {
        g->effect = &effect[i];
        is_right = g->effect->is_none || try_motion(g);
    }
    return is_right;
}

static bool try_waiting(fr__goal_search *s, uint32_t node, uint32_t object) {
    const fr_class_view *c = s->machines[object].c;
    uint32_t state = s->now[object].state;
    bool is_right = true;
    for (uint32_t i = 0; state != UINT8_MAX && i < c->states[state].transition_count && is_right; i++) {
        const fr_class_trigger *on = &c->states[state].transitions[i].trigger;
        if (on->kind != FR_TRIGGER_SECONDS) { continue; }
        memcpy(s->next, s->now, s->count * sizeof *s->next);
        memcpy(s->next_stands, s->stands, s->input->person_count * sizeof *s->stands);
        is_right = fr__goal_wait(s, object, on->seconds);
        fr__goal_node next = {.parent = node, .cost = s->nodes.data[node].cost + 1};
        next.seconds = s->nodes.data[node].seconds + on->seconds;
        next.step = (fr_goal_step){.person = FR_NONE, .object = s->own[object], .seconds = on->seconds, .state = state};
        is_right = is_right && add_node(s, &next);
    }
    return is_right;
}

// False without memory, or where there is no room for more nodes.
static bool expand(fr__goal_search *s, uint32_t node) {
    read_node(s, node, s->now, s->stands);
    bool is_right = true;
    for (uint32_t p = 0; p < s->input->person_count && is_right; p++) {
        doing g = {.s = s, .node = node, .person = p, .tool = FR_NONE};
        for (g.object = 0; !s->input->people[p].is_out && g.object < s->count && is_right; g.object++) {
            is_right = try_object(&g);
        }
    }
    for (uint32_t i = 0; i < s->count && is_right; i++) {
        is_right = try_waiting(s, node, i);
    }
    return is_right;
}

// ---------------------------------------------------------------------------------------------------------------
// What matters

static void mark(fr__goal_search *s, uint32_t object) {
    if (object == FR_NONE || s->place[object] != FR_NONE) { return; }
    s->place[object] = s->count;
    s->own[s->count++] = object;
}

static void mark_with(fr__goal_search *s, const char *class_name, const char *frame) {
    for (uint32_t i = 0; i < s->input->object_count; i++) {
        const fr_class_view *c = s->input->objects[i].machine.c;
        if (c == NULL) { continue; }
        bool is_class = class_name != NULL && strcmp(c->name, class_name) == 0;
        if (is_class || (frame != NULL && has_frame(c, frame))) { mark(s, i); }
    }
}

static void mark_state(fr__goal_search *s, const fr_class_state *state) {
    for (uint32_t i = 0; i < state->transition_count; i++) {
        const fr_class_trigger *on = &state->transitions[i].trigger;
        bool is_contact = on->kind == FR_TRIGGER_CONTACT_BEGIN || on->kind == FR_TRIGGER_CONTACT_END;
        if (is_contact && on->name != NULL) { mark_with(s, on->name, NULL); }
    }
    for (uint32_t i = 0; i < state->motion_count; i++) {
        fr__goal_effect effect;
        s->is_short = !fr__goal_compile(s, &state->motions[i], &effect) || s->is_short;
        if (effect.tool != NULL) { mark_with(s, NULL, effect.tool); }
    }
}

// From the objects of the goal and those in hands on: what their states name, and tools. Supports are the goal's.
static void find_what_matters(fr__goal_search *s) {
    for (uint32_t i = 0; i < s->input->condition_count; i++) {
        mark(s, s->input->conditions[i].object);
        mark(s, s->input->conditions[i].on);
    }
    for (uint32_t i = 0; i < s->input->person_count; i++) {
        mark(s, s->input->people[i].held[0]);
        mark(s, s->input->people[i].held[1]);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const fr_goal_object *o = &s->input->objects[s->own[i]];
        mark(s, o->on);
        for (uint32_t k = 0; o->machine.c != NULL && k < o->machine.c->state_count; k++) {
            mark_state(s, &o->machine.c->states[k]);
        }
        for (uint32_t k = 0; o->machine.references != NULL && k < o->machine.c->references.count; k++) {
            for (uint32_t t = 0; t < o->machine.references[k].count; t++) {
                mark(s, o->machine.references[k].list[t]);
            }
        }
    }
    // Transitions are taken in the order of the input.
    fr_sort_uint32(s->own, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        s->place[s->own[i]] = i;
    }
}

static bool copy_references(fr__goal_search *s, uint32_t object) {
    const fr_machine_object *from = &s->input->objects[s->own[object]].machine;
    s->machines[object] = *from;
    if (from->references == NULL) { return true; }
    uint32_t count = from->c->references.count;
    fr_machine_targets *to = fr_arena_alloc(s->setup, (size_t)count + 1, sizeof *to, alignof(fr_machine_targets));
    if (to == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *list =
            fr_arena_alloc(s->setup, (size_t)from->references[i].count + 1, sizeof *list, alignof(uint32_t));
        if (list == NULL) { return false; }
        for (uint32_t k = 0; k < from->references[i].count; k++) {
            list[k] = s->place[from->references[i].list[k]];
        }
        fr_sort_uint32(list, from->references[i].count);
        to[i] = (fr_machine_targets){list, from->references[i].count};
    }
    s->machines[object].references = to;
    return true;
}

static uint32_t count_motions(const fr_class_view *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; c != NULL && i < c->state_count; i++) {
        count += c->states[i].motion_count;
    }
    return count;
}

// Objects of one class share what their motions bring about.
static bool compile_all(fr__goal_search *s) {
    size_t total = 1;
    for (uint32_t i = 0; i < s->count; i++) {
        total += count_motions(s->machines[i].c);
    }
    s->effects = fr_arena_alloc(s->setup, total, sizeof *s->effects, alignof(fr__goal_effect));
    bool is_right = s->effects != NULL;
    uint32_t used = 0;
    for (uint32_t i = 0; i < s->count && is_right; i++) {
        const fr_class_view *c = s->machines[i].c;
        uint32_t same = 0;
        while (same < i && s->machines[same].c != c) {
            same++;
        }
        s->effect_first[i] = same < i ? s->effect_first[same] : used;
        for (uint32_t k = 0; same == i && c != NULL && k < c->state_count; k++) {
            for (uint32_t m = 0; m < c->states[k].motion_count && is_right; m++) {
                is_right = fr__goal_compile(s, &c->states[k].motions[m], &s->effects[used++]);
            }
        }
    }
    return is_right;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

static fr_status check_input(const fr_goal_search_input *in, fr_error *error) {
    if (in->cookie != INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_goal_search_input"); }
    if (in->arena == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a goal needs an arena"); }
    bool is_few = in->object_count <= FR_GOAL_MAX_OBJECTS - 1 && in->person_count <= FR_GOAL_MAX_PEOPLE &&
                  in->condition_count <= FR_GOAL_MAX_CONDITIONS;
    if (!is_few) { return fr_error_set(error, FR_ERROR_LIMIT, "too many objects, people or conditions of a goal"); }
    uint32_t count = in->object_count;
    bool is_right = true;
    for (uint32_t i = 0; i < count; i++) {
        const fr_machine_object *m = &in->objects[i].machine;
        is_right = is_right && (m->state == FR_NONE || (m->c != NULL && m->state < m->c->state_count)) &&
                   (in->objects[i].on == FR_NONE || in->objects[i].on < count);
        for (uint32_t k = 0; is_right && m->references != NULL && k < m->c->references.count; k++) {
            for (uint32_t t = 0; t < m->references[k].count; t++) {
                is_right = is_right && m->references[k].list[t] < count;
            }
        }
    }
    for (uint32_t i = 0; i < 2 * in->person_count; i++) {
        uint32_t held = in->people[i / 2].held[i % 2];
        is_right = is_right && (held == FR_NONE || held < count);
    }
    for (uint32_t i = 0; i < in->condition_count; i++) {
        const fr_goal_condition *c = &in->conditions[i];
        is_right = is_right && c->object < count && (c->on == FR_NONE || c->on < count);
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "an index of an object is none"); }
    for (uint32_t i = 0; i < in->condition_count; i++) {
        const fr_goal_condition *c = &in->conditions[i];
        if (c->state == NULL || fr__goal_state(in->objects[c->object].machine.c, c->state) != FR_NONE) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' has no state '%s'", in->objects[c->object].name, c->state);
    }
    return FR_OK;
}

static bool allocate(fr__goal_search *s) {
    size_t count = (size_t)s->input->object_count + 1, people = (size_t)s->input->person_count + 1;
    s->own = fr_arena_alloc(s->setup, count, sizeof *s->own, alignof(uint32_t));
    s->place = fr_arena_alloc(s->setup, count, sizeof *s->place, alignof(uint32_t));
    if (s->own == NULL || s->place == NULL) { return false; }
    memset(s->place, 0xff, count * sizeof *s->place);
    find_what_matters(s);
    count = (size_t)s->count + 1;
    s->machines = fr_arena_alloc(s->setup, count, sizeof *s->machines, alignof(fr_machine_object));
    s->effect_first = fr_arena_alloc(s->setup, count, sizeof *s->effect_first, alignof(uint32_t));
    s->newest = fr_arena_alloc(s->setup, count * FR_CLASS_MAX_STATES, sizeof *s->newest, alignof(uint32_t));
    s->now = fr_arena_alloc(s->setup, count, sizeof *s->now, alignof(fr__goal_now));
    s->next = fr_arena_alloc(s->setup, count, sizeof *s->next, alignof(fr__goal_now));
    s->stands = fr_arena_alloc(s->setup, people, sizeof *s->stands, alignof(uint32_t));
    s->next_stands = fr_arena_alloc(s->setup, people, sizeof *s->next_stands, alignof(uint32_t));
    bool is_right = s->machines != NULL && s->effect_first != NULL && s->newest != NULL && s->now != NULL &&
                    s->next != NULL && s->stands != NULL && s->next_stands != NULL && !s->is_short;
    if (!is_right) { return false; }
    memset(s->newest, 0, count * FR_CLASS_MAX_STATES * sizeof *s->newest);
    s->node_bytes = (s->count * sizeof *s->now + s->input->person_count * sizeof *s->stands + 7) / 8 * 8;
    s->node_bytes += s->node_bytes == 0 ? 8 : 0;
    for (uint32_t i = 0; i < s->count && is_right; i++) {
        is_right = copy_references(s, i);
    }
    return is_right && compile_all(s);
}

static bool add_first(fr__goal_search *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        const fr_goal_object *o = &s->input->objects[s->own[i]];
        bool is_in = o->machine.state != FR_NONE;
        s->next[i] = (fr__goal_now){.value = o->machine.value + 0.0,
                                    .state = is_in ? (uint8_t)o->machine.state : UINT8_MAX,
                                    .on = o->on == FR_NONE ? 0 : (uint16_t)(o->on + 1)};
    }
    for (uint32_t p = 0; p < s->input->person_count; p++) {
        s->next_stands[p] = s->input->people[p].place;
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t held = s->input->people[p].held[side];
            if (held == FR_NONE) { continue; }
            s->next[s->place[held]].holder = (uint16_t)(1 + 2 * p + side);
            s->next[s->place[held]].on = 0;
        }
    }
    const fr__goal_node node = {.parent = FR_NONE};
    return fr__goal_settle(s, NULL, 0) && add_node(s, &node);
}

// The steps to a node, and the states after each of them.
static bool write_chain(const fr__goal_search *s, uint32_t node, fr_goal_search_output *out) {
    uint32_t count = s->nodes.data[node].cost, objects = s->input->object_count;
    fr_goal_step *steps = fr_arena_alloc(s->input->arena, (size_t)count + 1, sizeof *steps, alignof(fr_goal_step));
    uint32_t *states = fr_arena_alloc(s->input->arena, (size_t)count * objects + 1, sizeof *states, alignof(uint32_t));
    if (steps == NULL || states == NULL) { return false; }
    for (uint32_t i = count; i-- > 0; node = s->nodes.data[node].parent) {
        steps[i] = s->nodes.data[node].step;
        read_node(s, node, s->now, s->stands);
        for (uint32_t k = 0; k < objects; k++) {
            uint32_t place = s->place[k];
            bool is_in = place != FR_NONE && s->now[place].state != UINT8_MAX;
            states[(size_t)i * objects + k] = is_in ? s->now[place].state : FR_NONE;
        }
    }
    out->steps = steps;
    out->states = states;
    out->step_count = count;
    out->result = FR_GOAL_FOUND;
    return true;
}

static bool search(fr__goal_search *s, fr_goal_search_output *out) {
    bool is_right = allocate(s) && add_first(s), is_full = false;
    while (is_right && s->open.count > 0) {
        fr__goal_open first = open_heap_pop(s->open.data, &s->open.count);
        fr__goal_node *node = &s->nodes.data[first.node];
        if (node->is_closed) { continue; }
        node->is_closed = true;
        out->node_count++;
        if (node->unmet == 0) { return write_chain(s, first.node, out); }
        if (is_full) { continue; } // a goal among those that are known is found all the same
        is_full = !expand(s, first.node);
        is_right = !s->is_short && (!is_full || s->nodes.count == s->input->max_nodes);
    }
    out->result = is_full ? FR_GOAL_GIVEN_UP : FR_GOAL_IMPOSSIBLE;
    out->why = is_right ? fr__goal_explain(s) : NULL;
    return out->why != NULL;
}

fr_status fr_goal_search(const fr_goal_search_input *input, fr_goal_search_output *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = (fr_goal_search_output){.result = FR_GOAL_GIVEN_UP, .why = ""};
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__goal_search s = {.input = input, .tool = FR_NONE, .waiting = FR_NONE};
    fr_allocator allocator = fr_allocator_or_default(&input->allocator);
    s.nodes = fr__goal_node_array_make(&allocator);
    s.states = fr_byte_array_make(&allocator);
    s.table = fr_uint32_array_make(&allocator);
    s.open = fr__goal_open_array_make(&allocator);
    s.denials = fr__goal_denial_array_make(&allocator);
    bool is_right = fr_arena_create(0, &allocator, &s.setup, NULL) == FR_OK &&
                    fr_arena_create(0, &allocator, &s.scratch, NULL) == FR_OK && search(&s, out);
    fr__goal_node_array_destroy(&s.nodes);
    fr_byte_array_destroy(&s.states);
    fr_uint32_array_destroy(&s.table);
    fr__goal_open_array_destroy(&s.open);
    fr__goal_denial_array_destroy(&s.denials);
    if (s.setup != NULL) { fr_arena_destroy(s.setup); }
    if (s.scratch != NULL) { fr_arena_destroy(s.scratch); }
    return is_right ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the search for a goal");
}
