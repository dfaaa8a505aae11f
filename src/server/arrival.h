// Connections as they arrive and go: those that are open, by age, and who has to make room for another.
#ifndef FUREAI_SERVER_ARRIVAL_H
#define FUREAI_SERVER_ARRIVAL_H

#include "server/server.h"

// A connection that is open.
typedef struct fr__incoming {
    struct lws *wsi;
    struct fr__incoming *older, *newer;
    uint32_t peer;         // its place among the addresses
    bool has_sent_request; // it sent a whole request
    bool is_client;        // it became a WebSocket
} fr__incoming;

// Takes in connections that wait. Where one of them comes too soon, the next ones wait for some milliseconds. One that
// finds no place is closed at once; the oldest one that never became a WebSocket makes room, of its own address where
// that has too many, those first that never sent a request.
void fr__arrivals_accept(fr_server *server);

// A connection is gone.
void fr__arrival_end(fr_server *server, struct lws *wsi);

// What is known of a connection; NULL for those that are none of a client, such as the listener's.
fr__incoming *fr__arrival_of(struct lws *wsi);

// The address of a connection; NULL as above.
fr__peer *fr__arrival_peer(fr_server *server, struct lws *wsi);

// Frees what is left.
void fr__arrivals_free(fr_server *server);

#endif
