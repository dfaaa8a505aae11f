// A PLY file: what its header says, and its values one after another, in text or binary.
#ifndef FUREAI_MODEL_PLY_H
#define FUREAI_MODEL_PLY_H

#include "file_normals.h"

typedef enum fr__ply_encoding { FR__PLY_ASCII, FR__PLY_LITTLE, FR__PLY_BIG } fr__ply_encoding;

typedef enum fr__ply_type {
    FR__PLY_INT8,
    FR__PLY_UINT8,
    FR__PLY_INT16,
    FR__PLY_UINT16,
    FR__PLY_INT32,
    FR__PLY_UINT32,
    FR__PLY_FLOAT,
    FR__PLY_DOUBLE,
    FR__PLY_TYPE_COUNT
} fr__ply_type;

// What a property is to us.
typedef enum fr__ply_role {
    FR__PLY_X,
    FR__PLY_Y,
    FR__PLY_Z,
    FR__PLY_NORMAL_X,
    FR__PLY_NORMAL_Y,
    FR__PLY_NORMAL_Z,
    FR__PLY_RED,
    FR__PLY_GREEN,
    FR__PLY_BLUE,
    FR__PLY_ALPHA,
    FR__PLY_CORNERS, // the list of a polygon or strip
    FR__PLY_NOTHING
} fr__ply_role;

typedef struct fr__ply_property {
    fr__ply_role role;
    bool is_list;
    fr__ply_type type;       // of the value, or of a list's items
    fr__ply_type count_type; // of a list's count
} fr__ply_property;

FR_ARRAY_TYPE(fr__ply_property_array, fr__ply_property);

typedef enum fr__ply_kind { FR__PLY_VERTEX, FR__PLY_FACE, FR__PLY_STRIPS, FR__PLY_OTHER } fr__ply_kind;

typedef struct fr__ply_element {
    fr__ply_kind kind;
    uint64_t count;
    const char *at; // where the header names it
    size_t first_property;
    size_t property_count;
    uint32_t roles; // bit r: it has a property with role r
} fr__ply_element;

FR_ARRAY_TYPE(fr__ply_element_array, fr__ply_element);

typedef struct fr__ply {
    fr__reader *reader;
    fr__ply_encoding encoding;
    fr__ply_element_array elements;
    fr__ply_property_array properties; // those of each element one after another
    uint64_t vertex_count;
    fr__float3_array normals; // of the vertices read so far; empty where they have none
} fr__ply;

// Reads the header, up to and with the line end_header.
fr_status fr__ply_read_header(fr__ply *ply);

size_t fr__ply_type_bytes(fr__ply_type type);

// The least bytes that a row of an element takes.
size_t fr__ply_row_bytes(const fr__ply *ply, const fr__ply_element *element);

// The next value of the file, which the header says is of `type`: as a double or float to the nearest, as a whole
// number, or not at all. `what` names it in messages; a value that is not finite is refused.
fr_status fr__ply_take_double(fr__ply *ply, fr__ply_type type, const char *what, double *value);
fr_status fr__ply_take_float(fr__ply *ply, fr__ply_type type, const char *what, float *value);
fr_status fr__ply_take_integer(fr__ply *ply, fr__ply_type type, const char *what, int64_t *value);

// A number of a normal: 0 for one that is none.
fr_status fr__ply_take_normal(fr__ply *ply, fr__ply_type type, float *value);
fr_status fr__ply_skip(fr__ply *ply, fr__ply_type type, uint64_t count);

// Fails at the place `at`, as line and column or, in binary, by its byte.
fr_status fr__ply_fail(fr__ply *ply, const char *at, fr_status status, const char *message);

#endif
