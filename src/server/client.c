// One client of a server: what waits for it, and what is sent to it.
#include "server/server.h"

#include <math.h>
#include <string.h>

// Bytes gathered into one message of the socket; replies that may wait for a client; packets to one client before the
// others have their turn.
enum { GATHERED_BYTES = 32 << 10, OUTBOX_BYTES = 256 << 10, LETTERS_AT_ONCE = 16 };

// Bytes a second, and at once, that carry no message.
enum { OVERHEAD_RATE = 16 << 10, OVERHEAD_MAX = 64 << 10 };

// Codes of RFC 6455.
enum { CODE_POLICY = 1008, CODE_TOO_BIG = 1009, CODE_PROTOCOL = 1002 };

#define STATS_NS UINT64_C(100000000)

// ---------------------------------------------------------------------------------------------------------------
// Coming and going

fr__client *fr__client_open(fr_server *server, const fr__client_link *link) {
    fr__client *client = fr_allocate(&server->allocator, 1, sizeof *client, _Alignof(fr__client));
    if (client == NULL) { return NULL; }
    uint64_t now = fr_clock_ns();
    double rate = server->def.messages_per_second;
    double bytes = 16.0 * server->def.max_message_bytes;
    *client = (fr__client){.server = server,
                           .link = link,
                           .role = server->def.token_path == NULL ? FR_ROLE_DIRECT : FR_ROLE_NONE,
                           .after = server->clients,
                           .number = ++server->last_client,
                           .came_ns = now,
                           .messages = fr__rate_make(rate, 2.0 * rate, now),
                           .excess = fr__rate_make(4.0 * rate, 8.0 * rate, now),
                           .bytes = fr__rate_make(bytes, 2.0 * bytes, now),
                           .overhead = fr__rate_make(OVERHEAD_RATE, OVERHEAD_MAX, now),
                           .inbox = fr_array_make(1, &server->allocator),
                           .outbox = fr__packet_make(&server->allocator)};
    if (fr__edge_is_on(&server->edge)) { client->number = fr__edge_client_number(server); }
    if (server->clients != NULL) { server->clients->before = client; }
    server->clients = client;
    server->stats.clients++;
    server->stats.clients_ever++;
    return client;
}

void fr__client_close(fr__client *client) {
    fr_server *server = client->server;
    fr__server_end_leases_of(server, client->number);
    fr__client_leave_bodies(client);
    fr__client_leave_commands(client);
    server->edge.has_new_roster = true;
    if (client->before != NULL) {
        client->before->after = client->after;
    } else {
        server->clients = client->after;
    }
    if (client->after != NULL) { client->after->before = client->before; }
    server->stats.clients--;
    if (client->is_greeted) { server->arrivals.greeted--; }
    fr_array_destroy(&client->inbox);
    fr__packet_free(&client->outbox);
    fr_backlog_destroy(client->backlog);
    fr_deallocate(&server->allocator, client, 1, sizeof *client);
}

fr__client *fr__server_client(const fr_server *server, uint32_t number) {
    fr__client *client = server->clients;
    while (client != NULL && client->number != number) {
        client = client->after;
    }
    return client;
}

// ---------------------------------------------------------------------------------------------------------------
// Its link

fr__sent fr__client_send(fr__client *client, const fr__packet *packet) {
    fr_server_stats *stats = &client->server->stats;
    size_t size = fr__packet_size(packet);
    fr__sent sent = client->link != NULL ? client->link->send(client, packet) : FR__SENT_BROKEN;
    if (sent == FR__SENT_BROKEN) { return sent; }
    stats->frames_sent++;
    stats->bytes_sent += size;
    return sent;
}

void fr__client_wake(fr__client *client) {
    if (client->link != NULL) { client->link->wake(client); }
}

void fr__client_silence(fr__client *client) {
    client->is_flooding = true;
    if (client->link != NULL) { client->link->silence(client); }
}

void fr__client_expire(fr__client *client) {
    if (client->link != NULL) { client->link->expire(client); }
}

// ---------------------------------------------------------------------------------------------------------------
// What is refused

