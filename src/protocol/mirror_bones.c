// The bones of a mirror's objects.
#include "protocol/bones.h"
#include "protocol/mirror.h"

#include <string.h>

// The mesh whose skin hangs the bones of an object together: that of its first part with one; NULL where it has none,
// or it did not come whole.
static const fr__mirror_mesh *skeleton_of(const fr_mirror *mirror, const fr_mirror_object *object) {
    for (uint32_t i = 0; i < object->part_count; i++) {
        const fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, object->parts[i].mesh);
        if (mesh != NULL && mesh->view.bone_count > 0) { return mesh->view.is_whole ? mesh : NULL; }
    }
    return NULL;
}

static uint32_t count_bits(const unsigned char *mask, uint32_t bone_count) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bone_count; i++) {
        count += (unsigned)mask[i / 8] >> (i % 8) & 1u;
    }
    return count;
}

// The parts of a body's bytes; each is NULL where it is left out.
typedef struct bone_bytes {
    const unsigned char *turn_mask, *turns, *place_mask, *places;
} bone_bytes;

// False where the bytes are not what a body of so many bones has.
static bool cut_bytes(const unsigned char *data, size_t size, uint32_t bone_count, bone_bytes *out) {
    size_t mask = fr__mask_bytes(bone_count);
    memset(out, 0, sizeof *out);
    if (size < FR__TURN_BYTES) { return false; }
    data += FR__TURN_BYTES;
    size -= FR__TURN_BYTES;
    if (size == 0) { return true; }
    if (size < mask) { return false; }
    size_t turns = FR__TURN_BYTES * (size_t)count_bits(data, bone_count);
    out->turn_mask = data;
    out->turns = data + mask;
    if (size < mask + turns) { return false; }
    data += mask + turns;
    size -= mask + turns;
    if (size == 0) { return true; }
    if (size < mask) { return false; }
    out->place_mask = data;
    out->places = data + mask;
    return size == mask + FR__PLACE_BYTES * (size_t)count_bits(data, bone_count);
}

static double get_float(const unsigned char *bytes) {
    uint32_t bits = (uint32_t)fr__get_little(bytes, sizeof bits);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool is_set(const unsigned char *mask, uint32_t i) {
    return mask != NULL && ((unsigned)mask[i / 8] >> (i % 8) & 1u) != 0;
}

// Places are floats from outside: a position that is not finite, and a scale that is not above 0, are refused.
static bool are_right(const bone_bytes *cut, uint32_t bone_count) {
    uint32_t count = cut->place_mask != NULL ? count_bits(cut->place_mask, bone_count) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *place = cut->places + FR__PLACE_BYTES * (size_t)i;
        fr_pose pose = {
            fr_quat_identity(), {get_float(place), get_float(place + 4), get_float(place + 8)}, get_float(place + 12)};
        if (fr_pose_check(&pose, NULL) != FR_OK) { return false; }
    }
    return true;
}

static void take_local(const bone_bytes *cut, uint32_t bone_count, fr_pose *local) {
    const unsigned char *turn = cut->turns, *place = cut->places;
    for (uint32_t i = 0; i < bone_count; i++) {
        if (is_set(cut->turn_mask, i)) {
            local[i].rotation = fr_protocol_unpack_turn(fr__get_little(turn, FR__TURN_BYTES));
            turn += FR__TURN_BYTES;
        }
        if (is_set(cut->place_mask, i)) {
            local[i].position = fr_vec3_make(get_float(place), get_float(place + 4), get_float(place + 8));
            local[i].scale = get_float(place + 12);
            place += FR__PLACE_BYTES;
        }
    }
}

// Memory for the bones of an object: in their parents' frames, and in the object's.
static bool take_room(fr__mirror_object *object, uint32_t bone_count) {
    if (object->bones.count == 2 * (size_t)bone_count) { return true; }
    fr_pose *bones = fr__mirror_pose_array_reset(&object->bones, 2 * (size_t)bone_count);
    if (bones == NULL) { return false; }
    for (size_t i = 0; i < 2 * (size_t)bone_count; i++) {
        bones[i] = fr_pose_identity();
    }
    return true;
}

// A body in the bytes of a message.
typedef struct packed_body {
    uint32_t index1;
    fr_vec3 position;
    const unsigned char *data;
    size_t size;
} packed_body;

// What is left to read of a message.
typedef struct body_reader {
    const unsigned char *bytes;
    size_t left;
    uint32_t index1; // of the body before
} body_reader;

