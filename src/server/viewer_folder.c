// Where the viewer's files are when no folder is named.
#define _XOPEN_SOURCE 700 // readlink

#include "server/server.h"

#include <stdio.h>
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

// PREFIX/share/fureai/viewer, where the program is PREFIX/FOLDER/NAME.
static bool find_beside_program(char path[FR__PATH_BYTES]) {
    static const char below[] = "/share/fureai/viewer";
    char folder[FR__PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - sizeof below);
    if (length <= 0) { return false; }
    folder[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL) { return false; }
        *slash = '\0';
    }
    strcat(folder, below);
    return take(folder, path);
}

bool fr__viewer_folder_find(char path[FR__PATH_BYTES]) {
    path[0] = '\0';
    return find_beside_program(path) || take(FR_INSTALLED_VIEWER, path) || take(FR_BUILT_VIEWER, path);
}
