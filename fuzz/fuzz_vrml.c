// Any bytes as VRML97 or classic X3D.
#include "placed_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return try_placed_bytes(data, size, FR_MODEL_VRML); }
