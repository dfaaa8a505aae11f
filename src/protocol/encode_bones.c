// Messages of bones: those of a skin, and where the bones of bodies are.
#include "protocol/bones.h"
#include "protocol/encoder.h"

#include <math.h>
#include <string.h>

// The skin of an object that hangs its bones together: that of its first part that has one.
static const fr_skin_view *skeleton_of(const fr_space *space, fr_object_id id) {
    const fr_object_view *view = fr_object_get(space, id);
    for (uint32_t i = 0; view != NULL && i < view->part_count; i++) {
        const fr_skin *skin = fr_object_part(space, id, i).skin;
        if (skin != NULL) { return fr_skin_get(skin); }
    }
    return NULL;
}

static bool is_same(const fr_pose *a, const fr_pose *b) { return memcmp(a, b, sizeof *a) == 0; }

// The bones of a body, and those of an earlier snapshot; NULL: all are new.
typedef struct bone_set {
    const fr_pose *now, *before;
    const uint32_t *parents;
    uint32_t count;
    double grain; // positions are rounded to multiples of it
} bone_set;

static fr_pose local_of(const bone_set *set, const fr_pose *bones, uint32_t i) {
    uint32_t parent = set->parents[i];
    return fr__bone_local(parent < set->count ? &bones[parent] : NULL, &bones[i]);
}

// Whether a bone is in the frame of its parent where it was, for sure.
static bool is_still(const bone_set *set, uint32_t i) {
    uint32_t parent = set->parents[i];
    return set->before != NULL && is_same(&set->now[i], &set->before[i]) &&
           (parent >= set->count || is_same(&set->now[parent], &set->before[parent]));
}

static void put_float(float value, unsigned char *out) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr__put_little(out, bits, sizeof bits);
}

// A bone in its parent's frame is computed again in each snapshot, so its position differs by rounding errors, most of
// all near 0. Rounded to a fixed grain it stays the same.
static void put_place(const bone_set *set, const fr_pose *local, unsigned char out[FR__PLACE_BYTES]) {
    const double position[3] = {local->position.x, local->position.y, local->position.z};
    for (size_t i = 0; i < 3; i++) {
        put_float(fr__finite_float(rint(position[i] / set->grain) * set->grain + 0.0), out + 4 * i);
    }
    put_float(fr__finite_float(local->scale), out + 12);
}

// A few millionths of the size of a skeleton: of the farthest bone from the mesh's origin.
static double grain_of(const fr_skin_view *skin) {
    double largest = 0.0;
    for (uint32_t i = 0; i < skin->bone_count; i++) {
        const double *inverse = skin->inverse_binds + 12 * (size_t)i;
        largest = fmax(largest, fmax(fabs(inverse[3]), fmax(fabs(inverse[7]), fabs(inverse[11]))));
    }
    int exponent = 0;
    (void)frexp(largest > 0.0 ? largest : 1.0, &exponent);
    return ldexp(1.0, exponent - 22);
}

// Writes the bytes of a body's bones: the turn of the body; a mask of the bones that turned, and their turns; a mask of
// those whose place or scale changed, and these. A mask is left out where nothing comes after it. `out` has room for
// all of it; returns how many bytes it took.
static size_t write_bones(const bone_set *set, const fr_pose *root, unsigned char *out) {
    size_t mask = fr__mask_bytes(set->count), turn_count = 0, place_count = 0;
    unsigned char *turns = out + FR__TURN_BYTES, *places = turns + mask + FR__TURN_BYTES * (size_t)set->count;
    fr__put_little(out, fr_protocol_pack_turn(root->rotation), FR__TURN_BYTES);
    memset(turns, 0, mask);
    memset(places, 0, mask);
    for (uint32_t i = 0; i < set->count; i++) {
        if (is_still(set, i)) { continue; }
        fr_pose now = local_of(set, set->now, i), before = now;
        if (set->before != NULL) { before = local_of(set, set->before, i); }
        unsigned char place[FR__PLACE_BYTES], place_before[FR__PLACE_BYTES];
        uint64_t turn = fr_protocol_pack_turn(now.rotation);
        put_place(set, &now, place);
        put_place(set, &before, place_before);
        if (set->before == NULL || turn != fr_protocol_pack_turn(before.rotation)) {
            turns[i / 8] |= (unsigned char)(1u << (i % 8));
            fr__put_little(turns + mask + FR__TURN_BYTES * turn_count++, turn, FR__TURN_BYTES);
        }
        if (set->before == NULL || memcmp(place, place_before, sizeof place) != 0) {
            places[i / 8] |= (unsigned char)(1u << (i % 8));
            memcpy(places + mask + FR__PLACE_BYTES * place_count++, place, sizeof place);
        }
    }
    size_t bytes = FR__TURN_BYTES;
    if (turn_count + place_count > 0) { bytes += mask + FR__TURN_BYTES * turn_count; }
    if (place_count > 0) {
        size_t size = mask + FR__PLACE_BYTES * place_count;
        memmove(out + bytes, places, size);
        bytes += size;
    }
    return bytes;
}

