// Two sectors.
#include "sector/plane.h"

// ---------------------------------------------------------------------------------------------------------------
// Parallel axes: two figures in one plane
//
// They share a point when a border of one meets a border of the other, or one lies inside the other. Six points, where
// the three rays of the half angle meet both circles, lie on every piece of a border, also of a full ring.

// The other figure as one sees it: its center and the direction of its bisector.
typedef struct placed {
    const fr_sector *s;
    fr_vec2 center, along;
} placed;

static fr_vec2 to_other(const placed *b, fr_vec2 p) {
    double x = p.x - b->center.x, y = p.y - b->center.y;
    return (fr_vec2){x * b->along.x + y * b->along.y, y * b->along.x - x * b->along.y};
}

static fr_vec2 from_other(const placed *b, fr_vec2 p) {
    return (fr_vec2){b->center.x + p.x * b->along.x - p.y * b->along.y,
                     b->center.y + p.x * b->along.y + p.y * b->along.x};
}

static bool holds(const fr_sector *s, fr_vec2 p, double slack) {
    return fr__plane_distance2(s, p.x, p.y) <= slack * slack;
}

static void border_points(const fr_sector *s, fr_vec2 out[6]) {
    for (int i = 0; i < 2; i++) {
        double radius = i == 0 ? s->inner : s->outer;
        out[3 * i] = (fr_vec2){radius, 0.0};
        out[3 * i + 1] = (fr_vec2){radius * s->cosine, radius * s->sine};
        out[3 * i + 2] = (fr_vec2){radius * s->cosine, -radius * s->sine};
    }
}

// Whether a border point or a radial edge of b meets a: the distance of a segment decides both.
static bool edges_meet(const fr_sector *a, const placed *b, double slack) {
    fr_vec2 points[6];
    border_points(b->s, points);
    for (int i = 0; i < 6; i++) {
        points[i] = from_other(b, points[i]);
    }
    for (int i = 0; i < 3; i++) {
        if (fr__plane_segment_distance2(a, points[i], points[3 + i], slack * slack) <= slack * slack) { return true; }
    }
    return false;
}

// Whether a circle of a crosses one of b within both angles.
static bool arcs_meet(const fr_sector *a, const placed *b, double slack) {
    double apart = sqrt(b->center.x * b->center.x + b->center.y * b->center.y);
    if (!(apart > 0.0)) { return false; }
    double ux = b->center.x / apart, uy = b->center.y / apart;
    for (int i = 0; i < 4; i++) {
        double p = i & 1 ? a->outer : a->inner, q = i & 2 ? b->s->outer : b->s->inner;
        double along = (apart * apart + p * p - q * q) / (2.0 * apart), square = p * p - along * along;
        if (square < 0.0) { continue; }
        double across = sqrt(square);
        for (int k = -1; k <= 1; k += 2) {
            fr_vec2 x = {along * ux - k * across * uy, along * uy + k * across * ux};
            if (holds(a, x, slack) && holds(b->s, to_other(b, x), slack)) { return true; }
        }
    }
    return false;
}

static fr_sector_meeting planar_pair(const fr_sector *a, const fr_sector *b) {
    fr_vec3 c = fr__sector_local(a, b->center);
    double size = fr__sector_size(a) + fr__sector_size(b) + fr_vec3_largest(c), slack = 1e-12 * size;
    if (fabs(c.z) > a->half_thickness + b->half_thickness + slack) { return FR_SECTORS_APART; }
    placed of_b = {b, {c.x, c.y}, {fr_vec3_dot(a->bisector, b->bisector), fr_vec3_dot(a->side, b->bisector)}};

    // The same with the roles exchanged. Both figures are symmetric, so it does not matter when the axes are opposite.
    fr_vec3 d = fr__sector_local(b, a->center);
    placed of_a = {a, {d.x, d.y}, {fr_vec3_dot(b->bisector, a->bisector), fr_vec3_dot(b->side, a->bisector)}};
    bool meet = edges_meet(a, &of_b, slack) || edges_meet(b, &of_a, slack) || arcs_meet(a, &of_b, slack);
    return meet ? FR_SECTORS_MEET : FR_SECTORS_APART;
}

// ---------------------------------------------------------------------------------------------------------------
// Any axes

// Five corners at each face of the slab: the first five below, then those above.
static const uint8_t prism_edges[15][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {5, 6}, {6, 7}, {7, 8},
                                           {8, 9}, {9, 5}, {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}};

