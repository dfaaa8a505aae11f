// A search among the faces of a scene whose objects move: at once where their motions are known, else tick by tick.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define TRIPS 20.0      // straight to the goal: after the time of so many, and of all that moves, a drive ends
#define ROUNDS 4.0      // of a scene that repeats
#define MAX_TICKS 1e6   // of a drive
#define TICK_MOVES 4000 // motion checks in one search of a drive

FR_ARRAY_TYPE(drive_pose_array, fr_pose);
FR_ARRAY_TYPE(drive_time_array, double);

typedef struct drive {
    const fr_scene *scene;
    const fr_path_input *query;
    fr_space *space;
    const fr_object_id *ids;
    fr_path_agent *agent;
    drive_pose_array poses; // where it went
    drive_time_array times;
} drive;

// A state of the trace; one that goes on waiting replaces the one before.
static bool add_state(drive *d, const fr_pose *pose, double time) {
    size_t count = d->poses.count;
    bool is_waiting = count > 1 && memcmp(pose, &d->poses.data[count - 1], sizeof *pose) == 0 &&
                      memcmp(pose, &d->poses.data[count - 2], sizeof *pose) == 0;
    if (is_waiting) {
        d->times.data[count - 1] = time;
        return true;
    }
    fr_pose *state = drive_pose_array_push(&d->poses, 1);
    double *at = drive_time_array_push(&d->times, 1);
    if (state == NULL || at == NULL) { return false; }
    *state = *pose;
    *at = time;
    return true;
}

// The motions of tick k.
static fr_status move_scene(const drive *d, uint32_t k, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(d->scene);
    fr_status status;
    if (view->is_loop || k < view->steps) {
        status = fr_scene_move(d->scene, k % view->steps, d->space, d->ids, error);
    } else {
        status = fr_scene_place(d->scene, view->steps, d->space, d->ids, error);
    }
    return status == FR_OK ? fr_space_update(d->space, NULL, error) : status;
}

static uint32_t choose_ticks(const drive *d) {
    const fr_scene_view *view = fr_scene_get(d->scene);
    const fr_path_input *q = d->query;
    fr_motion straight = fr_motion_between(&q->start, &q->goal, q->pivot_local);
    double seconds = fmax(fr_vec3_length(straight.travel) / q->speed, fr_vec3_length(straight.turn) / q->turn_speed);
    double ticks = (view->is_loop ? ROUNDS : 1.0) * (double)view->steps + TRIPS * seconds / view->step;
    if (q->max_time > 0.0) { ticks = ceil((q->max_time - q->start_time) / view->step); }
    return (uint32_t)fmin(fmax(ticks, 1.0), MAX_TICKS);
}

static fr_status go(drive *d, fr_path *out, fr_path_run *run, fr_error *error) {
    const double step = fr_scene_get(d->scene)->step;
    fr_pose pose = d->query->start;
    uint32_t ticks = choose_ticks(d);
    bool has_room = add_state(d, &pose, 0.0);
    for (uint32_t k = 0; k < ticks && !out->is_found && !run->is_overrun && has_room; k++) {
        fr_status status = move_scene(d, k, error);
        const fr_path_agent_input in = {d->space, step * (double)k, pose};
        fr_path_agent_output moved;
        if (status == FR_OK) { status = fr_path_agent_tick(d->agent, &in, &moved, error); }
        if (status != FR_OK) { return status; }
        out->is_found = moved.event == FR_PLAN_GOAL;
        run->is_overrun = moved.event == FR_PLAN_OVERRUN;
        out->is_partial = fr_control_is_stopped(d->query->control);
        if (out->is_partial) { break; }
        pose = moved.pose;
        if (!out->is_found) { has_room = add_state(d, &pose, step * (double)(k + 1)); }
        run->ticks = k + 1;
        if (fr_path_agent_get(d->agent).moves >= d->query->max_moves) { break; } // all of them are spent
        fr_control_progress(d->query->control, (double)k / (double)ticks, "on the path");
    }
    return has_room ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
}

static fr_status give_path(const drive *d, fr_path *out, fr_error *error) {
    size_t count = d->poses.count;
    out->states = fr_allocate(&out->allocator, count, sizeof *out->states, 16);
    out->times = fr_allocate(&out->allocator, count, sizeof *out->times, 16);
    out->state_count = (uint32_t)count;
    if (out->states == NULL || out->times == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
    }
    memcpy(out->states, d->poses.data, count * sizeof *out->states);
    memcpy(out->times, d->times.data, count * sizeof *out->times);
    for (uint32_t i = 0; i + 1 < out->state_count; i++) {
        bool is_still = memcmp(&out->states[i], &out->states[i + 1], sizeof *out->states) == 0;
        out->waiting += is_still ? out->times[i + 1] - out->times[i] : 0.0;
    }
    return FR_OK;
}

