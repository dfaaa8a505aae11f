// The inside of a scene's plan among cells.
#ifndef FUREAI_SCENE_SCENE_CELLS_H
#define FUREAI_SCENE_SCENE_CELLS_H

#include "scene/scene.h"

FR_ARRAY_TYPE(fr__cell_state_array, fr_plan_state);

struct fr_scene_cells {
    const fr_scene *scene;
    const fr_space *space;
    const fr_object_id *ids; // of the scene's objects
    const fr_scene_plan *plan;
    fr_allocator allocator;
    double edge; // of a cell
    fr_plan_world *world;
    fr_octree_builder *builder;
    fr_octree *tree, *joined;    // of one part, of one object
    fr__scene_box_array boxes;   // of a robot that is a model
    fr_plan_shape shape;         // of the robot
    fr_plan_robot *robot;        // NULL until a search needs it
    fr__cell_state_array states; // scratch of a search
};

// The cells of one plan without a world, for a member of a team; `builder` makes its robot.
fr_status fr__scene_cells_begin(const fr_scene_cells_input *input, fr_octree_builder *builder, fr_scene_cells **out,
                                fr_error *error);

#endif
