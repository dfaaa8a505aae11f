// Ichiguchi 2000, section 5.3: how fast his system is, and what it shows.
#ifndef FUREAI_EXPERIMENTS_ICHIGUCHI_SYSTEM_H
#define FUREAI_EXPERIMENTS_ICHIGUCHI_SYSTEM_H

#include "experiment.h"

extern const experiment experiment_ichiguchi_table_5_5;
extern const experiment experiment_ichiguchi_table_5_6;
extern const experiment experiment_ichiguchi_table_5_7;
extern const experiment experiment_ichiguchi_table_5_8;

#endif
