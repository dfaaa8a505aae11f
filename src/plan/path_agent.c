// An agent among faces: it goes along a path in time, looks at every tick whether the rest of it is still free as far
// as it can foresee, and plans again where it is not. With no path it stays, or steps aside from what comes.
#include "plan/timed.h"

#include <string.h>

#define AGENT_COOKIE 0x50416774u
#define STEP 0.02
#define FORESIGHT 1.0
#define PAUSE 0.1 // seconds from a search that failed to the next, and twice as long each time
#define MAX_PAUSE 1.0
#define SAME 1e-9      // of the body's reach: poses that are one
#define TRUE_PATH 1e-6 // of an obstacle's coordinates: what is known of it has come true
#define MAX_PIECES 16  // of a motion that is foreseen
#define ASIDE 14       // directions in which the body may step aside: along axes and diagonals

struct fr_path_agent {
    fr_allocator allocator;
    fr_path_input query; // the definition's
    double step, foresight;
    fr_path path; // with times
    uint32_t at;  // the last state of it that was passed
    bool is_back; // the path is one that was gone before, reversed, and has no times yet
    uint64_t plans, moves;
    double next_search; // not before this
    double pause;       // after the next search that fails
    uint64_t sign;      // of what stood when the path was last found free of it
    // What is seen in a tick
    fr_path_obstacle *obstacles;
    fr_path_sample *samples;
    uint32_t obstacle_count, obstacle_capacity;
};

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_path_agent_def fr_default_path_agent_def(void) {
    fr_path_agent_def def;
    memset(&def, 0, sizeof def);
    def.query = fr_default_path_input();
    def.step = STEP;
    def.foresight = FORESIGHT;
    def.cookie = AGENT_COOKIE;
    return def;
}

