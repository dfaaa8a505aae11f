// The clearest path: a path's states are pushed off the faces that are too near and joined again, with a larger and
// larger margin; then other paths are searched with a margin that this one does not keep.
#include "plan/path.h"

#include <float.h>
#include <string.h>

#define STEP 0.15        // of the reach: between two states that are pushed
#define MAX_PUSHES 24    // rounds of one push
#define MAX_PUSH 0.25    // of the reach, a round
#define PUSH_GAP 0.01    // of the margin: pushed farther than it needs
#define PUSH_SWEEPS 16   // over the faces of one round
#define LOOK 1.25        // margins with which a pose is looked at, one after another
#define LINK_DEPTH 5     // halvings of a motion that is not free
#define FIRST_RUNG 1e-3  // of the reach: the first margin that is tried
#define FIRST_LEAP 0.02  // of the reach: the first margin that is searched with
#define LAST_RUNG 1e-5   // of the reach: less is no margin
#define LARGEST_RUNG 2.0 // times the margin before
#define NARROW 1.02      // margins this near one another are equal
#define BETTER 1.08      // times the margin of the path at hand: what another path must keep
#define MUCH_BETTER 1.4  // times it: what one of another kind may keep
#define FEWER 0.3        // times it: what another path may begin with
#define SHORTEN_MOVES 100
#define MAX_FAILURES 6    // searches in turn without success
#define LEAP_SHARE 10     // of all moves: one search with a larger margin
#define MAX_SHARE 4       // of all moves: one search
#define MAX_CLEARANCE 4.0 // of the reach: farther faces are not looked for
#define MAX_DEPTH 5       // of the guide: a search of finer cells takes longer than the motions it leads

typedef struct widening {
    fr__path_body *body;
    const fr_pose *goals; // any of them will do
    uint32_t goal_count;
    fr__pose_array *poses; // the path at hand
    fr__pose_array trial;  // what may take its place
    double margin;         // that the path at hand keeps
    double max_margin;     // what start and goal allow
    uint64_t first_move, last_move;
    bool is_stopped, has_failed;
} widening;

static bool is_spent(widening *w) {
    w->is_stopped = w->is_stopped || fr_control_is_stopped(w->body->input->control);
    return w->is_stopped || w->has_failed || w->body->moves >= w->last_move;
}

// ---------------------------------------------------------------------------------------------------------------
// Pushing

// Looks for what is within the body's margin at a pose, nearest first: with a smaller margin before the whole one, as
// long as nothing is met. `near`, the margin to begin with, becomes the one that met something.
static fr_move_output look_about(fr__path_body *body, const fr_pose *pose, double *near) {
    const double margin = body->margin;
    const uint64_t moves = body->moves + 1; // the smaller ones cost little
    fr_move_output move = {0};
    for (double at = fmin(margin, *near); !move.is_hit; at = fmin(margin, LOOK * at)) {
        body->margin = *near = at;
        move = fr__path_check_pose(body, pose);
        if (at == margin) { break; }
    }
    body->margin = margin;
    body->moves = moves;
    return move;
}

// Moves a pose away from the faces within the margin; false where it does not come free.
static bool push_off(widening *w, fr_pose *pose) {
    fr__path_body *body = w->body;
    double near = fmax(w->margin, body->margin / LARGEST_RUNG);
    for (int round = 0; round < MAX_PUSHES && !is_spent(w); round++) {
        fr_move_output move = look_about(body, pose, &near);
        if (!move.is_hit) { return true; }
        fr_motion motion = fr_motion_still(pose);
        motion.pivot_local = body->input->pivot_local;
        const fr__path_faces faces = {.contacts = body->scratch->near,
                                      .count = move.contact_count,
                                      .lift = PUSH_GAP * body->margin,
                                      .distance = body->margin,
                                      .rounds = PUSH_SWEEPS};
        fr__path_slide_along(body, &faces, fr__path_pivot(body, pose), &motion);
        double size = fr__path_size(body, &motion), max = MAX_PUSH * body->reach;
        if (!(size > 0.0)) { return false; }
        if (size > max) {
            motion.travel = fr_vec3_scale(max / size, motion.travel);
            motion.turn = fr_vec3_scale(max / size, motion.turn);
        }
        *pose = fr_motion_pose(&motion, 1.0);
        if (!fr__path_is_inside(body, pose)) { return false; }
    }
    return false;
}

static bool add_state(widening *w, const fr_pose *pose) {
    fr_pose *state = fr__pose_array_push(&w->trial, 1);
    if (state != NULL) { *state = *pose; }
    w->has_failed = w->has_failed || state == NULL;
    return state != NULL;
}

