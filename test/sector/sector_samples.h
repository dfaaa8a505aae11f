// Random sectors and bodies, plain ones and degenerate ones, for the tests of this folder.
#ifndef FUREAI_TEST_SECTOR_SAMPLES_H
#define FUREAI_TEST_SECTOR_SAMPLES_H

#include "fureai/sector.h"

#include <math.h>

static inline fr_vec3 sample_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, fr_random_between(random, -reach, reach));
}

// Half the sizes of a body of the source's third chapter.
static inline fr_vec3 sample_half(fr_random *random) {
    fr_vec3 p = sample_point(random, 6.25);
    return fr_vec3_make(6.25 + p.x, 6.25 + p.y, 6.25 + p.z);
}

static inline fr_vec3 sample_direction(fr_random *random) {
    fr_vec3 v;
    do {
        v = sample_point(random, 1.0);
    } while (fr_vec3_length(v) > 1.0 || fr_vec3_length(v) < 0.1);
    return fr_vec3_scale(1.0 / fr_vec3_length(v), v);
}

// The point of a body that is nearest to a point.
typedef fr_vec3 nearest_fn(const void *body, fr_vec3 point);

// From a point of the body, back and forth between it and the sector until nothing changes: the distance of two of
// their points, so never below the true one.
static inline double walk_down(const fr_sector *s, const void *body, nearest_fn *nearest, fr_vec3 from, int steps) {
    fr_vec3 p = from;
    double d = INFINITY;
    for (int i = 0; i < steps; i++) {
        fr_vec3 q = fr_sector_closest(s, p);
        p = nearest(body, q);
        double now = fr_vec3_distance(p, q);
        if (!(now < d - 1e-15)) { return fmin(now, d); }
        d = now;
        if (d < 1e-13) { return d; }
    }
    return d;
}

// A sector in its own frame, checked.
static inline fr_sector sample_canonical(double inner, double outer, double half_angle, double half_thickness) {
    fr_sector s = {.axis = {0, 0, 1},
                   .bisector = {1, 0, 0},
                   .inner = inner,
                   .outer = outer,
                   .half_angle = half_angle,
                   .half_thickness = half_thickness};
    fr_sector_check(&s, NULL);
    return s;
}

// Any sizes; every fourth with an angle, radius or thickness at a limit.
static inline fr_sector sample_sector(fr_random *random, bool is_canonical) {
    static const double angles[] = {0.0, 0.3, FR_PI / 4, FR_PI / 2, 3 * FR_PI / 4, 3.0, FR_PI};
    double inner = fr_random_between(random, 0.0, 12.5), outer = inner + fr_random_between(random, 0.0, 25.0);
    double angle = fr_random_between(random, 0.0, FR_PI), half = fr_random_between(random, 0.0, 12.5);
    switch (fr_random_below(random, 16)) {
    case 0: angle = angles[fr_random_below(random, 7)]; break;
    case 1: inner = 0.0; break;
    case 2: outer = inner; break;
    case 3: half = 0.0; break;
    default: break;
    }
    fr_sector s = sample_canonical(inner, outer, angle, half);
    if (is_canonical) { return s; }
    s.center = sample_point(random, 20.0);
    s.axis = sample_direction(random);
    do {
        s.bisector = sample_direction(random);
    } while (fr_vec3_length(fr_vec3_cross(s.axis, s.bisector)) < 0.1);
    fr_sector_check(&s, NULL);
    return s;
}

// A point of a sector, from its definition: u, v, w in 0 .. 1 choose angle, radius and height.
static inline fr_vec3 sector_point(const fr_sector *s, double u, double v, double w) {
    double angle = (2.0 * u - 1.0) * s->half_angle, radius = s->inner + v * (s->outer - s->inner);
    double z = (2.0 * w - 1.0) * s->half_thickness;
    fr_vec3 p = fr_vec3_add_scaled(s->center, radius * cos(angle), s->bisector);
    return fr_vec3_add_scaled(fr_vec3_add_scaled(p, radius * sin(angle), s->side), z, s->axis);
}

static inline fr_vec3 sample_in_sector(fr_random *random, const fr_sector *s) {
    double u = fr_random_unit(random), v = fr_random_unit(random), w = fr_random_unit(random);
    return sector_point(s, u, v, w);
}

static inline fr_pose sample_pose(fr_random *random, double reach) {
    fr_vec3 at = sample_point(random, reach);
    return fr_pose_make(at, fr_quat_from_vector(sample_point(random, 3.0)));
}

static inline fr_oriented_box sample_box(fr_random *random, double reach, double size) {
    fr_vec3 half = sample_point(random, 0.5 * size);
    fr_pose pose = sample_pose(random, reach);
    fr_oriented_box box = {pose.position, fr_quat_to_mat3(pose.rotation), {fabs(half.x), fabs(half.y), fabs(half.z)}};
    if (fr_random_below(random, 10) == 0) { box.half.x = 0.0; }
    return box;
}

// A point of a box: coordinates of -1 .. 1 in half sizes.
static inline fr_vec3 box_point(const fr_oriented_box *box, fr_vec3 at) {
    fr_vec3 p = fr_vec3_add_scaled(box->center, at.x * box->half.x, box->axes.row[0]);
    p = fr_vec3_add_scaled(p, at.y * box->half.y, box->axes.row[1]);
    return fr_vec3_add_scaled(p, at.z * box->half.z, box->axes.row[2]);
}

static inline fr_screw sample_screw(fr_random *random) {
    fr_screw screw;
    screw.point = sample_point(random, 20.0);
    screw.axis = sample_direction(random);
    screw.angle = fr_random_between(random, -6.5, 6.5);
    screw.slide = fr_random_below(random, 2) ? 0.0 : fr_random_between(random, -25.0, 25.0);
    if (fr_random_below(random, 8) == 0) { screw.angle = 0.0; }
    return screw;
}

#endif
