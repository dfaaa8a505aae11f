// A program's connection to a server: fr_client, over a socket that never blocks.
#include "fureai/server_client.h"

#include "server/tls.h"
#include "server/token.h"
#include "server/url.h"
#include "server/websocket.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENT_COOKIE UINT32_C(0x636C6E74)
#define TRICKLE_BYTES 1024.0 // a second, that a message must come with

enum { CHUNK_BYTES = 16 << 10, CHUNKS_AT_ONCE = 64, CODE_NORMAL = 1000 };

struct fr_client {
    fr_client_def def;
    fr_allocator allocator;
    fr_client_state state;
    fr_error ended_error; // why it has ended
    char last_error[FR_ERROR_MESSAGE_BYTES];
    char host[FR__URL_MAX_BYTES + 8];
    struct addrinfo *addresses, *address; // all, and the one that is tried; NULL: none is left
    int descriptor;                       // -1: none
    bool is_connected;                    // by TCP
    bool is_pinged;                       // since it was last heard
    uint64_t begin_ns, heard_ns;          // when it began, and when a byte came last
    uint64_t message_ns, message_bytes;   // when the message began that comes, and bytes_taken then; 0: none
    uint64_t mirror_bytes;                // memory that the mirror has
    fr__websocket websocket;
    fr__tls *tls;         // NULL: it is not encrypted
    fr_byte_array plain;  // frames that wait to be encrypted
    fr_byte_array heard;  // what was decrypted
    fr_byte_array outbox; // bytes that wait to be sent
    size_t sent;          // of these, bytes that were sent
    fr_array scratch;     // a message to be sent; hello at first
    fr_mirror *mirror;
};

fr_client_def fr_default_client_def(void) {
    return (fr_client_def){.name = "",
                           .wants = FR_WANTS_POSES,
                           .timeout_seconds = 5.0,
                           .max_message_bytes = 1u << 26,
                           .max_unsent_bytes = 1u << 20,
                           .max_mirror_bytes = 1u << 30,
                           .cookie = CLIENT_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// The mirror, within a limit

static void *mirror_alloc(size_t size, size_t align, void *user) {
    fr_client *client = user;
    if (size > client->def.max_mirror_bytes - client->mirror_bytes) { return NULL; }
    void *pointer = client->allocator.alloc(size, align, client->allocator.user);
    if (pointer != NULL) { client->mirror_bytes += size; }
    return pointer;
}

static void mirror_free(void *pointer, size_t size, void *user) {
    fr_client *client = user;
    if (pointer != NULL) { client->mirror_bytes -= size; }
    client->allocator.free(pointer, size, client->allocator.user);
}

static void on_message(const fr_mirror *mirror, const fr_message *message, void *user) {
    fr_client *client = user;
    if (message->type == FR_MESSAGE_WELCOME) { client->state.phase = FR_CLIENT_OPEN; }
    if (message->type == FR_MESSAGE_ERROR) {
        snprintf(client->last_error, sizeof client->last_error, "%s", message->as.error.message);
    }
    if (client->def.received != NULL) { client->def.received(mirror, message, client->def.user); }
}

// ---------------------------------------------------------------------------------------------------------------
// The socket

static void close_socket(fr_client *client) {
    if (client->descriptor >= 0) { close(client->descriptor); }
    client->descriptor = -1;
}

// Ends the connection; what is first wrong stays.
static fr_status end(fr_client *client, fr_status status, const fr_error *why) {
    close_socket(client);
    client->state.phase = FR_CLIENT_ENDED;
    client->ended_error = *why;
    client->ended_error.status = status;
    return status;
}

static bool begin_to_connect(fr_client *client) {
    const struct addrinfo *to = client->address;
    int yes = 1;
    client->descriptor = socket(to->ai_family, SOCK_STREAM, 0);
    if (client->descriptor < 0) { return false; }
    int flags = fcntl(client->descriptor, F_GETFL);
    bool good = flags >= 0 && fcntl(client->descriptor, F_SETFL, flags | O_NONBLOCK) == 0 &&
                fcntl(client->descriptor, F_SETFD, FD_CLOEXEC) == 0;
    // One write a message goes out at once.
    (void)setsockopt(client->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (good) { good = connect(client->descriptor, to->ai_addr, to->ai_addrlen) == 0 || errno == EINPROGRESS; }
    if (!good) { close_socket(client); }
    return good;
}

// Goes to the next address of the host; a status when there is none.
static fr_status try_next(fr_client *client, int reason, fr_error *error) {
    close_socket(client);
    while (client->address != NULL) {
        if (begin_to_connect(client)) { return FR_OK; }
        reason = errno;
        client->address = client->address->ai_next;
    }
    return fr_error_set(error, FR_ERROR_SYSTEM, "%s cannot be reached: %s", client->host, strerror(reason));
}

static fr_status look_up(fr_client *client, const fr__url *url, fr_error *error) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)url->port);
    int code = getaddrinfo(url->host, service, &hints, &client->addresses);
    if (code != 0) {
        return fr_error_set(error, FR_ERROR_SYSTEM, "%s is not known: %s", client->host, gai_strerror(code));
    }
    client->address = client->addresses;
    return FR_OK;
}

