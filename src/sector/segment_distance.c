// The exact distance of a segment from a sector, and capsules (Yamamoto's future work 4.1).
//
// Along the segment the squared distance f(t) is the least of three functions: those to the two radial edges'
// rectangles, which are convex, and where the point is within the angle the radial one. The segment is cut where the
// radial one changes its form, so that on each part it is convex or concave.
#include "sector/plane.h"

// The segment a + t v in the sector's frame.
typedef struct sector_line {
    const fr_sector *s;
    fr_vec3 a, v;
    double square;      // |v|^2 in the plane
    double nearest;     // t of the point nearest to the axis, on the whole line
    double near_square; // its squared distance from the axis
    double best;        // least squared distance so far
} sector_line;

static fr_vec3 at(const sector_line *l, double t) { return fr_vec3_add_scaled(l->a, t, l->v); }

static void try_at(sector_line *l, double t) {
    double d = fr__local_distance2(l->s, at(l, t));
    if (d < l->best) { l->best = d; }
}

// Puts `t` into a sorted list when it is inside 0 .. 1.
static int insert(double *list, int count, double t) {
    if (!(t > 0.0 && t < 1.0)) { return count; }
    int i = count;
    for (; i > 0 && list[i - 1] > t; i--) {
        list[i] = list[i - 1];
    }
    list[i] = t;
    return count + 1;
}

// The zero of p + q t; NaN, which no list takes, when there is none.
static double zero_of(double p, double q) { return q != 0.0 ? -p / q : (double)NAN; }

// ---------------------------------------------------------------------------------------------------------------
// Edges

// p + q t, of which only what is outside low .. high counts.
typedef struct overrun {
    double p, q, low, high;
} overrun;

// On a part where none of the overruns changes sides their squares sum to one quadratic: its least value there.
static void try_quadratic(sector_line *l, const overrun over[3], double from, double to) {
    double middle = 0.5 * (from + to), pq = 0.0, qq = 0.0;
    for (int i = 0; i < 3; i++) {
        double x = over[i].p + over[i].q * middle;
        double bound = x < over[i].low ? over[i].low : over[i].high;
        if (x < over[i].low || x > over[i].high) {
            pq += (over[i].p - bound) * over[i].q;
            qq += over[i].q * over[i].q;
        }
    }
    double t = qq > 0.0 ? fr__within(-pq / qq, from, to) : from, sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += fr__square(fr__outside(over[i].p + over[i].q * t, over[i].low, over[i].high));
    }
    if (sum < l->best) { l->best = sum; }
}

