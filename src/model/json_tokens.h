// The tokens of a JSON text, checked in full: what a value is, where it begins and ends, and where the next one is.
#ifndef FUREAI_MODEL_JSON_TOKENS_H
#define FUREAI_MODEL_JSON_TOKENS_H

#include "cursor.h"

#include "fureai/shape.h"

typedef enum fr__json_kind {
    FR__JSON_OBJECT,
    FR__JSON_ARRAY,
    FR__JSON_STRING,
    FR__JSON_NUMBER,
    FR__JSON_WORD
} fr__json_kind;

// An object is followed by its keys and values in turn, an array by its elements.
typedef struct fr__json_token {
    uint32_t begin, end; // bytes of the value; of a string those between the quotes
    uint32_t next;       // the first token after this one and all in it
    uint32_t count;      // elements, or members
    fr__json_kind kind;
} fr__json_token;

typedef struct fr__json {
    const char *text;
    fr_array tokens; // fr__json_token; the document is the first
} fr__json;

// Reads the text at the cursor, to its end. The nesting is bounded.
fr_status fr__json_read(fr__cursor *cursor, uint32_t nesting, const fr_allocator *allocator, fr__json *json);
void fr__json_free(fr__json *json);

static inline const fr__json_token *fr__json_at(const fr__json *json, uint32_t token) {
    return (const fr__json_token *)json->tokens.data + token;
}

// The value of a key in an object; 0 where there is none, or where `object` is 0 or no object. The document itself is
// asked for by fr__json_top.
uint32_t fr__json_member(const fr__json *json, uint32_t object, const char *key);
uint32_t fr__json_top(const fr__json *json, const char *key);

// The first element of an array, and the one after; 0 at the end, and for what is no array.
uint32_t fr__json_first(const fr__json *json, uint32_t array);
uint32_t fr__json_next(const fr__json *json, uint32_t array, uint32_t element);
uint32_t fr__json_count(const fr__json *json, uint32_t array);

// Whether a value is a number, and which.
bool fr__json_number_of(const fr__json *json, uint32_t token, double *value);

// Whether a value is a whole number from 0 to 2^53, and which.
bool fr__json_whole_of(const fr__json *json, uint32_t token, uint64_t *value);

// Whether a value is this string, without escapes.
bool fr__json_is(const fr__json *json, uint32_t token, const char *text);
fr__span fr__json_text(const fr__json *json, uint32_t token);

#endif
