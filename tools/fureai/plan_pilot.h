// The robot of a scene's plan in a served world: it flies its way, there and back, and mends it when somebody puts
// something in it.
#ifndef FUREAI_TOOL_PLAN_PILOT_H
#define FUREAI_TOOL_PLAN_PILOT_H

#include "fureai/plan.h"
#include "fureai/scene.h"
#include "fureai/server.h"

typedef struct plan_pilot {
    fr_server *const *server; // where the way is drawn; NULL, or NULL there: nowhere
    const fr_scene_plan *plan;
    fr_object_id robot;
    fr_vec3 pivot_local;
    double scale;
    fr_part_def *parts; // the robot's; their meshes are held
    uint32_t part_count;
    fr_path way;
    uint32_t at;       // the state behind it
    bool is_back;      // on its way to the start
    double seconds;    // that a way takes
    double speed;      // metres a second, turns counted by the arm
    double arm;        // metres a radian
    uint64_t searches; // so far, for seeds
    bool is_new;       // the way is still to be drawn
    bool is_shown;     // it is drawn where the server is
} plan_pilot;

// Lets the robot of the scene's first plan fly, where there is one; else nothing is done. The pilot must stay where it
// is until it leaves.
fr_status plan_pilot_join(plan_pilot *pilot, const fr_scene *scene, fr_world *world, fr_server *const *server);

// Puts the robot at its start again, with a way still to be found.
fr_status plan_pilot_begin(plan_pilot *pilot, fr_world *world, fr_error *error);

// Frees what the pilot holds, after the world is closed. One that never joined may leave, all zeros.
void plan_pilot_leave(plan_pilot *pilot);

#endif
