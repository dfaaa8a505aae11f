// A folder whose files are read by relative paths, and none outside of it.
#define _XOPEN_SOURCE 700 // realpath

#include "fureai/file.h"

#include "file/target_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_FOLDER_COOKIE UINT32_C(0x666f6c31)

struct fr_file_folder {
    fr_file_folder_def def; // its path is not kept
    char *path;             // without links, and without a slash at its end; the system's memory
    fr_array files;         // fr_input_file, those that are loaded now
};

fr_file_folder_def fr_default_file_folder_def(void) {
    return (fr_file_folder_def){
        .what = "file", .of = "file", .limit = fr_default_input_file_def().limit, .cookie = FILE_FOLDER_COOKIE};
}

// The folder that a file is in, without links; NULL with errno set when there is none.
static char *folder_of(const char *path, const fr_allocator *allocator) {
    char *named = fr__path_beside(path, "", allocator);
    char *real = named != NULL ? realpath(named, NULL) : NULL;
    int reason = errno;
    fr__path_free(named, allocator);
    errno = reason;
    return real;
}

fr_status fr_file_folder_create(const fr_file_folder_def *def, fr_file_folder **out, fr_error *error) {
    *out = NULL;
    if (def->cookie != FILE_FOLDER_COOKIE) { return fr_error_set_cookie(error, "fr_default_file_folder_def"); }
    fr_file_folder *folder = fr_allocate(&def->allocator, 1, sizeof *folder, _Alignof(fr_file_folder));
    if (folder == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a folder"); }
    *folder = (fr_file_folder){.def = *def, .path = folder_of(def->path, &def->allocator)};
    folder->files = fr_array_make(sizeof(fr_input_file), &folder->def.allocator);
    if (folder->path == NULL) {
        fr_status status = errno == ENOMEM ? FR_ERROR_MEMORY : FR_ERROR_FILE;
        fr_error_set(error, status, "%s: %s", def->path, strerror(errno));
        fr_file_folder_destroy(folder);
        return status;
    }
    folder->def.path = NULL;
    *out = folder;
    return FR_OK;
}

void fr_file_folder_destroy(fr_file_folder *folder) {
    if (folder == NULL) { return; }
    fr_input_file *files = folder->files.data;
    for (size_t i = 0; i < folder->files.count; i++) {
        fr_input_file_destroy(&files[i]);
    }
    fr_array_destroy(&folder->files);
    free(folder->path);
    fr_allocator allocator = folder->def.allocator;
    fr_deallocate(&allocator, folder, 1, sizeof *folder);
}

static bool is_inside(const char *path, const char *outer) {
    size_t length = strlen(outer);
    if (strcmp(outer, "/") == 0) { return true; }
    return strncmp(path, outer, length) == 0 && path[length] == '/';
}

// Where a file is, without links, in the system's memory. NULL with the reason in *status.
static char *find(const fr_file_folder *f, const char *path, fr_status *status, fr_error *error) {
    const fr_allocator *allocator = &f->def.allocator;
    char *below = fr__path_join("/", 1, path[0] == '/' ? "." : path, allocator);
    char *beside = below != NULL ? fr__path_join(f->path, strlen(f->path), below, allocator) : NULL;
    char *real = beside != NULL ? realpath(beside, NULL) : NULL;
    int reason = errno;
    fr__path_free(below, allocator);
    fr__path_free(beside, allocator);
    if (path[0] == '/' || (real != NULL && !is_inside(real, f->path))) {
        free(real);
        *status = fr_error_set(error, FR_ERROR_FILE, "the %s '%s' lies outside of the %s's folder", f->def.what, path,
                               f->def.of);
        return NULL;
    }
    if (real == NULL) {
        *status = reason == ENOMEM ? FR_ERROR_MEMORY : FR_ERROR_FILE;
        fr_error_set(error, *status, "%s: %s", path, strerror(reason));
    }
    return real;
}

fr_status fr_file_folder_load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    fr_file_folder *f = context;
    fr_status status = FR_OK;
    char *real = find(f, path, &status, error);
    if (real == NULL) { return status; }

    // A failure is reported with the name that the other file has for it.
    fr_error why = {0};
    if (f->def.check != NULL) { status = f->def.check(real, f->def.user, &why); }
    fr_input_file file = {0};
    if (status == FR_OK) {
        fr_input_file_def def = fr_default_input_file_def();
        def.path = real;
        def.is_plain = true;
        def.limit = f->def.limit;
        def.control = f->def.control;
        def.allocator = f->def.allocator;
        status = fr_input_file_read(&def, &file, &why);
    }
    free(real);
    if (status != FR_OK) { return fr_error_set(error, status, "%s: %s", path, why.message); }
    fr_input_file *place = fr_array_push(&f->files, 1);
    if (place == NULL) {
        fr_input_file_destroy(&file);
        return fr_error_set(error, FR_ERROR_MEMORY, "%s: no memory", path);
    }
    *place = file;
    *bytes = file.data;
    *size = file.size;
    return FR_OK;
}

void fr_file_folder_unload(const void *bytes, size_t size, void *context) {
    (void)size;
    fr_file_folder *f = context;
    fr_input_file *files = f->files.data;
    size_t last = f->files.count;
    while (last > 0 && files[last - 1].data != bytes) {
        last--;
    }
    if (last == 0) { return; }
    fr_input_file_destroy(&files[last - 1]);
    files[last - 1] = files[--f->files.count];
}
