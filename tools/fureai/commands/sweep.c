// The command sweep: goes through all steps of a scene.
#include "commands.h"
#include "scene_file.h"
#include "step_report.h"
#include "tool.h"

// ---------------------------------------------------------------------------------------------------------------
// Files beside the result

// Both are closed where they were not wanted.
typedef struct sweep_files {
    fr_output_file record, table;
} sweep_files;

static void write_record(const void *bytes, size_t size, void *context) { fr_output_file_write(context, bytes, size); }

static fr_status open_file(const tool *t, const char *name, fr_output_file *file, fr_error *error) {
    const char *path = options_string(&t->options, name);
    return path != NULL ? output_file_open(file, path, error) : FR_OK;
}

static exit_status open_files(tool *t, sweep_files *files) {
    fr_error error = {0};
    if (!tool_writes(t)) { return EXIT_STATUS_DONE; }
    fr_status status = open_file(t, "record", &files->record, &error);
    if (status == FR_OK) { status = open_file(t, "csv", &files->table, &error); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static fr_status commit_files(sweep_files *files, fr_world *world, fr_error *error) {
    fr_status status = FR_OK;
    if (files->record.is_open) {
        status = fr_world_record(world, NULL, NULL, error);
        if (status == FR_OK) { status = fr_output_file_commit(&files->record, error); }
    }
    if (status == FR_OK && files->table.is_open) { status = fr_output_file_commit(&files->table, error); }
    return status;
}

static void discard_files(sweep_files *files) {
    fr_output_file_discard(&files->record);
    fr_output_file_discard(&files->table);
}

// ---------------------------------------------------------------------------------------------------------------
// The steps

// The instant t_0 is a tick for which time stands still; each further one takes a step. Whoever stops it gets a part.
static fr_status sweep(tool *t, fr_world *world, uint64_t steps, step_report *report, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    const fr_control control = {.stop = t->control.stop, .user = t->control.user};
    fr_tick_input input = fr_default_tick_input();
    input.tasks = &tasks;
    input.control = &control;
    input.exchange = t->exchange;
    input.is_paused = true;
    for (uint64_t k = 0; k <= steps && status == FR_OK && !report->is_partial; k++) {
        fr_control_progress(&t->control, (double)k / (double)(steps + 1), "steps");
        status = fr_world_tick(world, &input, error);
        bool is_reported = status == FR_OK && step_report_add(report, world);
        // Ranks agree on a stop in the queries of a tick.
        bool is_stopped = t->exchange == NULL && k < steps && fr_control_is_stopped(&control);
        report->is_partial |= is_reported && is_stopped;
        input.is_paused = false;
    }
    return status;
}

static exit_status run_world(tool *t, scene_world *shown, sweep_files *files) {
    fr_error error = {0};
    uint64_t steps = fr_scene_get(shown->scene)->steps;
    if (options_given(&t->options, "steps")) { steps = (uint64_t)options_int(&t->options, "steps"); }
    fr_status status = FR_OK;
    if (files->record.is_open) { status = fr_world_record(shown->world, write_record, &files->record, &error); }
    step_report report = {0};
    fr_output_file *table = files->table.is_open ? &files->table : NULL;
    if (status == FR_OK) { status = step_report_begin(t, table, &report, &error); }
    if (status == FR_OK) { status = sweep(t, shown->world, steps, &report, &error); }
    if (status == FR_OK) { status = step_report_end(&report, shown->world, &error); }
    bool is_partial = report.is_partial;
    if (status == FR_OK && !is_partial) { status = commit_files(files, shown->world, &error); }
    step_report_free(&report);
    if (status != FR_OK) { return tool_failed(t, &error); }
    return is_partial ? tool_stopped(t) : EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    sweep_files files = {0};
    exit_status status = open_files(t, &files);
    scene_world shown;
    fr_error error = {0};
    fr_sense sense = options_flag(&t->options, "static") ? FR_SENSE_STATIC : FR_SENSE_CONTINUOUS;
    if (status != EXIT_STATUS_DONE) {
        discard_files(&files);
        return status;
    }
    if (scene_world_open(t, t->arguments[0], sense, FR_WANT_INTERVALS, &shown, &error) == FR_OK) {
        status = run_world(t, &shown, &files);
        scene_world_close(&shown);
    } else {
        status = tool_bad_input(t, &error);
    }
    discard_files(&files);
    return status;
}

static const argument arguments[] = {{.name = "SCENE", .help = "The scene file (docs/scene.md)."}};

static const option options_table[] = {
    INT_OPTION("steps", "N", NULL, 0, FR_SCENE_STEPS_MAX,
               "Take N steps, in place of as many as the scene has; more only make sense for one that loops."),
    EACH_STEP_OPTION,
    FLAG_OPTION("static", "Look at the instants at which steps begin and end alone: faster, and blind between them."),
    OUTPUT_OPTION("csv", "FILE", "Also write the contacts of faces as a table, a line each."),
    OUTPUT_OPTION("record", "FILE", "Keep a record of the world for fureai replay."),
};

static const example examples[] = {
    {.line = "fureai sweep test/scenes/kitamura_table_2.1.json",
     .does = "When do the eight spheres of the thesis meet?"},
    {.line = "fureai sweep demos/door.json --each-step", .does = "What begins and ends in each step?"},
    {.line = "fureai --json sweep demos/door.json", .does = "From when to when is each pair of faces in contact?"},
    {.line = "fureai sweep demos/gears.json --csv gears.csv", .does = "The same as a table."},
    {.line = "fureai sweep demos/gears.json --record gears.record && fureai replay gears.record",
     .does = "Twice the same, bit for bit."},
};

const command command_sweep = {
    .name = "sweep",
    .summary = "goes through all steps of a scene and reports what collides when",
    .description =
        "Lets the world of a scene live from its first instant to its last: objects move, joints carry their children, "
        "and every pair of faces that comes together is found, also between two instants. A summary is printed: which "
        "objects touch, from when to when and how often; with --each-step a line for each step in which objects "
        "touch.\n\n"
        "The document and the table have an event for each contact of two faces: from when to when, in seconds of the "
        "scene. A contact that lasts over many steps is one event. Begins are never late, ends never early; a contact "
        "that lasts at the end has no end.\n\n"
        "Ctrl-C ends it with status 1: what was found so far is reported, and that it is a part. Files are written "
        "only "
        "when all was reported.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
