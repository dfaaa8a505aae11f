// glTF and GLB: what is checked and made anew before assimp sees it.
#ifndef FUREAI_MODEL_GLTF_H
#define FUREAI_MODEL_GLTF_H

#include "assimp_scene.h"
#include "json_tokens.h"

// The lists of the document that others point into.
typedef enum fr__gltf_list {
    FR__GLTF_BUFFERS,
    FR__GLTF_VIEWS,
    FR__GLTF_ACCESSORS,
    FR__GLTF_MESHES,
    FR__GLTF_MATERIALS,
    FR__GLTF_TEXTURES,
    FR__GLTF_IMAGES,
    FR__GLTF_NODES,
    FR__GLTF_SCENES,
    FR__GLTF_LIST_COUNT
} fr__gltf_list;

typedef struct fr__gltf_buffer {
    const char *data;
    size_t size;
    void *owned;      // decoded from text
    const void *file; // loaded, to be given back
    size_t owned_bytes;
} fr__gltf_buffer;

typedef struct fr__gltf {
    fr__reader *reader;
    fr__cursor cursor; // in the JSON
    fr__json json;
    fr__span binary;                     // of GLB
    fr_array lists[FR__GLTF_LIST_COUNT]; // uint32_t, tokens
    fr_array buffers;                    // fr__gltf_buffer, loaded when first used
    fr_array text;                       // the JSON that is made, bytes
    fr_array packed;                     // the binary part that is made, bytes
    fr_array packed_views;               // 2 uint64_t, where each accessor that was made lies
    fr_array accessor_text;              // JSON of the accessors that were made
    fr_array mesh_is_there;              // bool, one a mesh: it has something to show
    uint64_t elements;                   // of all that was packed, each time that it was
} fr__gltf;

// Fails at a token.
fr_status fr__gltf_fail(fr__gltf *gltf, uint32_t token, fr_status status, const char *format, ...) FR_PRINTF(4, 5);

static inline uint32_t fr__gltf_item(const fr__gltf *gltf, fr__gltf_list list, uint64_t index) {
    return ((const uint32_t *)gltf->lists[list].data)[index];
}

// An index into a list, which must be there; `what` names it in the message.
fr_status fr__gltf_index(fr__gltf *gltf, uint32_t token, fr__gltf_list list, const char *what, uint64_t *index);

// The bytes of a buffer view.
fr_status fr__gltf_view(fr__gltf *gltf, uint64_t view, fr__span *bytes, uint32_t *stride);

// What an accessor is packed as: floats of 3, 2 and 4, or whole numbers.
typedef enum fr__gltf_kind { FR__GLTF_VEC3, FR__GLTF_VEC2, FR__GLTF_VEC4, FR__GLTF_INDEX } fr__gltf_kind;

// Packs an accessor into the bytes that are made. Its number there, and how many elements it has; elements of indices
// must be below `limit`, and only `most` of them are taken.
fr_status fr__gltf_pack(fr__gltf *gltf, uint32_t token, fr__gltf_kind kind, uint64_t limit, uint32_t *number,
                        uint64_t *count);

// A text of the document, which lives as long as the model; NULL when there is no memory.
const char *fr__gltf_text(fr__gltf *gltf, uint32_t token);

// Elements of an accessor as `width` floats each, into an array of floats.
fr_status fr__gltf_floats(fr__gltf *gltf, uint32_t token, uint32_t width, fr_array *values);

// Counts what is made of accessors. Lists that several primitives share are packed for each, so that it may be more
// than the file has: it is bounded.
fr_status fr__gltf_count(fr__gltf *gltf, uint32_t token, uint64_t count);

// A whole number of an object, or what it is where it is not given.
fr_status fr__gltf_whole(fr__gltf *gltf, uint32_t object, const char *key, uint64_t usual, uint64_t *value);

// Animations into clocks and tracks of the builder. `nodes` has the builder's node for each of the document's, FR_NONE
// for one that is not shown.
fr_status fr__gltf_read_motion(fr__gltf *gltf, const uint32_t *nodes);

// Materials and pictures into the builder.
fr_status fr__gltf_read_looks(fr__gltf *gltf);

// Appends to what is made.
bool fr__gltf_print(fr_array *bytes, const char *format, ...) FR_PRINTF(2, 3);

#endif
