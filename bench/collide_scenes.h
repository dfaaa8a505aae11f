// The scenes on which collision libraries are compared: the same meshes, poses and seeds for ours and every rival's
// program, so that the number of face pairs must be the same too. C and C++.
//
//   W1  two spheres (24 x 21 or 64 x 32, pole z) at a distance, a new pose each question
//   W2  two bumpy spheres of 100,000 or 1,000,000 faces, a new pose each question
//   W3  two bumpy spheres of 100,000 faces that both deform each frame
//   W4  1,000 or 10,000 spheres of 168 faces that fly about in a box
#ifndef FUREAI_BENCH_COLLIDE_SCENES_H
#define FUREAI_BENCH_COLLIDE_SCENES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_PI 3.14159265358979323846

// ---------------------------------------------------------------------------------------------------------------
// Random numbers

typedef struct scene_random {
    uint64_t state;
} scene_random;

static inline uint64_t scene_bits(scene_random *r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * 0x2545F4914F6CDD1Dull;
}

static inline scene_random scene_seed(uint64_t seed) {
    scene_random r;
    r.state = seed * 0x9E3779B97F4A7C15ull + 0x1234567;
    for (int i = 0; i < 8; i++) {
        scene_bits(&r);
    }
    return r;
}

static inline double scene_unit(scene_random *r) { return (double)(scene_bits(r) >> 11) * (1.0 / 9007199254740992.0); }

static inline double scene_between(scene_random *r, double low, double high) {
    return low + (high - low) * scene_unit(r);
}

// ---------------------------------------------------------------------------------------------------------------
// Poses

typedef struct scene_quat {
    double w, x, y, z;
} scene_quat;

typedef struct scene_pose {
    scene_quat rotation;
    double position[3];
} scene_pose;

typedef struct scene_pose_pair {
    scene_pose a, b;
} scene_pose_pair;

static inline scene_quat scene_random_turn(scene_random *r) {
    double u1 = scene_unit(r), u2 = scene_unit(r), u3 = scene_unit(r), turn = 2 * SCENE_PI;
    scene_quat q = {sqrt(1 - u1) * sin(turn * u2), sqrt(1 - u1) * cos(turn * u2), sqrt(u1) * sin(turn * u3),
                    sqrt(u1) * cos(turn * u3)};
    return q;
}

static inline void scene_random_direction(scene_random *r, double d[3]) {
    double z = scene_between(r, -1, 1), angle = scene_between(r, 0, 2 * SCENE_PI), s = sqrt(1 - z * z);
    d[0] = s * cos(angle);
    d[1] = s * sin(angle);
    d[2] = z;
}

// `count` pairs of poses whose origins are `distance` apart.
static inline void scene_pose_pairs(double distance, int count, uint64_t seed, scene_pose_pair *out) {
    scene_random r = scene_seed(seed);
    for (int k = 0; k < count; k++) {
        double d[3];
        out[k].a.rotation = scene_random_turn(&r);
        out[k].b.rotation = scene_random_turn(&r);
        scene_random_direction(&r, d);
        for (int i = 0; i < 3; i++) {
            out[k].a.position[i] = scene_between(&r, -1, 1);
            out[k].b.position[i] = out[k].a.position[i] + distance * d[i];
        }
    }
}

// Row-major matrix of a quaternion.
static inline void scene_matrix(scene_quat q, double m[9]) {
    double w = q.w, x = q.x, y = q.y, z = q.z;
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y - z * w);
    m[2] = 2 * (x * z + y * w);
    m[3] = 2 * (x * y + z * w);
    m[4] = 1 - 2 * (x * x + z * z);
    m[5] = 2 * (y * z - x * w);
    m[6] = 2 * (x * z - y * w);
    m[7] = 2 * (y * z + x * w);
    m[8] = 1 - 2 * (x * x + y * y);
}

