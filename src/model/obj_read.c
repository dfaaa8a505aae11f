// Reads OBJ: v, vn, f, o, g, usemtl, mtllib; the rest is passed over. With workers the file is cut into pieces at line
// ends, which they read at once; a piece that holds anything unusual is read statement by statement, as all of it is
// without workers, so that errors and warnings are the same.
#include "obj.h"
#include "obj_piece.h"

#include <string.h>

// Pieces are large enough that one is worth a worker's while, and so few that what they hold is little.
#define PIECE_BYTES ((size_t)1 << 18)
#define PIECES_A_WORKER 4

// Blanks, and a backslash at the end of a line, which joins it with the next.
static inline void skip_gap(fr__cursor *cursor) {
    for (;;) {
        fr__skip_blanks(cursor);
        const char *next = cursor->at + 1;
        if (next >= cursor->end || *cursor->at != '\\' || !fr__is_line_end(*next)) { return; }
        cursor->at = next;
        fr__skip_line(cursor);
    }
}

static inline bool at_statement_end(const fr__cursor *cursor) {
    return fr__cursor_at_line_end(cursor) || *cursor->at == '#';
}

// Past the end of a statement, with the lines that are joined to it. A comment joins nothing: one that ends with the
// path of a folder of Windows hides no statement.
static void skip_statement(fr__cursor *cursor) {
    bool comment = !fr__cursor_at_end(cursor) && *cursor->at == '#';
    for (;;) {
        const char *begin = cursor->at;
        fr__skip_to_line_end(cursor);
        bool joined = cursor->at > begin && cursor->at[-1] == '\\' && !fr__cursor_at_end(cursor);
        fr__skip_line(cursor);
        if (comment || !joined) { return; }
    }
}

// What may follow x y z: a weight, a colour, or both.
static fr_status read_after_position(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    const char *start = cursor->at;
    double first = 1.0;
    int count = 0;
    for (; !at_statement_end(cursor); count++) {
        double value;
        FR__TRY(fr__take_double(cursor, "a weight or colour", &value));
        if (count == 0) { first = value; }
        skip_gap(cursor);
    }
    if (count == 2 || count > 4) {
        return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX,
                               "%d numbers after x y z; a weight, a colour of 3, or both may stand here", count);
    }
    if (count == 1 && first != 1.0) { fr__reader_warn(reader, start, "the weight of a vertex is passed over"); }
    return FR_OK;
}

// `v x y z`: the numbers stand at the cursor.
static fr_status read_vertex(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    void *position = fr__builder_vertex(&reader->builder);
    if (position == NULL) { return fr__reader_fail_building(reader, cursor->at); }
    if (reader->builder.is_double) {
        double *p = position;
        for (int i = 0; i < 3; i++) {
            skip_gap(cursor);
            FR__TRY(fr__take_double(cursor, "a coordinate", &p[i]));
        }
    } else {
        float *p = position;
        for (int i = 0; i < 3; i++) {
            skip_gap(cursor);
            FR__TRY(fr__take_float(cursor, "a coordinate", &p[i]));
        }
    }
    skip_gap(cursor);
    return at_statement_end(cursor) ? FR_OK : read_after_position(reader);
}

// `vn x y z`: what stands at the cursor. A normal that is none is zero, so that those after it keep their numbers.
static fr_status read_normal(fr__obj *obj, const char *statement) {
    fr__cursor *cursor = &obj->reader->cursor;
    fr__float3 *normal = fr__float3_array_push(&obj->normals, 1);
    if (normal == NULL) { return fr__reader_fail_building(obj->reader, statement); }
    memset(*normal, 0, sizeof *normal);
    float numbers[3];
    bool is_good = true;
    for (int i = 0; i < 3 && is_good; i++) {
        skip_gap(cursor);
        is_good = fr_number_read_float(&cursor->at, cursor->end, &numbers[i]) == FR_NUMBER_OK;
    }
    if (is_good) {
        memcpy(*normal, numbers, sizeof numbers);
    } else {
        fr__reader_warn(obj->reader, statement, "a normal that is not three numbers is passed over");
    }
    return FR_OK;
}

// Gives the corner that was appended last the normal of a number, as it stands in the file; 0: none.
static bool note_normal(fr__obj *obj, int64_t number) {
    const int64_t count = (int64_t)obj->normals.count;
    if (number < 0) { number = number < -count ? 0 : number + count + 1; }
    if (number <= 0 || number > UINT32_MAX) { return true; }
    fr_uint32_array *numbers = &obj->normal_numbers;
    size_t missing = obj->reader->builder.corners.count - numbers->count;
    uint32_t *place = fr_uint32_array_push(numbers, missing);
    if (place == NULL) { return false; }
    memset(place, 0xff, (missing - 1) * sizeof *place);
    place[missing - 1] = (uint32_t)(number - 1);
    return true;
}

