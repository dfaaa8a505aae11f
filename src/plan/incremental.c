// Koenig and Likhachev's D* Lite in its optimised form. A state knows what it costs to the goal as last settled and
// what it would cost by its best neighbour; where the two differ it waits in a heap. The heap's ranks hold the
// heuristic from the robot; instead of computing them again when the robot moves, later ones get a bias.
#include "plan/incremental.h"

#include "fureai/base_order.h"

#include <stdlib.h>
#include <string.h>

#define STOP_STATES 256

typedef fr__plan_incremental search_t;

fr__plan_incremental fr__plan_incremental_make(const fr_allocator *allocator) {
    return (fr__plan_incremental){.turn_cost = 1.0,
                                  .table = fr__state_table_make(allocator),
                                  .states = fr__plan_mended_array_make(allocator),
                                  .heap = fr_uint32_array_make(allocator)};
}

void fr__plan_incremental_free(fr__plan_incremental *s) {
    fr__state_table_free(&s->table);
    fr__plan_mended_array_destroy(&s->states);
    fr_uint32_array_destroy(&s->heap);
}

static inline fr__plan_mended *state_at(const search_t *s, uint32_t index) { return &s->states.data[index]; }

// ---------------------------------------------------------------------------------------------------------------
// The heap

static bool is_rank_before(const double a[2], const double b[2]) {
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

// Equal ranks by number, so that the order is one.
static bool is_before(const uint32_t *a, const uint32_t *b, const search_t *s) {
    const double *x = state_at(s, *a)->rank, *y = state_at(s, *b)->rank;
    return is_rank_before(x, y) || (!is_rank_before(y, x) && *a < *b);
}

static void set_place(const uint32_t *index, size_t at, const search_t *s) {
    state_at(s, *index)->place = (uint32_t)at;
}

FR_HEAP_TYPE_BY(state_heap, uint32_t, 2, const search_t *, is_before, set_place);

// A rank has changed: its state goes up or down.
static void sift(const search_t *s, uint32_t at) {
    uint32_t index = s->heap.data[at];
    state_heap_sift_up(s->heap.data, at, s);
    state_heap_sift_down(s->heap.data, s->heap.count, state_at(s, index)->place, s);
}

static void take_out(search_t *s, uint32_t index) {
    uint32_t at = state_at(s, index)->place, last = s->heap.data[--s->heap.count];
    state_at(s, index)->place = FR__STATE_NONE;
    if (last == index) { return; }
    s->heap.data[at] = last;
    sift(s, at);
}

// ---------------------------------------------------------------------------------------------------------------
// States

static double angle_steps(uint32_t a, uint32_t b, uint32_t count, bool is_round) {
    uint32_t d = a > b ? a - b : b - a;
    return (double)(is_round && count - d < d ? count - d : d);
}

// The least that a path between two states costs: as if there were no obstacles.
static double min_cost_between(const search_t *s, fr__plan_step a, fr__plan_step b) {
    int32_t from[3], to[3];
    fr__plan_cell_at(&s->poses->bits, a.cell, from);
    fr__plan_cell_at(&s->poses->bits, b.cell, to);
    double moves = (double)(abs(from[0] - to[0]) + abs(from[1] - to[1]) + abs(from[2] - to[2]));
    const uint32_t *n = s->poses->robot->steps;
    uint32_t i = a.orientation, j = b.orientation;
    double turns = angle_steps(i % n[2], j % n[2], n[2], true) +
                   angle_steps(i / n[2] % n[1], j / n[2] % n[1], n[1], false) +
                   angle_steps(i / n[2] / n[1], j / n[2] / n[1], n[0], true);
    return moves + s->turn_cost * turns;
}

static void rank_of(const search_t *s, const fr__plan_mended *m, double out[2]) {
    double min = m->cost < m->ahead ? m->cost : m->ahead;
    out[0] = min + min_cost_between(s, s->robot, fr__plan_key_state(&s->poses->bits, m->key)) + s->bias;
    out[1] = min;
}

// A state that is settled leaves the heap; another is in it, with its rank.
static bool settle(search_t *s, uint32_t index) {
    fr__plan_mended *m = state_at(s, index);
    if (m->cost == m->ahead) {
        if (m->place != FR__STATE_NONE) { take_out(s, index); }
        return true;
    }
    rank_of(s, m, m->rank);
    if (m->place == FR__STATE_NONE) {
        uint32_t *slot = fr_uint32_array_push(&s->heap, 1);
        if (slot == NULL) { return false; }
        *slot = index;
        m->place = (uint32_t)s->heap.count - 1;
    }
    sift(s, m->place);
    return true;
}

static bool is_pose_free(search_t *s, fr__plan_step state) {
    int32_t at[3];
    fr__plan_cell_at(&s->poses->bits, state.cell, at);
    return fr__plan_poses_is_free(s->poses, fr__plan_stand_slot(s->poses->robot, state.orientation), at);
}

// The number of a state, made where it was not met before; FR__STATE_NONE without memory.
static uint32_t meet(search_t *s, fr__plan_step state) {
    bool is_new;
    uint64_t key = fr__plan_key(&s->poses->bits, state);
    uint32_t index = fr__state_add(&s->table, key, &is_new);
    if (index == FR__STATE_NONE || !is_new) { return index; }
    fr__plan_mended *m = fr__plan_mended_array_push(&s->states, 1);
    if (m == NULL) {
        s->table.count--;
        fr__state_slot_of(&s->table, key)->index = FR__STATE_NONE;
        return FR__STATE_NONE;
    }
    *m = (fr__plan_mended){key, INFINITY, INFINITY, {0.0, 0.0}, FR__STATE_NONE, is_pose_free(s, state), false};
    m->is_goal = state.cell == s->goal_cell &&
                 (s->goal_orientation == FR__PLAN_NONE ||
                  fr__plan_orientation_equal(s->poses->robot, state.orientation, s->goal_orientation));
    if (m->is_goal && m->is_free) { m->ahead = 0.0; }
    return index;
}

// Neighbour number k of 12 of a free state: six moves, then six turns. FR__STATE_NONE where no free motion leads to it;
// has_failed is set without memory.
static uint32_t neighbor(search_t *s, fr__plan_step from, int k, double *cost, bool *has_failed) {
    const fr_plan_robot *robot = s->poses->robot;
    const fr__plan_bits *bits = &s->poses->bits;
    int32_t at[3], to[3];
    fr__plan_cell_at(bits, from.cell, at);
    fr__plan_step next = from;
    if (k < 6) {
        if (k >= 2 * robot->dimension || !fr__plan_neighbor(bits, at, k, to)) { return FR__STATE_NONE; }
        next.cell = fr__plan_cell_number(bits, to);
        *cost = 1.0;
    } else {
        next.orientation = robot->next[from.orientation][k - 6];
        if (next.orientation == FR__PLAN_NONE) { return FR__STATE_NONE; }
        uint32_t slot = fr__plan_turning_slot(robot, from.orientation, next.orientation, k - 6);
        if (!fr__plan_poses_is_free(s->poses, slot, at)) { return FR__STATE_NONE; }
        *cost = s->turn_cost;
    }
    uint32_t index = meet(s, next);
    if (index == FR__STATE_NONE) { *has_failed = true; }
    return index != FR__STATE_NONE && state_at(s, index)->is_free ? index : FR__STATE_NONE;
}

// What a state costs by its best neighbour. False without memory.
static bool look_ahead(search_t *s, uint32_t index) {
    fr__plan_mended m = *state_at(s, index);
    double best = INFINITY;
    bool has_failed = false;
    if (m.is_goal && m.is_free) {
        best = 0.0;
    } else if (m.is_free) {
        fr__plan_step at = fr__plan_key_state(&s->poses->bits, m.key);
        for (int k = 0; k < 12; k++) {
            double cost = 0.0;
            uint32_t next = neighbor(s, at, k, &cost, &has_failed);
            if (next == FR__STATE_NONE) { continue; }
            double by = cost + state_at(s, next)->cost;
            best = by < best ? by : best;
        }
    }
    state_at(s, index)->ahead = best;
    return !has_failed && !s->poses->has_failed;
}

// ---------------------------------------------------------------------------------------------------------------
// Searching

// A state became cheaper: its neighbours may by it.
static bool lower(search_t *s, uint32_t index) {
    fr__plan_mended m = *state_at(s, index);
    fr__plan_step at = fr__plan_key_state(&s->poses->bits, m.key);
    state_at(s, index)->cost = m.ahead;
    take_out(s, index);
    bool has_failed = false;
    for (int k = 0; k < 12 && m.is_free; k++) {
        double cost = 0.0;
        uint32_t next = neighbor(s, at, k, &cost, &has_failed);
        if (next == FR__STATE_NONE) { continue; }
        fr__plan_mended *n = state_at(s, next);
        if (cost + m.ahead < n->ahead) { n->ahead = cost + m.ahead; }
        if (!settle(s, next)) { return false; }
    }
    return !has_failed;
}

// A state became dearer: it and the neighbours that went by it must look for another path.
static bool raise(search_t *s, uint32_t index) {
    fr__plan_mended m = *state_at(s, index);
    fr__plan_step at = fr__plan_key_state(&s->poses->bits, m.key);
    state_at(s, index)->cost = INFINITY;
    bool has_failed = false;
    for (int k = 0; k < 12 && m.is_free; k++) {
        double cost = 0.0;
        uint32_t next = neighbor(s, at, k, &cost, &has_failed);
        if (next == FR__STATE_NONE || state_at(s, next)->ahead != cost + m.cost) { continue; }
        if (!look_ahead(s, next) || !settle(s, next)) { return false; }
    }
    return !has_failed && look_ahead(s, index) && settle(s, index);
}

bool fr__plan_incremental_begin(fr__plan_incremental *s, fr__plan_step robot) {
    fr__state_table_clear(&s->table);
    s->states.count = s->heap.count = 0;
    s->bias = 0.0;
    s->robot = s->robot_before = robot;
    s->is_stale = true;
    for (uint32_t o = 0; o < s->poses->robot->orientation_count; o++) {
        bool is_goal =
            s->goal_orientation == FR__PLAN_NONE || fr__plan_orientation_equal(s->poses->robot, o, s->goal_orientation);
        if (!is_goal) { continue; }
        uint32_t index = meet(s, (fr__plan_step){s->goal_cell, o});
        if (index == FR__STATE_NONE || !settle(s, index)) { return false; }
    }
    return meet(s, robot) != FR__STATE_NONE && !s->poses->has_failed;
}

// The ranks that are in the heap are of where the robot was: those made from now on get as much more as it went.
static void bring_forward(search_t *s) {
    s->bias += min_cost_between(s, s->robot_before, s->robot);
    s->robot_before = s->robot;
    s->is_stale = true;
}

void fr__plan_incremental_move(fr__plan_incremental *s, fr__plan_step robot) {
    s->robot = robot;
    uint32_t index = fr__state_find(&s->table, fr__plan_key(&s->poses->bits, robot));
    bool is_known = index != FR__STATE_NONE && state_at(s, index)->cost == state_at(s, index)->ahead &&
                    state_at(s, index)->cost < INFINITY;
    if (!is_known) { bring_forward(s); }
}

// A near state whose own cost stands may have a neighbour, not among the first `count`, that a motion leads to only
// now.
static bool offer_around(search_t *s, uint32_t index, uint32_t count) {
    fr__plan_mended m = *state_at(s, index);
    if (!m.is_free || m.cost == INFINITY) { return true; }
    fr__plan_step at = fr__plan_key_state(&s->poses->bits, m.key);
    bool has_failed = false;
    for (int k = 0; k < 12; k++) {
        double cost = 0.0;
        uint32_t next = neighbor(s, at, k, &cost, &has_failed);
        if (next == FR__STATE_NONE || next < count) { continue; }
        if (!look_ahead(s, next) || !settle(s, next)) { return false; }
    }
    return !has_failed;
}

bool fr__plan_incremental_change(fr__plan_incremental *s, const int32_t low[3], const int32_t high[3]) {
    bring_forward(s);
    // A pose or a turn can only have changed where the robot, or its neighbour one step on, reaches a changed cell.
    int32_t reach = (int32_t)s->poses->robot->reach + 4;
    uint32_t count = (uint32_t)s->states.count;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            fr__plan_mended *m = state_at(s, i);
            fr__plan_step state = fr__plan_key_state(&s->poses->bits, m->key);
            int32_t at[3];
            fr__plan_cell_at(&s->poses->bits, state.cell, at);
            bool is_near = true;
            for (int a = 0; a < s->poses->robot->dimension; a++) {
                is_near = is_near && at[a] + reach >= low[a] && at[a] - reach < high[a];
            }
            if (!is_near) { continue; }
            // First what is free, of all; then the costs that follow from it.
            if (pass == 0) {
                m->is_free = is_pose_free(s, state);
            } else if (!look_ahead(s, i) || !settle(s, i) || !offer_around(s, i, count)) {
                return false;
            }
        }
    }
    return !s->poses->has_failed;
}

