// Structs to bytes and back by their description: the same walk writes a thing and reads it.
#ifndef FUREAI_PROTOCOL_CODEC_H
#define FUREAI_PROTOCOL_CODEC_H

#include "fureai/protocol.h"

typedef struct fr__wire {
    bool is_reader;
    const char *message; // its name, for errors
    const char *field;   // of the message, for errors
    fr_error *error;

    // Of a reader.
    const unsigned char *at, *end;
    fr_arena *arena;

    // Of a writer.
    fr_array *out;
} fr__wire;

// Writes or reads a struct of the description; `thing` is the C struct, which a writer leaves alone.
fr_status fr__wire_struct(fr__wire *wire, const fr_protocol_struct *described, void *thing, bool is_message);

#endif
