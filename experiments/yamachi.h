// Yamachi and Shindo's tables: what balls that look ahead cost, by their number and by the resolution.
#ifndef FUREAI_EXPERIMENTS_YAMACHI_H
#define FUREAI_EXPERIMENTS_YAMACHI_H

#include "experiment.h"

extern const experiment experiment_yamachi_table_1;
extern const experiment experiment_yamachi_table_2;

#endif
