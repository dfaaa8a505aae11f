// Pairs of a code and a value, in text (a line each) and in binary.
#include "bytes.h"
#include "dxf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

fr_status fr__dxf_fail(fr__dxf *dxf, const char *at, fr_status status, const char *format, ...) {
    fr__cursor *cursor = &dxf->reader->cursor;
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!dxf->is_binary || at == NULL) { return fr__cursor_fail(cursor, at, status, "%s", message); }
    return fr__cursor_fail(cursor, NULL, status, "at byte %llu: %s", (unsigned long long)(at - cursor->begin), message);
}

bool fr__dxf_is(const fr__dxf *dxf, const char *word) {
    return dxf->pair.code == 0 && fr__span_is(dxf->pair.text, word);
}

// ---------------------------------------------------------------------------------------------------------------
// Text

static fr_status next_text(fr__dxf *dxf) {
    fr__cursor *cursor = &dxf->reader->cursor;
    fr__skip_blanks(cursor);
    if (fr__cursor_at_end(cursor)) { return FR_OK; }
    const char *at = cursor->at;
    int64_t code = 0;
    if (!fr_number_read_whole(&cursor->at, cursor->end, &code) || code < -10 || code > 9999) {
        cursor->at = at;
        // Blank lines after the last pair are common.
        fr__skip_spaces(cursor);
        if (fr__cursor_at_end(cursor)) { return FR_OK; }
        cursor->at = at;
        char found[FR__FOUND_BYTES];
        return fr__cursor_fail(cursor, at, FR_ERROR_SYNTAX, "expected the code of a group, found %s",
                               fr__cursor_found(cursor, found));
    }
    fr__skip_blanks(cursor);
    if (!fr__cursor_at_line_end(cursor)) {
        return fr__cursor_fail(cursor, cursor->at, FR_ERROR_SYNTAX, "the code of a group has a line of its own");
    }
    fr__skip_line(cursor);
    dxf->pair.at = cursor->at;
    dxf->pair.text = fr__rest_of_line(cursor);
    dxf->pair.code = (int)code;
    fr__skip_line(cursor);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Binary

typedef enum value_kind { TEXT, REAL, WHOLE_1, WHOLE_2, WHOLE_4, WHOLE_8, BYTES } value_kind;

// What the value of a code is.
static value_kind kind_of(int code) {
    static const struct {
        int last;
        value_kind kind;
    } kinds[] = {{9, TEXT},       {59, REAL},     {79, WHOLE_2},  {99, WHOLE_4},  {109, TEXT},  {149, REAL},
                 {159, WHOLE_8},  {169, WHOLE_8}, {179, WHOLE_2}, {209, TEXT},    {239, REAL},  {269, TEXT},
                 {289, WHOLE_2},  {299, WHOLE_1}, {309, TEXT},    {319, BYTES},   {369, TEXT},  {389, WHOLE_2},
                 {399, TEXT},     {409, WHOLE_2}, {419, TEXT},    {429, WHOLE_4}, {439, TEXT},  {459, WHOLE_4},
                 {469, REAL},     {999, TEXT},    {1003, TEXT},   {1004, BYTES},  {1009, TEXT}, {1059, REAL},
                 {1070, WHOLE_2}, {1071, WHOLE_4}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (code <= kinds[i].last) { return kinds[i].kind; }
    }
    return TEXT;
}

static fr_status cut_off(fr__dxf *dxf, const char *at) {
    return fr__dxf_fail(dxf, at, FR_ERROR_CORRUPT, "the file ends inside a group");
}

static fr_status take_text(fr__dxf *dxf) {
    fr__cursor *cursor = &dxf->reader->cursor;
    const char *end = memchr(cursor->at, '\0', fr__cursor_left(cursor));
    if (end == NULL) { return cut_off(dxf, cursor->at); }
    dxf->pair.text = (fr__span){cursor->at, (size_t)(end - cursor->at)};
    cursor->at = end + 1;
    return FR_OK;
}

static fr_status take_number(fr__dxf *dxf, value_kind kind) {
    static const size_t sizes[] = {[REAL] = 8, [WHOLE_1] = 1, [WHOLE_2] = 2, [WHOLE_4] = 4, [WHOLE_8] = 8};
    fr__cursor *cursor = &dxf->reader->cursor;
    const char *at = cursor->at;
    if (fr__cursor_left(cursor) < sizes[kind]) { return cut_off(dxf, at); }
    cursor->at += sizes[kind];
    dxf->pair.is_number = true;
    if (kind == REAL) {
        dxf->pair.real = fr__load_double(at, false);
        bool is_small = dxf->pair.real > -1e15 && dxf->pair.real < 1e15;
        dxf->pair.whole = is_small ? (int64_t)dxf->pair.real : 0;
        return FR_OK;
    }
    dxf->pair.whole = kind == WHOLE_1   ? *at
                      : kind == WHOLE_2 ? (int16_t)fr__load_u16(at, false)
                      : kind == WHOLE_4 ? (int32_t)fr__load_u32(at, false)
                                        : (int64_t)fr__load_u64(at, false);
    dxf->pair.real = (double)dxf->pair.whole;
    return FR_OK;
}

static fr_status next_binary(fr__dxf *dxf) {
    fr__cursor *cursor = &dxf->reader->cursor;
    if (fr__cursor_at_end(cursor)) { return FR_OK; }
    const char *at = cursor->at;
    size_t wide = dxf->has_wide_codes || (unsigned char)*at == 255 ? 2 : 1;
    size_t skip = dxf->has_wide_codes ? 0 : wide - 1;
    if (fr__cursor_left(cursor) < wide + skip) { return cut_off(dxf, at); }
    int code = wide == 2 ? (int16_t)fr__load_u16(at + skip, false) : (unsigned char)*at;
    cursor->at += wide + skip;
    dxf->pair.at = at;
    value_kind kind = kind_of(code);
    if (kind == TEXT) {
        FR__TRY(take_text(dxf));
    } else if (kind == BYTES) {
        if (fr__cursor_at_end(cursor) || fr__cursor_left(cursor) < 1 + (size_t)(unsigned char)*cursor->at) {
            return cut_off(dxf, at);
        }
        dxf->pair.text = (fr__span){cursor->at + 1, (unsigned char)*cursor->at};
        cursor->at += 1 + dxf->pair.text.length;
    } else {
        FR__TRY(take_number(dxf, kind));
    }
    dxf->pair.code = code;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Both

fr_status fr__dxf_next(fr__dxf *dxf) {
    FR__TRY(fr__cursor_check(&dxf->reader->cursor));
    do {
        dxf->pair = (fr__dxf_pair){.code = -1, .at = dxf->reader->cursor.at, .text = {"", 0}};
        FR__TRY(dxf->is_binary ? next_binary(dxf) : next_text(dxf));
    } while (dxf->pair.code == 999);
    return FR_OK;
}

fr_status fr__dxf_real(fr__dxf *dxf, double *value) {
    if (dxf->pair.is_number) {
        *value = dxf->pair.real;
    } else {
        fr__cursor cursor = dxf->reader->cursor;
        cursor.at = dxf->pair.text.begin;
        cursor.end = dxf->pair.text.begin + dxf->pair.text.length;
        const char *at = cursor.at;
        fr_number_result result = fr_number_read(&cursor.at, cursor.end, value);
        if (result != FR_NUMBER_OK || cursor.at != cursor.end) {
            cursor.at = at;
            return fr__cursor_fail_number(&cursor, result, "a value");
        }
    }
    if (isfinite(*value)) { return FR_OK; }
    return fr__dxf_fail(dxf, dxf->pair.at, FR_ERROR_NOT_FINITE, "a value is not a finite number");
}

fr_status fr__dxf_whole(fr__dxf *dxf, int64_t *value) {
    if (dxf->pair.is_number) {
        *value = dxf->pair.whole;
        return FR_OK;
    }
    const char *at = dxf->pair.text.begin, *end = at + dxf->pair.text.length;
    if (fr_number_read_whole(&at, end, value) && at == end) { return FR_OK; }
    double real = 0.0;
    FR__TRY(fr__dxf_real(dxf, &real));
    *value = real > -1e15 && real < 1e15 ? (int64_t)real : 0;
    return FR_OK;
}
