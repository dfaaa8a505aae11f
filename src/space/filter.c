// Filters: which objects may collide, and which parts a query considers.
#include "space/filter.h"

#include "space/object.h"
#include "space/record.h"

fr_status fr_object_set_filter(fr_space *space, fr_object_id id, fr_filter filter, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }

    object->view.filter = filter;
    object->has_new_filter = true;
    object->versions.filter++;
    fr__space_mark_changed(space, id.index1 - 1);
    fr__operation operation = {.kind = FR__OPERATION_SET_FILTER, .object = id, .filter = filter};
    fr__record(space, &operation);
    return FR_OK;
}

fr_status fr_object_set_flags(fr_space *space, fr_object_id id, uint32_t flags, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }
    if ((flags & ~FR__OBJECT_FLAGS) != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a flag of the object is none of fr_object_flags");
    }

    uint32_t changed = object->view.flags ^ flags;
    if ((changed & (uint32_t)(FR_OBJECT_STATIC | FR_OBJECT_SELF | FR_OBJECT_GHOST)) != 0) {
        space->has_new_members = true;
    }
    object->view.flags = flags;
    object->has_new_filter = true;
    if ((changed & FR_OBJECT_GHOST) != 0 && object->view.bone_count > 0) {
        object->has_new_bones = true;
        object->view.next_vertices = NULL;
        fr__object_mark_deformed(space, object);
    }
    object->versions.filter++;
    fr__space_mark_changed(space, id.index1 - 1);
    fr__operation operation = {.kind = FR__OPERATION_SET_FLAGS, .object = id, .flags = flags};
    fr__record(space, &operation);
    return FR_OK;
}

fr_query_filter fr_default_query_filter(void) {
    fr_query_filter filter = {.mask = UINT32_MAX};
    return filter;
}

// Whether the object with this id, filter and flags may meet the one for which a query is made.
static bool meets_object(const fr_space *space, fr_object_id as_object, fr_object_id id, const fr_filter *filter,
                         uint32_t flags) {
    if (as_object.index1 == 0) { return true; }
    if (fr_object_id_equal(id, as_object) || (flags & FR_OBJECT_SENSOR) != 0) { return false; }
    const fr_object_view *view = fr_object_get(space, as_object);
    return view != NULL && fr_filter_meets(filter, &view->filter);
}

bool fr__query_accepts(const fr_space *space, const fr_query_filter *filter, const fr__proxy *proxy) {
    if (filter == NULL) { return true; }
    if ((proxy->filter.layers & filter->mask) == 0) { return false; }
    fr_object_id id = fr__space_object_id(space, proxy->object), none = {0, 0, 0};
    if (fr_object_id_equal(id, filter->ignore)) { return false; }
    if (!meets_object(space, filter->as_object, id, &proxy->filter, proxy->flags)) { return false; }
    return filter->accept == NULL || filter->accept(space, id, none, filter->context);
}

bool fr__query_accepts_object(const fr_space *space, const fr_query_filter *filter, fr_object_id id) {
    const fr_object_view *view = fr_object_get(space, id);
    if (view == NULL) { return false; }
    const fr__proxy proxy = {.object = id.index1 - 1, .flags = view->flags, .filter = view->filter};
    return fr__query_accepts(space, filter, &proxy);
}

static fr_status begin_query(const fr_space *space, const fr_query_filter *filter, fr_status status, fr_error *error) {
    bool has_object = filter != NULL && filter->as_object.index1 != 0;
    if (status == FR_OK && has_object && !fr_object_exists(space, filter->as_object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the filter's as_object names no object of this space");
    }
    if (status == FR_OK && filter != NULL && filter->accept != NULL) { fr__space_enter(space); }
    return status;
}

fr_status fr__query_begin(const fr_space *space, const fr_query_filter *filter, fr_error *error) {
    return begin_query(space, filter, fr__space_check_current(space, error), error);
}

fr_status fr__query_begin_stale(const fr_space *space, const fr_query_filter *filter, fr_error *error) {
    return begin_query(space, filter, fr__space_check_members(space, error), error);
}

void fr__query_end(const fr_space *space, const fr_query_filter *filter) {
    if (filter != NULL && filter->accept != NULL) { fr__space_leave(space); }
}