// False where the bytes end, or go on for too long.
static bool read_whole(body_reader *r, uint32_t *out) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (r->left == 0) { return false; }
        unsigned char byte = *r->bytes++;
        r->left--;
        value |= (uint64_t)(byte & 127u) << shift;
        if (byte < 128) {
            *out = (uint32_t)value;
            return value <= UINT32_MAX;
        }
    }
    return false;
}

static double get_double(const unsigned char *bytes) {
    uint64_t bits = fr__get_little(bytes, sizeof bits);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool read_body(body_reader *r, packed_body *out) {
    uint32_t step = 0, size = 0;
    if (!read_whole(r, &step) || step == 0 || step > UINT32_MAX - r->index1 || r->left < 24) { return false; }
    out->index1 = r->index1 += step;
    out->position = fr_vec3_make(get_double(r->bytes), get_double(r->bytes + 8), get_double(r->bytes + 16));
    r->bytes += 24;
    r->left -= 24;
    if (!read_whole(r, &size) || size > r->left) { return false; }
    out->data = r->bytes;
    out->size = size;
    r->bytes += size;
    r->left -= size;
    fr_pose pose = fr_pose_make(out->position, fr_quat_identity());
    return fr_pose_check(&pose, NULL) == FR_OK;
}

// An object whose bones are given, and its skeleton.
typedef struct boned {
    fr__mirror_object *object; // NULL: what is not known is passed over
    const fr__mirror_mesh *skeleton;
    bone_bytes cut;
} boned;

// The first bones of an object must be all of them: memory is taken for what was received.
static fr_status find_body(fr_mirror *mirror, const packed_body *body, boned *out, fr_error *error) {
    *out = (boned){.object = fr__shelf_find(&mirror->objects, body->index1)};
    out->skeleton = out->object != NULL ? skeleton_of(mirror, &out->object->view) : NULL;
    if (out->skeleton == NULL) {
        out->object = NULL;
        return FR_OK;
    }
    uint32_t count = out->skeleton->view.bone_count;
    if (!cut_bytes(body->data, body->size, count, &out->cut) || !are_right(&out->cut, count)) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "the bones of object %u are not those of its skin", body->index1);
    }
    const bone_bytes *cut = &out->cut;
    bool is_whole = cut->place_mask != NULL && count_bits(cut->turn_mask, count) == count &&
                    count_bits(cut->place_mask, count) == count;
    if (out->object->bones.count != 2 * (size_t)count && !is_whole) {
        out->object = NULL;
        return FR_OK;
    }
    if (!take_room(out->object, count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for %u bones", count);
    }
    return FR_OK;
}

static void take_body(const packed_body *body, const boned *found, uint32_t *stack) {
    fr__mirror_object *object = found->object;
    uint32_t count = found->skeleton->view.bone_count;
    fr_pose *local = object->bones.data, *placed = local + count;
    take_local(&found->cut, count, local);
    fr__bones_place(found->skeleton->parents.data, local, count, stack, placed);
    object->view.pose.position = body->position;
    object->view.pose.rotation = fr_protocol_unpack_turn(fr__get_little(body->data, FR__TURN_BYTES));
    object->view.bones = placed;
    object->view.bone_count = count;
}

// All bodies are looked at before the first is changed.
fr_status fr__mirror_take_bones(fr_mirror *mirror, const fr_message_bones *received, fr_error *error) {
    boned found;
    packed_body body;
    uint32_t max_count = 0;
    for (body_reader r = {received->data, received->byte_count, 0}; r.left > 0;) {
        if (!read_body(&r, &body)) { return fr_error_set(error, FR_ERROR_CORRUPT, "the bytes of bones are none"); }
        fr_status status = find_body(mirror, &body, &found, error);
        if (status != FR_OK) { return status; }
        uint32_t count = found.object != NULL ? found.skeleton->view.bone_count : 0;
        max_count = count > max_count ? count : max_count;
    }
    uint32_t *stack = fr_arena_alloc(mirror->scratch, max_count, sizeof *stack, _Alignof(uint32_t));
    if (stack == NULL && max_count > 0) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for bones"); }
    for (body_reader r = {received->data, received->byte_count, 0}; r.left > 0;) {
        (void)read_body(&r, &body);
        (void)find_body(mirror, &body, &found, NULL);
        if (found.object != NULL) { take_body(&body, &found, stack); }
    }
    return FR_OK;
}
