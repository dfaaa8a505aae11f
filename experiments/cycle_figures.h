// What is measured of a step of two movers, by the faithful method and by the fast path, and how it gets into rows.
#ifndef FUREAI_EXPERIMENTS_CYCLE_FIGURES_H
#define FUREAI_EXPERIMENTS_CYCLE_FIGURES_H

#include "experiment.h"
#include "two_movers.h"

// A cycle of the faithful method: its counts, and the least time of several runs for each step and for all.
typedef struct cycle_figures {
    double overlaps, listed, found, accesses;
    double ms[4], total;
} cycle_figures;

fr_status measure_cycle(experiment_run *run, two_movers *movers, const fr_face_cycle_input *like, int repeats,
                        cycle_figures *out);

// The same step by the fast path: least time and pairs.
typedef struct fast_figures {
    double found, ms;
} fast_figures;

fr_status measure_fast(experiment_run *run, two_movers *movers, fr_narrow narrow, int repeats, fast_figures *out);

// Fill a row that was added; false when there was no memory for it.
bool put(experiment_row *row, double printed, double measured);
bool put_mean(experiment_row *row, double printed, const sample_mean *sample);
bool put_fast(experiment_row *row, double measured, double faithful_ms, double fast_ms);

#endif
