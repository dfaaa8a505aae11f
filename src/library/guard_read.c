// Reads the guards of transitions.
#include "library/class_reader.h"

#include <string.h>

enum {
    IF_ALL,
    IF_ANY,
    IF_NOT,
    IF_DIST,
    IF_ANGLE,
    IF_VALUE,
    IF_STATE,
    IF_BELOW,
    IF_ABOVE,
    IF_BELOW_DEG,
    IF_ABOVE_DEG,
    IF_WITHIN_DEG,
    IF_THAN,
    IF_THAN_DEG,
    IF_OF,
    IF_AT_LEAST,
    IF_KEYS
};

static const fr_json_word value_words[] = {{"below", FR_IS_BELOW},
                                           {"at_most", FR_IS_AT_MOST},
                                           {"above", FR_IS_ABOVE},
                                           {"at_least", FR_IS_AT_LEAST},
                                           {NULL, 0}};

#define THAN(name, low, high)                                                                                          \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_class_guard, than), .range = { low, high }       \
    }

static const fr_json_field if_fields[IF_KEYS] = {
    [IF_ALL] = {.key = "all"},
    [IF_ANY] = {.key = "any"},
    [IF_NOT] = {.key = "not"},
    [IF_DIST] = {.key = "dist"},
    [IF_ANGLE] = {.key = "angle"},
    [IF_VALUE] = {.key = "value",
                  .type = FR_JSON_AS_WORD,
                  .offset = offsetof(fr_class_guard, comparison),
                  .words = value_words},
    [IF_STATE] = {.key = "state",
                  .type = FR_JSON_AS_STRING,
                  .offset = offsetof(fr_class_guard, name),
                  .count = FR_WORLD_STATE_NAME_MAX_BYTES},
    [IF_BELOW] = THAN("below", 0.0, FR_SCENE_LENGTH_MAX),
    [IF_ABOVE] = THAN("above", 0.0, FR_SCENE_LENGTH_MAX),
    [IF_BELOW_DEG] = THAN("below_deg", 0.0, 180.0),
    [IF_ABOVE_DEG] = THAN("above_deg", 0.0, 180.0),
    [IF_WITHIN_DEG] = {.key = "within_deg",
                       .type = FR_JSON_AS_NUMBER,
                       .offset = offsetof(fr_class_guard, within_deg),
                       .range = {0.0, 180.0}},
    [IF_THAN] = THAN("than", -FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX),
    [IF_THAN_DEG] = THAN("than_deg", -FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX),
    [IF_OF] = {.key = "of"},
    [IF_AT_LEAST] = {.key = "at_least",
                     .type = FR_JSON_AS_WHOLE,
                     .offset = offsetof(fr_class_guard, at_least),
                     .range = {1.0, 1e6}},
};

#define BIT(key) (UINT32_C(1) << (key))

// Which keys a guard may have beside its own, how many of `one_of` it has, and which it must have.
typedef struct guard_keys {
    uint32_t one_of, allowed, required;
} guard_keys;

static const guard_keys keys_of[] = {
    [IF_ALL] = {0, 0, 0},
    [IF_ANY] = {0, 0, 0},
    [IF_NOT] = {0, 0, 0},
    [IF_DIST] = {BIT(IF_BELOW) | BIT(IF_ABOVE), BIT(IF_WITHIN_DEG), 0},
    [IF_ANGLE] = {BIT(IF_BELOW_DEG) | BIT(IF_ABOVE_DEG), 0, 0},
    [IF_VALUE] = {BIT(IF_THAN) | BIT(IF_THAN_DEG), BIT(IF_OF), 0},
    [IF_STATE] = {0, BIT(IF_AT_LEAST), BIT(IF_OF)},
};

