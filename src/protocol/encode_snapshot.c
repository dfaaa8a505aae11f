// Messages of a snapshot.
#include "protocol/encoder.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Poses

// The pose of a body with bones comes with them.
static bool is_changed(const fr_snapshot_object *now, const fr_snapshot_object *before) {
    if (!fr_object_id_equal(now->id, before->id) || now->hold != before->hold) { return true; }
    if (now->bone_count > 0 && before->bone_count > 0) { return now->pose.scale != before->pose.scale; }
    return memcmp(&now->pose, &before->pose, sizeof now->pose) != 0;
}

// The objects to send; both lists are sorted by index1.
static uint32_t list_bodies(const fr_snapshot *now, const fr_snapshot *before, fr_wire_body *bodies) {
    uint32_t count = 0;
    size_t j = 0;
    for (size_t i = 0; i < now->object_count; i++) {
        const fr_snapshot_object *object = &now->objects[i];
        if (before != NULL) {
            while (j < before->object_count && before->objects[j].id.index1 < object->id.index1) {
                j++;
            }
            if (j < before->object_count && !is_changed(object, &before->objects[j])) { continue; }
        }
        bodies[count++] = (fr_wire_body){fr_ref_of(object->id), (uint8_t)object->hold, object->pose};
    }
    return count;
}

fr_status fr__write_state(const fr_snapshot *snapshot, const fr_snapshot *previous, const fr_wire_body *bodies,
                          uint32_t count, fr_array *out, fr_error *error) {
    fr_message message = {.type = FR_MESSAGE_STATE};
    fr_message_state *state = &message.as.state;
    state->sequence = snapshot->sequence;
    state->since = previous != NULL ? previous->sequence : 0;
    state->tick = snapshot->tick;
    state->time = snapshot->time;
    state->flags =
        (uint8_t)((snapshot->is_paused ? FR_STATE_PAUSED : 0) | (snapshot->is_partial ? FR_STATE_PARTIAL : 0) |
                  (previous == NULL ? FR_STATE_COMPLETE : 0));
    state->bodies = bodies;
    state->body_count = count;
    return fr_protocol_write(&message, out, error);
}

