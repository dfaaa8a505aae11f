// The picture writer: what is drawn where, its bounds, and what it does without memory.
#include "picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cairo.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const fr_color red = {255, 0, 0, 255};
static const fr_color blue = {0, 0, 255, 255};
static const fr_color black = {0, 0, 0, 255};

static char folder[] = "/tmp/fureai-picture-XXXXXX";
static char png_path[64];
static char svg_path[64];

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(png_path, sizeof png_path, "%s/p.png", folder);
    snprintf(svg_path, sizeof svg_path, "%s/p.SVG", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(png_path);
    unlink(svg_path);
    return rmdir(folder);
}

// ---------------------------------------------------------------------------------------------------------------
// Pixels

// A picture of 400 x 300 seen from the front.
static picture *make_front_picture(void) {
    picture *p = NULL;
    picture_def def = picture_default_def();
    def.width = 400;
    def.height = 300;
    def.view[0] = def.view[1] = 0.0;
    def.view[2] = 1.0;
    assert_int_equal(picture_create(&def, &p, NULL), FR_OK);
    return p;
}

static void draw_square(const fr_draw *draw, double half, double z, fr_color color) {
    const double triangles[18] = {-half, -half, z, half, -half, z, half,  half, z,
                                  -half, -half, z, half, half,  z, -half, half, z};
    fr_draw_triangles(draw, triangles, 2, color);
}