void fr__server_note_refusal(fr_server *server, uint32_t peer, const fr__client *client, const char *message,
                             fr_status status, const char *reason) {
    char address[FR__PEER_TEXT_BYTES] = "";
    if (server->audit.path == NULL) { return; }
    if (peer < server->peers.list.count) { fr__peer_text(&server->peers.list.data[peer].key, address); }
    fr__refusal refusal = {.address = address, .message = message, .status = status, .reason = reason};
    if (client != NULL) {
        refusal.client = client->number;
        refusal.name = client->name;
    }
    fr__audit_take(&server->audit, &refusal, fr_clock_ns());
}

void fr__client_note_refusal(fr__client *client, const char *message, fr_status status, const char *reason) {
    client->server->stats.bad_messages++;
    fr__server_note_refusal(client->server, client->peer, client, message, status, reason);
}

// ---------------------------------------------------------------------------------------------------------------
// Speaking to it

void fr__client_refuse(fr__client *client, uint16_t code, fr_status status, const char *what) {
    if (client->is_closing) { return; }
    fr_message message = {.type = FR_MESSAGE_ERROR};
    message.as.error = (fr_message_error){.status = status, .message = what};
    fr__packet_clear(&client->outbox);
    (void)fr__packet_add(&client->outbox, &message);
    client->is_closing = true;
    client->close_code = code;
    fr__client_wake(client);
    fr__client_expire(client);
}

void fr__client_say(fr__client *client, const fr_message *message) {
    if (client->is_closing) { return; }
    if (!fr__packet_add(&client->outbox, message)) {
        fr__client_refuse(client, CODE_POLICY, FR_ERROR_MEMORY, "no memory for a reply");
    } else if (fr__packet_size(&client->outbox) > OUTBOX_BYTES) {
        fr__client_refuse(client, CODE_POLICY, FR_ERROR_LIMIT, "replies are not being read");
    }
    fr__client_wake(client);
}

// ---------------------------------------------------------------------------------------------------------------
// Hearing it

static void reply_limit(fr__client *client, const fr_message *message) {
    uint32_t request;
    if (!fr__message_request(message, &request)) { return; }
    fr_message reply = {.type = FR_MESSAGE_REPLY};
    reply.as.reply = (fr_message_reply){request, FR_ERROR_LIMIT, "too many messages a second"};
    fr__client_say(client, &reply);
}

// Whether the client may say one more thing now. Beyond its rate moves are dropped and requests refused; far beyond it,
// the connection goes.
static bool may_speak(fr__client *client, const fr_message *message, uint64_t now_ns) {
    fr__peer *peer = &client->server->peers.list.data[client->peer];
    // What the address of a guest may do its edge has counted.
    if (fr__rate_take(&client->messages, 1.0, now_ns) &&
        (client->edge != 0 || fr__rate_take(&peer->messages, 1.0, now_ns))) {
        return true;
    }
    fr__client_note_refusal(client, fr_protocol_message_of((uint32_t)message->type)->layout.name, FR_ERROR_LIMIT,
                            "too many messages a second");
    if (!fr__rate_take(&client->excess, 1.0, now_ns)) {
        fr__client_refuse(client, CODE_POLICY, FR_ERROR_LIMIT, "far too many messages a second");
        fr__client_silence(client);
        return false;
    }
    reply_limit(client, message);
    return false;
}

// A whole message of the socket: one or more messages of the protocol.
static void hear_frame(fr__client *client) {
    fr_server *server = client->server;
    fr_frame frame = {client->inbox.data, client->inbox.count, 0, FR_READER_SERVER};
    fr_packet packet;
    fr_error error = {0};
    fr_status status = FR_OK;
    size_t begin = 0;
    for (; !client->is_closing && fr_frame_next(&frame, &packet, &status, &error); begin = frame.at) {
        fr_message message;
        server->edge.message = (const char *)frame.bytes + begin;
        server->edge.message_bytes = frame.at - begin;
        fr_arena_reset(server->arena);
        status = fr_protocol_read(&packet, server->arena, &message, &error);
        if (status != FR_OK) { break; }
        if (may_speak(client, &message, fr_clock_ns())) { fr__client_handle(client, &message); }
    }
    if (status != FR_OK && !client->is_closing) {
        fr__client_note_refusal(client, NULL, status, error.message);
        fr__client_refuse(client, CODE_PROTOCOL, status, error.message);
    }
}

