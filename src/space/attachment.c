// Attachments: what other rooms derive from objects and store with them.
#include "space/object.h"

#include <string.h>

fr_status fr_space_attach(fr_space *space, const fr_attachment_type *type, uint32_t *slot, fr_error *error) {
    FR_ASSERT(space != NULL && type != NULL && slot != NULL);
    *slot = FR_NONE;
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    if (space->slot_count == FR_SPACE_MAX_SLOTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a space has %d slots", FR_SPACE_MAX_SLOTS);
    }
    space->slots[space->slot_count] = *type;
    *slot = space->slot_count++;
    return FR_OK;
}

static void destroy_data(const fr_space *space, uint32_t slot, fr__attachment *attachment) {
    const fr_attachment_type *type = &space->slots[slot];
    if (attachment->data != NULL && type->destroy != NULL) { type->destroy(attachment->data, type->user); }
    attachment->data = NULL;
}

void fr__object_detach(fr_space *space, fr__object *object) {
    if (object->attachments == NULL) { return; }
    for (uint32_t slot = 0; slot < space->slot_count; slot++) {
        destroy_data(space, slot, &object->attachments[slot]);
    }
    fr_deallocate(&space->allocator, object->attachments, FR_SPACE_MAX_SLOTS, sizeof *object->attachments);
    object->attachments = NULL;
}

fr_status fr_object_attach(fr_space *space, fr_object_id id, uint32_t slot, void *data, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }
    if (slot >= space->slot_count) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the space has no slot %u", slot); }

    if (object->attachments == NULL) {
        size_t size = sizeof *object->attachments;
        object->attachments = fr_allocate(&space->allocator, FR_SPACE_MAX_SLOTS, size, _Alignof(fr__attachment));
        if (object->attachments == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an attachment"); }
        memset(object->attachments, 0, FR_SPACE_MAX_SLOTS * size);
    }
    fr__attachment *attachment = &object->attachments[slot];
    if (attachment->data != data) { destroy_data(space, slot, attachment); }
    attachment->data = data;
    attachment->made_from = object->versions;
    return FR_OK;
}

void *fr_object_attachment(const fr_space *space, fr_object_id id, uint32_t slot, fr_versions *made_from) {
    FR_ASSERT(space != NULL);
    if (made_from != NULL) { memset(made_from, 0, sizeof *made_from); }
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL || object->attachments == NULL || slot >= space->slot_count) { return NULL; }
    const fr__attachment *attachment = &object->attachments[slot];
    if (made_from != NULL && attachment->data != NULL) { *made_from = attachment->made_from; }
    return attachment->data;
}
