// An OBJ file between reading its statements and making its parts.
#ifndef FUREAI_MODEL_OBJ_H
#define FUREAI_MODEL_OBJ_H

#include "file_normals.h"
#include "names.h"

// Polygons in a row under the same `o`, `g` and `usemtl`; FR_NONE for none. They end where the next segment begins.
typedef struct fr__obj_segment {
    size_t first_face;
    uint32_t object, group, material;
} fr__obj_segment;

FR_ARRAY_TYPE(fr__obj_segment_array, fr__obj_segment);

typedef struct fr__obj {
    fr__reader *reader;             // its builder holds the whole file as one part
    fr__obj_segment_array segments; // at least one
    fr__names objects;              // one a statement `o`
    fr__names groups;               // one a name of `g`
    fr__names materials;            // one a name of `usemtl`; those of the builder, once it has parts
    fr__names libraries;            // one a different rest of the line of `mtllib`
    fr__float3_array normals;       // of `vn`; zeros where it is none
    fr_uint32_array normal_numbers; // of each corner, from 0; FR_NONE: none. Ends with the last corner that has one
    int64_t largest_vertex;         // the largest vertex number that a polygon names, from 1
    const char *largest_at;         // where it stands
} fr__obj;

// Replaces the one part of the reader's builder by the parts of the file, and gives the polygons their materials.
fr_status fr__obj_make_parts(fr__obj *obj);

// Gives the materials of the builder their looks, from the files that `mtllib` names. What is missing is warned of.
fr_status fr__obj_read_libraries(fr__obj *obj);

#endif
