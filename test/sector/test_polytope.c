// Boxes, triangles and hulls against a sector: by points of both that come nearest to each other.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_vec3 nearest_on_box(const void *polytope, fr_vec3 point) {
    const fr_oriented_box *box = polytope;
    fr_vec3 d = fr_vec3_sub(point, box->center), p = box->center;
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    for (int i = 0; i < 3; i++) {
        double along = fmax(-half[i], fmin(half[i], fr_vec3_dot(d, box->axes.row[i])));
        p = fr_vec3_add_scaled(p, along, box->axes.row[i]);
    }
    return p;
}

static fr_vec3 nearest_on_triangle(const void *polytope, fr_vec3 point) {
    return fr_triangle_closest(polytope, point).point;
}

// The least of walks from many points.
static double least_walk(const fr_sector *s, const void *polytope, nearest_fn *nearest, const fr_vec3 *starts,
                         int count, double known) {
    double best = INFINITY;
    for (int i = 0; i < count && !(best <= known + 1e-9); i++) {
        best = fmin(best, walk_down(s, polytope, nearest, starts[i], 60));
    }
    for (int i = 0; i < count && !(best <= known + 1e-6); i++) {
        best = fmin(best, walk_down(s, polytope, nearest, starts[i], 20000));
    }
    return best;
}

// Whether a point of a triangle is within `limit` of the sector: the triangle is halved until it is known. The distance
// changes by no more than a point moves, so a triangle whose middle is farther off than its corners are from that has
// none. Nothing is left to chance, whatever hollows there are. `nearest` is the least distance that was seen.
static bool is_within(const fr_sector *s, const fr_vec3 t[3], double limit, double *nearest) {
    fr_vec3 middle = fr_vec3_scale(1.0 / 3.0, fr_vec3_add(fr_vec3_add(t[0], t[1]), t[2]));
    double d = fr_sector_distance(s, middle), reach = 0.0, longest = -1.0;
    int cut = 0;
    *nearest = fmin(*nearest, d);
    for (int k = 0; k < 3; k++) {
        double edge = fr_vec3_distance(t[k], t[(k + 1) % 3]);
        reach = fmax(reach, fr_vec3_distance(middle, t[k]));
        cut = edge > longest ? k : cut;
        longest = fmax(longest, edge);
    }
    if (d <= limit) { return true; }
    if (d - reach > limit) { return false; }
    fr_vec3 a = t[cut], b = t[(cut + 1) % 3], c = t[(cut + 2) % 3], half = fr_vec3_scale(0.5, fr_vec3_add(a, b));
    const fr_vec3 first[3] = {a, half, c}, second[3] = {half, b, c};
    return is_within(s, first, limit, nearest) || is_within(s, second, limit, nearest);
}

// The same for the surface of a polytope.
static bool is_any_within(const fr_sector *s, const fr_vec3 (*faces)[3], int count, double limit, double *nearest) {
    bool is_near = false;
    for (int i = 0; i < count && !is_near; i++) {
        is_near = is_within(s, faces[i], limit, nearest);
    }
    return is_near;
}

// Two triangles a side.
static void box_faces(const fr_oriented_box *box, fr_vec3 faces[12][3]) {
    static const double halves[2][3][2] = {{{-1, -1}, {-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}, {1, 1}}};
    for (int i = 0; i < 12; i++) {
        int axis = i / 4;
        for (int k = 0; k < 3; k++) {
            double at[3];
            at[axis] = i / 2 % 2 ? 1.0 : -1.0;
            at[(axis + 1) % 3] = halves[i % 2][k][0];
            at[(axis + 2) % 3] = halves[i % 2][k][1];
            faces[i][k] = box_point(box, fr_vec3_make(at[0], at[1], at[2]));
        }
    }
}

// An answer is right when no two points are nearer than it says, and two points are as near as it says. Walks may all
// end in hollows that are not the deepest; then the faces are searched in whole. With `is_proven` it is proven that no
// point is nearer by a fiftieth, which walks cannot.
static void expect_right(const fr_sector *s, const fr_vec3 (*faces)[3], int count, double d, double found, bool hit,
                         bool is_proven) {
    if (d > 0.0 && found > d + 1e-5) { is_any_within(s, faces, count, d + 1e-5, &found); }
    if (d > 0.02 && is_proven) { is_any_within(s, faces, count, d - 0.02, &found); }
    if (!(d <= found + 1e-11)) { fail_msg("%.17g, but two points are %.17g apart", d, found); }
    if (!(found <= d + 1e-4)) { fail_msg("%.17g, but no two points are nearer than %.17g", d, found); }
    if (found < 1e-12 || d == 0.0) { assert_true(hit); }
    if (d > 1e-9) { assert_false(hit); }
}

