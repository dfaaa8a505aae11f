// Buffers, images and programs of a context.
#include "gl/context.h"
#include "gl/shaders.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Programs

static fr_status compile(GLenum kind, const char *text, GLuint *out, fr_error *error) {
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    GLint is_good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
    if (is_good == GL_TRUE) {
        *out = shader;
        return FR_OK;
    }
    char log[160] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glDeleteShader(shader);
    return fr_error_set(error, FR_ERROR_SYSTEM, "the driver does not compile a shader: %s", log);
}

static fr_status link_program(const fr__gl_text *text, GLuint *out, fr_error *error) {
    GLuint shaders[2] = {0, 0};
    GLuint program = glCreateProgram();
    GLenum kinds[2] = {text->compute ? GL_COMPUTE_SHADER : GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    const char *texts[2] = {text->vertex, text->fragment};
    fr_status status = FR_OK;
    for (int i = 0; i < 2 && texts[i] != NULL && status == FR_OK; i++) {
        status = compile(kinds[i], texts[i], &shaders[i], error);
        if (status == FR_OK) { glAttachShader(program, shaders[i]); }
    }
    GLint is_good = GL_FALSE;
    if (status == FR_OK) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &is_good);
    }
    for (int i = 0; i < 2; i++) {
        if (shaders[i] != 0) { glDeleteShader(shaders[i]); }
    }
    if (status == FR_OK && is_good != GL_TRUE) {
        char log[160] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        status = fr_error_set(error, FR_ERROR_SYSTEM, "the driver does not link a program: %s", log);
    }
    if (status != FR_OK) {
        glDeleteProgram(program);
        return status;
    }
    *out = program;
    return FR_OK;
}

fr_status fr__gl_use(fr_gl *gl, fr__gl_program program, fr_error *error) {
    if (gl->programs[program] == 0) {
        fr_status status = link_program(fr__gl_text_of(program), &gl->programs[program], error);
        if (status != FR_OK) { return status; }
        glUseProgram(gl->programs[program]);
        // Units of textures are the same in all programs.
        static const char *const samplers[] = {"faces", "slots", "masks", "before", "inside", "rows"};
        for (int unit = 0; unit < (int)(sizeof samplers / sizeof samplers[0]); unit++) {
            GLint place = glGetUniformLocation(gl->programs[program], samplers[unit]);
            if (place >= 0) { glUniform1i(place, unit); }
        }
    }
    glUseProgram(gl->programs[program]);
    return FR_OK;
}

GLint fr__gl_uniform(const fr_gl *gl, fr__gl_program program, const char *name) {
    return glGetUniformLocation(gl->programs[program], name);
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

fr_status fr__gl_send(fr_gl *gl, fr__gl_row *row, GLenum format, int unit, const void *bytes, size_t count,
                      fr_error *error) {
    size_t texel = format == GL_R32F ? 4 : 16;
    if (count / texel > gl->largest_row) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the driver's rows hold %zu, not %zu", gl->largest_row,
                            count / texel);
    }
    if (row->buffer == 0) {
        glGenBuffers(1, &row->buffer);
        glGenTextures(1, &row->texture);
    }
    glBindBuffer(GL_TEXTURE_BUFFER, row->buffer);
    // A new store each time: the driver need not wait for a drawing that still reads the old one.
    size_t room = row->bytes > count ? row->bytes : count + count / 2 + texel;
    row->bytes = room;
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)room, NULL, GL_STREAM_DRAW);
    if (count > 0) { glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)count, bytes); }
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_BUFFER, row->texture);
    glTexBuffer(GL_TEXTURE_BUFFER, format, row->buffer);
    return fr__gl_check("send what is to be drawn", error);
}

