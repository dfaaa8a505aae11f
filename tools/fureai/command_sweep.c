#include "commands.h"
#include "scene_file.h"
#include "step_report.h"
#include "tool.h"

// ---------------------------------------------------------------------------------------------------------------
// The record

static void write_record(const void *bytes, size_t size, void *context) { output_file_write(context, bytes, size); }

static exit_status open_record(tool *t, output_file *file) {
    const char *path = options_string(&t->options, "record");
    fr_error error = {0};
    if (path == NULL) { return EXIT_STATUS_DONE; }
    return output_file_open(file, path, &error) == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The steps

// The instant t_0 is a tick for which time stands still; each further one takes a step.
static fr_status sweep(tool *t, fr_world *world, uint64_t steps, step_report *report, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    const fr_control control = {.stop = t->control.stop, .user = t->control.user};
    fr_tick_input input = fr_default_tick_input();
    input.tasks = &tasks;
    input.control = &control;
    input.is_paused = true;
    for (uint64_t k = 0; k <= steps && status == FR_OK; k++) {
        fr_control_progress(&t->control, (double)k / (double)(steps + 1), "steps");
        status = fr_world_tick(world, &input, error);
        if (status == FR_OK && fr_control_stop(&control)) {
            tool_print(t, "stopped before step %llu of %llu: what is told is a part\n", (unsigned long long)k,
                       (unsigned long long)steps);
            return fr_error_set(error, FR_ERROR_STOPPED, "stopped");
        }
        if (status == FR_OK) { step_report_tell(report, world); }
        input.is_paused = false;
    }
    return status;
}

static exit_status run_world(tool *t, scene_world *shown, output_file *record) {
    fr_error error = {0};
    uint64_t steps = fr_scene_get(shown->scene)->steps;
    if (options_given(&t->options, "steps")) { steps = (uint64_t)options_int(&t->options, "steps"); }
    fr_status status = FR_OK;
    if (record->stream != NULL) { status = fr_world_record(shown->world, write_record, record, &error); }
    step_report report = step_report_begin(t);
    if (status == FR_OK) { status = sweep(t, shown->world, steps, &report, &error); }
    if (status == FR_OK && record->stream != NULL) {
        status = fr_world_record(shown->world, NULL, NULL, &error);
        if (status == FR_OK) { status = output_file_commit(record, &error); }
    }
    if (status != FR_OK) { return tool_failed(t, &error); }
    step_report_end(&report);
    return EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    output_file record = {0};
    exit_status status = open_record(t, &record);
    if (status != EXIT_STATUS_DONE) { return status; }
    scene_world shown;
    fr_error error = {0};
    if (scene_world_open(t, t->arguments[0], &shown, &error) == FR_OK) {
        status = run_world(t, &shown, &record);
        scene_world_close(&shown);
    } else {
        status = tool_bad_input(t, &error);
    }
    output_file_discard(&record);
    return status;
}

static const argument arguments[] = {{.name = "SCENE", .help = "The scene file (docs/scene.md)."}};

static const option options_table[] = {
    {.name = "steps",
     .kind = OPTION_INT,
     .metavar = "N",
     .help = "Take N steps, in place of as many as the scene has; more only make sense for one that loops.",
     .low = 0,
     .high = FR_SCENE_STEPS_MAX},
    SENSE_OPTION,
    {.name = "record",
     .kind = OPTION_STRING,
     .metavar = "FILE",
     .help = "Keep a record of the world for fureai replay.",
     .is_output = true},
};

static const example examples[] = {
    {.line = "fureai sweep kitamura_table_2.1.json", .does = "When do the eight spheres of the thesis meet?"},
    {.line = "fureai sweep demos/gears.json --sense continuous", .does = "From when to when do teeth touch?"},
    {.line = "fureai --json sweep demos/door.json", .does = "The pairs of faces and the events of every step."},
    {.line = "fureai sweep demos/gears.json --record gears.record && fureai replay gears.record",
     .does = "Twice the same, bit for bit."},
};

const command command_sweep = {
    .name = "sweep",
    .summary = "goes through all steps of a scene and tells what collides",
    .description = "Lets the world of a scene live from its first instant to its last: objects move, joints carry "
                   "their children, and after each step every pair of colliding faces is found. A line is printed for "
                   "each instant at which objects touch, with those that begin to and those that end.\n\n"
                   "What collides between two instants alone is seen with --sense continuous, and told with its times.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
