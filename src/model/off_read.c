// Reads OFF: [ST][C][N]OFF, counts, a line a vertex, a line a polygon with an optional colour. What follows x y z on a
// vertex's line (normal, colour, texture) is passed over.
#include "builder.h"

#include <string.h>

// Spaces and comments; mostly one space.
static inline void skip_gap(fr__cursor *cursor) {
    const char *at = cursor->at;
    if (cursor->end - at >= 2 && *at == ' ' && at[1] > '#') {
        cursor->at++;
        return;
    }
    for (;;) {
        fr__skip_spaces(cursor);
        if (fr__cursor_at_end(cursor) || *cursor->at != '#') { return; }
        fr__skip_to_line_end(cursor);
    }
}

static bool at_row_end(const fr__cursor *cursor) { return fr__cursor_at_line_end(cursor) || *cursor->at == '#'; }

static bool skip_prefix(fr__span *word, const char *prefix) {
    size_t length = strlen(prefix);
    if (word->length < length || memcmp(word->begin, prefix, length) != 0) { return false; }
    word->begin += length;
    word->length -= length;
    return true;
}

// The word in front: [ST][C][N][4][n]OFF, or nothing, in which case the file begins with its counts.
static fr_status read_word(fr__cursor *cursor) {
    skip_gap(cursor);
    const char *start = cursor->at;
    fr__span word = fr__take_word(cursor);
    skip_prefix(&word, "ST");
    skip_prefix(&word, "C");
    skip_prefix(&word, "N");
    bool is_higher = skip_prefix(&word, "4");
    is_higher = skip_prefix(&word, "n") || is_higher;
    if (!fr__span_is(word, "off")) {
        cursor->at = start;
        if (!fr__cursor_at_end(cursor) && *start >= '0' && *start <= '9') { return FR_OK; }
        char found[FR__FOUND_BYTES];
        return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "expected OFF, found %s",
                               fr__cursor_found(cursor, found));
    }
    if (is_higher) {
        return fr__cursor_fail(cursor, start, FR_ERROR_UNSUPPORTED, "OFF of other than three dimensions is not read");
    }
    fr__skip_blanks(cursor);
    start = cursor->at;
    if (fr__span_is(fr__take_word(cursor), "binary")) {
        return fr__cursor_fail(cursor, start, FR_ERROR_UNSUPPORTED, "binary OFF is not read; write it as text");
    }
    cursor->at = start;
    return FR_OK;
}

// Vertices, polygons and, often left out, edges.
static fr_status read_counts(fr__reader *reader, uint64_t *vertex_count, uint64_t *face_count) {
    fr__cursor *cursor = &reader->cursor;
    skip_gap(cursor);
    const char *vertices_at = cursor->at;
    int64_t vertices = 0, faces = 0, edges = 0;
    FR__TRY(fr__take_integer(cursor, "the count of vertices", &vertices));
    skip_gap(cursor);
    const char *faces_at = cursor->at;
    FR__TRY(fr__take_integer(cursor, "the count of polygons", &faces));
    fr__skip_blanks(cursor);
    if (!at_row_end(cursor)) { FR__TRY(fr__take_integer(cursor, "the count of edges", &edges)); }
    if (vertices < 0 || faces < 0) {
        return fr__cursor_fail(cursor, vertices < 0 ? vertices_at : faces_at, FR_ERROR_CORRUPT, "a count below 0");
    }
    *vertex_count = (uint64_t)vertices;
    *face_count = (uint64_t)faces;
    FR__TRY(fr__reader_check_promise(reader, vertices_at, *vertex_count, 6, "vertices"));
    return fr__reader_check_promise(reader, faces_at, *face_count, 2, "polygons");
}

static fr_status read_vertex(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    void *position = fr__builder_vertex(&reader->builder);
    if (position == NULL) { return fr__reader_fail_building(reader, cursor->at); }
    for (int i = 0; i < 3; i++) {
        skip_gap(cursor);
        if (reader->builder.is_double) {
            FR__TRY(fr__take_double(cursor, "a coordinate", (double *)position + i));
        } else {
            FR__TRY(fr__take_float(cursor, "a coordinate", (float *)position + i));
        }
    }
    fr__skip_to_line_end(cursor);
    return FR_OK;
}

