// A JSON text as values with their places.
#ifndef FUREAI_SCENE_JSON_TEXT_H
#define FUREAI_SCENE_JSON_TEXT_H

#include "fureai/base.h"

typedef enum fr__json_kind {
    FR__JSON_OBJECT,
    FR__JSON_ARRAY,
    FR__JSON_STRING, // also a key
    FR__JSON_NUMBER,
    FR__JSON_BOOL,
    FR__JSON_NULL
} fr__json_kind;

// A value or a key, at text[begin .. end); the quotes of a string are not in it. A container's values follow it, in an
// object each right after its key; `next` is the number of the first token that is no part of this one.
typedef struct fr__json_token {
    uint32_t begin, end;
    uint32_t next;
    uint32_t count; // keys of an object, values of an array
    fr__json_kind kind;
} fr__json_token;

// A text that was found right. Token 0 is the outermost value.
typedef struct fr__json {
    const char *text; // the caller's, behind a byte order mark
    size_t size;
    fr__json_token *tokens;
    uint32_t token_count;
    fr_allocator allocator;
} fr__json;

#define FR__JSON_MAX_BYTES ((size_t)1 << 30)

// Checks and divides `size` bytes, which may be anything and must stay until the close. O(size); memory is at most 40
// bytes a byte. FR_ERROR_LIMIT above `max_bytes` (up to FR__JSON_MAX_BYTES) or `max_depth`; FR_ERROR_SYNTAX with line
// and column; FR_ERROR_MEMORY. On failure there is nothing to close.
fr_status fr__json_open(fr__json *json, const char *text, size_t size, size_t max_bytes, uint32_t max_depth,
                        const fr_allocator *allocator, fr_error *error);
void fr__json_close(fr__json *json);

// A place in the text, from which a later one is found faster. All zeros is the beginning.
typedef struct fr__json_mark {
    size_t offset;
    size_t line_begin; // offset of the line's first byte
    int lines_before;
} fr__json_mark;

// Line and column of a token, from 1; of a string that of its quote. Goes on from the mark, which is moved there: asked
// for tokens in their order, all of them take O(size) together.
void fr__json_place(const fr__json *json, uint32_t token, fr__json_mark *mark, int *line, int *column);

#endif
