// Any bytes as a gzip file of VRML; bytes that do not begin as one get a head that does.
#include "placed_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    fr_array bytes = fr_array_make(1, NULL);
    if (size < 2 || data[0] != head[0] || data[1] != head[1]) { push_bytes(head, sizeof head, &bytes); }
    push_bytes(data, size, &bytes);
    int result = try_placed_bytes(bytes.data, bytes.count, FR_MODEL_VRML);
    fr_array_destroy(&bytes);
    return result;
}