// Waits until the socket can be read, or written where something is to be written.
static bool wait_for(const fr_client *client, bool may_write, uint64_t wait_ns) {
    struct pollfd watched = {.fd = client->descriptor, .events = POLLIN};
    if (may_write) { watched.events |= POLLOUT; }
    uint64_t ms = wait_ns / 1000000 + (wait_ns % 1000000 != 0 ? 1 : 0);
    return poll(&watched, 1, ms < INT32_MAX ? (int)ms : INT32_MAX) > 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

// Where frames wait: to be encrypted, or to be sent.
static fr_byte_array *frames_of(fr_client *client) { return client->tls != NULL ? &client->plain : &client->outbox; }

static fr_status write_frame(fr_client *client, fr__opcode opcode, const void *bytes, size_t size, fr_error *error) {
    unsigned char mask[4];
    if (getentropy(mask, sizeof mask) != 0) {
        return fr_error_set(error, FR_ERROR_SYSTEM, "the system has no random bytes");
    }
    return fr__websocket_write(opcode, bytes, size, mask, frames_of(client), error);
}

static size_t unsent(const fr_client *client) { return client->outbox.count - client->sent + client->plain.count; }

static fr_status send_waiting(fr_client *client, fr_error *error) {
    if (client->tls != NULL) {
        fr_status status = fr__tls_give(client->tls, &client->plain, &client->outbox, error);
        if (status != FR_OK) { return status; }
    }
    while (client->outbox.count > client->sent) {
        ssize_t sent = send(client->descriptor, client->outbox.data + client->sent, client->outbox.count - client->sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) { continue; }
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) { break; }
        // What the server said before it closed is still to be read; the end is found there.
        if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) { break; }
        if (sent < 0) { return fr_error_set(error, FR_ERROR_SYSTEM, "%s: %s", client->host, strerror(errno)); }
        client->sent += (size_t)sent;
        client->state.bytes_sent += (uint64_t)sent;
    }
    if (client->sent * 2 > client->outbox.count) {
        memmove(client->outbox.data, client->outbox.data + client->sent, client->outbox.count - client->sent);
        client->outbox.count -= client->sent;
        client->sent = 0;
    }
    return FR_OK;
}

static fr_status check_may_send(const fr_client *client, size_t size, fr_error *error) {
    if (client->state.phase == FR_CLIENT_ENDED) {
        return fr_error_set(error, FR_ERROR_STOPPED, "the connection has ended");
    }
    if (client->state.phase == FR_CLIENT_CONNECTING) {
        return fr_error_set(error, FR_ERROR_BUSY, "the server has not welcomed the client yet");
    }
    if (size > client->def.max_unsent_bytes || unsent(client) > client->def.max_unsent_bytes - size) {
        return fr_error_set(error, FR_ERROR_LIMIT, "more than %u bytes would wait to be sent",
                            (unsigned)client->def.max_unsent_bytes);
    }
    return FR_OK;
}

