// Writes a JSON document piece by piece.
#include "fureai/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Bits of a level.
enum { LEVEL_ARRAY = 1, LEVEL_FILLED = 2 };

// U+FFFD, which stands for every byte that belongs to no character.
#define REPLACEMENT "\xEF\xBF\xBD"

fr_json_writer fr_json_writer_make(fr_json_write_fn *write, void *context, size_t hold_bytes,
                                   const fr_allocator *allocator) {
    return (fr_json_writer){.write = write,
                            .context = context,
                            .held = fr_byte_array_make(allocator),
                            .hold_bytes = hold_bytes,
                            .line_depth = FR_JSON_WRITER_MAX_DEPTH};
}

// ---------------------------------------------------------------------------------------------------------------
// Bytes

static void send(fr_json_writer *writer, const void *bytes, size_t size) {
    if (writer->has_failed || size == 0) { return; }
    writer->is_streaming = true;
    writer->has_failed = !writer->write(bytes, size, writer->context);
}

static void flush(fr_json_writer *writer) {
    send(writer, writer->held.data, writer->held.count);
    writer->held.count = 0;
}

static void put(fr_json_writer *writer, const char *bytes, size_t size) {
    if (writer->has_failed) { return; }
    if (size > writer->hold_bytes - writer->held.count) { flush(writer); }
    unsigned char *room = size > 0 && size <= writer->hold_bytes ? fr_byte_array_push(&writer->held, size) : NULL;
    if (room != NULL) {
        memcpy(room, bytes, size);
    } else {
        flush(writer);
        send(writer, bytes, size);
    }
}

static void put_text(fr_json_writer *writer, const char *text) { put(writer, text, strlen(text)); }

static void put_line(fr_json_writer *writer, int depth) {
    put(writer, "\n", 1);
    for (int i = 0; i < depth * writer->indent; ++i) {
        put(writer, " ", 1);
    }
}

// What stands between a bracket or a comma and what follows it in the level: a new line, or a space after a comma and
// inside the brackets of an object where the level shares one line.
static void put_gap(fr_json_writer *writer, bool is_after_comma) {
    if (writer->indent == 0) { return; }
    if (writer->depth > writer->line_depth) {
        bool is_array = writer->levels[writer->depth - 1] & LEVEL_ARRAY;
        if (is_after_comma || !is_array) { put(writer, " ", 1); }
        return;
    }
    put_line(writer, writer->depth);
}

// ---------------------------------------------------------------------------------------------------------------
// Structure

// A comma and a gap before every element or key but the first, which has the gap alone.
static void separate(fr_json_writer *writer) {
    uint8_t *level = &writer->levels[writer->depth - 1];
    bool has_comma = (*level & LEVEL_FILLED) != 0;
    if (has_comma) { put(writer, ",", 1); }
    *level |= LEVEL_FILLED;
    put_gap(writer, has_comma);
}

static void before_value(fr_json_writer *writer) {
    if (writer->depth == 0) {
        FR_ASSERT(!writer->is_done);
        writer->is_done = true;
    } else if (writer->is_after_key) {
        writer->is_after_key = false;
    } else {
        FR_ASSERT(writer->levels[writer->depth - 1] & LEVEL_ARRAY);
        separate(writer);
    }
}

static void open_level(fr_json_writer *writer, const char *bracket, uint8_t level) {
    before_value(writer);
    put_text(writer, bracket);
    FR_ASSERT(writer->depth < FR_JSON_WRITER_MAX_DEPTH);
    if (writer->depth < FR_JSON_WRITER_MAX_DEPTH) { writer->levels[writer->depth++] = level; }
}

static void close_level(fr_json_writer *writer, const char *bracket, uint8_t level) {
    bool fits =
        writer->depth > 0 && !writer->is_after_key && (writer->levels[writer->depth - 1] & LEVEL_ARRAY) == level;
    FR_ASSERT(fits);
    if (!fits) { return; }
    if (writer->levels[writer->depth - 1] & LEVEL_FILLED && writer->indent > 0) {
        if (writer->depth <= writer->line_depth) {
            put_line(writer, writer->depth - 1);
        } else {
            put_gap(writer, false);
        }
    }
    writer->depth--;
    put_text(writer, bracket);
}

void fr_json_write_object(fr_json_writer *writer) { open_level(writer, "{", 0); }

void fr_json_write_object_end(fr_json_writer *writer) { close_level(writer, "}", 0); }

void fr_json_write_array(fr_json_writer *writer) { open_level(writer, "[", LEVEL_ARRAY); }

void fr_json_write_array_end(fr_json_writer *writer) { close_level(writer, "]", LEVEL_ARRAY); }

