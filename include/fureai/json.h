// Fureai json: JSON text (RFC 8259) over bytes in memory. A parser that checks everything and gives compact tokens, a
// reader that turns values into C values and reports a wrong one at its own line and column, a table of fields that
// says what an object may hold, and a streaming writer. It opens no file.
#ifndef FUREAI_JSON_H
#define FUREAI_JSON_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Document: a text that was checked in full

// A parsed text. It never changes: any number of threads may use it at once. The caller's bytes, and the name in the
// definition, must outlive it.
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
    const fr_control *control; // may stop the call and gets its progress, about every 256 KiB; default NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_json_def
} fr_json_def;

FR_API fr_json_def fr_default_json_def(void);

// Checks `size` bytes, which may be anything, against the grammar of RFC 8259: well-formed UTF-8, escaped surrogates in
// pairs, no byte after the value but space. A byte order mark before it is skipped. `def` may be NULL. O(size), and
// O(n log n) for n keys of one object with has_unique_keys; holds at most half a megabyte, or 80 bytes for each
// value and key, which are at most half as many as the text has bytes. FR_ERROR_LIMIT above a limit
// (that of bytes without a place) and FR_ERROR_SYNTAX, with line and column; FR_ERROR_ARGUMENT for a max_depth of 0;
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

// The text of a value as the document has it; of a string what is between the quotes, escapes not decoded.
FR_API fr_json_text fr_json_get_text(const fr_json *json, fr_json_value value);

// Whether a value is this string, escapes decoded.
FR_API bool fr_json_equals(const fr_json *json, fr_json_value value, const char *text);

// Writes what a string stands for, never longer than fr_json_get_text, without a terminator, and returns its bytes.
// It may hold zeros (\u0000). 0 for what is no string.
FR_API size_t fr_json_decode(const fr_json *json, fr_json_value value, char *out);

// Whether a value is a number (rounded to the nearest double; none that rounds to infinity), a number without fraction
// from 0 to 2^53, by its digits (12, 12.0 and 1.2e1 are one, 2^53 + 1 is none), an array of exactly `count` numbers,
// true or false; and which. *out is unchanged where it is not; of an array the numbers before the wrong one are
// written.
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

// A number without fraction in a range within INT32_MIN .. INT32_MAX.
FR_API bool fr_json_read_integer(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                                 int32_t *out);

// An array of exactly `count` numbers.
FR_API bool fr_json_read_numbers(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                                 size_t count, double *out);

FR_API bool fr_json_read_bool(fr_json_reader *reader, fr_json_value value, const char *what, bool *out);

// A string of 1 .. max_bytes bytes of UTF-8 without control characters, terminated, stored in reader->strings.
FR_API bool fr_json_read_string(fr_json_reader *reader, fr_json_value value, const char *what, size_t max_bytes,
                                const char **out);

// A word and the value that it stands for.
typedef struct fr_json_word {
    const char *name;
    int value;
} fr_json_word;

#define FR_JSON_WORD_MAX_BYTES 255

// One of some words, the last of which has the name NULL. The message names the nearest one.
FR_API bool fr_json_read_word(fr_json_reader *reader, fr_json_value value, const char *what, const fr_json_word *words,
                              int *out);

// A rotation, as a quaternion [w, x, y, z] of length 1 within 1 % or as an axis and an angle [x, y, z, degrees], up to
// FR_JSON_ANGLE_MAX_DEG; FR_JSON_NONE for both leaves *out as it is, and both at once are wrong. Messages call them
// `rotation` and `axis_angle_deg`.
#define FR_JSON_ANGLE_MAX_DEG 1e7
FR_API bool fr_json_read_rotation(fr_json_reader *reader, fr_json_value quaternion, fr_json_value axis_angle,
                                  fr_quat *out);

// An array of low .. high values.
FR_API bool fr_json_read_array(fr_json_reader *reader, fr_json_value value, const char *what, size_t low, size_t high);

// An object with at most `high` keys of any name. The caller sees whether a key is there twice.
FR_API bool fr_json_read_map(fr_json_reader *reader, fr_json_value value, const char *what, size_t high);

// ---------------------------------------------------------------------------------------------------------------
// Fields: an object by a table that says its keys once

typedef enum fr_json_type {
    FR_JSON_ANY,        // checked for its key alone; the caller reads it
    FR_JSON_AS_NUMBER,  // to a double
    FR_JSON_AS_WHOLE,   // to a uint32_t
    FR_JSON_AS_INTEGER, // to an int32_t
    FR_JSON_AS_NUMBERS, // to `count` doubles in a row: an array, a vector
    FR_JSON_AS_STRING,  // to a const char *, of 1 .. `count` bytes
    FR_JSON_AS_BOOL,    // to a bool
    FR_JSON_AS_FLAG,    // true sets the bits `count` in a uint32_t
    FR_JSON_AS_WORD     // to an int or an enum: one of `words`
} fr_json_type;

