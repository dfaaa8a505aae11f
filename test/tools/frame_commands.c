// fureai-frame-test: the tool's frame with commands made to try it, as a process of its own.
#include "commands.h"
#include "picture_request.h"
#include "tool.h"

#include <string.h>
#include <time.h>

// ---------------------------------------------------------------------------------------------------------------
// echo: every kind of option and argument

static const argument echo_arguments[] = {
    {.name = "FIRST", .help = "An argument that must be there."},
    {.name = "MORE", .help = "Any number of others.", .optional = true, .repeated = true},
};

static const option echo_options[] = {
    {.name = "flag", .kind = OPTION_FLAG, .help = "A flag."},
    {.name = "word", .kind = OPTION_STRING, .metavar = "WORD", .help = "A word."},
    {.name = "method",
     .kind = OPTION_CHOICE,
     .metavar = "METHOD",
     .help = "A choice.",
     .choices = "auto,tree,brute",
     .fallback = "auto"},
    {.name = "depth", .kind = OPTION_INT, .metavar = "D", .help = "A depth.", .fallback = "5", .low = 0, .high = 20},
    {.name = "size", .kind = OPTION_NUMBER, .metavar = "S", .help = "A size.", .fallback = "0.5"},
    {.name = "move", .kind = OPTION_VECTOR, .metavar = "X,Y,Z", .help = "A move.", .components = 3},
};

static const example echo_examples[] = {
    {.line = "fureai echo here --depth 3", .does = "Says what it was given."},
};

static exit_status echo_run(tool *t) {
    double move[3] = {0.0, 0.0, 0.0};
    bool has_move = options_vector(&t->options, "move", move, 3);
    for (int i = 0; i < t->argument_count; ++i) {
        tool_print(t, "argument %s\n", t->arguments[i]);
    }
    tool_print(t, "depth %d, size %s\n", (int)options_int(&t->options, "depth"),
               tool_length(options_number(&t->options, "size")).text);
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return EXIT_STATUS_DONE; }

    fr_json_write_object(j);
    fr_json_write_key(j, "arguments");
    fr_json_write_array(j);
    for (int i = 0; i < t->argument_count; ++i) {
        fr_json_write_string(j, t->arguments[i]);
    }
    fr_json_write_array_end(j);
    fr_json_write_bool_field(j, "flag", options_flag(&t->options, "flag"));
    fr_json_write_string_field(j, "word", options_string(&t->options, "word"));
    fr_json_write_string_field(j, "method", options_string(&t->options, "method"));
    fr_json_write_int_field(j, "depth", options_int(&t->options, "depth"));
    fr_json_write_number_field(j, "size", options_number(&t->options, "size"));
    fr_json_write_key(j, "move");
    if (has_move) {
        fr_json_write_numbers(j, move, 3);
    } else {
        fr_json_write_null(j);
    }
    fr_json_write_int_field(j, "threads", t->threads);
    fr_json_write_object_end(j);
    return EXIT_STATUS_DONE;
}

static const command command_echo = {
    .name = "echo",
    .summary = "says what it was given",
    .description = "The first paragraph is long enough that it has to be wrapped in any terminal that is not wider "
                   "than what was usual in the days of the glass teletype.\n\n"
                   "The second has a table:\n"
                   "  a   1\n"
                   "  b   2",
    .arguments = COMMAND_LIST(echo_arguments),
    .options = COMMAND_LIST(echo_options),
    .examples = COMMAND_LIST(echo_examples),
    .run = echo_run,
};

// ---------------------------------------------------------------------------------------------------------------
// end: every way to end

static const argument end_arguments[] = {{.name = "HOW", .help = "clash, usage, input, memory or run."}};

static exit_status end_run(tool *t) {
    const char *how = t->arguments[0];
    fr_error error = {0};
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_string_field(j, "how", how);
        fr_json_write_object_end(j);
    }
    if (strcmp(how, "clash") == 0) { return EXIT_STATUS_CLASH; }
    if (strcmp(how, "usage") == 0) { return tool_wrong_usage(t, "%s and that do not go together", how); }
    if (strcmp(how, "input") == 0) {
        fr_error_set(&error, FR_ERROR_SYNTAX, "a number was expected, not '\033[2J'");
        fr_error_locate(&error, "model.obj", 7, 3);
        return tool_bad_input(t, &error);
    }
    if (strcmp(how, "memory") == 0) {
        fr_error_set(&error, FR_ERROR_MEMORY, "no memory");
        return tool_bad_input(t, &error);
    }
    fr_error_set(&error, FR_ERROR_SYSTEM, "it did not work");
    return tool_failed(t, &error);
}

static const command command_end = {
    .name = "end",
    .summary = "ends in the way it is told",
    .arguments = COMMAND_LIST(end_arguments),
    .run = end_run,
};

// ---------------------------------------------------------------------------------------------------------------
// flood: more output than anyone reads

static const option flood_options[] = {
    {.name = "lines",
     .kind = OPTION_INT,
     .metavar = "N",
     .help = "How many.",
     .fallback = "100000000",
     .low = 1,
     .high = 1e9},
};

static exit_status flood_run(tool *t) {
    int64_t count = options_int(&t->options, "lines");
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { fr_json_write_array(j); }
    for (int64_t i = 0; i < count && !fr_control_is_stopped(&t->control); ++i) {
        tool_print(t, "line %d\n", (int)i);
        if (j != NULL) { fr_json_write_int(j, i); }
    }
    if (j != NULL) { fr_json_write_array_end(j); }
    return EXIT_STATUS_DONE;
}

