// Convex sets of points against a sector.
//
// The sector is a product, so what of a polytope lies within the slab is projected onto the plane; the hull of that is
// cut by wedges of at most a right angle. A piece that is left is convex, hence connected, and its distance from the
// axis is continuous: it meets the ring just when its least distance is at most `outer` and its greatest at least
// `inner`.
#include "sector/plane.h"

#include "fureai/base_order.h"

#define POLYGON_MAX (FR_SECTOR_MAX_POLYGON + 8)

const uint8_t fr__box_edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                      {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

void fr__box_corners(const fr_oriented_box *box, fr_vec3 corners[8]) {
    for (int i = 0; i < 8; i++) {
        fr_vec3 p = fr_vec3_add_scaled(box->center, i & 1 ? box->half.x : -box->half.x, box->axes.row[0]);
        p = fr_vec3_add_scaled(p, i & 2 ? box->half.y : -box->half.y, box->axes.row[1]);
        corners[i] = fr_vec3_add_scaled(p, i & 4 ? box->half.z : -box->half.z, box->axes.row[2]);
    }
}

bool fr__box_is_valid(const fr_oriented_box *box) {
    bool is_finite = fr_vec3_is_finite(box->center) && fr_vec3_is_finite(box->half);
    for (int i = 0; i < 3; i++) {
        is_finite = is_finite && fr_vec3_is_finite(box->axes.row[i]);
    }
    return is_finite && box->half.x >= 0.0 && box->half.y >= 0.0 && box->half.z >= 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Polygons

static double turn_of(fr_vec2 a, fr_vec2 b, fr_vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

static bool is_before(const fr_vec2 *a, const fr_vec2 *b) { return a->x != b->x ? a->x < b->x : a->y < b->y; }

FR_SORT_TYPE(sort_points, fr_vec2, is_before);

int fr__plane_hull(fr_vec2 *points, int count, fr_vec2 *out) {
    sort_points(points, count > 0 ? (size_t)count : 0);

    // The lower border from left to right, then the upper one back (Andrew's monotone chain).
    int size = 0;
    for (int pass = 0; pass < 2; pass++) {
        int floor = size;
        for (int i = 0; i < count; i++) {
            fr_vec2 p = points[pass == 0 ? i : count - 1 - i];
            while (size >= floor + 2 && turn_of(out[size - 2], out[size - 1], p) <= 0.0) {
                size--;
            }
            if (size > floor && out[size - 1].x == p.x && out[size - 1].y == p.y) { continue; }
            out[size++] = p;
        }
        size--; // the last one begins the other border
    }
    return size > 0 ? size : 1;
}

// Cuts a convex polygon to nx x + ny y >= -slack; returns the corners that are left.
static int cut(const fr_vec2 *in, int count, double nx, double ny, double slack, fr_vec2 *out) {
    int size = 0;
    for (int i = 0; i < count; i++) {
        fr_vec2 p = in[i], q = in[i + 1 < count ? i + 1 : 0];
        double of_p = nx * p.x + ny * p.y + slack, of_q = nx * q.x + ny * q.y + slack;
        if (of_p >= 0.0) { out[size++] = p; }
        if ((of_p < 0.0) != (of_q < 0.0)) {
            double t = of_p / (of_p - of_q);
            out[size++] = (fr_vec2){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        }
    }
    return size;
}

static double origin_edge_square(fr_vec2 p, fr_vec2 q) {
    double vx = q.x - p.x, vy = q.y - p.y, vv = vx * vx + vy * vy;
    double t = vv > 0.0 ? fr__within(-(p.x * vx + p.y * vy) / vv, 0.0, 1.0) : 0.0;
    return fr__square(p.x + t * vx) + fr__square(p.y + t * vy);
}

// Whether what is left of a polygon has a point between the two circles. The axis is inside where it is on one side of
// all borders and some corner is not ahead of it together with the first: of a piece of a line that points at the axis
// only rounding says on which side it is.
static bool is_in_ring(const fr_sector *s, const fr_vec2 *corners, int count, double slack) {
    if (count == 0) { return false; }
    double far = 0.0, near = INFINITY;
    int left = 0, right = 0;
    bool surrounds = false;
    for (int i = 0; i < count; i++) {
        fr_vec2 p = corners[i], q = corners[i + 1 < count ? i + 1 : 0];
        surrounds = surrounds || p.x * corners[0].x + p.y * corners[0].y <= 0.0;
        far = fr__most(far, p.x * p.x + p.y * p.y);
        near = fr__least(near, origin_edge_square(p, q));
        double turn = p.x * q.y - p.y * q.x;
        left += turn >= 0.0;
        right += turn <= 0.0;
    }
    if (surrounds && count > 2 && (left == count || right == count)) { near = 0.0; }
    return near <= fr__square(s->outer + slack) && far >= fr__square(fr__most(s->inner - slack, 0.0));
}

// The piece of a polygon on the side of two lines through the axis.
static bool wedge_meets(const fr_sector *s, const fr_vec2 *corners, int count, const double n[2][2], double slack) {
    fr_vec2 once[POLYGON_MAX], twice[POLYGON_MAX];
    int left = cut(corners, count, n[0][0], n[0][1], slack, once);
    left = cut(once, left, n[1][0], n[1][1], slack, twice);
    return is_in_ring(s, twice, left, slack);
}

bool fr__polygon_meets(const fr_sector *s, const fr_vec2 *corners, int count, double slack) {
    // Nothing is left to cut when the ring itself is out of reach.
    if (!is_in_ring(s, corners, count, slack)) { return false; }
    if (fr__sector_is_full(s)) { return true; }
    if (s->cosine >= 0.0) {
        // The slack of two nearly parallel lines would reach far behind the axis.
        fr_vec2 ahead[POLYGON_MAX];
        int left = cut(corners, count, 1.0, 0.0, slack, ahead);
        const double n[2][2] = {{s->sine, -s->cosine}, {s->sine, s->cosine}};
        return wedge_meets(s, ahead, left, n, slack);
    }
    const double upper[2][2] = {{0.0, 1.0}, {s->sine, -s->cosine}}, lower[2][2] = {{0.0, -1.0}, {s->sine, s->cosine}};
    return wedge_meets(s, corners, count, upper, slack) || wedge_meets(s, corners, count, lower, slack);
}

bool fr_sector_plane_overlap_polygon(const fr_sector *sector, const fr_vec2 *corners, size_t count) {
    if (count < 1 || count > FR_SECTOR_MAX_POLYGON) { return false; }
    double size = sector->outer;
    bool is_hit = false;
    for (size_t i = 0; i < count; i++) {
        fr_vec2 p = corners[i];
        if (!isfinite(p.x) || !isfinite(p.y)) { return false; }
        is_hit = is_hit || fr__plane_distance2(sector, p.x, p.y) <= 0.0;
        size = fr__most(size, fr__most(fabs(p.x), fabs(p.y)));
    }
    return is_hit || fr__polygon_meets(sector, corners, (int)count, 1e-12 * size);
}

// ---------------------------------------------------------------------------------------------------------------
// Polytopes

// The points in the plane whose hull is what of the polytope lies within the slab.
static int cut_to_slab(const fr_sector *s, const fr__polytope *p, double slack, fr_vec2 *out) {
    double h = s->half_thickness + slack;
    int size = 0;
    for (int i = 0; i < p->count; i++) {
        if (fabs(p->points[i].z) <= h) { out[size++] = (fr_vec2){p->points[i].x, p->points[i].y}; }
    }
    if (size == p->count) { return size; }
    for (int i = 0; i < p->edge_count; i++) {
        fr_vec3 a = p->points[p->edges[i][0]], b = p->points[p->edges[i][1]];
        for (int k = -1; k <= 1; k += 2) {
            double of_a = a.z - k * h, of_b = b.z - k * h;
            if ((of_a < 0.0) != (of_b < 0.0)) {
                double t = of_a / (of_a - of_b);
                out[size++] = (fr_vec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
            }
        }
    }
    return size;
}

bool fr__polytope_meets(const fr_sector *s, const fr__polytope *p) {
    double size = fr__sector_size(s), high = -INFINITY, low = INFINITY;
    for (int i = 0; i < p->count; i++) {
        if (!fr_vec3_is_finite(p->points[i])) { return false; }
        size = fr__most(size, fr_vec3_largest(p->points[i]));
        high = fr__most(high, p->points[i].z);
        low = fr__least(low, p->points[i].z);
    }
    double slack = 1e-12 * size;
    if (low > s->half_thickness + slack || high < -s->half_thickness - slack) { return false; }

    // At most every point and two crossings an edge.
    fr_vec2 points[FR__POLYTOPE_MAX_POINTS + 48], hull[FR__POLYTOPE_MAX_POINTS + 49];
    int count = cut_to_slab(s, p, slack, points);
    if (count == 0) { return false; }
    for (int i = 0; i < count; i++) {
        if (fr__plane_distance2(s, points[i].x, points[i].y) <= 0.0) { return true; }
    }
    count = fr__plane_hull(points, count, hull);
    return fr__polygon_meets(s, hull, count, slack);
}

static bool corners_meet(const fr_sector *s, fr_vec3 *corners, int count, const uint8_t (*edges)[2], int edge_count) {
    for (int i = 0; i < count; i++) {
        corners[i] = fr__sector_local(s, corners[i]);
    }
    fr__polytope p = {corners, count, edges, edge_count};
    return fr__polytope_meets(s, &p);
}

bool fr_sector_overlap_box(const fr_sector *sector, const fr_oriented_box *box) {
    if (!fr__box_is_valid(box)) { return false; }
    fr_vec3 corners[8];
    fr__box_corners(box, corners);
    return corners_meet(sector, corners, 8, fr__box_edges, 12);
}

bool fr_sector_overlap_bounds(const fr_sector *sector, const fr_bounds *box) {
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z)) { return false; }
    fr_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = fr_vec3_make(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                                  i & 4 ? box->max.z : box->min.z);
    }
    return corners_meet(sector, corners, 8, fr__box_edges, 12);
}

bool fr_sector_overlap_triangle(const fr_sector *sector, const fr_vec3 triangle[3]) {
    static const uint8_t edges[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    fr_vec3 corners[3] = {triangle[0], triangle[1], triangle[2]};
    return corners_meet(sector, corners, 3, edges, 3);
}
