// Stands for the OpenGL backend where it is not built.
#include "radar_backend.h"

fr_status radar_backend_open(fr_radar *radar, radar_backend **out, fr_error *error) {
    (void)radar;
    *out = NULL;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build has no OpenGL");
}

const char *radar_backend_renderer(const radar_backend *backend) {
    (void)backend;
    return "";
}

void radar_backend_close(radar_backend *backend) { (void)backend; }
