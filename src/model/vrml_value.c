// The values of fields: numbers, words and strings, one or a list. Most of a file's bytes are the numbers of a few
// lists, so that lists of floats and of whole numbers are read straight into arrays.
#include "vrml.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FAST_DIGITS 9
#define LONG_BYTES (64 * 1024) // of a list that is not copied

// Past what stands for a number and is none.
static void skip_word(fr__cursor *cursor) {
    while (cursor->at < cursor->end && fr__vrml_is_name_byte(*cursor->at)) {
        cursor->at++;
    }
}

static bool begins_number(const fr__cursor *cursor) {
    if (cursor->at >= cursor->end) { return false; }
    char c = *cursor->at;
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

// A number that is not finite becomes 0, as does a word such as nan. *is_number is false, and nothing is passed, where
// none stands.
static fr_status repair_number(fr__vrml *vrml, fr_number_result result, bool *is_number) {
    fr__cursor *cursor = vrml->cursor;
    *is_number = result != FR_NUMBER_MISSING;
    if (result == FR_NUMBER_MISSING) { return FR_OK; }
    char found[FR__FOUND_BYTES];
    const char *at = cursor->at;
    fr__cursor_found(cursor, found);
    cursor->at += *cursor->at == '-' || *cursor->at == '+';
    for (skip_word(cursor); cursor->at < cursor->end && *cursor->at == '.'; skip_word(cursor)) {
        cursor->at++;
    }
    return fr__vrml_problem(vrml, at, "%s is not a finite number; 0 is taken", found);
}

static bool ends_number(const fr__cursor *cursor) {
    if (cursor->at >= cursor->end) { return true; }
    char c = *cursor->at;
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '#');
}

// Some C libraries print what is not finite as 1.#INF or -1.#IND: true where that was met.
static bool is_printed_nan(const fr__cursor *cursor) {
    return cursor->end - cursor->at > 2 && cursor->at[0] == '#' && cursor->at[-1] == '.' &&
           (cursor->at[1] == 'I' || cursor->at[1] == 'Q' || cursor->at[1] == 'S');
}

static fr_status pass_letters(fr__vrml *vrml, double *value) {
    fr__cursor *cursor = vrml->cursor;
    const char *at = cursor->at;
    if (is_printed_nan(cursor)) {
        *value = 0.0;
        cursor->at++;
        skip_word(cursor);
        return fr__vrml_problem(vrml, at, "a number is not finite; 0 is taken");
    }
    if (at < cursor->end && *at == '#') { return FR_OK; }
    char found[FR__FOUND_BYTES];
    fr__cursor_found(cursor, found);
    skip_word(cursor);
    return fr__vrml_problem(vrml, at, "%s follows a number and is passed over", found);
}

static inline fr_status read_float(fr__vrml *vrml, float *value, bool *is_number) {
    fr__cursor *cursor = vrml->cursor;
    *is_number = true;
    fr_number_result result = fr_number_read_float(&cursor->at, cursor->end, value);
    if (result == FR_NUMBER_OK) {
        if (fabsf(*value) < FLT_MIN) { *value = 0.0f; }
        if (ends_number(cursor)) { return FR_OK; }
        double wide = (double)*value;
        fr_status status = pass_letters(vrml, &wide);
        *value = (float)wide;
        return status;
    }
    *value = 0.0f;
    return repair_number(vrml, result, is_number);
}

static fr_status read_double(fr__vrml *vrml, double *value, bool *is_number) {
    fr__cursor *cursor = vrml->cursor;
    *is_number = true;
    fr_number_result result = fr_number_read(&cursor->at, cursor->end, value);
    if (result == FR_NUMBER_OK) {
        if (fabs(*value) < DBL_MIN) { *value = 0.0; }
        return ends_number(cursor) ? FR_OK : pass_letters(vrml, value);
    }
    *value = 0.0;
    return repair_number(vrml, result, is_number);
}

