// A model file that a command is given, or writes.
#ifndef FUREAI_TOOL_MODEL_FILE_H
#define FUREAI_TOOL_MODEL_FILE_H

#include "tool.h"

#include "fureai/model.h"

// Reads a model. Anything but DONE: return it. Destroy the model.
exit_status model_file_read(tool *t, const char *path, fr_model **out);

// Says on standard error what the reader passed over: the first ten, and how many more.
void model_file_note_warnings(tool *t, const char *path, const fr_model *model);

// Writes a model, whole or not at all. Anything but DONE: return it.
exit_status model_file_write(tool *t, const fr_model *model, fr_model_format format, const char *path);

#endif
