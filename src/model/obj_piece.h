// A piece of an OBJ file that a worker reads by itself: plain vertices and polygons, and where other statements stand.
#ifndef FUREAI_MODEL_OBJ_PIECE_H
#define FUREAI_MODEL_OBJ_PIECE_H

#include "obj.h"

// A statement that the reader of the whole file must take, such as `o`, before polygon `face` of the piece.
typedef struct fr__obj_statement {
    const char *at;
    uint32_t face;
} fr__obj_statement;

// Lines of a file. The arrays are the caller's, with room for fr__obj_piece_room; a piece needs no memory.
typedef struct fr__obj_piece {
    const char *begin, *end;
    bool is_plain;   // the arrays hold all of it. False: it must be read statement by statement
    void *positions; // 3 doubles or floats a vertex
    uint32_t *corners;
    uint32_t *face_corners;   // how many each polygon has
    uint32_t *normal_numbers; // one a corner, from 0; FR_NONE: none
    fr__float3 *normals;
    uint32_t normal_count;
    bool has_normal_numbers; // any is not FR_NONE
    fr__obj_statement *statements;
    uint32_t statement_room; // a piece with more of them is not plain
    uint32_t vertex_count, corner_count, face_count, statement_count;
    bool has_triangles_only;
    int64_t largest_vertex; // the largest vertex number that a polygon names, from 1; 0 for none
    const char *largest_at; // where it stands first
} fr__obj_piece;

// Elements that a piece of so many bytes may need.
typedef struct fr__obj_piece_room {
    size_t positions, corners, faces, statements, normals;
} fr__obj_piece_room;
fr__obj_piece_room fr__obj_piece_room_of(size_t bytes);

// Reads a piece, from its begin to its end. Anything that is not plain ends it: numbers that are wrong or relative,
// lines that are joined, weights and colours, what is warned of.
void fr__obj_piece_read(fr__obj_piece *piece, bool is_double);

#endif
