// A parsed JSON text: how it is made, walked, and where its values are.
#include "json/document.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#define DEF_COOKIE UINT32_C(0x6a736e31)

static const char byte_order_mark[] = "\xEF\xBB\xBF";

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_json_def fr_default_json_def(void) {
    return (fr_json_def){
        .max_bytes = FR_JSON_MAX_BYTES, .max_depth = 64, .max_values = UINT32_MAX, .cookie = DEF_COOKIE};
}

// Finds the tokens, and refuses keys that an object has twice.
static fr_status fill(fr_json *json, const fr_json_def *def, fr_error *error) {
    size_t offset;
    fr_json_mark mark = {0};
    int line = 0, column = 0;
    fr_json_value again = FR_JSON_NONE;
    fr_status status = fr__json_parse(json, def, &offset, error);
    if (status == FR_OK && def->has_unique_keys) {
        status = fr__json_find_duplicate(json, def->control, &again);
        if (status != FR_OK) { fr_error_set(error, status, "%s", fr_status_text(status)); }
    }
    if (again != FR_JSON_NONE) {
        char key[64];
        fr_json_text text = fr_json_get_text(json, again);
        snprintf(key, sizeof key, "%.*s", (int)(text.size < sizeof key ? text.size : sizeof key), text.bytes);
        status = fr_error_set(error, FR_ERROR_SYNTAX, "'%s' stands here for the second time", key);
        offset = fr__json_token_at(json, again)->begin - 1;
    }
    if (status == FR_OK) { return FR_OK; }
    if (offset != SIZE_MAX) { fr__json_place_of(json, offset, &mark, &line, &column); }
    fr_error_locate(error, def->name, line, column);
    return status;
}

