// The clients of an edge: what they do goes home, and what the home replies comes back to them.
#include "server/edge.h"
#include "server/server.h"

#include <string.h>

enum { CODE_AGAIN = 1013 };

uint32_t fr__edge_client_number(const fr_server *server) {
    uint32_t number;
    do {
        number = (uint32_t)fr__random_number() | FR__GUEST_BIT;
    } while (fr__server_client(server, number) != NULL);
    return number;
}

// ---------------------------------------------------------------------------------------------------------------
// Whether the home is there

static const char *sentence_of(fr__edge_phase phase) {
    switch (phase) {
    case FR__EDGE_LIVE: return "";
    case FR__EDGE_ALONE: return "Read only: no home server was found yet.";
    case FR__EDGE_HOME_GONE: return "Read only: the home server is gone. You see its last state until it is back.";
    default: return "Read only: the connection to the home server is lost. You see its last state until it is back.";
    }
}

static void say_phase(fr__client *client) {
    fr__edge_phase phase = client->server->edge.phase;
    fr_message message = {.type = FR_MESSAGE_SERVICE};
    message.as.service = (fr_message_service){phase != FR__EDGE_LIVE, sentence_of(phase)};
    fr__client_say(client, &message);
}

void fr__edge_say_phase(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted) { say_phase(client); }
    }
}

void fr__edge_welcome(fr__client *client) {
    client->server->edge.has_new_roster = true;
    if (client->server->edge.phase != FR__EDGE_LIVE) { say_phase(client); }
}

// ---------------------------------------------------------------------------------------------------------------
// Requests

static void refuse(fr__client *client, uint32_t request, fr_status status, const char *why) {
    fr_message reply = {.type = FR_MESSAGE_REPLY};
    reply.as.reply = (fr_message_reply){request, status, why};
    fr__client_say(client, &reply);
}

// Whether a request waited for its reply; it does not any more.
static bool forget_request(fr__client *client, uint32_t request) {
    for (uint32_t i = 0; i < client->pending_count; i++) {
        if (client->pending[i] != request) { continue; }
        client->pending[i] = client->pending[--client->pending_count];
        return true;
    }
    return false;
}

void fr__edge_fail_pending(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        for (uint32_t i = 0; i < client->pending_count; i++) {
            refuse(client, client->pending[i], FR_ERROR_STOPPED,
                   "the home server was lost before it replied: it may have done this, or not");
        }
        client->pending_count = 0;
    }
}

static bool post(fr_server *server, const fr__envelope *envelope) {
    fr__edge *edge = &server->edge;
    edge->envelope.count = 0;
    if (!fr__envelope_write(envelope, &edge->envelope)) { return false; }
    const fr_broadcast_item item = {.change = FR_BROADCAST_SEND,
                                    .topic = FR__HOME_TOPIC,
                                    .bytes = edge->envelope.data,
                                    .size = edge->envelope.count};
    return edge->table.post(&item, edge->table.user, NULL) == FR_OK;
}

static fr__envelope envelope_of(const fr__client *client, fr__envelope_kind kind) {
    const fr__edge *edge = &client->server->edge;
    fr__envelope envelope = {.kind = kind,
                             .home = edge->home,
                             .epoch = edge->epoch,
                             .edge = edge->number,
                             .client = client->number,
                             .value = (uint32_t)client->role};
    _Static_assert(sizeof envelope.name == sizeof client->name, "a client's name fits");
    memcpy(envelope.name, client->name, sizeof envelope.name);
    return envelope;
}

void fr__edge_forward(fr__client *client, const fr_message *message) {
    fr_server *server = client->server;
    fr__edge *edge = &server->edge;
    uint32_t request = 0;
    bool has_reply = fr__message_request(message, &request);
    const char *why = edge->phase != FR__EDGE_LIVE ? sentence_of(edge->phase) : NULL;
    fr_status status = FR_ERROR_STOPPED;
    if (why == NULL && has_reply && client->pending_count == FR__EDGE_PENDING_MAX) {
        why = "too many requests wait for the home server";
        status = FR_ERROR_LIMIT;
    }
    if (why == NULL) {
        fr__envelope envelope = envelope_of(client, FR__ENVELOPE_WRITE);
        envelope.bytes = edge->message;
        envelope.size = edge->message_bytes;
        if (!post(server, &envelope)) {
            why = "the home server cannot be reached now";
        } else if (has_reply) {
            client->pending[client->pending_count++] = request;
        }
    }
    if (why != NULL && has_reply) { refuse(client, request, status, why); }
}

