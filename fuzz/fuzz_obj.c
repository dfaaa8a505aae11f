// Any bytes as OBJ, whose material libraries are the same bytes again.
#include "placed_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    placed_bytes all = {data, size};
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_OBJ;
    options.files = (fr_model_files){load_bytes, NULL, &all};
    return try_model_options(data, size, options, 32 * (uint64_t)size + 65536);
}