static cairo_surface_t *write_and_read(picture *p) {
    fr_error error = {0};
    if (picture_write(p, png_path, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    picture_destroy(p);
    cairo_surface_t *surface = cairo_image_surface_create_from_png(png_path);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(surface), 400);
    assert_int_equal(cairo_image_surface_get_height(surface), 300);
    return surface;
}

static void expect_pixel(cairo_surface_t *surface, int x, int y, fr_color color) {
    const unsigned char *row = cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * x, sizeof pixel);
    uint32_t expected = (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
    assert_int_equal(pixel & 0xFFFFFFu, expected);
}

static void test_near_hides_far_in_any_order_of_drawing(void **state) {
    (void)state;
    for (int order = 0; order < 2; ++order) {
        picture *p = make_front_picture();
        fr_draw draw = picture_draw(p);
        if (order == 0) { draw_square(&draw, 0.5, 1.0, red); }
        draw_square(&draw, 1.0, 0.0, blue);
        if (order == 1) { draw_square(&draw, 0.5, 1.0, red); }
        cairo_surface_t *surface = write_and_read(p);
        expect_pixel(surface, 200, 150, red);
        expect_pixel(surface, 200, 40, blue); // beside the near square
        expect_pixel(surface, 5, 5, (fr_color){255, 255, 255, 255});
        expect_pixel(surface, 150, 150, red); // no gap along the diagonal of the two triangles
        expect_pixel(surface, 180, 170, red);
        cairo_surface_destroy(surface);
    }
}

static void test_lines_and_points_lie_on_their_face(void **state) {
    (void)state;
    picture *p = make_front_picture();
    fr_draw draw = picture_draw(p);
    const double line[6] = {-1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    const double point[3] = {0.0, 0.5, 0.0};
    fr_draw_points(&draw, point, 1, red, 9.0);
    fr_draw_lines(&draw, line, 1, black, 4.0);
    draw_square(&draw, 1.0, 0.0, blue);
    cairo_surface_t *surface = write_and_read(p);
    expect_pixel(surface, 150, 150, black);
    expect_pixel(surface, 200, 84, red);
    expect_pixel(surface, 150, 110, blue);
    cairo_surface_destroy(surface);
}

static size_t count_dark(cairo_surface_t *surface, int left, int top, int right, int bottom) {
    size_t count = 0;
    for (int y = top; y < bottom; ++y) {
        const unsigned char *row = cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
        for (int x = left; x < right; ++x) {
            uint32_t pixel;
            memcpy(&pixel, row + 4 * x, sizeof pixel);
            count += (pixel & 0xFFu) < 100 && (pixel >> 8 & 0xFFu) < 100 && (pixel >> 16 & 0xFFu) < 100;
        }
    }
    return count;
}

static void test_text_title_and_legend_are_there(void **state) {
    (void)state;
    picture *p = NULL;
    picture_def def = picture_default_def();
    def.width = 400;
    def.height = 300;
    def.title = "Title";
    assert_int_equal(picture_create(&def, &p, NULL), FR_OK);
    fr_draw draw = picture_draw(p);
    const double point[3] = {0.0, 0.0, 0.0};
    fr_draw_text(&draw, point, "broken \xC3\x28 text", black, 12.0);
    picture_legend(p, red, "red things");
    cairo_surface_t *surface = write_and_read(p);
    assert_true(count_dark(surface, 0, 0, 400, 40) > 50);      // the title
    assert_true(count_dark(surface, 40, 45, 400, 80) > 50);    // the legend's text
    expect_pixel(surface, 25, 55, red);                        // the legend's box
    assert_true(count_dark(surface, 200, 120, 400, 180) > 50); // the text right of its point
    cairo_surface_destroy(surface);
}

// ---------------------------------------------------------------------------------------------------------------
// Bounds and failures

static void test_what_is_not_finite_is_left_out(void **state) {
    (void)state;
    picture *p = make_front_picture();
    fr_draw draw = picture_draw(p);
    const double bad[9] = {NAN, 0, 0, 1, 0, 0, 0, 1, 0};
    const double far_away[9] = {1e300, 0, 0, 1, 0, 0, 0, 1, 0};
    fr_draw_triangles(&draw, bad, 1, red);
    fr_draw_triangles(&draw, far_away, 1, red);
    fr_draw_points(&draw, bad, 1, red, NAN);
    draw_square(&draw, 1e99, 0.0, blue);
    cairo_surface_t *surface = write_and_read(p);
    expect_pixel(surface, 200, 150, blue);
    cairo_surface_destroy(surface);
}

static void test_an_empty_picture_and_one_point(void **state) {
    (void)state;
    cairo_surface_destroy(write_and_read(make_front_picture()));
    picture *p = make_front_picture();
    fr_draw draw = picture_draw(p);
    const double point[3] = {1e6, -1e6, 3.0};
    fr_draw_points(&draw, point, 1, red, 10.0);
    cairo_surface_t *surface = write_and_read(p);
    expect_pixel(surface, 200, 150, red);
    cairo_surface_destroy(surface);
}

static void test_an_svg_holds_fewer(void **state) {
    (void)state;
    picture *p = make_front_picture();
    fr_draw draw = picture_draw(p);
    fr_error error = {0};
    const double point[3] = {0};
    for (int i = 0; i <= PICTURE_MAX_SVG_MARKS; ++i) {
        fr_draw_points(&draw, point, 1, red, 1.0);
    }
    assert_int_equal(picture_write(p, svg_path, NULL, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "PNG"));
    assert_int_equal(access(svg_path, F_OK), -1);
    picture_destroy(p);
}

static void test_definitions_outside_their_limits(void **state) {
    (void)state;
    picture *p = NULL;
    fr_error error = {0};
    picture_def def = picture_default_def();
    def.width = PICTURE_MAX_SIZE + 1;
    assert_int_equal(picture_create(&def, &p, &error), FR_ERROR_ARGUMENT);
    def = picture_default_def();
    memset(def.view, 0, sizeof def.view);
    assert_int_equal(picture_create(&def, &p, &error), FR_ERROR_ARGUMENT);
    def.view[1] = NAN;
    assert_int_equal(picture_create(&def, &p, &error), FR_ERROR_ARGUMENT);
    assert_null(p);
}

static void test_paths(void **state) {
    (void)state;
    assert_true(picture_path_is_known("a.svg"));
    assert_true(picture_path_is_known("dir/a.PNG"));
    assert_false(picture_path_is_known(".png"));
    assert_false(picture_path_is_known("a.jpg"));
    assert_false(picture_path_is_known("png"));
}

static void test_no_picture_draws_nothing(void **state) {
    (void)state;
    fr_draw draw = picture_draw(NULL);
    draw_square(&draw, 1.0, 0.0, red);
    picture_legend(NULL, red, "none");
    picture_destroy(NULL);
}

static bool always(void *user) {
    (void)user;
    return true;
}

static void test_stop_leaves_no_file(void **state) {
    (void)state;
    fr_control control = {.stop = always};
    unlink(svg_path);
    picture *p = make_front_picture();
    fr_draw draw = picture_draw(p);
    draw_square(&draw, 1.0, 0.0, red);
    assert_int_equal(picture_write(p, svg_path, &control, NULL), FR_ERROR_STOPPED);
    assert_int_equal(access(svg_path, F_OK), -1);
    picture_destroy(p);
}

static fr_status draw_and_write(void) {
    picture *p = NULL;
    picture_def def = picture_default_def();
    fr_status status = picture_create(&def, &p, NULL);
    if (status != FR_OK) { return status; }
    fr_draw draw = picture_draw(p);
    const double point[3] = {0};
    draw_square(&draw, 1.0, 0.0, red);
    fr_draw_text(&draw, point, "text", black, 10.0);
    status = picture_write(p, png_path, NULL, NULL);
    picture_destroy(p);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_status status = FR_ERROR_MEMORY;
    fr_set_default_allocator(fr_probe_allocator(probe));
    for (uint64_t n = 1; status != FR_OK && n < 100; ++n) {
        fr_probe_fail(probe, n, false);
        status = draw_and_write();
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    assert_int_equal(status, FR_OK);
    fr_set_default_allocator((fr_allocator){0});
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_hides_far_in_any_order_of_drawing),
        cmocka_unit_test(test_lines_and_points_lie_on_their_face),
        cmocka_unit_test(test_text_title_and_legend_are_there),
        cmocka_unit_test(test_what_is_not_finite_is_left_out),
        cmocka_unit_test(test_an_empty_picture_and_one_point),
        cmocka_unit_test(test_an_svg_holds_fewer),
        cmocka_unit_test(test_definitions_outside_their_limits),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_no_picture_draws_nothing),
        cmocka_unit_test(test_stop_leaves_no_file),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
