// The private structure of a skeleton.
#ifndef FUREAI_HUMAN_SKELETON_H
#define FUREAI_HUMAN_SKELETON_H

#include "human/limit.h"

#include <stdatomic.h>

// Links on a path from the root that are not the child with the most links below it: a child with fewer has at most
// half of its parent's, so that there are at most log2(FR_MAX_LINKS) of them.
#define FR__MAX_SLOTS 9u

// One link in the order in which several bodies are computed side by side. A slot holds the pose of a link while its
// children need it: the child with the most links below it comes last and takes its parent's, so that few are enough.
typedef struct fr__link_step {
    uint16_t link;
    uint8_t parent_slot, slot;
} fr__link_step;

struct fr_skeleton {
    fr_skeleton_view view;
    const fr__link_step *steps;     // of all links but the root
    const fr_quat *mirrors;         // of each link: the constant right factor of its mirrored turn (posture_mirror.c)
    const fr__limit_bounds *bounds; // of each link's limit
    fr_arena *arena;                // all arrays
    atomic_uint references;
    fr_allocator allocator;
};

#endif
