// Checks JSON values against a JSON schema.
#include "schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A value in one of the two texts.
typedef struct value {
    const fr_json *json;
    fr_json_value value;
} value;

static size_t length_of(value v) { return fr_json_get_text(v.json, v.value).size; }

static const char *text_of(value v) { return fr_json_get_text(v.json, v.value).bytes; }

static bool is_text(value v, const char *text) {
    return length_of(v) == strlen(text) && memcmp(text_of(v), text, length_of(v)) == 0;
}

static value next(value v) { return (value){v.json, fr_json_next(v.json, v.value)}; }

static value first(value v) { return (value){v.json, fr_json_first(v.json, v.value)}; }

static value key_of(value v) { return (value){v.json, fr_json_key(v.value)}; }

static bool is_there(value v) { return v.value != FR_JSON_NONE; }

static double number_of(value v) {
    const char *at = text_of(v);
    double number = 0.0;
    if (fr_number_read(&at, at + length_of(v), &number) == FR_NUMBER_HUGE) { number = INFINITY; }
    return at[0] == '-' && number == (double)INFINITY ? -number : number;
}

static bool is_kind(value v, fr_json_kind kind) { return fr_json_is(v.json, v.value, kind); }

static bool equals(value a, value b) {
    if (!is_kind(a, fr_json_get_kind(b.json, b.value))) { return false; }
    if (is_kind(a, FR_JSON_NUMBER)) { return number_of(a) == number_of(b); }
    return length_of(a) == length_of(b) && memcmp(text_of(a), text_of(b), length_of(a)) == 0;
}

// The value of a key, in `out`; false where it is not there. Keys of the tests have no escapes.
static bool find(value object, const char *key, size_t length, value *out) {
    for (value v = first(object); is_there(v); v = next(v)) {
        if (length_of(key_of(v)) == length && memcmp(text_of(key_of(v)), key, length) == 0) {
            *out = v;
            return true;
        }
    }
    return false;
}

static bool has_type(value v, value type) {
    if (is_text(type, "object")) { return is_kind(v, FR_JSON_OBJECT); }
    if (is_text(type, "array")) { return is_kind(v, FR_JSON_ARRAY); }
    if (is_text(type, "string")) { return is_kind(v, FR_JSON_STRING); }
    if (is_text(type, "boolean")) { return is_kind(v, FR_JSON_BOOL); }
    if (is_text(type, "number")) { return is_kind(v, FR_JSON_NUMBER); }
    if (is_text(type, "null")) { return is_kind(v, FR_JSON_NULL); }
    assert_true(is_text(type, "integer"));
    return is_kind(v, FR_JSON_NUMBER) && number_of(v) == floor(number_of(v));
}

// The three patterns that are used.
static bool matches(value v, value pattern) {
    if (is_text(pattern, "^[#.]*$")) {
        size_t at = 0;
        while (at < length_of(v) && (text_of(v)[at] == '#' || text_of(v)[at] == '.')) {
            at++;
        }
        return at == length_of(v);
    }
    if (is_text(pattern, "^[^\\u0000-\\u001f\\u007f]*$")) {
        return memchr(text_of(v), 0x7f, length_of(v)) == NULL && memchr(text_of(v), '\\', length_of(v)) == NULL;
    }
    assert_true(is_text(pattern, "^sphere:[0-9]{1,9}x[0-9]{1,9}$"));
    const char *at = text_of(v), *end = at + length_of(v);
    if (length_of(v) < 7 || memcmp(at, "sphere:", 7) != 0) { return false; }
    at += 7;
    for (int part = 0; part < 2; part++) {
        int digits = 0;
        for (; at < end && *at >= '0' && *at <= '9'; at++) {
            digits++;
        }
        if (digits < 1 || digits > 9) { return false; }
        if (part == 0 && (at == end || *at++ != 'x')) { return false; }
    }
    return at == end;
}

static bool accepts(value schema, value v);

static int count_accepting(value list, value v) {
    int count = 0;
    for (value s = first(list); is_there(s); s = next(s)) {
        count += accepts(s, v);
    }
    return count;
}

static bool has_all(value v, value required) {
    if (!is_kind(v, FR_JSON_OBJECT)) { return true; }
    value found;
    for (value key = first(required); is_there(key); key = next(key)) {
        if (!find(v, text_of(key), length_of(key), &found)) { return false; }
    }
    return true;
}

static bool properties_fit(value schema, value v, bool others) {
    value properties = schema, inner = schema;
    if (!is_kind(v, FR_JSON_OBJECT) || !find(schema, "properties", 10, &properties)) { return true; }
    for (value member = first(v); is_there(member); member = next(member)) {
        if (!find(properties, text_of(key_of(member)), length_of(key_of(member)), &inner)) {
            if (!others) { return false; }
            continue;
        }
        if (!accepts(inner, member)) { return false; }
    }
    return true;
}

