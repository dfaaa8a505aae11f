// Two robots that block each other whichever goes first: a state is where both are, a step a step of each. The
// last resort, since there are as many states as the product of both lattices.
#include "plan/team.h"

#include "plan/open_heap.h"

#include <string.h>

#define STOP_STATES 256

// A state of each as one number, by tables of their own.
static bool joint_key(fr__state_table tables[2], fr__plan_step_array states[2], const fr__plan_bits *bits,
                      const fr__plan_step at[2], uint64_t *key) {
    *key = 0;
    for (int i = 0; i < 2; i++) {
        bool is_new;
        uint32_t index = fr__state_add(&tables[i], fr__plan_key(bits, at[i]), &is_new);
        if (index == FR__STATE_NONE) { return false; }
        if (is_new) {
            fr__plan_step *state = fr__plan_step_array_push(&states[i], 1);
            if (state == NULL) { return false; }
            *state = at[i];
        }
        *key = *key << 32 | index;
    }
    return true;
}

typedef struct joint {
    fr__team *team;
    fr__state_table tables[2];
    fr__plan_step_array states[2];
    uint64_t *words; // cells of a step of the first
} joint;

static void state_of(const joint *j, uint64_t key, fr__plan_step at[2]) {
    at[0] = ((fr__plan_step *)j->states[0].data)[key >> 32];
    at[1] = ((fr__plan_step *)j->states[1].data)[key & UINT32_MAX];
}

static bool offer(joint *j, const fr__plan_step at[2], double cost, uint32_t parent) {
    fr__team *t = j->team;
    uint64_t key;
    bool is_new;
    if (!joint_key(j->tables, j->states, &t->bits, at, &key)) { return false; }
    uint32_t index = fr__state_add(&t->table, key, &is_new);
    if (index == FR__STATE_NONE) { return false; }
    fr__team_node *node = is_new ? fr__team_node_array_push(&t->nodes, 1) : &t->nodes.data[index];
    if (node == NULL) { return false; }
    if (!is_new && (node->is_closed || node->cost <= cost)) { return true; }
    *node = (fr__team_node){key, cost, parent, false};
    uint32_t left = t->members[0].distance[at[0].cell] + t->members[1].distance[at[1].cell];
    return fr__plan_heap_push(&t->heap, (fr__plan_heap_entry){cost + t->input->weight * (double)left, left, index});
}

// Waiting at its goal costs nothing.
static double cost_of(const fr__team *t, const fr__team_member *m, fr__plan_step from, fr__plan_step to) {
    bool is_wait = from.cell == to.cell && from.orientation == to.orientation;
    return is_wait && fr__team_is_goal(m, from) ? 0.0 : fr__team_step_cost(t, from, to);
}

static bool expand(joint *j, uint32_t index) {
    fr__team *t = j->team;
    fr__team_node node = t->nodes.data[index];
    fr__team_member *a = &t->members[0], *b = &t->members[1];
    fr__plan_step from[2], to[2];
    state_of(j, node.key, from);
    for (int k = -1; k < 12; k++) {
        if (!fr__team_step(a, from[0], k, &to[0])) { continue; }
        double cost = node.cost + cost_of(t, a, from[0], to[0]);
        fr__team_stamp(t, a, from[0], to[0], true, j->words);
        bool is_done = true;
        for (int l = -1; l < 12 && is_done; l++) {
            if ((k < 0 && l < 0) || !fr__team_step(b, from[1], l, &to[1])) { continue; }
            if (!fr__team_is_clear(t, b, from[1], to[1], j->words)) { continue; }
            is_done = offer(j, to, cost + cost_of(t, b, from[1], to[1]), index);
        }
        fr__team_stamp(t, a, from[0], to[0], false, j->words);
        if (!is_done) { return false; }
    }
    return !a->poses.has_failed && !b->poses.has_failed;
}

static bool write_steps(joint *j, uint32_t node) {
    fr__team *t = j->team;
    const fr__team_node *nodes = t->nodes.data;
    size_t count = 0;
    for (uint32_t i = node; i != FR__STATE_NONE; i = nodes[i].parent) {
        count++;
    }
    fr__plan_step *steps[2];
    for (int m = 0; m < 2; m++) {
        t->members[m].steps.count = 0;
        steps[m] = fr__plan_step_array_push(&t->members[m].steps, count);
        if (steps[m] == NULL) { return false; }
    }
    for (uint32_t i = node; i != FR__STATE_NONE; i = nodes[i].parent) {
        fr__plan_step at[2];
        state_of(j, nodes[i].key, at);
        count--;
        steps[0][count] = at[0];
        steps[1][count] = at[1];
    }
    return true;
}

static fr__plan_outcome search(joint *j) {
    fr__team *t = j->team;
    fr__team_member *a = &t->members[0], *b = &t->members[1];
    fr__plan_step at[2] = {a->start, b->start};
    bool is_reached = a->distance[at[0].cell] != FR__PLAN_UNREACHED && b->distance[at[1].cell] != FR__PLAN_UNREACHED;
    if (!is_reached) { return FR__PLAN_NO_PATH; }
    if (!offer(j, at, 0.0, FR__STATE_NONE)) { return FR__PLAN_NO_MEMORY; }
    uint64_t expanded = 0;
    while (t->heap.count > 0) {
        fr__plan_heap_entry entry = fr__plan_heap_pop(t->heap.data, &t->heap.count);
        fr__team_node *node = &t->nodes.data[entry.node];
        if (node->is_closed) { continue; }
        node->is_closed = true;
        t->expanded++;
        state_of(j, node->key, at);
        if (fr__team_is_goal(a, at[0]) && fr__team_is_goal(b, at[1])) {
            return write_steps(j, entry.node) ? FR__PLAN_FOUND : FR__PLAN_NO_MEMORY;
        }
        if (++expanded >= t->input->budget) { return FR__PLAN_STOPPED; }
        if (expanded % STOP_STATES == 0 && fr_control_is_stopped(t->input->control)) { return FR__PLAN_STOPPED; }
        if (!expand(j, entry.node)) { return FR__PLAN_NO_MEMORY; }
    }
    return FR__PLAN_NO_PATH;
}

fr__plan_outcome fr__team_search_both(fr__team *t) {
    fr__state_table_clear(&t->table);
    t->nodes.count = t->heap.count = 0;
    joint j = {.team = t};
    for (int i = 0; i < 2; i++) {
        j.tables[i] = fr__state_table_make(&t->allocator);
        j.states[i] = fr__plan_step_array_make(&t->allocator);
    }
    fr__plan_outcome outcome = FR__PLAN_NO_MEMORY;
    j.words = fr_allocate(&t->allocator, t->word_count, sizeof *j.words, 64);
    if (j.words != NULL) {
        memset(j.words, 0, t->word_count * sizeof *j.words);
        outcome = search(&j);
    }
    fr_deallocate(&t->allocator, j.words, t->word_count, sizeof *j.words);
    for (int i = 0; i < 2; i++) {
        fr__state_table_free(&j.tables[i]);
        fr__plan_step_array_destroy(&j.states[i]);
    }
    return outcome;
}
