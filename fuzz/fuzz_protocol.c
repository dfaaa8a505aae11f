// Any bytes as frames, for a server and for a client: each message is read to a status or to what is written to the
// same bytes, within memory that its size bounds; and a mirror fed with them stays whole within memory bounded by what
// it was fed.
#include "fureai/protocol.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

// There is one way to say a thing: what was read is written to the bytes it came from.
static void walk(const uint8_t *data, size_t size, fr_protocol_reader reader, fr_arena *arena, fr_array *out) {
    fr_frame frame = {data, size, 0, reader};
    fr_packet packet;
    fr_status status;
    fr_error error;
    while (fr_frame_next(&frame, &packet, &status, &error)) {
        fr_arena_reset(arena);
        fr_message message;
        fr_status read = fr_protocol_read(&packet, arena, &message, &error);
        require(fr_arena_used(arena) <= 8 * (size_t)packet.payload_bytes);
        require(read != FR_ERROR_MEMORY);
        if (read != FR_OK) {
            require(error.message[0] != '\0' && error.status == read);
            continue;
        }
        out->count = 0;
        require(fr_protocol_write(&message, out, &error) == FR_OK);
        require(out->count == FR_PROTOCOL_HEADER_BYTES + (size_t)packet.payload_bytes);
        require(memcmp((const char *)out->data + FR_PROTOCOL_HEADER_BYTES, packet.payload, packet.payload_bytes) == 0);
    }
    require(status == FR_OK ? frame.at == size : error.message[0] != '\0');
}

static void check_mesh(const fr_mirror_mesh *mesh) {
    if (!mesh->is_whole) { return; }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        require(mesh->triangles[i] < mesh->vertex_count);
    }
    for (size_t i = 0; mesh->face_count > 0 && i < mesh->triangle_count; i++) {
        require(mesh->faces[i] < mesh->face_count);
    }
}

static void check_mirror(const fr_mirror *mirror) {
    const fr_mirror_view *view = fr_mirror_get(mirror);
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        require(i == 0 || view->meshes[i - 1]->number < view->meshes[i]->number);
        require(fr_mirror_mesh_of(mirror, view->meshes[i]->number) == view->meshes[i]);
        check_mesh(view->meshes[i]);
    }
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_mirror_object *object = view->objects[i];
        fr_pose pose = object->pose;
        require(i == 0 || view->objects[i - 1]->ref.index1 < object->ref.index1);
        require(object->ref.index1 != 0 && fr_pose_check(&pose, NULL) == FR_OK);
        require(fr_mirror_find(mirror, object->name) != NULL && object->lease_name != NULL);
    }
    for (uint32_t i = 0; i < view->layer_count; i++) {
        require(i == 0 || view->layers[i - 1]->layer < view->layers[i]->layer);
    }
    (void)fr_mirror_hash(mirror);
}

// Frames after one another; what is wrong ends its frame, not the mirror.
static void feed(const uint8_t *data, size_t size) {
    fr_probe *probe = fr_probe_create();
    require(probe != NULL);
    fr_probe_bound(probe, 128 * size + (1u << 20));
    fr_mirror_def def = fr_default_mirror_def();
    def.allocator = fr_probe_allocator(probe);
    fr_mirror *mirror = NULL;
    fr_error error;
    require(fr_mirror_create(&def, &mirror, &error) == FR_OK);
    for (size_t begin = 0; begin < size;) {
        fr_frame frame = {data + begin, size - begin, 0, FR_READER_CLIENT};
        fr_packet packet;
        fr_status status;
        bool is_one = fr_frame_next(&frame, &packet, &status, NULL);
        size_t bytes = is_one ? frame.at : size - begin;
        status = fr_mirror_feed(mirror, data + begin, bytes, &error);
        require(status != FR_ERROR_MEMORY);
        require(status == FR_OK || error.message[0] != '\0');
        check_mirror(mirror);
        begin += bytes;
    }
    fr_mirror_destroy(mirror);
    require(fr_probe_get(probe).live_blocks == 0);
    fr_probe_destroy(probe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_arena *arena = NULL;
    require(fr_arena_create(0, NULL, &arena, NULL) == FR_OK);
    fr_array out = fr_array_make(1, NULL);
    walk(data, size, FR_READER_SERVER, arena, &out);
    walk(data, size, FR_READER_CLIENT, arena, &out);
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
    feed(data, size);
    return 0;
}
