// The command act: people carry out a script, or what is said in a dialog.
#include "act_link.h"
#include "act_study.h"
#include "act_talk.h"
#include "commands.h"
#include "model_file.h"
#include "motion_file.h"
#include "scene_file.h"

#include "fureai/act_director.h"
#include "fureai/act_script.h"
#include "fureai/scene_recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

typedef struct act {
    fr_script *script;
    scene_world scene;
    fr_cast *cast;
    fr_director *director;
    fr_plug_ins *plug_ins; // of --algorithms
    act_link *link;        // of --connect
    fr_script_run run;
    fr_recording *recording; // of all that is shown; NULL: none is wanted
    fr_study *study;         // of --study; NULL: none is wanted
} act;

static void act_close(act *a) {
    fr_recording_destroy(a->recording);
    fr_study_destroy(a->study);
    act_link_close(a->link);
    fr_script_run_destroy(&a->run);
    fr_cast_destroy(a->cast);
    fr_plug_ins_destroy(a->plug_ins);
    scene_world_close(&a->scene);
    fr_script_destroy(a->script);
}

// ---------------------------------------------------------------------------------------------------------------
// Opening

// The scene of the option, else the one that the script names, from the script's folder.
static fr_status find_scene(const tool *t, const act *a, const char *script, char out[PATH_BYTES], fr_error *error) {
    const char *given = options_string(&t->options, "scene"), *named = fr_script_get(a->script)->scene;
    const char *slash = given == NULL && named[0] != '/' ? strrchr(script, '/') : NULL;
    int folder = slash != NULL ? (int)(slash - script) + 1 : 0;
    if (given == NULL && named[0] == '\0') {
        fr_error_set(error, FR_ERROR_ARGUMENT, "the script names no 'scene'; give one with --scene");
        fr_error_locate(error, script, 1, 1);
        return FR_ERROR_ARGUMENT;
    }
    int written = snprintf(out, PATH_BYTES, "%.*s%s", folder, script, given != NULL ? given : named);
    return written < PATH_BYTES ? FR_OK : fr_error_set(error, FR_ERROR_LIMIT, "the path of the scene is too long");
}

static fr_status act_open(tool *t, const char *path, const fr_body_def *body, act *a, fr_error *error) {
    char scene[PATH_BYTES];
    fr_status status = script_file_read(t, path, &a->script, error);
    if (status == FR_OK) { status = find_scene(t, a, path, scene, error); }
    if (status == FR_OK) {
        status = scene_world_open_as(t, scene, body, FR_SENSE_STATIC, FR_WANT_CONTACTS, &a->scene, error);
    }
    if (status == FR_OK) { status = fr_scene_cast(a->scene.scene, a->scene.world, NULL, &a->cast, error); }
    if (status != FR_OK) { return status; }
    fr_director_def def = fr_default_director_def();
    def.cast = a->cast;
    def.library = fr_library_finder_library(a->scene.finder);
    status = plug_ins_open(t, &a->plug_ins, error);
    if (status != FR_OK) { return status; }
    def.plug_ins = a->plug_ins;
    def.has_surfaces = true;
    def.is_lockstep = options_string(&t->options, "connect") == NULL;
    status = fr_director_create_for_scene(&def, a->scene.scene, &a->director, error);
    if (status != FR_OK || a->director != NULL) { return status; }
    fr_error_set(error, FR_ERROR_ARGUMENT, "the scene has no people without tasks of their own");
    fr_error_locate(error, scene, 1, 1);
    return FR_ERROR_ARGUMENT;
}

