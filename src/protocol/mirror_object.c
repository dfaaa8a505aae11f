// The objects of a mirror.
#include "protocol/mirror.h"

#include <string.h>

void fr__mirror_object_destroy(fr_mirror *mirror, fr__mirror_object *object) {
    if (object == NULL) { return; }
    fr_arena_destroy(object->arena);
    fr_float_array_destroy(&object->vertices);
    fr__mirror_pose_array_destroy(&object->bones);
    fr__char_array_destroy(&object->lease_name);
    fr_deallocate(&mirror->allocator, object, 1, sizeof *object);
}

// The object of a ref; NULL where it is not known, or where another object has its place now.
static fr__mirror_object *find(fr_mirror *mirror, fr_ref ref) {
    fr__mirror_object *object = fr__shelf_find(&mirror->objects, ref.index1);
    return object != NULL && object->view.ref.generation == ref.generation ? object : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Coming and going

fr_status fr__mirror_take_object(fr_mirror *mirror, const fr_packet *packet, const fr_message_object *received,
                                 fr_error *error) {
    if (received->object.index1 == 0) { return fr_error_set(error, FR_ERROR_CORRUPT, "an object that names nothing"); }
    fr__mirror_object *object = fr_allocate(&mirror->allocator, 1, sizeof *object, _Alignof(fr__mirror_object));
    if (object == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an object"); }
    memset(object, 0, sizeof *object);
    object->vertices = fr_float_array_make(&mirror->allocator);
    object->bones = fr__mirror_pose_array_make(&mirror->allocator);
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

    // The earlier object of the place is removed first, which leaves room for the new one.
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

fr_status fr__mirror_take_gone(fr_mirror *mirror, const fr_message_gone *received) {
    fr__mirror_object *object = find(mirror, received->object);
    if (object == NULL) { return FR_OK; }
    fr__shelf_remove(&mirror->objects, received->object.index1);
    fr__mirror_object_destroy(mirror, object);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices and leases

fr_status fr__mirror_take_vertices(fr_mirror *mirror, const fr_message_vertices *received, fr_error *error) {
    fr__mirror_object *object = find(mirror, received->object);
    if (object == NULL) { return FR_OK; }
    fr_status status = fr__mirror_place_floats(&object->vertices, 3 * (uint64_t)received->first, received->xyz,
                                               received->xyz_count, 3 * (uint64_t)FR_MESH_MAX_VERTICES, error);
    object->view.vertices = object->vertices.data;
    object->view.vertex_count = (uint32_t)(object->vertices.count / 3);
    return status;
}

fr_status fr__mirror_take_lease(fr_mirror *mirror, const fr_message_lease *received, fr_error *error) {
    fr__mirror_object *object = find(mirror, received->object);
    if (object == NULL) { return FR_OK; }
    size_t bytes = strlen(received->name) + 1;
    if (!fr__char_array_reserve(&object->lease_name, bytes)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a name");
    }
    memcpy(object->lease_name.data, received->name, bytes);
    object->view.lease_client = received->client;
    object->view.lease_name = object->lease_name.data;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// State

// Whether a state may follow what is known.
static fr_status check_state(const fr_mirror *mirror, const fr_message_state *received, fr_error *error) {
    const fr_mirror_view *view = &mirror->view;
    if (view->has_state && received->sequence < view->sequence) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "state %llu after state %llu",
                            (unsigned long long)received->sequence, (unsigned long long)view->sequence);
    }
    bool is_complete = (received->flags & FR_STATE_COMPLETE) != 0;
    if (!is_complete && (!view->has_state || received->since > view->sequence)) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "changes since state %llu, which is not known",
                            (unsigned long long)received->since);
    }
    for (uint32_t i = 0; i < received->body_count; i++) {
        if (i > 0 && received->bodies[i - 1].object.index1 >= received->bodies[i].object.index1) {
            return fr_error_set(error, FR_ERROR_CORRUPT, "the objects of a state are not sorted");
        }
    }
    return FR_OK;
}

static void take_body(fr__mirror_object *object, const fr_wire_body *body) {
    object->view.pose = body->pose;
    object->view.hold = (fr_hold)body->hold;
}

static void take_changes(fr_mirror *mirror, const fr_message_state *received) {
    for (uint32_t i = 0; i < received->body_count; i++) {
        fr__mirror_object *object = find(mirror, received->bodies[i].object);
        if (object != NULL) { take_body(object, &received->bodies[i]); }
    }
}

// Removes objects that are not listed. Both lists are sorted by index1.
static void take_all(fr_mirror *mirror, const fr_message_state *received) {
    size_t left = 0;
    uint32_t j = 0;
    for (size_t i = 0; i < mirror->objects.things.count; i++) {
        fr__mirror_object *object = fr__shelf_at(&mirror->objects, i);
        fr_ref ref = object->view.ref;
        while (j < received->body_count && received->bodies[j].object.index1 < ref.index1) {
            j++;
        }
        const fr_wire_body *body = j < received->body_count ? &received->bodies[j] : NULL;
        if (body != NULL && body->object.index1 == ref.index1 && body->object.generation == ref.generation) {
            take_body(object, body);
            mirror->objects.things.data[left++] = object;
        } else {
            fr__mirror_object_destroy(mirror, object);
        }
    }
    mirror->objects.things.count = left;
}

fr_status fr__mirror_take_state(fr_mirror *mirror, const fr_message_state *received, fr_error *error) {
    fr_status status = check_state(mirror, received, error);
    if (status != FR_OK) { return status; }
    if ((received->flags & FR_STATE_COMPLETE) != 0) {
        take_all(mirror, received);
    } else {
        take_changes(mirror, received);
    }
    mirror->view.has_state = true;
    mirror->view.sequence = received->sequence;
    mirror->view.tick = received->tick;
    mirror->view.time = received->time;
    mirror->view.state_flags = received->flags;
    return FR_OK;
}
