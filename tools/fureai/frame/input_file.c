// Reads or maps an input file.
#include "input_file.h"

#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 << 10 };

// Room for at least one more byte and the terminating zero: half as much again, else a sixteenth.
static bool grow(input_file *file, size_t expected) {
    if (file->capacity > file->size + 1) { return true; }
    size_t capacity = file->capacity == 0 ? expected : file->capacity + file->capacity / 2;
    char *data = realloc(file->data, capacity);
    if (data == NULL && file->capacity > 0) {
        capacity = file->capacity + file->capacity / 16 + 2;
        data = realloc(file->data, capacity);
    }
    if (data == NULL) { return false; }
    file->data = data;
    file->capacity = capacity;
    return true;
}

// What a plain file will take, so that it is read without growing. The size is a hint only: it may change meanwhile.
static size_t expected_bytes(const struct stat *about, size_t limit) {
    if (!S_ISREG(about->st_mode) || about->st_size <= 0) { return FIRST_BYTES; }
    size_t size = (uintmax_t)about->st_size < limit ? (size_t)about->st_size : limit;
    return size + 2;
}

static fr_status read_all(input_file *file, int descriptor, size_t expected, size_t limit, fr_error *error) {
    for (;;) {
        if (!grow(file, expected)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to read it"); }
        ssize_t got = read(descriptor, file->data + file->size, file->capacity - file->size - 1);
        if (got == 0) { return FR_OK; }
        if (got < 0 && errno != EINTR) {
            return fr_error_set(error, FR_ERROR_FILE, "cannot read: %s", strerror(errno));
        }
        if (got > 0) { file->size += (size_t)got; }
        if (file->size > limit) {
            return fr_error_set(error, FR_ERROR_LIMIT, "larger than the limit of %zu bytes", limit);
        }
        if (interrupt_requested()) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    }
}

// Whether the path is one by which a shell names a pipe that it made.
static bool is_shell_pipe(const char *path) {
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

// Why what was opened is not read; NULL: it is.
static const char *refusal(const char *path, input_source source, mode_t mode) {
    if (S_ISREG(mode)) { return NULL; }
    if (S_ISDIR(mode)) { return "it is a folder"; }
    bool is_typed = source == INPUT_TYPED;
    if (S_ISCHR(mode)) { return is_typed ? NULL : "it is a device, not a file"; }
    if (S_ISFIFO(mode)) { return is_typed && is_shell_pipe(path) ? NULL : "it is a pipe, not a file"; }
    return "it is not a file";
}

// Opens without waiting for anyone at the other end, looks at what it is, and reads it.
static fr_status open_and_read(input_file *file, const char *path, input_source source, size_t limit, fr_error *error) {
    if (path[0] == '\0') { return fr_error_set(error, FR_ERROR_FILE, "the name of a file is empty"); }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) { return fr_error_set(error, FR_ERROR_FILE, "cannot open: %s", strerror(errno)); }
    struct stat about;
    fr_status status = FR_OK;
    int flags = fcntl(descriptor, F_GETFL);
    if (fstat(descriptor, &about) != 0 || flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0) {
        status = fr_error_set(error, FR_ERROR_FILE, "cannot read: %s", strerror(errno));
    } else if (refusal(path, source, about.st_mode) != NULL) {
        status = fr_error_set(error, FR_ERROR_FILE, "cannot read: %s", refusal(path, source, about.st_mode));
    } else {
        status = read_all(file, descriptor, expected_bytes(&about, limit), limit, error);
    }
    close(descriptor);
    return status;
}

fr_status input_file_read(input_file *file, const char *path, input_source source, size_t limit, fr_error *error) {
    *file = (input_file){0};
    fr_status status = open_and_read(file, path, source, limit, error);
    if (status != FR_OK) {
        fr_error_locate(error, path, 0, 0);
        input_file_release(file);
        return status;
    }
    file->data[file->size] = '\0';
    return FR_OK;
}

void input_file_release(input_file *file) {
    free(file->data);
    *file = (input_file){0};
}
