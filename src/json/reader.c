// Reads the values of a document as what they should be, and reports the first that is not.
#include "json/document.h"

#include <stdio.h>
#include <string.h>

fr_json_reader fr_json_reader_make(const fr_json *json, fr_arena *strings, fr_error *error) {
    return (fr_json_reader){.json = json, .strings = strings, .error = error};
}

// ---------------------------------------------------------------------------------------------------------------
// Failures

bool fr_json_fail(fr_json_reader *reader, fr_json_value value, fr_status status, const char *format, ...) {
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    int line, column;
    fr_json_place(reader->json, value, &reader->mark, &line, &column);
    reader->status = fr_error_set(reader->error, status, "%s", message);
    fr_error_locate(reader->error, reader->json->name, line, column);
    return false;
}

bool fr_json_fail_memory(fr_json_reader *reader) {
    reader->status = fr_error_set(reader->error, FR_ERROR_MEMORY, "no memory for what the file holds");
    fr_error_locate(reader->error, reader->json->name, 0, 0);
    return false;
}

const char *fr__json_name_of(const fr_json_reader *reader, fr_json_value value, const char *what, fr__json_name *name) {
    if (what != NULL) { return what; }
    size_t length = fr_json_path(reader->json, value, name->text, sizeof name->text);
    return length > 0 ? name->text : "the document";
}

static const char *kind_name(fr_json_kind kind) {
    static const char *const names[] = {
        [FR_JSON_OBJECT] = "an object", [FR_JSON_ARRAY] = "an array",     [FR_JSON_STRING] = "a string",
        [FR_JSON_NUMBER] = "a number",  [FR_JSON_BOOL] = "true or false", [FR_JSON_NULL] = "null"};
    return names[kind];
}

static bool wrong_kind(fr_json_reader *reader, fr_json_value value, const char *what, const char *wanted) {
    fr__json_name name;
    return fr_json_fail(reader, value, FR_ERROR_SYNTAX, "%s must be %s, not %s",
                        fr__json_name_of(reader, value, what, &name), wanted,
                        kind_name(fr_json_get_kind(reader->json, value)));
}

static bool is_kind(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_kind kind) {
    return fr_json_get_kind(reader->json, value) == kind || wrong_kind(reader, value, what, kind_name(kind));
}

// ---------------------------------------------------------------------------------------------------------------
// Strings

static bool has_control_character(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) { return true; }
    }
    return false;
}

static bool wrong_length(fr_json_reader *reader, fr_json_value value, const char *what, size_t max_bytes) {
    fr__json_name name;
    return fr_json_fail(reader, value, FR_ERROR_LIMIT, "%s must have from 1 to %zu bytes",
                        fr__json_name_of(reader, value, what, &name), max_bytes);
}

