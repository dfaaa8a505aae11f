// The models of the served scene that came from files.
#include "server/server.h"

#include <string.h>

bool fr__served_model(const fr_server *server, uint32_t number, fr_scene_import **import, uint32_t *index) {
    uint32_t before = 0, count;
    for (uint32_t i = 0; i < server->served.import_count && number > 0; i++) {
        (void)fr_scene_import_models(server->served.imports[i], &count);
        if (number - 1 < before + count) {
            *import = server->served.imports[i];
            *index = number - 1 - before;
            return true;
        }
        before += count;
    }
    return false;
}

// The list, in the server's arena; NULL where there are none or no memory.
static fr_wire_model *list_models(fr_server *server, uint32_t *out) {
    uint32_t total = 0, count, at = 0;
    for (uint32_t i = 0; i < server->served.import_count; i++) {
        (void)fr_scene_import_models(server->served.imports[i], &count);
        total += count;
    }
    *out = 0;
    fr_wire_model *list = fr_arena_alloc(server->arena, total, sizeof *list, _Alignof(fr_wire_model));
    for (uint32_t i = 0; list != NULL && i < server->served.import_count; i++) {
        const fr_imported_model *models = fr_scene_import_models(server->served.imports[i], &count);
        for (uint32_t k = 0; k < count; k++) {
            char *about = fr_arena_alloc(server->arena, FR_IMPORTED_TEXT_BYTES, 1, 1);
            if (about == NULL) { return NULL; }
            fr_imported_model_text(&models[k], about);
            list[at] = (fr_wire_model){at + 1, models[k].name, about};
            at++;
        }
    }
    *out = list != NULL ? total : 0;
    return list;
}

void fr__served_publish_models(fr_server *server) {
    fr__packet packet = fr__packet_make(&server->allocator);
    fr_message message = {.type = FR_MESSAGE_MODELS};
    fr_message_models *models = &message.as.models;
    models->may = (uint8_t)((server->def.may_upload ? 1 : 0) | (server->def.keep_folder != NULL ? 2 : 0));
    models->max_bytes = server->def.max_upload_bytes;
    models->models = list_models(server, &models->model_count);
    if (!fr__packet_add(&packet, &message)) {
        fr__packet_free(&packet);
        return;
    }
    fr__feed_take(&server->scene_feed, server->models_notice, NULL);
    server->models_notice = fr__feed_put(&server->scene_feed, &packet);
}

fr_status fr__served_import(fr_server *server, fr_scene_import *import, fr_error *error) {
    const fr_looks *looks = server->served.looks;
    uint32_t materials = looks != NULL ? looks->material_count : 0, pictures = looks != NULL ? looks->picture_count : 0;
    uint32_t count;
    (void)fr_scene_import_models(import, &count);
    if (server->added + count > FR_SERVER_MAX_ADDED) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u objects were added to this scene already", server->added);
    }
    fr_status status = fr_served_scene_import(&server->served, import, error);
    if (status != FR_OK) { return status; }
    server->added += count;
    fr__served_renew_looks(server);
    fr__served_publish_models(server);
    fr__served_publish_materials(server, materials);
    if (server->has_published_pictures) { fr__served_publish_pictures(server, pictures); }
    return FR_OK;
}
