// A ray against the triangles of a mesh: what the query prepares once, and the test of one triangle.
//
// The direction is scaled by a power of two so that its largest coordinate is between 1/2 and 1; lengths along the ray
// are in units of that direction until the result is filled.
//
// The test is that of Woop, Benthin and Wald (2013): corners are moved so that the ray starts at 0, and sheared so that
// it is the z axis; the triangle is hit when the origin of the x y plane lies in its image. A corner's image depends on
// the corner and the ray alone, and the three sides are decided by the exact sign on the doubles of the images: so
// neighbours agree on their common edge, the images of a closed surface leave no gap, and no ray leaks through.
#ifndef FUREAI_SHAPE_MESH_RAY_H
#define FUREAI_SHAPE_MESH_RAY_H

#include "math/simd.h"
#include "shape/mesh.h"

typedef struct fr__ray_query {
    const fr_mesh_view *view;
    const fr__leaf_corners *corners; // of the leaves, where they are the mesh's own; else NULL
    double origin[3];
    int kx, ky, kz; // kz: axis of the direction's largest coordinate; the three are right-handed about the direction
    double shear_x, shear_y, shear_z;
    double limit;

    // For boxes. A hit's point lies within e = 2^-40 R of its triangle's box, R being the largest coordinate of mesh
    // and origin together: moving and shearing are off by a few 2^-53 R. So the ray starts at origin + e (rounded up)
    // or origin - e (rounded down), whichever makes the distance to a box shorter at its near side and longer at its
    // far side.
    float start_near[3], start_far[3];
    float inverse[3];
    bool is_down[3]; // the direction is negative: the near side is the maximum

    bool any;
    fr_ray_hit hit; // the best so far; distance in scaled units
} fr__ray_query;

// Returns false when the ray is not valid: not finite, without direction, or with a limit below 0.
bool fr__ray_prepare(const fr_mesh_view *view, const fr_ray *ray, fr__ray_query *out);

// Takes a triangle's hit into the query if it is the nearest so far, the lowest triangle among equals.
void fr__ray_triangle(fr__ray_query *query, uint32_t triangle);

// The same for a triangle with these corners, called by this number.
void fr__ray_corners(fr__ray_query *query, const fr_vec3 corners[3], uint32_t triangle);

typedef struct fr__ray_kernel_table {
    void (*cast)(fr__ray_query *query);
} fr__ray_kernel_table;

FR__KERNEL_TABLE(fr__ray_kernel_table, fr__ray_kernel)

#endif
