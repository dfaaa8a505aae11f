// Solids that are known by their voxels, in a world of 32 units that is scaled to any depth: voxel centres decide.
#ifndef FUREAI_TEST_OCTREE_SOLIDS_H
#define FUREAI_TEST_OCTREE_SOLIDS_H

#include "frame.h"
#include "random_vector.h"

#include "fureai/octree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef enum solid { SOLID_SHUTTLE, SOLID_THIN_SHUTTLE, SOLID_SPHERE, SOLID_CHAIR, SOLID_COUNT } solid;

static inline bool in_ellipsoid(double x, double y, double z, double a, double b) {
    return x * x / (a * a) + (y * y + z * z) / (b * b) <= 1.0;
}

static inline bool in_shuttle(double px, double py, double pz) {
    double x = (px - 17.5) / 1.08, y = (py - 16.0) / 1.08, z = (pz - 16.0) / 1.08;
    if (in_ellipsoid(x, y, z, 11.5, 4.35)) { return true; }
    if (y * y + z * z <= 4.5 * 4.5 && x > -9.5 && x < 0.0) { return true; }
    double wing = 0.72 * (4.5 - x) < 9.2 ? 0.72 * (4.5 - x) : 9.2;
    if (x >= -10.0 && x <= 4.5 && z >= -4.35 && z <= -1.2 && fabs(y) <= wing) { return true; }
    if (x >= -11.2 && x <= -6.5 && fabs(y) <= 1.2 && z >= 0.0 && z <= 2.0 + 1.6 * (-6.5 - x)) { return true; }
    return in_ellipsoid(x + 9.5, y - 2.2, z - 2.2, 3.0, 2.25) || in_ellipsoid(x + 9.5, y + 2.2, z - 2.2, 3.0, 2.25);
}

static inline bool in_thin_shuttle(double px, double py, double pz) {
    double x = (px - 18.8016) / 1.2951, y = (py - 16.1363) / 1.2951, z = (pz - 16.2015) / 1.2951;
    if (in_ellipsoid(x, y, z, 11.5, 2.89275)) { return true; }
    double wing = 0.72 * (4.5 - x) < 9.2 ? 0.72 * (4.5 - x) : 9.2;
    if (x >= -10.0 && x <= 4.5 && fabs(z) <= 0.7979 && fabs(y) <= wing) { return true; }
    if (x >= -11.2 && x <= -6.5 && fabs(y) <= 0.798 && z >= 0.0 && z <= 2.0 + 1.6 * (-6.5 - x)) { return true; }
    return in_ellipsoid(x + 9.5, y - 2.2, z - 2.2, 3.0, 1.49625) ||
           in_ellipsoid(x + 9.5, y + 2.2, z - 2.2, 3.0, 1.49625);
}

static inline bool in_chair(double px, double py, double pz) {
    double x = (px - 16.0) / 0.68, y = (py - 16.0) / 0.68, z = (pz - 16.0) / 0.68;
    if (fabs(x) <= 4.2 && fabs(y) <= 4.2 && fabs(z) <= 0.9) { return true; }
    if (x >= -4.2 && x <= -2.6 && fabs(y) <= 4.2 && z >= 0.9 && z <= 8.0) { return true; }
    return fabs(fabs(x) - 3.4) <= 0.9 && fabs(fabs(y) - 3.4) <= 0.9 && z >= -7.0 && z <= -0.9;
}

static inline bool in_solid(solid which, double x, double y, double z) {
    switch (which) {
    case SOLID_SHUTTLE: return in_shuttle(x, y, z);
    case SOLID_THIN_SHUTTLE: return in_thin_shuttle(x, y, z);
    case SOLID_SPHERE: return (x - 16.0) * (x - 16.0) + (y - 16.0) * (y - 16.0) + (z - 16.0) * (z - 16.0) <= 9.3 * 9.3;
    default: return in_chair(x, y, z);
    }
}

static inline fr_octree *make_tree(int dimension, uint32_t depth) {
    fr_octree_def def = fr_default_octree_def();
    def.dimension = dimension;
    def.depth = depth;
    fr_octree *tree = NULL;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    return tree;
}

static inline void blacken_voxel(fr_octree *tree, int64_t x, int64_t y, int64_t z) {
    const int64_t low[3] = {x, y, z}, high[3] = {x + 1, y + 1, z + 1};
    fr_octree_fill(tree, low, high, FR_CELL_BLACK);
}

static inline bool is_black(const fr_octree *tree, int64_t x, int64_t y, int64_t z) {
    return fr_octree_color(tree, 0, x, y, z) == FR_CELL_BLACK;
}

static inline fr_octree *make_solid(solid which, uint32_t depth) {
    fr_octree *tree = make_tree(3, depth);
    int64_t n = (int64_t)1 << depth;
    double unit = 32.0 / (double)n;
    for (int64_t i = 0; i < n * n * n; i++) {
        int64_t x = i % n, y = i / n % n, z = i / n / n;
        if (in_solid(which, ((double)x + 0.5) * unit, ((double)y + 0.5) * unit, ((double)z + 0.5) * unit)) {
            blacken_voxel(tree, x, y, z);
        }
    }
    return tree;
}

// Every voxel black with the same chance: nothing to condense; or boxes of chance: much of it.
static inline void fill_randomly(fr_octree *tree, fr_random *random, int boxes) {
    fr_octree_def def = fr_octree_get_def(tree);
    int64_t n = (int64_t)1 << def.depth;
    for (int i = 0; i < boxes; i++) {
        int64_t low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
        for (int a = 0; a < def.dimension; a++) {
            low[a] = (int64_t)fr_random_below(random, (uint64_t)n);
            high[a] = low[a] + 1 + (int64_t)fr_random_below(random, (uint64_t)(n / 2 + 1));
        }
        fr_octree_fill(tree, low, high, fr_random_below(random, 3) == 0 ? FR_CELL_WHITE : FR_CELL_BLACK);
    }
}

// A motion: anything, or by steps of 15 degrees and half voxels, or without a turn.
static inline fr_octree_motion random_motion(fr_random *random, uint32_t depth) {
    double n = ldexp(1.0, (int)depth);
    fr_vec3 travel = random_about(random, 0.3 * n), axis = random_about(random, 1.0);
    double angle = fr_random_between(random, -FR_PI, FR_PI);
    uint64_t kind = fr_random_below(random, 5);
    if (kind == 1 || kind == 2) {
        travel = fr_vec3_make(floor(travel.x) * 0.5, floor(travel.y) * 0.5, floor(travel.z) * 0.5);
        uint64_t along = fr_random_below(random, 3);
        axis = fr_vec3_make(along == 0, along == 1, along == 2);
        angle = FR_PI / 12.0 * (double)fr_random_below(random, 24);
    }
    if (kind >= 2 && kind <= 3) { angle = 0.0; }
    return fr_octree_motion_turn(travel, axis, angle);
}

// For test_every_failure: context is a tree.
static inline fr_status make_reference(const fr_allocator *allocator, void *context) {
    fr_octree_reference *reference;
    fr_status status = fr_octree_reference_create(context, allocator, &reference, NULL);
    fr_octree_reference_destroy(reference);
    return status;
}

#endif
