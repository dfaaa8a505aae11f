// What was drawn: lines, triangles, points and texts in world coordinates.
#ifndef FUREAI_TOOL_PICTURE_MARKS_H
#define FUREAI_TOOL_PICTURE_MARKS_H

#include "fureai/base.h"

typedef enum picture_kind { PICTURE_POINT, PICTURE_LINE, PICTURE_TRIANGLE, PICTURE_TEXT } picture_kind;

typedef struct picture_mark {
    uint32_t first_point; // its points stand together: 1, 2, 3 or 1 of them
    uint32_t letters;     // where the text begins
    fr_color color;
    float size; // a line's width, a point's diameter, a capital's height, in pixels
    uint8_t kind;
} picture_mark;

typedef struct picture_marks {
    fr_array marks;   // picture_mark
    fr_array points;  // double[3]
    fr_array letters; // char: the texts, each terminated, repaired where it was no UTF-8
    size_t most;      // marks that are taken
    fr_error error;   // the first trouble
} picture_marks;

picture_marks picture_marks_make(size_t most);
void picture_marks_free(picture_marks *m);

// A table that draws into `m`.
fr_draw picture_marks_draw(picture_marks *m);

// The points of a mark and its text.
unsigned picture_mark_point_count(const picture_mark *mark);
const double *picture_mark_points(const picture_marks *m, const picture_mark *mark);
const char *picture_mark_text(const picture_marks *m, const picture_mark *mark);

#endif
