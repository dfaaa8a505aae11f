// Many sectors against many balls, by a compute shader.
#include "gl/context.h"

#include <math.h>
#include <string.h>

#define BALLS_A_GROUP (64 * 32)

// Groups of one call; more are run in several.
#define MOST_GROUPS 32768

// As the shader has it.
typedef struct one_sector {
    float center[4], bisector[4], side[4], axis[4], sizes[4], angle[4];
} one_sector;

static void put_vector(float out[4], fr_vec3 v) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
    out[3] = 0.0f;
}

// The slack of fr_sector_spheres twice over: a driver may compute a root and a dot product less exactly.
static one_sector float_sector(const fr_sector *s) {
    one_sector f;
    put_vector(f.center, s->center);
    put_vector(f.bisector, s->bisector);
    put_vector(f.side, s->side);
    put_vector(f.axis, s->axis);
    double size = 2.0 * (s->outer + s->half_thickness) + fr_vec3_length(s->center);
    f.center[3] = (float)(4e-6 * size);
    f.sizes[0] = (float)s->inner;
    f.sizes[1] = (float)s->outer;
    f.sizes[2] = (float)s->half_thickness;
    f.sizes[3] =
        (float)((1.0 + 1e-5) * sqrt(s->outer * s->outer + s->half_thickness * s->half_thickness) + 4e-6 * size);
    f.angle[0] = (float)s->cosine;
    f.angle[1] = (float)s->sine;
    f.angle[2] = 1.0f + 8e-6f;
    f.angle[3] = 0.0f;
    // A sector of nearly a full turn must not lose its sine to rounding, nor to drivers that have no smaller numbers.
    if (f.angle[0] < 0.0f && f.angle[1] <= 1e-20f) { f.angle[1] = 1e-20f; }
    return f;
}

static fr_status send_sectors(fr_gl *gl, const fr_sector *sectors, size_t count, fr_error *error) {
    gl->words.count = 0;
    size_t words = sizeof(one_sector) / sizeof(uint32_t);
    uint32_t *place = fr_uint32_array_push(&gl->words, count * words);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for sectors"); }
    for (size_t i = 0; i < count; i++) {
        one_sector f = float_sector(&sectors[i]);
        memcpy(place + i * words, &f, sizeof f);
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, gl->storage[1]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(count * sizeof(one_sector)), place, GL_STREAM_DRAW);
    return FR_OK;
}

static void send_balls(fr_gl *gl, const fr_spheres *spheres) {
    const float *lanes[4] = {spheres->x, spheres->y, spheres->z, spheres->radius};
    size_t bytes = spheres->count * sizeof(float);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, gl->storage[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(4 * bytes), NULL, GL_STREAM_DRAW);
    for (size_t i = 0; i < 4; i++) {
        if (lanes[i] != NULL) {
            glBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)(i * bytes), (GLsizeiptr)bytes, lanes[i]);
        } else {
            glClearBufferSubData(GL_SHADER_STORAGE_BUFFER, GL_R32F, (GLintptr)(i * bytes), (GLsizeiptr)bytes, GL_RED,
                                 GL_FLOAT, NULL);
        }
    }
}

static void make_room(GLuint binding, GLuint buffer, size_t bytes) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
}

static void set_number(const fr_gl *gl, const char *name, size_t number) {
    glUniform1ui(fr__gl_uniform(gl, FR__GL_SPHERES, name), (GLuint)number);
}

static void run(const fr_gl *gl, size_t sector_count, size_t ball_count, size_t words, bool has_bits) {
    size_t groups = (ball_count + BALLS_A_GROUP - 1) / BALLS_A_GROUP;
    set_number(gl, "count", ball_count);
    set_number(gl, "words", words);
    set_number(gl, "has_bits", has_bits);
    for (size_t first = 0; first < groups; first += MOST_GROUPS) {
        size_t some = groups - first < MOST_GROUPS ? groups - first : MOST_GROUPS;
        set_number(gl, "first_word", first * 64);
        glDispatchCompute((GLuint)some, (GLuint)sector_count, 1);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
}

// Words are in the machine's order; bytes of bits in the balls'.
static void copy_bits(const uint32_t *from, size_t bytes, uint8_t *to) {
    for (size_t i = 0; i < bytes; i++) {
        to[i] = (uint8_t)(from[i / 4] >> (8 * (i % 4)));
    }
}

static fr_status take_bits(fr_gl *gl, size_t sector_count, size_t words, size_t bytes, uint8_t *bits, fr_error *error) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, gl->storage[2]);
    const uint32_t *from = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0,
                                            (GLsizeiptr)(sector_count * words * sizeof(uint32_t)), GL_MAP_READ_BIT);
    if (from == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for bits"); }
    for (size_t k = 0; k < sector_count; k++) {
        copy_bits(from + k * words, bytes, bits + k * bytes);
    }
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return FR_OK;
}