// A slice of b from one direction to another, seen by a: the unit directions of its ends and middle.
typedef struct slice {
    double from, to; // angles from b's bisector
} slice;

// Tests a prism between the radii near (at the ends) and far, with `tip` in the middle, of a slice against a.
static bool prism_meets(const fr_sector *a, const fr_sector *b, const slice *part, double near, double far,
                        double tip) {
    const double angles[3] = {part->from, 0.5 * (part->from + part->to), part->to};
    double c[3], s[3];
    for (int i = 0; i < 3; i++) {
        fr_sincos(angles[i], &s[i], &c[i]);
    }
    const fr_vec2 ring[5] = {{near * c[0], near * s[0]},
                             {far * c[0], far * s[0]},
                             {tip * c[1], tip * s[1]},
                             {far * c[2], far * s[2]},
                             {near * c[2], near * s[2]}};
    fr_vec3 corners[10];
    for (int i = 0; i < 10; i++) {
        double z = i < 5 ? -b->half_thickness : b->half_thickness;
        corners[i] = fr__sector_local(a, fr__sector_world(b, ring[i % 5].x, ring[i % 5].y, z));
    }
    fr__polytope p = {corners, 10, prism_edges, 15};
    return fr__polytope_meets(a, &p);
}

// What the prisms of a slice decide: the outer one holds the slice, and the slice holds the inner one, which is empty
// when its near side is beyond its far one. False: nothing yet, the slice is to be halved.
static bool slice_decides(const fr_sector *a, const fr_sector *b, const slice *part, double tolerance,
                          fr_sector_meeting *out) {
    double cosine = fr_cos(0.5 * (part->to - part->from));
    *out = FR_SECTORS_APART;
    if (!prism_meets(a, b, part, b->inner, b->outer, b->outer / cosine)) { return true; }
    *out = FR_SECTORS_MEET;
    if (b->inner <= b->outer * cosine && prism_meets(a, b, part, b->inner / cosine, b->outer, b->outer)) {
        return true;
    }
    *out = FR_SECTORS_NEAR;
    return fr__most(b->outer * (1.0 / cosine - 1.0), b->inner * (1.0 / cosine - cosine)) < tolerance;
}

#define FIRST_SLICES 6
#define STACK_SIZE (FIRST_SLICES + 40)

static fr_sector_meeting general_pair(const fr_sector *a, const fr_sector *b, double tolerance) {
    tolerance = fr__most(tolerance, 1e-9 * b->outer);
    slice stack[STACK_SIZE];
    int count = 0, slices = (int)(b->half_angle * (6.0 / FR_PI)) + 1;
    slices = slices > FIRST_SLICES ? FIRST_SLICES : slices;
    double width = 2.0 * b->half_angle / slices;
    for (int i = 0; i < slices; i++) {
        stack[count++] = (slice){-b->half_angle + i * width, -b->half_angle + (i + 1) * width};
    }
    fr_sector_meeting best = FR_SECTORS_APART;
    while (count > 0) {
        slice part = stack[--count];
        fr_sector_meeting meeting;
        if (!slice_decides(a, b, &part, tolerance, &meeting) && count + 2 <= STACK_SIZE) {
            double middle = 0.5 * (part.from + part.to);
            stack[count++] = (slice){part.from, middle};
            stack[count++] = (slice){middle, part.to};
            continue;
        }
        if (meeting == FR_SECTORS_MEET) { return meeting; }
        if (meeting == FR_SECTORS_NEAR) { best = meeting; }
    }
    return best;
}

fr_sector_meeting fr_sector_overlap_sector(const fr_sector *a, const fr_sector *b, double tolerance) {
    // Apart along a straight line: the cheapest test.
    double d2 = fr_vec3_length_squared(fr_vec3_sub(a->center, b->center));
    double reach = sqrt(fr__square(a->outer) + fr__square(a->half_thickness)) +
                   sqrt(fr__square(b->outer) + fr__square(b->half_thickness));
    if (d2 > fr__square(reach * (1.0 + 1e-12))) { return FR_SECTORS_APART; }
    if (fr_vec3_length(fr_vec3_cross(a->axis, b->axis)) <= 1e-12) { return planar_pair(a, b); }
    return general_pair(a, b, tolerance);
}
