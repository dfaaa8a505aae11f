// Where two surfaces meet, as lines.
#ifndef FUREAI_TOOL_CONTACT_REGION_H
#define FUREAI_TOOL_CONTACT_REGION_H

#include "json.h"

#include "fureai/shape.h"

// One line through points[first .. first + count); closed when its last point is its first one; a single point where
// the surfaces touch in a point alone.
typedef struct contact_line {
    size_t first, count;
} contact_line;

// Lines where surfaces cross, and the outlines of areas where they lie on one another. Free it.
typedef struct contact_region {
    fr_array points; // fr_vec3
    fr_array lines;  // contact_line
} contact_region;

// What pairs of triangles share, collected one after another.
typedef struct contact_pieces {
    fr_array ends;  // fr_vec3, two a piece
    fr_array sided; // bool, one a piece: a side of an area, which a side of its neighbour may run against
} contact_pieces;

contact_pieces contact_pieces_begin(void);
void contact_pieces_free(contact_pieces *pieces);

// Adds what two triangles share; false when there is no memory.
bool contact_pieces_add(contact_pieces *pieces, const fr_section *section);

// Joins the pieces into lines. Ends within `tolerance` of one another are one point. FR_ERROR_MEMORY.
fr_status contact_region_make(const contact_pieces *pieces, double tolerance, contact_region *out);
void contact_region_free(contact_region *region);

// Writes a list of lines, each a list of points.
void contact_region_write(const contact_region *region, json *j);

#endif