fr_status fr_json_create(const char *text, size_t size, const fr_json_def *def, fr_json **out, fr_error *error) {
    FR_ASSERT((text != NULL || size == 0) && out != NULL);
    *out = NULL;
    fr_json_def defaults = fr_default_json_def();
    if (def == NULL) { def = &defaults; }
    if (def->cookie != DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_json_def"); }
    if (def->max_depth == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "max_depth is 0; it is at least 1"); }
    size_t max_bytes = def->max_bytes < FR_JSON_MAX_BYTES ? def->max_bytes : FR_JSON_MAX_BYTES;
    if (size > max_bytes) {
        fr_error_set(error, FR_ERROR_LIMIT, "%zu bytes are more than the %zu that are read", size, max_bytes);
        fr_error_locate(error, def->name, 0, 0);
        return FR_ERROR_LIMIT;
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_json *json = fr_allocate(&allocator, 1, sizeof *json, alignof(fr_json));
    if (json == NULL) {
        fr_error_set(error, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
        fr_error_locate(error, def->name, 0, 0);
        return FR_ERROR_MEMORY;
    }
    *json = (fr_json){.text = size > 0 ? text : "",
                      .size = size,
                      .tokens = fr__json_token_array_make(&allocator),
                      .name = def->name,
                      .allocator = allocator};
    size_t mark_bytes = sizeof byte_order_mark - 1;
    if (size >= mark_bytes && memcmp(text, byte_order_mark, mark_bytes) == 0) {
        json->text += mark_bytes;
        json->size -= mark_bytes;
    }
    fr_status status = fill(json, def, error);
    if (status != FR_OK) {
        fr_json_destroy(json);
        return status;
    }
    *out = json;
    return FR_OK;
}

void fr_json_destroy(fr_json *json) {
    if (json == NULL) { return; }
    fr_allocator allocator = json->allocator;
    fr__json_token_array_destroy(&json->tokens);
    fr_deallocate(&allocator, json, 1, sizeof *json);
}

// ---------------------------------------------------------------------------------------------------------------
// Walking

uint32_t fr_json_value_count(const fr_json *json) { return (uint32_t)json->tokens.count; }

fr_json_kind fr_json_get_kind(const fr_json *json, fr_json_value value) {
    return (fr_json_kind)fr__json_token_at(json, value)->kind;
}

bool fr_json_is(const fr_json *json, fr_json_value value, fr_json_kind kind) {
    return value != FR_JSON_NONE && fr__json_token_at(json, value)->kind == (unsigned)kind;
}

uint32_t fr_json_count(const fr_json *json, fr_json_value container) {
    if (container == FR_JSON_NONE) { return 0; }
    const fr__json_token *token = fr__json_token_at(json, container);
    return token->kind <= FR_JSON_ARRAY ? token->count : 0;
}

fr_json_value fr_json_first(const fr_json *json, fr_json_value container) {
    if (fr_json_count(json, container) == 0) { return FR_JSON_NONE; }
    return container + (fr__json_token_at(json, container)->kind == FR_JSON_OBJECT ? 2 : 1);
}

fr_json_value fr_json_next(const fr_json *json, fr_json_value value) { return fr__json_token_at(json, value)->next; }

fr_json_value fr_json_member(const fr_json *json, fr_json_value object, const char *key) {
    fr_json_value value;
    fr_json_members(json, object, &key, 1, &value);
    return value;
}

bool fr_json_members(const fr_json *json, fr_json_value object, const char *const *keys, size_t count,
                     fr_json_value *values) {
    for (size_t i = 0; i < count; i++) {
        values[i] = FR_JSON_NONE;
    }
    if (!fr_json_is(json, object, FR_JSON_OBJECT)) { return false; }
    size_t found = 0;
    for (fr_json_value v = fr_json_first(json, object); v != FR_JSON_NONE && found < count; v = fr_json_next(json, v)) {
        for (size_t i = 0; i < count; i++) {
            if (values[i] != FR_JSON_NONE || !fr_json_equals(json, fr_json_key(v), keys[i])) { continue; }
            values[i] = v;
            found++;
            break;
        }
    }
    return true;
}

fr_json_text fr_json_get_text(const fr_json *json, fr_json_value value) {
    const fr__json_token *token = fr__json_token_at(json, value);
    return (fr_json_text){json->text + token->begin, token->end - token->begin};
}

// ---------------------------------------------------------------------------------------------------------------
// Places

void fr__json_place_of(const fr_json *json, size_t offset, fr_json_mark *mark, int *line, int *column) {
    if (offset < mark->offset) { *mark = (fr_json_mark){0}; }
    const char *at = json->text + mark->offset, *end = json->text + offset;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        mark->lines_before++;
        mark->line_begin = (size_t)(at - json->text);
    }
    mark->offset = offset;
    *line = mark->lines_before + 1;
    *column = (int)(offset - mark->line_begin) + 1;
}

void fr_json_place(const fr_json *json, fr_json_value value, fr_json_mark *mark, int *line, int *column) {
    const fr__json_token *token = fr__json_token_at(json, value);
    fr__json_place_of(json, token->begin - (token->kind == FR_JSON_STRING), mark, line, column);
}

// A text that is written piece by piece; `length` is that of the whole, whatever fits.
typedef struct path_text {
    char *text;
    size_t size, length;
} path_text;

static void append(path_text *path, const char *bytes, size_t size) {
    size_t left = path->length < path->size ? path->size - path->length : 0;
    if (left > 0) { memcpy(path->text + path->length, bytes, size < left ? size : left); }
    path->length += size;
}

// Ends the text at a whole character.
static void terminate(path_text *path) {
    if (path->size == 0) { return; }
    size_t end = path->length;
    if (end >= path->size) {
        end = path->size - 1;
        while (end > 0 && ((unsigned char)path->text[end] & 0xC0u) == 0x80u) {
            end--;
        }
    }
    path->text[end] = '\0';
}

size_t fr_json_path(const fr_json *json, fr_json_value value, char *text, size_t size) {
    path_text path = {text, size, 0};
    fr_json_value at = FR_JSON_ROOT;
    while (at != value) {
        // The member or element that holds it is the last one that does not begin after it.
        bool is_object = fr_json_get_kind(json, at) == FR_JSON_OBJECT;
        fr_json_value child = fr_json_first(json, at), next;
        uint32_t index = 0;
        if (child == FR_JSON_NONE) { break; }
        while ((next = fr_json_next(json, child)) != FR_JSON_NONE && (is_object ? fr_json_key(next) : next) <= value) {
            child = next;
            index++;
        }
        if (is_object) {
            fr_json_text key = fr_json_get_text(json, fr_json_key(child));
            append(&path, ".", at != FR_JSON_ROOT);
            append(&path, key.bytes, key.size);
        } else {
            char digits[FR_NUMBER_BYTES];
            append(&path, "[", 1);
            append(&path, digits, fr_number_write_whole(index, digits));
            append(&path, "]", 1);
        }
        if (is_object && fr_json_key(child) == value) { break; }
        at = child;
    }
    terminate(&path);
    return path.length;
}
