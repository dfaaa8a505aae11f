// What a parsed JSON text is made of.
#ifndef FUREAI_JSON_DOCUMENT_H
#define FUREAI_JSON_DOCUMENT_H

#include "fureai/json.h"

// A value or a key. The values of a container follow it, in an object each right after its key.
typedef struct fr__json_token {
    uint32_t begin, end; // its bytes; the quotes of a string are not in it
    uint32_t next;       // the next value of the same container, FR_JSON_NONE after the last; of a key nothing
    uint32_t kind : 3;   // fr_json_kind
    uint32_t count : 29; // members or elements; of a string whether it has a backslash
} fr__json_token;

FR_ARRAY_TYPE(fr__json_token_array, fr__json_token);

struct fr_json {
    const char *text; // the caller's, behind a byte order mark
    size_t size;
    fr__json_token_array tokens;
    const char *name;
    fr_allocator allocator;
};

static inline const fr__json_token *fr__json_token_at(const fr_json *json, fr_json_value value) {
    FR_ASSERT(value < json->tokens.count);
    return json->tokens.data + value;
}

// Whether a value is a number without fraction of 2^53 at most on either side of 0, by its digits, and which. What a
// number rounds to does not count: 2^53 + 1 and 1 + 1e-30 are none.
bool fr__json_whole(const fr_json *json, fr_json_value value, bool *is_negative, uint64_t *out);

// Line and column of a byte, from 1.
void fr__json_place_of(const fr_json *json, size_t offset, fr_json_mark *mark, int *line, int *column);

// Fills the tokens of a text. On failure *offset is the byte that does not fit; SIZE_MAX when none is to blame.
fr_status fr__json_parse(fr_json *json, const fr_json_def *def, size_t *offset, fr_error *error);

// The first key that an object has for the second time, in the order of the text; FR_JSON_NONE when there is none.
// FR_ERROR_MEMORY, FR_ERROR_STOPPED.
fr_status fr__json_find_duplicate(const fr_json *json, const fr_control *control, fr_json_value *out);

// The name of a value in a message: the caller's `what`, or its path where that is NULL.
typedef struct fr__json_name {
    char text[96];
} fr__json_name;

const char *fr__json_name_of(const fr_json_reader *reader, fr_json_value value, const char *what, fr__json_name *name);

#endif
