#include "scene/json_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static const char *kind_name(fr__json_kind kind) {
    static const char *const names[] = {
        [FR__JSON_OBJECT] = "an object", [FR__JSON_ARRAY] = "an array",     [FR__JSON_STRING] = "a string",
        [FR__JSON_NUMBER] = "a number",  [FR__JSON_BOOL] = "true or false", [FR__JSON_NULL] = "null"};
    return names[kind];
}

bool fr__json_wrong(fr__json_reader *reader, uint32_t token, fr_status status, const char *format, ...) {
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    int line, column;
    fr__json_place(reader->json, token, &reader->mark, &line, &column);
    reader->status = fr_error_set(reader->error, status, "%s", message);
    fr_error_locate(reader->error, reader->name, line, column);
    return false;
}

bool fr__json_no_memory(fr__json_reader *reader) {
    reader->status = fr_error_set(reader->error, FR_ERROR_MEMORY, "no memory for what the file holds");
    fr_error_locate(reader->error, reader->name, 0, 0);
    return false;
}

static bool wrong_kind(fr__json_reader *reader, uint32_t token, const char *what, const char *wanted) {
    return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s must be %s, not %s", what, wanted,
                          kind_name(reader->json->tokens[token].kind));
}

static bool is_kind(fr__json_reader *reader, uint32_t token, const char *what, fr__json_kind kind) {
    if (reader->json->tokens[token].kind == kind) { return true; }
    return wrong_kind(reader, token, what, kind_name(kind));
}

// ---------------------------------------------------------------------------------------------------------------
// Strings

static uint32_t hex_number(const char *digits) {
    uint32_t number = 0;
    for (int i = 0; i < 4; i++) {
        char digit = digits[i];
        uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : 10 + (digit | 0x20) - 'a');
        number = 16 * number + value;
    }
    return number;
}

// Writes a character as UTF-8 and returns its bytes.
static size_t write_character(uint32_t number, char *out) {
    if (number < 0x80) {
        out[0] = (char)number;
        return 1;
    }
    if (number < 0x800) {
        out[0] = (char)(0xC0 | number >> 6);
        out[1] = (char)(0x80 | (number & 0x3F));
        return 2;
    }
    if (number < 0x10000) {
        out[0] = (char)(0xE0 | number >> 12);
        out[1] = (char)(0x80 | (number >> 6 & 0x3F));
        out[2] = (char)(0x80 | (number & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | number >> 18);
    out[1] = (char)(0x80 | (number >> 12 & 0x3F));
    out[2] = (char)(0x80 | (number >> 6 & 0x3F));
    out[3] = (char)(0x80 | (number & 0x3F));
    return 4;
}

// Writes the character that an escape stands for, `at` being behind its backslash, and returns where the escape ends.
// Escapes were checked with the text.
static const char *decode_escape(const char *at, char *out, size_t *used) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    if (*at != 'u') {
        out[(*used)++] = meant[strchr(letters, *at) - letters];
        return at + 1;
    }
    uint32_t number = hex_number(at + 1);
    at += 5;
    if (number >= 0xD800 && number < 0xDC00) {
        number = 0x10000 + ((number - 0xD800) << 10) + (hex_number(at + 2) - 0xDC00);
        at += 6;
    }
    *used += write_character(number, out + *used);
    return at;
}

// Writes what a string stands for, never longer than it is written, and returns the length.
static size_t decode(const fr__json *json, uint32_t token, char *out) {
    const char *at = json->text + json->tokens[token].begin;
    const char *end = json->text + json->tokens[token].end;
    size_t used = 0;
    while (at < end) {
        if (*at == '\\') {
            at = decode_escape(at + 1, out, &used);
        } else {
            out[used++] = *at++;
        }
    }
    return used;
}

static bool has_control_character(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) { return true; }
    }
    return false;
}

bool fr__json_string(fr__json_reader *reader, uint32_t token, const char *what, size_t max_bytes, const char **out) {
    if (!is_kind(reader, token, what, FR__JSON_STRING)) { return false; }
    const fr__json_token *t = &reader->json->tokens[token];
    size_t written = t->end - t->begin;
    // An escape is at most 6 times as long as what it stands for.
    if (written == 0 || written > 6 * max_bytes) {
        return fr__json_wrong(reader, token, FR_ERROR_LIMIT, "%s must have from 1 to %zu bytes", what, max_bytes);
    }
    char *text = fr_arena_alloc(reader->strings, written + 1, 1, 1);
    if (text == NULL) { return fr__json_no_memory(reader); }
    size_t length = decode(reader->json, token, text);
    text[length] = '\0';
    if (length > max_bytes) {
        return fr__json_wrong(reader, token, FR_ERROR_LIMIT, "%s must have from 1 to %zu bytes", what, max_bytes);
    }
    if (has_control_character(text, length)) {
        return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s holds a control character", what);
    }
    *out = text;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects and arrays

enum { KEY_BYTES = 64 };

// The text of a key, or as much of its writing as fits when it is too long to be one of ours.
static void key_text(const fr__json *json, uint32_t token, char text[KEY_BYTES]) {
    const fr__json_token *t = &json->tokens[token];
    size_t written = t->end - t->begin;
    size_t length = KEY_BYTES - 1;
    if (written < KEY_BYTES) {
        length = decode(json, token, text);
    } else {
        const char *begin = json->text + t->begin;
        while (((unsigned char)begin[length] & 0xC0u) == 0x80u) {
            length--;
        } // no half of a character
        memcpy(text, begin, length);
    }
    text[length] = '\0';
}

static bool unknown_key(fr__json_reader *reader, uint32_t token, const char *text, const char *what,
                        const fr__json_key *keys, size_t key_count) {
    fr_suggestion suggestion = fr_suggestion_begin(text);
    for (size_t i = 0; i < key_count; i++) {
        fr_suggestion_offer(&suggestion, keys[i].name);
    }
    if (suggestion.best != NULL) {
        return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s has no key '%s'; did you mean '%s'?", what, text,
                              suggestion.best);
    }
    return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s has no key '%s'", what, text);
}

