// Reads the plain statements of a piece of an OBJ file: `v` and `vn` with three numbers, `f` with numbers of
// vertices and normals from 1.
#include "obj_piece.h"

// "v 0 0 0" and a line end are 8 bytes, three corners of "f 1 2 3" too, "vn 0 0 0" is 9. The last line of a file may
// have no end.
fr__obj_piece_room fr__obj_piece_room_of(size_t bytes) {
    return (fr__obj_piece_room){(bytes + 1) / 8 + 1, bytes / 2 + 1, (bytes + 1) / 8 + 1, bytes / 32 + 1,
                                (bytes + 1) / 9 + 1};
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

// The three numbers of a normal; NULL when they are not plain.
static const char *read_normal(fr__obj_piece *piece, const char *at) {
    float *normal = piece->normals[piece->normal_count++];
    for (int i = 0; i < 3; i++) {
        at = skip_blanks(at, piece->end);
        if (fr_number_read_float(&at, piece->end, &normal[i]) != FR_NUMBER_OK || !at_gap(at, piece->end)) {
            return NULL;
        }
    }
    return at;
}

// What stands behind the vertex of a corner: up to two slashes, each with a number or none, the second one a normal's.
static const char *read_corner_rest(fr__obj_piece *piece, const char *at, uint32_t *normal) {
    for (int slashes = 0; at < piece->end && *at == '/' && slashes < 2; slashes++) {
        at++;
        int64_t number = 0;
        bool is_number = fr_number_read_whole(&at, piece->end, &number);
        if (slashes == 0 || !is_number) { continue; }
        if (number < 0) { return NULL; }
        if (number > 0 && number <= UINT32_MAX) { *normal = (uint32_t)(number - 1); }
    }
    piece->has_normal_numbers |= *normal != FR_NONE;
    return at_gap(at, piece->end) ? at : NULL;
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
        uint32_t *normal = &piece->normal_numbers[piece->corner_count];
        *normal = FR_NONE;
        piece->corners[piece->corner_count++] = (uint32_t)(number - 1);
        at = read_corner_rest(piece, at, normal);
        if (at == NULL) { return NULL; }
    }
    uint32_t count = piece->corner_count - before;
    if (count < 3) { return NULL; }
    piece->has_triangles_only &= count == 3;
    piece->face_corners[piece->face_count++] = count;
    return at;
}

// A line that carries nothing: empty, a comment or a texture vertex.
static bool is_passed_over(const char *at, const char *end) {
    if (at_line_end(at, end) || *at == '#') { return true; }
    return end - at >= 2 && at[0] == 'v' && at[1] == 't' && at_gap(at + 2, end);
}

void fr__obj_piece_read(fr__obj_piece *piece, bool is_double) {
    piece->vertex_count = piece->corner_count = piece->face_count = piece->statement_count = 0;
    piece->normal_count = 0;
    piece->has_normal_numbers = false;
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
        } else if (piece->end - at >= 3 && at[0] == 'v' && at[1] == 'n' && fr__is_blank(at[2])) {
            at = read_normal(piece, at + 2);
        } else if (!is_passed_over(at, piece->end)) {
            if (piece->statement_count == piece->statement_room) { return; }
            piece->statements[piece->statement_count++] = (fr__obj_statement){at, piece->face_count};
        }
        at = at != NULL ? next_line(at, piece->end) : NULL;
        if (at == NULL) { return; }
    }
    piece->is_plain = true;
}
