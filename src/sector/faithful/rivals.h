// What the source measures sectors against: boxes around a swung box before and after ("speculative" detection, S-CCD),
// a swept sphere, and the tests between simple shapes of its tables of speed.
#ifndef FUREAI_SECTOR_FAITHFUL_RIVALS_H
#define FUREAI_SECTOR_FAITHFUL_RIVALS_H

#include "fureai/sector.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the upright box of S-CCD is taken to be. The source's figures follow from none of them.
typedef enum fr_sccd_reading {
    FR_SCCD_ENDS,   // around the box at the start and at the end: the definition in the text
    FR_SCCD_TIGHT,  // around the whole sweep: the least that misses nothing
    FR_SCCD_DOUBLED // about the middle at the start, as far to each side as FR_SCCD_ENDS is wide: a guess
} fr_sccd_reading;

// The box of a checked swing at t = 0 .. 1.
fr_oriented_box fr_swing_box_at(const fr_swing *swing, double t);

// The upright box of a swing, from its corners (16 of them for FR_SCCD_ENDS).
fr_bounds fr_sccd_bounds(const fr_swing *swing, fr_sccd_reading reading);

// The same for FR_SCCD_ENDS from the boxes' axes, cheaper.
fr_bounds fr_sccd_bounds_by_axes(const fr_swing *swing);

// A swept sphere: the ball around the box, along the straight line from where it begins to where it ends. Turning is
// not seen by it.
typedef struct fr_swept_sphere {
    fr_vec3 segment[2];
    double radius;
} fr_swept_sphere;

fr_swept_sphere fr_swept_sphere_of(const fr_swing *swing);

// Tests between simple shapes, in the plane and in space.
bool fr_rival_circles(fr_vec2 a, double radius_a, fr_vec2 b, double radius_b);
bool fr_rival_spheres(fr_vec3 a, double radius_a, fr_vec3 b, double radius_b);
bool fr_rival_box_sphere(const fr_bounds *box, fr_vec3 center, double radius);
bool fr_rival_flat_boxes(const fr_bounds *a, const fr_bounds *b);
bool fr_rival_flat_capsules(const fr_vec2 a[2], double radius_a, const fr_vec2 b[2], double radius_b);
bool fr_rival_capsules(const fr_vec3 a[2], double radius_a, const fr_vec3 b[2], double radius_b);

// Two rectangles by their corners in order, by the four directions of their sides (SAT).
bool fr_rival_rectangles(const fr_vec2 a[4], const fr_vec2 b[4]);

#ifdef __cplusplus
}
#endif

#endif
