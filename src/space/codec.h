// Numbers to bytes and back by one description: the same function writes a thing and reads it. Little endian.
//
// A writer hands its bytes on in pieces and never fails. A reader that runs out of bytes or memory has failed from then
// on and gives zeros.
#ifndef FUREAI_SPACE_CODEC_H
#define FUREAI_SPACE_CODEC_H

#include "fureai/space.h"

#define FR__CODEC_PIECE_BYTES 2048u

typedef struct fr__codec {
    bool is_reader;

    // Of a writer.
    fr_record_fn *write;
    void *write_context;
    size_t filled;
    unsigned char piece[FR__CODEC_PIECE_BYTES];

    // Of a reader.
    const unsigned char *bytes;
    size_t size, at;
    fr_status status;         // FR_OK while all could be read
    fr_byte_array scratch[2]; // memory of arrays that were read: bytes, aligned to 64
} fr__codec;

void fr__codec_make_writer(fr__codec *codec, fr_record_fn *write, void *context);
void fr__codec_make_reader(fr__codec *codec, const void *bytes, size_t size, const fr_allocator *allocator);
void fr__codec_free(fr__codec *codec);

// Hands on what a writer still has.
void fr__codec_flush(fr__codec *codec);

void fr__code_u32(fr__codec *codec, uint32_t *value);
void fr__code_u64(fr__codec *codec, uint64_t *value);
void fr__code_double(fr__codec *codec, double *value);
void fr__code_vec3(fr__codec *codec, fr_vec3 *value);
void fr__code_pose(fr__codec *codec, fr_pose *value);

// `size` bytes as they are; a reader points into what it reads.
void fr__code_bytes(fr__codec *codec, const void **bytes, uint64_t size);

// Room for `count` elements of `size` bytes in a reader's scratch memory, when what is left to read has at least
// `least_bytes` for each; else, or without memory, NULL and the reader has failed.
void *fr__codec_take(fr__codec *codec, int scratch, uint32_t count, size_t size, size_t least_bytes);

#endif
