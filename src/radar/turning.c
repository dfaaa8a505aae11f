// Distances and angles of faces that turn about an axis.
#include "radar/turning.h"

#include "fureai/base_order.h"

#include <math.h>

#define TURN (2.0 * FR_PI)

// Angles: what is nearer than this is the same.
#define ANGLE_SLACK 1e-11

// Pixels, as with straight motion.
#define SIDE_SLACK 1e-9

// A face cut by two heights has 5 corners, and as many sides, each of which meets two circles twice.
#define MOST_ANGLES 32

// Parameters this much outside an edge or a face are on it.
#define OUTSIDE 1e-12

static double turned(double angle) {
    double rest = angle - TURN * floor(angle / TURN);
    return rest < TURN ? rest : 0.0;
}

double fr__angle_between(double from, double to) {
    double travel = turned(to - from);
    return travel > TURN - ANGLE_SLACK ? 0.0 : travel;
}

static double length_of(double x, double y) { return sqrt(x * x + y * y); }

static fr_vec3 corner_of(const fr__facet *f, int k) { return fr_vec3_make(f->x[k], f->y[k], f->z[k]); }

// ---------------------------------------------------------------------------------------------------------------
// Distances from the axis

// Of a segment, seen along the axis.
static double segment_distance(fr_vec3 a, fr_vec3 b) {
    double ux = b.x - a.x, uy = b.y - a.y, square = ux * ux + uy * uy;
    double t = square > 0.0 ? -(a.x * ux + a.y * uy) / square : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return length_of(a.x + t * ux, a.y + t * uy);
}

// Whether the axis goes through a triangle, its border included, or may to rounding.
static bool is_pierced(const fr_vec3 t[3]) {
    double parts[3], size = 0.0;
    for (int i = 0; i < 3; i++) {
        fr_vec3 a = t[i], b = t[(i + 1) % 3];
        parts[i] = a.x * b.y - a.y * b.x;
        size = fr__greater(size, fr__greater(a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y));
    }
    double slack = 1e-14 * size;
    return (parts[0] >= -slack && parts[1] >= -slack && parts[2] >= -slack) ||
           (parts[0] <= slack && parts[1] <= slack && parts[2] <= slack);
}

static fr__reach distances(const fr_vec3 t[3]) {
    fr__reach reach = {INFINITY, 0.0};
    for (int i = 0; i < 3; i++) {
        reach.low = fr__lesser(reach.low, segment_distance(t[i], t[(i + 1) % 3]));
        reach.high = fr__greater(reach.high, length_of(t[i].x, t[i].y));
    }
    if (is_pierced(t)) { reach.low = 0.0; }
    return reach;
}

fr__reach fr__facet_distances(const fr__facet *facet) {
    const fr_vec3 corners[3] = {corner_of(facet, 0), corner_of(facet, 1), corner_of(facet, 2)};
    return distances(corners);
}

// ---------------------------------------------------------------------------------------------------------------
// Columns

// Stretches of angle that are being collected.
typedef struct stretches {
    double near, far; // distances of the column, moved outwards
    double widen;     // metres that faces are grown by
    fr__reach *list;
    int count;
} stretches;

static void set_whole_turn(stretches *s) {
    s->list[0] = (fr__reach){0.0, TURN};
    s->count = 1;
}

// Joins a stretch with those it touches; when there is no more room, with the one it is nearest to.
static void add_stretch(stretches *s, double low, double high) {
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) {
        // The old one brought beside the new one.
        double shift = TURN * floor((low - s->list[i].low) / TURN + 0.5);
        double a = s->list[i].low + shift, b = s->list[i].high + shift;
        double apart = fr__greater(fr__greater(a - high, low - b), 0.0);
        if (apart >= least) { continue; }
        least = apart;
        nearest = i;
    }
    if (nearest < 0 || (least > ANGLE_SLACK && s->count < FR__MOST_REACHES)) {
        s->list[s->count++] = (fr__reach){low, high};
        return;
    }
    fr__reach *old = &s->list[nearest];
    double shift = TURN * floor((low - old->low) / TURN + 0.5);
    old->low = fr__lesser(old->low + shift, low);
    old->high = fr__greater(old->high + shift, high);
    if (old->high - old->low >= TURN) { set_whole_turn(s); }
}

