// The work study of the command act.
#include "act_study.h"

#include "output_file.h"
#include "picture_request.h"

#include <stdio.h>
#include <string.h>

static const char *const sexes[FR_SURVEY_SEX_COUNT] = {"woman", "man"};
static const char *const sides[2] = {"right", "left"};

bool act_study_is_wanted(const tool *t) {
    return options_flag(&t->options, "study") || options_string(&t->options, "csv") != NULL ||
           options_string(&t->options, "percentiles") != NULL || options_string(&t->options, "picture") != NULL;
}

// "5,50,95"
static exit_status read_percentiles(tool *t, act_study *out) {
    const char *text = options_string(&t->options, "percentiles"), *at = text;
    if (text == NULL) { return EXIT_STATUS_DONE; }
    if (options_string(&t->options, "connect") != NULL) {
        return tool_wrong_usage(t, "--percentiles carries the script out several times, which --connect does not");
    }
    const char *end = text + strlen(text);
    for (bool is_first = true; is_first || at < end; is_first = false) {
        double percentile;
        fr_survey_measures measures;
        if (!is_first && *at++ != ',') { return tool_wrong_usage(t, "--percentiles: '%s' is not like 5,50,95", text); }
        if (fr_number_read(&at, end, &percentile) != FR_NUMBER_OK ||
            fr_survey_find(FR_SURVEY_WOMAN, percentile, &measures, NULL) != FR_OK) {
            return tool_wrong_usage(t, "--percentiles: '%s' is not like 5,50,95, each 1 to 99", text);
        }
        if (out->trial_count + FR_SURVEY_SEX_COUNT > ACT_STUDY_MAX_TRIALS) {
            return tool_wrong_usage(t, "--percentiles: at most %u", ACT_STUDY_MAX_TRIALS / FR_SURVEY_SEX_COUNT);
        }
        for (int sex = 0; sex < FR_SURVEY_SEX_COUNT; sex++) {
            out->trials[out->trial_count++] = (act_trial){.sex = (fr_survey_sex)sex, .percentile = percentile};
        }
    }
    return EXIT_STATUS_DONE;
}

exit_status act_study_begin(tool *t, act_study *out) {
    memset(out, 0, sizeof *out);
    exit_status result = read_percentiles(t, out);
    const char *path = t->arguments[0], *slash = strrchr(path, '/');
    return result == EXIT_STATUS_DONE ? picture_request_begin(t, slash != NULL ? slash + 1 : path, &out->picture)
                                      : result;
}

void act_study_end(act_study *study) { picture_destroy(study->picture); }

