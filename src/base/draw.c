// Calls into a table of drawing callbacks; a callback that is not set draws nothing.
#include "fureai/base.h"

void fr_draw_lines(const fr_draw *draw, const double *points, size_t count, fr_color color, double width) {
    if (draw != NULL && draw->lines != NULL) { draw->lines(points, count, color, width, draw->user); }
}

void fr_draw_triangles(const fr_draw *draw, const double *points, size_t count, fr_color color) {
    if (draw != NULL && draw->triangles != NULL) { draw->triangles(points, count, color, draw->user); }
}

void fr_draw_points(const fr_draw *draw, const double *points, size_t count, fr_color color, double size) {
    if (draw != NULL && draw->points != NULL) { draw->points(points, count, color, size, draw->user); }
}

void fr_draw_text(const fr_draw *draw, const double *point, const char *text, fr_color color, double size) {
    if (draw != NULL && draw->text != NULL) { draw->text(point, text, color, size, draw->user); }
}