// One part of a colour: a whole number 0 .. 255, or with a point 0 .. 1.
static uint8_t channel(double value, bool is_fraction) {
    double scaled = is_fraction ? value * 255.0 : value;
    return (uint8_t)(scaled > 0.0 ? (scaled < 255.0 ? scaled + 0.5 : 255.0) : 0.0);
}

// What may follow a polygon's corners: nothing, an index of a colour table (which the file does not have), r g b, or
// r g b a.
static fr_status read_color(fr__reader *reader, fr_color *color, bool *is_colored) {
    fr__cursor *cursor = &reader->cursor;
    double values[4] = {0.0, 0.0, 0.0, 0.0};
    bool is_fraction = false;
    int count = 0;
    for (fr__skip_blanks(cursor); !at_row_end(cursor); fr__skip_blanks(cursor)) {
        if (count == 4) {
            return fr__cursor_fail(cursor, cursor->at, FR_ERROR_SYNTAX, "more than 4 numbers of a colour");
        }
        const char *start = cursor->at;
        FR__TRY(fr__take_double(cursor, "a colour", &values[count++]));
        for (const char *p = start; p < cursor->at; p++) {
            is_fraction |= *p == '.';
        }
    }
    *is_colored = count >= 3;
    if (!*is_colored) { return FR_OK; }
    color->r = channel(values[0], is_fraction);
    color->g = channel(values[1], is_fraction);
    color->b = channel(values[2], is_fraction);
    color->a = count == 4 ? channel(values[3], is_fraction) : 255;
    return FR_OK;
}

static fr_status read_corners(fr__reader *reader, int64_t count, uint64_t vertex_count) {
    fr__cursor *cursor = &reader->cursor;
    for (int64_t i = 0; i < count; i++) {
        skip_gap(cursor);
        const char *start = cursor->at;
        int64_t vertex = 0;
        FR__TRY(fr__take_integer(cursor, "a corner", &vertex));
        if (vertex < 0 || (uint64_t)vertex >= vertex_count) {
            return fr__cursor_fail(cursor, start, FR_ERROR_CORRUPT, "vertex %lld of %llu, counted from 0",
                                   (long long)vertex, (unsigned long long)vertex_count);
        }
        if (!fr__builder_corner(&reader->builder, (uint32_t)vertex)) { return fr__reader_fail_building(reader, start); }
    }
    return FR_OK;
}

static fr_status read_face(fr__reader *reader, uint64_t vertex_count) {
    fr__cursor *cursor = &reader->cursor;
    fr__builder *builder = &reader->builder;
    skip_gap(cursor);
    const char *start = cursor->at;
    int64_t count = 0;
    FR__TRY(fr__take_integer(cursor, "the count of corners", &count));
    if (count < 0) { return fr__cursor_fail(cursor, start, FR_ERROR_CORRUPT, "a count below 0"); }
    size_t before = builder->corners.count;
    FR__TRY(read_corners(reader, count, vertex_count));
    fr_color color = {0, 0, 0, 255};
    bool is_colored = false;
    FR__TRY(read_color(reader, &color, &is_colored));
    if (count < 3) {
        fr__reader_warn(reader, start, "a polygon of %d corners is passed over", (int)count);
        builder->corners.count = before;
        return fr__builder_set_id(builder, builder->next_id + 1) ? FR_OK : fr__reader_fail_building(reader, start);
    }
    if (!fr__builder_end_face(builder, (size_t)count) || (is_colored && !fr__builder_color_face(builder, color))) {
        return fr__reader_fail_building(reader, start);
    }
    return FR_OK;
}

fr_status fr__read_off(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    uint64_t vertex_count = 0, face_count = 0;
    FR__TRY(read_word(cursor));
    FR__TRY(read_counts(reader, &vertex_count, &face_count));
    fr__builder_set_double(&reader->builder, reader->precision != FR_MODEL_FLOAT);
    if (!fr__builder_begin_part(&reader->builder, (fr__span){"", 0})) { return fr__reader_fail_building(reader, NULL); }
    for (uint64_t i = 0; i < vertex_count; i++) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(read_vertex(reader));
    }
    for (uint64_t i = 0; i < face_count; i++) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(read_face(reader, vertex_count));
    }
    skip_gap(cursor);
    if (!fr__cursor_at_end(cursor)) {
        fr__reader_warn(reader, cursor->at, "what follows the last polygon is passed over");
    }
    if (face_count == 0) { fr__reader_warn(reader, cursor->at, "the file has no polygon"); }
    return FR_OK;
}
