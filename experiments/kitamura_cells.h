// Kitamura 1996, chapter 2: colliding faces by octrees and polyhedra.
#ifndef FUREAI_EXPERIMENTS_KITAMURA_CELLS_H
#define FUREAI_EXPERIMENTS_KITAMURA_CELLS_H

#include "experiment.h"

extern const experiment experiment_kitamura_2_7;  // spheres of table 2.1, by their faces
extern const experiment experiment_kitamura_2_9;  // cells and faces, cycle by cycle
extern const experiment experiment_kitamura_2_11; // by the number of objects
extern const experiment experiment_kitamura_2_13; // by the depth of the octree
extern const experiment experiment_kitamura_2_15; // shuttles

#endif
