// Kitamura 1996, section 6.5: accuracy and efficiency of placing cubes. The source had five subjects; here is one
// operator with five factors of noise. Its times were fitted to the printed gains and are no evidence; what geometry
// alone makes of the errors stands in the experiment of section 6.5.1.
#include "kitamura_hand.h"

#include "hand_study.h"

#include <string.h>

static const char accuracy[] = "Kitamura 1996, section 6.5.1", efficiency[] = "Kitamura 1996, section 6.5.2";

enum { MODES = 3, ONE_SUBJECT = 2 };

// ---------------------------------------------------------------------------------------------------------------
// Table 6.2 and figure 6.16

// A number a seed.
typedef struct gain_means {
    sample_mean distance, angle, seconds;
} gain_means;

typedef struct task_study {
    hand_cell cells[MODES + 1]; // by mode, of all seeds
    gain_means gains[MODES + 1];
} task_study;

// Modes 1, 2 where it is wanted, and 3.
static fr_status study_task(hand_study *s, task_kind kind, bool with_colour, task_study *out) {
    memset(out, 0, sizeof *out);
    for (uint64_t seed = 1; seed <= s->seeds; seed++) {
        hand_cell cells[MODES + 1];
        memset(cells, 0, sizeof cells);
        for (int mode = 1; mode <= MODES; mode++) {
            if (mode == FR_AID_MODE_COLOR && !with_colour) { continue; }
            task_trial trial = hand_trial(kind, (fr_aid_mode)mode);
            fr_status status = hand_study_cell(s, &trial, seed, &cells[mode]);
            if (status != FR_OK) { return status; }
            hand_cell_join(&out->cells[mode], &cells[mode]);
            task_gains gains = hand_gains(&cells[mode], &cells[FR_AID_MODE_NOTHING]);
            sample_mean_add(&out->gains[mode].distance, gains.distance);
            sample_mean_add(&out->gains[mode].angle, gains.angle);
            sample_mean_add(&out->gains[mode].seconds, gains.seconds);
        }
    }
    return FR_OK;
}

// What the source prints of the gains; NAN where it prints nothing.
static const double printed_gains[3][3] = {{35.0, 71.0, 21.0}, {59.0, 99.0, 41.0}, {NAN, NAN, NAN}};

static bool put_printed(experiment_row *row, const sample_mean *sample, double printed) {
    if (!experiment_put_mean(row, sample)) { return false; }
    row->printed = printed;
    return true;
}

static bool put_gains(experiment_run *run, const char *method, const char *name, const gain_means *g,
                      const double printed[3]) {
    return put_printed(experiment_add(run, "%", "%s, %s: distance gain", method, name), &g->distance, printed[0]) &&
           put_printed(experiment_add(run, "%", "%s, %s: angle gain", method, name), &g->angle, printed[1]) &&
           put_printed(experiment_add(run, "%", "%s, %s: time gain", method, name), &g->seconds, printed[2]);
}

static bool put_means(experiment_run *run, const char *task, fr_aid_mode mode, const hand_cell *cell) {
    const char *method = hand_mode_name(mode);
    task_figures f = hand_total(cell);
    return experiment_put_mean(experiment_add(run, "mm", "%s, task %s: distance", method, task), &f.distance) &&
           experiment_put_mean(experiment_add(run, "deg", "%s, task %s: angle", method, task), &f.angle) &&
           experiment_put_mean(experiment_add(run, "s", "%s, task %s: time", method, task), &f.seconds);
}

static bool put_task(experiment_run *run, task_kind kind, const task_study *t) {
    static const double nothing[3] = {NAN, NAN, NAN};
    const char *task = task_name(kind);
    char name[16] = "task ";
    strcat(name, task);
    bool is_put = put_gains(run, "aid", name, &t->gains[FR_AID_MODE_AID], printed_gains[kind]) &&
                  put_gains(run, "colour", name, &t->gains[FR_AID_MODE_COLOR], nothing);
    for (int mode = 1; mode <= MODES && is_put; mode++) {
        is_put = put_means(run, task, (fr_aid_mode)mode, &t->cells[mode]);
    }
    task_figures aid = hand_total(&t->cells[FR_AID_MODE_AID]);
    return is_put && hand_number(experiment_add(run, "times", "aid, task %s: faces that came off in 100 trials", task),
                                 100.0 * aid.releases / aid.trials);
}

