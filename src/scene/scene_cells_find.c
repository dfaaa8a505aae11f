// Searches among the cells of a scene's plan: over a world that stands, tick by tick in one that changes, and for
// several robots at once.
#include "scene/scene_cells.h"

#include <math.h>
#include <string.h>

// A run ends so many ticks after the last motion of the scene at the latest: RTA* and LRTA* learn on their path and go
// through many states more than once.
#define STILL_TICKS 100000

// ---------------------------------------------------------------------------------------------------------------
// One robot

static fr_status add_state(fr_scene_cells *c, const fr_plan_place *place, uint32_t tick, fr_error *error) {
    fr_plan_state *state = fr__cell_state_array_push(&c->states, 1);
    if (state == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path"); }
    *state = (fr_plan_state){*place, tick};
    return FR_OK;
}

static fr_status take_path(fr_scene_cells *c, const fr_cell_path *path, fr_path *out, fr_scene_cells_result *result,
                           fr_error *error) {
    out->is_found = path->is_found;
    out->is_checked = path->is_found && path->is_checked;
    result->is_exhausted = path->is_exhausted;
    result->expanded = path->expanded;
    result->tested = path->tested;
    fr_status status = FR_OK;
    for (uint32_t i = 0; path->is_found && i < path->state_count && status == FR_OK; i++) {
        status = add_state(c, &path->states[i].place, path->states[i].tick, error);
    }
    return status;
}

static fr_status make_robot(fr_scene_cells *c, const fr_tasks *tasks, fr_scene_cells_result *result, fr_error *error) {
    if (c->robot != NULL) { return FR_OK; }
    fr_plan_robot_def def = fr_default_plan_robot_def();
    uint64_t begin = fr_clock_ns();
    def.shape = c->shape;
    def.dimension = c->plan->dimension;
    def.alpha_deg = c->plan->alpha_deg;
    def.tasks = tasks;
    def.allocator = c->allocator;
    fr_status status = fr_plan_robot_create(&def, &c->robot, error);
    result->robot_ms += fr_clock_ms_since(begin);
    return status;
}

static fr_status search_lattice(fr_scene_cells *c, const fr_control *control, fr_path *out,
                                fr_scene_cells_result *result, fr_error *error) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = c->world;
    input.robot = c->robot;
    input.start = fr_scene_cells_place(c, &c->plan->start);
    input.goal = fr_scene_cells_place(c, &c->plan->goal);
    input.is_goal_turn_any = c->plan->is_goal_turn_any;
    input.weight = c->plan->weight;
    input.turn_cost = c->plan->turn_cost;
    input.field_cost = c->plan->field_cost;
    input.control = control;
    fr_cell_path path;
    fr_status status = fr_plan_cells(&input, &path, error);
    if (status != FR_OK) { return status; }
    status = take_path(c, &path, out, result, error);
    fr_cell_path_destroy(&path);
    return status;
}

