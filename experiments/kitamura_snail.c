// Kitamura 1996, section 6.6: a toy snail of five blocks, virtual and real. The blocks' shapes are not printed: ours
// have the same size together, 145 x 47 x 72 mm, and as many vertices that are scored, 14. No person handles real
// blocks here. Their stand-in is the operator without noise, with the aid, at its only look: "ideal".
#include "hand_study.h"
#include "kitamura_hand.h"

#include <string.h>

static const char source[] = "Kitamura 1996, section 6.6";

enum { METHODS = 3, ONE_SUBJECT = 2 };

static const char *const names[METHODS] = {"without", "aid", "ideal"};

static task_trial method_trial(int method, double limit) {
    task_trial trial = hand_trial(TASK_SNAIL, method == 0 ? FR_AID_MODE_NOTHING : FR_AID_MODE_AID);
    trial.limit = limit;
    return trial;
}

// The ideal hand is one and has no subjects: a factor of 0.
static fr_status run_ideal(hand_study *s, double limit, uint64_t seed, task_figures *out) {
    task_trial trial = method_trial(2, limit);
    trial.operator_traits.factor = 0.0;
    trial.operator_traits.see_share = 0.0;
    trial.operator_traits.motor_share = 0.0;
    trial.operator_traits.spread = 0.0;
    trial.operator_traits.spread_angle = 0.0;
    trial.operator_traits.sensor = 0.0;
    trial.operator_traits.sensor_angle = 0.0;
    trial.seed = seed;
    return task_repeat(&trial, s->trials, s->run->control, out, s->run->error);
}

static fr_status run_methods(hand_study *s, double limit, hand_cell cells[2], task_figures *ideal) {
    memset(cells, 0, 2 * sizeof *cells);
    memset(ideal, 0, sizeof *ideal);
    for (uint64_t seed = 1; seed <= s->seeds; seed++) {
        fr_status status = run_ideal(s, limit, seed, ideal);
        for (int method = 0; method < 2 && status == FR_OK; method++) {
            task_trial trial = method_trial(method, limit);
            status = hand_study_cell(s, &trial, seed, &cells[method]);
        }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// Figure 6.18: of one subject, and of all.
static fr_status run_6_18(experiment_run *run) {
    hand_study s = hand_study_begin(run, 2, SNAIL_TRIALS);
    hand_cell cells[2];
    task_figures ideal;
    fr_status status = run_methods(&s, 0.0, cells, &ideal);
    if (status != FR_OK) { return status; }
    bool is_put = true;
    for (int method = 0; method < METHODS && is_put; method++) {
        const task_figures *one = method == 2 ? &ideal : &cells[method].subjects[ONE_SUBJECT];
        const char *name = names[method];
        is_put = experiment_put_mean(experiment_add(run, "mm", "%s, one subject: distance of 14 vertices", name),
                                     &one->distance) &&
                 experiment_put_mean(experiment_add(run, "s", "%s, one subject: time", name), &one->seconds);
        if (!is_put || method == 2) { continue; }
        task_figures all = hand_total(&cells[method]);
        is_put =
            experiment_put_mean(experiment_add(run, "mm", "%s, all subjects: distance of 14 vertices", name),
                                &all.distance) &&
            experiment_put_mean(experiment_add(run, "s", "%s, all subjects: time", name), &all.seconds) &&
            hand_number(experiment_add(run, "%", "%s, all subjects: finished", name), 100.0 * all.done / all.trials);
    }
    experiment_row *real = is_put ? experiment_add(run, "mm", "real blocks, at most: distance of 14 vertices") : NULL;
    if (real == NULL) { return FR_ERROR_MEMORY; }
    real->printed = 28.0;
    return FR_OK;
}

// Figure 6.19: until the mean error of each block is below 3 mm.
static fr_status run_6_19(experiment_run *run) {
    hand_study s = hand_study_begin(run, 2, SNAIL_TRIALS);
    hand_cell cells[2];
    task_figures ideal;
    fr_status status = run_methods(&s, 3e-3, cells, &ideal);
    if (status != FR_OK) { return status; }
    bool is_put = experiment_put_mean(experiment_add(run, "s", "ideal: time"), &ideal.seconds);
    for (int i = 0; i < TASK_SUBJECTS && is_put; i++) {
        for (int method = 0; method < 2 && is_put; method++) {
            is_put = experiment_put_mean(experiment_add(run, "s", "%s, subject %d: time", names[method], i + 1),
                                         &cells[method].subjects[i].seconds);
        }
    }
    task_figures without = hand_total(&cells[0]), aid = hand_total(&cells[1]);
    is_put =
        is_put &&
        hand_number(experiment_add(run, "times", "without over aid: time"), without.seconds.mean / aid.seconds.mean) &&
        hand_number(experiment_add(run, "times", "without over aid: time above the ideal hand's"),
                    (without.seconds.mean - ideal.seconds.mean) / (aid.seconds.mean - ideal.seconds.mean)) &&
        hand_number(experiment_add(run, "%", "without: finished"), 100.0 * without.done / without.trials) &&
        hand_number(experiment_add(run, "%", "aid: finished"), 100.0 * aid.done / aid.trials);
    return is_put ? FR_OK : FR_ERROR_MEMORY;
}

// Figure 6.20: above the time of real blocks, percent; here above the ideal hand's.
static fr_status run_6_20(experiment_run *run) {
    hand_study s = hand_study_begin(run, 2, SNAIL_TRIALS);
    hand_cell cells[2];
    task_figures ideal;
    fr_status status = run_methods(&s, 3e-3, cells, &ideal);
    if (status != FR_OK) { return status; }
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        for (int method = 0; method < 2; method++) {
            experiment_row *row =
                experiment_add(run, "%", "%s, subject %d: time above the ideal hand's", names[method], i + 1);
            double seconds = cells[method].subjects[i].seconds.mean;
            if (!hand_number(row, 100.0 * (seconds / ideal.seconds.mean - 1.0))) { return FR_ERROR_MEMORY; }
            if (method == 1 && i == 0) { row->printed = 8.0; }
        }
    }
    return FR_OK;
}

const experiment experiment_kitamura_6_18 = {
    "kitamura-6.18", source, "a toy snail of five blocks: distance of its vertices, and time", run_6_18};
const experiment experiment_kitamura_6_19 = {"kitamura-6.19", source, "the snail: time until 3 mm, by subject",
                                             run_6_19};
const experiment experiment_kitamura_6_20 = {
    "kitamura-6.20", source, "the snail: time above that of real blocks; a hand without noise stands for them",
    run_6_20};
