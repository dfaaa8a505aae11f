// An IndexedFaceSet while its polygons are made: what went wrong, and what stands at corners.
#ifndef FUREAI_MODEL_GEOMETRY_FACE_SET_H
#define FUREAI_MODEL_GEOMETRY_FACE_SET_H

#include "geometry_part.h"

// What is warned of, once for all polygons of a set.
typedef enum fr__face_fault {
    FR__FAULT_INDEX,
    FR__FAULT_FEW,
    FR__FAULT_AREA,
    FR__FAULT_BENT,
    FR__FAULT_CROSSED,
    FR__FAULT_COLOR,
    FR__FAULT_NORMAL,
    FR__FAULT_UV,
    FR__FAULT_COUNT
} fr__face_fault;

typedef struct fr__face_set_work {
    fr__geometry *geometry;
    const fr__face_set *set;
    const int32_t *indices; // polygons that end with -1, whatever the layout
    size_t index_count;
    uint32_t first_id;       // number in the file of the set's first polygon
    uint32_t face;           // number in the set of the polygon at hand
    const uint32_t *kept;    // with only_used: the points that are kept, rising
    const uint32_t *numbers; // with only_used: the vertex of each point; NULL: look it up in `kept`
    uint32_t kept_count;     //
    uint32_t *places;        // of the corners of the polygon at hand in `indices`
    fr_vec3 *points;         // at them
    uint32_t *triangles;     // that they are cut into
    bool has_attributes;     // at corners or polygons
    uint64_t faults[FR__FAULT_COUNT];
    uint32_t fault_faces[FR__FAULT_COUNT]; // the first polygon with each
} fr__face_set_work;

static inline void fr__face_set_fault(fr__face_set_work *work, fr__face_fault fault) {
    if (work->faults[fault]++ == 0) { work->fault_faces[fault] = work->face; }
}

// Warns of all that was noted.
fr_status fr__face_set_warn(const fr__face_set_work *work);

// Sets the indices, of any layout, as polygons that end with -1. False when there is no memory.
bool fr__face_set_layout(fr__face_set_work *work);

// Gives the corner that was appended last, whose index stands at `place`, what the file says; `area` is the polygon's.
bool fr__face_set_corner(fr__face_set_work *work, uint32_t place, fr_vec3 area);

// The same for the polygon that was ended last.
bool fr__face_set_face(fr__face_set_work *work);

// Texture coordinates of the whole last part by the box of its vertices.
bool fr__box_uvs(fr__builder *builder);

#endif
