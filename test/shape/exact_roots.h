// Vertex-face and edge-edge queries that touch at a known time in exact arithmetic: whole and dyadic numbers, so small
// that every double below is exact. All-in-one-plane motion, no motion, segments and points are among them.
#ifndef FUREAI_TEST_EXACT_ROOTS_H
#define FUREAI_TEST_EXACT_ROOTS_H

#include "moving_sets.h"

// A point at `at` when t = time, on its way at `velocity`.
static inline void through(fr_triangle_path *path, int corner, fr_vec3 at, fr_vec3 velocity, double time) {
    path->start[corner] = fr_vec3_add_scaled(at, -time, velocity);
    path->end[corner] = fr_vec3_add_scaled(at, 1.0 - time, velocity);
}

static inline fr_vec3 whole_velocity(fr_random *random, uint64_t kind) {
    fr_vec3 v = random_whole_point(random, 8);
    if (kind == 1) { v.z = 0.0; }
    if (kind == 2) { v = fr_vec3_make(0.0, 0.0, 0.0); }
    return v;
}

// A pair that touches at the returned time: vertex and face (count_a 1) or edges (2).
static inline double exact_root_pair(fr_random *random, int count_a, moving_set *a, moving_set *b) {
    uint64_t kind = fr_random_below(random, 5), shape = fr_random_below(random, 6);
    double time = (double)fr_random_below(random, 9) / 8.0;
    int count_b = count_a == 1 ? 3 : 2;
    fr_vec3 p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = random_whole_point(random, 8);
        q[i] = random_whole_point(random, 8);
        if (kind == 1) { p[i].z = q[i].z = 0.0; }
    }
    if (shape == 0) { q[1] = q[0]; }
    if (shape == 1) { q[2] = fr_vec3_lerp(q[0], q[1], 0.5); }
    if (shape == 2 && count_a == 2) { p[1] = fr_vec3_add(p[0], fr_vec3_sub(q[1], q[0])); }

    // Move a so that a point of it is a point of b.
    double u = (double)fr_random_below(random, 9) / 8.0, v = (1.0 - u) * (double)fr_random_below(random, 9) / 8.0;
    fr_vec3 meet = fr_vec3_lerp(q[0], q[1], u), on_a = p[0];
    if (count_a == 1) { meet = fr_vec3_add_scaled(meet, v, fr_vec3_sub(q[2], q[0])); }
    if (count_a == 2) { on_a = fr_vec3_lerp(p[0], p[1], (double)fr_random_below(random, 9) / 8.0); }
    fr_vec3 shift = fr_vec3_sub(meet, on_a);
    a->path.motion = b->path.motion = NULL;
    for (int i = 0; i < count_a; i++) {
        through(&a->path, i, fr_vec3_add(p[i], shift), whole_velocity(random, kind), time);
    }
    for (int i = 0; i < count_b; i++) {
        through(&b->path, i, q[i], whole_velocity(random, kind), time);
    }
    for (int i = 0; i < 3; i++) { // the rest is not read, but sampled
        if (i >= count_a) { a->path.start[i] = a->path.start[0], a->path.end[i] = a->path.end[0]; }
        if (i >= count_b) { b->path.start[i] = b->path.start[0], b->path.end[i] = b->path.end[0]; }
    }
    return time;
}

static inline void check_exact_roots(int count_a, uint64_t seed, uint64_t count) {
    fr_random random = fr_random_seed(seed);
    uint64_t near = 0, steps = 0, capped = 0;
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b;
        double time = exact_root_pair(&random, count_a, &a, &b);
        fr_time_input options = fr_default_time_input();
        options.tolerance = i % 2 == 0 ? 1e-6 : 0.0;
        fr_time_output r;
        assert_true(moving_time(&a, &b, count_a, &options, &r));
        assert_true(r.time <= time);
        near += (r.flags & FR_TIME_NEAR) != 0;
        steps += r.iterations;
        bool is_capped = (r.flags & FR_TIME_CAPPED) != 0;
        capped += is_capped;
        assert_true(!is_capped || options.tolerance == 0.0);
        if (is_capped) { continue; }
        assert_true(moving_distance(&a, &b, count_a, r.time) <= (i % 2 == 0 ? 1.001e-6 : 1e-11));
    }
    print_message("%llu exact roots, none missed or late: %.1f steps each, %llu near, %llu capped\n",
                  (unsigned long long)count, (double)steps / (double)count, (unsigned long long)near,
                  (unsigned long long)capped);
    assert_true(500 * capped <= count); // none at the default tolerance, a few where it is that of rounding
}

// Random pairs of all kinds of paths beside samples.
static inline void check_random_sets(int count_a, uint64_t seed, uint64_t count) {
    fr_random random = fr_random_seed(seed);
    uint64_t hits = 0, sure = 0;
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b;
        int kind_a = (int)fr_random_below(&random, 4), kind_b = (int)fr_random_below(&random, 4);
        fr_vec3 offset = i % 8 == 7 ? fr_vec3_make(-1e6, 2e6, 3e5) : fr_vec3_make(0.0, 0.0, 0.0);
        random_moving_set(&random, kind_a, 10.0, offset, random_point(&random, 1.0), &a);
        random_moving_set(&random, kind_b, 10.0, offset, random_point(&random, 1.0), &b);
        fr_time_input options = fr_default_time_input();
        options.separation = i % 2 == 0 ? 0.05 : 0.0;
        fr_time_output r;
        hits += moving_time(&a, &b, count_a, &options, &r);
        sure += r.is_hit && (r.flags & FR_TIME_NEAR) == 0;
        check_against_samples(&a, &b, count_a, &options, &r, 500, i % 8 == 7 ? 3e6 : 5.0);
    }
    print_message("%llu pairs: %llu hits, %llu of them sure\n", (unsigned long long)count, (unsigned long long)hits,
                  (unsigned long long)sure);
    // Shares are told by a large sample alone.
    assert_true(hits > count / 20 && (count < 500 || 10 * sure > 8 * hits));
}

#endif
