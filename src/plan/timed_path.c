// Planning in time among faces: a path among what stands, a roadmap about it that grows until a path in time is found,
// and the proof of that path.
#include "plan/timed.h"

#include <string.h>

#define STATIC_SHARE 0.5    // of the motion checks: to find the first path among what stands
#define CHAIN_SHARE 0.05    // of them: to find each further one
#define SHORTEN_MOVES 300   // to shorten a path among what stands
#define CHAIN_STEP 2.0      // of the reach: between two nodes of such a path
#define FIRST_SAMPLES 48    // of the first round; each round takes more
#define BESIDE 6.0          // of the reach: how far from a node a sample beside it lies
#define HORIZON 8.0         // of the time that a path takes if nothing moves
#define HORIZON_PERIODS 2.0 // of the longest period
#define CHAINS 6            // paths among what stands, each with a seed of its own

typedef struct timed_search {
    fr__timed timed;
    fr_path_input *input;
    fr__path_body body;
    fr__timed_roadmap map;
    fr_random random;
    fr_pose goals[FR__PATH_MAX_GOALS];
    uint32_t goal_count;
    fr__timed_state_array states; // what was found
} timed_search;

// The failure of a check, where one failed.
static fr_status failure_of(const fr__timed *timed, fr_error *error) {
    if (timed->status == FR_OK) { return FR_OK; }
    return fr_error_set(error, timed->status, "an obstacle could not be moved: %s", fr_status_text(timed->status));
}

// ---------------------------------------------------------------------------------------------------------------
// The roadmap's nodes

static bool add_chain_motion(timed_search *s, const fr_pose *from, const fr_pose *to, uint32_t *node) {
    fr_motion motion = fr__path_motion(&s->body, from, to);
    double pieces = fmin(ceil(fr__path_size(&s->body, &motion) / (CHAIN_STEP * s->body.reach)), 64.0);
    for (double i = 1.0; i <= pieces; i += 1.0) {
        fr_pose pose = i < pieces ? fr_motion_pose(&motion, i / pieces) : *to;
        *node = fr__timed_roadmap_add(&s->map, &pose, *node);
        if (*node == FR_NONE) { return false; }
    }
    return true;
}

// A path among what stands, as nodes; its first is the start's.
static bool add_chain(timed_search *s, const fr__pose_array *poses) {
    uint32_t node = 0;
    for (size_t i = 0; i + 1 < poses->count; i++) {
        if (!add_chain_motion(s, &poses->data[i], &poses->data[i + 1], &node)) { return false; }
    }
    return true;
}

// Searches among what stands and shortens what is found.
static fr_status find_chain(timed_search *s, uint64_t moves, fr__pose_array *poses, fr__path_search_output *outcome,
                            fr_error *error) {
    poses->count = 0;
    fr_status status =
        fr__path_search(&s->body, &s->input->start, s->goals, s->goal_count, moves, poses, outcome, error);
    if (status == FR_OK && outcome->is_found) {
        outcome->is_stopped = fr__path_optimize(&s->body, poses, FR_PATH_SHORTEST, SHORTEN_MOVES);
    }
    return status;
}

static fr_vec3 random_point(timed_search *s, const fr_pose *beside) {
    const fr_bounds *b = &s->input->bounds;
    fr_vec3 low = b->min, high = b->max;
    if (beside != NULL) {
        fr_vec3 at = fr__path_pivot(&s->body, beside);
        double far = BESIDE * s->body.reach;
        low = fr_vec3_max(low, fr_vec3_sub(at, fr_vec3_make(far, far, far)));
        high = fr_vec3_min(high, fr_vec3_add(at, fr_vec3_make(far, far, far)));
    }
    fr_vec3 p;
    p.x = fr_random_between(&s->random, low.x, high.x);
    p.y = fr_random_between(&s->random, low.y, high.y);
    p.z = fr_random_between(&s->random, low.z, high.z);
    return p;
}

