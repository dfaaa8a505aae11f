// Meshes compressed by the library Draco, for tests.
#ifndef FUREAI_TEST_DRACO_ENCODE_H
#define FUREAI_TEST_DRACO_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_input {
    const float *positions, *normals; // 3 a vertex; normals may be NULL
    const unsigned char *colors;      // 4 a vertex, 255 for 1; may be NULL
    const uint32_t *indices;          // 3 a face
    uint32_t vertex_count, face_count;
    int is_edgebreaker; // otherwise one after another
    int bits;           // of positions and normals; 0: floats as they are
} draco_input;

// The bytes of the stream, at most `capacity` of them in `out`; 0 where it failed. Positions, normals and colours have
// the ids 0, 1 and 2, without gaps.
size_t draco_encode(const draco_input *input, unsigned char *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
