// Kitamura 1996, chapter 3, colliding faces in real time, and its use in chapter 6.
#ifndef FUREAI_EXPERIMENTS_KITAMURA_H
#define FUREAI_EXPERIMENTS_KITAMURA_H

#include "experiment.h"

extern const experiment experiment_kitamura_3_5;       // time of each cycle, one processor
extern const experiment experiment_kitamura_3_6;       // two tests of a pair
extern const experiment experiment_kitamura_3_7;       // processors, 3968 faces
extern const experiment experiment_kitamura_3_8;       // processors, 960 faces
extern const experiment experiment_kitamura_6_2;       // a head and the shuttle
extern const experiment experiment_kitamura_7_1_1;     // errors of real poses, in pose_errors.c
extern const experiment experiment_kitamura_table_3_1; // shares of the steps

#endif
