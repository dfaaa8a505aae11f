// A drawing: what is recorded and what is left out, its limits, and the camera.
#include "fureai/base_drawing.h"

#include "failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static const fr_color red = {255, 0, 0, 255};

static fr_drawing *make_drawing(size_t max_marks) {
    fr_drawing *drawing = NULL;
    fr_drawing_def def = fr_default_drawing_def();
    def.max_marks = max_marks;
    assert_int_equal(fr_drawing_create(&def, &drawing, NULL), FR_OK);
    return drawing;
}

// ---------------------------------------------------------------------------------------------------------------
// Marks

static void test_a_definition_without_cookie_is_refused(void **state) {
    (void)state;
    fr_drawing_def def = {.max_marks = 1};
    fr_drawing *drawing = NULL;
    assert_int_equal(fr_drawing_create(&def, &drawing, NULL), FR_ERROR_ARGUMENT);
    assert_null(drawing);
    fr_drawing_destroy(NULL);
}

static void test_marks_are_recorded_in_order(void **state) {
    (void)state;
    const double points[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    fr_drawing *drawing = make_drawing(10);
    fr_draw draw = fr_drawing_draw(drawing);
    fr_draw_triangles(&draw, points, 1, red);
    fr_draw_text(&draw, points, "a\x80", red, 12.0);
    fr_draw_lines(&draw, points, 1, red, 3.0);
    fr_draw_points(&draw, points, 2, red, -1.0);
    fr_drawing_view view = fr_drawing_get(drawing);
    const uint8_t kinds[5] = {FR_DRAWING_TRIANGLE, FR_DRAWING_TEXT, FR_DRAWING_LINE, FR_DRAWING_POINT,
                              FR_DRAWING_POINT};
    const uint32_t first_points[5] = {0, 3, 4, 6, 7};
    const uint8_t dimensions[5] = {3, 1, 2, 1, 1};
    assert_int_equal(view.count, 5);
    assert_int_equal(view.point_count, 8);
    for (size_t i = 0; i < 5; ++i) {
        assert_int_equal(view.marks[i].kind, kinds[i]);
        assert_int_equal(view.marks[i].first_point, first_points[i]);
        assert_int_equal(view.marks[i].dimension, dimensions[i]);
    }
    assert_memory_equal(view.points, points, sizeof points);
    assert_string_equal(view.letters + view.marks[1].letters, "a\xEF\xBF\xBD");
    assert_true(view.marks[2].size == 3.0f && view.marks[3].size == 1.0f);
    fr_drawing_destroy(drawing);
}

static void test_what_cannot_be_seen_is_left_out(void **state) {
    (void)state;
    const double wrong[3][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, 2e100}};
    const double right[3] = {0, 0, 1e100};
    fr_drawing *drawing = make_drawing(10);
    fr_draw draw = fr_drawing_draw(drawing);
    fr_draw_points(&draw, wrong[0], 3, red, 1.0);
    fr_draw_points(&draw, right, 1, (fr_color){255, 0, 0, 0}, 1.0);
    fr_draw_points(&draw, right, 1, red, 1.0);
    assert_int_equal(fr_drawing_get(drawing).count, 1);
    assert_int_equal(fr_drawing_check(drawing, NULL), FR_OK);
    fr_drawing_destroy(drawing);
}

