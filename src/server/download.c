// Gives the models of a scene back in formats that other programs read, written beside the ticks.
#include "server/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct download {
    fr__exchange base;
    fr_scene_import *import;
    uint32_t index;
    fr_model_format format;
    const char *ending;
    fr_byte_array bytes;
    uint64_t max_bytes;
} download;

static bool append(const void *bytes, size_t size, void *context) {
    download *d = context;
    if (d->bytes.count + size > d->max_bytes) { return false; }
    unsigned char *place = fr_byte_array_push(&d->bytes, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

static void write_model(fr__job *job) {
    download *d = (download *)(void *)job;
    fr_model *model;
    fr_status status = fr_scene_import_model(d->import, d->index, &job->control, &model, &d->base.error);
    if (status == FR_OK) {
        fr_model_write_input writing = fr_default_model_write_input();
        writing.control = &job->control;
        status = fr_model_write(model, d->format, &writing, append, d, &d->base.error);
        fr_model_destroy(model);
    }
    if (status == FR_ERROR_FILE) { fr_error_set(&d->base.error, status, "the file would be too large"); }
    d->base.status = status;
}

static void discard_download(fr__exchange *exchange) {
    download *d = (download *)(void *)exchange;
    fr_allocator allocator = d->base.server->allocator;
    fr_byte_array_destroy(&d->bytes);
    fr_deallocate(&allocator, d, 1, sizeof *d);
}

// The name of the file to be stored: that of the object, with letters that every system takes.
static void name_file(const download *d, char *out, size_t size) {
    uint32_t count;
    const char *name = fr_scene_import_models(d->import, &count)[d->index].name;
    size_t at = 0;
    for (; *name != '\0' && at + 8 < size; name++) {
        unsigned char c = (unsigned char)*name;
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
        out[at++] = is_plain ? *name : '_';
    }
    snprintf(out + at, size - at, ".%s", d->ending);
}

static void end_download(fr__job *job) {
    download *d = (download *)(void *)job;
    if (d->base.status != FR_OK) {
        fr__exchange_respond_json(&d->base, fr__exchange_http_status(d->base.status), d->base.error.message, NULL, NULL,
                                  0);
    } else if (d->base.requester != NULL) {
        char name[160];
        name_file(d, name, sizeof name);
        const fr__exchange_reply reply = {FR__HTTP_OK, "application/octet-stream", name, d->bytes};
        d->bytes = fr_byte_array_make(&d->base.server->allocator);
        fr__exchange_respond(&d->base, &reply);
    }
    discard_download(&d->base);
}

fr__exchange *fr__download_begin(fr_server *server, const char *path) {
    static const struct {
        const char *ending;
        fr_model_format format;
    } kinds[] = {{"glb", FR_MODEL_GLB}, {"stl", FR_MODEL_STL}, {"obj", FR_MODEL_OBJ}};
    char *after;
    unsigned long number = strtoul(path + 8, &after, 10);
    fr_scene_import *import = NULL;
    uint32_t index = 0;
    bool is_there = *after == '.' && number <= UINT32_MAX && path[8] >= '1' && path[8] <= '9' &&
                    fr__served_model(server, (uint32_t)number, &import, &index);
    for (size_t i = 0; is_there && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(after + 1, kinds[i].ending) != 0) { continue; }
        download *d = fr_allocate(&server->allocator, 1, sizeof *d, _Alignof(download));
        if (d == NULL) { break; }
        memset(d, 0, sizeof *d);
        d->import = import;
        d->index = index;
        d->format = kinds[i].format;
        d->ending = kinds[i].ending;
        d->bytes = fr_byte_array_make(&server->allocator);
        d->max_bytes = 8 * server->def.max_upload_bytes;
        d->base.server = server;
        d->base.discard = discard_download;
        d->base.job.run = write_model;
        d->base.job.end = end_download;
        d->base.job.is_of_scene = true;
        return &d->base;
    }
    return NULL;
}
