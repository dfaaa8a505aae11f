// How bodies with bones are written, for receivers of all states and for those of fewer.
#ifndef FUREAI_PROTOCOL_ENCODE_BONES_H
#define FUREAI_PROTOCOL_ENCODE_BONES_H

#include "protocol/encoder.h"

// Brings the book to a snapshot and gives memory for all of its bodies; NULL where there is none.
unsigned char *fr__encoder_open_book(fr_encoder *encoder, const fr_space *space, const fr_snapshot *snapshot,
                                     const fr_snapshot *previous);

// The most bytes that a body takes: with its place and up to 5 bytes each for its index and its size.
size_t fr__body_max_bytes(uint32_t bone_count);

// Writes a body: by how much its index1 is above that of the one before, its position, the size of its bones, and those
// that changed after a stamp. Returns the bytes.
size_t fr__write_body(const fr__book *book, const fr__book_object *object, uint32_t since, uint32_t index_before,
                      unsigned char *out);

// Appends BONES with bodies that were written; nothing where there are none.
fr_status fr__write_bodies(const fr_snapshot *snapshot, const unsigned char *data, size_t size, fr_array *out,
                           fr_error *error);

#endif
