// Stores the models of a scene that came from files as a scene file, with their files in a folder beside it.
#define _XOPEN_SOURCE 700 // mkdir, rmdir

#include "server/server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 64, FOLDER_BYTES = 16 };

// A scene that is being stored: NAME.json, and NAME/NUMBER/ for the files of each import.
typedef struct keeping {
    fr__job job;
    fr_server *server;
    uint32_t client, request;
    char name[NAME_MAX_BYTES + 1];
    fr_byte_array text; // of the scene
    fr_scene_import **imports;
    uint32_t import_count;
    char folder[FR__PATH_BYTES];
    fr_status status;
    fr_error error;
} keeping;

// ---------------------------------------------------------------------------------------------------------------
// Files

static fr_status fail_system(keeping *k, const char *path) {
    fr_error_set(&k->error, FR_ERROR_FILE, "it could not be kept: %s: %s", path, strerror(errno));
    return FR_ERROR_FILE;
}

static fr_status write_file(keeping *k, const char *path, const void *bytes, size_t size) {
    fr_output_file_def def = fr_default_output_file_def();
    def.path = path;
    def.ops = k->server->def.file_ops;
    def.allocator = k->server->allocator;
    fr_output_file file;
    fr_error why = {0};
    fr_status status = fr_output_file_open(&def, &file, &why);
    if (status == FR_OK) {
        (void)fr_output_file_write(&file, bytes, size);
        status = fr_output_file_commit(&file, &why);
    }
    if (status != FR_OK) { fr_error_set(&k->error, status, "it could not be kept: %s", why.message); }
    return status;
}

// Makes the folders of a path below the folder of the scene; those that are there are left alone.
static bool make_folders(char *path, size_t begin) {
    for (size_t i = begin; path[i] != '\0'; i++) {
        if (path[i] != '/') { continue; }
        path[i] = '\0';
        bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
        path[i] = '/';
        if (!is_made) { return false; }
    }
    return true;
}

// The path of a file of an import; false where it is too long.
static bool path_of(const keeping *k, uint32_t import, const char *file, char out[FR__PATH_BYTES]) {
    int written = snprintf(out, FR__PATH_BYTES, "%s/%u/%s", k->folder, (unsigned)import + 1, file);
    return written > 0 && written < FR__PATH_BYTES;
}

static fr_status keep_file(keeping *k, uint32_t import, const char *file) {
    char path[FR__PATH_BYTES];
    const void *bytes;
    size_t size;
    if (fr_control_is_stopped(&k->job.control)) {
        return fr_error_set(&k->error, FR_ERROR_STOPPED, "it was not kept: another scene was opened");
    }
    if (!path_of(k, import, file, path)) { return fr_error_set(&k->error, FR_ERROR_LIMIT, "a path is too long"); }
    if (!make_folders(path, strlen(k->folder) + 1)) { return fail_system(k, path); }
    fr_status status = fr_scene_import_load(k->imports[import], file, &bytes, &size, &k->error);
    if (status != FR_OK) { return status; }
    status = write_file(k, path, bytes, size);
    fr_scene_import_unload(k->imports[import], bytes, size);
    return status;
}

// Removes what was written of a scene that could not be stored whole, the deepest folders first.
static void remove_all(const keeping *k) {
    char path[FR__PATH_BYTES];
    for (uint32_t i = 0; i < k->import_count; i++) {
        const char *file;
        for (uint32_t f = 0; (file = fr_scene_import_file(k->imports[i], f)) != NULL; f++) {
            if (!path_of(k, i, file, path)) { continue; }
            (void)unlink(path);
            for (char *slash; (slash = strrchr(path, '/')) != NULL && strlen(path) > strlen(k->folder);) {
                *slash = '\0';
                (void)rmdir(path); // one that still holds something stays for now
            }
        }
    }
    (void)rmdir(k->folder);
}

static void keep_all(fr__job *job) {
    keeping *k = (keeping *)(void *)job;
    char path[FR__PATH_BYTES + 8];
    fr_status status = FR_OK;
    if (mkdir(k->folder, 0777) != 0) {
        bool is_there = errno == EEXIST;
        k->status = fail_system(k, k->folder);
        if (is_there) { fr_error_set(&k->error, FR_ERROR_FILE, "'%s' is there already: choose another name", k->name); }
        return;
    }
    for (uint32_t i = 0; i < k->import_count && status == FR_OK; i++) {
        const char *file;
        for (uint32_t f = 0; status == FR_OK && (file = fr_scene_import_file(k->imports[i], f)) != NULL; f++) {
            status = keep_file(k, i, file);
        }
    }
    snprintf(path, sizeof path, "%s.json", k->folder);
    if (status == FR_OK) { status = write_file(k, path, k->text.data, k->text.count); }
    if (status != FR_OK) { remove_all(k); }
    k->status = status;
}

