// Wishes: the motions that movers and correctors request.
#include "world/wish.h"

#include "world/event.h"
#include "world/pose_compare.h"
#include "world/world.h"

#include <string.h>

void fr__wishes_make(fr_wishes *wishes, const fr_world *world, const fr_allocator *allocator) {
    wishes->world = world;
    wishes->list = fr__wish_array_make(allocator);
    wishes->slots = fr_uint32_array_make(allocator);
    wishes->deforms = fr__deform_array_make(allocator);
    wishes->events = fr__event_array_make(allocator);
    wishes->count = 0;
    wishes->from_movers = false;
}

void fr__wishes_free(fr_wishes *wishes) {
    fr__wish_array_destroy(&wishes->list);
    fr_uint32_array_destroy(&wishes->slots);
    fr__deform_array_destroy(&wishes->deforms);
    fr__event_array_destroy(&wishes->events);
}

bool fr__wishes_begin(fr_wishes *wishes, uint32_t places) {
    const fr_wish *list = wishes->list.data;
    uint32_t *slots = wishes->slots.data;
    bool are_many = wishes->list.count > wishes->slots.count / 16; // wishes are large: reading each costs more then
    if (are_many) { memset(slots, 0, wishes->slots.count * sizeof *slots); }
    for (size_t i = 0; !are_many && i < wishes->list.count; i++) {
        slots[list[i].object.index1 - 1] = 0;
    }
    wishes->list.count = 0;
    wishes->deforms.count = 0;
    wishes->events.count = 0;
    size_t known = wishes->slots.count;
    if (places <= known) { return fr__wish_array_reserve(&wishes->list, known); }
    slots = fr_uint32_array_push(&wishes->slots, places - known);
    if (slots == NULL) { return false; }
    memset(slots, 0, (places - known) * sizeof *slots);
    return fr__wish_array_reserve(&wishes->list, places);
}

const fr_wish *fr__wishes_at(const fr_wishes *wishes, uint32_t index) {
    if (index >= wishes->slots.count) { return NULL; }
    uint32_t slot = wishes->slots.data[index];
    return slot != 0 ? &wishes->list.data[slot - 1] : NULL;
}

static fr_status check_motion(const fr_object_view *view, fr_motion *motion, fr_error *error) {
    fr_status status = fr_motion_check(motion, error);
    if (status != FR_OK || fr__pose_equal(&motion->start, &view->pose)) { return status; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a motion does not start at the object's pose");
}

// Where the wish for an object is written, in place of an earlier one; NULL: it is left alone.
static fr_wish *open_wish(fr_wishes *wishes, fr_object_id object) {
    if (wishes->from_movers && fr_world_hold(wishes->world, object) != FR_HOLD_FREE) { return NULL; }
    uint32_t *slot = wishes->slots.data + (object.index1 - 1);
    if (*slot == 0) {
        fr_wish *place = fr__wish_array_push(&wishes->list, 1);
        FR_ASSERT(place != NULL);
        (void)place;
        *slot = (uint32_t)wishes->list.count;
    }
    wishes->count++;
    return &wishes->list.data[*slot - 1];
}

// Poses and motions are checked and normalized so that the space will accept them. Only what the kind of a wish has is
// written: a motion is large.
fr_status fr_wishes_add(fr_wishes *wishes, const fr_wish *wish, fr_error *error) {
    FR_ASSERT(wishes != NULL && wish != NULL);
    const fr_object_view *view = fr_object_get(wishes->world->space, wish->object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "a wish names no object of this world"); }
    fr_pose pose = wish->pose;
    fr_motion motion;
    fr_status status = FR_OK;
    switch (wish->kind) {
    case FR_WISH_STAY: break;
    case FR_WISH_NEXT:
    case FR_WISH_JUMP: status = fr_pose_check(&pose, error); break;
    case FR_WISH_MOTION:
        motion = wish->motion;
        status = check_motion(view, &motion, error);
        if (status == FR_OK) { status = fr_pose_check(&pose, error); }
        break;
    default: return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no wish of kind %u", (unsigned)wish->kind);
    }
    fr_wish *place = status == FR_OK ? open_wish(wishes, wish->object) : NULL;
    if (place == NULL) { return status; }
    place->object = wish->object;
    place->kind = wish->kind;
    place->pose = pose;
    if (wish->kind == FR_WISH_MOTION) { place->motion = motion; }
    return FR_OK;
}

static fr_status add_deform(fr_wishes *wishes, fr__deform deform, fr_error *error) {
    fr__deform *place = fr__deform_array_push(&wishes->deforms, 1);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a wish"); }
    *place = deform;
    wishes->count++;
    return FR_OK;
}

fr_status fr_wishes_deform(fr_wishes *wishes, fr_object_id object, const fr_vec3 *vertices, uint32_t count,
                           fr_error *error) {
    FR_ASSERT(wishes != NULL && (vertices != NULL || count == 0));
    const fr_object_view *view = fr_object_get(wishes->world->space, object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "a wish names no object of this world"); }
    if (view->vertex_count != count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u vertices for an object of %u", count, view->vertex_count);
    }
    return add_deform(wishes, (fr__deform){object, vertices, NULL, count}, error);
}

fr_status fr_wishes_bones(fr_wishes *wishes, fr_object_id object, const fr_pose *bones, uint32_t count,
                          fr_error *error) {
    FR_ASSERT(wishes != NULL && (bones != NULL || count == 0));
    const fr_object_view *view = fr_object_get(wishes->world->space, object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "a wish names no object of this world"); }
    if (view->bone_count != count || count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u bones for an object of %u", count, view->bone_count);
    }
    return add_deform(wishes, (fr__deform){object, NULL, bones, count}, error);
}

fr_status fr_wishes_add_event(fr_wishes *wishes, const fr_event *event, fr_error *error) {
    FR_ASSERT(wishes != NULL && event != NULL);
    if (!fr__event_is_reported(event->kind)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "only the world reports events of kind %u",
                            (unsigned)event->kind);
    }
    if (event->kind == FR_EVENT_NAMED && !fr__event_has_name(event)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of an event is empty, longer than %d bytes or no UTF-8",
                            FR_WORLD_STATE_NAME_MAX_BYTES);
    }
    const fr_space *space = wishes->world->space;
    if (!fr_object_exists(space, event->a) || (event->b.index1 != 0 && !fr_object_exists(space, event->b))) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "an event names no object of this world");
    }
    if (!fr__event_is_finite(event)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of an event is not finite");
    }
    if (wishes->events.count >= FR_WISHES_MAX_EVENTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "more than %d reported events in a tick", FR_WISHES_MAX_EVENTS);
    }
    fr_event *place = fr__event_array_push(&wishes->events, 1);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an event"); }
    *place = *event;
    return FR_OK;
}

const fr_wish *fr_wishes_find(const fr_wishes *wishes, fr_object_id object) {
    FR_ASSERT(wishes != NULL);
    const fr_wish *found = object.index1 != 0 ? fr__wishes_at(wishes, object.index1 - 1) : NULL;
    return found != NULL && fr_object_id_equal(found->object, object) ? found : NULL;
}
