#include "plan_pilot.h"

#include "mesh_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 8.0    // that a way takes, unless told otherwise
#define SHADOWS 12     // of the robot that are drawn along it
#define TICK_MOVES 800 // motions to ask in one tick: some tens of milliseconds

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void paint(const fr_draw *draw, void *user) {
    static const fr_color line = {220, 70, 40, 255}, shadow = {80, 150, 220, 26};
    const plan_pilot *p = user;
    const fr_path *w = &p->way;
    for (uint32_t i = 0; i + 1 < w->state_count; i++) {
        fr_vec3 a = fr_pose_apply(&w->states[i], p->pivot_local), b = fr_pose_apply(&w->states[i + 1], p->pivot_local);
        const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
        fr_draw_lines(draw, points, 1, line, 2.0);
    }
    for (uint32_t i = 1; w->state_count > 1 && i < SHADOWS; i++) {
        double at = (double)i / SHADOWS * (double)(w->state_count - 1);
        uint32_t first = (uint32_t)at;
        fr_motion motion = fr_motion_between(&w->states[first], &w->states[first + 1], p->pivot_local);
        fr_pose pose = fr_motion_pose(&motion, at - (double)first);
        mesh_draw_parts(draw, p->parts, p->part_count, &pose, shadow);
    }
}

// A way that was found before there was a server is shown when there is one.
static void show(plan_pilot *p) {
    if (!p->is_new || p->server == NULL || *p->server == NULL) { return; }
    p->is_new = false;
    fr_error error = {0};
    p->is_shown = fr_server_draw(*p->server, "way", paint, p, &error) == FR_OK;
    if (!p->is_shown) { fr_log(FR_LOG_WARNING, "the way is not drawn: %s", error.message); }
}

// ---------------------------------------------------------------------------------------------------------------
// Flying

static double size_of(const plan_pilot *p, const fr_motion *motion) {
    return fr_vec3_length(motion->travel) + p->arm * fr_vec3_length(motion->turn);
}

static void take_way(plan_pilot *p, fr_path *way) {
    double size = 0.0;
    fr_path_free(&p->way);
    p->way = *way;
    p->at = 0;
    for (uint32_t i = 0; i + 1 < way->state_count; i++) {
        fr_motion motion = fr_motion_between(&way->states[i], &way->states[i + 1], p->pivot_local);
        size += size_of(p, &motion);
    }
    p->speed = size / p->seconds;
    p->is_new = true;
}

// A way from where the robot is, anew or mended; false: it waits.
static bool find_way(plan_pilot *p, const fr_space *space, const fr_pose *here) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->robot;
    fr_path_input query = fr_default_path_input();
    query.space = space;
    query.filter = &filter;
    query.parts = p->parts;
    query.part_count = p->part_count;
    query.pivot_local = p->pivot_local;
    query.start = *here;
    query.goal = p->is_back ? p->plan->start : p->plan->goal;
    query.is_goal_turn_any = !p->is_back && p->plan->is_goal_turn_any;
    query.bounds = p->plan->bounds;
    query.dimension = p->plan->dimension;
    query.margin = p->plan->margin;
    query.objective = p->plan->objective == FR_PATH_FIRST ? FR_PATH_SHORTEST : p->plan->objective;
    query.seed = p->plan->seed + p->searches++;
    query.max_moves = TICK_MOVES;
    query.optimize_moves = TICK_MOVES / 4;
    fr_path way;
    bool is_under_way = p->way.is_found && p->at + 1 < p->way.state_count;
    fr_status status =
        is_under_way ? fr_plan_repair_path(&query, &p->way, p->at, &way, NULL) : fr_plan_path(&query, &way, NULL);
    if (status != FR_OK) { return false; }
    if (!way.is_found || !way.is_checked) {
        fr_path_free(&way);
        return false;
    }
    take_way(p, &way);
    return true;
}

// Whether nothing is in the motion that comes next.
static bool is_ahead_free(const plan_pilot *p, const fr_space *space, const fr_motion *motion) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->robot;
    fr_move_input input = fr_default_move_input();
    input.space = space;
    input.parts = p->parts;
    input.part_count = p->part_count;
    input.motion = *motion;
    input.filter = &filter;
    fr_move_output output;
    return fr_collide_move(&input, &output, NULL) == FR_OK && !output.hit;
}

