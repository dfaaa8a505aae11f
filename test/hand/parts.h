// Parts for hands, made by code, for tests and benchmarks of the aid: a fine plate, a gear and its housing.
#ifndef FUREAI_TEST_HAND_PARTS_H
#define FUREAI_TEST_HAND_PARTS_H

#include "fureai/math.h"
#include "fureai/shape.h"

#include <stdlib.h>

// Vertices and triangles that grow; the arrays are large enough for all parts below.
typedef struct part_builder {
    double *positions;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} part_builder;

static inline part_builder part_begin(uint32_t vertices, uint32_t triangles) {
    part_builder b = {.vertex_count = 0};
    b.positions = malloc(3 * sizeof(double) * vertices);
    b.triangles = malloc(3 * sizeof(uint32_t) * triangles);
    if (b.positions == NULL || b.triangles == NULL) { abort(); }
    return b;
}

static inline uint32_t part_vertex(part_builder *b, double x, double y, double z) {
    double *at = b->positions + 3 * (size_t)b->vertex_count;
    at[0] = x;
    at[1] = y;
    at[2] = z;
    return b->vertex_count++;
}

static inline void part_triangle(part_builder *b, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t *at = b->triangles + 3 * (size_t)b->triangle_count++;
    at[0] = i;
    at[1] = j;
    at[2] = k;
}

static inline void part_quad(part_builder *b, uint32_t i, uint32_t j, uint32_t k, uint32_t l) {
    part_triangle(b, i, j, k);
    part_triangle(b, i, k, l);
}

static inline fr_mesh *part_end(part_builder *b) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = b->positions;
    def.vertex_count = b->vertex_count;
    def.triangles = b->triangles;
    def.triangle_count = b->triangle_count;
    def.is_double = true;
    fr_mesh *mesh = NULL;
    if (fr_mesh_create(&def, &mesh, NULL) != FR_OK) { abort(); }
    free(b->positions);
    free(b->triangles);
    return mesh;
}

// A square plate of edge `edge` and height `height` about the origin, n x n squares above and below: 4 n (n + 2)
// triangles.
static inline fr_mesh *part_plate(double edge, double height, uint32_t n) {
    part_builder b = part_begin(2 * (n + 1) * (n + 1), 4 * n * (n + 2));
    uint32_t side = n + 1, above = side * side;
    for (uint32_t layer = 0; layer < 2; layer++) {
        for (uint32_t i = 0; i < above; i++) {
            double x = edge * ((double)(i % side) / n - 0.5), z = edge * ((double)(i / side) / n - 0.5);
            (void)part_vertex(&b, x, (layer - 0.5) * height, z);
        }
    }
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t at = i / n * side + i % n;
        part_quad(&b, at, at + 1, at + side + 1, at + side);
        part_quad(&b, above + at, above + at + side, above + at + side + 1, above + at + 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t far = n * side + i, left = i * side, right = left + n;
        part_quad(&b, i, above + i, above + i + 1, i + 1);
        part_quad(&b, far, far + 1, above + far + 1, above + far);
        part_quad(&b, left, left + side, above + left + side, above + left);
        part_quad(&b, right, above + right, above + right + side, right + side);
    }
    return part_end(&b);
}

// The outline of a gear of 25 teeth, 4 mm deep, about the y axis, 20 points a tooth.
#define PART_GEAR_POINTS 500
#define PART_GEAR_RADIUS 0.04

static inline void part_gear_ring(part_builder *b, double grown, double y, uint32_t ring[PART_GEAR_POINTS]) {
    static const double share[20] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0,
                                     1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2, 0.0};
    for (uint32_t i = 0; i < PART_GEAR_POINTS; i++) {
        double angle = 2.0 * FR_PI * i / PART_GEAR_POINTS;
        double radius = PART_GEAR_RADIUS - 0.004 + 0.004 * share[i % 20] + grown;
        ring[i] = part_vertex(b, radius * fr_cos(angle), y, radius * fr_sin(angle));
    }
}

static inline void part_circle(part_builder *b, double radius, double y, uint32_t ring[PART_GEAR_POINTS]) {
    for (uint32_t i = 0; i < PART_GEAR_POINTS; i++) {
        double angle = 2.0 * FR_PI * i / PART_GEAR_POINTS;
        ring[i] = part_vertex(b, radius * fr_cos(angle), y, radius * fr_sin(angle));
    }
}

// Squares between two rings; seen from where `from` goes clockwise about +y below `to`, or inside it.
static inline void part_strip(part_builder *b, const uint32_t *from, const uint32_t *to) {
    for (uint32_t i = 0; i < PART_GEAR_POINTS; i++) {
        uint32_t k = (i + 1) % PART_GEAR_POINTS;
        part_quad(b, from[i], to[i], to[k], from[k]);
    }
}

// A gear of 20 mm from y = 0 upwards with a bore of 20 mm: 4,000 triangles.
static inline fr_mesh *part_gear(void) {
    part_builder b = part_begin(4 * PART_GEAR_POINTS, 8 * PART_GEAR_POINTS);
    uint32_t low[PART_GEAR_POINTS], high[PART_GEAR_POINTS], bore_low[PART_GEAR_POINTS], bore_high[PART_GEAR_POINTS];
    part_gear_ring(&b, 0.0, 0.0, low);
    part_gear_ring(&b, 0.0, 0.02, high);
    part_circle(&b, 0.01, 0.0, bore_low);
    part_circle(&b, 0.01, 0.02, bore_high);
    part_strip(&b, low, high);
    part_strip(&b, high, bore_high);
    part_strip(&b, bore_high, bore_low);
    part_strip(&b, bore_low, low);
    return part_end(&b);
}

// A round housing with a pocket for the gear, `gap` wider all around, whose floor is at y = 0: 4,000 triangles.
static inline fr_mesh *part_housing(double gap) {
    part_builder b = part_begin(4 * PART_GEAR_POINTS + 2, 8 * PART_GEAR_POINTS);
    uint32_t floor[PART_GEAR_POINTS], brim[PART_GEAR_POINTS], high[PART_GEAR_POINTS], low[PART_GEAR_POINTS];
    part_gear_ring(&b, gap, 0.0, floor);
    part_gear_ring(&b, gap, 0.015, brim);
    part_circle(&b, 0.05, 0.015, high);
    part_circle(&b, 0.05, -0.005, low);
    uint32_t middle = part_vertex(&b, 0.0, 0.0, 0.0), below = part_vertex(&b, 0.0, -0.005, 0.0);
    part_strip(&b, low, high);
    part_strip(&b, high, brim);
    part_strip(&b, brim, floor);
    for (uint32_t i = 0; i < PART_GEAR_POINTS; i++) {
        uint32_t k = (i + 1) % PART_GEAR_POINTS;
        part_triangle(&b, middle, floor[k], floor[i]);
        part_triangle(&b, below, low[i], low[k]);
    }
    return part_end(&b);
}

#endif
