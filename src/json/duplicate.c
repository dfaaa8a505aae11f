// Finds keys that an object has twice.
#include "json/document.h"

#include "fureai/base_order.h"

#include <stdalign.h>
#include <string.h>

// Up to so many keys are compared each with each.
enum { FEW_KEYS = 16 };

// A key with its escapes decoded.
typedef struct plain_key {
    const char *bytes;
    size_t size;
    fr_json_value key;
} plain_key;

static bool key_is_before(const plain_key *a, const plain_key *b) {
    if (a->size != b->size) { return a->size < b->size; }
    int order = memcmp(a->bytes, b->bytes, a->size);
    return order != 0 ? order < 0 : a->key < b->key;
}

FR_SORT_TYPE(sort_keys, plain_key, key_is_before);

static bool is_same_key(const plain_key *a, const plain_key *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// The keys of an object, decoded where they have escapes; false when there is no memory.
static bool take_keys(const fr_json *json, fr_json_value object, fr_arena *scratch, plain_key *keys) {
    size_t i = 0;
    for (fr_json_value v = fr_json_first(json, object); v != FR_JSON_NONE; v = fr_json_next(json, v), i++) {
        fr_json_value key = fr_json_key(v);
        fr_json_text text = fr_json_get_text(json, key);
        keys[i] = (plain_key){text.bytes, text.size, key};
        if (fr__json_token_at(json, key)->count == 0) { continue; }
        char *decoded = fr_arena_alloc(scratch, text.size, 1, 1);
        if (decoded == NULL) { return false; }
        keys[i].bytes = decoded;
        keys[i].size = fr_json_decode(json, key, decoded);
    }
    return true;
}

static fr_json_value first_of_few(const plain_key *keys, size_t count) {
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (is_same_key(&keys[i], &keys[j])) { return keys[i].key; }
        }
    }
    return FR_JSON_NONE;
}

static fr_json_value first_of_many(plain_key *keys, size_t count) {
    fr_json_value first = FR_JSON_NONE;
    sort_keys(keys, count);
    for (size_t i = 1; i < count; i++) {
        if (keys[i].key < first && is_same_key(&keys[i], &keys[i - 1])) { first = keys[i].key; }
    }
    return first;
}

static fr_status check_object(const fr_json *json, fr_json_value object, fr_arena *scratch, fr_json_value *first) {
    plain_key few[FEW_KEYS], *keys = few;
    size_t count = fr_json_count(json, object);
    if (count < 2) { return FR_OK; }
    fr_arena_reset(scratch);
    if (count > FEW_KEYS) { keys = fr_arena_alloc(scratch, count, sizeof *keys, alignof(plain_key)); }
    if (keys == NULL || !take_keys(json, object, scratch, keys)) { return FR_ERROR_MEMORY; }
    fr_json_value found = count > FEW_KEYS ? first_of_many(keys, count) : first_of_few(keys, count);
    if (found < *first) { *first = found; }
    return FR_OK;
}

fr_status fr__json_find_duplicate(const fr_json *json, const fr_control *control, fr_json_value *out) {
    fr_arena *scratch;
    fr_status status = fr_arena_create(0, &json->allocator, &scratch, NULL);
    if (status != FR_OK) { return status; }
    *out = FR_JSON_NONE;
    for (fr_json_value v = 0; v < json->tokens.count && status == FR_OK; v++) {
        if (fr_json_get_kind(json, v) == FR_JSON_OBJECT) { status = check_object(json, v, scratch, out); }
        if (v % 65536 == 65535 && fr_control_is_stopped(control)) { status = FR_ERROR_STOPPED; }
    }
    if (status != FR_OK) { *out = FR_JSON_NONE; }
    fr_arena_destroy(scratch);
    return status;
}
