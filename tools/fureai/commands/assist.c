// The command assist: trials of the placement tasks by a simulated operator.
#include "commands.h"
#include "output_file.h"
#include "tasks.h"
#include "tool.h"

#include "fureai/hand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_SUBJECTS 16
#define MM 1e-3
#define CHUNK 4096      // frames
#define MAX_SECONDS 600 // of sound; the rest is not heard

// What a hand's events of many trials are written to: a table, and the sound of the first trial.
typedef struct assist_log {
    fr_output_file table;
    bool has_table;
    uint32_t subject, trial; // of the events that come, from 1
    const char *sound_path;  // NULL: none
    fr_hand_voice *voice;
    uint32_t rate;    // of the voice
    fr_array samples; // int16_t, left and right after one another
    bool is_silent;   // no memory for samples any more
} assist_log;

// The query, and what came out of each subject and of all.
typedef struct session {
    task_trial trial; // that all are like
    double factors[MOST_SUBJECTS];
    uint32_t subject_count, trials;
    task_figures subjects[MOST_SUBJECTS], all;
    assist_log log;
} session;

// ---------------------------------------------------------------------------------------------------------------
// The log

// Either path may be NULL. `mode` is what is heard.
static fr_status log_open(assist_log *log, const char *table_path, const char *sound_path, fr_aid_mode mode,
                          fr_error *error) {
    memset(log, 0, sizeof *log);
    log->samples = fr_array_make(sizeof(int16_t), NULL);
    log->sound_path = sound_path;
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.mode = mode;
    log->rate = def.rate;
    fr_status status = fr_hand_voice_create(&def, &log->voice, error);
    if (status == FR_OK && table_path != NULL) {
        status = output_file_open(&log->table, table_path, error);
        log->has_table = status == FR_OK;
        if (log->has_table) { fr_output_file_print(&log->table, "subject,trial,%s\n", fr_hand_event_columns()); }
    }
    return status;
}

static uint64_t frames_heard(const assist_log *log) { return log->samples.count / 2; }

// Renders up to this time.
static void hear_until(assist_log *log, double time) {
    uint64_t end = (uint64_t)(fmin(time, MAX_SECONDS) * log->rate);
    while (frames_heard(log) < end && !log->is_silent) {
        uint64_t left = end - frames_heard(log);
        size_t frames = left < CHUNK ? (size_t)left : CHUNK;
        int16_t *room = fr_array_push(&log->samples, 2 * frames);
        log->is_silent = room == NULL;
        if (room != NULL) { fr_hand_voice_render(log->voice, room, frames); }
    }
}

// An operator_event_fn with the log as context.
static void log_event(const fr_hand_event *event, void *context) {
    assist_log *log = context;
    if (log->has_table) {
        char line[FR_HAND_EVENT_BYTES];
        fr_hand_event_text(event, line, sizeof line);
        fr_output_file_print(&log->table, "%u,%u,%s\n", log->subject, log->trial, line);
    }
    if (log->sound_path == NULL || log->subject != 1 || log->trial != 1) { return; }
    hear_until(log, event->time);
    (void)fr_hand_voice_add(log->voice, event);
}

static fr_status write_sound(assist_log *log, fr_error *error) {
    hear_until(log, (double)frames_heard(log) / log->rate + 1.0); // until the last has faded
    if (log->is_silent) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the sound"); }
    fr_wav sound = {log->samples.data, log->samples.count / 2, log->rate};
    uint8_t header[FR_WAV_HEADER_BYTES];
    fr_output_file file;
    fr_status status = fr_wav_header(&sound, header, error);
    if (status == FR_OK) { status = output_file_open(&file, log->sound_path, error); }
    if (status != FR_OK) { return status; }
    fr_output_file_write(&file, header, sizeof header);
    const int16_t *samples = log->samples.data;
    for (size_t i = 0; i < log->samples.count; i++) {
        uint16_t value = (uint16_t)samples[i];
        const uint8_t bytes[2] = {(uint8_t)(value & 0xff), (uint8_t)(value >> 8)};
        fr_output_file_write(&file, bytes, 2);
    }
    return fr_output_file_commit(&file, error);
}

// Writes the files.
static fr_status log_commit(assist_log *log, fr_error *error) {
    fr_status status = FR_OK;
    if (log->has_table) {
        status = fr_output_file_commit(&log->table, error);
        log->has_table = false;
    }
    return status == FR_OK && log->sound_path != NULL ? write_sound(log, error) : status;
}

