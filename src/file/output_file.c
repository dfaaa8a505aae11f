// Output files that appear whole or not at all: written to a temporary file, put on the disk, renamed.
#define _XOPEN_SOURCE 700 // fchown, dup

#include "fureai/file.h"

#include "file/target_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUT_FILE_COOKIE UINT32_C(0x6f757431)

enum {
    BUFFER_BYTES = 64 << 10,
    PIPE_BYTES = 4 << 10,
    NAME_TRIES = 1000,
    TEMP_NAME_BYTES = 64,
    NEW_MODE = 0666,
    PERMISSIONS = 07777
};

fr_output_file_def fr_default_output_file_def(void) { return (fr_output_file_def){.cookie = OUTPUT_FILE_COOKIE}; }

static void note_failure(fr_output_file *file, int number) {
    if (file->error == 0) { file->error = number != 0 ? number : EIO; }
}

// Whether an operation that returned `result` is to be repeated.
static bool is_interrupted(const fr_output_file *file, ptrdiff_t result) {
    return result == -EINTR && !fr_control_is_stopped(file->control);
}

// ---------------------------------------------------------------------------------------------------------------
// Opening

static int open_file(const fr_output_file *file, const char *path, fr_file_kind kind, unsigned mode) {
    int descriptor;
    do {
        descriptor = file->ops.open(path, kind, mode, file->ops.user);
    } while (is_interrupted(file, descriptor));
    return descriptor;
}

// The descriptor that a path is another name of, such as /dev/fd/3; -1: none.
static int descriptor_of(const char *path) {
    if (strcmp(path, "/dev/stdout") == 0) { return STDOUT_FILENO; }
    if (strcmp(path, "/dev/stderr") == 0) { return STDERR_FILENO; }
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0) { continue; }
        char *end;
        long number = strtol(path + length, &end, 10);
        if (end != path + length && *end == '\0' && number >= 0 && number <= 1 << 20) { return (int)number; }
    }
    return -1;
}

// Gives a new file the permissions of the one whose place it takes, and its owner where that can be.
static int copy_permissions(int descriptor, const struct stat *from) {
    struct stat now;
    if (fstat(descriptor, &now) != 0) { return -errno; }
    mode_t mode = from->st_mode & PERMISSIONS;
    bool is_same = now.st_uid == from->st_uid && now.st_gid == from->st_gid;
    // A file of another owner must not run as us, nor be open to a group that it was not open to.
    if (!is_same && fchown(descriptor, from->st_uid, from->st_gid) != 0) { mode &= S_IRWXU | S_IRWXO; }
    return fchmod(descriptor, mode) == 0 ? 0 : -errno;
}

// Opens the temporary file under a name that is free.
static int open_temp(fr_output_file *file, bool is_sole_writer, unsigned mode) {
    for (unsigned i = 0; i < NAME_TRIES; i++) {
        if (is_sole_writer) {
            file->temp = fr__path_join(file->target, strlen(file->target), ".new", &file->allocator);
        } else {
            char name[TEMP_NAME_BYTES];
            snprintf(name, sizeof name, ".fureai-%ld-%u", (long)getpid(), i);
            file->temp = fr__path_beside(file->target, name, &file->allocator);
        }
        if (file->temp == NULL) { return -errno; }
        if (is_sole_writer) { (void)file->ops.remove(file->temp, file->ops.user); }
        int descriptor = open_file(file, file->temp, FR_FILE_NEW, mode);
        if (descriptor >= 0) { return descriptor; }
        fr__path_free(file->temp, &file->allocator);
        file->temp = NULL;
        if (descriptor != -EEXIST || is_sole_writer) { return descriptor; }
    }
    return -EEXIST;
}

// Opens the file that takes the target's place, with the permissions of what is there.
static int open_plain(fr_output_file *file, bool is_sole_writer, const struct stat *before) {
    // A rename would replace a file that may not be written.
    if (before != NULL && access(file->target, W_OK) != 0) { return -errno; }
    unsigned mode = before != NULL ? before->st_mode & S_IRWXU : NEW_MODE;
    int descriptor = open_temp(file, is_sole_writer, mode);
    int result = descriptor >= 0 && before != NULL ? copy_permissions(descriptor, before) : 0;
    if (result == 0) { return descriptor; }
    (void)file->ops.close(descriptor, file->ops.user);
    (void)file->ops.remove(file->temp, file->ops.user);
    return result;
}

