// Moving triangles for the tests over a step, where they are at a moment, and the result by dense sampling.
#ifndef FUREAI_TEST_MOVING_SETS_H
#define FUREAI_TEST_MOVING_SETS_H

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A path with the motion it points to.
typedef struct moving_set {
    fr_triangle_path path;
    fr_motion motion;
} moving_set;

static inline void moving_straight(moving_set *set, const fr_vec3 start[3], const fr_vec3 end[3]) {
    for (int i = 0; i < 3; i++) {
        set->path.start[i] = start[i];
        set->path.end[i] = end[i];
    }
    set->path.motion = NULL;
}

// A triangle on a motion of its object: local corners, and the pose where they start.
static inline void moving_rigid(moving_set *set, const fr_vec3 local[3], const fr_pose *pose, fr_vec3 pivot,
                                fr_vec3 travel, fr_vec3 turn) {
    fr_motion motion = {*pose, pivot, travel, turn};
    set->motion = motion;
    set->path.motion = &set->motion;
    for (int i = 0; i < 3; i++) {
        set->path.start[i] = fr_pose_apply(pose, local[i]);
        set->path.end[i] = set->path.start[i];
    }
}

// A copy whose path points to its own motion.
static inline void moving_copy(moving_set *to, const moving_set *from) {
    *to = *from;
    if (from->path.motion != NULL) { to->path.motion = &to->motion; }
}

// Where the corners are at t, by the definition of fr_motion and plain arithmetic.
static inline void moving_at(const moving_set *set, double t, fr_vec3 out[3]) {
    const fr_triangle_path *path = &set->path;
    if (path->motion == NULL) {
        for (int i = 0; i < 3; i++) {
            out[i] = fr_vec3_lerp(path->start[i], path->end[i], t);
        }
        return;
    }
    const fr_motion *m = path->motion;
    fr_vec3 c = fr_pose_apply(&m->start, m->pivot_local);
    fr_mat3 turn = fr_quat_to_mat3(fr_quat_from_vector(fr_vec3_scale(t, m->turn)));
    for (int i = 0; i < 3; i++) {
        fr_vec3 arm = fr_mat3_apply(turn, fr_vec3_sub(path->start[i], c));
        out[i] = fr_vec3_add(fr_vec3_add_scaled(c, t, m->travel), arm);
    }
}

// The distance of the first `count_a` and `count_b` corners: vertex and face, edges, or triangles.
static inline double moving_distance(const moving_set *a, const moving_set *b, int count_a, double t) {
    fr_vec3 p[3], q[3];
    moving_at(a, t, p);
    moving_at(b, t, q);
    if (count_a == 1) { return fr_triangle_closest(q, p[0]).distance; }
    if (count_a == 2) { return fr_segment_distance(p, q, NULL, NULL); }
    return fr_triangle_distance(p, q, NULL, NULL);
}

static inline bool moving_time(const moving_set *a, const moving_set *b, int count_a, const fr_time_input *options,
                               fr_time_output *out) {
    if (count_a == 1) { return fr_vertex_face_time(&a->path, &b->path, options, out); }
    if (count_a == 2) { return fr_edge_edge_time(&a->path, &b->path, options, out); }
    return fr_triangle_time(&a->path, &b->path, options, out);
}

static inline fr_vec3 random_turn(fr_random *random, double angle) {
    fr_vec3 axis = fr_vec3_unit(random_point(random, 1.0), fr_vec3_make(0.0, 0.0, 1.0));
    return fr_vec3_scale(angle, axis);
}

// Kind 0: straight with ends of their own; 1: travel alone; 2: turns below half a turn; 3: up to `revolutions`.
static inline void random_moving_set(fr_random *random, int kind, double revolutions, fr_vec3 center, fr_vec3 travel,
                                     moving_set *out) {
    fr_vec3 local[3], end[3];
    random_triangle(random, 0.5, local);
    if (kind == 0) {
        for (int i = 0; i < 3; i++) {
            local[i] = fr_vec3_add(local[i], center);
            end[i] = fr_vec3_add(fr_vec3_add(local[i], travel), random_point(random, 0.5));
        }
        moving_straight(out, local, end);
        return;
    }
    double angle = kind == 1 ? 0.0 : kind == 2 ? fr_random_between(random, 0.0, FR_PI) : 0.0;
    if (kind == 3) { angle = 2.0 * FR_PI * fr_random_between(random, 0.0, revolutions); }
    fr_pose pose = fr_pose_make(center, fr_quat_from_vector(random_turn(random, 1.0)));
    fr_vec3 pivot = random_point(random, 0.7);
    moving_rigid(out, local, &pose, pivot, travel, random_turn(random, angle));
}

// The result of sampling a pair: the first sample within `reach`, and the smallest distance of all samples.
typedef struct sampled {
    bool hit;
    double time, nearest;
} sampled;

static inline sampled sample_pair(const moving_set *a, const moving_set *b, int count_a, double reach, int samples) {
    sampled s = {false, 2.0, (double)INFINITY};
    for (int k = 0; k <= samples; k++) {
        double t = (double)k / samples, distance = moving_distance(a, b, count_a, t);
        s.nearest = distance < s.nearest ? distance : s.nearest;
        if (distance <= reach && !s.hit) { s.hit = true, s.time = t; }
    }
    return s;
}

// What every result promises beside the samples; `scale` is the largest coordinate, for the rounding of this file.
static inline void check_against_samples(const moving_set *a, const moving_set *b, int count_a,
                                         const fr_time_input *options, const fr_time_output *r, int samples,
                                         double scale) {
    double rounding = 1e-14 * scale, e = fmax(options->tolerance, 1e-12 * scale);
    sampled s = sample_pair(a, b, count_a, options->separation - rounding, samples);
    if (s.hit) {
        assert_true(r->is_hit);
        assert_true(r->time <= s.time);
    }
    if (!r->is_hit) { return; }
    assert_true(r->time >= 0.0 && r->time <= 1.0);
    bool is_near = (r->flags & FR_TIME_NEAR) != 0, is_capped = (r->flags & FR_TIME_CAPPED) != 0;
    assert_int_equal(is_near, fr_is_unknown(r->time_sure));
    double there = moving_distance(a, b, count_a, r->time);
    if (!is_capped) { assert_true(there <= options->separation + e + rounding); }
    assert_true(fabs(there - r->distance) <= 1e-12 * scale);
    if (is_near) { return; }

    // Proven: triangles cross at that time; the others have passed through each other by then.
    assert_true(r->time_sure >= r->time && r->time_sure <= 1.0);
    double sure = moving_distance(a, b, count_a, r->time_sure), nearest = fmin(there, sure);
    for (int k = 1; k < 200; k++) {
        double t = r->time + (r->time_sure - r->time) * k / 200.0;
        nearest = fmin(nearest, moving_distance(a, b, count_a, t));
    }
    if (count_a == 3) {
        assert_true(sure <= options->separation + rounding);
    } else {
        assert_true(nearest <= options->separation + rounding + 0.02 * fmax(there, sure));
    }
}

#endif
