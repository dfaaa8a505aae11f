// Exact results in one plane. Dropping a coordinate changes no bit of the others, so signs in the plane of the two that
// remain are exact; and where three points keep an area without it, the map is one to one on their plane, so a fact
// there is a fact in space.
#include "shape/flat.h"

// ---------------------------------------------------------------------------------------------------------------
// Corners

static double coordinate(fr_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static int orient_without(const fr_vec3 *a, const fr_vec3 *b, const fr_vec3 *c, int axis) {
    return fr_orient2d(fr__drop(*a, axis), fr__drop(*b, axis), fr__drop(*c, axis));
}

int fr__triangle_drop_axis(const fr_vec3 t[3]) {
    fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    int first = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (int k = 0; k < 3; k++) {
        int axis = (first + k) % 3;
        if (orient_without(&t[0], &t[1], &t[2], axis) != 0) { return axis; }
    }
    return -1;
}

// The coordinate that distinguishes points on one line; 0 when all points are equal.
static int line_axis(const fr_vec3 *points, int count) {
    double extent[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 1; i < count; i++) {
            double d = fabs(coordinate(points[i], axis) - coordinate(points[0], axis));
            if (d > extent[axis]) { extent[axis] = d; }
        }
    }
    return extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
}

// The two ends of points on one line, along `axis`, or the one point they all are.
static fr__corners ends_of_line(const fr_vec3 *points, int count, int axis) {
    fr_vec3 low = points[0], high = points[0];
    for (int i = 1; i < count; i++) {
        if (coordinate(points[i], axis) < coordinate(low, axis)) { low = points[i]; }
        if (coordinate(points[i], axis) > coordinate(high, axis)) { high = points[i]; }
    }
    fr__corners ends = {{low, high, low}, fr_vec3_equal(low, high) ? 1 : 2};
    return ends;
}

fr__corners fr__corners_of_triangle(const fr_vec3 t[3]) {
    if (fr__triangle_drop_axis(t) < 0) { return ends_of_line(t, 3, line_axis(t, 3)); }
    fr__corners corners = {{t[0], t[1], t[2]}, 3};
    return corners;
}

fr__corners fr__corners_of_segment(const fr_vec3 s[2]) {
    fr__corners corners = {{s[0], s[1], s[0]}, fr_vec3_equal(s[0], s[1]) ? 1 : 2};
    return corners;
}

bool fr__corners_are_coplanar(const fr__corners *a, const fr__corners *b) {
    const fr__corners *plane = a->count == 3 ? a : b;
    const fr__corners *other = plane == a ? b : a;
    if (plane->count == 3) {
        for (int i = 0; i < other->count; i++) {
            if (fr_orient3d(plane->point[0], plane->point[1], plane->point[2], other->point[i]) != 0) { return false; }
        }
        return true;
    }
    if (a->count < 2 || b->count < 2) { return true; }
    return fr_orient3d(a->point[0], a->point[1], b->point[0], b->point[1]) == 0;
}

