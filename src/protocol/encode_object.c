// Messages of objects and their meshes.
#include "protocol/encoder.h"

fr_status fr_protocol_encode_object(fr_encoder *encoder, const fr_protocol_object *object, fr_array *out,
                                    fr_error *error) {
    const fr_object_view *view = fr_object_get(object->space, object->id);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of the space"); }
    fr_wire_part *parts = fr__wire_part_array_reset(&encoder->parts, view->part_count);
    if (parts == NULL) { return fr__encoder_no_room(view->part_count, error); }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(object->space, object->id, i);
        parts[i] = (fr_wire_part){object->mesh_number(part.mesh, part.skin, object->user), part.pose};
    }

    fr_message message = {.type = FR_MESSAGE_OBJECT};
    message.as.object = (fr_message_object){.object = fr_ref_of(object->id),
                                            .name = object->name,
                                            .color = object->color,
                                            .flags = view->flags,
                                            .is_plain = object->is_plain ? 1 : 0,
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
// Looks

fr_status fr_protocol_encode_material(const fr_material *material, uint32_t number, fr_array *out, fr_error *error) {
    fr_message message = {.type = FR_MESSAGE_MATERIAL};
    message.as.material = (fr_message_material){.material = number,
                                                .color = material->color,
                                                .glow = material->glow,
                                                .flags = material->is_unlit ? FR_MATERIAL_UNLIT : 0,
                                                .picture = material->picture != FR_NONE ? material->picture + 1 : 0};
    return fr_protocol_write(&message, out, error);
}

fr_status fr_protocol_encode_picture(const fr_picture *picture, uint32_t number, fr_array *out, fr_error *error) {
    if (picture->byte_count > FR_PICTURE_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a picture of %u bytes, the limit is %u", picture->byte_count,
                            FR_PICTURE_MAX_BYTES);
    }
    fr_message message = {.type = FR_MESSAGE_PICTURE};
    uint8_t flags = (uint8_t)((picture->is_repeated_u ? FR_PICTURE_REPEATS_U : 0) |
                              (picture->is_repeated_v ? FR_PICTURE_REPEATS_V : 0));
    message.as.picture = (fr_message_picture){.picture = number,
                                              .width = picture->width,
                                              .height = picture->height,
                                              .flags = flags,
                                              .bytes = picture->bytes,
                                              .byte_count = picture->byte_count};
    return fr_protocol_write(&message, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

// Vertices of three floats that fit a piece, beside its other fields.
#define PIECE_VERTICES ((FR_PROTOCOL_PIECE_BYTES - 64) / 12)
#define PIECE_FACES ((FR_PROTOCOL_PIECE_BYTES - 64) / 4)
#define PIECE_LOOKS ((FR_PROTOCOL_PIECE_BYTES - 64) / 52)
#define PIECE_BONES ((FR_PROTOCOL_PIECE_BYTES - 64) / 52)
#define PIECE_WEIGHTS ((FR_PROTOCOL_PIECE_BYTES - 64) / 8)

static uint32_t piece_of(uint32_t count, uint32_t at, uint32_t max) { return count - at < max ? count - at : max; }

fr_status fr_protocol_encode_vertices(fr_encoder *encoder, const fr_space *space, fr_object_id id, fr_array *out,
                                      fr_error *error) {
    const fr_object_view *view = fr_object_get(space, id);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of the space"); }
    if (view->vertices == NULL || view->bone_count > 0) { return FR_OK; }
    float *xyz = fr_float_array_reset(&encoder->floats, 3 * (size_t)PIECE_VERTICES);
    if (xyz == NULL) { return fr__encoder_no_room(3 * (size_t)PIECE_VERTICES, error); }

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

static fr_status encode_mesh_vertices(fr_encoder *encoder, const fr_mesh_transfer *transfer, uint32_t count,
                                      fr_array *out, fr_error *error) {
    const fr_mesh_view *mesh = fr_mesh_get(transfer->mesh);
    const float *xyz = mesh->positions_float != NULL ? mesh->positions_float + 3 * (size_t)transfer->at : NULL;
    if (xyz == NULL) {
        float *rounded = fr_float_array_reset(&encoder->floats, 3 * (size_t)count);
        if (rounded == NULL) { return fr__encoder_no_room(3 * (size_t)count, error); }
        for (size_t i = 0; i < 3 * (size_t)count; i++) {
            rounded[i] = fr__finite_float(mesh->positions_double[3 * (size_t)transfer->at + i]);
        }
        xyz = rounded;
    }
    fr_message message = {.type = FR_MESSAGE_MESH_VERTICES};
    message.as.mesh_vertices = (fr_message_mesh_vertices){transfer->number, transfer->at, xyz, 3 * count};
    return fr_protocol_write(&message, out, error);
}

// The looks of each triangle that are sent, of fr_look_flags.
static uint8_t look_flags(const fr_mesh_look *look) {
    if (look == NULL) { return 0; }
    return (uint8_t)((look->materials != NULL ? FR_LOOK_MATERIALS : 0) | (look->uvs != NULL ? FR_LOOK_UVS : 0) |
                     (look->colors != NULL ? FR_LOOK_COLORS : 0) | (look->normals != NULL ? FR_LOOK_NORMALS : 0));
}

static uint32_t material_number(uint32_t material) { return material != FR_NONE ? material + 1 : 0; }

// A mesh without polygons of its own is sent as one with none.
static fr_message mesh_message(const fr_mesh_transfer *transfer) {
    const fr_mesh_view *mesh = fr_mesh_get(transfer->mesh);
    const fr_mesh_look *look = transfer->look;
    fr_message message = {.type = FR_MESSAGE_MESH};
    message.as.mesh = (fr_message_mesh){.mesh = transfer->number,
                                        .vertex_count = mesh->vertex_count,
                                        .triangle_count = mesh->triangle_count,
                                        .face_count = mesh->faces != NULL ? mesh->face_count : 0,
                                        .material = look != NULL ? material_number(look->material) : 0,
                                        .look = look_flags(look)};
    if (transfer->skin != NULL) {
        const fr_skin_view *skin = fr_skin_get(transfer->skin);
        message.as.mesh.bone_count = skin->bone_count;
        message.as.mesh.influence_count = skin->influence_count;
        message.as.mesh.blend = transfer->method == FR_SKIN_DUAL_QUATERNIONS ? 1 : 0;
    }
    return message;
}

static fr_status encode_mesh_look(fr_encoder *encoder, const fr_mesh_transfer *transfer, uint32_t count, fr_array *out,
                                  fr_error *error) {
    const fr_mesh_look *look = transfer->look;
    fr_message message = {.type = FR_MESSAGE_MESH_LOOK};
    fr_message_mesh_look *sent = &message.as.mesh_look;
    *sent = (fr_message_mesh_look){.mesh = transfer->number, .first = transfer->at};
    if (look->materials != NULL) {
        uint32_t *numbers = fr_uint32_array_reset(&encoder->numbers, count);
        if (numbers == NULL) { return fr__encoder_no_room(count, error); }
        for (uint32_t i = 0; i < count; i++) {
            numbers[i] = material_number(look->materials[transfer->at + i]);
        }
        sent->materials = numbers;
        sent->material_count = count;
    }
    if (look->uvs != NULL) {
        sent->uvs = look->uvs + 6 * (size_t)transfer->at;
        sent->uv_count = 6 * count;
    }
    if (look->colors != NULL) {
        sent->rgba = &look->colors[3 * (size_t)transfer->at].r;
        sent->rgba_count = 12 * count;
    }
    if (look->normals != NULL) {
        sent->normals = look->normals + 3 * (size_t)transfer->at;
        sent->normal_count = 3 * count;
    }
    return fr_protocol_write(&message, out, error);
}

static uint32_t influences_of(const fr_skin_view *skin) { return skin->vertex_count * skin->influence_count; }

static fr_status encode_mesh_bones(fr_encoder *encoder, const fr_mesh_transfer *transfer, uint32_t count, fr_array *out,
                                   fr_error *error) {
    const fr_skin_view *skin = fr_skin_get(transfer->skin);
    float *inverse = fr_float_array_reset(&encoder->floats, 12 * (size_t)count);
    if (inverse == NULL) { return fr__encoder_no_room(12 * (size_t)count, error); }
    for (size_t i = 0; i < 12 * (size_t)count; i++) {
        inverse[i] = fr__finite_float(skin->inverse_binds[12 * (size_t)transfer->at + i]);
    }
    fr_message message = {.type = FR_MESSAGE_MESH_BONES};
    message.as.mesh_bones = (fr_message_mesh_bones){transfer->number, transfer->at, skin->parents + transfer->at, count,
                                                    inverse,          12 * count};
    return fr_protocol_write(&message, out, error);
}

static fr_status encode_mesh_weights(fr_encoder *encoder, const fr_mesh_transfer *transfer, uint32_t count,
                                     fr_array *out, fr_error *error) {
    const fr_skin_view *skin = fr_skin_get(transfer->skin);
    uint32_t *bones = fr_uint32_array_reset(&encoder->numbers, count);
    if (bones == NULL) { return fr__encoder_no_room(count, error); }
    for (uint32_t i = 0; i < count; i++) {
        bones[i] = skin->bones[transfer->at + i];
    }
    fr_message message = {.type = FR_MESSAGE_MESH_WEIGHTS};
    message.as.mesh_weights =
        (fr_message_mesh_weights){transfer->number, transfer->at, bones, count, skin->weights + transfer->at, count};
    return fr_protocol_write(&message, out, error);
}

// The number of elements of a stage.
static uint32_t stage_count(const fr_mesh_transfer *transfer, uint32_t stage) {
    const fr_mesh_view *mesh = fr_mesh_get(transfer->mesh);
    switch (stage) {
    case 1: return mesh->vertex_count;
    case 2: return mesh->triangle_count;
    case 3: return mesh->faces != NULL ? mesh->triangle_count : 0;
    case 4: return look_flags(transfer->look) != 0 ? mesh->triangle_count : 0;
    case 5: return transfer->skin != NULL ? fr_skin_get(transfer->skin)->bone_count : 0;
    case 6: return transfer->skin != NULL ? influences_of(fr_skin_get(transfer->skin)) : 0;
    default: return 0;
    }
}

static uint32_t stage_max(uint32_t stage) {
    switch (stage) {
    case 3: return PIECE_FACES;
    case 4: return PIECE_LOOKS;
    case 5: return PIECE_BONES;
    case 6: return PIECE_WEIGHTS;
    default: return PIECE_VERTICES;
    }
}

static fr_status encode_piece(fr_encoder *encoder, const fr_mesh_transfer *transfer, uint32_t count, fr_array *out,
                              fr_error *error) {
    const fr_mesh_view *mesh = fr_mesh_get(transfer->mesh);
    fr_message message;
    switch (transfer->stage) {
    case 0: message = mesh_message(transfer); break;
    case 1: return encode_mesh_vertices(encoder, transfer, count, out, error);
    case 2:
        message.type = FR_MESSAGE_MESH_TRIANGLES;
        message.as.mesh_triangles = (fr_message_mesh_triangles){transfer->number, transfer->at,
                                                                mesh->triangles + 3 * (size_t)transfer->at, 3 * count};
        break;
    case 4: return encode_mesh_look(encoder, transfer, count, out, error);
    case 5: return encode_mesh_bones(encoder, transfer, count, out, error);
    case 6: return encode_mesh_weights(encoder, transfer, count, out, error);
    default:
        message.type = FR_MESSAGE_MESH_FACES;
        message.as.mesh_faces =
            (fr_message_mesh_faces){transfer->number, transfer->at, mesh->faces + transfer->at, count};
        break;
    }
    return fr_protocol_write(&message, out, error);
}

fr_status fr_protocol_encode_mesh_piece(fr_encoder *encoder, fr_mesh_transfer *transfer, fr_array *out,
                                        fr_error *error) {
    if (fr_mesh_transfer_is_done(transfer)) { return FR_OK; }
    uint32_t count = piece_of(stage_count(transfer, transfer->stage), transfer->at, stage_max(transfer->stage));
    fr_status status = encode_piece(encoder, transfer, count, out, error);
    if (status != FR_OK) { return status; }

    // Continue with the next stage that has elements.
    transfer->at += count;
    while (!fr_mesh_transfer_is_done(transfer) && transfer->at == stage_count(transfer, transfer->stage)) {
        transfer->stage++;
        transfer->at = 0;
        if (stage_count(transfer, transfer->stage) > 0) { break; }
    }
    return FR_OK;
}
