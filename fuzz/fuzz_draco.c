// Any bytes as a mesh that Draco compressed: refused, or faces and attributes that can be read, within the bytes that
// were allowed. Streams begin as Draco's do, or nothing of them is read.
#include "model/draco.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 14, DECODED_BYTES = 1 << 20, ATTRIBUTES = 4, FLOAT = 5126 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t head[] = {'D', 'R', 'A', 'C', 'O', 2, 2, 1};
    const fr__draco_codec *codec = fr__draco();
    if (codec == NULL || size > MAX_BYTES) { return 0; }
    uint8_t *bytes = malloc(sizeof head + size);
    require(bytes != NULL);
    memcpy(bytes, head, sizeof head);
    if (size > 0) { memcpy(bytes + sizeof head, data, size); }
    fr__draco_mesh *mesh = NULL;
    fr__draco_size counts;
    if (codec->open(bytes, sizeof head + size, DECODED_BYTES, &mesh, &counts) == FR_OK) {
        require(counts.bytes <= DECODED_BYTES);
        uint32_t *corners = malloc(3 * sizeof *corners * (counts.face_count + (size_t)1));
        char *numbers = malloc(4 * sizeof(float) * (counts.vertex_count + (size_t)1));
        require(corners != NULL && numbers != NULL);
        codec->indices(mesh, corners);
        for (uint32_t id = 0; id < ATTRIBUTES; id++) {
            for (uint32_t width = 1; width <= 4; width++) {
                (void)codec->attribute(mesh, id, FLOAT, width, numbers);
            }
        }
        free(corners);
        free(numbers);
    }
    codec->close(mesh);
    free(bytes);
    return 0;
}
