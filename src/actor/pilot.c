// The pilot of a robot in a world: it flies along a path, there and back, and mends the path when something is put on
// it.
#include "actor/retained_parts.h"

#include "fureai/actor.h"

#include <math.h>
#include <string.h>

#define PILOT_COOKIE 0x50494c4fu
#define SECONDS 8.0    // that a path takes, by default
#define SHADOWS 12     // of the robot that are drawn along it
#define TICK_MOVES 800 // motions to query in one tick: some tens of milliseconds

struct fr_pilot {
    fr_allocator allocator;
    fr_world *world;
    fr_object_id robot;
    fr_path_input query; // of the definition
    double scale;        // of the robot
    fr__retained_parts body;
    fr_path path;
    uint32_t at;       // the state behind it
    bool is_returning; // it flies to the start
    double seconds;    // that a path takes
    double speed;      // metres a second, turns counted by the arm
    double arm;        // metres a radian
    uint64_t searches; // so far, for seeds
    bool is_new;       // the path is still to be drawn
};

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void paint_path(const fr_draw *draw, void *user) {
    static const fr_color line = {220, 70, 40, 255}, shadow = {80, 150, 220, 26};
    const fr_pilot *p = user;
    const fr_pose *states = p->path.states;
    uint32_t count = p->path.state_count;
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

static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    (void)proposal;
    fr_pilot *p = user;
    if (!p->path.is_found || (!p->is_new && !fr_painter_is_new(painter))) { return; }
    p->is_new = false;
    fr_error error = {0};
    const fr_cast_layer layer = {.name = "path", .paint = paint_path, .user = p};
    if (fr_painter_draw(painter, &layer, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "the path is not drawn: %s", error.message);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Flying

static double size_of(const fr_pilot *p, const fr_motion *motion) {
    return fr_vec3_length(motion->travel) + p->arm * fr_vec3_length(motion->turn);
}

static void take_path(fr_pilot *p, const fr_path *path) {
    double size = 0.0;
    fr_path_destroy(&p->path);
    p->path = *path;
    p->at = 0;
    for (uint32_t i = 0; i + 1 < path->state_count; i++) {
        fr_motion motion = fr_motion_between(&path->states[i], &path->states[i + 1], p->query.pivot_local);
        size += size_of(p, &motion);
    }
    p->speed = size / p->seconds;
    p->is_new = true;
}

// A path from where the robot is, from scratch or mended; false: it waits.
static bool find_path(fr_pilot *p, const fr_space *space, const fr_pose *here) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->robot;
    fr_path_input query = fr_default_path_input();
    query.space = space;
    query.filter = &filter;
    query.parts = p->body.parts;
    query.part_count = p->body.part_count;
    query.pivot_local = p->query.pivot_local;
    query.start = *here;
    query.goal = p->is_returning ? p->query.start : p->query.goal;
    query.is_goal_turn_any = !p->is_returning && p->query.is_goal_turn_any;
    query.bounds = p->query.bounds;
    query.dimension = p->query.dimension;
    query.margin = p->query.margin;
    query.objective = p->query.objective == FR_PATH_FIRST ? FR_PATH_SHORTEST : p->query.objective;
    query.seed = p->query.seed + p->searches++;
    query.max_moves = TICK_MOVES;
    query.optimize_moves = TICK_MOVES / 4;
    query.allocator = p->allocator;
    fr_path path;
    bool is_on_path = p->path.is_found && p->at + 1 < p->path.state_count;
    fr_status status =
        is_on_path ? fr_plan_repair_path(&query, &p->path, p->at, &path, NULL) : fr_plan_path(&query, &path, NULL);
    if (status != FR_OK) { return false; }
    if (!path.is_found || !path.is_checked) {
        fr_path_destroy(&path);
        return false;
    }
    take_path(p, &path);
    return true;
}

// Whether nothing is in the motion that comes next.
static bool is_ahead_free(const fr_pilot *p, const fr_space *space, const fr_motion *motion) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->robot;
    fr_move_input input = fr_default_move_input();
    input.space = space;
    input.parts = p->body.parts;
    input.part_count = p->body.part_count;
    input.motion = *motion;
    input.filter = &filter;
    fr_move_output output;
    return fr_collide_move(&input, &output, NULL) == FR_OK && !output.is_hit;
}

