// A disk that fails, for a program that is started with this library before all others (LD_PRELOAD). What it does to
// files below "disk/" is counted by its kind, and the first operation of the kind that FAILING_DISK names fails by the
// errno that follows: "write:28", "sync2:5". "short:0" lets writes take a third of what they are given.
#define _GNU_SOURCE // RTLD_NEXT

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { MAX_FILES = 1024 };

static bool is_ours[MAX_FILES];
static int syncs;

static bool is_below(const char *path) { return strncmp(path, "disk/", 5) == 0; }
static bool is_watched(int file) { return file >= 0 && file < MAX_FILES && is_ours[file]; }

// Whether this operation is the one to fail; it fails once.
static bool fails(const char *kind) {
    static bool has_failed;
    const char *wanted = getenv("FAILING_DISK");
    size_t length = strlen(kind);
    if (has_failed || wanted == NULL || strncmp(wanted, kind, length) != 0 || wanted[length] != ':') { return false; }
    has_failed = true;
    errno = atoi(wanted + length + 1);
    return true;
}

int open(const char *path, int flags, ...) {
    int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    if (is_below(path) && fails((flags & O_DIRECTORY) != 0 ? "folder" : "open")) { return -1; }
    int file = next(path, flags, mode);
    if (file >= 0 && file < MAX_FILES) { is_ours[file] = is_below(path); }
    return file;
}

ssize_t write(int file, const void *bytes, size_t size) {
    ssize_t (*next)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *wanted = getenv("FAILING_DISK");
    if (is_watched(file) && fails("write")) { return -1; }
    bool is_short = is_watched(file) && wanted != NULL && strcmp(wanted, "short:0") == 0;
    return next(file, bytes, is_short ? (size + 2) / 3 : size);
}

// The second is that of the folder. Nothing is waited for.
int fsync(int file) {
    if (!is_watched(file)) { return 0; }
    return fails(++syncs == 1 ? "sync" : "sync2") ? -1 : 0;
}

int close(int file) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
    bool is_bad = is_watched(file) && fails("close");
    int number = errno;
    if (file >= 0 && file < MAX_FILES) { is_ours[file] = false; }
    int result = next(file);
    if (is_bad) { errno = number; }
    return is_bad ? -1 : result;
}

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    return is_below(to) && fails("rename") ? -1 : next(from, to);
}
