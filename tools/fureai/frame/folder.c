// Folders of commands: the one beside an input, and those that are installed beside the program.
#define _XOPEN_SOURCE 700 // readlink

#include "folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

fr_status folder_open(tool *t, const char *path, const char *what, const char *of, fr_file_folder **out,
                      fr_error *error) {
    fr_file_folder_def def = fr_default_file_folder_def();
    def.path = path;
    def.what = what;
    def.of = of;
    def.check = tool_check_read;
    def.user = t;
    def.control = &t->control;
    return fr_file_folder_create(&def, out, error);
}

bool folder_beside_program(const char *name, char path[FOLDER_PATH_BYTES]) {
    char program[FOLDER_PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) { return false; }
    program[length] = '\0';
    const char *slash = strrchr(program, '/');
    int folder = slash != NULL ? (int)(slash - program) : 0;
    int written = snprintf(path, FOLDER_PATH_BYTES, "%.*s/../share/fureai/%s", folder, program, name);
    return written > 0 && written < FOLDER_PATH_BYTES && access(path, R_OK) == 0;
}
