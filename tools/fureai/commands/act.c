// The command act: people carry out a script.
#include "commands.h"
#include "output_file.h"
#include "scene_file.h"

#include "fureai/act_director.h"
#include "fureai/act_script.h"
#include "fureai/human_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

typedef struct act {
    fr_script *script;
    scene_world scene;
    fr_cast *cast;
    fr_director *director;
    fr_script_run run;
} act;

static void act_close(act *a) {
    fr_script_run_destroy(&a->run);
    fr_cast_destroy(a->cast);
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

static fr_status act_open(tool *t, const char *path, act *a, fr_error *error) {
    char scene[PATH_BYTES];
    fr_status status = script_file_read(t, path, &a->script, error);
    if (status == FR_OK) { status = find_scene(t, a, path, scene, error); }
    if (status == FR_OK) { status = scene_world_open(t, scene, FR_SENSE_STATIC, FR_WANT_CONTACTS, &a->scene, error); }
    if (status == FR_OK) { status = fr_scene_cast(a->scene.scene, a->scene.world, NULL, &a->cast, error); }
    if (status != FR_OK) { return status; }
    fr_director_def def = fr_default_director_def();
    def.cast = a->cast;
    def.library = fr_library_finder_library(a->scene.finder);
    status = fr_director_create_for_scene(&def, a->scene.scene, &a->director, error);
    if (status != FR_OK || a->director != NULL) { return status; }
    fr_error_set(error, FR_ERROR_ARGUMENT, "the scene has no people without tasks of their own");
    fr_error_locate(error, scene, 1, 1);
    return FR_ERROR_ARGUMENT;
}

// ---------------------------------------------------------------------------------------------------------------
// Carrying out

typedef struct act_progress {
    tool *tool;
    uint32_t count;
} act_progress;

static fr_status show_progress(uint32_t over, void *user, fr_error *error) {
    const act_progress *p = user;
    fr_control_progress(&p->tool->control, (double)over / (double)p->count, "commands");
    if (!fr_control_is_stopped(&p->tool->control)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_STOPPED, "stopped");
}

static fr_status carry_out(tool *t, act *a, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    if (status != FR_OK) { return status; }
    fr_tick_input tick = fr_default_tick_input();
    tick.tasks = &tasks;
    tick.control = &t->control;
    act_progress shown = {t, fr_script_get(a->script)->step_count + 1};
    fr_script_run_input input = fr_default_script_run_input();
    input.script = a->script;
    input.cast = a->cast;
    input.tick = &tick;
    input.max_ticks = (uint64_t)options_int(&t->options, "ticks");
    if (options_string(&t->options, "out") != NULL) {
        input.recorded = fr_person_performer(fr_director_get(a->director, 0).person);
    }
    input.after = show_progress;
    input.user = &shown;
    return fr_script_carry_out(&input, &a->run, error);
}

static bool put(const char *bytes, size_t size, void *context) { return fr_output_file_write(context, bytes, size); }

static bool is_bvh(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".bvh") == 0;
}

// The motion of the first person.
static fr_status write_motion(const tool *t, const act *a, fr_error *error) {
    const char *path = options_string(&t->options, "out");
    if (path == NULL || a->run.clip == NULL) { return FR_OK; }
    fr_output_file file;
    fr_status status = output_file_open(&file, path, error);
    if (status != FR_OK) { return status; }
    const fr_skeleton *skeleton =
        fr_performer_get(fr_person_performer(fr_director_get(a->director, 0).person)).skeleton;
    status = is_bvh(path) ? fr_bvh_write(skeleton, a->run.clip, 100.0, put, &file, error)
                          : fr_ahmc_write(a->run.clip, true, put, &file, error);
    if (status == FR_OK) { return fr_output_file_commit(&file, error); }
    fr_output_file_discard(&file);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The report

static void write_document(fr_json_writer *j, const act *a, double rate) {
    fr_json_write_object(j);
    json_fields(j, "frames", a->run.ticks, "fps", rate, "done", a->run.done_count, "count", a->run.result_count);
    fr_json_write_key(j, "steps");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < a->run.result_count; i++) {
        const fr_script_result *result = &a->run.results[i];
        const fr_script_step *step = &fr_script_get(a->script)->steps[result->step];
        fr_json_write_object(j);
        json_fields(j, "human", step->person, "motion", step->motion, "object", step->object, "done", result->is_done,
                    "reason", result->reason, "begin", result->begin, "end", result->end);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static void report(tool *t, const act *a) {
    double step = fr_world_step(a->scene.world);
    for (uint32_t i = 0; i < a->run.result_count; i++) {
        const fr_script_result *result = &a->run.results[i];
        const fr_script_step *said = &fr_script_get(a->script)->steps[result->step];
        tool_print(t, "%8.2f s  ", (double)result->end * step);
        tool_print_name(t, said->motion);
        if (said->object[0] != '\0') {
            tool_print(t, " with ");
            tool_print_name(t, said->object);
        }
        tool_print(t, result->is_done ? ": done\n" : ": %s\n", result->reason);
    }
    tool_print(t, "%u of %u commands done in %llu frames\n", a->run.done_count, a->run.result_count,
               (unsigned long long)a->run.ticks);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, a, 1.0 / step); }
}

static exit_status run(tool *t) {
    const char *out = options_string(&t->options, "out");
    if (out != NULL && !is_bvh(out) && strstr(out, ".ahmc") == NULL) {
        return tool_wrong_usage(t, "%s ends neither in .bvh nor in .ahmc", out);
    }
    act a;
    memset(&a, 0, sizeof a);
    fr_error error = {0};
    exit_status result = EXIT_STATUS_DONE;
    if (act_open(t, t->arguments[0], &a, &error) != FR_OK) {
        result = tool_bad_input(t, &error);
    } else if (carry_out(t, &a, &error) != FR_OK || write_motion(t, &a, &error) != FR_OK) {
        result = tool_failed(t, &error);
    } else {
        report(t, &a);
        bool is_all_done = a.run.done_count == a.run.result_count;
        if (options_flag(&t->options, "check") && !is_all_done) { result = EXIT_STATUS_CLASH; }
    }
    act_close(&a);
    return result;
}

static const argument arguments[] = {
    {.name = "SCRIPT", .help = "The script file (docs/act.md): a scene, and what its people do."},
};

static const option options_table[] = {
    STRING_OPTION("scene", "FILE", NULL, "The scene, in place of the one that the script names."),
    INT_OPTION("ticks", "N", "1000000", 1, 1000000000.0, "Give up what is not over after so many steps of the world."),
    FLAG_OPTION("check", "Status 4 unless all commands are done."),
    OUTPUT_OPTION("out", "FILE", "Also write the motion of the first person, .bvh (in centimetres) or .ahmc."),
};

static const example examples[] = {
    {.line = "fureai act scenario.json", .does = "People of a scene carry out a script, and each command is reported."},
    {.line = "fureai act scenario.json --out scenario.bvh", .does = "Also writes how the first person moved."},
};

const command command_act = {
    .name = "act",
    .summary = "lets the people of a scene carry out a script",
    .description = "A script gives commands: which person does which motion with which object. What a motion is, the "
                   "class of the object says (fureai objects). Commands for one person follow one another.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
