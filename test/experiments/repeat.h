// An experiment repeated in brief, and its rows looked at.
#ifndef FUREAI_TEST_EXPERIMENTS_REPEAT_H
#define FUREAI_TEST_EXPERIMENTS_REPEAT_H

#include "experiment.h"
#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static experiment_run run;
static fr_error error;

// Ended by experiment_end(&run).
static inline void repeat(const char *name, int threads) {
    run = experiment_begin(EXPERIMENT_BRIEF, threads, NULL, &error);
#ifdef OBJECT_FOLDER
    run.objects = OBJECT_FOLDER;
    run.algorithms = ALGORITHMS;
#endif
    const experiment *e = experiment_find(name);
    assert_non_null(e);
    if (e->run(&run) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(run.sample[0] != '\0');
    const experiment_row *rows = run.rows.data;
    for (size_t i = 0; i < run.rows.count; i++) {
        assert_ptr_equal(experiment_row_find(&run, rows[i].label), &rows[i]);
    }
}

static inline const experiment_row *row_of(const char *label) {
    const experiment_row *row = experiment_row_find(&run, label);
    if (row == NULL) { fail_msg("no row '%s'", label); }
    return row;
}

static inline double measured(const char *label) { return row_of(label)->measured; }

static inline void is_between(const char *label, double low, double high) {
    double value = measured(label);
    if (!(value >= low && value <= high)) { fail_msg("%s: %g, not in %g .. %g", label, value, low, high); }
}

#endif
