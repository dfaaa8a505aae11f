// The tasks of Kitamura 1996, section 6.4, for the simulated operator: cubes put on, beside and among others, and a toy
// snail of five blocks. Lengths are metres; the source's (x, y, z) in millimetres is (x, z, -y) / 1000 here.
#ifndef FUREAI_EXPERIMENTS_TASKS_H
#define FUREAI_EXPERIMENTS_TASKS_H

#include "experiment.h"
#include "operator.h"

typedef enum task_kind {
    TASK_A,    // a cube on a cube: one face, 4 vertices
    TASK_B,    // a cube that touches two: 6 vertices
    TASK_C,    // a cube in a corner of three: 7 vertices
    TASK_SNAIL // five blocks: 14 vertices; the source's shapes are not printed, these have its size
} task_kind;

enum { TASKS = 4, TASK_SUBJECTS = 5, TASK_TRIALS = 10, SNAIL_TRIALS = 8, SNAIL_CORNERS = 14 };

// The subjects of the first two experiments, the last one a novice, and those of the snail, all experienced: factors
// of operator_def.
extern const double task_subjects[TASK_SUBJECTS], snail_subjects[TASK_SUBJECTS];

const char *task_name(task_kind kind); // "A", "B", "C", "snail"
uint32_t task_corners(task_kind kind); // vertices that are scored

// What stands is real and tracked: its poses come with errors and late.
typedef struct task_real {
    bool is_on;
    double position_error; // metres, for each axis
    double rotation_error; // radians
    double delay;          // seconds
} task_real;

// One trial.
typedef struct task_trial {
    task_kind kind;
    operator_def operator_traits;
    double limit;  // metres: the efficiency protocol's; 0: the accuracy protocol
    uint64_t seed; // with task, mode, factor, limit and number it gives the trial's own random numbers
    uint32_t number;
    task_real real;
    operator_event_fn *on_event; // may be NULL
    void *context;
} task_trial;

typedef struct task_outcome {
    double distance;          // sum over the vertices, millimetres
    double angle;             // degrees; of the snail the sum over its blocks
    double seconds;           // first grasp to last release
    uint32_t snaps, releases; // releases that no hand wanted included
    uint32_t missing;         // faces that do not hold at the end, with the aid
    bool is_done;             // every block within patience, or below the limit in time
} task_outcome;

fr_status task_run(const task_trial *trial, task_outcome *out, fr_error *error);

// Means of many trials; a sd is that of single trials.
typedef struct task_figures {
    sample_mean distance, angle, seconds;
    uint32_t trials, done, snaps, releases, missing;
} task_figures;

double task_deviation(const sample_mean *sample);

// Adds one trial.
void task_figures_add(task_figures *figures, const task_outcome *outcome);

// Trials 0 .. count - 1 of one subject, added to `out`. FR_ERROR_STOPPED as control says; progress is the caller's.
fr_status task_repeat(const task_trial *like, uint32_t count, const fr_control *control, task_figures *out,
                      fr_error *error);

// How much smaller a figure is with the aid, percent: (1 - with / without) 100.
double task_gain(double with_aid, double without);

// Gains of a task by one seed: of each subject's means, then the mean over subjects. `mode` over mode 1.
typedef struct task_gains {
    double distance, angle, seconds;
} task_gains;

// As the accuracy protocol has it: `trials` of each mode and subject.
fr_status task_gains_of(const task_trial *like, fr_aid_mode mode, uint32_t trials, const fr_control *control,
                        task_gains *out, fr_error *error);

// The same by nothing but Gaussian errors that are left, without a hand: an error of `place` metres and `turn` radians
// on every axis that the faces leave free. What geometry alone makes of the gains.
task_gains task_gaussian_gains(task_kind kind, double place, double turn, uint32_t draws, uint64_t seed);

#endif
