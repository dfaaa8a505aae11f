// The header of a PLY file: its elements and their properties.
#include "ply.h"

// The names of types, old and new.
static const struct {
    const char *name;
    fr__ply_type type;
} type_names[] = {
    {"char", FR__PLY_INT8},   {"int8", FR__PLY_INT8},     {"uchar", FR__PLY_UINT8},   {"uint8", FR__PLY_UINT8},
    {"short", FR__PLY_INT16}, {"int16", FR__PLY_INT16},   {"ushort", FR__PLY_UINT16}, {"uint16", FR__PLY_UINT16},
    {"int", FR__PLY_INT32},   {"int32", FR__PLY_INT32},   {"uint", FR__PLY_UINT32},   {"uint32", FR__PLY_UINT32},
    {"float", FR__PLY_FLOAT}, {"float32", FR__PLY_FLOAT}, {"double", FR__PLY_DOUBLE}, {"float64", FR__PLY_DOUBLE},
};

static const struct {
    const char *name;
    fr__ply_role role;
    bool of_vertex, of_face;
} role_names[] = {
    {"x", FR__PLY_X, true, false},
    {"y", FR__PLY_Y, true, false},
    {"z", FR__PLY_Z, true, false},
    {"nx", FR__PLY_NORMAL_X, true, false},
    {"ny", FR__PLY_NORMAL_Y, true, false},
    {"nz", FR__PLY_NORMAL_Z, true, false},
    {"red", FR__PLY_RED, false, true},
    {"green", FR__PLY_GREEN, false, true},
    {"blue", FR__PLY_BLUE, false, true},
    {"alpha", FR__PLY_ALPHA, false, true},
    {"vertex_indices", FR__PLY_CORNERS, false, true},
    {"vertex_index", FR__PLY_CORNERS, false, true},
};

size_t fr__ply_type_bytes(fr__ply_type type) {
    static const uint8_t bytes[FR__PLY_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 4, 8};
    return bytes[type];
}

static fr_status fail(fr__ply *ply, const char *at, const char *expected) {
    fr__cursor *cursor = &ply->reader->cursor;
    cursor->at = at;
    char found[FR__FOUND_BYTES];
    return fr__cursor_fail(cursor, at, FR_ERROR_SYNTAX, "expected %s, found %s", expected,
                           fr__cursor_found(cursor, found));
}

static fr__span next_word(fr__ply *ply) {
    fr__skip_blanks(&ply->reader->cursor);
    return fr__take_word(&ply->reader->cursor);
}

static fr_status read_type(fr__ply *ply, fr__ply_type *type) {
    fr__span word = next_word(ply);
    for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++) {
        if (fr__span_is(word, type_names[i].name)) {
            *type = type_names[i].type;
            return FR_OK;
        }
    }
    return fail(ply, word.begin, "a type such as float or uchar");
}

static fr_status read_format(fr__ply *ply) {
    fr__span word = next_word(ply);
    if (fr__span_is(word, "ascii")) {
        ply->encoding = FR__PLY_ASCII;
    } else if (fr__span_is(word, "binary_little_endian")) {
        ply->encoding = FR__PLY_LITTLE;
    } else if (fr__span_is(word, "binary_big_endian")) {
        ply->encoding = FR__PLY_BIG;
    } else {
        return fail(ply, word.begin, "ascii, binary_little_endian or binary_big_endian");
    }
    fr__span version = next_word(ply);
    return fr__span_is(version, "1.0") ? FR_OK : fail(ply, version.begin, "version 1.0");
}

static bool has_element(const fr__ply *ply, fr__ply_kind kind) {
    const fr__ply_element *elements = ply->elements.data;
    for (size_t i = 0; i < ply->elements.count; i++) {
        if (elements[i].kind == kind) { return true; }
    }
    return false;
}

static fr_status read_element(fr__ply *ply) {
    fr__cursor *cursor = &ply->reader->cursor;
    fr__span name = next_word(ply);
    if (name.length == 0) { return fail(ply, name.begin, "the name of the element"); }
    fr__ply_element element = {.kind = FR__PLY_OTHER, .at = name.begin, .first_property = ply->properties.count};
    if (fr__span_is(name, "vertex")) { element.kind = FR__PLY_VERTEX; }
    if (fr__span_is(name, "face")) { element.kind = FR__PLY_FACE; }
    if (fr__span_is(name, "tristrips")) { element.kind = FR__PLY_STRIPS; }
    if (element.kind != FR__PLY_OTHER && has_element(ply, element.kind)) {
        return fr__cursor_fail(cursor, name.begin, FR_ERROR_CORRUPT, "this element was named before");
    }
    int64_t count = 0;
    fr__skip_blanks(cursor);
    const char *at = cursor->at;
    FR__TRY(fr__take_integer(cursor, "the count of the element", &count));
    if (count < 0) { return fr__cursor_fail(cursor, at, FR_ERROR_CORRUPT, "a count below 0"); }
    element.count = (uint64_t)count;
    if (element.kind == FR__PLY_VERTEX) { ply->vertex_count = element.count; }
    fr__ply_element *place = fr__ply_element_array_push(&ply->elements, 1);
    if (place == NULL) { return fr__reader_fail_building(ply->reader, at); }
    *place = element;
    return FR_OK;
}

