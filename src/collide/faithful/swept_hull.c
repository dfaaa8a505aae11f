// The hull of six points by trying every plane through three of them: one that has all others on one side, or in it,
// carries a facet. All points of such a plane make one convex polygon, which is cut into triangles from its first
// corner; so no two facets cover the same place, and the diagonals are no edges.
#include "collide/faithful/swept_hull.h"

#include "fureai/shape.h"

enum { POINTS = 6 };

// ---------------------------------------------------------------------------------------------------------------
// Making

// A point without one coordinate.
static fr_vec2 project(fr_vec3 p, int axis) {
    fr_vec2 flat[3] = {{p.y, p.z}, {p.z, p.x}, {p.x, p.y}};
    return flat[axis];
}

static int turn_of(const fr_vec3 *p, int i, int j, int k, int axis) {
    return fr_orient2d(project(p[i], axis), project(p[j], axis), project(p[k], axis));
}

// The axis along which three points are seen as a triangle; -1 when they are on one line.
static int seen_along(const fr_vec3 *p, int i, int j, int k) {
    for (int axis = 0; axis < 3; axis++) {
        if (turn_of(p, i, j, k, axis) != 0) { return axis; }
    }
    return -1;
}

static bool comes_before(fr_vec2 a, fr_vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// Whether q, on the line of p and r, is no farther from p than r: comparisons of coordinates are exact.
static bool is_nearer(fr_vec2 p, fr_vec2 q, fr_vec2 r) {
    bool forward = comes_before(p, r);
    return forward ? !comes_before(r, q) : !comes_before(q, r);
}

// The corners, in order, of the convex polygon round the points of `mask`, which lie in one plane that is seen along
// `axis`. Points on its sides are no corners.
static int go_round(const fr_vec3 *p, unsigned mask, int axis, uint8_t corners[POINTS]) {
    int first = -1;
    for (int i = 0; i < POINTS; i++) {
        if ((mask >> i & 1) == 0) { continue; }
        if (first < 0 || comes_before(project(p[i], axis), project(p[first], axis))) { first = i; }
    }
    int count = 0, at = first;
    do {
        corners[count++] = (uint8_t)at;
        int next = -1;
        for (int i = 0; i < POINTS; i++) {
            if ((mask >> i & 1) == 0 || i == at) { continue; }
            int turn = next < 0 ? -1 : turn_of(p, at, next, i, axis);
            bool is_farther = turn == 0 && is_nearer(project(p[at], axis), project(p[next], axis), project(p[i], axis));
            if (turn < 0 || is_farther) { next = i; }
        }
        at = next;
    } while (at != first && count < POINTS);
    return count;
}

static void add_edge(fr_swept_hull *hull, uint8_t i, uint8_t j) {
    uint8_t low = i < j ? i : j, high = i < j ? j : i;
    for (int k = 0; k < hull->edge_count; k++) {
        if (hull->edges[k][0] == low && hull->edges[k][1] == high) { return; }
    }
    hull->edges[hull->edge_count][0] = low;
    hull->edges[hull->edge_count][1] = high;
    hull->edge_count++;
}

// Adds the polygon of the points of `mask`. `beside` is a point off its plane, or -1.
static void add_side(fr_swept_hull *hull, unsigned mask, int axis, int beside) {
    const fr_vec3 *p = hull->points;
    uint8_t c[POINTS];
    int count = go_round(p, mask, axis, c);
    bool is_turned = beside >= 0 && fr_orient3d(p[c[0]], p[c[1]], p[c[2]], p[beside]) < 0;
    for (int i = 0; i < count; i++) {
        add_edge(hull, c[i], c[(i + 1) % count]);
    }
    for (int i = 1; i + 1 < count; i++) {
        uint8_t *facet = hull->facets[hull->facet_count++];
        facet[0] = c[0];
        facet[1] = c[is_turned ? i + 1 : i];
        facet[2] = c[is_turned ? i : i + 1];
    }
}

// The points that count: each place once.
static unsigned different_points(const fr_vec3 *p) {
    unsigned mask = 0;
    for (int i = 0; i < POINTS; i++) {
        bool is_new = true;
        for (int j = 0; j < i; j++) {
            is_new = is_new && !fr_vec3_equal(p[i], p[j]);
        }
        mask |= (unsigned)is_new << i;
    }
    return mask;
}

// Looks at the plane through three points; adds the side of the hull it carries, unless that is there.
static void try_plane(fr_swept_hull *hull, unsigned points, const int of[3], unsigned done[8], int *done_count) {
    const fr_vec3 *p = hull->points;
    unsigned plane = 1u << of[0] | 1u << of[1] | 1u << of[2];
    for (int i = 0; i < *done_count; i++) {
        if ((plane & ~done[i]) == 0) { return; }
    }
    int axis = seen_along(p, of[0], of[1], of[2]);
    if (axis < 0) { return; }
    int side = 0, beside = -1;
    for (int i = 0; i < POINTS; i++) {
        if ((points >> i & 1) == 0 || (plane >> i & 1) != 0) { continue; }
        int sign = fr_orient3d(p[of[0]], p[of[1]], p[of[2]], p[i]);
        if (sign == 0) {
            plane |= 1u << i;
            continue;
        }
        if (sign == -side) { return; }
        side = sign;
        beside = i;
    }
    done[(*done_count)++] = plane;
    hull->is_solid = beside >= 0;
    add_side(hull, plane, axis, beside);
}

// All points are on one line: the edge from the first to the last of them.
static void add_line(fr_swept_hull *hull) {
    const fr_vec3 *p = hull->points;
    int low = 0, high = 0;
    for (int i = 1; i < POINTS; i++) {
        double a[3] = {p[i].x, p[i].y, p[i].z}, l[3] = {p[low].x, p[low].y, p[low].z},
               h[3] = {p[high].x, p[high].y, p[high].z};
        int k = 0, m = 0;
        while (k < 2 && a[k] == l[k]) {
            k++;
        }
        while (m < 2 && a[m] == h[m]) {
            m++;
        }
        if (a[k] < l[k]) { low = i; }
        if (a[m] > h[m]) { high = i; }
    }
    add_edge(hull, (uint8_t)low, (uint8_t)high);
}

void fr_swept_hull_make(const fr_vec3 start[3], const fr_vec3 end[3], fr_swept_hull *out) {
    for (int i = 0; i < 3; i++) {
        out->points[i] = start[i];
        out->points[3 + i] = end[i];
    }
    out->facet_count = out->edge_count = 0;
    out->is_solid = false;
    unsigned points = different_points(out->points), done[8];
    int done_count = 0;
    for (int i = 0; i < POINTS; i++) {
        for (int j = i + 1; j < POINTS; j++) {
            for (int k = j + 1; k < POINTS; k++) {
                unsigned three = 1u << i | 1u << j | 1u << k;
                if ((three & ~points) == 0) { try_plane(out, points, (const int[3]){i, j, k}, done, &done_count); }
            }
        }
    }
    if (out->facet_count == 0) { add_line(out); }
}

// ---------------------------------------------------------------------------------------------------------------
// Meeting

// Whether an edge from p to q, whose ends are on these sides of a facet's plane, meets the facet: case 3.
static bool edge_meets_facet(fr_vec3 p, fr_vec3 q, int side_p, int side_q, const fr_vec3 f[3]) {
    if (side_p * side_q > 0) { return false; }
    if (side_p == 0 && side_q == 0) {
        fr_vec3 edge[3] = {p, q, q};
        return fr_triangle_overlap(edge, f);
    }
    int s0 = fr_orient3d(p, q, f[0], f[1]), s1 = fr_orient3d(p, q, f[1], f[2]);
    if (s0 * s1 < 0) { return false; }
    int s2 = fr_orient3d(p, q, f[2], f[0]);
    return s2 * s0 >= 0 && s2 * s1 >= 0;
}

static bool edges_meet_facets(const fr_swept_hull *edges, const fr_swept_hull *facets) {
    const fr_vec3 *p = edges->points;
    for (int i = 0; i < facets->facet_count; i++) {
        const uint8_t *c = facets->facets[i];
        fr_vec3 facet[3] = {facets->points[c[0]], facets->points[c[1]], facets->points[c[2]]};
        int sides[POINTS];
        for (int k = 0; k < POINTS; k++) {
            sides[k] = fr_orient3d(facet[0], facet[1], facet[2], p[k]);
        }
        for (int e = 0; e < edges->edge_count; e++) {
            int from = edges->edges[e][0], to = edges->edges[e][1];
            if (edge_meets_facet(p[from], p[to], sides[from], sides[to], facet)) { return true; }
        }
    }
    return false;
}

bool fr_swept_hull_cross(const fr_swept_hull *a, const fr_swept_hull *b) {
    if (a->facet_count == 0 && b->facet_count == 0) {
        fr_vec3 line_a[3] = {a->points[a->edges[0][0]], a->points[a->edges[0][1]], a->points[a->edges[0][1]]};
        fr_vec3 line_b[3] = {b->points[b->edges[0][0]], b->points[b->edges[0][1]], b->points[b->edges[0][1]]};
        return fr_triangle_overlap(line_a, line_b);
    }
    return edges_meet_facets(a, b) || edges_meet_facets(b, a);
}

static bool contains(const fr_swept_hull *hull, fr_vec3 point) {
    if (!hull->is_solid) { return false; }
    for (int f = 0; f < hull->facet_count; f++) {
        const uint8_t *c = hull->facets[f];
        if (fr_orient3d(hull->points[c[0]], hull->points[c[1]], hull->points[c[2]], point) < 0) { return false; }
    }
    return true;
}

bool fr_swept_hull_meet(const fr_swept_hull *a, const fr_swept_hull *b) {
    return fr_swept_hull_cross(a, b) || contains(a, b->points[0]) || contains(b, a->points[0]);
}
