// Kitamura 1996, chapter 5: octrees updated under motion.
#ifndef FUREAI_EXPERIMENTS_KITAMURA_MOTION_H
#define FUREAI_EXPERIMENTS_KITAMURA_MOTION_H

#include "experiment.h"

extern const experiment experiment_kitamura_5_4;       // compaction, and covers that overlap
extern const experiment experiment_kitamura_5_12;      // tests of one update
extern const experiment experiment_kitamura_5_13;      // translation only
extern const experiment experiment_kitamura_table_5_1; // times of one update

#endif
