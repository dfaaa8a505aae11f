// Takes model files from clients: their bytes are read beside the ticks, and become objects.
#include "server/bundle.h"
#include "server/exchange.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MISSING_MAX = 8, HELD_TIMES = 4, MISSING_BYTES = 256, GROWTH = 8 };

// The files, as long as an import may ask for them.
typedef struct upload_shelf {
    fr_allocator allocator;
    fr_server *server;
    uint64_t held; // bytes that count for it
    fr_byte_array body;
    fr__bundle bundle;
    struct upload *reader; // that the files are read for
} upload_shelf;

typedef struct upload {
    fr__exchange base;
    upload_shelf *shelf; // NULL: an import has it
    uint64_t expected;
    const char *paths[FR_IMPORT_MAX_MODELS];
    uint32_t path_count;
    fr_scene_import *import;
    char missing[MISSING_MAX][MISSING_BYTES];
    uint32_t missing_count;
    uint32_t flags; // of the bundle
} upload;

// ---------------------------------------------------------------------------------------------------------------
// Files

static void release_shelf(void *context) {
    upload_shelf *shelf = context;
    fr_allocator allocator = shelf->allocator;
    atomic_fetch_sub(&shelf->server->model_bytes, shelf->held);
    fr__bundle_free(&shelf->bundle);
    fr_byte_array_destroy(&shelf->body);
    fr_deallocate(&allocator, shelf, 1, sizeof *shelf);
}

static fr_status load_file(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    const upload_shelf *shelf = context;
    const fr__bundle_file *file = fr__bundle_find(&shelf->bundle, path);
    if (file == NULL) { return fr_error_set(error, FR_ERROR_FILE, "the file '%.200s' was not sent", path); }
    *bytes = file->bytes;
    *size = file->size;
    return FR_OK;
}

// Whether a file goes with a model and is none by itself.
static bool is_companion(const char *name) {
    static const char *const endings[] = {".mtl", ".bin", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".wav", ".mp3"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot, endings[i]) == 0) { return true; }
    }
    return false;
}

// Which of the files are models: by what they hold, then by their names.
static fr_status find_models(upload *u, fr_error *error) {
    const fr__bundle *bundle = &u->shelf->bundle;
    for (uint32_t i = 0; i < bundle->count; i++) {
        const fr__bundle_file *file = &bundle->files[i];
        bool is_model =
            !is_companion(file->name) && fr_model_format_detect(file->bytes, file->size, file->name) != FR_MODEL_AUTO;
        if (!is_model) { continue; }
        if (u->path_count == FR_IMPORT_MAX_MODELS) {
            return fr_error_set(error, FR_ERROR_LIMIT, "more than %u models at once", FR_IMPORT_MAX_MODELS);
        }
        u->paths[u->path_count++] = file->name;
    }
    if (u->path_count > 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED,
                        "%.100s is none of the formats that are read: OBJ, STL, PLY, OFF, DXF, VRML, Inventor, X3D, "
                        "glTF, Collada",
                        bundle->count == 1 ? bundle->files[0].name : "none of these files");
}

// ---------------------------------------------------------------------------------------------------------------
// Beside the ticks

static void note_missing(const char *path, void *context) {
    // The shelf is the import's context; the upload that reads is found by it.
    upload_shelf *shelf = context;
    upload *u = shelf->reader;
    for (uint32_t i = 0; i < u->missing_count; i++) {
        if (strcmp(u->missing[i], path) == 0) { return; }
    }
    if (u->missing_count == MISSING_MAX) { return; }
    snprintf(u->missing[u->missing_count++], MISSING_BYTES, "%.250s", path);
}

static void read_files(fr__job *job) {
    upload *u = (upload *)(void *)job;
    upload_shelf *shelf = u->shelf;
    fr_error *error = &u->base.error;
    fr_status status = fr__bundle_read(shelf->body.data, shelf->body.count, &shelf->allocator, &shelf->bundle, error);
    if (status == FR_OK) { u->flags = shelf->bundle.flags; }
    if (status == FR_OK) { status = find_models(u, error); }
    if (status == FR_OK) {
        fr_scene_import_def def = fr_default_scene_import_def();
        def.paths = u->paths;
        def.path_count = u->path_count;
        def.load = load_file;
        def.missing = note_missing;
        def.release = release_shelf;
        def.context = shelf;
        def.memory = HELD_TIMES * u->base.server->def.max_upload_bytes;
        def.tasks = u->base.server->def.background;
        def.control = &job->control;
        def.allocator = shelf->allocator;
        shelf->reader = u;
        u->shelf = NULL;
        status = fr_scene_import_create(&def, &u->import, error);
    }
    u->base.status = status;
}

// ---------------------------------------------------------------------------------------------------------------
// The end

static void discard_upload(fr__exchange *exchange) {
    upload *u = (upload *)(void *)exchange;
    fr_allocator allocator = u->base.server->allocator;
    fr_scene_import_destroy(u->import);
    if (u->shelf != NULL) { release_shelf(u->shelf); }
    fr_deallocate(&allocator, u, 1, sizeof *u);
}

