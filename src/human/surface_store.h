// What the surfaces of a space are kept as.
#ifndef FUREAI_HUMAN_SURFACE_STORE_H
#define FUREAI_HUMAN_SURFACE_STORE_H

#include "human/surface.h"

#define FR__GAP_SOURCE FR_NONE
#define FR__SURFACES_INPUT_COOKIE 0x53555249u

// A part of an object where it is.
typedef struct fr__placed_part {
    fr_pose pose;
    uint32_t mesh; // FR_NONE: it offers nothing
} fr__placed_part;

// An object as it was at the last update.
typedef struct fr__placed_object {
    fr_versions versions;
    fr_bounds bounds;
    fr_object_id id; // all zeros: none
    uint32_t first_part, part_count;
    uint32_t flags;
    bool is_changed;
} fr__placed_object;

// What was found at one source: a face or a piece of a part, or a gap.
typedef struct fr__result {
    fr_surface surface;
    fr_bounds box;                 // of the source
    uint32_t object, part, source; // source: faces of a mesh first, then its pieces; FR__GAP_SOURCE
    bool is_back;                  // of an open mesh: the other side of the face
    bool is_hidden;                // another one is as good
} fr__result;

FR_ARRAY_TYPE(fr__surface_mesh_array, fr__surface_mesh);
FR_ARRAY_TYPE(fr__placed_part_array, fr__placed_part);
FR_ARRAY_TYPE(fr__placed_object_array, fr__placed_object);
FR_ARRAY_TYPE(fr__result_array, fr__result);

struct fr_surfaces {
    fr_allocator allocator;
    fr__surface_rules rules;
    double ground;
    fr__surface_mesh_array meshes;
    fr__placed_part_array parts;
    fr__placed_object_array objects;
    fr__result_array results; // sorted by source
    fr_uint32_array order;    // of those that are shown
    fr_surfaces_stats stats;
};

// Forgets everything, so that the next update begins from scratch.
void fr__surfaces_clear(fr_surfaces *surfaces);

// Sorts the results by source, hides those that are as good as others, and orders the rest. False: no memory.
bool fr__surfaces_order(fr_surfaces *surfaces);

#endif
