// Repeating the tables and figures of the sources: what an experiment is, and the rows it gives.
//
// Times of the sources' machines are never compared as times: rows give counts, ratios, and how much faster our fast
// path is than our own faithful method in the same run.
#ifndef FUREAI_EXPERIMENTS_EXPERIMENT_H
#define FUREAI_EXPERIMENTS_EXPERIMENT_H

#include "fureai/base.h"

#include <math.h>

// One line of a table. A number that is not there is NAN.
typedef struct experiment_row {
    char label[96];   // begins with the method and ends with the quantity
    double printed;   // what the source prints
    double measured;  // what came out here
    double error;     // standard error of the mean, where it is one
    double speedup;   // of our fast path over our faithful method
    const char *unit; // "pairs", "%", "times", ...
} experiment_row;

FR_ARRAY_TYPE(experiment_row_array, experiment_row);

// How large the samples are.
typedef enum experiment_size {
    EXPERIMENT_BRIEF, // the smallest that has every row, for tests
    EXPERIMENT_USUAL, // ends within 40 s on two processors
    EXPERIMENT_FULL   // the source's, or larger
} experiment_size;

// One run of an experiment.
typedef struct experiment_run {
    experiment_size size;
    int threads;               // most workers to try
    const fr_control *control; // stop and progress; may be NULL
    const char *objects;       // folder of the classes of objects; NULL: what needs it fails
    const char *algorithms;    // folder of the programs that are plug-ins; NULL: they are left out, or fail
    experiment_row_array rows;
    char sample[256]; // what the figures were taken from
    fr_error *error;  // of the call that failed
} experiment_run;

typedef struct experiment {
    const char *name;   // kitamura-3.5
    const char *source; // where the table or figure is printed
    const char *about;  // one line
    fr_status (*run)(experiment_run *run);
} experiment;

// All of them, by name.
extern const experiment *const experiments[];
extern const size_t experiment_count;

// The one of that name, or NULL.
const experiment *experiment_find(const char *name);

// Draws what an experiment is about.
typedef fr_status experiment_draw_fn(const fr_draw *draw, fr_error *error);

// The picture of an experiment, or NULL where it has none.
experiment_draw_fn *experiment_picture(const experiment *e);

// A run with no rows. `error` must not be NULL.
experiment_run experiment_begin(experiment_size size, int threads, const fr_control *control, fr_error *error);
void experiment_end(experiment_run *run);

// Adds a row with this label and unit and nothing else, to be filled; NULL, with the error set, without memory.
experiment_row *experiment_add(experiment_run *run, const char *unit, const char *format, ...) FR_PRINTF(3, 4);

// Adds a row with what is printed and what came out; false without memory.
bool experiment_put(experiment_run *run, const char *unit, const char *label, double printed, double measured);

// The row whose label is this, or NULL.
const experiment_row *experiment_row_find(const experiment_run *run, const char *label);

// Nanoseconds that the calling thread has had a processor: what others do on the machine is not counted.
uint64_t experiment_cpu_ns(void);

// A mean and its standard error, number by number.
typedef struct sample_mean {
    size_t count;
    double mean, squares; // sum of squared distances from the mean
} sample_mean;

void sample_mean_add(sample_mean *sample, double value);

// NAN below two numbers.
double sample_mean_error(const sample_mean *sample);

// Fills a row that was added by a mean and its error; false where there is none.
bool experiment_put_mean(experiment_row *row, const sample_mean *sample);

#endif
