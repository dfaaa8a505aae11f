// A turn about an axis: a cylinder unrolled. Across the image lies the distance from the axis, up the image the height
// along it, and depth is the angle; a turn shifts all depths alike, modulo a whole turn.
//
// Facets are in metres along the axes of the view, z along the axis; pixel (x, y) is at distance left + x pixel from
// the axis and at height bottom + y pixel.
#ifndef FUREAI_RADAR_TURNING_H
#define FUREAI_RADAR_TURNING_H

#include "radar/columns.h"

// The angle from one to another in the direction of the turn, 0 .. 2 pi; a whole turn but for rounding is none.
double fr__angle_between(double from, double to);

// Distances from the axis between which a face lies.
fr__reach fr__facet_distances(const fr__facet *facet);

// The angles, at most two, -pi .. pi, at which the circle of a radius and a height meets a face; how many.
int fr__circle_meets(const fr__facet *facet, double radius, double height, double angles[2]);

// The image just holds the mover's facets; its longer side has as many pixels as are wanted.
void fr__turn_frame(uint32_t resolution, const fr__mover *mover, fr__view *view);

// Whether a facet lies in the ring that the mover sweeps, or within `margin` metres of it.
bool fr__turn_holds(const fr__view *view, const fr__facet *facet, double margin);

#endif
