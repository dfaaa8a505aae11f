// The paths of three corners at once: fr__swept_at in lanes, with the same bits, and the acceleration.
#ifndef FUREAI_SHAPE_PATH_LANES_H
#define FUREAI_SHAPE_PATH_LANES_H

#include "shape/corner_lanes.h"
#include "shape/swept.h"

// The paths of three corners, which do not change during a search.
typedef struct corner_paths {
    corners start, travel, across, tangent;
} corner_paths;

// Positions, velocities and accelerations of the corners.
typedef struct corner_state {
    corners at, velocity, pull;
} corner_state;

static inline corners load_three(const fr_vec3 p[3]) { return load_corners(&p[0], &p[1], &p[2]); }

static inline void load_paths(const fr__swept *s, corner_paths *out) {
    out->start = load_three(s->start);
    out->travel = load_three(s->travel);
    if (s->axis.angle == 0.0) { return; }
    out->across = load_three(s->across);
    out->tangent = load_three(s->tangent);
}

typedef struct wide_swing {
    fr__d4 t, sine, cosine, versine, angle, pull;
} wide_swing;

// One coordinate of points that turn: fr__swept_at in lanes, and the acceleration.
static inline void turn_coordinate(const wide_swing *s, fr__d4 start, fr__d4 travel, fr__d4 across, fr__d4 tangent,
                                   fr__d4 *at, fr__d4 *velocity, fr__d4 *pull) {
    fr__d4 turned = fr__d4_sub(fr__d4_mul(s->sine, tangent), fr__d4_mul(s->versine, across));
    fr__d4 along = fr__d4_sub(fr__d4_mul(s->cosine, tangent), fr__d4_mul(s->sine, across));
    *at = fr__d4_add(start, add_scaled(turned, s->t, travel));
    *velocity = add_scaled(travel, s->angle, along);
    *pull = fr__d4_mul(s->pull, fr__d4_add(across, turned));
}

static inline void place_at(const fr__swept *s, const corner_paths *path, double t, corner_state *out) {
    fr__d4 time = fr__d4_splat(t), zero = fr__d4_splat(0.0);
    if (s->axis.angle == 0.0) {
        out->at = add_corners(&path->start, time, &path->travel);
        out->velocity.x = path->travel.x; // one by one: copying the struct stores halves, which later loads wait for
        out->velocity.y = path->travel.y;
        out->velocity.z = path->travel.z;
        out->pull = (corners){zero, zero, zero};
        return;
    }
    fr__swing swing = {0.0, 0.0};
    double angle = s->axis.angle;
    if (t > 0.0) { swing = fr__swing_at(angle, t); }
    wide_swing w = {time,
                    fr__d4_splat(swing.sine),
                    fr__d4_splat(1.0 - swing.versine),
                    fr__d4_splat(swing.versine),
                    fr__d4_splat(angle),
                    fr__d4_splat(-angle * angle)};
    turn_coordinate(&w, path->start.x, path->travel.x, path->across.x, path->tangent.x, &out->at.x, &out->velocity.x,
                    &out->pull.x);
    turn_coordinate(&w, path->start.y, path->travel.y, path->across.y, path->tangent.y, &out->at.y, &out->velocity.y,
                    &out->pull.y);
    turn_coordinate(&w, path->start.z, path->travel.z, path->across.z, path->tangent.z, &out->at.z, &out->velocity.z,
                    &out->pull.z);
}

#endif
