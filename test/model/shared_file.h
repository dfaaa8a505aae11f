// Files of the shared folder: the bytes of one, and a walk over all.
#ifndef FUREAI_TEST_MODEL_SHARED_FILE_H
#define FUREAI_TEST_MODEL_SHARED_FILE_H

#include "text_model.h"

#include <dirent.h>
#include <stdio.h>

// The bytes of a file; false when it cannot be read.
static inline bool load(const char *path, fr_array *bytes) {
    *bytes = fr_array_make(1, NULL);
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    char piece[65536];
    for (size_t count; (count = fread(piece, 1, sizeof piece, file)) > 0;) {
        push_bytes(piece, count, bytes);
    }
    fclose(file);
    return true;
}

// Calls `visit` with every file below a folder whose name does not begin with a dot.
static inline void each_file(const char *folder, void (*visit)(const char *path, void *context), void *context) {
    DIR *entries = opendir(folder);
    if (entries == NULL) { return; }
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[2000];
        if (entry->d_name[0] == '.') { continue; }
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_true(length > 0 && (size_t)length < sizeof path);
        DIR *below = opendir(path);
        if (below != NULL) {
            closedir(below);
            each_file(path, visit, context);
        } else {
            visit(path, context);
        }
    }
    closedir(entries);
}

#endif
