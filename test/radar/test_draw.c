// Images of a radar as drawing calls.
#include "fureai/radar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct counted {
    size_t triangles, lines, texts;
    fr_color first;
} counted;

static void count_triangles(const double *points, size_t count, fr_color color, void *user) {
    (void)points;
    counted *c = user;
    if (c->triangles == 0) { c->first = color; }
    c->triangles += count;
}

static void count_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    (void)points, (void)color, (void)width;
    ((counted *)user)->lines += count;
}

static void count_text(const double place[3], const char *text, fr_color color, double size, void *user) {
    (void)place, (void)text, (void)color, (void)size;
    ((counted *)user)->texts++;
}

static void pixels_become_squares(void **state) {
    (void)state;
    counted c = {0};
    const fr_draw draw = {.triangles = count_triangles, .lines = count_lines, .text = count_text, .user = &c};
    double range[6] = {1.0, 2.0, INFINITY, 3.0, 1.0, INFINITY};
    uint32_t object[6] = {0, 9, FR_NONE, 1, 1, FR_NONE};
    const fr_radar_images images = {.width = 2, .height = 2, .stride = 3, .range = range, .object = object};
    fr_radar_draw_depths(&images, range, 0.0, "range", &draw);
    assert_true(c.triangles == 8 && c.lines == 4 && c.texts == 1 && c.first.r == 40);
    c = (counted){0};
    fr_radar_draw_objects(&images, 5.0, "objects", &draw);
    assert_true(c.triangles == 8 && c.first.r == fr_radar_object_color(0).r);
    assert_true(fr_radar_object_color(9).r == fr_radar_object_color(1).r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_become_squares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
