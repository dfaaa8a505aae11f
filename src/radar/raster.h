// Triangles drawn into small images along one direction.
//
// Positions are doubles in the frame of the view: x and y in pixels, z in metres along the travel. A pixel's line goes
// through its centre. Whether it meets a triangle is decided by the signs of three edge functions; an edge that two
// triangles share is written from the same end in both, so that both get the same number for it and a line through the
// edge meets exactly one of two that lie on its two sides. No coordinate is rounded to a grid: a depth is that of a
// point of the triangle to rounding, and never outside its own range of depths.
#ifndef FUREAI_RADAR_RASTER_H
#define FUREAI_RADAR_RASTER_H

#include "fureai/radar.h"
#include "math/simd.h"

// Of two numbers; the second where one is NaN. In line, unlike those of the C library.
static inline double fr__lesser(double a, double b) { return a < b ? a : b; }
static inline double fr__greater(double a, double b) { return a > b ? a : b; }

typedef fr_radar_triangle fr__facet;

FR_ARRAY_TYPE(fr__facet_array, fr__facet);

// Planes of numbers, `stride` a row; each ends with room for three more.
typedef struct fr__raster {
    uint32_t width, height, stride;
    uint32_t layers;
    double *exits[FR_RADAR_MAX_LAYERS]; // depths of the mover's faces that look ahead, foremost first; -INFINITY: none
    double *entries[FR_RADAR_MAX_LAYERS]; // those that look back; NULL where the mover is open
    bool is_overflown;                    // a column had more than `layers`

    bool as_printed; // what lies behind the foremost layer counts, and only that layer
    double slack;    // depths within it are the same
    double *range, *free_travel;
    uint32_t *object, *triangle;
    bool is_inside; // something was drawn between an entry and an exit of the mover
    bool is_behind; // as printed: something was drawn behind the front
} fr__raster;

typedef struct fr__raster_table {
    // Draws faces of the mover into the planes of `layers`, which are exits or entries of the raster.
    void (*draw_layers)(fr__raster *raster, double *const *layers, const fr__facet *facets, size_t count);
    // Draws what may be met: range, travel, object and triangle of each pixel that may go least far.
    void (*draw_range)(fr__raster *raster, const fr__facet *facets, size_t count);
} fr__raster_table;

FR__KERNEL_TABLE(fr__raster_table, fr__raster_kernel)

#endif
