// The client of a server: it connects, follows, sends and never waits; and servers that keep to no rule end it with a
// sentence, in time and within memory.
#include "failing.h"
#include "provider.h"

#include <libwebsockets.h>

#include <poll.h>

// ---------------------------------------------------------------------------------------------------------------
// A server that does what a test wants

typedef struct false_server {
    int listener;
    uint16_t port;
    pthread_t thread;
    void (*serve)(int socket, void *context);
    void *context;
} false_server;

static void *run_false(void *context) {
    false_server *f = context;
    int descriptor = accept(f->listener, NULL, NULL);
    if (descriptor < 0) { return NULL; }
    f->serve(descriptor, f->context);
    close(descriptor);
    return NULL;
}

static void false_start(false_server *f, void (*serve)(int socket, void *context), void *context) {
    *f = (false_server){.serve = serve, .context = context};
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    f->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(f->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(f->listener, 4), 0);
    assert_int_equal(getsockname(f->listener, (struct sockaddr *)&address, &size), 0);
    f->port = ntohs(address.sin_port);
    if (serve != NULL) { assert_int_equal(pthread_create(&f->thread, NULL, run_false, f), 0); }
}

static void false_end(false_server *f) {
    if (f->serve != NULL) { assert_int_equal(pthread_join(f->thread, NULL), 0); }
    close(f->listener);
}

static void put(int socket, const void *bytes, size_t size) { (void)send(socket, bytes, size, MSG_NOSIGNAL); }
static void put_text(int socket, const char *text) { put(socket, text, strlen(text)); }

// Reads the head of the request; the key of the handshake is written to `key`.
static void read_request(int socket, char key[64]) {
    char head[4096];
    size_t size = 0;
    while (size < sizeof head - 1 && recv(socket, head + size, 1, 0) == 1) {
        head[++size] = '\0';
        if (size >= 4 && strcmp(head + size - 4, "\r\n\r\n") == 0) { break; }
    }
    const char *at = strstr(head, "Sec-WebSocket-Key: ");
    key[0] = '\0';
    if (at != NULL) { (void)sscanf(at + 19, "%63[^\r]", key); }
}

static void shake_hands(int socket) {
    char key[64], joined[128], accept[64], text[512];
    unsigned char digest[20];
    read_request(socket, key);
    int size = snprintf(joined, sizeof joined, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    (void)lws_SHA1((const unsigned char *)joined, (size_t)size, digest);
    (void)lws_b64_encode_string((const char *)digest, 20, accept, (int)sizeof accept);
    snprintf(text, sizeof text,
             "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n"
             "sec-websocket-accept: %s\r\nSec-WebSocket-Protocol:  " FR_PROTOCOL_NAME " \r\n\r\n",
             accept);
    put_text(socket, text);
}

// Waits until the client has closed.
static void wait_for_end(int socket) {
    char bytes[4096];
    while (recv(socket, bytes, sizeof bytes, 0) > 0) {}
}

// A binary frame of some messages.
static void put_messages(int socket, const fr_array *bytes) {
    unsigned char head[4] = {0x82, 126, (unsigned char)(bytes->count >> 8), (unsigned char)bytes->count};
    put(socket, head, sizeof head);
    put(socket, bytes->data, bytes->count);
}

static void put_welcome(int socket) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_message welcome = {.type = FR_MESSAGE_WELCOME};
    welcome.as.welcome = (fr_message_welcome){.version = FR_PROTOCOL_VERSION, .client = 1, .step = 0.01};
    (void)fr_protocol_write(&welcome, &bytes, NULL);
    put_messages(socket, &bytes);
    fr_array_destroy(&bytes);
}

// ---------------------------------------------------------------------------------------------------------------

static fr_status connect_to(uint16_t port, double timeout, fr_client **out, fr_error *error) {
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u/", (unsigned)port);
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.timeout_seconds = timeout;
    def.max_message_bytes = 1 << 16;
    def.max_mirror_bytes = 1 << 20;
    return fr_client_create(&def, out, error);
}

