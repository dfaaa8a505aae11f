// Files beside a file: what a scene or a model refers to, never outside of its folder.
#ifndef FUREAI_TOOL_FOLDER_H
#define FUREAI_TOOL_FOLDER_H

#include "tool.h"

// The folder that the file at `path` is in, for the `what` of a file that is the `of`; FR_ERROR_FILE when there is
// none. Destroy it.
fr_status folder_open(tool *t, const char *path, const char *what, const char *of, fr_file_folder **out,
                      fr_error *error);

#define FOLDER_PATH_BYTES 4096

// The folder ../share/fureai/NAME from the program, where demos and objects are installed; false where it is not there.
bool folder_beside_program(const char *name, char path[FOLDER_PATH_BYTES]);

#endif
