// From what is known of a body about an axis to the sector that holds its sweep.
#ifndef FUREAI_SECTOR_ENCLOSE_H
#define FUREAI_SECTOR_ENCLOSE_H

#include "sector/plane.h"

// An axis with two directions across it: a point is (x, y, z) along first, second and axis, from the screw's point.
typedef struct fr__axis_frame {
    fr_vec3 origin, axis, first, second;
} fr__axis_frame;

fr__axis_frame fr__axis_frame_of(const fr_screw *screw);

static inline fr_vec3 fr__axis_local(const fr__axis_frame *frame, fr_vec3 p) {
    fr_vec3 d = fr_vec3_sub(p, frame->origin);
    return fr_vec3_make(fr_vec3_dot(frame->first, d), fr_vec3_dot(frame->second, d), fr_vec3_dot(frame->axis, d));
}

// What a body fills about the axis at the start.
typedef struct fr__sweep_extent {
    double inner, outer; // distances from the axis; inner < 0 when the axis passes through
    double low, high;    // along the axis
    double middle;       // an angle from `first`
    double from, to;     // angles from `middle`, from <= to
    double error;        // how far all lengths may be off
} fr__sweep_extent;

// Points in the world, seen along the axis.
typedef struct fr__shadow {
    const fr__axis_frame *frame;
    const fr_vec3 *points;
    size_t count; // at least 1
} fr__shadow;

// What the hull of the points fills, each point with a disc of radius `across` and a height of `along` to each side.
// The error in `out` is read and stored; angles are given when the axis is farther away than that.
void fr__measure(const fr__shadow *shadow, double across, double along, fr__sweep_extent *out);

// The sector of the sweep. The extent's error is counted in.
void fr__enclose(const fr__axis_frame *frame, const fr__sweep_extent *extent, double angle, double slide,
                 fr_sector *out);

#endif
