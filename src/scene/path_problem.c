// A problem of path planning made from a scene with a plan or from a problem of OMPL: the body's parts, the space, and
// the input of the search.
#include "scene/scene.h"

struct fr_path_problem {
    fr_allocator allocator;
    fr_space *own_space; // of an OMPL problem; NULL: the space is the caller's
    fr_query_filter filter;
    fr__scene_part_array parts; // the meshes are retained
    fr_path_input input;
    fr__scene_motions motions; // of a scene's objects
};

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the problem");
}

static fr_status begin(const fr_allocator *given, fr_path_problem **out, fr_error *error) {
    fr_allocator allocator = fr_allocator_or_default(given);
    fr_path_problem *p = fr_allocate(&allocator, 1, sizeof *p, 16);
    if (p == NULL) { return no_memory(error); }
    *p = (fr_path_problem){.allocator = allocator, .parts = fr__scene_part_array_make(&allocator)};
    p->filter = fr_default_query_filter();
    p->input = fr_default_path_input();
    p->input.allocator = allocator;
    *out = p;
    return FR_OK;
}

static void release_parts(fr__scene_part_array *parts) {
    const fr_part_def *list = parts->data;
    for (size_t i = 0; i < parts->count; i++) {
        fr_mesh_release(list[i].mesh);
    }
    fr__scene_part_array_destroy(parts);
}

void fr_path_problem_destroy(fr_path_problem *p) {
    if (p == NULL) { return; }
    release_parts(&p->parts);
    fr_space_destroy(p->own_space);
    fr__scene_motions_free(&p->motions);
    fr_allocator allocator = p->allocator;
    fr_deallocate(&allocator, p, 1, sizeof *p);
}

const fr_path_input *fr_path_problem_input(const fr_path_problem *p) { return &p->input; }

const fr_path_obstacle *fr_path_problem_motions(const fr_path_problem *p, uint32_t *count) {
    *count = (uint32_t)p->motions.obstacles.count;
    return p->motions.obstacles.data;
}

static fr_status settle(fr_path_problem *p, fr_status status, fr_path_problem **out) {
    if (status != FR_OK) {
        fr_path_problem_destroy(p);
        return status;
    }
    p->input.parts = p->parts.data;
    p->input.part_count = (uint32_t)p->parts.count;
    *out = p;
    return FR_OK;
}

