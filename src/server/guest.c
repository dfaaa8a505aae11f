// Guests: the clients of edges at their home. An edge sends who they are and what they do; they are clients like others
// but for the world, which they are sent by their edge.
#include "server/home.h"
#include "server/server.h"

#include <stdio.h>
#include <string.h>

#define SILENT_NS UINT64_C(1500000000) // after which an edge counts as gone

enum { EDGES_MAX = 256, CODE_POLICY = 1008, CODE_AGAIN = 1013 };

// ---------------------------------------------------------------------------------------------------------------
// Coming and going

static fr__known_edge *edge_of(fr__home *home, uint64_t number) {
    for (size_t i = 0; i < home->edges.count; i++) {
        if (home->edges.data[i].number == number) { return &home->edges.data[i]; }
    }
    if (home->edges.count == EDGES_MAX) { return NULL; }
    fr__known_edge *edge = fr__known_edge_array_push(&home->edges, 1);
    if (edge != NULL) { *edge = (fr__known_edge){.number = number}; }
    return edge;
}

static void post_close(fr_server *server, uint64_t edge, uint32_t client, uint16_t code) {
    char topic[FR__EDGE_TOPIC_BYTES];
    const fr__envelope envelope = {.kind = FR__ENVELOPE_CLOSE, .edge = edge, .client = client, .value = code};
    fr__edge_topic(edge, topic);
    (void)fr__home_post(server, FR_BROADCAST_SEND, topic, NULL, &envelope);
}

static void close_guest(fr__client *guest) {
    fr_server *server = guest->server;
    server->home.guest_count--;
    server->peers.list.data[guest->peer].connections--;
    fr__client_close(guest);
}

// The place of an edge among the addresses, which is not that of any machine: the first 64 bits are those of no sender,
// and the last 64 are zeros in IPv6.
static uint32_t place_of_edge(fr_server *server, uint64_t edge, uint64_t now_ns) {
    fr__peer_key key = {{0xff}};
    memcpy(key.bytes + 8, &edge, sizeof edge);
    return fr__peers_place(&server->peers, &key, now_ns);
}

static fr__client *open_guest(fr_server *server, const fr__envelope *from, uint64_t now_ns) {
    uint32_t peer = server->home.guest_count < FR__GUESTS_MAX ? place_of_edge(server, from->edge, now_ns) : UINT32_MAX;
    fr__client *guest = peer != UINT32_MAX ? fr__client_open(server, NULL) : NULL;
    if (guest == NULL) { return NULL; }
    server->home.guest_count++;
    server->peers.list.data[peer].connections++;
    guest->peer = peer;
    guest->number = from->client;
    guest->edge = from->edge;
    guest->role = (fr_role)from->value;
    guest->has_said_hello = guest->has_shown_key = guest->is_greeted = true;
    server->arrivals.greeted++;
    fr__copy_for_people(guest->name, sizeof guest->name, from->name);
    return guest;
}

// The guest that an edge speaks of; NULL: it cannot be one.
static fr__client *guest_of(fr_server *server, const fr__envelope *from, uint64_t now_ns) {
    bool is_right =
        (from->client & FR__GUEST_BIT) != 0 && from->value >= FR_ROLE_WATCH && from->value <= FR_ROLE_DIRECT;
    fr__client *guest = is_right ? fr__server_client(server, from->client) : NULL;
    if (is_right && guest == NULL) { guest = open_guest(server, from, now_ns); }
    // Another edge may have chosen the same number; then the client of this one comes again, with another.
    bool is_own = guest != NULL && guest->edge == from->edge;
    if (!is_own) { post_close(server, from->edge, from->client, CODE_AGAIN); }
    return is_own ? guest : NULL;
}

static void end_guests(fr_server *server, uint64_t edge, uint64_t but_of_roster) {
    fr__client *next;
    for (fr__client *client = server->clients; client != NULL; client = next) {
        next = client->after;
        if (client->edge == edge && client->roster != but_of_roster) { close_guest(client); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What edges send

static void take_roster(fr_server *server, const fr__envelope *roster, uint64_t now_ns) {
    fr__home *home = &server->home;
    size_t at = 0;
    fr__envelope head;
    home->rosters++;
    while (fr__envelope_next(roster->bytes, roster->size, &at, &head)) {
        head.edge = roster->edge;
        fr__client *guest = guest_of(server, &head, now_ns);
        if (guest != NULL) { guest->roster = home->rosters; }
    }
    end_guests(server, roster->edge, home->rosters);
    if ((roster->flags & FR__ENVELOPE_LACKS) != 0) { home->wants_world = true; }
}

void fr__guests_take(fr_server *server, const fr__envelope *envelope, uint64_t now_ns) {
    bool is_of_edge = envelope->kind == FR__ENVELOPE_ROSTER || envelope->kind == FR__ENVELOPE_WRITE;
    fr__known_edge *edge = is_of_edge && envelope->edge != 0 ? edge_of(&server->home, envelope->edge) : NULL;
    if (edge == NULL) {
        server->stats.bad_messages++;
        return;
    }
    edge->heard_ns = now_ns;
    if (envelope->kind == FR__ENVELOPE_ROSTER) {
        take_roster(server, envelope, now_ns);
        return;
    }
    fr__client *guest = guest_of(server, envelope, now_ns);
    if (guest == NULL) { return; }
    if (!fr__client_hear(guest, envelope->bytes, envelope->size)) {
        fr__client_refuse(guest, CODE_POLICY, FR_ERROR_LIMIT, "the message is too large");
    }
}

void fr__guests_reply(fr_server *server) {
    fr__client *next;
    if (server->home.guest_count == 0) { return; }
    for (fr__client *client = server->clients; client != NULL; client = next) {
        next = client->after;
        if (client->edge == 0) { continue; }
        if (fr__packet_size(&client->outbox) > 0) {
            char topic[FR__EDGE_TOPIC_BYTES];
            const fr__envelope envelope = {.kind = FR__ENVELOPE_REPLY,
                                           .edge = client->edge,
                                           .client = client->number,
                                           .bytes = fr__packet_bytes(&client->outbox),
                                           .size = fr__packet_size(&client->outbox)};
            fr__edge_topic(client->edge, topic);
            bool is_sent = fr__home_post(server, FR_BROADCAST_SEND, topic, NULL, &envelope);
            // Where there is no connection the edge fails its requests by itself; else there will be room.
            if (!is_sent && server->home.is_connected) { continue; }
            fr__packet_clear(&client->outbox);
        }
        if (client->is_closing) {
            post_close(server, client->edge, client->number, client->close_code);
            close_guest(client);
        }
    }
}

void fr__guests_end_silent(fr_server *server, uint64_t now_ns) {
    fr__known_edge_array *edges = &server->home.edges;
    size_t kept = 0;
    for (size_t i = 0; i < edges->count; i++) {
        fr__known_edge edge = edges->data[i];
        if (now_ns <= edge.heard_ns + SILENT_NS) {
            edges->data[kept++] = edge;
            continue;
        }
        fr_log(FR_LOG_WARNING, "server: edge %016llx is gone", (unsigned long long)edge.number);
        end_guests(server, edge.number, UINT64_MAX);
    }
    edges->count = kept;
}

void fr__guests_end(fr_server *server) {
    fr__client *next;
    for (fr__client *client = server->clients; client != NULL; client = next) {
        next = client->after;
        if (client->edge != 0) { close_guest(client); }
    }
}
