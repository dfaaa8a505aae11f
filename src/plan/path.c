// Path queries among faces: checks of the input, the first path, its optimisation, proof and repair.
#include "plan/path.h"

#include "plan/timed.h"

#include <float.h>
#include <string.h>

#define PATH_COOKIE 0x57415951u
#define OPTIMIZE_MOVES 3000 // by default, for what is local
#define CLEAR_MOVES 80000   // by default, where other paths are searched
#define GOAL_ROTATIONS 64   // tried where any will do

fr_path_input fr_default_path_input(void) {
    fr_path_input input;
    memset(&input, 0, sizeof input);
    input.start = input.goal = fr_pose_identity();
    input.dimension = 3;
    input.depth = 5;
    input.seed = 1;
    input.max_moves = 300000;
    input.lattice_moves = 300000;
    input.speed = 1.0;
    input.turn_speed = 0.5 * FR_PI;
    input.cookie = PATH_COOKIE;
    return input;
}

void fr_path_destroy(fr_path *path) {
    if (path == NULL) { return; }
    fr_deallocate(&path->allocator, path->states, path->state_count, sizeof *path->states);
    fr_deallocate(&path->allocator, path->times, path->state_count, sizeof *path->times);
    memset(path, 0, sizeof *path);
}

// ---------------------------------------------------------------------------------------------------------------
// The input

fr_status fr__path_check_input(const fr_path_input *given, fr_path_input *q, fr_error *error) {
    if (given->cookie != PATH_COOKIE) { return fr_error_set_cookie(error, "fr_default_path_input"); }
    *q = *given;
    if (q->lattice_moves > q->max_moves) { q->lattice_moves = q->max_moves; }
    q->allocator = fr_allocator_or_default(&given->allocator);
    if (q->optimize_moves == 0) { q->optimize_moves = q->objective == FR_PATH_CLEAREST ? CLEAR_MOVES : OPTIMIZE_MOVES; }
    if (q->depth < 2 || q->depth > FR_PATH_MAX_DEPTH) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the field's depth is not in 2 .. %d", FR_PATH_MAX_DEPTH);
    }
    if ((unsigned)q->objective > (unsigned)FR_PATH_FEWEST_TURNS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such objective");
    }
    if (!(q->speed > 0.0 && q->speed <= FR_LENGTH_MAX) || !(q->turn_speed > 0.0 && q->turn_speed <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a speed is not in 0 .. 2^300");
    }
    if (!isfinite(q->start_time) || !(q->time_step >= 0.0 && q->time_step <= FR_LENGTH_MAX) ||
        !(q->goal_seconds >= 0.0 && q->goal_seconds <= FR_LENGTH_MAX) ||
        !(q->max_time == 0.0 || (q->max_time > q->start_time && q->max_time <= FR_LENGTH_MAX))) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the times of the path are not in order");
    }
    fr_status status = fr_pose_check(&q->start, error);
    if (status == FR_OK) { status = fr_pose_check(&q->goal, error); }
    q->goal.scale = q->start.scale;
    if (status != FR_OK || q->dimension == 3) { return status; }
    if (q->dimension != 2) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the dimension is neither 2 nor 3"); }
    if ((unsigned)q->plane > FR_PATH_PLANE_XZ) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such plane");
    }
    fr_vec3 from = fr_pose_apply(&q->start, q->pivot_local), to = fr_pose_apply(&q->goal, q->pivot_local);
    fr_quat turn = fr_quat_multiply(q->goal.rotation, fr_quat_conjugate(q->start.rotation));
    fr_vec3 tilt = {turn.x, turn.y, turn.z};
    double low = *fr__path_height(q, &from), high = *fr__path_height(q, &to);
    *fr__path_height(q, &tilt) = 0.0;
    if (fabs(high - low) > 1e-9 * (1.0 + fabs(low)) || fr_vec3_length(tilt) > 1e-9) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the goal is not in the plane of the start");
    }
    *fr__path_height(q, &q->bounds.min) = fmin(low, high);
    *fr__path_height(q, &q->bounds.max) = fmax(low, high);
    return FR_OK;
}