// A face between two heights, seen along the axis, and the ring of the column.
typedef struct ring_cut {
    const fr_vec3 *corners; // of a convex polygon
    int count;
    double near, far;
    double angles[MOST_ANGLES]; // where its border enters or leaves the ring, or has a corner in it
    int angle_count;
} ring_cut;

static void add_angle(ring_cut *c, double x, double y) {
    if (c->angle_count < MOST_ANGLES) { c->angles[c->angle_count++] = fr_atan2(y, x); }
}

// Where a side meets a circle about the axis.
static void meet_circle(ring_cut *c, fr_vec3 a, fr_vec3 b, double radius) {
    double ux = b.x - a.x, uy = b.y - a.y, square = ux * ux + uy * uy, half = a.x * ux + a.y * uy;
    double under = half * half - square * (a.x * a.x + a.y * a.y - radius * radius);
    if (!(radius > 0.0) || !(under >= 0.0) || !(square > 0.0)) { return; }
    double root = sqrt(under);
    for (int i = 0; i < 2; i++) {
        double t = (-half + (i == 0 ? -root : root)) / square;
        if (t >= 0.0 && t <= 1.0) { add_angle(c, a.x + t * ux, a.y + t * uy); }
    }
}

static void collect_angles(ring_cut *c) {
    for (int i = 0; i < c->count; i++) {
        fr_vec3 a = c->corners[i], b = c->corners[i + 1 < c->count ? i + 1 : 0];
        double r = length_of(a.x, a.y);
        if (r >= c->near && r <= c->far) { add_angle(c, a.x, a.y); }
        meet_circle(c, a, b, c->near);
        meet_circle(c, a, b, c->far);
    }
}

// Whether the polygon is in the ring in a direction from the axis; `is_around` where the axis goes through it.
static bool is_in_ring(const ring_cut *c, double angle, bool is_around) {
    double sine, cosine, low = is_around ? 0.0 : INFINITY, high = -INFINITY;
    fr_sincos(angle, &sine, &cosine);
    for (int i = 0; i < c->count; i++) {
        fr_vec3 a = c->corners[i], b = c->corners[i + 1 < c->count ? i + 1 : 0];
        double from = cosine * a.y - sine * a.x, to = cosine * b.y - sine * b.x;
        if ((from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to) { continue; }
        double t = from / (from - to);
        double r = cosine * (a.x + t * (b.x - a.x)) + sine * (a.y + t * (b.y - a.y));
        if (r < 0.0) { continue; }
        low = fr__lesser(low, r);
        high = fr__greater(high, r);
    }
    return low <= c->far && high >= c->near;
}

static bool is_around_axis(const fr_vec3 *corners, int count) {
    for (int i = 1; i + 1 < count; i++) {
        if (is_pierced((const fr_vec3[3]){corners[0], corners[i], corners[i + 1]})) { return true; }
    }
    return false;
}

// The stretches of angle at which a polygon is in the ring. Each angle that was collected is of a point of it; between
// two neighbours it is there all along or not at all. A ball about a point at distance r is seen under no more than the
// arc sine of its radius over r, which is below half pi times that.
static void cut_ring(stretches *s, const fr_vec3 *corners, int count) {
    ring_cut c = {.corners = corners, .count = count, .near = s->near, .far = s->far};
    bool is_around = is_around_axis(corners, count);
    collect_angles(&c);
    if (c.angle_count == 0) {
        if (is_around && is_in_ring(&c, 0.0, true)) { set_whole_turn(s); }
        return;
    }
    if (s->widen > 0.0 && s->near <= s->widen) {
        set_whole_turn(s);
        return;
    }
    double more = ANGLE_SLACK + (s->widen > 0.0 ? 0.5 * FR_PI * s->widen / s->near : 0.0);
    fr_sort_double(c.angles, (size_t)c.angle_count);
    double begin = c.angles[0];
    bool is_whole = true;
    for (int i = 0; i < c.angle_count; i++) {
        bool is_last = i + 1 == c.angle_count;
        double end = is_last ? c.angles[0] + TURN : c.angles[i + 1];
        if (is_in_ring(&c, 0.5 * (c.angles[i] + end), is_around)) {
            // The last may go on into the first: both are listed, and joined.
            if (is_last) { add_stretch(s, begin - more, end + more); }
            continue;
        }
        is_whole = false;
        add_stretch(s, begin - more, c.angles[i] + more);
        begin = end;
    }
    if (is_whole) { set_whole_turn(s); }
}

// Keeps the corners of a polygon with sign * (z - at) >= 0.
static int cut_height(const fr_vec3 *in, int count, double at, double sign, fr_vec3 *out) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        fr_vec3 a = in[i], b = in[(i + 1) % count];
        double da = sign * (a.z - at), db = sign * (b.z - at);
        if (da >= 0.0) { out[kept++] = a; }
        if ((da >= 0.0) == (db >= 0.0)) { continue; }
        fr_vec3 p = fr_vec3_lerp(a, b, da / (da - db));
        p.z = at;
        out[kept++] = p;
    }
    return kept;
}

