// Bytes to be sent as one WebSocket message. Room is left before them for the head that the sockets' library writes
// there, so that one packet can be sent to many without being copied.
#ifndef FUREAI_SERVER_PACKET_H
#define FUREAI_SERVER_PACKET_H

#include "fureai/protocol.h"

#define FR__PACKET_HEAD 32u // bytes of room

// An array of bytes: empty, or the room and the bytes.
typedef struct fr__packet {
    fr_array bytes;
} fr__packet;

fr__packet fr__packet_make(const fr_allocator *allocator);
void fr__packet_free(fr__packet *packet);

// Empties it and keeps its memory.
static inline void fr__packet_clear(fr__packet *packet) { packet->bytes.count = 0; }

// Makes the room before the first message. False when there is no memory.
bool fr__packet_begin(fr__packet *packet);

// Appends a message, or bytes that are messages. False, and nothing appended, when there is no memory or the message
// cannot be written; the log says why.
bool fr__packet_add(fr__packet *packet, const fr_message *message);
bool fr__packet_append(fr__packet *packet, const void *bytes, size_t size);

static inline size_t fr__packet_size(const fr__packet *packet) {
    return packet->bytes.count > FR__PACKET_HEAD ? packet->bytes.count - FR__PACKET_HEAD : 0;
}

static inline unsigned char *fr__packet_bytes(const fr__packet *packet) {
    return (unsigned char *)packet->bytes.data + FR__PACKET_HEAD;
}

#endif
