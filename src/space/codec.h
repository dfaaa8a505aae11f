// Numbers to little-endian bytes and back: the same function writes a value or reads it.
//
// A writer passes its bytes on in pieces and never fails. A reader that runs out of bytes or memory has failed from
// then on and returns zeros.
#ifndef FUREAI_SPACE_CODEC_H
#define FUREAI_SPACE_CODEC_H

#include "fureai/space.h"

#define FR__CODEC_PIECE_BYTES 2048u

typedef struct fr__codec {
    bool is_reader;

    // Used by a writer.
    fr_record_fn *write;
    void *write_context;
    size_t filled;
    unsigned char piece[FR__CODEC_PIECE_BYTES];

    // Used by a reader.
    const unsigned char *bytes;
    size_t size, at;
    fr_status status;         // FR_OK while all could be read
    fr_byte_array scratch[2]; // memory of arrays that were read: bytes, aligned to 64
} fr__codec;

void fr__codec_make_writer(fr__codec *codec, fr_record_fn *write, void *context);
void fr__codec_make_reader(fr__codec *codec, const void *bytes, size_t size, const fr_allocator *allocator);
void fr__codec_free(fr__codec *codec);

// Passes on the bytes that a writer still holds.
void fr__codec_flush(fr__codec *codec);

void fr__code_u32(fr__codec *codec, uint32_t *value);
void fr__code_u64(fr__codec *codec, uint64_t *value);
void fr__code_double(fr__codec *codec, double *value);
void fr__code_vec3(fr__codec *codec, fr_vec3 *value);
void fr__code_pose(fr__codec *codec, fr_pose *value);

// Codes `size` bytes as they are; a reader returns a pointer into its input.
void fr__code_bytes(fr__codec *codec, const void **bytes, uint64_t size);

// Returns room for `count` elements of `size` bytes in a reader's scratch memory if the rest of the input has at least
// `min_bytes` for each. Else, or without memory, the result is NULL and the reader has failed.
void *fr__codec_take(fr__codec *codec, int scratch, uint32_t count, size_t size, size_t min_bytes);

#endif
