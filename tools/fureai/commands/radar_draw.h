// Images of the radar in pictures.
#ifndef FUREAI_TOOL_RADAR_DRAW_H
#define FUREAI_TOOL_RADAR_DRAW_H

#include "fureai/radar.h"

// Draws an image, a pixel a unit, from x = `left` on, with its title above; near is dark, far is light.
void radar_draw_image(const fr_draw *draw, const fr_radar_images *images, const double *image, double left,
                      const char *title);

// Draws who is seen in each pixel, in a colour for each object.
void radar_draw_objects(const fr_draw *draw, const fr_radar_images *images, double left, const char *title);

// The colour that stands for an object.
fr_color radar_draw_color(uint32_t object);

#endif
