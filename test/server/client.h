// A client that waits for what it asks: fr_client, or a plain socket (raw_open) over which anything at all can be sent,
// frames that no client of ours sends.
#ifndef FUREAI_TEST_SERVER_CLIENT_H
#define FUREAI_TEST_SERVER_CLIENT_H

#include "fureai/server_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    CLIENT_WAIT_SECONDS = 10,
    OPCODE_CONTINUATION = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10,
    FRAME_LAST = 0x80 // FIN
};

typedef struct test_client {
    fr_client *link; // NULL: it is a plain socket
    int socket;      // -1: it is none
    uint16_t port;
    char head[8192]; // reply to the handshake
    const fr_mirror *mirror;
    fr_mirror *raw_mirror; // of a plain socket
    fr_array payload;      // of the last frame
    int close_code;        // that the server gave; 0: none
    fr_message_reply reply;
    char reply_text[256];
    uint32_t reply_count;
    uint32_t error_status; // of ERROR
    char error_text[256];
    uint64_t pong;
    uint32_t resets;
    uint32_t events; // that were sent
    uint32_t states; // of them those of states
    uint32_t models; // of the last MODELS
    uint32_t views;  // VIEW with an object that is there
    uint32_t materials, pictures, dressed_meshes, dressed_triangles;
    uint32_t sounds, sound_places;
    fr_message_sound_place sound_place; // the last one
    uint32_t state_count, complete_count;
    uint64_t tick;                                       // of the last state
    uint64_t longest_gap;                                // from one state to the next, in ticks of the server
    void (*look)(const fr_message *message, void *user); // at every message; NULL: none does
    void *look_user;
} test_client;

// ---------------------------------------------------------------------------------------------------------------
// Bytes