// Back along the same path: a motion that is free is free backwards.
static void turn_round(fr_pilot *p) {
    fr_pose *states = p->path.states;
    for (uint32_t i = 0, k = p->path.state_count - 1; i < k; i++, k--) {
        fr_pose swap = states[i];
        states[i] = states[k];
        states[k] = swap;
    }
    p->at = 0;
    p->is_returning = !p->is_returning;
}

// A corrector: it sees what people have just moved.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_pilot *p = user;
    const fr_object_view *view = fr_object_get(proposal->space, p->robot);
    if (view == NULL) { return FR_OK; }
    if (fr_wishes_find(wishes, p->robot) != NULL) {
        fr_path_destroy(&p->path); // a person holds it
        return FR_OK;
    }
    if (p->path.is_found && p->at + 1 >= p->path.state_count) { turn_round(p); }
    if (!p->path.is_found && !find_path(p, proposal->space, &view->pose)) { return FR_OK; }
    fr_motion motion = fr_motion_between(&view->pose, &p->path.states[p->at + 1], p->query.pivot_local);
    if (!is_ahead_free(p, proposal->space, &motion)) {
        if (!find_path(p, proposal->space, &view->pose)) { return FR_OK; }
        motion = fr_motion_between(&view->pose, &p->path.states[1], p->query.pivot_local);
    }
    // Up to the next state and not beyond: what is flown is what was proven
    double size = size_of(p, &motion), part = size > 0.0 ? p->speed * proposal->step / size : 1.0;
    fr_wish wish = {.object = p->robot, .kind = FR_WISH_NEXT, .pose = p->path.states[p->at + 1]};
    if (part < 1.0) {
        wish.pose = fr_motion_pose(&motion, part);
    } else {
        p->at++;
    }
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
    fr_path_destroy(&p->path);
    p->is_returning = false;
    p->at = 0;
    fr_pose start = p->query.start;
    start.scale = p->scale;
    return fr_object_set_pose(fr_world_space(p->world), p->robot, &start, error);
}

fr_status fr_pilot_create(const fr_pilot_def *def, fr_pilot **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != PILOT_COOKIE) { return fr_error_set_cookie(error, "fr_default_pilot_def"); }
    if (def->world == NULL || !(def->seconds > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a pilot needs a world and a time");
    }
    const fr_space *space = fr_world_space(def->world);
    const fr_object_view *view = fr_object_get(space, def->robot);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such robot"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_pilot *p = fr_allocate(&allocator, 1, sizeof *p, _Alignof(fr_pilot));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a pilot"); }
    memset(p, 0, sizeof *p);
    p->allocator = allocator;
    p->world = def->world;
    p->robot = def->robot;
    p->query = def->query;
    p->seconds = def->seconds;
    p->scale = view->pose.scale;
    fr_status status = begin(p, error);
    if (status == FR_OK && !fr__retained_parts_take(&p->body, &allocator, space, p->robot)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a robot");
    }
    if (status != FR_OK) {
        fr_pilot_destroy(p);
        return status;
    }
    fr_bounds bounds;
    if (fr_object_bounds(space, p->robot, &bounds, NULL) == FR_OK) {
        p->arm = 0.25 * fr_vec3_distance(bounds.min, bounds.max);
    }
    *out = p;
    return FR_OK;
}

void fr_pilot_destroy(fr_pilot *p) {
    if (p == NULL) { return; }
    fr__retained_parts_release(&p->body);
    fr_path_destroy(&p->path);
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
    const fr_path *path = &pilot->path;
    return (fr_pilot_state){.has_path = path->is_found,
                            .is_returning = pilot->is_returning,
                            .next = path->is_found ? pilot->at + 1 : 0,
                            .path = path->is_found ? path->states : NULL,
                            .path_count = path->is_found ? path->state_count : 0,
                            .searches = pilot->searches};
}