static fr_status check_inside(const fr__path_body *body, const char *which, const fr_pose *pose, fr_error *error) {
    if (fr__path_is_inside(body, pose)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s lies outside the bounds", which);
}

fr_status fr__path_check_ends(const fr__path_body *body, fr_error *error) {
    fr_status status = check_inside(body, "start", &body->input->start, error);
    return status == FR_OK ? check_inside(body, "goal", &body->input->goal, error) : status;
}

static bool is_free_at(fr__path_body *body, const fr_pose *pose, fr_contact *contact) {
    fr_motion still = fr_motion_still(pose);
    fr_move_output move = fr__path_check_motion(body, &still, NULL);
    if (move.is_hit && contact != NULL) { *contact = move.first; }
    return !move.is_hit;
}

// The poses at which the path may end: the goal, and where any rotation will do others. None: it is blocked.
static uint32_t find_goals(fr__path_body *body, fr_pose goals[FR__PATH_MAX_GOALS], fr_contact *blocked) {
    const fr_path_input *q = body->input;
    uint32_t count = 0;
    if (is_free_at(body, &q->goal, blocked)) { goals[count++] = q->goal; }
    if (!q->is_goal_turn_any) { return count; }
    fr_random random = fr_random_seed(q->seed ^ 0x676f616cu);
    fr_vec3 pivot = fr__path_pivot(body, &q->goal);
    for (int i = 0; i < GOAL_ROTATIONS && count < FR__PATH_MAX_GOALS; i++) {
        fr_quat rotation =
            i == 0 ? q->start.rotation : fr_quat_multiply(fr__path_random_turn(body, &random), q->start.rotation);
        fr_pose pose = fr__path_pose_at(body, pivot, rotation);
        if (is_free_at(body, &pose, NULL)) { goals[count++] = pose; }
    }
    return count;
}

bool fr__path_find_ends(fr__path_body *body, fr_pose goals[FR__PATH_MAX_GOALS], uint32_t *goal_count, fr_path *out) {
    for (int k = 0; k < 2; k++) {
        if (k == 1) {
            if (body->input->margin > 0.0) { break; }
            fr__path_set_inset(body);
        }
        bool is_free = is_free_at(body, &body->input->start, &out->blocked);
        out->is_goal_blocked = is_free;
        *goal_count = is_free ? find_goals(body, goals, &out->blocked) : 0;
        if (*goal_count > 0) {
            memset(&out->blocked, 0, sizeof out->blocked);
            out->is_goal_blocked = false;
            return true;
        }
    }
    out->is_blocked = true;
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The result

void fr__path_measure(const fr__path_body *body, const fr_pose *states, size_t count, double *length, double *turning,
                      uint32_t *turns) {
    *length = *turning = 0.0;
    *turns = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        fr_motion m = fr__path_motion(body, &states[i], &states[i + 1]);
        double turn = fr_vec3_length(m.turn);
        *length += fr_vec3_length(m.travel);
        *turning += turn;
        if (turn > 1e-9) { (*turns)++; }
    }
}

fr_status fr__path_give_states(const fr__path_body *body, const fr__pose_array *poses, fr_path *out, fr_error *error) {
    const fr_pose *states = poses->data;
    out->states = fr_allocate(&out->allocator, poses->count, sizeof *out->states, 16);
    if (out->states == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path"); }
    memcpy(out->states, states, poses->count * sizeof *states);
    out->state_count = (uint32_t)poses->count;
    fr__path_measure(body, states, poses->count, &out->length, &out->turning, &out->turns);
    return FR_OK;
}

// The objective, the proof and the result; the path may end at any of the goals.
static fr_status finish(fr__path_body *body, const fr_pose *goals, uint32_t goal_count, fr__pose_array *poses,
                        fr_path *out, fr_error *error) {
    const fr_path_input *q = body->input;
    uint64_t begin = fr_clock_ns();
    fr_status status = FR_OK;
    out->is_found = true;
    out->outcome = FR_PATH_FOUND;
    out->clearance = q->margin;
    if (q->objective == FR_PATH_CLEAREST) {
        fr__path_clear_outcome clear;
        status = fr__path_clear(body, goals, goal_count, poses, q->optimize_moves, &clear, error);
        out->is_partial = clear.is_stopped;
        out->clearance = fmax(q->margin, clear.clearance);
    } else if (q->objective != FR_PATH_FIRST) {
        out->is_partial = fr__path_optimize(body, poses, q->objective, q->optimize_moves);
    }
    if (status == FR_OK) { status = fr__path_give_states(body, poses, out, error); }
    if (status != FR_OK) { return status; }
    fr_path_check_output check;
    status = fr_plan_check_path(q, out->states, out->state_count, &check, error);
    out->is_checked = status == FR_OK && check.is_valid;
    out->optimize_ms = fr_clock_ms_since(begin);
    return status == FR_ERROR_STOPPED ? FR_OK : status;
}

fr_status fr__path_conclude(const fr__path_body *body, const fr__timed_lattice_output *lattice, fr_path *out,
                            fr_error *error) {
    bool is_proven = out->is_blocked && !(out->is_goal_blocked && body->input->is_goal_turn_any);
    fr_status status = FR_OK;
    if (lattice != NULL) {
        out->cells = lattice->states;
        out->cell_edge = lattice->edge;
        out->cell_turn = lattice->turn;
    }
    if (!is_proven && !out->is_blocked && !out->is_partial) {
        status = fr__path_prove_impossible(body, &is_proven, error);
    }
    bool is_none = lattice != NULL && lattice->is_exhausted;
    out->outcome = is_proven ? FR_PATH_IMPOSSIBLE : is_none ? FR_PATH_NONE_AT_RESOLUTION : FR_PATH_NOT_FOUND;
    return status;
}

// Where the trees found no path, the lattice is searched.
static fr_status ask_lattice(fr__path_body *body, const fr_pose *goals, uint32_t goal_count, fr__pose_array *poses,
                             fr_path *out, fr_error *error) {
    fr__timed still;
    fr__timed_lattice_output found;
    const fr__timed_lattice_input input = {
        .goals = goals, .goal_count = goal_count, .moves = body->input->lattice_moves};
    memset(&still, 0, sizeof still);
    memset(&found, 0, sizeof found);
    still.body = body;
    fr__timed_state_array states = fr__timed_state_array_make(&body->input->allocator);
    fr_status status = FR_OK;
    if (input.moves > 0) { status = fr__timed_lattice_search(&still, &input, &states, &found, error); }
    out->is_found = status == FR_OK && found.is_found;
    fr_pose *into = out->is_found ? fr__pose_array_push(poses, states.count) : NULL;
    for (size_t i = 0; into != NULL && i < states.count; i++) {
        into[i] = states.data[i].pose;
    }
    if (out->is_found && into == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path"); }
    fr__timed_state_array_destroy(&states);
    return status == FR_OK && !out->is_found ? fr__path_conclude(body, &found, out, error) : status;
}

static fr_status find_path(fr__path_body *body, fr_path *out, fr_error *error) {
    const fr_path_input *q = body->input;
    fr_pose goals[FR__PATH_MAX_GOALS];
    uint32_t goal_count;
    if (!fr__path_find_ends(body, goals, &goal_count, out)) { return fr__path_conclude(body, NULL, out, error); }
    uint64_t begin = fr_clock_ns();
    fr__pose_array poses = fr__pose_array_make(&q->allocator);
    fr__path_search_output outcome;
    fr_status status = fr__path_search(body, &q->start, goals, goal_count, q->max_moves, &poses, &outcome, error);
    out->nodes = outcome.nodes;
    out->leads = outcome.leads;
    out->field_ms = outcome.field_ms;
    out->search_ms = fr_clock_ms_since(begin) - outcome.field_ms;
    out->is_partial = outcome.is_stopped;
    out->is_found = outcome.is_found;
    if (status == FR_OK && outcome.is_stopped) { out->outcome = FR_PATH_NOT_FOUND; }
    if (status == FR_OK && !outcome.is_found && !outcome.is_stopped) {
        status = ask_lattice(body, goals, goal_count, &poses, out, error);
    }
    if (status == FR_OK && out->is_found) { status = finish(body, goals, goal_count, &poses, out, error); }
    fr__pose_array_destroy(&poses);
    return status;
}

fr_status fr_plan_path(const fr_path_input *input, fr_path *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_path_input q;
    fr__path_body body;
    fr_status status = fr__path_check_input(input, &q, error);
    if (status == FR_OK && q.obstacle_count > 0) { return fr__timed_plan(input, &q, out, error); }
    if (status == FR_OK) { status = fr__path_body_make(&q, &body, error); }
    if (status != FR_OK) { return status; }
    status = fr__path_check_ends(&body, error);
    if (status == FR_OK) {
        out->allocator = q.allocator;
        status = find_path(&body, out, error);
        out->moves = body.moves;
    }
    status = fr__path_body_close(&body, status, error);
    if (status != FR_OK) { fr_path_destroy(out); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Checking

// The motion check of fr_plan_check_path: with the body as it is, and where that touches without a margin, from
// a little inside of it.
static bool is_valid(fr__path_body *body, const fr_pose *states, size_t count, size_t *motion, fr_move_output *move) {
    fr__path_judge_strictly(body);
    if (fr__path_is_free(body, states, count, motion, move)) { return true; }
    if (body->input->margin > 0.0) { return false; }
    size_t at;
    fr_move_output second;
    const fr_pose *from = states + *motion;
    size_t left = count - *motion;
    fr__path_set_inset(body);
    body->margin = 0.0;
    bool is_free = fr__path_is_free(body, from, left < 2 ? left : 2, &at, &second);
    if (!is_free) { *move = second; }
    fr__path_judge_strictly(body);
    return is_free;
}

// The input, its body and the states of a path, all looked at.
static fr_status open_states(const fr_path_input *input, const fr_pose *states, uint32_t count, fr_path_input *q,
                             fr__path_body *body, fr_error *error) {
    if (states == NULL || count == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the path has no states"); }
    fr_status status = fr__path_check_input(input, q, error);
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        fr_pose pose = states[i];
        status = fr_pose_check(&pose, error);
    }
    return status == FR_OK ? fr__path_body_make(q, body, error) : status;
}

fr_status fr_plan_check_path(const fr_path_input *input, const fr_pose *states, uint32_t count,
                             fr_path_check_output *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_path_input q;
    fr__path_body body;
    fr_status status = open_states(input, states, count, &q, &body, error);
    if (status != FR_OK) { return status; }
    out->is_valid = true;
    fr__path_measure(&body, states, count, &out->length, &out->turning, &out->turns);
    for (uint32_t i = 0; i < (count == 1 ? 1 : count - 1) && out->is_valid; i++) {
        if (fr_control_is_stopped(q.control)) {
            status = fr_error_set(error, FR_ERROR_STOPPED, "stopped while checking motion %u", i);
            break;
        }
        fr_move_output move;
        size_t motion;
        uint32_t ends = count == 1 ? 1 : 2;
        out->is_outside_bounds =
            !fr__path_is_inside(&body, &states[i]) || !fr__path_is_inside(&body, &states[i + ends - 1]);
        bool is_free = !out->is_outside_bounds && is_valid(&body, states + i, ends, &motion, &move);
        if (is_free) { continue; }
        out->is_valid = false;
        out->motion = i;
        if (out->is_outside_bounds) { continue; }
        out->time = move.free_time;
        out->contact = move.first;
    }
    return fr__path_body_close(&body, status, error);
}

fr_status fr_plan_path_clearance(const fr_path_input *input, const fr_pose *states, uint32_t count,
                                 double max_clearance, double *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = 0.0;
    if (!(max_clearance > 0.0 && max_clearance <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the greatest distance is not in 0 .. 2^300");
    }
    fr_path_input q;
    fr__path_body body;
    fr_status status = open_states(input, states, count, &q, &body, error);
    if (status != FR_OK) { return status; }
    *out = fr__path_clearance(&body, states, count, max_clearance);
    return fr__path_body_close(&body, FR_OK, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Repair

// The rest of the old path, from where the body is now.
static bool lay_rest(const fr_path_input *q, const fr_path *old, uint32_t at, fr__pose_array *poses) {
    fr_pose *states = fr__pose_array_push(poses, old->state_count - at);
    if (states == NULL) { return false; }
    memcpy(states, old->states + at, (old->state_count - at) * sizeof *states);
    states[0] = q->start;
    return true;
}

// The first and last motions that are not free any more; false where all are.
static bool find_broken(fr__path_body *body, const fr__pose_array *poses, size_t *first, size_t *last) {
    const fr_pose *states = poses->data;
    bool is_broken = false;
    for (size_t i = 0; i + 1 < poses->count; i++) {
        fr_motion m = fr__path_motion(body, &states[i], &states[i + 1]);
        if (!fr__path_check_motion(body, &m, NULL).is_hit) { continue; }
        if (!is_broken) { *first = i; }
        *last = i;
        is_broken = true;
    }
    return is_broken;
}

// Goes round what is broken, from the last free state before it to the first behind it.
static fr_status go_round(fr__path_body *body, fr__pose_array *poses, size_t first, size_t last, fr_path *out,
                          bool *is_repaired, fr_error *error) {
    const fr_pose *states = poses->data;
    *is_repaired = false;
    if (!is_free_at(body, &states[first], NULL) || !is_free_at(body, &states[last + 1], NULL)) { return FR_OK; }
    fr__pose_array round = fr__pose_array_make(&body->input->allocator);
    fr__path_search_output outcome;
    fr_status status = fr__path_search(body, &states[first], &states[last + 1], 1, body->input->max_moves / 10, &round,
                                       &outcome, error);
    out->nodes = outcome.nodes;
    out->leads = outcome.leads;
    out->field_ms = outcome.field_ms;
    size_t tail = poses->count - last - 2;
    if (status == FR_OK && outcome.is_found) {
        if (fr__pose_array_reserve(poses, first + round.count + tail)) {
            fr_pose *into = poses->data;
            memmove(into + first + round.count, into + last + 2, tail * sizeof *into);
            memcpy(into + first, round.data, round.count * sizeof *into);
            poses->count = first + round.count + tail;
            *is_repaired = true;
        } else {
            status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
        }
    }
    fr__pose_array_destroy(&round);
    return status;
}

static fr_status repair(fr__path_body *body, const fr_path *old, uint32_t at, fr_path *out, fr_error *error) {
    const fr_path_input *q = body->input;
    fr_pose goals[FR__PATH_MAX_GOALS];
    uint32_t goal_count;
    uint64_t begin = fr_clock_ns();
    if (!fr__path_find_ends(body, goals, &goal_count, out)) { return fr__path_conclude(body, NULL, out, error); }
    fr__pose_array poses = fr__pose_array_make(&q->allocator);
    fr_status status = FR_OK;
    size_t first = 0, last = 0;
    bool is_whole = false;
    if (!lay_rest(q, old, at, &poses)) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path"); }
    if (status == FR_OK) {
        is_whole = !find_broken(body, &poses, &first, &last);
        if (!is_whole) { status = go_round(body, &poses, first, last, out, &is_whole, error); }
    }
    out->search_ms = fr_clock_ms_since(begin) - out->field_ms;
    if (status == FR_OK && is_whole) { status = finish(body, goals, goal_count, &poses, out, error); }
    fr__pose_array_destroy(&poses);
    if (status == FR_OK && !is_whole) { status = find_path(body, out, error); }
    return status;
}

fr_status fr_plan_repair_path(const fr_path_input *input, const fr_path *old, uint32_t at, fr_path *out,
                              fr_error *error) {
    FR_ASSERT(input != NULL && old != NULL && out != NULL && out != old);
    memset(out, 0, sizeof *out);
    fr_path_input q;
    fr__path_body body;
    fr_status status = fr__path_check_input(input, &q, error);
    if (status == FR_OK && (!old->is_found || at >= old->state_count)) {
        status = fr_error_set(error, FR_ERROR_ARGUMENT, "the old path has no state %u", at);
    }
    if (status == FR_OK && q.obstacle_count > 0) { return fr__timed_plan(input, &q, out, error); }
    if (status == FR_OK) { status = fr__path_body_make(&q, &body, error); }
    if (status != FR_OK) { return status; }
    status = fr__path_check_ends(&body, error);
    if (status == FR_OK) {
        out->allocator = q.allocator;
        status = repair(&body, old, at, out, error);
        out->moves = body.moves;
    }
    status = fr__path_body_close(&body, status, error);
    if (status != FR_OK) { fr_path_destroy(out); }
    return status;
}
