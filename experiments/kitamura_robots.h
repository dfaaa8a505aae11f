// The robots of Kitamura's chapter 4 as cells, and how their nodes change when they are turned.
#ifndef FUREAI_EXPERIMENTS_KITAMURA_ROBOTS_H
#define FUREAI_EXPERIMENTS_KITAMURA_ROBOTS_H

#include "experiment.h"
#include "plan/faithful/node_field.h"

typedef struct cell_robot {
    fr_node_box_array boxes; // the black nodes
    fr_vec3 pivot;
} cell_robot;

// The shuttle of 74 black nodes, and a chair of 115 single cells. Destroy the boxes, after an error too.
fr_status make_shuttle(cell_robot *out, fr_error *error);
fr_status make_chair(cell_robot *out, fr_error *error);

static inline fr_plan_shape shape_of(const cell_robot *r) {
    return (fr_plan_shape){r->boxes.data, (uint32_t)r->boxes.count, r->pivot};
}

// Rows with the black nodes and cells of a robot at each turn, as it stands in the middle of a world of 32 cells: in
// the plane 12 turns by 30 degrees, in space none and by 30, 60 and 90 degrees about each axis. `printed` is the
// source's number of nodes before turning, or NAN.
fr_status add_turned(experiment_run *run, const fr_plan_shape *shape, int dimension, double printed);

// All of them side by side.
fr_status draw_turned(const fr_plan_shape *shape, int dimension, const fr_draw *draw, fr_error *error);

#endif
