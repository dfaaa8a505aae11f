// The OpenGL backend of the command radar.
#include "radar_backend.h"

#include "fureai/gl.h"

// A backend is the context itself.
static fr_gl *context_of(radar_backend *backend) { return (fr_gl *)(void *)backend; }

fr_status radar_backend_open(fr_radar *radar, radar_backend **out, fr_error *error) {
    fr_gl_def def = fr_default_gl_def();
    fr_gl *gl;
    *out = NULL;
    fr_status status = fr_gl_create(&def, &gl, error);
    if (status != FR_OK) { return status; }
    fr_radar_backend table = fr_gl_radar_backend(gl);
    fr_radar_set_backend(radar, &table);
    *out = (radar_backend *)(void *)gl;
    return FR_OK;
}

const char *radar_backend_renderer(const radar_backend *backend) {
    return fr_gl_get_info((const fr_gl *)(const void *)backend).renderer;
}

void radar_backend_close(radar_backend *backend) { fr_gl_destroy(context_of(backend)); }
