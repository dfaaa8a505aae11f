// Sectors as the source has them: Yamamoto's construction from a swung box, which leaves out the box's width, and its
// tests, step by step. The library's own (fureai/sector.h) decide the same queries by distances.
//
// Each test exists as it is printed and as it is meant: docs/sector.md lists what differs. Everything is in the
// sector's frame: x along the bisector, y along the side, z along the axis. Touching counts.
#ifndef FUREAI_SECTOR_FAITHFUL_THESIS_H
#define FUREAI_SECTOR_FAITHFUL_THESIS_H

#include "fureai/sector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fr_thesis_form {
    FR_THESIS_CORRECTED,
    FR_THESIS_PRINTED // with its slips, to show what they cost
} fr_thesis_form;

// The sector of a checked swing whose pivot is not inside the box (eq. 2.1, 2.2): what the box's middle line sweeps.
// With the pivot inside, the part before it.
fr_sector fr_thesis_sector(const fr_swing *swing);

// A point (2.4 .. 2.7), a circle (2.8 .. 2.10), a ball (2.11, 2.12).
bool fr_thesis_point(const fr_sector *sector, fr_vec3 point, fr_thesis_form form);
bool fr_thesis_circle(const fr_sector *sector, fr_vec2 center, double radius, fr_thesis_form form);
bool fr_thesis_sphere(const fr_sector *sector, fr_vec3 center, double radius, fr_thesis_form form);

// A rectangle by its corners in order (2.3), by crossings of its edges with radial edges and circles, then containment.
bool fr_thesis_rectangle(const fr_sector *sector, const fr_vec2 corners[4], fr_thesis_form form);

// A capsule in the plane (2.13 .. 2.20): some t of the segment meets three conditions, or a radial edge is near.
bool fr_thesis_flat_capsule(const fr_sector *sector, const fr_vec2 segment[2], double radius, fr_thesis_form form);

// A capsule in space (2.21 .. 2.31), approximately: by a capsule in the plane around its layers. Nothing is missed in
// the corrected form; some are reported that do not touch.
bool fr_thesis_capsule(const fr_sector *sector, const fr_vec3 segment[2], double radius, fr_thesis_form form);

// Where the segments e f and g h cross (2.32 .. 2.35). False when they are parallel or do not.
bool fr_thesis_crossing(fr_vec2 e, fr_vec2 f, fr_vec2 g, fr_vec2 h, fr_thesis_form form, fr_vec2 *point);

#ifdef __cplusplus
}
#endif

#endif
