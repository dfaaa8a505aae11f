#include "json.h"

#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Bits of a level.
enum { LEVEL_ARRAY = 1, LEVEL_FILLED = 2 };

json json_begin(json_write_fn *write, void *context, size_t hold_bytes) {
    return (json){.write = write, .context = context, .held = fr_array_make(1, NULL), .hold_bytes = hold_bytes};
}

// ---------------------------------------------------------------------------------------------------------------
// Bytes

static void send(json *writer, const void *bytes, size_t size) {
    if (writer->failed || size == 0) { return; }
    writer->streaming = true;
    writer->failed = !writer->write(bytes, size, writer->context);
}

static void flush(json *writer) {
    send(writer, writer->held.data, writer->held.count);
    writer->held.count = 0;
}

static void put(json *writer, const char *bytes, size_t size) {
    if (writer->failed) { return; }
    if (size > writer->hold_bytes - writer->held.count) { flush(writer); }
    char *room = size > 0 && size <= writer->hold_bytes ? fr_array_push(&writer->held, size) : NULL;
    if (room != NULL) {
        memcpy(room, bytes, size);
    } else {
        flush(writer);
        send(writer, bytes, size);
    }
}

static void put_text(json *writer, const char *text) { put(writer, text, strlen(text)); }

static void put_newline(json *writer) {
    if (writer->indent == 0) { return; }
    put(writer, "\n", 1);
    for (int i = 0; i < writer->depth * writer->indent; ++i) {
        put(writer, " ", 1);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Structure

// A comma and a new line before every element or key but the first.
static void separate(json *writer) {
    uint8_t *level = &writer->levels[writer->depth - 1];
    if (*level & LEVEL_FILLED) { put(writer, ",", 1); }
    *level |= LEVEL_FILLED;
    put_newline(writer);
}

static void before_value(json *writer) {
    if (writer->depth == 0) {
        FR_ASSERT(!writer->done);
        writer->done = true;
    } else if (writer->after_key) {
        writer->after_key = false;
    } else {
        FR_ASSERT(writer->levels[writer->depth - 1] & LEVEL_ARRAY);
        separate(writer);
    }
}

static void open_level(json *writer, const char *bracket, uint8_t level) {
    before_value(writer);
    put_text(writer, bracket);
    FR_ASSERT(writer->depth < JSON_MAX_DEPTH);
    if (writer->depth < JSON_MAX_DEPTH) { writer->levels[writer->depth++] = level; }
}

static void close_level(json *writer, const char *bracket, uint8_t level) {
    bool fits = writer->depth > 0 && !writer->after_key && (writer->levels[writer->depth - 1] & LEVEL_ARRAY) == level;
    FR_ASSERT(fits);
    if (!fits) { return; }
    bool filled = writer->levels[--writer->depth] & LEVEL_FILLED;
    if (filled) { put_newline(writer); }
    put_text(writer, bracket);
}

void json_object(json *writer) { open_level(writer, "{", 0); }

void json_object_end(json *writer) { close_level(writer, "}", 0); }

void json_array(json *writer) { open_level(writer, "[", LEVEL_ARRAY); }

void json_array_end(json *writer) { close_level(writer, "]", LEVEL_ARRAY); }

bool json_end(json *writer) {
    FR_ASSERT(writer->done && writer->depth == 0);
    put(writer, "\n", 1);
    flush(writer);
    fr_array_free(&writer->held);
    return !writer->failed;
}

bool json_cancel(json *writer) {
    fr_array_free(&writer->held);
    return !writer->streaming;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static void put_escape(json *writer, unsigned char c) {
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
static void put_string(json *writer, const char *text, size_t size) {
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
            put_text(writer, UTF8_REPLACEMENT);
        } else {
            put_escape(writer, c);
        }
        run = ++at;
    }
    put(writer, text + run, at - run);
    put(writer, "\"", 1);
}

void json_key(json *writer, const char *key) {
    bool fits = writer->depth > 0 && !writer->after_key && !(writer->levels[writer->depth - 1] & LEVEL_ARRAY);
    FR_ASSERT(fits);
    if (!fits) { return; }
    separate(writer);
    put_string(writer, key, strlen(key));
    put_text(writer, writer->indent > 0 ? ": " : ":");
    writer->after_key = true;
}

void json_bytes(json *writer, const char *text, size_t size) {
    before_value(writer);
    put_string(writer, text, size);
}

void json_string(json *writer, const char *text) {
    if (text == NULL) {
        json_null(writer);
    } else {
        json_bytes(writer, text, strlen(text));
    }
}

void json_number(json *writer, double value) {
    char text[FR_NUMBER_BYTES + 1] = "null";
    before_value(writer);
    if (isfinite(value)) { text[fr_number_write(value, text)] = '\0'; }
    put_text(writer, text);
}

void json_int(json *writer, int64_t value) {
    char text[FR_NUMBER_BYTES];
    before_value(writer);
    snprintf(text, sizeof text, "%" PRId64, value);
    put_text(writer, text);
}

void json_uint(json *writer, uint64_t value) {
    char text[FR_NUMBER_BYTES];
    before_value(writer);
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(writer, text);
}

void json_bool(json *writer, bool value) {
    before_value(writer);
    put_text(writer, value ? "true" : "false");
}

void json_null(json *writer) {
    before_value(writer);
    put_text(writer, "null");
}

void json_numbers(json *writer, const double *values, size_t count) {
    json_array(writer);
    for (size_t i = 0; i < count; ++i) {
        json_number(writer, values[i]);
    }
    json_array_end(writer);
}

void json_string_field(json *writer, const char *key, const char *text) {
    json_key(writer, key);
    json_string(writer, text);
}

void json_number_field(json *writer, const char *key, double value) {
    json_key(writer, key);
    json_number(writer, value);
}

void json_int_field(json *writer, const char *key, int64_t value) {
    json_key(writer, key);
    json_int(writer, value);
}

void json_uint_field(json *writer, const char *key, uint64_t value) {
    json_key(writer, key);
    json_uint(writer, value);
}

void json_bool_field(json *writer, const char *key, bool value) {
    json_key(writer, key);
    json_bool(writer, value);
}

void json_numbers_field(json *writer, const char *key, const double *values, size_t count) {
    json_key(writer, key);
    json_numbers(writer, values, count);
}
