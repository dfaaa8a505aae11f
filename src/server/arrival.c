// Takes connections in, and makes room for them.
#include "server/arrival.h"

#include <libwebsockets.h>

#include <unistd.h>

// Each connection that arrives wakes the server, which then looks at all sockets. So those who come faster than they
// may are taken together, some at once, with a pause between, in which the others are served.
enum { AT_ONCE = 256 };
#define PAUSE_NS UINT64_C(10000000)

// Taking one in takes 20 us and more: who comes by hundreds is taken in over some passes, so that a tick waits for few
// of them.
#define BUDGET_NS UINT64_C(500000)
#define REST_NS UINT64_C(2000000)

fr__incoming *fr__arrival_of(struct lws *wsi) { return lws_get_opaque_user_data(wsi); }

fr__peer *fr__arrival_peer(fr_server *server, struct lws *wsi) {
    const fr__incoming *connection = fr__arrival_of(wsi);
    return connection != NULL ? &server->peers.list.data[connection->peer] : NULL;
}

static void forget(fr_server *server, fr__incoming *connection) {
    fr__arrivals *arrivals = &server->arrivals;
    fr__peer *peer = &server->peers.list.data[connection->peer];
    if (connection->older != NULL) { connection->older->newer = connection->newer; }
    if (connection->newer != NULL) { connection->newer->older = connection->older; }
    if (arrivals->oldest == connection) { arrivals->oldest = connection->newer; }
    if (arrivals->newest == connection) { arrivals->newest = connection->older; }
    arrivals->count--;
    peer->connections--;
    if (connection->is_client) { peer->clients--; }
    fr_deallocate(&server->allocator, connection, 1, sizeof *connection);
}

void fr__arrival_end(fr_server *server, struct lws *wsi) {
    fr__incoming *connection = fr__arrival_of(wsi);
    if (connection == NULL) { return; }
    lws_set_opaque_user_data(wsi, NULL);
    forget(server, connection);
}

void fr__arrivals_free(fr_server *server) {
    while (server->arrivals.oldest != NULL) {
        forget(server, server->arrivals.oldest);
    }
}

// Closes the oldest connection that is no client, of an address or, with UINT32_MAX, of any. False: there is none.
static bool make_room(fr_server *server, uint32_t peer) {
    fr__incoming *found = NULL;
    for (fr__incoming *c = server->arrivals.oldest; c != NULL; c = c->newer) {
        if (c->is_client || (peer != UINT32_MAX && c->peer != peer)) { continue; }
        if (found == NULL) { found = c; }
        if (!c->has_sent_request) {
            found = c;
            break;
        }
    }
    if (found == NULL) { return false; }
    server->stats.refused++;
    lws_set_timeout(found->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
    return true;
}

static uint32_t max_of_address(const fr_server *server) {
    return server->def.max_clients_per_address + FR__MORE_PER_ADDRESS;
}

// Whether a connection of an address may come in; others may have to go for it.
static bool may_enter(fr_server *server, uint32_t place, uint64_t now_ns) {
    fr__peer *peer = &server->peers.list.data[place];
    if (!fr__rate_take(&peer->arrivals, 1.0, now_ns) || !fr__rate_owe(&peer->overhead, 0.0, now_ns)) { return false; }
    if (peer->connections >= max_of_address(server) && !make_room(server, place)) { return false; }
    return server->arrivals.count < server->def.max_clients + FR__MORE_CONNECTIONS || make_room(server, UINT32_MAX);
}

static void adopt(fr_server *server, int descriptor, uint32_t place) {
    fr__arrivals *arrivals = &server->arrivals;
    fr__incoming *connection = fr_allocate(&server->allocator, 1, sizeof *connection, _Alignof(fr__incoming));
    if (connection == NULL || !fr__listener_set_up(descriptor)) {
        if (connection != NULL) { fr_deallocate(&server->allocator, connection, 1, sizeof *connection); }
        close(descriptor);
        return;
    }
    // On failure the library has closed it.
    struct lws *wsi = lws_adopt_socket_vhost(fr__sockets_vhost(server), descriptor);
    if (wsi == NULL) {
        fr_deallocate(&server->allocator, connection, 1, sizeof *connection);
        return;
    }
    *connection = (fr__incoming){.wsi = wsi, .older = arrivals->newest, .peer = place};
    if (arrivals->newest != NULL) { arrivals->newest->newer = connection; }
    if (arrivals->oldest == NULL) { arrivals->oldest = connection; }
    arrivals->newest = connection;
    arrivals->count++;
    server->peers.list.data[place].connections++;
    lws_set_opaque_user_data(wsi, connection);
}

void fr__arrivals_accept(fr_server *server) {
    bool has_refused = false, is_over = false;
    uint64_t begin = fr_clock_ns();
    for (int i = 0; i < AT_ONCE && !is_over; i++) {
        fr__peer_key key;
        int descriptor = fr__listener_accept(&server->listener, &key);
        if (descriptor < 0) { break; }
        uint64_t now = fr_clock_ns();
        is_over = now - begin > BUDGET_NS;
        uint32_t place = fr__peers_place(&server->peers, &key, now);
        if (server->is_leaving || place == UINT32_MAX || !may_enter(server, place, now)) {
            server->stats.refused++;
            has_refused = true;
            close(descriptor);
            continue;
        }
        adopt(server, descriptor, place);
    }
    if (has_refused || is_over) {
        fr__sockets_pause_listener(server, fr_clock_ns() + (has_refused ? PAUSE_NS : REST_NS));
    }
}
