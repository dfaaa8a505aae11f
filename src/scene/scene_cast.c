// The cast of a scene: the pilot, the pen, the hands, seekers, people, the forecast and the layers that its keys ask
// for.
#include "scene/scene.h"

// The object of the world that the scene has at an index; all zeros where it is gone.
static fr_object_id find_object(const fr_scene *scene, const fr_world *world, uint32_t index) {
    return fr_world_find(world, scene->view.objects[index].name);
}

static void find_objects(const fr_scene *scene, const fr_world *world, fr_object_id *ids) {
    for (uint32_t i = 0; i < scene->view.object_count; i++) {
        ids[i] = find_object(scene, world, i);
    }
}

// Adds an actor; one that the cast refuses leaves at once.
static fr_status add_actor(fr_cast *cast, const fr_actor *actor, fr_error *error) {
    fr_status status = fr_cast_add(cast, actor, error);
    if (status != FR_OK) { actor->leave(actor->user); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Pilot and pen

static fr_status add_pilot(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    if (scene->view.plan_count == 0) { return FR_OK; }
    const fr_scene_plan *plan = &scene->view.plans[0];
    fr_pilot_def def = fr_default_pilot_def();
    def.allocator = *allocator;
    def.world = fr_cast_world(cast);
    def.robot = find_object(scene, def.world, plan->robot);
    fr__scene_take_plan(scene, plan, &def.query);
    if (plan->speed > 0.0 || plan->turn_speed > 0.0) { def.seconds = 0.0; }
    size_t count = (size_t)scene->view.object_count + 1;
    fr_object_id *ids = fr_allocate(allocator, count, sizeof *ids, _Alignof(fr_object_id));
    if (ids == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of the scene"); }
    find_objects(scene, def.world, ids);
    fr__scene_motions motions;
    fr_status status = fr__scene_motions_make(scene, ids, plan->robot, allocator, &motions, error);
    def.query.obstacles = motions.obstacles.data;
    def.query.obstacle_count = motions.known_count;
    fr_pilot *pilot = NULL;
    if (status == FR_OK) { status = fr_pilot_create(&def, &pilot, error); }
    fr__scene_motions_free(&motions);
    fr_deallocate(allocator, ids, count, sizeof *ids);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_pilot_actor(pilot);
    return add_actor(cast, &actor, error);
}

// Where the tip of the pen comes along its path.
static fr_bounds reach_of_pen(const fr_scene *scene) {
    const fr_scene_touch *touch = scene->view.touch;
    fr_bounds reach = fr_bounds_empty();
    for (uint32_t k = 0; k <= scene->view.steps; k++) {
        fr_pose pose = fr_scene_pose(scene, touch->operated, k);
        reach = fr_bounds_with_point(&reach, fr_pose_apply(&pose, touch->settings.point));
    }
    return reach;
}

static fr_status add_pen(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    if (scene->view.touch == NULL) { return FR_OK; }
    fr_pen_def def = fr_default_pen_def();
    def.allocator = *allocator;
    def.space = fr_world_space(fr_cast_world(cast));
    def.object = find_object(scene, fr_cast_world(cast), scene->view.touch->operated);
    def.settings = scene->view.touch->settings;
    def.reach = reach_of_pen(scene);
    fr_pen *pen;
    fr_status status = fr_pen_create(&def, &pen, error);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_pen_actor(pen);
    return add_actor(cast, &actor, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Hands

// Makes hands of a definition that has all but what is of the scene's objects, whose ids are in `ids`.
static fr_status make_hands(const fr_scene *scene, fr_object_id *ids, fr_hands_def *def, fr_hands **out,
                            fr_error *error) {
    const fr_scene_view *view = &scene->view;
    fr_status status = FR_OK;
    if (view->fit_count > 0) {
        status =
            fr_scene_build_assembly(scene, fr_world_space(def->world), ids, &def->allocator, &def->assembly, error);
    }
    if (status != FR_OK) { return status; }
    uint32_t moving = 0;
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (fr__scene_moves(&view->objects[i])) { ids[moving++] = ids[i]; }
    }
    def->moving = ids;
    def->moving_count = moving;
    status = fr_hands_create(def, out, error);
    if (status != FR_OK) { fr_assembly_destroy(def->assembly); }
    return status;
}

static fr_status add_hands(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    const fr_scene_view *view = &scene->view;
    if (view->aid == NULL && view->fit_count == 0) { return FR_OK; }
    fr_hands_def def = fr_default_hands_def();
    def.allocator = *allocator;
    def.world = fr_cast_world(cast);
    // An assembly alone is handled with the aid and with sound.
    if (view->aid == NULL) { def.settings.mode = FR_AID_MODE_AID_BOTH; }
    if (view->aid != NULL) { def.settings = *view->aid; }
    size_t count = (size_t)view->object_count + 1;
    fr_object_id *ids = fr_allocate(allocator, count, sizeof *ids, _Alignof(fr_object_id));
    if (ids == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of the scene"); }
    find_objects(scene, def.world, ids);
    fr_hands *hands = NULL;
    fr_status status = make_hands(scene, ids, &def, &hands, error);
    fr_deallocate(allocator, ids, count, sizeof *ids);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_hands_actor(hands);
    return add_actor(cast, &actor, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Seekers

static fr_status add_seekers(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < scene->view.seek_count && status == FR_OK; i++) {
        const fr_scene_seek *seek = &scene->view.seeks[i];
        fr_seeker_def def = fr_default_seeker_def();
        def.allocator = *allocator;
        def.world = fr_cast_world(cast);
        def.object = find_object(scene, def.world, seek->object);
        def.target = find_object(scene, def.world, seek->target);
        def.speed = seek->speed;
        def.range = seek->range;
        def.bounds = seek->bounds;
        def.looks = seek->looks;
        def.seed = seek->seed;
        fr_seeker *seeker;
        status = fr_seeker_create(&def, &seeker, error);
        if (status != FR_OK) { return status; }
        const fr_actor actor = fr_seeker_actor(seeker);
        status = add_actor(cast, &actor, error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Forecast

// One forecast for all objects that look ahead; it comes last, when what moves them has said so.
static fr_status add_forecast(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    const fr_scene_view *view = &scene->view;
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->object_count; i++) {
        count += view->objects[i].ahead > 0.0;
    }
    if (count == 0) { return FR_OK; }
    fr_forecast_object *objects = fr_allocate(allocator, count, sizeof *objects, _Alignof(fr_forecast_object));
    if (objects == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of the scene"); }
    fr_forecast_def def = fr_default_forecast_def();
    def.world = fr_cast_world(cast);
    def.objects = objects;
    def.allocator = *allocator;
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (!(view->objects[i].ahead > 0.0)) { continue; }
        objects[def.object_count++] = (fr_forecast_object){find_object(scene, def.world, i), view->objects[i].ahead};
    }
    fr_forecast *forecast = NULL;
    fr_status status = fr_forecast_create(&def, &forecast, error);
    fr_deallocate(allocator, objects, count, sizeof *objects);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_forecast_actor(forecast);
    return add_actor(cast, &actor, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Layers that only draw

static fr_status add_octree(const fr_scene_object *object, fr_object_id id, fr_cast *cast,
                            const fr_allocator *allocator, fr_error *error) {
    fr_octree_layer_def def = fr_default_octree_layer_def();
    def.object = id;
    def.name = object->name;
    def.depth = object->octree;
    def.allocator = *allocator;
    fr_actor actor;
    fr_status status = fr_octree_layer_create(&def, &actor, error);
    return status == FR_OK ? add_actor(cast, &actor, error) : status;
}

static fr_status add_radar(const fr_scene_object *object, fr_object_id id, fr_cast *cast, const fr_allocator *allocator,
                           fr_error *error) {
    fr_radar_layer_def def = fr_default_radar_layer_def();
    def.object = id;
    def.name = object->name;
    def.range = object->radar.range;
    def.width = object->radar.width;
    def.direction = object->radar.direction;
    def.allocator = *allocator;
    fr_actor actor;
    fr_status status = fr_radar_layer_create(&def, &actor, error);
    return status == FR_OK ? add_actor(cast, &actor, error) : status;
}

static fr_status add_surfaces(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    if (scene->view.surfaces == 0.0) { return FR_OK; }
    fr_surface_layer_def def = fr_default_surface_layer_def();
    def.stature = scene->view.surfaces;
    def.allocator = *allocator;
    fr_actor actor;
    fr_status status = fr_surface_layer_create(&def, &actor, error);
    return status == FR_OK ? add_actor(cast, &actor, error) : status;
}

static fr_status add_layers(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < scene->view.object_count && status == FR_OK; i++) {
        const fr_scene_object *object = &scene->view.objects[i];
        if (object->octree == 0 && !(object->radar.range > 0.0)) { continue; }
        fr_object_id id = find_object(scene, fr_cast_world(cast), i);
        if (object->octree > 0) { status = add_octree(object, id, cast, allocator, error); }
        if (status == FR_OK && object->radar.range > 0.0) { status = add_radar(object, id, cast, allocator, error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Followers

fr_status fr_scene_add_followers(const fr_scene *scene, fr_cast *cast, fr_sensor_read_fn *read, void *user,
                                 const fr_allocator *allocator, fr_error *error) {
    FR_ASSERT(scene != NULL && cast != NULL && read != NULL);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < scene->view.object_count && status == FR_OK; i++) {
        const fr_scene_object *object = &scene->view.objects[i];
        if (object->tracked == FR_NONE) { continue; }
        fr_follower_def def = fr_default_follower_def();
        def.world = fr_cast_world(cast);
        def.object = find_object(scene, def.world, i);
        def.sensor = object->tracked;
        def.read = read;
        def.user = user;
        def.allocator = fr_allocator_or_default(allocator);
        fr_follower *follower;
        status = fr_follower_create(&def, &follower, error);
        if (status != FR_OK) { return status; }
        const fr_actor actor = fr_follower_actor(follower);
        status = add_actor(cast, &actor, error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The cast

fr_status fr_scene_cast(const fr_scene *scene, fr_world *world, const fr_cast_def *def, fr_cast **out,
                        fr_error *error) {
    FR_ASSERT(scene != NULL && world != NULL && out != NULL);
    fr_cast_def whole = def != NULL ? *def : fr_default_cast_def();
    whole.world = world;
    fr_status status = fr_cast_create(&whole, out, error);
    if (status != FR_OK) { return status; }
    const fr_allocator allocator = fr_allocator_or_default(&whole.allocator);
    status = add_pilot(scene, *out, &allocator, error);
    if (status == FR_OK) { status = add_pen(scene, *out, &allocator, error); }
    if (status == FR_OK) { status = add_hands(scene, *out, &allocator, error); }
    if (status == FR_OK) { status = add_seekers(scene, *out, &allocator, error); }
    if (status == FR_OK) { status = fr__scene_add_player(scene, *out, &allocator, error); }
    if (status == FR_OK) { status = add_forecast(scene, *out, &allocator, error); }
    if (status == FR_OK) { status = add_layers(scene, *out, &allocator, error); }
    if (status == FR_OK) { status = add_surfaces(scene, *out, &allocator, error); }
    if (status == FR_OK) { return FR_OK; }
    fr_cast_destroy(*out);
    *out = NULL;
    return status;
}
