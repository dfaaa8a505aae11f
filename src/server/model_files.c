// Model files of the disk that are added to a served scene, each with the files of its folder that it refers to.
#include "server/web_path.h"

#include "fureai/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_COOKIE UINT32_C(0x73766631)
#define FILE_MAX_BYTES (UINT64_C(1) << 31)

// A model: what it is called in the import, where it is, and its folder.
typedef struct disk_model {
    char *path; // as the caller named it
    char *name; // "NUMBER/NAME", its path in the import
    int folder; // descriptor; -1: none
} disk_model;

typedef struct disk_shelf {
    fr_allocator allocator;
    disk_model *models;
    const char **names;
    uint32_t count;
    fr_import_note_fn *note;
    void *note_context;
} disk_shelf;

fr_import_files_input fr_default_import_files_input(void) { return (fr_import_files_input){.cookie = FILES_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Files

static fr_status refuse(fr_error *error, const char *path, const char *reason) {
    fr_error_set(error, FR_ERROR_FILE, "cannot open: %s", reason);
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_FILE;
}

static bool read_whole(int file, unsigned char *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        ssize_t got = read(file, bytes + at, size - at);
        if (got < 0 && errno == EINTR) { continue; }
        if (got <= 0) { return false; }
        at += (size_t)got;
    }
    return true;
}

// What is loaded has its size before it, by which it is freed.
typedef struct disk_file {
    size_t size;
    max_align_t bytes[];
} disk_file;

static fr_status load_open(const disk_shelf *shelf, int file, const char *path, const void **bytes, size_t *size,
                           fr_error *error) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) { return refuse(error, path, "it is no plain file"); }
    if ((uint64_t)about.st_size > FILE_MAX_BYTES) { return refuse(error, path, "it is larger than 2 GiB"); }
    disk_file *made = fr_allocate(&shelf->allocator, 1, sizeof *made + (size_t)about.st_size, _Alignof(disk_file));
    if (made == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "%.200s: no memory", path); }
    made->size = (size_t)about.st_size;
    if (!read_whole(file, (unsigned char *)made->bytes, made->size)) {
        fr_deallocate(&shelf->allocator, made, 1, sizeof *made + made->size);
        return refuse(error, path, "it became shorter meanwhile, or cannot be read");
    }
    *bytes = made->bytes;
    *size = made->size;
    return FR_OK;
}

static void unload_file(const void *bytes, size_t size, void *context) {
    const disk_shelf *shelf = context;
    union {
        const void *shared;
        char *mine;
    } same = {bytes};
    fr_deallocate(&shelf->allocator, same.mine - offsetof(disk_file, bytes), 1, sizeof(disk_file) + size);
}

// A model by its number; any other file from the folder of the model, without links on its path.
static fr_status load_file(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    const disk_shelf *shelf = context;
    const disk_model *model = &shelf->models[strtoul(path, NULL, 10)];
    bool is_model = strcmp(model->name, path) == 0;
    const char *below = strchr(path, '/'), *shown = is_model ? model->path : below + 1;
    fr__web_file file = {.descriptor = -1};
    if (is_model) {
        file.descriptor = open(model->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    } else if (!fr__web_path_check(below, strlen(below)) || !fr__web_file_open(model->folder, below, &file)) {
        return fr_error_set(error, FR_ERROR_FILE, "%.200s: there is no such file beside the model", shown);
    }
    if (file.descriptor < 0) { return refuse(error, shown, strerror(errno)); }
    fr_status status = load_open(shelf, file.descriptor, shown, bytes, size, error);
    fr__web_file_close(&file);
    return status;
}

static void note_missing(const char *path, void *context) {
    const disk_shelf *shelf = context;
    const disk_model *model = &shelf->models[strtoul(path, NULL, 10)];
    char text[FR_IMPORTED_TEXT_BYTES];
    snprintf(text, sizeof text, "%.100s refers to %.100s, which is not there", model->path, strchr(path, '/') + 1);
    if (shelf->note != NULL) { shelf->note(text, shelf->note_context); }
}

// ---------------------------------------------------------------------------------------------------------------
// The shelf

static void free_text(const disk_shelf *shelf, char *text) {
    if (text != NULL) { fr_deallocate(&shelf->allocator, text, strlen(text) + 1, 1); }
}

static void release_shelf(void *context) {
    disk_shelf *shelf = context;
    fr_allocator allocator = shelf->allocator;
    for (uint32_t i = 0; shelf->models != NULL && i < shelf->count; i++) {
        free_text(shelf, shelf->models[i].path);
        free_text(shelf, shelf->models[i].name);
        if (shelf->models[i].folder >= 0) { close(shelf->models[i].folder); }
    }
    fr_deallocate(&allocator, shelf->names, shelf->count, sizeof *shelf->names);
    fr_deallocate(&allocator, shelf->models, shelf->count, sizeof *shelf->models);
    fr_deallocate(&allocator, shelf, 1, sizeof *shelf);
}

// A text of two pieces; NULL without memory.
static char *join(const disk_shelf *shelf, const char *a, const char *b) {
    size_t size = strlen(a) + strlen(b) + 1;
    char *text = fr_allocate(&shelf->allocator, size, 1, 1);
    if (text != NULL) { snprintf(text, size, "%s%s", a, b); }
    return text;
}

static bool open_model(disk_shelf *shelf, uint32_t i, const char *path) {
    disk_model *model = &shelf->models[i];
    const char *slash = strrchr(path, '/');
    char number[16];
    snprintf(number, sizeof number, "%u/", (unsigned)i);
    model->path = join(shelf, path, "");
    model->name = join(shelf, number, slash != NULL ? slash + 1 : path);
    char *folder = join(shelf, path, slash != NULL ? "" : "/");
    if (folder != NULL && slash != NULL) { folder[slash - path + 1] = '\0'; }
    if (folder != NULL) { model->folder = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); }
    // The text was cut: it is freed by the size that it was made with.
    size_t size = strlen(path) + (slash != NULL ? 1 : 2);
    fr_deallocate(&shelf->allocator, folder, size, 1);
    shelf->names[i] = model->name;
    return model->path != NULL && model->name != NULL && folder != NULL;
}

