// Tables of fields: which keys an object has, and what their values are.
#include "json/document.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Keys

enum { KEY_BYTES = 64 };

// The text of a key, or as much of its writing as fits when it is too long to be one of a table.
static void key_text(const fr_json *json, fr_json_value key, char text[KEY_BYTES]) {
    fr_json_text written = fr_json_get_text(json, key);
    size_t length = KEY_BYTES - 1;
    if (written.size < KEY_BYTES) {
        length = fr_json_decode(json, key, text);
    } else {
        while (((unsigned char)written.bytes[length] & 0xC0u) == 0x80u) {
            length--; // no half of a character
        }
        memcpy(text, written.bytes, length);
    }
    text[length] = '\0';
}

static bool unknown_key(fr_json_reader *reader, fr_json_value key, const char *text, const char *what,
                        const fr_json_field *fields, size_t count) {
    fr_suggestion suggestion = fr_suggestion_begin(text);
    for (size_t i = 0; i < count; i++) {
        fr_suggestion_offer(&suggestion, fields[i].key);
    }
    if (suggestion.best != NULL) {
        return fr_json_fail(reader, key, FR_ERROR_SYNTAX, "%s has no key '%s'; did you mean '%s'?", what, text,
                            suggestion.best);
    }
    return fr_json_fail(reader, key, FR_ERROR_SYNTAX, "%s has no key '%s'", what, text);
}

static size_t find_field(const char *key, const fr_json_field *fields, size_t count) {
    size_t i = 0;
    while (i < count && strcmp(fields[i].key, key) != 0) {
        i++;
    }
    return i;
}

bool fr_json_read_object(fr_json_reader *reader, fr_json_value object, const char *what, const fr_json_field *fields,
                         size_t count, fr_json_value *values) {
    const fr_json *json = reader->json;
    if (!fr_json_read_map(reader, object, what, SIZE_MAX)) { return false; }
    for (size_t i = 0; i < count; i++) {
        values[i] = FR_JSON_NONE;
    }
    fr__json_name name;
    what = fr__json_name_of(reader, object, what, &name);
    for (fr_json_value v = fr_json_first(json, object); v != FR_JSON_NONE; v = fr_json_next(json, v)) {
        char text[KEY_BYTES];
        key_text(json, fr_json_key(v), text);
        size_t i = find_field(text, fields, count);
        if (i == count) { return unknown_key(reader, fr_json_key(v), text, what, fields, count); }
        if (values[i] != FR_JSON_NONE) {
            return fr_json_fail(reader, fr_json_key(v), FR_ERROR_SYNTAX, "'%s' stands here for the second time", text);
        }
        values[i] = v;
    }
    for (size_t i = 0; i < count; i++) {
        if (!fields[i].is_required || values[i] != FR_JSON_NONE) { continue; }
        return fr_json_fail(reader, object, FR_ERROR_SYNTAX, "%s lacks '%s'", what, fields[i].key);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

bool fr_json_read_word(fr_json_reader *reader, fr_json_value value, const char *what, const fr_json_word *words,
                       int *out) {
    const char *text;
    if (!fr_json_read_string(reader, value, what, FR_JSON_WORD_MAX_BYTES, &text)) { return false; }
    fr_suggestion suggestion = fr_suggestion_begin(text);
    for (const fr_json_word *word = words; word->name != NULL; word++) {
        if (strcmp(word->name, text) == 0) {
            *out = word->value;
            return true;
        }
        fr_suggestion_offer(&suggestion, word->name);
    }
    fr__json_name name;
    what = fr__json_name_of(reader, value, what, &name);
    if (suggestion.best == NULL) {
        return fr_json_fail(reader, value, FR_ERROR_ARGUMENT, "%s is not '%s'", what, text);
    }
    return fr_json_fail(reader, value, FR_ERROR_ARGUMENT, "%s is not '%s'; did you mean '%s'?", what, text,
                        suggestion.best);
}

// Reads one value to where it belongs.
static bool read_field(fr_json_reader *r, fr_json_value v, const fr_json_field *field, void *out) {
    bool is_set = false;
    int word;
    switch (field->type) {
    case FR_JSON_ANY: return true;
    case FR_JSON_AS_NUMBER: return fr_json_read_number(r, v, field->key, field->range, out);
    case FR_JSON_AS_WHOLE: return fr_json_read_whole(r, v, field->key, field->range, out);
    case FR_JSON_AS_INTEGER: return fr_json_read_integer(r, v, field->key, field->range, out);
    case FR_JSON_AS_NUMBERS: return fr_json_read_numbers(r, v, field->key, field->range, field->count, out);
    case FR_JSON_AS_STRING: return fr_json_read_string(r, v, field->key, field->count, out);
    case FR_JSON_AS_BOOL: return fr_json_read_bool(r, v, field->key, out);
    case FR_JSON_AS_FLAG:
        if (!fr_json_read_bool(r, v, field->key, &is_set)) { return false; }
        if (is_set) { *(uint32_t *)out |= field->count; }
        return true;
    case FR_JSON_AS_WORD:
        if (!fr_json_read_word(r, v, field->key, field->words, &word)) { return false; }
        memcpy(out, &word, sizeof word);
        return true;
    }
    return false;
}

bool fr_json_read_fields(fr_json_reader *reader, const fr_json_value *values, const fr_json_field *fields, size_t count,
                         void *out) {
    for (size_t i = 0; i < count; i++) {
        if (values[i] == FR_JSON_NONE) { continue; }
        if (!read_field(reader, values[i], &fields[i], (char *)out + fields[i].offset)) { return false; }
    }
    return true;
}
