// Fureai json: JSON text (RFC 8259) over bytes in memory. A parser that checks everything and gives compact tokens, a
// reader that turns values into C values and reports a wrong one at its own line and column, a table of fields that
// says what an object may hold, and a streaming writer. It opens no file.
#ifndef FUREAI_JSON_H
#define FUREAI_JSON_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Document: a text that was checked in full

// A parsed text. It never changes: any number of threads may use it at once. The caller's bytes must outlive it.
typedef struct fr_json fr_json;

// A value of a document, as its number. The values of an object or array follow it; a member's key is right before its
// value. FR_JSON_NONE stands for a value that is not there; every fr_json_get_ function and fr_json_member take it.
typedef uint32_t fr_json_value;

#define FR_JSON_ROOT ((fr_json_value)0)
#define FR_JSON_NONE UINT32_MAX

typedef enum fr_json_kind {
    FR_JSON_OBJECT,
    FR_JSON_ARRAY,
    FR_JSON_STRING, // also a key
    FR_JSON_NUMBER,
    FR_JSON_BOOL,
    FR_JSON_NULL
} fr_json_kind;

#define FR_JSON_MAX_BYTES ((size_t)1 << 30)

typedef struct fr_json_def {
    const char *name;          // of the file, for messages; NULL, the default: none
    size_t max_bytes;          // size of the text; default and limit FR_JSON_MAX_BYTES
    uint32_t max_depth;        // objects and arrays inside one another, at least 1; default 64
    uint32_t max_values;       // values and keys in all; default UINT32_MAX
    bool is_container;         // the outermost value must be an object or array; default false
    bool has_unique_keys;      // an object that has a key twice is refused; default false: the first one is found
    const fr_control *control; // asked to stop and given the progress about every 256 KiB; default NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_json_def
} fr_json_def;

FR_API fr_json_def fr_default_json_def(void);

// Checks `size` bytes, which may be anything, against the grammar of RFC 8259: well-formed UTF-8, escaped surrogates in
// pairs, no byte after the value but space. A byte order mark before it is skipped. `def` may be NULL. O(size), and
// O(n log n) for n keys of one object with has_unique_keys; holds at most 40 bytes for each value and key, and they are
// at most as many as the text has bytes. FR_ERROR_LIMIT above a limit and FR_ERROR_SYNTAX, both with line and column;
// FR_ERROR_STOPPED; FR_ERROR_MEMORY. Destroy it with fr_json_destroy.
FR_API fr_status fr_json_create(const char *text, size_t size, const fr_json_def *def, fr_json **out, fr_error *error);
FR_API void fr_json_destroy(fr_json *json);

// How many values and keys there are.
FR_API uint32_t fr_json_value_count(const fr_json *json);

FR_API fr_json_kind fr_json_get_kind(const fr_json *json, fr_json_value value);

// Whether a value is there and of a kind.
FR_API bool fr_json_is(const fr_json *json, fr_json_value value, fr_json_kind kind);

// Members of an object, elements of an array; 0 for anything else.
FR_API uint32_t fr_json_count(const fr_json *json, fr_json_value container);

// The first value of an object or array, FR_JSON_NONE where there is none; the value after one in the same container,
// FR_JSON_NONE after the last. Constant time.
FR_API fr_json_value fr_json_first(const fr_json *json, fr_json_value container);
FR_API fr_json_value fr_json_next(const fr_json *json, fr_json_value value);

// The key of a value that fr_json_first or fr_json_next found in an object, or that fr_json_member found: a string.
static inline fr_json_value fr_json_key(fr_json_value member) { return member - 1; }

// The value of a key in an object; FR_JSON_NONE where it has none or is no object. O(members).
FR_API fr_json_value fr_json_member(const fr_json *json, fr_json_value object, const char *key);

// The values of several keys in one pass over an object: values[i] is that of keys[i] or FR_JSON_NONE. Other keys are
// ignored. False, with all values FR_JSON_NONE, where it is no object. O(members * count).
FR_API bool fr_json_members(const fr_json *json, fr_json_value object, const char *const *keys, size_t count,
                            fr_json_value *values);

// A piece of the document's text.
typedef struct fr_json_text {
    const char *bytes; // the caller's, not terminated
    size_t size;
} fr_json_text;

