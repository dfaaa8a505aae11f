// Reads a file whole, whatever its size turns out to be.
#define _XOPEN_SOURCE 700 // O_CLOEXEC

#include "fureai/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_FILE_COOKIE UINT32_C(0x696e7031)

enum { FIRST_BYTES = 64 << 10 };

// More than any model file that makes sense, less than what would make a machine swap; what a size can say where that
// is less.
#define LIMIT_BYTES (UINT64_C(4) << 30 < SIZE_MAX ? (size_t)(UINT64_C(4) << 30) : SIZE_MAX)

fr_input_file_def fr_default_input_file_def(void) {
    return (fr_input_file_def){.limit = LIMIT_BYTES, .cookie = INPUT_FILE_COOKIE};
}

// More room for the bytes that are there. False when there is no memory.
static bool move_to(fr_input_file *file, size_t capacity) {
    char *data = fr_allocate(&file->allocator, capacity, 1, 1);
    if (data == NULL) { return false; }
    if (file->size > 0) { memcpy(data, file->data, file->size); }
    if (file->data != NULL) { fr_deallocate(&file->allocator, file->data, file->capacity, 1); }
    file->data = data;
    file->capacity = capacity;
    return true;
}

// Room for at least one more byte and the terminating zero: half as much again, else a sixteenth.
static bool grow(fr_input_file *file, size_t expected) {
    if (file->capacity > file->size + 1) { return true; }
    if (file->capacity == 0) { return move_to(file, expected); }
    return move_to(file, file->capacity + file->capacity / 2) ||
           move_to(file, file->capacity + file->capacity / 16 + 2);
}

// What a plain file will take, so that it is read without growing. The size is a hint only: it may change meanwhile.
static size_t expected_bytes(const struct stat *about, size_t limit) {
    if (!S_ISREG(about->st_mode) || about->st_size <= 0) { return FIRST_BYTES; }
    size_t size = (uintmax_t)about->st_size < limit ? (size_t)about->st_size : limit;
    return size + 2;
}

static fr_status read_all(const fr_input_file_def *def, fr_input_file *file, int descriptor, size_t expected,
                          fr_error *error) {
    for (;;) {
        if (!grow(file, expected)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to read it"); }
        ssize_t got = read(descriptor, file->data + file->size, file->capacity - file->size - 1);
        if (got == 0) { return FR_OK; }
        if (got < 0 && errno != EINTR) {
            return fr_error_set(error, FR_ERROR_FILE, "cannot read: %s", strerror(errno));
        }
        if (got > 0) { file->size += (size_t)got; }
        if (file->size > def->limit) {
            return fr_error_set(error, FR_ERROR_LIMIT, "larger than the limit of %zu bytes", def->limit);
        }
        if (fr_control_is_stopped(def->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    }
}

// Whether the path is one by which a shell names a pipe that it made.
static bool is_shell_pipe(const char *path) {
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

// Why what was opened is not read; NULL: it is.
static const char *refusal(const fr_input_file_def *def, mode_t mode) {
    if (S_ISREG(mode)) { return NULL; }
    if (S_ISDIR(mode)) { return "it is a folder"; }
    if (S_ISCHR(mode)) { return def->is_plain ? "it is a device, not a file" : NULL; }
    if (S_ISFIFO(mode)) { return !def->is_plain && is_shell_pipe(def->path) ? NULL : "it is a pipe, not a file"; }
    return "it is not a file";
}

// Opens without waiting for anyone at the other end, looks at what it is, and reads it.
static fr_status open_and_read(const fr_input_file_def *def, fr_input_file *file, fr_error *error) {
    if (def->path[0] == '\0') { return fr_error_set(error, FR_ERROR_FILE, "the name of a file is empty"); }
    int descriptor = open(def->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) { return fr_error_set(error, FR_ERROR_FILE, "cannot open: %s", strerror(errno)); }
    struct stat about;
    fr_status status = FR_OK;
    int flags = fcntl(descriptor, F_GETFL);
    if (fstat(descriptor, &about) != 0 || flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0) {
        status = fr_error_set(error, FR_ERROR_FILE, "cannot read: %s", strerror(errno));
    } else if (refusal(def, about.st_mode) != NULL) {
        status = fr_error_set(error, FR_ERROR_FILE, "cannot read: %s", refusal(def, about.st_mode));
    } else {
        status = read_all(def, file, descriptor, expected_bytes(&about, def->limit), error);
    }
    close(descriptor);
    return status;
}

fr_status fr_input_file_read(const fr_input_file_def *def, fr_input_file *out, fr_error *error) {
    *out = (fr_input_file){0};
    if (def->cookie != INPUT_FILE_COOKIE) { return fr_error_set_cookie(error, "fr_default_input_file_def"); }
    out->allocator = def->allocator;
    fr_status status = open_and_read(def, out, error);
    if (status != FR_OK) {
        fr_error_locate(error, def->path, 0, 0);
        fr_input_file_destroy(out);
        return status;
    }
    out->data[out->size] = '\0';
    return FR_OK;
}

void fr_input_file_destroy(fr_input_file *file) {
    if (file->data != NULL) { fr_deallocate(&file->allocator, file->data, file->capacity, 1); }
    *file = (fr_input_file){0};
}
