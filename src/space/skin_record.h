// The bytes of a skin in a record.
#ifndef FUREAI_SPACE_SKIN_RECORD_H
#define FUREAI_SPACE_SKIN_RECORD_H

#include "fureai/space.h"

// Appends the bytes of a skin, without its mesh; false without memory.
bool fr__skin_to_bytes(const fr_skin *skin, fr_byte_array *out);

// Makes a skin without a mesh from such bytes, which are not trusted: FR_ERROR_CORRUPT, and the statuses of
// fr_skin_create.
fr_status fr__skin_from_bytes(const void *bytes, size_t size, const fr_allocator *allocator, fr_skin **out,
                              fr_error *error);

#endif
