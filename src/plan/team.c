// Prioritised planning: each robot is planned in space and time among those planned before it. What a planned robot
// sweeps from tick t to t + 1 is stamped into the bitmap of t; where it stays at its end, into all after. A state is a
// cell, an orientation and a tick; after the last stamped tick the world stands still, and ticks are not distinguished
// any more, so that the search ends.
#include "plan/team.h"

#include "plan/open_heap.h"

#include <string.h>

#define TEAM_COOKIE 0x506c546du
#define RANDOM_ORDERS 20
#define ALL_ORDERS 4 // robots of which all orders are tried
#define STOP_STATES 256
#define TICK_SHIFT 40
#define MAX_TICKS (1u << 20)

fr_plan_team_input fr_default_plan_team_input(void) {
    return (fr_plan_team_input){.weight = 1.5, .turn_cost = 3.0, .budget = 1000000, .seed = 1, .cookie = TEAM_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

bool fr__team_step(fr__team_member *m, fr__plan_step from, int k, fr__plan_step *to) {
    const fr__plan_bits *bits = &m->poses.bits;
    int32_t at[3], cell[3];
    *to = from;
    if (k < 0) { return true; }
    fr__plan_cell_at(bits, from.cell, at);
    if (k < 6) {
        if (k >= 2 * m->robot->dimension || !fr__plan_neighbor(bits, at, k, cell)) { return false; }
        to->cell = fr__plan_cell_number(bits, cell);
        if (m->distance[to->cell] == FR__PLAN_UNREACHED) { return false; }
        return fr__plan_poses_is_free(&m->poses, fr__plan_stand_slot(m->robot, from.orientation), cell);
    }
    to->orientation = m->robot->next[from.orientation][k - 6];
    if (to->orientation == FR__PLAN_NONE) { return false; }
    uint32_t slot = fr__plan_turning_slot(m->robot, from.orientation, to->orientation, k - 6);
    // Where the turn is free so is its end; asking it makes its mask, which waiting will need.
    return fr__plan_poses_is_free(&m->poses, slot, at) &&
           fr__plan_poses_is_free(&m->poses, fr__plan_stand_slot(m->robot, to->orientation), at);
}

int fr__team_sweep(fr__team_member *m, fr__plan_step from, fr__plan_step to, const fr__plan_mask *masks[2],
                   int32_t at[2][3]) {
    fr__plan_cell_at(&m->poses.bits, from.cell, at[0]);
    fr__plan_cell_at(&m->poses.bits, to.cell, at[1]);
    uint32_t slot = fr__plan_stand_slot(m->robot, from.orientation);
    if (from.orientation != to.orientation) {
        int k = 0;
        while (m->robot->next[from.orientation][k] != to.orientation) {
            k++;
        }
        slot = fr__plan_turning_slot(m->robot, from.orientation, to.orientation, k);
    }
    masks[0] = masks[1] = fr__plan_robot_mask(m->robot, slot);
    return from.cell == to.cell ? 1 : 2;
}

// Sets or clears the cells of a mask.
static void stamp_mask(const fr__plan_bits *b, const fr__plan_mask *mask, const int32_t at[3], bool is_set,
                       uint64_t *words) {
    for (uint32_t i = 0; i < mask->row_count; i++) {
        const fr__plan_row *r = &mask->rows[i];
        size_t row = (size_t)(at[2] + r->z) * b->size + (size_t)(at[1] + r->y);
        uint32_t x = (uint32_t)(at[0] + r->x), bit = x & 63;
        uint64_t *word = words + row * b->row_words + (x >> 6), low = r->bits << bit;
        uint64_t high = bit == 0 ? 0 : r->bits >> (64 - bit);
        *word = is_set ? *word | low : *word & ~low;
        if (high != 0) { word[1] = is_set ? word[1] | high : word[1] & ~high; }
    }
}

void fr__team_stamp(const fr__team *t, fr__team_member *m, fr__plan_step from, fr__plan_step to, bool is_set,
                    uint64_t *words) {
    const fr__plan_mask *masks[2];
    int32_t at[2][3];
    int count = fr__team_sweep(m, from, to, masks, at);
    for (int i = 0; i < count; i++) {
        stamp_mask(&t->bits, masks[i], at[i], is_set, words);
    }
}

bool fr__team_is_clear(const fr__team *t, fr__team_member *m, fr__plan_step from, fr__plan_step to,
                       const uint64_t *words) {
    const fr__plan_mask *masks[2];
    int32_t at[2][3];
    int count = fr__team_sweep(m, from, to, masks, at);
    fr__plan_bits taken = t->bits;
    taken.words = words;
    for (int i = 0; i < count; i++) {
        if (!fr__plan_mask_is_free(masks[i], &taken, at[i])) { return false; }
    }
    return true;
}

bool fr__team_is_goal(const fr__team_member *m, fr__plan_step step) {
    return step.cell == m->goal_cell && (m->goal_orientation == FR__PLAN_NONE ||
                                         fr__plan_orientation_equal(m->robot, step.orientation, m->goal_orientation));
}

double fr__team_step_cost(const fr__team *t, fr__plan_step from, fr__plan_step to) {
    return from.orientation != to.orientation ? t->input->turn_cost : 1.0;
}

// ---------------------------------------------------------------------------------------------------------------
// One robot in space and time

static uint64_t *taken_at(const fr__team *t, uint32_t tick) {
    return t->taken.data + (size_t)(tick < t->ticks ? tick : t->ticks) * t->word_count;
}

// Whether a robot that is at its goal at a tick may stay there for ever.
static bool may_stay(const fr__team *t, fr__team_member *m, fr__plan_step step, uint32_t tick) {
    for (uint32_t i = tick; i <= t->ticks; i++) {
        if (!fr__team_is_clear(t, m, step, step, taken_at(t, i))) { return false; }
    }
    return true;
}

static uint64_t timed_key(const fr__team *t, fr__plan_step step, uint32_t tick) {
    return (uint64_t)tick << TICK_SHIFT | fr__plan_key(&t->bits, step);
}

static fr__plan_step timed_state(const fr__team *t, uint64_t key, uint32_t *tick) {
    *tick = (uint32_t)(key >> TICK_SHIFT);
    return fr__plan_key_state(&t->bits, key & (((uint64_t)1 << TICK_SHIFT) - 1));
}

static bool offer(fr__team *t, fr__team_member *m, fr__plan_step to, uint32_t tick, double cost, uint32_t parent) {
    bool is_new;
    uint64_t key = timed_key(t, to, tick);
    uint32_t index = fr__state_add(&t->table, key, &is_new);
    if (index == FR__STATE_NONE) { return false; }
    fr__team_node *node = is_new ? fr__team_node_array_push(&t->nodes, 1) : &t->nodes.data[index];
    if (node == NULL) { return false; }
    if (!is_new && (node->is_closed || node->cost <= cost)) { return true; }
    *node = (fr__team_node){key, cost, parent, false};
    uint32_t left = m->distance[to.cell];
    return fr__plan_heap_push(&t->heap, (fr__plan_heap_entry){cost + t->input->weight * (double)left, left, index});
}

static bool write_steps(fr__team *t, fr__team_member *m, uint32_t node) {
    const fr__team_node *nodes = t->nodes.data;
    size_t count = 0;
    for (uint32_t i = node; i != FR__STATE_NONE; i = nodes[i].parent) {
        count++;
    }
    m->steps.count = 0;
    fr__plan_step *steps = fr__plan_step_array_push(&m->steps, count);
    if (steps == NULL) { return false; }
    uint32_t tick;
    for (uint32_t i = node; i != FR__STATE_NONE; i = nodes[i].parent) {
        steps[--count] = timed_state(t, nodes[i].key, &tick);
    }
    return true;
}

static bool expand(fr__team *t, fr__team_member *m, uint32_t index) {
    fr__team_node node = t->nodes.data[index];
    uint32_t tick;
    fr__plan_step from = timed_state(t, node.key, &tick), to;
    uint32_t next = tick < t->ticks ? tick + 1 : t->ticks;
    for (int k = -1; k < 12; k++) {
        // Waiting for ever in a world that stands still leads nowhere.
        if ((k < 0 && next == tick) || !fr__team_step(m, from, k, &to)) { continue; }
        if (m->poses.has_failed) { return false; }
        if (!fr__team_is_clear(t, m, from, to, taken_at(t, tick))) { continue; }
        if (!offer(t, m, to, next, node.cost + fr__team_step_cost(t, from, to), index)) { return false; }
    }
    return !m->poses.has_failed;
}

static fr__plan_outcome search_one(fr__team *t, fr__team_member *m) {
    fr__state_table_clear(&t->table);
    t->nodes.count = t->heap.count = 0;
    if (m->distance[m->start.cell] == FR__PLAN_UNREACHED) { return FR__PLAN_NO_PATH; }
    if (!offer(t, m, m->start, 0, 0.0, FR__STATE_NONE)) { return FR__PLAN_NO_MEMORY; }
    uint64_t expanded = 0;
    while (t->heap.count > 0) {
        fr__plan_heap_entry entry = fr__plan_heap_pop(t->heap.data, &t->heap.count);
        fr__team_node *node = &t->nodes.data[entry.node];
        if (node->is_closed) { continue; }
        node->is_closed = true;
        t->expanded++;
        uint32_t tick;
        fr__plan_step state = timed_state(t, node->key, &tick);
        if (fr__team_is_goal(m, state) && may_stay(t, m, state, tick)) {
            return write_steps(t, m, entry.node) ? FR__PLAN_FOUND : FR__PLAN_NO_MEMORY;
        }
        if (++expanded >= t->input->budget) { return FR__PLAN_STOPPED; }
        if (expanded % STOP_STATES == 0 && fr_control_is_stopped(t->input->control)) { return FR__PLAN_STOPPED; }
        if (!expand(t, m, entry.node)) { return FR__PLAN_NO_MEMORY; }
    }
    return FR__PLAN_NO_PATH;
}

// Makes the bitmaps reach to `ticks`: what stood still after the last one does so until then.
static bool lengthen(fr__team *t, uint32_t ticks) {
    if (ticks <= t->ticks) { return true; }
    size_t more = (size_t)(ticks - t->ticks) * t->word_count;
    if (ticks > MAX_TICKS || fr_uint64_array_push(&t->taken, more) == NULL) { return false; }
    uint64_t *words = t->taken.data;
    for (uint32_t i = t->ticks; i < ticks; i++) {
        memcpy(words + (size_t)(i + 1) * t->word_count, words + (size_t)t->ticks * t->word_count,
               t->word_count * sizeof *words);
    }
    t->ticks = ticks;
    return true;
}

static bool take_path(fr__team *t, fr__team_member *m) {
    const fr__plan_step *steps = m->steps.data;
    uint32_t last = (uint32_t)m->steps.count - 1;
    if (!lengthen(t, last)) { return false; }
    for (uint32_t i = 0; i <= t->ticks; i++) {
        fr__plan_step from = steps[i < last ? i : last], to = steps[i < last ? i + 1 : last];
        fr__team_stamp(t, m, from, to, true, taken_at(t, i));
    }
    return true;
}

static fr__plan_outcome try_order(fr__team *t, const uint32_t *order) {
    t->taken.count = 0;
    t->ticks = 0;
    uint64_t *words = fr_uint64_array_push(&t->taken, t->word_count);
    if (words == NULL) { return FR__PLAN_NO_MEMORY; }
    memset(words, 0, t->word_count * sizeof *words);
    for (uint32_t i = 0; i < t->member_count; i++) {
        fr__team_member *m = &t->members[order[i]];
        fr__plan_outcome outcome = search_one(t, m);
        if (outcome != FR__PLAN_FOUND) { return outcome; }
        if (!take_path(t, m)) { return FR__PLAN_NO_MEMORY; }
    }
    return FR__PLAN_FOUND;
}

// ---------------------------------------------------------------------------------------------------------------
// Orders

// The next order in the order of words; false after the last.
static bool next_order(uint32_t *order, uint32_t count) {
    uint32_t i = count - 1;
    while (i > 0 && order[i - 1] > order[i]) {
        i--;
    }
    if (i == 0) { return false; }
    uint32_t j = count - 1;
    while (order[j] < order[i - 1]) {
        j--;
    }
    uint32_t swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
    for (uint32_t a = i, b = count - 1; a < b; a++, b--) {
        swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    return true;
}

static void shuffle(fr_random *random, uint32_t *order, uint32_t count) {
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t j = (uint32_t)fr_random_below(random, i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

static fr__plan_outcome try_orders(fr__team *t, fr_plan_team *out) {
    uint32_t order[FR_PLAN_MAX_TEAM], max = t->input->orders;
    if (max == 0) { max = t->member_count <= ALL_ORDERS ? UINT32_MAX : RANDOM_ORDERS; }
    for (uint32_t i = 0; i < t->member_count; i++) {
        order[i] = i;
    }
    fr_random random = fr_random_seed(t->input->seed);
    out->is_exhausted = true;
    for (;;) {
        fr__plan_outcome outcome = try_order(t, order);
        out->orders++;
        if (outcome == FR__PLAN_FOUND || outcome == FR__PLAN_NO_MEMORY) { return outcome; }
        if (outcome == FR__PLAN_STOPPED) { out->is_exhausted = false; }
        bool is_over = out->orders >= max || fr_control_is_stopped(t->input->control);
        if (!is_over && t->member_count <= ALL_ORDERS) { is_over = !next_order(order, t->member_count); }
        if (is_over) { return FR__PLAN_NO_PATH; }
        if (t->member_count > ALL_ORDERS) { shuffle(&random, order, t->member_count); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The team

static fr_status check_member(const fr__team *t, const fr_plan_member *from, uint32_t number, fr__team_member *m,
                              fr_error *error) {
    int dimension = fr_plan_world_get_def(t->input->world).dimension;
    if (from->robot->dimension != dimension) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "robot %u has %d dimensions in a world of %d", (unsigned)number,
                            from->robot->dimension, dimension);
    }
    fr_status status = fr__plan_check_place(&from->start, error);
    if (status == FR_OK) { status = fr__plan_check_place(&from->goal, error); }
    if (status == FR_OK) { status = fr__plan_check_end(t->input->world, from->robot, &from->start, "start", error); }
    if (status != FR_OK) { return status; }
    fr_plan_place start = fr__plan_tidy_place(dimension, from->start),
                  goal = fr__plan_tidy_place(dimension, from->goal);
    bool is_exact;
    m->start.orientation = fr__plan_orientation_near(m->robot, start.turn_deg, &is_exact);
    const double p[3] = {start.position.x, start.position.y, start.position.z};
    const double q[3] = {goal.position.x, goal.position.y, goal.position.z};
    int32_t at[3] = {0, 0, 0};
    for (int a = 0; a < dimension; a++) {
        at[a] = (int32_t)floor(p[a]);
        m->goal_at[a] = (int32_t)floor(q[a]);
        is_exact = is_exact && p[a] - floor(p[a]) == 0.5;
        if (q[a] < 0.0 || q[a] >= (double)t->bits.size) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the goal of robot %u is out of bounds", (unsigned)number);
        }
    }
    if (!is_exact) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the start of robot %u is not on the lattice", (unsigned)number);
    }
    m->start.cell = fr__plan_cell_number(&t->bits, at);
    m->goal_cell = fr__plan_cell_number(&t->bits, m->goal_at);
    m->goal_orientation =
        from->is_goal_turn_any ? FR__PLAN_NONE : fr__plan_orientation_near(m->robot, goal.turn_deg, &is_exact);
    return FR_OK;
}

static fr_status make_member(fr__team *t, uint32_t number, fr_error *error) {
    const fr_plan_member *from = &t->input->members[number];
    fr__team_member *m = &t->members[number];
    m->robot = from->robot;
    m->steps = fr__plan_step_array_make(&t->allocator);
    fr_status status = check_member(t, from, number, m, error);
    if (status != FR_OK) { return status; }
    m->distance = fr_allocate(&t->allocator, t->cell_count, sizeof *m->distance, 64);
    if (m->distance == NULL || !fr__plan_poses_make(&t->bits, m->robot, &t->allocator, &m->poses) ||
        fr__plan_distances(&m->poses, m->goal_at, m->distance) != FR__PLAN_FOUND) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a team of robots");
    }
    return FR_OK;
}

// No two robots may begin in one cell.
static fr_status check_starts(const fr__team *t, fr_error *error) {
    uint64_t *words = fr_allocate(&t->allocator, t->word_count, sizeof *words, 64);
    if (words == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a team of robots"); }
    memset(words, 0, t->word_count * sizeof *words);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < t->member_count && status == FR_OK; i++) {
        fr__team_member *m = &t->members[i];
        if (fr__plan_robot_mask(m->robot, fr__plan_stand_slot(m->robot, m->start.orientation)) == NULL) {
            status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a team of robots");
        } else if (!fr__team_is_clear(t, m, m->start, m->start, words)) {
            status = fr_error_set(error, FR_ERROR_ARGUMENT, "the start of robot %u is in another robot", (unsigned)i);
        } else {
            fr__team_stamp(t, m, m->start, m->start, true, words);
        }
    }
    fr_deallocate(&t->allocator, words, t->word_count, sizeof *words);
    return status;
}

static bool write_path(fr__team *t, const fr__team_member *m, fr_cell_path *path) {
    const fr__plan_step *steps = m->steps.data;
    path->allocator = t->allocator;
    path->states = fr_allocate(&t->allocator, m->steps.count, sizeof *path->states, _Alignof(fr_plan_state));
    if (path->states == NULL) { return false; }
    for (size_t i = 0; i < m->steps.count; i++) {
        path->states[i] = (fr_plan_state){fr__plan_step_place(&t->bits, m->robot, steps[i]), (uint32_t)i};
        path->length += i > 0 && steps[i].cell != steps[i - 1].cell ? 1.0 : 0.0;
        path->turns += i > 0 && steps[i].orientation != steps[i - 1].orientation;
    }
    path->state_count = (uint32_t)m->steps.count;
    path->is_found = path->is_checked = true;
    path->tested = m->poses.tested;
    return true;
}

static fr_status write_team(fr__team *t, fr_plan_team *out, fr_error *error) {
    out->paths = fr_allocate(&t->allocator, t->member_count, sizeof *out->paths, _Alignof(fr_cell_path));
    if (out->paths == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for paths of a team"); }
    memset(out->paths, 0, t->member_count * sizeof *out->paths);
    out->path_count = t->member_count;
    for (uint32_t i = 0; i < t->member_count; i++) {
        const fr__team_member *m = &t->members[i];
        if (!write_path(t, m, &out->paths[i])) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for paths of a team");
        }
        uint32_t ticks = (uint32_t)m->steps.count - 1;
        out->ticks = ticks > out->ticks ? ticks : out->ticks;
    }
    return FR_OK;
}

static fr_status check_input(const fr_plan_team_input *input, fr_error *error) {
    if (input->member_count < 1 || input->member_count > FR_PLAN_MAX_TEAM) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a team of %u robots; 1 .. %d are known",
                            (unsigned)input->member_count, FR_PLAN_MAX_TEAM);
    }
    if (!(input->weight >= 1.0 && input->weight <= 1000.0) || !(input->turn_cost >= 0.0 && input->turn_cost <= 1e6) ||
        input->budget == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "a weight of %g (1 .. 1000), turns of %g (0 .. 1e6) and a budget that is not 0",
                            input->weight, input->turn_cost);
    }
    return FR_OK;
}

