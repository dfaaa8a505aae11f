// Publishes the world of a home to a broadcast: the notices of its feeds, which stay on the board while they hold, and
// the state of each tick; all objects now and then, so that whoever comes later can go on from there.
#include "server/home.h"
#include "server/server.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#define PART_BYTES ((size_t)1 << 20)          // of a mesh, about
#define STATE_WAITING_BYTES ((size_t)1 << 20) // beyond which no state is published: the newest one is, later
#define AGAIN_NS UINT64_C(500000000)          // between two worlds that are published from scratch

enum { KEY_TICKS = 10 }; // between two states with all objects

#define ALL_WANTS (FR_WANTS_PAIRS | FR_WANTS_CONTACTS | FR_WANTS_EVENTS | FR_WANTS_FACE_TOUCHES)

uint64_t fr__random_number(void) {
    uint64_t number = 0;
    return getentropy(&number, sizeof number) == 0 ? number : 0;
}

void fr__edge_topic(uint64_t edge, char out[FR__EDGE_TOPIC_BYTES]) {
    snprintf(out, FR__EDGE_TOPIC_BYTES, "edge-%016llx", (unsigned long long)edge);
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning and ending

fr_status fr__home_open(fr_server *server, fr_error *error) {
    fr__home *home = &server->home;
    const fr_allocator *allocator = &server->allocator;
    home->scene.posted = home->layers.posted = fr__posted_array_make(allocator);
    home->edges = fr__known_edge_array_make(allocator);
    home->envelope = fr_byte_array_make(allocator);
    if (server->def.broadcast == NULL || server->def.is_edge) { return FR_OK; }
    home->number = fr__random_number();
    if (home->number == 0) { return fr_error_set(error, FR_ERROR_SYSTEM, "the system has no random numbers"); }
    home->table = *server->def.broadcast;
    const char *topics[] = {FR__HOME_TOPIC};
    return home->table.listen(topics, 1, false, home->table.user, error);
}

void fr__home_close(fr_server *server) {
    fr__home *home = &server->home;
    fr__posted_array_destroy(&home->scene.posted);
    fr__posted_array_destroy(&home->layers.posted);
    fr__known_edge_array_destroy(&home->edges);
    fr_byte_array_destroy(&home->envelope);
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

bool fr__home_post(fr_server *server, fr_broadcast_change change, const char *topic, const char *entry,
                   const fr__envelope *envelope) {
    fr__home *home = &server->home;
    fr__envelope sent = *envelope;
    sent.home = home->number;
    sent.epoch = home->worlds;
    home->envelope.count = 0;
    if (!fr__envelope_write(&sent, &home->envelope)) { return false; }
    const fr_broadcast_item item = {
        .change = change, .topic = topic, .entry = entry, .bytes = home->envelope.data, .size = home->envelope.count};
    return home->table.post(&item, home->table.user, NULL) == FR_OK;
}

static bool post_head(fr_server *server, bool is_begin) {
    fr_message message = {.type = FR_MESSAGE_RESET};
    message.as.reset = (fr_message_reset){server->frames.step, server->served.title};
    fr__packet_clear(&server->scratch);
    if (!fr__packet_add(&server->scratch, &message)) { return false; }
    fr__envelope head = {.kind = FR__ENVELOPE_HEAD,
                         .flags = is_begin ? FR__ENVELOPE_IS_BEGIN : 0u,
                         .bytes = fr__packet_bytes(&server->scratch),
                         .size = fr__packet_size(&server->scratch)};
    if (is_begin && server->home.has_new_link) { head.flags |= FR__ENVELOPE_IS_NEW_LINK; }
    return fr__home_post(server, is_begin ? FR_BROADCAST_CLEAR : FR_BROADCAST_SEND, FR__WORLD_TOPIC, FR__HEAD_ENTRY,
                         &head);
}

// ---------------------------------------------------------------------------------------------------------------
// Notices

static void write_entry(char out[FR_BROADCAST_NAME_MAX_BYTES + 1], bool is_layer, uint64_t serial, uint32_t part) {
    snprintf(out, FR_BROADCAST_NAME_MAX_BYTES + 1, "%s-%llu-%u", is_layer ? "layer" : "scene",
             (unsigned long long)serial, (unsigned)part);
}

static bool post_notice(fr_server *server, bool is_layer, const fr__notice *notice, uint32_t part,
                        const fr__packet *packet) {
    char entry[FR_BROADCAST_NAME_MAX_BYTES + 1];
    write_entry(entry, is_layer, notice->serial, part);
    fr__envelope envelope = {.kind = FR__ENVELOPE_NOTICE,
                             .serial = notice->serial,
                             .part = part,
                             .bytes = fr__packet_bytes(packet),
                             .size = fr__packet_size(packet)};
    envelope.flags = (is_layer ? FR__ENVELOPE_IS_LAYER : 0u) | (notice->is_farewell ? FR__ENVELOPE_IS_FAREWELL : 0u);
    return fr__home_post(server, notice->is_farewell ? FR_BROADCAST_SEND : FR_BROADCAST_SET, FR__WORLD_TOPIC, entry,
                         &envelope);
}

// A mesh goes in parts, so that none is too large.
static bool post_mesh(fr_server *server, const fr__notice *notice, uint32_t *parts) {
    fr_mesh_transfer transfer = {0};
    bool is_well = true, is_done = false;
    while (is_well && !is_done) {
        fr__packet_clear(&server->scratch);
        while (is_well && !is_done && fr__packet_size(&server->scratch) < PART_BYTES) {
            is_well = fr__served_write_mesh(server, notice->mesh, &transfer, &server->scratch);
            is_done = is_well && fr_mesh_transfer_is_done(&transfer);
        }
        is_well = is_well && post_notice(server, false, notice, (*parts)++, &server->scratch);
    }
    return is_well;
}

static bool post_new(fr_server *server, bool is_layer, const fr__notice *notice, fr__posting *posting) {
    uint32_t parts = 1;
    bool is_well;
    if (notice->mesh != 0) {
        parts = 0;
        is_well = post_mesh(server, notice, &parts);
    } else {
        is_well = fr__packet_size(&notice->packet) == 0 || post_notice(server, is_layer, notice, 0, &notice->packet);
    }
    if (!is_well || notice->is_farewell) { return is_well; }
    fr__posted *posted = fr__posted_array_push(&posting->posted, 1);
    if (posted != NULL) { *posted = (fr__posted){notice->serial, parts}; }
    return posted != NULL;
}

static bool post_take(fr_server *server, bool is_layer, const fr__posted *posted) {
    bool is_well = true;
    for (uint32_t part = 0; part < posted->parts && is_well; part++) {
        char entry[FR_BROADCAST_NAME_MAX_BYTES + 1];
        write_entry(entry, is_layer, posted->serial, part);
        const fr__envelope envelope = {.kind = FR__ENVELOPE_TAKE,
                                       .flags = is_layer ? FR__ENVELOPE_IS_LAYER : 0,
                                       .serial = posted->serial,
                                       .part = part};
        is_well = fr__home_post(server, FR_BROADCAST_REMOVE, FR__WORLD_TOPIC, entry, &envelope);
    }
    return is_well;
}

// Brings the board to what a feed holds: takes off what is off there, in one walk over both, and adds what is new.
static bool post_feed(fr_server *server, bool is_layer, const fr__feed *feed, fr__posting *posting) {
    if (feed->changes == posting->changes) { return true; }
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < posting->posted.count; i++) {
        fr__posted posted = posting->posted.data[i];
        while (at < feed->notices.count && feed->notices.data[at].serial < posted.serial) {
            at++;
        }
        bool stands = at < feed->notices.count && feed->notices.data[at].serial == posted.serial &&
                      !feed->notices.data[at].is_off;
        if (stands) {
            posting->posted.data[kept++] = posted;
        } else if (!post_take(server, is_layer, &posted)) {
            return false;
        }
    }
    posting->posted.count = kept;
    for (size_t i = 0; i < feed->notices.count; i++) {
        const fr__notice *notice = &feed->notices.data[i];
        if (notice->serial <= posting->read) { continue; }
        if (!notice->is_off && !post_new(server, is_layer, notice, posting)) { return false; }
        posting->read = notice->serial;
    }
    posting->read = feed->last;
    posting->changes = feed->changes;
    return true;
}

uint64_t fr__home_passed(const fr_server *server, bool is_layer, uint64_t last) {
    const fr__home *home = &server->home;
    bool is_publishing = home->is_connected && !home->wants_world && home->epoch == server->epoch;
    if (!is_publishing) { return last; }
    return is_layer ? home->layers.read : home->scene.read;
}

// ---------------------------------------------------------------------------------------------------------------
// States

// What changed since the state before; now and then with statistics, which edges have none of.
static bool post_changes(fr_server *server, bool has_stats) {
    fr__frames *frames = &server->frames;
    const fr__packet *packet = fr__frames_get(frames, ALL_WANTS, false);
    if (packet == NULL) { return false; }
    fr__envelope envelope = {.kind = FR__ENVELOPE_CHANGES, .serial = frames->sequence, .since = frames->since};
    fr__packet_clear(&server->scratch);
    if (has_stats && fr__packet_append(&server->scratch, fr__packet_bytes(packet), fr__packet_size(packet))) {
        if (fr__frames_write_stats(frames, server->stats.clients, 0, &server->scratch)) { packet = &server->scratch; }
    }
    envelope.bytes = fr__packet_bytes(packet);
    envelope.size = fr__packet_size(packet);
    return fr__home_post(server, FR_BROADCAST_SEND, FR__WORLD_TOPIC, NULL, &envelope);
}

static bool post_key(fr_server *server) {
    const fr__packet *packet = fr__frames_get(&server->frames, ALL_WANTS, true);
    if (packet == NULL) { return false; }
    const fr__envelope envelope = {.kind = FR__ENVELOPE_KEY,
                                   .serial = server->frames.sequence,
                                   .bytes = fr__packet_bytes(packet),
                                   .size = fr__packet_size(packet)};
    server->home.key_sequence = server->frames.sequence;
    return fr__home_post(server, FR_BROADCAST_SET, FR__WORLD_TOPIC, FR__KEY_ENTRY, &envelope);
}

// The newest state, unless many bytes wait: then those that follow are newer.
static bool post_state(fr_server *server) {
    fr__home *home = &server->home;
    const fr__frames *frames = &server->frames;
    if (frames->sequence == 0 || frames->sequence == home->sequence) { return true; }
    if (home->table.waiting(home->table.user) > STATE_WAITING_BYTES) { return true; }
    bool has_before = home->sequence != 0 && frames->earlier != NULL && frames->since == home->sequence;
    bool is_key_due = !has_before || frames->sequence >= home->key_sequence + KEY_TICKS;
    home->sequence = frames->sequence;
    return (!has_before || post_changes(server, is_key_due)) && (!is_key_due || post_key(server));
}

// ---------------------------------------------------------------------------------------------------------------
// Each round

static void take_events(fr_server *server, uint64_t now_ns) {
    fr__home *home = &server->home;
    fr_broadcast_event event;
    while (home->table.next(&event, home->table.user)) {
        fr__envelope envelope;
        fr_error error = {0};
        switch (event.kind) {
        case FR_BROADCAST_CONNECTED:
            fr_log(FR_LOG_INFO, "server: edges are reached by %s", home->table.name);
            home->is_connected = home->wants_world = home->has_new_link = true;
            break;
        case FR_BROADCAST_LOST:
            fr_log(FR_LOG_WARNING, "server: edges are not reached: %s", event.text);
            home->is_connected = false;
            break;
        case FR_BROADCAST_MESSAGE:
            if (fr__envelope_read(event.bytes, event.size, &envelope, &error) != FR_OK) {
                server->stats.bad_messages++;
                fr__server_note_refusal(server, UINT32_MAX, NULL, "broadcast", FR_ERROR_SYNTAX, error.message);
            } else if (envelope.home == home->number) {
                fr__guests_take(server, &envelope, now_ns);
            }
            break;
        default: break;
        }
    }
}

// Begins to publish a world, where that is due.
static bool begin_world(fr_server *server, uint64_t now_ns) {
    fr__home *home = &server->home;
    if (!home->wants_world && home->epoch == server->epoch) { return true; }
    // What could not be sent is tried again when there is room, and not without rest.
    bool may_begin = home->table.waiting(home->table.user) < STATE_WAITING_BYTES &&
                     (home->epoch != server->epoch || now_ns > home->begun_ns + AGAIN_NS);
    if (!may_begin) { return false; }
    home->begun_ns = now_ns;
    home->worlds++;
    home->scene.read = home->layers.read = 0;
    home->scene.changes = home->layers.changes = UINT64_MAX;
    home->scene.posted.count = home->layers.posted.count = 0;
    home->sequence = home->key_sequence = 0;
    if (!post_head(server, true)) { return false; }
    home->epoch = server->epoch;
    home->wants_world = home->has_new_link = false;
    home->beat_ns = now_ns;
    return true;
}

void fr__home_pump(fr_server *server, uint64_t now_ns) {
    fr__home *home = &server->home;
    if (home->table.post == NULL) { return; }
    take_events(server, now_ns);
    fr__guests_reply(server);
    fr__guests_end_silent(server, now_ns);
    if (!home->is_connected || !begin_world(server, now_ns)) { return; }
    bool is_well = post_feed(server, false, &server->scene_feed, &home->scene) &&
                   post_feed(server, true, &server->layer_feed, &home->layers) && post_state(server);
    if (is_well && now_ns >= home->beat_ns + FR__BEAT_NS) {
        home->beat_ns = now_ns;
        is_well = post_head(server, false);
    }
    if (!is_well) { home->wants_world = true; }
}
