// The inside of a scene.
#ifndef FUREAI_SCENE_SCENE_H
#define FUREAI_SCENE_SCENE_H

#include "fureai/scene.h"

struct fr_scene {
    fr_scene_view view;
    fr_arena *strings;     // names and paths
    fr_array objects;      // fr_scene_object
    fr_array samples;      // fr_scene_sample, one path after another
    fr_array states;       // fr_scene_state, one object's after another's
    fr_array joints;       // fr_scene_joint
    fr_array boxes;        // fr_plan_box, one object's after another's
    fr_array plans;        // fr_scene_plan
    fr_hands_settings aid; // when the view has it
    fr_scene_touch touch;  // likewise
    fr_array fits;         // fr_scene_fit
    fr_array after;        // uint32_t, one part's predecessors after another's
    fr_allocator allocator;
};

// An empty scene, or NULL when there is no memory.
fr_scene *fr__scene_make(const fr_allocator *allocator);

// A joint of the scene as one among objects; the ids are those of the parent (all zeros: the world) and the child.
fr_joint fr__scene_joint(const fr_scene *scene, uint32_t joint, fr_object_id parent, fr_object_id child);

// The index of the scene's object that an object of a space was made from, by its user pointer; FR_NONE: another's.
uint32_t fr__scene_object_of(const fr_scene *scene, const void *user);

#endif
