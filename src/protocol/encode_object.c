// Messages of objects and their meshes.
#include "protocol/encoder.h"

fr_status fr_protocol_encode_object(fr_encoder *encoder, const fr_protocol_object *object, fr_array *out,
                                    fr_error *error) {
    const fr_object_view *view = fr_object_get(object->space, object->id);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "no such object to tell"); }
    fr_wire_part *parts = fr__encoder_room(&encoder->parts, view->part_count, error);
    if (parts == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(object->space, object->id, i);
        parts[i] = (fr_wire_part){object->mesh_number(part.mesh, object->user), part.pose};
    }

    fr_message message = {.type = FR_MESSAGE_OBJECT};
    message.as.object = (fr_message_object){.object = fr_ref_of(object->id),
                                            .name = object->name,
                                            .color = object->color,
                                            .flags = view->flags,
                                            .parts = parts,
                                            .part_count = view->part_count,
                                            .pose = view->pose};
    return fr_protocol_write(&message, out, error);
}

fr_status fr_protocol_encode_sound(const fr_sound *sound, fr_array *out, fr_error *error) {
    if (sound->file_bytes > FR_SOUND_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a sound of %u bytes, the limit is %u", sound->file_bytes,
                            FR_SOUND_MAX_BYTES);
    }
    fr_message message = {.type = FR_MESSAGE_SOUND};
    uint8_t flags = (uint8_t)((sound->is_loop ? FR_SOUND_LOOP : 0) | (sound->is_spatial ? FR_SOUND_SPATIAL : 0));
    message.as.sound = (fr_message_sound){.object = fr_ref_of(sound->object),
                                          .point = sound->point,
                                          .intensity = fr__finite_float(sound->intensity),
                                          .near = fr__finite_float(sound->near),
                                          .far = fr__finite_float(sound->far),
                                          .pitch = fr__finite_float(sound->pitch),
                                          .start = sound->start,
                                          .stop = sound->stop,
                                          .flags = flags,
                                          .file = sound->file,
                                          .file_bytes = sound->file_bytes};
    return fr_protocol_write(&message, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

// Vertices of three floats that fit a piece, beside its other fields.
#define PIECE_VERTICES ((FR_PROTOCOL_PIECE_BYTES - 64) / 12)
#define PIECE_FACES ((FR_PROTOCOL_PIECE_BYTES - 64) / 4)

static uint32_t piece_of(uint32_t count, uint32_t at, uint32_t most) { return count - at < most ? count - at : most; }

fr_status fr_protocol_encode_vertices(fr_encoder *encoder, const fr_space *space, fr_object_id id, fr_array *out,
                                      fr_error *error) {
    const fr_object_view *view = fr_object_get(space, id);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "no such object to tell"); }
    if (view->vertices == NULL) { return FR_OK; }
    float *xyz = fr__encoder_room(&encoder->floats, 3 * (size_t)PIECE_VERTICES, error);
    if (xyz == NULL) { return FR_ERROR_MEMORY; }

    size_t begin = out->count;
    for (uint32_t first = 0; first < view->vertex_count; first += PIECE_VERTICES) {
        uint32_t count = piece_of(view->vertex_count, first, PIECE_VERTICES);
        for (uint32_t i = 0; i < count; i++) {
            const fr_vec3 *vertex = &view->vertices[first + i];
            xyz[3 * i] = fr__finite_float(vertex->x);
            xyz[3 * i + 1] = fr__finite_float(vertex->y);
            xyz[3 * i + 2] = fr__finite_float(vertex->z);
        }
        fr_message message = {.type = FR_MESSAGE_VERTICES};
        message.as.vertices = (fr_message_vertices){fr_ref_of(id), first, xyz, 3 * count};
        fr_status status = fr_protocol_write(&message, out, error);
        if (status != FR_OK) {
            out->count = begin;
            return status;
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static fr_status encode_mesh_vertices(fr_encoder *encoder, const fr_mesh_telling *telling, uint32_t count,
                                      fr_array *out, fr_error *error) {
    const fr_mesh_view *mesh = fr_mesh_get(telling->mesh);
    const float *xyz = mesh->positions_float != NULL ? mesh->positions_float + 3 * (size_t)telling->at : NULL;
    if (xyz == NULL) {
        float *rounded = fr__encoder_room(&encoder->floats, 3 * (size_t)count, error);
        if (rounded == NULL) { return FR_ERROR_MEMORY; }
        for (size_t i = 0; i < 3 * (size_t)count; i++) {
            rounded[i] = fr__finite_float(mesh->positions_double[3 * (size_t)telling->at + i]);
        }
        xyz = rounded;
    }
    fr_message message = {.type = FR_MESSAGE_MESH_VERTICES};
    message.as.mesh_vertices = (fr_message_mesh_vertices){telling->number, telling->at, xyz, 3 * count};
    return fr_protocol_write(&message, out, error);
}

// A mesh without faces of its own is told as one with none.
static fr_message mesh_message(const fr_mesh_telling *telling) {
    const fr_mesh_view *mesh = fr_mesh_get(telling->mesh);
    fr_message message = {.type = FR_MESSAGE_MESH};
    message.as.mesh = (fr_message_mesh){telling->number, mesh->vertex_count, mesh->triangle_count,
                                        mesh->faces != NULL ? mesh->face_count : 0};
    return message;
}

// How much of a stage there is.
static uint32_t stage_count(const fr_mesh_view *mesh, uint32_t stage) {
    switch (stage) {
    case 1: return mesh->vertex_count;
    case 2: return mesh->triangle_count;
    case 3: return mesh->faces != NULL ? mesh->triangle_count : 0;
    default: return 0;
    }
}

static fr_status encode_piece(fr_encoder *encoder, const fr_mesh_telling *telling, uint32_t count, fr_array *out,
                              fr_error *error) {
    const fr_mesh_view *mesh = fr_mesh_get(telling->mesh);
    fr_message message;
    switch (telling->stage) {
    case 0: message = mesh_message(telling); break;
    case 1: return encode_mesh_vertices(encoder, telling, count, out, error);
    case 2:
        message.type = FR_MESSAGE_MESH_TRIANGLES;
        message.as.mesh_triangles = (fr_message_mesh_triangles){telling->number, telling->at,
                                                                mesh->triangles + 3 * (size_t)telling->at, 3 * count};
        break;
    default:
        message.type = FR_MESSAGE_MESH_FACES;
        message.as.mesh_faces = (fr_message_mesh_faces){telling->number, telling->at, mesh->faces + telling->at, count};
        break;
    }
    return fr_protocol_write(&message, out, error);
}

fr_status fr_protocol_encode_mesh_piece(fr_encoder *encoder, fr_mesh_telling *telling, fr_array *out, fr_error *error) {
    if (fr_mesh_telling_is_done(telling)) { return FR_OK; }
    const fr_mesh_view *mesh = fr_mesh_get(telling->mesh);
    uint32_t most = telling->stage == 3 ? PIECE_FACES : PIECE_VERTICES;
    uint32_t count = piece_of(stage_count(mesh, telling->stage), telling->at, most);
    fr_status status = encode_piece(encoder, telling, count, out, error);
    if (status != FR_OK) { return status; }

    // On to the next stage that has something to tell.
    telling->at += count;
    while (telling->stage < 4 && telling->at == stage_count(mesh, telling->stage)) {
        telling->stage++;
        telling->at = 0;
        if (stage_count(mesh, telling->stage) > 0) { break; }
    }
    return FR_OK;
}
