// Messages of every type with values of every kind, made from the description.
#ifndef FUREAI_TEST_PROTOCOL_SAMPLE_H
#define FUREAI_TEST_PROTOCOL_SAMPLE_H

#include "fureai/protocol.h"

// A message of the type with random fields, edges among them, that every reader takes. Its memory is the arena's.
fr_message sample_message(const fr_protocol_message *described, fr_random *random, fr_arena *arena);

// Writes a message, which must succeed.
void sample_write(const fr_message *message, fr_array *out);

#endif
