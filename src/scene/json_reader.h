// Reads the values of a JSON text as what they should be. Each function returns whether they are; the first that is not
// is reported, at its own line and column, and nothing after it.
#ifndef FUREAI_SCENE_JSON_READER_H
#define FUREAI_SCENE_JSON_READER_H

#include "scene/json_text.h"

typedef struct fr__json_reader {
    const fr__json *json;
    const char *name;   // of the file, for messages; may be NULL
    fr_arena *strings;  // where read strings are kept
    fr__json_mark mark; // the last place that was asked for
    fr_status status;   // FR_OK until something is wrong
    fr_error *error;    // may be NULL
} fr__json_reader;

// Reports what is wrong with a value; always false.
bool fr__json_wrong(fr__json_reader *reader, uint32_t token, fr_status status, const char *format, ...) FR_PRINTF(4, 5);

// Reports that there is no memory; always false.
bool fr__json_no_memory(fr__json_reader *reader);

// A key that an object may have.
typedef struct fr__json_key {
    const char *name;
    bool required;
} fr__json_key;

#define FR__JSON_MAX_KEYS 32
#define FR__JSON_NONE UINT32_MAX

// The values of an object by their keys: values[i] is the token of keys[i], FR__JSON_NONE where it is not there. Wrong:
// no object, a key that is not among `keys` (with the one that may have been meant), a key twice, a required key
// missing.
bool fr__json_object(fr__json_reader *reader, uint32_t token, const char *what, const fr__json_key *keys,
                     size_t key_count, uint32_t *values);

// An array of low .. high values: the first is token + 1, the next one that of fr__json_next.
bool fr__json_array(fr__json_reader *reader, uint32_t token, const char *what, size_t low, size_t high);

// An object with at most `high` keys of any name: the first is token + 1, its value the token behind it, the next key
// that of fr__json_next of the key. A key is read by fr__json_string; whether one stands twice is the caller's to see.
bool fr__json_map(fr__json_reader *reader, uint32_t token, const char *what, size_t high);

static inline uint32_t fr__json_next(const fr__json_reader *reader, uint32_t token) {
    return reader->json->tokens[token].next;
}

typedef struct fr__json_range {
    double low, high; // both belong to it
} fr__json_range;

// A number in a range, rounded to the nearest double.
bool fr__json_number(fr__json_reader *reader, uint32_t token, const char *what, fr__json_range range, double *out);

// A number without a fraction; 12, 12.0 and 1.2e1 are one.
bool fr__json_whole(fr__json_reader *reader, uint32_t token, const char *what, fr__json_range range, uint32_t *out);

// An array of exactly `count` numbers.
bool fr__json_numbers(fr__json_reader *reader, uint32_t token, const char *what, fr__json_range range, size_t count,
                      double *out);

bool fr__json_bool(fr__json_reader *reader, uint32_t token, const char *what, bool *out);

// A string of 1 .. max_bytes bytes of UTF-8 without control characters, terminated, kept in reader->strings.
bool fr__json_string(fr__json_reader *reader, uint32_t token, const char *what, size_t max_bytes, const char **out);

#endif
