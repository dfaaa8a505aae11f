// Output files that appear whole or not at all.
#define _XOPEN_SOURCE 700 // realpath

#include "output_file.h"

#include "interrupt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static fr_status fail(fr_error *error, const char *path, const char *what, int number) {
    fr_error_set(error, FR_ERROR_FILE, "%s: %s", what, strerror(number));
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_FILE;
}

static void forget(output_file *file) {
    free(file->path);
    free(file->temp);
    *file = (output_file){.error = file->error};
}

// A name pattern for mkstemp in the folder of `path`; NULL when there is no memory.
static char *temp_pattern(const char *path) {
    static const char name[] = ".fureai-XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t folder_bytes = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *pattern = malloc(folder_bytes + sizeof name);
    if (pattern == NULL) { return NULL; }
    memcpy(pattern, path, folder_bytes);
    memcpy(pattern + folder_bytes, name, sizeof name);
    return pattern;
}

// The mode a new file gets from open(2); mkstemp gives 0600.
static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static FILE *open_temp(output_file *file, mode_t mode) {
    file->temp = temp_pattern(file->path);
    if (file->temp == NULL) { return NULL; }
    int descriptor = mkstemp(file->temp);
    if (descriptor < 0) {
        free(file->temp);
        file->temp = NULL;
        return NULL;
    }
    FILE *stream = fchmod(descriptor, mode) == 0 ? fdopen(descriptor, "wb") : NULL;
    if (stream == NULL) {
        int number = errno;
        close(descriptor);
        unlink(file->temp);
        errno = number;
    }
    return stream;
}

fr_status output_file_open(output_file *file, const char *path, fr_error *error) {
    *file = (output_file){0};
    if (path[0] == '\0') { return fail(error, path, "cannot write", ENOENT); }
    struct stat before;
    bool exists = stat(path, &before) == 0;
    bool is_plain = !exists || S_ISREG(before.st_mode);

    // A rename would replace a link, and a file that may not be written; the user wants neither.
    file->path = exists && is_plain ? realpath(path, NULL) : strdup(path);
    if (file->path == NULL) { return fail(error, path, "cannot write", errno); }
    if (exists && is_plain && access(file->path, W_OK) != 0) {
        int number = errno;
        forget(file);
        return fail(error, path, "cannot write", number);
    }

    mode_t mode = exists ? before.st_mode & 07777 : usual_mode();
    file->stream = is_plain ? open_temp(file, mode) : fopen(file->path, "wb");
    if (file->stream == NULL) {
        int number = errno;
        forget(file);
        return fail(error, path, "cannot write", number);
    }
    return FR_OK;
}

output_file output_file_adopt(FILE *stream) { return (output_file){.stream = stream}; }

static void note_failure(output_file *file) {
    if (file->error == 0) { file->error = errno != 0 ? errno : EIO; }
}

bool output_file_write(output_file *file, const void *bytes, size_t size) {
    FR_ASSERT(file->stream != NULL);
    if (file->error != 0) { return false; }
    errno = 0;
    if (size > 0 && fwrite(bytes, 1, size, file->stream) != size) { note_failure(file); }
    return file->error == 0;
}

bool output_file_vprint(output_file *file, const char *format, va_list arguments) {
    FR_ASSERT(file->stream != NULL);
    if (file->error != 0) { return false; }
    errno = 0;
    if (vfprintf(file->stream, format, arguments) < 0) { note_failure(file); }
    return file->error == 0;
}

bool output_file_print(output_file *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool written = output_file_vprint(file, format, arguments);
    va_end(arguments);
    return written;
}

// Flushes, and closes what is ours; the first failure is noted.
static void end_stream(output_file *file) {
    bool adopted = file->path == NULL;
    errno = 0;
    if ((adopted ? fflush(file->stream) : fclose(file->stream)) != 0) { note_failure(file); }
}

fr_status output_file_commit(output_file *file, fr_error *error) {
    FR_ASSERT(file->stream != NULL);
    end_stream(file);
    if (file->error == 0 && file->temp != NULL && rename(file->temp, file->path) != 0) { note_failure(file); }

    fr_status status = FR_OK;
    if (file->error != 0) {
        const char *path = file->path != NULL ? file->path : "standard output";
        bool stopped = file->error == EINTR && interrupt_requested();
        status =
            stopped ? fr_error_set(error, FR_ERROR_STOPPED, "stopped") : fail(error, path, "cannot write", file->error);
        if (file->temp != NULL) { unlink(file->temp); }
    }
    forget(file);
    return status;
}

void output_file_discard(output_file *file) {
    if (file->stream == NULL) { return; }
    end_stream(file);
    if (file->temp != NULL) { unlink(file->temp); }
    forget(file);
}
