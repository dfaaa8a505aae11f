// A growing text that a writer fills, and reading it as BVH.
#ifndef FUREAI_TEST_HUMAN_BVH_TEXT_H
#define FUREAI_TEST_HUMAN_BVH_TEXT_H

#include "fureai/human_files.h"

#include <stdlib.h>
#include <string.h>

typedef struct bvh_text {
    char *bytes;
    size_t size, capacity;
    size_t fail_at; // writing fails beyond so many bytes; 0: never
} bvh_text;

static inline bool bvh_text_add(const char *bytes, size_t size, void *context) {
    bvh_text *text = context;
    if (text->fail_at > 0 && text->size + size > text->fail_at) { return false; }
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size);
        text->bytes = realloc(text->bytes, text->capacity);
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    return true;
}

static inline fr_status bvh_text_read(const char *text, size_t size, double unit, fr_skeleton **skeleton,
                                      fr_clip **clip, fr_bvh_facts *facts, fr_error *error) {
    fr_bvh_input input = fr_default_bvh_input();
    input.text = text;
    input.size = size;
    input.unit = unit;
    return fr_bvh_read(&input, skeleton, clip, facts, error);
}

#endif
