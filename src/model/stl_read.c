// Reads STL in text: solids of facets. Normals are not kept: they follow from the corners, and exporters write them
// wrong or not at all.
//
// A program writes the same words with the same blanks between the numbers of every facet. Once they have been read
// word by word they are known as one piece of text, and where the next facet has that very piece, one comparison takes
// the place of reading it again. Likewise neighbouring facets share corners: a vertex whose text stood in one of the
// last few is copied.
#include "builder.h"

#define RECENT_COUNT 8

// The text of the last vertices, from the word `vertex` to the byte after the third number.
typedef struct recent_vertices {
    uint64_t first_eight[RECENT_COUNT];
    fr__span text[RECENT_COUNT];
    size_t vertex[RECENT_COUNT];
    unsigned next; // the place to be used next
} recent_vertices;

// Where the text is between two words.
typedef struct stl_text {
    fr__reader *reader;
    bool in_solid;
    bool in_facet;
    bool in_loop;
    size_t loop_corners;
    const char *numbers_end; // where the last three numbers ended
    int words_since;         // words read one by one since then
    fr__span to_normal;      // known text from a third vertex to the next facet's normal: endloop endfacet facet normal
    fr__span to_first;       // from a normal to the first vertex: outer loop vertex
    fr__span to_next;        // from a vertex to the next one: vertex
    recent_vertices recent;
} stl_text;

// Remembers the text from the last numbers to the cursor, and the blank after it, which ends its last word.
static void learn(const stl_text *stl, fr__span *known) {
    const fr__cursor *cursor = &stl->reader->cursor;
    if (fr__cursor_at_end(cursor)) { return; }
    *known = (fr__span){stl->numbers_end, (size_t)(cursor->at + 1 - stl->numbers_end)};
}

// Moves past a piece of text if it stands here.
static inline bool skip_known(fr__cursor *cursor, fr__span known) {
    if (known.length == 0 || fr__cursor_left(cursor) < known.length) { return false; }
    if (memcmp(cursor->at, known.begin, known.length) != 0) { return false; }
    cursor->at += known.length;
    return true;
}

static inline void note_numbers(stl_text *stl) {
    stl->numbers_end = stl->reader->cursor.at;
    stl->words_since = 0;
}

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