// b in the frame of a, x = m v + t: for those who have no poses of both.
static inline void scene_relative(const scene_pose_pair *poses, double m[9], double t[3]) {
    double a[9], b[9];
    scene_matrix(poses->a.rotation, a);
    scene_matrix(poses->b.rotation, b);
    for (int i = 0; i < 3; i++) {
        t[i] = 0;
        for (int k = 0; k < 3; k++) {
            m[3 * i + k] = a[i] * b[k] + a[3 + i] * b[3 + k] + a[6 + i] * b[6 + k];
            t[i] += a[3 * k + i] * (poses->b.position[k] - poses->a.position[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

typedef struct scene_mesh {
    double *positions; // 3 a vertex
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} scene_mesh;

static inline void scene_put_vertex(scene_mesh *m, double x, double y, double z, bool bumpy) {
    double r = 1;
    if (bumpy) { r += 0.05 * sin(9 * x) * sin(11 * y) * sin(13 * z); }
    double *p = m->positions + 3 * (size_t)m->vertex_count++;
    p[0] = x * r;
    p[1] = y * r;
    p[2] = z * r;
}

static inline void scene_put_triangle(scene_mesh *m, int a, int b, int c) {
    uint32_t *t = m->triangles + 3 * (size_t)m->triangle_count++;
    t[0] = (uint32_t)a;
    t[1] = (uint32_t)b;
    t[2] = (uint32_t)c;
}

// A sphere of radius 1 about the axis z: n meridians, m stacks, 2 n (m - 1) triangles. Free with scene_free_mesh.
static inline scene_mesh scene_sphere(int n, int m, bool bumpy) {
    scene_mesh mesh = {NULL, NULL, 0, 0};
    mesh.positions = (double *)malloc(((size_t)n * (size_t)(m - 1) + 2) * 3 * sizeof(double));
    mesh.triangles = (uint32_t *)malloc(2 * (size_t)n * (size_t)(m - 1) * 3 * sizeof(uint32_t));
    if (mesh.positions == NULL || mesh.triangles == NULL) { abort(); }
    scene_put_vertex(&mesh, 0, 0, 1, bumpy);
    for (int i = 1; i < m; i++) {
        double polar = SCENE_PI * i / m;
        for (int j = 0; j < n; j++) {
            double around = 2 * SCENE_PI * j / n;
            scene_put_vertex(&mesh, sin(polar) * cos(around), sin(polar) * sin(around), cos(polar), bumpy);
        }
    }
    scene_put_vertex(&mesh, 0, 0, -1, bumpy);

    int last = (int)mesh.vertex_count - 1;
    for (int j = 0; j < n; j++) {
        scene_put_triangle(&mesh, 0, 1 + j, 1 + (j + 1) % n);
    }
    for (int i = 1; i < m - 1; i++) {
        int here = 1 + (i - 1) * n, next = 1 + i * n;
        for (int j = 0; j < n; j++) {
            int k = (j + 1) % n;
            scene_put_triangle(&mesh, here + j, next + j, next + k);
            scene_put_triangle(&mesh, here + j, next + k, here + k);
        }
    }
    for (int j = 0; j < n; j++) {
        scene_put_triangle(&mesh, last, 1 + (m - 2) * n + (j + 1) % n, 1 + (m - 2) * n + j);
    }
    return mesh;
}

static inline void scene_free_mesh(scene_mesh *mesh) {
    free(mesh->positions);
    free(mesh->triangles);
}

// The positions of a mesh that wobbles, at a phase.
static inline void scene_wobble(const scene_mesh *mesh, double phase, double *out) {
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i += 3) {
        const double *p = mesh->positions + i;
        double s = 1 + 0.02 * sin(7 * p[0] + phase) * cos(5 * p[1] - phase);
        for (int k = 0; k < 3; k++) {
            out[i + (size_t)k] = p[k] * s;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies that fly about: 1 % of the volume of their box

typedef struct scene_bodies {
    int count;
    double edge;       // of the box
    scene_pose *poses; // of each body
    double *velocity;  // 3 a body, a frame
    double *turning;   // 3 a body, a frame
} scene_bodies;

static inline scene_bodies scene_make_bodies(int count) {
    scene_bodies b = {count, cbrt(count * (4.0 / 3 * SCENE_PI) / 0.01), NULL, NULL, NULL};
    b.poses = (scene_pose *)malloc((size_t)count * sizeof *b.poses);
    b.velocity = (double *)malloc(3 * (size_t)count * sizeof *b.velocity);
    b.turning = (double *)malloc(3 * (size_t)count * sizeof *b.turning);
    if (b.poses == NULL || b.velocity == NULL || b.turning == NULL) { abort(); }
    scene_random r = scene_seed(4242);
    for (int i = 0; i < count; i++) {
        b.poses[i].rotation = scene_random_turn(&r);
        for (int k = 0; k < 3; k++) {
            b.poses[i].position[k] = scene_between(&r, 0, b.edge);
            b.velocity[3 * i + k] = scene_between(&r, -0.1, 0.1);
            b.turning[3 * i + k] = scene_between(&r, -0.1, 0.1);
        }
    }
    return b;
}

static inline void scene_free_bodies(scene_bodies *b) {
    free(b->poses);
    free(b->velocity);
    free(b->turning);
}

static inline scene_quat scene_unit_quat(scene_quat q) {
    double n = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    scene_quat out = {q.w * n, q.x * n, q.y * n, q.z * n};
    return out;
}

static inline scene_quat scene_multiply(scene_quat a, scene_quat b) {
    scene_quat out = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return out;
}

// One frame on; bodies bounce off the walls.
static inline void scene_step_bodies(scene_bodies *b) {
    for (int i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) {
            double *x = &b->poses[i].position[k], *v = &b->velocity[3 * i + k];
            *x += *v;
            if (*x < 0 || *x > b->edge) {
                *v = -*v;
                *x += 2 * *v;
            }
        }
        const double *w = &b->turning[3 * i];
        scene_quat turn = {1, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
        b->poses[i].rotation = scene_unit_quat(scene_multiply(scene_unit_quat(turn), b->poses[i].rotation));
    }
}

// A flight of bodies, made before anything is timed: a sample is the same frames for everybody, ours and rivals, so
// that their times can be compared one by one.
enum { SCENE_W4_FRAMES = 20, SCENE_W4_MERIDIANS = 12, SCENE_W4_STACKS = 8 };

typedef struct scene_flight {
    int body_count, frame_count;
    scene_pose *poses; // of all bodies in the first frame, then in the second, ...
    long pairs;        // of faces that must be found over all frames; -1: not known
} scene_flight;

static inline scene_flight scene_make_flight(int body_count) {
    scene_flight flight = {body_count, SCENE_W4_FRAMES, NULL, -1};
    if (body_count == 100) { flight.pairs = 2884; }
    if (body_count == 1000) { flight.pairs = 25640; }
    if (body_count == 10000) { flight.pairs = 309981; }
    flight.poses = (scene_pose *)malloc((size_t)body_count * SCENE_W4_FRAMES * sizeof *flight.poses);
    if (flight.poses == NULL) { abort(); }
    scene_bodies bodies = scene_make_bodies(body_count);
    for (int f = 0; f < SCENE_W4_FRAMES; f++) {
        scene_step_bodies(&bodies);
        memcpy(flight.poses + (size_t)f * (size_t)body_count, bodies.poses, (size_t)body_count * sizeof *flight.poses);
    }
    scene_free_bodies(&bodies);
    return flight;
}

// The poses of all bodies in a frame.
static inline const scene_pose *scene_frame(const scene_flight *flight, int frame) {
    return flight->poses + (size_t)frame * (size_t)flight->body_count;
}

static inline void scene_free_flight(scene_flight *flight) { free(flight->poses); }

// ---------------------------------------------------------------------------------------------------------------
// The cases

enum { SCENE_W1_POSES = 64, SCENE_W1_SEED = 77, SCENE_W2_SEED = 78, SCENE_W3_SEED = 79, SCENE_W3_FRAMES = 8 };

typedef struct scene_pair_case {
    int n, m;        // of the sphere
    bool bumpy;      // W2
    double distance; // of the centres
    int poses;
    uint64_t seed;
    long pairs; // that must be found over all poses; -1: not known
} scene_pair_case;

static const scene_pair_case scene_w1_960 = {24, 21, false, 1.9, SCENE_W1_POSES, SCENE_W1_SEED, 3412};
static const scene_pair_case scene_w1_3968 = {64, 32, false, 1.9, SCENE_W1_POSES, SCENE_W1_SEED, 7489};
static const scene_pair_case scene_w1_960_apart = {24, 21, false, 2.5, SCENE_W1_POSES, SCENE_W1_SEED, 0};
static const scene_pair_case scene_w1_3968_apart = {64, 32, false, 2.5, SCENE_W1_POSES, SCENE_W1_SEED, 0};
static const scene_pair_case scene_w2_100k = {250, 201, true, 1.9, 8, SCENE_W2_SEED, 4514};
static const scene_pair_case scene_w2_1m = {1000, 501, true, 1.9, 4, SCENE_W2_SEED, 7172};
enum { SCENE_W3_PAIRS = 3748 };

#endif
