// The triangle of a held part that is nearest to a triangle in the world, by the part's tree and a bound that shrinks.
#ifndef FUREAI_TOUCH_NEAREST_H
#define FUREAI_TOUCH_NEAREST_H

#include "math/simd.h"
#include "shape/mesh.h"
#include "space/part.h"

// A search over the parts of a held model, one after another. The nearest so far bounds it, and so does the direction
// in which that one lies: of two sets the least of one along a direction, less the most of the other, is no more than
// their distance, and about as much where they bulge towards one another.
typedef struct fr__nearest {
    fr_vec3 corners[3]; // of the triangle, in the world
    double distance;    // of the nearest so far, at first how far it may be
    uint32_t index;     // of the nearest, counted over the parts; FR_NONE: none is as near
    fr_vec3 on_held, on_near;

    const fr_mesh *mesh;     // of the held part that is looked through
    fr_pose pose, part_pose; // one after the other they lead into the world
    fr_pose back;            // from there, for bounds alone
    uint32_t first;          // of its triangles, counted over the parts

    // All in the frame of the part
    double slack;          // all that rounding may add to a distance
    double largest;        // of all coordinates
    fr_vec3 own[3];        // corners of the triangle
    float low[3], high[3]; // their box
    fr_vec3 direction;     // unit, or zero: none is known
    double top;            // the most of the corners along it
    float scale;           // a power of two that brings `largest` near 1, so that squares neither overflow nor vanish
} fr__nearest;

// Begins with a triangle and how far the nearest may be.
void fr__nearest_begin(fr__nearest *s, const fr_vec3 corners[3], double limit);

// Looks through a part of the held model, whose triangles are numbered from `first`. Of equals the lowest is found.
// `hint`, a triangle of the part that may be near, is looked at first; FR_NONE: there is none.
void fr__nearest_part(fr__nearest *s, const fr_part_def *part, const fr_pose *pose, uint32_t first, uint32_t hint);

// Takes a triangle of the part into the search if it is the nearest so far.
void fr__nearest_take(fr__nearest *s, uint32_t triangle);

// The square of a scaled distance as a bound for boxes, rounded up.
static inline float fr__nearest_bound(const fr__nearest *s) {
    double scaled = (s->distance * s->back.scale + s->slack) * (double)s->scale;
    return fr_float_up(scaled * scaled * (1.0 + 0x1p-40));
}

typedef struct fr__nearest_kernel_table {
    void (*find)(fr__nearest *s);
} fr__nearest_kernel_table;

FR__KERNEL_TABLE(fr__nearest_kernel_table, fr__nearest_kernel)

#endif
