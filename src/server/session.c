// Sessions: clients in the process. Packets are not queued: the caller takes one after another, and each is written
// when it is taken.
#include "fureai/server_session.h"

#include "server/exchange.h"
#include "server/role.h"

#include <string.h>

enum { CODE_POLICY = 1008, CODE_GOING_AWAY = 1001 };

struct fr_session {
    fr_allocator allocator;
    fr__client *client; // NULL: the session has ended
    bool is_awake;      // there may be something to take
    fr_array taken;     // the packet that was taken last
    uint16_t close_code;
    fr__exchange *exchange; // that is replied to; NULL: none
    fr_session_reply_fn *reply;
    void *context;
};

// ---------------------------------------------------------------------------------------------------------------
// The link

// One packet a turn: the client counts as full until the next one.
static fr__sent send_packet(fr__client *client, const fr__packet *packet) {
    fr_session *session = client->session;
    size_t size = fr__packet_size(packet);
    session->taken.count = 0;
    void *room = fr_array_push(&session->taken, size);
    if (room == NULL) { return FR__SENT_BROKEN; }
    memcpy(room, fr__packet_bytes(packet), size);
    return FR__SENT_FULL;
}

static void wake(fr__client *client) { client->session->is_awake = true; }

static void do_nothing(fr__client *client) { (void)client; }

static const fr__client_link session_link = {
    .send = send_packet, .wake = wake, .silence = do_nothing, .expire = do_nothing};

// ---------------------------------------------------------------------------------------------------------------
// Coming and going

// The place of all sessions among the addresses, which is not that of any machine.
static uint32_t place_of_sessions(fr_server *server) {
    fr__peer_key key;
    memset(&key, 0xff, sizeof key);
    return fr__peers_place(&server->peers, &key, fr_clock_ns());
}

fr_status fr_session_create(fr_server *server, fr_session **out, fr_error *error) {
    FR_ASSERT(server != NULL && out != NULL);
    *out = NULL;
    if (server->stats.clients >= server->def.max_clients) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the server has %u clients already",
                            (unsigned)server->stats.clients);
    }
    uint32_t peer = place_of_sessions(server);
    fr_session *session = fr_allocate(&server->allocator, 1, sizeof *session, _Alignof(fr_session));
    fr__client *client = session != NULL && peer != UINT32_MAX ? fr__client_open(server, &session_link) : NULL;
    if (client == NULL) {
        fr_deallocate(&server->allocator, session, 1, sizeof *session);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a session");
    }
    *session =
        (fr_session){.allocator = server->allocator, .client = client, .taken = fr_array_make(1, &server->allocator)};
    client->session = session;
    client->peer = peer;
    server->peers.list.data[peer].connections++;
    *out = session;
    return FR_OK;
}

// The client goes; the session stays, with nothing to say.
static void end(fr_session *session, uint16_t code) {
    fr__client *client = session->client;
    if (client == NULL) { return; }
    session->client = NULL;
    session->close_code = code;
    session->is_awake = false;
    session->reply = NULL;
    fr__exchange_leave(session->exchange);
    session->exchange = NULL;
    client->server->peers.list.data[client->peer].connections--;
    fr__client_close(client);
}

void fr_session_destroy(fr_session *session) {
    if (session == NULL) { return; }
    end(session, CODE_GOING_AWAY);
    fr_array_destroy(&session->taken);
    fr_allocator allocator = session->allocator;
    fr_deallocate(&allocator, session, 1, sizeof *session);
}

void fr__sessions_end(fr_server *server) {
    fr__client *next;
    for (fr__client *client = server->clients; client != NULL; client = next) {
        next = client->after;
        if (client->session != NULL) { end(client->session, CODE_GOING_AWAY); }
    }
}

uint16_t fr_session_close_code(const fr_session *session) {
    FR_ASSERT(session != NULL);
    return session->close_code;
}

// ---------------------------------------------------------------------------------------------------------------
// Bytes

