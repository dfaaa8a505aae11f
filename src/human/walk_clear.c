// Measures how near the soles of two feet are to one another, seen from above: each is a line with a thickness.
#include "human/walk_clear.h"

// Leg lengths: half the width of a foot with what stays free between two, and how much shorter than the sole its line
// is at either end.
static const double HALF_WIDTH = 0.058, SHORTER = 0.012;

// A shift is no longer than this, leg lengths.
static const double MAX_SHIFT = 0.25;

typedef struct sole_line {
    double x, z;   // of the heel
    double dx, dz; // from heel to toes
} sole_line;

static sole_line line_of(const fr__walk_body *body, const fr__walk_print *print) {
    double s, c, short_by = SHORTER * body->leg, heel = body->heel - short_by, toe = body->toe - short_by;
    fr_sincos(print->heading, &s, &c);
    return (sole_line){print->x - heel * s, print->z - heel * c, (heel + toe) * s, (heel + toe) * c};
}

// The square of the distance of a point from a line.
static double point_square(double x, double z, const sole_line *line) {
    double px = x - line->x, pz = z - line->z;
    double t = (px * line->dx + pz * line->dz) / (line->dx * line->dx + line->dz * line->dz);
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    px -= t * line->dx;
    pz -= t * line->dz;
    return px * px + pz * pz;
}

// The side of a line on which a point lies: the sign of a cross product.
static double side_of(double x, double z, const sole_line *line) {
    return line->dx * (z - line->z) - line->dz * (x - line->x);
}

static bool do_cross(const sole_line *a, const sole_line *b) {
    return side_of(a->x, a->z, b) * side_of(a->x + a->dx, a->z + a->dz, b) < 0.0 &&
           side_of(b->x, b->z, a) * side_of(b->x + b->dx, b->z + b->dz, a) < 0.0;
}

// The distance of two lines, of which the first one is shifted.
static double distance_at(sole_line own, const sole_line *other, fr_vec2 direction, double shift) {
    own.x += shift * direction.x;
    own.z += shift * direction.y;
    if (do_cross(&own, other)) { return 0.0; }
    double a = fmin(point_square(own.x, own.z, other), point_square(own.x + own.dx, own.z + own.dz, other));
    double b =
        fmin(point_square(other->x, other->z, &own), point_square(other->x + other->dx, other->z + other->dz, &own));
    return sqrt(fmin(a, b));
}

fr_vec2 fr__walk_aside_direction(int foot, double other_heading) {
    double s, c, side = foot == FR__LEFT ? 1.0 : -1.0;
    fr_sincos(other_heading, &s, &c);
    return (fr_vec2){side * c, -side * s};
}

double fr__walk_clear_shift(const fr__walk_body *body, const fr__walk_print *own, const fr__walk_print *other,
                            fr_vec2 direction) {
    sole_line a = line_of(body, own), b = line_of(body, other);
    double wanted = 2.0 * HALF_WIDTH * body->leg, low = 0.0, high = MAX_SHIFT * body->leg;
    if (distance_at(a, &b, direction, 0.0) >= wanted) { return 0.0; }
    for (int i = 0; i < 12; i++) {
        double middle = 0.5 * (low + high);
        if (distance_at(a, &b, direction, middle) < wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

double fr__walk_clear_lack(const fr__walk_body *body, const fr__walk_print *own, const fr__walk_print *other) {
    sole_line a = line_of(body, own), b = line_of(body, other);
    return 2.0 * HALF_WIDTH * body->leg - distance_at(a, &b, (fr_vec2){0.0, 0.0}, 0.0);
}

double fr__walk_aside_part(double u) {
    double bump = 4.0 * u * (1.0 - u);
    return u > 0.0 && u < 1.0 ? bump * bump : 0.0;
}
