// Makes the bytes of a tick, each section once for all clients.
#include "server/frame.h"

#include <string.h>

fr__frames fr__frames_make(fr_encoder *encoder, const fr_allocator *allocator) {
    fr__frames frames = {.encoder = encoder, .states = fr__state_event_array_make(allocator)};
    for (int i = 0; i < FR__SECTIONS; i++) {
        frames.sections[i].bytes = fr_array_make(1, allocator);
    }
    for (int i = 0; i < FR__FRAME_KINDS; i++) {
        frames.packets[i] = fr__packet_make(allocator);
    }
    return frames;
}

void fr__frames_free(fr__frames *frames) {
    fr__state_event_array_destroy(&frames->states);
    for (int i = 0; i < FR__SECTIONS; i++) {
        fr_array_destroy(&frames->sections[i].bytes);
    }
    for (int i = 0; i < FR__FRAME_KINDS; i++) {
        fr__packet_free(&frames->packets[i]);
    }
}

void fr__frames_begin(fr__frames *frames, fr_world *world, const fr_snapshot *snapshot, const fr_snapshot *earlier) {
    frames->world = world;
    frames->space = world != NULL ? fr_world_space(world) : NULL;
    frames->snapshot = snapshot;
    frames->earlier = earlier;
    frames->sequence = snapshot != NULL ? snapshot->sequence : 0;
    frames->since = earlier != NULL ? earlier->sequence : 0;
    if (snapshot != NULL) { frames->step = snapshot->step; }
    frames->ms_encode_before = frames->ms_encode;
    frames->ms_encode = 0.0;
    for (int i = 0; i < FR__SECTIONS; i++) {
        frames->sections[i].bytes.count = 0;
        frames->sections[i].is_made = false;
    }
    for (int i = 0; i < FR__FRAME_KINDS; i++) {
        fr__packet_clear(&frames->packets[i]);
    }
}

