// Kitamura 1996, chapter 4: path planning with octrees and a potential field.
#ifndef FUREAI_EXPERIMENTS_KITAMURA_PLAN_H
#define FUREAI_EXPERIMENTS_KITAMURA_PLAN_H

#include "experiment.h"

extern const experiment experiment_kitamura_4_3;  // the field of the worlds of 4.4
extern const experiment experiment_kitamura_4_4;  // in the plane, obstacles that stand
extern const experiment experiment_kitamura_4_5;  // the robot of 4.6, turned
extern const experiment experiment_kitamura_4_6;  // in the plane, an obstacle that moves
extern const experiment experiment_kitamura_4_7;  // the shuttle, turned
extern const experiment experiment_kitamura_4_8;  // in space, 981 nodes
extern const experiment experiment_kitamura_4_9;  // 2689 nodes
extern const experiment experiment_kitamura_4_10; // 303 nodes, a chair
extern const experiment experiment_kitamura_4_11; // 1777 nodes
extern const experiment experiment_kitamura_4_12; // times by nodes and depth

// The field of a slit; the path through it, and that of the shuttle among 981 nodes, with the leaves that were
// explored; the robots of 4.5 and 4.7 at several turns.
experiment_draw_fn draw_kitamura_4_3;
experiment_draw_fn draw_kitamura_4_4;
experiment_draw_fn draw_kitamura_4_5;
experiment_draw_fn draw_kitamura_4_7;
experiment_draw_fn draw_kitamura_4_8;

#endif