fr_status fr_session_send(fr_session *session, const void *bytes, size_t size, fr_error *error) {
    FR_ASSERT(session != NULL && (bytes != NULL || size == 0));
    if (session->client == NULL) { return fr_error_set(error, FR_ERROR_STOPPED, "the session has ended"); }
    if (fr__client_receive(session->client, bytes, size, true)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message of %zu bytes", size);
}

bool fr_session_take(fr_session *session, const void **bytes, size_t *size) {
    FR_ASSERT(session != NULL && bytes != NULL && size != NULL);
    *bytes = NULL;
    *size = 0;
    session->taken.count = 0;
    while (session->client != NULL && session->is_awake && session->taken.count == 0) {
        fr__client *client = session->client;
        session->is_awake = false;
        bool is_open = fr__client_write(client);
        bool has_taken = session->taken.count > 0;
        // What it said last is taken before the end of it is seen.
        if (is_open || (client->is_closing && has_taken)) {
            session->is_awake = session->is_awake || has_taken;
        } else {
            end(session, client->close_code != 0 ? client->close_code : (uint16_t)CODE_POLICY);
        }
    }
    *bytes = session->taken.data;
    *size = session->taken.count;
    return *size > 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Requests

static void give(fr_session *session, unsigned status, const char *type, const char *name, const void *bytes,
                 size_t size) {
    fr_session_reply_fn *reply = session->reply;
    session->reply = NULL;
    session->exchange = NULL;
    if (reply != NULL) { reply(status, type, name, bytes, size, session->context); }
}

static void respond(fr__exchange *exchange, const fr__exchange_reply *reply) {
    fr_byte_array bytes = reply->bytes;
    give(exchange->requester, reply->status, reply->type, reply->name, bytes.data, bytes.count);
    fr_byte_array_destroy(&bytes);
}

static void refuse(fr_session *session, const fr__exchange_refusal *refusal) {
    give(session, refusal->status, "text/plain; charset=utf-8", NULL, refusal->reason, strlen(refusal->reason));
}

// Why a client may not send or fetch models; NULL: it may.
static const char *wrong_role(const fr__client *client, bool is_upload) {
    if (client->role == FR_ROLE_NONE) { return "this needs a token that is known here"; }
    if (is_upload && client->role < FR_ROLE_DIRECT) { return "this is for those who direct"; }
    return is_upload && client->server->def.is_locked ? "this server is locked" : NULL;
}

static fr__exchange *begin(fr_session *session, const char *path, const void *bytes, size_t size,
                           fr__exchange_refusal *refusal) {
    fr_server *server = session->client->server;
    bool is_upload = bytes != NULL && strcmp(path, "/models") == 0;
    *refusal = (fr__exchange_refusal){FR__HTTP_FORBIDDEN, wrong_role(session->client, is_upload)};
    if (refusal->reason != NULL) { return NULL; }
    *refusal = (fr__exchange_refusal){FR__HTTP_NOT_FOUND, "there is no such model"};
    if (!is_upload) { return strncmp(path, "/models/", 8) == 0 ? fr__download_begin(server, path) : NULL; }
    fr__exchange *exchange = fr__upload_begin(server, size, refusal);
    if (exchange == NULL || fr__upload_receive(exchange, bytes, size, refusal)) { return exchange; }
    fr__exchange_leave(exchange);
    return NULL;
}

fr_status fr_session_request(fr_session *session, const char *path, const void *bytes, size_t size,
                             fr_session_reply_fn *reply, void *context, fr_error *error) {
    FR_ASSERT(session != NULL && path != NULL && reply != NULL);
    if (session->client == NULL) { return fr_error_set(error, FR_ERROR_STOPPED, "the session has ended"); }
    if (session->exchange != NULL) {
        return fr_error_set(error, FR_ERROR_BUSY, "another request of this session is being worked on");
    }
    session->reply = reply;
    session->context = context;
    fr__exchange_refusal refusal;
    fr__exchange *exchange = begin(session, path, bytes, size, &refusal);
    if (exchange == NULL) {
        refuse(session, &refusal);
        return FR_OK;
    }
    exchange->respond = respond;
    exchange->requester = session;
    session->exchange = exchange;
    if (fr__exchange_start(exchange, &refusal)) { return FR_OK; }
    fr__exchange_leave(exchange);
    refuse(session, &refusal);
    return FR_OK;
}
