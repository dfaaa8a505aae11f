// A file that the tool writes, by room file: Ctrl-C ends a write that waits.
#ifndef FUREAI_TOOL_OUTPUT_FILE_H
#define FUREAI_TOOL_OUTPUT_FILE_H

#include "fureai/file.h"

// Opens `path` as fr_output_file_open does.
fr_status output_file_open(fr_output_file *file, const char *path, fr_error *error);

// Standard output or standard error, by its descriptor.
fr_output_file output_file_adopt(int descriptor);

#endif
