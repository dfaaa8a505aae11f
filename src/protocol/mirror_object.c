// Objects as a mirror knows them.
#include "protocol/mirror.h"

#include <string.h>

void fr__mirror_object_destroy(fr_mirror *mirror, fr__mirror_object *object) {
    if (object == NULL) { return; }
    fr_arena_destroy(object->arena);
    fr_float_array_destroy(&object->vertices);
    fr__char_array_destroy(&object->lease_name);
    fr_deallocate(&mirror->allocator, object, 1, sizeof *object);
}

// The object of a ref; NULL where it is not known, or its place is another's by now.
static fr__mirror_object *find(fr_mirror *mirror, fr_ref ref) {
    fr__mirror_object *object = fr__shelf_find(&mirror->objects, ref.index1);
    return object != NULL && object->view.ref.generation == ref.generation ? object : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Coming and going

fr_status fr__mirror_take_object(fr_mirror *mirror, const fr_packet *packet, const fr_message_object *told,
                                 fr_error *error) {
    if (told->object.index1 == 0) { return fr_error_set(error, FR_ERROR_CORRUPT, "an object that names nothing"); }
    fr__mirror_object *object = fr_allocate(&mirror->allocator, 1, sizeof *object, _Alignof(fr__mirror_object));
    if (object == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an object"); }
    memset(object, 0, sizeof *object);
    object->vertices = fr_float_array_make(&mirror->allocator);
    object->lease_name = fr__char_array_make(&mirror->allocator);

    fr_message message;
    fr_status status = fr__mirror_keep(mirror, packet, &object->arena, &message, error);
    if (status != FR_OK) { goto fail; }
    const fr_message_object *kept = &message.as.object;
    object->view = (fr_mirror_object){.ref = kept->object,
                                      .name = kept->name,
                                      .color = kept->color,
                                      .flags = kept->flags,
                                      .is_plain = kept->is_plain != 0,
                                      .hold = FR_HOLD_FREE,
                                      .pose = kept->pose,
                                      .parts = kept->parts,
                                      .part_count = kept->part_count,
                                      .lease_name = ""};

    // One that had the place before makes room, which the new one then finds.
    fr__mirror_object *before = fr__shelf_remove(&mirror->objects, object->view.ref.index1);
    if (!fr__shelf_insert(&mirror->objects, object)) {
        FR_ASSERT(before == NULL);
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for an object");
        goto fail;
    }
    fr__mirror_object_destroy(mirror, before);
    return FR_OK;

fail:
    fr__mirror_object_destroy(mirror, object);
    return status;
}

fr_status fr__mirror_take_gone(fr_mirror *mirror, const fr_message_gone *told) {
    fr__mirror_object *object = find(mirror, told->object);
    if (object == NULL) { return FR_OK; }
    fr__shelf_remove(&mirror->objects, told->object.index1);
    fr__mirror_object_destroy(mirror, object);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices and leases

fr_status fr__mirror_take_vertices(fr_mirror *mirror, const fr_message_vertices *told, fr_error *error) {
    fr__mirror_object *object = find(mirror, told->object);
    if (object == NULL) { return FR_OK; }
    fr_status status = fr__mirror_place_floats(&object->vertices, 3 * (uint64_t)told->first, told->xyz, told->xyz_count,
                                               3 * (uint64_t)FR_MESH_MAX_VERTICES, error);
    object->view.vertices = object->vertices.data;
    object->view.vertex_count = (uint32_t)(object->vertices.count / 3);
    return status;
}

fr_status fr__mirror_take_lease(fr_mirror *mirror, const fr_message_lease *told, fr_error *error) {
    fr__mirror_object *object = find(mirror, told->object);
    if (object == NULL) { return FR_OK; }
    size_t bytes = strlen(told->name) + 1;
    if (!fr__char_array_reserve(&object->lease_name, bytes)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a name");
    }
    memcpy(object->lease_name.data, told->name, bytes);
    object->view.lease_client = told->client;
    object->view.lease_name = object->lease_name.data;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// State

// Whether a state may follow what is known.
static fr_status check_state(const fr_mirror *mirror, const fr_message_state *told, fr_error *error) {
    const fr_mirror_view *view = &mirror->view;
    if (view->has_state && told->sequence < view->sequence) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "state %llu after state %llu", (unsigned long long)told->sequence,
                            (unsigned long long)view->sequence);
    }
    bool is_complete = (told->flags & FR_STATE_COMPLETE) != 0;
    if (!is_complete && (!view->has_state || told->since > view->sequence)) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "changes since state %llu, which is not known",
                            (unsigned long long)told->since);
    }
    for (uint32_t i = 0; i < told->body_count; i++) {
        if (i > 0 && told->bodies[i - 1].object.index1 >= told->bodies[i].object.index1) {
            return fr_error_set(error, FR_ERROR_CORRUPT, "the objects of a state are not sorted");
        }
    }
    return FR_OK;
}

static void take_body(fr__mirror_object *object, const fr_wire_body *body) {
    object->view.pose = body->pose;
    object->view.hold = (fr_hold)body->hold;
}

static void take_changes(fr_mirror *mirror, const fr_message_state *told) {
    for (uint32_t i = 0; i < told->body_count; i++) {
        fr__mirror_object *object = find(mirror, told->bodies[i].object);
        if (object != NULL) { take_body(object, &told->bodies[i]); }
    }
}

// Objects that are not listed go. Both lists are sorted by index1.
static void take_all(fr_mirror *mirror, const fr_message_state *told) {
    size_t left = 0;
    uint32_t j = 0;
    for (size_t i = 0; i < mirror->objects.things.count; i++) {
        fr__mirror_object *object = fr__shelf_at(&mirror->objects, i);
        fr_ref ref = object->view.ref;
        while (j < told->body_count && told->bodies[j].object.index1 < ref.index1) {
            j++;
        }
        const fr_wire_body *body = j < told->body_count ? &told->bodies[j] : NULL;
        if (body != NULL && body->object.index1 == ref.index1 && body->object.generation == ref.generation) {
            take_body(object, body);
            mirror->objects.things.data[left++] = object;
        } else {
            fr__mirror_object_destroy(mirror, object);
        }
    }
    mirror->objects.things.count = left;
}

fr_status fr__mirror_take_state(fr_mirror *mirror, const fr_message_state *told, fr_error *error) {
    fr_status status = check_state(mirror, told, error);
    if (status != FR_OK) { return status; }
    if ((told->flags & FR_STATE_COMPLETE) != 0) {
        take_all(mirror, told);
    } else {
        take_changes(mirror, told);
    }
    mirror->view.has_state = true;
    mirror->view.sequence = told->sequence;
    mirror->view.tick = told->tick;
    mirror->view.time = told->time;
    mirror->view.state_flags = told->flags;
    return FR_OK;
}
