// A context of OpenGL and everything that lives in it.
#ifndef FUREAI_GL_CONTEXT_H
#define FUREAI_GL_CONTEXT_H

#include "fureai/gl.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define FR__GL_COOKIE UINT32_C(0x676c6431)

// Units of textures.
enum {
    FR__GL_FACES_UNIT,
    FR__GL_SLOTS_UNIT,
    FR__GL_MASKS_UNIT,
    FR__GL_BEFORE_UNIT,
    FR__GL_INSIDE_UNIT,
    FR__GL_ROWS_UNIT,
    FR__GL_SPARE_UNIT
};

// Programs, built when first needed.
typedef enum fr__gl_program {
    FR__GL_MASK,
    FR__GL_RANGE,
    FR__GL_INSIDE,
    FR__GL_ROWS,
    FR__GL_LEAST,
    FR__GL_TURN_MASK,
    FR__GL_TURN_RANGE,
    FR__GL_SPHERES,
    FR__GL_PROGRAM_COUNT
} fr__gl_program;

// A buffer that shaders read as a row of texels.
typedef struct fr__gl_row {
    GLuint buffer, texture;
    GLenum format;
    size_t bytes; // it has room for
} fr__gl_row;

// Images of one size that are drawn into.
typedef struct fr__gl_target {
    GLuint frame;
    GLuint seen, depth; // textures: four words a pixel; depth 0 where there is none
    uint32_t width, height;
} fr__gl_target;

// A mask that the context has.
typedef struct fr__gl_mask {
    uint64_t name;
    size_t first; // of the numbers
} fr__gl_mask;

// An image's place in an atlas.
typedef struct fr__gl_slot {
    uint32_t x, y, width, height;
} fr__gl_slot;

FR_ARRAY_TYPE(fr__gl_slot_array, fr__gl_slot);
FR_ARRAY_TYPE(fr__gl_mask_array, fr__gl_mask);

struct fr_gl {
    fr_allocator allocator;
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; // EGL_NO_SURFACE where none is needed
    fr_gl_info info;
    size_t largest_row, largest_image, largest_storage;

    GLuint programs[FR__GL_PROGRAM_COUNT];
    GLuint empty_array; // vertices are made from their numbers
    fr__gl_row faces, slots, masks;
    fr__gl_target sights, layers[2], inside, rows, results;
    GLuint storage[4]; // of compute shaders: balls, sectors, bits, counts

    fr_uint32_array words;      // faces to be uploaded
    fr_uint32_array slot_words; // slots to be uploaded
    fr__gl_slot_array slot_list;
    fr__gl_mask_array mask_list;
    fr_float_array mask_numbers; // all masks that the context has
    size_t masks_sent;           // of these numbers
    fr_uint32_array pixels;      // images read back
};

// The context that was current before.
typedef struct fr__gl_guest {
    EGLDisplay display;
    EGLContext context;
    EGLSurface draw, read;
    EGLenum interface; // of OpenGL that the thread is bound to
} fr__gl_guest;

fr_status fr__gl_enter(fr_gl *gl, fr__gl_guest *before, fr_error *error);
void fr__gl_leave(fr_gl *gl, const fr__gl_guest *before);

// What OpenGL has to say since the last time.
fr_status fr__gl_check(const char *what, fr_error *error);

// Makes the program current; builds it where it is not built.
fr_status fr__gl_use(fr_gl *gl, fr__gl_program program, fr_error *error);

GLint fr__gl_uniform(const fr_gl *gl, fr__gl_program program, const char *name);

// Copies bytes into a row and binds it to a unit of textures. FR_ERROR_LIMIT: it is too long for the driver.
fr_status fr__gl_send(fr_gl *gl, fr__gl_row *row, GLenum format, int unit, const void *bytes, size_t count,
                      fr_error *error);

// Makes the target at least so large.
fr_status fr__gl_fit(fr__gl_target *target, GLenum seen, bool has_depth, uint32_t width, uint32_t height,
                     fr_error *error);

// Draws into the lower left part of a target, which is cleared: to the words of `nothing` and to a depth.
void fr__gl_begin(const fr__gl_target *target, uint32_t width, uint32_t height, const uint32_t nothing[4], float depth);

// Reads words of a part of the target that is bound; NULL: no memory.
const uint32_t *fr__gl_read(fr_gl *gl, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t words,
                            fr_error *error);

// Gives back everything of the context's: the context is current.
void fr__gl_free_objects(fr_gl *gl);

static inline uint32_t fr__gl_bits(float number) {
    union {
        float number;
        uint32_t bits;
    } both = {number};
    return both.bits;
}

static inline float fr__gl_number(uint32_t bits) {
    union {
        uint32_t bits;
        float number;
    } both = {bits};
    return both.number;
}

#endif