static int open_path(fr_output_file *file, const fr_output_file_def *def) {
    const char *path = def->path;
    if (path[0] == '\0') { return -ENOENT; }
    file->name = fr__path_join(path, strlen(path), "", &file->allocator);
    if (file->name == NULL) { return -errno; }
    int same = descriptor_of(path);
    if (same >= 0) {
        int descriptor = dup(same);
        return descriptor >= 0 ? descriptor : -errno;
    }
    file->target = fr__target_path(path, &file->allocator);
    if (file->target == NULL) { return -errno; }
    struct stat before;
    bool exists = stat(file->target, &before) == 0;
    if (!exists && errno != ENOENT) { return -errno; }
    bool is_folder = exists ? S_ISDIR(before.st_mode) : file->target[strlen(file->target) - 1] == '/';
    if (is_folder) { return -EISDIR; }
    bool is_device = exists && !S_ISREG(before.st_mode);
    return is_device ? open_file(file, file->target, FR_FILE_DEVICE, 0)
                     : open_plain(file, def->is_sole_writer, exists ? &before : NULL);
}

static void forget(fr_output_file *file) {
    fr__path_free(file->name, &file->allocator);
    fr__path_free(file->target, &file->allocator);
    fr__path_free(file->temp, &file->allocator);
    fr_deallocate(&file->allocator, file->buffer, BUFFER_BYTES, 1);
    *file = (fr_output_file){.error = file->error};
}

static fr_status fail(const fr_output_file *file, const char *path, fr_error *error) {
    if (file->error == EINTR && fr_control_is_stopped(file->control)) {
        return fr_error_set(error, FR_ERROR_STOPPED, "stopped");
    }
    fr_status status = file->error == ENOMEM ? FR_ERROR_MEMORY : FR_ERROR_FILE;
    fr_error_set(error, status, "cannot write: %s", strerror(file->error));
    fr_error_locate(error, path, 0, 0);
    return status;
}

fr_status fr_output_file_open(const fr_output_file_def *def, fr_output_file *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = (fr_output_file){0};
    if (def->cookie != OUTPUT_FILE_COOKIE) { return fr_error_set_cookie(error, "fr_default_output_file_def"); }
    FR_ASSERT(def->path != NULL);
    fr_output_file file = {.ops = def->ops != NULL ? *def->ops : fr_system_file_ops(),
                           .control = def->control,
                           .allocator = fr_allocator_or_default(&def->allocator)};
    file.descriptor = open_path(&file, def);
    if (file.descriptor < 0) {
        note_failure(&file, -file.descriptor);
        fr_status status = fail(&file, def->path, error);
        forget(&file);
        return status;
    }
    file.is_open = true;
    *out = file;
    return FR_OK;
}

