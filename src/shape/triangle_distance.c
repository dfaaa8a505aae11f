// The distance of two triangles. Where they do not meet, it is reached at a corner of one or between an edge of each.
#include "shape/segment.h"
#include "shape/triangle_triangle.h"

#include <limits.h>

// Of candidates equally near the first one counts, in the order: corners of both in turn, then pairs of edges.
enum { CORNERS = 6 };

// The search for the nearest candidate. The triangles come about a corner of theirs, so that what is far from the
// origin loses nothing.
//
// A candidate is passed over where it is sure to be farther apart than the nearest one so far: the corner of one is no
// nearer to the other than to its plane, and the points of two edges no nearer than their lines are, both with a normal
// n at |n . w| / |n|. With m the largest coordinate, differences are at most 2m, n is wrong by less than 2^-45 m^2,
// n . w by 2^-43 m^3, and the distance of a candidate by 2^-44 m. Sums are compared by their squares, (x + y)^2 <= 2
// x^2
// + 2 y^2: that passes over a little less.
typedef struct nearest_search {
    fr_vec3 a[3], b[3];
    fr_vec3 on_a, on_b;
    double squared;      // distance of the nearest candidate so far
    double sure;         // what is farther apart than the root of this is not nearer
    int candidate;       // its number
    double largest;      // m
    double height_error; // of n . w
    double normal_error; // of n, squared
} nearest_search;

static void offer(nearest_search *s, int candidate, fr_vec3 on_a, fr_vec3 on_b) {
    double squared = fr_vec3_length_squared(fr_vec3_sub(on_b, on_a));
    if (!(squared < s->squared || (squared == s->squared && candidate < s->candidate))) { return; }
    s->on_a = on_a;
    s->on_b = on_b;
    s->squared = squared;
    s->sure = 2.0 * (squared + 0x1p-88 * s->largest * s->largest);
    s->candidate = candidate;
}

// Whether what has the product `height` with a normal of this length, squared, is sure to be farther away.
static bool is_farther(const nearest_search *s, double height, double squared) {
    double sure = fabs(height) - s->height_error;
    return sure > 0.0 && sure * sure > 2.0 * (squared + s->normal_error) * s->sure;
}

static void offer_corner(nearest_search *s, int candidate) {
    int i = candidate / 2;
    if (candidate % 2 == 0) {
        offer(s, candidate, s->a[i], fr_triangle_closest(s->b, s->a[i]).point);
    } else {
        offer(s, candidate, fr_triangle_closest(s->a, s->b[i]).point, s->b[i]);
    }
}

static fr_vec3 normal_of(const fr_vec3 t[3]) { return fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0])); }

// First the corner that is nearest to the other's plane: it shows of most others that they are farther away.
static void offer_corners(nearest_search *s) {
    fr_vec3 n_a = normal_of(s->a), n_b = normal_of(s->b);
    double height[CORNERS], length[2] = {fr_vec3_length_squared(n_b), fr_vec3_length_squared(n_a)};
    int first = 0;
    for (int i = 0; i < 3; i++) {
        height[2 * i] = fr_vec3_dot(n_b, fr_vec3_sub(s->a[i], s->b[0]));
        height[2 * i + 1] = fr_vec3_dot(n_a, fr_vec3_sub(s->b[i], s->a[0]));
    }
    for (int c = 1; c < CORNERS; c++) {
        if (height[c] * height[c] * length[first % 2] < height[first] * height[first] * length[c % 2]) { first = c; }
    }
    offer_corner(s, first);
    for (int c = 0; c < CORNERS; c++) {
        if (c != first && !is_farther(s, height[c], length[c % 2])) { offer_corner(s, c); }
    }
}

static void offer_edges(nearest_search *s) {
    fr_vec3 along_a[3], along_b[3];
    for (int i = 0; i < 3; i++) {
        along_a[i] = fr_vec3_sub(s->a[(i + 1) % 3], s->a[i]);
        along_b[i] = fr_vec3_sub(s->b[(i + 1) % 3], s->b[i]);
    }
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3;
        fr_vec3 n = fr_vec3_cross(along_a[i], along_b[j]);
        if (is_farther(s, fr_vec3_dot(n, fr_vec3_sub(s->b[j], s->a[i])), fr_vec3_length_squared(n))) { continue; }
        fr_vec3 edge_a[2] = {s->a[i], s->a[(i + 1) % 3]}, edge_b[2] = {s->b[j], s->b[(j + 1) % 3]}, p, q;
        if (fr__segment_inner_pair(edge_a, edge_b, &p, &q)) { offer(s, CORNERS + k, p, q); }
    }
}

// The smallest positive distance: triangles that are apart by exact signs may have coincided by rounding.
static double above_zero(double distance) { return distance > 0.0 ? distance : 0x1p-1074; }

// The closest points of triangles that share none.
static double distance_apart(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b) {
    nearest_search s = {.squared = INFINITY, .sure = INFINITY, .candidate = INT_MAX, .largest = 0.0};
    for (int i = 0; i < 3; i++) {
        s.a[i] = fr_vec3_sub(a[i], a[0]);
        s.b[i] = fr_vec3_sub(b[i], a[0]);
        s.largest = fmax(s.largest, fmax(fr_vec3_largest(s.a[i]), fr_vec3_largest(s.b[i])));
    }
    double m = s.largest;
    s.height_error = 0x1p-43 * m * m * m;
    s.normal_error = 0x1p-90 * m * m * m * m;
    offer_corners(&s);
    offer_edges(&s);
    *on_a = fr_vec3_add(s.on_a, a[0]);
    *on_b = fr_vec3_add(s.on_b, a[0]);
    return above_zero(sqrt(s.squared));
}

double fr_triangle_distance(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b) {
    fr_vec3 point_a, point_b;
    double distance = 0.0;
    if (fr__triangle_overlap(a, b)) {
        fr_section section;
        fr_triangle_section(a, b, &section);
        point_a = point_b = section.points[0];
    } else {
        distance = distance_apart(a, b, &point_a, &point_b);
    }
    if (on_a != NULL) { *on_a = point_a; }
    if (on_b != NULL) { *on_b = point_b; }
    return distance;
}
