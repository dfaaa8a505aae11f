// The closest point of a mesh: what the query prepares once.
#ifndef FUREAI_SHAPE_MESH_CLOSEST_H
#define FUREAI_SHAPE_MESH_CLOSEST_H

#include "math/simd.h"
#include "shape/mesh.h"

typedef struct fr__closest_query {
    const fr_mesh_view *view;
    const fr__leaf_corners *corners; // of the leaves, where they are the mesh's own and of a usual size; else NULL
    fr_vec3 point;
    double limit;

    // For boxes: the point, up and down by e = 2^-40 R and rounded outwards, R being the largest coordinate of mesh and
    // point together; the distance of a triangle is computed within 2^-46 R. Then a power of two that brings R near 1,
    // so that squares neither overflow nor vanish.
    float low[3], high[3];
    float scale;
    double reach; // R

    fr_closest best;
} fr__closest_query;

// Takes a triangle into the query if it is the closest so far, the lowest triangle among equals.
void fr__closest_triangle(fr__closest_query *query, uint32_t triangle);

// The square of a scaled distance as a bound for boxes, rounded up.
static inline float fr__closest_bound(const fr__closest_query *query, double distance) {
    double scaled = distance * (double)query->scale;
    return fr_float_up(scaled * scaled * (1.0 + 0x1p-40));
}

typedef struct fr__closest_kernel_table {
    void (*find)(fr__closest_query *query);
} fr__closest_kernel_table;

FR__KERNEL_TABLE(fr__closest_kernel_table, fr__closest_kernel)

#endif
