// Reads and writes the file of a store.
#include "server/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX_BYTES ((size_t)1 << 28)

static fr_status fail(fr_error *error, const char *path, const char *what, int number) {
    fr_error_set(error, FR_ERROR_FILE, "%s: %s", what, strerror(number));
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_FILE;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static fr_status read_bytes(int descriptor, const char *path, fr_array *bytes, fr_error *error) {
    enum { PIECE = 64 << 10 };
    for (;;) {
        size_t before = bytes->count;
        char *room = fr_array_push(bytes, PIECE);
        if (room == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to read the store"); }
        ssize_t got = read(descriptor, room, PIECE);
        int reason = errno;
        bytes->count = before + (got > 0 ? (size_t)got : 0);
        if (got == 0) { return FR_OK; }
        if (got < 0 && reason != EINTR) { return fail(error, path, "cannot read", reason); }
        if (bytes->count > FILE_MAX_BYTES) {
            fr_error_set(error, FR_ERROR_LIMIT, "larger than the limit of %zu bytes", FILE_MAX_BYTES);
            fr_error_locate(error, path, 0, 0);
            return FR_ERROR_LIMIT;
        }
    }
}

fr_status fr__store_load(const char *path, const fr_allocator *allocator, fr__store *out, fr_error *error) {
    *out = fr__store_make(allocator);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) { return FR_OK; }
    if (descriptor < 0) { return fail(error, path, "cannot open", errno); }
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(descriptor);
        return fail(error, path, "cannot read", EINVAL);
    }
    fr_array bytes = fr_array_make(1, allocator);
    fr_status status = read_bytes(descriptor, path, &bytes, error);
    close(descriptor);
    if (status == FR_OK) { status = fr__store_read(bytes.data, bytes.count, path, allocator, out, error); }
    fr_array_destroy(&bytes);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static bool write_bytes(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) { return false; }
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(descriptor) == 0;
}

// The new name itself must reach the disk, too. Where a folder cannot be synchronised the file is there all the same.
static void sync_folder(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 1 : (slash == path ? 1 : (size_t)(slash - path));
    if (length >= sizeof folder) { return; }
    memcpy(folder, slash == NULL ? "." : path, length);
    folder[length] = '\0';
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) { return; }
    (void)fsync(descriptor);
    close(descriptor);
}

fr_status fr__store_save(const char *path, const void *bytes, size_t size, fr_error *error) {
    char temp[4096];
    int length = snprintf(temp, sizeof temp, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof temp) { return fail(error, path, "cannot write", ENAMETOOLONG); }
    // One that a crash left behind is written again; O_EXCL follows no link that another user put there.
    (void)unlink(temp);
    int descriptor = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0) { return fail(error, path, "cannot write", errno); }
    bool good = write_bytes(descriptor, bytes, size);
    int reason = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(temp, path) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        (void)unlink(temp);
        return fail(error, path, "cannot write", reason);
    }
    sync_folder(path);
    return FR_OK;
}
