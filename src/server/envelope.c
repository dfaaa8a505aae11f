// Envelopes to bytes and back, little endian.
#include "server/envelope.h"

#include <string.h>

enum { HEAD_BYTES = 72, NAME_AT = 68 };

static const unsigned char magic[4] = {'F', 'R', 'B', FR__ENVELOPE_VERSION};

static void put(unsigned char *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
}

static uint64_t get(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

bool fr__envelope_write(const fr__envelope *envelope, fr_byte_array *out) {
    size_t name_bytes = strnlen(envelope->name, FR__ENVELOPE_NAME_BYTES - 1);
    unsigned char *at = fr_byte_array_push(out, HEAD_BYTES + name_bytes + envelope->size);
    if (at == NULL) { return false; }
    const uint64_t wide[] = {envelope->home, envelope->epoch, envelope->serial, envelope->since, envelope->edge};
    const uint64_t narrow[] = {envelope->part, envelope->client, envelope->value, 0};
    memcpy(at, magic, sizeof magic);
    put(at + 4, (uint64_t)envelope->kind, 4);
    put(at + 8, envelope->flags, 4);
    for (int i = 0; i < 5; i++) {
        put(at + 12 + 8 * i, wide[i], 8);
    }
    for (int i = 0; i < 4; i++) {
        put(at + 52 + 4 * i, narrow[i], 4);
    }
    put(at + NAME_AT, name_bytes, 4);
    memcpy(at + HEAD_BYTES, envelope->name, name_bytes);
    if (envelope->size > 0) { memcpy(at + HEAD_BYTES + name_bytes, envelope->bytes, envelope->size); }
    return true;
}

fr_status fr__envelope_read(const void *bytes, size_t size, fr__envelope *out, fr_error *error) {
    const unsigned char *at = bytes;
    if (size < sizeof magic || memcmp(at, magic, 3) != 0) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "this comes from no server of Fureai");
    }
    if (at[3] != FR__ENVELOPE_VERSION) {
        return fr_error_set(error, FR_ERROR_VERSION, "the other server is of another version of Fureai");
    }
    uint64_t name_bytes = size >= HEAD_BYTES ? get(at + NAME_AT, 4) : UINT64_MAX;
    if (name_bytes >= FR__ENVELOPE_NAME_BYTES || name_bytes > size - HEAD_BYTES) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "it is cut short");
    }
    uint64_t kind = get(at + 4, 4), flags = get(at + 8, 4);
    bool is_right = kind >= FR__ENVELOPE_HEAD && kind < FR__ENVELOPE_KINDS && flags <= FR__ENVELOPE_FLAGS &&
                    get(at + 64, 4) == 0 && get(at + 12, 8) != 0;
    if (!is_right) { return fr_error_set(error, FR_ERROR_SYNTAX, "a field of it is out of its range"); }
    *out = (fr__envelope){.kind = (fr__envelope_kind)kind,
                          .flags = (uint32_t)flags,
                          .home = get(at + 12, 8),
                          .epoch = get(at + 20, 8),
                          .serial = get(at + 28, 8),
                          .since = get(at + 36, 8),
                          .edge = get(at + 44, 8),
                          .part = (uint32_t)get(at + 52, 4),
                          .client = (uint32_t)get(at + 56, 4),
                          .value = (uint32_t)get(at + 60, 4),
                          .bytes = at + HEAD_BYTES + name_bytes,
                          .size = size - HEAD_BYTES - (size_t)name_bytes};
    memcpy(out->name, at + HEAD_BYTES, (size_t)name_bytes);
    return FR_OK;
}

bool fr__envelope_next(const void *bytes, size_t size, size_t *at, fr__envelope *out) {
    const unsigned char *head = (const unsigned char *)bytes + *at;
    size_t left = size - *at;
    if (left < HEAD_BYTES) { return false; }
    uint64_t whole = HEAD_BYTES + get(head + NAME_AT, 4);
    if (whole > left || fr__envelope_read(head, (size_t)whole, out, NULL) != FR_OK) { return false; }
    *at += (size_t)whole;
    return true;
}