void act_trial_note(act_trial *trial, const fr_script *script, const fr_script_run *run, const fr_study *study) {
    trial->done_count = run->done_count;
    trial->count = run->result_count;
    for (uint32_t i = 0; i < run->result_count; i++) {
        if (run->results[i].is_done) { continue; }
        const char *motion = fr_script_get(script)->steps[run->results[i].step].motion;
        snprintf(trial->motion, sizeof trial->motion, "%s", motion);
        snprintf(trial->reason, sizeof trial->reason, "%s", run->results[i].reason);
        break;
    }
    size_t count;
    const fr_study_row *rows = fr_study_rows(study, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t rula = fr_study_rula(&rows[i]), reba = fr_study_reba(&rows[i]);
        if (rula > trial->rula_max) { trial->rula_max = rula; }
        if (reba > trial->reba_max) { trial->reba_max = reba; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static bool write_bytes(const char *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

exit_status act_study_finish(tool *t, act_study *study, const fr_study *taken) {
    if (taken == NULL) { return EXIT_STATUS_DONE; }
    const char *csv = options_string(&t->options, "csv");
    fr_error error = {0};
    if (csv != NULL) {
        fr_output_file file;
        if (output_file_open(&file, csv, &error) != FR_OK) { return tool_failed(t, &error); }
        (void)fr_study_write(taken, write_bytes, &file, NULL); // the file remembers what failed
        if (fr_output_file_commit(&file, &error) != FR_OK) { return tool_failed(t, &error); }
    }
    fr_draw draw = picture_draw(study->picture);
    fr_study_draw(taken, &draw);
    picture *p = study->picture;
    study->picture = NULL;
    return picture_request_end(t, p);
}

// ---------------------------------------------------------------------------------------------------------------
// Reach

// How far a hand of a person who stands or sits upright reaches.
typedef struct reach {
    bool is_seated;
    fr_side side;
    fr_envelope envelope;
    double radii[9 * 16];
} reach;

static fr_status find_reach(const fr_skeleton *skeleton, bool is_seated, fr_side side, reach *out) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    *out = (reach){.is_seated = is_seated, .side = side};
    fr_status status = fr_posture_rest(skeleton, &posture, NULL);
    if (status == FR_OK && is_seated) { status = fr_work_sit(skeleton, &posture, NULL); }
    fr_envelope_input input = fr_default_envelope_input();
    input.skeleton = skeleton;
    input.posture = &posture;
    input.side = side;
    return status == FR_OK ? fr_envelope_find(&input, out->radii, &out->envelope, NULL) : status;
}

static const fr_skeleton *skeleton_of(const fr_director *director, uint32_t person) {
    return fr_performer_get(fr_person_performer(fr_director_get(director, person).person)).skeleton;
}

// ---------------------------------------------------------------------------------------------------------------
// Text

static void print_person(tool *t, const fr_study *taken, const fr_director *director, const fr_world *world,
                         uint32_t person) {
    fr_study_summary sum = fr_study_sum(taken, person);
    if (sum.row_count == 0) { return; }
    const char *name = fr_person_name(fr_director_get(director, person).person);
    tool_print_name(t, name);
    tool_print(t, ": RULA %.1f on average, at most %u (", sum.rula_mean, sum.rula_max);
    tool_print_name(t, sum.rula_motion[0] != '\0' ? sum.rula_motion : "at rest");
    tool_print(t, " at %.1f s); REBA %.1f, at most %u (", sum.rula_time, sum.reba_mean, sum.reba_max);
    tool_print_name(t, sum.reba_motion[0] != '\0' ? sum.reba_motion : "at rest");
    tool_print(t, " at %.1f s)\n", sum.reba_time);
    tool_print_name(t, name);
    tool_print(t, ": walks %.0f %% of the time, sits %.0f %%, holds up to %.3g kg", 100.0 * sum.walking,
               100.0 * sum.seated, sum.load_max);
    if (sum.unknown_max > 0) { tool_print(t, " and things whose class gives no mass"); }
    const char *nearest = sum.nearest.index1 != 0 ? fr_world_label(world, sum.nearest).name : NULL;
    if (nearest != NULL && nearest[0] != '\0') {
        tool_print(t, "; comes as near as %.0f mm to ", 1e3 * sum.clearance);
        tool_print_name(t, nearest);
        tool_print(t, " at %.1f s", sum.clearance_time);
    }
    tool_print(t, "\n");
    for (int i = 0; i < 2; i++) {
        reach r;
        if (find_reach(skeleton_of(director, person), i == 1, FR_RIGHT, &r) != FR_OK) { continue; }
        tool_print_name(t, name);
        tool_print(
            t, ": %s, the hand reaches %.2f m high, %.2f m before, %.2f m beside and %.2f m across the shoulder\n",
            i == 1 ? "seated" : "standing", r.envelope.top, r.envelope.ahead, r.envelope.aside, r.envelope.across);
    }
}

void act_study_print(tool *t, const act_study *study, const fr_study *taken, const fr_director *director,
                     const fr_world *world) {
    for (uint32_t i = 0; i < fr_director_person_count(director); i++) {
        print_person(t, taken, director, world, i);
    }
    if (study->trial_count == 0) { return; }
    tool_print(t, "Bodies of %s:\n", FR_SURVEY_NAME);
    for (uint32_t i = 0; i < study->trial_count; i++) {
        const act_trial *trial = &study->trials[i];
        tool_print(t, "%-5s %4.3g %%  %.3f m  RULA %u  REBA %2u  ", sexes[trial->sex], trial->percentile,
                   trial->stature, trial->rula_max, trial->reba_max);
        if (trial->done_count == trial->count) {
            tool_print(t, "can do it\n");
            continue;
        }
        tool_print(t, "does %u of %u commands: ", trial->done_count, trial->count);
        tool_print_name(t, trial->motion);
        tool_print(t, ": %s\n", trial->reason);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void write_counts(fr_json_writer *j, const char *key, const size_t *counts, uint32_t max) {
    fr_json_write_key(j, key);
    fr_json_write_array(j);
    for (uint32_t i = 0; i <= max; i++) {
        fr_json_write_uint(j, counts[i]);
    }
    fr_json_write_array_end(j);
}

static void write_reach(fr_json_writer *j, const fr_skeleton *skeleton) {
    fr_json_write_key(j, "reach");
    fr_json_write_array(j);
    for (int i = 0; i < 4; i++) {
        reach r;
        if (find_reach(skeleton, i >= 2, i % 2 == 0 ? FR_RIGHT : FR_LEFT, &r) != FR_OK) { continue; }
        fr_json_write_object(j);
        json_fields(j, "posture", i >= 2 ? "seated" : "standing", "side", sides[i % 2], "shoulder", r.envelope.shoulder,
                    "top", r.envelope.top, "ahead", r.envelope.ahead, "aside", r.envelope.aside);
        json_fields(j, "across", r.envelope.across, "bands", 9);
        fr_json_write_numbers_field(j, "radii", r.radii, sizeof r.radii / sizeof r.radii[0]);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_person(fr_json_writer *j, const fr_study *taken, const fr_director *director, const fr_world *world,
                         uint32_t person) {
    fr_study_summary s = fr_study_sum(taken, person);
    const char *nearest = s.nearest.index1 != 0 ? fr_world_label(world, s.nearest).name : NULL;
    fr_json_write_object(j);
    json_fields(j, "person", fr_person_name(fr_director_get(director, person).person), "rows", s.row_count);
    json_fields(j, "rula_mean", s.rula_mean, "rula_max", s.rula_max, "rula_time", s.rula_time, "rula_motion",
                s.rula_motion);
    json_fields(j, "reba_mean", s.reba_mean, "reba_max", s.reba_max, "reba_time", s.reba_time, "reba_motion",
                s.reba_motion);
    write_counts(j, "rula_counts", s.rula_counts, FR_RULA_MAX);
    write_counts(j, "reba_counts", s.reba_counts, FR_REBA_MAX);
    json_fields(j, "load_max", s.load_max, "unknown_masses", s.unknown_max, "walking", s.walking, "seated", s.seated,
                "clearance", s.clearance, "nearest", nearest != NULL ? nearest : "", "clearance_time",
                s.clearance_time);
    write_reach(j, skeleton_of(director, person));
    fr_json_write_object_end(j);
}

static void write_trial(fr_json_writer *j, const act_trial *trial) {
    fr_json_write_object(j);
    json_fields(j, "sex", sexes[trial->sex], "percentile", trial->percentile, "stature", trial->stature, "can",
                (bool)(trial->done_count == trial->count), "done", trial->done_count, "count", trial->count);
    json_fields(j, "motion", (const char *)trial->motion, "reason", (const char *)trial->reason, "rula_max",
                trial->rula_max, "reba_max", trial->reba_max);
    fr_json_write_object_end(j);
}

void act_study_write(fr_json_writer *j, const act_study *study, const fr_study *taken, const fr_director *director,
                     const fr_world *world) {
    fr_json_write_key(j, "study");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < fr_director_person_count(director); i++) {
        write_person(j, taken, director, world, i);
    }
    fr_json_write_array_end(j);
    if (study->trial_count == 0) { return; }
    json_fields(j, "survey", FR_SURVEY_NAME);
    fr_json_write_key(j, "bodies");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < study->trial_count; i++) {
        write_trial(j, &study->trials[i]);
    }
    fr_json_write_array_end(j);
}
