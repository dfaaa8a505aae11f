// Turns: faces seen along circles about an axis.
#include "gl/backend.h"

#include <math.h>

#define TURN_WORDS 24

// A mover has no more layers than this that matter; the loop ends when a layer is empty.
#define MOST_LAYERS 4096

// ---------------------------------------------------------------------------------------------------------------
// Faces

static double distance_of(double x, double y) { return sqrt(x * x + y * y); }

// How near the axis a side comes, seen along it.
static double side_distance(const fr_radar_triangle *f, int a, int b) {
    double ux = f->x[b] - f->x[a], uy = f->y[b] - f->y[a], square = ux * ux + uy * uy;
    double t = square > 0.0 ? -(f->x[a] * ux + f->y[a] * uy) / square : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return distance_of(f->x[a] + t * ux, f->y[a] + t * uy);
}

static bool is_pierced(const fr_radar_triangle *f) {
    double least = INFINITY, greatest = -INFINITY;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        double part = f->x[i] * f->y[k] - f->y[i] * f->x[k];
        least = fmin(least, part);
        greatest = fmax(greatest, part);
    }
    return least >= 0.0 || greatest <= 0.0;
}

// The pixels, ends not included, whose middles may lie between two numbers; one more on each side for rounding.
static bool pixels_between(double low, double high, double pixel, uint32_t count, uint32_t *first, uint32_t *end) {
    double a = fmax(floor(low / pixel - 0.5), 0.0), b = fmin(floor(high / pixel + 0.5) + 1.0, (double)count);
    if (!(a < b)) { return false; }
    *first = (uint32_t)a;
    *end = (uint32_t)b;
    return true;
}

static bool put_box(const fr_radar_turn_drawing *d, const fr_radar_triangle *f, uint32_t words[4]) {
    double near = INFINITY, far = 0.0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        near = fmin(near, side_distance(f, i, (i + 1) % 3));
        far = fmax(far, distance_of(f->x[i], f->y[i]));
        low = fmin(low, f->z[i]);
        high = fmax(high, f->z[i]);
    }
    if (is_pierced(f)) { near = 0.0; }
    return pixels_between(near - d->left, far - d->left, d->pixel, d->width, &words[0], &words[2]) &&
           pixels_between(low - d->bottom, high - d->bottom, d->pixel, d->height, &words[1], &words[3]);
}

// A side's plane through the face's normal: how far inside a point is, in metres.
static void put_side(const double n[3], const double from[3], const double to[3], double bottom, uint32_t words[4]) {
    const double s[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    double e[3] = {n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]};
    double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    double one = length > 0.0 ? 1.0 / length : 0.0;
    for (int i = 0; i < 3; i++) {
        e[i] *= one;
        words[i] = fr__gl_bits((float)e[i]);
    }
    words[3] = fr__gl_bits((float)(e[0] * from[0] + e[1] * from[1] + e[2] * (from[2] - bottom)));
}

