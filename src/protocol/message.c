// Writing messages to frames and reading them back.
#include "protocol/codec.h"

#include <string.h>

static uint32_t get_u32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_u16(unsigned char *bytes, uint32_t value) {
    bytes[0] = (unsigned char)value;
    bytes[1] = (unsigned char)(value >> 8);
}

fr_status fr_protocol_write(const fr_message *message, fr_array *out, fr_error *error) {
    FR_ASSERT(out->element_bytes == 1);
    const fr_protocol_message *described = fr_protocol_message_of((uint32_t)message->type);
    if (described == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%d is no type of a message", (int)message->type);
    }

    size_t begin = out->count;
    fr__wire wire = {.message = described->layout.name, .field = "", .error = error, .out = out};
    fr_status status = FR_OK;
    if (fr_array_push(out, FR_PROTOCOL_HEADER_BYTES) == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message");
        goto fail;
    }
    // A writer does not change what it writes; the walk serves readers too, hence the cast.
    status = fr__wire_struct(&wire, &described->layout, (void *)(uintptr_t)&message->as, true);
    if (status != FR_OK) { goto fail; }
    size_t payload = out->count - begin - FR_PROTOCOL_HEADER_BYTES;
    if (payload > FR_PROTOCOL_MAX_PAYLOAD) {
        status = fr_error_set(error, FR_ERROR_LIMIT, "%s: a message of %zu bytes", described->layout.name, payload);
        goto fail;
    }

    unsigned char *header = (unsigned char *)out->data + begin;
    put_u16(header, (uint32_t)message->type);
    put_u16(header + 2, 0);
    put_u16(header + 4, (uint32_t)payload);
    put_u16(header + 6, (uint32_t)payload >> 16);
    return FR_OK;

fail:
    out->count = begin;
    return status;
}

// The error of a header, or FR_OK.
static fr_status check_header(const fr_frame *frame, const unsigned char *header, size_t left, fr_error *error) {
    if (left < FR_PROTOCOL_HEADER_BYTES) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "a frame ends inside the header of a message");
    }
    uint32_t type = (uint32_t)header[0] | (uint32_t)header[1] << 8;
    const fr_protocol_message *described = fr_protocol_message_of(type);
    if (described == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "messages of type %u are not known", type);
    }
    if (described->reader != frame->reader) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s is not for this side", described->layout.name);
    }
    if (header[2] != 0 || header[3] != 0) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "%s: a header whose third and fourth byte are not zero",
                            described->layout.name);
    }
    uint32_t payload = get_u32(header + 4);
    if (payload > FR_PROTOCOL_MAX_PAYLOAD || payload > left - FR_PROTOCOL_HEADER_BYTES) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "%s: %u bytes are announced, %zu are left in the frame",
                            described->layout.name, payload, left - FR_PROTOCOL_HEADER_BYTES);
    }
    return FR_OK;
}

bool fr_frame_next(fr_frame *frame, fr_packet *packet, fr_status *status, fr_error *error) {
    FR_ASSERT(frame->at <= frame->size);
    *status = FR_OK;
    if (frame->at == frame->size) { return false; }
    const unsigned char *header = (const unsigned char *)frame->bytes + frame->at;
    *status = check_header(frame, header, frame->size - frame->at, error);
    if (*status != FR_OK) { return false; }

    packet->type = (fr_message_type)(header[0] | header[1] << 8);
    packet->payload_bytes = get_u32(header + 4);
    packet->payload = header + FR_PROTOCOL_HEADER_BYTES;
    frame->at += FR_PROTOCOL_HEADER_BYTES + (size_t)packet->payload_bytes;
    return true;
}

// The greetings of every version begin with the version; the rest may differ.
static bool has_other_version(const fr_packet *packet) {
    if (packet->type != FR_MESSAGE_HELLO && packet->type != FR_MESSAGE_WELCOME) { return false; }
    return packet->payload_bytes >= 4 && get_u32(packet->payload) != FR_PROTOCOL_VERSION;
}

fr_status fr_protocol_read(const fr_packet *packet, fr_arena *arena, fr_message *out, fr_error *error) {
    const fr_protocol_message *described = fr_protocol_message_of((uint32_t)packet->type);
    if (described == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%d is no type of a message", (int)packet->type);
    }
    if (has_other_version(packet)) {
        return fr_error_set(error, FR_ERROR_VERSION, "version %u of the protocol instead of %u",
                            (unsigned)get_u32(packet->payload), FR_PROTOCOL_VERSION);
    }

    fr_message message;
    memset(&message, 0, sizeof message);
    message.type = packet->type;
    fr__wire wire = {.is_reader = true,
                     .message = described->layout.name,
                     .field = "",
                     .error = error,
                     .at = packet->payload,
                     .end = (const unsigned char *)packet->payload + packet->payload_bytes,
                     .arena = arena};
    fr_status status = fr__wire_struct(&wire, &described->layout, &message.as, true);
    if (status != FR_OK) { return status; }
    if (wire.at != wire.end) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "%s: %zu bytes too many", described->layout.name,
                            (size_t)(wire.end - wire.at));
    }
    *out = message;
    return FR_OK;
}