// The coordinate to drop for two coplanar sets; -1 when all their corners lie on one line.
static int common_drop_axis(const fr__corners *a, const fr__corners *b) {
    if (a->count == 3) { return fr__triangle_drop_axis(a->point); }
    if (b->count == 3) { return fr__triangle_drop_axis(b->point); }
    for (int side = 0; side < 2; side++) {
        const fr__corners *segment = side == 0 ? a : b, *other = side == 0 ? b : a;
        for (int i = 0; i < other->count && segment->count == 2; i++) {
            fr_vec3 three[3] = {segment->point[0], segment->point[1], other->point[i]};
            int axis = fr__triangle_drop_axis(three);
            if (axis >= 0) { return axis; }
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------
// What two sets on one line share

static int line_section(const fr__corners *a, const fr__corners *b, fr_vec3 points[6]) {
    fr_vec3 all[6];
    int count = 0;
    for (int i = 0; i < a->count; i++) {
        all[count++] = a->point[i];
    }
    for (int i = 0; i < b->count; i++) {
        all[count++] = b->point[i];
    }
    int axis = line_axis(all, count);
    fr__corners of_a = ends_of_line(all, a->count, axis), of_b = ends_of_line(all + a->count, b->count, axis);

    fr_vec3 low = coordinate(of_a.point[0], axis) >= coordinate(of_b.point[0], axis) ? of_a.point[0] : of_b.point[0];
    fr_vec3 high = coordinate(of_a.point[1], axis) <= coordinate(of_b.point[1], axis) ? of_a.point[1] : of_b.point[1];
    if (!(coordinate(low, axis) <= coordinate(high, axis))) { return 0; }
    points[0] = low;
    points[1] = high;
    return fr_vec3_equal(low, high) ? 1 : 2;
}

// ---------------------------------------------------------------------------------------------------------------
// What two sets in one plane share
//
// An extreme point of a that lies in b is an extreme point of what they share, and so is the point where an edge of a
// and an edge of b cross properly; there are no others. So counting these, each once, gives exactly the shared set.

static int edge_count(int corner_count) { return corner_count == 3 ? 3 : corner_count - 1; }

// The sides of every corner of `of` against every edge of `to`.
typedef struct edge_sides {
    int side[3][3]; // [edge of `to`][corner of `of`]
} edge_sides;

static edge_sides sides_of(const fr__corners *of, const fr__corners *to, int axis) {
    edge_sides sides = {{{0}}};
    for (int e = 0; e < edge_count(to->count); e++) {
        for (int i = 0; i < of->count; i++) {
            sides.side[e][i] = orient_without(&to->point[e], &to->point[(e + 1) % 3], &of->point[i], axis);
        }
    }
    return sides;
}

static bool is_between(double low, double x, double high) { return (low <= x && x <= high) || (high <= x && x <= low); }

// Whether corner i, whose sides are known, lies in the set.
static bool is_inside(const fr__corners *set, const edge_sides *sides, int i, fr_vec3 p) {
    if (set->count == 1) { return fr_vec3_equal(set->point[0], p); }
    if (set->count == 2) {
        fr_vec3 low = set->point[0], high = set->point[1];
        return sides->side[0][i] == 0 && is_between(low.x, p.x, high.x) && is_between(low.y, p.y, high.y) &&
               is_between(low.z, p.z, high.z);
    }
    int s0 = sides->side[0][i], s1 = sides->side[1][i], s2 = sides->side[2][i];
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

static double side_value(fr_vec3 p, fr_vec3 q, fr_vec3 r, int axis) {
    fr_vec2 a = fr__drop(p, axis), b = fr__drop(q, axis), c = fr__drop(r, axis);
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Where the segment p q, known to cross the line r s, does so; always on the segment.
static fr_vec3 crossing_point(fr_vec3 p, fr_vec3 q, fr_vec3 r, fr_vec3 s, int axis) {
    double at_p = fabs(side_value(r, s, p, axis)), at_q = fabs(side_value(r, s, q, axis));
    double sum = at_p + at_q;
    return fr_vec3_lerp(p, q, sum > 0.0 ? at_p / sum : 0.5);
}

static int add_point(fr_vec3 points[6], int count, fr_vec3 p) {
    for (int i = 0; i < count; i++) {
        if (fr_vec3_equal(points[i], p)) { return count; }
    }
    points[count] = p;
    return count + 1;
}

static int add_corners(const fr__corners *of, const fr__corners *in, const edge_sides *sides, fr_vec3 points[6],
                       int count) {
    for (int i = 0; i < of->count; i++) {
        if (is_inside(in, sides, i, of->point[i])) { count = add_point(points, count, of->point[i]); }
    }
    return count;
}

// Adds the proper crossings of edges without a check for equal points: they are distinct from each other and from all
// corners, though rounding may bring two together. There are at most six corners and crossings in all.
static int add_crossings(const fr__corners *a, const fr__corners *b, const edge_sides *a_to_b, const edge_sides *b_to_a,
                         int axis, fr_vec3 points[6], int count) {
    for (int i = 0; i < edge_count(a->count); i++) {
        int i1 = (i + 1) % 3;
        for (int j = 0; j < edge_count(b->count); j++) {
            int j1 = (j + 1) % 3;
            if (a_to_b->side[j][i] * a_to_b->side[j][i1] < 0 && b_to_a->side[i][j] * b_to_a->side[i][j1] < 0 &&
                count < 6) {
                points[count++] = crossing_point(a->point[i], a->point[i1], b->point[j], b->point[j1], axis);
            }
        }
    }
    return count;
}

// Grows with the angle of (x, y) over -2 .. 2, without trigonometry.
static double angle_rank(fr_vec2 v) {
    double sum = fabs(v.x) + fabs(v.y);
    if (!(sum > 0.0)) { return 0.0; }
    double r = v.x / sum;
    return v.y < 0.0 ? r - 1.0 : 1.0 - r;
}

// Orders convex points counter-clockwise about their mean, as seen without `axis`; clockwise when `reverse`.
static void order_around(fr_vec3 points[6], int count, int axis, bool reverse) {
    fr_vec2 flat[6], mean = {0.0, 0.0};
    double rank[6];
    for (int i = 0; i < count; i++) {
        flat[i] = fr__drop(points[i], axis);
        mean.x += (flat[i].x - flat[0].x) / count;
        mean.y += (flat[i].y - flat[0].y) / count;
    }
    for (int i = 0; i < count; i++) {
        fr_vec2 from_mean = {(flat[i].x - flat[0].x) - mean.x, (flat[i].y - flat[0].y) - mean.y};
        rank[i] = reverse ? -angle_rank(from_mean) : angle_rank(from_mean);
    }
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && rank[j] < rank[j - 1]; j--) {
            double r = rank[j];
            fr_vec3 p = points[j];
            rank[j] = rank[j - 1];
            points[j] = points[j - 1];
            rank[j - 1] = r;
            points[j - 1] = p;
        }
    }
}

int fr__flat_section(const fr__corners *a, const fr__corners *b, fr_vec3 points[6]) {
    fr_vec3 unwanted[6];
    fr_vec3 *out = points != NULL ? points : unwanted;
    int axis = common_drop_axis(a, b);
    if (axis < 0) { return line_section(a, b, out); }

    edge_sides a_to_b = sides_of(a, b, axis), b_to_a = sides_of(b, a, axis);
    int count = add_corners(a, b, &a_to_b, out, 0);
    count = add_corners(b, a, &b_to_a, out, count);
    count = add_crossings(a, b, &a_to_b, &b_to_a, axis, out, count);
    if (points != NULL && count >= 3) {
        bool clockwise = a->count == 3 && orient_without(&a->point[0], &a->point[1], &a->point[2], axis) < 0;
        order_around(out, count, axis, clockwise);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------
// Whether two triangles in one plane meet: two convex sets with an area are apart exactly when the line through an edge
// of one separates them strictly.

static bool is_separated_by_edge(const fr_vec3 a[3], const fr_vec3 b[3], int axis) {
    int turn = orient_without(&a[0], &a[1], &a[2], axis);
    for (int e = 0; e < 3; e++) {
        const fr_vec3 *p = &a[e], *q = &a[(e + 1) % 3];
        if (orient_without(p, q, &b[0], axis) == -turn && orient_without(p, q, &b[1], axis) == -turn &&
            orient_without(p, q, &b[2], axis) == -turn) {
            return true;
        }
    }
    return false;
}

bool fr__flat_triangles_overlap(const fr_vec3 a[3], const fr_vec3 b[3], int axis) {
    return !is_separated_by_edge(a, b, axis) && !is_separated_by_edge(b, a, axis);
}