static inline void skip_normal(stl_text *stl) {
    fr__cursor *cursor = &stl->reader->cursor;
    for (int i = 0; i < 3; i++) {
        fr__skip_blanks(cursor);
        fr__skip_word(cursor);
    }
    note_numbers(stl);
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
    if (stl->words_since == 3 && stl->loop_corners == 3) { learn(stl, &stl->to_normal); }
    skip_normal(stl);
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

// Copies a vertex whose text stands at the cursor and was read a moment ago; false when there is none.
static inline bool copy_recent(stl_text *stl, void *position) {
    fr__cursor *cursor = &stl->reader->cursor;
    const recent_vertices *recent = &stl->recent;
    const fr_array *positions = &stl->reader->builder.positions;
    if (fr__cursor_left(cursor) < 8) { return false; }
    uint64_t first_eight = fr__eight_load(cursor->at);
    for (unsigned i = 0; i < RECENT_COUNT; i++) {
        if (recent->first_eight[i] != first_eight || !skip_known(cursor, recent->text[i])) { continue; }
        cursor->at--;
        memcpy(position, fr__array_at(positions, recent->vertex[i]), positions->element_bytes);
        return true;
    }
    return false;
}

// Remembers the vertex that was pushed last, whose text goes from `start` to the cursor.
static inline void keep_recent(stl_text *stl, const char *start) {
    const fr__cursor *cursor = &stl->reader->cursor;
    recent_vertices *recent = &stl->recent;
    size_t length = (size_t)(cursor->at - start);
    if (fr__cursor_at_end(cursor) || length < 8) { return; }
    recent->first_eight[recent->next] = fr__eight_load(start);
    recent->text[recent->next] = (fr__span){start, length + 1};
    recent->vertex[recent->next] = stl->reader->builder.positions.count - 1;
    recent->next = (recent->next + 1) % RECENT_COUNT;
}

static inline fr_status take_coordinates(fr__reader *reader, void *position) {
    for (int i = 0; i < 3; i++) {
        fr__skip_spaces(&reader->cursor);
        if (reader->builder.is_double) {
            FR__TRY(fr__take_double(&reader->cursor, "a coordinate", (double *)position + i));
        } else {
            FR__TRY(fr__take_float(&reader->cursor, "a coordinate", (float *)position + i));
        }
    }
    return FR_OK;
}

// The three numbers of a vertex.
static inline fr_status take_vertex(stl_text *stl) {
    fr__reader *reader = stl->reader;
    fr__builder *builder = &reader->builder;
    const char *start = reader->cursor.at;
    const fr__builder_part *part = builder->parts.data + builder->parts.count - 1;
    uint32_t index = (uint32_t)(builder->positions.count - part->first_vertex);
    void *position = fr__builder_vertex(builder);
    if (position == NULL || !fr__builder_corner(builder, index)) { return fr__reader_fail_building(reader, start); }
    if (!copy_recent(stl, position)) {
        FR__TRY(take_coordinates(reader, position));
        keep_recent(stl, start);
    }
    stl->loop_corners++;
    note_numbers(stl);
    return FR_OK;
}

static fr_status read_vertex(stl_text *stl, const char *word) {
    if (!stl->in_loop) { return unexpected(stl, word, stl->in_facet ? "outer loop" : "facet"); }
    if (stl->words_since == 2 && stl->loop_corners == 0) { learn(stl, &stl->to_first); }
    if (stl->words_since == 1 && stl->loop_corners > 0) { learn(stl, &stl->to_next); }
    return take_vertex(stl);
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

static fr_status end_facet(stl_text *stl, const char *word) {
    if (!stl->in_facet || stl->in_loop) { return unexpected(stl, word, stl->in_loop ? "endloop" : "facet"); }
    stl->in_facet = false;
    return FR_OK;
}

static fr_status read_solid(stl_text *stl, const char *word) {
    if (stl->in_facet) { return unexpected(stl, word, "endfacet"); }
    return begin_solid(stl, fr__rest_of_line(&stl->reader->cursor));
}

static fr_status read_word(stl_text *stl) {
    fr__cursor *cursor = &stl->reader->cursor;
    fr__span word = fr__take_word(cursor);
    stl->words_since++;
    if (fr__span_is(word, "vertex")) { return read_vertex(stl, word.begin); }
    if (fr__span_is(word, "facet")) { return read_facet(stl, word.begin); }
    if (fr__span_is(word, "outer")) { return read_loop(stl, word.begin); }
    if (fr__span_is(word, "endloop")) { return end_loop(stl, word.begin); }
    if (fr__span_is(word, "endfacet")) { return end_facet(stl, word.begin); }
    if (fr__span_is(word, "solid")) { return read_solid(stl, word.begin); }
    if (fr__span_is(word, "endsolid")) { return end_solid(stl, word.begin); }
    if (stl->in_facet) { return unexpected(stl, word.begin, stl->in_loop ? "vertex or endloop" : "endfacet"); }
    fr__reader_warn(stl->reader, word.begin, "a line that is no part of STL is passed over");
    fr__skip_to_line_end(cursor);
    return FR_OK;
}

// Reads on as long as facets are written like those before; what is not is left to read_word.
static fr_status read_alike(stl_text *stl) {
    fr__cursor *cursor = &stl->reader->cursor;
    while (stl->in_loop && stl->loop_corners == 3 && skip_known(cursor, stl->to_normal)) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(end_loop(stl, cursor->at));
        skip_normal(stl);
        if (!skip_known(cursor, stl->to_first)) { break; }
        stl->in_loop = true;
        stl->loop_corners = 0;
        FR__TRY(take_vertex(stl));
        while (stl->loop_corners < 3 && skip_known(cursor, stl->to_next)) {
            FR__TRY(take_vertex(stl));
        }
    }
    return FR_OK;
}

fr_status fr__read_stl_ascii(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    stl_text stl = {.reader = reader, .numbers_end = cursor->at};
    for (fr__skip_spaces(cursor); !fr__cursor_at_end(cursor); fr__skip_spaces(cursor)) {
        FR__TRY(fr__cursor_check(cursor));
        FR__TRY(read_word(&stl));
        FR__TRY(read_alike(&stl));
    }
    if (stl.in_facet) { return unexpected(&stl, cursor->end, stl.in_loop ? "endloop" : "endfacet"); }
    if (stl.in_solid) { fr__reader_warn(reader, cursor->end, "the file ends without endsolid"); }
    if (reader->builder.parts.count == 0) { FR__TRY(begin_solid(&stl, (fr__span){"", 0})); }
    if (reader->builder.face_count == 0) { fr__reader_warn(reader, cursor->end, "the file has no facet"); }
    return FR_OK;
}
