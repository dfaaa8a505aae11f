// Any bytes as VRML 1.0 or Inventor: where the first line says something else, that of VRML 1.0 is put before them.
#include "placed_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char line[] = "#VRML V1.0 ascii\n";
    if (size > 0 && data[0] == '#') { return try_placed_bytes(data, size, FR_MODEL_VRML_1); }
    fr_array bytes = fr_array_make(1, NULL);
    push_bytes(line, sizeof line - 1, &bytes);
    if (size > 0) { push_bytes(data, size, &bytes); }
    int result = try_placed_bytes(bytes.data, bytes.count, FR_MODEL_VRML_1);
    fr_array_destroy(&bytes);
    return result;
}