static bool check_keys(fr__class_reader *r, fr_json_value token, const fr_json_value *values, uint32_t *kind) {
    uint32_t kinds = 0, ones = 0;
    for (uint32_t i = IF_ALL; i <= IF_STATE; i++) {
        if (values[i] == FR_JSON_NONE) { continue; }
        *kind = i;
        kinds++;
    }
    if (kinds != 1) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX,
                            "a guard has one of 'all', 'any', 'not', 'dist', 'angle', 'value' and 'state'");
    }
    const guard_keys *keys = &keys_of[*kind];
    for (uint32_t i = IF_BELOW; i < IF_KEYS; i++) {
        if (values[i] == FR_JSON_NONE) {
            if ((keys->required & BIT(i)) == 0) { continue; }
            return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a guard by '%s' lacks '%s'", if_fields[*kind].key,
                                if_fields[i].key);
        }
        ones += (keys->one_of & BIT(i)) != 0 ? 1 : 0;
        if (((keys->one_of | keys->allowed | keys->required) & BIT(i)) != 0) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "a guard by '%s' has no '%s'",
                            if_fields[*kind].key, if_fields[i].key);
    }
    if (ones == (keys->one_of != 0 ? 1u : 0u)) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a guard by '%s' says once how it compares",
                        if_fields[*kind].key);
}

static bool read_list(fr__class_reader *r, fr_json_value token, const char *what, fr_class_guard *out) {
    if (!fr_json_read_array(&r->reader, token, what, 0, FR_CLASS_MAX_GUARDS)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_guard *list = fr__class_take(r, count, sizeof *list);
    if (list == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!fr__class_read_guard(r, value, &list[i])) { return false; }
    }
    out->list = list;
    out->count = count;
    return true;
}

static bool read_not(fr__class_reader *r, fr_json_value token, fr_class_guard *out) {
    fr_class_guard *list = fr__class_take(r, 1, sizeof *list);
    if (list == NULL) { return false; }
    out->list = list;
    out->count = 1;
    return fr__class_read_guard(r, token, list);
}

static bool read_two(fr__class_reader *r, fr_json_value token, const char *what, fr_class_guard *out) {
    if (!fr_json_read_array(&r->reader, token, what, 2, 2)) { return false; }
    fr_json_value first = fr_json_first(r->reader.json, token);
    return fr__class_read_place(r, first, "a place", &out->a) &&
           fr__class_read_place(r, fr_json_next(r->reader.json, first), "a place", &out->b);
}

bool fr__class_read_guard(fr__class_reader *r, fr_json_value token, fr_class_guard *out) {
    static const fr_class_guard_kind kinds[] = {
        [IF_ALL] = FR_GUARD_ALL,     [IF_ANY] = FR_GUARD_ANY,     [IF_NOT] = FR_GUARD_NOT,    [IF_DIST] = FR_GUARD_DIST,
        [IF_ANGLE] = FR_GUARD_ANGLE, [IF_VALUE] = FR_GUARD_VALUE, [IF_STATE] = FR_GUARD_STATE};
    fr_json_value values[IF_KEYS];
    uint32_t kind = IF_ALL;
    fr__class_locate(r, token, &out->line, &out->column);
    if (!fr_json_read_object(&r->reader, token, "a guard", if_fields, IF_KEYS, values) ||
        !check_keys(r, token, values, &kind) || !fr_json_read_fields(&r->reader, values, if_fields, IF_KEYS, out)) {
        return false;
    }
    out->kind = kinds[kind];
    out->a.object.index = out->b.object.index = FR_NONE;
    out->is_deg = values[IF_THAN_DEG] != FR_JSON_NONE;
    out->has_within = values[IF_WITHIN_DEG] != FR_JSON_NONE;
    bool is_above = values[IF_ABOVE] != FR_JSON_NONE || values[IF_ABOVE_DEG] != FR_JSON_NONE;
    if (kind == IF_DIST || kind == IF_ANGLE) { out->comparison = is_above ? FR_IS_ABOVE : FR_IS_BELOW; }
    switch (out->kind) {
    case FR_GUARD_ALL:
    case FR_GUARD_ANY: return read_list(r, values[kind], if_fields[kind].key, out);
    case FR_GUARD_NOT: return read_not(r, values[kind], out);
    case FR_GUARD_DIST:
    case FR_GUARD_ANGLE: return read_two(r, values[kind], if_fields[kind].key, out);
    default: return fr__class_read_reference(r, values[IF_OF], "of", &out->a.object);
    }
}
