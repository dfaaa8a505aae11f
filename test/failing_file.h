// Operations on files that fail on request: the n-th of a kind, by a given errno, once or from then on, and writes that
// take less than they are given. Those that do not fail are the system's.
#ifndef FUREAI_TEST_FAILING_FILE_H
#define FUREAI_TEST_FAILING_FILE_H

#include "fureai/file.h"

#include <errno.h>

typedef enum file_op { FILE_OPEN, FILE_WRITE, FILE_SYNC, FILE_CLOSE, FILE_RENAME, FILE_REMOVE, FILE_OPS } file_op;

static const char *const file_op_names[FILE_OPS] = {"open", "write", "sync", "close", "rename", "remove"};

typedef struct failing_files {
    file_op op;         // that fails
    unsigned nth;       // of its kind, from 1; 0: none fails
    int number;         // errno that it gives
    bool is_lasting;    // from then on every operation of every kind fails
    size_t write_bytes; // that a write takes at once; 0: all
    unsigned counts[FILE_OPS];
    bool has_failed;
} failing_files;

// Whether this operation fails.
static inline bool failing_now(failing_files *f, file_op op) {
    f->counts[op]++;
    if (f->has_failed && f->is_lasting) { return true; }
    bool is_now = op == f->op && f->counts[op] == f->nth;
    f->has_failed = f->has_failed || is_now;
    return is_now;
}

static inline int failing_open(const char *path, fr_file_kind kind, unsigned mode, void *user) {
    failing_files *f = user;
    return failing_now(f, FILE_OPEN) ? -f->number : fr_system_file_ops().open(path, kind, mode, NULL);
}

static inline ptrdiff_t failing_write(int file, const void *bytes, size_t size, void *user) {
    failing_files *f = user;
    if (failing_now(f, FILE_WRITE)) { return -f->number; }
    if (f->write_bytes > 0 && size > f->write_bytes) { size = f->write_bytes; }
    return fr_system_file_ops().write(file, bytes, size, NULL);
}

// Nothing is put on the disk: tests cut no power, and waiting for it takes long.
static inline int failing_sync(int file, void *user) {
    failing_files *f = user;
    (void)file;
    return failing_now(f, FILE_SYNC) ? -f->number : 0;
}

// Closes in any case, as the system does.
static inline int failing_close(int file, void *user) {
    failing_files *f = user;
    int result = fr_system_file_ops().close(file, NULL);
    return failing_now(f, FILE_CLOSE) ? -f->number : result;
}

static inline int failing_rename(const char *from, const char *to, void *user) {
    failing_files *f = user;
    return failing_now(f, FILE_RENAME) ? -f->number : fr_system_file_ops().rename(from, to, NULL);
}

static inline int failing_remove(const char *path, void *user) {
    failing_files *f = user;
    return failing_now(f, FILE_REMOVE) ? -f->number : fr_system_file_ops().remove(path, NULL);
}

static inline fr_file_ops failing_file_ops(failing_files *f) {
    return (fr_file_ops){failing_open, failing_write, failing_sync, failing_close, failing_rename, failing_remove, f};
}

#endif
