// The three functions of the backend.
#ifndef FUREAI_GL_BACKEND_H
#define FUREAI_GL_BACKEND_H

#include "gl/atlas.h"

fr_status fr__gl_draw_masks(fr_radar_mask_drawing *drawings, size_t count, void *user, fr_error *error);
fr_status fr__gl_draw_ranges(fr_radar_range_drawing *drawings, size_t count, void *user, fr_error *error);
fr_status fr__gl_draw_turns(fr_radar_turn_drawing *drawings, size_t count, void *user, fr_error *error);

// Makes one texture what shaders call `before` or `inside`.
void fr__gl_show(int unit, const fr__gl_target *target);

#endif