void fr__edge_send_roster(fr_server *server, bool lacks_world) {
    fr__edge *edge = &server->edge;
    fr__envelope roster = {.kind = FR__ENVELOPE_ROSTER,
                           .flags = lacks_world ? FR__ENVELOPE_LACKS : 0,
                           .home = lacks_world ? edge->seen_home : edge->home,
                           .edge = edge->number};
    bool is_whole = true;
    edge->roster.count = 0;
    for (const fr__client *client = server->clients; client != NULL && is_whole; client = client->after) {
        if (!client->is_greeted || client->is_closing) { continue; }
        fr__envelope head = envelope_of(client, FR__ENVELOPE_WRITE);
        head.home = roster.home;
        is_whole = fr__envelope_write(&head, &edge->roster);
    }
    roster.bytes = edge->roster.data;
    roster.size = edge->roster.count;
    if (is_whole && roster.home != 0) { (void)post(server, &roster); }
    edge->roster_ns = fr_clock_ns();
    edge->has_new_roster = false;
}

// ---------------------------------------------------------------------------------------------------------------
// Replies

static bool is_reply(fr_message_type type) {
    switch (type) {
    case FR_MESSAGE_REPLY:
    case FR_MESSAGE_AFFORDANCES:
    case FR_MESSAGE_STOCK_LIST:
    case FR_MESSAGE_PEOPLE_LIST:
    case FR_MESSAGE_POSTURE_FILE:
    case FR_MESSAGE_ENDED:
    case FR_MESSAGE_REFUSED:
    case FR_MESSAGE_ERROR: return true;
    default: return false;
    }
}

// Whether a client is to have a message: not the reply to a request that has one already, as when the connection to the
// home was lost and the home had taken the request all the same.
static bool is_awaited(fr__client *client, const fr_message *message) {
    switch (message->type) {
    case FR_MESSAGE_REPLY: return forget_request(client, message->as.reply.request);
    case FR_MESSAGE_AFFORDANCES: return forget_request(client, message->as.affordances.request);
    case FR_MESSAGE_STOCK_LIST: return forget_request(client, message->as.stock_list.request);
    case FR_MESSAGE_PEOPLE_LIST: return forget_request(client, message->as.people_list.request);
    case FR_MESSAGE_POSTURE_FILE: return forget_request(client, message->as.posture_file.request);
    default: return true;
    }
}

fr_status fr__edge_take_reply(fr_server *server, const fr__envelope *envelope, fr_error *error) {
    fr__client *client = fr__server_client(server, envelope->client);
    if (client == NULL || client->is_closing) { return FR_OK; }
    if (envelope->kind == FR__ENVELOPE_CLOSE) {
        uint16_t code = envelope->value >= 1000 && envelope->value <= 4999 ? (uint16_t)envelope->value : CODE_AGAIN;
        fr__client_refuse(client, code, FR_ERROR_STOPPED, "the home server closes this connection");
        return FR_OK;
    }
    fr_status status = fr__edge_check(server, envelope->bytes, envelope->size, is_reply, error);
    if (status != FR_OK) { return status; }
    fr_frame frame = {envelope->bytes, envelope->size, 0, FR_READER_CLIENT};
    fr_packet packet;
    while (fr_frame_next(&frame, &packet, &status, error)) {
        fr_message message;
        fr_arena_reset(server->arena);
        if (fr_protocol_read(&packet, server->arena, &message, error) != FR_OK) { break; }
        if (is_awaited(client, &message)) { fr__client_say(client, &message); }
    }
    return FR_OK;
}
