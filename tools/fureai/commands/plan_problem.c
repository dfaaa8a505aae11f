#include "plan_problem.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 28)

// ---------------------------------------------------------------------------------------------------------------
// Models

// The parts of a model, in the model's frame.
static fr_status make_parts(tool *t, const fr_model *model, fr_part_def **parts, uint32_t *count, fr_error *error) {
    const fr_model_view *view = fr_model_get(model);
    fr_model_mesh_options making = fr_default_model_mesh_options();
    making.keep_double = true;
    making.control = &t->control;
    *count = 0;
    *parts = calloc((size_t)view->node_count + 1, sizeof **parts);
    if (*parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of a model"); }
    for (uint32_t i = 0; i < view->node_count; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        if (mesh == FR_NONE || view->meshes[mesh].face_count == 0) { continue; }
        if ((view->nodes[i].flags & (FR_MODEL_HIDDEN | FR_MODEL_NO_COLLIDE)) != 0) { continue; }
        fr_mesh *made;
        fr_status status = fr_model_part_mesh(model, i, &making, &made, error);
        if (status != FR_OK) { return status; }
        (*parts)[*count] = fr_default_part_def();
        (*parts)[(*count)++].mesh = made;
    }
    if (*count > 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the model has no polygons that can be touched");
}

static void release_parts(fr_part_def *parts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    free(parts);
}

static fr_status load_parts(tool *t, file_folder *beside, const char *path, fr_part_def **parts, uint32_t *count,
                            fr_error *error) {
    const void *bytes;
    size_t size;
    *parts = NULL;
    *count = 0;
    fr_status status = folder_load(path, &bytes, &size, beside, error);
    if (status != FR_OK) { return status; }
    fr_model_read_options reading = fr_default_model_read_options();
    reading.name = path;
    reading.control = &t->control;
    reading.precision = FR_MODEL_DOUBLE;
    fr_model *model;
    status = fr_model_read(bytes, size, &reading, &model, error);
    folder_unload(bytes, size, beside);
    if (status != FR_OK) { return status; }
    status = make_parts(t, model, parts, count, error);
    if (status != FR_OK) {
        release_parts(*parts, *count);
        *parts = NULL;
        *count = 0;
    }
    fr_model_destroy(model);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The problem

static fr_status add_world(plan_problem *p, const fr_part_def *parts, uint32_t count, fr_bounds *bounds,
                           fr_error *error) {
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, &p->space, error);
    fr_object_def object = fr_default_object_def();
    object.parts = parts;
    object.part_count = count;
    fr_object_id id;
    if (status == FR_OK) { status = fr_object_add(p->space, &object, &id, error); }
    if (status == FR_OK) { status = fr_space_update(p->space, NULL, error); }
    return status == FR_OK ? fr_object_bounds(p->space, id, bounds) : status;
}

// States place the mean of the body's distinct vertices: the body is shifted so that its origin is there.
static fr_status set_body(plan_problem *p, const fr_ompl_problem *file, const fr_bounds *bounds, fr_error *error) {
    fr_status status = fr_ompl_mean(p->parts, p->part_count, NULL, &p->origin, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < p->part_count; i++) {
        p->parts[i].pose.position = fr_vec3_negate(p->origin);
    }
    fr_path_input *q = &p->query;
    *q = fr_default_path_input();
    q->space = p->space;
    q->parts = p->parts;
    q->part_count = p->part_count;
    q->start = file->start;
    q->goal = file->goal;
    q->dimension = file->dimension;
    q->bounds = file->has_bounds ? file->bounds : *bounds;
    if (file->dimension == 3) { return FR_OK; }
    q->start.position.z = q->goal.position.z = p->origin.z;
    q->bounds.min.z = q->bounds.max.z = p->origin.z;
    return FR_OK;
}

static fr_status open_models(tool *t, const char *path, const fr_ompl_problem *file, plan_problem *p, fr_error *error) {
    file_folder beside;
    fr_part_def *world = NULL;
    uint32_t world_count = 0;
    fr_bounds bounds = fr_bounds_empty();
    fr_status status = folder_open(t, path, "model", "problem", &beside, error);
    int line = file->world_line;
    if (status == FR_OK) { status = load_parts(t, &beside, file->world, &world, &world_count, error); }
    if (status == FR_OK) { status = add_world(p, world, world_count, &bounds, error); }
    if (status == FR_OK) {
        line = file->robot_line;
        status = load_parts(t, &beside, file->robot, &p->parts, &p->part_count, error);
    }
    if (status == FR_OK) { status = set_body(p, file, &bounds, error); }
    if (status != FR_OK && error->path[0] == '\0') { fr_error_locate(error, path, line, 1); }
    release_parts(world, world_count);
    folder_close(&beside);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes

static fr_status take_parts(plan_problem *p, fr_object_id robot, fr_error *error) {
    const fr_object_view *view = fr_object_get(p->space, robot);
    p->parts = calloc(view->part_count, sizeof *p->parts);
    if (p->parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the robot"); }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(p->space, robot, i);
        p->parts[i] = (fr_part_def){fr_mesh_retain(part.mesh), part.pose};
    }
    p->part_count = view->part_count;
    return FR_OK;
}

static exit_status open_scene(tool *t, const char *path, plan_problem *p) {
    exit_status result = scene_file_read(t, path, 0, &p->scene);
    if (result != EXIT_STATUS_DONE) { return result; }
    fr_error error = {0};
    const fr_scene_view *view = fr_scene_get(p->scene.scene);
    p->space = p->scene.space;
    if (view->plan_count == 0) {
        fr_error_set(&error, FR_ERROR_ARGUMENT, "the scene has no 'plan'");
        fr_error_locate(&error, path, 1, 1);
        return tool_bad_input(t, &error);
    }
    const fr_scene_plan *plan = &view->plans[0];
    fr_object_id robot = p->scene.ids[plan->robot];
    if (take_parts(p, robot, &error) != FR_OK) { return tool_failed(t, &error); }
    p->filter = fr_default_query_filter();
    p->filter.ignore = robot;
    fr_path_input *q = &p->query;
    *q = fr_default_path_input();
    q->space = p->space;
    q->filter = &p->filter;
    q->parts = p->parts;
    q->part_count = p->part_count;
    q->start = plan->start;
    q->goal = plan->goal;
    q->start.scale = q->goal.scale = view->objects[plan->robot].pose.scale;
    q->is_goal_turn_any = plan->is_goal_turn_any;
    q->pivot_local = view->objects[plan->robot].pivot_local;
    q->bounds = plan->bounds;
    q->dimension = plan->dimension;
    q->margin = plan->margin;
    q->objective = plan->objective;
    q->seed = plan->seed;
    q->depth = plan->depth < FR_PATH_MAX_DEPTH ? plan->depth : FR_PATH_MAX_DEPTH;
    return EXIT_STATUS_DONE;
}

const fr_scene_plan *plan_problem_plans(const plan_problem *p, uint32_t *count) {
    *count = p->scene.scene != NULL ? fr_scene_get(p->scene.scene)->plan_count : 0;
    return *count > 0 ? fr_scene_get(p->scene.scene)->plans : NULL;
}

static bool is_scene(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".json") == 0;
}

exit_status plan_problem_open(tool *t, const char *path, plan_problem *out) {
    memset(out, 0, sizeof *out);
    if (is_scene(path)) {
        exit_status result = open_scene(t, path, out);
        if (result != EXIT_STATUS_DONE) { plan_problem_close(out); }
        return result;
    }
    fr_error error = {0};
    input_file bytes;
    fr_status status = tool_read(t, path, INPUT_TYPED, FILE_LIMIT, &bytes, &error);
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    fr_ompl_problem file;
    status = fr_ompl_read_problem(bytes.data, bytes.size, path, &file, &error);
    input_file_release(&bytes);
    if (status == FR_OK) { status = open_models(t, path, &file, out, &error); }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    plan_problem_close(out);
    return tool_bad_input(t, &error);
}

void plan_problem_close(plan_problem *p) {
    release_parts(p->parts, p->part_count);
    if (p->scene.scene != NULL) {
        scene_file_release(&p->scene);
    } else {
        fr_space_destroy(p->space);
    }
    memset(p, 0, sizeof *p);
}

exit_status plan_problem_read_path(tool *t, const plan_problem *p, const char *path, fr_ompl_path *out) {
    memset(out, 0, sizeof *out);
    fr_error error = {0};
    input_file bytes;
    fr_status status = tool_read(t, path, INPUT_TYPED, FILE_LIMIT, &bytes, &error);
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    status = fr_ompl_read_path(bytes.data, bytes.size, path, NULL, out, &error);
    input_file_release(&bytes);
    if (status == FR_OK && out->dimension != p->query.dimension) {
        status = fr_error_set(&error, FR_ERROR_ARGUMENT, "the path has %d dimensions, the problem %d", out->dimension,
                              p->query.dimension);
        fr_error_locate(&error, path, 1, 1);
        fr_ompl_path_free(out);
    }
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    for (uint32_t i = 0; i < out->state_count && out->dimension == 2; i++) {
        out->states[i].position.z = p->query.start.position.z;
    }
    return EXIT_STATUS_DONE;
}
