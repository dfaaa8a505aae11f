// The world made from a scene, and the mover of its objects.
#include "scene/scene_play.h"

// An object that came back to its beginning as near as this, relative to its distances, goes on without a jump.
#define BACK 1e-9

// ---------------------------------------------------------------------------------------------------------------
// Moving

static bool is_near(const fr_pose *a, const fr_pose *b) {
    const fr_quat *p = &a->rotation, *q = &b->rotation;
    double dot = p->w * q->w + p->x * q->x + p->y * q->y + p->z * q->z;
    double travel = fr_vec3_distance(a->position, b->position);
    return fabs(1.0 - fabs(dot)) <= BACK && travel <= BACK * (1.0 + fr_vec3_largest(a->position)) &&
           a->scale == b->scale;
}

static bool is_same(const fr_pose *a, const fr_pose *b) {
    return a->rotation.w == b->rotation.w && a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z && fr_vec3_equal(a->position, b->position) && a->scale == b->scale;
}

// Along the scene's motion from where the scene has it; back to the scene's path from anywhere else.
static fr_wish wish_of(const fr_scene *scene, uint32_t object, uint32_t k, bool is_again, const fr_object_view *view) {
    fr_wish wish = {.kind = FR_WISH_NEXT, .pose = fr_scene_pose(scene, object, k + 1)};
    fr_pose begin = fr_scene_pose(scene, object, k);
    if (is_again) {
        fr_pose end = fr_scene_pose(scene, object, scene->view.steps);
        if (!is_near(&begin, &end)) { wish.kind = FR_WISH_JUMP; }
        return wish;
    }
    if (is_same(&begin, &view->pose)) {
        wish.kind = FR_WISH_MOTION;
        wish.motion = fr_scene_motion(scene, object, k);
    }
    return wish;
}

