// The private structure of a clip.
#ifndef FUREAI_HUMAN_CLIP_H
#define FUREAI_HUMAN_CLIP_H

#include "fureai/human.h"

#include <stdatomic.h>

struct fr_clip {
    fr_clip_view view;
    fr_vec3 origin;          // place of the first frame
    const float *travels;    // 3 a frame: its place from the origin
    const float *turns;      // 4 a link, link_count a frame
    const uint8_t *contacts; // 2 a frame
    fr_arena *arena;         // all arrays
    atomic_uint references;
    fr_allocator allocator;
};

#endif
