// Trials of the simulated operator by task, mode and subject, and what the tables make of them.
#ifndef FUREAI_EXPERIMENTS_HAND_STUDY_H
#define FUREAI_EXPERIMENTS_HAND_STUDY_H

#include "tasks.h"

// One task in one mode: the figures of each subject.
typedef struct hand_cell {
    task_figures subjects[TASK_SUBJECTS];
} hand_cell;

typedef struct hand_study {
    experiment_run *run;
    uint32_t seeds, trials; // trials of each subject by one seed
    double done, all;       // cells, for the progress
} hand_study;

// A study of so many cells a seed: 1 seed and few trials when it is brief, else the source's trials and several seeds.
// Says so in the run's sample, with what the operator is.
hand_study hand_study_begin(experiment_run *run, uint32_t cells, uint32_t trials);

// The trials of all subjects of a task by one seed, added to `out`. FR_ERROR_STOPPED as the run's control says.
fr_status hand_study_cell(hand_study *study, const task_trial *like, uint64_t seed, hand_cell *out);

// A trial of a task in a mode with nothing else special.
task_trial hand_trial(task_kind kind, fr_aid_mode mode);

// Gains of `with` over `without`: of each subject's means, then the mean over subjects.
task_gains hand_gains(const hand_cell *with, const hand_cell *without);

// Adds the figures of b to those of a, subject by subject.
void hand_cell_join(hand_cell *a, const hand_cell *b);

// All subjects together.
task_figures hand_total(const hand_cell *cell);

// "without", "colour", "aid", "aid and sound", "aid, colour and sound", "sound".
const char *hand_mode_name(fr_aid_mode mode);

// Fills a row that was added; false where there is none.
bool hand_number(experiment_row *row, double measured);

#endif
