// Many small images side by side in one drawing: their slots, faces and upload.
#include "gl/atlas.h"

#include <math.h>

// Wider and higher than this an atlas is not made: four words and a depth a pixel are 84 MB then.
#define MOST_SIDE 2048

fr__gl_atlas fr__gl_atlas_make(const fr_gl *gl, uint64_t pixels, uint32_t widest) {
    uint32_t most = gl->largest_image < MOST_SIDE ? (uint32_t)gl->largest_image : MOST_SIDE, width = 32;
    while (width < most && (width < widest || (uint64_t)width * width < pixels + pixels / 4)) {
        width *= 2;
    }
    return (fr__gl_atlas){.width = width < most ? width : most, .most = most};
}

bool fr__gl_atlas_place(fr__gl_atlas *atlas, uint32_t width, uint32_t height, fr__gl_slot *slot) {
    if (atlas->shelf_x + width > atlas->width) {
        atlas->shelf_y += atlas->shelf_height;
        atlas->shelf_x = atlas->shelf_height = 0;
    }
    if (width > atlas->width || atlas->shelf_y + height > atlas->most) { return false; }
    *slot = (fr__gl_slot){atlas->shelf_x, atlas->shelf_y, width, height};
    atlas->shelf_x += width;
    atlas->shelf_height = height > atlas->shelf_height ? height : atlas->shelf_height;
    uint32_t top = atlas->shelf_y + height;
    atlas->height = top > atlas->height ? top : atlas->height;
    return true;
}

static bool put_slot(fr_gl *gl, const fr__gl_slot *slot, const fr__gl_slot_facts *facts) {
    uint32_t *words = fr_uint32_array_push(&gl->slot_words, FR__GL_SLOT_WORDS);
    if (words == NULL) { return false; }
    words[0] = slot->x;
    words[1] = slot->y;
    words[2] = slot->width;
    words[3] = slot->height;
    words[4] = facts->mask_first;
    words[5] = facts->layers | (facts->is_closed ? 256u : 0u);
    words[6] = fr__gl_bits(facts->depth);
    words[7] = fr__gl_bits(facts->slack);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Faces

static double least(const double v[3]) { return fmin(fmin(v[0], v[1]), v[2]); }
static double greatest(const double v[3]) { return fmax(fmax(v[0], v[1]), v[2]); }

// The pixel nearest to the middle of a face: depths are counted from there, so that little is lost to rounding.
static uint32_t middle_pixel(const double v[3], uint32_t count) {
    double low = fmax(least(v), 0.0), high = fmin(greatest(v), (double)count);
    double middle = floor(0.5 * (low + high));
    return (uint32_t)fmin(fmax(middle, 0.0), (double)count - 1.0);
}

// The plane of depths is worked out here, in doubles, and each pixel's depth is taken from it: it does not follow from
// where the driver rounds the corners to.
static bool put_face(uint32_t *words, uint32_t slot_number, const fr__gl_slot *slot, double z_min,
                     const fr_radar_triangle *f) {
    double ux = f->x[1] - f->x[0], uy = f->y[1] - f->y[0], uz = f->z[1] - f->z[0];
    double vx = f->x[2] - f->x[0], vy = f->y[2] - f->y[0], vz = f->z[2] - f->z[0];
    double area = ux * vy - uy * vx;
    double slope_x = (uz * vy - vz * uy) / area, slope_y = (vz * ux - uz * vx) / area;
    if (area == 0.0 || !(fabs(slope_x) < 1e30) || !(fabs(slope_y) < 1e30)) { return false; }
    uint32_t column = middle_pixel(f->x, slot->width), row = middle_pixel(f->y, slot->height);
    double z = f->z[0] + slope_x * (column + 0.5 - f->x[0]) + slope_y * (row + 0.5 - f->y[0]);
    for (int k = 0; k < 3; k++) {
        words[2 * k] = fr__gl_bits((float)f->x[k]);
        words[2 * k + 1] = fr__gl_bits((float)f->y[k]);
    }
    words[6] = fr__gl_bits((float)(z - z_min));
    words[7] = fr__gl_bits((float)slope_x);
    words[8] = fr__gl_bits((float)slope_y);
    words[9] = column;
    words[10] = row;
    words[11] = fr__gl_bits((float)(least(f->z) - z_min));
    words[12] = fr__gl_bits((float)(greatest(f->z) - z_min));
    words[13] = slot_number;
    words[14] = f->object;
    words[15] = f->triangle;
    return true;
}

static bool put_faces(fr_gl *gl, uint32_t slot_number, const fr__gl_slot *slot, double z_min,
                      const fr_radar_triangle *triangles, size_t count) {
    size_t before = gl->words.count;
    if (count == 0) { return true; }
    uint32_t *words = fr_uint32_array_push(&gl->words, count * FR__GL_FACE_WORDS);
    if (words == NULL) { return false; }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (put_face(words + kept * FR__GL_FACE_WORDS, slot_number, slot, z_min, &triangles[i])) { kept++; }
    }
    gl->words.count = before + kept * FR__GL_FACE_WORDS;
    return true;
}

bool fr__gl_put_drawing(fr_gl *gl, const fr__gl_slot *slot, const fr__gl_slot_facts *facts, double z_min,
                        const fr_radar_triangle *triangles, size_t count) {
    uint32_t number = (uint32_t)gl->slot_list.count;
    fr__gl_slot *kept = fr__gl_slot_array_push(&gl->slot_list, 1);
    if (kept == NULL) { return false; }
    *kept = *slot;
    return put_slot(gl, slot, facts) && put_faces(gl, number, slot, z_min, triangles, count);
}

fr_status fr__gl_send_faces(fr_gl *gl, fr_error *error) {
    fr_status status = fr__gl_send(gl, &gl->faces, GL_RGBA32UI, FR__GL_FACES_UNIT, gl->words.data,
                                   gl->words.count * sizeof(uint32_t), error);
    if (status != FR_OK) { return status; }
    return fr__gl_send(gl, &gl->slots, GL_RGBA32UI, FR__GL_SLOTS_UNIT, gl->slot_words.data,
                       gl->slot_words.count * sizeof(uint32_t), error);
}

void fr__gl_draw_faces(const fr_gl *gl, fr__gl_program program, const fr__gl_atlas *atlas) {
    for (GLenum i = 0; i < 4; i++) {
        glEnable(GL_CLIP_DISTANCE0 + i);
    }
    glUniform2f(fr__gl_uniform(gl, program, "scale"), 2.0f / (float)atlas->width, 2.0f / (float)atlas->height);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(3 * (gl->words.count / FR__GL_FACE_WORDS)));
    for (GLenum i = 0; i < 4; i++) {
        glDisable(GL_CLIP_DISTANCE0 + i);
    }
}