static int cut_out(const fr__view *view, const fr__facet *f, const fr__column *c, fr__reach *out) {
    double slack = SIDE_SLACK * view->pixel + view->widen;
    const fr_vec3 corners[3] = {corner_of(f, 0), corner_of(f, 1), corner_of(f, 2)};
    fr_vec3 first[8], second[8];
    int count = cut_height(corners, 3, view->bottom + c->y0 * view->pixel - slack, 1.0, first);
    if (count == 0) { return 0; }
    count = cut_height(first, count, view->bottom + c->y1 * view->pixel + slack, -1.0, second);
    stretches s = {.near = view->left + c->x0 * view->pixel - slack,
                   .far = view->left + c->x1 * view->pixel + slack,
                   .widen = view->widen,
                   .list = out};
    if (count > 0) { cut_ring(&s, second, count); }
    return s.count;
}

static double gap_between(const fr__reach *mover, const fr__reach *other) {
    if (turned(other->low - mover->low) <= mover->high - mover->low ||
        turned(mover->low - other->low) <= other->high - other->low) {
        return 0.0;
    }
    return turned(other->low - mover->high);
}

// ---------------------------------------------------------------------------------------------------------------
// Circles

// Whether a point of the plane of a triangle lies in it, its border included.
static bool is_inside(const fr_vec3 t[3], fr_vec3 normal, fr_vec3 p) {
    double least = -OUTSIDE * fr_vec3_dot(normal, normal);
    for (int i = 0; i < 3; i++) {
        fr_vec3 side = fr_vec3_sub(t[(i + 1) % 3], t[i]);
        if (!(fr_vec3_dot(normal, fr_vec3_cross(side, fr_vec3_sub(p, t[i]))) >= least)) { return false; }
    }
    return true;
}

