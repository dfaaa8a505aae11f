// Convex hulls of small sets: exact, of every dimension.
#include "frame.h"

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_hull_is_right(const fr_vec3 *points, int count, const fr_hull *hull) {
    uint64_t edges[FR_HULL_MAX_POINTS] = {0};
    for (int f = 0; f < hull->facet_count; f++) {
        const uint8_t *c = hull->facets[f];
        for (int i = 0; i < count && hull->dimension == 3; i++) {
            assert_true(fr_orient3d(points[c[0]], points[c[1]], points[c[2]], points[i]) <= 0);
        }
        for (int k = 0; k < 3; k++) {
            assert_true(c[k] < count && (edges[c[k]] >> c[(k + 1) % 3] & 1) == 0);
            edges[c[k]] |= UINT64_C(1) << c[(k + 1) % 3];
        }
    }
    if (hull->dimension < 3) { return; }
    assert_int_equal(hull->facet_count, 2 * hull->vertex_count - 4);
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            assert_int_equal(edges[a] >> b & 1, edges[b] >> a & 1);
        }
    }
}

static void test_each_dimension(void **state) {
    (void)state;
    fr_hull hull;
    fr_hull_of_points(NULL, 0, &hull);
    assert_true(hull.dimension == -1 && hull.vertex_count == 0);
    fr_vec3 equal[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    fr_hull_of_points(equal, 3, &hull);
    assert_true(hull.dimension == 0 && hull.vertex_count == 1 && hull.vertices[0] == 0);
    fr_vec3 line[4] = {{1, 5, 0}, {0, 7, 0}, {3, 1, 0}, {2, 3, 0}};
    fr_hull_of_points(line, 4, &hull);
    assert_true(hull.dimension == 1 && hull.vertex_count == 2 && hull.vertices[0] == 1 && hull.vertices[1] == 2);
    fr_vec3 square[6] = {{0, 0, 1}, {2, 0, 1}, {1, 0, 1}, {2, 2, 1}, {1, 1, 1}, {0, 2, 1}};
    fr_hull_of_points(square, 6, &hull);
    assert_true(hull.dimension == 2 && hull.vertex_count == 4 && hull.facet_count == 2);
    fr_vec3 cube[9];
    for (int i = 0; i < 8; i++) {
        cube[i] = fr_vec3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
    }
    cube[8] = fr_vec3_make(0.5, 0.5, 0.5);
    fr_hull_of_points(cube, 9, &hull);
    assert_true(hull.dimension == 3 && hull.vertex_count == 8 && hull.facet_count == 12);
    assert_hull_is_right(cube, 9, &hull);
}

static void test_no_point_is_outside(void **state) {
    (void)state;
    fr_random random = fr_random_seed(121);
    uint64_t count = test_count(4000, 100000);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 points[FR_HULL_MAX_POINTS];
        int n = (int)(1 + fr_random_below(&random, i % 10 == 0 ? 64 : 12));
        for (int k = 0; k < n; k++) {
            points[k] = i % 2 == 0 ? random_whole_point(&random, 2) : random_point(&random, 1.0);
            if (i % 6 == 1 && k > 2) { points[k] = fr_vec3_lerp(points[k - 1], points[k - 2], 0.3); }
        }
        fr_hull hull;
        fr_hull_of_points(points, (size_t)n, &hull);
        assert_hull_is_right(points, n, &hull);
        assert_true(hull.dimension >= 0 && hull.vertex_count >= 1 && hull.vertex_count <= n);
    }
}

// A flat set: every point is in the polygon, which turns one way.
static void test_flat_sets(void **state) {
    (void)state;
    fr_random random = fr_random_seed(122);
    for (int i = 0; i < 3000; i++) {
        fr_vec3 points[20];
        for (int k = 0; k < 20; k++) {
            fr_vec3 p = random_whole_point(&random, 4);
            points[k] = fr_vec3_make(p.x, p.y, p.x - 2.0 * p.y);
        }
        fr_hull hull;
        fr_hull_of_points(points, 20, &hull);
        assert_int_equal(hull.dimension, 2);
        for (int v = 0; v < hull.vertex_count; v++) {
            fr_vec3 a = points[hull.vertices[v]], b = points[hull.vertices[(v + 1) % hull.vertex_count]];
            int left = 0, right = 0;
            for (int k = 0; k < 20; k++) {
                double side = (b.x - a.x) * (points[k].y - a.y) - (b.y - a.y) * (points[k].x - a.x);
                left += side > 0.0;
                right += side < 0.0;
            }
            assert_true((left == 0) != (right == 0));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_dimension),
        cmocka_unit_test(test_no_point_is_outside),
        cmocka_unit_test(test_flat_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
