// The world of an edge: what its home publishes, taken into feeds of its own, from which clients are served as by a
// home.
#include "server/edge.h"
#include "server/server.h"

#include "fureai/base_order.h"

#include <stdio.h>
#include <string.h>

#define GONE_NS UINT64_C(1500000000)  // a home that is silent for so long is gone
#define LACKS_NS UINT64_C(1000000000) // between two requests for a world

static const double first_step = 0.01; // before the home has said its own

// ---------------------------------------------------------------------------------------------------------------
// Beginning and ending

fr_status fr__edge_open(fr_server *server, fr_error *error) {
    fr__edge *edge = &server->edge;
    const fr_allocator *allocator = &server->allocator;
    edge->held = fr__edge_held_array_make(allocator);
    edge->board = fr__edge_entry_array_make(allocator);
    edge->board_bytes = edge->envelope = edge->roster = edge->key.bytes = fr_byte_array_make(allocator);
    for (uint32_t i = 0; i < FR__EDGE_STATES_MAX; i++) {
        edge->states[i].bytes = fr_byte_array_make(allocator);
    }
    edge->cached = fr__packet_make(allocator);
    if (!server->def.is_edge) { return FR_OK; }
    edge->number = fr__random_number();
    if (edge->number == 0) { return fr_error_set(error, FR_ERROR_SYSTEM, "the system has no random numbers"); }
    server->epoch = 1;
    server->frames.step = first_step;
    server->served.title = edge->title;
    char topic[FR__EDGE_TOPIC_BYTES];
    fr__edge_topic(edge->number, topic);
    const char *topics[] = {FR__WORLD_TOPIC, topic};
    edge->table = *server->def.broadcast;
    return edge->table.listen(topics, 2, true, edge->table.user, error);
}

void fr__edge_close(fr_server *server) {
    fr__edge *edge = &server->edge;
    fr__edge_held_array_destroy(&edge->held);
    fr__edge_entry_array_destroy(&edge->board);
    fr_byte_array_destroy(&edge->board_bytes);
    fr_byte_array_destroy(&edge->envelope);
    fr_byte_array_destroy(&edge->roster);
    fr_byte_array_destroy(&edge->key.bytes);
    for (uint32_t i = 0; i < FR__EDGE_STATES_MAX; i++) {
        fr_byte_array_destroy(&edge->states[i].bytes);
    }
    fr__packet_free(&edge->cached);
}

// ---------------------------------------------------------------------------------------------------------------
// What may come

fr_status fr__edge_check(fr_server *server, const void *bytes, size_t size, bool (*is_allowed)(fr_message_type type),
                         fr_error *error) {
    fr_frame frame = {bytes, size, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status = FR_OK;
    while (status == FR_OK && fr_frame_next(&frame, &packet, &status, error)) {
        fr_message message;
        if (!is_allowed(packet.type)) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "a message is out of place"); }
        fr_arena_reset(server->arena);
        status = fr_protocol_read(&packet, server->arena, &message, error);
    }
    fr_arena_reset(server->arena);
    return status;
}

// What goes to every client once, of the scene or drawn over it.
static bool is_of_feed(fr_message_type type) {
    switch (type) {
    case FR_MESSAGE_WELCOME:
    case FR_MESSAGE_RESET:
    case FR_MESSAGE_STATE:
    case FR_MESSAGE_BONES:
    case FR_MESSAGE_PAIRS:
    case FR_MESSAGE_CONTACTS:
    case FR_MESSAGE_EVENTS:
    case FR_MESSAGE_FACE_TOUCHES:
    case FR_MESSAGE_STATS:
    case FR_MESSAGE_REPLY:
    case FR_MESSAGE_ERROR:
    case FR_MESSAGE_PONG:
    case FR_MESSAGE_AID:
    case FR_MESSAGE_MOVED:
    case FR_MESSAGE_ROLE:
    case FR_MESSAGE_SERVICE:
    case FR_MESSAGE_AFFORDANCES:
    case FR_MESSAGE_ENDED:
    case FR_MESSAGE_REFUSED:
    case FR_MESSAGE_STOCK_LIST:
    case FR_MESSAGE_PEOPLE_LIST:
    case FR_MESSAGE_POSTURE_FILE: return false;
    default: return true;
    }
}