static size_t find_key(const char *text, const fr__json_key *keys, size_t key_count) {
    size_t i = 0;
    while (i < key_count && strcmp(keys[i].name, text) != 0) {
        i++;
    }
    return i;
}

bool fr__json_object(fr__json_reader *reader, uint32_t token, const char *what, const fr__json_key *keys,
                     size_t key_count, uint32_t *values) {
    FR_ASSERT(key_count <= FR__JSON_MAX_KEYS);
    if (!is_kind(reader, token, what, FR__JSON_OBJECT)) { return false; }
    for (size_t i = 0; i < key_count; i++) {
        values[i] = FR__JSON_NONE;
    }

    uint32_t end = fr__json_next(reader, token);
    for (uint32_t key = token + 1; key < end; key = fr__json_next(reader, key)) {
        char text[KEY_BYTES];
        key_text(reader->json, key, text);
        size_t i = find_key(text, keys, key_count);
        if (i == key_count) { return unknown_key(reader, key, text, what, keys, key_count); }
        if (values[i] != FR__JSON_NONE) {
            return fr__json_wrong(reader, key, FR_ERROR_SYNTAX, "'%s' stands here for the second time", text);
        }
        values[i] = key + 1;
    }
    for (size_t i = 0; i < key_count; i++) {
        if (keys[i].required && values[i] == FR__JSON_NONE) {
            return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s lacks '%s'", what, keys[i].name);
        }
    }
    return true;
}

bool fr__json_map(fr__json_reader *reader, uint32_t token, const char *what, size_t high) {
    if (!is_kind(reader, token, what, FR__JSON_OBJECT)) { return false; }
    size_t count = reader->json->tokens[token].count;
    if (count <= high) { return true; }
    return fr__json_wrong(reader, token, FR_ERROR_LIMIT, "%s must have at most %zu keys, not %zu", what, high, count);
}

bool fr__json_array(fr__json_reader *reader, uint32_t token, const char *what, size_t low, size_t high) {
    if (!is_kind(reader, token, what, FR__JSON_ARRAY)) { return false; }
    size_t count = reader->json->tokens[token].count;
    if (count < low) {
        return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s must have at least %zu values, not %zu", what, low,
                              count);
    }
    if (count > high) {
        return fr__json_wrong(reader, token, FR_ERROR_LIMIT, "%s must have at most %zu values, not %zu", what, high,
                              count);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers and truth

bool fr__json_number(fr__json_reader *reader, uint32_t token, const char *what, fr__json_range range, double *out) {
    if (!is_kind(reader, token, what, FR__JSON_NUMBER)) { return false; }
    const fr__json_token *t = &reader->json->tokens[token];
    const char *at = reader->json->text + t->begin;
    double value;
    fr_number_result result = fr_number_read(&at, reader->json->text + t->end, &value);
    if (result != FR_NUMBER_OK || value < range.low || value > range.high) {
        return fr__json_wrong(reader, token, FR_ERROR_LIMIT, "%s must be from %.9g to %.9g", what, range.low,
                              range.high);
    }
    *out = value;
    return true;
}

bool fr__json_whole(fr__json_reader *reader, uint32_t token, const char *what, fr__json_range range, uint32_t *out) {
    double value = 0.0;
    if (!fr__json_number(reader, token, what, range, &value)) { return false; }
    if (value != floor(value)) {
        return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s must be a whole number", what);
    }
    *out = (uint32_t)value;
    return true;
}

bool fr__json_numbers(fr__json_reader *reader, uint32_t token, const char *what, fr__json_range range, size_t count,
                      double *out) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%zu numbers", count);
    const fr__json_token *t = &reader->json->tokens[token];
    if (t->kind != FR__JSON_ARRAY) { return wrong_kind(reader, token, what, wanted); }
    if (t->count != count) {
        return fr__json_wrong(reader, token, FR_ERROR_SYNTAX, "%s must be %s, not %u", what, wanted,
                              (unsigned)t->count);
    }
    uint32_t value = token + 1;
    for (size_t i = 0; i < count; i++) {
        if (reader->json->tokens[value].kind != FR__JSON_NUMBER) { return wrong_kind(reader, value, what, wanted); }
        if (!fr__json_number(reader, value, what, range, &out[i])) { return false; }
        value = fr__json_next(reader, value);
    }
    return true;
}

bool fr__json_bool(fr__json_reader *reader, uint32_t token, const char *what, bool *out) {
    if (!is_kind(reader, token, what, FR__JSON_BOOL)) { return false; }
    *out = reader->json->text[reader->json->tokens[token].begin] == 't';
    return true;
}
