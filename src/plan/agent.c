// A robot among obstacles that move: each tick it looks whether the world is another one, then takes a step.
#include "plan/incremental.h"
#include "plan/lattice.h"

#include <string.h>

#define AGENT_COOKIE 0x506c4167u

struct fr_plan_agent {
    fr_plan_agent_def def;
    fr_allocator allocator;
    uint64_t version;
    uint64_t *words; // the world's as last seen
    size_t word_count, cell_count;
    fr__plan_poses poses; // over `words`
    bool is_entered;      // the robot is on the lattice
    fr__plan_step at;
    fr_plan_place place;
    uint32_t tick;
    int32_t goal_at[3];
    uint32_t goal_cell, goal_orientation; // FR__PLAN_NONE: any
    uint32_t *distance;                   // of every cell to the goal's; made when a search first needs it
    bool has_distance;
    bool is_new; // the searches below know nothing of the world as it is

    fr__plan_search search; // FR_PLAN_ASTAR: its steps are the path
    size_t next;            // step to take
    bool has_path;
    bool has_no_path; // in the world as it is

    fr__state_table table; // FR_PLAN_RTA and FR_PLAN_LRTA: states with a cost of their own
    fr_double_array learnt;

    fr__plan_incremental incremental; // FR_PLAN_DSTAR
    fr_plan_agent_stats stats;
};