bool fr__client_hear(fr__client *client, const void *bytes, size_t size) {
    if (client->is_closing) { return true; }
    client->inbox.count = 0;
    void *room = size <= client->server->def.max_message_bytes ? fr_array_push(&client->inbox, size) : NULL;
    if (room == NULL) { return false; }
    if (size > 0) { memcpy(room, bytes, size); }
    hear_frame(client);
    client->inbox.count = 0;
    return true;
}

bool fr__client_receive(fr__client *client, const void *bytes, size_t size, bool is_last) {
    fr_server *server = client->server;
    if (client->is_closing) { return true; }
    fr__peer *peer = &server->peers.list.data[client->peer];
    uint64_t now = fr_clock_ns();
    if (!fr__rate_take(&client->bytes, (double)size, now) || !fr__rate_take(&peer->bytes, (double)size, now)) {
        fr__client_note_refusal(client, NULL, FR_ERROR_LIMIT, "too many bytes a second");
        fr__client_refuse(client, CODE_POLICY, FR_ERROR_LIMIT, "too many bytes a second");
        fr__client_silence(client);
        return true;
    }
    if (size > server->def.max_message_bytes - client->inbox.count) {
        fr__client_note_refusal(client, NULL, FR_ERROR_LIMIT, "the message is too large");
        fr__client_refuse(client, CODE_TOO_BIG, FR_ERROR_LIMIT, "the message is too large");
        return true;
    }
    void *room = fr_array_push(&client->inbox, size);
    if (room == NULL) { return false; }
    if (size > 0) { memcpy(room, bytes, size); }
    if (is_last) {
        hear_frame(client);
        client->inbox.count = 0;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending it the world

// The scene is another one than the client knows: it begins from scratch.
static bool write_reset(fr__client *client, fr__sent *sent) {
    fr_server *server = client->server;
    if (client->epoch == server->epoch) { return false; }
    bool is_first = client->epoch == 0;
    client->epoch = server->epoch;
    client->scene_cursor = fr__feed_join(&server->scene_feed);
    client->layer_cursor = fr__feed_join(&server->layer_feed);
    client->transfer = (fr_mesh_transfer){0};
    client->sequence = 0;
    if (is_first) { return false; }
    fr_message message = {.type = FR_MESSAGE_RESET};
    message.as.reset = (fr_message_reset){server->frames.step, server->served.title};
    fr__packet_clear(&server->scratch);
    *sent = fr__packet_add(&server->scratch, &message) ? fr__client_send(client, &server->scratch) : FR__SENT_BROKEN;
    return true;
}

// Gathers notices that the client has not read and sends them; false when it has read all.
static bool write_notices(fr__client *client, const fr__feed *feed, fr__feed_cursor *mark, fr__sent *sent) {
    fr_server *server = client->server;
    const fr__notice *notice = fr__feed_next(feed, mark);
    if (notice == NULL) { return false; }
    fr__packet *gathered = &server->scratch;
    fr__packet_clear(gathered);
    bool good = true;
    while (good && notice != NULL && fr__packet_size(gathered) < GATHERED_BYTES) {
        if (notice->mesh != 0) {
            good = fr__served_write_mesh(server, notice->mesh, &client->transfer, gathered);
            if (!fr_mesh_transfer_is_done(&client->transfer)) { continue; }
            client->transfer = (fr_mesh_transfer){0};
        } else {
            good = fr__packet_append(gathered, fr__packet_bytes(&notice->packet), fr__packet_size(&notice->packet));
        }
        mark->read = notice->serial;
        notice = fr__feed_next(feed, mark);
    }
    if (!good) {
        *sent = FR__SENT_BROKEN;
    } else {
        *sent = fr__packet_size(gathered) > 0 ? fr__client_send(client, gathered) : FR__SENT;
    }
    return true;
}

static bool write_stats(fr__client *client, uint64_t now_ns, fr__sent *sent) {
    fr_server *server = client->server;
    if ((client->wants & FR_WANTS_STATS) == 0 || now_ns < client->stats_ns + STATS_NS) { return false; }
    client->stats_ns = now_ns;
    fr__packet_clear(&server->scratch);
    if (!fr__frames_write_stats(&server->frames, server->stats.clients, client->dropped, &server->scratch)) {
        return false;
    }
    *sent = fr__client_send(client, &server->scratch);
    return true;
}

// The packet of the newest state for a client; NULL without memory. One who wants fewer states of what is far gets a
// packet of its own.
static const fr__packet *make_state(fr__client *client, bool is_complete) {
    fr_server *server = client->server;
    fr__frames *frames = &server->frames;
    if (is_complete && client->backlog != NULL) { fr_backlog_begin(client->backlog, frames->sequence); }
    if (is_complete || client->backlog == NULL) { return fr__frames_get(frames, client->wants, is_complete); }
    fr_near_input input = {.backlog = client->backlog, .point = client->near_point, .distance = client->near_distance};
    if (!(input.distance > 0.0)) { input.distance = INFINITY; }
    fr__packet_clear(&server->scratch);
    return fr__frames_write_near(frames, client->wants, &input, &server->scratch) ? &server->scratch : NULL;
}

// The newest state of the home, at an edge.
static bool write_edge_state(fr__client *client, fr__sent *sent) {
    const fr__packet *packet = NULL;
    if (!fr__edge_next_state(client, &packet)) { return false; }
    *sent = packet != NULL ? fr__client_send(client, packet) : FR__SENT_BROKEN;
    return true;
}

// The newest state: what changed, for one who has the state before it, else all.
static bool write_state(fr__client *client, fr__sent *sent) {
    fr_server *server = client->server;
    fr__frames *frames = &server->frames;
    if (fr__edge_is_on(&server->edge)) { return write_edge_state(client, sent); }
    if (frames->sequence == 0 || client->sequence == frames->sequence) { return false; }
    bool is_complete = client->sequence == 0 || client->sequence != frames->since;
    if (client->sequence != 0) {
        uint64_t missed = frames->sequence - client->sequence - 1;
        client->dropped += missed;
        server->stats.skipped += missed;
    }
    const fr__packet *packet = make_state(client, is_complete);
    client->sequence = frames->sequence;
    *sent = packet != NULL ? fr__client_send(client, packet) : FR__SENT_BROKEN;
    if (*sent == FR__SENT) { (void)write_stats(client, fr_clock_ns(), sent); }
    return true;
}

static bool write_replies(fr__client *client, fr__sent *sent) {
    if (fr__packet_size(&client->outbox) == 0) { return false; }
    *sent = fr__client_send(client, &client->outbox);
    fr__packet_clear(&client->outbox);
    return true;
}

// One thing, the most urgent first; false when there is nothing to send.
static bool write_next(fr__client *client, fr__sent *sent) {
    fr_server *server = client->server;
    if (write_replies(client, sent)) { return true; }
    if (client->is_closing || !client->is_greeted) { return false; }
    if (write_reset(client, sent)) { return true; }
    if (write_notices(client, &server->scene_feed, &client->scene_cursor, sent)) { return true; }
    if ((client->wants & FR_WANTS_DRAW) != 0 &&
        write_notices(client, &server->layer_feed, &client->layer_cursor, sent)) {
        return true;
    }
    return write_state(client, sent);
}

bool fr__client_write(fr__client *client) {
    fr__sent sent = FR__SENT;
    bool has_more = true;
    for (int i = 0; i < LETTERS_AT_ONCE && has_more && sent == FR__SENT; i++) {
        has_more = write_next(client, &sent);
    }
    if (sent == FR__SENT_BROKEN) { return false; }
    if (has_more) {
        fr__client_wake(client);
        return true;
    }
    return !client->is_closing;
}
