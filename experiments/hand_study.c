// Trials of the simulated operator, summed up by task and mode.
#include "hand_study.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS_USUAL = 5, SEEDS_FULL = 20, TRIALS_BRIEF = 2 };

hand_study hand_study_begin(experiment_run *run, uint32_t cells, uint32_t trials) {
    hand_study study = {.run = run, .trials = run->size == EXPERIMENT_BRIEF ? TRIALS_BRIEF : trials};
    study.seeds = run->size == EXPERIMENT_BRIEF ? 1 : run->size == EXPERIMENT_USUAL ? SEEDS_USUAL : SEEDS_FULL;
    study.all = (double)cells * study.seeds;
    snprintf(run->sample, sizeof run->sample,
             "%u seeds x %d subjects x %u trials a task and mode; simulated operator, " OPERATOR_NOTE, study.seeds,
             TASK_SUBJECTS, study.trials);
    return study;
}

task_trial hand_trial(task_kind kind, fr_aid_mode mode) {
    task_trial trial = {.kind = kind, .operator_traits = operator_default()};
    trial.operator_traits.mode = mode;
    return trial;
}

fr_status hand_study_cell(hand_study *study, const task_trial *like, uint64_t seed, hand_cell *out) {
    const double *subjects = like->kind == TASK_SNAIL ? snail_subjects : task_subjects;
    task_trial trial = *like;
    trial.seed = seed;
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        trial.operator_traits.factor = subjects[i];
        fr_status status =
            task_repeat(&trial, study->trials, study->run->control, &out->subjects[i], study->run->error);
        if (status != FR_OK) { return status; }
        fr_control_progress(study->run->control, (study->done + (i + 1.0) / TASK_SUBJECTS) / study->all, "trials");
    }
    study->done += 1.0;
    return FR_OK;
}

task_gains hand_gains(const hand_cell *with, const hand_cell *without) {
    task_gains gains = {0.0, 0.0, 0.0};
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        const task_figures *a = &with->subjects[i], *b = &without->subjects[i];
        gains.distance += task_gain(a->distance.mean, b->distance.mean) / TASK_SUBJECTS;
        gains.angle += task_gain(a->angle.mean, b->angle.mean) / TASK_SUBJECTS;
        gains.seconds += task_gain(a->seconds.mean, b->seconds.mean) / TASK_SUBJECTS;
    }
    return gains;
}

// Two samples as one (Chan's update).
static void join(sample_mean *a, const sample_mean *b) {
    double count = (double)(a->count + b->count), step = b->mean - a->mean;
    if (b->count == 0) { return; }
    a->squares += b->squares + step * step * (double)a->count * (double)b->count / count;
    a->mean += step * (double)b->count / count;
    a->count += b->count;
}

static void join_figures(task_figures *a, const task_figures *b) {
    join(&a->distance, &b->distance);
    join(&a->angle, &b->angle);
    join(&a->seconds, &b->seconds);
    a->trials += b->trials;
    a->done += b->done;
    a->snaps += b->snaps;
    a->releases += b->releases;
    a->missing += b->missing;
}

void hand_cell_join(hand_cell *a, const hand_cell *b) {
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        join_figures(&a->subjects[i], &b->subjects[i]);
    }
}

task_figures hand_total(const hand_cell *cell) {
    task_figures all;
    memset(&all, 0, sizeof all);
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        join_figures(&all, &cell->subjects[i]);
    }
    return all;
}

const char *hand_mode_name(fr_aid_mode mode) {
    static const char *const names[] = {"?",    "without", "colour", "aid", "aid and sound", "aid, colour and sound",
                                        "sound"};
    return names[mode >= FR_AID_MODE_NOTHING && mode <= FR_AID_MODE_SOUND ? mode : 0];
}

bool hand_number(experiment_row *row, double measured) {
    if (row == NULL) { return false; }
    row->measured = measured;
    return true;
}
