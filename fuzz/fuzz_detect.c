// Any bytes as a model file whose format nobody names: what the bytes and a name say it is, it is read as.
#include "placed_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {NULL, "a", "a.obj", "a.stl.gz", "a.ply", "a.wrl", "a.dxf", "a.gltf", "b.off"};
    const char *name = names[size % (sizeof names / sizeof names[0])];
    fr_model_format format = fr_model_format_detect(data, size, name);
    require(format < FR_MODEL_FORMAT_COUNT);
    return try_placed_bytes(data, size, format);
}