// A value as it is written, of a string what is between the quotes; a string without backslashes is its own text.
FR_API fr_json_text fr_json_get_text(const fr_json *json, fr_json_value value);

// Whether a value is this string, escapes decoded.
FR_API bool fr_json_equals(const fr_json *json, fr_json_value value, const char *text);

// Writes what a string stands for, never longer than fr_json_get_text, without a terminator, and returns its bytes.
// It may hold zeros (\u0000). 0 for what is no string.
FR_API size_t fr_json_decode(const fr_json *json, fr_json_value value, char *out);

// Whether a value is a number (rounded to the nearest double; none that rounds to infinity), a number without fraction
// from 0 to 2^53 (12, 12.0 and 1.2e1 are one), an array of exactly `count` numbers, true or false; and which. *out is
// unchanged where it is not; of an array the numbers before the wrong one are written.
FR_API bool fr_json_get_number(const fr_json *json, fr_json_value value, double *out);
FR_API bool fr_json_get_whole(const fr_json *json, fr_json_value value, uint64_t *out);
FR_API bool fr_json_get_numbers(const fr_json *json, fr_json_value value, size_t count, double *out);
FR_API bool fr_json_get_bool(const fr_json *json, fr_json_value value, bool *out);

// A place in the text, from which a later one is found faster. All zeros is the beginning.
typedef struct fr_json_mark {
    size_t offset;
    size_t line_begin; // offset of the line's first byte
    int lines_before;
} fr_json_mark;

// Line and column of a value, from 1; of a string that of its quote. Lines end with LF. Continues from the mark, which
// moves there: for values in their order, all places take O(size) together.
FR_API void fr_json_place(const fr_json *json, fr_json_value value, fr_json_mark *mark, int *line, int *column);

// Writes where a value is by keys and indices, as `objects[3].position`, "" for the root, into `text` of `size` bytes,
// always terminated and cut at a whole UTF-8 character. Returns the length the whole path has. O(values before it).
FR_API size_t fr_json_path(const fr_json *json, fr_json_value value, char *text, size_t size);

// ---------------------------------------------------------------------------------------------------------------
// Reader: values as what they should be

// Reads one document. Each fr_json_read_ function returns whether the value is what it should be; the first that is
// not is reported, at its own line and column, and the caller stops. Make it with fr_json_reader_make.
typedef struct fr_json_reader {
    const fr_json *json;
    fr_arena *strings; // where read strings are stored; may be NULL when none is read
    fr_status status;  // FR_OK until something is wrong
    fr_error *error;   // may be NULL
    fr_json_mark mark; // the last place that was computed
} fr_json_reader;

FR_API fr_json_reader fr_json_reader_make(const fr_json *json, fr_arena *strings, fr_error *error);

// Reports what is wrong with a value, with the document's name, line and column; always false.
FR_API bool fr_json_fail(fr_json_reader *reader, fr_json_value value, fr_status status, const char *format, ...)
    FR_PRINTF(4, 5);

// Reports that there is no memory; always false.
FR_API bool fr_json_fail_memory(fr_json_reader *reader);

typedef struct fr_json_range {
    double low, high; // both are inside
} fr_json_range;

// In each function `what` names the value in the message; NULL: its path. The value must be there.

// A number in a range, rounded to the nearest double.
FR_API bool fr_json_read_number(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                                double *out);

// A number without fraction in a range within 0 .. UINT32_MAX; 12, 12.0 and 1.2e1 are one.
FR_API bool fr_json_read_whole(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                               uint32_t *out);

// An array of exactly `count` numbers.
FR_API bool fr_json_read_numbers(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                                 size_t count, double *out);

FR_API bool fr_json_read_bool(fr_json_reader *reader, fr_json_value value, const char *what, bool *out);

// A string of 1 .. max_bytes bytes of UTF-8 without control characters, terminated, stored in reader->strings.
FR_API bool fr_json_read_string(fr_json_reader *reader, fr_json_value value, const char *what, size_t max_bytes,
                                const char **out);

// An array of low .. high values.
FR_API bool fr_json_read_array(fr_json_reader *reader, fr_json_value value, const char *what, size_t low, size_t high);

// An object with at most `high` keys of any name. The caller sees whether a key is there twice.
FR_API bool fr_json_read_map(fr_json_reader *reader, fr_json_value value, const char *what, size_t high);

#ifdef __cplusplus
}
#endif

#endif
