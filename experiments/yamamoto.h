// Yamamoto's tables and figures: how well a sector fits what a swung box sweeps, and what it costs.
#ifndef FUREAI_EXPERIMENTS_YAMAMOTO_H
#define FUREAI_EXPERIMENTS_YAMAMOTO_H

#include "experiment.h"

#include "fureai/sector.h"

extern const experiment experiment_yamamoto_3_8;
extern const experiment experiment_yamamoto_3_9;
extern const experiment experiment_yamamoto_table_3_1;
extern const experiment experiment_yamamoto_table_3_2;
extern const experiment experiment_yamamoto_table_3_3;
extern const experiment experiment_yamamoto_table_3_4;
extern const experiment experiment_yamamoto_table_3_5;
extern const experiment experiment_yamamoto_table_3_6;

// A swing of the source's protocol: pivot at the origin, any axis, a turn of 0 to 360 degrees, the middle 12.5 to 25
// away, sizes of 0 to 25.
fr_swing yamamoto_swing(fr_random *random);

#endif
