// A folder whose files may be opened by relative paths, and none outside of it.
#define _XOPEN_SOURCE 700 // realpath, readlink

#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A text of two pieces, or NULL.
static char *join(const char *a, size_t a_length, const char *b) {
    size_t b_length = strlen(b);
    char *text = malloc(a_length + b_length + 1);
    if (text == NULL) { return NULL; }
    memcpy(text, a, a_length);
    memcpy(text + a_length, b, b_length + 1);
    return text;
}

// The folder that a file is in, without links; NULL with errno set when there is none.
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) { return realpath(".", NULL); }
    char *with_slash = join(path, (size_t)(slash - path), "/");
    char *real = with_slash != NULL ? realpath(with_slash, NULL) : NULL;
    free(with_slash);
    return real;
}

fr_status folder_open(tool *t, const char *path, const char *what, const char *of, file_folder *out, fr_error *error) {
    *out = (file_folder){.tool = t, .path = folder_of(path), .what = what, .of = of};
    out->files = fr_array_make(sizeof(input_file), NULL);
    return out->path != NULL ? FR_OK : fr_error_set(error, FR_ERROR_FILE, "%s: %s", path, strerror(errno));
}

void folder_close(file_folder *f) {
    input_file *files = f->files.data;
    for (size_t i = 0; i < f->files.count; i++) {
        input_file_release(&files[i]);
    }
    fr_array_destroy(&f->files);
    free(f->path);
    f->path = NULL;
}

static bool is_inside(const char *path, const char *outer) {
    size_t length = strlen(outer);
    if (strcmp(outer, "/") == 0) { return true; }
    return strncmp(path, outer, length) == 0 && path[length] == '/';
}

// Where a file is, without links. NULL with the reason.
static char *find(const file_folder *f, const char *path, fr_error *error) {
    char *below = join("/", 1, path[0] == '/' ? "." : path);
    char *beside = below != NULL ? join(f->path, strlen(f->path), below) : NULL;
    char *real = beside != NULL ? realpath(beside, NULL) : NULL;
    int reason = errno;
    free(below);
    free(beside);
    if (path[0] == '/' || (real != NULL && !is_inside(real, f->path))) {
        free(real);
        fr_error_set(error, FR_ERROR_FILE, "the %s '%s' lies outside of the %s's folder", f->what, path, f->of);
        return NULL;
    }
    if (real == NULL) { fr_error_set(error, FR_ERROR_FILE, "%s: %s", path, strerror(reason)); }
    return real;
}

fr_status folder_load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    file_folder *f = context;
    char *real = find(f, path, error);
    if (real == NULL) { return FR_ERROR_FILE; }

    // Reported with the name that the other file has for it.
    input_file file;
    fr_error why = {0};
    fr_status status = tool_read(f->tool, real, INPUT_QUOTED, INPUT_FILE_LIMIT, &file, &why);
    free(real);
    if (status != FR_OK) { return fr_error_set(error, status, "%s: %s", path, why.message); }
    input_file *place = fr_array_push(&f->files, 1);
    if (place == NULL) {
        input_file_release(&file);
        return fr_error_set(error, FR_ERROR_MEMORY, "%s: no memory", path);
    }
    *place = file;
    *bytes = file.data;
    *size = file.size;
    return FR_OK;
}

void folder_unload(const void *bytes, size_t size, void *context) {
    (void)size;
    file_folder *f = context;
    input_file *files = f->files.data;
    size_t last = f->files.count;
    while (last > 0 && files[last - 1].data != bytes) {
        last--;
    }
    if (last == 0) { return; }
    input_file_release(&files[last - 1]);
    files[last - 1] = files[--f->files.count];
}

bool folder_beside_program(const char *name, char path[FOLDER_PATH_BYTES]) {
    char program[FOLDER_PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) { return false; }
    program[length] = '\0';
    const char *slash = strrchr(program, '/');
    int folder = slash != NULL ? (int)(slash - program) : 0;
    int written = snprintf(path, FOLDER_PATH_BYTES, "%.*s/../share/fureai/%s", folder, program, name);
    return written > 0 && written < FOLDER_PATH_BYTES && access(path, R_OK) == 0;
}