fr_status fr_path_agent_create(const fr_path_agent_def *def, fr_path_agent **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != AGENT_COOKIE) { return fr_error_set_cookie(error, "fr_default_path_agent_def"); }
    if (!(def->step > 0.0 && def->step <= FR_LENGTH_MAX) || !(def->foresight >= 0.0 && def->foresight <= 1e6)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an agent's step or foresight is out of bounds");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->query.allocator);
    fr_path_agent *agent = fr_allocate(&allocator, 1, sizeof *agent, _Alignof(fr_path_agent));
    if (agent == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an agent"); }
    memset(agent, 0, sizeof *agent);
    agent->allocator = allocator;
    agent->query = def->query;
    agent->query.allocator = allocator;
    agent->query.time_step = def->step;
    agent->query.max_time = 0.0;
    agent->step = def->step;
    agent->foresight = fmax(def->foresight, def->step);
    agent->next_search = -INFINITY;
    agent->pause = PAUSE;
    *out = agent;
    return FR_OK;
}

static void free_seen(fr_path_agent *agent) {
    size_t capacity = agent->obstacle_capacity;
    fr_deallocate(&agent->allocator, agent->obstacles, capacity, sizeof *agent->obstacles);
    fr_deallocate(&agent->allocator, agent->samples, capacity * (MAX_PIECES + 2), sizeof *agent->samples);
    agent->obstacles = NULL;
    agent->samples = NULL;
    agent->obstacle_capacity = 0;
}

void fr_path_agent_destroy(fr_path_agent *agent) {
    if (agent == NULL) { return; }
    fr_path_destroy(&agent->path);
    free_seen(agent);
    fr_allocator allocator = agent->allocator;
    fr_deallocate(&allocator, agent, 1, sizeof *agent);
}

void fr_path_agent_drop_path(fr_path_agent *agent) {
    fr_path_destroy(&agent->path);
    agent->at = 0;
    agent->is_back = false;
    agent->next_search = -INFINITY;
}

fr_path_agent_state fr_path_agent_get(const fr_path_agent *agent) {
    return (fr_path_agent_state){&agent->path, agent->path.is_found ? agent->at + 1 : 0, agent->plans, agent->moves};
}

static bool is_same_pose(const fr_path_agent *agent, const fr_pose *a, const fr_pose *b) {
    fr_motion m = fr_motion_between(a, b, agent->query.pivot_local);
    double size = 1.0 + fr_vec3_largest(a->position);
    return fr_vec3_length(m.travel) <= SAME * size && fr_vec3_length(m.turn) <= SAME;
}

// Back along the same states: a motion that is free of what stands is free backwards.
static void reverse_path(fr_path_agent *agent) {
    fr_pose *states = agent->path.states;
    for (uint32_t i = 0, k = agent->path.state_count - 1; i < k; i++, k--) {
        fr_pose swap = states[i];
        states[i] = states[k];
        states[k] = swap;
    }
    agent->at = 0;
    agent->is_back = true;
}

fr_status fr_path_agent_set_goal(fr_path_agent *agent, const fr_pose *goal, bool is_turn_any, fr_error *error) {
    FR_ASSERT(agent != NULL && goal != NULL);
    fr_pose checked = *goal;
    fr_status status = fr_pose_check(&checked, error);
    if (status != FR_OK) { return status; }
    bool is_back = agent->path.is_found && is_same_pose(agent, goal, &agent->path.states[0]);
    agent->query.goal = checked;
    agent->query.is_goal_turn_any = is_turn_any;
    agent->next_search = -INFINITY;
    if (is_back) {
        reverse_path(agent);
    } else {
        fr_path_agent_drop_path(agent);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Observing

static bool is_accepted(const fr_path_agent *agent, const fr_space *space, fr_object_id id,
                        const fr_object_view *view) {
    const fr_query_filter *f = agent->query.filter;
    if (f == NULL) { return true; }
    if (fr_object_id_equal(id, f->ignore) || (view->filter.layers & f->mask) == 0) { return false; }
    const fr_object_id none = {0, 0, 0};
    return f->accept == NULL || f->accept(space, id, none, f->context);
}

// Whether an object does what is known of it in the tick that begins.
static bool is_as_known(const fr_path_agent *agent, const fr_path_obstacle *known, const fr_object_view *view,
                        double time) {
    fr_pose now, next;
    fr__timed_pose_at(known, view, time, &now);
    fr__timed_pose_at(known, view, time + agent->step, &next);
    double size = TRUE_PATH * (1.0 + fr_vec3_largest(now.position));
    const fr_pose *seen[2] = {&view->pose, view->is_moving ? &view->next : &view->pose}, *said[2] = {&now, &next};
    for (int k = 0; k < 2; k++) {
        fr_motion m = fr_motion_between(seen[k], said[k], view->pivot_local);
        if (fr_vec3_length(m.travel) > size || fr_vec3_length(m.turn) > TRUE_PATH) { return false; }
    }
    return true;
}

static const fr_path_obstacle *find_known(const fr_path_agent *agent, fr_object_id id) {
    for (uint32_t i = 0; i < agent->query.obstacle_count; i++) {
        if (fr_object_id_equal(agent->query.obstacles[i].object, id)) { return &agent->query.obstacles[i]; }
    }
    return NULL;
}

// The motion of this tick, and on like that until the foresight ends.
static void foresee(const fr_path_agent *agent, const fr_object_view *view, double time, fr_path_obstacle *out,
                    fr_path_sample *samples) {
    double ticks = agent->foresight / agent->step;
    double turn = fr_vec3_length(view->motion.turn) * (ticks - 1.0);
    double pieces = fmin(fmax(ceil(turn), 1.0), (double)MAX_PIECES);
    if (pieces > 1.0 && turn > pieces) { ticks = 1.0 + (ticks - 1.0) * pieces / turn; }
    samples[0] = (fr_path_sample){time, view->pose};
    samples[1] = (fr_path_sample){time + agent->step, view->next};
    out->sample_count = 2;
    for (double i = 1.0; i <= pieces && ticks > 1.0; i += 1.0) {
        double part = 1.0 + (ticks - 1.0) * i / pieces;
        samples[out->sample_count++] = (fr_path_sample){time + part * agent->step, fr_motion_pose(&view->motion, part)};
    }
    out->samples = samples;
}

static bool make_room(fr_path_agent *agent, uint32_t count) {
    if (count <= agent->obstacle_capacity) { return true; }
    free_seen(agent);
    agent->obstacle_capacity = count;
    agent->obstacles = fr_allocate(&agent->allocator, count, sizeof *agent->obstacles, 16);
    agent->samples = fr_allocate(&agent->allocator, (size_t)count * (MAX_PIECES + 2), sizeof *agent->samples, 16);
    if (agent->obstacles != NULL && agent->samples != NULL) { return true; }
    free_seen(agent);
    return false;
}

// What moves: as it is known, or as it is seen.
static fr_status observe(fr_path_agent *agent, const fr_path_agent_input *in, fr_error *error) {
    uint32_t places = fr_space_object_places(in->space);
    agent->obstacle_count = 0;
    if (!make_room(agent, places + 1)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for obstacles"); }
    for (uint32_t i = 0; i < places && agent->obstacle_count < FR_PATH_MAX_OBSTACLES; i++) {
        fr_object_id id = fr_space_object_at(in->space, i);
        const fr_object_view *view = fr_object_get(in->space, id);
        if (view == NULL || !is_accepted(agent, in->space, id, view)) { continue; }
        const fr_path_obstacle *known = find_known(agent, id);
        bool is_known = known != NULL && is_as_known(agent, known, view, in->time);
        if (!is_known && !view->is_moving) { continue; }
        uint32_t n = agent->obstacle_count++;
        agent->obstacles[n] = is_known ? *known : (fr_path_obstacle){.object = id};
        if (!is_known) {
            foresee(agent, view, in->time, &agent->obstacles[n], agent->samples + (size_t)n * (MAX_PIECES + 2));
        }
    }
    return FR_OK;
}

// A number that changes when anything that stands does.
static uint64_t sign_of(const fr_path_agent *agent, const fr_space *space) {
    uint64_t sign = 0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        if (view == NULL || view->is_moving || !is_accepted(agent, space, id, view)) { continue; }
        fr_versions v = fr_object_versions(space, id);
        sign = (sign ^ id.index1) * 0x9e3779b97f4a7c15u;
        sign =
            (sign ^ id.generation ^ v.shape ^ v.vertices << 16 ^ v.pose << 32 ^ v.filter << 48) * 0x9e3779b97f4a7c15u;
        sign ^= sign >> 29;
    }
    return sign;
}

static fr_path_input query_of(const fr_path_agent *agent, const fr_path_agent_input *in) {
    fr_path_input q = agent->query;
    q.space = in->space;
    q.start = in->pose;
    q.start_time = in->time;
    q.seed = agent->query.seed + agent->plans;
    q.obstacles = agent->obstacles;
    q.obstacle_count = agent->obstacle_count;
    return q;
}

// What is seen in one tick, made ready for checks.
typedef struct sight {
    fr_path_input input;
    fr__timed timed;
    fr__path_body body;
} sight;

static fr_status sight_open(const fr_path_input *query, sight *out, fr_error *error) {
    memset(&out->timed, 0, sizeof out->timed);
    fr_status status = fr__path_check_input(query, &out->input, error);
    if (status == FR_OK && query->obstacle_count > 0) { status = fr__timed_make(&out->input, &out->timed, error); }
    if (status == FR_OK) { status = fr__timed_check_rounds(&out->timed, query->start_time, query->start_time, error); }
    if (status == FR_OK) { status = fr__path_body_make(&out->input, &out->body, error); }
    if (status != FR_OK) { fr__timed_free(&out->timed); }
    out->timed.body = &out->body;
    return status;
}

static fr_status sight_close(sight *seen, fr_status status, fr_error *error) {
    fr__timed_free(&seen->timed);
    return fr__path_body_close(&seen->body, status, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The path

// The times of a path that has none: at the speeds of the query, from now on.
static bool set_times(fr_path_agent *agent, double time, fr_path *path) {
    if (path->times == NULL) {
        path->times = fr_allocate(&path->allocator, path->state_count, sizeof *path->times, 16);
        if (path->times == NULL) { return false; }
    }
    path->times[0] = time;
    for (uint32_t i = 0; i + 1 < path->state_count; i++) {
        fr_motion motion = fr_motion_between(&path->states[i], &path->states[i + 1], agent->query.pivot_local);
        path->times[i + 1] = path->times[i] + fr__timed_duration(&agent->query, &motion);
    }
    return true;
}

// Up to when the rest of the path is free; infinite: to its end. What stands is looked at where it has changed.
static double check_rest(const fr_path_agent *agent, sight *seen, bool has_changed) {
    const fr_path *path = &agent->path;
    fr_pose from = seen->input.start;
    double time = seen->input.start_time;
    for (uint32_t i = agent->at + 1; i < path->state_count; i++) {
        fr__timed_motion m = {fr__path_motion(&seen->body, &from, &path->states[i]), time, path->times[i]};
        fr__timed_hit hit = {.time = m.end};
        fr__path_judge_strictly(&seen->body);
        if (has_changed) {
            hit = fr__timed_check_strictly(&seen->timed, &m);
        } else if (seen->timed.obstacle_count > 0) {
            hit = fr__timed_check_moving(&seen->timed, &m);
        }
        if (hit.is_hit) { return hit.time; }
        from = path->states[i];
        time = path->times[i];
    }
    return INFINITY;
}

static void take_path(fr_path_agent *agent, const fr_path *path) {
    fr_path_destroy(&agent->path);
    agent->path = *path;
    agent->at = 0;
    agent->is_back = false;
}

// Searches; what is found replaces the path. Among what stands an old path is repaired.
static fr_status search(fr_path_agent *agent, const fr_path_input *q, bool *is_found, fr_error *error) {
    fr_path path;
    bool is_old = agent->path.is_found && agent->at + 1 < agent->path.state_count;
    agent->plans++;
    fr_status status =
        is_old ? fr_plan_repair_path(q, &agent->path, agent->at, &path, error) : fr_plan_path(q, &path, error);
    if (status != FR_OK) { return status; }
    agent->moves += path.moves;
    *is_found = path.is_found && path.is_checked;
    if (*is_found && !path.is_timed && !set_times(agent, q->start_time, &path)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
        *is_found = false;
    }
    if (*is_found) {
        take_path(agent, &path);
        agent->pause = PAUSE;
    } else {
        fr_path_destroy(&path);
        agent->next_search = q->start_time + agent->pause;
        agent->pause = fmin(2.0 * agent->pause, MAX_PAUSE);
    }
    return status;
}

// Whether the body is where its path has it; passed states are left behind.
static bool is_on_path(fr_path_agent *agent, const fr_path_agent_input *in) {
    const fr_path *path = &agent->path;
    if (!path->is_found || agent->is_back) { return false; }
    const double late = 0.5 * agent->step;
    while (agent->at + 1 < path->state_count && path->times[agent->at + 1] <= in->time + 1e-6 * late) {
        agent->at++;
    }
    uint32_t next = agent->at + 1 < path->state_count ? agent->at + 1 : agent->at;
    fr_motion motion = fr_motion_between(&path->states[agent->at], &path->states[next], agent->query.pivot_local);
    double seconds = path->times[next] - path->times[agent->at];
    fr_pose pose = fr_motion_pose(&motion, seconds > 0.0 ? (in->time - path->times[agent->at]) / seconds : 0.0);
    return is_same_pose(agent, &pose, &in->pose);
}

// ---------------------------------------------------------------------------------------------------------------
// With no path

// Directions along axes, then diagonals; in the plane those in it.
static fr_vec3 direction(uint32_t i) {
    if (i < 6) {
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        return fr_vec3_make(i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0);
    }
    double s = sqrt(1.0 / 3.0);
    return fr_vec3_make((i & 1) != 0 ? s : -s, (i & 2) != 0 ? s : -s, ((i - 6) & 4) != 0 ? s : -s);
}

// How long the body is free that goes to a pose in some seconds and stays there, up to the foresight; negative where it
// does not come through the tick that begins.
static double free_seconds(const fr_path_agent *agent, fr__timed *timed, const fr_pose *to, double seconds) {
    const fr_path_input *q = timed->body->input;
    double begin = q->start_time, end = begin + seconds, last = begin + agent->foresight;
    fr__timed_motion go = {fr_motion_between(&q->start, to, q->pivot_local), begin, end};
    fr__timed_motion rest = {fr_motion_still(to), end, fmax(last, end)};
    if (!fr__path_is_inside(timed->body, to)) { return -1.0; }
    fr__timed_hit hit = fr__timed_check(timed, &go);
    if (!hit.is_hit) { hit = fr__timed_check_moving(timed, &rest); }
    return hit.is_hit && hit.time < begin + agent->step ? -1.0 : hit.time - begin;
}

// Stays where that is free as far as is foreseen; else goes where it is free for longest, the nearest such place first.
static void step_aside(const fr_path_agent *agent, fr__timed *timed, fr_path_agent_output *out) {
    static const double parts[3] = {0.25, 0.5, 1.0}; // of the foresight: how long it goes
    const fr_path_input *q = timed->body->input;
    double best = free_seconds(agent, timed, &q->start, agent->step);
    for (uint32_t i = 0; i < 3 * ASIDE && best < agent->foresight * (1.0 - 1e-9); i++) {
        fr_vec3 d = direction(i % ASIDE);
        if (q->dimension == 2) { *fr__path_height(q, &d) = 0.0; }
        if (fr_vec3_length(d) == 0.0) { continue; }
        double seconds = fmax(parts[i / ASIDE] * agent->foresight, agent->step);
        fr_pose to = q->start;
        to.position = fr_vec3_add_scaled(to.position, q->speed * seconds * (1.0 - 1e-6), d);
        double free = free_seconds(agent, timed, &to, seconds);
        if (!(free > best)) { continue; }
        best = free;
        fr_motion motion = fr_motion_between(&q->start, &to, q->pivot_local);
        out->pose = fr_motion_pose(&motion, fmin(agent->step / seconds, 1.0));
        out->event = FR_PLAN_MOVED;
    }
    if (best < 0.0) { out->event = FR_PLAN_OVERRUN; }
}

// A body that rests on something is checked from a little inside of it.
static void stay(const fr_path_agent *agent, sight *seen, fr_path_agent_output *out) {
    fr_motion still = fr_motion_still(&seen->input.start);
    fr__path_judge_strictly(&seen->body);
    bool is_resting = seen->input.margin == 0.0 && fr__path_check_motion(&seen->body, &still, NULL).is_hit;
    if (is_resting) { fr__path_set_inset(&seen->body); }
    step_aside(agent, &seen->timed, out);
}

// ---------------------------------------------------------------------------------------------------------------
// A tick

static bool is_at_goal(const fr_path_agent *agent, const fr_pose *pose) {
    const fr_path_input *q = &agent->query;
    if (!q->is_goal_turn_any) { return is_same_pose(agent, pose, &q->goal); }
    fr_pose goal = q->goal;
    goal.scale = pose->scale;
    fr_vec3 here = fr_pose_apply(pose, q->pivot_local), there = fr_pose_apply(&goal, q->pivot_local);
    return fr_vec3_distance(here, there) <= SAME * (1.0 + fr_vec3_largest(there));
}

// The pose at the end of the tick along the path.
static void go_on(const fr_path_agent *agent, const fr_path_agent_input *in, fr_path_agent_output *out) {
    const fr_path *path = &agent->path;
    uint32_t next = agent->at + 1;
    double end = in->time + agent->step;
    out->pose = path->states[next];
    if (path->times[next] > end + 1e-6 * agent->step) {
        fr_motion motion = fr_motion_between(&in->pose, &path->states[next], agent->query.pivot_local);
        out->pose = fr_motion_pose(&motion, agent->step / (path->times[next] - in->time));
    }
    fr_motion moved = fr_motion_between(&in->pose, &out->pose, agent->query.pivot_local);
    bool is_moved = fr_vec3_length(moved.travel) > 0.0, is_turned = fr_vec3_length(moved.turn) > 0.0;
    out->event = is_moved ? FR_PLAN_MOVED : is_turned ? FR_PLAN_TURNED : FR_PLAN_WAIT;
}

// Goes on along the path, plans, stays, or steps aside.
static fr_status decide(fr_path_agent *agent, const fr_path_agent_input *in, sight *seen, fr_path_agent_output *out,
                        fr_error *error) {
    bool is_there = is_at_goal(agent, &in->pose), is_found = false;
    double free_until = -INFINITY;
    uint64_t sign = sign_of(agent, in->space);
    if (!is_there && is_on_path(agent, in) && agent->at + 1 < agent->path.state_count) {
        free_until = check_rest(agent, seen, sign != agent->sign);
    }
    if (free_until < INFINITY && !is_there && in->time >= agent->next_search) {
        fr_path_input query = query_of(agent, in);
        fr_status status = search(agent, &query, &is_found, error);
        if (status != FR_OK) { return status; }
    }
    if (free_until == INFINITY || is_found) { agent->sign = sign; }
    // A path that is free for a while is gone on while there is no better one.
    if (!is_there && (is_found || free_until >= in->time + agent->foresight)) {
        go_on(agent, in, out);
        return FR_OK;
    }
    stay(agent, seen, out);
    if (is_there && out->event == FR_PLAN_WAIT) { out->event = FR_PLAN_GOAL; }
    return FR_OK;
}

fr_status fr_path_agent_tick(fr_path_agent *agent, const fr_path_agent_input *in, fr_path_agent_output *out,
                             fr_error *error) {
    FR_ASSERT(agent != NULL && in != NULL && out != NULL);
    *out = (fr_path_agent_output){FR_PLAN_WAIT, in->pose};
    fr_status status = observe(agent, in, error);
    if (status != FR_OK) { return status; }
    fr_path_input query = query_of(agent, in);
    sight seen;
    status = sight_open(&query, &seen, error);
    if (status != FR_OK) { return status; }
    status = decide(agent, in, &seen, out, error);
    if (status == FR_OK && seen.timed.status != FR_OK) {
        status = fr_error_set(error, seen.timed.status, "an obstacle could not be moved");
    }
    status = sight_close(&seen, status, error);
    if (status != FR_OK) { *out = (fr_path_agent_output){FR_PLAN_WAIT, in->pose}; }
    return status;
}
