// The inside of a scene.
#ifndef FUREAI_SCENE_SCENE_H
#define FUREAI_SCENE_SCENE_H

#include "fureai/scene.h"

FR_ARRAY_TYPE(fr__scene_object_array, fr_scene_object);
FR_ARRAY_TYPE(fr__scene_sample_array, fr_scene_sample);
FR_ARRAY_TYPE(fr__scene_state_array, fr_scene_state);
FR_ARRAY_TYPE(fr__scene_joint_array, fr_scene_joint);
FR_ARRAY_TYPE(fr__scene_box_array, fr_plan_box);
FR_ARRAY_TYPE(fr__scene_plan_array, fr_scene_plan);
FR_ARRAY_TYPE(fr__scene_seek_array, fr_scene_seek);
FR_ARRAY_TYPE(fr__scene_person_array, fr_scene_person);
FR_ARRAY_TYPE(fr__scene_task_array, fr_scene_task);
FR_ARRAY_TYPE(fr__scene_fit_array, fr_scene_fit);
FR_ARRAY_TYPE(fr__scene_part_array, fr_part_def);

FR_ARRAY_TYPE(fr__path_obstacle_array, fr_path_obstacle);
FR_ARRAY_TYPE(fr__path_sample_array, fr_path_sample);

struct fr_scene {
    fr_scene_view view;
    fr_arena *strings; // names and paths
    fr__scene_object_array objects;
    fr__scene_sample_array samples; // one path after another
    fr__scene_state_array states;   // one object's after another's
    fr__scene_joint_array joints;
    fr__scene_box_array boxes; // one object's after another's
    fr__scene_plan_array plans;
    fr_hands_settings aid;  // when the view has it
    fr_scene_touch touch;   // likewise
    fr_scene_camera camera; // likewise
    fr_uint32_array framed; // of the camera
    fr__scene_seek_array seeks;
    fr__scene_person_array people;
    fr__scene_task_array tasks; // one person's after another's
    fr__scene_fit_array fits;
    fr_uint32_array after; // one part's predecessors after another's
    fr_allocator allocator;
};

// An empty scene, or NULL when there is no memory.
fr_scene *fr__scene_make(const fr_allocator *allocator);

// A joint of the scene as one among objects; the ids are those of the parent (all zeros: the world) and the child.
fr_joint fr__scene_joint(const fr_scene *scene, uint32_t joint, fr_object_id parent, fr_object_id child);

// The index of the scene's object that an object of a space was made from, by its user pointer; FR_NONE: another's.
uint32_t fr__scene_object_of(const fr_scene *scene, const void *user);

// How the objects of a scene move, as planners take it.
typedef struct fr__scene_motions {
    fr__path_obstacle_array obstacles; // those that are known first; they refer to the samples
    fr__path_sample_array samples;     // one obstacle's after another's
    uint32_t known_count;
} fr__scene_motions;

// Whether the scene moves an object.
bool fr__scene_moves(const fr_scene_object *object);

// The motions of all objects but the robot; `ids` are of the scene's objects. FR_ERROR_LIMIT where an object turns too
// often, FR_ERROR_MEMORY. Free them in any case.
fr_status fr__scene_motions_make(const fr_scene *scene, const fr_object_id *ids, uint32_t robot,
                                 const fr_allocator *allocator, fr__scene_motions *out, fr_error *error);
void fr__scene_motions_free(fr__scene_motions *motions);

// The skeleton of a person, to be released.
fr_status fr__scene_person_skeleton(const fr_scene_person *person, const fr_allocator *allocator, fr_skeleton **out,
                                    fr_error *error);

// Lets a person stand upright where it begins, if `object` is its skin; leaves any other object alone.
fr_status fr__scene_person_place(const fr_scene *scene, uint32_t object, fr_space *space, fr_object_id id,
                                 fr_error *error);

// Adds a player for the people of a scene that have something to do, and for those that stand.
fr_status fr__scene_add_player(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error);

// The input of a search for a plan's robot but for space, parts and obstacles.
void fr__scene_take_plan(const fr_scene *scene, const fr_scene_plan *plan, fr_path_input *out);

#endif
