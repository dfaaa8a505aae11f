// What the files of the DXF reader share: pairs of a code and a value, and the pieces that entities leave.
#ifndef FUREAI_MODEL_DXF_H
#define FUREAI_MODEL_DXF_H

#include "builder.h"
#include "names.h"

// A group: a code that says what the value is, and the value.
typedef struct fr__dxf_pair {
    int code; // -1 at the end of the file
    const char *at;
    fr__span text;  // the value in text files, and where it is a text in binary ones
    double real;    // in binary files
    int64_t whole;  // in binary files
    bool is_number; // `real` and `whole` are set
} fr__dxf_pair;

// Polygons that one entity gave, of one layer in one container (0: the drawing, i + 1: block i).
typedef struct fr__dxf_piece {
    uint32_t container, layer;
    uint32_t point_count, face_count;
    uint32_t first_id;
    size_t first_point, first_face, first_corner;
} fr__dxf_piece;

FR_ARRAY_TYPE(fr__dxf_piece_array, fr__dxf_piece);

// A block set into a container, once or in columns and rows.
typedef struct fr__dxf_insert {
    uint32_t container, block;
    uint32_t columns, rows;
    double matrix[12];      // of the first one, without the block's base
    fr_vec3 step_x, step_y; // from one column, one row to the next
    const char *at;
    const double *places; // the matrix of each column and row, once its block is shown; NULL while there is none
} fr__dxf_insert;

FR_ARRAY_TYPE(fr__dxf_insert_array, fr__dxf_insert);

typedef struct fr__dxf_block {
    fr_vec3 base;
    const char *name;
    bool is_defined;
    // What it comes to with all that is set into it, once it is summed up.
    int state; // 0: not yet, 1: being summed up, 2: done
    uint64_t nodes, vertices, triangles;
} fr__dxf_block;

FR_ARRAY_TYPE(fr__dxf_block_array, fr__dxf_block);

typedef struct fr__dxf {
    fr__reader *reader;
    bool is_binary, has_wide_codes;
    fr__dxf_pair pair;
    uint32_t container;         // that is being read
    fr__names layers;           // by number, in the order in which they are met
    fr__names names;            // of blocks
    fr__dxf_block_array blocks; // the drawing first, then one for each name
    fr__point_array points;
    fr_uint32_array sizes;   // corners of each polygon
    fr_uint32_array corners; // from the piece's first point
    fr__dxf_piece_array pieces;
    fr__dxf_insert_array inserts;
    uint32_t next_id;     // number of the next polygon in the file
    uint64_t solids;      // entities whose shape is ACIS data
    uint64_t drawn;       // flat ones: lines, texts
    const char *solid_at; // the first of each
    const char *drawn_at;
} fr__dxf;

// Reads the next pair. FR_OK with code -1 at the end.
fr_status fr__dxf_next(fr__dxf *dxf);

// The value of the current pair as a number.
fr_status fr__dxf_real(fr__dxf *dxf, double *value);
fr_status fr__dxf_whole(fr__dxf *dxf, int64_t *value);

// Whether the current pair is `0 word`.
bool fr__dxf_is(const fr__dxf *dxf, const char *word);

// Fails at the current pair: with its line, or with its byte in a binary file.
fr_status fr__dxf_fail(fr__dxf *dxf, const char *at, fr_status status, const char *format, ...) FR_PRINTF(4, 5);

// Reads the entity at the current pair, up to the next pair of code 0.
fr_status fr__dxf_read_entity(fr__dxf *dxf);

// The block of a name, by its number.
fr_status fr__dxf_find_block(fr__dxf *dxf, fr__span name, uint32_t *block);

// Makes parts and nodes of the pieces and inserts.
fr_status fr__dxf_build(fr__dxf *dxf);

#endif
