// The bumpy sphere of the rivals' workloads: `slices` about z and `stacks`, 2 slices (stacks - 1) triangles. For C and
// C++ alike.
#ifndef FUREAI_BENCH_BUMPY_SPHERE_H
#define FUREAI_BENCH_BUMPY_SPHERE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct bumpy_sphere {
    float *positions; // 3 a vertex
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} bumpy_sphere;

static inline void bumpy_sphere_free(bumpy_sphere *s) {
    free(s->positions);
    free(s->triangles);
    s->positions = NULL;
    s->triangles = NULL;
}

static inline void bumpy_sphere_vertex(bumpy_sphere *s, double x, double y, double z) {
    double r = 1.0 + 0.05 * sin(9.0 * x) * sin(11.0 * y) * sin(13.0 * z);
    float *p = s->positions + 3 * (size_t)s->vertex_count++;
    p[0] = (float)(x * r);
    p[1] = (float)(y * r);
    p[2] = (float)(z * r);
}

static inline void bumpy_sphere_triangle(bumpy_sphere *s, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = s->triangles + 3 * (size_t)s->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static inline uint32_t bumpy_sphere_at(uint32_t slices, uint32_t stack, uint32_t slice) {
    return 1 + (stack - 1) * slices + slice % slices;
}

// False when there is no memory.
static inline int bumpy_sphere_make(uint32_t slices, uint32_t stacks, bumpy_sphere *s) {
    const double pi = 3.14159265358979323846;
    size_t vertices = (size_t)slices * (stacks - 1) + 2, triangles = 2 * (size_t)slices * (stacks - 1);
    s->positions = (float *)malloc(vertices * 3 * sizeof(float));
    s->triangles = (uint32_t *)malloc(triangles * 3 * sizeof(uint32_t));
    s->vertex_count = s->triangle_count = 0;
    if (s->positions == NULL || s->triangles == NULL) {
        bumpy_sphere_free(s);
        return 0;
    }
    bumpy_sphere_vertex(s, 0, 0, 1);
    for (uint32_t i = 1; i < stacks; i++) {
        for (uint32_t j = 0; j < slices; j++) {
            double theta = pi * i / stacks, phi = 2 * pi * j / slices;
            bumpy_sphere_vertex(s, sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
        }
    }
    bumpy_sphere_vertex(s, 0, 0, -1);
    uint32_t last = s->vertex_count - 1;
    for (uint32_t j = 0; j < slices; j++) {
        bumpy_sphere_triangle(s, 0, bumpy_sphere_at(slices, 1, j), bumpy_sphere_at(slices, 1, j + 1));
    }
    for (uint32_t i = 1; i + 1 < stacks; i++) {
        for (uint32_t j = 0; j < slices; j++) {
            uint32_t a = bumpy_sphere_at(slices, i, j), b = bumpy_sphere_at(slices, i + 1, j);
            uint32_t c = bumpy_sphere_at(slices, i + 1, j + 1), d = bumpy_sphere_at(slices, i, j + 1);
            bumpy_sphere_triangle(s, a, b, c);
            bumpy_sphere_triangle(s, a, c, d);
        }
    }
    for (uint32_t j = 0; j < slices; j++) {
        bumpy_sphere_triangle(s, last, bumpy_sphere_at(slices, stacks - 1, j + 1),
                              bumpy_sphere_at(slices, stacks - 1, j));
    }
    return 1;
}

// Random numbers for places and rays: the same for us and the rivals.
static inline double bench_unit(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static inline void bench_place(uint64_t *state, double reach, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = reach * (2.0 * bench_unit(state) - 1.0);
    }
}

#endif