// A robot among things that move: what the scene holds at t_K is what it sees at tick K.
static fr_status run_agent(fr_scene_cells *c, const fr_control *control, fr_path *out, fr_scene_cells_result *result,
                           fr_error *error) {
    static const fr_plan_method methods[] = {[FR_SCENE_SEARCH_ASTAR] = FR_PLAN_ASTAR,
                                             [FR_SCENE_SEARCH_RTA] = FR_PLAN_RTA,
                                             [FR_SCENE_SEARCH_LRTA] = FR_PLAN_LRTA,
                                             [FR_SCENE_SEARCH_DSTAR] = FR_PLAN_DSTAR};
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = c->world;
    def.robot = c->robot;
    def.start = fr_scene_cells_place(c, &c->plan->start);
    def.goal = fr_scene_cells_place(c, &c->plan->goal);
    def.is_goal_turn_any = c->plan->is_goal_turn_any;
    def.method = methods[c->plan->search];
    def.weight = c->plan->weight;
    def.turn_cost = c->plan->turn_cost;
    def.control = control;
    fr_plan_agent *agent;
    fr_status status = fr_plan_agent_create(&def, &agent, error);
    if (status != FR_OK) { return status; }
    const uint32_t steps = fr_scene_cells_is_moving(c) ? fr_scene_get(c->scene)->steps : 0;
    result->max_ticks = steps < UINT32_MAX - STILL_TICKS ? steps + STILL_TICKS : UINT32_MAX;
    status = add_state(c, &def.start, 0, error);
    bool was_overrun = false, is_over = false;
    for (uint32_t k = 0; k < result->max_ticks && status == FR_OK && !out->is_found && !is_over; k++) {
        fr_plan_event event = FR_PLAN_WAIT;
        if (k > 0 && k <= steps) { status = fr_scene_cells_observe(c, k, error); }
        if (status == FR_OK) { status = fr_plan_agent_tick(agent, &event, error); }
        out->is_found = event == FR_PLAN_GOAL;
        was_overrun = was_overrun || event == FR_PLAN_OVERRUN;
        // Who waits when nothing moves any more waits for ever.
        is_over = fr_control_is_stopped(control) || (event == FR_PLAN_WAIT && k > steps);
        result->waits += event == FR_PLAN_WAIT ? 1 : 0;
        result->ticks = k + 1;
        fr_plan_state state = fr_plan_agent_state(agent);
        if (status == FR_OK && !out->is_found) { status = add_state(c, &state.place, k + 1, error); }
    }
    fr_plan_agent_stats stats = fr_plan_agent_get_stats(agent);
    result->expanded = stats.expanded;
    result->tested = stats.tested;
    out->is_checked = out->is_found && !was_overrun;
    out->is_partial = fr_control_is_stopped(control);
    fr_plan_agent_destroy(agent);
    return status;
}

fr_status fr_scene_cells_path(const fr_scene_cells *c, const fr_plan_state *states, uint32_t count, fr_path *out,
                              fr_error *error) {
    out->state_count = count;
    out->allocator = c->allocator;
    if (!out->is_found || out->state_count == 0) {
        out->state_count = 0;
        return FR_OK;
    }
    out->states = fr_allocate(&out->allocator, out->state_count, sizeof *out->states, 16);
    if (out->states == NULL) {
        out->state_count = 0;
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
    }
    for (uint32_t i = 0; i < out->state_count; i++) {
        out->states[i] = fr_scene_cells_pose(c, &states[i].place);
        if (i == 0) { continue; }
        fr_motion m = fr_motion_between(&out->states[i - 1], &out->states[i], fr_vec3_make(0.0, 0.0, 0.0));
        double turn = fr_vec3_length(m.turn);
        out->length += fr_vec3_length(m.travel);
        out->turning += turn;
        out->turns += turn > 1e-9 ? 1 : 0;
    }
    return FR_OK;
}

static fr_status give_states(const fr_scene_cells *c, fr_path *out, fr_error *error) {
    return fr_scene_cells_path(c, c->states.data, (uint32_t)c->states.count, out, error);
}

static void set_outcome(fr_path *out, bool is_exhausted) {
    out->outcome = out->is_found ? FR_PATH_FOUND : is_exhausted ? FR_PATH_NONE_AT_RESOLUTION : FR_PATH_NOT_FOUND;
}