// From an address of the loopback network: 1 is 127.0.0.1.
static inline void client_connect_from(test_client *c, uint16_t port, uint32_t host) {
    *c = (test_client){.port = port, .payload = fr_array_make(1, NULL)};
    c->socket = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(c->socket >= 0);
    struct timeval wait = {.tv_sec = CLIENT_WAIT_SECONDS};
    assert_int_equal(setsockopt(c->socket, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait), 0);
    assert_int_equal(setsockopt(c->socket, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait), 0);
    struct sockaddr_in own = {.sin_family = AF_INET};
    own.sin_addr.s_addr = htonl((UINT32_C(127) << 24) + host);
    assert_int_equal(bind(c->socket, (struct sockaddr *)&own, sizeof own), 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(c->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        fail_msg("no connection: %s", strerror(errno));
    }
}

static inline void client_connect(test_client *c, uint16_t port) { client_connect_from(c, port, 1); }

static inline void client_close(test_client *c) {
    if (c->socket >= 0) { close(c->socket); }
    c->socket = -1;
    fr_client_destroy(c->link);
    fr_mirror_destroy(c->raw_mirror);
    c->link = NULL;
    c->mirror = c->raw_mirror = NULL;
    fr_array_destroy(&c->payload);
}

// False when the server does not take them any more.
static inline bool client_send(test_client *c, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(c->socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) { continue; }
        if (sent <= 0) { return false; }
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static inline bool client_send_text(test_client *c, const char *text) { return client_send(c, text, strlen(text)); }

// False at the end of the connection, or when nothing comes for too long.
static inline bool client_receive(test_client *c, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        ssize_t got = recv(c->socket, at, size, 0);
        if (got < 0 && errno == EINTR) { continue; }
        if (got <= 0) { return false; }
        at += got;
        size -= (size_t)got;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// HTTP

// Reads the head of a response and returns its status; 0 when the connection ends before.
static inline int client_read_head(test_client *c) {
    size_t size = 0;
    c->head[0] = '\0';
    while (size < sizeof c->head - 1 && client_receive(c, c->head + size, 1)) {
        c->head[++size] = '\0';
        if (size >= 4 && strcmp(c->head + size - 4, "\r\n\r\n") == 0) { return atoi(c->head + 9); }
    }
    return 0;
}

static inline long client_content_length(const test_client *c) {
    const char *at = strstr(c->head, "content-length:");
    return at != NULL ? atol(at + 15) : 0;
}

// Sends a request of a method, a path and more lines, and returns the status. Host is ours unless `more` has one.
static inline int client_request(test_client *c, const char *method, const char *path, const char *more) {
    char text[8192];
    char host[64] = "";
    if (strstr(more, "Host:") == NULL) { snprintf(host, sizeof host, "Host: 127.0.0.1:%u\r\n", (unsigned)c->port); }
    snprintf(text, sizeof text, "%s %s HTTP/1.1\r\n%s%s\r\n", method, path, host, more);
    return client_send_text(c, text) ? client_read_head(c) : 0;
}

#define CLIENT_UPGRADE                                                                                                 \
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"                                       \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define CLIENT_PROTOCOL "Sec-WebSocket-Protocol: " FR_PROTOCOL_NAME "\r\n"

// Connects and asks to become a WebSocket; returns the status.
static inline int client_upgrade_from(test_client *c, uint16_t port, uint32_t host, const char *more) {
    char text[2048];
    client_connect_from(c, port, host);
    snprintf(text, sizeof text, "%s%s", CLIENT_UPGRADE, more);
    return client_request(c, "GET", "/", text);
}

static inline int client_upgrade(test_client *c, uint16_t port, const char *more) {
    return client_upgrade_from(c, port, 1, more);
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// Sends a frame with a first byte (opcode and flags); masked, as a client must, or not.
static inline bool client_frame(test_client *c, int first, bool is_masked, const void *bytes, size_t size) {
    unsigned char *frame = malloc(size + 14);
    assert_non_null(frame);
    size_t head = 2;
    frame[0] = (unsigned char)first;
    if (size < 126) {
        frame[1] = (unsigned char)size;
    } else if (size < 65536) {
        frame[1] = 126;
        frame[2] = (unsigned char)(size >> 8);
        frame[3] = (unsigned char)size;
        head = 4;
    } else {
        frame[1] = 127;
        for (int i = 0; i < 8; i++) {
            frame[2 + i] = (unsigned char)((uint64_t)size >> (56 - 8 * i));
        }
        head = 10;
    }
    static const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    if (is_masked) {
        frame[1] |= 0x80;
        memcpy(frame + head, mask, 4);
        head += 4;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = ((const unsigned char *)bytes)[i];
        frame[head + i] = (unsigned char)(is_masked ? byte ^ mask[i % 4] : byte);
    }
    bool sent = client_send(c, frame, head + size);
    free(frame);
    return sent;
}

// Reads a frame into `payload` and returns its opcode; -1 when the connection ended. A ping is returned and passed
// over.
static inline int client_read_frame(test_client *c) {
    for (;;) {
        unsigned char head[2], more[8];
        if (!client_receive(c, head, 2)) { return -1; }
        assert_int_equal(head[1] & 0x80, 0);
        assert_int_equal(head[0] & 0x70, 0);
        uint64_t size = head[1] & 0x7f;
        size_t bytes = size == 126 ? 2 : (size == 127 ? 8 : 0);
        if (bytes > 0) {
            if (!client_receive(c, more, bytes)) { return -1; }
            size = 0;
            for (size_t i = 0; i < bytes; i++) {
                size = size << 8 | more[i];
            }
        }
        c->payload.count = 0;
        void *room = fr_array_push(&c->payload, (size_t)size);
        assert_non_null(room);
        if (!client_receive(c, room, (size_t)size)) { return -1; }
        int opcode = head[0] & 0x0f;
        if (opcode == OPCODE_CLOSE && size >= 2) {
            const unsigned char *code = c->payload.data;
            c->close_code = code[0] << 8 | code[1];
        }
        if (opcode != OPCODE_PING) { return opcode; }
        (void)client_frame(c, FRAME_LAST | OPCODE_PONG, true, c->payload.data, c->payload.count);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Messages

static inline void client_told(const fr_mirror *mirror, const fr_message *message, void *user) {
    (void)mirror;
    test_client *c = user;
    if (c->look != NULL) { c->look(message, c->look_user); }
    switch (message->type) {
    case FR_MESSAGE_REPLY:
        c->reply = message->as.reply;
        snprintf(c->reply_text, sizeof c->reply_text, "%s", message->as.reply.message);
        c->reply_count++;
        break;
    case FR_MESSAGE_ERROR:
        c->error_status = message->as.error.status;
        snprintf(c->error_text, sizeof c->error_text, "%s", message->as.error.message);
        break;
    case FR_MESSAGE_PONG: c->pong = message->as.pong.token; break;
    case FR_MESSAGE_RESET: c->resets++; break;
    case FR_MESSAGE_MATERIAL: c->materials++; break;
    case FR_MESSAGE_VIEW:
        c->views += message->as.view.object_count == 1 && message->as.view.objects[0].index1 > 0;
        break;
    case FR_MESSAGE_MODELS: c->models = message->as.models.model_count; break;
    case FR_MESSAGE_SOUND: c->sounds++; break;
    case FR_MESSAGE_SOUND_PLACE:
        c->sound_places++;
        c->sound_place = message->as.sound_place;
        break;
    case FR_MESSAGE_PICTURE: c->pictures++; break;
    case FR_MESSAGE_MESH: c->dressed_meshes += message->as.mesh.material > 0; break;
    case FR_MESSAGE_MESH_LOOK: c->dressed_triangles += message->as.mesh_look.material_count; break;
    case FR_MESSAGE_EVENTS:
        c->events += message->as.events.event_count;
        for (uint32_t i = 0; i < message->as.events.event_count; i++) {
            c->states += message->as.events.events[i].kind == FR_EVENT_STATE;
        }
        break;
    case FR_MESSAGE_STATE:
        if (c->state_count++ > 0 && message->as.state.tick > c->tick + c->longest_gap) {
            c->longest_gap = message->as.state.tick - c->tick;
        }
        c->tick = message->as.state.tick;
        c->complete_count += (message->as.state.flags & FR_STATE_COMPLETE) != 0;
        break;
    default: break;
    }
}

// Sends messages that are bytes already, as one frame; false when the connection has ended.
static inline bool client_say_bytes(test_client *c, const void *bytes, size_t size) {
    if (c->link == NULL) { return client_frame(c, FRAME_LAST | OPCODE_BINARY, true, bytes, size); }
    return fr_client_send_bytes(c->link, bytes, size, NULL) == FR_OK;
}

static inline bool client_say(test_client *c, const fr_message *message) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_error error = {0};
    if (fr_protocol_write(message, &bytes, &error) != FR_OK) { fail_msg("%s", error.message); }
    bool sent = client_say_bytes(c, bytes.data, bytes.count);
    fr_array_destroy(&bytes);
    return sent;
}

// Takes one frame into the mirror; false when the connection ended.
static inline bool client_take(test_client *c) {
    bool has_taken = false;
    for (int i = 0; c->link != NULL && !has_taken && i < 1000 * CLIENT_WAIT_SECONDS / 100; i++) {
        fr_error error = {0};
        if (fr_client_service(c->link, 100000000, &has_taken, &error) != FR_OK) {
            c->close_code = fr_client_get(c->link).close_code;
            if (c->error_text[0] == '\0') { snprintf(c->error_text, sizeof c->error_text, "%s", error.message); }
            return false;
        }
    }
    if (c->link != NULL) { return has_taken; }
    int opcode = client_read_frame(c);
    if (opcode != OPCODE_BINARY) { return opcode == OPCODE_PONG; }
    fr_error error = {0};
    if (fr_mirror_feed(c->raw_mirror, c->payload.data, c->payload.count, &error) != FR_OK) {
        fail_msg("the mirror refuses a frame: %s", error.message);
    }
    return true;
}

static inline void client_hello(test_client *c, const char *name, uint32_t wants) {
    fr_message message = {.type = FR_MESSAGE_HELLO};
    message.as.hello.version = FR_PROTOCOL_VERSION;
    message.as.hello.wants = wants;
    message.as.hello.name = name;
    assert_true(client_say(c, &message));
}

#define CLIENT_WANTS (FR_WANTS_POSES | FR_WANTS_PAIRS | FR_WANTS_CONTACTS | FR_WANTS_EVENTS | FR_WANTS_STATS)

// Connects over a plain socket, up to the handshake.
static inline void raw_open_from(test_client *c, uint16_t port, uint32_t host) {
    int status = client_upgrade_from(c, port, host, CLIENT_PROTOCOL);
    if (status != 101) { fail_msg("the handshake gave %d: %s", status, c->head); }
    fr_mirror_def def = fr_default_mirror_def();
    def.received = client_told;
    def.user = c;
    assert_int_equal(fr_mirror_create(&def, &c->raw_mirror, NULL), FR_OK);
    c->mirror = c->raw_mirror;
}

static inline void raw_open(test_client *c, uint16_t port) { raw_open_from(c, port, 1); }

// Connects as a viewer does, up to its hello; `received` hears all messages, and calls client_told with them.
static inline void client_open_with(test_client *c, uint16_t port, const char *name, uint32_t wants,
                                    fr_mirror_fn *received) {
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)port);
    *c = (test_client){.socket = -1, .port = port, .payload = fr_array_make(1, NULL)};
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.name = name;
    def.wants = wants;
    def.received = received;
    def.user = c;
    def.timeout_seconds = CLIENT_WAIT_SECONDS;
    def.max_unsent_bytes = FR_CLIENT_MAX_BYTES;
    fr_error error = {0};
    if (fr_client_create(&def, &c->link, &error) != FR_OK) { fail_msg("no client: %s", error.message); }
    c->mirror = fr_client_mirror(c->link);
    while (fr_client_get(c->link).phase == FR_CLIENT_CONNECTING) {
        if (fr_client_service(c->link, 100000000, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    }
}

static inline void client_open(test_client *c, uint16_t port, const char *name, uint32_t wants) {
    client_open_with(c, port, name, wants, client_told);
}

// Reads until the mirror shows a state of at least this sequence.
static inline void client_follow(test_client *c, uint64_t sequence) {
    while (!fr_mirror_get(c->mirror)->has_state || fr_mirror_get(c->mirror)->sequence < sequence) {
        if (!client_take(c)) { fail_msg("the connection ended: %s", c->error_text); }
    }
}

// Reads until some more states came.
static inline void client_follow_states(test_client *c, uint32_t count) {
    uint32_t until = c->state_count + count;
    while (c->state_count < until) {
        if (!client_take(c)) { fail_msg("the connection ended: %s", c->error_text); }
    }
}

// Reads until the server closes.
static inline void client_drain(test_client *c) {
    while (client_take(c)) {}
}

static inline fr_ref client_ref(test_client *c, const char *name) {
    const fr_mirror_object *object = fr_mirror_find(c->mirror, name);
    if (object == NULL) { fail_msg("the mirror has no %s", name); }
    return object->ref;
}

// Sends a request whose number is one more than the one before and returns the status of its reply.
static inline fr_status client_ask(test_client *c, fr_message *message, uint32_t *request) {
    *request = c->reply.request + 1;
    uint32_t before = c->reply_count;
    assert_true(client_say(c, message));
    while (c->reply_count == before) {
        if (!client_take(c)) { fail_msg("the connection ended: %s", c->error_text); }
    }
    assert_int_equal(c->reply.request, *request);
    return (fr_status)c->reply.status;
}

static inline fr_status client_grab(test_client *c, fr_ref object) {
    fr_message message = {.type = FR_MESSAGE_GRAB};
    message.as.grab.object = object;
    return client_ask(c, &message, &message.as.grab.request);
}

static inline fr_status client_drop(test_client *c, fr_ref object) {
    fr_message message = {.type = FR_MESSAGE_DROP};
    message.as.drop.object = object;
    return client_ask(c, &message, &message.as.drop.request);
}

static inline fr_status client_play(test_client *c, fr_play_mode mode) {
    fr_message message = {.type = FR_MESSAGE_PLAY};
    message.as.play.mode = (uint8_t)mode;
    return client_ask(c, &message, &message.as.play.request);
}

static inline fr_status client_resume(test_client *c, fr_ref object) {
    fr_message message = {.type = FR_MESSAGE_RESUME};
    message.as.resume.object = object;
    return client_ask(c, &message, &message.as.resume.request);
}

static inline fr_status client_set_state(test_client *c, fr_ref object, const char *name, double value) {
    fr_message message = {.type = FR_MESSAGE_SET_STATE};
    message.as.set_state.object = object;
    message.as.set_state.name = name;
    message.as.set_state.value = value;
    return client_ask(c, &message, &message.as.set_state.request);
}

static inline fr_status client_open_scene(test_client *c, const char *name) {
    fr_message message = {.type = FR_MESSAGE_OPEN};
    message.as.open.name = name;
    return client_ask(c, &message, &message.as.open.request);
}

static inline fr_status client_undo(test_client *c, bool again) {
    fr_message message = {.type = FR_MESSAGE_UNDO};
    message.as.undo.again = again;
    return client_ask(c, &message, &message.as.undo.request);
}

static inline void client_move(test_client *c, fr_ref object, fr_vec3 position) {
    fr_message message = {.type = FR_MESSAGE_MOVE};
    message.as.move.object = object;
    message.as.move.raw = fr_pose_make(position, fr_quat_identity());
    assert_true(client_say(c, &message));
}

static inline void wait_ms(long ms) {
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

#endif
