// The scenes on which questions over a step are compared, the same for ours and every rival's program. C and C++.
//
//   W5  two spheres (24 x 21 or 64 x 32, pole z): one stands, the other flies through it and turns by 0.2 to 1.5
//   radians K   the two spheres of Kitamura's table 2.1 (m stacks, 2 m slices, pole y), speeds times 1.6, in their last
//   cycle
#ifndef FUREAI_BENCH_STEP_SCENES_H
#define FUREAI_BENCH_STEP_SCENES_H

#include "collide_scenes.h"

enum { SCENE_W5_MOTIONS = 32, SCENE_W5_SEED = 55 };

typedef struct scene_motion {
    scene_pose still, from, to;
} scene_motion;

static inline void scene_motions(int count, uint64_t seed, scene_motion *out) {
    scene_random r = scene_seed(seed);
    for (int k = 0; k < count; k++) {
        scene_motion *m = &out[k];
        double axis[3], d[3], e[3];
        m->still.rotation = scene_random_turn(&r);
        m->from.rotation = scene_random_turn(&r);
        scene_random_direction(&r, axis);
        double half = 0.5 * scene_between(&r, 0.2, 1.5), s = sin(half);
        scene_quat turn = {cos(half), axis[0] * s, axis[1] * s, axis[2] * s};
        m->to.rotation = scene_multiply(turn, m->from.rotation);
        scene_random_direction(&r, d);
        scene_random_direction(&r, e);
        double offset = scene_between(&r, 0.0, 1.2), along = d[0] * e[0] + d[1] * e[1] + d[2] * e[2], length = 0.0;
        for (int i = 0; i < 3; i++) {
            e[i] -= along * d[i];
            length += e[i] * e[i];
        }
        length = sqrt(length);
        for (int i = 0; i < 3; i++) {
            m->still.position[i] = 0.0;
            m->from.position[i] = 3.0 * d[i] + offset * e[i] / length;
            m->to.position[i] = -3.0 * d[i] + offset * e[i] / length;
        }
    }
}

// The pose of one of Kitamura's two spheres at a cycle: 0 is A, 1 is B. Lengths in voxels of a level-4 octree.
enum { SCENE_K_CYCLE = 72 };
#define SCENE_K_RADIUS 1.9

static inline scene_pose scene_kitamura(int which, int cycle) {
    static const double start[2][3] = {{2.5, 2.5, 2.5}, {8.5, 6.5, 6.5}};
    static const double speed[3] = {0.015, 0.0075, 0.01};
    double half = 0.5 * 1.6 * 0.25 * cycle * SCENE_PI / 180.0;
    scene_pose pose = {{cos(half), 0.0, sin(half), 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        pose.position[i] = start[which][i] + (which == 0 ? 1.0 : -1.0) * 1.6 * speed[i] * cycle;
    }
    return pose;
}

#endif