// The served world of --connect, in which the script is carried out.
static fr_status act_connect(tool *t, act *a, fr_error *error) {
    if (options_string(&t->options, "connect") == NULL) { return FR_OK; }
    const fr_replica_def replica = {.cast = a->cast, .director = a->director, .script = a->script};
    return act_link_open(t, &replica, &a->link, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Carrying out

typedef struct act_progress {
    tool *tool;
    act_link *link;
    uint32_t count;
    fr_recording *recording;
    fr_study *study;
} act_progress;

static fr_status show_progress(uint32_t over, void *user, fr_error *error) {
    const act_progress *p = user;
    fr_control_progress(&p->tool->control, (double)over / (double)p->count, "commands");
    if (fr_control_is_stopped(&p->tool->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    fr_status status = p->recording != NULL ? fr_recording_take(p->recording, error) : FR_OK;
    if (status == FR_OK && p->study != NULL) { status = fr_study_take(p->study, error); }
    if (status != FR_OK || p->link == NULL) { return status; }
    return act_link_exchange(p->link, &p->tool->control, error);
}

// Begins to record all that is shown, where a model is wanted.
static fr_status begin_recording(act *a, fr_error *error) {
    fr_recording_def def = fr_default_recording_def();
    def.world = a->scene.world;
    def.looks = fr_scene_player_looks(a->scene.player);
    fr_status status = fr_recording_create(&def, &a->recording, error);
    return status == FR_OK ? fr_recording_take(a->recording, error) : status;
}

// Begins the study; the clearances of other bodies than the scene's own are not looked at.
static fr_status begin_study(const tool *t, act *a, bool is_trial, fr_error *error) {
    if (!act_study_is_wanted(t)) { return FR_OK; }
    fr_study_def def = fr_default_study_def();
    def.director = a->director;
    def.has_no_clearance = is_trial;
    return fr_study_create(&def, &a->study, error);
}

static fr_status carry_out(tool *t, act *a, bool is_trial, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    if (status != FR_OK) { return status; }
    fr_tick_input tick = fr_default_tick_input();
    tick.tasks = &tasks;
    tick.control = &t->control;
    const char *out = is_trial ? NULL : options_string(&t->options, "out");
    if (out != NULL && path_ends_with(out, ".glb")) { status = begin_recording(a, error); }
    if (status == FR_OK) { status = begin_study(t, a, is_trial, error); }
    if (status != FR_OK) { return status; }
    act_progress shown = {t, a->link, fr_script_get(a->script)->step_count + 1, a->recording, a->study};
    fr_script_run_input input = fr_default_script_run_input();
    input.script = a->script;
    input.cast = a->cast;
    input.tick = &tick;
    input.max_ticks = (uint64_t)options_int(&t->options, "ticks");
    if (out != NULL && a->recording == NULL) {
        input.recorded = fr_person_performer(fr_director_get(a->director, 0).person);
    }
    input.after = show_progress;
    input.user = &shown;
    return fr_script_carry_out(&input, &a->run, error);
}

// All that is shown, with its motion.
static exit_status write_model(tool *t, const act *a, const char *path) {
    fr_model *model = NULL;
    fr_error error = {0};
    if (fr_recording_model(a->recording, &model, &error) != FR_OK) { return tool_failed(t, &error); }
    exit_status status = model_file_write(t, model, FR_MODEL_GLB, path);
    fr_model_destroy(model);
    return status;
}

// The motion of the first person.
static fr_status write_motion(const tool *t, const act *a, fr_error *error) {
    const char *path = options_string(&t->options, "out");
    if (path == NULL || a->run.clip == NULL) { return FR_OK; }
    const fr_skeleton *skeleton =
        fr_performer_get(fr_person_performer(fr_director_get(a->director, 0).person)).skeleton;
    return motion_file_write(skeleton, a->run.clip, true, path, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The report

// What a goal says is to be so; NULL: the command is none.
static const char *want_of(const fr_script_step *step) {
    bool is_goal = strcmp(step->motion, FR_DIRECTOR_GOAL) == 0 && step->command.parameter_count == 1;
    return is_goal ? step->command.parameters[0].value : NULL;
}

static void write_document(fr_json_writer *j, const act *a, double rate, const act_study *study) {
    fr_json_write_object(j);
    json_fields(j, "frames", a->run.ticks, "fps", rate, "done", a->run.done_count, "count", a->run.result_count);
    if (a->link != NULL) { json_fields(j, "updates", act_link_updates(a->link)); }
    fr_json_write_key(j, "steps");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < a->run.result_count; i++) {
        const fr_script_result *result = &a->run.results[i];
        const fr_script_step *step = &fr_script_get(a->script)->steps[result->step];
        fr_json_write_object(j);
        json_fields(j, "human", step->person, "motion", step->motion, "object", step->object, "done", result->is_done,
                    "reason", result->reason, "begin", result->begin, "end", result->end);
        if (want_of(step) != NULL) { json_fields(j, "want", want_of(step)); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    if (a->study != NULL) { act_study_write(j, study, a->study, a->director, a->scene.world); }
    fr_json_write_object_end(j);
}

static void report(tool *t, const act *a, const act_study *study) {
    double step = fr_world_step(a->scene.world);
    for (uint32_t i = 0; i < a->run.result_count; i++) {
        const fr_script_result *result = &a->run.results[i];
        const fr_script_step *said = &fr_script_get(a->script)->steps[result->step];
        tool_print(t, "%8.2f s  ", (double)result->end * step);
        tool_print_name(t, want_of(said) != NULL ? want_of(said) : said->motion);
        if (said->object[0] != '\0') {
            tool_print(t, " with ");
            tool_print_name(t, said->object);
        }
        tool_print(t, result->is_done ? ": done\n" : ": %s\n", result->reason);
    }
    tool_print(t, "%u of %u commands done in %llu frames\n", a->run.done_count, a->run.result_count,
               (unsigned long long)a->run.ticks);
    if (a->study != NULL) { act_study_print(t, study, a->study, a->director, a->scene.world); }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, a, 1.0 / step, study); }
}

// ---------------------------------------------------------------------------------------------------------------
// Other bodies

// Carries the script out with a body of the survey, and notes how far it came.
static fr_status try_body(tool *t, act_trial *trial, fr_error *error) {
    act a;
    memset(&a, 0, sizeof a);
    fr_body_def body;
    fr_status status = fr_survey_body(trial->sex, trial->percentile, &body, error);
    trial->stature = body.stature;
    if (status == FR_OK) { status = act_open(t, t->arguments[0], &body, &a, error); }
    if (status == FR_OK) { status = carry_out(t, &a, true, error); }
    if (status == FR_OK) { act_trial_note(trial, a.script, &a.run, a.study); }
    act_close(&a);
    return status;
}

// With each sex and percentile that the options name. `connect` has one world, which is not tried again.
static fr_status try_bodies(tool *t, act_study *study, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < study->trial_count && status == FR_OK; i++) {
        status = try_body(t, &study->trials[i], error);
    }
    return status;
}

static exit_status run(tool *t) {
    bool is_lines = options_flag(&t->options, "lines"), is_dialog = options_flag(&t->options, "dialog");
    if (is_lines + is_dialog + t->argument_count != 1) {
        return tool_wrong_usage(t, "give a SCRIPT, --dialog or --lines, one of them");
    }
    if (t->argument_count == 0) { return act_talk(t, is_lines); }
    const char *out = options_string(&t->options, "out");
    exit_status result = EXIT_STATUS_DONE;
    if (out != NULL && !motion_file_is_written(t, out, &result)) { return result; }
    act_study study;
    result = act_study_begin(t, &study);
    if (result != EXIT_STATUS_DONE) { return result; }
    act a;
    memset(&a, 0, sizeof a);
    fr_error error = {0};
    if (act_open(t, t->arguments[0], NULL, &a, &error) != FR_OK) {
        result = tool_bad_input(t, &error);
    } else if (act_connect(t, &a, &error) != FR_OK || carry_out(t, &a, false, &error) != FR_OK ||
               write_motion(t, &a, &error) != FR_OK || try_bodies(t, &study, &error) != FR_OK) {
        result = tool_failed(t, &error);
    } else if (a.recording != NULL) {
        result = write_model(t, &a, out);
    }
    if (result == EXIT_STATUS_DONE) { result = act_study_finish(t, &study, a.study); }
    if (result == EXIT_STATUS_DONE) {
        report(t, &a, &study);
        bool is_all_done = a.run.done_count == a.run.result_count;
        if (options_flag(&t->options, "check") && !is_all_done) { result = EXIT_STATUS_CLASH; }
    }
    act_study_end(&study);
    act_close(&a);
    return result;
}

static const argument arguments[] = {
    {.name = "SCRIPT", .help = "The script file (docs/act.md): a scene, and what its people do.", .optional = true},
};

static const option options_table[] = {
    STRING_OPTION("scene", "FILE", NULL,
                  "The scene, in place of the one that the script names; in a dialog the demo room unless given."),
    FLAG_OPTION("dialog", "Ask step by step what the people are to do, and what is added."),
    FLAG_OPTION("lines", "Take commands as lines of JSON from standard input, and reply to each by a line."),
    INT_OPTION("ticks", "N", "1000000", 1, 1000000000.0, "Give up what is not over after so many steps of the world."),
    ALGORITHMS_OPTION,
    STRING_OPTION("connect", "URL", NULL,
                  "Move the people of the script in the world that fureai serve shows at ws://HOST:PORT, or "
                  "wss://HOST:PORT over TLS."),
    STRING_OPTION("token", "FILE", NULL, "Show the server the token of this file."),
    STRING_OPTION("authority", "FILE", NULL,
                  "Trust servers whose certificate one of this file signed, in place of those the system trusts."),
    NUMBER_OPTION("patience", "SECONDS", "0", 0.0, 3600.0, "Try a server again for so long that is gone or not there."),
    FLAG_OPTION("check", "Status 4 unless all commands are done."),
    OUTPUT_OPTION("out", "FILE",
                  "Also write the motion of the first person, .bvh (in centimetres) or .ahmc, or .glb: "
                  "all people and objects as a model that moves."),
    FLAG_OPTION("study",
                "Work study (docs/study.md): RULA and REBA scores of all postures, loads, clearances, and how far "
                "the hands reach. The three options below ask for it too."),
    OUTPUT_OPTION("csv", "FILE", "Also write the study as a table, a line for each person ten times a second."),
    STRING_OPTION("percentiles", "P,P..", NULL,
                  "Carry the script out by women and men of these percentiles (1 to 99) of a published survey, and say "
                  "who cannot, and why."),
    OUTPUT_OPTION("picture", "FILE", "Also draw the study, as SVG or PNG by the file's suffix."),
    STRING_OPTION("picture-size", "WxH", "1200x900", "Pixels of the picture, from 64 to 8192 a side."),
    VECTOR_OPTION("view", "X,Y,Z", 3, "0,0,1", 0, 0, "Look at the picture from this direction; Y is up."),
    FLAG_OPTION("perspective", "Draw far things of the picture smaller."),
};

static const example examples[] = {
    {.line = "fureai act scenario.json", .does = "People of a scene carry out a script, and each command is reported."},
    {.line = "fureai act scenario.json --connect ws://127.0.0.1:8420",
     .does = "The same in a served world, where others see it; several at once move people of their own."},
    {.line = "fureai act goal.json",
     .does = "A script with goals ({\"want\": \"cup on table\"}): how they are reached is searched."},
    {.line = "fureai act scenario.json --out scenario.bvh", .does = "Also writes how the first person moved."},
    {.line = "fureai act scenario.json --out scenario.glb", .does = "Writes the whole scene as an animation of glTF."},
    {.line = "fureai act scenario.json --study --percentiles 5,50,95 --picture study.png",
     .does = "Scores the postures of the work, and says who of the small and the tall can do it."},
    {.line = "fureai act --dialog", .does = "Asks what the person of the demo room is to do."},
};

const command command_act = {
    .name = "act",
    .summary = "lets the people of a scene carry out a script",
    .description = "A script gives commands: which person does which motion with which object. What a motion is, the "
                   "class of the object says (fureai objects). Commands for one person follow one another. A goal says "
                   "what is to be so instead, and the motions for it are searched.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