// The numbers of texture vertex and normal after a corner's vertex: /7, /7/3, //3, and with nothing after a slash.
static fr_status read_corner_rest(fr__cursor *cursor, int64_t *normal) {
    for (int slashes = 0; cursor->at < cursor->end && *cursor->at == '/'; slashes++) {
        if (slashes == 2) { break; }
        cursor->at++;
        int64_t number;
        if (fr_number_read_whole(&cursor->at, cursor->end, &number) && slashes == 1) { *normal = number; }
    }
    if (fr__cursor_number_ended(cursor)) { return FR_OK; }
    char found[FR__FOUND_BYTES];
    return fr__cursor_fail(cursor, cursor->at, FR_ERROR_SYNTAX, "a corner is v, v/t, v//n or v/t/n, but here is %s",
                           fr__cursor_found(cursor, found));
}

// A corner's vertex as an index from 0, and the number of its normal where it has one. Vertices may come after the
// polygons that use them.
static inline fr_status read_corner(fr__obj *obj, uint32_t *vertex, int64_t *normal) {
    fr__cursor *cursor = &obj->reader->cursor;
    const char *start = cursor->at;
    int64_t number;
    if (!fr_number_read_whole(&cursor->at, cursor->end, &number)) {
        char found[FR__FOUND_BYTES];
        return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "expected the number of a vertex, found %s",
                               fr__cursor_found(cursor, found));
    }
    if (number < 0) {
        int64_t vertex_count = (int64_t)obj->reader->builder.positions.count;
        if (number < -vertex_count) {
            return fr__cursor_fail(cursor, start, FR_ERROR_CORRUPT, "vertex %lld, but only %lld stand before it",
                                   (long long)number, (long long)vertex_count);
        }
        number += vertex_count + 1;
    } else if (number == 0) {
        return fr__cursor_fail(cursor, start, FR_ERROR_CORRUPT, "vertex 0: OBJ counts vertices from 1");
    }
    if (number > obj->largest_vertex) {
        obj->largest_vertex = number;
        obj->largest_at = start;
    }
    *vertex = (uint32_t)(number - 1);
    return fr__cursor_number_ended(cursor) ? FR_OK : read_corner_rest(cursor, normal);
}

// `f`: the corners stand at the cursor. A polygon of fewer than 3 is passed over, with its number.
static fr_status read_face(fr__obj *obj, const char *statement) {
    fr__reader *reader = obj->reader;
    fr__cursor *cursor = &reader->cursor;
    size_t before = reader->builder.corners.count;
    for (skip_gap(cursor); !at_statement_end(cursor); skip_gap(cursor)) {
        uint32_t vertex = 0;
        int64_t normal = 0;
        FR__TRY(read_corner(obj, &vertex, &normal));
        if (!fr__builder_corner(&reader->builder, vertex) || !note_normal(obj, normal)) {
            return fr__reader_fail_building(reader, statement);
        }
    }
    size_t count = reader->builder.corners.count - before;
    if (count >= 3) {
        return fr__builder_end_face(&reader->builder, count) ? FR_OK : fr__reader_fail_building(reader, statement);
    }
    fr__reader_warn(reader, statement, "a polygon of %d corners is passed over", (int)count);
    reader->builder.corners.count = before;
    if (obj->normal_numbers.count > before) { obj->normal_numbers.count = before; }
    return fr__builder_set_id(&reader->builder, reader->builder.next_id + 1)
               ? FR_OK
               : fr__reader_fail_building(reader, statement);
}

// Begins a segment for the polygons to come.
static fr_status begin_segment(fr__obj *obj, fr__obj_segment segment) {
    segment.first_face = obj->reader->builder.face_count;
    fr__obj_segment *last = obj->segments.data + obj->segments.count - 1;
    if (last->first_face != segment.first_face) {
        last = fr__obj_segment_array_push(&obj->segments, 1);
        if (last == NULL) { return fr__reader_fail_building(obj->reader, NULL); }
    }
    *last = segment;
    return FR_OK;
}

// `mtllib`: the files are read when all materials are known. A name that is there twice counts once.
static fr_status note_library(fr__obj *obj) {
    fr__span names = fr__rest_of_line(&obj->reader->cursor);
    bool is_noted = names.length == 0 || fr__names_find_or_append(&obj->libraries, names) != FR_NONE;
    return is_noted ? FR_OK : fr__reader_fail_building(obj->reader, NULL);
}

