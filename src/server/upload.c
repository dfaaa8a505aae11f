// Takes model files from clients: their bytes come by POST, are read beside the ticks, and become objects.
#include "server/bundle.h"
#include "server/exchange.h"

#include <libwebsockets.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MISSING_MAX = 8, HELD_TIMES = 4, MISSING_BYTES = 256 };

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
// Exchanges

unsigned fr__exchange_http_status(fr_status status) {
    switch (status) {
    case FR_OK: return HTTP_STATUS_OK;
    case FR_ERROR_LIMIT: return 413;
    case FR_ERROR_BUSY: return HTTP_STATUS_SERVICE_UNAVAILABLE;
    case FR_ERROR_MEMORY:
    case FR_ERROR_STOPPED:
    case FR_ERROR_SYSTEM: return HTTP_STATUS_INTERNAL_SERVER_ERROR;
    default: return 422;
    }
}

static bool append_reply(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

void fr__exchange_reply(fr__exchange *exchange, unsigned status, const char *message, const char *key,
                        const char *const *list, uint32_t count) {
    fr__web_request *request = exchange->request;
    if (request == NULL) { return; }
    fr__web_reply reply = {status, "application/json", NULL, fr_byte_array_make(&exchange->server->allocator)};
    fr_json_writer j = fr_json_writer_make(append_reply, &reply.bytes, 0, &exchange->server->allocator);
    fr_json_write_object(&j);
    fr_json_write_string_field(&j, "message", message);
    if (key != NULL) {
        fr_json_write_key(&j, key);
        fr_json_write_array(&j);
        for (uint32_t i = 0; i < count; i++) {
            fr_json_write_string(&j, list[i]);
        }
        fr_json_write_array_end(&j);
    }
    fr_json_write_object_end(&j);
    bool is_written = fr_json_writer_end(&j);
    request->exchange = NULL;
    exchange->request = NULL;
    struct lws *wsi = exchange->wsi;
    exchange->wsi = NULL;
    // What cannot be sent ends the connection at its next wake.
    if (!is_written || fr__web_send(wsi, request, &reply) != 0) { lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, 1); }
}

int fr__exchange_start(fr__exchange *exchange) {
    if (fr__jobs_add(&exchange->server->jobs, &exchange->job)) {
        exchange->is_at_work = true;
        lws_set_timeout(exchange->wsi, NO_PENDING_TIMEOUT, 0);
        return 0;
    }
    return fr__web_refuse(exchange->wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, "too many files are being read; try again");
}

void fr__exchange_leave(fr__web_request *request) {
    fr__exchange *exchange = request->exchange;
    request->exchange = NULL;
    if (exchange == NULL) { return; }
    exchange->request = NULL;
    exchange->wsi = NULL;
    if (exchange->is_at_work) {
        atomic_store(&exchange->job.is_stopped, true);
    } else {
        exchange->discard(exchange);
    }
}

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
    fr__exchange_reply(&u->base, 424, "some files are missing that a model refers to", "missing", list,
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
    fr__exchange_reply(&u->base, HTTP_STATUS_OK, text, "objects", names, count);
}

static void end_upload(fr__job *job) {
    upload *u = (upload *)(void *)job;
    bool is_lacking = u->missing_count > 0 && (u->flags & FR__BUNDLE_WITHOUT_MISSING) == 0;
    bool is_wanted = u->base.request != NULL; // who has gone wants nothing any more
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
        fr__exchange_reply(&u->base, fr__exchange_http_status(status), text, NULL, NULL, 0);
    }
    discard_upload(&u->base);
}

// ---------------------------------------------------------------------------------------------------------------
// The request

// Why a request is not taken; NULL: it is.
static const char *refusal(fr_server *server, struct lws *wsi, const char *host, uint64_t size, unsigned *status) {
    char origin[512];
    *status = HTTP_STATUS_FORBIDDEN;
    bool has_origin = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
    const char *from = fr__web_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    if (has_origin && (from == NULL || !fr__origin_allowed(&server->origins, from, host))) {
        return "this origin is not allowed";
    }
    if (!server->def.may_upload) { return "this server takes no files"; }
    *status = 411;
    if (size == 0) { return "a request with files says how long it is"; }
    *status = 413;
    if (size > server->def.max_upload_bytes) { return "these files are larger than this server takes"; }
    *status = HTTP_STATUS_SERVICE_UNAVAILABLE;
    if (atomic_load(&server->model_bytes) + size > HELD_TIMES * server->def.max_upload_bytes) {
        return "this scene holds as many files as the server takes; open it again to begin from scratch";
    }
    return NULL;
}

int fr__upload_begin(fr_server *server, struct lws *wsi, fr__web_request *request, const char *host) {
    char text[32];
    const char *length = fr__web_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text);
    uint64_t size = length != NULL ? strtoull(length, NULL, 10) : 0;
    unsigned status;
    const char *wrong = refusal(server, wsi, host, size, &status);
    if (wrong != NULL) {
        server->stats.refused++;
        return fr__web_refuse(wsi, status, wrong);
    }
    upload *u = fr_allocate(&server->allocator, 1, sizeof *u, _Alignof(upload));
    upload_shelf *shelf = fr_allocate(&server->allocator, 1, sizeof *shelf, _Alignof(upload_shelf));
    if (u == NULL || shelf == NULL) {
        fr_deallocate(&server->allocator, u, 1, sizeof *u);
        fr_deallocate(&server->allocator, shelf, 1, sizeof *shelf);
        return fr__web_refuse(wsi, HTTP_STATUS_INTERNAL_SERVER_ERROR, "no memory for these files");
    }
    *shelf = (upload_shelf){.allocator = server->allocator, .server = server, .held = size};
    shelf->body = fr_byte_array_make(&server->allocator);
    memset(u, 0, sizeof *u);
    u->shelf = shelf;
    u->expected = size;
    u->base.server = server;
    u->base.wsi = wsi;
    u->base.request = request;
    u->base.discard = discard_upload;
    u->base.job.run = read_files;
    u->base.job.end = end_upload;
    atomic_fetch_add(&server->model_bytes, size);
    request->exchange = &u->base;
    return 0;
}

int fr__upload_receive(struct lws *wsi, fr__web_request *request, const void *bytes, size_t size) {
    upload *u = (upload *)(void *)request->exchange;
    if (u == NULL || u->base.is_at_work) { return -1; }
    fr_byte_array *body = &u->shelf->body;
    if (size > u->expected - body->count) { return -1; }
    unsigned char *place = fr_byte_array_push(body, size);
    if (place == NULL) { return fr__web_refuse(wsi, HTTP_STATUS_INTERNAL_SERVER_ERROR, "no memory for these files"); }
    memcpy(place, bytes, size);
    return 0;
}

int fr__upload_complete(struct lws *wsi, fr__web_request *request) {
    (void)wsi;
    upload *u = (upload *)(void *)request->exchange;
    if (u == NULL || u->shelf->body.count != u->expected) { return -1; }
    return fr__exchange_start(&u->base);
}
