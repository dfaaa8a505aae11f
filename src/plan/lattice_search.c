// A state is a cell and an orientation; six moves by one cell and six turns by one step lead on. A move needs no swept
// test: a robot of whole cells that goes one cell along an axis sweeps the union of where it was and where it is. A
// turn is tested by the mask of its sweep. The heuristic is consistent, so a state that was taken from the list is
// never taken again, whatever the weight.
#include "plan/lattice_search.h"

#include "plan/open_heap.h"

#include <string.h>

enum { MARK_OPEN, MARK_CLOSED, MARK_BLOCKED };

#define STOP_STATES 256

fr__plan_search fr__plan_search_make(const fr_allocator *allocator) {
    return (fr__plan_search){.weight = 1.0,
                             .turn_cost = 1.0,
                             .steps = fr__plan_step_array_make(allocator),
                             .table = fr__state_table_make(allocator),
                             .nodes = fr__plan_node_array_make(allocator),
                             .heap = fr__plan_heap_array_make(allocator)};
}

void fr__plan_search_free(fr__plan_search *s) {
    fr__plan_step_array_destroy(&s->steps);
    fr__plan_node_array_destroy(&s->nodes);
    fr__plan_heap_array_destroy(&s->heap);
    fr__state_table_free(&s->table);
}

uint64_t fr__plan_search_bytes(const fr__plan_search *s) {
    return s->table.capacity * sizeof(fr__state_slot) + s->nodes.capacity * sizeof(fr__plan_node) +
           s->heap.capacity * sizeof(fr__plan_heap_entry);
}

// ---------------------------------------------------------------------------------------------------------------
// States

typedef struct expansion {
    uint32_t node;
    double cost;
    int32_t at[3];
    uint32_t cell, orientation, left;
} expansion;

// A step leads from the state that is expanded to (cell, orientation) for `cost` more; a move is tested here, a turn by
// `slot`. False without memory.
static bool offer(fr__plan_search *s, const expansion *e, const int32_t to[3], uint32_t cell, uint32_t orientation,
                  double cost, uint32_t slot) {
    uint32_t left = cell == e->cell ? e->left : fr__plan_wave_left(s->wave, to, e->left);
    if (left == FR__PLAN_UNREACHED) { return true; }
    const fr__plan_bits *bits = &s->poses->bits;
    uint64_t key = fr__plan_key(bits, (fr__plan_step){cell, orientation});
    if (s->field != NULL) { cost += (double)s->field[cell]; }
    double total = e->cost + cost;
    bool is_turn = orientation != e->orientation, is_new;
    uint32_t found = fr__state_find(&s->table, key);
    if (found != FR__STATE_NONE) {
        const fr__plan_node *known = &s->nodes.data[found];
        if (known->mark != MARK_OPEN || known->cost <= total) { return true; }
    }
    // A turn that is not free says nothing of the state it would lead to.
    if (is_turn && !fr__plan_poses_is_free(s->poses, slot, to)) { return true; }
    if (found == FR__STATE_NONE) {
        bool is_free = is_turn || fr__plan_poses_is_free(s->poses, slot, to);
        found = fr__state_add(&s->table, key, &is_new);
        fr__plan_node *node = found == FR__STATE_NONE ? NULL : fr__plan_node_array_push(&s->nodes, 1);
        if (node == NULL) { return false; }
        *node = (fr__plan_node){key, total, e->node, is_free ? MARK_OPEN : MARK_BLOCKED};
        if (!is_free) { return true; }
    } else {
        fr__plan_node *node = &s->nodes.data[found];
        node->cost = total;
        node->parent = e->node;
    }
    return fr__plan_heap_push(&s->heap, (fr__plan_heap_entry){total + s->weight * (double)left, left, found});
}

static bool expand(fr__plan_search *s, uint32_t index, uint32_t left) {
    const fr__plan_bits *bits = &s->poses->bits;
    const fr_plan_robot *robot = s->poses->robot;
    const fr__plan_node *node = &s->nodes.data[index];
    fr__plan_step from = fr__plan_key_state(bits, node->key);
    expansion e = {index, node->cost, {0, 0, 0}, from.cell, from.orientation, left};
    fr__plan_cell_at(bits, e.cell, e.at);
    uint32_t stand = fr__plan_stand_slot(robot, e.orientation);
    for (int k = 0; k < 2 * robot->dimension; k++) {
        int32_t to[3];
        if (!fr__plan_neighbor(bits, e.at, k, to)) { continue; }
        if (!offer(s, &e, to, fr__plan_cell_number(bits, to), e.orientation, 1.0, stand)) { return false; }
    }
    for (int k = 0; k < 6; k++) {
        uint32_t next = robot->next[e.orientation][k];
        if (next == FR__PLAN_NONE) { continue; }
        uint32_t slot = fr__plan_turning_slot(robot, e.orientation, next, k);
        if (!offer(s, &e, e.at, e.cell, next, s->turn_cost, slot)) { return false; }
    }
    return true;
}

// Writes the steps that lead to a node.
static bool trace(fr__plan_search *s, uint32_t node) {
    const fr__plan_node *nodes = s->nodes.data;
    const fr__plan_bits *bits = &s->poses->bits;
    size_t count = 0;
    for (uint32_t i = node; i != FR__STATE_NONE; i = nodes[i].parent) {
        count++;
    }
    s->steps.count = 0;
    fr__plan_step *steps = fr__plan_step_array_push(&s->steps, count);
    if (steps == NULL) { return false; }
    for (uint32_t i = node; i != FR__STATE_NONE; i = nodes[i].parent) {
        steps[--count] = fr__plan_key_state(bits, nodes[i].key);
    }
    s->cost = nodes[node].cost;
    return true;
}

