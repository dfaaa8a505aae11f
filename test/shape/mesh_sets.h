// Meshes that give queries trouble, for the tests of this folder.
#ifndef FUREAI_TEST_MESH_SETS_H
#define FUREAI_TEST_MESH_SETS_H

#include "fureai/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

typedef enum mesh_set {
    MESH_SET_SPHERE,   // closed
    MESH_SET_BOX,      // closed, its edges along the axes
    MESH_SET_SOUP,     // loose triangles
    MESH_SET_GRID,     // loose triangles on whole numbers: touching, equal and degenerate ones
    MESH_SET_SEGMENTS, // all degenerate
    MESH_SET_SHEET,    // flat and open
    MESH_SET_FAR,      // loose triangles at 1e30
    MESH_SET_TINY,     // loose triangles at 1e-30
    MESH_SET_DOUBLE,   // positions kept as doubles
    MESH_SET_COUNT
} mesh_set;

static inline fr_mesh *mesh_of_points(const double *points, uint32_t triangle_count, bool keep_double) {
    uint32_t *triangles = malloc(3 * (size_t)triangle_count * sizeof *triangles);
    assert_non_null(triangles);
    for (uint32_t i = 0; i < 3 * triangle_count; i++) {
        triangles[i] = i;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 3 * triangle_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    def.is_double = keep_double;
    fr_mesh *mesh = NULL;
    fr_error error = {0};
    if (fr_mesh_create(&def, &mesh, &error) != FR_OK) { fail_msg("%s", error.message); }
    free(triangles);
    return mesh;
}

// Loose triangles: corner 0 anywhere within `reach`, the others near it.
static inline fr_mesh *random_soup(mesh_set set, uint32_t count, double reach, fr_random *random) {
    double *points = malloc(9 * (size_t)count * sizeof *points);
    assert_non_null(points);
    for (uint32_t t = 0; t < count; t++) {
        for (int k = 0; k < 9; k++) {
            double *p = &points[9 * (size_t)t + (size_t)k];
            *p = k < 3 ? fr_random_between(random, -reach, reach)
                       : p[-3] + 0.2 * fr_random_between(random, -reach, reach);
            if (set == MESH_SET_GRID) { *p = (double)fr_random_below(random, 4); }
            if (set == MESH_SET_SEGMENTS && k >= 6) { *p = p[-6]; }
            if (set == MESH_SET_SHEET && k % 3 == 2) { *p = 0.5; }
        }
    }
    fr_mesh *mesh = mesh_of_points(points, count, set == MESH_SET_DOUBLE);
    free(points);
    return mesh;
}

static inline double mesh_set_reach(mesh_set set) {
    return set == MESH_SET_FAR ? 1e30 : set == MESH_SET_TINY ? 1e-30 : 1.0;
}

static inline fr_mesh *make_mesh_of(mesh_set set, uint32_t count, fr_random *random) {
    fr_mesh *mesh = NULL;
    if (set == MESH_SET_SPHERE) {
        assert_int_equal(fr_mesh_create_sphere(1.0, 12, 16, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    } else if (set == MESH_SET_BOX) {
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1.5, 2), NULL, &mesh, NULL), FR_OK);
    } else {
        mesh = random_soup(set, count, mesh_set_reach(set), random);
    }
    return mesh;
}

// Somewhere about the mesh, on whole numbers and halves often enough to meet edges and corners.
static inline fr_vec3 random_place(mesh_set set, fr_random *random) {
    double reach = 1.5 * mesh_set_reach(set), p[3];
    bool whole = (set == MESH_SET_GRID || set == MESH_SET_BOX) && fr_random_below(random, 2) == 0;
    for (int i = 0; i < 3; i++) {
        p[i] = whole ? 0.5 * (double)fr_random_below(random, 9) - (set == MESH_SET_BOX ? 2.0 : 0.5)
                     : fr_random_between(random, -reach, reach);
    }
    return fr_vec3_make(p[0], p[1], p[2]);
}

#endif
