// Messages of where the bones of bodies are.
#include "protocol/encode_bones.h"

#include "protocol/bones.h"

#include <string.h>

static void put_float(float value, unsigned char *out) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr__put_little(out, bits, sizeof bits);
}

static void put_double(double value, unsigned char *out) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr__put_little(out, bits, sizeof bits);
}

// Writes the turns that wait, after `count` others; returns how many there are then. The first is that of the body: the
// mask of its bones comes after it.
static size_t write_packed(fr__turns *turns, size_t count, size_t mask, unsigned char *out) {
    uint64_t packed[FR__TURNS_AT_ONCE];
    size_t added = turns->count;
    fr__pack_turns(turns, packed);
    for (size_t i = 0; i < added; i++, count++) {
        fr__put_little(out + FR__TURN_BYTES * count + (count > 0 ? mask : 0), packed[i], FR__TURN_BYTES);
    }
    return count;
}

// The lanes of a group whose stamps are after `since`, as bits.
static unsigned lanes_after(const uint32_t stamps[4], uint32_t since) {
    return (stamps[0] > since ? 1u : 0u) | (stamps[1] > since ? 2u : 0u) | (stamps[2] > since ? 4u : 0u) |
           (stamps[3] > since ? 8u : 0u);
}

// Writes the turn of a body, a mask of the bones that turned after a stamp, and their turns. Returns how many they are.
static size_t write_turns(const fr__book_object *object, const fr_bone_group *groups, uint32_t since,
                          unsigned char *out) {
    size_t mask = fr__mask_bytes(object->bone_count), count = 0;
    fr_quat q = object->pose.rotation;
    fr__turns turns;
    turns.count = 0;
    fr__add_turn(&turns, (float)q.w, (float)q.x, (float)q.y, (float)q.z);
    memset(out + FR__TURN_BYTES, 0, mask);
    for (uint32_t g = 0; g < fr__bone_groups(object->bone_count); g++) {
        unsigned lanes = lanes_after(groups[g].turned, since);
        out[FR__TURN_BYTES + g / 2] |= (unsigned char)(lanes << (4 * (g % 2)));
        if (turns.count + 4 > FR__TURNS_AT_ONCE) { count = write_packed(&turns, count, mask, out); }
        for (unsigned lane = 0; lanes >> lane != 0; lane++) {
            if ((lanes >> lane & 1) == 0) { continue; }
            const float(*turn)[4] = groups[g].turn;
            fr__add_turn(&turns, turn[0][lane], turn[1][lane], turn[2][lane], turn[3][lane]);
        }
    }
    return write_packed(&turns, count, mask, out) - 1;
}

// Writes a mask of the bones whose place or scale changed after a stamp, and those. Returns the bytes, 0 for a mask
// without bits.
static size_t write_places(const fr_bone_group *groups, uint32_t count, uint32_t since, unsigned char *out) {
    size_t mask = fr__mask_bytes(count);
    unsigned char *at = out + mask;
    memset(out, 0, mask);
    for (uint32_t g = 0; g < fr__bone_groups(count); g++) {
        unsigned lanes = lanes_after(groups[g].placed, since);
        out[g / 2] |= (unsigned char)(lanes << (4 * (g % 2)));
        for (unsigned lane = 0; lanes >> lane != 0; lane++) {
            if ((lanes >> lane & 1) == 0) { continue; }
            for (int k = 0; k < 4; k++, at += 4) {
                put_float(groups[g].place[k][lane], at);
            }
        }
    }
    size_t bytes = (size_t)(at - out);
    return bytes > mask ? bytes : 0;
}

// Writes the turn of a body and its bones that changed after a stamp. A mask is left out where nothing comes after it.
static size_t write_bones(const fr__book_object *object, const fr_bone_group *groups, uint32_t since,
                          unsigned char *out) {
    size_t mask = fr__mask_bytes(object->bone_count);
    size_t turned = write_turns(object, groups, since, out), bytes = FR__TURN_BYTES * (turned + 1) + mask;
    size_t places = write_places(groups, object->bone_count, since, out + bytes);
    return places > 0 || turned > 0 ? bytes + places : FR__TURN_BYTES;
}

size_t fr__body_max_bytes(uint32_t bone_count) {
    return 34 + FR__TURN_BYTES + 2 * (size_t)fr__mask_bytes(bone_count) +
           (FR__TURN_BYTES + FR__PLACE_BYTES) * (size_t)bone_count;
}

size_t fr__write_body(const fr__book *book, const fr__book_object *object, uint32_t since, uint32_t index_before,
                      unsigned char *out) {
    size_t bytes = fr__put_whole(object->id.index1 - index_before, out);
    const double position[3] = {object->pose.position.x, object->pose.position.y, object->pose.position.z};
    for (int i = 0; i < 3; i++, bytes += 8) {
        put_double(position[i], out + bytes);
    }
    size_t size = write_bones(object, book->groups.data + object->first_group, since, out + bytes + 5);
    size_t head = fr__put_whole((uint32_t)size, out + bytes);
    memmove(out + bytes + head, out + bytes + 5, size);
    return bytes + head + size;
}

fr_status fr__write_bodies(const fr_snapshot *snapshot, const unsigned char *data, size_t size, fr_array *out,
                           fr_error *error) {
    if (size == 0) { return FR_OK; }
    if (size > UINT32_MAX) { return fr_error_set(error, FR_ERROR_LIMIT, "too many bones"); }
    fr_message message = {.type = FR_MESSAGE_BONES};
    message.as.bones = (fr_message_bones){snapshot->sequence, data, (uint32_t)size};
    return fr_protocol_write(&message, out, error);
}

static size_t bones_room(const fr_snapshot *snapshot) {
    size_t room = 0;
    for (size_t i = 0; i < snapshot->object_count; i++) {
        uint32_t count = snapshot->objects[i].bone_count;
        room += count > 0 ? fr__body_max_bytes(count) : 0;
    }
    return room;
}

unsigned char *fr__encoder_open_book(fr_encoder *encoder, const fr_space *space, const fr_snapshot *snapshot,
                                     const fr_snapshot *previous) {
    if (!fr__book_take(&encoder->book, space, snapshot, previous)) { return NULL; }
    return fr_byte_array_reset(&encoder->bytes, bones_room(snapshot) + 1);
}

fr_status fr_protocol_encode_bones(fr_encoder *encoder, const fr_space *space, const fr_snapshot *snapshot,
                                   const fr_snapshot *previous, fr_array *out, fr_error *error) {
    size_t room = bones_room(snapshot), used = 0;
    if (room == 0) { return FR_OK; }
    unsigned char *data = fr__encoder_open_book(encoder, space, snapshot, previous);
    if (data == NULL) { return fr__encoder_no_room(room, error); }

    const fr__book *book = &encoder->book;
    uint32_t since = previous != NULL ? fr__book_stamp(book, previous->sequence) : 0, index_before = 0;
    for (size_t i = 0; i < book->objects.count; i++) {
        const fr__book_object *object = &book->objects.data[i];
        if (object->bone_count == 0 || object->changed <= since) { continue; }
        used += fr__write_body(book, object, since, index_before, data + used);
        index_before = object->id.index1;
    }
    return fr__write_bodies(snapshot, data, used, out, error);
}
