// A GLB file from its JSON and its binary part, for tests.
#ifndef FUREAI_TEST_GLB_BYTES_H
#define FUREAI_TEST_GLB_BYTES_H

#include "text_model.h"

static inline void put_little(fr_array *to, size_t value) {
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                    (unsigned char)(value >> 24)};
    assert_true(push_bytes(bytes, sizeof bytes, to));
}

static inline void put_chunk(fr_array *to, const char *kind, const void *data, size_t size, const char *padding) {
    put_little(to, (size + 3) / 4 * 4);
    assert_true(push_bytes(kind, 4, to) && push_bytes(data, size, to) && push_bytes(padding, (4 - size % 4) % 4, to));
}

// The caller destroys it.
static inline fr_array glb_bytes(const char *json, const void *binary, size_t size) {
    fr_array bytes = fr_array_make(1, NULL);
    assert_true(push_bytes("glTF", 4, &bytes));
    put_little(&bytes, 2);
    put_little(&bytes, 28 + (strlen(json) + 3) / 4 * 4 + (size + 3) / 4 * 4);
    put_chunk(&bytes, "JSON", json, strlen(json), "   ");
    put_chunk(&bytes, "BIN", binary, size, "\0\0\0");
    return bytes;
}

// Reads such a file; *error says why there is none.
static inline fr_model *read_glb(const char *json, const void *binary, size_t size, fr_status *status,
                                 fr_error *error) {
    fr_array bytes = glb_bytes(json, binary, size);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_GLB;
    fr_model *model = NULL;
    *status = read_bytes(bytes.data, bytes.count, &options, &model, error);
    fr_array_destroy(&bytes);
    return model;
}

#endif
