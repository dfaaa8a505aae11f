// Labels of objects: names and colours.
#include "world/world.h"

#include <string.h>

static const fr_color DEFAULT_COLOR = {200, 200, 200, 255};

fr_label fr_default_label(void) {
    fr_label label = {"", DEFAULT_COLOR};
    return label;
}

fr_status fr_world_set_label(fr_world *world, fr_object_id id, const fr_label *label, fr_error *error) {
    FR_ASSERT(world != NULL && label != NULL && label->name != NULL);
    if (!fr__text_is_right(label->name, FR_WORLD_NAME_MAX_BYTES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a name is longer than %d bytes or no UTF-8",
                            FR_WORLD_NAME_MAX_BYTES);
    }
    fr_status status;
    fr__world_body *body = fr__body_open(world, id, &status, error);
    if (body == NULL) { return status; }

    // A label may be the object's own, read back: its name is copied before it goes.
    size_t bytes = strlen(label->name) + 1;
    char *name = fr_allocate(&world->allocator, bytes, 1, 1);
    if (name == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a name"); }
    memcpy(name, label->name, bytes);
    fr_deallocate(&world->allocator, body->name, body->name_bytes, 1);
    body->name = name;
    body->name_bytes = bytes;
    body->color = label->color;
    body->has_label = true;
    fr__world_operation operation = {.kind = FR__WORLD_SET_LABEL, .object = id, .text = name};
    operation.text_bytes = (uint32_t)(bytes - 1);
    operation.color = fr__color_word(label->color);
    fr__world_record(world, &operation);
    return FR_OK;
}

fr_label fr_world_label(const fr_world *world, fr_object_id id) {
    FR_ASSERT(world != NULL);
    const fr__world_body *body = fr__body_find(world, id);
    if (body == NULL || !body->has_label) { return fr_default_label(); }
    fr_label label = {body->name, body->color};
    return label;
}

fr_object_id fr_world_find(const fr_world *world, const char *name) {
    FR_ASSERT(world != NULL && name != NULL);
    const fr__world_body *bodies = fr__bodies(&world->bodies);
    for (size_t i = 0; i < world->bodies.count; i++) {
        bool is_there = bodies[i].has_label && fr_object_exists(world->space, bodies[i].owner);
        if (is_there && strcmp(bodies[i].name, name) == 0) { return bodies[i].owner; }
    }
    fr_object_id none = {0, 0, 0};
    return none;
}
