// What is met: many images in one drawing, and one small image of results.
#include "gl/backend.h"

#include <math.h>

// Masks that the context keeps, and their numbers; then all are dropped and sent again.
#define MOST_MASKS 256
#define MOST_NUMBERS ((size_t)1 << 24)

// What stands for no surface; shaders know it.
#define NO_SURFACE (-1e30f)

#define RESULTS_WIDE 1024u

// ---------------------------------------------------------------------------------------------------------------
// Masks

static bool put_planes(fr_gl *gl, const fr_radar_range_drawing *d, const double *const *planes) {
    float *numbers = fr_float_array_push(&gl->mask_numbers, (size_t)d->width * d->height * d->layers);
    if (numbers == NULL) { return false; }
    for (uint32_t i = 0; i < d->layers; i++) {
        for (uint32_t y = 0; y < d->height; y++) {
            const double *row = planes[i] + (size_t)y * d->stride;
            for (uint32_t x = 0; x < d->width; x++) {
                *numbers++ = row[x] > -INFINITY ? (float)(row[x] - d->z_min) : NO_SURFACE;
            }
        }
    }
    return true;
}

// Where the numbers of a drawing's mask begin, put there if they are not; FR_NONE: no memory.
static uint32_t find_mask(fr_gl *gl, const fr_radar_range_drawing *d) {
    const fr__gl_mask *list = gl->mask_list.data;
    // Who asks for a mask mostly asks for the one before.
    for (size_t i = gl->mask_list.count; i-- > 0;) {
        if (list[i].name == d->mask) { return (uint32_t)list[i].first; }
    }
    size_t first = gl->mask_numbers.count;
    if (!put_planes(gl, d, d->exits)) { return FR_NONE; }
    bool is_put = d->entries == NULL || put_planes(gl, d, d->entries);
    fr__gl_mask *kept = is_put ? fr__gl_mask_array_push(&gl->mask_list, 1) : NULL;
    if (kept == NULL) {
        gl->mask_numbers.count = first;
        return FR_NONE;
    }
    *kept = (fr__gl_mask){d->mask, first};
    return (uint32_t)first;
}

static void forget_masks(fr_gl *gl) { gl->mask_list.count = gl->mask_numbers.count = gl->masks_sent = 0; }

