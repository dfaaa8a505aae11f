// The pen of a scene's touch session in a served world: the strings it hangs on, how much each pulls, and the force.
#ifndef FUREAI_TOOL_PEN_LAYER_H
#define FUREAI_TOOL_PEN_LAYER_H

#include "touch_pen.h"

#include "fureai/server.h"

typedef struct pen_layer {
    fr_server *const *server; // where it is drawn; NULL, or NULL there: nowhere
    touch_pen pen;            // its object all zeros: the scene has none
    fr_vec3 home;             // of the device's frame, in the world
    fr_strings strings;
    fr_pull pull;
    double told; // newtons, of the last event
} pen_layer;

// Joins where the scene has a touch session; else nothing is done. The layer must stay where it is until it leaves.
fr_status pen_layer_join(pen_layer *pen, const fr_scene *scene, fr_world *world, fr_server *const *server);

// Takes away what was drawn, after the world is closed. One that never joined may leave, all zeros.
void pen_layer_leave(pen_layer *pen);

#endif
