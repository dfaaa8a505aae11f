// Octrees of objects, drawn over them.
#ifndef FUREAI_TOOL_OCTREE_LAYER_H
#define FUREAI_TOOL_OCTREE_LAYER_H

#include "fureai/octree.h"
#include "fureai/server.h"

enum { OCTREE_LAYERS_MAX = 16, OCTREE_LAYER_DEPTH_MAX = 7 };

// One object and its octree.
typedef struct octree_layer {
    const char *object; // its name; not ended by a zero
    size_t object_bytes;
    uint32_t depth;
    fr_object_id id;   // in the world it was last looked for in; all zeros: there is none of this name
    uint64_t vertices; // version of the vertices that the octree is drawn of
    bool is_drawn;
} octree_layer;

typedef struct octree_layers {
    fr_server *server; // where they are drawn; NULL: not yet
    octree_layer list[OCTREE_LAYERS_MAX];
    size_t count;
} octree_layers;

// Reads NAME:DEPTH, several with commas between; NULL: none. False when it is not that. The text must live as long.
bool octree_layers_read(const char *text, octree_layers *out);

// Lets the octrees be drawn in a world, and anew when their objects are deformed. They must live as long as the world.
fr_status octree_layers_join(octree_layers *layers, fr_world *world);

#endif
