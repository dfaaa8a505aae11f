#include "commands.h"
#include "model_file.h"
#include "tool.h"

#include <string.h>

// The format that --format or the ending of the name asks for; FR_MODEL_AUTO when neither does.
static fr_model_format output_format(const tool *t, const char *path) {
    const char *name = options_string(&t->options, "format");
    for (int format = FR_MODEL_AUTO + 1; name != NULL && format < FR_MODEL_FORMAT_COUNT; format++) {
        if (strcmp(name, fr_model_format_name((fr_model_format)format)) == 0) { return (fr_model_format)format; }
    }
    return fr_model_format_of_name(path);
}

static exit_status run(tool *t) {
    const char *in = t->arguments[0], *out = t->arguments[1];
    fr_model_format format = output_format(t, out);
    if (format == FR_MODEL_AUTO) {
        return tool_wrong_usage(t, "%s ends with no known format; use .obj, .stl, .ply or .off, or --format", out);
    }
    uint64_t start = fr_clock_ns();
    fr_model *model;
    exit_status status = model_file_read_asked(t, in, &model);
    if (status != EXIT_STATUS_DONE) { return status; }
    model_file_note_warnings(t, in, model);
    status = model_file_write(t, model, format, out);
    uint64_t triangles = fr_model_get(model)->triangle_count;
    fr_model_destroy(model);
    if (status != EXIT_STATUS_DONE) { return status; }
    double ms = fr_clock_ms_since(start);

    tool_print(t, "%llu %s from %s to %s in %.1f ms\n", (unsigned long long)triangles,
               triangles == 1 ? "triangle" : "triangles", in, out, ms);
    json *j = tool_json(t);
    if (j != NULL) {
        json_object(j);
        json_string_field(j, "in", in);
        json_string_field(j, "out", out);
        json_string_field(j, "format", fr_model_format_name(format));
        json_uint_field(j, "triangles", triangles);
        json_number_field(j, "ms", ms);
        json_object_end(j);
    }
    return EXIT_STATUS_DONE;
}

static const argument arguments[] = {
    {.name = "IN", .help = "The model file to read: OBJ, STL, PLY or OFF."},
    {.name = "OUT", .help = "The model file to write; its ending says how: .obj, .stl, .ply, .off."},
};

static const option options_table[] = {
    {.name = "format",
     .kind = OPTION_CHOICE,
     .metavar = "FORMAT",
     .help = "Write this format, whatever the ending of OUT. STL and PLY are binary unless this says ascii.",
     .choices = "obj,stl,stl-ascii,ply,ply-ascii,off"},
    MODEL_READ_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai convert cow.obj cow.ply", .does = "Writes the same polygons as binary PLY."},
    {.line = "fureai convert --format stl-ascii part.step.stl part.stl", .does = "Writes STL in text."},
};

const command command_convert = {
    .name = "convert",
    .summary = "writes a model in another format",
    .description =
        "Reads a model and writes it again. Coordinates keep every bit: text has the fewest digits that read "
        "back to the same number. OBJ keeps polygons, parts and material names; STL cuts polygons into "
        "triangles of floats and keeps parts in text; PLY and OFF keep polygons and their colours and join "
        "all parts.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