static fr_status add_part(fr__scene_part_array *parts, const fr_mesh *mesh, const fr_pose *pose, fr_error *error) {
    fr_part_def *part = fr__scene_part_array_push(parts, 1);
    if (part == NULL) { return no_memory(error); }
    *part = (fr_part_def){fr_mesh_retain(mesh), *pose};
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes

fr_status fr_scene_path_problem(const fr_scene *scene, const fr_space *space, const fr_object_id *ids, uint32_t plan,
                                const fr_allocator *allocator, fr_path_problem **out, fr_error *error) {
    FR_ASSERT(scene != NULL && space != NULL && ids != NULL && out != NULL);
    *out = NULL;
    const fr_scene_view *view = fr_scene_get(scene);
    if (plan >= view->plan_count) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the scene has no 'plan'"); }
    fr_object_id robot = ids[view->plans[plan].robot];
    const fr_object_view *object = fr_object_get(space, robot);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the robot is not in the space"); }
    fr_path_problem *p = NULL;
    fr_status status = begin(allocator, &p, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < object->part_count && status == FR_OK; i++) {
        fr_part_view part = fr_object_part(space, robot, i);
        status = add_part(&p->parts, part.mesh, &part.pose, error);
    }
    p->filter.ignore = robot;
    p->input.space = space;
    p->input.filter = &p->filter;
    fr__scene_take_plan(scene, &view->plans[plan], &p->input);
    if (status == FR_OK) {
        status = fr__scene_motions_make(scene, ids, view->plans[plan].robot, &p->allocator, &p->motions, error);
    }
    p->input.obstacles = p->motions.obstacles.data;
    p->input.obstacle_count = p->motions.known_count;
    return settle(p, status, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Problems of OMPL

// The parts of a model that can be touched, in the model's frame.
static fr_status make_parts(const fr_model *model, const fr_scene_build_input *options, fr__scene_part_array *parts,
                            fr_error *error) {
    const fr_model_view *view = fr_model_get(model);
    const fr_pose here = fr_pose_identity();
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.is_double = true;
    making.control = options->control;
    making.allocator = options->allocator;
    for (uint32_t i = 0; i < view->node_count; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        if (mesh == FR_NONE || view->meshes[mesh].face_count == 0) { continue; }
        if ((view->nodes[i].flags & (FR_MODEL_HIDDEN | FR_MODEL_NO_COLLIDE)) != 0) { continue; }
        fr_mesh *made;
        fr_status status = fr_model_part_mesh(model, i, &making, &made, error);
        if (status != FR_OK) { return status; }
        status = add_part(parts, made, &here, error);
        fr_mesh_release(made);
        if (status != FR_OK) { return status; }
    }
    if (parts->count > 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the model has no polygons that can be touched");
}

// `mean`, the point that a state places, may be NULL.
static fr_status load_parts(const fr_scene_build_input *options, const char *path, fr__scene_part_array *parts,
                            fr_vec3 *mean, fr_error *error) {
    const void *bytes;
    size_t size;
    fr_status status = options->load(path, &bytes, &size, options->context, error);
    if (status != FR_OK) { return status; }
    fr_model_read_input reading = fr_default_model_read_input();
    reading.name = path;
    reading.control = options->control;
    reading.precision = FR_MODEL_DOUBLE;
    reading.allocator = options->allocator;
    if (options->memory > 0) { fr_model_limits_set_memory(&reading.limits, options->memory); }
    fr_model *model;
    status = fr_model_read(bytes, size, &reading, &model, error);
    if (options->unload != NULL) { options->unload(bytes, size, options->context); }
    if (status != FR_OK) { return status; }
    status = make_parts(model, options, parts, error);
    if (status == FR_OK && mean != NULL) { status = fr_ompl_mean(model, &options->allocator, mean, error); }
    fr_model_destroy(model);
    return status;
}

static fr_status add_obstacles(fr_path_problem *p, const fr__scene_part_array *parts, fr_bounds *bounds,
                               fr_error *error) {
    fr_space_def def = fr_default_space_def();
    def.allocator = p->allocator;
    fr_status status = fr_space_create(&def, &p->own_space, error);
    fr_object_def object = fr_default_object_def();
    object.parts = parts->data;
    object.part_count = (uint32_t)parts->count;
    fr_object_id id;
    if (status == FR_OK) { status = fr_object_add(p->own_space, &object, &id, error); }
    if (status == FR_OK) { status = fr_space_update(p->own_space, NULL, error); }
    return status == FR_OK ? fr_object_bounds(p->own_space, id, bounds, NULL) : status;
}

// States of OMPL place a mean of the body's corners: the body is shifted so that its origin is there.
static void set_body(fr_path_problem *p, const fr_ompl_problem *file, const fr_bounds *bounds, fr_vec3 origin) {
    fr_part_def *parts = p->parts.data;
    for (size_t i = 0; i < p->parts.count; i++) {
        parts[i].pose.position = fr_vec3_negate(origin);
    }
    fr_path_input *in = &p->input;
    in->space = p->own_space;
    in->start = file->start;
    in->goal = file->goal;
    in->dimension = file->dimension;
    in->bounds = file->has_bounds ? file->bounds : *bounds;
    if (file->dimension == 3) { return; }
    in->start.position.z = in->goal.position.z = origin.z;
    in->bounds.min.z = in->bounds.max.z = origin.z;
}

fr_status fr_ompl_path_problem(const fr_ompl_problem *file, const char *name, const fr_scene_build_input *options,
                               fr_path_problem **out, fr_error *error) {
    FR_ASSERT(file != NULL && options != NULL && options->load != NULL && out != NULL);
    *out = NULL;
    fr_error own = {0};
    error = error != NULL ? error : &own;
    fr_path_problem *p = NULL;
    fr_status status = begin(&options->allocator, &p, error);
    if (status != FR_OK) { return status; }
    fr__scene_part_array obstacles = fr__scene_part_array_make(&p->allocator);
    fr_bounds bounds = fr_bounds_empty();
    fr_vec3 origin = {0.0, 0.0, 0.0};
    int line = file->world_line;
    status = load_parts(options, file->world, &obstacles, NULL, error);
    if (status == FR_OK) { status = add_obstacles(p, &obstacles, &bounds, error); }
    if (status == FR_OK) {
        line = file->robot_line;
        status = load_parts(options, file->robot, &p->parts, &origin, error);
    }
    if (status == FR_OK) { set_body(p, file, &bounds, origin); }
    if (status != FR_OK && error->path[0] == '\0') { fr_error_locate(error, name, line, 1); }
    release_parts(&obstacles);
    return settle(p, status, out);
}
