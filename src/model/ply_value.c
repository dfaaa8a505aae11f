// Values of a PLY file, as text and as bytes.
#include "bytes.h"
#include "ply.h"

#include <math.h>

fr_status fr__ply_fail(fr__ply *ply, const char *at, fr_status status, const char *message) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->encoding == FR__PLY_ASCII) { return fr__cursor_fail(cursor, at, status, "%s", message); }
    return fr__cursor_fail(cursor, NULL, status, "%s, at byte %llu", message, (unsigned long long)(at - cursor->begin));
}

// The bytes of the next binary value, NULL where the file ends before it.
static inline const char *take_bytes(fr__ply *ply, fr__ply_type type) {
    fr__cursor *cursor = &ply->reader->cursor;
    size_t bytes = fr__ply_type_bytes(type);
    if (fr__cursor_left(cursor) < bytes) { return NULL; }
    const char *at = cursor->at;
    cursor->at += bytes;
    return at;
}

static fr_status fail_end(fr__ply *ply) {
    return fr__ply_fail(ply, ply->reader->cursor.end, FR_ERROR_CORRUPT, "the file ends before all its rows");
}

// A whole number of any integer type.
static int64_t load_integer(const char *at, fr__ply_type type, bool big_endian) {
    switch (type) {
    case FR__PLY_INT8: return (signed char)*at;
    case FR__PLY_UINT8: return (unsigned char)*at;
    case FR__PLY_INT16: return (int16_t)fr__load_u16(at, big_endian);
    case FR__PLY_UINT16: return fr__load_u16(at, big_endian);
    case FR__PLY_INT32: return (int32_t)fr__load_u32(at, big_endian);
    default: return fr__load_u32(at, big_endian);
    }
}

static double load_double(const char *at, fr__ply_type type, bool big_endian) {
    if (type == FR__PLY_FLOAT) { return (double)fr__load_float(at, big_endian); }
    if (type == FR__PLY_DOUBLE) { return fr__load_double(at, big_endian); }
    return (double)load_integer(at, type, big_endian);
}

fr_status fr__ply_take_double(fr__ply *ply, fr__ply_type type, const char *what, double *value) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->encoding == FR__PLY_ASCII) {
        fr__skip_spaces(cursor);
        return fr__take_double(cursor, what, value);
    }
    const char *at = take_bytes(ply, type);
    if (at == NULL) { return fail_end(ply); }
    *value = load_double(at, type, ply->encoding == FR__PLY_BIG);
    return isfinite(*value) ? FR_OK : fr__ply_fail(ply, at, FR_ERROR_NOT_FINITE, "a number is not finite");
}

fr_status fr__ply_take_float(fr__ply *ply, fr__ply_type type, const char *what, float *value) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->encoding == FR__PLY_ASCII) {
        fr__skip_spaces(cursor);
        return fr__take_float(cursor, what, value);
    }
    const char *at = take_bytes(ply, type);
    if (at == NULL) { return fail_end(ply); }
    *value = (float)load_double(at, type, ply->encoding == FR__PLY_BIG);
    return isfinite(*value) ? FR_OK : fr__ply_fail(ply, at, FR_ERROR_NOT_FINITE, "a number is not finite as a float");
}

fr_status fr__ply_take_normal(fr__ply *ply, fr__ply_type type, float *value) {
    fr__cursor *cursor = &ply->reader->cursor;
    double number = 0.0;
    if (ply->encoding == FR__PLY_ASCII) {
        fr__skip_spaces(cursor);
        if (fr__cursor_at_end(cursor)) { return fail_end(ply); }
        const char *at = cursor->at;
        bool is_number = fr_number_read(&at, cursor->end, &number) == FR_NUMBER_OK;
        fr__skip_word(cursor);
        if (!is_number || at != cursor->at) { number = 0.0; }
    } else {
        const char *at = take_bytes(ply, type);
        if (at == NULL) { return fail_end(ply); }
        number = load_double(at, type, ply->encoding == FR__PLY_BIG);
    }
    *value = fabs(number) <= 1e30 ? (float)number : 0.0f;
    return FR_OK;
}

fr_status fr__ply_take_integer(fr__ply *ply, fr__ply_type type, const char *what, int64_t *value) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->encoding == FR__PLY_ASCII) {
        fr__skip_spaces(cursor);
        return fr__take_integer(cursor, what, value);
    }
    const char *at = take_bytes(ply, type);
    if (at == NULL) { return fail_end(ply); }
    *value = load_integer(at, type, ply->encoding == FR__PLY_BIG);
    return FR_OK;
}

fr_status fr__ply_skip(fr__ply *ply, fr__ply_type type, uint64_t count) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->encoding != FR__PLY_ASCII) {
        size_t bytes = fr__ply_type_bytes(type);
        if (count > fr__cursor_left(cursor) / bytes) { return fail_end(ply); }
        cursor->at += count * bytes;
        return FR_OK;
    }
    for (uint64_t i = 0; i < count; i++) {
        fr__skip_spaces(cursor);
        if (fr__cursor_at_end(cursor)) { return fail_end(ply); }
        fr__skip_word(cursor);
    }
    return FR_OK;
}
