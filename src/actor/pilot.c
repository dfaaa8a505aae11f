// The pilot of a robot in a world: it flies along a path, there and back, waits for what crosses it, and plans again
// when something blocks it. An agent among faces (fr_path_agent) decides every tick.
#include "actor/retained_parts.h"

#include "fureai/actor.h"

#include <math.h>
#include <string.h>

#define PILOT_COOKIE 0x50494c4fu
#define SECONDS 3.0      // that the straight line takes, by default
#define SHADOWS 12       // of the robot that are drawn along it
#define TICK_MOVES 1600  // motions to query in one tick: some tens of milliseconds
#define GOAL_SECONDS 1.0 // that the robot can stay where it arrives
#define FROM_START 0
#define FROM_GOAL 1

struct fr_pilot {
    fr_allocator allocator;
    fr_world *world;
    fr_object_id robot;
    fr_path_input query; // of the definition, with what is below
    double scale;        // of the robot
    fr_query_filter filter;
    fr__retained_parts body;
    fr_path_obstacle *obstacles; // copies of the definition's, and their samples
    fr_path_sample *samples;
    size_t sample_count;
    fr_path_agent *agent;
    bool is_returning;        // it flies to the start
    uint64_t drawn_plan;      // the number of the plan that was drawn last
    fr_path_branch *branches; // FR_PILOT_MAX_BRANCHES, of the last search, as they came
    uint32_t branch_count;
    uint64_t branch_plan, drawn_branches; // the number of that search, and of the one whose branches were drawn last
};

// ---------------------------------------------------------------------------------------------------------------
// The search, to be shown

// Another search has another number: its branches replace those of the one before.
static void begin_branches(fr_pilot *p) {
    uint64_t plan = fr_path_agent_get(p->agent).plans;
    if (p->branch_plan == plan) { return; }
    p->branch_plan = plan;
    p->branch_count = 0;
}