static fr__plan_outcome end_at(fr__plan_search *s, uint32_t node, fr__plan_outcome outcome) {
    if (s->poses->has_failed) { return FR__PLAN_NO_MEMORY; }
    return trace(s, node) ? outcome : FR__PLAN_NO_MEMORY;
}

fr__plan_outcome fr__plan_search_run(fr__plan_search *s, fr__plan_step start) {
    fr__state_table_clear(&s->table);
    s->nodes.count = s->heap.count = s->steps.count = 0;
    s->expanded = 0;
    const fr__plan_bits *bits = &s->poses->bits;
    uint64_t key = fr__plan_key(bits, start);
    bool is_new;
    uint32_t left = s->wave->start_left, first = fr__state_add(&s->table, key, &is_new);
    fr__plan_node *node = first == FR__STATE_NONE ? NULL : fr__plan_node_array_push(&s->nodes, 1);
    if (node == NULL) { return FR__PLAN_NO_MEMORY; }
    *node = (fr__plan_node){key, 0.0, FR__STATE_NONE, MARK_OPEN};
    if (left == FR__PLAN_UNREACHED) { return end_at(s, 0, FR__PLAN_NO_PATH); }
    if (!fr__plan_heap_push(&s->heap, (fr__plan_heap_entry){s->weight * (double)left, left, first})) {
        return FR__PLAN_NO_MEMORY;
    }

    uint32_t nearest = 0, nearest_left = left;
    while (s->heap.count > 0) {
        fr__plan_heap_entry entry = fr__plan_heap_pop(s->heap.data, &s->heap.count);
        node = &s->nodes.data[entry.node];
        if (node->mark == MARK_CLOSED) { continue; }
        node->mark = MARK_CLOSED;
        if (entry.left < nearest_left) {
            nearest = entry.node;
            nearest_left = entry.left;
        }
        s->expanded++;
        uint32_t orientation = fr__plan_key_state(bits, node->key).orientation;
        if (entry.left == 0 && (s->is_goal == NULL || s->is_goal(orientation, s->goal_context))) {
            return end_at(s, entry.node, FR__PLAN_FOUND);
        }
        bool is_over = s->budget != 0 && s->expanded >= s->budget;
        if (is_over || (s->expanded % STOP_STATES == 0 && fr_control_is_stopped(s->control))) {
            return end_at(s, nearest, FR__PLAN_STOPPED);
        }
        if (!expand(s, entry.node, entry.left) || s->poses->has_failed) { return FR__PLAN_NO_MEMORY; }
    }
    return end_at(s, nearest, FR__PLAN_NO_PATH);
}

// ---------------------------------------------------------------------------------------------------------------
// Straight motions

// Whether the masks of one orientation are free at all cells about the part of a straight motion between t = from and
// to, in which no coordinate but constant ones is whole.
static bool is_part_free(fr__plan_search *s, const int32_t a[3], const int32_t travel[3], double from, double to,
                         uint32_t slot) {
    int32_t low[3], high[3], at[3];
    for (int k = 0; k < 3; k++) {
        double x = (double)a[k] + 0.5 * (from + to) * (double)travel[k];
        low[k] = travel[k] == 0 ? a[k] : (int32_t)floor(x);
        high[k] = travel[k] == 0 ? a[k] : low[k] + 1;
    }
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
                if (!fr__plan_poses_is_free(s->poses, slot, at)) { return false; }
            }
        }
    }
    return true;
}

static bool is_motion_free(fr__plan_search *s, fr__plan_step from, fr__plan_step to) {
    int32_t a[3], b[3], travel[3], passed[3] = {0, 0, 0};
    fr__plan_cell_at(&s->poses->bits, from.cell, a);
    fr__plan_cell_at(&s->poses->bits, to.cell, b);
    for (int k = 0; k < 3; k++) {
        travel[k] = b[k] - a[k];
    }
    uint32_t slot = fr__plan_stand_slot(s->poses->robot, from.orientation);
    for (double t = 0.0; t < 1.0;) {
        // The next moment at which some coordinate is whole.
        double next = 1.0;
        int axis = -1;
        for (int k = 0; k < 3; k++) {
            int32_t length = travel[k] < 0 ? -travel[k] : travel[k];
            if (passed[k] + 1 < length && (double)(passed[k] + 1) / (double)length < next) {
                next = (double)(passed[k] + 1) / (double)length;
                axis = k;
            }
        }
        if (next > t && !is_part_free(s, a, travel, t, next, slot)) { return false; }
        if (axis >= 0) { passed[axis]++; }
        t = next;
    }
    return true;
}

void fr__plan_search_shorten(fr__plan_search *s) {
    fr__plan_step *steps = s->steps.data;
    size_t last = 0;
    for (size_t i = 0; i + 1 < s->steps.count;) {
        size_t to = i + 1;
        while (to + 1 < s->steps.count && steps[to + 1].orientation == steps[i].orientation) {
            to++;
        }
        if (steps[i + 1].orientation != steps[i].orientation) { to = i + 1; }
        while (to > i + 1 && !is_motion_free(s, steps[i], steps[to])) {
            to -= 1 + (to - i) / 16;
        }
        // Steps that stay move to the left, never past those that are still to be tested.
        steps[++last] = steps[to];
        i = to;
    }
    s->steps.count = s->steps.count == 0 ? 0 : last + 1;
}
