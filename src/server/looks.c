// How the scene looks: materials, pictures and where it is seen from, published to viewers.
#include "server/server.h"

const fr_mesh_look *fr__served_look_of(const fr_server *server, const fr_mesh *mesh, uint32_t number) {
    const fr_looks *looks = server->served.looks;
    uint32_t count = looks != NULL ? looks->mesh_count : 0;
    // Most often meshes are published in the order of their looks.
    for (uint32_t i = 0; i < count; i++) {
        const fr_mesh_look *look = &looks->meshes[(number - 1 + i) % count];
        if (look->mesh == mesh) { return look; }
    }
    return NULL;
}

bool fr__served_is_plain(const fr_server *server, fr_object_id id) {
    const fr_looks *looks = server->served.looks;
    uint32_t low = 0, high = looks != NULL ? looks->plain_count : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (looks->plain[middle].index1 < id.index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return looks != NULL && low < looks->plain_count && fr_object_id_equal(looks->plain[low], id);
}

// Puts up a packet that was made, or says why there is none.
static void put_up(fr_server *server, fr__packet *packet, fr_status status, const fr_error *error) {
    if (status != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: how meshes look cannot be encoded: %s", error->message);
        fr__packet_free(packet);
    } else {
        (void)fr__feed_put(&server->scene_feed, packet);
    }
}

void fr__served_publish_materials(fr_server *server, uint32_t first) {
    const fr_looks *looks = server->served.looks;
    if (looks == NULL || first >= looks->material_count) { return; }
    fr__packet packet = fr__packet_make(&server->allocator);
    fr_error error = {0};
    fr_status status = fr__packet_begin(&packet) ? FR_OK : fr_error_set(&error, FR_ERROR_MEMORY, "no memory");
    for (uint32_t i = first; i < looks->material_count && status == FR_OK; i++) {
        status = fr_protocol_encode_material(&looks->materials[i], i + 1, &packet.bytes, &error);
    }
    put_up(server, &packet, status, &error);
}

void fr__served_publish_pictures(fr_server *server, uint32_t first) {
    const fr_looks *looks = server->served.looks;
    for (uint32_t i = first; looks != NULL && i < looks->picture_count; i++) {
        fr__packet packet = fr__packet_make(&server->allocator);
        fr_error error = {0};
        fr_status status = fr__packet_begin(&packet) ? FR_OK : fr_error_set(&error, FR_ERROR_MEMORY, "no memory");
        if (status == FR_OK) { status = fr_protocol_encode_picture(&looks->pictures[i], i + 1, &packet.bytes, &error); }
        put_up(server, &packet, status, &error);
    }
}

void fr__served_renew_looks(fr_server *server) {
    fr__numbered_mesh *meshes = server->meshes.data;
    for (size_t i = 0; i < server->meshes.count; i++) {
        meshes[i].look = fr__served_look_of(server, meshes[i].mesh, (uint32_t)i + 1);
    }
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        uint32_t number = client->transfer.number;
        if (number > 0 && number <= server->meshes.count) { client->transfer.look = meshes[number - 1].look; }
    }
}

void fr__served_publish_view(fr_server *server) {
    const fr_scene_view *scene = server->served.scene;
    const fr_scene_camera *camera = scene != NULL ? scene->camera : NULL;
    if (camera == NULL) { return; }
    fr_ref *objects = fr_arena_alloc(server->arena, camera->object_count, sizeof *objects, _Alignof(fr_ref));
    for (uint32_t i = 0; objects != NULL && i < camera->object_count; i++) {
        const char *name = scene->objects[camera->objects[i]].name;
        objects[i] = fr_ref_of(fr_world_find(server->served.world, name));
    }
    fr_message message = {.type = FR_MESSAGE_VIEW};
    message.as.view = (fr_message_view){.given = camera->has_eye,
                                        .eye = camera->eye,
                                        .target = camera->target,
                                        .objects = objects,
                                        .object_count = objects != NULL ? camera->object_count : 0};
    fr__packet packet = fr__packet_make(&server->allocator);
    bool is_made = fr__packet_add(&packet, &message);
    if (is_made) { (void)fr__feed_put(&server->scene_feed, &packet); }
    if (!is_made) { fr__packet_free(&packet); }
}
