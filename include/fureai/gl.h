// Fureai gl: images of radars and batches of sectors drawn by OpenGL, without a window. Its own library, libfureai-gl;
// it needs EGL and OpenGL 3.3 at run time, of a graphics card or of Mesa's software driver.
//
// A context belongs to one thread: the one that creates it uses it and destroys it. While a call runs, the context is
// current there; a context of the caller's that was current before is current again afterwards.
#ifndef FUREAI_GL_H
#define FUREAI_GL_H

#include "radar.h"
#include "sector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_gl fr_gl;

typedef struct fr_gl_def {
    fr_allocator allocator; // default: the process's
    int device;             // of those that EGL lists, from 0; default -1: the first that serves
    uint32_t cookie;        // set by fr_default_gl_def
} fr_gl_def;

FR_API fr_gl_def fr_default_gl_def(void);

// Opens a context. FR_ERROR_UNSUPPORTED, with what is missing as the message: no EGL or OpenGL on this machine, none
// that draws without a window, or an OpenGL older than 3.3.
FR_API fr_status fr_gl_create(const fr_gl_def *def, fr_gl **out, fr_error *error);

// NULL is ignored. No radar may use its backend any more.
FR_API void fr_gl_destroy(fr_gl *gl);

typedef struct fr_gl_info {
    const char *renderer; // as the driver calls itself, until the context is destroyed
    const char *version;  // of OpenGL and the driver
    int major, minor;     // of OpenGL
    bool is_software;     // the processor draws
    bool has_compute;     // OpenGL 4.3: fr_gl_sector_spheres is there
} fr_gl_info;

FR_API fr_gl_info fr_gl_get_info(const fr_gl *gl);

// A backend for fr_radar_set_backend; it may serve several radars of the context's thread.
//
// Its images agree with those that a radar draws by itself but for two things. Depths are floats: with straight motion
// travel they and the distances between them are within 2 q, q = 2^-23 of the depth of the volume (the mover's and the
// travel together); an angle of a turn is within 1e-5 rad, and within 2e-3 rad where a circle just grazes a face. And
// whether a pixel's line meets a face is decided on coordinates rounded to 1/256 pixel, so that a pixel at the rim of a
// face may be another's. What lies deeper than the volume is not seen. Columns (FR_RADAR_CONSERVATIVE and above) and
// `is_as_printed` are still drawn by the radar.
//
// Turns are drawn by circles in each pixel, exact but for rounding, so faces are not cut up before; a turn has as many
// layers as its mover needs.
FR_API fr_radar_backend fr_gl_radar_backend(fr_gl *gl);

// Which balls meet each of many sectors, by a compute shader: ball i of sector k is bit i % 8 of
// bits[k * ((count + 7) / 8) + i / 8], the last bits of a sector 0; hits[k] is how many. Either may be NULL.
// Conservative as fr_sector_spheres: each radius is grown by 4e-6 times the size (outer radius, thickness, distances of
// the center from the origin and of the ball from the center), so none is missed and none farther away than twice that
// is reported. A ball with a NaN may be reported or not. FR_ERROR_UNSUPPORTED where the context has no compute shaders;
// FR_ERROR_LIMIT where the balls do not fit into a buffer of the driver's.
FR_API fr_status fr_gl_sector_spheres(fr_gl *gl, const fr_sector *sectors, size_t sector_count,
                                      const fr_spheres *spheres, uint8_t *bits, size_t *hits, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