// A pose anywhere or beside a node, turned like that node or at random.
static bool add_sample(timed_search *s) {
    uint32_t node = (uint32_t)fr_random_below(&s->random, s->map.nodes.count);
    const fr_pose beside = fr__path_tree_at(&s->map.tree, node)->pose;
    bool is_beside = fr_random_below(&s->random, 2) == 0, is_turned = fr_random_below(&s->random, 3) == 0;
    fr_vec3 point = random_point(s, is_beside ? &beside : NULL);
    fr_quat rotation = beside.rotation;
    if (is_turned) {
        rotation = fr_quat_multiply(fr__path_random_turn(&s->body, &s->random), s->input->start.rotation);
    }
    fr_pose pose = fr__path_pose_at(&s->body, point, rotation);
    fr_motion still = fr_motion_still(&pose);
    if (fr__path_check_motion(&s->body, &still, NULL).is_hit) { return true; }
    return fr__timed_roadmap_add(&s->map, &pose, FR_NONE) != FR_NONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Rounds

// When the search in time ends: what ends moving has ended, what repeats has repeated, and the path of what stands
// could have been gone several times.
static double choose_end(const timed_search *s, const fr__pose_array *poses) {
    const fr_path_input *q = s->input;
    if (q->max_time > 0.0) { return q->max_time; }
    double seconds = (s->body.reach + (poses->count == 0 ? s->body.size : 0.0)) / q->speed;
    for (size_t i = 0; i + 1 < poses->count; i++) {
        fr_motion motion = fr__path_motion(&s->body, &poses->data[i], &poses->data[i + 1]);
        seconds += fr__timed_duration(q, &motion);
    }
    double moving = fmax(s->timed.end - q->start_time, 0.0);
    return q->start_time + moving + HORIZON_PERIODS * s->timed.longest_period + HORIZON * seconds + q->goal_seconds;
}

// The start is node 0, the goals come next.
static bool begin_map(timed_search *s, double end) {
    s->map = fr__timed_roadmap_make(&s->timed, s->input->start_time, end);
    bool has_room = fr__timed_roadmap_add(&s->map, &s->input->start, FR_NONE) != FR_NONE;
    for (uint32_t i = 0; i < s->goal_count && has_room; i++) {
        has_room = fr__timed_roadmap_add(&s->map, &s->goals[i], FR_NONE) != FR_NONE;
    }
    s->map.goal_count = s->goal_count;
    return has_room;
}

// Round after round the roadmap gets another path among what stands and more samples, until a path in time is found.
static fr_status search_rounds(timed_search *s, fr__pose_array *poses, fr_path *out, fr_error *error) {
    const uint64_t seed = s->input->seed;
    s->map.last_move = s->input->max_moves;
    fr_status status = FR_OK;
    bool has_room = add_chain(s, poses);
    for (uint32_t round = 0; has_room && status == FR_OK; round++) {
        out->is_found = fr__timed_roadmap_search(&s->map, &s->states);
        has_room = !s->map.has_failed;
        if (out->is_found || s->map.is_stopped || s->body.moves >= s->map.last_move) { break; }
        fr_control_progress(s->input->control, (double)s->body.moves / (double)s->map.last_move, "searching in time");
        if (round + 1 < CHAINS) {
            fr__path_search_output outcome;
            s->input->seed = seed + round + 1;
            status = find_chain(s, (uint64_t)(CHAIN_SHARE * (double)s->map.last_move), poses, &outcome, error);
            if (status == FR_OK && outcome.is_found) { has_room = has_room && add_chain(s, poses); }
        }
        for (uint32_t i = 0; i < FIRST_SAMPLES * (round + 1) && has_room; i++) {
            has_room = add_sample(s);
        }
    }
    s->input->seed = seed;
    out->is_partial = s->map.is_stopped;
    out->nodes = (uint32_t)s->map.nodes.count;
    if (status == FR_OK && !has_room) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the roadmap"); }
    return status == FR_OK ? failure_of(&s->timed, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The result

static fr_status give_path(timed_search *s, fr_path *out, fr_error *error) {
    const fr__timed_state_array *states = &s->states;
    fr__pose_array poses = fr__pose_array_make(&s->timed.allocator);
    fr_status status = FR_OK;
    out->times = fr_allocate(&out->allocator, states->count, sizeof *out->times, 16);
    if (out->times == NULL || fr__pose_array_push(&poses, states->count) == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
    }
    for (size_t i = 0; i < states->count && status == FR_OK; i++) {
        poses.data[i] = states->data[i].pose;
        out->times[i] = states->data[i].time;
    }
    if (status == FR_OK) { status = fr__path_give_states(&s->body, &poses, out, error); }
    fr__pose_array_destroy(&poses);
    if (status == FR_OK) { return FR_OK; }
    fr_deallocate(&out->allocator, out->times, states->count, sizeof *out->times);
    out->times = NULL;
    return status;
}

static void measure_waiting(const timed_search *s, fr_path *out) {
    for (uint32_t i = 0; i + 1 < out->state_count; i++) {
        fr_motion motion = fr__path_motion(&s->body, &out->states[i], &out->states[i + 1]);
        if (fr__path_size(&s->body, &motion) <= 1e-9 * s->body.reach) {
            out->waiting += out->times[i + 1] - out->times[i];
        }
    }
}

static fr_status finish(timed_search *s, const fr_path_input *given, fr_path *out, fr_error *error) {
    uint64_t begin = fr_clock_ns();
    out->outcome = FR_PATH_FOUND;
    if (s->input->objective != FR_PATH_FIRST) {
        out->is_partial = fr__timed_optimize(&s->timed, &s->states, s->input->optimize_moves);
    }
    out->clearance = s->input->margin;
    fr_status status = failure_of(&s->timed, error);
    if (status == FR_OK) { status = give_path(s, out, error); }
    if (status != FR_OK) { return status; }
    measure_waiting(s, out);
    fr_path_check_output check;
    status = fr_plan_check_timed_path(given, out->states, out->times, out->state_count, &check, error);
    out->is_checked = status == FR_OK && check.is_valid;
    out->optimize_ms = fr_clock_ms_since(begin);
    return status == FR_ERROR_STOPPED ? FR_OK : status;
}

// Whether the start is free when the path begins; `out` says what is there.
static bool is_start_free(timed_search *s, fr_path *out) {
    double time = s->input->start_time;
    fr__timed_motion still = {fr_motion_still(&s->input->start), time, time};
    fr__timed_hit hit = fr__timed_check_moving(&s->timed, &still);
    out->is_blocked = hit.is_hit;
    if (hit.is_hit) { out->blocked = hit.contact; }
    return !hit.is_hit;
}

// Where roadmaps have no path in time, the lattice is searched.
static fr_status ask_lattice(timed_search *s, double end, fr_path *out, fr_error *error) {
    const fr__timed_lattice_input input = {s->goals, s->goal_count, end, s->input->lattice_moves};
    fr__timed_lattice_output found;
    memset(&found, 0, sizeof found);
    fr_status status = FR_OK;
    if (input.moves > 0) { status = fr__timed_lattice_search(&s->timed, &input, &s->states, &found, error); }
    if (status == FR_OK) { status = failure_of(&s->timed, error); }
    out->is_found = status == FR_OK && found.is_found;
    return status == FR_OK && !out->is_found ? fr__path_conclude(&s->body, &found, out, error) : status;
}

static fr_status find_path(timed_search *s, const fr_path_input *given, fr_path *out, fr_error *error) {
    fr_status status = fr__path_check_ends(&s->body, error);
    if (status == FR_OK) {
        status = fr__timed_check_rounds(&s->timed, s->input->start_time, s->input->start_time, error);
    }
    if (status != FR_OK) { return status; }
    if (!fr__path_find_ends(&s->body, s->goals, &s->goal_count, out) || !is_start_free(s, out)) {
        status = failure_of(&s->timed, error);
        return status == FR_OK ? fr__path_conclude(&s->body, NULL, out, error) : status;
    }
    uint64_t begin = fr_clock_ns();
    fr__pose_array poses = fr__pose_array_make(&s->timed.allocator);
    fr__path_search_output outcome;
    status = find_chain(s, (uint64_t)(STATIC_SHARE * (double)s->input->max_moves), &poses, &outcome, error);
    out->field_ms = outcome.field_ms;
    out->leads = outcome.leads;
    out->nodes = outcome.nodes;
    out->is_partial = outcome.is_stopped;
    double end = choose_end(s, &poses);
    if (status == FR_OK) { status = fr__timed_check_rounds(&s->timed, s->input->start_time, end, error); }
    if (status == FR_OK && outcome.is_found && !outcome.is_stopped) {
        if (!begin_map(s, end)) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the roadmap"); }
        if (status == FR_OK) { status = search_rounds(s, &poses, out, error); }
        fr__timed_roadmap_free(&s->map);
    }
    fr__pose_array_destroy(&poses);
    out->outcome = out->is_found ? FR_PATH_FOUND : FR_PATH_NOT_FOUND;
    if (status == FR_OK && !out->is_found && !out->is_partial) { status = ask_lattice(s, end, out, error); }
    out->search_ms = fr_clock_ms_since(begin) - out->field_ms;
    return status == FR_OK && out->is_found ? finish(s, given, out, error) : status;
}

fr_status fr__timed_plan(const fr_path_input *given, fr_path_input *q, fr_path *out, fr_error *error) {
    timed_search s;
    memset(&s, 0, sizeof s);
    s.input = q;
    s.random = fr_random_seed(q->seed ^ 0x74696d6564u);
    fr_status status = fr__timed_make(q, &s.timed, error);
    if (status == FR_OK) { status = fr__path_body_make(q, &s.body, error); }
    if (status == FR_OK) {
        s.timed.body = &s.body;
        s.states = fr__timed_state_array_make(&q->allocator);
        out->allocator = q->allocator;
        out->is_timed = true;
        status = find_path(&s, given, out, error);
        out->moves = s.body.moves;
        fr__timed_state_array_destroy(&s.states);
        status = fr__path_body_close(&s.body, status, error);
        if (status != FR_OK) { fr_path_destroy(out); }
    }
    fr__timed_free(&s.timed);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Checking

fr__timed_hit fr__timed_check_strictly(fr__timed *s, const fr__timed_motion *motion) {
    fr__path_judge_strictly(s->body);
    fr__timed_hit hit = fr__timed_check(s, motion);
    if (!hit.is_hit || s->body->input->margin > 0.0) { return hit; }
    fr__path_set_inset(s->body);
    s->body->margin = 0.0;
    hit = fr__timed_check(s, motion);
    fr__path_judge_strictly(s->body);
    return hit;
}

static bool is_too_fast(const fr__timed *s, const fr__timed_motion *m) {
    fr_path_input q = *s->body->input;
    q.time_step = 0.0;
    return fr__timed_duration(&q, &m->motion) > (m->end - m->begin) * (1.0 + 1e-9) + 1e-9 * fabs(m->end);
}

static fr_status check_states(fr__timed *s, const fr_pose *states, const double *times, uint32_t count,
                              fr_path_check_output *out, fr_error *error) {
    out->is_valid = true;
    fr__path_measure(s->body, states, count, &out->length, &out->turning, &out->turns);
    for (uint32_t i = 0; i < (count == 1 ? 1 : count - 1) && out->is_valid; i++) {
        if (fr_control_is_stopped(s->body->input->control)) {
            return fr_error_set(error, FR_ERROR_STOPPED, "stopped while checking motion %u", i);
        }
        uint32_t next = count == 1 ? 0 : i + 1;
        fr__timed_motion m = {fr__path_motion(s->body, &states[i], &states[next]), times[i], times[next]};
        out->is_outside_bounds =
            !fr__path_is_inside(s->body, &states[i]) || !fr__path_is_inside(s->body, &states[next]);
        out->is_too_fast = !out->is_outside_bounds && is_too_fast(s, &m);
        fr__timed_hit hit = {.time = m.end};
        if (!out->is_outside_bounds && !out->is_too_fast) { hit = fr__timed_check_strictly(s, &m); }
        out->is_valid = !out->is_outside_bounds && !out->is_too_fast && !hit.is_hit;
        if (out->is_valid) { continue; }
        out->motion = i;
        out->contact = hit.contact;
        out->time = m.end > m.begin && hit.is_hit ? (hit.time - m.begin) / (m.end - m.begin) : 0.0;
    }
    return FR_OK;
}

static fr_status check_times(const fr_pose *states, const double *times, uint32_t count, fr_error *error) {
    if (states == NULL || times == NULL || count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the path has no states or no times");
    }
    for (uint32_t i = 0; i < count; i++) {
        fr_pose pose = states[i];
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
        if (!isfinite(times[i])) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "time %u is not finite", i); }
        if (i > 0 && !(times[i] >= times[i - 1])) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the times of the path do not grow at state %u", i);
        }
    }
    return FR_OK;
}

// What a path in time is looked at with.
typedef struct timed_check {
    fr_path_input input;
    fr__path_body body;
    fr__timed timed;
} timed_check;

static fr_status open_check(const fr_path_input *input, const fr_pose *states, const double *times, uint32_t count,
                            timed_check *out, fr_error *error) {
    memset(&out->timed, 0, sizeof out->timed);
    fr_status status = fr__path_check_input(input, &out->input, error);
    if (status == FR_OK) { status = check_times(states, times, count, error); }
    if (status == FR_OK && out->input.obstacle_count > 0) { status = fr__timed_make(&out->input, &out->timed, error); }
    if (status == FR_OK) { status = fr__timed_check_rounds(&out->timed, times[0], times[count - 1], error); }
    if (status == FR_OK) { status = fr__path_body_make(&out->input, &out->body, error); }
    if (status != FR_OK) { fr__timed_free(&out->timed); }
    out->timed.body = &out->body;
    return status;
}

static fr_status close_check(timed_check *c, fr_status status, fr_error *error) {
    if (status == FR_OK) { status = failure_of(&c->timed, error); }
    status = fr__path_body_close(&c->body, status, error);
    fr__timed_free(&c->timed);
    return status;
}

fr_status fr_plan_check_timed_path(const fr_path_input *input, const fr_pose *states, const double *times,
                                   uint32_t count, fr_path_check_output *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    timed_check c;
    fr_status status = open_check(input, states, times, count, &c, error);
    if (status != FR_OK) { return status; }
    return close_check(&c, check_states(&c.timed, states, times, count, out, error), error);
}

typedef struct timed_states {
    fr__timed *timed;
    const fr_pose *states;
    const double *times;
    uint32_t count;
} timed_states;

static bool is_timed_free(void *context) {
    const timed_states *p = context;
    for (uint32_t i = 0; i < (p->count == 1 ? 1 : p->count - 1); i++) {
        uint32_t next = p->count == 1 ? 0 : i + 1;
        fr_motion motion = fr__path_motion(p->timed->body, &p->states[i], &p->states[next]);
        const fr__timed_motion m = {motion, p->times[i], p->times[next]};
        if (fr__timed_check(p->timed, &m).is_hit) { return false; }
    }
    return true;
}

fr_status fr_plan_timed_path_clearance(const fr_path_input *input, const fr_pose *states, const double *times,
                                       uint32_t count, double max_clearance, double *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = 0.0;
    if (!(max_clearance > 0.0 && max_clearance <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the greatest distance is not in 0 .. 2^300");
    }
    timed_check c;
    fr_status status = open_check(input, states, times, count, &c, error);
    if (status != FR_OK) { return status; }
    timed_states path = {&c.timed, states, times, count};
    *out = fr__path_clearance_by(&c.body, max_clearance, is_timed_free, &path);
    status = close_check(&c, FR_OK, error);
    if (status != FR_OK) { *out = 0.0; }
    return status;
}