static const command command_flood = {
    .name = "flood", .summary = "prints many lines", .options = COMMAND_LIST(flood_options), .run = flood_run};

// ---------------------------------------------------------------------------------------------------------------
// paint: a cube with labels

static const option paint_options[] = {PICTURE_OPTIONS};

// Corner c of the cube has x, y, z = -1 or 1 by bits 0, 1, 2 of c.
static void put_corner(double *out, int c) {
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (c >> axis & 1) != 0 ? 1.0 : -1.0;
    }
}

static void draw_cube(const fr_draw *draw) {
    static const int quads[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    static const fr_color colors[6] = {{220, 60, 50, 255}, {120, 30, 30, 255},  {60, 170, 80, 255},
                                       {30, 90, 40, 255},  {60, 110, 220, 255}, {30, 50, 120, 255}};
    static const int splits[6] = {0, 1, 2, 0, 2, 3};
    for (int f = 0; f < 6; ++f) {
        double triangles[18];
        for (int i = 0; i < 6; ++i) {
            put_corner(triangles + (size_t)3 * (size_t)i, quads[f][splits[i]]);
        }
        fr_draw_triangles(draw, triangles, 2, colors[f]);
    }
    for (int c = 0; c < 8; ++c) {
        for (int axis = 0; axis < 3; ++axis) {
            double segment[6];
            put_corner(segment, c);
            put_corner(segment + 3, c | 1 << axis);
            if ((c >> axis & 1) == 0) { fr_draw_lines(draw, segment, 1, (fr_color){0, 0, 0, 255}, 2.0); }
        }
    }
}

static exit_status paint_run(tool *t) {
    picture *p = NULL;
    exit_status status = picture_request_begin(t, "A cube", &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    fr_draw draw = picture_draw(p);
    double near_corner[3] = {1.0, 1.0, 1.0};
    double broken[3] = {0.0, 1.0, 0.0};
    draw_cube(&draw);
    fr_draw_points(&draw, near_corner, 1, (fr_color){255, 160, 0, 255}, 14.0);
    fr_draw_text(&draw, near_corner, "  near corner", (fr_color){0, 0, 0, 255}, 12.0);
    fr_draw_text(&draw, broken, "broken \xFF text, \xC3\xA4\xC3\xB6", (fr_color){0, 0, 0, 255}, 12.0);
    picture_legend(p, (fr_color){220, 60, 50, 255}, "towards +x");
    picture_legend(p, (fr_color){60, 170, 80, 255}, "towards +y");
    picture_legend(p, (fr_color){60, 110, 220, 255}, "towards +z");
    status = picture_request_end(t, p);
    if (status != EXIT_STATUS_DONE) { return status; }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_int_field(j, "triangles", 12);
        fr_json_write_object_end(j);
    }
    return status;
}

static const command command_paint = {
    .name = "paint", .summary = "draws a cube", .options = COMMAND_LIST(paint_options), .run = paint_run};

// ---------------------------------------------------------------------------------------------------------------
// size: reads a file

static const argument size_arguments[] = {{.name = "FILE", .help = "The file to read."}};

static exit_status size_run(tool *t) {
    fr_input_file file;
    fr_error error = {0};
    if (tool_read(t, t->arguments[0], 1000, &file, &error) != FR_OK) { return tool_bad_input(t, &error); }
    tool_print(t, "%zu bytes\n", file.size);
    fr_input_file_destroy(&file);
    if (t->json) { fr_json_write_null(tool_json(t)); }
    return EXIT_STATUS_DONE;
}

static const command command_size = {
    .name = "size", .summary = "counts a file's bytes", .arguments = COMMAND_LIST(size_arguments), .run = size_run};

// ---------------------------------------------------------------------------------------------------------------
// work: takes its time and writes a file

static const option work_options[] = {
    {.name = "ms",
     .kind = OPTION_INT,
     .metavar = "MS",
     .help = "How long.",
     .fallback = "60000",
     .low = 0,
     .high = 1e6},
    {.name = "out", .kind = OPTION_STRING, .metavar = "FILE", .help = "What to write."},
    {.name = "deaf", .kind = OPTION_FLAG, .help = "Do not ask whether to stop."},
};

static fr_status work(tool *t, fr_output_file *file, fr_error *error) {
    double ms = (double)options_int(&t->options, "ms");
    uint64_t begin = fr_clock_ns();
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    while (status == FR_OK && fr_clock_ms_since(begin) < ms) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        fr_control_progress(&t->control, fr_clock_ms_since(begin) / ms, "working");
        if (file->is_open) { fr_output_file_print(file, "more\n"); }
        bool deaf = options_flag(&t->options, "deaf");
        if (!deaf && fr_control_is_stopped(&t->control)) { status = fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    }
    return status;
}

static exit_status work_run(tool *t) {
    const char *path = options_string(&t->options, "out");
    fr_output_file file = {0};
    fr_error error = {0};
    if (path != NULL && output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    tool_note(t, "begun");
    if (work(t, &file, &error) != FR_OK) {
        fr_output_file_discard(&file);
        return tool_failed(t, &error);
    }
    if (path != NULL && fr_output_file_commit(&file, &error) != FR_OK) { return tool_failed(t, &error); }
    if (t->json) { fr_json_write_bool(tool_json(t), true); }
    return EXIT_STATUS_DONE;
}

static const command command_work = {
    .name = "work", .summary = "takes its time", .options = COMMAND_LIST(work_options), .run = work_run};

static const command *const list[] = {&command_echo,  &command_end,  &command_flood, &command_help,
                                      &command_paint, &command_size, &command_work};
const command_table commands = {COMMAND_LIST(list)};