static fr_status find_paths(fr__team *t, fr_plan_team *out, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < t->member_count && status == FR_OK; i++) {
        status = make_member(t, i, error);
    }
    if (status == FR_OK) { status = check_starts(t, error); }
    if (status != FR_OK) { return status; }
    fr__plan_outcome outcome = try_orders(t, out);
    if (outcome == FR__PLAN_NO_PATH && t->member_count == 2 && !fr_control_is_stopped(t->input->control)) {
        outcome = fr__team_search_both(t);
        out->is_joint = outcome == FR__PLAN_FOUND;
        // All that two robots can do was searched: what one order did not finish does not count any more.
        out->is_exhausted = outcome == FR__PLAN_NO_PATH;
    }
    if (outcome == FR__PLAN_NO_MEMORY) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a search of a team");
    }
    out->is_found = outcome == FR__PLAN_FOUND;
    out->is_exhausted = out->is_exhausted && !out->is_found;
    out->expanded = t->expanded;
    return out->is_found ? write_team(t, out, error) : FR_OK;
}

fr_status fr_plan_team_find(const fr_plan_team_input *input, fr_plan_team *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (input->cookie != TEAM_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_team_input"); }
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__team t = {.input = input,
                  .allocator = fr_allocator_or_default(&input->allocator),
                  .bits = fr__plan_world_bits(input->world),
                  .member_count = input->member_count};
    out->allocator = t.allocator;
    t.word_count = (size_t)t.bits.layers * t.bits.size * t.bits.row_words;
    t.cell_count = (size_t)t.bits.layers * t.bits.size * t.bits.size;
    t.taken = fr_uint64_array_make(&t.allocator);
    t.nodes = fr__team_node_array_make(&t.allocator);
    t.heap = fr__plan_heap_array_make(&t.allocator);
    t.table = fr__state_table_make(&t.allocator);
    t.members = fr_allocate(&t.allocator, t.member_count, sizeof *t.members, _Alignof(fr__team_member));
    if (t.members == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a team of robots"); }
    memset(t.members, 0, t.member_count * sizeof *t.members);
    status = find_paths(&t, out, error);
    for (uint32_t i = 0; i < t.member_count; i++) {
        fr__plan_poses_free(&t.members[i].poses);
        fr__plan_step_array_destroy(&t.members[i].steps);
        fr_deallocate(&t.allocator, t.members[i].distance, t.cell_count, sizeof *t.members[i].distance);
    }
    fr_deallocate(&t.allocator, t.members, t.member_count, sizeof *t.members);
    fr__state_table_free(&t.table);
    fr_uint64_array_destroy(&t.taken);
    fr__team_node_array_destroy(&t.nodes);
    fr__plan_heap_array_destroy(&t.heap);
    if (status != FR_OK) { fr_plan_team_destroy(out); }
    return status;
}

void fr_plan_team_destroy(fr_plan_team *team) {
    if (team == NULL) { return; }
    for (uint32_t i = 0; i < team->path_count; i++) {
        fr_cell_path_destroy(&team->paths[i]);
    }
    if (team->paths != NULL) { fr_deallocate(&team->allocator, team->paths, team->path_count, sizeof *team->paths); }
    memset(team, 0, sizeof *team);
}
