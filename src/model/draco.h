// What reads primitives of glTF that Draco compressed (KHR_draco_mesh_compression): a table of functions that an
// adapter fills around the library Draco, where the build has it.
#ifndef FUREAI_MODEL_DRACO_H
#define FUREAI_MODEL_DRACO_H

#include "fureai/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A decoded mesh; the library has its own memory.
typedef struct fr__draco_mesh fr__draco_mesh;

typedef struct fr__draco_size {
    uint32_t vertex_count, face_count;
    uint64_t bytes; // that were decoded
} fr__draco_size;

typedef struct fr__draco_codec {
    // Decodes a mesh into no more than about `max_bytes`. FR_ERROR_CORRUPT, FR_ERROR_LIMIT, FR_ERROR_MEMORY.
    fr_status (*open)(const void *bytes, size_t size, uint64_t max_bytes, fr__draco_mesh **out,
                      fr__draco_size *out_size);
    void (*close)(fr__draco_mesh *mesh); // NULL is ignored
    // The vertices of all triangles: 3 a face.
    void (*indices)(const fr__draco_mesh *mesh, uint32_t *out);
    // An attribute at all vertices without gaps, as glTF's `type` of components, `width` an element. False where there
    // is none with this id and width, or its numbers do not fit the type.
    bool (*attribute)(const fr__draco_mesh *mesh, uint32_t id, uint64_t type, uint32_t width, char *out);
} fr__draco_codec;

// The adapter of this build; NULL for none.
const fr__draco_codec *fr__draco(void);

#ifdef __cplusplus
}
#endif

#endif
