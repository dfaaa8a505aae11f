// Structs to bytes and back by their description: the same walk writes a struct or reads it.
#ifndef FUREAI_PROTOCOL_CODEC_H
#define FUREAI_PROTOCOL_CODEC_H

#include "fureai/protocol.h"

typedef struct fr__wire {
    bool is_reader;
    const char *message; // its name, for errors
    const char *field;   // of the message, for errors
    fr_error *error;

    // Used by a reader.
    const unsigned char *at, *end;
    fr_arena *arena;

    // Used by a writer.
    fr_array *out;
} fr__wire;

// A struct of numbers of one kind without limits, with the same layout in C and in a message: many are written and read
// at once. Every struct that is a field by itself is one.
typedef struct fr__wire_run {
    fr_protocol_kind kind;
    size_t count; // of numbers; 0: not such a struct
} fr__wire_run;

fr__wire_run fr__wire_run_of(fr_protocol_kind kind);

// Writes or reads a struct of the description; `thing` is the C struct, which a writer leaves alone.
fr_status fr__wire_struct(fr__wire *wire, const fr_protocol_struct *described, void *thing, bool is_message);

#endif
