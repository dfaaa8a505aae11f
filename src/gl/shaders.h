// The text of the programs.
#ifndef FUREAI_GL_SHADERS_H
#define FUREAI_GL_SHADERS_H

#include "gl/context.h"

typedef struct fr__gl_text {
    const char *vertex;   // or the whole of a compute shader
    const char *fragment; // NULL of a compute shader
    bool compute;
} fr__gl_text;

const fr__gl_text *fr__gl_text_of(fr__gl_program program);

#endif
