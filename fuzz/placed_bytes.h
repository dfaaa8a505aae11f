// Any bytes as a format that places a mesh again and again, with files beside the model made of the same bytes. Limits
// are low, so that what an instance or a primitive costs stays small whatever the bytes ask for.
#ifndef FUREAI_FUZZ_PLACED_BYTES_H
#define FUREAI_FUZZ_PLACED_BYTES_H

#include "model_bytes.h"

typedef struct placed_bytes {
    const uint8_t *data;
    size_t size;
} placed_bytes;

// No name of the path may be "..".
static bool stays_in_folder(const char *path) {
    for (const char *name = path; name != NULL; name = strchr(name, '/')) {
        name += *name == '/';
        if (strncmp(name, "..", 2) == 0 && (name[2] == '/' || name[2] == '\0')) { return false; }
    }
    return path[0] != '\0' && path[0] != '/';
}

// Every file that is asked for is there: the same bytes again, or their second half.
static fr_status load_bytes(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    const placed_bytes *all = context;
    (void)error;
    require(stays_in_folder(path));
    if (strlen(path) % 3 == 0) { return FR_ERROR_FILE; }
    size_t skipped = strlen(path) % 2 == 0 ? all->size / 2 : 0;
    *bytes = all->data + skipped;
    *size = all->size - skipped;
    return FR_OK;
}

static inline int try_placed_bytes(const uint8_t *data, size_t size, fr_model_format format) {
    placed_bytes all = {data, size};
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    options.is_strict = size % 4 == 3;
    options.has_all_choices = size % 3 == 0;
    options.precision = size % 5 == 0 ? FR_MODEL_DOUBLE : FR_MODEL_AS_FILE;
    options.files = (fr_model_files){load_bytes, NULL, &all};
    options.facet_tolerance = size % 8 == 0 ? 0.0 : 0.1;
    options.limits.nodes = 500;
    options.limits.placed_vertices = 5000;
    options.limits.vertices = 5000;
    options.limits.faces = 5000;
    options.limits.corners = 20000;
    options.limits.elements = 20000;
    options.limits.pixels = 10000;
    options.limits.inflated_bytes = 1 << 20;
    return try_model_options(data, size, options, 64 * (uint64_t)size + (UINT64_C(64) << 20));
}

#endif
