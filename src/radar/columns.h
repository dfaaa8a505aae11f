// Columns of the view: for sure, where lines alone may miss.
//
// A column is a square of the image, all along the way. Of every face the part inside the column is cut out, and its
// least and greatest depth are exact; the least gap between the mover's and the others' is a lower bound of how far the
// mover may go in that column. Columns wait in order of their bounds, and the one with the least is cut into four, so
// that only those that matter are ever looked at closely.
#ifndef FUREAI_RADAR_COLUMNS_H
#define FUREAI_RADAR_COLUMNS_H

#include "radar/view.h"

// How far one face may go until it meets another, and where.
typedef struct fr__meeting {
    double way; // INFINITY: they do not meet
    const fr__facet *mover, *other;
    fr_feature feature; // with the mover as a
    double x, y, z;     // where, at the end of the way: pixels and metres
    fr_vec3 normal;     // in the frame of the view, metres; from the mover to the other; not unit
} fr__meeting;

// Two triangles on a way along z; `pixel` metres a pixel, depths within `slack` are the same.
fr__meeting fr__facets_meet(const fr__facet *mover, const fr__facet *other, double pixel, double slack);

typedef struct fr__columns {
    fr_array cells; // a heap by bound
    fr_array items; // faces of the cells
} fr__columns;

fr__columns fr__columns_make(const fr_allocator *allocator);
void fr__columns_free(fr__columns *columns);

typedef struct fr__bracket {
    double low, high;
    bool is_wide;
    uint64_t cells, pairs;
    fr__meeting meeting; // of FR_RADAR_EXACT: what meets first; else way INFINITY, and the faces of the least bound
} fr__bracket;

// Finds the bracket as the input's look asks; `high` is what lines found, INFINITY where nothing.
fr_status fr__columns_search(fr__columns *columns, const fr_radar_input *input, const fr__view *view,
                             const fr__mover *mover, const fr_array *others, double high, fr__bracket *out);

#endif