static void reply_missing(upload *u) {
    const char *list[MISSING_MAX];
    for (uint32_t i = 0; i < u->missing_count; i++) {
        list[i] = u->missing[i];
    }
    fr__exchange_respond_json(&u->base, 424, "some files are missing that a model refers to", "missing", list,
                              u->missing_count);
}

static void reply_added(upload *u) {
    uint32_t count;
    const fr_imported_model *models = fr_scene_import_models(u->import, &count);
    const char *names[FR_IMPORT_MAX_MODELS];
    for (uint32_t i = 0; i < count; i++) {
        names[i] = models[i].name;
    }
    char text[FR_IMPORTED_TEXT_BYTES];
    fr_imported_model_text(&models[0], text);
    if (count > 1) { snprintf(text, sizeof text, "%u models were added", (unsigned)count); }
    fr__exchange_respond_json(&u->base, FR__HTTP_OK, text, "objects", names, count);
}

static void end_upload(fr__job *job) {
    upload *u = (upload *)(void *)job;
    bool is_lacking = u->missing_count > 0 && (u->flags & FR__BUNDLE_WITHOUT_MISSING) == 0;
    bool is_wanted = u->base.requester != NULL; // a requester that has gone wants nothing any more
    fr_status status = u->base.status;
    if (status == FR_OK && is_wanted && !is_lacking) {
        status = fr__served_import(u->base.server, u->import, &u->base.error);
        if (status == FR_OK) {
            reply_added(u);
            u->import = NULL; // it is the scene's
        }
    }
    if (is_lacking) {
        reply_missing(u);
    } else if (status != FR_OK) {
        char text[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES + 32];
        fr_error_format(&u->base.error, text, sizeof text);
        fr__exchange_respond_json(&u->base, fr__exchange_http_status(status), text, NULL, NULL, 0);
    }
    discard_upload(&u->base);
}

// ---------------------------------------------------------------------------------------------------------------
// The request

static bool is_taken(const fr_server *server, uint64_t size, fr__exchange_refusal *refusal) {
    uint64_t held = atomic_load(&server->model_bytes);
    *refusal = (fr__exchange_refusal){0};
    if (!server->def.may_upload) {
        *refusal = (fr__exchange_refusal){FR__HTTP_FORBIDDEN, "this server takes no files"};
    } else if (size == 0) {
        *refusal = (fr__exchange_refusal){411, "a request with files says how long it is"};
    } else if (size > server->def.max_upload_bytes) {
        *refusal = (fr__exchange_refusal){413, "these files are larger than this server takes"};
    } else if (held + size > HELD_TIMES * server->def.max_upload_bytes) {
        *refusal = (fr__exchange_refusal){
            FR__HTTP_BUSY, "this scene holds as many files as the server takes; open it again to begin from scratch"};
    }
    return refusal->reason == NULL;
}

fr__exchange *fr__upload_begin(fr_server *server, uint64_t size, fr__exchange_refusal *refusal) {
    if (!is_taken(server, size, refusal)) {
        server->stats.refused++;
        return NULL;
    }
    upload *u = fr_allocate(&server->allocator, 1, sizeof *u, _Alignof(upload));
    upload_shelf *shelf = fr_allocate(&server->allocator, 1, sizeof *shelf, _Alignof(upload_shelf));
    if (u == NULL || shelf == NULL) {
        fr_deallocate(&server->allocator, u, 1, sizeof *u);
        fr_deallocate(&server->allocator, shelf, 1, sizeof *shelf);
        *refusal = (fr__exchange_refusal){FR__HTTP_FAILED, "no memory for these files"};
        return NULL;
    }
    *shelf = (upload_shelf){.allocator = server->allocator, .server = server, .held = size};
    shelf->body = fr_byte_array_make(&server->allocator);
    memset(u, 0, sizeof *u);
    u->shelf = shelf;
    u->expected = size;
    u->base.server = server;
    u->base.discard = discard_upload;
    u->base.job.run = read_files;
    u->base.job.end = end_upload;
    atomic_fetch_add(&server->model_bytes, size);
    return &u->base;
}

// Room for more bytes of a body: for several times of what has come, so that little is copied, and for no more than was
// announced. Memory follows what came, not what a client promises.
static unsigned char *make_room(upload *u, size_t size) {
    fr_byte_array *body = &u->shelf->body;
    uint64_t needed = (uint64_t)body->count + size, room = GROWTH * needed;
    if (needed > body->capacity) {
        (void)fr_byte_array_reserve(body, (size_t)(room < u->expected ? room : u->expected)); // else it grows by less
    }
    return fr_byte_array_push(body, size);
}

bool fr__upload_receive(fr__exchange *exchange, const void *bytes, size_t size, fr__exchange_refusal *refusal) {
    upload *u = (upload *)(void *)exchange;
    *refusal = (fr__exchange_refusal){0};
    if (u->base.is_at_work || size > u->expected - u->shelf->body.count) { return false; }
    unsigned char *place = make_room(u, size);
    if (place == NULL) {
        *refusal = (fr__exchange_refusal){FR__HTTP_FAILED, "no memory for these files"};
        return false;
    }
    memcpy(place, bytes, size);
    return true;
}

bool fr__upload_is_complete(const fr__exchange *exchange) {
    const upload *u = (const upload *)(const void *)exchange;
    return !u->base.is_at_work && u->shelf->body.count == u->expected;
}
