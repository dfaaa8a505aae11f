// Files beside a file: what a scene or a model refers to, never outside of its folder.
#ifndef FUREAI_TOOL_FOLDER_H
#define FUREAI_TOOL_FOLDER_H

#include "tool.h"

typedef struct file_folder {
    tool *tool;
    char *path;       // without links, and without a slash at its end
    const char *what; // lies in it, for messages: "model"
    const char *of;   // whose folder it is: "scene"
    fr_array files;   // input_file, those that are loaded now
} file_folder;

// The folder that the file at `path` is in. FR_ERROR_FILE when there is none. Close it.
fr_status folder_open(tool *t, const char *path, const char *what, const char *of, file_folder *out, fr_error *error);
void folder_close(file_folder *f);

// The bytes of a file by its path from the folder; `context` is the folder. FR_ERROR_FILE with the reason when it
// cannot be read, and when it lies outside: an absolute path, one with too many "..", a link that leads out. Several
// may be loaded at once; each is given back by folder_unload.
fr_status folder_load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error);
void folder_unload(const void *bytes, size_t size, void *context);

#define FOLDER_PATH_BYTES 4096

// The folder ../share/fureai/NAME from the program, where demos and objects are installed; false where it is not there.
bool folder_beside_program(const char *name, char path[FOLDER_PATH_BYTES]);

#endif