static fr_status send_masks(fr_gl *gl, fr_error *error) {
    if (gl->masks_sent == gl->mask_numbers.count && gl->masks_sent > 0) {
        glActiveTexture(GL_TEXTURE0 + FR__GL_MASKS_UNIT);
        glBindTexture(GL_TEXTURE_BUFFER, gl->masks.texture);
        return FR_OK;
    }
    gl->masks_sent = 0;
    fr_status status = fr__gl_send(gl, &gl->masks, GL_R32F, FR__GL_MASKS_UNIT, gl->mask_numbers.data,
                                   gl->mask_numbers.count * sizeof(float), error);
    if (status == FR_OK) { gl->masks_sent = gl->mask_numbers.count; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

// Floats hold depths to 2^-24 of the volume; a surface that is touched may lie two such steps behind.
static fr__gl_slot_facts facts_of(const fr_radar_range_drawing *d, uint32_t mask_first) {
    return (fr__gl_slot_facts){.mask_first = mask_first,
                               .layers = d->layers,
                               .is_closed = d->entries != NULL,
                               .depth = (float)d->depth,
                               .slack = (float)(d->slack + 0x1p-22 * d->depth)};
}

// Queues the first drawings that fit for upload; returns how many, 0 where there is no memory or the first is too
// large.
static size_t put_ranges(fr_gl *gl, const fr_radar_range_drawing *drawings, size_t count, fr__gl_atlas *atlas) {
    uint64_t pixels = 0;
    uint32_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        pixels += (uint64_t)drawings[i].width * drawings[i].height;
        widest = drawings[i].width > widest ? drawings[i].width : widest;
    }
    *atlas = fr__gl_atlas_make(gl, pixels, widest);
    gl->words.count = gl->slot_words.count = gl->slot_list.count = 0;
    for (size_t i = 0; i < count; i++) {
        const fr_radar_range_drawing *d = &drawings[i];
        fr__gl_slot slot;
        bool is_full = i > 0 && gl->mask_numbers.count > MOST_NUMBERS;
        if (is_full || !fr__gl_atlas_place(atlas, d->width, d->height, &slot)) { return i; }
        uint32_t mask_first = find_mask(gl, d);
        fr__gl_slot_facts facts = facts_of(d, mask_first);
        bool is_put = mask_first != FR_NONE && fr__gl_put_drawing(gl, &slot, &facts, d->z_min, d->triangles, d->count);
        if (!is_put) { return 0; }
    }
    return count;
}

static fr_status draw_sights(fr_gl *gl, const fr__gl_atlas *atlas, bool has_closed, fr_error *error) {
    static const uint32_t none[4] = {0x7f800000u, 0x7f800000u, FR_NONE, FR_NONE}, outside[4] = {0};
    fr_status status = fr__gl_fit(&gl->sights, GL_RGBA32UI, true, atlas->width, atlas->height, error);
    if (status == FR_OK) { status = fr__gl_fit(&gl->inside, GL_R8UI, false, atlas->width, atlas->height, error); }
    if (status == FR_OK) { status = fr__gl_use(gl, FR__GL_RANGE, error); }
    if (status != FR_OK) { return status; }
    fr__gl_begin(&gl->sights, atlas->width, atlas->height, none, 1.0f);
    glDepthFunc(GL_LESS);
    fr__gl_draw_faces(gl, FR__GL_RANGE, atlas);
    if (has_closed) {
        status = fr__gl_use(gl, FR__GL_INSIDE, error);
        if (status != FR_OK) { return status; }
        fr__gl_begin(&gl->inside, atlas->width, atlas->height, outside, 0.0f);
        fr__gl_draw_faces(gl, FR__GL_INSIDE, atlas);
    }
    return fr__gl_check("draw what is met", error);
}

// ---------------------------------------------------------------------------------------------------------------
// Results

static void take_result(fr_radar_range_drawing *d, const uint32_t least[4], const uint32_t where[4]) {
    d->is_inside = where[2] != 0;
    d->free_min = (double)fr__gl_number(least[0]);
    if (!(d->free_min < INFINITY)) { return; }
    d->range_at_min = d->z_min + (double)fr__gl_number(least[1]);
    d->object_at_min = least[2];
    d->triangle_at_min = least[3];
    d->column_at_min = where[0];
    d->row_at_min = where[1];
}

// Draws one pixel for each of `wide` columns and `high` rows by a program that writes results.
static fr_status draw_results(fr_gl *gl, fr__gl_program program, fr__gl_target *target, uint32_t wide, uint32_t high,
                              size_t first, fr_error *error) {
    static const uint32_t nothing[4] = {0};
    fr_status status = fr__gl_fit(target, GL_RGBA32UI, false, wide, high, error);
    if (status == FR_OK) { status = fr__gl_use(gl, program, error); }
    if (status != FR_OK) { return status; }
    fr__gl_begin(target, wide, high, nothing, 0.0f);
    glUniform1i(fr__gl_uniform(gl, program, "first"), (GLint)first);
    return FR_OK;
}

// The results of so many images from `first` on: of each row, then of all rows.
static fr_status find_some(fr_gl *gl, fr_radar_range_drawing *drawings, size_t first, uint32_t count, bool has_closed,
                           fr_error *error) {
    uint32_t high = 1;
    for (size_t i = first; i < first + count; i++) {
        high = drawings[i].height > high ? drawings[i].height : high;
    }
    fr_status status = draw_results(gl, FR__GL_ROWS, &gl->rows, count, high, first, error);
    if (status != FR_OK) { return status; }
    fr__gl_show(FR__GL_BEFORE_UNIT, &gl->sights);
    fr__gl_show(FR__GL_INSIDE_UNIT, &gl->inside);
    glUniform1i(fr__gl_uniform(gl, FR__GL_ROWS, "has_inside"), has_closed);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    status = draw_results(gl, FR__GL_LEAST, &gl->results, count, 2, first, error);
    if (status != FR_OK) { return status; }
    fr__gl_show(FR__GL_ROWS_UNIT, &gl->rows);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const uint32_t *pixels = fr__gl_read(gl, 0, 0, count, 2, 4, error);
    status = pixels == NULL ? FR_ERROR_MEMORY : fr__gl_check("result", error);
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        take_result(&drawings[first + i], pixels + 4 * i, pixels + 4 * (count + i));
    }
    return status;
}

