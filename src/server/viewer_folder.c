// Finds the viewer's files when no folder is named: beside the library, beside the program, or where they were
// installed.
#define _GNU_SOURCE // dladdr

#include "server/server.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Takes a folder that holds the viewer's page.
static bool take(const char *folder, char path[FR__PATH_BYTES]) {
    char page[FR__PATH_BYTES];
    int written = snprintf(page, sizeof page, "%s/index.html", folder);
    if (written <= 0 || written >= FR__PATH_BYTES || access(page, R_OK) != 0) { return false; }
    memcpy(path, folder, strlen(folder) + 1);
    return true;
}

bool fr__viewer_folder_beside(const char *file, char path[FR__PATH_BYTES]) {
    char folder[PATH_MAX], whole[FR__PATH_BYTES];
    if (realpath(file, folder) == NULL) { return false; }
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(folder, '/');
        if (slash != NULL) { *slash = '\0'; }
    }
    int written = snprintf(whole, sizeof whole, "%s/share/fureai/viewer", folder);
    return written > 0 && written < FR__PATH_BYTES && take(whole, path);
}

// The file of the library that holds this function. The loader names a program by what its caller typed, so that a
// name without its folders is not followed.
static bool find_beside_library(char path[FR__PATH_BYTES]) {
    static const char here = 0;
    Dl_info info;
    return dladdr(&here, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/' &&
           fr__viewer_folder_beside(info.dli_fname, path);
}

bool fr__viewer_folder_find(char path[FR__PATH_BYTES]) {
    path[0] = '\0';
    return find_beside_library(path) || fr__viewer_folder_beside("/proc/self/exe", path) ||
           take(FR_INSTALLED_VIEWER, path);
}
