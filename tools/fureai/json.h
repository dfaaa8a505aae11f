// A JSON document, written piece by piece.
#ifndef FUREAI_TOOL_JSON_H
#define FUREAI_TOOL_JSON_H

#include "fureai/base.h"

// Takes the next bytes of the document; false when they could not be written.
typedef bool json_write_fn(const void *bytes, size_t size, void *context);

#define JSON_MAX_DEPTH 64

// The writer. Values are written in the order of the calls; a call that does not fit (a value without its key, an end
// without its beginning, a second document) is a programmer's error, which FR_ASSERT reports.
typedef struct json {
    json_write_fn *write;
    void *context;
    fr_array held;                  // bytes that were not written yet
    size_t hold_bytes;              // most that may be held
    int indent;                     // blanks a level; 0, the default: all on one line
    int depth;                      // objects and arrays that are open
    bool after_key;                 // the next call is the value of a key
    bool done;                      // the document's one value is there
    bool streaming;                 // some bytes have been written
    bool failed;                    // some bytes could not be written
    uint8_t levels[JSON_MAX_DEPTH]; // what each open level is
} json;

// Begins a document. Up to `hold_bytes` are held back, so that a small document can still be cancelled; a larger one
// is streamed. When memory for holding is short it streams earlier.
json json_begin(json_write_fn *write, void *context, size_t hold_bytes);

// Ends the document with a newline, writes what was held and gives the memory back. False when a write has failed.
bool json_end(json *writer);

// Drops what is held and gives the memory back. True when nothing of the document was written.
bool json_cancel(json *writer);

void json_object(json *writer);
void json_object_end(json *writer);
void json_array(json *writer);
void json_array_end(json *writer);
void json_key(json *writer, const char *key);

// NULL is written as null. Bytes that are not well-formed UTF-8 become U+FFFD, control characters are escaped.
void json_string(json *writer, const char *text);
void json_bytes(json *writer, const char *text, size_t size);

// The shortest of 15, 16 or 17 digits that reads back as the same double; null for what is not finite.
void json_number(json *writer, double value);
void json_int(json *writer, int64_t value);
void json_uint(json *writer, uint64_t value);
void json_bool(json *writer, bool value);
void json_null(json *writer);

// An array of numbers: a point, a quaternion.
void json_numbers(json *writer, const double *values, size_t count);

// A key and its value in one call.
void json_string_field(json *writer, const char *key, const char *text);
void json_number_field(json *writer, const char *key, double value);
void json_int_field(json *writer, const char *key, int64_t value);
void json_uint_field(json *writer, const char *key, uint64_t value);
void json_bool_field(json *writer, const char *key, bool value);
void json_numbers_field(json *writer, const char *key, const double *values, size_t count);

#endif