static fr_status move_objects(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const fr_scene *scene = user;
    uint32_t steps = scene->view.steps;
    if (!scene->view.is_loop && proposal->tick >= steps) { return FR_OK; }
    uint32_t k = (uint32_t)(proposal->tick % steps);
    bool is_again = k == 0 && proposal->tick > 0;
    uint32_t places = fr_space_object_places(proposal->space);
    for (uint32_t i = 0; i < places; i++) {
        fr_object_id id = fr_space_object_at(proposal->space, i);
        const fr_object_view *view = fr_object_get(proposal->space, id);
        uint32_t object = view != NULL ? fr__scene_object_of(scene, view->user) : FR_NONE;
        if (object == FR_NONE || !fr__scene_moves(&scene->view.objects[object])) { continue; }
        fr_wish wish = wish_of(scene, object, k, is_again, view);
        wish.object = id;
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Building

// An object that the scene gives no colour has its model's.
static fr_color color_of(const fr_scene_object *object, uint32_t index, const fr_scene_player *player) {
    bool is_models = player != NULL && !fr__scene_has_color(object);
    fr_color own = is_models ? fr__scene_player_color(player, index) : object->color;
    return own.a > 0 ? own : object->color;
}

static fr_status furnish(const fr_scene *scene, const fr_scene_player *player, fr_world *world, uint32_t object,
                         fr_object_id id, fr_error *error) {
    const fr_scene_object *o = &scene->view.objects[object];
    fr_label label = {o->name, color_of(o, object, player)};
    fr_status status = fr_world_set_label(world, id, &label, error);
    for (uint32_t i = 0; i < o->state_count && status == FR_OK; i++) {
        status = fr_world_set_state(world, id, o->states[i].name, o->states[i].value, error);
    }
    return status;
}

static fr_status add_movers(const fr_scene *scene, const fr_scene_build_input *input, fr_world *world,
                            fr_error *error) {
    fr_corrector mover = {"scene", move_objects, (void *)(uintptr_t)scene};
    fr_corrector player = {"player", fr__scene_player_mover, input != NULL ? input->player : NULL};
    fr_status status = fr_world_add_mover(world, &mover, error);
    if (status == FR_OK && player.user != NULL) {
        status = fr_world_add_mover(world, &player, error);
        if (status != FR_OK) { (void)fr_world_remove_corrector(world, mover.propose, mover.user, NULL); }
    }
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "the world takes no further mover");
}

fr_world_def fr_scene_world_def(const fr_scene *scene) {
    FR_ASSERT(scene != NULL);
    fr_world_def def = fr_default_world_def();
    def.step = scene->view.step;
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    return def;
}

static fr_status build_world(const fr_scene *scene, const fr_scene_build_input *input, fr_world *world,
                             fr_object_id *ids, fr_error *error) {
    const fr_scene_view *view = &scene->view;
    fr_space *space = fr_world_space(world);
    fr_status status = fr_scene_build(scene, input, space, ids, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < view->object_count && status == FR_OK; i++) {
        status = furnish(scene, input != NULL ? input->player : NULL, world, i, ids[i], error);
    }
    bool is_added = input != NULL && input->is_added;
    if (status == FR_OK && !is_added) { status = add_movers(scene, input, world, error); }
    for (uint32_t i = 0; i < view->object_count && status != FR_OK; i++) {
        fr_object_remove(space, ids[i], NULL);
    }
    return status;
}

fr_status fr_scene_build_world(const fr_scene *scene, const fr_scene_build_input *input, fr_world *world,
                               fr_object_id *ids, fr_error *error) {
    FR_ASSERT(scene != NULL && world != NULL);
    const fr_scene_view *view = &scene->view;
    if (fr_world_step(world) != view->step) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a step of the world is %.9g s, one of the scene %.9g s",
                            fr_world_step(world), view->step);
    }
    if (ids != NULL) { return build_world(scene, input, world, ids, error); }
    const fr_allocator allocator = fr_allocator_or_default(input != NULL ? &input->allocator : NULL);
    size_t count = (size_t)view->object_count + 1;
    ids = fr_allocate(&allocator, count, sizeof *ids, _Alignof(fr_object_id));
    if (ids == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of the scene"); }
    fr_status status = build_world(scene, input, world, ids, error);
    fr_deallocate(&allocator, ids, count, sizeof *ids);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning again

static fr_status restart_object(const fr_scene *scene, fr_world *world, fr_object_id id, uint32_t object,
                                fr_error *error) {
    const fr_scene_object *o = &scene->view.objects[object];
    fr_pose pose = fr_scene_pose(scene, object, 0);
    fr_status status = fr_object_set_pose(fr_world_space(world), id, &pose, error);
    if (status == FR_OK) { status = fr__scene_person_place(scene, object, fr_world_space(world), id, error); }
    if (status == FR_OK) { status = fr_world_resume(world, id, error); }
    for (uint32_t i = 0; i < o->state_count && status == FR_OK; i++) {
        status = fr_world_set_state(world, id, o->states[i].name, o->states[i].value, error);
    }
    return status;
}

static fr_status restart_joints(const fr_scene *scene, fr_space *space, fr_error *error) {
    uint32_t places = fr_space_joint_places(space);
    for (uint32_t i = 0; i < places; i++) {
        fr_joint_id id = fr_space_joint_at(space, i);
        const fr_joint *now = fr_joint_get(space, id);
        if (now == NULL) { continue; }
        uint32_t object = fr__scene_object_of(scene, fr_object_get(space, now->child)->user);
        uint32_t joint = object != FR_NONE ? scene->view.objects[object].joint : FR_NONE;
        if (joint == FR_NONE || scene->view.joints[joint].kind != now->kind) { continue; }
        fr_joint begin = fr__scene_joint(scene, joint, now->parent, now->child);
        fr_status status = fr_joint_set(space, id, &begin, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr_scene_restart_world(const fr_scene *scene, fr_world *world, fr_error *error) {
    FR_ASSERT(scene != NULL && world != NULL);
    fr_status status = fr_world_set_tick(world, 0, error);
    if (status != FR_OK) { return fr_error_set(error, status, "the world is in a tick"); }
    fr_space *space = fr_world_space(world);
    uint32_t places = fr_space_object_places(space);
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        uint32_t object = view != NULL ? fr__scene_object_of(scene, view->user) : FR_NONE;
        if (object != FR_NONE) { status = restart_object(scene, world, id, object, error); }
    }
    return status == FR_OK ? restart_joints(scene, space, error) : status;
}