// Adds the states from the last one to `to`, with pushed ones between where the straight motion is not free.
static bool link_to(widening *w, const fr_pose *to, int depth) {
    fr_pose from = *(w->trial.data + w->trial.count - 1);
    fr_motion motion = fr__path_motion(w->body, &from, to);
    if (!fr__path_check_motion(w->body, &motion, NULL).is_hit) { return add_state(w, to); }
    if (depth == 0 || is_spent(w)) { return false; }
    fr_pose middle = fr_motion_pose(&motion, 0.5);
    return push_off(w, &middle) && link_to(w, &middle, depth - 1) && link_to(w, to, depth - 1);
}

// Adds a motion of the path in pieces. A state that cannot be pushed off or joined is left out; false where that is
// the last one, or nothing is left.
static bool widen_motion(widening *w, const fr_pose *from, const fr_pose *to, bool is_last) {
    fr_motion motion = fr__path_motion(w->body, from, to);
    double pieces = fmax(1.0, fmin(1e6, ceil(fr__path_size(w->body, &motion) / (STEP * w->body->reach))));
    for (double k = 1.0; k <= pieces; k += 1.0) {
        fr_pose pose = k == pieces ? *to : fr_motion_pose(&motion, k / pieces);
        bool is_end = is_last && k == pieces;
        if (!is_end && !push_off(w, &pose)) { continue; }
        size_t count = w->trial.count;
        if (link_to(w, &pose, LINK_DEPTH)) { continue; }
        w->trial.count = count;
        if (is_end || is_spent(w)) { return false; }
    }
    return !is_spent(w);
}

// The path with the body's margin, into `trial`: motions that keep it stay as they are.
static bool widen(widening *w) {
    const fr_pose *states = w->poses->data;
    w->trial.count = 0;
    if (!add_state(w, &states[0])) { return false; }
    bool is_same = true; // the last state of both
    for (size_t i = 0; i + 1 < w->poses->count; i++) {
        fr_motion motion = fr__path_motion(w->body, &states[i], &states[i + 1]);
        bool is_last = i + 2 == w->poses->count;
        is_same = is_same && !fr__path_check_motion(w->body, &motion, NULL).is_hit;
        if (is_same ? !add_state(w, &states[i + 1]) : !widen_motion(w, &states[i], &states[i + 1], is_last)) {
            return false;
        }
        const fr_pose *end = w->trial.data + w->trial.count - 1;
        is_same = memcmp(end, &states[i + 1], sizeof *end) == 0;
    }
    return true;
}

static void swap_poses(fr__pose_array *a, fr__pose_array *b) {
    fr__pose_array swap = *a;
    *a = *b;
    *b = swap;
}

// Fewer states, and no detours: what is left costs less to push.
static void shorten(widening *w) {
    uint64_t left = w->last_move > w->body->moves ? w->last_move - w->body->moves : 0;
    uint64_t moves = left < SHORTEN_MOVES ? left : SHORTEN_MOVES;
    w->is_stopped = fr__path_optimize(w->body, w->poses, FR_PATH_SHORTEST, moves) || w->is_stopped;
}

// The trial keeps the body's margin: it is the best path from now on.
static void take_trial(widening *w) {
    swap_poses(w->poses, &w->trial);
    w->margin = w->body->margin;
    shorten(w);
}

