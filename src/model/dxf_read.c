// Reads DXF: sections of pairs; of them the header's unit, the blocks and the entities.
#include "dxf.h"

#include <stdio.h>
#include <string.h>

#define BINARY_MARK "AutoCAD Binary DXF\r\n\032"
#define BINARY_MARK_BYTES 22

// Past the pairs of something that is not looked at, to the next pair of code 0.
static fr_status skip_pairs(fr__dxf *dxf) {
    do {
        FR__TRY(fr__dxf_next(dxf));
    } while (dxf->pair.code > 0 || dxf->pair.code < -1);
    return FR_OK;
}

static bool is_end(const fr__dxf *dxf, const char *word) {
    return dxf->pair.code == -1 || fr__dxf_is(dxf, word) || fr__dxf_is(dxf, "eof");
}

// The unit that the header names, as a note: programs put it there whatever the drawing is in.
static fr_status note_unit(fr__dxf *dxf) {
    static const char *const units[] = {NULL,          "inches", "feet",       "miles",      "millimetres",
                                        "centimetres", "metres", "kilometres", "microinches"};
    int64_t unit = 0;
    FR__TRY(fr__dxf_whole(dxf, &unit));
    if (unit <= 0 || unit >= (int64_t)(sizeof units / sizeof units[0])) { return FR_OK; }
    fr_model_note note = {"unit", "", units[unit]};
    return fr__model_note_array_add(&dxf->reader->builder.notes, &note) != FR_NONE
               ? FR_OK
               : fr__reader_fail_building(dxf->reader, NULL);
}

static fr_status read_header(fr__dxf *dxf) {
    bool is_unit = false;
    do {
        FR__TRY(fr__dxf_next(dxf));
        if (dxf->pair.code == 70 && is_unit) { FR__TRY(note_unit(dxf)); }
        if (dxf->pair.code == 9) { is_unit = fr__span_is(dxf->pair.text, "$insunits"); }
    } while (dxf->pair.code > 0 || dxf->pair.code < -1);
    return FR_OK;
}

// From BLOCK to ENDBLK.
static fr_status read_block(fr__dxf *dxf) {
    fr__span name = {"", 0};
    fr_vec3 base = {0.0, 0.0, 0.0};
    double *const parts[3] = {&base.x, &base.y, &base.z};
    FR__TRY(fr__dxf_next(dxf));
    while (dxf->pair.code > 0 || dxf->pair.code < -1) {
        int code = dxf->pair.code;
        if (code == 2) { name = dxf->pair.text; }
        if (code == 10 || code == 20 || code == 30) { FR__TRY(fr__dxf_real(dxf, parts[code / 10 - 1])); }
        FR__TRY(fr__dxf_next(dxf));
    }
    uint32_t number = 0;
    FR__TRY(fr__dxf_find_block(dxf, name, &number));
    fr__dxf_block *block = dxf->blocks.data + number;
    block->base = base;
    block->is_defined = true;
    dxf->container = number;
    while (!is_end(dxf, "endblk") && !fr__dxf_is(dxf, "endsec")) {
        FR__TRY(fr__dxf_read_entity(dxf));
    }
    dxf->container = 0;
    return FR_OK;
}

static fr_status read_blocks(fr__dxf *dxf) {
    FR__TRY(skip_pairs(dxf));
    while (!is_end(dxf, "endsec")) {
        FR__TRY(fr__dxf_is(dxf, "block") ? read_block(dxf) : skip_pairs(dxf));
    }
    return FR_OK;
}

static fr_status read_entities(fr__dxf *dxf) {
    FR__TRY(skip_pairs(dxf));
    while (!is_end(dxf, "endsec")) {
        FR__TRY(fr__dxf_read_entity(dxf));
    }
    return FR_OK;
}

// A section, its name and what it holds.
static fr_status read_section(fr__dxf *dxf) {
    FR__TRY(fr__dxf_next(dxf));
    if (dxf->pair.code != 2) { return fr__dxf_fail(dxf, dxf->pair.at, FR_ERROR_SYNTAX, "a section has no name"); }
    fr__span name = dxf->pair.text;
    if (fr__span_is(name, "header")) { return read_header(dxf); }
    if (fr__span_is(name, "blocks")) { return read_blocks(dxf); }
    if (fr__span_is(name, "entities")) { return read_entities(dxf); }
    do {
        FR__TRY(skip_pairs(dxf));
    } while (!is_end(dxf, "endsec"));
    return FR_OK;
}

static fr_status read_file(fr__dxf *dxf) {
    fr__cursor *cursor = &dxf->reader->cursor;
    dxf->is_binary =
        fr__cursor_left(cursor) >= BINARY_MARK_BYTES && memcmp(cursor->at, BINARY_MARK, BINARY_MARK_BYTES) == 0;
    if (dxf->is_binary) {
        cursor->at += BINARY_MARK_BYTES;
        // The first group is code 0 with a text: a second zero is the other half of the code.
        dxf->has_wide_codes = fr__cursor_left(cursor) >= 2 && cursor->at[1] == '\0';
    }
    fr__dxf_block *drawing = fr__dxf_block_array_push(&dxf->blocks, 1);
    if (drawing == NULL) { return fr__reader_fail_building(dxf->reader, NULL); }
    *drawing = (fr__dxf_block){.is_defined = true};
    FR__TRY(fr__dxf_next(dxf));
    if (!fr__dxf_is(dxf, "section") && !fr__dxf_is(dxf, "eof")) {
        return fr__dxf_fail(dxf, dxf->pair.at, FR_ERROR_SYNTAX, "expected the first SECTION of a DXF file");
    }
    while (!is_end(dxf, "eof")) {
        FR__TRY(fr__dxf_is(dxf, "section") ? read_section(dxf) : skip_pairs(dxf));
    }
    if (dxf->pair.code == -1) {
        if (dxf->reader->input->is_strict) {
            return fr__dxf_fail(dxf, dxf->pair.at, FR_ERROR_CORRUPT, "the file ends without EOF");
        }
        fr__reader_warn(dxf->reader, dxf->is_binary ? NULL : dxf->pair.at, "the file ends without EOF");
    }
    return fr__dxf_build(dxf);
}

fr_status fr__read_dxf(fr__reader *reader) {
    const fr_allocator *allocator = &reader->builder.allocator;
    fr__dxf dxf = {.reader = reader,
                   .layers = fr__names_make(allocator),
                   .names = fr__names_make(allocator),
                   .blocks = fr__dxf_block_array_make(allocator),
                   .points = fr__point_array_make(allocator),
                   .sizes = fr_uint32_array_make(allocator),
                   .corners = fr_uint32_array_make(allocator),
                   .pieces = fr__dxf_piece_array_make(allocator),
                   .inserts = fr__dxf_insert_array_make(allocator)};
    fr_status status = read_file(&dxf);
    fr__names_free(&dxf.layers);
    fr__names_free(&dxf.names);
    fr__dxf_block_array_destroy(&dxf.blocks);
    fr__point_array_destroy(&dxf.points);
    fr_uint32_array_destroy(&dxf.sizes);
    fr_uint32_array_destroy(&dxf.corners);
    fr__dxf_piece_array_destroy(&dxf.pieces);
    fr__dxf_insert_array_destroy(&dxf.inserts);
    return status;
}