fr_status fr_client_send_bytes(fr_client *client, const void *bytes, size_t size, fr_error *error) {
    FR_ASSERT(client != NULL && (bytes != NULL || size == 0));
    fr_status status = check_may_send(client, size, error);
    if (status == FR_OK) { status = write_frame(client, FR__OPCODE_BINARY, bytes, size, error); }
    // What is wrong with the socket is found by the next service.
    if (status == FR_OK) { (void)send_waiting(client, NULL); }
    return status;
}

fr_status fr_client_send(fr_client *client, const fr_message *message, fr_error *error) {
    FR_ASSERT(client != NULL && message != NULL);
    fr_status status = check_may_send(client, 0, error);
    if (status != FR_OK) { return status; }
    client->scratch.count = 0;
    status = fr_protocol_write(message, &client->scratch, error);
    return status == FR_OK ? fr_client_send_bytes(client, client->scratch.data, client->scratch.count, error) : status;
}

// Hello and the token were written when the client was made.
static fr_status say_hello(fr_client *client, fr_error *error) {
    fr_status status = write_frame(client, FR__OPCODE_BINARY, client->scratch.data, client->scratch.count, error);
    fr__secret_wipe(client->scratch.data, client->scratch.count);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

// What the server said before it closed, or that it did.
static fr_status refuse_closed(const fr_client *client, fr_error *error) {
    if (client->last_error[0] != '\0') {
        return fr_error_set(error, FR_ERROR_SYSTEM, "the server closed the connection: %s", client->last_error);
    }
    return fr_error_set(error, FR_ERROR_SYSTEM, "the server closed the connection");
}

static fr_status feed(fr_client *client, const fr__websocket_event *event, fr_error *error) {
    client->state.frames++;
    client->message_ns = 0;
    fr_status status = fr_mirror_feed(client->mirror, event->bytes, event->size, error);
    if (status == FR_ERROR_MEMORY && client->mirror_bytes > client->def.max_mirror_bytes / 2) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the served world is larger than max_mirror_bytes");
    }
    return status;
}

// Takes what came up to the first message.
static fr_status take_events(fr_client *client, bool *has_taken, fr_error *error) {
    for (;;) {
        fr__websocket_event event;
        fr_status status = fr__websocket_next(&client->websocket, &event, error);
        if (status != FR_OK) { return status; }
        switch (event.kind) {
        case FR__WEBSOCKET_NOTHING: return FR_OK;
        case FR__WEBSOCKET_OPENED: status = say_hello(client, error); break;
        case FR__WEBSOCKET_MESSAGE: *has_taken = true; return feed(client, &event, error);
        case FR__WEBSOCKET_PING:
            // One that pings faster than it reads is not served.
            status = unsent(client) <= client->def.max_unsent_bytes
                         ? write_frame(client, FR__OPCODE_PONG, event.bytes, event.size, error)
                         : fr_error_set(error, FR_ERROR_LIMIT, "the server asks faster than it reads");
            break;
        case FR__WEBSOCKET_PONG: break;
        default: client->state.close_code = client->websocket.close_code; return refuse_closed(client, error);
        }
        if (status != FR_OK) { return status; }
    }
}