fr_plan_agent_def fr_default_plan_agent_def(void) {
    return (fr_plan_agent_def){
        .is_goal_turn_any = true, .method = FR_PLAN_ASTAR, .weight = 1.0, .turn_cost = 3.0, .cookie = AGENT_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Observing

// Takes over the world's cells. Returns whether any changed, and where.
static bool look(fr_plan_agent *a, int32_t low[3], int32_t high[3]) {
    if (fr_plan_world_version(a->def.world) == a->version) { return false; }
    a->version = fr_plan_world_version(a->def.world);
    fr__plan_bits now = fr__plan_world_bits(a->def.world);
    for (int k = 0; k < 3; k++) {
        low[k] = INT32_MAX;
        high[k] = 0;
    }
    for (size_t i = 0; i < a->word_count; i++) {
        uint64_t changed = now.words[i] ^ a->words[i];
        if (changed == 0) { continue; }
        a->words[i] = now.words[i];
        int32_t x = (int32_t)(i % now.row_words) * 64;
        size_t row = i / now.row_words;
        const int32_t from[3] = {x + __builtin_ctzll(changed), (int32_t)(row % now.size), (int32_t)(row / now.size)};
        const int32_t to[3] = {x + 64 - __builtin_clzll(changed), from[1] + 1, from[2] + 1};
        for (int k = 0; k < 3; k++) {
            low[k] = from[k] < low[k] ? from[k] : low[k];
            high[k] = to[k] > high[k] ? to[k] : high[k];
        }
    }
    return high[0] > 0;
}

static bool need_distance(fr_plan_agent *a) {
    if (a->has_distance) { return true; }
    a->has_distance = fr__plan_distances(&a->poses, a->goal_at, a->distance) == FR__PLAN_FOUND;
    return a->has_distance;
}

// Whether the step from one state to the next, its neighbour, is free in the world as it is.
static bool is_step_free(fr_plan_agent *a, fr__plan_step from, fr__plan_step to) {
    const fr_plan_robot *robot = a->def.robot;
    int32_t at[3];
    fr__plan_cell_at(&a->poses.bits, to.cell, at);
    if (from.orientation == to.orientation) {
        return fr__plan_poses_is_free(&a->poses, fr__plan_stand_slot(robot, to.orientation), at);
    }
    for (int k = 0; k < 6; k++) {
        if (robot->next[from.orientation][k] != to.orientation) { continue; }
        uint32_t slot = fr__plan_turning_slot(robot, from.orientation, to.orientation, k);
        if (fr__plan_poses_is_free(&a->poses, slot, at)) { return true; }
    }
    return false;
}

static bool is_path_free(fr_plan_agent *a) {
    const fr__plan_step *steps = a->search.steps.data;
    fr__plan_step at = a->at;
    for (size_t i = a->next; i < a->search.steps.count; i++) {
        if (!is_step_free(a, at, steps[i])) { return false; }
        at = steps[i];
    }
    return true;
}

static bool observe(fr_plan_agent *a) {
    int32_t low[3], high[3];
    if (!look(a, low, high)) { return true; }
    a->stats.changes++;
    fr__plan_poses_reset(&a->poses, &a->poses.bits);
    a->has_distance = false;
    a->has_no_path = false;
    fr__state_table_clear(&a->table);
    a->learnt.count = 0;
    if (a->def.method == FR_PLAN_DSTAR && !a->is_new) {
        a->stats.repairs++;
        return fr__plan_incremental_change(&a->incremental, low, high);
    }
    a->has_path = a->has_path && is_path_free(a);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

static bool is_goal_turn(uint32_t orientation, void *context) {
    const fr_plan_agent *a = context;
    return a->goal_orientation == FR__PLAN_NONE ||
           fr__plan_orientation_equal(a->def.robot, orientation, a->goal_orientation);
}

static bool is_at_goal(fr_plan_agent *a) { return a->at.cell == a->goal_cell && is_goal_turn(a->at.orientation, a); }

static fr__plan_outcome step_by_path(fr_plan_agent *a, fr__plan_step *next) {
    if (!a->has_path) {
        if (a->has_no_path) { return FR__PLAN_NO_PATH; }
        fr__plan_wave wave;
        int32_t at[3];
        fr__plan_cell_at(&a->poses.bits, a->at.cell, at);
        if (!fr__plan_wave_make(&a->poses, a->goal_at, at, a->def.weight < FR__PLAN_WHOLE_WEIGHT, &wave)) {
            return FR__PLAN_NO_MEMORY;
        }
        a->search.weight = a->def.weight;
        a->search.turn_cost = a->def.turn_cost;
        a->search.wave = &wave;
        a->search.control = a->def.control;
        a->search.poses = &a->poses;
        a->search.is_goal = is_goal_turn;
        a->search.goal_context = a;
        a->stats.plans++;
        fr__plan_outcome outcome = fr__plan_search_run(&a->search, a->at);
        fr__plan_wave_free(&wave, &a->allocator);
        a->stats.expanded += a->search.expanded;
        a->has_no_path = outcome == FR__PLAN_NO_PATH;
        if (outcome != FR__PLAN_FOUND) { return outcome; }
        a->stats.cost = a->search.cost;
        a->has_path = true;
        a->next = 1;
    }
    *next = a->search.steps.data[a->next++];
    return FR__PLAN_FOUND;
}

// What a state costs to the goal, as learnt or by the wavefront.
static double estimate(const fr_plan_agent *a, fr__plan_step state) {
    uint32_t index = fr__state_find(&a->table, fr__plan_key(&a->poses.bits, state));
    if (index != FR__STATE_NONE) { return a->learnt.data[index]; }
    uint32_t steps = a->distance[state.cell];
    return steps == FR__PLAN_UNREACHED ? INFINITY : (double)steps;
}

static bool learn(fr_plan_agent *a, double cost) {
    bool is_new;
    uint32_t index = fr__state_add(&a->table, fr__plan_key(&a->poses.bits, a->at), &is_new);
    if (index == FR__STATE_NONE) { return false; }
    if (is_new && fr_double_array_push(&a->learnt, 1) == NULL) {
        fr__state_table_clear(&a->table);
        a->learnt.count = 0;
        return false;
    }
    a->learnt.data[index] = cost;
    return true;
}

// Korf: to the best neighbour; what is left behind is worth what the second best would cost, since the robot would only
// come back to go there. LRTA* remembers the best.
static fr__plan_outcome step_by_looking(fr_plan_agent *a, fr__plan_step *next) {
    if (!need_distance(a)) { return FR__PLAN_NO_MEMORY; }
    const fr_plan_robot *robot = a->def.robot;
    const fr__plan_bits *bits = &a->poses.bits;
    int32_t at[3];
    fr__plan_cell_at(bits, a->at.cell, at);
    double best = INFINITY, second = INFINITY;
    for (int k = 0; k < 12; k++) {
        fr__plan_step to = a->at;
        int32_t cell[3] = {at[0], at[1], at[2]};
        uint32_t slot;
        if (k < 6) {
            if (k >= 2 * robot->dimension || !fr__plan_neighbor(bits, at, k, cell)) { continue; }
            to.cell = fr__plan_cell_number(bits, cell);
            slot = fr__plan_stand_slot(robot, to.orientation);
        } else {
            to.orientation = robot->next[a->at.orientation][k - 6];
            if (to.orientation == FR__PLAN_NONE) { continue; }
            slot = fr__plan_turning_slot(robot, a->at.orientation, to.orientation, k - 6);
        }
        double cost = (k < 6 ? 1.0 : a->def.turn_cost) + estimate(a, to);
        // What cannot be second need not be free.
        if (cost >= second || !fr__plan_poses_is_free(&a->poses, slot, cell)) { continue; }
        if (cost < best) {
            second = best;
            best = cost;
            *next = to;
        } else {
            second = cost;
        }
    }
    a->stats.expanded++;
    if (a->poses.has_failed) { return FR__PLAN_NO_MEMORY; }
    if (best == INFINITY) { return FR__PLAN_NO_PATH; }
    return learn(a, a->def.method == FR_PLAN_RTA ? second : best) ? FR__PLAN_FOUND : FR__PLAN_NO_MEMORY;
}

static fr__plan_outcome step_by_mending(fr_plan_agent *a, fr__plan_step *next) {
    if (a->is_new) {
        a->incremental.poses = &a->poses;
        a->incremental.turn_cost = a->def.turn_cost;
        a->incremental.goal_cell = a->goal_cell;
        a->incremental.goal_orientation = a->goal_orientation;
        a->incremental.control = a->def.control;
        a->stats.plans++;
        if (!fr__plan_incremental_begin(&a->incremental, a->at)) { return FR__PLAN_NO_MEMORY; }
        a->is_new = false;
    }
    uint64_t before = a->incremental.expanded;
    double cost = INFINITY;
    fr__plan_outcome outcome = fr__plan_incremental_next(&a->incremental, next, &cost);
    a->stats.expanded += a->incremental.expanded - before;
    if (outcome == FR__PLAN_FOUND) { a->stats.cost = cost; }
    return outcome;
}

// ---------------------------------------------------------------------------------------------------------------
// Overrun

// Neighbour number k of 12, free or not; false where there is none.
static bool beside(const fr_plan_agent *a, fr__plan_step from, int k, fr__plan_step *out) {
    const fr_plan_robot *robot = a->def.robot;
    int32_t at[3], to[3];
    *out = from;
    if (k >= 6) {
        out->orientation = robot->next[from.orientation][k - 6];
        return out->orientation != FR__PLAN_NONE;
    }
    fr__plan_cell_at(&a->poses.bits, from.cell, at);
    if (k >= 2 * robot->dimension || !fr__plan_neighbor(&a->poses.bits, at, k, to)) { return false; }
    out->cell = fr__plan_cell_number(&a->poses.bits, to);
    return true;
}

// The first step of the shortest path to a free state, whatever is in between: breadth first over all states. Takes the
// search's table and nodes, which hold no path now.
static fr__plan_outcome step_out(fr_plan_agent *a, fr__plan_step *next) {
    const fr__plan_bits *bits = &a->poses.bits;
    fr__plan_search *s = &a->search;
    fr__state_table_clear(&s->table);
    s->nodes.count = 0;
    bool is_new;
    uint32_t found = fr__state_add(&s->table, fr__plan_key(bits, a->at), &is_new);
    fr__plan_node *node = found == FR__STATE_NONE ? NULL : fr__plan_node_array_push(&s->nodes, 1);
    if (node == NULL) { return FR__PLAN_NO_MEMORY; }
    *node = (fr__plan_node){fr__plan_key(bits, a->at), 0.0, FR__STATE_NONE, 0};
    for (uint32_t head = 0; head < s->nodes.count; head++) {
        fr__plan_step from = fr__plan_key_state(bits, s->nodes.data[head].key), to;
        for (int k = 0; k < 12; k++) {
            if (!beside(a, from, k, &to)) { continue; }
            found = fr__state_add(&s->table, fr__plan_key(bits, to), &is_new);
            if (found == FR__STATE_NONE) { return FR__PLAN_NO_MEMORY; }
            if (!is_new) { continue; }
            node = fr__plan_node_array_push(&s->nodes, 1);
            if (node == NULL) { return FR__PLAN_NO_MEMORY; }
            *node = (fr__plan_node){fr__plan_key(bits, to), 0.0, head, 0};
            int32_t cell[3];
            fr__plan_cell_at(bits, to.cell, cell);
            if (!fr__plan_poses_is_free(&a->poses, fr__plan_stand_slot(a->def.robot, to.orientation), cell)) {
                continue;
            }
            const fr__plan_node *nodes = s->nodes.data;
            while (nodes[found].parent != 0) {
                found = nodes[found].parent;
            }
            *next = fr__plan_key_state(bits, nodes[found].key);
            return FR__PLAN_FOUND;
        }
        if (a->poses.has_failed) { return FR__PLAN_NO_MEMORY; }
    }
    return FR__PLAN_NO_PATH;
}

// ---------------------------------------------------------------------------------------------------------------
// Ticks

static void go_to(fr_plan_agent *a, fr__plan_step next) {
    a->at = next;
    a->place = fr__plan_step_place(&a->poses.bits, a->def.robot, next);
    if (a->def.method == FR_PLAN_DSTAR && !a->is_new) { fr__plan_incremental_move(&a->incremental, next); }
}

// After a failure nothing that was searched is trusted.
static fr_status fail_tick(fr_plan_agent *a, fr_error *error) {
    a->is_new = true;
    a->has_path = a->has_distance = a->has_no_path = false;
    a->poses.has_failed = false;
    fr__plan_poses_reset(&a->poses, &a->poses.bits);
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an agent's tick");
}

// Goes to the lattice, where that can be proven. *is_used says that this was the tick; not where the robot stood on the
// lattice already. A robot that is overrun off the lattice goes to where it is nearest.
static fr_status enter(fr_plan_agent *a, fr_plan_event *event, bool *is_used, fr_error *error) {
    fr__plan_place_array places = fr__plan_place_array_make(&a->allocator);
    fr__plan_step step = {0, 0};
    fr__plan_proof proof = fr__plan_enter(&a->poses.bits, a->def.robot, &a->place, &step, &places);
    *is_used = places.count > 0 || proof != FR__PLAN_FREE;
    fr__plan_place_array_destroy(&places);
    fr__plan_proof stands = FR__PLAN_FREE;
    if (proof == FR__PLAN_NOT_FREE) {
        stands = fr__plan_prove_place(&a->poses.bits, a->def.robot, &a->place, 0.0, NULL);
    }
    if (proof == FR__PLAN_PROOF_NO_MEMORY || stands == FR__PLAN_PROOF_NO_MEMORY) { return fail_tick(a, error); }
    if (stands == FR__PLAN_NOT_FREE) {
        bool is_exact;
        const int32_t at[3] = {(int32_t)floor(a->place.position.x), (int32_t)floor(a->place.position.y),
                               (int32_t)floor(a->place.position.z)};
        step.orientation = fr__plan_orientation_near(a->def.robot, a->place.turn_deg, &is_exact);
        step.cell = fr__plan_cell_number(&a->poses.bits, at);
        *event = FR_PLAN_OVERRUN;
        a->stats.overruns++;
    } else if (proof == FR__PLAN_FREE && *is_used) {
        *event = FR_PLAN_MOVED;
        a->stats.moves++;
    } else if (proof == FR__PLAN_NOT_FREE) {
        a->stats.waits++;
        return FR_OK;
    }
    a->is_entered = true;
    go_to(a, step);
    return FR_OK;
}

static fr__plan_outcome choose(fr_plan_agent *a, fr__plan_step *next) {
    switch (a->def.method) {
    case FR_PLAN_ASTAR: return step_by_path(a, next);
    case FR_PLAN_DSTAR: return step_by_mending(a, next);
    default: return step_by_looking(a, next);
    }
}

fr_status fr_plan_agent_tick(fr_plan_agent *a, fr_plan_event *event, fr_error *error) {
    FR_ASSERT(a != NULL && event != NULL);
    *event = FR_PLAN_WAIT;
    if (!observe(a)) { return fail_tick(a, error); }
    if (!a->is_entered) {
        bool is_used;
        fr_status status = enter(a, event, &is_used, error);
        if (status != FR_OK) { return status; }
        if (is_used) {
            a->tick++;
            return FR_OK;
        }
    }
    fr__plan_step next = a->at;
    int32_t at[3];
    fr__plan_cell_at(&a->poses.bits, a->at.cell, at);
    bool is_free = fr__plan_poses_is_free(&a->poses, fr__plan_stand_slot(a->def.robot, a->at.orientation), at);
    if (a->poses.has_failed) { return fail_tick(a, error); }
    fr__plan_outcome outcome = FR__PLAN_NO_PATH;
    if (!is_free) {
        a->has_path = false;
        outcome = step_out(a, &next);
        *event = FR_PLAN_OVERRUN;
        a->stats.overruns++;
    } else if (is_at_goal(a)) {
        *event = FR_PLAN_GOAL;
    } else {
        outcome = choose(a, &next);
        bool is_turn = next.orientation != a->at.orientation;
        *event = outcome != FR__PLAN_FOUND ? FR_PLAN_WAIT : is_turn ? FR_PLAN_TURNED : FR_PLAN_MOVED;
    }
    if (outcome == FR__PLAN_NO_MEMORY) { return fail_tick(a, error); }
    if (outcome == FR__PLAN_FOUND) { go_to(a, next); }
    a->stats.moves += *event == FR_PLAN_MOVED;
    a->stats.turns += *event == FR_PLAN_TURNED;
    a->stats.waits += *event == FR_PLAN_WAIT;
    a->tick++;
    return FR_OK;
}

fr_plan_state fr_plan_agent_state(const fr_plan_agent *a) { return (fr_plan_state){a->place, a->tick}; }

fr_plan_agent_stats fr_plan_agent_get_stats(const fr_plan_agent *a) {
    fr_plan_agent_stats stats = a->stats;
    stats.tested = a->poses.tested;
    return stats;
}

// ---------------------------------------------------------------------------------------------------------------
// Making and freeing

static bool is_outside(const fr__plan_bits *bits, int dimension, fr_vec3 p) {
    double n = (double)bits->size;
    bool is_flat_in = p.x >= 0.0 && p.x < n && p.y >= 0.0 && p.y < n;
    return !(is_flat_in && (dimension == 2 || (p.z >= 0.0 && p.z < n)));
}

static fr_status check_def(const fr_plan_agent_def *def, fr_error *error) {
    fr_plan_world_def world = fr_plan_world_get_def(def->world);
    fr__plan_bits bits = fr__plan_world_bits(def->world);
    if (world.dimension != def->robot->dimension) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a robot of %d dimensions in a world of %d",
                            def->robot->dimension, world.dimension);
    }
    if (!(def->weight >= 1.0 && def->weight <= 1000.0) || !(def->turn_cost >= 0.0 && def->turn_cost <= 1e6)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a weight of %g (1 .. 1000) and turns of %g (0 .. 1e6)",
                            def->weight, def->turn_cost);
    }
    if ((int)def->method < 0 || def->method > FR_PLAN_DSTAR) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "method %d is not known", (int)def->method);
    }
    fr_status status = fr__plan_check_place(&def->start, error);
    if (status == FR_OK) { status = fr__plan_check_place(&def->goal, error); }
    if (status != FR_OK) { return status; }
    bool is_start = is_outside(&bits, world.dimension, def->start.position);
    if (!is_start && !is_outside(&bits, world.dimension, def->goal.position)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s of an agent is out of bounds", is_start ? "start" : "goal");
}

