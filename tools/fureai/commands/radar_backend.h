// Who draws the images of a radar: the tool is built with OpenGL or without.
#ifndef FUREAI_TOOL_RADAR_BACKEND_H
#define FUREAI_TOOL_RADAR_BACKEND_H

#include "tool.h"

#include "fureai/radar.h"

typedef struct radar_backend radar_backend;

// Lets OpenGL draw for a radar, until radar_backend_close. FR_ERROR_UNSUPPORTED: it is not there, or not in this build.
fr_status radar_backend_open(fr_radar *radar, radar_backend **out, fr_error *error);

// What the driver calls itself.
const char *radar_backend_renderer(const radar_backend *backend);

// After the radar is destroyed. NULL is ignored.
void radar_backend_close(radar_backend *backend);

#endif
