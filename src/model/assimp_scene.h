// A file read by assimp, from bytes in memory, by one importer alone.
#ifndef FUREAI_MODEL_ASSIMP_SCENE_H
#define FUREAI_MODEL_ASSIMP_SCENE_H

#include "builder.h"

// What the reader knows of the bytes that it made itself: in them nodes are named n0, n1, ... and materials, which are
// the builder's own, m0, m1, ...
typedef struct fr__assimp_names {
    // The name of the node that has a number in the bytes. NULL when there is no memory.
    const char *(*node_name)(uint32_t number, void *context);
    void *context;
    uint32_t node_count;
    uint32_t material_count;
    uint32_t *placed; // the builder's node of each number that it was last seen at; NULL: nobody asks
} fr__assimp_names;

// Reads `size` bytes as a file of this name, whose ending says which importer, and adds its nodes and meshes to the
// builder. Nothing else is opened. What assimp says is turned into an error of ours.
fr_status fr__assimp_read(fr__reader *reader, const char *file_name, const void *bytes, size_t size,
                          const fr__assimp_names *names);

#endif
