// Shapes of sector files as drawing calls.
#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct counted {
    size_t lines, points;
} counted;

static void count_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    (void)points, (void)color, (void)width;
    ((counted *)user)->lines += count;
}

static void count_points(const double *points, size_t count, fr_color color, double size, void *user) {
    (void)points, (void)color, (void)size;
    ((counted *)user)->points += count;
}

static void shapes_become_lines(void **state) {
    (void)state;
    counted c = {0};
    const fr_draw draw = {.lines = count_lines, .points = count_points, .user = &c};
    const fr_color red = {255, 0, 0, 255};
    static const size_t expected[] = {
        [FR_SECTOR_QUERY_POINT] = 0, [FR_SECTOR_QUERY_SPHERE] = 144, [FR_SECTOR_QUERY_CAPSULE] = 292,
        [FR_SECTOR_QUERY_BOX] = 12,  [FR_SECTOR_QUERY_TRIANGLE] = 3, [FR_SECTOR_QUERY_SECTOR] = 0};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        c = (counted){0};
        fr_sector_query query = {.radius = 1.0};
        query.shape = (unsigned)i;
        query.points[1] = fr_vec3_make(1, 0, 0);
        query.points[2] = fr_vec3_make(0, 1, 0);
        fr_sector_query_draw(&query, &draw, red);
        assert_int_equal(c.lines, expected[i]);
        assert_int_equal(c.points, i == FR_SECTOR_QUERY_POINT ? 1 : 0);
    }
    fr_sector_entry entry = {.build = FR_SECTOR_GIVEN};
    c = (counted){0};
    fr_sector_entry_draw_box(&entry, &draw, red);
    assert_int_equal(c.lines, 0);
    entry.build = FR_SECTOR_THESIS;
    entry.screw.axis = fr_vec3_make(0, 1, 0);
    fr_sector_entry_draw_box(&entry, &draw, red);
    assert_int_equal(c.lines, 24);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_become_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
