// Any bytes as glTF: GLB or JSON by their first bytes. Others are taken apart at their first zero into JSON and a
// binary part, and become a GLB whose lengths are right, so that what the lengths guard is reached.
#include "placed_bytes.h"

static void push_whole(fr_array *to, size_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    push_bytes(bytes, sizeof bytes, to);
}

static void push_chunk(fr_array *to, const char kind[4], const uint8_t *data, size_t size, const char *padding) {
    push_whole(to, (size + 3) / 4 * 4);
    push_bytes(kind, 4, to);
    push_bytes(data, size, to);
    push_bytes(padding, (4 - size % 4) % 4, to);
}

static int try_parts(const uint8_t *data, size_t size) {
    const uint8_t *zero = memchr(data, 0, size);
    size_t text = zero != NULL ? (size_t)(zero - data) : size, binary = zero != NULL ? size - text - 1 : 0;
    fr_array bytes = fr_array_make(1, NULL);
    push_bytes("glTF", 4, &bytes);
    push_whole(&bytes, 2);
    push_whole(&bytes, 28 + (text + 3) / 4 * 4 + (binary + 3) / 4 * 4);
    push_chunk(&bytes, "JSON", data, text, "   ");
    push_chunk(&bytes, "BIN", binary > 0 ? zero + 1 : data, binary, "\0\0\0");
    int result = try_placed_bytes(bytes.data, bytes.count, FR_MODEL_GLB);
    fr_array_destroy(&bytes);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool is_binary = size >= 4 && memcmp(data, "glTF", 4) == 0;
    if (is_binary || (size > 0 && data[0] == ' ')) {
        return try_placed_bytes(data, size, is_binary ? FR_MODEL_GLB : FR_MODEL_GLTF);
    }
    return try_parts(data, size);
}