// Back the same way: a motion that is free is free backwards.
static void turn_round(plan_pilot *p) {
    fr_pose *states = p->way.states;
    for (uint32_t i = 0, k = p->way.state_count - 1; i < k; i++, k--) {
        fr_pose swap = states[i];
        states[i] = states[k];
        states[k] = swap;
    }
    p->at = 0;
    p->is_back = !p->is_back;
}

// A corrector: it sees what people have just moved.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    plan_pilot *p = user;
    const fr_object_view *view = fr_object_get(proposal->space, p->robot);
    if (view == NULL) { return FR_OK; }
    if (fr_wishes_find(wishes, p->robot) != NULL) {
        fr_path_free(&p->way); // somebody holds it
        return FR_OK;
    }
    if (p->way.is_found && p->at + 1 >= p->way.state_count) { turn_round(p); }
    if (!p->way.is_found && !find_way(p, proposal->space, &view->pose)) { return FR_OK; }
    fr_motion motion = fr_motion_between(&view->pose, &p->way.states[p->at + 1], p->pivot_local);
    if (!is_ahead_free(p, proposal->space, &motion)) {
        if (!find_way(p, proposal->space, &view->pose)) { return FR_OK; }
        motion = fr_motion_between(&view->pose, &p->way.states[1], p->pivot_local);
    }
    show(p);
    // Up to the next state and not beyond: what is flown is what was proven
    double size = size_of(p, &motion), part = size > 0.0 ? p->speed * proposal->step / size : 1.0;
    fr_wish wish = {.object = p->robot, .kind = FR_WISH_NEXT, .pose = p->way.states[p->at + 1]};
    if (part < 1.0) {
        wish.pose = fr_motion_pose(&motion, part);
    } else {
        p->at++;
    }
    return fr_wishes_add(wishes, &wish, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Joining

static bool take_parts(plan_pilot *p, const fr_space *space) {
    const fr_object_view *view = fr_object_get(space, p->robot);
    p->parts = calloc(view->part_count, sizeof *p->parts);
    if (p->parts == NULL) { return false; }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, p->robot, i);
        p->parts[i] = (fr_part_def){fr_mesh_retain(part.mesh), part.pose};
        p->part_count++;
    }
    fr_bounds bounds;
    if (fr_object_bounds(space, p->robot, &bounds) == FR_OK) {
        p->arm = 0.25 * fr_vec3_distance(bounds.min, bounds.max);
    }
    return true;
}

fr_status plan_pilot_begin(plan_pilot *p, fr_world *world, fr_error *error) {
    if (p->plan == NULL) { return FR_OK; }
    fr_path_free(&p->way);
    p->is_back = false;
    p->at = 0;
    fr_pose start = p->plan->start;
    start.scale = p->scale;
    return fr_object_set_pose(fr_world_space(world), p->robot, &start, error);
}

fr_status plan_pilot_join(plan_pilot *p, const fr_scene *scene, fr_world *world, fr_server *const *server) {
    memset(p, 0, sizeof *p);
    const fr_scene_view *view = fr_scene_get(scene);
    if (view->plan_count == 0) { return FR_OK; }
    const fr_scene_object *robot = &view->objects[view->plans[0].robot];
    p->plan = &view->plans[0];
    p->server = server;
    p->seconds = SECONDS;
    p->robot = fr_world_find(world, robot->name);
    p->pivot_local = robot->pivot_local;
    p->scale = robot->pose.scale;
    fr_status status = plan_pilot_begin(p, world, NULL);
    if (status != FR_OK) { return status; }
    if (!take_parts(p, fr_world_space(world))) { return FR_ERROR_MEMORY; }
    const fr_corrector pilot = {.name = "pilot", .propose = propose, .user = p};
    return fr_world_add_corrector(world, &pilot);
}

void plan_pilot_leave(plan_pilot *p) {
    if (p->is_shown && *p->server != NULL) { (void)fr_server_draw(*p->server, "way", NULL, NULL, NULL); }
    for (uint32_t i = 0; i < p->part_count; i++) {
        fr_mesh_release(p->parts[i].mesh);
    }
    free(p->parts);
    fr_path_free(&p->way);
    memset(p, 0, sizeof *p);
}
