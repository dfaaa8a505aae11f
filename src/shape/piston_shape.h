// The parts of an engine's piston, in metres.
#ifndef FUREAI_SHAPE_PISTON_SHAPE_H
#define FUREAI_SHAPE_PISTON_SHAPE_H

#include "fureai/shape.h"

// Crown up, pin along x, its axis through the origin: 80 mm across, 70 mm high, with a gap of 24 mm for the rod.
fr_status fr__piston_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// A tube along x, 20 mm across; its hole has 20.2 mm.
fr_status fr__piston_pin_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// The rod, with the pin's hole about the origin and the upper half of its big end about 0, -120 mm, 0.
fr_status fr__piston_rod_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// The lower half of the big end, its upper plane through the origin.
fr_status fr__piston_cap_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// A hexagon bolt, down from the origin under its head, 8 mm across; its holes have 8.3 mm.
fr_status fr__piston_bolt_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error);

#endif
