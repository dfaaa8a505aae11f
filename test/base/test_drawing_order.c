// The painter's order: at every pixel, what is painted last is what is nearest.
#include "base/drawing_flat.h"
#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static const fr_color gray = {128, 128, 128, 255};

// A box with 12 triangles; corner c has the low or high coordinate of each axis by bits 0, 1, 2 of c.
static void draw_box(const fr_draw *draw, const double low[3], const double high[3]) {
    static const int triangles[12][3] = {{1, 3, 7}, {1, 7, 5}, {0, 4, 6}, {0, 6, 2}, {2, 6, 7}, {2, 7, 3},
                                         {0, 1, 5}, {0, 5, 4}, {4, 5, 7}, {4, 7, 6}, {0, 2, 3}, {0, 3, 1}};
    for (int t = 0; t < 12; ++t) {
        double points[9];
        for (int i = 0; i < 9; ++i) {
            int axis = i % 3;
            points[i] = (triangles[t][i / 3] >> axis & 1) != 0 ? high[axis] : low[axis];
        }
        fr_draw_triangles(draw, points, 1, gray);
    }
}

// 27 boxes, one in each cell of a grid, of random size: the grid's planes part them, so there is a right order from
// every side.
static void draw_boxes(const fr_draw *draw, fr_random *random) {
    for (int cell = 0; cell < 27; ++cell) {
        const int at[3] = {cell % 3, cell / 3 % 3, cell / 9};
        double low[3];
        double high[3];
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = at[axis] + fr_random_between(random, 0.0, 0.4);
            high[axis] = at[axis] + fr_random_between(random, 0.6, 1.0);
        }
        draw_box(draw, low, high);
    }
}

// The depth of a triangle at a pixel; NAN when it is not there, or too near its edge to tell.
static double depth_at(const fr__drawing_flat *flat, double x, double y) {
    const fr_drawing_place *c = flat->corners;
    double area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
    double v = ((x - c[0].x) * (c[2].y - c[0].y) - (y - c[0].y) * (c[2].x - c[0].x)) / area;
    double w = ((c[1].x - c[0].x) * (y - c[0].y) - (c[1].y - c[0].y) * (x - c[0].x)) / area;
    double u = 1.0 - v - w;
    if (!(fabs(area) > 1.0 && u > 0.01 && v > 0.01 && w > 0.01)) { return NAN; }
    return u * c[0].depth + v * c[1].depth + w * c[2].depth;
}

static fr_drawing *make_drawing(void) {
    fr_drawing *drawing = NULL;
    fr_drawing_def def = fr_default_drawing_def();
    assert_int_equal(fr_drawing_create(&def, &drawing, NULL), FR_OK);
    return drawing;
}

// A camera that sees all of a drawing.
static fr_drawing_camera fit(const fr_drawing *drawing, const double view[3], bool is_perspective, double pixels) {
    fr_drawing_view all = fr_drawing_get(drawing);
    fr_drawing_area area = {.width = pixels, .height = pixels};
    return fr_drawing_camera_fit(all.points, all.point_count, view, is_perspective, area);
}

static void expect_nearest_last(const fr_drawing *drawing, const fr_drawing_camera *camera, fr_random *random) {
    fr_drawing_view view = fr_drawing_get(drawing);
    uint32_t order[27 * 12];
    assert_int_equal(view.count, 27 * 12);
    assert_int_equal(fr_drawing_order(drawing, camera, order, NULL), FR_OK);
    for (int sample = 0; sample < 200; ++sample) {
        double x = fr_random_between(random, 0.0, 1000.0);
        double y = fr_random_between(random, 0.0, 1000.0);
        double nearest = INFINITY;
        double last = INFINITY;
        for (size_t i = 0; i < view.count; ++i) {
            fr__drawing_flat flat = fr__drawing_flat_make(&view, &view.marks[order[i]], camera);
            double depth = depth_at(&flat, x, y);
            if (isnan(depth)) { continue; }
            nearest = fmin(nearest, depth);
            last = depth;
        }
        if (last > nearest + 1e-6) { fail_msg("painted last at depth %g, nearest is %g", last, nearest); }
    }
}

static void test_nearest_is_painted_last(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    uint64_t views = test_count(10, 2000);
    for (uint64_t i = 0; i < views; ++i) {
        fr_drawing *drawing = make_drawing();
        fr_draw draw = fr_drawing_draw(drawing);
        double view[3];
        for (int axis = 0; axis < 3; ++axis) {
            view[axis] = fr_random_between(&random, -1.0, 1.0);
        }
        draw_boxes(&draw, &random);
        fr_drawing_camera camera = fit(drawing, view, i % 2 == 1, 1000.0);
        expect_nearest_last(drawing, &camera, &random);
        fr_drawing_destroy(drawing);
    }
}

// Three bars that hide one another in a circle: any order will do, but each once.
static void test_a_circle_is_broken(void **state) {
    (void)state;
    fr_drawing *drawing = make_drawing();
    fr_draw draw = fr_drawing_draw(drawing);
    const double bars[27] = {0, 0, 0, 10, 1, 1, 10, 0, 1, 9, -1, 0, 5, 9, 1, 6, 9, 1, 4, 9, 0, 0, -1, 1, 1, -1, 1};
    const double front[3] = {0.0, 0.0, 1.0};
    fr_draw_triangles(&draw, bars, 3, gray);
    fr_drawing_camera camera = fit(drawing, front, false, 100.0);
    uint32_t order[4];
    assert_int_equal(fr_drawing_order(drawing, &camera, order, NULL), FR_OK);
    assert_int_equal(1 << order[0] | 1 << order[1] | 1 << order[2], 7);
    fr_drawing_destroy(drawing);
}

// A line across a face, and a text behind it, come after the face; a line behind it before.
static void test_lines_and_texts(void **state) {
    (void)state;
    fr_drawing *drawing = make_drawing();
    fr_draw draw = fr_drawing_draw(drawing);
    const double face[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double on_face[6] = {0.1, 0.1, 0.0, 0.4, 0.4, 0.0};
    const double behind[6] = {0.1, 0.1, -0.2, 0.4, 0.4, -0.2};
    const double front[3] = {0.0, 0.0, 1.0};
    fr_draw_text(&draw, behind, "label", gray, 10.0); // 0
    fr_draw_lines(&draw, on_face, 1, gray, 1.0);      // 1
    fr_draw_triangles(&draw, face, 1, gray);          // 2
    fr_draw_lines(&draw, behind, 1, gray, 1.0);       // 3
    fr_drawing_camera camera = fit(drawing, front, false, 100.0);
    uint32_t order[4];
    assert_int_equal(fr_drawing_order(drawing, &camera, order, NULL), FR_OK);
    const uint32_t expected[4] = {3, 2, 1, 0};
    assert_memory_equal(order, expected, sizeof expected);
    fr_drawing_destroy(drawing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_is_painted_last),
        cmocka_unit_test(test_a_circle_is_broken),
        cmocka_unit_test(test_lines_and_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
