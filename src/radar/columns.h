// Columns of the view: for sure, where lines alone may miss.
//
// A column is a square of the image, extended along the travel. Of every face the part inside the column is cut out,
// and its least and greatest depth are exact; the least gap between the mover's and the others' is a lower bound of how
// far the mover may go in that column. Columns wait in order of their bounds, and the one with the least is cut into
// four, so that only those that matter are ever looked at closely.
#ifndef FUREAI_RADAR_COLUMNS_H
#define FUREAI_RADAR_COLUMNS_H

#include "radar/pairs.h"
#include "radar/view.h"

// How far one face may go until it meets another, and where.
typedef struct fr__meeting {
    double travel; // metres or radians; INFINITY: they do not meet
    const fr__facet *mover, *other;
    fr_feature feature; // with the mover as a
    fr_vec3 point;      // where, at the end of the travel, in the look's frame
    fr_vec3 normal;     // in the frame's axes; from the mover to the other; not unit
} fr__meeting;

// A stretch of depth that a face takes up in a column.
typedef struct fr__reach {
    double low, high;
} fr__reach;

#define FR__MOST_REACHES 8

// A column's sides in pixels.
typedef struct fr__column {
    double x0, y0, x1, y1;
} fr__column;

// What columns need to know of a motion; straight motion and turns each fill it.
typedef struct fr__travel_table {
    // Where a face lies in a column, at most FR__MOST_REACHES stretches, never less than the truth; 0: nowhere.
    int (*cut)(const fr__view *view, const fr__facet *facet, const fr__column *column, fr__reach *out);
    // The shortest travel from a stretch of the mover to one of another, 0 where they overlap; INFINITY: it lies
    // behind.
    double (*gap)(const fr__reach *mover, const fr__reach *other);
    // The travel on the line through (x, y); INFINITY where it misses one of them.
    double (*on_line)(const fr__view *view, const fr__facet *mover, const fr__facet *other, double x, double y);
    // Decides a pair, wherever it meets.
    fr__meeting (*meet)(const fr__view *view, const fr__facet *mover, const fr__facet *other);
    bool is_linear; // depths lie on a line, not on a circle
} fr__travel_table;

extern const fr__travel_table fr__straight_travel, fr__turning_travel;

// A face in a column.
typedef struct fr__column_item {
    fr__reach reach;
    uint32_t facet;
} fr__column_item;

// A column that waits in the heap.
typedef struct fr__column_cell {
    double bound;
    fr__column sides;
    size_t first; // in items: the mover's faces, then the others'
    uint32_t movers, others;
    uint32_t mover, other; // faces that gave the bound; FR_NONE where none did
} fr__column_cell;

FR_ARRAY_TYPE(fr__column_item_array, fr__column_item);
FR_ARRAY_TYPE(fr__column_cell_array, fr__column_cell);

typedef struct fr__columns {
    fr__column_cell_array cells; // a heap by bound
    fr__column_item_array items; // faces of the cells
    fr__pairs decided;
} fr__columns;

fr__columns fr__columns_make(const fr_allocator *allocator);
void fr__columns_free(fr__columns *columns);

typedef struct fr__bracket {
    double low, high;
    bool is_wide;
    uint64_t cells, pairs;
    fr__meeting meeting; // of FR_RADAR_EXACT: what meets first; else travel INFINITY, and the faces of the least bound
} fr__bracket;

// Finds the bracket as the input's look asks; `root` holds every column where they may meet, `high` is what lines
// found, INFINITY where nothing.
fr_status fr__columns_search(fr__columns *columns, const fr_radar_input *input, const fr__travel_table *table,
                             const fr__view *view, const fr__mover *mover, const fr__facet_array *others,
                             const fr__column *root, double high, fr__bracket *out);

#endif
