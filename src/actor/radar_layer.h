// The volume that a radar looks into, as lines: for every actor that has a radar.
#ifndef FUREAI_ACTOR_RADAR_LAYER_H
#define FUREAI_ACTOR_RADAR_LAYER_H

#include "fureai/base.h"
#include "fureai/math.h"

// A box that is looked into from the middle of its near side.
typedef struct fr__radar_volume {
    fr_vec3 eye;
    fr_vec3 u, v, d; // unit: across, up, and where it looks
    double width, height, depth;
} fr__radar_volume;

// The directions of a volume that looks along `direction`, which is not zero, with v as near to +y as can be.
void fr__radar_volume_turn(fr__radar_volume *volume, fr_vec3 direction);

// Draws its twelve edges.
void fr__radar_volume_draw(const fr__radar_volume *volume, const fr_draw *draw, fr_color color, double line_width);

#endif
