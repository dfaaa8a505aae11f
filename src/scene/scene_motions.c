// How the objects of a scene move, as planners among faces take it: samples between which a motion is even.
#include "scene/scene_play.h"

#include <math.h>

#define MAX_SAMPLES 1000000 // of one object
#define PIECE_TURN 1.5      // radians between two samples of an object that turns by its velocity

bool fr__scene_moves(const fr_scene_object *object) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    return object->path != NULL || !fr_vec3_equal(object->velocity, zero) ||
           !fr_vec3_equal(object->angular_velocity, zero);
}

bool fr_scene_is_taken_at_start(const fr_scene *scene, const fr_scene_player *player, uint32_t object) {
    FR_ASSERT(scene != NULL && object < scene->view.object_count);
    for (uint32_t at = object; at != FR_NONE;) {
        const fr_scene_object *o = &scene->view.objects[at];
        bool is_carried = at != object && fr__scene_moves(o);
        if (is_carried || (player != NULL && fr__scene_player_moves(player, at))) { return true; }
        at = o->joint != FR_NONE ? scene->view.joints[o->joint].parent : FR_NONE;
    }
    return false;
}

static bool add_sample(fr__scene_motions *m, double time, const fr_pose *pose) {
    fr_path_sample *sample = fr__path_sample_array_push(&m->samples, 1);
    if (sample == NULL) { return false; }
    *sample = (fr_path_sample){time, *pose};
    return true;
}

// The scene goes from its path at t_K to its path at t_K+1. So samples are taken at the times of steps, those about
// each turning point of the path.
static bool add_path(const fr_scene *scene, uint32_t object, fr__scene_motions *m) {
    const fr_scene_object *o = &scene->view.objects[object];
    const uint32_t steps = scene->view.steps;
    uint32_t next = 0; // step of the next sample at the earliest
    for (uint32_t i = 0; i <= o->path_count; i++) {
        double at = i < o->path_count ? o->path[i].time / scene->view.step : (double)steps;
        double near = nearbyint(at);
        if (fabs(near - at) <= 1e-9 * (1.0 + at)) { at = near; }
        for (double k = floor(at); k <= ceil(at); k += 1.0) {
            if (k < (double)next || k > (double)steps) { continue; }
            fr_pose pose = fr_scene_pose(scene, object, (uint32_t)k);
            if (!add_sample(m, fr_scene_time(scene, (uint32_t)k), &pose)) { return false; }
            next = (uint32_t)k + 1;
        }
    }
    return true;
}

static fr_status add_velocity(const fr_scene *scene, uint32_t object, fr__scene_motions *m, fr_error *error) {
    const fr_scene_object *o = &scene->view.objects[object];
    double end = fr_scene_time(scene, scene->view.steps);
    double pieces = fmax(ceil(fr_vec3_length(o->angular_velocity) * end / PIECE_TURN), 1.0);
    if (!(pieces < MAX_SAMPLES)) {
        return fr_error_set(error, FR_ERROR_LIMIT, "'%s' turns too often for a planner", o->name);
    }
    for (double i = 0.0; i <= pieces; i += 1.0) {
        double time = end * i / pieces;
        fr_motion motion = fr_motion_from_velocity(&o->pose, o->pivot_local, o->velocity, o->angular_velocity, time);
        fr_pose pose = fr_motion_pose(&motion, 1.0);
        if (!add_sample(m, time, &pose)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for motions"); }
    }
    return FR_OK;
}

static fr_status add_object(const fr_scene *scene, uint32_t object, fr_object_id id, fr__scene_motions *m,
                            fr_error *error) {
    const fr_scene_object *o = &scene->view.objects[object];
    fr_path_obstacle *obstacle = fr__path_obstacle_array_push(&m->obstacles, 1);
    if (obstacle == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for motions"); }
    size_t first = m->samples.count;
    fr_status status = FR_OK;
    if (o->path == NULL) {
        status = add_velocity(scene, object, m, error);
    } else if (!add_path(scene, object, m)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for motions");
    }
    double period = scene->view.is_loop ? fr_scene_time(scene, scene->view.steps) : 0.0;
    *obstacle = (fr_path_obstacle){.object = id, .sample_count = (uint32_t)(m->samples.count - first)};
    obstacle->period = period;
    m->known_count += o->is_known ? 1 : 0;
    return status;
}

fr_status fr__scene_motions_make(const fr_scene *scene, const fr_object_id *ids, uint32_t robot,
                                 const fr_allocator *allocator, fr__scene_motions *out, fr_error *error) {
    *out = (fr__scene_motions){.obstacles = fr__path_obstacle_array_make(allocator),
                               .samples = fr__path_sample_array_make(allocator)};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < scene->view.object_count; i++) {
            const fr_scene_object *o = &scene->view.objects[i];
            if (i == robot || o->is_known != (round == 0) || !fr__scene_moves(o)) { continue; }
            fr_status status = add_object(scene, i, ids[i], out, error);
            if (status != FR_OK) { return status; }
        }
    }
    const fr_path_sample *samples = out->samples.data;
    for (size_t i = 0; i < out->obstacles.count; i++) {
        out->obstacles.data[i].samples = samples;
        samples += out->obstacles.data[i].sample_count;
    }
    return FR_OK;
}

void fr__scene_motions_free(fr__scene_motions *m) {
    fr__path_obstacle_array_destroy(&m->obstacles);
    fr__path_sample_array_destroy(&m->samples);
}

void fr__scene_take_plan(const fr_scene *scene, const fr_scene_plan *plan, fr_path_input *in) {
    const fr_scene_object *robot = &scene->view.objects[plan->robot];
    in->start = plan->start;
    in->goal = plan->goal;
    in->start.scale = in->goal.scale = robot->pose.scale;
    in->is_goal_turn_any = plan->is_goal_turn_any;
    in->pivot_local = robot->pivot_local;
    in->bounds = plan->bounds;
    in->dimension = plan->dimension;
    in->plane = plan->plane;
    in->margin = plan->margin;
    in->objective = plan->objective;
    in->seed = plan->seed;
    in->depth = plan->depth < FR_PATH_MAX_DEPTH ? plan->depth : FR_PATH_MAX_DEPTH;
    in->speed = plan->speed > 0.0 ? plan->speed : fr_scene_cell_edge(scene) / scene->view.step;
    in->turn_speed = plan->turn_speed > 0.0 ? plan->turn_speed : fr_radians(plan->alpha_deg) / scene->view.step;
}