// The states that objects have now, as the events that reported them.
static fr_status encode_states(fr__frames *frames, fr_array *out, fr_error *error) {
    fr_snapshot snapshot = *frames->snapshot;
    frames->states.count = 0;
    for (size_t i = 0; i < snapshot.object_count; i++) {
        fr_object_id object = snapshot.objects[i].id;
        for (uint32_t k = 0; k < fr_world_state_count(frames->world, object); k++) {
            const char *name = fr_world_state_name(frames->world, object, k);
            fr_event *event = fr__state_event_array_push(&frames->states, 1);
            if (event == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for states"); }
            *event = (fr_event){.kind = FR_EVENT_STATE, .a = object, .tick = snapshot.tick, .time = snapshot.time};
            event->value = fr_world_state(frames->world, object, name);
            memcpy(event->name, name, strlen(name) + 1);
        }
    }
    if (frames->states.count == 0) { return FR_OK; }
    snapshot.events = frames->states.data;
    snapshot.event_count = frames->states.count;
    return fr_protocol_encode_events(frames->encoder, &snapshot, out, error);
}

static fr_status encode(fr__frames *frames, int section, fr_array *out, fr_error *error) {
    const fr_snapshot *snapshot = frames->snapshot;
    switch (section) {
    case FR__SECTION_CHANGES: return fr_protocol_encode_state(frames->encoder, snapshot, frames->earlier, out, error);
    case FR__SECTION_COMPLETE: return fr_protocol_encode_state(frames->encoder, snapshot, NULL, out, error);
    case FR__SECTION_BONES:
    case FR__SECTION_ALL_BONES:
        return fr_protocol_encode_bones(frames->encoder, frames->space, snapshot,
                                        section == FR__SECTION_BONES ? frames->earlier : NULL, out, error);
    case FR__SECTION_STATES: return encode_states(frames, out, error);
    case FR__SECTION_PAIRS: return fr_protocol_encode_pairs(frames->encoder, snapshot, out, error);
    case FR__SECTION_CONTACTS: return fr_protocol_encode_contacts(frames->encoder, snapshot, out, error);
    case FR__SECTION_FACE_TOUCHES: return fr_protocol_encode_face_touches(frames->encoder, snapshot, out, error);
    default: return fr_protocol_encode_events(frames->encoder, snapshot, out, error);
    }
}

// Appends a section, made now when it is needed for the first time.
static bool append(fr__frames *frames, int section, fr__packet *packet) {
    fr__section *s = &frames->sections[section];
    if (!s->is_made) {
        fr_error error = {0};
        if (encode(frames, section, &s->bytes, &error) != FR_OK) {
            fr_log(FR_LOG_WARNING, "server: a tick cannot be encoded: %s", error.message);
            return false;
        }
        s->is_made = true;
    }
    return fr__packet_append(packet, s->bytes.data, s->bytes.count);
}

// What follows where objects are.
static bool gather_rest(fr__frames *frames, uint32_t wants, fr__packet *packet) {
    return ((wants & FR_WANTS_PAIRS) == 0 || append(frames, FR__SECTION_PAIRS, packet)) &&
           ((wants & FR_WANTS_CONTACTS) == 0 || append(frames, FR__SECTION_CONTACTS, packet)) &&
           ((wants & FR_WANTS_FACE_TOUCHES) == 0 || frames->snapshot->face_touch_count == 0 ||
            append(frames, FR__SECTION_FACE_TOUCHES, packet)) &&
           ((wants & FR_WANTS_EVENTS) == 0 || frames->snapshot->event_count == 0 ||
            append(frames, FR__SECTION_EVENTS, packet));
}

static bool gather(fr__frames *frames, uint32_t wants, bool is_complete, fr__packet *packet) {
    return append(frames, is_complete ? FR__SECTION_COMPLETE : FR__SECTION_CHANGES, packet) &&
           append(frames, is_complete ? FR__SECTION_ALL_BONES : FR__SECTION_BONES, packet) &&
           (!is_complete || (wants & FR_WANTS_EVENTS) == 0 || append(frames, FR__SECTION_STATES, packet)) &&
           gather_rest(frames, wants, packet);
}

const fr__packet *fr__frames_get(fr__frames *frames, uint32_t wants, bool is_complete) {
    FR_ASSERT(frames->snapshot != NULL && (is_complete || frames->earlier != NULL));
    uint32_t kind = (is_complete ? 1u : 0u) | (wants & (FR_WANTS_PAIRS | FR_WANTS_CONTACTS | FR_WANTS_EVENTS));
    if ((wants & FR_WANTS_FACE_TOUCHES) != 0) { kind |= 16; }
    fr__packet *packet = &frames->packets[kind];
    if (fr__packet_size(packet) > 0) { return packet; }
    uint64_t begin = fr_clock_ns();
    bool good = gather(frames, wants, is_complete, packet);
    frames->ms_encode += fr_clock_ms_since(begin);
    if (good) { return packet; }
    fr__packet_clear(packet);
    return NULL;
}

bool fr__frames_write_near(fr__frames *frames, uint32_t wants, fr_near_input *input, fr__packet *out) {
    FR_ASSERT(frames->snapshot != NULL && frames->earlier != NULL);
    uint64_t begin = fr_clock_ns();
    input->space = frames->space;
    input->snapshot = frames->snapshot;
    input->previous = frames->earlier;
    bool good = fr__packet_begin(out) && fr_protocol_encode_near(frames->encoder, input, &out->bytes, NULL) == FR_OK &&
                gather_rest(frames, wants, out);
    frames->ms_encode += fr_clock_ms_since(begin);
    return good;
}

bool fr__frames_write_stats(fr__frames *frames, uint32_t clients, uint64_t dropped, fr__packet *out) {
    fr_protocol_service service = {frames->ms_encode_before, clients, dropped};
    return frames->snapshot != NULL && fr__packet_begin(out) &&
           fr_protocol_encode_stats(frames->snapshot, &service, &out->bytes, NULL) == FR_OK;
}
