// Objects that people hold: inputs set their poses, and movers leave them alone.
#include "world/world.h"

fr_status fr_world_drag(fr_world *world, fr_object_id id, const fr_pose *raw, fr_error *error) {
    FR_ASSERT(world != NULL && raw != NULL);
    fr_pose checked = *raw;
    const fr_object_view *view = fr_object_get(world->space, id);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this world"); }
    if ((view->flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "a static or real object is not moved by people");
    }
    fr_status status = fr_pose_check(&checked, error);
    if (status != FR_OK) { return status; }
    fr__world_body *body = fr__body_open(world, id, &status, error);
    if (body == NULL) { return status; }
    body->raw = checked;
    body->has_raw = world->has_inputs = true;
    body->is_raw_taken = false;
    body->hold = FR_HOLD_HELD;
    world->has_holds = true;
    fr__world_operation operation = {.kind = FR__WORLD_INPUT, .object = id, .pose = checked};
    fr__world_record(world, &operation);
    return FR_OK;
}

static void record(fr_world *world, fr__world_operation_kind kind, fr_object_id id) {
    fr__world_operation operation = {.kind = kind, .object = id};
    fr__world_record(world, &operation);
}

fr_status fr_world_let_go(fr_world *world, fr_object_id id, fr_error *error) {
    FR_ASSERT(world != NULL);
    if (!fr_object_exists(world->space, id)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this world");
    }
    fr_status status = FR_OK;
    const fr__world_body *found = fr__body_find(world, id);
    if (found == NULL || found->hold != FR_HOLD_HELD) { return FR_OK; }
    fr__world_body *body = fr__body_open(world, id, &status, error);
    body->hold = FR_HOLD_PLACED;
    record(world, FR__WORLD_RELEASE, id);
    return FR_OK;
}

static void resume(fr__world_body *body) {
    body->hold = FR_HOLD_FREE;
    body->has_raw = false;
}

fr_status fr_world_resume(fr_world *world, fr_object_id id, fr_error *error) {
    FR_ASSERT(world != NULL);
    if (id.index1 == 0 && id.generation == 0 && id.space == 0) {
        fr__world_body *bodies = fr__bodies(&world->bodies);
        for (size_t i = 0; i < world->bodies.count; i++) {
            resume(&bodies[i]);
        }
        record(world, FR__WORLD_RESUME, id);
        return FR_OK;
    }
    if (!fr_object_exists(world->space, id)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this world");
    }
    if (fr__body_find(world, id) != NULL) { resume(&fr__bodies(&world->bodies)[id.index1 - 1]); }
    record(world, FR__WORLD_RESUME, id);
    return FR_OK;
}

fr_hold fr_world_hold(const fr_world *world, fr_object_id id) {
    FR_ASSERT(world != NULL);
    if (!world->has_holds) { return FR_HOLD_FREE; }
    const fr__world_body *body = fr__body_find(world, id);
    return body != NULL ? body->hold : FR_HOLD_FREE;
}
