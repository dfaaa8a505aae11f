// Reads PLY: element vertex (x y z), element face (a list of corners, a colour) and element tristrips; everything else
// is passed over.
#include "ply.h"

static const fr__ply_property *properties_of(const fr__ply *ply, const fr__ply_element *element) {
    return ply->properties.data + element->first_property;
}

// Passes over a property, list or not.
static fr_status skip_property(fr__ply *ply, const fr__ply_property *property) {
    int64_t count = 1;
    if (property->is_list) {
        const char *at = ply->reader->cursor.at;
        FR__TRY(fr__ply_take_integer(ply, property->count_type, "the count of a list", &count));
        if (count < 0) { return fr__ply_fail(ply, at, FR_ERROR_CORRUPT, "a list of fewer than 0 items"); }
    }
    return fr__ply_skip(ply, property->type, (uint64_t)count);
}

static fr_status read_vertex(fr__ply *ply, const fr__ply_element *element) {
    static const uint32_t normal_roles = 1u << FR__PLY_NORMAL_X | 1u << FR__PLY_NORMAL_Y | 1u << FR__PLY_NORMAL_Z;
    fr__builder *builder = &ply->reader->builder;
    const fr__ply_property *property = properties_of(ply, element);
    bool has_normal = (element->roles & normal_roles) == normal_roles;
    fr__float3 *normal = has_normal ? fr__float3_array_push(&ply->normals, 1) : NULL;
    void *position = fr__builder_vertex(builder);
    if (position == NULL || (has_normal && normal == NULL)) {
        return fr__reader_fail_building(ply->reader, ply->reader->cursor.at);
    }
    for (size_t i = 0; i < element->property_count; i++, property++) {
        if (has_normal && property->role >= FR__PLY_NORMAL_X && property->role <= FR__PLY_NORMAL_Z) {
            FR__TRY(fr__ply_take_normal(ply, property->type, &(*normal)[property->role - FR__PLY_NORMAL_X]));
        } else if (property->role > FR__PLY_Z) {
            FR__TRY(skip_property(ply, property));
        } else if (builder->is_double) {
            FR__TRY(fr__ply_take_double(ply, property->type, "a coordinate", (double *)position + property->role));
        } else {
            FR__TRY(fr__ply_take_float(ply, property->type, "a coordinate", (float *)position + property->role));
        }
    }
    return FR_OK;
}

static fr_status read_corner(fr__ply *ply, const fr__ply_property *property, int64_t *vertex) {
    const char *at = ply->reader->cursor.at;
    FR__TRY(fr__ply_take_integer(ply, property->type, "a corner", vertex));
    if (*vertex >= 0 && (uint64_t)*vertex < ply->vertex_count) { return FR_OK; }
    // A strip begins again after -1.
    if (*vertex == -1) { return FR_OK; }
    return fr__ply_fail(ply, at, FR_ERROR_CORRUPT, "a corner names a vertex that is not there");
}

// The corners of a polygon; they are pushed, and *count is their number.
static fr_status read_polygon(fr__ply *ply, const fr__ply_property *property, int64_t *count) {
    fr__reader *reader = ply->reader;
    const char *at = reader->cursor.at;
    FR__TRY(fr__ply_take_integer(ply, property->count_type, "the count of corners", count));
    if (*count < 0) { return fr__ply_fail(ply, at, FR_ERROR_CORRUPT, "a polygon of fewer than 0 corners"); }
    for (int64_t i = 0; i < *count; i++) {
        int64_t vertex = 0;
        const char *corner = reader->cursor.at;
        FR__TRY(read_corner(ply, property, &vertex));
        if (vertex < 0) { return fr__ply_fail(ply, corner, FR_ERROR_CORRUPT, "a corner names vertex -1"); }
        if (!fr__builder_corner(&reader->builder, (uint32_t)vertex)) {
            return fr__reader_fail_building(reader, corner);
        }
    }
    return FR_OK;
}

// One channel of a colour to 0 .. 255: bytes as they are, wider whole numbers by their range, fractions from 0 .. 1.
static fr_status read_channel(fr__ply *ply, const fr__ply_property *property, uint8_t *channel) {
    double value = 0.0;
    FR__TRY(fr__ply_take_double(ply, property->type, "a colour", &value));
    if (property->type >= FR__PLY_FLOAT) { value *= 255.0; }
    if (property->type == FR__PLY_UINT16) { value /= 257.0; }
    *channel = (uint8_t)(value > 0.0 ? (value < 255.0 ? value + 0.5 : 255.0) : 0.0);
    return FR_OK;
}

static fr_status read_face(fr__ply *ply, const fr__ply_element *element) {
    fr__reader *reader = ply->reader;
    fr__builder *builder = &reader->builder;
    const char *start = reader->cursor.at;
    const fr__ply_property *property = properties_of(ply, element);
    size_t before = builder->corners.count;
    int64_t count = 0;
    uint8_t channels[4] = {0, 0, 0, 255};
    for (size_t i = 0; i < element->property_count; i++, property++) {
        if (property->role == FR__PLY_CORNERS) {
            FR__TRY(read_polygon(ply, property, &count));
        } else if (property->role >= FR__PLY_RED && property->role <= FR__PLY_ALPHA) {
            FR__TRY(read_channel(ply, property, &channels[property->role - FR__PLY_RED]));
        } else {
            FR__TRY(skip_property(ply, property));
        }
    }
    if (count < 3) {
        fr__reader_warn(reader, ply->encoding == FR__PLY_ASCII ? start : NULL, "a polygon of %d corners is passed over",
                        (int)count);
        builder->corners.count = before;
        return fr__builder_set_id(builder, builder->next_id + 1) ? FR_OK : fr__reader_fail_building(reader, start);
    }
    uint32_t rgb = 1u << FR__PLY_RED | 1u << FR__PLY_GREEN | 1u << FR__PLY_BLUE;
    fr_color color = {channels[0], channels[1], channels[2], channels[3]};
    if (!fr__builder_end_face(builder, (size_t)count) ||
        ((element->roles & rgb) == rgb && !fr__builder_color_face(builder, color))) {
        return fr__reader_fail_building(reader, start);
    }
    return FR_OK;
}

