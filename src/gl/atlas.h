// Many small images side by side in one, and the faces that are drawn into them.
#ifndef FUREAI_GL_ATLAS_H
#define FUREAI_GL_ATLAS_H

#include "gl/context.h"

// Images stand on shelves, from left to right, one shelf above another.
typedef struct fr__gl_atlas {
    uint32_t width, most; // of the whole; how high it may become
    uint32_t height;      // that is used
    uint32_t shelf_x, shelf_y, shelf_height;
} fr__gl_atlas;

// An atlas for so many pixels, with images up to so wide.
fr__gl_atlas fr__gl_atlas_make(const fr_gl *gl, uint64_t pixels, uint32_t widest);

// False: the atlas is full, or the image is larger than it can be.
bool fr__gl_atlas_place(fr__gl_atlas *atlas, uint32_t width, uint32_t height, fr__gl_slot *slot);

// What shaders know of a slot, eight words.
typedef struct fr__gl_slot_facts {
    uint32_t mask_first; // where its mask's numbers begin
    uint32_t layers;
    bool is_closed;
    float depth, slack;
} fr__gl_slot_facts;

// Queues the next slot and its faces for upload, except those that are seen edge-on. Depths are counted from `z_min`.
// False: no memory.
bool fr__gl_put_drawing(fr_gl *gl, const fr__gl_slot *slot, const fr__gl_slot_facts *facts, double z_min,
                        const fr_radar_triangle *triangles, size_t count);

#define FR__GL_FACE_WORDS 16
#define FR__GL_SLOT_WORDS 8

// Sends faces and slots. The part of the atlas that is used is what is drawn into.
fr_status fr__gl_send_faces(fr_gl *gl, fr_error *error);

// Draws all faces that were sent by the program that is current.
void fr__gl_draw_faces(const fr_gl *gl, fr__gl_program program, const fr__gl_atlas *atlas);

#endif