// Widens the path as long as a larger margin is kept: by up to four times, and where that fails by less.
static void climb(widening *w) {
    const double reach = w->body->reach;
    double failed = DBL_MAX;
    while (!is_spent(w)) {
        double low = fmax(w->margin, LAST_RUNG * reach), next = fmax(LARGEST_RUNG * low, FIRST_RUNG * reach);
        next = fmin(fmin(next, w->max_margin), failed < DBL_MAX ? sqrt(low * failed) : DBL_MAX);
        if (next <= NARROW * low) { break; }
        w->body->margin = next;
        if (widen(w)) {
            take_trial(w);
        } else {
            failed = next;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Other paths

// The largest margin with which a pose is free, to a thirtieth.
static double clearance_at(const widening *w, const fr_pose *pose) {
    return fr__path_clearance(w->body, pose, 1, MAX_CLEARANCE * w->body->reach);
}

static double margin_of_ends(const widening *w) {
    double goal = 0.0;
    for (uint32_t i = 0; i < w->goal_count; i++) {
        goal = fmax(goal, clearance_at(w, &w->goals[i]));
    }
    return fmin(goal, clearance_at(w, &w->body->input->start));
}

// Searches a path with a margin, into `trial`.
static fr_status search(widening *w, double margin, uint64_t moves, bool *is_found, fr_error *error) {
    fr_pose goals[FR__PATH_MAX_GOALS];
    uint32_t count = 0;
    w->body->margin = margin;
    for (uint32_t i = 0; i < w->goal_count; i++) {
        if (!fr__path_check_pose(w->body, &w->goals[i]).is_hit) { goals[count++] = w->goals[i]; }
    }
    *is_found = false;
    if (count == 0) { return FR_OK; }
    fr__path_search_output outcome;
    w->trial.count = 0;
    fr_status status =
        fr__path_search(w->body, &w->body->input->start, goals, count, moves, &w->trial, &outcome, error);
    w->is_stopped = w->is_stopped || outcome.is_stopped;
    *is_found = outcome.is_found;
    return status;
}

// A path that was found with less than the best one keeps is widened; the better one of both stays.
static void compare_trial(widening *w, fr__pose_array *best) {
    double margin = w->margin;
    swap_poses(w->poses, best);
    take_trial(w);
    climb(w);
    if (w->margin > margin) { return; }
    swap_poses(w->poses, best);
    w->margin = margin;
}

// Searches with a margin that the best path does not keep, a little more or much more, and in turns with less, since a
// path that is easy to find may be wider in the end. The moves that are left are shared by what is left of the
// searches.
static fr_status try_others(widening *w, fr_error *error) {
    static const double shares[3] = {BETTER, FEWER, MUCH_BETTER};
    fr__pose_array best = fr__pose_array_make(&w->body->input->allocator);
    fr_status status = FR_OK;
    uint32_t failures = 0;
    const uint64_t max_moves = (w->last_move - w->first_move) / MAX_SHARE;
    while (failures < MAX_FAILURES && status == FR_OK && !is_spent(w) && w->max_margin > NARROW * w->margin) {
        const double old = w->margin, margin = shares[failures % 3] * old;
        uint64_t moves = (w->last_move - w->body->moves) / (MAX_FAILURES - failures);
        moves = moves < max_moves ? moves : max_moves;
        bool is_found;
        w->body->seed += 0x9e3779b97f4a7c15u; // another path
        status = search(w, fmin(w->max_margin, margin), moves, &is_found, error);
        if (status == FR_OK && is_found) { compare_trial(w, &best); }
        failures = w->margin > NARROW * old ? 0 : failures + 1;
    }
    fr__pose_array_destroy(&best);
    return status;
}

// Searches with a larger and larger margin, as long as a path is found soon: where there is much room, that is sooner
// than pushing, and it chooses among all paths.
static fr_status leap(widening *w, fr_error *error) {
    bool is_found = true;
    fr_status status = FR_OK;
    while (is_found && status == FR_OK && !is_spent(w) && w->max_margin > NARROW * w->margin) {
        double margin = fmin(w->max_margin, fmax(LARGEST_RUNG * w->margin, FIRST_LEAP * w->body->reach));
        status = search(w, margin, (w->last_move - w->first_move) / LEAP_SHARE, &is_found, error);
        if (status == FR_OK && is_found) { take_trial(w); }
    }
    return status;
}

fr_status fr__path_clear(fr__path_body *body, const fr_pose *goals, uint32_t goal_count, fr__pose_array *poses,
                         uint64_t moves, fr__path_clear_outcome *out, fr_error *error) {
    const fr__path_body given = *body;
    widening w = {.body = body,
                  .goals = goals,
                  .goal_count = goal_count,
                  .poses = poses,
                  .trial = fr__pose_array_make(&body->input->allocator),
                  .margin = body->margin,
                  .first_move = body->moves,
                  .last_move = body->moves + moves};
    body->depth = body->depth < MAX_DEPTH ? body->depth : MAX_DEPTH;
    // A body that rests on something has no clearance there.
    fr_status status = FR_OK;
    if (!body->is_inset) {
        w.max_margin = margin_of_ends(&w);
        shorten(&w);
        status = leap(&w, error);
        if (status == FR_OK) { climb(&w); }
        if (status == FR_OK) { status = try_others(&w, error); }
    }
    fr__pose_array_destroy(&w.trial);
    if (status == FR_OK && w.has_failed) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path"); }
    out->is_stopped = w.is_stopped;
    out->clearance = body->is_inset ? 0.0 : w.margin * (1.0 - 1e-3);
    body->margin = given.margin;
    body->seed = given.seed;
    body->depth = given.depth;
    return status;
}
