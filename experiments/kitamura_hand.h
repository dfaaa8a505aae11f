// Kitamura 1996, chapter 6: placing by hand with the aid, by a simulated operator in place of subjects.
#ifndef FUREAI_EXPERIMENTS_KITAMURA_HAND_H
#define FUREAI_EXPERIMENTS_KITAMURA_HAND_H

#include "experiment.h"

extern const experiment experiment_kitamura_6_8;       // distance, task A, one subject
extern const experiment experiment_kitamura_6_9;       // distance, task B
extern const experiment experiment_kitamura_6_10;      // angle, task A
extern const experiment experiment_kitamura_6_11;      // angle, task B
extern const experiment experiment_kitamura_6_12;      // distance, task A, by subject
extern const experiment experiment_kitamura_6_13;      // distance, task B
extern const experiment experiment_kitamura_6_14;      // angle, task A
extern const experiment experiment_kitamura_6_15;      // angle, task B
extern const experiment experiment_kitamura_6_16;      // gains by degrees of freedom
extern const experiment experiment_kitamura_6_17;      // times until 4, 3 and 2 mm
extern const experiment experiment_kitamura_6_18;      // the snail: distance and time
extern const experiment experiment_kitamura_6_19;      // the snail: time until 3 mm, by subject
extern const experiment experiment_kitamura_6_20;      // the snail: time above that of real blocks
extern const experiment experiment_kitamura_6_5_1;     // gains by the aid's numbers, frame rate and delay
extern const experiment experiment_kitamura_7_1_3;     // sound, and real things among virtual ones
extern const experiment experiment_kitamura_table_6_2; // gains of tasks A and B

#endif