// Services a client until it ends, and checks that it says why, the same each time, and ends in time.
static fr_status how_it_ends(uint16_t port, double timeout, double max_seconds, fr_error *error) {
    fr_client *client;
    assert_int_equal(connect_to(port, timeout, &client, error), FR_OK);
    uint64_t begin_ns = fr_clock_ns();
    fr_status status = FR_OK;
    while (status == FR_OK && fr_clock_ms_since(begin_ns) < 2e3 * max_seconds) {
        status = fr_client_service(client, 10000000, NULL, error);
    }
    double seconds = 1e-3 * fr_clock_ms_since(begin_ns);
    if (status == FR_OK || seconds > max_seconds) { fail_msg("status %d after %g s", (int)status, seconds); }
    assert_true(error->message[0] != '\0');
    fr_error again = {0};
    fr_message ping = {.type = FR_MESSAGE_PING};
    assert_int_equal(fr_client_service(client, 0, NULL, &again), status);
    assert_string_equal(again.message, error->message);
    assert_int_equal(fr_client_send(client, &ping, NULL), FR_ERROR_STOPPED);
    assert_int_equal(fr_client_get(client).phase, FR_CLIENT_ENDED);
    fr_client_destroy(client);
    return status;
}

static fr_status end_by(void (*serve)(int socket, void *context), void *context, double max_seconds, fr_error *error) {
    false_server f;
    false_start(&f, serve, context);
    fr_status status = how_it_ends(f.port, 1.0, max_seconds, error);
    false_end(&f);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// What it is for

static void definitions_are_checked(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "http://127.0.0.1",
                                        "ws://",
                                        "ws://:80",
                                        "ws://a:0",
                                        "ws://a:65536",
                                        "ws://a:80:80",
                                        "ws://a/b",
                                        "ws://[::1",
                                        "ws://[::g]",
                                        "ws://a b",
                                        "ws://a\r\nX: y",
                                        "ws://user@a",
                                        "ws://127.0.0.1:99999999999999999999"};
    fr_client *client;
    fr_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr_client_def def = fr_default_client_def();
        def.url = wrong[i];
        assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_ARGUMENT);
        assert_null(client);
    }
    fr_client_def def = fr_default_client_def();
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_ARGUMENT);
    def.url = "ws://127.0.0.1:1";
    def.timeout_seconds = 0.0;
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_ARGUMENT);
    def.timeout_seconds = 1.0;
    def.max_unsent_bytes = 1;
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_ARGUMENT);
    def.max_unsent_bytes = 4096;
    def.name = "\xff";
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_SYNTAX);
    def.name = "n";
    def.cookie = 0;
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_ARGUMENT);
    // A name without an address.
    def = fr_default_client_def();
    def.url = "ws://no-such-host.invalid";
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_SYSTEM);
}

static void it_follows_a_served_scene(void **state) {
    (void)state;
    running_server running;
    fr_server_def def = test_server_def("pair");
    server_start(&running, &def);
    fr_client *client;
    fr_error error = {0};
    fr_message play = {.type = FR_MESSAGE_PLAY};
    assert_int_equal(connect_to(running.port, 5.0, &client, &error), FR_OK);
    assert_int_equal(fr_client_send(client, &play, NULL), FR_ERROR_BUSY);
    uint64_t frames = 0;
    while (!fr_mirror_get(fr_client_mirror(client))->has_state) {
        bool has_taken;
        assert_int_equal(fr_client_service(client, 10000000, &has_taken, &error), FR_OK);
        frames += has_taken;
        // At most one frame a call.
        assert_int_equal(fr_client_get(client).frames, frames);
    }
    assert_int_equal(fr_client_get(client).phase, FR_CLIENT_OPEN);
    assert_non_null(fr_mirror_find(fr_client_mirror(client), "left"));
    // What is too much to wait is refused, and the connection goes on.
    static char bytes[2 << 20];
    assert_int_equal(fr_client_send_bytes(client, bytes, sizeof bytes, &error), FR_ERROR_LIMIT);
    play.as.play.mode = FR_PLAY_PAUSE;
    assert_int_equal(fr_client_send(client, &play, &error), FR_OK);
    while ((fr_mirror_get(fr_client_mirror(client))->state_flags & FR_STATE_PAUSED) == 0) {
        assert_int_equal(fr_client_service(client, 10000000, NULL, &error), FR_OK);
    }
    // Without a wait it returns at once.
    uint64_t begin_ns = fr_clock_ns();
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fr_client_service(client, 0, NULL, &error), FR_OK);
    }
    assert_true(fr_clock_ms_since(begin_ns) < 5000.0);
    fr_client_destroy(client);
    server_end(&running);
}