static const fr_snapshot_object *find_before(const fr_snapshot *before, fr_object_id id, size_t *at) {
    while (before != NULL && *at < before->object_count && before->objects[*at].id.index1 < id.index1) {
        ++*at;
    }
    bool is_there = before != NULL && *at < before->object_count;
    return is_there && fr_object_id_equal(before->objects[*at].id, id) ? &before->objects[*at] : NULL;
}

// Whether nothing of a body changed that BONES carries.
static bool is_unchanged(const fr_snapshot_object *now, const fr_snapshot_object *before) {
    return before != NULL && before->bone_count == now->bone_count && is_same(&now->pose, &before->pose) &&
           memcmp(now->bones, before->bones, now->bone_count * sizeof *now->bones) == 0;
}

// With its place and up to 5 bytes each for its index and its size.
static size_t max_bytes_of(uint32_t bones) {
    return 34 + FR__TURN_BYTES + 2 * (size_t)fr__mask_bytes(bones) + (FR__TURN_BYTES + FR__PLACE_BYTES) * (size_t)bones;
}

static void put_double(double value, unsigned char *out) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr__put_little(out, bits, sizeof bits);
}

// Writes a body: by how much its index1 is above that of the one before, its position, the size of its bones, its
// bones.
static size_t write_body(const bone_set *set, const fr_snapshot_object *object, uint32_t index_before,
                         unsigned char *out) {
    size_t bytes = fr__put_whole(object->id.index1 - index_before, out);
    const double position[3] = {object->pose.position.x, object->pose.position.y, object->pose.position.z};
    for (int i = 0; i < 3; i++, bytes += 8) {
        put_double(position[i], out + bytes);
    }
    size_t size = write_bones(set, &object->pose, out + bytes + 5);
    size_t head = fr__put_whole((uint32_t)size, out + bytes);
    memmove(out + bytes + head, out + bytes + 5, size);
    return bytes + head + size;
}

fr_status fr_protocol_encode_bones(fr_encoder *encoder, const fr_space *space, const fr_snapshot *snapshot,
                                   const fr_snapshot *previous, fr_array *out, fr_error *error) {
    size_t room = 0, used = 0, at = 0;
    for (size_t i = 0; i < snapshot->object_count; i++) {
        uint32_t count = snapshot->objects[i].bone_count;
        room += count > 0 ? max_bytes_of(count) : 0;
    }
    if (room == 0) { return FR_OK; }
    unsigned char *data = fr_byte_array_reset(&encoder->bytes, room);
    if (data == NULL) { return fr__encoder_no_room(room, error); }

    uint32_t index_before = 0;
    for (size_t i = 0; i < snapshot->object_count; i++) {
        const fr_snapshot_object *object = &snapshot->objects[i];
        const fr_skin_view *skin = object->bone_count > 0 ? skeleton_of(space, object->id) : NULL;
        if (skin == NULL || skin->bone_count != object->bone_count) { continue; }
        const fr_snapshot_object *before = find_before(previous, object->id, &at);
        if (is_unchanged(object, before)) { continue; }
        bool has_before = before != NULL && before->bone_count == object->bone_count;
        bone_set set = {object->bones, has_before ? before->bones : NULL, skin->parents, object->bone_count,
                        grain_of(skin)};
        used += write_body(&set, object, index_before, data + used);
        index_before = object->id.index1;
    }
    if (used == 0) { return FR_OK; }
    if (used > UINT32_MAX) { return fr_error_set(error, FR_ERROR_LIMIT, "too many bones"); }
    fr_message message = {.type = FR_MESSAGE_BONES};
    message.as.bones = (fr_message_bones){snapshot->sequence, data, (uint32_t)used};
    return fr_protocol_write(&message, out, error);
}