static int box_starts(fr_random *random, const fr_sector *s, const fr_oriented_box *box, fr_vec3 *out) {
    int count = 0;
    for (int i = 0; i < 8; i++) {
        out[count++] = box_point(box, fr_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    for (int i = 0; i < 24; i++) {
        fr_vec3 p = sample_in_sector(random, s);
        out[count++] = i % 2 ? nearest_on_box(box, p) : box_point(box, sample_point(random, 1.0));
    }
    return count;
}

static void test_boxes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(30);
    uint64_t count = test_count(400, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, false);
        fr_oriented_box box = sample_box(&random, 30.0, 20.0);
        if (i % 3 == 0) { box.center = fr_vec3_add(s.center, sample_point(&random, s.inner)); }
        fr_bounds upright = {fr_vec3_sub(box.center, box.half), fr_vec3_add(box.center, box.half)};
        if (i % 2) { box.axes = fr_mat3_identity(); }
        fr_vec3 starts[32];
        int n = box_starts(&random, &s, &box, starts);
        double d = fr_sector_box_distance(&s, &box), found = least_walk(&s, &box, nearest_on_box, starts, n, d);
        bool hit = fr_sector_overlap_box(&s, &box);
        fr_vec3 faces[12][3];
        box_faces(&box, faces);
        expect_right(&s, (const fr_vec3(*)[3])faces, 12, d, found, hit, i % 16 == 0);
        if (i % 2) { assert_int_equal(fr_sector_overlap_bounds(&s, &upright), hit); }
        hits += hit;
    }
    assert_true(hits > count / 5 && hits < count * 4 / 5);
    fr_bounds none = fr_bounds_empty();
    fr_sector s = sample_canonical(0, 1, 1, 1);
    assert_false(fr_sector_overlap_bounds(&s, &none));
}

static void test_triangles(void **state) {
    (void)state;
    fr_random random = fr_random_seed(31);
    uint64_t count = test_count(800, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, false);
        fr_vec3 t[3], center = fr_vec3_add(s.center, sample_point(&random, i % 3 ? 40.0 : s.inner)), starts[20];
        for (int k = 0; k < 3; k++) {
            t[k] = fr_vec3_add(center, sample_point(&random, 15.0));
        }
        if (i % 5 == 0) { // level with the faces, or upright beside the axis
            for (int k = 0; k < 3; k++) {
                fr_vec3 n = i % 2 ? s.axis : s.bisector;
                t[k] = fr_vec3_add_scaled(t[k], 3.0 - fr_vec3_dot(fr_vec3_sub(t[k], s.center), n), n);
            }
        }
        for (int k = 0; k < 20; k++) {
            double u = fr_random_unit(&random), v = fr_random_unit(&random) * (1.0 - u);
            starts[k] = k < 3 ? t[k] : fr_vec3_add_scaled(fr_vec3_scale(1 - u - v, t[0]), u, t[1]);
            if (k >= 3) { starts[k] = fr_vec3_add_scaled(starts[k], v, t[2]); }
            fr_vec3 p = sample_in_sector(&random, &s);
            if (k >= 10) { starts[k] = nearest_on_triangle(t, p); }
        }
        double d = fr_sector_triangle_distance(&s, t);
        double found = least_walk(&s, t, nearest_on_triangle, starts, 20, d);
        expect_right(&s, (const fr_vec3(*)[3])t, 1, d, found, fr_sector_overlap_triangle(&s, t), i % 16 == 0);
        hits += d == 0.0;
    }
    assert_true(hits > count / 10 && hits < count * 4 / 5);
}

// The hull of a box's corners, of a triangle's, of a segment's ends, with and without a radius.
static void test_hulls_agree_with_special_forms(void **state) {
    (void)state;
    fr_random random = fr_random_seed(32);
    uint64_t count = test_count(500, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, false);
        fr_oriented_box box = sample_box(&random, 30.0, 20.0);
        fr_vec3 p[8];
        for (int k = 0; k < 8; k++) {
            p[k] = box_point(&box, fr_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
        }
        const size_t counts[4] = {1, 2, 3, 8};
        double expected[4] = {fr_sector_distance(&s, p[0]), fr_sector_segment_distance(&s, p),
                              fr_sector_triangle_distance(&s, p), fr_sector_box_distance(&s, &box)};
        for (int k = 0; k < 4; k++) {
            fr_convex set = {p, counts[k], i % 2 ? 0.0 : fr_random_between(&random, 0.0, 5.0)};
            double d = fr_sector_convex_distance(&s, &set), e = fmax(0.0, expected[k] - set.radius);
            if (!(fabs(d - e) < 1e-9)) { fail_msg("%zu points: %.17g is not %.17g", counts[k], d, e); }
            if (fabs(expected[k] - set.radius) > 1e-9) {
                assert_int_equal(fr_sector_overlap_convex(&s, &set), e == 0.0);
            }
        }
    }
    fr_sector s = sample_canonical(1, 2, 1, 1);
    fr_vec3 crowd[FR_HULL_MAX_POINTS + 1] = {{1.5, 0, 0}};
    fr_convex none = {NULL, 0, 1.0}, most = {crowd, FR_HULL_MAX_POINTS, 1.0}, more = {crowd, most.count + 1, 1.0};
    assert_true(isnan(fr_sector_convex_distance(&s, &none)) && isnan(fr_sector_convex_distance(&s, &more)));
    assert_true(fr_sector_overlap_convex(&s, &most) && !fr_sector_overlap_convex(&s, &none) &&
                !fr_sector_overlap_convex(&s, &more));
}

