// Finding the launcher of plug-ins.
#include "act/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool fr__launcher_find(char *path, size_t size) {
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0) { length = 0; }
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    if (slash != NULL) {
        *slash = '\0';
        snprintf(path, size, "%s/fureai-launch", own);
        if (access(path, X_OK) == 0) { return true; }
        snprintf(path, size, "%s/../libexec/fureai/fureai-launch", own);
        if (access(path, X_OK) == 0) { return true; }
    }
    snprintf(path, size, "%s", FR_INSTALLED_LAUNCHER);
    return access(path, X_OK) == 0;
}