int fr__circle_meets(const fr__facet *facet, double radius, double height, double angles[2]) {
    const fr_vec3 t[3] = {corner_of(facet, 0), corner_of(facet, 1), corner_of(facet, 2)};
    fr_vec3 n = fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    double across = length_of(n.x, n.y);
    if (!(across > 0.0) || !(radius > 0.0)) { return 0; }
    double q = (fr_vec3_dot(n, t[0]) - n.z * height) / (radius * across);
    // A circle that just touches the plane meets it once.
    if (!(fabs(q) <= 1.0 + 1e-14)) { return 0; }
    double middle = fr_atan2(n.y, n.x), half = fr_acos(q > 1.0 ? 1.0 : q < -1.0 ? -1.0 : q);
    int count = 0;
    for (int i = 0; i < 2; i++) {
        double angle = i == 0 ? middle - half : middle + half, sine, cosine;
        fr_sincos(angle, &sine, &cosine);
        if (!is_inside(t, n, fr_vec3_make(radius * cosine, radius * sine, height))) { continue; }
        angles[count++] = angle > FR_PI ? angle - TURN : angle < -FR_PI ? angle + TURN : angle;
    }
    return count;
}

static double travel_on_line(const fr__view *view, const fr__facet *mover, const fr__facet *other, double x, double y) {
    double radius = view->left + x * view->pixel, height = view->bottom + y * view->pixel;
    double from[2], to[2], least = INFINITY;
    int starts = fr__circle_meets(mover, radius, height, from);
    int ends = starts > 0 ? fr__circle_meets(other, radius, height, to) : 0;
    for (int i = 0; i < starts; i++) {
        for (int k = 0; k < ends; k++) {
            least = fr__lesser(least, fr__angle_between(from[i], to[k]));
        }
    }
    return least;
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs

static double angle_of(fr_vec3 p) { return fr_atan2(p.y, p.x); }

static fr_vec3 turn_by(fr_vec3 p, double angle) {
    double sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    return fr_vec3_make(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y, p.z);
}

// `point` is where the other is met; the normal is turned to the direction in which the mover goes there.
static void offer(fr__meeting *best, double travel, fr_feature feature, fr_vec3 point, fr_vec3 normal) {
    if (!(travel < best->travel)) { return; }
    best->travel = travel;
    best->feature = feature;
    best->point = point;
    bool is_along = normal.y * point.x - normal.x * point.y >= 0.0;
    best->normal = is_along ? normal : fr_vec3_negate(normal);
}

static fr_vec3 normal_of(const fr_vec3 t[3]) { return fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0])); }

static void meet_corners(const fr__facet *mover, const fr__facet *other, fr__meeting *best) {
    fr_vec3 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = corner_of(mover, k);
        b[k] = corner_of(other, k);
    }
    for (int k = 0; k < 3; k++) {
        double angles[2];
        int count = fr__circle_meets(other, length_of(a[k].x, a[k].y), a[k].z, angles);
        for (int i = 0; i < count; i++) {
            double travel = fr__angle_between(angle_of(a[k]), angles[i]);
            offer(best, travel, FR_FEATURE_VERTEX_FACE, turn_by(a[k], travel), normal_of(b));
        }
        count = fr__circle_meets(mover, length_of(b[k].x, b[k].y), b[k].z, angles);
        for (int i = 0; i < count; i++) {
            double travel = fr__angle_between(angles[i], angle_of(b[k]));
            offer(best, travel, FR_FEATURE_FACE_VERTEX, b[k], turn_by(normal_of(a), travel));
        }
    }
}

typedef struct segment {
    fr_vec3 start, travel;
} segment;

static fr_vec3 at(const segment *s, double t) { return fr_vec3_add_scaled(s->start, t, s->travel); }

static bool is_on(double t) { return t >= -OUTSIDE && t <= 1.0 + OUTSIDE; }

static void offer_edges(const segment *a, double s, const segment *b, double t, fr__meeting *best) {
    if (!is_on(s) || !is_on(t)) { return; }
    fr_vec3 p = at(a, s), q = at(b, t);
    double travel = fr__angle_between(angle_of(p), angle_of(q));
    offer(best, travel, FR_FEATURE_EDGE_EDGE, q, fr_vec3_cross(turn_by(a->travel, travel), b->travel));
}

