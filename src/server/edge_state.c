// The states of an edge: the newest with all objects, and the changes of the last ticks, so that a client who is behind
// goes on from where it is.
#include "server/edge.h"
#include "server/server.h"

#include <string.h>

// Which of fr_wants a message of a state is for; 0: it is for all.
static uint32_t wants_of(fr_message_type type) {
    switch (type) {
    case FR_MESSAGE_PAIRS: return FR_WANTS_PAIRS;
    case FR_MESSAGE_CONTACTS: return FR_WANTS_CONTACTS;
    case FR_MESSAGE_EVENTS: return FR_WANTS_EVENTS;
    case FR_MESSAGE_STATS: return FR_WANTS_STATS;
    case FR_MESSAGE_FACE_TOUCHES: return FR_WANTS_FACE_TOUCHES;
    default: return 0;
    }
}

static bool is_of_state(fr_message_type type) {
    return type == FR_MESSAGE_STATE || type == FR_MESSAGE_BONES || wants_of(type) != 0;
}

void fr__edge_forget_states(fr__edge *edge) {
    edge->key.sequence = 0;
    edge->first = edge->state_count = 0;
    edge->cached_to = 0;
    fr__packet_clear(&edge->cached);
}

static fr__edge_state *state_at(fr__edge *edge, uint32_t i) {
    return &edge->states[(edge->first + i) % FR__EDGE_STATES_MAX];
}

// The newest sequence; 0: there is no state.
static uint64_t newest(fr__edge *edge) {
    uint64_t changed = edge->state_count > 0 ? state_at(edge, edge->state_count - 1)->sequence : 0;
    return changed > edge->key.sequence ? changed : edge->key.sequence;
}

static bool copy_bytes(fr_byte_array *out, const fr__envelope *envelope) {
    unsigned char *place = fr_byte_array_reset(out, envelope->size);
    if (place != NULL && envelope->size > 0) { memcpy(place, envelope->bytes, envelope->size); }
    return place != NULL;
}

fr_status fr__edge_take_state(fr_server *server, const fr__envelope *envelope, fr_error *error) {
    fr__edge *edge = &server->edge;
    bool is_key = envelope->kind == FR__ENVELOPE_KEY;
    uint64_t last = newest(edge);
    bool is_next = is_key ? envelope->serial >= last : envelope->since == last && envelope->serial > last;
    if (!is_next || envelope->serial == 0) { return FR_OK; }
    fr_status status = fr__edge_check(server, envelope->bytes, envelope->size, is_of_state, error);
    if (status != FR_OK) { return status; }
    // Changes that lead to another state than this one are of no use any more.
    if (is_key && envelope->serial != last) { edge->state_count = 0; }
    if (!is_key && edge->state_count == FR__EDGE_STATES_MAX) {
        edge->first = (edge->first + 1) % FR__EDGE_STATES_MAX;
        edge->state_count--;
    }
    fr__edge_state *state = is_key ? &edge->key : state_at(edge, edge->state_count);
    if (!copy_bytes(&state->bytes, envelope)) {
        fr__edge_forget_states(edge);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a state");
    }
    state->sequence = envelope->serial;
    state->since = envelope->since;
    if (!is_key) { edge->state_count++; }
    return FR_OK;
}

// Appends those messages of a state that a client wants.
static bool append_wanted(const fr__edge_state *state, uint32_t wants, fr__packet *out) {
    fr_frame frame = {state->bytes.data, state->bytes.count, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    size_t begin = 0;
    bool is_well = true;
    while (is_well && fr_frame_next(&frame, &packet, &status, NULL)) {
        uint32_t needed = wants_of(packet.type);
        if (needed == 0 || (wants & needed) != 0) {
            is_well = fr__packet_append(out, state->bytes.data + begin, frame.at - begin);
        }
        begin = frame.at;
    }
    return is_well;
}

// What brings one who has the state `from`, or none that leads on, to the newest.
static bool gather(fr__edge *edge, uint64_t from, uint32_t wants, fr__packet *out) {
    bool leads_on = false;
    for (uint32_t i = 0; i < edge->state_count && !leads_on; i++) {
        leads_on = state_at(edge, i)->since == from;
    }
    bool is_well = leads_on || append_wanted(&edge->key, wants, out);
    if (!leads_on) { from = edge->key.sequence; }
    for (uint32_t i = 0; i < edge->state_count && is_well; i++) {
        const fr__edge_state *state = state_at(edge, i);
        if (state->since >= from) { is_well = append_wanted(state, wants, out); }
    }
    return is_well;
}

bool fr__edge_next_state(fr__client *client, const fr__packet **out) {
    fr__edge *edge = &client->server->edge;
    uint64_t to = newest(edge), from = client->sequence;
    if (edge->key.sequence == 0 || from == to) { return false; }
    if (from != 0 && to > from) {
        client->dropped += to - from - 1;
        client->server->stats.skipped += to - from - 1;
    }
    client->sequence = to;
    bool is_cached = edge->cached_to == to && edge->cached_from == from && edge->cached_wants == client->wants;
    if (!is_cached) {
        fr__packet_clear(&edge->cached);
        edge->cached_to = to;
        edge->cached_from = from;
        edge->cached_wants = client->wants;
        if (!gather(edge, from, client->wants, &edge->cached)) {
            edge->cached_to = 0;
            *out = NULL;
            return true;
        }
    }
    *out = &edge->cached;
    return fr__packet_size(&edge->cached) > 0;
}