static fr__ply_role role_of(const fr__ply_element *element, fr__span name, bool is_list) {
    bool of_vertex = element->kind == FR__PLY_VERTEX;
    bool of_face = element->kind == FR__PLY_FACE || element->kind == FR__PLY_STRIPS;
    for (size_t i = 0; i < sizeof role_names / sizeof role_names[0]; i++) {
        bool fits = (of_vertex && role_names[i].of_vertex) || (of_face && role_names[i].of_face);
        if (!fits || is_list != (role_names[i].role == FR__PLY_CORNERS)) { continue; }
        if (fr__span_is(name, role_names[i].name)) { return role_names[i].role; }
    }
    return FR__PLY_NOTHING;
}

static fr_status read_property(fr__ply *ply, const char *statement) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->elements.count == 0) { return fail(ply, statement, "an element before its properties"); }
    fr__ply_element *element = ply->elements.data + ply->elements.count - 1;
    fr__ply_property property = {.role = FR__PLY_NOTHING};
    fr__skip_blanks(cursor);
    const char *start = cursor->at;
    property.is_list = fr__span_is(fr__take_word(cursor), "list");
    if (property.is_list) {
        FR__TRY(read_type(ply, &property.count_type));
        if (property.count_type >= FR__PLY_FLOAT) {
            return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "the count of a list is a whole number");
        }
    } else {
        cursor->at = start;
    }
    FR__TRY(read_type(ply, &property.type));
    fr__span name = next_word(ply);
    if (name.length == 0) { return fail(ply, name.begin, "the name of the property"); }
    property.role = role_of(element, name, property.is_list);
    if (property.role == FR__PLY_CORNERS && property.type >= FR__PLY_FLOAT) {
        return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "corners are whole numbers");
    }
    uint32_t bit = UINT32_C(1) << property.role;
    if (property.role != FR__PLY_NOTHING && (element->roles & bit) != 0) {
        return fr__cursor_fail(cursor, name.begin, FR_ERROR_CORRUPT, "this property was named before");
    }
    element->roles |= bit;
    element->property_count++;
    fr__ply_property *place = fr__ply_property_array_push(&ply->properties, 1);
    if (place == NULL) { return fr__reader_fail_building(ply->reader, start); }
    *place = property;
    return FR_OK;
}

size_t fr__ply_row_bytes(const fr__ply *ply, const fr__ply_element *element) {
    const fr__ply_property *properties = ply->properties.data;
    size_t bytes = 0;
    for (size_t i = 0; i < element->property_count; i++) {
        const fr__ply_property *property = properties + element->first_property + i;
        // In text a value takes a digit and a space.
        bytes += ply->encoding == FR__PLY_ASCII
                     ? 2
                     : fr__ply_type_bytes(property->is_list ? property->count_type : property->type);
    }
    return bytes;
}

static fr_status check_elements(fr__ply *ply) {
    fr__cursor *cursor = &ply->reader->cursor;
    const fr__ply_element *elements = ply->elements.data;
    for (size_t i = 0; i < ply->elements.count; i++) {
        uint32_t position = 1u << FR__PLY_X | 1u << FR__PLY_Y | 1u << FR__PLY_Z, corners = 1u << FR__PLY_CORNERS;
        if (elements[i].kind == FR__PLY_VERTEX && (elements[i].roles & position) != position) {
            return fr__cursor_fail(cursor, elements[i].at, FR_ERROR_CORRUPT, "element vertex has no x, y and z");
        }
        bool has_corners = elements[i].kind == FR__PLY_FACE || elements[i].kind == FR__PLY_STRIPS;
        if (has_corners && elements[i].count > 0 && (elements[i].roles & corners) == 0) {
            return fr__cursor_fail(cursor, elements[i].at, FR_ERROR_CORRUPT, "the element has no list vertex_indices");
        }
        size_t row_bytes = fr__ply_row_bytes(ply, &elements[i]);
        FR__TRY(fr__reader_check_promise(ply->reader, elements[i].at, elements[i].count, row_bytes, "rows"));
    }
    if (!has_element(ply, FR__PLY_VERTEX)) {
        return fr__cursor_fail(cursor, cursor->begin, FR_ERROR_CORRUPT, "the file has no element vertex");
    }
    return FR_OK;
}

fr_status fr__ply_read_header(fr__ply *ply) {
    fr__cursor *cursor = &ply->reader->cursor;
    fr__span magic = next_word(ply);
    if (!fr__span_is(magic, "ply")) { return fail(ply, magic.begin, "ply"); }
    bool has_format = false;
    for (;;) {
        FR__TRY(fr__cursor_check(cursor));
        fr__skip_line(cursor);
        fr__span word = next_word(ply);
        if (fr__cursor_at_end(cursor) && word.length == 0) { return fail(ply, cursor->end, "end_header"); }
        if (fr__span_is(word, "end_header")) { break; }
        if (fr__span_is(word, "format")) {
            FR__TRY(read_format(ply));
            has_format = true;
        } else if (fr__span_is(word, "element")) {
            FR__TRY(read_element(ply));
        } else if (fr__span_is(word, "property")) {
            FR__TRY(read_property(ply, word.begin));
        } else if (word.length > 0 && !fr__span_is(word, "comment") && !fr__span_is(word, "obj_info")) {
            return fail(ply, word.begin, "format, element, property, comment or end_header");
        }
    }
    if (!has_format) { return fr__cursor_fail(cursor, cursor->begin, FR_ERROR_SYNTAX, "the header has no format"); }
    fr__skip_line(cursor);
    return check_elements(ply);
}