// Real roots of a x^2 + b x + c, at most two.
static int roots_of(double a, double b, double c, double roots[2]) {
    if (a == 0.0) {
        if (b == 0.0) { return 0; }
        roots[0] = -c / b;
        return 1;
    }
    double square = b * b - 4.0 * a * c, rounding = 1e-15 * (b * b + fabs(4.0 * a * c));
    if (square < -rounding) { return 0; }
    double root = square > 0.0 ? sqrt(square) : 0.0, q = -0.5 * (b + (b >= 0.0 ? root : -root));
    roots[0] = q / a;
    roots[1] = q != 0.0 ? c / q : roots[0];
    return 2;
}

static double flat_dot(fr_vec3 a, fr_vec3 b) { return a.x * b.x + a.y * b.y; }

// Points of equal height and equal distance from the axis, where the height changes along `b`: the place on `b` is
// offset + slope s, and the distances give a quadratic in s. `swapped` says that `a` is of the other.
static void meet_sloping(const segment *a, const segment *b, bool swapped, fr__meeting *best) {
    double slope = a->travel.z / b->travel.z, offset = (a->start.z - b->start.z) / b->travel.z;
    fr_vec3 start = at(b, offset), travel = fr_vec3_scale(slope, b->travel);
    double roots[2];
    int count = roots_of(flat_dot(a->travel, a->travel) - flat_dot(travel, travel),
                         2.0 * (flat_dot(a->start, a->travel) - flat_dot(start, travel)),
                         flat_dot(a->start, a->start) - flat_dot(start, start), roots);
    for (int i = 0; i < count; i++) {
        double s = roots[i], t = offset + slope * s;
        if (swapped) {
            offer_edges(b, t, a, s, best);
        } else {
            offer_edges(a, s, b, t, best);
        }
    }
}

// Both lie across the axis at one height: an end of either is at the distance of a point of the other.
static void meet_level(const segment *a, const segment *b, fr__meeting *best) {
    double size = fabs(a->start.z) + fabs(b->start.z);
    if (!(fabs(a->start.z - b->start.z) <= 1e-13 * size)) { return; }
    for (int end = 0; end < 2; end++) {
        fr_vec3 p = at(a, (double)end), q = at(b, (double)end);
        double roots[2];
        int count = roots_of(flat_dot(b->travel, b->travel), 2.0 * flat_dot(b->start, b->travel),
                             flat_dot(b->start, b->start) - flat_dot(p, p), roots);
        for (int i = 0; i < count; i++) {
            offer_edges(a, (double)end, b, roots[i], best);
        }
        count = roots_of(flat_dot(a->travel, a->travel), 2.0 * flat_dot(a->start, a->travel),
                         flat_dot(a->start, a->start) - flat_dot(q, q), roots);
        for (int i = 0; i < count; i++) {
            offer_edges(a, roots[i], b, (double)end, best);
        }
    }
}

static segment side_of(const fr__facet *f, int k) {
    fr_vec3 a = corner_of(f, k), b = corner_of(f, (k + 1) % 3);
    return (segment){a, fr_vec3_sub(b, a)};
}

static fr__meeting meet(const fr__view *view, const fr__facet *mover, const fr__facet *other) {
    (void)view;
    fr__meeting best = {.travel = INFINITY, .mover = mover, .other = other};
    meet_corners(mover, other, &best);
    for (int i = 0; i < 3; i++) {
        segment a = side_of(mover, i);
        for (int k = 0; k < 3; k++) {
            segment b = side_of(other, k);
            // The steeper of the two carries the height.
            if (fabs(b.travel.z) >= fabs(a.travel.z) && b.travel.z != 0.0) {
                meet_sloping(&a, &b, false, &best);
            } else if (a.travel.z != 0.0) {
                meet_sloping(&b, &a, true, &best);
            } else {
                meet_level(&a, &b, &best);
            }
        }
    }
    return best;
}

const fr__travel_table fr__turning_travel = {cut_out, gap_between, travel_on_line, meet, false};
