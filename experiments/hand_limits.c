// How far the gains of the aid depend on its numbers, on frame rate and on delay (Kitamura 1996, section 6.5.1 gives
// one set of them), beside what geometry alone would give; and what his sections 6.7 and 7.1.3 name as the next steps:
// sound, and real things among virtual ones.
#include "hand_study.h"
#include "kitamura_hand.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Sensitivity

typedef struct setting {
    const char *name;
    double hold, overlap, weights[2], rate, delay, vernier;
} setting;

#define USUAL_K 0.5
#define USUAL_OVERLAP 0.05

static const setting settings[] = {
    {"as printed", USUAL_K, USUAL_OVERLAP, {3, 1}, 30, 0, 0.8},
    {"k 0.02", 0.02, USUAL_OVERLAP, {3, 1}, 30, 0, 0.8},
    {"k 0.25", 0.25, USUAL_OVERLAP, {3, 1}, 30, 0, 0.8},
    {"k 0.75", 0.75, USUAL_OVERLAP, {3, 1}, 30, 0, 0.8},
    {"k 1", 1.0, USUAL_OVERLAP, {3, 1}, 30, 0, 0.8},
    {"overlap 0.01", USUAL_K, 0.01, {3, 1}, 30, 0, 0.8},
    {"overlap 0.2", USUAL_K, 0.2, {3, 1}, 30, 0, 0.8},
    {"overlap 0.4", USUAL_K, 0.4, {3, 1}, 30, 0, 0.8},
    {"overlap 0.8", USUAL_K, 0.8, {3, 1}, 30, 0, 0.8},
    {"overlap 0.9", USUAL_K, 0.9, {3, 1}, 30, 0, 0.8},
    {"C_r:C_v 1:0", USUAL_K, USUAL_OVERLAP, {1, 0}, 30, 0, 0.8},
    {"C_r:C_v 1:1", USUAL_K, USUAL_OVERLAP, {1, 1}, 30, 0, 0.8},
    {"C_r:C_v 1:3", USUAL_K, USUAL_OVERLAP, {1, 3}, 30, 0, 0.8},
    {"C_r:C_v 0:1", USUAL_K, USUAL_OVERLAP, {0, 1}, 30, 0, 0.8},
    {"15 frames/s", USUAL_K, USUAL_OVERLAP, {3, 1}, 15, 0, 0.8},
    {"60 frames/s", USUAL_K, USUAL_OVERLAP, {3, 1}, 60, 0, 0.8},
    {"delay 33 ms", USUAL_K, USUAL_OVERLAP, {3, 1}, 30, 1.0 / 30.0, 0.8},
    {"delay 100 ms", USUAL_K, USUAL_OVERLAP, {3, 1}, 30, 0.1, 0.8},
    {"delay 200 ms", USUAL_K, USUAL_OVERLAP, {3, 1}, 30, 0.2, 0.8},
    {"vernier 1", USUAL_K, USUAL_OVERLAP, {3, 1}, 30, 0, 1.0},
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

static task_trial setting_trial(const setting *s, task_kind kind, fr_aid_mode mode) {
    task_trial trial = hand_trial(kind, mode);
    operator_def *o = &trial.operator_traits;
    o->aid.hold = s->hold;
    o->aid.overlap_threshold = s->overlap;
    o->aid.weight_normals = s->weights[0];
    o->aid.weight_approach = s->weights[1];
    o->rate = s->rate;
    o->delay = s->delay;
    o->vernier = s->vernier;
    return trial;
}

typedef struct gain_means {
    sample_mean distance, angle, seconds;
} gain_means;

static void add_gains(gain_means *means, const hand_cell *with, const hand_cell *without) {
    task_gains gains = hand_gains(with, without);
    sample_mean_add(&means->distance, gains.distance);
    sample_mean_add(&means->angle, gains.angle);
    sample_mean_add(&means->seconds, gains.seconds);
}

static bool put_gains(experiment_run *run, const char *method, const char *task, const gain_means *means) {
    return experiment_put_mean(experiment_add(run, "%", "%s, task %s: distance gain", method, task),
                               &means->distance) &&
           experiment_put_mean(experiment_add(run, "%", "%s, task %s: angle gain", method, task), &means->angle) &&
           experiment_put_mean(experiment_add(run, "%", "%s, task %s: time gain", method, task), &means->seconds);
}

static fr_status run_setting(hand_study *study, const setting *s, task_kind kind) {
    gain_means means;
    memset(&means, 0, sizeof means);
    uint32_t releases = 0, trials = 0;
    for (uint64_t seed = 1; seed <= study->seeds; seed++) {
        hand_cell cells[2];
        memset(cells, 0, sizeof cells);
        for (int i = 0; i < 2; i++) {
            task_trial trial = setting_trial(s, kind, i == 0 ? FR_AID_MODE_NOTHING : FR_AID_MODE_AID);
            fr_status status = hand_study_cell(study, &trial, seed, &cells[i]);
            if (status != FR_OK) { return status; }
        }
        add_gains(&means, &cells[1], &cells[0]);
        task_figures aid = hand_total(&cells[1]);
        releases += aid.releases;
        trials += aid.trials;
    }
    char method[64];
    snprintf(method, sizeof method, "aid, %s", s->name);
    experiment_run *run = study->run;
    bool is_put = put_gains(run, method, task_name(kind), &means) &&
                  hand_number(experiment_add(run, "times", "%s, task %s: faces that came off in 100 trials", method,
                                             task_name(kind)),
                              100.0 * releases / trials);
    return is_put ? FR_OK : FR_ERROR_MEMORY;
}

// Nothing but errors that are left on every axis: 1.2 mm, and 1 to 1.5 degrees.
static bool put_gaussian(experiment_run *run, task_kind kind) {
    for (int i = 0; i < 2; i++) {
        double angle = i == 0 ? 1.0 : 1.5;
        task_gains g = task_gaussian_gains(kind, 1.2e-3, fr_radians(angle), 20000, 1);
        bool is_put = hand_number(experiment_add(run, "%", "gaussian, 1.2 mm and %g deg, task %s: distance gain", angle,
                                                 task_name(kind)),
                                  g.distance) &&
                      hand_number(experiment_add(run, "%", "gaussian, 1.2 mm and %g deg, task %s: angle gain", angle,
                                                 task_name(kind)),
                                  g.angle);
        if (!is_put) { return false; }
    }
    return true;
}

static fr_status run_6_5_1(experiment_run *run) {
    hand_study study = hand_study_begin(run, 2 * 2 * SETTINGS, TASK_TRIALS);
    for (int i = 0; i < SETTINGS; i++) {
        for (int kind = TASK_A; kind <= TASK_B; kind++) {
            fr_status status = run_setting(&study, &settings[i], (task_kind)kind);
            if (status != FR_OK) { return status; }
        }
    }
    for (int kind = TASK_A; kind <= TASK_C; kind++) {
        if (!put_gaussian(run, (task_kind)kind)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Sound, and real things

static fr_status run_sound(hand_study *study, fr_aid_mode mode, bool is_once) {
    gain_means means;
    memset(&means, 0, sizeof means);
    for (uint64_t seed = 1; seed <= study->seeds; seed++) {
        hand_cell cells[2];
        memset(cells, 0, sizeof cells);
        for (int i = 0; i < 2; i++) {
            task_trial trial = hand_trial(TASK_A, i == 0 ? FR_AID_MODE_NOTHING : mode);
            trial.operator_traits.is_heard_once = is_once;
            fr_status status = hand_study_cell(study, &trial, seed, &cells[i]);
            if (status != FR_OK) { return status; }
        }
        add_gains(&means, &cells[1], &cells[0]);
    }
    char method[64];
    snprintf(method, sizeof method, "%s%s", hand_mode_name(mode), is_once ? ", next look alone" : "");
    return put_gains(study->run, method, "A", &means) ? FR_OK : FR_ERROR_MEMORY;
}

// Of the tracking: deviations on each axis.
static const double real_errors[][2] = {{0.0, 0.0}, {0.5, 0.15}, {1.0, 0.3}, {2.0, 0.6}};

enum { REAL_ERRORS = sizeof real_errors / sizeof real_errors[0] };

static fr_status run_real(hand_study *study, task_kind kind, int level) {
    task_trial trial = hand_trial(kind, FR_AID_MODE_AID);
    trial.real = (task_real){true, 1e-3 * real_errors[level][0], fr_radians(real_errors[level][1]), 0.03};
    hand_cell cell;
    memset(&cell, 0, sizeof cell);
    for (uint64_t seed = 1; seed <= study->seeds; seed++) {
        fr_status status = hand_study_cell(study, &trial, seed, &cell);
        if (status != FR_OK) { return status; }
    }
    task_figures f = hand_total(&cell);
    double corners = task_corners(kind);
    char method[64];
    snprintf(method, sizeof method, "aid, real within %g mm and %g deg, task %s", real_errors[level][0],
             real_errors[level][1], task_name(kind));
    experiment_row *row = experiment_add(study->run, "mm", "%s: mean distance of a vertex", method);
    if (!hand_number(row, f.distance.mean / corners)) { return FR_ERROR_MEMORY; }
    row->error = sample_mean_error(&f.distance) / corners;
    fr_uncertainty errors = {.position_error = trial.real.position_error, .rotation_error = trial.real.rotation_error};
    bool is_put = hand_number(experiment_add(study->run, "mm", "%s: expected alignment error", method),
                              1e3 * fr_uncertainty_reach(&errors, 0.035 * sqrt(3.0))) &&
                  hand_number(experiment_add(study->run, "%", "%s: finished", method), 100.0 * f.done / f.trials) &&
                  experiment_put_mean(experiment_add(study->run, "s", "%s: time", method), &f.seconds);
    return is_put ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status run_7_1_3(experiment_run *run) {
    hand_study study = hand_study_begin(run, 2 * 5 + 2 * REAL_ERRORS, TASK_TRIALS);
    fr_status status = FR_OK;
    for (int mode = FR_AID_MODE_AID; mode <= FR_AID_MODE_SOUND && status == FR_OK; mode++) {
        status = run_sound(&study, (fr_aid_mode)mode, false);
    }
    if (status == FR_OK) { status = run_sound(&study, FR_AID_MODE_AID_SOUND, true); }
    for (int kind = TASK_A; kind <= TASK_B; kind++) {
        for (int level = 0; level < REAL_ERRORS && status == FR_OK; level++) {
            status = run_real(&study, (task_kind)kind, level);
        }
    }
    return status;
}

const experiment experiment_kitamura_6_5_1 = {
    "kitamura-6.5.1", "Kitamura 1996, section 6.5.1",
    "gains by the aid's numbers, frame rate and delay, beside those of geometry alone", run_6_5_1};
const experiment experiment_kitamura_7_1_3 = {
    "kitamura-7.1.3", "Kitamura 1996, sections 6.7 and 7.1.3",
    "the aid with sound, by a model; the aid among real things that are tracked", run_7_1_3};
