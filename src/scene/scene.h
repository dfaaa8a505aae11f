// The inside of a scene.
#ifndef FUREAI_SCENE_SCENE_H
#define FUREAI_SCENE_SCENE_H

#include "fureai/scene.h"

struct fr_scene {
    fr_scene_view view;
    fr_arena *strings; // names and paths
    fr_array objects;  // fr_scene_object
    fr_array samples;  // fr_scene_sample, one path after another
    fr_allocator allocator;
};

// An empty scene, or NULL when there is no memory.
fr_scene *fr__scene_make(const fr_allocator *allocator);

#endif