// A key that an object may have, and what its value is.
typedef struct fr_json_field {
    const char *key;
    bool is_required;
    fr_json_type type;
    size_t offset;             // of the value in the caller's struct
    fr_json_range range;       // of each number
    uint32_t count;            // numbers, bytes or bits, by the type
    const fr_json_word *words; // ended by the name NULL
} fr_json_field;

// The values of an object by the keys of a table: values[i] is that of fields[i], FR_JSON_NONE where it is not there.
// Wrong: no object, a key that is not in the table (with the one that may have been meant), a key twice, a required key
// missing. O(members * count).
FR_API bool fr_json_read_object(fr_json_reader *reader, fr_json_value object, const char *what,
                                const fr_json_field *fields, size_t count, fr_json_value *values);

// Reads the values that are there, in the order of the table, to their offsets in `out`; what is not there leaves its
// place as it is, which so holds the default. A part of a table may be given with its part of the values.
FR_API bool fr_json_read_fields(fr_json_reader *reader, const fr_json_value *values, const fr_json_field *fields,
                                size_t count, void *out);

// ---------------------------------------------------------------------------------------------------------------
// Writer: a document piece by piece

// Takes the next bytes of the document; false when they could not be written.
typedef bool fr_json_write_fn(const void *bytes, size_t size, void *context);

#define FR_JSON_WRITER_MAX_DEPTH 64

// The writer. Values are written in the order of the calls; a call that does not fit (a value without its key, an end
// without its beginning, a second document) is a programmer's error, which FR_ASSERT reports. Make it with
// fr_json_writer_make; the caller may set `indent` and `line_depth` before the first value, all else is the writer's.
typedef struct fr_json_writer {
    fr_json_write_fn *write;
    void *context;
    fr_byte_array held; // bytes that were not written yet
    size_t hold_bytes;  // max bytes that may be held
    int indent;         // spaces a level; 0, the default: all on one line without spaces
    int line_depth;     // levels whose values have a line each, the deeper ones share it; default all
    int depth;          // objects and arrays that are open
    bool is_after_key;  // the next call is the value of a key
    bool is_done;       // the document's one value is there
    bool is_streaming;  // some bytes have been written
    bool has_failed;    // some bytes could not be written
    uint8_t levels[FR_JSON_WRITER_MAX_DEPTH]; // what each open level is
} fr_json_writer;

// Begins a document. Up to `hold_bytes` are held back, so that a small document can still be cancelled; a larger one
// is streamed. When memory for holding is short it streams earlier. `allocator` may be NULL.
FR_API fr_json_writer fr_json_writer_make(fr_json_write_fn *write, void *context, size_t hold_bytes,
                                          const fr_allocator *allocator);

// Ends the document with a newline, writes what was held and gives the memory back. False when a write has failed.
FR_API bool fr_json_writer_end(fr_json_writer *writer);

// Drops what is held and gives the memory back. True when nothing of the document was written.
FR_API bool fr_json_writer_cancel(fr_json_writer *writer);

FR_API void fr_json_write_object(fr_json_writer *writer);
FR_API void fr_json_write_object_end(fr_json_writer *writer);
FR_API void fr_json_write_array(fr_json_writer *writer);
FR_API void fr_json_write_array_end(fr_json_writer *writer);
FR_API void fr_json_write_key(fr_json_writer *writer, const char *key);

// NULL is written as null. Bytes that are not well-formed UTF-8 become U+FFFD, control characters are escaped.
FR_API void fr_json_write_string(fr_json_writer *writer, const char *text);
FR_API void fr_json_write_bytes(fr_json_writer *writer, const char *text, size_t size);

// The number as fr_number_write has it, which reads back as the same double; null for what is not finite.
FR_API void fr_json_write_number(fr_json_writer *writer, double value);
FR_API void fr_json_write_int(fr_json_writer *writer, int64_t value);
FR_API void fr_json_write_uint(fr_json_writer *writer, uint64_t value);
FR_API void fr_json_write_bool(fr_json_writer *writer, bool value);
FR_API void fr_json_write_null(fr_json_writer *writer);

// An array of numbers: a point, a quaternion.
FR_API void fr_json_write_numbers(fr_json_writer *writer, const double *values, size_t count);

// A key and its value in one call.
FR_API void fr_json_write_string_field(fr_json_writer *writer, const char *key, const char *text);
FR_API void fr_json_write_number_field(fr_json_writer *writer, const char *key, double value);
FR_API void fr_json_write_int_field(fr_json_writer *writer, const char *key, int64_t value);
FR_API void fr_json_write_uint_field(fr_json_writer *writer, const char *key, uint64_t value);
FR_API void fr_json_write_bool_field(fr_json_writer *writer, const char *key, bool value);
FR_API void fr_json_write_numbers_field(fr_json_writer *writer, const char *key, const double *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif
