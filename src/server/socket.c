// The sockets, by libwebsockets: one thread, its loop in fr__sockets_service.
#include "server/arrival.h"
#include "server/web_models.h"
#include "server/wire.h"

#include <libwebsockets.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

_Static_assert(LWS_PRE <= FR__PACKET_HEAD, "a packet leaves too little room for the head of a frame");

#define COUNT_NS UINT64_C(50000000)  // how often the bytes of sockets are counted
#define QUIET_NS UINT64_C(400000000) // likewise, of those over which nothing came
#define LOOK_NS UINT64_C(1000)       // of rest between two looks at all sockets, for each that is no client's
#define DEAF_NS UINT64_C(5000000000) // a client that talks must take what it is sent within this time

enum {
    HANDSHAKE_SECONDS = 5,
    IDLE_PING_SECONDS = 30,
    IDLE_SECONDS = 60,
    RECEIVE_BYTES = 16 << 10,
    CRUMB_BYTES = 128,
    STRANGERS_MIN = 64, // from which on there is a rest
    STRANGERS_MAX = 4000,
    SEND_BYTES = 1 << 20, // that are handed to the kernel at once
    GOODBYE_MS = 300,
    TOO_MANY_REQUESTS = 429,
    CODE_GOING_AWAY = 1001,
    CODE_TEXT = 1003,
    CODE_POLICY = 1008
};

typedef struct fr__sockets {
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t alarm;
    struct lws *listener;
    uint64_t paused_ns; // until when connections that arrive wait; 0: they do not
    uint64_t looked_ns; // when all sockets were last looked at
} fr__sockets;

// What the library keeps with a connection for us, by protocol.
typedef struct fr__socket_client {
    fr__client *client;
} fr__socket_client;

static fr_server *server_of(struct lws *wsi) { return lws_context_user(lws_get_context(wsi)); }

// ---------------------------------------------------------------------------------------------------------------
// Who comes in

struct lws_vhost *fr__sockets_vhost(const fr_server *server) {
    return server->sockets->vhost;
}

static int on_listener(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    (void)user;
    (void)in;
    (void)size;
    if (reason == LWS_CALLBACK_RAW_RX_FILE) { fr__arrivals_accept(server_of(wsi)); }
    return 0;
}

static int refuse_upgrade(fr_server *server, struct lws *wsi, unsigned status, const char *text) {
    const fr__incoming *connection = fr__arrival_of(wsi);
    server->stats.refused++;
    fr__server_note_refusal(server, connection != NULL ? connection->peer : UINT32_MAX, NULL, "connection",
                            FR_ERROR_UNSUPPORTED, text);
    return fr__web_refuse(wsi, status, text);
}

// Whether a request to become a WebSocket is let through; it is refused here where it is not.
static int check_upgrade(fr_server *server, struct lws *wsi, const char *to) {
    char text[512], host_text[512];
    if (to == NULL || strcasecmp(to, "websocket") != 0) {
        return refuse_upgrade(server, wsi, HTTP_STATUS_BAD_REQUEST, "only websocket is spoken here");
    }
    const char *host = fr__web_header(wsi, WSI_TOKEN_HOST, host_text, sizeof host_text);
    if (!fr__host_allowed(&server->origins, host)) {
        return refuse_upgrade(server, wsi, HTTP_STATUS_FORBIDDEN, "this host name is not served here");
    }
    bool has_origin = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
    const char *origin = fr__web_header(wsi, WSI_TOKEN_ORIGIN, text, sizeof text);
    if (has_origin && (origin == NULL || !fr__origin_allowed(&server->origins, origin, host))) {
        return refuse_upgrade(server, wsi, HTTP_STATUS_FORBIDDEN, "this origin is not allowed");
    }
    const char *protocols = fr__web_header(wsi, WSI_TOKEN_PROTOCOL, text, sizeof text);
    if (protocols == NULL || strstr(protocols, FR_PROTOCOL_NAME) == NULL) {
        return refuse_upgrade(server, wsi, HTTP_STATUS_BAD_REQUEST, "the subprotocol must be " FR_PROTOCOL_NAME);
    }
    if (server->stats.clients - server->home.guest_count >= server->def.max_clients || server->is_leaving) {
        return refuse_upgrade(server, wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, "there are too many clients already");
    }
    const fr__peer *peer = fr__arrival_peer(server, wsi);
    if (peer != NULL && peer->clients >= server->def.max_clients_per_address) {
        return refuse_upgrade(server, wsi, HTTP_STATUS_SERVICE_UNAVAILABLE,
                              "there are too many clients of this address already");
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// What happens on connections

// A whole request came; false when its address asks too often.
static bool take_request(fr_server *server, struct lws *wsi) {
    fr__incoming *connection = fr__arrival_of(wsi);
    fr__peer *peer = fr__arrival_peer(server, wsi);
    if (connection != NULL) { connection->has_sent_request = true; }
    return peer == NULL || fr__rate_take(&peer->requests, 1.0, fr_clock_ns());
}

static int respond(fr_server *server, struct lws *wsi, fr__web_request *request, const char *path, size_t size) {
    if (take_request(server, wsi)) { return fr__web_respond(server, wsi, request, path, size); }
    server->stats.refused++;
    return fr__web_refuse(wsi, TOO_MANY_REQUESTS, "too many requests a second");
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    fr_server *server = server_of(wsi);
    fr__web_request *request = user;
    switch (reason) {
    case LWS_CALLBACK_WSI_DESTROY: fr__arrival_end(server, wsi); return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return check_upgrade(server, wsi, in);
    // What would speak as a WebSocket without a protocol of ours.
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1;
    case LWS_CALLBACK_HTTP: return respond(server, wsi, request, in, size);
    case LWS_CALLBACK_HTTP_BODY: return request != NULL ? fr__web_upload_receive(wsi, request, in, size) : -1;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return request != NULL ? fr__web_upload_complete(wsi, request) : -1;
    case LWS_CALLBACK_HTTP_WRITEABLE: return request != NULL ? fr__web_write(wsi, request) : 0;
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        if (request != NULL) { fr__web_end(request); }
        return 0;
    default: return 0;
    }
}

static int close_client(struct lws *wsi, fr__client *client) {
    if (client->close_code != 0) { lws_close_reason(wsi, (enum lws_close_status)client->close_code, NULL, 0); }
    return -1;
}

static int receive(struct lws *wsi, fr__client *client, const void *bytes, size_t size) {
    if (lws_frame_is_binary(wsi) == 0) {
        fr__client_refuse(client, CODE_TEXT, FR_ERROR_SYNTAX, "messages must be binary");
        return 0;
    }
    bool is_last = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0;
    // Crumbs of a message are counted as what carries none.
    if (size >= CRUMB_BYTES || (is_last && size > 0)) { fr__wire_hear(&client->wire, size); }
    return fr__client_receive(client, bytes, size, is_last) ? 0 : close_client(wsi, client);
}

// What a client sent and we did not hear yet.
typedef enum fr__unheard {
    FR__UNHEARD_NOTHING,
    FR__UNHEARD_BYTES,
    FR__UNHEARD_END, // of the connection
} fr__unheard;

static fr__unheard unheard_of(struct lws *wsi) {
    char byte;
    ssize_t got;
    do {
        got = recv(lws_get_socket_fd(wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got > 0) { return FR__UNHEARD_BYTES; }
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? FR__UNHEARD_NOTHING : FR__UNHEARD_END;
}

// The library (4.1) never comes back from a connection whose end it reads while the rest of a frame waits to be sent:
// it wants to send that first, and reads the end again at once. So a client is not listened to meanwhile.
static void stop_listening(fr__client *client) {
    if (client->unheard_ns == 0) { client->unheard_ns = fr_clock_ns(); }
    (void)lws_rx_flow_control(client->wsi, 0);
}

// The rest was sent. True when the client is to be heard before more is sent to it, which might stop it being heard
// again.
static bool listen_again(fr__client *client) {
    if (client->unheard_ns == 0 || client->is_flooding) { return false; }
    client->unheard_ns = 0;
    (void)lws_rx_flow_control(client->wsi, 1);
    return unheard_of(client->wsi) != FR__UNHEARD_NOTHING;
}

static int on_writeable(struct lws *wsi, fr__client *client) {
    if (client == NULL) { return -1; }
    if (listen_again(client)) {
        (void)lws_callback_on_writable(wsi);
        return 0;
    }
    return fr__client_write(client) ? 0 : close_client(wsi, client);
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

static fr__sent send_packet(fr__client *client, const fr__packet *packet) {
    size_t size = fr__packet_size(packet);
    if (lws_write(client->wsi, fr__packet_bytes(packet), size, LWS_WRITE_BINARY) < (int)size) {
        return FR__SENT_BROKEN;
    }
    if (lws_partial_buffered(client->wsi) != 0) { stop_listening(client); }
    return lws_send_pipe_choked(client->wsi) != 0 ? FR__SENT_FULL : FR__SENT;
}

static void wake(fr__client *client) { (void)lws_callback_on_writable(client->wsi); }

static void expire(fr__client *client) {
    lws_set_timeout(client->wsi, PENDING_TIMEOUT_USER_REASON_BASE, HANDSHAKE_SECONDS);
}

static const fr__client_link socket_link = {
    .send = send_packet, .wake = wake, .silence = stop_listening, .expire = expire};

static int establish(struct lws *wsi, fr__socket_client *place) {
    fr_server *server = server_of(wsi);
    fr__incoming *connection = fr__arrival_of(wsi);
    place->client = connection != NULL ? fr__client_open(server, &socket_link) : NULL;
    if (place->client == NULL) { return -1; }
    place->client->wsi = wsi;
    place->client->peer = connection->peer;
    (void)fr__wire_read(lws_get_socket_fd(wsi), &place->client->wire.first);
    connection->is_client = true;
    server->peers.list.data[connection->peer].clients++;
    return 0;
}

static int on_client(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    fr__socket_client *place = user;
    fr__client *client = place != NULL ? place->client : NULL;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED: return establish(wsi, place);
    case LWS_CALLBACK_CLOSED:
        if (client != NULL) {
            place->client = NULL;
            fr__client_close(client);
        }
        return 0;
    case LWS_CALLBACK_RECEIVE: return client != NULL ? receive(wsi, client, in, size) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE: return on_writeable(wsi, client);
    default: return 0;
    }
}

void fr__sockets_end_deaf(fr_server *server, uint64_t now_ns) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->unheard_ns == 0) { continue; }
        fr__unheard unheard = unheard_of(client->wsi);
        bool is_deaf = unheard == FR__UNHEARD_BYTES && now_ns > client->unheard_ns + DEAF_NS;
        // The library learns of it from the socket, and forgets the rest.
        if (is_deaf || unheard == FR__UNHEARD_END) { (void)shutdown(lws_get_socket_fd(client->wsi), SHUT_RDWR); }
    }
}

void fr__sockets_wake(const fr_server *server) { lws_cancel_service(server->sockets->context); }

// Bytes that came since they were last counted and were no messages; a client sends few of them.
static bool is_flooded(fr_server *server, fr__client *client, uint64_t now_ns) {
    uint64_t bytes = 0;
    if (client->wsi == NULL || !fr__wire_read(lws_get_socket_fd(client->wsi), &bytes)) { return false; }
    int64_t taken = client->wire.taken;
    uint64_t overhead = fr__wire_count(&client->wire, bytes);
    client->count_ns = now_ns + (client->wire.taken == taken ? QUIET_NS : COUNT_NS);
    if (overhead == 0) { return false; }
    bool may_address = fr__rate_owe(&server->peers.list.data[client->peer].overhead, (double)overhead, now_ns);
    return !fr__rate_take(&client->overhead, (double)overhead, now_ns) || !may_address;
}

void fr__sockets_end_floods(fr_server *server, uint64_t now_ns) {
    if (now_ns < server->counted_ns + COUNT_NS) { return; }
    server->counted_ns = now_ns;
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_flooding || now_ns < client->count_ns || !is_flooded(server, client, now_ns)) { continue; }
        fr__client_note_refusal(client, NULL, FR_ERROR_LIMIT, "too many control frames or empty pieces of messages");
        fr__client_refuse(client, CODE_POLICY, FR_ERROR_LIMIT, "too many control frames or empty pieces of messages");
        fr__client_silence(client);
    }
}

// Whether what is sent now goes to the kernel, behind whatever was sent before.
static bool is_ready(const fr__client *client) {
    return client->unheard_ns == 0 && !client->is_closing && lws_partial_buffered(client->wsi) == 0 &&
           lws_send_pipe_choked(client->wsi) == 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The loop

static void log_line(int level, const char *line) {
    size_t length = strcspn(line, "\n");
    fr_log(level == LLL_ERR ? FR_LOG_WARNING : FR_LOG_DEBUG, "server: libwebsockets: %.*s", (int)length, line);
}

static const struct lws_protocols protocols[] = {
    {"http", on_http, sizeof(fr__web_request), 0, 0, NULL, 0},
    {FR_PROTOCOL_NAME, on_client, sizeof(fr__socket_client), RECEIVE_BYTES, 0, NULL, SEND_BYTES},
    {"listener", on_listener, 0, 0, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static const lws_retry_bo_t patience = {.secs_since_valid_ping = IDLE_PING_SECONDS,
                                        .secs_since_valid_hangup = IDLE_SECONDS};

// The library closes the descriptor it is given, so it gets one of its own.
static bool adopt_listener(fr_server *server) {
    lws_sock_file_fd_type descriptor;
    descriptor.filefd = dup(server->listener.descriptor);
    if (descriptor.filefd < 0) { return false; }
    server->sockets->listener =
        lws_adopt_descriptor_vhost(server->sockets->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor, "listener", NULL);
    return server->sockets->listener != NULL;
}

fr_status fr__sockets_open(fr_server *server, fr_error *error) {
    fr__sockets *sockets = fr_allocate(&server->allocator, 1, sizeof *sockets, _Alignof(fr__sockets));
    if (sockets == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the sockets"); }
    *sockets = (fr__sockets){0};
    server->sockets = sockets;
    lws_set_log_level(LLL_ERR | LLL_WARN, log_line);
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = protocols;
    info.user = server;
    info.uid = (int)(uid_t)-1;
    info.gid = (int)(gid_t)-1;
    info.pt_serv_buf_size = RECEIVE_BYTES * 4;
    info.timeout_secs = HANDSHAKE_SECONDS;
    info.timeout_secs_ah_idle = HANDSHAKE_SECONDS;
    info.keepalive_timeout = HANDSHAKE_SECONDS;
    info.retry_and_idle_policy = &patience;
    // The listener, the library's own pipe and some to spare.
    info.fd_limit_per_thread = server->def.max_clients + FR__MORE_CONNECTIONS + 8;
    info.server_string = "fureai";
    // Over TLS a browser would choose HTTP/2, which has no header `host` and does not become a WebSocket here.
    info.alpn = "http/1.1";
    if (server->def.certificate_path != NULL) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = server->def.certificate_path;
        info.ssl_private_key_filepath = server->def.key_path;
        info.ssl_options_set = SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION;
    }
    // The library has SIGPIPE ignored; it sends without that signal anyway, and signals are the program's.
    struct sigaction of_program;
    bool is_known = sigaction(SIGPIPE, NULL, &of_program) == 0;
    sockets->context = lws_create_context(&info);
    if (is_known) { (void)sigaction(SIGPIPE, &of_program, NULL); }
    if (sockets->context != NULL) { sockets->vhost = lws_get_vhost_by_name(sockets->context, "default"); }
    if (sockets->vhost == NULL || !adopt_listener(server)) {
        fr__sockets_close(server);
        return fr_error_set(error, FR_ERROR_SYSTEM, "libwebsockets cannot begin");
    }
    return FR_OK;
}

void fr__sockets_pause_listener(fr_server *server, uint64_t until_ns) {
    server->sockets->paused_ns = until_ns;
    (void)lws_rx_flow_control(server->sockets->listener, 0);
}

// Listens again where the pause is over; else the wait ends with it.
static uint64_t end_pause(fr__sockets *sockets, uint64_t wait_ns) {
    if (sockets->paused_ns == 0) { return wait_ns; }
    uint64_t now = fr_clock_ns();
    if (now < sockets->paused_ns) { return wait_ns < sockets->paused_ns - now ? wait_ns : sockets->paused_ns - now; }
    sockets->paused_ns = 0;
    (void)lws_rx_flow_control(sockets->listener, 1);
    return wait_ns;
}

// An alarm that rings before the library goes to sleep would not wake it; so there is always another one.
static void on_alarm(lws_sorted_usec_list_t *alarm) {
    fr__sockets *sockets = lws_container_of(alarm, fr__sockets, alarm);
    lws_sul_schedule(sockets->context, 0, alarm, on_alarm, 1);
}

// OpenSSL writes to sockets without asking for no signal: where a client is gone, SIGPIPE waits for this thread
// meanwhile and is taken back, unless it waited before.
typedef struct pipe_guard {
    sigset_t mask; // of the thread, before
    bool is_on;
} pipe_guard;

static pipe_guard hold_back_signal(const fr_server *server) {
    pipe_guard guard = {.is_on = false};
    sigset_t pipe_alone, waiting;
    sigemptyset(&pipe_alone);
    sigaddset(&pipe_alone, SIGPIPE);
    bool waits = sigpending(&waiting) != 0 || sigismember(&waiting, SIGPIPE) != 0;
    if (server->def.certificate_path != NULL && !waits) {
        guard.is_on = pthread_sigmask(SIG_BLOCK, &pipe_alone, &guard.mask) == 0;
    }
    return guard;
}

static void take_signal_back(const pipe_guard *guard) {
    if (!guard->is_on) { return; }
    const struct timespec at_once = {0};
    sigset_t pipe_alone;
    sigemptyset(&pipe_alone);
    sigaddset(&pipe_alone, SIGPIPE);
    while (sigtimedwait(&pipe_alone, NULL, &at_once) < 0 && errno == EINTR) {}
    (void)pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
}

// States go out at once: the library would look at every socket first, however many there are of those that send
// nothing.
void fr__sockets_send_states(fr_server *server) {
    pipe_guard guard = hold_back_signal(server);
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (!client->is_greeted || client->wsi == NULL) { continue; }
        if (!is_ready(client)) {
            fr__client_wake(client);
        } else if (!fr__client_write(client)) {
            // The library learns of it from the socket.
            (void)shutdown(lws_get_socket_fd(client->wsi), SHUT_RDWR);
        }
    }
    take_signal_back(&guard);
}

// The library looks at all sockets whenever something happens on one of them. Where many are of no clients, what
// happens is gathered: a thousand of them may cost the clients a millisecond, not a processor. What is left of the wait
// comes back: a tick is due when it was.
static uint64_t rest(const fr_server *server, uint64_t wait_ns) {
    uint32_t clients = server->arrivals.greeted - server->home.guest_count;
    uint32_t strangers = server->arrivals.count > clients ? server->arrivals.count - clients : 0;
    if (strangers < STRANGERS_MIN) { return wait_ns; }
    if (strangers > STRANGERS_MAX) { strangers = STRANGERS_MAX; }
    uint64_t due = server->sockets->looked_ns + strangers * LOOK_NS, now = fr_clock_ns();
    uint64_t left = due > now ? due - now : 0;
    if (left > wait_ns) { left = wait_ns; }
    const struct timespec time = {.tv_nsec = (long)left};
    if (left == 0) { return wait_ns; }
    (void)nanosleep(&time, NULL);
    uint64_t rested = fr_clock_ns() - now;
    return rested < wait_ns ? wait_ns - rested : 0;
}

bool fr__sockets_service(fr_server *server, uint64_t wait_ns) {
    fr__sockets *sockets = server->sockets;
    pipe_guard guard = hold_back_signal(server);
    wait_ns = rest(server, wait_ns);
    wait_ns = end_pause(sockets, wait_ns);
    // The library sleeps until something happens on a socket or the alarm is due; below 0 it does not sleep.
    lws_sul_schedule(sockets->context, 0, &sockets->alarm, on_alarm, (lws_usec_t)(wait_ns / 1000) + 1);
    bool is_well = lws_service(sockets->context, wait_ns > 0 ? 0 : -1) >= 0;
    take_signal_back(&guard);
    sockets->looked_ns = fr_clock_ns();
    return is_well;
}

void fr__sockets_close(fr_server *server) {
    fr__sockets *sockets = server->sockets;
    if (sockets == NULL) { return; }
    server->is_leaving = true;
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        fr__client_refuse(client, CODE_GOING_AWAY, FR_ERROR_STOPPED, "the server ends");
    }
    uint64_t begin = fr_clock_ns();
    while (server->clients != NULL && fr_clock_ms_since(begin) < GOODBYE_MS && fr__sockets_service(server, 10000000)) {}
    if (sockets->context != NULL) {
        pipe_guard guard = hold_back_signal(server);
        lws_sul_cancel(&sockets->alarm);
        lws_context_destroy(sockets->context);
        take_signal_back(&guard);
    }
    fr__arrivals_free(server);
    server->sockets = NULL;
    fr_deallocate(&server->allocator, sockets, 1, sizeof *sockets);
}