bool fr_json_writer_end(fr_json_writer *writer) {
    FR_ASSERT(writer->is_done && writer->depth == 0);
    put(writer, "\n", 1);
    flush(writer);
    fr_byte_array_destroy(&writer->held);
    return !writer->has_failed;
}

bool fr_json_writer_cancel(fr_json_writer *writer) {
    fr_byte_array_destroy(&writer->held);
    return !writer->is_streaming;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static void put_escape(fr_json_writer *writer, unsigned char c) {
    char text[8];
    switch (c) {
    case '"': put(writer, "\\\"", 2); break;
    case '\\': put(writer, "\\\\", 2); break;
    case '\n': put(writer, "\\n", 2); break;
    case '\r': put(writer, "\\r", 2); break;
    case '\t': put(writer, "\\t", 2); break;
    default: snprintf(text, sizeof text, "\\u%04x", (unsigned)c); put_text(writer, text);
    }
}

// Runs of characters that need no change go out in one piece.
static void put_string(fr_json_writer *writer, const char *text, size_t size) {
    put(writer, "\"", 1);
    size_t run = 0;
    size_t at = 0;
    while (at < size) {
        unsigned char c = (unsigned char)text[at];
        size_t length = fr_utf8_length(text + at, size - at);
        if (length > 0 && c >= 0x20 && c != '"' && c != '\\') {
            at += length;
            continue;
        }
        put(writer, text + run, at - run);
        if (length == 0) {
            put_text(writer, REPLACEMENT);
        } else {
            put_escape(writer, c);
        }
        run = ++at;
    }
    put(writer, text + run, at - run);
    put(writer, "\"", 1);
}

void fr_json_write_key(fr_json_writer *writer, const char *key) {
    bool fits = writer->depth > 0 && !writer->is_after_key && !(writer->levels[writer->depth - 1] & LEVEL_ARRAY);
    FR_ASSERT(fits);
    if (!fits) { return; }
    separate(writer);
    put_string(writer, key, strlen(key));
    put_text(writer, writer->indent > 0 ? ": " : ":");
    writer->is_after_key = true;
}

void fr_json_write_bytes(fr_json_writer *writer, const char *text, size_t size) {
    before_value(writer);
    put_string(writer, text, size);
}

void fr_json_write_string(fr_json_writer *writer, const char *text) {
    if (text == NULL) {
        fr_json_write_null(writer);
    } else {
        fr_json_write_bytes(writer, text, strlen(text));
    }
}

void fr_json_write_number(fr_json_writer *writer, double value) {
    char text[FR_NUMBER_BYTES + 1] = "null";
    before_value(writer);
    if (isfinite(value)) { text[fr_number_write(value, text)] = '\0'; }
    put_text(writer, text);
}

void fr_json_write_int(fr_json_writer *writer, int64_t value) {
    char text[FR_NUMBER_BYTES];
    before_value(writer);
    snprintf(text, sizeof text, "%" PRId64, value);
    put_text(writer, text);
}

void fr_json_write_uint(fr_json_writer *writer, uint64_t value) {
    char text[FR_NUMBER_BYTES];
    before_value(writer);
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(writer, text);
}

void fr_json_write_bool(fr_json_writer *writer, bool value) {
    before_value(writer);
    put_text(writer, value ? "true" : "false");
}

void fr_json_write_null(fr_json_writer *writer) {
    before_value(writer);
    put_text(writer, "null");
}

void fr_json_write_numbers(fr_json_writer *writer, const double *values, size_t count) {
    fr_json_write_array(writer);
    for (size_t i = 0; i < count; ++i) {
        fr_json_write_number(writer, values[i]);
    }
    fr_json_write_array_end(writer);
}

void fr_json_write_string_field(fr_json_writer *writer, const char *key, const char *text) {
    fr_json_write_key(writer, key);
    fr_json_write_string(writer, text);
}

void fr_json_write_number_field(fr_json_writer *writer, const char *key, double value) {
    fr_json_write_key(writer, key);
    fr_json_write_number(writer, value);
}

void fr_json_write_int_field(fr_json_writer *writer, const char *key, int64_t value) {
    fr_json_write_key(writer, key);
    fr_json_write_int(writer, value);
}

void fr_json_write_uint_field(fr_json_writer *writer, const char *key, uint64_t value) {
    fr_json_write_key(writer, key);
    fr_json_write_uint(writer, value);
}

void fr_json_write_bool_field(fr_json_writer *writer, const char *key, bool value) {
    fr_json_write_key(writer, key);
    fr_json_write_bool(writer, value);
}

void fr_json_write_numbers_field(fr_json_writer *writer, const char *key, const double *values, size_t count) {
    fr_json_write_key(writer, key);
    fr_json_write_numbers(writer, values, count);
}
