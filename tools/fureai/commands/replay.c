// The command replay: does a record of a world again and compares.
#include "commands.h"
#include "step_report.h"
#include "tool.h"

// What a budget cut short is left out, and the report is a part.
static bool report_tick(fr_world *world, void *context) {
    (void)step_report_add(context, world);
    return true;
}

static exit_status replay(tool *t, fr_world *world, const fr_input_file *file) {
    fr_error error = {0};
    fr_tasks tasks;
    step_report report;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    if (step_report_begin(t, NULL, &report, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_replay_input how = {.tasks = &tasks, .control = &t->control, .ticked = report_tick, .context = &report};
    fr_status status = fr_world_replay(world, file->data, file->size, &how, &error);
    report.is_partial |= status == FR_ERROR_STOPPED;
    bool is_reported = status == FR_OK || status == FR_ERROR_STOPPED;
    if (is_reported) {
        status = step_report_end(&report, world, &error);
    } else {
        fr_error_locate(&error, t->arguments[0], 0, 0);
    }
    bool is_partial = report.is_partial;
    step_report_free(&report);
    if (status != FR_OK) { return is_reported ? tool_failed(t, &error) : tool_bad_input(t, &error); }
    return is_partial ? tool_stopped(t) : EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    fr_input_file file;
    fr_error error = {0};
    if (tool_read(t, t->arguments[0], 0, &file, &error) != FR_OK) { return tool_bad_input(t, &error); }
    fr_world_def def = fr_default_world_def();
    fr_world *world;
    exit_status status = EXIT_STATUS_DONE;
    if (fr_world_create(&def, &world, &error) == FR_OK) {
        status = replay(t, world, &file);
        fr_world_destroy(world);
    } else {
        status = tool_failed(t, &error);
    }
    fr_input_file_destroy(&file);
    return status;
}

static const argument arguments[] = {{.name = "FILE", .help = "A record that fureai sweep --record wrote."}};

static const option options_table[] = {EACH_STEP_OPTION};

static const example examples[] = {
    {.line = "fureai replay gears.record", .does = "The same world once more, on this machine."},
};

const command command_replay = {
    .name = "replay",
    .summary = "lets a recorded world live once more",
    .description =
        "Does all that was done to a recorded world, senses again after each step, and compares each instant "
        "with the recorded one: a difference ends it with status 3.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
