// Gzip files, known by their first two bytes whatever their name.
#ifndef FUREAI_MODEL_GZIP_H
#define FUREAI_MODEL_GZIP_H

#include "builder.h"

static inline bool fr__is_gzip(const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    return size >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

// The bytes of all members, appended to `out`, an array of bytes. FR_ERROR_LIMIT over the limits of inflation;
// FR_ERROR_CORRUPT, with what there was, when the file is cut short or damaged; FR_ERROR_STOPPED; FR_ERROR_MEMORY.
// `message` is a sentence without a place.
fr_status fr__gunzip(const void *bytes, size_t size, const fr_model_limits *limits, fr__work_meter *meter,
                     fr_byte_array *out, const char **message);

// The beginning of the text, `text_size` bytes at most, to see what it is, with the count of bytes that could be had.
// False without memory.
bool fr__gunzip_peek(const void *bytes, size_t size, const fr_allocator *allocator, char *text, size_t text_size,
                     size_t *count);

#endif