fr_status fr_scene_cells_find(fr_scene_cells *c, const fr_tasks *tasks, const fr_control *control, fr_path *out,
                              fr_scene_cells_result *result, fr_error *error) {
    FR_ASSERT(c != NULL && out != NULL && result != NULL);
    memset(out, 0, sizeof *out);
    memset(result, 0, sizeof *result);
    fr_scene_plan_search kind = c->plan->search;
    if (kind == FR_SCENE_SEARCH_BEST || kind == FR_SCENE_SEARCH_HILL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "the search is one of the sources' own methods");
    }
    c->states.count = 0;
    fr_status status = make_robot(c, tasks, result, error);
    uint64_t begin = fr_clock_ns();
    bool is_still = kind == FR_SCENE_SEARCH_ASTAR && !fr_scene_cells_is_moving(c);
    if (status == FR_OK) {
        status = is_still ? search_lattice(c, control, out, result, error) : run_agent(c, control, out, result, error);
    }
    out->search_ms = fr_clock_ms_since(begin);
    out->moves = result->tested;
    out->nodes = (uint32_t)fmin((double)result->expanded, 4e9);
    set_outcome(out, result->is_exhausted);
    if (status == FR_OK) { status = give_states(c, out, error); }
    if (status != FR_OK) { fr_path_destroy(out); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Several robots

// Makes the robots of all plans, which are in the first one's world.
static fr_status make_team(fr_scene_cells *const *members, uint32_t count, const fr_tasks *tasks, fr_plan_member *out,
                           fr_scene_cells_result *result, fr_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        fr_scene_cells *c = members[i];
        fr_status status = make_robot(c, tasks, result, error);
        if (status != FR_OK) { return status; }
        out[i] = (fr_plan_member){c->robot, fr_scene_cells_place(c, &c->plan->start),
                                  fr_scene_cells_place(c, &c->plan->goal), c->plan->is_goal_turn_any};
    }
    return FR_OK;
}

static fr_status find_team(fr_scene_cells *const *members, uint32_t count, const fr_tasks *tasks,
                           const fr_control *control, fr_path *paths, fr_scene_cells_result *result, fr_error *error) {
    fr_plan_member team[FR_SCENE_MAX_PLANS];
    fr_status status = make_team(members, count, tasks, team, result, error);
    if (status != FR_OK) { return status; }
    const fr_scene_plan *plan = members[0]->plan;
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = members[0]->world;
    input.members = team;
    input.member_count = count;
    input.weight = plan->weight;
    input.turn_cost = plan->turn_cost;
    input.seed = plan->seed;
    input.control = control;
    uint64_t begin = fr_clock_ns();
    fr_plan_team found;
    status = fr_plan_team_find(&input, &found, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < count && status == FR_OK && found.is_found; i++) {
        fr_scene_cells_result own = {0};
        status = take_path(members[i], &found.paths[i], &paths[i], &own, error);
        if (status == FR_OK) { status = give_states(members[i], &paths[i], error); }
    }
    result->ticks = found.ticks;
    result->is_exhausted = found.is_exhausted;
    result->expanded = found.expanded;
    paths[0].search_ms = fr_clock_ms_since(begin);
    for (uint32_t i = 0; i < count; i++) {
        set_outcome(&paths[i], found.is_exhausted);
    }
    fr_plan_team_destroy(&found);
    return status;
}

fr_status fr_scene_cells_find_team(fr_scene_cells *first, const fr_tasks *tasks, const fr_control *control,
                                   fr_path *paths, fr_scene_cells_result *result, fr_error *error) {
    FR_ASSERT(first != NULL && paths != NULL && result != NULL);
    uint32_t count = fr_scene_get(first->scene)->plan_count;
    memset(paths, 0, count * sizeof *paths);
    memset(result, 0, sizeof *result);
    fr_scene_cells *members[FR_SCENE_MAX_PLANS] = {first};
    first->states.count = 0;
    fr_status status = FR_OK;
    for (uint32_t i = 1; i < count && status == FR_OK; i++) {
        fr_scene_cells_input input = fr_default_scene_cells_input();
        input.scene = first->scene;
        input.space = first->space;
        input.ids = first->ids;
        input.plan = i;
        input.allocator = first->allocator;
        status = fr__scene_cells_begin(&input, first->builder, &members[i], error);
    }
    if (status == FR_OK) { status = find_team(members, count, tasks, control, paths, result, error); }
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) { fr_scene_cells_destroy(members[i]); }
        if (status != FR_OK) { fr_path_destroy(&paths[i]); }
    }
    return status;
}