static void take_branch(const fr_path_branch *branch, void *context) {
    fr_pilot *p = context;
    begin_branches(p);
    if (p->branch_count < FR_PILOT_MAX_BRANCHES) { p->branches[p->branch_count++] = *branch; }
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void paint_branches(const fr_pilot *p, bool is_goal, fr_color color, const fr_draw *draw) {
    for (uint32_t i = 0; i < p->branch_count; i++) {
        const fr_path_branch *b = &p->branches[i];
        if (b->is_goal != is_goal) { continue; }
        const double points[6] = {b->from.x, b->from.y, b->from.z, b->to.x, b->to.y, b->to.z};
        fr_draw_lines(draw, points, 1, color, 1.5);
    }
}

static void paint_from_start(const fr_draw *draw, void *user) {
    paint_branches(user, false, (fr_color){70, 150, 200, 220}, draw);
}

static void paint_from_goal(const fr_draw *draw, void *user) {
    paint_branches(user, true, (fr_color){120, 170, 60, 220}, draw);
}

static void paint_path(const fr_draw *draw, void *user) {
    static const fr_color line = {220, 70, 40, 255}, shadow = {80, 150, 220, 26};
    const fr_pilot *p = user;
    const fr_path *path = fr_path_agent_get(p->agent).path;
    const fr_pose *states = path->states;
    uint32_t count = path->state_count;
    for (uint32_t i = 0; i + 1 < count; i++) {
        fr_vec3 a = fr_pose_apply(&states[i], p->query.pivot_local);
        fr_vec3 b = fr_pose_apply(&states[i + 1], p->query.pivot_local);
        const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
        fr_draw_lines(draw, points, 1, line, 2.0);
    }
    for (uint32_t i = 1; count > 1 && i < SHADOWS; i++) {
        double at = (double)i / SHADOWS * (double)(count - 1);
        uint32_t first = (uint32_t)at;
        fr_motion motion = fr_motion_between(&states[first], &states[first + 1], p->query.pivot_local);
        fr_pose pose = fr_motion_pose(&motion, at - (double)first);
        fr_parts_draw(p->body.parts, p->body.part_count, &pose, draw, shadow);
    }
}

static void draw(fr_painter *painter, fr_pilot *p, const char *name, fr_paint_fn *paint) {
    fr_error error = {0};
    const fr_cast_layer layer = {.name = name, .paint = paint, .user = p};
    if (fr_painter_draw(painter, &layer, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "the layer %s is not drawn: %s", name, error.message);
    }
}

static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    (void)proposal;
    fr_pilot *p = user;
    fr_path_agent_state now = fr_path_agent_get(p->agent);
    bool is_new = fr_painter_is_new(painter);
    begin_branches(p);
    if (p->drawn_branches != p->branch_plan || is_new) {
        p->drawn_branches = p->branch_plan;
        draw(painter, p, FR_PILOT_START_LAYER, paint_from_start);
        draw(painter, p, FR_PILOT_GOAL_LAYER, paint_from_goal);
    }
    if (now.path->is_found && (p->drawn_plan != now.plans || is_new)) {
        p->drawn_plan = now.plans;
        draw(painter, p, FR_PILOT_PATH_LAYER, paint_path);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Flying

// Where it flies to now.
static fr_status set_goal(fr_pilot *p, fr_error *error) {
    const fr_path_input *q = &p->query;
    return fr_path_agent_set_goal(p->agent, p->is_returning ? &q->start : &q->goal,
                                  !p->is_returning && q->is_goal_turn_any, error);
}

// A corrector: it sees what moves in this tick, and what people have just moved.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_pilot *p = user;
    const fr_object_view *view = fr_object_get(proposal->space, p->robot);
    if (view == NULL) { return FR_OK; }
    if (fr_wishes_find(wishes, p->robot) != NULL) {
        fr_path_agent_drop_path(p->agent); // a person holds it
        return FR_OK;
    }
    const fr_path_agent_input in = {proposal->space, proposal->time, view->pose};
    fr_path_agent_output out;
    if (fr_path_agent_tick(p->agent, &in, &out, NULL) != FR_OK) { return FR_OK; } // it waits
    if (out.event == FR_PLAN_GOAL) {
        p->is_returning = !p->is_returning;
        return set_goal(p, error);
    }
    if (memcmp(&out.pose, &view->pose, sizeof out.pose) == 0) { return FR_OK; }
    const fr_wish wish = {.object = p->robot, .kind = FR_WISH_NEXT, .pose = out.pose};
    return fr_wishes_add(wishes, &wish, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_pilot_def fr_default_pilot_def(void) {
    fr_pilot_def def;
    memset(&def, 0, sizeof def);
    def.query = fr_default_path_input();
    def.seconds = SECONDS;
    def.cookie = PILOT_COOKIE;
    return def;
}

static fr_status begin(void *user, fr_error *error) {
    fr_pilot *p = user;
    fr_path_agent_drop_path(p->agent);
    p->is_returning = false;
    fr_status status = set_goal(p, error);
    fr_pose start = p->query.start;
    start.scale = p->scale;
    return status == FR_OK ? fr_object_set_pose(fr_world_space(p->world), p->robot, &start, error) : status;
}

// Motions that are known are the pilot's own while it lives.
static bool copy_obstacles(fr_pilot *p, const fr_path_input *given) {
    for (uint32_t i = 0; i < given->obstacle_count; i++) {
        p->sample_count += given->obstacles[i].sample_count;
    }
    if (given->obstacle_count == 0) { return true; }
    p->obstacles = fr_allocate(&p->allocator, given->obstacle_count, sizeof *p->obstacles, 16);
    p->samples = fr_allocate(&p->allocator, p->sample_count, sizeof *p->samples, 16);
    if (p->obstacles == NULL || p->samples == NULL) { return false; }
    fr_path_sample *samples = p->samples;
    for (uint32_t i = 0; i < given->obstacle_count; i++) {
        p->obstacles[i] = given->obstacles[i];
        p->obstacles[i].samples = samples;
        memcpy(samples, given->obstacles[i].samples, given->obstacles[i].sample_count * sizeof *samples);
        samples += given->obstacles[i].sample_count;
    }
    return true;
}

// Speeds by which the straight line takes the seconds of the definition; a radian counts as the arm.
static void set_speeds(fr_pilot *p, double seconds) {
    fr_bounds bounds;
    double arm = 0.0;
    if (fr_object_bounds(fr_world_space(p->world), p->robot, &bounds, NULL) == FR_OK) {
        arm = 0.25 * fr_vec3_distance(bounds.min, bounds.max);
    }
    fr_motion straight = fr_motion_between(&p->query.start, &p->query.goal, p->query.pivot_local);
    double size = fr_vec3_length(straight.travel) + arm * fr_vec3_length(straight.turn);
    if (!(size > 0.0)) { size = fmax(arm, 1e-9); }
    p->query.speed = size / seconds;
    p->query.turn_speed = arm > 0.0 ? p->query.speed / arm : FR_PI / seconds;
}

static fr_status make_agent(fr_pilot *p, const fr_pilot_def *def, fr_error *error) {
    const fr_space *space = fr_world_space(p->world);
    p->branches = fr_allocate(&p->allocator, FR_PILOT_MAX_BRANCHES, sizeof *p->branches, 16);
    if (p->branches == NULL || !fr__retained_parts_take(&p->body, &p->allocator, space, p->robot) ||
        !copy_obstacles(p, &def->query)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a robot");
    }
    if (def->seconds > 0.0) { set_speeds(p, def->seconds); }
    p->filter = fr_default_query_filter();
    p->filter.ignore = p->robot;
    fr_path_agent_def agent = fr_default_path_agent_def();
    fr_path_input *q = &p->query;
    q->filter = &p->filter;
    q->parts = p->body.parts;
    q->part_count = p->body.part_count;
    q->obstacles = p->obstacles;
    q->objective = q->objective == FR_PATH_FIRST ? FR_PATH_SHORTEST : q->objective;
    q->goal_seconds = GOAL_SECONDS;
    q->max_moves = TICK_MOVES;
    q->optimize_moves = TICK_MOVES / 8;
    q->lattice_moves = 0;
    q->on_branch = take_branch;
    q->branch_context = p;
    q->allocator = p->allocator;
    agent.query = *q;
    agent.step = fr_world_step(p->world);
    return fr_path_agent_create(&agent, &p->agent, error);
}

fr_status fr_pilot_create(const fr_pilot_def *def, fr_pilot **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != PILOT_COOKIE) { return fr_error_set_cookie(error, "fr_default_pilot_def"); }
    if (def->world == NULL || !(def->seconds >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a pilot needs a world and a time");
    }
    const fr_object_view *view = fr_object_get(fr_world_space(def->world), def->robot);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such robot"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_pilot *p = fr_allocate(&allocator, 1, sizeof *p, _Alignof(fr_pilot));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a pilot"); }
    memset(p, 0, sizeof *p);
    p->allocator = allocator;
    p->world = def->world;
    p->robot = def->robot;
    p->query = def->query;
    p->scale = p->query.start.scale = p->query.goal.scale = view->pose.scale;
    fr_status status = make_agent(p, def, error);
    if (status == FR_OK) { status = begin(p, error); }
    if (status != FR_OK) {
        fr_pilot_destroy(p);
        return status;
    }
    *out = p;
    return FR_OK;
}

void fr_pilot_destroy(fr_pilot *p) {
    if (p == NULL) { return; }
    fr_path_agent_destroy(p->agent);
    fr__retained_parts_release(&p->body);
    fr_deallocate(&p->allocator, p->branches, FR_PILOT_MAX_BRANCHES, sizeof *p->branches);
    fr_deallocate(&p->allocator, p->obstacles, p->query.obstacle_count, sizeof *p->obstacles);
    fr_deallocate(&p->allocator, p->samples, p->sample_count, sizeof *p->samples);
    fr_allocator allocator = p->allocator;
    fr_deallocate(&allocator, p, 1, sizeof *p);
}

static void leave(void *user) { fr_pilot_destroy(user); }

fr_actor fr_pilot_actor(fr_pilot *pilot) {
    FR_ASSERT(pilot != NULL);
    return (fr_actor){
        .name = "pilot", .correct = propose, .begin = begin, .paint = paint, .leave = leave, .user = pilot};
}

fr_pilot_state fr_pilot_get(const fr_pilot *pilot) {
    FR_ASSERT(pilot != NULL);
    fr_path_agent_state now = fr_path_agent_get(pilot->agent);
    bool has_path = now.path->is_found;
    return (fr_pilot_state){.has_path = has_path,
                            .is_returning = pilot->is_returning,
                            .next = now.next,
                            .path = has_path ? now.path->states : NULL,
                            .path_count = has_path ? now.path->state_count : 0,
                            .searches = now.plans};
}
