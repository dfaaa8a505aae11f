// Reads binary STL: 80 bytes of anything, a count, and so many triangles of 50 bytes. Normals and attributes are not
// kept.
#include "builder.h"
#include "bytes.h"

#include <math.h>

#define HEADER_BYTES 84
#define TRIANGLE_BYTES 50

// The text in the 80 bytes in front, where it is text: programs put a name or their own name there, some after the word
// "solid".
static fr__span header_name(const char *header) {
    size_t length = 0;
    while (length < HEADER_BYTES - 4 && header[length] != '\0') {
        if ((unsigned char)header[length] < 0x20 || header[length] == 0x7f) { return (fr__span){header, 0}; }
        length++;
    }
    fr__cursor cursor = fr__cursor_make(header, length, NULL, NULL, NULL);
    fr__skip_blanks(&cursor);
    const char *first = cursor.at;
    if (!fr__span_is(fr__take_word(&cursor), "solid")) { cursor.at = first; }
    return fr__rest_of_line(&cursor);
}

// One triangle's corners; those that are not finite are refused.
static fr_status read_triangle(fr__reader *reader, uint32_t triangle) {
    fr__cursor *cursor = &reader->cursor;
    fr__builder *builder = &reader->builder;
    for (uint32_t corner = 0; corner < 3; corner++) {
        const char *at = cursor->at + 12 + 12 * corner;
        float p[3] = {fr__load_float(at, false), fr__load_float(at + 4, false), fr__load_float(at + 8, false)};
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
            return fr__cursor_fail(cursor, NULL, FR_ERROR_NOT_FINITE,
                                   "triangle %u, corner %u, at byte %llu: a coordinate is not finite", triangle, corner,
                                   (unsigned long long)(at - cursor->begin));
        }
        void *position = fr__builder_vertex(builder);
        if (position == NULL || !fr__builder_corner(builder, 3 * triangle + corner)) {
            return fr__reader_fail_building(reader, NULL);
        }
        for (int i = 0; i < 3; i++) {
            if (builder->is_double) {
                ((double *)position)[i] = (double)p[i];
            } else {
                ((float *)position)[i] = p[i];
            }
        }
    }
    cursor->at += TRIANGLE_BYTES;
    return fr__builder_end_face(builder, 3) ? FR_OK : fr__reader_fail_building(reader, NULL);
}

// Whether what should be the header is text: then it is no STL of either kind, since text begins with `solid`.
static bool is_text(const char *bytes) {
    for (size_t i = 0; i < HEADER_BYTES; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c < ' ' && c != '\t' && c != '\n' && c != '\r') { return false; }
    }
    return true;
}

fr_status fr__read_stl_binary(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    size_t size = fr__cursor_left(cursor);
    if (size < HEADER_BYTES) {
        return fr__cursor_fail(
            cursor, NULL, FR_ERROR_SYNTAX,
            "%llu bytes are neither text that begins with 'solid' nor the %d that binary STL begins with",
            (unsigned long long)size, HEADER_BYTES);
    }
    uint32_t count = fr__load_u32(cursor->at + HEADER_BYTES - 4, false);
    uint64_t needed = HEADER_BYTES + (uint64_t)TRIANGLE_BYTES * count;
    if (needed > size && is_text(cursor->at)) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_SYNTAX, "this is text, but STL in text begins with 'solid'");
    }
    if (needed > size) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_CORRUPT,
                               "the header at byte 80 promises %u triangles in %llu bytes, but there are %llu", count,
                               (unsigned long long)needed, (unsigned long long)size);
    }
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    if (!fr__builder_begin_part(&reader->builder, header_name(cursor->at)) ||
        !fr_array_reserve(&reader->builder.positions, (size_t)3 * count) ||
        !fr_uint32_array_reserve(&reader->builder.corners, (size_t)3 * count)) {
        return fr__reader_fail_building(reader, NULL);
    }
    cursor->at += HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(read_triangle(reader, i));
    }
    if (needed < size) {
        fr__reader_warn(reader, NULL, "%llu bytes after the last triangle are passed over",
                        (unsigned long long)(size - needed));
    }
    if (count == 0) { fr__reader_warn(reader, NULL, "the file has no triangle"); }
    return FR_OK;
}
