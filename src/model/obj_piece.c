// Reads the plain statements of a piece of an OBJ file: `v` with three numbers and `f` with numbers of vertices from 1.
#include "obj_piece.h"

// "v 0 0 0" and a line end are 8 bytes, three corners of "f 1 2 3" too. The last line of a file may have no
// end.
fr__obj_piece_room fr__obj_piece_room_of(size_t bytes) {
    return (fr__obj_piece_room){(bytes + 1) / 8 + 1, bytes / 2 + 1, (bytes + 1) / 8 + 1, bytes / 32 + 1};
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && fr__is_blank(*at)) {
        at++;
    }
    return at;
}

static bool at_line_end(const char *at, const char *end) { return at == end || fr__is_line_end(*at); }

static bool at_gap(const char *at, const char *end) { return at == end || fr__is_space(*at); }

// To the begin of the next line; NULL where a backslash may join it with this one.
static const char *next_line(const char *at, const char *end) {
    const char *begin = at;
    while (!at_line_end(at, end)) {
        at++;
    }
    if (at > begin && at[-1] == '\\') { return NULL; }
    return at < end ? at + 1 : at;
}

// The three numbers of a vertex, to the end of its line; NULL when they are not plain.
static const char *read_vertex(fr__obj_piece *piece, bool is_double, const char *at) {
    size_t first = 3 * (size_t)piece->vertex_count++;
    for (size_t i = first; i < first + 3; i++) {
        at = skip_blanks(at, piece->end);
        fr_number_result result = is_double ? fr_number_read(&at, piece->end, (double *)piece->positions + i)
                                            : fr_number_read_float(&at, piece->end, (float *)piece->positions + i);
        if (result != FR_NUMBER_OK || !at_gap(at, piece->end)) { return NULL; }
    }
    at = skip_blanks(at, piece->end);
    return at_line_end(at, piece->end) ? at : NULL;
}

// What stands behind the vertex of a corner: up to two slashes, each with a number or none.
static const char *skip_corner_rest(const char *at, const char *end) {
    for (int slashes = 0; at < end && *at == '/' && slashes < 2; slashes++) {
        at++;
        int64_t ignored;
        fr_number_read_whole(&at, end, &ignored);
    }
    return at_gap(at, end) ? at : NULL;
}

static const char *read_face(fr__obj_piece *piece, const char *at) {
    uint32_t before = piece->corner_count;
    for (at = skip_blanks(at, piece->end); !at_line_end(at, piece->end); at = skip_blanks(at, piece->end)) {
        const char *start = at;
        int64_t number;
        if (!fr_number_read_whole(&at, piece->end, &number) || number <= 0 || number > UINT32_MAX) { return NULL; }
        if (number > piece->largest_vertex) {
            piece->largest_vertex = number;
            piece->largest_at = start;
        }
        piece->corners[piece->corner_count++] = (uint32_t)(number - 1);
        at = skip_corner_rest(at, piece->end);
        if (at == NULL) { return NULL; }
    }
    uint32_t count = piece->corner_count - before;
    if (count < 3) { return NULL; }
    piece->has_triangles_only &= count == 3;
    piece->face_corners[piece->face_count++] = count;
    return at;
}

// A line that carries nothing: empty, a comment, a texture vertex or a normal.
static bool is_passed_over(const char *at, const char *end) {
    if (at_line_end(at, end) || *at == '#') { return true; }
    return end - at >= 2 && at[0] == 'v' && (at[1] == 't' || at[1] == 'n') && at_gap(at + 2, end);
}

void fr__obj_piece_read(fr__obj_piece *piece, bool is_double) {
    piece->vertex_count = piece->corner_count = piece->face_count = piece->statement_count = 0;
    piece->largest_vertex = 0;
    piece->has_triangles_only = true;
    piece->is_plain = false;
    for (const char *at = piece->begin; at < piece->end;) {
        at = skip_blanks(at, piece->end);
        bool is_alone = at + 1 < piece->end && fr__is_blank(at[1]);
        if (is_alone && *at == 'v') {
            at = read_vertex(piece, is_double, at + 1);
        } else if (is_alone && *at == 'f') {
            at = read_face(piece, at + 1);
        } else if (!is_passed_over(at, piece->end)) {
            if (piece->statement_count == piece->statement_room) { return; }
            piece->statements[piece->statement_count++] = (fr__obj_statement){at, piece->face_count};
        }
        at = at != NULL ? next_line(at, piece->end) : NULL;
        if (at == NULL) { return; }
    }
    piece->is_plain = true;
}
