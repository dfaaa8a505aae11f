// Normals that a file lists, which its corners name by numbers: those of OBJ and PLY.
#ifndef FUREAI_MODEL_FILE_NORMALS_H
#define FUREAI_MODEL_FILE_NORMALS_H

#include "builder.h"

typedef struct fr__file_normals {
    const fr__float3 *normals; // of any length; one that is zero says nothing
    size_t count;
    const uint32_t *numbers; // the normal of each corner of a builder; NULL: that of its vertex
    size_t number_count;     // corners from here on have none
} fr__file_normals;

// Whether a corner of [begin, end) has a normal.
bool fr__file_normals_any(const fr__file_normals *list, const fr__builder *whole, size_t begin, size_t end);

// The unit normals of the polygon that has the corners [begin, end) of a builder of one part; a corner without one gets
// the polygon's own.
void fr__file_normals_of(const fr__file_normals *list, const fr__builder *whole, size_t begin, size_t end,
                         fr__float3 *out);

// Gives the corners of a builder of one part their normals, where any has one. False without memory.
bool fr__file_normals_set(const fr__file_normals *list, fr__builder *whole);

// The first corner of a polygon of a builder of one part.
static inline size_t fr__first_corner(const fr__builder *whole, size_t face) {
    return whole->starts.count > 0 ? whole->starts.data[face] : 3 * face;
}

#endif