static fr__plan_outcome find_path(search_t *s, uint32_t robot) {
    for (uint32_t rounds = 1;; rounds++) {
        double wanted[2];
        rank_of(s, state_at(s, robot), wanted);
        bool is_settled = state_at(s, robot)->ahead <= state_at(s, robot)->cost;
        if (s->heap.count == 0) { return FR__PLAN_FOUND; }
        uint32_t top = s->heap.data[0];
        fr__plan_mended *m = state_at(s, top);
        if (!is_rank_before(m->rank, wanted) && is_settled) { return FR__PLAN_FOUND; }
        double rank[2];
        rank_of(s, m, rank);
        s->expanded++;
        if (is_rank_before(m->rank, rank)) {
            memcpy(m->rank, rank, sizeof rank);
            sift(s, m->place);
        } else if (m->cost > m->ahead ? !lower(s, top) : !raise(s, top)) {
            return FR__PLAN_NO_MEMORY;
        }
        if (s->poses->has_failed) { return FR__PLAN_NO_MEMORY; }
        if (rounds % STOP_STATES == 0 && fr_control_is_stopped(s->control)) { return FR__PLAN_STOPPED; }
    }
}

fr__plan_outcome fr__plan_incremental_next(fr__plan_incremental *s, fr__plan_step *next, double *cost) {
    uint32_t robot = meet(s, s->robot);
    if (robot == FR__STATE_NONE) { return FR__PLAN_NO_MEMORY; }
    fr__plan_outcome outcome = s->is_stale ? find_path(s, robot) : FR__PLAN_FOUND;
    if (outcome != FR__PLAN_FOUND) { return outcome; }
    s->is_stale = false;
    *cost = state_at(s, robot)->ahead;
    if (*cost == INFINITY) { return FR__PLAN_NO_PATH; }
    double best = INFINITY;
    bool has_failed = false;
    for (int k = 0; k < 12; k++) {
        double step = 0.0;
        uint32_t index = neighbor(s, s->robot, k, &step, &has_failed);
        if (index == FR__STATE_NONE || step + state_at(s, index)->cost >= best) { continue; }
        best = step + state_at(s, index)->cost;
        *next = fr__plan_key_state(&s->poses->bits, state_at(s, index)->key);
    }
    return has_failed ? FR__PLAN_NO_MEMORY : FR__PLAN_FOUND;
}
