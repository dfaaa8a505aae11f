// A real thing that follows a sensor of a tracker, and how well that is known.
#include "actor/retained_parts.h"

#include "fureai/actor.h"

#include <math.h>
#include <string.h>

#define FOLLOWER_COOKIE 0x464f4c4cu
#define ERROR_MAX_MM 1e6

struct fr_follower {
    fr_follower_def def;
    fr_allocator allocator;
    fr_real *real;
    fr_real_state state;
    double last; // time of the last pose that was taken
    double position_error, rotation_error;
    uint64_t taken, refused;
    bool is_jump; // it was not seen before this tick
};

fr_follower_def fr_default_follower_def(void) {
    fr_follower_def def;
    memset(&def, 0, sizeof def);
    def.mount = fr_pose_identity();
    def.real = fr_default_real_def();
    def.real.radius = 0.0;
    def.cookie = FOLLOWER_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_follower_def *def, fr_error *error) {
    if (def->cookie != FOLLOWER_COOKIE) { return fr_error_set_cookie(error, "fr_default_follower_def"); }
    if (def->world == NULL || def->read == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a follower needs a world and a sensor to read");
    }
    if (!fr_object_exists(fr_world_space(def->world), def->object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    fr_pose mount = def->mount;
    return fr_pose_check(&mount, error);
}

// How far the farthest corner of the object's box is from its origin.
static fr_status find_radius(const fr_space *space, fr_object_id object, const fr_allocator *allocator, double *out,
                             fr_error *error) {
    fr__retained_parts body;
    if (!fr__retained_parts_take(&body, allocator, space, object)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a follower");
    }
    fr_pose own = fr_pose_identity();
    fr_bounds box = fr__retained_parts_bounds(&body, &own);
    fr__retained_parts_release(&body);
    *out = 0.0;
    if (fr_bounds_is_empty(&box)) { return FR_OK; }
    double x = fmax(fabs(box.min.x), fabs(box.max.x)), y = fmax(fabs(box.min.y), fabs(box.max.y));
    double z = fmax(fabs(box.min.z), fabs(box.max.z));
    *out = fr_object_get(space, object)->pose.scale * fr_vec3_length(fr_vec3_make(x, y, z));
    return FR_OK;
}

fr_status fr_follower_create(const fr_follower_def *def, fr_follower **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_space *space = fr_world_space(def->world);
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_follower *f = fr_allocate(&allocator, 1, sizeof *f, _Alignof(fr_follower));
    if (f == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a follower"); }
    memset(f, 0, sizeof *f);
    f->def = *def;
    f->allocator = allocator;
    f->last = -HUGE_VAL;
    fr_real_def real = def->real;
    real.allocator = allocator;
    if (real.radius == 0.0) { status = find_radius(space, def->object, &allocator, &real.radius, error); }
    if (status == FR_OK) { status = fr_real_create(&real, &f->real, error); }
    if (status == FR_OK) {
        f->state = fr_real_now(f->real, 0.0);
        uint32_t flags = fr_object_get(space, def->object)->flags | FR_OBJECT_REAL | FR_OBJECT_SENSOR;
        status = fr_object_set_flags(space, def->object, flags, error);
    }
    if (status != FR_OK) {
        fr_follower_destroy(f);
        return status;
    }
    *out = f;
    return FR_OK;
}

void fr_follower_destroy(fr_follower *f) {
    if (f == NULL) { return; }
    fr_real_destroy(f->real);
    fr_allocator allocator = f->allocator;
    fr_deallocate(&allocator, f, 1, sizeof *f);
}

fr_follower_state fr_follower_get(const fr_follower *f) {
    FR_ASSERT(f != NULL);
    fr_follower_state state = {.real = f->state, .taken = f->taken, .refused = f->refused};
    state.uncertainty.id = f->def.object;
    fr_uncertainty *errors = &state.uncertainty.uncertainty;
    errors->position_error = f->position_error;
    errors->rotation_error = f->rotation_error;
    errors->latency = isfinite(f->state.age) ? f->state.age : 0.0;
    errors->speed = f->state.speed;
    return state;
}

// ---------------------------------------------------------------------------------------------------------------
// A tick

// A pose that is later than the last one; what is wrong is counted and left out.
static void take(fr_follower *f, const fr_sensor_pose *pose) {
    if (pose->time == f->last) { return; }
    fr_pose measured = fr_pose_compose(&pose->pose, &f->def.mount);
    bool is_right = fr_real_set_errors(f->real, pose->position_error, pose->rotation_error, NULL) == FR_OK &&
                    fr_real_see(f->real, &measured, pose->time, NULL) == FR_OK;
    if (!is_right) {
        f->refused++;
        return;
    }
    f->position_error = pose->position_error;
    f->rotation_error = pose->rotation_error;
    f->last = pose->time;
    f->taken++;
}

// What watchers see of it. A state that the world refuses is not worth the tick.
static void show(const fr_follower *f) {
    const fr_real_state *s = &f->state;
    bool is_seen = s->age <= f->def.real.lost;
    double grade = s->is_usable ? 1.0 : is_seen ? 0.5 : 0.0;
    double millimetres = is_seen ? fmin(ceil(1e3 * s->alignment), ERROR_MAX_MM) : -1.0;
    (void)fr_world_set_state(f->def.world, f->def.object, FR_FOLLOWER_STATE, grade, NULL);
    (void)fr_world_set_state(f->def.world, f->def.object, FR_FOLLOWER_ERROR, millimetres, NULL);
}

static fr_status prepare(void *user, fr_error *error) {
    fr_follower *f = user;
    fr_space *space = fr_world_space(f->def.world);
    const fr_object_view *view = fr_object_get(space, f->def.object);
    if (view == NULL) { return FR_OK; }
    fr_sensor_pose pose;
    double now = NAN;
    if (f->def.read(f->def.sensor, &pose, &now, f->def.user)) { take(f, &pose); }
    bool was_seen = f->state.age <= f->def.real.lost;
    f->state = fr_real_now(f->real, now);
    f->is_jump = !was_seen && f->state.age <= f->def.real.lost;
    show(f);
    uint32_t flags = (view->flags | FR_OBJECT_REAL) & ~(uint32_t)FR_OBJECT_SENSOR;
    if (!f->state.is_usable) { flags |= FR_OBJECT_SENSOR; }
    return flags != view->flags ? fr_object_set_flags(space, f->def.object, flags, error) : FR_OK;
}

// It is where it was seen; from where it was lost it comes back at once, not along a path.
static fr_status move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const fr_follower *f = user;
    const fr_object_view *view = fr_object_get(proposal->space, f->def.object);
    if (view == NULL || f->taken == 0) { return FR_OK; }
    fr_wish wish = {.object = f->def.object, .kind = f->is_jump ? FR_WISH_JUMP : FR_WISH_NEXT, .pose = f->state.pose};
    wish.pose.scale = view->pose.scale;
    return fr_wishes_add(wishes, &wish, error);
}

static void leave(void *user) { fr_follower_destroy(user); }

fr_actor fr_follower_actor(fr_follower *follower) {
    FR_ASSERT(follower != NULL);
    return (fr_actor){.name = "follower", .prepare = prepare, .move = move, .leave = leave, .user = follower};
}