// Reads some bytes from the socket; *count is 0 when there are none.
static fr_status receive(fr_client *client, size_t *count, fr_error *error) {
    unsigned char bytes[CHUNK_BYTES];
    ssize_t got;
    *count = 0;
    do {
        got = recv(client->descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) { return FR_OK; }
    if (got <= 0) { return refuse_closed(client, error); }
    *count = (size_t)got;
    client->heard_ns = fr_clock_ns();
    client->is_pinged = false;
    if (client->message_ns == 0) {
        client->message_ns = client->heard_ns;
        client->message_bytes = client->state.bytes_taken;
    }
    client->state.bytes_taken += (uint64_t)got;
    if (client->tls == NULL) { return fr__websocket_receive(&client->websocket, bytes, (size_t)got, error); }
    client->heard.count = 0;
    fr_status status = fr__tls_take(client->tls, bytes, (size_t)got, &client->heard, error);
    // What came before the end is still read.
    if (client->heard.count == 0) { return status; }
    return fr__websocket_receive(&client->websocket, client->heard.data, client->heard.count, error);
}

// What is too slow: a connection that is not welcomed, a server that is silent, a message that comes by and by.
static fr_status check_time(fr_client *client, fr_error *error) {
    uint64_t now = fr_clock_ns(), timeout = (uint64_t)(client->def.timeout_seconds * 1e9);
    if (client->state.phase == FR_CLIENT_CONNECTING) {
        if (now - client->begin_ns <= timeout) { return FR_OK; }
        return fr_error_set(error, FR_ERROR_STOPPED, "%s takes no connection within %g seconds", client->host,
                            client->def.timeout_seconds);
    }
    if (now - client->heard_ns > 2 * timeout) {
        return fr_error_set(error, FR_ERROR_STOPPED, "the server is silent for %g seconds",
                            2.0 * client->def.timeout_seconds);
    }
    bool has_begun = client->websocket.inbox.count > client->websocket.at || client->websocket.is_in_message;
    if (!has_begun) { client->message_ns = 0; }
    if (has_begun && client->message_ns != 0 && now - client->message_ns > 2 * timeout) {
        double seconds = 1e-9 * (double)(now - client->message_ns);
        double bytes = (double)(client->state.bytes_taken - client->message_bytes);
        if (bytes < TRICKLE_BYTES * seconds) {
            return fr_error_set(error, FR_ERROR_STOPPED, "the server sends a message byte by byte");
        }
    }
    if (now - client->heard_ns <= timeout || client->is_pinged) { return FR_OK; }
    client->is_pinged = true;
    return write_frame(client, FR__OPCODE_PING, "", 0, error);
}

// Finishes connecting by TCP; the handshake goes out then.
static fr_status finish_connecting(fr_client *client, fr_error *error) {
    int reason = 0;
    socklen_t size = sizeof reason;
    if (!wait_for(client, true, 0)) { return FR_OK; }
    if (getsockopt(client->descriptor, SOL_SOCKET, SO_ERROR, &reason, &size) != 0) { reason = errno; }
    if (reason != 0) {
        client->address = client->address->ai_next;
        return try_next(client, reason, error);
    }
    client->is_connected = true;
    unsigned char key[FR__WEBSOCKET_KEY_BYTES];
    if (getentropy(key, sizeof key) != 0) {
        return fr_error_set(error, FR_ERROR_SYSTEM, "the system has no random bytes");
    }
    return fr__websocket_greet(&client->websocket, client->host, key, frames_of(client), error);
}

// What can be done without waiting, up to one message.
static fr_status go_on(fr_client *client, bool *has_taken, fr_error *error) {
    fr_status status = FR_OK;
    if (!client->is_connected) { status = finish_connecting(client, error); }
    if (status != FR_OK || !client->is_connected) { return status; }
    status = take_events(client, has_taken, error);
    size_t count = 1;
    for (int i = 0; i < CHUNKS_AT_ONCE && count > 0 && !*has_taken && status == FR_OK; i++) {
        status = receive(client, &count, error);
        if (status == FR_OK && count > 0) { status = take_events(client, has_taken, error); }
    }
    return status == FR_OK ? send_waiting(client, error) : status;
}

fr_status fr_client_service(fr_client *client, uint64_t wait_ns, bool *has_taken, fr_error *error) {
    FR_ASSERT(client != NULL);
    bool is_taken = false;
    fr_error why = {0};
    fr_status status = FR_OK;
    if (client->state.phase != FR_CLIENT_ENDED) {
        status = go_on(client, &is_taken, &why);
        if (status == FR_OK && !is_taken && wait_ns > 0) {
            bool may_write = !client->is_connected || client->outbox.count > client->sent;
            if (wait_for(client, may_write, wait_ns)) { status = go_on(client, &is_taken, &why); }
        }
        if (status == FR_OK && !is_taken) { status = check_time(client, &why); }
        if (status != FR_OK) { (void)end(client, status, &why); }
    }
    if (has_taken != NULL) { *has_taken = is_taken; }
    if (client->state.phase != FR_CLIENT_ENDED) { return FR_OK; }
    return fr_error_set(error, client->ended_error.status, "%s", client->ended_error.message);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_client_def *def, fr_error *error) {
    if (def->cookie != CLIENT_COOKIE) { return fr_error_set_cookie(error, "fr_default_client_def"); }
    const uint32_t limits[] = {def->max_message_bytes, def->max_unsent_bytes, def->max_mirror_bytes};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i] < FR_CLIENT_MIN_BYTES || limits[i] > FR_CLIENT_MAX_BYTES) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a limit of a client is %u .. %u bytes", FR_CLIENT_MIN_BYTES,
                                FR_CLIENT_MAX_BYTES);
        }
    }
    if (!(def->timeout_seconds > 0.0 && def->timeout_seconds <= FR_CLIENT_TIMEOUT_MAX_SECONDS)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the timeout of a client is up to %d seconds",
                            FR_CLIENT_TIMEOUT_MAX_SECONDS);
    }
    return FR_OK;
}

