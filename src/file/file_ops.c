// The operations of the system on files.
#define _XOPEN_SOURCE 700 // O_NOFOLLOW

#include "fureai/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int open_file(const char *path, fr_file_kind kind, unsigned mode, void *user) {
    (void)user;
    int flags = O_CLOEXEC | O_NOCTTY;
    switch (kind) {
    case FR_FILE_NEW: flags |= O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW; break;
    case FR_FILE_DEVICE: flags |= O_WRONLY; break;
    case FR_FILE_FOLDER: flags |= O_RDONLY | O_DIRECTORY; break;
    }
    int descriptor = open(path, flags, (mode_t)mode);
    return descriptor >= 0 ? descriptor : -errno;
}

static ptrdiff_t write_file(int file, const void *bytes, size_t size, void *user) {
    (void)user;
    ssize_t written = write(file, bytes, size);
    return written >= 0 ? written : -errno;
}

static int sync_file(int file, void *user) {
    (void)user;
    return fsync(file) == 0 ? 0 : -errno;
}

static int close_file(int file, void *user) {
    (void)user;
    return close(file) == 0 ? 0 : -errno;
}

static int rename_file(const char *from, const char *to, void *user) {
    (void)user;
    return rename(from, to) == 0 ? 0 : -errno;
}

static int remove_file(const char *path, void *user) {
    (void)user;
    return unlink(path) == 0 ? 0 : -errno;
}

fr_file_ops fr_system_file_ops(void) {
    return (fr_file_ops){.open = open_file,
                         .write = write_file,
                         .sync = sync_file,
                         .close = close_file,
                         .rename = rename_file,
                         .remove = remove_file};
}