static void wake_all(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted) { fr__client_wake(client); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Worlds

// Begins a world: clients forget the one before.
static fr_status begin_world(fr_server *server, const fr__envelope *head, fr_error *error) {
    fr__edge *edge = &server->edge;
    fr_frame frame = {head->bytes, head->size, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_message message;
    fr_status status = FR_OK;
    if (!fr_frame_next(&frame, &packet, &status, error) || packet.type != FR_MESSAGE_RESET) {
        return fr_error_set(error, status != FR_OK ? status : FR_ERROR_SYNTAX, "a world begins with its title");
    }
    fr_arena_reset(server->arena);
    status = fr_protocol_read(&packet, server->arena, &message, error);
    if (status == FR_OK && !(message.as.reset.step > 0.0)) {
        status = fr_error_set(error, FR_ERROR_SYNTAX, "the step of a world is over 0");
    }
    if (status != FR_OK) { return status; }
    bool is_lost = head->home != edge->home || (head->flags & FR__ENVELOPE_IS_NEW_LINK) != 0;
    if (is_lost) { fr__edge_fail_pending(server); }
    fr__copy_for_people(edge->title, sizeof edge->title, message.as.reset.scene);
    server->frames.step = message.as.reset.step;
    edge->home = head->home;
    edge->epoch = head->epoch;
    edge->held.count = 0;
    edge->has_warned = false;
    fr__edge_forget_states(edge);
    fr__feed_clear(&server->scene_feed);
    fr__feed_clear(&server->layer_feed);
    server->epoch++;
    wake_all(server);
    return FR_OK;
}

static size_t find_held(const fr__edge *edge, const fr__envelope *notice) {
    bool is_layer = (notice->flags & FR__ENVELOPE_IS_LAYER) != 0;
    for (size_t i = edge->held.count; i > 0; i--) {
        const fr__edge_held *held = &edge->held.data[i - 1];
        if (held->serial == notice->serial && held->part == notice->part && held->is_layer == is_layer) {
            return i - 1;
        }
    }
    return SIZE_MAX;
}

// What an edge cannot serve is taken out: files of models, and pictures of the gallery.
static bool append_adapted(fr_server *server, const fr_packet *packet, fr__packet *out) {
    fr_message message;
    fr_arena_reset(server->arena);
    if (fr_protocol_read(packet, server->arena, &message, NULL) != FR_OK) { return false; }
    if (message.type == FR_MESSAGE_MODELS) {
        message.as.models.may = 0;
        message.as.models.model_count = 0;
        return fr__packet_add(out, &message);
    }
    const fr_message_gallery *gallery = &message.as.gallery;
    fr_wire_demo *demos = fr_arena_alloc(server->arena, gallery->demo_count, sizeof *demos, _Alignof(fr_wire_demo));
    for (uint32_t i = 0; demos != NULL && i < gallery->demo_count; i++) {
        demos[i] = gallery->demos[i];
        demos[i].picture = "";
    }
    message.as.gallery.demos = demos;
    return demos != NULL && fr__packet_add(out, &message);
}

// Appends the messages of a notice, which were checked.
static bool append_notice(fr_server *server, const fr__envelope *notice, fr__packet *out) {
    fr_frame frame = {notice->bytes, notice->size, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    size_t begin = 0;
    bool is_well = true;
    for (; is_well && fr_frame_next(&frame, &packet, &status, NULL); begin = frame.at) {
        bool is_adapted = packet.type == FR_MESSAGE_MODELS || packet.type == FR_MESSAGE_GALLERY;
        is_well = is_adapted ? append_adapted(server, &packet, out)
                             : fr__packet_append(out, (const char *)notice->bytes + begin, frame.at - begin);
    }
    return is_well;
}

static fr_status take_notice(fr_server *server, const fr__envelope *notice, fr_error *error) {
    fr__edge *edge = &server->edge;
    bool is_layer = (notice->flags & FR__ENVELOPE_IS_LAYER) != 0;
    bool is_farewell = (notice->flags & FR__ENVELOPE_IS_FAREWELL) != 0;
    if (!is_farewell && find_held(edge, notice) != SIZE_MAX) { return FR_OK; }
    fr_status status = fr__edge_check(server, notice->bytes, notice->size, is_of_feed, error);
    if (status != FR_OK) { return status; }
    fr__feed *feed = is_layer ? &server->layer_feed : &server->scene_feed;
    fr__packet packet = fr__packet_make(&server->allocator);
    fr__edge_held *held = is_farewell ? NULL : fr__edge_held_array_push(&edge->held, 1);
    if ((!is_farewell && held == NULL) || !append_notice(server, notice, &packet)) {
        if (held != NULL) { edge->held.count--; }
        fr__packet_free(&packet);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what the home sends");
    }
    if (is_farewell) {
        fr__feed_take(feed, 0, &packet);
    } else {
        uint64_t own = fr__feed_put(feed, &packet);
        *held = (fr__edge_held){.serial = notice->serial, .own = own, .part = notice->part, .is_layer = is_layer};
    }
    wake_all(server);
    return FR_OK;
}

static void take_off(fr_server *server, const fr__envelope *notice) {
    fr__edge *edge = &server->edge;
    size_t at = find_held(edge, notice);
    if (at == SIZE_MAX) { return; }
    fr__edge_held held = edge->held.data[at];
    fr__feed_take(held.is_layer ? &server->layer_feed : &server->scene_feed, held.own, NULL);
    memmove(edge->held.data + at, edge->held.data + at + 1, (edge->held.count - at - 1) * sizeof held);
    edge->held.count--;
}

// ---------------------------------------------------------------------------------------------------------------
// Envelopes

static bool is_home_silent(const fr__edge *edge, uint64_t now_ns) { return now_ns > edge->heard_ns + GONE_NS; }

// A home says which world it has. Another home is only listened to when ours is silent, or begins.
static fr_status take_head(fr_server *server, const fr__envelope *head, uint64_t now_ns, fr_error *error) {
    fr__edge *edge = &server->edge;
    edge->seen_home = head->home;
    if ((head->flags & FR__ENVELOPE_IS_BEGIN) != 0) {
        edge->heard_ns = now_ns;
        return begin_world(server, head, error);
    }
    if (head->home == edge->home && head->epoch == edge->epoch) {
        edge->heard_ns = now_ns;
    } else if (is_home_silent(edge, now_ns) && now_ns > edge->roster_ns + LACKS_NS) {
        fr__edge_send_roster(server, true);
    }
    return FR_OK;
}

// What a home publishes, and what it sends to clients here.
static fr_status take_envelope(fr_server *server, const fr__envelope *envelope, uint64_t now_ns, fr_error *error) {
    fr__edge *edge = &server->edge;
    if (envelope->kind == FR__ENVELOPE_HEAD) { return take_head(server, envelope, now_ns, error); }
    if (envelope->home != edge->home) { return FR_OK; }
    if (envelope->kind == FR__ENVELOPE_REPLY || envelope->kind == FR__ENVELOPE_CLOSE) {
        return envelope->edge == edge->number ? fr__edge_take_reply(server, envelope, error) : FR_OK;
    }
    if (envelope->epoch != edge->epoch) { return FR_OK; }
    edge->heard_ns = now_ns;
    switch (envelope->kind) {
    case FR__ENVELOPE_NOTICE: return take_notice(server, envelope, error);
    case FR__ENVELOPE_TAKE: take_off(server, envelope); return FR_OK;
    case FR__ENVELOPE_KEY:
    case FR__ENVELOPE_CHANGES: {
        fr_status status = fr__edge_take_state(server, envelope, error);
        if (status == FR_OK) { wake_all(server); }
        return status;
    }
    default: return fr_error_set(error, FR_ERROR_UNSUPPORTED, "an envelope is out of place");
    }
}

// What cannot be read is counted and passed over; it is logged once a world.
static void warn(fr_server *server, fr_status status, const fr_error *error) {
    server->stats.bad_messages++;
    fr__server_note_refusal(server, UINT32_MAX, NULL, "broadcast", status, error->message);
    if (server->edge.has_warned) { return; }
    server->edge.has_warned = true;
    fr_log(FR_LOG_WARNING, "server: what came over %s is not shown: %s", server->edge.table.name, error->message);
}

static void take_bytes(fr_server *server, const void *bytes, size_t size, uint64_t now_ns) {
    fr__envelope envelope;
    fr_error error = {0};
    fr_status status = fr__envelope_read(bytes, size, &envelope, &error);
    if (status == FR_OK) { status = take_envelope(server, &envelope, now_ns, &error); }
    if (status != FR_OK) { warn(server, status, &error); }
}

// ---------------------------------------------------------------------------------------------------------------
// The board

// Heads first, then notices in their order, then the state.
static bool entry_is_before(const fr__edge_entry *a, const fr__edge_entry *b) {
    if (a->kind != b->kind) { return a->kind < b->kind; }
    if (a->is_layer != b->is_layer) { return b->is_layer; }
    return a->serial != b->serial ? a->serial < b->serial : a->part < b->part;
}

FR_SORT_TYPE(sort_entries, fr__edge_entry, entry_is_before);

static void take_entry(fr_server *server, const void *bytes, size_t size) {
    fr__edge *edge = &server->edge;
    fr__envelope envelope;
    fr_error error = {0};
    fr_status status = fr__envelope_read(bytes, size, &envelope, &error);
    bool is_of_board = status == FR_OK && (envelope.kind == FR__ENVELOPE_HEAD || envelope.kind == FR__ENVELOPE_NOTICE ||
                                           envelope.kind == FR__ENVELOPE_KEY);
    if (status == FR_OK && !is_of_board) {
        status = fr_error_set(&error, FR_ERROR_UNSUPPORTED, "an entry of the board is none of ours");
    }
    if (status == FR_OK) {
        size_t at = edge->board_bytes.count;
        fr__edge_entry *entry = fr__edge_entry_array_push(&edge->board, 1);
        unsigned char *place = entry != NULL ? fr_byte_array_push(&edge->board_bytes, size) : NULL;
        if (place != NULL) {
            memcpy(place, bytes, size);
            *entry = (fr__edge_entry){.serial = envelope.serial,
                                      .kind = (uint32_t)envelope.kind,
                                      .part = envelope.part,
                                      .is_layer = (envelope.flags & FR__ENVELOPE_IS_LAYER) != 0,
                                      .at = at,
                                      .size = size};
            return;
        }
        if (entry != NULL) { edge->board.count--; }
        status = fr_error_set(&error, FR_ERROR_MEMORY, "no memory for what the home sends");
    }
    warn(server, status, &error);
}

// Whether the board holds just what we have: then nothing was missed, and no client begins from scratch.
static bool is_known_board(const fr__edge *edge) {
    fr__envelope envelope;
    size_t notices = 0;
    const fr__edge_entry *entries = edge->board.data;
    if (fr__envelope_read(edge->board_bytes.data + entries[0].at, entries[0].size, &envelope, NULL) != FR_OK) {
        return false;
    }
    if (envelope.home != edge->home || envelope.epoch != edge->epoch) { return false; }
    for (size_t i = 1; i < edge->board.count; i++) {
        if (entries[i].kind != FR__ENVELOPE_NOTICE) { continue; }
        const fr__envelope notice = {.serial = entries[i].serial,
                                     .part = entries[i].part,
                                     .flags = entries[i].is_layer ? FR__ENVELOPE_IS_LAYER : 0};
        if (find_held(edge, &notice) == SIZE_MAX) { return false; }
        notices++;
    }
    return notices == edge->held.count;
}

static void take_board(fr_server *server, uint64_t now_ns) {
    fr__edge *edge = &server->edge;
    sort_entries(edge->board.data, edge->board.count);
    bool has_head = edge->board.count > 0 && edge->board.data[0].kind == FR__ENVELOPE_HEAD;
    bool is_known = has_head && is_known_board(edge);
    uint64_t heard_ns = edge->heard_ns;
    for (size_t i = 0; has_head && i < edge->board.count; i++) {
        const fr__edge_entry *entry = &edge->board.data[i];
        if (is_known && entry->kind != FR__ENVELOPE_KEY) { continue; }
        take_bytes(server, edge->board_bytes.data + entry->at, entry->size, now_ns);
    }
    // The board stays when its home goes: it is no sign of life.
    edge->heard_ns = heard_ns;
    edge->board.count = 0;
    fr_byte_array_destroy(&edge->board_bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Each round

static void take_events(fr_server *server, uint64_t now_ns) {
    fr__edge *edge = &server->edge;
    fr_broadcast_event event;
    while (edge->table.next(&event, edge->table.user)) {
        switch (event.kind) {
        case FR_BROADCAST_CONNECTED:
            edge->is_connected = true;
            edge->board.count = edge->board_bytes.count = 0;
            break;
        case FR_BROADCAST_ENTRY: take_entry(server, event.bytes, event.size); break;
        case FR_BROADCAST_BOARD: take_board(server, now_ns); break;
        case FR_BROADCAST_MESSAGE: take_bytes(server, event.bytes, event.size, now_ns); break;
        case FR_BROADCAST_LOST:
            fr_log(FR_LOG_WARNING, "server: the home is not reached: %s", event.text);
            edge->is_connected = false;
            break;
        }
    }
}

// Sees whether the home is there; clients learn when that changes.
static void look_at_home(fr_server *server, uint64_t now_ns) {
    fr__edge *edge = &server->edge;
    fr__edge_phase phase = edge->home == 0 ? FR__EDGE_ALONE : FR__EDGE_HOME_GONE;
    if (edge->home != 0 && edge->heard_ns != 0 && !is_home_silent(edge, now_ns)) { phase = FR__EDGE_LIVE; }
    if (!edge->is_connected) { phase = FR__EDGE_CUT_OFF; }
    if (phase == edge->phase) { return; }
    bool was_live = edge->phase == FR__EDGE_LIVE;
    edge->phase = phase;
    if (was_live) { fr__edge_fail_pending(server); }
    if (phase == FR__EDGE_LIVE) {
        fr_log(FR_LOG_INFO, "server: the home is there");
        edge->has_new_roster = true;
    } else if (phase == FR__EDGE_HOME_GONE) {
        fr_log(FR_LOG_WARNING, "server: the home is gone: its last state is shown");
    }
    fr__edge_say_phase(server);
}

void fr__edge_pump(fr_server *server, uint64_t now_ns) {
    fr__edge *edge = &server->edge;
    if (!fr__edge_is_on(edge)) { return; }
    take_events(server, now_ns);
    look_at_home(server, now_ns);
    bool is_due = now_ns >= edge->roster_ns + FR__BEAT_NS;
    bool is_early = edge->has_new_roster && now_ns >= edge->roster_ns + FR__BEAT_NS / 10;
    if (edge->phase == FR__EDGE_LIVE && (is_due || is_early)) { fr__edge_send_roster(server, false); }
}
