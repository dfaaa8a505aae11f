// The marks of a picture: triangles, lines, points and texts as they were drawn.
#include "picture_marks.h"

#include "utf8.h"

#include <math.h>
#include <string.h>

enum { LETTERS_MOST = 16 << 20, TEXT_BYTES = 512 };

// Beyond this squares and sums would leave the range of doubles; nothing real is that far away.
static const double farthest = 1e100;

picture_marks picture_marks_make(size_t most) {
    return (picture_marks){.marks = fr_array_make(sizeof(picture_mark), NULL),
                           .points = fr_array_make(3 * sizeof(double), NULL),
                           .letters = fr_array_make(1, NULL),
                           .most = most};
}

void picture_marks_free(picture_marks *m) {
    fr_array_destroy(&m->marks);
    fr_array_destroy(&m->points);
    fr_array_destroy(&m->letters);
}

static bool all_are_drawable(const double *points, unsigned point_count) {
    for (unsigned i = 0; i < 3 * point_count; ++i) {
        if (!(fabs(points[i]) <= farthest)) { return false; }
    }
    return true;
}

// Adds one mark, or notes why not. Returns it, or NULL when it was left out.
static picture_mark *add(picture_marks *m, picture_kind kind, const double *points, fr_color color, double size) {
    static const unsigned point_counts[] = {1, 2, 3, 1};
    unsigned point_count = point_counts[kind];
    if (m->error.status != FR_OK || color.a == 0 || !all_are_drawable(points, point_count)) { return NULL; }
    if (m->marks.count >= m->most) {
        fr_error_set(&m->error, FR_ERROR_LIMIT, "more than %zu lines, triangles and points to draw", m->most);
        return NULL;
    }

    size_t first_point = m->points.count;
    picture_mark *mark = fr_array_push(&m->marks, 1);
    double *place = mark != NULL ? fr_array_push(&m->points, point_count) : NULL;
    if (place == NULL) {
        if (mark != NULL) { --m->marks.count; }
        fr_error_set(&m->error, FR_ERROR_MEMORY, "no memory for the picture");
        return NULL;
    }
    memcpy(place, points, point_count * 3 * sizeof *points);
    *mark = (picture_mark){.first_point = (uint32_t)first_point, .color = color, .kind = (uint8_t)kind};
    mark->size = size > 0.0 && size < 1e4 ? (float)size : 1.0f;
    return mark;
}

static void draw_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    for (size_t i = 0; i < count; ++i) {
        add(user, PICTURE_LINE, points + 6 * i, color, width);
    }
}

static void draw_triangles(const double *points, size_t count, fr_color color, void *user) {
    for (size_t i = 0; i < count; ++i) {
        add(user, PICTURE_TRIANGLE, points + 9 * i, color, 1.0);
    }
}

static void draw_points(const double *points, size_t count, fr_color color, double size, void *user) {
    for (size_t i = 0; i < count; ++i) {
        add(user, PICTURE_POINT, points + 3 * i, color, size);
    }
}

static void draw_text(const double *point, const char *text, fr_color color, double size, void *user) {
    picture_marks *m = user;
    char repaired[TEXT_BYTES];
    utf8_repair(text, repaired, sizeof repaired);
    size_t bytes = strlen(repaired) + 1;
    picture_mark *mark = add(m, PICTURE_TEXT, point, color, size);
    if (mark == NULL) { return; }

    mark->letters = (uint32_t)m->letters.count;
    char *place = m->letters.count + bytes <= LETTERS_MOST ? fr_array_push(&m->letters, bytes) : NULL;
    if (place == NULL) {
        --m->marks.count;
        fr_error_set(&m->error, FR_ERROR_LIMIT, "too much text to draw");
        return;
    }
    memcpy(place, repaired, bytes);
}

fr_draw picture_marks_draw(picture_marks *m) {
    return (fr_draw){
        .lines = draw_lines, .triangles = draw_triangles, .points = draw_points, .text = draw_text, .user = m};
}

unsigned picture_mark_point_count(const picture_mark *mark) {
    switch ((picture_kind)mark->kind) {
    case PICTURE_LINE: return 2;
    case PICTURE_TRIANGLE: return 3;
    case PICTURE_POINT:
    case PICTURE_TEXT: break;
    }
    return 1;
}

const double *picture_mark_points(const picture_marks *m, const picture_mark *mark) {
    return (const double *)m->points.data + (size_t)3 * mark->first_point;
}

const char *picture_mark_text(const picture_marks *m, const picture_mark *mark) {
    return (const char *)m->letters.data + mark->letters;
}
