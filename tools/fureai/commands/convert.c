// The command convert: a model file in another format.
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

// What --out-unit and --out-up ask for.
static exit_status output_frame(tool *t, double *unit, fr_model_up *up) {
    const char *wanted = options_string(&t->options, "out-unit"), *axis = options_string(&t->options, "out-up");
    *unit = 0.0;
    *up = FR_MODEL_UP_AS_FILE;
    if (wanted != NULL) {
        *unit = fr_model_unit_of_text(wanted);
        if (*unit == 0.0) {
            return tool_wrong_usage(t, "--out-unit: '%s' is neither mm, cm, m, km, in, ft nor a number of metres",
                                    wanted);
        }
    }
    if (axis != NULL) { *up = axis[0] == 'x' ? FR_MODEL_UP_X : axis[0] == 'y' ? FR_MODEL_UP_Y : FR_MODEL_UP_Z; }
    return EXIT_STATUS_DONE;
}

static void print_result(tool *t, fr_model_format format, uint64_t triangles, double ms) {
    const char *in = t->arguments[0], *out = t->arguments[1];
    tool_print(t, "%llu %s from %s to %s in %.1f ms\n", (unsigned long long)triangles,
               triangles == 1 ? "triangle" : "triangles", in, out, ms);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        json_fields(j, "in", in, "out", out, "format", fr_model_format_name(format), "triangles", triangles, "ms", ms);
        fr_json_write_object_end(j);
    }
}

static exit_status run(tool *t) {
    const char *in = t->arguments[0], *out = t->arguments[1];
    fr_model_format format = output_format(t, out);
    if (!model_file_is_written(format)) {
        return tool_wrong_usage(t,
                                "%s ends with no format that is written; use .obj, .stl, .ply, .off, .wrl, .glb or "
                                ".frm, or --format",
                                out);
    }
    double unit = 0.0;
    fr_model_up up = FR_MODEL_UP_AS_FILE;
    exit_status status = output_frame(t, &unit, &up);
    if (status != EXIT_STATUS_DONE) { return status; }
    uint64_t start = fr_clock_ns();
    fr_model *model;
    status = model_file_read_by_options(t, in, &model);
    if (status != EXIT_STATUS_DONE) { return status; }
    model_file_note_warnings(t, in, model);
    status = model_file_write_as(t, model, format, unit, up, out);
    uint64_t triangles = fr_model_get(model)->triangle_count;
    fr_model_destroy(model);
    if (status == EXIT_STATUS_DONE) { print_result(t, format, triangles, fr_clock_ms_since(start)); }
    return status;
}

static const argument arguments[] = {
    {.name = "IN",
     .help = "The model file to read: OBJ, STL, PLY, OFF, VRML, Inventor, X3D, DXF, glTF, GLB, Collada or frm."},
    {.name = "OUT", .help = "The model file to write; its ending says how: .obj, .stl, .ply, .off, .wrl, .glb, .frm."},
};

static const option options_table[] = {
    CHOICE_OPTION("format", "FORMAT", "obj,stl,stl-ascii,ply,ply-ascii,off,vrml,glb,frm", NULL,
                  "Write this format, whatever the ending of OUT. STL and PLY are binary unless this says ascii."),
    STRING_OPTION("out-unit", "UNIT", NULL,
                  "What a unit of OUT is: mm, cm, m, km, in, ft or a number of metres. Without it: metres."),
    CHOICE_OPTION("out-up", "AXIS", "x,y,z", NULL, "The axis of OUT that points up. Without it: y."),
    MODEL_READ_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai convert cow.obj cow.ply", .does = "Writes the same polygons as binary PLY."},
    {.line = "fureai convert --format stl-ascii part.step.stl part.stl", .does = "Writes STL in text."},
    {.line = "fureai convert --unit mm --up z part.stl part.glb",
     .does = "Turns millimetres and z up to metres, y up."},
    {.line = "fureai convert room.wrl room.frm", .does = "Writes the file that loads fastest."},
};

const command command_convert = {
    .name = "convert",
    .summary = "writes a model in another format",
    .description =
        "Reads a model and writes it again. Coordinates keep every bit where nothing moves them: text has the fewest "
        "digits that read back to the same number. VRML, GLB and frm keep the tree of nodes; the others write each "
        "node where it stands. OBJ keeps polygons, parts and material names; STL cuts polygons into triangles of "
        "floats and keeps parts in text; PLY and OFF keep polygons and their colours and join all parts. The "
        "intermediate file (.frm) keeps all that was read, with meshes cooked for collision.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
