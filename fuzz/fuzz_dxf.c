// Any bytes as DXF.
#include "model_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return try_model_bytes(data, size, FR_MODEL_DXF); }