static void free_row(fr__gl_row *row) {
    glDeleteTextures(1, &row->texture);
    glDeleteBuffers(1, &row->buffer);
    *row = (fr__gl_row){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Targets

static void shape_texture(GLuint texture, GLenum format, uint32_t width, uint32_t height) {
    bool is_depth = format == GL_DEPTH_COMPONENT32F, is_byte = format == GL_R8UI;
    GLenum layout = is_depth ? GL_DEPTH_COMPONENT : is_byte ? GL_RED_INTEGER : GL_RGBA_INTEGER;
    GLenum type = is_depth ? GL_FLOAT : is_byte ? GL_UNSIGNED_BYTE : GL_UNSIGNED_INT;
    glActiveTexture(GL_TEXTURE0 + FR__GL_SPARE_UNIT);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, (GLsizei)width, (GLsizei)height, 0, layout, type, NULL);
    glBindTexture(GL_TEXTURE_2D, 0);
}

fr_status fr__gl_fit(fr__gl_target *target, GLenum seen, bool has_depth, uint32_t width, uint32_t height,
                     fr_error *error) {
    if (target->width >= width && target->height >= height) { return FR_OK; }
    uint32_t wide = width > target->width ? width : target->width;
    uint32_t high = height > target->height ? height : target->height;
    if (target->frame == 0) {
        glGenFramebuffers(1, &target->frame);
        glGenTextures(1, &target->seen);
        if (has_depth) { glGenTextures(1, &target->depth); }
    }
    target->width = target->height = 0;
    shape_texture(target->seen, seen, wide, high);
    if (has_depth) { shape_texture(target->depth, GL_DEPTH_COMPONENT32F, wide, high); }
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->seen, 0);
    if (has_depth) { glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0); }
    bool is_whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    fr_status status = fr__gl_check("make an image", error);
    if (status == FR_OK && !is_whole) {
        status = fr_error_set(error, FR_ERROR_SYSTEM, "the driver does not draw into images of numbers");
    }
    if (status != FR_OK) { return status; }
    target->width = wide;
    target->height = high;
    return FR_OK;
}

static void free_target(fr__gl_target *target) {
    glDeleteFramebuffers(1, &target->frame);
    glDeleteTextures(1, &target->seen);
    glDeleteTextures(1, &target->depth);
    *target = (fr__gl_target){0};
}

void fr__gl_begin(const fr__gl_target *target, uint32_t width, uint32_t height, const uint32_t nothing[4],
                  float depth) {
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    glScissor(0, 0, (GLsizei)width, (GLsizei)height);
    glEnable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DITHER);
    glClearBufferuiv(GL_COLOR, 0, nothing);
    if (target->depth == 0) {
        glDisable(GL_DEPTH_TEST);
        return;
    }
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glClearBufferfv(GL_DEPTH, 0, &depth);
}

const uint32_t *fr__gl_read(fr_gl *gl, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t words,
                            fr_error *error) {
    gl->pixels.count = 0;
    uint32_t *pixels = fr_uint32_array_push(&gl->pixels, (size_t)width * height * words);
    if (pixels == NULL) {
        (void)fr_error_set(error, FR_ERROR_MEMORY, "no memory for an image");
        return NULL;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels((GLint)x, (GLint)y, (GLsizei)width, (GLsizei)height, words == 4 ? GL_RGBA_INTEGER : GL_RED_INTEGER,
                 GL_UNSIGNED_INT, pixels);
    return pixels;
}

void fr__gl_free_objects(fr_gl *gl) {
    for (int i = 0; i < FR__GL_PROGRAM_COUNT; i++) {
        if (gl->programs[i] != 0) { glDeleteProgram(gl->programs[i]); }
    }
    free_row(&gl->faces);
    free_row(&gl->slots);
    free_row(&gl->masks);
    free_target(&gl->sights);
    free_target(&gl->layers[0]);
    free_target(&gl->layers[1]);
    free_target(&gl->inside);
    free_target(&gl->rows);
    free_target(&gl->results);
    if (gl->storage[0] != 0) { glDeleteBuffers(4, gl->storage); }
    glDeleteVertexArrays(1, &gl->empty_array);
}
