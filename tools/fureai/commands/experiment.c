// The command experiment: repeats a source's table or figure.
#include "experiment.h"
#include "commands.h"
#include "folder.h"
#include "picture_request.h"
#include "tool.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Which there are

static exit_status list_experiments(tool *t) {
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_key(j, "experiments");
        fr_json_write_array(j);
    }
    for (size_t i = 0; i < experiment_count; i++) {
        const experiment *e = experiments[i];
        bool has_picture = experiment_picture(e) != NULL;
        tool_print(t, "%-20s %s: %s%s\n", e->name, e->source, e->about, has_picture ? " [picture]" : "");
        if (j == NULL) { continue; }
        fr_json_write_object(j);
        json_fields(j, "name", e->name, "source", e->source, "about", e->about, "picture", has_picture);
        fr_json_write_object_end(j);
    }
    if (j != NULL) {
        fr_json_write_array_end(j);
        fr_json_write_object_end(j);
    }
    return EXIT_STATUS_DONE;
}

static exit_status refuse_name(tool *t, const char *name) {
    fr_suggestion meant = fr_suggestion_begin(name);
    for (size_t i = 0; i < experiment_count; i++) {
        fr_suggestion_offer(&meant, experiments[i]->name);
    }
    if (meant.best != NULL) { return tool_wrong_usage(t, "no experiment %s; %s is one", name, meant.best); }
    return tool_wrong_usage(t, "no experiment %s; fureai experiment lists them", name);
}

// ---------------------------------------------------------------------------------------------------------------
// What came out

// A number in a column of the table, up to four digits that count; "-" where there is none.
static const char *in_column(double value, char text[32]) {
    if (isnan(value)) { return "-"; }
    double size = fabs(value);
    snprintf(text, 32, value == floor(value) && size < 1e9 ? "%.0f" : size < 0.01 ? "%.3g" : "%.4g", value);
    return text;
}

static void print_table(tool *t, const experiment *e, const experiment_run *run) {
    const experiment_row *rows = run->rows.data;
    int columns = 0;
    for (size_t i = 0; i < run->rows.count; i++) {
        int length = (int)strlen(rows[i].label);
        columns = length > columns ? length : columns;
    }
    tool_print(t, "%s, %s\n%s\nsample: %s\n\n", e->name, e->source, e->about, run->sample);
    tool_print(t, "%-*s %10s %10s %8s  %-8s %9s\n", columns, "label", "printed", "measured", "+-", "unit", "speed-up");
    for (size_t i = 0; i < run->rows.count; i++) {
        char printed[32], measured[32], error[32], speedup[32];
        tool_print(t, "%-*s %10s %10s %8s  %-8s %9s\n", columns, rows[i].label, in_column(rows[i].printed, printed),
                   in_column(rows[i].measured, measured), in_column(rows[i].error, error), rows[i].unit,
                   in_column(rows[i].speedup, speedup));
    }
}

static void write_document(fr_json_writer *j, const experiment *e, const experiment_run *run) {
    fr_json_write_object(j);
    json_fields(j, "name", e->name, "source", e->source, "about", e->about, "sample", run->sample);
    fr_json_write_key(j, "rows");
    fr_json_write_array(j);
    const experiment_row *rows = run->rows.data;
    for (size_t i = 0; i < run->rows.count; i++) {
        fr_json_write_object(j);
        json_fields(j, "label", rows[i].label, "printed", rows[i].printed, "measured", rows[i].measured, "error",
                    rows[i].error, "unit", rows[i].unit, "speedup", rows[i].speedup);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

// Draws what the experiment is about into the picture that was requested.
static exit_status draw_picture(tool *t, const experiment *e, picture *p) {
    fr_error error = {0};
    fr_draw draw = picture_draw(p);
    if (p == NULL) { return EXIT_STATUS_DONE; }
    if (experiment_picture(e)(&draw, &error) != FR_OK) {
        picture_destroy(p);
        return tool_failed(t, &error);
    }
    return picture_request_end(t, p);
}

static exit_status run(tool *t) {
    if (t->argument_count == 0) { return list_experiments(t); }
    const experiment *e = experiment_find(t->arguments[0]);
    if (e == NULL) { return refuse_name(t, t->arguments[0]); }
    picture *image = NULL;
    if (experiment_picture(e) == NULL && options_string(&t->options, "picture") != NULL) {
        return tool_wrong_usage(t, "%s has no picture", e->name);
    }
    exit_status begun = picture_request_begin(t, e->about, &image);
    if (begun != EXIT_STATUS_DONE) { return begun; }
    fr_error error = {0};
    experiment_size size = options_flag(&t->options, "full") ? EXPERIMENT_FULL : EXPERIMENT_USUAL;
    experiment_run results = experiment_begin(size, t->threads, &t->control, &error);
    char objects[FOLDER_PATH_BYTES], algorithms[FOLDER_PATH_BYTES];
    results.objects = t->objects != NULL ? t->objects : folder_beside_program("objects", objects) ? objects : NULL;
    results.algorithms = folder_beside_program("../../libexec/fureai/algorithms", algorithms) ? algorithms : NULL;
    exit_status status = EXIT_STATUS_DONE;
    if (e->run(&results) != FR_OK) {
        status = tool_failed(t, &error);
        picture_destroy(image);
    } else {
        print_table(t, e, &results);
        fr_json_writer *j = tool_json(t);
        if (j != NULL) { write_document(j, e, &results); }
        status = draw_picture(t, e, image);
    }
    experiment_end(&results);
    return status;
}

static const argument arguments[] = {
    {.name = "NAME",
     .help = "The experiment, named for its source and item; without it they are listed.",
     .optional = true},
};

static const option options_table[] = {
    FLAG_OPTION("full", "Take the large sample; without it a run ends within 40 seconds."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai experiment", .does = "Lists the experiments; [picture]: --picture draws it."},
    {.line = "fureai experiment kitamura-3.5", .does = "Repeats figure 3.5 of Kitamura's thesis."},
    {.line = "fureai --json experiment kitamura-table-3.1 --full", .does = "As a document, from the large sample."},
};

const command command_experiment = {
    .name = "experiment",
    .summary = "repeats a table or figure of a source",
    .description =
        "Repeats a table or figure of the research behind the library, beside the printed numbers: counts and "
        "ratios, never times of machines of then. Methods are named first: face-octree, instant, static and "
        "so on are the source's own; fast is ours, with its speed-up over the source's in the same run.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
