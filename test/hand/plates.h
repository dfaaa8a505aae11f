// Plates with a round hole, for the tests of pegs.
#ifndef FUREAI_TEST_HAND_PLATES_H
#define FUREAI_TEST_HAND_PLATES_H

#include "fureai/shape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PLATE_MOST 96

// A plate about the origin, `thick` along y, its outline on a square of half the width `half`; the hole along y has
// `sides` facets and corners at `radius`.
static inline fr_mesh *make_plate(double half, double thick, double radius, uint32_t sides) {
    static double positions[4 * PLATE_MOST][3];
    static uint32_t triangles[8 * PLATE_MOST][3];
    assert_true(sides >= 3 && sides <= PLATE_MOST);
    for (uint32_t i = 0; i < sides; i++) {
        double angle = 2.0 * FR_PI * i / sides, x = cos(angle), z = sin(angle), far = half / fmax(fabs(x), fabs(z));
        for (int k = 0; k < 4; k++) {
            double *p = positions[4 * i + (uint32_t)k], r = k < 2 ? radius : far;
            p[0] = r * x;
            p[1] = (k & 1) != 0 ? 0.5 * thick : -0.5 * thick;
            p[2] = r * z;
        }
    }
    // Of each side: hole, outside, top, bottom
    static const uint32_t quads[4][4] = {{0, 1, 5, 4}, {2, 6, 7, 3}, {1, 3, 7, 5}, {0, 4, 6, 2}};
    for (uint32_t i = 0; i < sides; i++) {
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t *q = quads[k / 2];
            uint32_t corners[3] = {q[0], q[k % 2 + 2], q[k % 2 + 1]};
            for (int j = 0; j < 3; j++) {
                triangles[8 * i + k][j] = (4 * i + corners[j]) % (4 * sides);
            }
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &positions[0][0];
    def.vertex_count = 4 * sides;
    def.triangles = &triangles[0][0];
    def.triangle_count = 8 * sides;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    assert_true(fr_mesh_mass(mesh).volume > 0.0);
    return mesh;
}

#endif
