// A WebSocket (RFC 6455) as its client sees it, in bytes: the handshake, frames to the server, frames from it. No
// sockets. Any bytes from a server are safe: what breaks the rules or a limit is a status.
#ifndef FUREAI_SERVER_WEBSOCKET_H
#define FUREAI_SERVER_WEBSOCKET_H

#include "fureai/base.h"

#define FR__WEBSOCKET_KEY_BYTES 16     // of random, for a handshake
#define FR__WEBSOCKET_HEAD_BYTES 8192u // max bytes of the reply to the handshake
#define FR__WEBSOCKET_CONTROL_BYTES 125u

typedef enum fr__opcode {
    FR__OPCODE_CONTINUATION = 0,
    FR__OPCODE_TEXT = 1,
    FR__OPCODE_BINARY = 2,
    FR__OPCODE_CLOSE = 8,
    FR__OPCODE_PING = 9,
    FR__OPCODE_PONG = 10
} fr__opcode;

typedef struct fr__websocket {
    uint32_t max_bytes;    // of a message
    char accept[32];       // that the reply to the handshake must hold
    bool is_open;          // the handshake is done
    bool is_closed;        // the server has closed
    uint16_t close_code;   // that it gave; 0: none
    bool is_in_message;    // some fragments of a message came
    fr_byte_array inbox;   // bytes that came
    size_t at;             // of these, that were read
    fr_byte_array message; // fragments that came so far, or a whole message
} fr__websocket;

fr__websocket fr__websocket_make(uint32_t max_bytes, const fr_allocator *allocator);
void fr__websocket_free(fr__websocket *websocket);

// Appends the request of a handshake with a host ("127.0.0.1:8420") to `out`.
fr_status fr__websocket_greet(fr__websocket *websocket, const char *host,
                              const unsigned char key[FR__WEBSOCKET_KEY_BYTES], fr_byte_array *out, fr_error *error);

// Appends a frame to `out`, masked as a client must.
fr_status fr__websocket_write(fr__opcode opcode, const void *bytes, size_t size, const unsigned char mask[4],
                              fr_byte_array *out, fr_error *error);

// Takes bytes from the server.
fr_status fr__websocket_receive(fr__websocket *websocket, const void *bytes, size_t size, fr_error *error);

typedef enum fr__websocket_kind {
    FR__WEBSOCKET_NOTHING, // more bytes are needed
    FR__WEBSOCKET_OPENED,  // the handshake is done
    FR__WEBSOCKET_MESSAGE, // a whole binary message
    FR__WEBSOCKET_PING,    // to be replied to with the same bytes
    FR__WEBSOCKET_PONG,
    FR__WEBSOCKET_CLOSED
} fr__websocket_kind;

typedef struct fr__websocket_event {
    fr__websocket_kind kind;
    const unsigned char *bytes; // of a message or ping, to read until the next call; at no particular alignment
    size_t size;
} fr__websocket_event;

// The next thing that came. FR_ERROR_SYNTAX for bytes that no server of ours sends, FR_ERROR_LIMIT for what is too
// large, FR_ERROR_SYSTEM for a handshake that was refused, FR_ERROR_MEMORY; the connection is over then.
fr_status fr__websocket_next(fr__websocket *websocket, fr__websocket_event *event, fr_error *error);

#endif
