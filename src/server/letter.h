// Bytes to be sent as one WebSocket message. Room is left before them for the head that the sockets' library writes
// there, so that one letter can be sent to many without being copied.
#ifndef FUREAI_SERVER_LETTER_H
#define FUREAI_SERVER_LETTER_H

#include "fureai/protocol.h"

#define FR__LETTER_HEAD 32u // bytes of room

// An array of bytes: empty, or the room and the bytes.
typedef struct fr__letter {
    fr_array bytes;
} fr__letter;

fr__letter fr__letter_make(const fr_allocator *allocator);
void fr__letter_free(fr__letter *letter);

// Empties it and keeps its memory.
static inline void fr__letter_clear(fr__letter *letter) { letter->bytes.count = 0; }

// Makes the room before the first message. False when there is no memory.
bool fr__letter_begin(fr__letter *letter);

// Appends a message, or bytes that are messages. False, and nothing appended, when there is no memory or the message
// cannot be written; the log says why.
bool fr__letter_add(fr__letter *letter, const fr_message *message);
bool fr__letter_append(fr__letter *letter, const void *bytes, size_t size);

static inline size_t fr__letter_size(const fr__letter *letter) {
    return letter->bytes.count > FR__LETTER_HEAD ? letter->bytes.count - FR__LETTER_HEAD : 0;
}

static inline unsigned char *fr__letter_bytes(const fr__letter *letter) {
    return (unsigned char *)letter->bytes.data + FR__LETTER_HEAD;
}

#endif