static fr_status run_table_6_2(experiment_run *run) {
    hand_study s = hand_study_begin(run, 3 * MODES, TASK_TRIALS);
    for (int kind = TASK_A; kind <= TASK_C; kind++) {
        task_study t;
        fr_status status = study_task(&s, (task_kind)kind, true, &t);
        if (status != FR_OK) { return status; }
        if (!put_task(run, (task_kind)kind, &t)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

// No degree of freedom removed gains nothing; six remove every error, in theory.
static fr_status run_6_16(experiment_run *run) {
    static const char *const freedoms[3] = {"3 degrees removed", "5 degrees removed", "6 degrees removed"};
    static const double theory[3] = {100.0, 100.0, NAN};
    hand_study s = hand_study_begin(run, 3 * 2, TASK_TRIALS);
    for (int kind = TASK_A; kind <= TASK_C; kind++) {
        task_study t;
        fr_status status = study_task(&s, (task_kind)kind, false, &t);
        if (status != FR_OK) { return status; }
        const double *printed = kind == TASK_C ? theory : printed_gains[kind];
        if (!put_gains(run, "aid", freedoms[kind], &t.gains[FR_AID_MODE_AID], printed)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Figures 6.8 to 6.15

static const sample_mean *errors_of(const task_figures *f, bool is_angle) {
    return is_angle ? &f->angle : &f->distance;
}

// How far two groups of trials are apart, in deviations of one.
static double separation(const sample_mean *a, const sample_mean *b) {
    double da = task_deviation(a), db = task_deviation(b);
    return (a->mean - b->mean) / sqrt(0.5 * (da * da + db * db));
}

static fr_status run_one_subject(experiment_run *run, task_kind kind, bool is_angle) {
    hand_study s = hand_study_begin(run, MODES, TASK_TRIALS);
    task_study t;
    fr_status status = study_task(&s, kind, true, &t);
    if (status != FR_OK) { return status; }
    const char *what = is_angle ? "angle" : "distance", *unit = is_angle ? "deg" : "mm";
    const task_figures *of[MODES + 1];
    bool is_put = true;
    for (int mode = 1; mode <= MODES && is_put; mode++) {
        of[mode] = &t.cells[mode].subjects[ONE_SUBJECT];
        const char *method = hand_mode_name((fr_aid_mode)mode);
        is_put =
            experiment_put_mean(experiment_add(run, unit, "%s: %s", method, what), errors_of(of[mode], is_angle)) &&
            hand_number(experiment_add(run, unit, "%s: deviation of %s", method, what),
                        task_deviation(errors_of(of[mode], is_angle))) &&
            experiment_put_mean(experiment_add(run, "s", "%s: time", method), &of[mode]->seconds) &&
            hand_number(experiment_add(run, "s", "%s: deviation of time", method), task_deviation(&of[mode]->seconds));
    }
    if (!is_put) { return FR_ERROR_MEMORY; }
    is_put = hand_number(experiment_add(run, "sd", "aid against without: separation by %s", what),
                         separation(errors_of(of[1], is_angle), errors_of(of[3], is_angle))) &&
             hand_number(experiment_add(run, "sd", "colour against without: separation by %s", what),
                         separation(errors_of(of[1], is_angle), errors_of(of[2], is_angle)));
    return is_put ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status run_subjects(experiment_run *run, task_kind kind, bool is_angle) {
    hand_study s = hand_study_begin(run, MODES, TASK_TRIALS);
    task_study t;
    fr_status status = study_task(&s, kind, true, &t);
    if (status != FR_OK) { return status; }
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        for (int mode = 1; mode <= MODES; mode++) {
            experiment_row *row =
                experiment_add(run, is_angle ? "deg" : "mm", "%s, subject %d%s: %s", hand_mode_name((fr_aid_mode)mode),
                               i + 1, i == 4 ? " (novice)" : "", is_angle ? "angle" : "distance");
            if (!experiment_put_mean(row, errors_of(&t.cells[mode].subjects[i], is_angle))) { return FR_ERROR_MEMORY; }
        }
    }
    return FR_OK;
}

static fr_status run_6_8(experiment_run *run) { return run_one_subject(run, TASK_A, false); }
static fr_status run_6_9(experiment_run *run) { return run_one_subject(run, TASK_B, false); }
static fr_status run_6_10(experiment_run *run) { return run_one_subject(run, TASK_A, true); }
static fr_status run_6_11(experiment_run *run) { return run_one_subject(run, TASK_B, true); }
static fr_status run_6_12(experiment_run *run) { return run_subjects(run, TASK_A, false); }
static fr_status run_6_13(experiment_run *run) { return run_subjects(run, TASK_B, false); }
static fr_status run_6_14(experiment_run *run) { return run_subjects(run, TASK_A, true); }
static fr_status run_6_15(experiment_run *run) { return run_subjects(run, TASK_B, true); }

// ---------------------------------------------------------------------------------------------------------------
// Figure 6.17: times until the mean error of the vertices is below 4, 3 and 2 mm

enum { LIMITS = 3, CELLS = LIMITS * 3 * 2 };

static task_trial cell_trial(int i) {
    task_trial trial = hand_trial((task_kind)(i / 2 % 3), i % 2 == 0 ? FR_AID_MODE_NOTHING : FR_AID_MODE_AID);
    trial.limit = (4 - i / 6) * 1e-3;
    return trial;
}

// Of one subject: 0 is the fastest of the means, 100 the slowest.
static void normalize(const hand_cell cells[CELLS], int subject, double out[CELLS]) {
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < CELLS; i++) {
        least = fmin(least, cells[i].subjects[subject].seconds.mean);
        most = fmax(most, cells[i].subjects[subject].seconds.mean);
    }
    for (int i = 0; i < CELLS; i++) {
        out[i] = 100.0 * (cells[i].subjects[subject].seconds.mean - least) / (most - least);
    }
}

static bool put_cells(experiment_run *run, const hand_cell cells[CELLS]) {
    sample_mean means[CELLS];
    memset(means, 0, sizeof means);
    for (int k = 0; k < TASK_SUBJECTS; k++) {
        double normal[CELLS];
        normalize(cells, k, normal);
        for (int i = 0; i < CELLS; i++) {
            sample_mean_add(&means[i], normal[i]);
        }
    }
    for (int i = 0; i < CELLS; i++) {
        task_trial trial = cell_trial(i);
        const char *method = hand_mode_name(trial.operator_traits.mode), *task = task_name(trial.kind);
        int limit = 4 - i / 6;
        task_figures f = hand_total(&cells[i]);
        bool is_slowest = trial.kind == TASK_C && trial.operator_traits.mode == FR_AID_MODE_NOTHING && limit == 2;
        bool is_put = put_printed(experiment_add(run, "%", "%s, task %s, %d mm: normalized time", method, task, limit),
                                  &means[i], is_slowest ? 100.0 : NAN) &&
                      experiment_put_mean(experiment_add(run, "s", "%s, task %s, %d mm: time", method, task, limit),
                                          &f.seconds) &&
                      hand_number(experiment_add(run, "%", "%s, task %s, %d mm: finished", method, task, limit),
                                  100.0 * f.done / f.trials);
        if (!is_put) { return false; }
    }
    return true;
}

static fr_status run_6_17(experiment_run *run) {
    hand_study s = hand_study_begin(run, CELLS, TASK_TRIALS);
    hand_cell cells[CELLS];
    memset(cells, 0, sizeof cells);
    for (uint64_t seed = 1; seed <= s.seeds; seed++) {
        for (int i = 0; i < CELLS; i++) {
            task_trial trial = cell_trial(i);
            fr_status status = hand_study_cell(&s, &trial, seed, &cells[i]);
            if (status != FR_OK) { return status; }
        }
    }
    return put_cells(run, cells) ? FR_OK : FR_ERROR_MEMORY;
}

const experiment experiment_kitamura_table_6_2 = {
    "kitamura-table-6.2", accuracy, "gains by the aid: distance, angle and time, tasks A, B and C", run_table_6_2};
const experiment experiment_kitamura_6_8 = {"kitamura-6.8", accuracy, "distance and time of one subject, task A",
                                            run_6_8};
const experiment experiment_kitamura_6_9 = {"kitamura-6.9", accuracy, "distance and time of one subject, task B",
                                            run_6_9};
const experiment experiment_kitamura_6_10 = {"kitamura-6.10", accuracy, "angle and time of one subject, task A",
                                             run_6_10};
const experiment experiment_kitamura_6_11 = {"kitamura-6.11", accuracy, "angle and time of one subject, task B",
                                             run_6_11};
const experiment experiment_kitamura_6_12 = {"kitamura-6.12", accuracy, "distance by subject and mode, task A",
                                             run_6_12};
const experiment experiment_kitamura_6_13 = {"kitamura-6.13", accuracy, "distance by subject and mode, task B",
                                             run_6_13};
const experiment experiment_kitamura_6_14 = {"kitamura-6.14", accuracy, "angle by subject and mode, task A", run_6_14};
const experiment experiment_kitamura_6_15 = {"kitamura-6.15", accuracy, "angle by subject and mode, task B", run_6_15};
const experiment experiment_kitamura_6_16 = {"kitamura-6.16", accuracy,
                                             "gains by the degrees of freedom that the aid removes", run_6_16};
const experiment experiment_kitamura_6_17 = {"kitamura-6.17", efficiency,
                                             "times until a mean error of 4, 3 and 2 mm, normalized", run_6_17};
