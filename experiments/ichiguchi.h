// Ichiguchi's tables: the clips of a walk, and how natural the motions of his demonstration are.
#ifndef FUREAI_EXPERIMENTS_ICHIGUCHI_H
#define FUREAI_EXPERIMENTS_ICHIGUCHI_H

#include "experiment.h"

extern const experiment experiment_ichiguchi_table_5_4;
extern const experiment experiment_ichiguchi_table_5_9;

#endif
