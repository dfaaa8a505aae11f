// Masks: the layers of movers, peeled one after another.
#include "gl/backend.h"

#include <math.h>

void fr__gl_show(int unit, const fr__gl_target *target) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, target->seen);
}

// Queues the first drawings that fit for upload; returns how many, 0 where there is no memory or the first is too
// large.
static size_t put_masks(fr_gl *gl, const fr_radar_mask_drawing *drawings, size_t count, fr__gl_atlas *atlas) {
    uint64_t pixels = 0;
    uint32_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        pixels += (uint64_t)drawings[i].width * drawings[i].height;
        widest = drawings[i].width > widest ? drawings[i].width : widest;
    }
    *atlas = fr__gl_atlas_make(gl, pixels, widest);
    gl->words.count = gl->slot_words.count = gl->slot_list.count = 0;
    for (size_t i = 0; i < count; i++) {
        const fr_radar_mask_drawing *d = &drawings[i];
        fr__gl_slot slot;
        if (!fr__gl_atlas_place(atlas, d->width, d->height, &slot)) { return i; }
        fr__gl_slot_facts facts = {.layers = d->layers, .depth = (float)(d->z_max - d->z_min)};
        if (!fr__gl_put_drawing(gl, &slot, &facts, d->z_min, d->triangles, d->count)) { return 0; }
    }
    return count;
}

// A layer back into the drawings' planes; returns whether there was anything in it.
static bool take_layer(const fr_gl *gl, const uint32_t *pixels, uint32_t wide, uint32_t layer,
                       fr_radar_mask_drawing *drawings, size_t count) {
    const fr__gl_slot *slots = gl->slot_list.data;
    bool is_any = false;
    for (size_t i = 0; i < count; i++) {
        fr_radar_mask_drawing *d = &drawings[i];
        for (uint32_t y = 0; y < d->height; y++) {
            const uint32_t *from = pixels + 4 * ((size_t)(slots[i].y + y) * wide + slots[i].x);
            for (uint32_t x = 0; x < d->width; x++, from += 4) {
                if (from[3] == 0) { continue; }
                is_any = true;
                if (layer >= d->layers) {
                    d->is_overflown = true;
                } else {
                    d->planes[layer][(size_t)y * d->stride + x] = d->z_min + (double)fr__gl_number(from[2]);
                }
            }
        }
    }
    return is_any;
}

// Layer by layer until one is empty; one more than are stored shows that there are more.
static fr_status peel(fr_gl *gl, const fr__gl_atlas *atlas, fr_radar_mask_drawing *drawings, size_t count,
                      fr_error *error) {
    static const uint32_t nothing[4] = {0};
    fr_status status = fr__gl_use(gl, FR__GL_MASK, error);
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr__gl_fit(&gl->layers[i], GL_RGBA32UI, true, atlas->width, atlas->height, error);
    }
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        most = drawings[i].layers > most ? drawings[i].layers : most;
    }
    bool is_any = true;
    for (uint32_t layer = 0; layer <= most && is_any && status == FR_OK; layer++) {
        fr__gl_begin(&gl->layers[layer % 2], atlas->width, atlas->height, nothing, 0.0f);
        fr__gl_show(FR__GL_BEFORE_UNIT, &gl->layers[(layer + 1) % 2]);
        glDepthFunc(GL_GREATER);
        glUniform1i(fr__gl_uniform(gl, FR__GL_MASK, "is_first"), layer == 0);
        fr__gl_draw_faces(gl, FR__GL_MASK, atlas);
        const uint32_t *pixels = fr__gl_read(gl, 0, 0, atlas->width, atlas->height, 4, error);
        status = pixels == NULL ? FR_ERROR_MEMORY : fr__gl_check("draw a mask", error);
        if (status == FR_OK) { is_any = take_layer(gl, pixels, atlas->width, layer, drawings, count); }
    }
    return status;
}

fr_status fr__gl_draw_masks(fr_radar_mask_drawing *drawings, size_t count, void *user, fr_error *error) {
    fr_gl *gl = user;
    fr__gl_guest before;
    fr_status status = fr__gl_enter(gl, &before, error);
    if (status != FR_OK) { return status; }
    for (size_t done = 0; done < count && status == FR_OK;) {
        fr__gl_atlas atlas;
        size_t put = put_masks(gl, drawings + done, count - done, &atlas);
        if (put == 0) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for masks"); }
        if (status == FR_OK) { status = fr__gl_send_faces(gl, error); }
        if (status == FR_OK) { status = peel(gl, &atlas, drawings + done, put, error); }
        done += put;
    }
    fr__gl_leave(gl, &before);
    return status;
}
