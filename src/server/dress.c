// How meshes look, told to those who show them.
#include "server/server.h"

const fr_mesh_look *fr__stage_look_of(const fr_server *server, const fr_mesh *mesh, uint32_t number) {
    const fr_looks *looks = server->stage.looks;
    uint32_t count = looks != NULL ? looks->mesh_count : 0;
    // Most often meshes are told in the order of their looks.
    for (uint32_t i = 0; i < count; i++) {
        const fr_mesh_look *look = &looks->meshes[(number - 1 + i) % count];
        if (look->mesh == mesh) { return look; }
    }
    return NULL;
}

bool fr__stage_is_plain(const fr_server *server, fr_object_id id) {
    const fr_looks *looks = server->stage.looks;
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

// Puts up a letter that was made, or says why there is none.
static void put_up(fr_server *server, fr__letter *letter, fr_status status, const fr_error *error) {
    if (status != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: how meshes look cannot be told: %s", error->message);
        fr__letter_free(letter);
    } else {
        (void)fr__board_put(&server->things, letter);
    }
}

void fr__stage_tell_materials(fr_server *server) {
    const fr_looks *looks = server->stage.looks;
    if (looks == NULL || looks->material_count == 0) { return; }
    fr__letter letter = fr__letter_make(&server->allocator);
    fr_error error = {0};
    fr_status status = fr__letter_begin(&letter) ? FR_OK : fr_error_set(&error, FR_ERROR_MEMORY, "no memory");
    for (uint32_t i = 0; i < looks->material_count && status == FR_OK; i++) {
        status = fr_protocol_encode_material(&looks->materials[i], i + 1, &letter.bytes, &error);
    }
    put_up(server, &letter, status, &error);
}

void fr__stage_tell_pictures(fr_server *server) {
    const fr_looks *looks = server->stage.looks;
    for (uint32_t i = 0; looks != NULL && i < looks->picture_count; i++) {
        fr__letter letter = fr__letter_make(&server->allocator);
        fr_error error = {0};
        fr_status status = fr__letter_begin(&letter) ? FR_OK : fr_error_set(&error, FR_ERROR_MEMORY, "no memory");
        if (status == FR_OK) { status = fr_protocol_encode_picture(&looks->pictures[i], i + 1, &letter.bytes, &error); }
        put_up(server, &letter, status, &error);
    }
}