// `o`, `g`, `usemtl`: the name is the rest of the line.
static fr_status read_name(fr__obj *obj, char statement) {
    fr__obj_segment segment = obj->segments.data[obj->segments.count - 1];
    fr__span name = fr__rest_of_line(&obj->reader->cursor);
    uint32_t number;
    if (statement == 'o') {
        number = segment.object = fr__names_append(&obj->objects, name);
    } else if (statement == 'g') {
        number = segment.group = fr__names_find_or_append(&obj->groups, name);
    } else {
        number = segment.material = fr__names_find_or_append(&obj->materials, name);
    }
    return number != FR_NONE ? begin_segment(obj, segment) : fr__reader_fail_building(obj->reader, NULL);
}

// Statements that are known and carry nothing that is kept; `vt` is met so often that it comes first.
static bool is_passed_over(fr__span word) {
    static const char *const words[] = {"vt",    "s",        "vp",       "usemap",     "maplib",    "lod",
                                        "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", "mg"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (fr__span_is(word, words[i])) { return true; }
    }
    return false;
}

// Any statement but `v` and `f`, its first word at the cursor.
static fr_status read_other(fr__obj *obj) {
    fr__cursor *cursor = &obj->reader->cursor;
    const char *start = cursor->at;
    char found[FR__FOUND_BYTES];
    fr__cursor_found(cursor, found);
    fr__span word = fr__take_word(cursor);
    if (word.length == 1 && (*word.begin == 'o' || *word.begin == 'g')) { return read_name(obj, *word.begin); }
    if (fr__span_is(word, "vn")) { return read_normal(obj, start); }
    if (fr__span_is(word, "usemtl")) { return read_name(obj, 'u'); }
    if (fr__span_is(word, "mtllib")) { return note_library(obj); }
    if (!is_passed_over(word)) { fr__reader_warn(obj->reader, start, "statement %s is passed over", found); }
    return FR_OK;
}

static fr_status read_statement(fr__obj *obj) {
    fr__cursor *cursor = &obj->reader->cursor;
    skip_gap(cursor);
    if (at_statement_end(cursor)) { return FR_OK; }
    const char *start = cursor->at;
    bool alone = cursor->at + 1 >= cursor->end || fr__is_space(cursor->at[1]) || cursor->at[1] == '\\';
    if (*start == 'v' && alone) {
        cursor->at++;
        return read_vertex(obj->reader);
    }
    if (*start == 'f' && alone) {
        cursor->at++;
        return read_face(obj, start);
    }
    return read_other(obj);
}