static void test_more_marks_than_the_limit(void **state) {
    (void)state;
    const double points[12] = {0};
    fr_error error = {0};
    fr_drawing *drawing = make_drawing(3);
    fr_draw draw = fr_drawing_draw(drawing);
    fr_draw_points(&draw, points, 3, red, 1.0);
    assert_int_equal(fr_drawing_check(drawing, &error), FR_OK);
    fr_draw_points(&draw, points, 1, red, 1.0);
    assert_int_equal(fr_drawing_check(drawing, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 3"));
    assert_int_equal(fr_drawing_get(drawing).count, 3);
    fr_drawing_destroy(drawing);
}

static fr_status draw_all(const fr_allocator *allocator, void *context) {
    (void)context;
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, view[3] = {0, 0, 1};
    uint32_t order[60];
    fr_drawing_def def = fr_default_drawing_def();
    def.allocator = *allocator;
    fr_drawing *drawing = NULL;
    fr_status status = fr_drawing_create(&def, &drawing, NULL);
    if (status != FR_OK) { return status; }
    fr_draw draw = fr_drawing_draw(drawing);
    for (int i = 0; i < 20; i++) {
        fr_draw_triangles(&draw, points, 1, red);
        fr_draw_lines(&draw, points, 1, red, 1.0);
        fr_draw_text(&draw, points, "text", red, 1.0);
    }
    fr_drawing_view all = fr_drawing_get(drawing);
    fr_drawing_area area = {0, 0, 10, 10};
    fr_drawing_camera camera = fr_drawing_camera_fit(all.points, all.point_count, view, false, area);
    status = fr_drawing_check(drawing, NULL);
    if (status == FR_OK) { status = fr_drawing_order(drawing, &camera, order, NULL); }
    if (status == FR_OK) { test_note(order, sizeof order); }
    fr_drawing_destroy(drawing);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(test_every_failure(draw_all, NULL) > 4);
}

// ---------------------------------------------------------------------------------------------------------------
// Camera

static void test_camera_fits_and_keeps_y_up(void **state) {
    (void)state;
    const double points[6] = {10.0, 20.0, 30.0, 12.0, 24.0, 31.0};
    const double front[3] = {0.0, 0.0, 1.0};
    const fr_drawing_area area = {.left = 10.0, .top = 20.0, .width = 400.0, .height = 300.0};
    fr_drawing_camera camera = fr_drawing_camera_fit(points, 2, front, false, area);
    fr_drawing_place low = fr_drawing_camera_project(&camera, points);
    fr_drawing_place high = fr_drawing_camera_project(&camera, points + 3);
    assert_true(fabs(low.y - 320.0) < 1e-9 && fabs(high.y - 20.0) < 1e-9); // fills the height, y up
    assert_true(fabs(high.x - low.x - 150.0) < 1e-9);                      // x right, the same scale
    assert_true(high.depth < low.depth);                                   // +z is nearer
}

static void test_camera_from_above_has_minus_z_up(void **state) {
    (void)state;
    const double points[6] = {-1.0, 0.0, -1.0, 1.0, 0.0, 1.0};
    const double above[3] = {0.0, 1.0, 0.0};
    const fr_drawing_area area = {.width = 100.0, .height = 100.0};
    fr_drawing_camera camera = fr_drawing_camera_fit(points, 2, above, false, area);
    fr_drawing_place back = fr_drawing_camera_project(&camera, points);
    assert_true(back.x < 1.0 && back.y < 1.0);
}

static void test_perspective_makes_far_things_smaller(void **state) {
    (void)state;
    const double points[12] = {-1, 0, 1, 1, 0, 1, -1, 0, -1, 1, 0, -1};
    const double front[3] = {0.0, 0.0, 1.0};
    const fr_drawing_area area = {.width = 100.0, .height = 100.0};
    fr_drawing_camera camera = fr_drawing_camera_fit(points, 4, front, true, area);
    fr_drawing_place p[4];
    for (size_t i = 0; i < 4; ++i) {
        p[i] = fr_drawing_camera_project(&camera, points + 3 * i);
    }
    assert_true(p[1].x - p[0].x > 1.2 * (p[3].x - p[2].x));
    assert_true(p[0].x > -1e-9 && p[1].x < 100.0 + 1e-9);
}

static void test_facing(void **state) {
    (void)state;
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double edge_on[9] = {0, 0, 0, 0, 0, 1, 0, 1, 0};
    const double nothing[9] = {0};
    const double front[3] = {0.0, 0.0, 5.0};
    fr_drawing_camera camera = fr_drawing_camera_fit(points, 3, front, false, (fr_drawing_area){0, 0, 10, 10});
    assert_true(fabs(fr_drawing_camera_facing(&camera, points) - 1.0) < 1e-12);
    assert_true(fr_drawing_camera_facing(&camera, edge_on) < 1e-12);
    assert_true(fr_drawing_camera_facing(&camera, nothing) == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_definition_without_cookie_is_refused),
        cmocka_unit_test(test_marks_are_recorded_in_order),
        cmocka_unit_test(test_what_cannot_be_seen_is_left_out),
        cmocka_unit_test(test_more_marks_than_the_limit),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_camera_fits_and_keeps_y_up),
        cmocka_unit_test(test_camera_from_above_has_minus_z_up),
        cmocka_unit_test(test_perspective_makes_far_things_smaller),
        cmocka_unit_test(test_facing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
