#include "model_file.h"

#define NOTED_WARNINGS 10

exit_status model_file_read(tool *t, const char *path, fr_model **out) {
    *out = NULL;
    input_file file;
    fr_error error = {0};
    if (tool_read(t, path, INPUT_TYPED, INPUT_FILE_LIMIT, &file, &error) != FR_OK) { return tool_bad_input(t, &error); }
    fr_model_read_options reading = fr_default_model_read_options();
    reading.name = path;
    reading.control = &t->control;
    reading.limits.bytes = INPUT_FILE_LIMIT;
    fr_status status = fr_model_read(file.data, file.size, &reading, out, &error);
    input_file_release(&file);
    return status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

void model_file_note_warnings(tool *t, const char *path, const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    uint32_t shown = view->warnings_kept < NOTED_WARNINGS ? view->warnings_kept : NOTED_WARNINGS;
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
    return output_file_write(context, bytes, size);
}

exit_status model_file_write(tool *t, const fr_model *model, fr_model_format format, const char *path) {
    output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_model_write_options writing = fr_default_model_write_options();
    writing.control = &t->control;
    fr_status status = fr_model_write(model, format, &writing, write_bytes, &file, &error);
    // A write that failed is told by the commit, which knows why.
    if (status == FR_OK || status == FR_ERROR_FILE) {
        status = output_file_commit(&file, &error);
    } else {
        output_file_discard(&file);
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}