// Drops what was not committed.
static void log_close(assist_log *log) {
    if (log->has_table) { fr_output_file_discard(&log->table); }
    log->has_table = false;
    fr_array_destroy(&log->samples);
    fr_hand_voice_destroy(log->voice);
    log->voice = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The query

static bool read_task(const char *name, task_kind *out) {
    for (int i = 0; i < TASKS; i++) {
        if (strcmp(name, task_name((task_kind)i)) == 0) {
            *out = (task_kind)i;
            return true;
        }
    }
    return false;
}

// Factors with commas between them.
static bool read_factors(const char *text, session *s) {
    const char *at = text, *end = text + strlen(text);
    s->subject_count = 0;
    while (s->subject_count < MOST_SUBJECTS) {
        double value;
        if (fr_number_read(&at, end, &value) != FR_NUMBER_OK || !(value >= 0.0 && value <= 10.0)) { return false; }
        s->factors[s->subject_count++] = value;
        if (at == end) { return true; }
        if (*at++ != ',') { return false; }
    }
    return false;
}

static void read_aid(const options *o, operator_def *traits) {
    fr_aid_def *aid = &traits->aid;
    double weights[2];
    if (options_given(o, "k")) { aid->hold = options_number(o, "k"); }
    if (options_given(o, "overlap")) { aid->overlap_threshold = options_number(o, "overlap"); }
    if (options_vector(o, "weights", weights, 2)) {
        aid->weight_normals = weights[0];
        aid->weight_approach = weights[1];
    }
    aid->edge_reach = options_number(o, "edges") * MM;
    aid->is_as_printed = options_flag(o, "as-printed");
    traits->rate = options_number(o, "rate");
    traits->delay = options_number(o, "delay") * 1e-3;
}

static exit_status read_real(tool *t, task_real *real) {
    double numbers[3];
    if (!options_vector(&t->options, "real", numbers, 3)) { return EXIT_STATUS_DONE; }
    bool is_right = numbers[0] >= 0.0 && numbers[0] <= 100.0 && numbers[1] >= 0.0 && numbers[1] <= 45.0 &&
                    numbers[2] >= 0.0 && numbers[2] <= 10000.0;
    if (!is_right) { return tool_wrong_usage(t, "--real takes up to 100 mm, 45 degrees and 10000 ms, none below 0"); }
    *real = (task_real){true, numbers[0] * MM, fr_radians(numbers[1]), numbers[2] * 1e-3};
    return EXIT_STATUS_DONE;
}

static exit_status read_session(tool *t, session *s) {
    const options *o = &t->options;
    task_trial *trial = &s->trial;
    trial->operator_traits = operator_default();
    if (!read_task(t->arguments[0], &trial->kind)) {
        return tool_wrong_usage(t, "no task %s; A, B, C and snail are there", t->arguments[0]);
    }
    bool is_snail = trial->kind == TASK_SNAIL;
    trial->operator_traits.mode = (fr_aid_mode)options_int(o, "mode");
    trial->seed = (uint64_t)options_int(o, "seed");
    s->trials = options_given(o, "trials") ? (uint32_t)options_int(o, "trials") : is_snail ? SNAIL_TRIALS : TASK_TRIALS;
    s->subject_count = TASK_SUBJECTS;
    memcpy(s->factors, is_snail ? snail_subjects : task_subjects, sizeof task_subjects);
    if (options_given(o, "subjects") && !read_factors(options_string(o, "subjects"), s)) {
        return tool_wrong_usage(t, "--subjects takes up to %d factors from 0 to 10 with commas between them",
                                MOST_SUBJECTS);
    }
    bool is_efficiency = strcmp(options_string(o, "protocol"), "efficiency") == 0;
    if (options_given(o, "limit") && !is_efficiency) {
        return tool_wrong_usage(t, "--limit belongs to --protocol efficiency");
    }
    if (is_efficiency) { trial->limit = MM * options_number(o, "limit"); }
    if (options_given(o, "sound") && !fr_aid_mode_has_sound(trial->operator_traits.mode)) {
        return tool_wrong_usage(t, "--sound belongs to --mode 4, 5 or 6");
    }
    read_aid(&t->options, &trial->operator_traits);
    return read_real(t, &trial->real);
}

// ---------------------------------------------------------------------------------------------------------------
// Trials

static fr_status run_trials(tool *t, session *s, fr_error *error) {
    task_trial trial = s->trial;
    trial.on_event = log_event;
    trial.context = &s->log;
    double all = (double)s->subject_count * s->trials;
    for (uint32_t i = 0; i < s->subject_count; i++) {
        trial.operator_traits.factor = s->factors[i];
        for (uint32_t k = 0; k < s->trials; k++) {
            if (fr_control_is_stopped(&t->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
            trial.number = k;
            s->log.subject = i + 1;
            s->log.trial = k + 1;
            task_outcome outcome;
            fr_status status = task_run(&trial, &outcome, error);
            if (status != FR_OK) { return status; }
            task_figures_add(&s->subjects[i], &outcome);
            task_figures_add(&s->all, &outcome);
            fr_control_progress(&t->control, (i * (double)s->trials + k + 1.0) / all, "trials");
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The result

static double alignment_of(const session *s) {
    fr_uncertainty errors = {.position_error = s->trial.real.position_error,
                             .rotation_error = s->trial.real.rotation_error};
    return fr_uncertainty_reach(&errors, 0.035 * sqrt(3.0)) / MM;
}

static void print_figures(tool *t, const char *name, const task_figures *f) {
    tool_print(t, "%-14s %7.2f +- %5.2f mm  %6.2f +- %5.2f deg  %6.2f +- %5.2f s\n", name, f->distance.mean,
               task_deviation(&f->distance), f->angle.mean, task_deviation(&f->angle), f->seconds.mean,
               task_deviation(&f->seconds));
}

static void print_session(tool *t, const session *s) {
    const task_trial *trial = &s->trial;
    tool_print(t, "task %s, mode %d, ", task_name(trial->kind), (int)trial->operator_traits.mode);
    if (trial->limit > 0.0) {
        tool_print(t, "until a mean error of %g mm", trial->limit / MM);
    } else {
        tool_print(t, "as exactly and quickly as possible");
    }
    tool_print(t, "; %u trials of each subject, seed %llu\n", s->trials, (unsigned long long)trial->seed);
    tool_print(t, "simulated operator, " OPERATOR_NOTE "\n");
    for (uint32_t i = 0; i < s->subject_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "subject %g", s->factors[i]);
        print_figures(t, name, &s->subjects[i]);
    }
    print_figures(t, "all", &s->all);
    tool_print(t, "%u vertices; %u of %u trials finished; faces: %u took hold, %u came off\n",
               task_corners(trial->kind), s->all.done, s->all.trials, s->all.snaps, s->all.releases);
    if (trial->real.is_on) { tool_print(t, "real things: alignment error of %.2f mm expected\n", alignment_of(s)); }
}

static void write_mean(fr_json_writer *j, const char *key, const sample_mean *sample) {
    fr_json_write_key(j, key);
    fr_json_write_object(j);
    json_fields(j, "mean", sample->mean, "sd", task_deviation(sample));
    fr_json_write_object_end(j);
}

static void write_figures(fr_json_writer *j, const task_figures *f) {
    write_mean(j, "distance_mm", &f->distance);
    write_mean(j, "angle_deg", &f->angle);
    write_mean(j, "seconds", &f->seconds);
    json_fields(j, "trials", f->trials, "finished", f->done, "snaps", f->snaps, "releases", f->releases);
}

static void write_document(fr_json_writer *j, const session *s) {
    const task_trial *trial = &s->trial;
    fr_json_write_object(j);
    json_fields(j, "operator", OPERATOR_NOTE, "task", task_name(trial->kind), "mode", (int)trial->operator_traits.mode,
                "protocol", trial->limit > 0.0 ? "efficiency" : "accuracy");
    if (trial->limit > 0.0) { fr_json_write_number_field(j, "limit_mm", trial->limit / MM); }
    json_fields(j, "seed", trial->seed, "vertices", task_corners(trial->kind));
    write_figures(j, &s->all);
    if (trial->real.is_on) { fr_json_write_number_field(j, "alignment_error_mm", alignment_of(s)); }
    fr_json_write_key(j, "subjects");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < s->subject_count; i++) {
        fr_json_write_object(j);
        fr_json_write_number_field(j, "factor", s->factors[i]);
        write_figures(j, &s->subjects[i]);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status run(tool *t) {
    session s;
    memset(&s, 0, sizeof s);
    exit_status result = read_session(t, &s);
    if (result != EXIT_STATUS_DONE) { return result; }
    fr_error error = {0};
    const options *o = &t->options;
    fr_status status =
        log_open(&s.log, options_string(o, "log"), options_string(o, "sound"), s.trial.operator_traits.mode, &error);
    if (status == FR_OK) { status = run_trials(t, &s, &error); }
    if (status == FR_OK) { status = log_commit(&s.log, &error); }
    log_close(&s.log);
    if (status != FR_OK) { return tool_failed(t, &error); }
    print_session(t, &s);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, &s); }
    return EXIT_STATUS_DONE;
}

static const argument arguments[] = {
    {.name = "TASK",
     .help = "A: a cube on a cube; B: one that touches two; C: one in a corner of three; snail: five blocks."}};

static const option options_table[] = {
    INT_OPTION(
        "mode", "M", "3", 1, 6,
        "What the hand is given: 1 nothing, 2 colour where faces collide, 3 the aid, 4 the aid with sound, 5 with "
        "sound and colour, 6 sound where faces collide."),
    INT_OPTION("trials", "N", NULL, 1, 1e6, "Of each subject; 10 unless given, 8 of the snail."),
    INT_OPTION("seed", "S", "1", 0, 1e15, "The same seed gives the same trials."),
    STRING_OPTION("subjects", "F,...", NULL,
                  "How unsteady each subject is; 0.85,0.95,1.05,1.15,1.6 unless given, the last a novice, and five "
                  "experienced ones for the snail."),
    CHOICE_OPTION(
        "protocol", "P", "accuracy,efficiency", "accuracy",
        "accuracy: as exactly and quickly as possible; efficiency: until the vertices' mean error is below --limit."),
    NUMBER_OPTION("limit", "MM", "3", 0.1, 100, "Of the efficiency protocol, millimetres."),
    OUTPUT_OPTION("log", "FILE.csv", "Also write every event of the hand with its time."),
    OUTPUT_OPTION("sound", "FILE.wav", "Also write what is heard of the first trial."),
    NUMBER_OPTION("k", "X", NULL, 0, 1e6,
                  "A face comes off when pulled farther than X times the root of the shared area; 0.5 unless given."),
    NUMBER_OPTION("overlap", "X", NULL, 0, 1,
                  "Part of the smaller face that must be shared, 0.05 beyond it to take hold; 0.05 unless given."),
    VECTOR_OPTION("weights", "CR,CV", 2, NULL, 0, 1e6,
                  "Of normals and approach where several faces may hold; 3,1 unless given."),
    NUMBER_OPTION("edges", "MM", "0", 0, 1000,
                  "Edges and corners line up, too, from this near, which the source's aid does not do."),
    FLAG_OPTION("as-printed", "The release rule as the source prints it: faces come off by a tremor."),
    NUMBER_OPTION("rate", "HZ", "30", 5, 1000, "Frames a second."),
    NUMBER_OPTION("delay", "MS", "0", 0, 10000,
                  "Between the hand and what is shown, rounded to frames, up to 63 of them."),
    VECTOR_OPTION("real", "MM,DEG,MS", 3, NULL, 0, 0,
                  "What stands is real and tracked: error of position and turn on each axis, and delay."),
};

static const example examples[] = {
    {.line = "fureai assist A --mode 3", .does = "Places a cube on another with the aid, ten times by five subjects."},
    {.line = "fureai assist B --mode 1 --protocol efficiency --limit 2",
     .does = "Without the aid, until the vertices are off by less than 2 mm."},
    {.line = "fureai --json assist snail --mode 5 --log hand.csv --sound hand.wav",
     .does = "A toy snail, as a document; the events as a table, the first trial as sound."},
    {.line = "fureai assist B --real 1,0.3,30", .does = "Onto real cubes that a tracker follows."},
};

const command command_assist = {
    .name = "assist",
    .summary = "places blocks by a simulated hand, with the manipulation aid or without",
    .description = "Repeats the tasks of Kitamura's chapter 6: how exactly and how fast blocks are placed when faces "
                   "that meet hold "
                   "them, and when nothing does. Errors are sums over the vertices that are to coincide, and over "
                   "azimuth, elevation "
                   "and roll; after each mean stands the deviation of single trials.\n\n"
                   "The hand is a model that was fitted to the source's time gains: its times are no evidence. What it "
                   "meets is not "
                   "a model: faces and aid are those of the library, frame by frame.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
