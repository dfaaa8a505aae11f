// Ichiguchi 2000, tables 5.4 and 5.9: clips of walking by class, and the rated motions of the demonstration beside
// proxies that are measured, for the source's method and for ours.
#include "ichiguchi.h"

#include "demonstration.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------------
// Table 5.4

static fr_status make_set(fr_skeleton **skeleton, fr_walk_set **set, fr_error *error) {
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def def = fr_default_walk_set_def();
    fr_status status = fr_skeleton_create_body(&body, skeleton, error);
    if (status != FR_OK) { return status; }
    def.skeleton = *skeleton;
    return fr_walk_set_create(&def, set, error);
}

// The clips of a set by class: those of the source, and those with the facing against the direction, which mirroring
// does not make.
static fr_status count_clips(const fr_walk_set *set, double counts[FR_CLIP_CLASS_COUNT][2], fr_error *error) {
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        fr_clip *clip = NULL;
        fr_status status = fr_walk_set_clip(set, i, NULL, &clip, error);
        if (status != FR_OK) { return status; }
        const fr_clip_view *view = fr_clip_get(clip);
        counts[view->clip_class][view->facing < -1e-9 ? 1 : 0] += 1.0;
        fr_clip_release(clip);
    }
    return FR_OK;
}

static fr_status check_stop(const experiment_run *run, double part) {
    fr_control_progress(run->control, part, "films");
    return fr_control_is_stopped(run->control) ? fr_error_set(run->error, FR_ERROR_STOPPED, "stopped") : FR_OK;
}

static fr_status run_table_5_4(experiment_run *run) {
    static const struct {
        fr_clip_class clip_class;
        const char *name;
        double printed;
    } classes[] = {{FR_CLIP_ONE_STEP, "one step", 98.0},
                   {FR_CLIP_TWO_STEPS, "two steps", 98.0},
                   {FR_CLIP_START, "start", 7.0},
                   {FR_CLIP_STRAIGHT, "straight step", 1.0},
                   {FR_CLIP_END, "end", 28.0}};
    fr_skeleton *skeleton = NULL;
    fr_walk_set *set = NULL;
    double counts[FR_CLIP_CLASS_COUNT][2] = {{0.0}}, sums[2] = {0.0, 0.0};
    fr_status status = check_stop(run, 0.0);
    if (status == FR_OK) { status = make_set(&skeleton, &set, run->error); }
    if (status == FR_OK) { status = count_clips(set, counts, run->error); }
    bool has_room = status == FR_OK;
    for (size_t i = 0; has_room && i < sizeof classes / sizeof classes[0]; i++) {
        char label[96];
        for (int k = 0; k < 2; k++) {
            sums[k] += counts[classes[i].clip_class][k];
        }
        snprintf(label, sizeof label, "fast, %s: clips of the source", classes[i].name);
        has_room = experiment_put(run, "clips", label, classes[i].printed, counts[classes[i].clip_class][0]);
        if (counts[classes[i].clip_class][1] == 0.0) { continue; }
        snprintf(label, sizeof label, "fast, %s: clips that face the other side", classes[i].name);
        has_room = has_room && experiment_put(run, "clips", label, NAN, counts[classes[i].clip_class][1]);
    }
    has_room = has_room && experiment_put(run, "clips", "fast: clips of the source", 232.0, sums[0]);
    has_room = has_room && experiment_put(run, "clips", "fast: clips in all", NAN, sums[0] + sums[1]);
    snprintf(run->sample, sizeof run->sample, "the set of an adult of 1.70 m, made by code");
    fr_walk_set_release(set);
    fr_skeleton_release(skeleton);
    return status == FR_OK && !has_room ? FR_ERROR_MEMORY : status;
}

const experiment experiment_ichiguchi_table_5_4 = {
    .name = "ichiguchi-table-5.4",
    .source = "Ichiguchi 2000, table 5.4",
    .about = "clips of walking by class",
    .run = run_table_5_4,
};

// ---------------------------------------------------------------------------------------------------------------
// Table 5.9

static bool put_row(experiment_run *run, const char *method, int row, const demonstration_figures *figures) {
    const struct {
        const char *what, *unit;
        double value;
    } columns[] = {{"speed jump", "rad/s", figures->speed_jump},
                   {"foot slide", "mm", figures->foot_slide},
                   {"pause upright", "s", figures->pause},
                   {"wrist turning", "rad/m", figures->curvature}};
    bool has_room = true;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        char label[96];
        snprintf(label, sizeof label, "%s, %02d %s: %s", method, row + 1, demonstration_names[row], columns[i].what);
        has_room = has_room && experiment_put(run, columns[i].unit, label, NAN, columns[i].value);
    }
    return has_room;
}

static fr_status run_table_5_9(experiment_run *run) {
    demonstration_figures figures[2][DEMONSTRATION_ROWS];
    uint32_t frames[2] = {0, 0};
    fr_status status = FR_OK;
    for (int k = 0; k < 2 && status == FR_OK; k++) {
        demonstration_film film = {0};
        status = check_stop(run, 0.5 * k);
        if (status == FR_OK) { status = demonstration_play(k == 0, &film, run->error); }
        if (status == FR_OK) { status = demonstration_measure(&film, figures[k], run->error); }
        frames[k] = film.count;
        demonstration_free(&film);
    }
    if (status != FR_OK) { return status; }
    bool has_room = true;
    for (int row = 0; row < DEMONSTRATION_ROWS; row++) {
        char label[96];
        snprintf(label, sizeof label, "people, %02d %s: rating", row + 1, demonstration_names[row]);
        has_room = has_room && experiment_put(run, "of 4", label, demonstration_ratings[row], NAN) &&
                   put_row(run, "source", row, &figures[0][row]) && put_row(run, "fast", row, &figures[1][row]);
    }
    snprintf(run->sample, sizeof run->sample, "one film of %u frames as the source does it, one of %u by the performer",
             frames[0], frames[1]);
    return has_room ? FR_OK : FR_ERROR_MEMORY;
}

const experiment experiment_ichiguchi_table_5_9 = {
    .name = "ichiguchi-table-5.9",
    .source = "Ichiguchi 2000, table 5.9",
    .about = "how natural the demonstration is: ratings of people beside proxies, the source's method and ours",
    .run = run_table_5_9,
};