static void test_one_inside_the_other(void **state) {
    (void)state;
    fr_sector s = sample_canonical(2, 3, 1, 0.5), ring = sample_canonical(2, 3, FR_PI, 0.5);
    fr_oriented_box large = {{0, 0, 0}, fr_mat3_identity(), {9, 9, 9}},
                    small = {{2.5, 0, 0}, fr_mat3_identity(), {.1, .1, .1}};
    fr_oriented_box in_hole = {{0, 0, 0}, fr_mat3_identity(), {1, 1, 1}};
    assert_true(fr_sector_overlap_box(&s, &large) && fr_sector_overlap_box(&s, &small) &&
                fr_sector_overlap_box(&ring, &large));
    assert_false(fr_sector_overlap_box(&ring, &in_hole));
    assert_true(fabs(fr_sector_box_distance(&ring, &in_hole) - (2.0 - sqrt(2.0))) < 1e-12);
    fr_vec3 corners[8];
    for (int k = 0; k < 8; k++) {
        corners[k] = box_point(&large, fr_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
    }
    fr_convex hull = {corners, 8, 0.0};
    assert_true(fr_sector_overlap_convex(&s, &hull));
}

// ---------------------------------------------------------------------------------------------------------------
// In the plane

static void test_rectangles(void **state) {
    (void)state;
    fr_random random = fr_random_seed(33);
    uint64_t count = test_count(3000, 1000000), hits = 0, judged = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector s = sample_sector(&random, true);
        double x = fr_random_between(&random, -40, 40), y = fr_random_between(&random, -40, 40);
        double a = fr_random_between(&random, 0, 15), b = fr_random_between(&random, 0, 15),
               turn = fr_random_between(&random, 0, 6);
        if (i % 50 == 0) { a = b = 60.0; }
        fr_vec2 corners[4];
        for (int k = 0; k < 4; k++) {
            double u = (k == 1 || k == 2) ? a : -a, v = k >= 2 ? b : -b;
            corners[i % 2 ? k : 3 - k] =
                (fr_vec2){x + u * cos(turn) - v * sin(turn), y + u * sin(turn) + v * cos(turn)};
        }
        bool hit = fr_sector_plane_overlap_polygon(&s, corners, 4), is_inside = false;
        double least = INFINITY;
        enum { N = 24 };
        for (int k = 0; k < (N + 1) * (N + 1); k++) {
            double u = a * (2.0 * (k / (N + 1)) / N - 1.0), v = b * (2.0 * (k % (N + 1)) / N - 1.0);
            fr_vec2 p = {x + u * cos(turn) - v * sin(turn), y + u * sin(turn) + v * cos(turn)};
            double d = fr_sector_plane_distance(&s, p);
            least = fmin(least, d);
            is_inside = is_inside || d == 0.0;
        }
        double step = 0.5 * hypot(2 * a, 2 * b) / N + 1e-9;
        if (is_inside) { assert_true(hit); }
        if (least > step) { assert_false(hit); }
        judged += is_inside || least > step;
        hits += hit;
    }
    assert_true(hits > count / 5 && judged > count * 7 / 10);
    fr_sector s = sample_canonical(1, 2, 1, 1);
    fr_vec2 corners[FR_SECTOR_MAX_POLYGON + 1];
    for (int k = 0; k <= FR_SECTOR_MAX_POLYGON; k++) {
        double angle = 2.0 * FR_PI * k / (FR_SECTOR_MAX_POLYGON + 1);
        corners[k] = (fr_vec2){1.5 + 0.1 * cos(angle), 0.1 * sin(angle)};
    }
    assert_true(fr_sector_plane_overlap_polygon(&s, corners, 1));
    assert_true(fr_sector_plane_overlap_polygon(&s, corners, FR_SECTOR_MAX_POLYGON));
    assert_false(fr_sector_plane_overlap_polygon(&s, corners, 0));
    assert_false(fr_sector_plane_overlap_polygon(&s, corners, FR_SECTOR_MAX_POLYGON + 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_hulls_agree_with_special_forms),
        cmocka_unit_test(test_one_inside_the_other),
        cmocka_unit_test(test_rectangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
