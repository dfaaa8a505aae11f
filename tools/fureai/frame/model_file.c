// Model files of commands: read with the options of reading, written by their names.
#include "model_file.h"

#include "folder.h"

#include <string.h>

#define NOTED_WARNINGS 10

// Reads a model with the files that it refers to, which are beside it.
static fr_status read_model(tool *t, const char *path, fr_model_read_input *reading, fr_model **out, fr_error *error) {
    fr_input_file file;
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    if (status == FR_OK) { status = tool_read(t, path, 0, &file, error); }
    if (status != FR_OK) { return status; }
    fr_file_folder *beside;
    status = folder_open(t, path, "file", "model", &beside, error);
    if (status == FR_OK) {
        reading->name = path;
        reading->control = &t->control;
        reading->tasks = &tasks;
        reading->limits.bytes = fr_default_input_file_def().limit;
        if (t->memory > 0) { fr_model_limits_set_memory(&reading->limits, t->memory); }
        reading->files = (fr_model_files){fr_file_folder_load, fr_file_folder_unload, beside};
        status = fr_model_read(file.data, file.size, reading, out, error);
    }
    fr_file_folder_destroy(beside);
    fr_input_file_destroy(&file);
    return status;
}

exit_status model_file_read(tool *t, const char *path, fr_model **out) {
    return model_file_read_as(t, path, 0.0, FR_MODEL_UP_AS_FILE, out);
}

exit_status model_file_read_as(tool *t, const char *path, double unit, fr_model_up up, fr_model **out) {
    fr_model_read_input reading = fr_default_model_read_input();
    reading.unit = unit;
    reading.up = up;
    fr_error error = {0};
    *out = NULL;
    return read_model(t, path, &reading, out, &error) == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// As the options ask

exit_status model_file_read_by_options(tool *t, const char *path, fr_model **out) {
    *out = NULL;
    fr_model_read_input reading = fr_default_model_read_input();
    const char *unit = options_string(&t->options, "unit"), *up = options_string(&t->options, "up");
    reading.is_strict = options_flag(&t->options, "strict");
    reading.is_verified = options_flag(&t->options, "verify");
    reading.has_all_choices = options_flag(&t->options, "all-choices");
    reading.level = (uint32_t)options_int(&t->options, "lod");
    if (unit != NULL) {
        reading.unit = fr_model_unit_of_text(unit);
        if (reading.unit == 0.0) {
            return tool_wrong_usage(t, "--unit: '%s' is neither mm, cm, m, km, in, ft nor a number of metres", unit);
        }
    }
    if (up != NULL) { reading.up = up[0] == 'x' ? FR_MODEL_UP_X : up[0] == 'y' ? FR_MODEL_UP_Y : FR_MODEL_UP_Z; }
    fr_error error = {0};
    return read_model(t, path, &reading, out, &error) == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

void model_file_note_warnings(tool *t, const char *path, const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    uint32_t shown = view->listed_warning_count < NOTED_WARNINGS ? view->listed_warning_count : NOTED_WARNINGS;
    for (uint32_t i = 0; i < shown; i++) {
        const fr_model_warning *warning = &view->warnings[i];
        if (warning->line > 0) {
            tool_note(t, "%s:%d:%d: warning: %s", path, warning->line, warning->column, warning->message);
        } else {
            tool_note(t, "%s: warning: %s", path, warning->message);
        }
    }
    if (view->warning_count > shown) {
        tool_note(t, "%s: %llu more warnings", path, (unsigned long long)(view->warning_count - shown));
    }
}

static bool write_bytes(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

bool model_file_is_written(fr_model_format format) {
    switch (format) {
    case FR_MODEL_AUTO:
    case FR_MODEL_VRML_1:
    case FR_MODEL_INVENTOR:
    case FR_MODEL_X3D:
    case FR_MODEL_X3D_VRML:
    case FR_MODEL_DXF:
    case FR_MODEL_GLTF:
    case FR_MODEL_COLLADA: return false;
    default: return true;
    }
}

exit_status model_file_write(tool *t, const fr_model *model, fr_model_format format, const char *path) {
    return model_file_write_as(t, model, format, 0.0, FR_MODEL_UP_AS_FILE, path);
}

exit_status model_file_write_as(tool *t, const fr_model *model, fr_model_format format, double unit, fr_model_up up,
                                const char *path) {
    fr_output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_model_write_input writing = fr_default_model_write_input();
    writing.control = &t->control;
    writing.unit = unit;
    writing.up = up;
    fr_status status = fr_model_write(model, format, &writing, write_bytes, &file, &error);
    // A write that failed is reported by the commit, which knows why.
    if (status == FR_OK || status == FR_ERROR_FILE) {
        status = fr_output_file_commit(&file, &error);
    } else {
        fr_output_file_discard(&file);
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}