static disk_shelf *open_shelf(const fr_import_files_input *input, const fr_allocator *allocator) {
    disk_shelf *shelf = fr_allocate(allocator, 1, sizeof *shelf, _Alignof(disk_shelf));
    if (shelf == NULL) { return NULL; }
    *shelf = (disk_shelf){.allocator = *allocator, .count = input->path_count};
    shelf->note = input->note;
    shelf->note_context = input->note_context;
    shelf->models = fr_allocate(allocator, input->path_count, sizeof *shelf->models, _Alignof(disk_model));
    shelf->names = fr_allocate(allocator, input->path_count, sizeof *shelf->names, _Alignof(const char *));
    bool is_open = shelf->models != NULL && shelf->names != NULL;
    for (uint32_t i = 0; shelf->models != NULL && i < input->path_count; i++) {
        shelf->models[i] = (disk_model){.folder = -1};
    }
    for (uint32_t i = 0; is_open && i < input->path_count; i++) {
        is_open = open_model(shelf, i, input->paths[i]);
    }
    if (is_open) { return shelf; }
    release_shelf(shelf);
    return NULL;
}

// An error in a model names the path that the caller has for it.
static fr_status name_path(fr_error *why, const fr_import_files_input *input, fr_error *error) {
    char *after = why->path;
    unsigned long number = strtoul(why->path, &after, 10);
    if (after != why->path && *after == '/' && number < input->path_count) {
        fr_error_locate(why, input->paths[number], why->line, why->column);
    }
    if (error != NULL) { *error = *why; }
    return why->status;
}

fr_status fr_served_scene_import_files(fr_served_scene *scene, const fr_import_files_input *input, fr_error *error) {
    FR_ASSERT(scene != NULL && input != NULL && input->path_count > 0);
    if (input->cookie != FILES_COOKIE) { return fr_error_set_cookie(error, "fr_default_import_files_input"); }
    fr_scene_import_def def = fr_default_scene_import_def();
    def.allocator = fr_allocator_or_default(&input->allocator);
    disk_shelf *shelf = open_shelf(input, &def.allocator);
    if (shelf == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for models"); }
    def.paths = shelf->names;
    def.path_count = shelf->count;
    def.unit = input->unit;
    def.up = input->up;
    def.is_in_place = input->is_in_place;
    def.load = load_file;
    def.unload = unload_file;
    def.missing = note_missing;
    def.release = release_shelf;
    def.context = shelf;
    def.memory = input->memory;
    def.tasks = input->tasks;
    def.control = input->control;
    fr_scene_import *import;
    fr_error why = {0};
    fr_status status = fr_scene_import_create(&def, &import, &why);
    if (status != FR_OK) { return name_path(&why, input, error); }
    status = fr_served_scene_import(scene, import, error);
    if (status != FR_OK) {
        fr_scene_import_destroy(import);
        return status;
    }
    uint32_t count;
    const fr_imported_model *models = fr_scene_import_models(import, &count);
    for (uint32_t i = 0; i < count && input->note != NULL; i++) {
        char text[FR_IMPORTED_TEXT_BYTES];
        fr_imported_model_text(&models[i], text);
        input->note(text, input->note_context);
    }
    return FR_OK;
}
