// What turning objects are about to sweep, drawn over the world.
#ifndef FUREAI_TOOL_SWEEP_LAYER_H
#define FUREAI_TOOL_SWEEP_LAYER_H

#include "fureai/server.h"

typedef struct sweep_layer {
    fr_server *server; // where it is drawn; NULL: not yet
    double ahead;      // seconds; 0: nothing is drawn
} sweep_layer;

// Lets the layer be drawn anew in every tick of a world. It must live as long as the world.
fr_status sweep_layer_join(sweep_layer *layer, fr_world *world);

#endif
