#include "input_file.h"

#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 << 10 };

// Room for at least one more byte and the terminating zero.
static bool grow(input_file *file, size_t expected) {
    if (file->capacity > file->size + 1) { return true; }
    size_t capacity = file->capacity == 0 ? expected : file->capacity + file->capacity / 2;
    char *data = realloc(file->data, capacity);
    if (data == NULL) { return false; }
    file->data = data;
    file->capacity = capacity;
    return true;
}

// What a plain file will take, so that it is read without growing. The size is a hint only: it may change meanwhile.
static size_t expected_bytes(int descriptor, size_t limit) {
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) { return FIRST_BYTES; }
    size_t size = (uintmax_t)about.st_size < limit ? (size_t)about.st_size : limit;
    return size + 2;
}

static fr_status read_all(input_file *file, int descriptor, size_t limit, fr_error *error) {
    size_t expected = expected_bytes(descriptor, limit);
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

// A pipe that nobody writes to is waited for; Ctrl-C ends that.
static int open_patiently(const char *path) {
    int descriptor;
    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR && !interrupt_requested());
    return descriptor;
}

fr_status input_file_read(input_file *file, const char *path, size_t limit, fr_error *error) {
    *file = (input_file){0};
    int descriptor = open_patiently(path);
    fr_status status = FR_OK;
    if (descriptor < 0 && errno == EINTR) {
        status = fr_error_set(error, FR_ERROR_STOPPED, "stopped");
    } else if (descriptor < 0) {
        status = fr_error_set(error, FR_ERROR_FILE, "cannot open: %s", strerror(errno));
    } else {
        status = read_all(file, descriptor, limit, error);
        close(descriptor);
    }
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