// Keys of any name, each value by one schema.
static bool others_fit(value schema, value v) {
    for (value member = first(v); is_kind(v, FR_JSON_OBJECT) && is_there(member); member = next(member)) {
        if (!accepts(schema, member)) { return false; }
    }
    return true;
}

static bool names_fit(value schema, value v) {
    for (value member = first(v); is_kind(v, FR_JSON_OBJECT) && is_there(member); member = next(member)) {
        if (!accepts(schema, key_of(member))) { return false; }
    }
    return true;
}

static bool items_fit(value items, value v) {
    for (value i = first(v); is_kind(v, FR_JSON_ARRAY) && is_there(i); i = next(i)) {
        if (!accepts(items, i)) { return false; }
    }
    return true;
}

static bool prefix_fits(value prefix, value v) {
    value s = first(prefix);
    for (value i = first(v); is_kind(v, FR_JSON_ARRAY) && is_there(i) && is_there(s); i = next(i)) {
        if (!accepts(s, i)) { return false; }
        s = next(s);
    }
    return true;
}

// "#/$defs/NAME"
static bool reference_accepts(value reference, value v) {
    value root = {reference.json, 0}, definitions = root, definition = root;
    assert_true(find(root, "$defs", 5, &definitions));
    assert_true(find(definitions, text_of(reference) + 8, length_of(reference) - 8, &definition));
    return accepts(definition, v);
}

static size_t item_count(value v) { return fr_json_count(v.json, v.value); }

// Keywords about sizes: true in `known` when this is one of them.
static bool size_fits(value key, value limit, value v, bool *known) {
    *known = true;
    bool number = is_kind(v, FR_JSON_NUMBER), array = is_kind(v, FR_JSON_ARRAY), string = is_kind(v, FR_JSON_STRING);
    if (is_text(key, "minimum")) { return !number || number_of(v) >= number_of(limit); }
    if (is_text(key, "maximum")) { return !number || number_of(v) <= number_of(limit); }
    if (is_text(key, "minItems")) { return !array || (double)item_count(v) >= number_of(limit); }
    if (is_text(key, "maxProperties")) {
        return !is_kind(v, FR_JSON_OBJECT) || (double)item_count(v) <= number_of(limit);
    }
    if (is_text(key, "maxItems")) { return !array || (double)item_count(v) <= number_of(limit); }
    if (is_text(key, "minLength")) { return !string || (double)length_of(v) >= number_of(limit); }
    if (is_text(key, "maxLength")) { return !string || (double)length_of(v) <= number_of(limit); }
    *known = false;
    return true;
}

static bool keyword_accepts(value schema, value member, value v) {
    value key = key_of(member);
    static const char *const notes[] = {"$schema", "title", "description", "$defs"};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (is_text(key, notes[i])) { return true; }
    }
    value s = member;
    bool known, fits = size_fits(key, s, v, &known);
    if (known) { return fits; }
    if (is_text(key, "type")) { return has_type(v, s); }
    if (is_text(key, "const")) { return equals(v, s); }
    if (is_text(key, "enum")) {
        for (value e = first(s); is_there(e); e = next(e)) {
            if (equals(v, e)) { return true; }
        }
        return false;
    }
    if (is_text(key, "pattern")) { return !is_kind(v, FR_JSON_STRING) || matches(v, s); }
    if (is_text(key, "required")) { return has_all(v, s); }
    if (is_text(key, "properties")) { return properties_fit(schema, v, true); }
    if (is_text(key, "additionalProperties") && is_kind(s, FR_JSON_OBJECT)) { return others_fit(s, v); }
    if (is_text(key, "additionalProperties")) { return properties_fit(schema, v, false); }
    if (is_text(key, "propertyNames")) { return names_fit(s, v); }
    if (is_text(key, "items")) { return items_fit(s, v); }
    if (is_text(key, "prefixItems")) { return prefix_fits(s, v); }
    if (is_text(key, "$ref")) { return reference_accepts(s, v); }
    if (is_text(key, "not")) { return !accepts(s, v); }
    if (is_text(key, "oneOf")) { return count_accepting(s, v) == 1; }
    if (is_text(key, "anyOf")) { return count_accepting(s, v) > 0; }
    if (is_text(key, "allOf")) { return count_accepting(s, v) == (int)item_count(s); }
    fail_msg("the schema uses %.*s, which is not checked", (int)length_of(key), text_of(key));
    return false;
}

static bool accepts(value schema, value v) {
    for (value member = first(schema); is_there(member); member = next(member)) {
        if (!keyword_accepts(schema, member, v)) { return false; }
    }
    return true;
}

bool schema_accepts(const fr_json *schema, const fr_json *text) {
    return accepts((value){schema, FR_JSON_ROOT}, (value){text, FR_JSON_ROOT});
}

fr_json *schema_parse(const char *text, size_t size) {
    fr_json_def def = fr_default_json_def();
    def.max_depth = 32;
    def.is_container = true;
    fr_json *json;
    return fr_json_create(text, size, &def, &json, NULL) == FR_OK ? json : NULL;
}