// The server says why it ends.
static void the_end_of_a_server_is_named(void **state) {
    (void)state;
    running_server running;
    fr_server_def def = test_server_def("pair");
    server_start(&running, &def);
    test_client c;
    fr_error error = {0};
    client_open(&c, running.port, "c", CLIENT_WANTS);
    server_end(&running);
    fr_status status = FR_OK;
    while (status == FR_OK) {
        status = fr_client_service(c.link, 10000000, NULL, &error);
    }
    assert_int_equal(status, FR_ERROR_SYSTEM);
    assert_string_equal(error.message, "the server closed the connection: the server ends");
    client_close(&c);
    // And where none listens any more.
    fr_client *client;
    assert_int_equal(connect_to(running.port, 5.0, &client, &error), FR_OK);
    status = FR_OK;
    while (status == FR_OK) {
        status = fr_client_service(client, 10000000, NULL, &error);
    }
    assert_int_equal(status, FR_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "cannot be reached"));
    fr_client_destroy(client);
}

// ---------------------------------------------------------------------------------------------------------------
// Servers that keep to no rule

static void serve_text(int socket, void *text) {
    char key[64];
    read_request(socket, key);
    put_text(socket, text);
    wait_for_end(socket);
}

static void handshakes_that_are_none_are_refused(void **state) {
    (void)state;
    static char endless[20000], zeros[16];
    memset(endless, 'a', sizeof endless - 1);
    memcpy(endless, "HTTP/1.1 101 ", 13);
    memcpy(zeros, "HTTP/1.1 101 x", 14);
    const struct {
        const char *text;
        fr_status status;
    } cases[] = {
        {"hello\r\n\r\n", FR_ERROR_SYNTAX},
        {"HTTP/1.1 503 Busy\r\n\r\n", FR_ERROR_SYSTEM},
        {"HTTP/1.1 \x1b[2J\r\n\r\n", FR_ERROR_SYSTEM},
        {"HTTP/1.1 101 x\r\n\r\n", FR_ERROR_SYNTAX},
        {"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAA\r\n\r\n", FR_ERROR_SYNTAX},
        {endless, FR_ERROR_LIMIT},
        {"HTTP/1.1 101", FR_ERROR_STOPPED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_error error = {0};
        fr_status status = end_by(serve_text, (void *)(uintptr_t)cases[i].text, 10.0, &error);
        if (status != cases[i].status) { fail_msg("case %zu: %d: %s", i, (int)status, error.message); }
        for (const char *at = error.message; *at != '\0'; at++) {
            assert_true((unsigned char)*at >= 0x20);
        }
    }
}

// A server that says nothing: none accepts, one accepts and stands.
static void silence_ends_in_time(void **state) {
    (void)state;
    false_server f;
    fr_error error = {0};
    false_start(&f, NULL, NULL);
    assert_int_equal(how_it_ends(f.port, 0.2, 2.0, &error), FR_ERROR_STOPPED);
    false_end(&f);
}

typedef struct given_text {
    const unsigned char *bytes;
    size_t size;
    bool is_again;   // for as long as the client takes it
    bool is_trickle; // byte by byte
} given_text;

static void serve_bytes(int socket, void *context) {
    const given_text *t = context;
    shake_hands(socket);
    put_welcome(socket);
    struct pollfd end = {.fd = socket, .events = POLLIN};
    char bytes[4096];
    put(socket, t->bytes, t->size);
    while (t->is_again && send(socket, t->bytes, t->size, MSG_NOSIGNAL) > 0) {}
    while (t->is_trickle && poll(&end, 1, 5) >= 0 && send(socket, "\0", 1, MSG_NOSIGNAL) == 1) {
        if ((end.revents & POLLIN) != 0 && recv(socket, bytes, sizeof bytes, 0) <= 0) { return; }
    }
    wait_for_end(socket);
}

static void frames_that_are_none_are_refused(void **state) {
    (void)state;
    static const unsigned char masked[] = {0x82, 0x81, 0, 0, 0, 0, 0}, reserved[] = {0xc2, 0x00},
                               unknown[] = {0x83, 0x00}, text[] = {0x81, 0x01, 'a'}, orphan[] = {0x80, 0x00},
                               nested[] = {0x02, 0x00, 0x82, 0x00}, long_ping[] = {0x89, 126, 0, 200},
                               huge[] = {0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                               large[] = {0x82, 127, 0, 0, 0, 0, 0, 1, 0, 1}, half[] = {0x88, 0x01, 3},
                               pieces[] = {0x02, 126, 0xff, 0xff}, closed[] = {0x88, 0x02, 3, 0xf0},
                               rubbish[] = {0x82, 0x04, 'a', 'b', 'c', 'd'},
                               for_servers[] = {0x82, 0x08, 10, 0, 0, 0, 0, 0, 0, 0}, ping[] = {0x89, 0x01, 'x'},
                               empty[] = {0x82, 0x00};
    const struct {
        given_text t;
        fr_status status;
    } cases[] = {
        {{.bytes = masked, .size = sizeof masked}, FR_ERROR_SYNTAX},
        {{.bytes = reserved, .size = sizeof reserved}, FR_ERROR_SYNTAX},
        {{.bytes = unknown, .size = sizeof unknown}, FR_ERROR_SYNTAX},
        {{.bytes = text, .size = sizeof text}, FR_ERROR_SYNTAX},
        {{.bytes = orphan, .size = sizeof orphan}, FR_ERROR_SYNTAX},
        {{.bytes = nested, .size = sizeof nested}, FR_ERROR_SYNTAX},
        {{.bytes = long_ping, .size = sizeof long_ping}, FR_ERROR_SYNTAX},
        {{.bytes = huge, .size = sizeof huge}, FR_ERROR_LIMIT},
        {{.bytes = large, .size = sizeof large}, FR_ERROR_LIMIT},
        {{.bytes = half, .size = sizeof half}, FR_ERROR_SYNTAX},
        {{.bytes = closed, .size = sizeof closed}, FR_ERROR_SYSTEM},
        {{.bytes = rubbish, .size = sizeof rubbish}, FR_ERROR_SYNTAX},
        {{.bytes = for_servers, .size = sizeof for_servers}, FR_ERROR_UNSUPPORTED},
        {{.bytes = pieces, .size = sizeof pieces, .is_trickle = true}, FR_ERROR_STOPPED},
        {{.bytes = empty}, FR_ERROR_STOPPED},
        {{.bytes = ping, .size = sizeof ping, .is_again = true}, FR_ERROR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_error error = {0};
        given_text t = cases[i].t;
        fr_status status = end_by(serve_bytes, &t, 20.0, &error);
        if (status != cases[i].status) { fail_msg("case %zu: %d: %s", i, (int)status, error.message); }
    }
}

// Objects without end: the mirror is bounded.
static void serve_objects(int socket, void *context) {
    (void)context;
    shake_hands(socket);
    put_welcome(socket);
    fr_array bytes = fr_array_make(1, NULL);
    for (uint32_t i = 1; i < 1000000; i++) {
        fr_message object = {.type = FR_MESSAGE_OBJECT};
        object.as.object = (fr_message_object){.object = {i, 0}, .name = "one more object", .pose = fr_pose_identity()};
        bytes.count = 0;
        if (fr_protocol_write(&object, &bytes, NULL) != FR_OK) { break; }
        unsigned char head[4] = {0x82, 126, (unsigned char)(bytes.count >> 8), (unsigned char)bytes.count};
        if (send(socket, head, 4, MSG_NOSIGNAL) != 4) { break; }
        if (send(socket, bytes.data, bytes.count, MSG_NOSIGNAL) <= 0) { break; }
    }
    fr_array_destroy(&bytes);
}

static void a_world_without_end_is_refused(void **state) {
    (void)state;
    fr_error error = {0};
    assert_int_equal(end_by(serve_objects, NULL, 20.0, &error), FR_ERROR_LIMIT);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

typedef struct memory_case {
    uint16_t port;
} memory_case;

static fr_status follow_with(const fr_allocator *allocator, void *context) {
    const memory_case *m = context;
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)m->port);
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.allocator = *allocator;
    fr_client *client;
    fr_status status = fr_client_create(&def, &client, NULL);
    if (status != FR_OK) { return status; }
    fr_message ping = {.type = FR_MESSAGE_PING};
    uint8_t byte = 0;
    while (status == FR_OK && !fr_mirror_get(fr_client_mirror(client))->has_state) {
        status = fr_client_service(client, 10000000, NULL, NULL);
    }
    if (status == FR_OK) { status = fr_client_send(client, &ping, NULL); }
    if (status == FR_OK) { status = fr_client_send_bytes(client, &byte, 0, NULL); }
    fr_client_destroy(client);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    running_server running;
    fr_server_def def = test_server_def("pair");
    def.is_paused = true;
    server_start(&running, &def);
    memory_case m = {running.port};
    test_every_failure(follow_with, &m);
    server_end(&running);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_are_checked),        cmocka_unit_test(it_follows_a_served_scene),
        cmocka_unit_test(the_end_of_a_server_is_named),   cmocka_unit_test(handshakes_that_are_none_are_refused),
        cmocka_unit_test(silence_ends_in_time),           cmocka_unit_test(frames_that_are_none_are_refused),
        cmocka_unit_test(a_world_without_end_is_refused), cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
