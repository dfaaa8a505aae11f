// Opens a context through libfureai-gl, as a foreign program would; where the machine has none it is told so.
#include "fureai/gl.h"

#include <stdio.h>

int main(void) {
    fr_gl_def def = fr_default_gl_def();
    fr_gl *gl;
    fr_error error;
    fr_status status = fr_gl_create(&def, &gl, &error);
    if (status != FR_OK) {
        printf("consumer: %s\n", error.message);
        return status == FR_ERROR_UNSUPPORTED ? 0 : 1;
    }
    printf("consumer: %s draws\n", fr_gl_get_info(gl).renderer);
    fr_gl_destroy(gl);
    return 0;
}