static fr_status take_hits(fr_gl *gl, size_t sector_count, size_t *hits, fr_error *error) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, gl->storage[3]);
    const uint32_t *from =
        glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(sector_count * sizeof(uint32_t)), GL_MAP_READ_BIT);
    if (from == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for counts"); }
    for (size_t k = 0; k < sector_count; k++) {
        hits[k] = from[k];
    }
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return FR_OK;
}

// Some sectors, whose bits fit into one buffer.
static fr_status ask(fr_gl *gl, const fr_sector *sectors, size_t sector_count, const fr_spheres *spheres, uint8_t *bits,
                     size_t *hits, fr_error *error) {
    size_t words = (spheres->count + 31) / 32;
    fr_status status = send_sectors(gl, sectors, sector_count, error);
    if (status != FR_OK) { return status; }
    make_room(2, gl->storage[2], (bits != NULL ? sector_count * words : 1) * sizeof(uint32_t));
    make_room(3, gl->storage[3], sector_count * sizeof(uint32_t));
    run(gl, sector_count, spheres->count, words, bits != NULL);
    status = fr__gl_check("test balls", error);
    if (status == FR_OK && bits != NULL) {
        status = take_bits(gl, sector_count, words, (spheres->count + 7) / 8, bits, error);
    }
    if (status == FR_OK && hits != NULL) { status = take_hits(gl, sector_count, hits, error); }
    return status;
}

static fr_status ask_all(fr_gl *gl, const fr_sector *sectors, size_t sector_count, const fr_spheres *spheres,
                         uint8_t *bits, size_t *hits, fr_error *error) {
    fr_status status = fr__gl_use(gl, FR__GL_SPHERES, error);
    if (status != FR_OK) { return status; }
    if (gl->storage[0] == 0) { glGenBuffers(4, gl->storage); }
    size_t words = (spheres->count + 31) / 32, bytes = (spheres->count + 7) / 8;
    size_t most = gl->largest_storage / (words * sizeof(uint32_t));
    most = most < MOST_GROUPS ? most : MOST_GROUPS;
    send_balls(gl, spheres);
    status = fr__gl_check("send balls", error);
    for (size_t k = 0; k < sector_count && status == FR_OK; k += most) {
        size_t some = sector_count - k < most ? sector_count - k : most;
        status = ask(gl, sectors + k, some, spheres, bits != NULL ? bits + k * bytes : NULL,
                     hits != NULL ? hits + k : NULL, error);
    }
    return status;
}

fr_status fr_gl_sector_spheres(fr_gl *gl, const fr_sector *sectors, size_t sector_count, const fr_spheres *spheres,
                               uint8_t *bits, size_t *hits, fr_error *error) {
    FR_ASSERT(gl != NULL && spheres != NULL);
    if (!gl->info.has_compute) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "OpenGL %d.%d has no compute shaders", gl->info.major,
                            gl->info.minor);
    }
    for (size_t k = 0; k < sector_count && hits != NULL; k++) {
        hits[k] = 0;
    }
    if (sector_count == 0 || spheres->count == 0) { return FR_OK; }
    if (spheres->count > gl->largest_storage / (4 * sizeof(float)) || spheres->count > UINT32_MAX / 4) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the driver's buffers hold %zu balls, not %zu",
                            gl->largest_storage / (4 * sizeof(float)), spheres->count);
    }
    fr__gl_guest before;
    fr_status status = fr__gl_enter(gl, &before, error);
    if (status != FR_OK) { return status; }
    status = ask_all(gl, sectors, sector_count, spheres, bits, hits, error);
    fr__gl_leave(gl, &before);
    return status;
}
