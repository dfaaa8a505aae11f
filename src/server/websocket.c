// A WebSocket in bytes, on the side of the client.
#include "server/websocket.h"

#include "fureai/protocol.h"

#include <libwebsockets.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAGIC "258EAFA5-E914-47DA-95CA-C5AB0DC85B11" // of RFC 6455

enum { FLAG_LAST = 0x80, FLAG_MASK = 0x80, RESERVED = 0x70, SHA1_BYTES = 20 };

fr__websocket fr__websocket_make(uint32_t max_bytes, const fr_allocator *allocator) {
    return (fr__websocket){
        .max_bytes = max_bytes, .inbox = fr_byte_array_make(allocator), .message = fr_byte_array_make(allocator)};
}

void fr__websocket_free(fr__websocket *websocket) {
    fr_byte_array_destroy(&websocket->inbox);
    fr_byte_array_destroy(&websocket->message);
}

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message"); }

static fr_status append(fr_byte_array *out, const void *bytes, size_t size, fr_error *error) {
    if (size == 0) { return FR_OK; }
    unsigned char *room = fr_byte_array_push(out, size);
    if (room == NULL) { return no_memory(error); }
    memcpy(room, bytes, size);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// To the server

fr_status fr__websocket_greet(fr__websocket *websocket, const char *host,
                              const unsigned char key[FR__WEBSOCKET_KEY_BYTES], fr_byte_array *out, fr_error *error) {
    char encoded[32], joined[32 + sizeof MAGIC], text[1024];
    unsigned char digest[SHA1_BYTES];
    (void)lws_b64_encode_string((const char *)key, FR__WEBSOCKET_KEY_BYTES, encoded, (int)sizeof encoded);
    int size = snprintf(joined, sizeof joined, "%s%s", encoded, MAGIC);
    (void)lws_SHA1((const unsigned char *)joined, (size_t)size, digest);
    (void)lws_b64_encode_string((const char *)digest, SHA1_BYTES, websocket->accept, (int)sizeof websocket->accept);
    size = snprintf(text, sizeof text,
                    "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"
                    "Sec-WebSocket-Protocol: " FR_PROTOCOL_NAME "\r\n\r\n",
                    host, encoded);
    if (size < 0 || (size_t)size >= sizeof text) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the name of the host is too long");
    }
    return append(out, text, (size_t)size, error);
}

fr_status fr__websocket_write(fr__opcode opcode, const void *bytes, size_t size, const unsigned char mask[4],
                              fr_byte_array *out, fr_error *error) {
    size_t more = size < 126 ? 0 : (size < 65536 ? 2 : 8);
    unsigned char *at = fr_byte_array_push(out, 2 + more + 4 + size);
    if (at == NULL) { return no_memory(error); }
    *at++ = (unsigned char)(FLAG_LAST | opcode);
    *at++ = (unsigned char)(FLAG_MASK | (more == 0 ? size : (more == 2 ? 126u : 127u)));
    for (size_t i = more; i > 0; i--) {
        *at++ = (unsigned char)((uint64_t)size >> (8 * (i - 1)));
    }
    memcpy(at, mask, 4);
    at += 4;
    for (size_t i = 0; i < size; i++) {
        at[i] = ((const unsigned char *)bytes)[i] ^ mask[i % 4];
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The reply to the handshake

// The value of a header in a head that ends with an empty line; false where it is not there or too long.
static bool find_header(const char *head, const char *name, char *out, size_t size) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2;
        if (strncasecmp(at, name, length) != 0 || at[length] != ':') { continue; }
        at += length + 1;
        at += strspn(at, " \t");
        size_t bytes = strcspn(at, "\r\n");
        while (bytes > 0 && (at[bytes - 1] == ' ' || at[bytes - 1] == '\t')) {
            bytes--;
        }
        if (bytes >= size) { return false; }
        memcpy(out, at, bytes);
        out[bytes] = '\0';
        return true;
    }
    return false;
}

