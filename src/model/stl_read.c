// Reads STL: solids of facets in text, or one list of triangles in binary. Normals are not kept: they follow from the
// corners, and exporters write them wrong or not at all.
#include "builder.h"
#include "bytes.h"

#include <math.h>

#define HEADER_BYTES 84
#define TRIANGLE_BYTES 50

// ---------------------------------------------------------------------------------------------------------------
// Text

// Where the text is between two words.
typedef struct stl_text {
    fr__reader *reader;
    bool in_solid;
    bool in_facet;
    bool in_loop;
    size_t loop_corners;
} stl_text;

static fr_status unexpected(stl_text *stl, const char *word, const char *expected) {
    fr__cursor *cursor = &stl->reader->cursor;
    cursor->at = word;
    char found[FR__FOUND_BYTES];
    return fr__cursor_fail(cursor, word, FR_ERROR_SYNTAX, "expected %s, found %s", expected,
                           fr__cursor_found(cursor, found));
}

static fr_status begin_solid(stl_text *stl, fr__span name) {
    stl->in_solid = true;
    return fr__builder_begin_part(&stl->reader->builder, name) ? FR_OK
                                                              : fr__reader_fail_building(stl->reader, name.begin);
}

// `facet normal x y z`, or `facet` alone. The three words are not looked at: degenerate facets have nan there.
static fr_status read_facet(stl_text *stl, const char *word) {
    fr__cursor *cursor = &stl->reader->cursor;
    if (stl->in_facet) { return unexpected(stl, word, "endfacet"); }
    if (!stl->in_solid) { FR__TRY(begin_solid(stl, (fr__span){word, 0})); }
    stl->in_facet = true;
    fr__skip_blanks(cursor);
    const char *start = cursor->at;
    if (!fr__span_is(fr__take_word(cursor), "normal")) {
        cursor->at = start;
        return FR_OK;
    }
    for (int i = 0; i < 3; i++) {
        fr__skip_blanks(cursor);
        fr__skip_word(cursor);
    }
    return FR_OK;
}

static fr_status read_loop(stl_text *stl, const char *word) {
    fr__cursor *cursor = &stl->reader->cursor;
    if (!stl->in_facet || stl->in_loop) { return unexpected(stl, word, stl->in_loop ? "endloop" : "facet"); }
    fr__skip_blanks(cursor);
    const char *start = cursor->at;
    if (!fr__span_is(fr__take_word(cursor), "loop")) { return unexpected(stl, start, "loop"); }
    stl->in_loop = true;
    stl->loop_corners = 0;
    return FR_OK;
}

static fr_status read_vertex(stl_text *stl, const char *word) {
    fr__reader *reader = stl->reader;
    fr__builder *builder = &reader->builder;
    if (!stl->in_loop) { return unexpected(stl, word, stl->in_facet ? "outer loop" : "facet"); }
    const fr__part *part = (const fr__part *)builder->parts.data + builder->parts.count - 1;
    uint32_t index = (uint32_t)(builder->positions.count - part->first_vertex);
    void *position = fr__builder_vertex(builder);
    if (position == NULL || !fr__builder_corner(builder, index)) { return fr__reader_fail_building(reader, word); }
    for (int i = 0; i < 3; i++) {
        fr__skip_spaces(&reader->cursor);
        if (builder->is_double) {
            FR__TRY(fr__take_double(&reader->cursor, "a coordinate", (double *)position + i));
        } else {
            FR__TRY(fr__take_float(&reader->cursor, "a coordinate", (float *)position + i));
        }
    }
    stl->loop_corners++;
    return FR_OK;
}

static fr_status end_loop(stl_text *stl, const char *word) {
    if (!stl->in_loop) { return unexpected(stl, word, "outer loop"); }
    if (stl->loop_corners < 3) { return unexpected(stl, word, "three vertices"); }
    stl->in_loop = false;
    return fr__builder_end_face(&stl->reader->builder, stl->loop_corners) ? FR_OK
                                                                         : fr__reader_fail_building(stl->reader, word);
}

static fr_status end_solid(stl_text *stl, const char *word) {
    if (stl->in_facet) { return unexpected(stl, word, "endfacet"); }
    stl->in_solid = false;
    fr__skip_to_line_end(&stl->reader->cursor);
    return FR_OK;
}

static fr_status read_word(stl_text *stl) {
    fr__cursor *cursor = &stl->reader->cursor;
    fr__span word = fr__take_word(cursor);
    if (fr__span_is(word, "vertex")) { return read_vertex(stl, word.begin); }
    if (fr__span_is(word, "facet")) { return read_facet(stl, word.begin); }
    if (fr__span_is(word, "outer")) { return read_loop(stl, word.begin); }
    if (fr__span_is(word, "endloop")) { return end_loop(stl, word.begin); }
    if (fr__span_is(word, "endfacet")) {
        if (!stl->in_facet || stl->in_loop) { return unexpected(stl, word.begin, stl->in_loop ? "endloop" : "facet"); }
        stl->in_facet = false;
        return FR_OK;
    }
    if (fr__span_is(word, "solid")) {
        if (stl->in_facet) { return unexpected(stl, word.begin, "endfacet"); }
        return begin_solid(stl, fr__rest_of_line(cursor));
    }
    if (fr__span_is(word, "endsolid")) { return end_solid(stl, word.begin); }
    if (stl->in_facet) { return unexpected(stl, word.begin, stl->in_loop ? "vertex or endloop" : "endfacet"); }
    fr__reader_warn(stl->reader, word.begin, "a line that is no part of STL is passed over");
    fr__skip_to_line_end(cursor);
    return FR_OK;
}

fr_status fr__read_stl_ascii(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    stl_text stl = {.reader = reader};
    for (fr__skip_spaces(cursor); !fr__cursor_at_end(cursor); fr__skip_spaces(cursor)) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(read_word(&stl));
    }
    if (stl.in_facet) { return unexpected(&stl, cursor->end, stl.in_loop ? "endloop" : "endfacet"); }
    if (stl.in_solid) { fr__reader_warn(reader, cursor->end, "the file ends without endsolid"); }
    if (reader->builder.parts.count == 0) { FR__TRY(begin_solid(&stl, (fr__span){"", 0})); }
    if (reader->builder.face_count == 0) { fr__reader_warn(reader, cursor->end, "the file has no facet"); }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Binary

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

fr_status fr__read_stl_binary(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    size_t size = fr__cursor_left(cursor);
    if (size < HEADER_BYTES) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_SYNTAX, "%llu bytes are too few for a binary STL file",
                               (unsigned long long)size);
    }
    uint32_t count = fr__load_u32(cursor->at + HEADER_BYTES - 4, false);
    uint64_t needed = HEADER_BYTES + (uint64_t)TRIANGLE_BYTES * count;
    if (needed > size) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_CORRUPT,
                               "the header at byte 80 promises %u triangles in %llu bytes, but there are %llu", count,
                               (unsigned long long)needed, (unsigned long long)size);
    }
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    if (!fr__builder_begin_part(&reader->builder, header_name(cursor->at)) ||
        !fr_array_reserve(&reader->builder.positions, (size_t)3 * count) ||
        !fr_array_reserve(&reader->builder.corners, (size_t)3 * count)) {
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