// ---------------------------------------------------------------------------------------------------------------
// The request

static void free_keeping(keeping *k) {
    fr_allocator allocator = k->server->allocator;
    fr_byte_array_destroy(&k->text);
    fr_deallocate(&allocator, k->imports, k->import_count, sizeof(fr_scene_import *));
    fr_deallocate(&allocator, k, 1, sizeof *k);
}

static void end_keeping(fr__job *job) {
    keeping *k = (keeping *)(void *)job;
    fr_message message = {.type = FR_MESSAGE_REPLY};
    message.as.reply = (fr_message_reply){k->request, k->status, k->status != FR_OK ? k->error.message : ""};
    for (fr__client *client = k->server->clients; client != NULL; client = client->after) {
        if (client->number == k->client) { fr__client_say(client, &message); }
    }
    free_keeping(k);
}

// Letters, digits and what may stand between them: the name becomes that of a file.
static bool is_right_name(const char *name) {
    size_t size = strlen(name);
    for (size_t at = 0; at < size;) {
        size_t length = fr_utf8_length(name + at, size - at);
        unsigned char c = (unsigned char)name[at];
        if (length == 0 || c < 0x20 || c == 0x7f || strchr("/\\:*?\"<>|", c) != NULL) { return false; }
        at += length;
    }
    return size > 0 && size <= NAME_MAX_BYTES && name[0] != '.' && name[0] != ' ' && name[size - 1] != ' ';
}

static bool append_text(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// The text of the scene, with the objects where they are now.
static fr_status write_text(keeping *k, fr_error *error) {
    fr_arena *arena = k->server->arena;
    const char **folders = fr_arena_alloc(arena, k->import_count, sizeof *folders, _Alignof(const char *));
    for (uint32_t i = 0; folders != NULL && i < k->import_count; i++) {
        size_t size = strlen(k->name) + FOLDER_BYTES;
        char *folder = fr_arena_alloc(arena, size, 1, 1);
        if (folder == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a scene"); }
        snprintf(folder, size, "%s/%u/", k->name, (unsigned)i + 1);
        folders[i] = folder;
    }
    if (folders == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a scene"); }
    const fr_import_write_input input = {.imports = k->imports,
                                         .import_count = k->import_count,
                                         .world = k->server->served.world,
                                         .folders = folders,
                                         .title = k->name};
    return fr_scene_import_write(&input, append_text, &k->text, error);
}

fr_status fr__client_keep(fr__client *client, const fr_message_keep *message, fr_error *error) {
    fr_server *server = client->server;
    if (server->def.keep_folder == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this server keeps nothing: it was started without a folder");
    }
    if (server->served.import_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no model to keep: drop a file first");
    }
    if (!is_right_name(message->name)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a scene is kept under a name of letters and digits, up to %d",
                            NAME_MAX_BYTES);
    }
    keeping *k = fr_allocate(&server->allocator, 1, sizeof *k, _Alignof(keeping));
    if (k == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a scene"); }
    memset(k, 0, sizeof *k);
    k->server = server;
    k->client = client->number;
    k->request = message->request;
    k->text = fr_byte_array_make(&server->allocator);
    k->import_count = server->served.import_count;
    k->imports = fr_allocate(&server->allocator, k->import_count, sizeof *k->imports, _Alignof(fr_scene_import *));
    k->job.run = keep_all;
    k->job.end = end_keeping;
    k->job.is_of_scene = true;
    snprintf(k->name, sizeof k->name, "%s", message->name);
    int written = snprintf(k->folder, sizeof k->folder, "%s/%s", server->def.keep_folder, k->name);
    fr_status status = FR_OK;
    if (k->imports == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a scene"); }
    if (written < 0 || written >= (int)sizeof k->folder) {
        status = fr_error_set(error, FR_ERROR_LIMIT, "the path is too long");
    }
    // The scene's own list may move while this is at work.
    if (status == FR_OK) { memcpy(k->imports, server->served.imports, k->import_count * sizeof *k->imports); }
    if (status == FR_OK) { status = write_text(k, error); }
    if (status == FR_OK && !fr__jobs_add(&server->jobs, &k->job)) {
        status = fr_error_set(error, FR_ERROR_BUSY, "too much is being read and written; try again");
    }
    if (status != FR_OK) { free_keeping(k); }
    return status;
}
