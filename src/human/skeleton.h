// The private structure of a skeleton.
#ifndef FUREAI_HUMAN_SKELETON_H
#define FUREAI_HUMAN_SKELETON_H

#include "fureai/human.h"

#include <stdatomic.h>

struct fr_skeleton {
    fr_skeleton_view view;
    const fr_quat *mirrors; // of each link: the constant right factor of its mirrored turn (posture_mirror.c)
    fr_arena *arena;        // all arrays
    atomic_uint references;
    fr_allocator allocator;
};

#endif