static bool put_face(const fr_radar_turn_drawing *d, const fr_radar_triangle *f, uint32_t words[TURN_WORDS]) {
    double t[3][3];
    for (int k = 0; k < 3; k++) {
        t[k][0] = f->x[k];
        t[k][1] = f->y[k];
        t[k][2] = f->z[k];
    }
    const double u[3] = {t[1][0] - t[0][0], t[1][1] - t[0][1], t[1][2] - t[0][2]};
    const double v[3] = {t[2][0] - t[0][0], t[2][1] - t[0][1], t[2][2] - t[0][2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double across = distance_of(n[0], n[1]);
    // A face square to the axis is seen edge-on.
    if (!(across > 0.0) || !put_box(d, f, words)) { return false; }
    double offset = (n[0] * t[0][0] + n[1] * t[0][1] + n[2] * (t[0][2] - d->bottom)) / across;
    words[4] = fr__gl_bits((float)offset);
    words[5] = fr__gl_bits((float)(n[2] / across));
    words[6] = fr__gl_bits((float)(n[0] / across));
    words[7] = fr__gl_bits((float)(n[1] / across));
    words[8] = fr__gl_bits((float)fr_atan2(n[1], n[0]));
    words[9] = f->object;
    words[10] = f->triangle;
    words[11] = 0;
    for (int k = 0; k < 3; k++) {
        put_side(n, t[k], t[(k + 1) % 3], d->bottom, words + 12 + 4 * k);
    }
    return true;
}

// Faces of one side after those that are queued; returns how many, FR_NONE where there is no memory.
static uint32_t put_faces(fr_gl *gl, const fr_radar_turn_drawing *d, const fr_radar_triangle *triangles, size_t count) {
    size_t before = gl->words.count;
    uint32_t kept = 0;
    if (count == 0) { return 0; }
    uint32_t *words = fr_uint32_array_push(&gl->words, count * TURN_WORDS);
    if (words == NULL) { return FR_NONE; }
    for (size_t i = 0; i < count; i++) {
        if (put_face(d, &triangles[i], words + (size_t)kept * TURN_WORDS)) { kept++; }
    }
    gl->words.count = before + (size_t)kept * TURN_WORDS;
    return kept;
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

typedef struct turning {
    fr_gl *gl;
    fr_radar_turn_drawing *drawing;
    uint32_t movers, others; // faces
    GLuint query;
} turning;

static void set_image(const turning *t, fr__gl_program program) {
    const fr_radar_turn_drawing *d = t->drawing;
    double size = d->left + (double)d->width * d->pixel + (double)d->height * d->pixel;
    glUniform2f(fr__gl_uniform(t->gl, program, "scale"), 2.0f / (float)d->width, 2.0f / (float)d->height);
    glUniform3f(fr__gl_uniform(t->gl, program, "image"), (float)d->left, (float)d->pixel, (float)(0x1p-21 * size));
}

// Draws one more layer of the mover; whether there is anything in it.
static bool draw_layer(const turning *t, int layer) {
    static const uint32_t nothing[4] = {0};
    fr_gl *gl = t->gl;
    fr__gl_begin(&gl->layers[layer % 2], t->drawing->width, t->drawing->height, nothing, 0.0f);
    fr__gl_show(FR__GL_BEFORE_UNIT, &gl->layers[(layer + 1) % 2]);
    glDepthFunc(GL_GREATER);
    glUniform1i(fr__gl_uniform(gl, FR__GL_TURN_MASK, "is_first"), layer == 0);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, t->query);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(12 * t->movers));
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    GLuint is_any = 0;
    glGetQueryObjectuiv(t->query, GL_QUERY_RESULT, &is_any);
    return is_any != 0;
}

// The front is the first layer.
static fr_status take_front(const turning *t, fr_error *error) {
    fr_radar_turn_drawing *d = t->drawing;
    const uint32_t *from = fr__gl_read(t->gl, 0, 0, d->width, d->height, 4, error);
    fr_status status = from == NULL ? FR_ERROR_MEMORY : fr__gl_check("draw a mover", error);
    for (uint32_t y = 0; y < d->height && status == FR_OK; y++) {
        for (uint32_t x = 0; x < d->width; x++, from += 4) {
            if (from[3] != 0) { d->front[(size_t)y * d->stride + x] = (double)fr__gl_number(from[2]); }
        }
    }
    return status;
}

static fr_status take_sights(const turning *t, fr_error *error) {
    fr_radar_turn_drawing *d = t->drawing;
    glBindFramebuffer(GL_FRAMEBUFFER, t->gl->sights.frame);
    const uint32_t *from = fr__gl_read(t->gl, 0, 0, d->width, d->height, 4, error);
    fr_status status = from == NULL ? FR_ERROR_MEMORY : fr__gl_check("draw what a turn meets", error);
    for (uint32_t y = 0; y < d->height && status == FR_OK; y++) {
        for (uint32_t x = 0; x < d->width; x++, from += 4) {
            size_t at = (size_t)y * d->stride + x;
            if (from[2] == FR_NONE) { continue; }
            d->free_travel[at] = (double)fr__gl_number(from[0]);
            d->range[at] = (double)fr__gl_number(from[1]);
            d->object[at] = from[2];
            d->triangle[at] = from[3];
        }
    }
    return status;
}

// Layer after layer, and what is met from each.
static fr_status draw_layers(const turning *t, fr_error *error) {
    static const uint32_t none[4] = {0x7f800000u, 0x7f800000u, FR_NONE, FR_NONE};
    fr_gl *gl = t->gl;
    fr_status status = FR_OK;
    fr__gl_begin(&gl->sights, t->drawing->width, t->drawing->height, none, 1.0f);
    for (int layer = 0; layer < MOST_LAYERS && status == FR_OK; layer++) {
        status = fr__gl_use(gl, FR__GL_TURN_MASK, error);
        if (status != FR_OK || !draw_layer(t, layer)) { break; }
        if (layer == 0) { status = take_front(t, error); }
        if (status == FR_OK) { status = fr__gl_use(gl, FR__GL_TURN_RANGE, error); }
        if (status != FR_OK) { break; }
        glBindFramebuffer(GL_FRAMEBUFFER, gl->sights.frame);
        fr__gl_show(FR__GL_BEFORE_UNIT, &gl->layers[layer % 2]);
        glDepthFunc(GL_LESS);
        glDrawArrays(GL_TRIANGLES, (GLint)(12 * t->movers), (GLsizei)(12 * t->others));
    }
    return status == FR_OK ? take_sights(t, error) : status;
}

static fr_status draw_turn(fr_gl *gl, fr_radar_turn_drawing *d, fr_error *error) {
    gl->words.count = 0;
    turning t = {.gl = gl, .drawing = d};
    t.movers = put_faces(gl, d, d->mover, d->mover_count);
    t.others = t.movers != FR_NONE ? put_faces(gl, d, d->others, d->other_count) : FR_NONE;
    if (t.others == FR_NONE) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for faces"); }
    fr_status status = fr__gl_send(gl, &gl->faces, GL_RGBA32UI, FR__GL_FACES_UNIT, gl->words.data,
                                   gl->words.count * sizeof(uint32_t), error);
    if (status == FR_OK) { status = fr__gl_fit(&gl->sights, GL_RGBA32UI, true, d->width, d->height, error); }
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr__gl_fit(&gl->layers[i], GL_RGBA32UI, true, d->width, d->height, error);
    }
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        fr__gl_program program = i == 0 ? FR__GL_TURN_MASK : FR__GL_TURN_RANGE;
        status = fr__gl_use(gl, program, error);
        if (status == FR_OK) { set_image(&t, program); }
    }
    if (status != FR_OK) { return status; }
    glGenQueries(1, &t.query);
    status = draw_layers(&t, error);
    glDeleteQueries(1, &t.query);
    return status;
}

fr_status fr__gl_draw_turns(fr_radar_turn_drawing *drawings, size_t count, void *user, fr_error *error) {
    fr_gl *gl = user;
    fr__gl_guest before;
    fr_status status = fr__gl_enter(gl, &before, error);
    if (status != FR_OK) { return status; }
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        status = draw_turn(gl, &drawings[i], error);
    }
    fr__gl_leave(gl, &before);
    return status;
}

fr_radar_backend fr_gl_radar_backend(fr_gl *gl) {
    return (fr_radar_backend){fr__gl_draw_masks, fr__gl_draw_ranges, fr__gl_draw_turns, gl};
}
