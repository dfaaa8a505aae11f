// A drawing: points, lines, triangles and texts as they were drawn.
#include "base/drawing_flat.h"

#include <math.h>
#include <string.h>

#define DEF_COOKIE 0x44524157u

enum { LETTERS_MAX = 16 << 20, TEXT_BYTES = 512 };

// Beyond this squares and sums would leave the range of doubles; nothing real is that far away.
static const double farthest = 1e100;

struct fr_drawing {
    fr_array marks;   // fr_drawing_mark
    fr_array points;  // double[3]
    fr_array letters; // char: the texts, each terminated
    size_t max_marks;
    fr_allocator allocator;
    fr_error error; // the first failure
};

fr_drawing_def fr_default_drawing_def(void) { return (fr_drawing_def){.max_marks = 4000000, .cookie = DEF_COOKIE}; }

fr_status fr_drawing_create(const fr_drawing_def *def, fr_drawing **out, fr_error *error) {
    *out = NULL;
    if (def->cookie != DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_drawing_def"); }
    fr_drawing *d = fr_allocate(&def->allocator, 1, sizeof *d, _Alignof(fr_drawing));
    if (d == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the picture"); }
    *d = (fr_drawing){.marks = fr_array_make(sizeof(fr_drawing_mark), &def->allocator),
                      .points = fr_array_make(3 * sizeof(double), &def->allocator),
                      .letters = fr_array_make(1, &def->allocator),
                      .max_marks = def->max_marks,
                      .allocator = def->allocator};
    *out = d;
    return FR_OK;
}

void fr_drawing_destroy(fr_drawing *d) {
    if (d == NULL) { return; }
    fr_array_destroy(&d->marks);
    fr_array_destroy(&d->points);
    fr_array_destroy(&d->letters);
    const fr_allocator allocator = d->allocator;
    fr_deallocate(&allocator, d, 1, sizeof *d);
}

static bool all_are_drawable(const double *points, unsigned point_count) {
    for (unsigned i = 0; i < 3 * point_count; ++i) {
        if (!(fabs(points[i]) <= farthest)) { return false; }
    }
    return true;
}

// Adds one mark, or notes why not. Returns it, or NULL when it was left out.
static fr_drawing_mark *add(fr_drawing *d, fr_drawing_kind kind, const double *points, fr_color color, double size) {
    static const unsigned point_counts[] = {1, 2, 3, 1};
    unsigned point_count = point_counts[kind];
    if (d->error.status != FR_OK || color.a == 0 || !all_are_drawable(points, point_count)) { return NULL; }
    if (d->marks.count >= d->max_marks) {
        fr_error_set(&d->error, FR_ERROR_LIMIT, "more than %zu lines, triangles and points to draw", d->max_marks);
        return NULL;
    }

    size_t first_point = d->points.count;
    fr_drawing_mark *mark = fr_array_push(&d->marks, 1);
    double *place = mark != NULL ? fr_array_push(&d->points, point_count) : NULL;
    if (place == NULL) {
        if (mark != NULL) { --d->marks.count; }
        fr_error_set(&d->error, FR_ERROR_MEMORY, "no memory for the picture");
        return NULL;
    }
    memcpy(place, points, point_count * 3 * sizeof *points);
    *mark = (fr_drawing_mark){
        .first_point = (uint32_t)first_point, .color = color, .kind = (uint8_t)kind, .dimension = (uint8_t)point_count};
    mark->size = size > 0.0 && size < 1e4 ? (float)size : 1.0f;
    return mark;
}

static void draw_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    for (size_t i = 0; i < count; ++i) {
        add(user, FR_DRAWING_LINE, points + 6 * i, color, width);
    }
}

static void draw_triangles(const double *points, size_t count, fr_color color, void *user) {
    for (size_t i = 0; i < count; ++i) {
        add(user, FR_DRAWING_TRIANGLE, points + 9 * i, color, 1.0);
    }
}

static void draw_points(const double *points, size_t count, fr_color color, double size, void *user) {
    for (size_t i = 0; i < count; ++i) {
        add(user, FR_DRAWING_POINT, points + 3 * i, color, size);
    }
}

static void draw_text(const double *point, const char *text, fr_color color, double size, void *user) {
    fr_drawing *d = user;
    char repaired[TEXT_BYTES];
    fr_utf8_repair(text, repaired, sizeof repaired);
    size_t bytes = strlen(repaired) + 1;
    fr_drawing_mark *mark = add(d, FR_DRAWING_TEXT, point, color, size);
    if (mark == NULL) { return; }

    mark->letters = (uint32_t)d->letters.count;
    bool is_too_much = d->letters.count + bytes > LETTERS_MAX;
    char *place = is_too_much ? NULL : fr_array_push(&d->letters, bytes);
    if (place == NULL) {
        --d->marks.count;
        --d->points.count;
        fr_error_set(&d->error, is_too_much ? FR_ERROR_LIMIT : FR_ERROR_MEMORY,
                     is_too_much ? "too much text to draw" : "no memory for the picture");
        return;
    }
    memcpy(place, repaired, bytes);
}

fr_draw fr_drawing_draw(fr_drawing *d) {
    return (fr_draw){
        .lines = draw_lines, .triangles = draw_triangles, .points = draw_points, .text = draw_text, .user = d};
}

fr_status fr_drawing_check(const fr_drawing *d, fr_error *error) {
    if (d->error.status != FR_OK && error != NULL) { *error = d->error; }
    return d->error.status;
}

fr_drawing_view fr_drawing_get(const fr_drawing *d) {
    return (fr_drawing_view){.marks = d->marks.data,
                             .count = d->marks.count,
                             .points = d->points.data,
                             .point_count = d->points.count,
                             .letters = d->letters.data};
}

const fr_allocator *fr__drawing_allocator(const fr_drawing *d) { return &d->allocator; }