static fr_status make(fr_client *client, const fr__url *url, fr_error *error) {
    fr_mirror_def mirror = fr_default_mirror_def();
    mirror.received = on_message;
    mirror.user = client;
    mirror.allocator = (fr_allocator){mirror_alloc, mirror_free, client};
    fr_message hello = {.type = FR_MESSAGE_HELLO};
    hello.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, client->def.wants, client->def.name};
    fr_message key = {.type = FR_MESSAGE_KEY};
    key.as.key.token = client->def.token;
    fr_status status = fr_protocol_write(&hello, &client->scratch, error);
    if (status == FR_OK && client->def.token != NULL) { status = fr_protocol_write(&key, &client->scratch, error); }
    client->def.token = NULL;
    if (status == FR_OK) { status = fr_mirror_create(&mirror, &client->mirror, error); }
    if (status == FR_OK && url->is_secure) {
        status = fr__tls_create(url->host, client->def.authority_path, &client->tls, error);
    }
    if (status == FR_OK) { status = look_up(client, url, error); }
    if (status == FR_OK) { status = try_next(client, 0, error); }
    return status;
}

fr_status fr_client_create(const fr_client_def *def, fr_client **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr__url url;
    fr_status status = check_def(def, error);
    if (status == FR_OK) { status = fr__url_read(def->url, FR_CLIENT_PORT, &url, error); }
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_client *client = fr_allocate(&allocator, 1, sizeof *client, _Alignof(fr_client));
    if (client == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a client"); }
    uint64_t now = fr_clock_ns();
    *client = (fr_client){.def = *def,
                          .allocator = allocator,
                          .descriptor = -1,
                          .begin_ns = now,
                          .heard_ns = now,
                          .websocket = fr__websocket_make(def->max_message_bytes, &allocator),
                          .plain = fr_byte_array_make(&allocator),
                          .heard = fr_byte_array_make(&allocator),
                          .outbox = fr_byte_array_make(&allocator),
                          .scratch = fr_array_make(1, &allocator)};
    memcpy(client->host, url.host_port, sizeof client->host);
    status = make(client, &url, error);
    if (status != FR_OK) {
        fr_client_destroy(client);
        return status;
    }
    *out = client;
    return FR_OK;
}

void fr_client_destroy(fr_client *client) {
    if (client == NULL) { return; }
    if (client->descriptor >= 0 && client->websocket.is_open) {
        const unsigned char code[2] = {CODE_NORMAL >> 8, CODE_NORMAL & 0xff};
        (void)write_frame(client, FR__OPCODE_CLOSE, code, sizeof code, NULL);
        (void)send_waiting(client, NULL);
    }
    close_socket(client);
    if (client->addresses != NULL) { freeaddrinfo(client->addresses); }
    fr_mirror_destroy(client->mirror);
    fr__websocket_free(&client->websocket);
    fr__tls_destroy(client->tls);
    fr_byte_array_destroy(&client->plain);
    fr_byte_array_destroy(&client->heard);
    fr_byte_array_destroy(&client->outbox);
    fr_array_destroy(&client->scratch);
    fr_allocator allocator = client->allocator;
    fr_deallocate(&allocator, client, 1, sizeof *client);
}

const fr_mirror *fr_client_mirror(const fr_client *client) {
    FR_ASSERT(client != NULL);
    return client->mirror;
}

fr_client_state fr_client_get(const fr_client *client) {
    FR_ASSERT(client != NULL);
    fr_client_state state = client->state;
    state.unsent_bytes = (uint32_t)unsent(client);
    return state;
}
