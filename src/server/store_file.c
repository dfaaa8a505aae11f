// Reads and writes the file of a store.
#include "server/store.h"

#include <errno.h>
#include <fcntl.h>
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

fr_status fr__store_save(const char *path, const void *bytes, size_t size, const fr_file_ops *ops,
                         const fr_allocator *allocator, fr_error *error) {
    fr_output_file_def def = fr_default_output_file_def();
    def.path = path;
    def.is_sole_writer = true;
    def.ops = ops;
    def.allocator = fr_allocator_or_default(allocator);
    fr_output_file file;
    fr_status status = fr_output_file_open(&def, &file, error);
    if (status != FR_OK) { return status; }
    fr_output_file_write(&file, bytes, size);
    return fr_output_file_commit(&file, error);
}