static fr_status find_least(fr_gl *gl, fr_radar_range_drawing *drawings, size_t count, bool has_closed,
                            fr_error *error) {
    fr_status status = FR_OK;
    for (size_t first = 0; first < count && status == FR_OK; first += RESULTS_WIDE) {
        size_t some = count - first < RESULTS_WIDE ? count - first : RESULTS_WIDE;
        status = find_some(gl, drawings, first, (uint32_t)some, has_closed, error);
    }
    return status;
}

// An image back into the drawing's planes.
static fr_status take_planes(fr_gl *gl, const fr__gl_slot *slot, fr_radar_range_drawing *d, fr_error *error) {
    glBindFramebuffer(GL_FRAMEBUFFER, gl->sights.frame);
    const uint32_t *from = fr__gl_read(gl, slot->x, slot->y, slot->width, slot->height, 4, error);
    fr_status status = from == NULL ? FR_ERROR_MEMORY : fr__gl_check("read an image", error);
    for (uint32_t y = 0; y < d->height && status == FR_OK; y++) {
        for (uint32_t x = 0; x < d->width; x++, from += 4) {
            size_t at = (size_t)y * d->stride + x;
            if (from[2] == FR_NONE) { continue; }
            d->free_travel[at] = (double)fr__gl_number(from[0]);
            d->range[at] = d->z_min + (double)fr__gl_number(from[1]);
            d->object[at] = from[2];
            d->triangle[at] = from[3];
        }
    }
    return status;
}

static fr_status draw_some(fr_gl *gl, fr_radar_range_drawing *drawings, size_t count, const fr__gl_atlas *atlas,
                           fr_error *error) {
    bool has_closed = false;
    for (size_t i = 0; i < count; i++) {
        has_closed = has_closed || drawings[i].entries != NULL;
    }
    fr_status status = send_masks(gl, error);
    if (status == FR_OK) { status = fr__gl_send_faces(gl, error); }
    if (status == FR_OK) { status = draw_sights(gl, atlas, has_closed, error); }
    if (status == FR_OK) { status = find_least(gl, drawings, count, has_closed, error); }
    const fr__gl_slot *slots = gl->slot_list.data;
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        if (drawings[i].free_travel != NULL) { status = take_planes(gl, &slots[i], &drawings[i], error); }
    }
    return status;
}

fr_status fr__gl_draw_ranges(fr_radar_range_drawing *drawings, size_t count, void *user, fr_error *error) {
    fr_gl *gl = user;
    fr__gl_guest before;
    fr_status status = fr__gl_enter(gl, &before, error);
    if (status != FR_OK) { return status; }
    for (size_t done = 0; done < count && status == FR_OK;) {
        fr__gl_atlas atlas;
        if (gl->mask_list.count > MOST_MASKS || gl->mask_numbers.count > MOST_NUMBERS) { forget_masks(gl); }
        size_t put = put_ranges(gl, drawings + done, count - done, &atlas);
        if (put == 0) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for images"); }
        if (status == FR_OK) { status = draw_some(gl, drawings + done, put, &atlas, error); }
        done += put;
    }
    fr__gl_leave(gl, &before);
    return status;
}
