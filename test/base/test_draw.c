#include "fureai/base.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct call {
    char kind;
    const double *points;
    size_t count;
    fr_color color;
    double size;
    const char *text;
} call;

static void lines(const double *points, size_t count, fr_color color, double width, void *user) {
    *(call *)user = (call){'l', points, count, color, width, NULL};
}

static void triangles(const double *points, size_t count, fr_color color, void *user) {
    *(call *)user = (call){'t', points, count, color, 0, NULL};
}

static void dots(const double *points, size_t count, fr_color color, double size, void *user) {
    *(call *)user = (call){'p', points, count, color, size, NULL};
}

static void text(const double *point, const char *words, fr_color color, double size, void *user) {
    *(call *)user = (call){'w', point, 1, color, size, words};
}

static void expect_call(const call *last, char kind, const double *points, size_t count, double size) {
    assert_int_equal(last->kind, kind);
    assert_ptr_equal(last->points, points);
    assert_int_equal(last->count, count);
    assert_true(last->size == size);
    assert_int_equal(last->color.r, 1);
    assert_int_equal(last->color.g, 2);
    assert_int_equal(last->color.b, 3);
    assert_int_equal(last->color.a, 4);
}

static void each_call_reaches_its_function(void **state) {
    (void)state;
    call last = {0};
    fr_draw draw = {lines, triangles, dots, text, &last};
    double points[9] = {0};
    fr_color color = {1, 2, 3, 4};
    fr_draw_lines(&draw, points, 1, color, 1.5);
    expect_call(&last, 'l', points, 1, 1.5);
    fr_draw_triangles(&draw, points, 2, color);
    expect_call(&last, 't', points, 2, 0);
    fr_draw_points(&draw, points, 3, color, 2.5);
    expect_call(&last, 'p', points, 3, 2.5);
    fr_draw_text(&draw, points, "hello", color, 12);
    expect_call(&last, 'w', points, 1, 12);
    assert_string_equal(last.text, "hello");
}

static void what_is_null_is_skipped(void **state) {
    (void)state;
    fr_draw nothing = {0};
    const fr_draw *tables[] = {NULL, &nothing};
    double points[9] = {0};
    fr_color color = {1, 2, 3, 4};
    for (int i = 0; i < 2; ++i) {
        fr_draw_lines(tables[i], points, 1, color, 1);
        fr_draw_triangles(tables[i], points, 1, color);
        fr_draw_points(tables[i], points, 1, color, 1);
        fr_draw_text(tables[i], points, "x", color, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_reaches_its_function),
        cmocka_unit_test(what_is_null_is_skipped),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