static int32_t saturate(int64_t value) {
    return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

// Hexadecimal numbers have the bits of an SFInt32: 0xFFFFFFFF is a pixel.
static int32_t read_hex(fr__cursor *cursor) {
    uint32_t bits = 0;
    for (; cursor->at < cursor->end && fr__hex_digit(*cursor->at) >= 0; cursor->at++) {
        bits = bits << 4 | (uint32_t)fr__hex_digit(*cursor->at);
    }
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Any whole number: hexadecimal, long, or written as a decimal, which is cut.
static fr_status read_odd_whole(fr__vrml *vrml, int32_t *value, bool *is_number) {
    fr__cursor *cursor = vrml->cursor;
    const char *at = cursor->at, *digits = at + (*at == '-' || *at == '+');
    *is_number = true;
    if (cursor->end - digits > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x' && fr__hex_digit(digits[2]) >= 0) {
        cursor->at = digits + 2;
        int32_t bits = read_hex(cursor);
        *value = *at == '-' && bits != INT32_MIN ? -bits : bits;
        double unused;
        return ends_number(cursor) ? FR_OK : pass_letters(vrml, &unused);
    }
    double decimal;
    FR__TRY(read_double(vrml, &decimal, is_number));
    *value = saturate(decimal > -3e9 && decimal < 3e9 ? (int64_t)decimal : decimal < 0.0 ? INT64_MIN : INT64_MAX);
    if (!*is_number || decimal == (double)*value) { return FR_OK; }
    return fr__vrml_problem(vrml, at, "a whole number is expected; %d is taken", *value);
}

// A whole number of a few digits and what may follow it, as nearly all are; false, and *at unchanged, for any other.
static inline bool read_plain_whole(const char **at, const char *end, int32_t *value) {
    const char *p = *at;
    bool is_negative = p < end && *p == '-';
    p += is_negative;
    const char *digits = p;
    uint32_t sum = 0;
    for (; p < end && (unsigned char)(*p - '0') <= 9 && p - digits < FAST_DIGITS; p++) {
        sum = sum * 10 + (uint32_t)(*p - '0');
    }
    if (p == digits || (p<end && * p> ',' && *p != ']')) { return false; }
    *value = is_negative ? -(int32_t)sum : (int32_t)sum;
    *at = p;
    return true;
}

static fr_status read_whole(fr__vrml *vrml, int32_t *value, bool *is_number) {
    fr__cursor *cursor = vrml->cursor;
    *is_number = read_plain_whole(&cursor->at, cursor->end, value);
    if (*is_number || !begins_number(cursor)) { return FR_OK; }
    return read_odd_whole(vrml, value, is_number);
}

// ---------------------------------------------------------------------------------------------------------------
// Runs of numbers

static fr_status over_elements(fr__vrml *vrml) {
    uint64_t limit = vrml->reader->builder.limits.elements;
    return fr__vrml_fail(vrml, vrml->cursor->at, FR_ERROR_LIMIT, "more than %llu values in one list, the limit",
                         (unsigned long long)limit);
}

// The gap between two numbers, which is short.
static inline void pass_gap(fr__cursor *cursor) {
    const char *at = cursor->at, *end = cursor->end;
    while (at < end && (fr__is_space(*at) || *at == ',')) {
        at++;
    }
    cursor->at = at;
    if (at < end && *at == '#') { fr__vrml_gap(cursor); }
}

// Numbers of a kind up to what is none, at most `max_count`.
#define DEFINE_RUN(name, type, array_name, read)                                                                       \
    static fr_status name(fr__vrml *vrml, uint64_t max_count) {                                                        \
        fr__cursor *cursor = vrml->cursor;                                                                             \
        fr_array *array = &vrml->array_name;                                                                           \
        for (;;) {                                                                                                     \
            pass_gap(cursor);                                                                                          \
            FR__TRY(fr__cursor_check(cursor));                                                                         \
            type number = 0;                                                                                           \
            bool is_number;                                                                                            \
            if (array->count >= max_count || cursor->at >= cursor->end || *cursor->at == ']') { return FR_OK; }        \
            FR__TRY(read(vrml, &number, &is_number));                                                                  \
            if (!is_number) { return FR_OK; }                                                                          \
            type *place = fr__push(array, 1);                                                                          \
            if (place == NULL) { return fr__vrml_memory(vrml); }                                                       \
            *place = number;                                                                                           \
        }                                                                                                              \
    }

DEFINE_RUN(run_of_floats, float, floats, read_float)
DEFINE_RUN(run_of_doubles, double, doubles, read_double)
DEFINE_RUN(run_of_any_wholes, int32_t, wholes, read_whole)

// Plain numbers one after another into the room that there is: half of a model's bytes are such.
static void run_of_plain_wholes(fr__vrml *vrml, uint64_t max_count) {
    fr__cursor *cursor = vrml->cursor;
    fr_array *array = &vrml->wholes;
    size_t room = array->capacity < max_count ? array->capacity : (size_t)max_count;
    const char *at = cursor->at, *end = cursor->end;
    int32_t *wholes = array->data, *out = wholes + array->count, *out_end = wholes + room;
    while (out < out_end) {
        while (at < end && (fr__is_space(*at) || *at == ',')) {
            at++;
        }
        if (!read_plain_whole(&at, end, out)) { break; }
        out++;
    }
    array->count = (size_t)(out - wholes);
    cursor->at = at;
}

static fr_status run_of_wholes(fr__vrml *vrml, uint64_t max_count) {
    fr__cursor *cursor = vrml->cursor;
    for (;;) {
        // The control is checked between pieces, each as long as the room that the numbers before it took.
        if (vrml->wholes.count < vrml->wholes.capacity && vrml->wholes.count < max_count) {
            run_of_plain_wholes(vrml, max_count);
        }
        size_t count = vrml->wholes.count;
        uint64_t next = (uint64_t)count + 1;
        FR__TRY(run_of_any_wholes(vrml, next < max_count ? next : max_count));
        if (vrml->wholes.count == count || cursor->at >= cursor->end) { return FR_OK; }
    }
}

static fr_status read_bool(fr__vrml *vrml, int32_t *value, bool *is_bool) {
    fr__cursor *cursor = vrml->cursor;
    const char *at = cursor->at;
    fr__span word = fr__vrml_name(vrml);
    *is_bool = true;
    if (fr__span_is(word, "true") || fr__span_is(word, "false")) {
        *value = fr__span_is(word, "true");
        bool is_exact = memcmp(word.begin, *value != 0 ? "TRUE" : "FALSE", word.length) == 0 || vrml->source->is_xml;
        return is_exact ? FR_OK : fr__vrml_problem(vrml, at, "TRUE or FALSE is written in capitals");
    }
    if (word.length == 0 && cursor->at < cursor->end && (*at == '0' || *at == '1')) {
        *value = *at == '1';
        cursor->at++;
        return fr__vrml_problem(vrml, at, "TRUE or FALSE is expected");
    }
    cursor->at = at;
    *is_bool = false;
    return FR_OK;
}

static fr_status run_of_bools(fr__vrml *vrml, uint64_t max_count) {
    for (;;) {
        fr__vrml_gap(vrml->cursor);
        int32_t value = 0;
        bool is_bool;
        if (vrml->wholes.count >= max_count) { return FR_OK; }
        FR__TRY(read_bool(vrml, &value, &is_bool));
        if (!is_bool) { return FR_OK; }
        int32_t *place = fr__push(&vrml->wholes, 1);
        if (place == NULL) { return fr__vrml_memory(vrml); }
        *place = value;
    }
}

static fr_status run_of_strings(fr__vrml *vrml, uint64_t max_count) {
    fr__cursor *cursor = vrml->cursor;
    for (fr__vrml_gap(cursor); !fr__cursor_at_end(cursor) && *cursor->at == '"'; fr__vrml_gap(cursor)) {
        if (vrml->strings.count >= max_count) { return FR_OK; }
        fr__span string;
        FR__TRY(fr__vrml_string(vrml, &string));
        fr__span *place = fr__push(&vrml->strings, 1);
        if (place == NULL) { return fr__vrml_memory(vrml); }
        *place = string;
    }
    return FR_OK;
}

static fr_array *array_of(fr__vrml *vrml, fr__storage storage) {
    switch (storage) {
    case FR__FLOATS: return &vrml->floats;
    case FR__DOUBLES: return &vrml->doubles;
    case FR__WHOLES: return &vrml->wholes;
    default: return &vrml->strings;
    }
}

static fr_status read_run(fr__vrml *vrml, const fr__field *field, fr__storage storage, uint64_t max_count) {
    switch (storage) {
    case FR__FLOATS: return run_of_floats(vrml, max_count);
    case FR__DOUBLES: return run_of_doubles(vrml, max_count);
    case FR__STRINGS: return run_of_strings(vrml, max_count);
    default:
        return field->type == FR__SFBOOL || field->type == FR__MFBOOL ? run_of_bools(vrml, max_count)
                                                                      : run_of_wholes(vrml, max_count);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One value

// Width, height, components and as many pixels; what is missing is left out.
static fr_status read_image(fr__vrml *vrml, const char *at) {
    FR__TRY(run_of_wholes(vrml, 3));
    const int32_t *head = vrml->wholes.data;
    if (vrml->wholes.count < 3 || head[0] < 0 || head[1] < 0 || head[2] < 0 || head[2] > 4) {
        vrml->wholes.count = 0;
        return fr__vrml_problem(vrml, at, "a picture begins with its width, height and number of components");
    }
    uint64_t pixels = (uint64_t)head[0] * (uint64_t)head[1], limit = vrml->reader->builder.limits.pixels;
    if (pixels > limit) {
        return fr__vrml_fail(vrml, at, FR_ERROR_LIMIT, "a picture of %llu pixels, the limit is %llu",
                             (unsigned long long)pixels, (unsigned long long)limit);
    }
    FR__TRY(run_of_wholes(vrml, pixels + 3));
    if (vrml->wholes.count < pixels + 3) {
        return fr__vrml_problem(vrml, at, "a picture of %llu pixels has only %llu", (unsigned long long)pixels,
                                (unsigned long long)vrml->wholes.count - 3);
    }
    return FR_OK;
}

// Room for a long list at once, by the bytes up to its end: a number takes two at least. What is not needed is never
// touched; where so much is refused, the list grows as it is read.
static void make_room(fr__vrml *vrml, fr__storage storage, uint64_t max_count) {
    const fr__cursor *cursor = vrml->cursor;
    if (storage == FR__STRINGS || fr__cursor_left(cursor) < LONG_BYTES) { return; }
    const char *end = memchr(cursor->at, ']', fr__cursor_left(cursor));
    size_t bytes = end != NULL ? (size_t)(end - cursor->at) : 0;
    if (bytes < LONG_BYTES) { return; }
    size_t count = bytes / 2 + 1;
    (void)fr_array_reserve(array_of(vrml, storage), count < max_count ? count : (size_t)max_count);
}

// A list in brackets. What does not belong in it is passed over.
static fr_status read_list(fr__vrml *vrml, const fr__field *field, fr__storage storage, uint64_t max_count) {
    fr__cursor *cursor = vrml->cursor;
    const char *opened_at = cursor->at++;
    make_room(vrml, storage, max_count);
    for (;;) {
        FR__TRY(read_run(vrml, field, storage, max_count + 1));
        if (array_of(vrml, storage)->count > max_count) { return over_elements(vrml); }
        if (fr__cursor_at_end(cursor)) { return fr__vrml_problem(vrml, opened_at, "a list is not closed"); }
        if (*cursor->at == ']') {
            cursor->at++;
            return FR_OK;
        }
        const char *at = cursor->at;
        char found[FR__FOUND_BYTES];
        fr__cursor_found(cursor, found);
        // A brace cannot stand in a list of values: the list was not closed.
        if (*at == '}') { return fr__vrml_problem(vrml, opened_at, "a list is not closed"); }
        FR__TRY(fr__vrml_problem(vrml, at, "%s does not belong in a list of %s", found,
                                 fr__field_kind_of(field->type)->name));
        if (*at == '{' || *at == '[') {
            FR__TRY(fr__vrml_skip_group(vrml));
        } else {
            skip_word(cursor);
            cursor->at += cursor->at == at;
        }
    }
}

// Whole elements of what was read, in the graph's memory.
static fr_status keep(fr__vrml *vrml, const fr__field *field, fr__storage storage, const char *at, fr__value *value) {
    const fr__field_kind *kind = fr__field_kind_of(field->type);
    fr_array *array = array_of(vrml, storage);
    size_t count = array->count / kind->width, rest = array->count % kind->width;
    if (rest > 0) {
        FR__TRY(fr__vrml_problem(vrml, at, "the last %s has %d of %u numbers and is left out", kind->name, (int)rest,
                                 kind->width));
    }
    value->count = (uint32_t)count;
    if (array->count * array->element_bytes >= LONG_BYTES) {
        // Not copied: the array is handed over, and another one made for the next list.
        fr_array *block = fr__block_array_push(&vrml->blocks, 1);
        if (block == NULL) { return fr__vrml_memory(vrml); }
        *block = *array;
        *array = fr_array_make(block->element_bytes, &block->allocator);
        value->floats = block->data;
        return FR_OK;
    }
    void *copy = fr__vrml_copy(vrml, array->data, count * kind->width, array->element_bytes, 8);
    if (copy == NULL) { return fr__vrml_memory(vrml); }
    value->floats = copy;
    return FR_OK;
}

// All of an attribute as one text.
static fr_status read_whole_text(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    fr__span *place = fr__push(&vrml->strings, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = (fr__span){cursor->at, (size_t)(cursor->end - cursor->at)};
    cursor->at = cursor->end;
    return FR_OK;
}

fr_status fr__vrml_value(fr__vrml *vrml, const fr__field *field, bool is_xml, fr__value *value) {
    const fr__field_kind *kind = fr__field_kind_of(field->type);
    fr__cursor *cursor = vrml->cursor;
    fr__storage storage = kind->storage;
    if (field->is_position) { storage = vrml->reader->builder.is_double ? FR__DOUBLES : FR__FLOATS; }
    fr_array *array = array_of(vrml, storage);
    array->count = 0;
    if (!is_xml) { fr__vrml_gap(cursor); }
    const char *at = cursor->at;
    *value = (fr__value){.at = vrml->place != NULL ? vrml->place : at, .storage = (uint8_t)storage};

    bool is_many = fr__is_many(field->type), is_image = field->type == FR__SFIMAGE || field->type == FR__MFIMAGE;
    uint64_t limit = vrml->reader->builder.limits.elements;
    uint64_t max_count = limit < UINT32_MAX / 16 ? limit * kind->width : UINT32_MAX;
    if (is_image) {
        FR__TRY(read_image(vrml, at));
    } else if (is_xml && field->type == FR__SFSTRING) {
        FR__TRY(read_whole_text(vrml));
    } else if (is_many && !is_xml && at < cursor->end && *at == '[') {
        FR__TRY(read_list(vrml, field, storage, max_count));
    } else if (is_many && is_xml) {
        FR__TRY(read_run(vrml, field, storage, max_count + 1));
        if (array->count > max_count) { return over_elements(vrml); }
    } else {
        FR__TRY(read_run(vrml, field, storage, kind->width));
        if (array->count < kind->width) {
            char found[FR__FOUND_BYTES];
            fr__cursor_found(cursor, found);
            array->count = 0;
            FR__TRY(fr__vrml_problem(vrml, cursor->at, "expected %s%s, found %s", is_many ? "MF" : "SF", kind->name,
                                     found));
        }
    }
    if (is_xml) {
        fr__vrml_gap(cursor);
        if (!fr__cursor_at_end(cursor)) {
            FR__TRY(fr__vrml_problem(vrml, cursor->at, "what follows the value of '%.*s' is passed over",
                                     FR__SHOW(field->name)));
        }
    }
    return keep(vrml, field, storage, at, value);
}