static fr_status read_until(fr__obj *obj, const char *end) {
    fr__cursor *cursor = &obj->reader->cursor;
    while (cursor->at < end) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(read_statement(obj));
        skip_statement(cursor);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

typedef struct piece_round {
    fr__obj_piece *pieces;
    size_t count, max_count;
    size_t piece_bytes; // the longest that a piece may be
    bool is_double;
} piece_round;

static void read_pieces(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    piece_round *round = context;
    for (size_t i = begin; i < end; i++) {
        if (round->pieces[i].is_plain) { fr__obj_piece_read(&round->pieces[i], round->is_double); }
    }
}

// The end of the line that `at` is in, past its LF; NULL where none comes before `limit`. Lines that a backslash joins
// are one.
static const char *line_end(const char *at, const char *limit) {
    for (; at < limit; at++) {
        at = memchr(at, '\n', (size_t)(limit - at));
        if (at == NULL) { return NULL; }
        bool is_joined = at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\');
        if (!is_joined) { return at + 1; }
    }
    return NULL;
}

// Cuts pieces off from `at` on. The last one may be too long for workers: it is not plain.
static void cut_pieces(piece_round *round, const char *at, const char *end) {
    for (round->count = 0; round->count < round->max_count && at < end; round->count++) {
        fr__obj_piece *piece = &round->pieces[round->count];
        const char *next = end;
        piece->is_plain = true;
        if ((size_t)(end - at) > round->piece_bytes) {
            next = line_end(at + PIECE_BYTES, at + round->piece_bytes);
            piece->is_plain = next != NULL;
            if (next == NULL) { next = end; }
        }
        piece->begin = at;
        piece->end = next;
        at = next;
    }
}

// Appends the numbers of the normals of a piece's corners, of which the last are the builder's last.
static bool append_numbers(fr__obj *obj, const fr__obj_piece *piece, size_t begin, size_t end) {
    if (!piece->has_normal_numbers || begin == end) { return true; }
    fr_uint32_array *numbers = &obj->normal_numbers;
    size_t first = obj->reader->builder.corners.count - (end - begin), missing = first - numbers->count;
    uint32_t *place = fr_uint32_array_push(numbers, missing + (end - begin));
    if (place == NULL) { return false; }
    memset(place, 0xff, missing * sizeof *place);
    memcpy(place + missing, piece->normal_numbers + begin, (end - begin) * sizeof *place);
    return true;
}

// Appends polygons [begin, end) of a piece; `corner` is the first one's first corner, and then that of the next.
static bool append_polygons(fr__builder *builder, const fr__obj_piece *piece, uint32_t begin, uint32_t end,
                            size_t *corner) {
    if (piece->has_triangles_only) {
        const uint32_t *first = piece->corners + *corner;
        *corner += 3 * (size_t)(end - begin);
        return fr__builder_triangles(builder, first, end - begin);
    }
    for (uint32_t i = begin; i < end; i++) {
        for (uint32_t k = 0; k < piece->face_corners[i]; k++) {
            if (!fr__builder_corner(builder, piece->corners[(*corner)++])) { return false; }
        }
        if (!fr__builder_end_face(builder, piece->face_corners[i])) { return false; }
    }
    return true;
}

static bool append_faces(fr__obj *obj, const fr__obj_piece *piece, uint32_t begin, uint32_t end, size_t *corner) {
    size_t first = *corner;
    return append_polygons(&obj->reader->builder, piece, begin, end, corner) &&
           append_numbers(obj, piece, first, *corner);
}

// Whether all of a piece is within the limits: what is not is read statement by statement, to find where it ends.
static bool fits_limits(const fr__builder *b, const fr__obj_piece *piece) {
    const fr_model_limits *limits = &b->limits;
    uint64_t vertices = b->positions.count + (uint64_t)piece->vertex_count;
    uint64_t corners = b->corners.count + (uint64_t)piece->corner_count;
    uint64_t faces = b->face_count + (uint64_t)piece->face_count;
    return vertices <= limits->vertices && corners <= limits->corners && faces <= limits->faces;
}

static fr_status append_piece(fr__obj *obj, const fr__obj_piece *piece) {
    fr__reader *reader = obj->reader;
    fr__builder *builder = &reader->builder;
    reader->cursor.at = piece->begin;
    FR__TRY(fr__cursor_check(&reader->cursor));
    if (!piece->is_plain || !fits_limits(builder, piece)) { return read_until(obj, piece->end); }
    void *positions = fr__builder_vertices(builder, piece->vertex_count);
    if (positions == NULL && piece->vertex_count > 0) { return fr__reader_fail_building(reader, piece->begin); }
    if (piece->vertex_count > 0) {
        memcpy(positions, piece->positions, piece->vertex_count * builder->positions.element_bytes);
    }
    fr__float3 *normals = fr__float3_array_push(&obj->normals, piece->normal_count);
    if (normals == NULL && piece->normal_count > 0) { return fr__reader_fail_building(reader, piece->begin); }
    if (piece->normal_count > 0) { memcpy(normals, piece->normals, piece->normal_count * sizeof *normals); }
    if (piece->largest_vertex > obj->largest_vertex) {
        obj->largest_vertex = piece->largest_vertex;
        obj->largest_at = piece->largest_at;
    }
    uint32_t face = 0;
    size_t corner = 0;
    for (uint32_t i = 0; i < piece->statement_count; i++) {
        const fr__obj_statement *statement = &piece->statements[i];
        if (!append_faces(obj, piece, face, statement->face, &corner)) {
            return fr__reader_fail_building(reader, piece->begin);
        }
        face = statement->face;
        reader->cursor.at = statement->at;
        FR__TRY(read_statement(obj));
    }
    if (!append_faces(obj, piece, face, piece->face_count, &corner)) {
        return fr__reader_fail_building(reader, piece->begin);
    }
    reader->cursor.at = piece->end;
    return FR_OK;
}

static fr_status read_rounds(fr__obj *obj, piece_round *round) {
    fr__cursor *cursor = &obj->reader->cursor;
    while (!fr__cursor_at_end(cursor)) {
        cut_pieces(round, cursor->at, cursor->end);
        fr_tasks_run(obj->reader->input->tasks, FR_SCHEDULE_DYNAMIC, round->count, 1, read_pieces, round);
        for (size_t i = 0; i < round->count; i++) {
            FR__TRY(append_piece(obj, &round->pieces[i]));
        }
    }
    return FR_OK;
}

// Takes the memory of all pieces of a round at once: the allocator of a reading is for one thread.
static fr_status read_shared(fr__obj *obj) {
    const fr_allocator *allocator = &obj->reader->builder.allocator;
    piece_round round = {.max_count = PIECES_A_WORKER * (size_t)fr_tasks_worker_count(obj->reader->input->tasks),
                         .piece_bytes = PIECE_BYTES + PIECE_BYTES / 4,
                         .is_double = obj->reader->builder.is_double};
    const fr__obj_piece_room room = fr__obj_piece_room_of(round.piece_bytes);
    size_t position_bytes = obj->reader->builder.positions.element_bytes;
    size_t bytes = room.positions * position_bytes + room.statements * sizeof(fr__obj_statement) +
                   (2 * room.corners + room.faces) * sizeof(uint32_t) + room.normals * sizeof(fr__float3);
    bytes = (bytes + 63) / 64 * 64;
    round.pieces = fr_allocate(allocator, round.max_count, sizeof *round.pieces, 16);
    char *memory = fr_allocate(allocator, round.max_count, bytes, 64);
    bool has_room = round.pieces != NULL && memory != NULL;
    for (size_t i = 0; has_room && i < round.max_count; i++) {
        fr__obj_piece *piece = &round.pieces[i];
        *piece = (fr__obj_piece){.statements = (fr__obj_statement *)(void *)(memory + i * bytes)};
        piece->statement_room = (uint32_t)room.statements;
        piece->positions = piece->statements + room.statements;
        piece->corners = (uint32_t *)(void *)((char *)piece->positions + room.positions * position_bytes);
        piece->face_corners = piece->corners + room.corners;
        piece->normal_numbers = piece->face_corners + room.faces;
        piece->normals = (fr__float3 *)(void *)(piece->normal_numbers + room.corners);
    }
    // Without that memory it is read as without workers.
    fr_status status = has_room ? read_rounds(obj, &round) : read_until(obj, obj->reader->cursor.end);
    fr_deallocate(allocator, memory, round.max_count, bytes);
    fr_deallocate(allocator, round.pieces, round.max_count, sizeof *round.pieces);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static fr_status read_statements(fr__obj *obj) {
    fr__reader *reader = obj->reader;
    fr__cursor *cursor = &reader->cursor;
    fr__obj_segment *first = fr__obj_segment_array_push(&obj->segments, 1);
    if (first == NULL || !fr__builder_begin_part(&reader->builder, (fr__span){"", 0})) {
        return fr__reader_fail_building(reader, NULL);
    }
    *first = (fr__obj_segment){0, FR_NONE, FR_NONE, FR_NONE};
    bool is_shared = fr_tasks_worker_count(reader->input->tasks) > 1 && fr__cursor_left(cursor) >= 2 * PIECE_BYTES;
    FR__TRY(is_shared ? read_shared(obj) : read_until(obj, cursor->end));
    size_t vertex_count = reader->builder.positions.count;
    if (obj->largest_vertex > (int64_t)vertex_count) {
        return fr__cursor_fail(cursor, obj->largest_at, FR_ERROR_CORRUPT, "vertex %lld, but the file has %llu",
                               (long long)obj->largest_vertex, (unsigned long long)vertex_count);
    }
    if (reader->builder.face_count == 0) { fr__reader_warn(reader, cursor->end, "the file has no polygon"); }
    FR__TRY(fr__obj_make_parts(obj));
    return fr__obj_read_libraries(obj);
}

fr_status fr__read_obj(fr__reader *reader) {
    fr__builder_set_double(&reader->builder, reader->precision != FR_MODEL_FLOAT);
    const fr_allocator *allocator = &reader->builder.allocator;
    fr__obj obj = {.reader = reader, .segments = fr__obj_segment_array_make(allocator)};
    obj.normals = fr__float3_array_make(allocator);
    obj.normal_numbers = fr_uint32_array_make(allocator);
    obj.objects = fr__names_make(allocator);
    obj.groups = fr__names_make(allocator);
    obj.materials = fr__names_make(allocator);
    obj.libraries = fr__names_make(allocator);
    fr_status status = read_statements(&obj);
    fr__obj_segment_array_destroy(&obj.segments);
    fr__float3_array_destroy(&obj.normals);
    fr_uint32_array_destroy(&obj.normal_numbers);
    fr__names_free(&obj.objects);
    fr__names_free(&obj.groups);
    fr__names_free(&obj.materials);
    fr__names_free(&obj.libraries);
    return status;
}
