// Callbacks of fr_draw that record what is drawn.
#ifndef FUREAI_TEST_DRAW_RECORD_H
#define FUREAI_TEST_DRAW_RECORD_H

#include "fureai/math.h"

typedef struct draw_record {
    size_t line_count, triangle_count, point_count, text_count; // that were drawn
    size_t call_count;                                          // of all callbacks
    fr_bounds bounds;                                           // of all points
    fr_color triangle_color, line_color;                        // of the last ones
    fr_vec3 triangle[3];                                        // the last one
} draw_record;

static inline void draw_record_points(draw_record *r, const double *points, size_t count) {
    r->call_count++;
    for (size_t i = 0; i < count; i++) {
        r->bounds = fr_bounds_with_point(&r->bounds, fr_vec3_make(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
    }
}

static inline void draw_record_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    (void)width;
    draw_record *r = user;
    draw_record_points(r, points, 2 * count);
    r->line_count += count;
    r->line_color = color;
}

static inline void draw_record_triangles(const double *points, size_t count, fr_color color, void *user) {
    draw_record *r = user;
    draw_record_points(r, points, 3 * count);
    r->triangle_count += count;
    r->triangle_color = color;
    for (size_t i = 0; i < 3 && count > 0; i++) {
        const double *at = points + 9 * (count - 1) + 3 * i;
        r->triangle[i] = fr_vec3_make(at[0], at[1], at[2]);
    }
}

static inline void draw_record_dots(const double *points, size_t count, fr_color color, double size, void *user) {
    (void)color, (void)size;
    draw_record *r = user;
    draw_record_points(r, points, count);
    r->point_count += count;
}

static inline void draw_record_text(const double *point, const char *text, fr_color color, double size, void *user) {
    (void)text, (void)color, (void)size;
    draw_record *r = user;
    draw_record_points(r, point, 1);
    r->text_count++;
}

// Forgets what was drawn. The callbacks write into `r`.
static inline fr_draw draw_record_begin(draw_record *r) {
    *r = (draw_record){.bounds = fr_bounds_empty()};
    return (fr_draw){draw_record_lines, draw_record_triangles, draw_record_dots, draw_record_text, r};
}

#endif