fr_status fr_plan_agent_create(const fr_plan_agent_def *def, fr_plan_agent **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != AGENT_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_agent_def"); }
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_plan_agent *a = fr_allocate(&allocator, 1, sizeof *a, _Alignof(fr_plan_agent));
    if (a == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an agent"); }
    memset(a, 0, sizeof *a);
    a->def = *def;
    a->allocator = allocator;
    a->search = fr__plan_search_make(&allocator);
    a->table = fr__state_table_make(&allocator);
    a->learnt = fr_double_array_make(&allocator);
    a->incremental = fr__plan_incremental_make(&allocator);
    fr__plan_bits bits = fr__plan_world_bits(def->world);
    a->word_count = (size_t)bits.layers * bits.size * bits.row_words;
    a->cell_count = (size_t)bits.layers * bits.size * bits.size;
    a->words = fr_allocate(&allocator, a->word_count, sizeof *a->words, 64);
    a->distance = fr_allocate(&allocator, a->cell_count, sizeof *a->distance, 64);
    bool is_made = a->words != NULL && a->distance != NULL;
    if (is_made) {
        memcpy(a->words, bits.words, a->word_count * sizeof *a->words);
        bits.words = a->words;
        is_made = fr__plan_poses_make(&bits, def->robot, &allocator, &a->poses);
    }
    if (!is_made) {
        fr_plan_agent_destroy(a);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an agent");
    }
    a->version = fr_plan_world_version(def->world);
    a->is_new = true;
    a->place = fr__plan_tidy_place(def->robot->dimension, def->start);
    fr_plan_place goal = fr__plan_tidy_place(def->robot->dimension, def->goal);
    a->goal_at[0] = (int32_t)floor(goal.position.x);
    a->goal_at[1] = (int32_t)floor(goal.position.y);
    a->goal_at[2] = (int32_t)floor(goal.position.z);
    a->goal_cell = fr__plan_cell_number(&bits, a->goal_at);
    bool is_exact;
    a->goal_orientation =
        def->is_goal_turn_any ? FR__PLAN_NONE : fr__plan_orientation_near(def->robot, goal.turn_deg, &is_exact);
    *out = a;
    return FR_OK;
}

void fr_plan_agent_destroy(fr_plan_agent *a) {
    if (a == NULL) { return; }
    fr_allocator allocator = a->allocator;
    fr__plan_poses_free(&a->poses);
    fr__plan_search_free(&a->search);
    fr__plan_incremental_free(&a->incremental);
    fr__state_table_free(&a->table);
    fr_double_array_destroy(&a->learnt);
    fr_deallocate(&allocator, a->words, a->word_count, sizeof *a->words);
    fr_deallocate(&allocator, a->distance, a->cell_count, sizeof *a->distance);
    fr_deallocate(&allocator, a, 1, sizeof *a);
}
