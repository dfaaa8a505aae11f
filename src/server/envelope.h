// What homes and edges send to each other over a broadcast: a head of fixed size, a name, and bytes, which are messages
// of the protocol for the most part.
#ifndef FUREAI_SERVER_ENVELOPE_H
#define FUREAI_SERVER_ENVELOPE_H

#include "fureai/base.h"

#define FR__ENVELOPE_NAME_BYTES 64 // with the zero at its end
#define FR__ENVELOPE_VERSION 1u

typedef enum fr__envelope_kind {
    FR__ENVELOPE_HEAD = 1, // of a home, now and then: which world it has; RESET
    FR__ENVELOPE_NOTICE,   // something to be sent to every client once
    FR__ENVELOPE_TAKE,     // a notice that no longer holds
    FR__ENVELOPE_KEY,      // a state with all objects
    FR__ENVELOPE_CHANGES,  // a state since the one before
    FR__ENVELOPE_ROSTER,   // of an edge, now and then: its clients; heads of WRITE without bytes
    FR__ENVELOPE_WRITE,    // what a client of an edge sends home
    FR__ENVELOPE_REPLY,    // what it is sent
    FR__ENVELOPE_CLOSE,    // it is to be closed
    FR__ENVELOPE_KINDS
} fr__envelope_kind;

enum {
    FR__ENVELOPE_IS_LAYER = 1,     // NOTICE and TAKE: of the feed of layers
    FR__ENVELOPE_IS_FAREWELL = 2,  // NOTICE: to those alone who may know what is gone
    FR__ENVELOPE_IS_BEGIN = 4,     // HEAD: a world begins, all of which follows
    FR__ENVELOPE_LACKS = 8,        // ROSTER: the edge does not have the world that the home has
    FR__ENVELOPE_IS_NEW_LINK = 16, // HEAD: what was sent to the home before may be lost
    FR__ENVELOPE_FLAGS = 31
};

typedef struct fr__envelope {
    fr__envelope_kind kind;
    uint32_t flags;
    uint64_t home;                      // number of the home, or the one that an edge writes to; never 0
    uint64_t epoch;                     // of the world at the home
    uint64_t serial;                    // of a notice, with `part`; of a state its sequence
    uint64_t since;                     // of CHANGES: the sequence of the state before
    uint64_t edge;                      // number of an edge
    uint32_t part;                      // of a notice that is sent in parts, from 0
    uint32_t client;                    // number of a client of an edge
    uint32_t value;                     // of ROSTER and WRITE: its role; of CLOSE: a code of RFC 6455
    char name[FR__ENVELOPE_NAME_BYTES]; // of the client
    const void *bytes;
    size_t size;
} fr__envelope;

// Appends an envelope; false when there is no memory.
bool fr__envelope_write(const fr__envelope *envelope, fr_byte_array *out);

// Reads the envelope that some bytes are; its bytes are a part of these. FR_ERROR_SYNTAX for what is none,
// FR_ERROR_VERSION for that of another version.
fr_status fr__envelope_read(const void *bytes, size_t size, fr__envelope *out, fr_error *error);

// An envelope within others: reads the one at *at, which must be of no bytes, and goes behind it. False at the end and
// for what is none.
bool fr__envelope_next(const void *bytes, size_t size, size_t *at, fr__envelope *out);

#endif