// A strip: each corner after the second makes a triangle with the two before it, every other one turned round.
static fr_status read_strip(fr__ply *ply, const fr__ply_property *property) {
    fr__builder *builder = &ply->reader->builder;
    int64_t count = 0;
    const char *at = ply->reader->cursor.at;
    FR__TRY(fr__ply_take_integer(ply, property->count_type, "the count of corners", &count));
    if (count < 0) { return fr__ply_fail(ply, at, FR_ERROR_CORRUPT, "a strip of fewer than 0 corners"); }
    uint32_t last[2] = {0, 0};
    int64_t run = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t vertex = 0;
        FR__TRY(fr__cursor_check(&ply->reader->cursor));
        FR__TRY(read_corner(ply, property, &vertex));
        if (vertex < 0) {
            run = 0;
            continue;
        }
        if (run >= 2) {
            bool turned = run % 2 != 0;
            if (!fr__builder_corner(builder, last[turned]) || !fr__builder_corner(builder, last[!turned]) ||
                !fr__builder_corner(builder, (uint32_t)vertex) || !fr__builder_end_face(builder, 3)) {
                return fr__reader_fail_building(ply->reader, at);
            }
        }
        last[0] = last[1];
        last[1] = (uint32_t)vertex;
        run++;
    }
    return FR_OK;
}

// A row of strips, or of an element that is passed over.
static fr_status read_other(fr__ply *ply, const fr__ply_element *element) {
    const fr__ply_property *property = properties_of(ply, element);
    for (size_t i = 0; i < element->property_count; i++, property++) {
        if (property->role == FR__PLY_CORNERS && element->kind == FR__PLY_STRIPS) {
            FR__TRY(read_strip(ply, property));
        } else {
            FR__TRY(skip_property(ply, property));
        }
    }
    return FR_OK;
}

// In text a row is a line. Some programs write more on it than their header says; that is passed over.
static void end_row(fr__ply *ply) {
    fr__cursor *cursor = &ply->reader->cursor;
    if (ply->encoding != FR__PLY_ASCII) { return; }
    fr__skip_blanks(cursor);
    if (fr__cursor_at_line_end(cursor)) { return; }
    fr__reader_warn(ply->reader, cursor->at, "the row has more values than the header names");
    fr__skip_to_line_end(cursor);
}

// Positions are doubles when a coordinate's type does not fit a float.
static bool is_double(const fr__ply *ply) {
    if (ply->reader->precision != FR_MODEL_AS_FILE) { return ply->reader->precision == FR_MODEL_DOUBLE; }
    const fr__ply_property *properties = ply->properties.data;
    for (size_t i = 0; i < ply->properties.count; i++) {
        bool is_wide = properties[i].type == FR__PLY_DOUBLE || properties[i].type == FR__PLY_INT32 ||
                       properties[i].type == FR__PLY_UINT32;
        if (properties[i].role <= FR__PLY_Z && is_wide) { return true; }
    }
    return false;
}

static fr_status read_elements(fr__ply *ply) {
    fr__reader *reader = ply->reader;
    FR__TRY(fr__ply_read_header(ply));
    fr__builder_set_double(&reader->builder, is_double(ply));
    if (!fr__builder_begin_part(&reader->builder, (fr__span){"", 0})) { return fr__reader_fail_building(reader, NULL); }
    const fr__ply_element *elements = ply->elements.data;
    for (size_t i = 0; i < ply->elements.count; i++) {
        // Rows without a property take no bytes, so nothing bounds their count.
        uint64_t count = elements[i].property_count > 0 ? elements[i].count : 0;
        for (uint64_t row = 0; row < count; row++) {
            FR__TRY(fr__cursor_check(&reader->cursor));
            switch (elements[i].kind) {
            case FR__PLY_VERTEX: FR__TRY(read_vertex(ply, &elements[i])); break;
            case FR__PLY_FACE: FR__TRY(read_face(ply, &elements[i])); break;
            default: FR__TRY(read_other(ply, &elements[i])); break;
            }
            end_row(ply);
        }
    }
    if (reader->builder.face_count == 0) {
        fr__reader_warn(reader, ply->encoding == FR__PLY_ASCII ? reader->cursor.at : NULL, "the file has no polygon");
    }
    const fr__file_normals normals = {.normals = ply->normals.data, .count = ply->normals.count};
    if (!fr__file_normals_set(&normals, &reader->builder)) { return fr__reader_fail_building(reader, NULL); }
    return FR_OK;
}

fr_status fr__read_ply(fr__reader *reader) {
    fr__ply ply = {.reader = reader,
                   .elements = fr__ply_element_array_make(&reader->builder.allocator),
                   .properties = fr__ply_property_array_make(&reader->builder.allocator),
                   .normals = fr__float3_array_make(&reader->builder.allocator)};
    fr_status status = read_elements(&ply);
    fr__ply_element_array_destroy(&ply.elements);
    fr__ply_property_array_destroy(&ply.properties);
    fr__float3_array_destroy(&ply.normals);
    return status;
}