static fr_status check_head(const fr__websocket *websocket, const char *head, fr_error *error) {
    char value[128];
    if (strncmp(head, "HTTP/1.1 ", 9) != 0) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "the server does not speak HTTP");
    }
    if (strncmp(head + 9, "101", 3) != 0) {
        // What would steer a terminal is not repeated.
        char status[4] = "???";
        for (int i = 0; i < 3 && head[9 + i] >= '0' && head[9 + i] <= '9'; i++) {
            status[i] = head[9 + i];
        }
        return fr_error_set(error, FR_ERROR_SYSTEM, "the server refuses the connection with status %s", status);
    }
    if (!find_header(head, "Upgrade", value, sizeof value) || strcasecmp(value, "websocket") != 0) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "the server does not become a WebSocket");
    }
    if (!find_header(head, "Sec-WebSocket-Accept", value, sizeof value) || strcmp(value, websocket->accept) != 0) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "the server replies to another handshake");
    }
    if (!find_header(head, "Sec-WebSocket-Protocol", value, sizeof value) || strcmp(value, FR_PROTOCOL_NAME) != 0) {
        return fr_error_set(error, FR_ERROR_VERSION, "the server does not speak " FR_PROTOCOL_NAME);
    }
    return FR_OK;
}

static fr_status read_head(fr__websocket *websocket, fr__websocket_event *event, fr_error *error) {
    const unsigned char *bytes = websocket->inbox.data;
    size_t count = websocket->inbox.count, end = 4;
    while (end <= count && memcmp(bytes + end - 4, "\r\n\r\n", 4) != 0) {
        end++;
    }
    if (end > FR__WEBSOCKET_HEAD_BYTES || (end > count && count >= FR__WEBSOCKET_HEAD_BYTES)) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the reply to the handshake is too long");
    }
    if (end > count) { return FR_OK; }
    char head[FR__WEBSOCKET_HEAD_BYTES + 1];
    memcpy(head, bytes, end);
    head[end] = '\0';
    if (strlen(head) != end) { return fr_error_set(error, FR_ERROR_SYNTAX, "the server does not speak HTTP"); }
    fr_status status = check_head(websocket, head, error);
    if (status != FR_OK) { return status; }
    websocket->at = end;
    websocket->is_open = true;
    event->kind = FR__WEBSOCKET_OPENED;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Frames from the server

fr_status fr__websocket_receive(fr__websocket *websocket, const void *bytes, size_t size, fr_error *error) {
    return append(&websocket->inbox, bytes, size, error);
}

typedef struct server_frame {
    fr__opcode opcode;
    bool is_last;
    const unsigned char *bytes;
    size_t size;
} server_frame;

static fr_status check_frame(const fr__websocket *websocket, unsigned first, const server_frame *f, fr_error *error) {
    bool is_control = f->opcode >= FR__OPCODE_CLOSE;
    if ((first & RESERVED) != 0 || (f->opcode > FR__OPCODE_BINARY && !is_control) || f->opcode > FR__OPCODE_PONG) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "the server sends a frame of no known kind");
    }
    if (is_control) {
        bool is_right = f->is_last && f->size <= FR__WEBSOCKET_CONTROL_BYTES;
        return is_right ? FR_OK : fr_error_set(error, FR_ERROR_SYNTAX, "the server sends a control frame in pieces");
    }
    if (f->opcode == FR__OPCODE_TEXT) { return fr_error_set(error, FR_ERROR_SYNTAX, "the server sends text"); }
    if ((f->opcode == FR__OPCODE_CONTINUATION) != websocket->is_in_message) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "the server sends the pieces of a message out of order");
    }
    if (f->size > websocket->max_bytes - (websocket->is_in_message ? websocket->message.count : 0)) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the server sends a message of more than %u bytes",
                            (unsigned)websocket->max_bytes);
    }
    return FR_OK;
}

