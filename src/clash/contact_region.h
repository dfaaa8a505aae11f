// The region where two surfaces meet, made of what pairs of triangles share.
#ifndef FR_CLASH_CONTACT_REGION_H
#define FR_CLASH_CONTACT_REGION_H

#include "math/point_array.h"

#include "fureai/clash.h"

FR_ARRAY_TYPE(fr__flag_array, bool);
FR_ARRAY_TYPE(fr__contact_line_array, fr_contact_line);

// What pairs of triangles share, collected one after another.
typedef struct fr__contact_pieces {
    fr__vec3_array ends;  // two a piece
    fr__flag_array sided; // one a piece: a side of an area, which a side of its neighbour may run against
} fr__contact_pieces;

fr__contact_pieces fr__contact_pieces_make(const fr_allocator *allocator);
void fr__contact_pieces_free(fr__contact_pieces *pieces);

// Adds what two triangles share; false when there is no memory.
bool fr__contact_pieces_add(fr__contact_pieces *pieces, const fr_section *section);

// The memory of a region.
typedef struct fr__contact_lines {
    fr__vec3_array points;
    fr__contact_line_array lines;
} fr__contact_lines;

FR_ARRAY_TYPE(fr__contact_lines_array, fr__contact_lines);

fr__contact_lines fr__contact_lines_make(const fr_allocator *allocator);
void fr__contact_lines_free(fr__contact_lines *lines);

// Appends a line of one point; false when there is no memory.
bool fr__contact_lines_add_point(fr__contact_lines *lines, fr_vec3 point);

// Appends the lines that the pieces make. Ends within `tolerance` > 0 of one another are one point. FR_ERROR_MEMORY.
fr_status fr__contact_lines_join(fr__contact_lines *lines, const fr__contact_pieces *pieces, double tolerance);

// The region as users see it; valid until the lines change.
fr_contact_region fr__contact_lines_view(const fr__contact_lines *lines);

#endif