// The radial edge on the side of `sign` y, as thick as the sector.
static void try_edge(sector_line *l, double sign) {
    const fr_sector *s = l->s;
    double sine = sign * s->sine;
    const overrun over[3] = {
        {l->a.x * sine - l->a.y * s->cosine, l->v.x * sine - l->v.y * s->cosine, 0.0, 0.0},
        {l->a.x * s->cosine + l->a.y * sine, l->v.x * s->cosine + l->v.y * sine, s->inner, s->outer},
        {l->a.z, l->v.z, -s->half_thickness, s->half_thickness},
    };
    double cuts[6] = {0.0};
    int count = 1;
    for (int i = 0; i < 3; i++) {
        count = insert(cuts, count, zero_of(over[i].p - over[i].low, over[i].q));
        if (i > 0) { count = insert(cuts, count, zero_of(over[i].p - over[i].high, over[i].q)); }
    }
    for (int i = 0; i < count; i++) {
        try_quadratic(l, over, cuts[i], i + 1 < count ? cuts[i + 1] : 1.0);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Radial parts

// g(t) = (rho(t) - radius)^2 + (p + q t)^2, rho^2 = square (t - nearest)^2 + near_square.
typedef struct radial {
    double radius, p, q;
} radial;

static double rho_at(const sector_line *l, double t) {
    return sqrt(l->square * fr__square(t - l->nearest) + l->near_square);
}

// Half the derivative of g. On the axis itself rho has a corner there: the slope of the side that the part is on.
static double slope_at(const sector_line *l, const radial *g, double t, double side) {
    double rho = rho_at(l, t), rise = (g->p + g->q * t) * g->q;
    if (rho <= 1e-14 * g->radius) { return rise - side * g->radius * sqrt(l->square); }
    return l->square * (t - l->nearest) * (1.0 - g->radius / rho) + rise;
}

// The least value where g is convex: at an end or where the slope is 0, by Newton's steps within a bracket.
static void try_convex(sector_line *l, const radial *g, double from, double to) {
    if (!(from < to)) { return; }
    double side = 0.5 * (from + to) > l->nearest ? 1.0 : -1.0;
    if (slope_at(l, g, from, side) >= 0.0 || slope_at(l, g, to, side) <= 0.0) { return; }
    double t = 0.5 * (from + to);
    for (int i = 0; i < 80 && from < to; i++) {
        double slope = slope_at(l, g, t, side), rho = rho_at(l, t);
        if (slope == 0.0) { break; }
        if (slope < 0.0) {
            from = t;
        } else {
            to = t;
        }
        double bend = (l->square + g->q * g->q) - g->radius * l->square * l->near_square / (rho * rho * rho);
        double next = t - slope / bend;
        if (!(next > from && next < to)) { next = 0.5 * (from + to); }
        if (fabs(next - t) <= 0x1p-52 * fabs(next)) { break; }
        t = next;
    }
    try_at(l, t);
}

// A part over the hole: about the point nearest to the axis g is concave, before and behind it convex.
static void try_hole(sector_line *l, const radial *g, double from, double to) {
    double bend = l->square + g->q * g->q;
    double rho = bend > 0.0 ? fr_cbrt(g->radius * l->square * l->near_square / bend) : 0.0;
    double reach = rho * rho > l->near_square ? sqrt((rho * rho - l->near_square) / l->square) : 0.0;
    try_convex(l, g, from, fr__least(to, l->nearest - reach));
    try_convex(l, g, fr__most(from, l->nearest + reach), to);
    try_at(l, fr__within(l->nearest - reach, from, to));
    try_at(l, fr__within(l->nearest + reach, from, to));
}

// A part above or below the slab, on one side of both circles. Where it touches a circle rounding may put its middle on
// either side, so its ends are looked at too.
static void try_beside(sector_line *l, const radial *height, double from, double to) {
    const fr_sector *s = l->s;
    double rho = rho_at(l, 0.5 * (from + to)), rho_from = rho_at(l, from), rho_to = rho_at(l, to);
    double most = fr__most(rho, fr__most(rho_from, rho_to)), least = fr__least(rho, fr__least(rho_from, rho_to));
    try_at(l, from);
    try_at(l, to);
    radial g = *height;
    if (most > s->outer * (1.0 + 1e-12)) {
        g.radius = s->outer;
        try_convex(l, &g, from, to);
    }
    if (least < s->inner * (1.0 - 1e-12)) {
        g.radius = s->inner;
        try_hole(l, &g, from, to);
    }
}

// A part that is within the angle and on one side of each face of the slab.
static void try_radial(sector_line *l, double from, double to) {
    const fr_sector *s = l->s;
    double z = l->a.z + 0.5 * (from + to) * l->v.z;
    if (fabs(z) <= s->half_thickness) {
        double least = rho_at(l, fr__within(l->nearest, from, to));
        double most = fr__most(rho_at(l, from), rho_at(l, to));
        double d = fr__most(fr__most(least - s->outer, s->inner - most), 0.0);
        if (d * d < l->best) { l->best = d * d; }
        return;
    }
    double sign = z > 0.0 ? 1.0 : -1.0;
    radial height = {0.0, sign * l->a.z - s->half_thickness, sign * l->v.z};
    double cuts[6] = {from}, circles[2] = {s->inner, s->outer};
    int count = 1;
    for (int i = 0; i < 2; i++) {
        double square = circles[i] * circles[i] - l->near_square;
        double reach = square > 0.0 && l->square > 0.0 ? sqrt(square / l->square) : (double)NAN;
        for (int k = -1; k <= 1; k += 2) {
            double t = l->nearest + k * reach;
            if (t > from && t < to) { count = insert(cuts, count, t); }
        }
    }
    for (int i = 0; i < count; i++) {
        try_beside(l, &height, cuts[i], i + 1 < count ? cuts[i + 1] : to);
    }
}

static void try_radial_parts(sector_line *l, double enough) {
    const fr_sector *s = l->s;
    double cuts[6] = {0.0};
    int count = 1;
    if (!fr__sector_is_full(s)) {
        count =
            insert(cuts, count, zero_of(l->a.x * s->sine - l->a.y * s->cosine, l->v.x * s->sine - l->v.y * s->cosine));
        count =
            insert(cuts, count, zero_of(l->a.x * s->sine + l->a.y * s->cosine, l->v.x * s->sine + l->v.y * s->cosine));
        count = insert(cuts, count, zero_of(l->a.y, l->v.y));
    }
    count = insert(cuts, count, zero_of(l->a.z - s->half_thickness, l->v.z));
    count = insert(cuts, count, zero_of(l->a.z + s->half_thickness, l->v.z));
    for (int i = 0; i < count && l->best > enough; i++) {
        double to = i + 1 < count ? cuts[i + 1] : 1.0;
        fr_vec3 middle = at(l, 0.5 * (cuts[i] + to));
        if (middle.x * s->sine - fabs(middle.y) * s->cosine > 0.0 || fr__sector_is_full(s)) {
            try_radial(l, cuts[i], to);
        }
    }
}

double fr__segment_distance2(const fr_sector *s, fr_vec3 a, fr_vec3 b, double enough) {
    sector_line l = {.s = s, .a = a, .v = fr_vec3_sub(b, a)};
    l.square = l.v.x * l.v.x + l.v.y * l.v.y;
    l.near_square = a.x * a.x + a.y * a.y;
    if (l.square > 0.0) {
        l.nearest = -(a.x * l.v.x + a.y * l.v.y) / l.square;
        double cross = a.x * l.v.y - a.y * l.v.x;
        l.near_square = cross * cross / l.square;
    }
    l.best = fr__local_distance2(s, a);
    if (!(l.best >= 0.0) || !(fr__local_distance2(s, b) >= 0.0)) { return (double)NAN; }
    try_at(&l, 1.0);
    if (l.best > enough) { try_radial_parts(&l, enough); }
    if (l.best > enough) { try_edge(&l, 1.0); }
    if (l.best > enough) { try_edge(&l, -1.0); }
    return l.best;
}

// ---------------------------------------------------------------------------------------------------------------
// In the plane

static double cross2(fr_vec2 a, fr_vec2 b) { return a.x * b.y - a.y * b.x; }

// The squared distance of two segments, the second from inner to outer along a unit direction.
static double edge_distance2(fr_vec2 a, fr_vec2 v, fr_vec2 edge, double inner, double outer) {
    double p = cross2(a, edge), q = cross2(v, edge);
    double along_p = a.x * edge.x + a.y * edge.y, along_q = v.x * edge.x + v.y * edge.y;
    double t = fr__within(zero_of(p, q), 0.0, 1.0);
    if (q == 0.0) { t = 0.0; }
    double along = fr__outside(along_p + along_q * t, inner, outer);
    double best = fr__square(p + q * t) + along * along;
    if (best == 0.0) { return 0.0; }

    // Apart: the least is at an end of one of the two.
    double vv = v.x * v.x + v.y * v.y;
    for (int i = 0; i < 2; i++) {
        double end = fr__square(p + q * i) + fr__square(fr__outside(along_p + along_q * i, inner, outer));
        double radius = i == 0 ? inner : outer;
        double dx = radius * edge.x - a.x, dy = radius * edge.y - a.y;
        double u = vv > 0.0 ? fr__within((dx * v.x + dy * v.y) / vv, 0.0, 1.0) : 0.0;
        double corner = fr__square(dx - u * v.x) + fr__square(dy - u * v.y);
        best = fr__least(best, fr__least(end, corner));
    }
    return best;
}

// The squared radial distance of the part from .. to.
static double radial_distance2(const fr_sector *s, fr_vec2 a, fr_vec2 v, double from, double to) {
    if (!(from <= to)) { return INFINITY; }
    double vv = v.x * v.x + v.y * v.y;
    double t = vv > 0.0 ? fr__within(-(a.x * v.x + a.y * v.y) / vv, from, to) : from;
    double near = fr__square(a.x + t * v.x) + fr__square(a.y + t * v.y);
    double first = fr__square(a.x + from * v.x) + fr__square(a.y + from * v.y);
    double last = fr__square(a.x + to * v.x) + fr__square(a.y + to * v.y), far = fr__most(first, last);
    if (near > s->outer * s->outer) { return fr__square(sqrt(near) - s->outer); }
    return far < s->inner * s->inner ? fr__square(s->inner - sqrt(far)) : 0.0;
}

// The t of 0 .. 1 with p + q t >= 0, as from .. to.
static void half_line(double p, double q, double *from, double *to) {
    *from = 0.0;
    *to = 1.0;
    if (q > 0.0) {
        *from = fr__most(0.0, -p / q);
    } else if (q < 0.0) {
        *to = fr__least(1.0, -p / q);
    } else if (p < 0.0) {
        *to = -1.0;
    }
}

// The part of the segment within the angle; for more than a right angle to each side it may be two.
static double within_angle2(const fr_sector *s, fr_vec2 a, fr_vec2 v) {
    if (fr__sector_is_full(s)) { return radial_distance2(s, a, v, 0.0, 1.0); }
    fr_vec2 upper = {s->cosine, s->sine}, lower = {s->cosine, -s->sine};
    double from[2], to[2];
    half_line(cross2(a, upper), cross2(v, upper), &from[0], &to[0]);
    half_line(-cross2(a, lower), -cross2(v, lower), &from[1], &to[1]);
    if (s->cosine <= 0.0) {
        return fr__least(radial_distance2(s, a, v, from[0], to[0]), radial_distance2(s, a, v, from[1], to[1]));
    }
    // With no angle at all the two lines are one, and what is behind the axis belongs to the edge.
    return s->sine > 0.0 ? radial_distance2(s, a, v, fr__most(from[0], from[1]), fr__least(to[0], to[1])) : INFINITY;
}

double fr__plane_segment_distance2(const fr_sector *s, fr_vec2 a, fr_vec2 b, double enough) {
    double of_a = fr__plane_distance2(s, a.x, a.y), of_b = fr__plane_distance2(s, b.x, b.y);
    if (!(of_a >= 0.0) || !(of_b >= 0.0)) { return (double)NAN; }
    double best = fr__least(of_a, of_b);
    if (best <= enough) { return best; }
    fr_vec2 v = {b.x - a.x, b.y - a.y};
    best = fr__least(best, within_angle2(s, a, v));
    if (best <= enough || fr__sector_is_full(s)) { return best; }
    for (int k = -1; k <= 1 && best > enough; k += 2) {
        fr_vec2 edge = {s->cosine, k * s->sine};
        best = fr__least(best, edge_distance2(a, v, edge, s->inner, s->outer));
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// The public forms

double fr_sector_plane_distance(const fr_sector *s, fr_vec2 point) {
    return sqrt(fr__plane_distance2(s, point.x, point.y));
}

bool fr_sector_plane_overlap_circle(const fr_sector *s, fr_vec2 center, double radius) {
    return fr__plane_distance2(s, center.x, center.y) <= radius * radius;
}

double fr_sector_plane_segment_distance(const fr_sector *s, const fr_vec2 segment[2]) {
    return sqrt(fr__plane_segment_distance2(s, segment[0], segment[1], 0.0));
}

bool fr_sector_plane_overlap_capsule(const fr_sector *s, const fr_vec2 segment[2], double radius) {
    return fr__plane_segment_distance2(s, segment[0], segment[1], radius * radius) <= radius * radius;
}

double fr_sector_segment_distance(const fr_sector *s, const fr_vec3 segment[2]) {
    return sqrt(fr__segment_distance2(s, fr__sector_local(s, segment[0]), fr__sector_local(s, segment[1]), 0.0));
}
