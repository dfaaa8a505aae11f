// What a path of a request may name, and of what kind the file is.
#ifndef FUREAI_SERVER_WEB_PATH_H
#define FUREAI_SERVER_WEB_PATH_H

#include "fureai/base.h"

#define FR__WEB_PATH_MAX_BYTES 255

// Whether a path, already unescaped, names a file below the folder: it begins with '/', no part of it is empty, "."
// or ".." or begins with a dot, and it has no control characters, backslashes, colons or bytes that are no UTF-8. "/"
// is one.
bool fr__web_path_check(const char *path, size_t size);

// The media type by the path's ending; NULL where it is none that is served.
const char *fr__web_path_type(const char *path);

// A file that is open for reading.
typedef struct fr__web_file {
    int descriptor; // -1: none
    uint64_t size;
    char tag[48]; // changes when the file does; with its quotes
} fr__web_file;

// Opens the file that a checked path names below `folder`, a descriptor of a directory; "/" is "/index.html". Links are
// not followed, and only plain files are opened. False where there is none.
bool fr__web_file_open(int folder, const char *path, fr__web_file *out);

// Opens a plain file by its own path; false where there is none.
bool fr__web_file_open_path(const char *path, fr__web_file *out);

void fr__web_file_close(fr__web_file *file);

#endif