fr_status fr_protocol_encode_state(fr_encoder *encoder, const fr_snapshot *snapshot, const fr_snapshot *previous,
                                   fr_array *out, fr_error *error) {
    FR_ASSERT(previous == NULL || previous->sequence <= snapshot->sequence);
    fr_wire_body *bodies = fr__wire_body_array_reset(&encoder->bodies, snapshot->object_count);
    if (bodies == NULL) { return fr__encoder_no_room(snapshot->object_count, error); }

    return fr__write_state(snapshot, previous, bodies, list_bodies(snapshot, previous, bodies), out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs and contacts

static uint32_t total_of(size_t count) { return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX; }

fr_status fr_protocol_encode_pairs(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out, fr_error *error) {
    size_t count = snapshot->pair_count < FR_PROTOCOL_MAX_PAIRS ? snapshot->pair_count : FR_PROTOCOL_MAX_PAIRS;
    fr_wire_pair *pairs = fr__wire_pair_array_reset(&encoder->pairs, count);
    if (pairs == NULL) { return fr__encoder_no_room(count, error); }
    for (size_t i = 0; i < count; i++) {
        const fr_face_pair *pair = &snapshot->pairs[i];
        pairs[i] = (fr_wire_pair){pair->a + 1, pair->b + 1, pair->triangle_a, pair->triangle_b, pair->flags};
    }

    fr_message message = {.type = FR_MESSAGE_PAIRS};
    message.as.pairs.sequence = snapshot->sequence;
    message.as.pairs.total = total_of(snapshot->pair_count);
    message.as.pairs.pairs = pairs;
    message.as.pairs.pair_count = (uint32_t)count;
    return fr_protocol_write(&message, out, error);
}

static fr_wire_contact wire_contact(const fr_contact *contact) {
    return (fr_wire_contact){.a = contact->a.index1,
                             .b = contact->b.index1,
                             .point = contact->point,
                             .normal_x = fr__finite_float(contact->normal.x),
                             .normal_y = fr__finite_float(contact->normal.y),
                             .normal_z = fr__finite_float(contact->normal.z),
                             .distance = fr__finite_float(contact->distance),
                             .flags = contact->flags};
}

fr_status fr_protocol_encode_contacts(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                      fr_error *error) {
    size_t total = snapshot->contacts != NULL ? snapshot->pair_count : 0;
    size_t stride = total / FR_PROTOCOL_MAX_CONTACTS + (total % FR_PROTOCOL_MAX_CONTACTS != 0);
    size_t room = total < FR_PROTOCOL_MAX_CONTACTS ? total : FR_PROTOCOL_MAX_CONTACTS;
    fr_wire_contact *contacts = fr__wire_contact_array_reset(&encoder->contacts, room);
    if (contacts == NULL) { return fr__encoder_no_room(room, error); }
    uint32_t count = 0;
    for (size_t i = 0; i < total; i += stride) {
        contacts[count++] = wire_contact(&snapshot->contacts[i]);
    }

    fr_message message = {.type = FR_MESSAGE_CONTACTS};
    message.as.contacts.sequence = snapshot->sequence;
    message.as.contacts.total = total_of(total);
    message.as.contacts.contacts = contacts;
    message.as.contacts.contact_count = count;
    return fr_protocol_write(&message, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Intervals of contact

static bool is_reported(const fr_face_touch *touch) { return touch->is_new || !fr_is_unknown(touch->end); }

static fr_wire_face_touch wire_face_touch(const fr_snapshot *snapshot, const fr_face_touch *touch) {
    bool is_over = snapshot->sense == FR_SENSE_CONTINUOUS, lasts = fr_is_unknown(touch->end);
    const fr_face_pair *pairs = is_over ? snapshot->step_result.pairs : snapshot->pairs;
    const fr_contact *contacts = is_over ? snapshot->step_result.contacts : snapshot->contacts;
    bool has_pair = touch->pair != FR_NONE, has_point = has_pair && contacts != NULL;
    return (fr_wire_face_touch){
        .a = touch->a.index1,
        .b = touch->b.index1,
        .triangle_a = touch->triangle_a,
        .triangle_b = touch->triangle_b,
        .flags = has_pair ? pairs[touch->pair].flags : 0,
        .phase = (uint8_t)((touch->is_new ? FR_PHASE_BEGAN : 0) | (lasts ? 0 : FR_PHASE_ENDED) |
                           (has_point ? FR_PHASE_POINT : 0)),
        .id = touch->id,
        .begin = touch->begin,
        .end = lasts ? snapshot->time : touch->end,
        .point = has_point ? contacts[touch->pair].point : fr_vec3_make(0, 0, 0),
    };
}

fr_status fr_protocol_encode_face_touches(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                          fr_error *error) {
    size_t total = 0, seen = 0;
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        total += is_reported(&snapshot->face_touches[i]);
    }
    if (total == 0) { return FR_OK; }
    size_t stride = total / FR_PROTOCOL_MAX_FACE_TOUCHES + (total % FR_PROTOCOL_MAX_FACE_TOUCHES != 0);
    size_t room = total < FR_PROTOCOL_MAX_FACE_TOUCHES ? total : FR_PROTOCOL_MAX_FACE_TOUCHES;
    fr_wire_face_touch *touches = fr__wire_face_touch_array_reset(&encoder->touches, room);
    if (touches == NULL) { return fr__encoder_no_room(room, error); }
    uint32_t count = 0;
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        if (!is_reported(&snapshot->face_touches[i])) { continue; }
        if (seen++ % stride == 0) { touches[count++] = wire_face_touch(snapshot, &snapshot->face_touches[i]); }
    }

    fr_message message = {.type = FR_MESSAGE_FACE_TOUCHES};
    message.as.face_touches.sequence = snapshot->sequence;
    message.as.face_touches.total = total_of(total);
    message.as.face_touches.face_touches = touches;
    message.as.face_touches.face_touch_count = count;
    return fr_protocol_write(&message, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Events and stats

fr_status fr_protocol_encode_events(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out, fr_error *error) {
    if (snapshot->event_count > UINT32_MAX) { return fr_error_set(error, FR_ERROR_LIMIT, "too many events"); }
    fr_wire_event *events = fr__wire_event_array_reset(&encoder->events, snapshot->event_count);
    if (events == NULL) { return fr__encoder_no_room(snapshot->event_count, error); }
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        events[i] = (fr_wire_event){.kind = (uint8_t)event->kind,
                                    .a = fr_ref_of(event->a),
                                    .b = fr_ref_of(event->b),
                                    .id = event->id,
                                    .tick = event->tick,
                                    .time = event->time,
                                    .value = event->value,
                                    .second = event->second,
                                    .name = event->name,
                                    .speed = fr__finite_float(event->speed),
                                    .area = fr__finite_float(event->area),
                                    .pull = fr__finite_float(event->pull),
                                    .count = event->count,
                                    .point = event->point};
    }

    fr_message message = {.type = FR_MESSAGE_EVENTS};
    message.as.events.events = events;
    message.as.events.event_count = (uint32_t)snapshot->event_count;
    return fr_protocol_write(&message, out, error);
}

fr_status fr_protocol_encode_stats(const fr_snapshot *snapshot, const fr_protocol_service *service, fr_array *out,
                                   fr_error *error) {
    const fr_tick_stats *tick = &snapshot->stats;
    fr_message message = {.type = FR_MESSAGE_STATS};
    message.as.stats = (fr_message_stats){.sequence = snapshot->sequence,
                                          .ms_movers = fr__finite_float(tick->ms_movers),
                                          .ms_correctors = fr__finite_float(tick->ms_correctors),
                                          .ms_joints = fr__finite_float(tick->ms_joints),
                                          .ms_update = fr__finite_float(tick->ms_update),
                                          .ms_collide = fr__finite_float(tick->ms_collide_step + tick->ms_collide),
                                          .ms_events = fr__finite_float(tick->ms_events),
                                          .ms_snapshot = fr__finite_float(tick->ms_snapshot),
                                          .ms_total = fr__finite_float(tick->ms_total),
                                          .ms_encode = fr__finite_float(service->ms_encode),
                                          .clients = service->clients,
                                          .object_pairs = tick->collide_step.object_pairs + tick->collide.object_pairs,
                                          .candidates = tick->collide_step.candidates + tick->collide.candidates,
                                          .tested = tick->collide_step.tested + tick->collide.tested,
                                          .dropped = service->dropped};
    return fr_protocol_write(&message, out, error);
}