// Proves where the body went against how everything moved.
static fr_status prove(const drive *d, const fr_path_problem *problem, fr_path *out, fr_error *error) {
    fr_path_input all = *d->query;
    fr_path_check_output check;
    all.obstacles = fr_path_problem_motions(problem, &all.obstacle_count);
    fr_status status = fr_plan_check_timed_path(&all, out->states, out->times, out->state_count, &check, error);
    out->is_checked = status == FR_OK && check.is_valid;
    out->length = check.length;
    out->turning = check.turning;
    out->turns = check.turns;
    out->clearance = all.margin;
    return status == FR_ERROR_STOPPED ? FR_OK : status;
}

// Where the body did not get there: whether it would have, had it known all motions from the start.
static fr_status conclude(const drive *d, const fr_path_problem *problem, fr_path *out, fr_error *error) {
    fr_path_input all = *d->query;
    all.obstacles = fr_path_problem_motions(problem, &all.obstacle_count);
    fr_path known;
    fr_status status = fr_plan_path(&all, &known, error);
    if (status != FR_OK) { return status; }
    out->outcome = known.is_found ? FR_PATH_NOT_FOUND : known.outcome;
    out->cells = known.cells;
    out->cell_edge = known.cell_edge;
    out->cell_turn = known.cell_turn;
    out->is_blocked = known.is_blocked;
    out->is_goal_blocked = known.is_goal_blocked;
    out->blocked = known.blocked;
    out->moves += known.moves;
    fr_path_destroy(&known);
    return FR_OK;
}

static fr_status run_drive(drive *d, const fr_path_problem *problem, fr_path *out, fr_path_run *run, fr_error *error) {
    fr_path_agent_def def = fr_default_path_agent_def();
    def.query = *d->query;
    def.query.max_moves = d->query->max_moves < TICK_MOVES ? d->query->max_moves : TICK_MOVES;
    def.query.lattice_moves = 0;
    def.step = fr_scene_get(d->scene)->step;
    fr_status status = fr_path_agent_create(&def, &d->agent, error);
    uint64_t begin = fr_clock_ns();
    if (status == FR_OK) { status = go(d, out, run, error); }
    if (status == FR_OK) {
        fr_path_agent_state state = fr_path_agent_get(d->agent);
        run->replans = state.plans;
        out->moves = state.moves;
    }
    out->search_ms = fr_clock_ms_since(begin);
    fr_status placed = fr_scene_place(d->scene, 0, d->space, d->ids, error);
    if (placed == FR_OK) { placed = fr_space_update(d->space, NULL, error); }
    status = status == FR_OK ? placed : status;
    out->outcome = out->is_found ? FR_PATH_FOUND : FR_PATH_NOT_FOUND;
    bool is_open = !out->is_found && !out->is_partial && !run->is_overrun;
    if (status == FR_OK && is_open) { status = conclude(d, problem, out, error); }
    if (status == FR_OK && out->is_found) { status = give_path(d, out, error); }
    if (status == FR_OK && out->is_found) { status = prove(d, problem, out, error); }
    fr_path_agent_destroy(d->agent);
    return status;
}

fr_status fr_scene_find_path(const fr_scene *scene, const fr_path_problem *problem, const fr_path_input *query,
                             fr_space *space, const fr_object_id *ids, fr_path *out, fr_path_run *run,
                             fr_error *error) {
    FR_ASSERT(scene != NULL && problem != NULL && query != NULL && out != NULL && run != NULL);
    memset(run, 0, sizeof *run);
    uint32_t count;
    (void)fr_path_problem_motions(problem, &count);
    if (count == query->obstacle_count) { return fr_plan_path(query, out, error); }
    memset(out, 0, sizeof *out);
    run->is_driven = true;
    out->is_timed = true;
    out->allocator = fr_allocator_or_default(&query->allocator);
    drive d = {.scene = scene, .query = query, .space = space, .ids = ids};
    d.poses = drive_pose_array_make(&out->allocator);
    d.times = drive_time_array_make(&out->allocator);
    fr_status status = run_drive(&d, problem, out, run, error);
    drive_pose_array_destroy(&d.poses);
    drive_time_array_destroy(&d.times);
    if (status != FR_OK) { fr_path_destroy(out); }
    return status;
}