bool fr_json_read_string(fr_json_reader *reader, fr_json_value value, const char *what, size_t max_bytes,
                         const char **out) {
    if (!is_kind(reader, value, what, FR_JSON_STRING)) { return false; }
    size_t written = fr_json_get_text(reader->json, value).size;
    // An escape is at most 6 times as long as what it stands for.
    if (written == 0 || written / 6 > max_bytes || written > 6 * max_bytes) {
        return wrong_length(reader, value, what, max_bytes);
    }
    char *text = fr_arena_alloc(reader->strings, written + 1, 1, 1);
    if (text == NULL) { return fr_json_fail_memory(reader); }
    size_t length = fr_json_decode(reader->json, value, text);
    text[length] = '\0';
    if (length > max_bytes) { return wrong_length(reader, value, what, max_bytes); }
    if (has_control_character(text, length)) {
        fr__json_name name;
        return fr_json_fail(reader, value, FR_ERROR_SYNTAX, "%s holds a control character",
                            fr__json_name_of(reader, value, what, &name));
    }
    *out = text;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers and truth

bool fr_json_read_number(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                         double *out) {
    if (!is_kind(reader, value, what, FR_JSON_NUMBER)) { return false; }
    double number;
    if (!fr_json_get_number(reader->json, value, &number) || number < range.low || number > range.high) {
        fr__json_name name;
        return fr_json_fail(reader, value, FR_ERROR_LIMIT, "%s must be from %.9g to %.9g",
                            fr__json_name_of(reader, value, what, &name), range.low, range.high);
    }
    *out = number;
    return true;
}

// A number without fraction in a range.
static bool read_integral(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                          double *out) {
    bool is_negative = false;
    uint64_t whole = 0;
    if (!fr_json_read_number(reader, value, what, range, out)) { return false; }
    if (fr__json_whole(reader->json, value, &is_negative, &whole)) { return true; }
    fr__json_name name;
    return fr_json_fail(reader, value, FR_ERROR_SYNTAX, "%s must be a whole number",
                        fr__json_name_of(reader, value, what, &name));
}

bool fr_json_read_whole(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                        uint32_t *out) {
    FR_ASSERT(range.low >= 0.0 && range.high <= UINT32_MAX);
    double number;
    if (!read_integral(reader, value, what, range, &number)) { return false; }
    *out = (uint32_t)number;
    return true;
}

bool fr_json_read_integer(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                          int32_t *out) {
    FR_ASSERT(range.low >= INT32_MIN && range.high <= INT32_MAX);
    double number;
    if (!read_integral(reader, value, what, range, &number)) { return false; }
    *out = (int32_t)number;
    return true;
}

bool fr_json_read_numbers(fr_json_reader *reader, fr_json_value value, const char *what, fr_json_range range,
                          size_t count, double *out) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%zu numbers", count);
    const fr_json *json = reader->json;
    if (fr_json_get_kind(json, value) != FR_JSON_ARRAY) { return wrong_kind(reader, value, what, wanted); }
    if (fr_json_count(json, value) != count) {
        fr__json_name name;
        return fr_json_fail(reader, value, FR_ERROR_SYNTAX, "%s must be %s, not %u",
                            fr__json_name_of(reader, value, what, &name), wanted, (unsigned)fr_json_count(json, value));
    }
    fr_json_value v = fr_json_first(json, value);
    for (size_t i = 0; i < count; i++, v = fr_json_next(json, v)) {
        if (fr_json_get_kind(json, v) != FR_JSON_NUMBER) { return wrong_kind(reader, v, what, wanted); }
        if (!fr_json_read_number(reader, v, what, range, &out[i])) { return false; }
    }
    return true;
}

bool fr_json_read_bool(fr_json_reader *reader, fr_json_value value, const char *what, bool *out) {
    return is_kind(reader, value, what, FR_JSON_BOOL) && fr_json_get_bool(reader->json, value, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Containers

bool fr_json_read_map(fr_json_reader *reader, fr_json_value value, const char *what, size_t high) {
    if (!is_kind(reader, value, what, FR_JSON_OBJECT)) { return false; }
    size_t count = fr_json_count(reader->json, value);
    if (count <= high) { return true; }
    fr__json_name name;
    return fr_json_fail(reader, value, FR_ERROR_LIMIT, "%s must have at most %zu keys, not %zu",
                        fr__json_name_of(reader, value, what, &name), high, count);
}

bool fr_json_read_array(fr_json_reader *reader, fr_json_value value, const char *what, size_t low, size_t high) {
    if (!is_kind(reader, value, what, FR_JSON_ARRAY)) { return false; }
    size_t count = fr_json_count(reader->json, value);
    if (count >= low && count <= high) { return true; }
    fr__json_name name;
    const char *text = fr__json_name_of(reader, value, what, &name);
    if (count < low) {
        return fr_json_fail(reader, value, FR_ERROR_SYNTAX, "%s must have at least %zu values, not %zu", text, low,
                            count);
    }
    return fr_json_fail(reader, value, FR_ERROR_LIMIT, "%s must have at most %zu values, not %zu", text, high, count);
}
