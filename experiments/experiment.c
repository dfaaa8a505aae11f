// The rows of an experiment: printed and measured values with their units.
#include "experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const experiment *experiment_find(const char *name) {
    for (size_t i = 0; i < experiment_count; i++) {
        if (strcmp(experiments[i]->name, name) == 0) { return experiments[i]; }
    }
    return NULL;
}

experiment_run experiment_begin(experiment_size size, int threads, const fr_control *control, fr_error *error) {
    experiment_run run = {.size = size, .threads = threads, .control = control, .error = error};
    run.rows = experiment_row_array_make(NULL);
    return run;
}

void experiment_end(experiment_run *run) { experiment_row_array_destroy(&run->rows); }

experiment_row *experiment_add(experiment_run *run, const char *unit, const char *format, ...) {
    experiment_row *row = experiment_row_array_push(&run->rows, 1);
    if (row == NULL) {
        fr_error_set(run->error, FR_ERROR_MEMORY, "no memory for a row");
        return NULL;
    }
    *row = (experiment_row){.printed = NAN, .measured = NAN, .error = NAN, .speedup = NAN, .unit = unit};
    va_list words;
    va_start(words, format);
    vsnprintf(row->label, sizeof row->label, format, words);
    va_end(words);
    return row;
}

bool experiment_put(experiment_run *run, const char *unit, const char *label, double printed, double measured) {
    experiment_row *row = experiment_add(run, unit, "%s", label);
    if (row == NULL) { return false; }
    row->printed = printed;
    row->measured = measured;
    return true;
}

bool experiment_put_mean(experiment_row *row, const sample_mean *sample) {
    if (row == NULL) { return false; }
    row->measured = sample->mean;
    row->error = sample_mean_error(sample);
    return true;
}

const experiment_row *experiment_row_find(const experiment_run *run, const char *label) {
    const experiment_row *rows = run->rows.data;
    for (size_t i = 0; i < run->rows.count; i++) {
        if (strcmp(rows[i].label, label) == 0) { return &rows[i]; }
    }
    return NULL;
}

uint64_t experiment_cpu_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) { return fr_clock_ns(); }
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sample_mean_add(sample_mean *sample, double value) {
    sample->count++;
    double step = value - sample->mean;
    sample->mean += step / (double)sample->count;
    sample->squares += step * (value - sample->mean);
}

double sample_mean_error(const sample_mean *sample) {
    if (sample->count < 2) { return NAN; }
    double n = (double)sample->count;
    return sqrt(sample->squares / (n - 1.0) / n);
}
