// Where and how bodies meet, from the images.
#ifndef FUREAI_RADAR_CONTACT_H
#define FUREAI_RADAR_CONTACT_H

#include "radar/view.h"

// A pixel that meets first: pixels across, metres along.
typedef struct fr__touch_point {
    double x, y, z;
    uint32_t column, row;
} fr__touch_point;

FR_ARRAY_TYPE(fr__touch_point_array, fr__touch_point);

typedef struct fr__touch {
    uint32_t points; // pixels that meet first
    uint32_t kind;   // 1 a point, 2 a line, 3 an area
    size_t pixel;    // the first of them with the least travel
    double x, y, z;  // centre: pixels, and metres at the end of the travel
    fr_vec3 normal;  // in the frame of the view, metres; against the travel, not unit; zero where it is not known
} fr__touch;

// The contact of the pixels whose travel is least; there is one. `points` is scratch.
fr_status fr__touch_find(const fr__view *view, const fr__raster *raster, double least, fr__touch_point_array *points,
                         fr__touch *out);

#endif