// Reads the next frame; `bytes` stays NULL when it has not come whole. A size that is over a limit is refused by the
// head of its frame.
static fr_status read_frame(fr__websocket *websocket, server_frame *f, fr_error *error) {
    *f = (server_frame){0};
    size_t left = websocket->inbox.count - websocket->at;
    if (left < 2) { return FR_OK; }
    const unsigned char *at = websocket->inbox.data + websocket->at;
    size_t more = (at[1] & 0x7f) == 126 ? 2 : ((at[1] & 0x7f) == 127 ? 8 : 0);
    if ((at[1] & FLAG_MASK) != 0) { return fr_error_set(error, FR_ERROR_SYNTAX, "the server sends a masked frame"); }
    if (left < 2 + more) { return FR_OK; }
    uint64_t size = at[1] & 0x7f;
    for (size_t i = 0; i < more; i++) {
        size = (i == 0 ? 0 : size << 8) | at[2 + i];
    }
    f->opcode = (fr__opcode)(at[0] & 0x0f);
    f->is_last = (at[0] & FLAG_LAST) != 0;
    f->size = size < SIZE_MAX / 2 ? (size_t)size : SIZE_MAX / 2;
    fr_status status = check_frame(websocket, at[0], f, error);
    if (status != FR_OK || left - 2 - more < f->size) { return status; }
    f->bytes = at + 2 + more;
    websocket->at += 2 + more + f->size;
    return FR_OK;
}

// Forgets what was read where that costs little for each byte.
static void forget_read(fr__websocket *websocket) {
    fr_byte_array *inbox = &websocket->inbox;
    if (websocket->at == 0 || websocket->at < inbox->count - websocket->at) { return; }
    memmove(inbox->data, inbox->data + websocket->at, inbox->count - websocket->at);
    inbox->count -= websocket->at;
    websocket->at = 0;
}

static fr_status take_close(fr__websocket *websocket, const server_frame *f, fr_error *error) {
    if (f->size == 1) { return fr_error_set(error, FR_ERROR_SYNTAX, "the server closes with half a code"); }
    if (f->size >= 2) { websocket->close_code = (uint16_t)(f->bytes[0] << 8 | f->bytes[1]); }
    websocket->is_closed = true;
    return FR_OK;
}

static fr_status take_piece(fr__websocket *websocket, const server_frame *f, fr__websocket_event *event,
                            fr_error *error) {
    bool is_first = !websocket->is_in_message;
    websocket->is_in_message = !f->is_last;
    if (is_first && f->is_last) {
        *event = (fr__websocket_event){FR__WEBSOCKET_MESSAGE, f->bytes, f->size};
        return FR_OK;
    }
    if (is_first) { websocket->message.count = 0; }
    fr_status status = append(&websocket->message, f->bytes, f->size, error);
    if (status == FR_OK && f->is_last) {
        *event = (fr__websocket_event){FR__WEBSOCKET_MESSAGE, websocket->message.data, websocket->message.count};
    }
    return status;
}

fr_status fr__websocket_next(fr__websocket *websocket, fr__websocket_event *event, fr_error *error) {
    *event = (fr__websocket_event){FR__WEBSOCKET_NOTHING, NULL, 0};
    if (websocket->is_closed) {
        event->kind = FR__WEBSOCKET_CLOSED;
        return FR_OK;
    }
    if (!websocket->is_open) { return read_head(websocket, event, error); }
    fr_status status = FR_OK;
    while (status == FR_OK && event->kind == FR__WEBSOCKET_NOTHING) {
        server_frame f;
        forget_read(websocket);
        status = read_frame(websocket, &f, error);
        if (status != FR_OK || f.bytes == NULL) { return status; }
        switch (f.opcode) {
        case FR__OPCODE_CLOSE:
            status = take_close(websocket, &f, error);
            event->kind = FR__WEBSOCKET_CLOSED;
            break;
        case FR__OPCODE_PING: *event = (fr__websocket_event){FR__WEBSOCKET_PING, f.bytes, f.size}; break;
        case FR__OPCODE_PONG: event->kind = FR__WEBSOCKET_PONG; break;
        default: status = take_piece(websocket, &f, event, error); break;
        }
    }
    return status;
}
