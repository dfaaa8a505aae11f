// Any bytes as the stream of a compressed buffer view: four bytes name mode, filter, count and stride, the rest is the
// stream. What is accepted fills all of its elements.
#include "model/meshopt.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) { return 0; }
    fr__meshopt_view view = {.mode = (fr__meshopt_mode)(data[0] % 3),
                             .filter = (fr__meshopt_filter)(data[1] % 5),
                             .count = (uint64_t)data[2] + (uint64_t)256 * (data[0] / 3),
                             .stride = data[3] + (uint64_t)(data[3] == 255)};
    if (fr__meshopt_check(&view, size - 4) != NULL) { return 0; }
    // Blocks of exactly their size: a step outside is seen.
    size_t bytes = (size_t)(view.count * view.stride);
    unsigned char *stream = malloc(size - 3), *out = malloc(bytes), *again = malloc(bytes);
    if (stream == NULL || out == NULL || again == NULL) { abort(); }
    memcpy(stream, data + 4, size - 4);
    memset(out, 0x55, bytes);
    memset(again, 0xaa, bytes);
    bool is_valid = fr__meshopt_decode(&view, stream, size - 4, out);
    if (fr__meshopt_decode(&view, stream, size - 4, again) != is_valid) { abort(); }
    if (is_valid && memcmp(out, again, bytes) != 0) { abort(); }
    free(stream);
    free(out);
    free(again);
    return 0;
}