fr_output_file fr_output_file_adopt(int descriptor, const fr_control *control) {
    return (fr_output_file){.is_open = true,
                            .is_adopted = true,
                            .is_terminal = isatty(descriptor) == 1,
                            .descriptor = descriptor,
                            .ops = fr_system_file_ops(),
                            .control = control,
                            .allocator = fr_default_allocator()};
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static void hand_over(fr_output_file *file, const unsigned char *bytes, size_t size) {
    while (size > 0 && file->error == 0) {
        ptrdiff_t written = file->ops.write(file->descriptor, bytes, size, file->ops.user);
        if (is_interrupted(file, written)) { continue; }
        if (written <= 0) {
            note_failure(file, (int)-written);
            return;
        }
        bytes += written;
        size -= (size_t)written;
    }
}

bool fr_output_file_flush(fr_output_file *file) {
    FR_ASSERT(file->is_open);
    hand_over(file, file->buffer, file->buffered);
    file->buffered = 0;
    return file->error == 0;
}

static bool has_buffer(fr_output_file *file) {
    if (file->buffer == NULL) { file->buffer = fr_allocate(&file->allocator, BUFFER_BYTES, 1, 64); }
    if (file->buffer == NULL) { note_failure(file, ENOMEM); }
    return file->buffer != NULL;
}

bool fr_output_file_write(fr_output_file *file, const void *bytes, size_t size) {
    FR_ASSERT(file->is_open);
    if (file->error != 0 || !has_buffer(file)) { return false; }
    // That the reader of a pipe left is to be noticed early.
    size_t capacity = file->is_adopted ? PIPE_BYTES : BUFFER_BYTES;
    if (size > capacity - file->buffered) { fr_output_file_flush(file); }
    if (size > capacity) {
        hand_over(file, bytes, size);
    } else if (size > 0) {
        memcpy(file->buffer + file->buffered, bytes, size);
        file->buffered += size;
        if (file->is_terminal && memchr(bytes, '\n', size) != NULL) { fr_output_file_flush(file); }
    }
    return file->error == 0;
}

bool fr_output_file_vprint(fr_output_file *file, const char *format, va_list arguments) {
    char text[1024];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length >= 0 && (size_t)length < sizeof text) {
        fr_output_file_write(file, text, (size_t)length);
    } else if (length >= 0) {
        size_t size = (size_t)length + 1;
        char *longer = fr_allocate(&file->allocator, size, 1, 1);
        if (longer == NULL || vsnprintf(longer, size, format, again) != length) {
            note_failure(file, longer == NULL ? ENOMEM : EINVAL);
        } else {
            fr_output_file_write(file, longer, (size_t)length);
        }
        fr_deallocate(&file->allocator, longer, size, 1);
    } else {
        note_failure(file, errno);
    }
    va_end(again);
    return file->error == 0;
}

bool fr_output_file_print(fr_output_file *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool is_written = fr_output_file_vprint(file, format, arguments);
    va_end(arguments);
    return is_written;
}

// ---------------------------------------------------------------------------------------------------------------
// Ending

static void sync_file(fr_output_file *file, int descriptor) {
    int result;
    do {
        result = file->ops.sync(descriptor, file->ops.user);
    } while (is_interrupted(file, result));
    // Some file systems cannot synchronise a folder; the name is as safe there as it can be.
    if (result < 0 && result != -EINVAL && result != -ENOTSUP) { note_failure(file, -result); }
}

// The system has closed the descriptor also where it was interrupted.
static void close_file(fr_output_file *file, int descriptor) {
    int result = file->ops.close(descriptor, file->ops.user);
    if (result < 0 && result != -EINTR) { note_failure(file, -result); }
}

// The new name itself must reach the disk, too. A folder that may be written to but not read cannot be synchronised.
static void sync_folder(fr_output_file *file) {
    char *folder = fr__path_beside(file->target, "", &file->allocator);
    int descriptor = folder != NULL ? open_file(file, folder, FR_FILE_FOLDER, 0) : -ENOMEM;
    fr__path_free(folder, &file->allocator);
    if (descriptor >= 0) {
        sync_file(file, descriptor);
        close_file(file, descriptor);
    } else if (descriptor != -EACCES) {
        note_failure(file, -descriptor);
    }
}

static void rename_file(fr_output_file *file) {
    int result;
    do {
        result = file->ops.rename(file->temp, file->target, file->ops.user);
    } while (is_interrupted(file, result));
    if (result < 0) { note_failure(file, -result); }
}

static void drop_temp(fr_output_file *file) {
    if (file->temp != NULL) { (void)file->ops.remove(file->temp, file->ops.user); }
}

fr_status fr_output_file_commit(fr_output_file *file, fr_error *error) {
    FR_ASSERT(file->is_open);
    if (file->error == 0) { fr_output_file_flush(file); }
    if (file->error == 0 && file->temp != NULL) { sync_file(file, file->descriptor); }
    if (!file->is_adopted) { close_file(file, file->descriptor); }
    bool is_complete = file->error == 0;
    if (is_complete && file->temp != NULL) { rename_file(file); }
    bool is_in_place = file->error == 0;
    if (!is_in_place) {
        drop_temp(file);
    } else if (file->temp != NULL) {
        sync_folder(file);
    }

    fr_status status = FR_OK;
    if (file->error != 0) { status = fail(file, file->name != NULL ? file->name : "standard output", error); }
    forget(file);
    return status;
}

void fr_output_file_discard(fr_output_file *file) {
    if (!file->is_open) { return; }
    if (!file->is_adopted) { close_file(file, file->descriptor); }
    drop_temp(file);
    forget(file);
}
