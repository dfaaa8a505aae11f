// Any bytes as a scene file: refused with a place, or a scene whose objects have a pose at every step, and a world that
// ticks.
#include "fureai/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16, MOST_OBJECTS = 6 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void check_object(const fr_scene *scene, uint32_t i) {
    const fr_scene_view *view = fr_scene_get(scene);
    const fr_scene_object *object = &view->objects[i];
    int sources = (object->model != NULL ? 1 : 0) + (object->shape != NULL ? 1 : 0) + (object->boxes != NULL ? 1 : 0) +
                  (object->class_name != NULL ? 1 : 0);
    require(object->name[0] != '\0' && sources == (object->person == FR_NONE ? 1 : 0) &&
            (object->boxes != NULL) == (object->box_count > 0));
    require(object->line >= 1 && object->column >= 1);
    const uint32_t steps[] = {0, 1, view->steps / 2, view->steps};
    for (size_t k = 0; k < 4; k++) {
        fr_pose pose = fr_scene_pose(scene, i, steps[k] <= view->steps ? steps[k] : 0);
        require(fr_pose_check(&pose, NULL) == FR_OK);
    }
    fr_motion motion = fr_scene_motion(scene, i, view->steps - 1);
    require(fr_motion_check(&motion, NULL) == FR_OK);
}

static void check_plan(const fr_scene *scene, const fr_scene_plan *plan) {
    fr_pose start = plan->start, goal = plan->goal;
    require(plan->robot < fr_scene_get(scene)->object_count && fr_scene_cell_edge(scene) >= 0.0);
    require(fr_pose_check(&start, NULL) == FR_OK && fr_pose_check(&goal, NULL) == FR_OK);
    require(plan->dimension == 2 || (plan->dimension == 3 && plan->depth <= FR_PLAN_MAX_DEPTH));
}

static fr_status refuse(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)path;
    (void)bytes;
    (void)size;
    (void)context;
    return fr_error_set(error, FR_ERROR_FILE, "no files here");
}

// Whether a shape has so few faces that there is time for it.
static bool is_small(const char *shape) {
    static const char *const names[] = {"box", "cone", "cylinder", "sphere_24", "sphere:2x3"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(shape, names[i]) == 0) { return true; }
    }
    return false;
}

// Builds a space.
static void build(const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (view->objects[i].shape != NULL && !is_small(view->objects[i].shape)) { return; }
    }
    fr_object_id ids[MOST_OBJECTS];
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    require(fr_space_create(&def, &space, NULL) == FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = refuse;
    options.classes.load = refuse;
    fr_error error;
    fr_status status = fr_scene_build(scene, &options, space, ids, &error);
    if (status == FR_OK) {
        require(fr_space_object_count(space) == view->object_count);
        require(fr_scene_move(scene, 0, space, ids, NULL) == FR_OK);
        (void)fr_space_update(space, NULL, NULL);
    } else {
        require(fr_space_object_count(space) == 0 && error.line >= 1);
    }
    fr_space_destroy(space);
}

// A world of the scene takes ticks, whatever its joints are.
static void live(const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (view->objects[i].shape == NULL || !is_small(view->objects[i].shape)) { return; }
    }
    fr_object_id ids[MOST_OBJECTS];
    fr_world_def def = fr_default_world_def();
    def.step = view->step;
    def.budget = 200;
    fr_world *world;
    require(fr_world_create(&def, &world, NULL) == FR_OK);
    if (fr_scene_build_world(scene, NULL, world, ids, NULL) == FR_OK) {
        for (int i = 0; i < 2; i++) {
            require(fr_world_tick(world, NULL, NULL) == FR_OK);
        }
        require(fr_scene_restart_world(scene, world, NULL) == FR_OK);
        require(fr_world_tick(world, NULL, NULL) == FR_OK);
    }
    fr_world_destroy(world);
}

// A class on a hinge, one on a slider, one that stands, a person, and none of any other name.
static fr_status find_class(const char *library, const char *name, fr_scene_class *out, void *context,
                            fr_error *error) {
    static const char *const models[] = {"a.obj", "b.obj"};
    static const fr_scene_joint joints[2] = {
        {.kind = FR_JOINT_HINGE, .axis = {0.0, 1.0, 0.0}, .low = -1.0, .high = 1.0},
        {.kind = FR_JOINT_SLIDER, .axis = {1.0, 0.0, 0.0}, .low = 0.0, .high = 1e15}};
    (void)context;
    require(library != NULL && name[0] != '\0');
    *out = (fr_scene_class){.models = models, .model_count = 2, .is_static = strcmp(name, "wall") == 0};
    out->is_person = strcmp(name, "ken") == 0;
    out->body = fr_default_body_def();
    if (strcmp(name, "door") == 0) { out->joint = &joints[0]; }
    if (strcmp(name, "lever") == 0) { out->joint = &joints[1]; }
    if (out->is_static || out->is_person || out->joint != NULL) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "no such class");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) { return 0; }
    fr_scene *scene;
    fr_error error = {0};
    fr_scene_read_input input = fr_default_scene_read_input();
    input.classes.find = find_class;
    fr_status status = fr_scene_read(data, size, &input, &scene, &error);
    if (status != FR_OK) {
        require(scene == NULL && error.status == status && error.line >= 1 && error.column >= 1);
        require(error.message[0] != '\0');
        return 0;
    }
    const fr_scene_view *view = fr_scene_get(scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        check_object(scene, i);
    }
    for (uint32_t i = 0; i < view->plan_count; i++) {
        check_plan(scene, &view->plans[i]);
    }
    if (view->object_count <= MOST_OBJECTS) {
        build(scene);
        live(scene);
    }
    fr_scene_destroy(scene);
    return 0;
}
