// What comes over the sockets and should not: handshakes, frames and floods of those who do not keep to the rules.
// After each the server serves as before.
#include "provider.h"

#include <time.h>

static running_server running;
static fr_server_stats last_stats;

static int begin(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    server_start(&running, &def);
    return 0;
}

static int end(void **state) {
    (void)state;
    // Whatever was done to it, it still serves.
    test_client c;
    client_open(&c, running.port, "last", CLIENT_WANTS);
    client_follow_states(&c, 2);
    client_close(&c);
    last_stats = server_end(&running);
    return 0;
}

// Reads until the server closes, and returns how it did.
static int close_code(test_client *c) {
    client_drain(c);
    int code = c->close_code;
    client_close(c);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Handshakes

static void only_hosts_and_origins_of_ours_shake_hands(void **state) {
    (void)state;
    test_client c;
    char right[3][128];
    snprintf(right[0], 128, CLIENT_PROTOCOL "Origin: http://127.0.0.1:%u\r\n", running.port);
    snprintf(right[1], 128, CLIENT_PROTOCOL "Origin: http://localhost:%u\r\n", running.port);
    snprintf(right[2], 128, CLIENT_PROTOCOL "Host: localhost:%u\r\n", running.port);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(client_upgrade(&c, running.port, right[i]), 101);
        client_close(&c);
    }
    char foreign[128];
    snprintf(foreign, sizeof foreign, CLIENT_PROTOCOL "Host: evil.example:%u\r\n", running.port);
    const char *const wrong[] = {CLIENT_PROTOCOL "Origin: http://evil.example\r\n",
                                 CLIENT_PROTOCOL "Origin: null\r\n",
                                 CLIENT_PROTOCOL "Origin: http://127.0.0.1:1\r\n",
                                 CLIENT_PROTOCOL "Host: evil.example\r\n",
                                 CLIENT_PROTOCOL "Host: 127.0.0.1\r\n",
                                 foreign};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(client_upgrade(&c, running.port, wrong[i]), 403);
        client_close(&c);
    }
    // An origin too long to be looked at.
    char endless[1200] = CLIENT_PROTOCOL "Origin: http://127.0.0.1";
    memset(endless + strlen(endless), 'a', 700);
    strcat(endless, "\r\n");
    assert_int_not_equal(client_upgrade(&c, running.port, endless), 101);
    client_close(&c);
}

static void only_our_protocol_is_spoken(void **state) {
    (void)state;
    test_client c;
    static const char *const wrong[] = {"",
                                        "Sec-WebSocket-Protocol: chat\r\n",
                                        "Sec-WebSocket-Protocol: http\r\n",
                                        "Sec-WebSocket-Protocol: listener\r\n",
                                        "Sec-WebSocket-Protocol: fureai-66\r\n",
                                        "Sec-WebSocket-Protocol: \r\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int status = client_upgrade(&c, running.port, wrong[i]);
        if (status == 101) { fail_msg("'%s' was let in: %s", wrong[i], c.head); }
        client_close(&c);
    }
    assert_int_equal(client_upgrade(&c, running.port, "Sec-WebSocket-Protocol: chat, fureai-6\r\n"), 101);
    assert_non_null(strstr(c.head, "fureai-6"));
    client_close(&c);
    client_connect(&c, running.port);
    int status = client_request(&c, "GET", "/",
                                "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                                "HTTP2-Settings: AAMAAABkAAQAAP__\r\n");
    assert_int_not_equal(status, 101);
    client_close(&c);
}

static void garbage_in_place_of_a_handshake_is_closed(void **state) {
    (void)state;
    static const char *const texts[] = {"\r\n\r\n",
                                        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                                        "GET\r\n\r\n",
                                        "GET / HTTP/9.9\r\n\r\n",
                                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost\r\n\r\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        test_client c;
        client_connect(&c, running.port);
        (void)client_send_text(&c, texts[i]);
        shutdown(c.socket, SHUT_WR);
        char rest[256];
        while (recv(c.socket, rest, sizeof rest, 0) > 0) {}
        client_close(&c);
    }
    fr_random random = fr_random_seed(5);
    for (int i = 0; i < 50; i++) {
        test_client c;
        unsigned char bytes[512];
        for (size_t k = 0; k < sizeof bytes; k++) {
            bytes[k] = (unsigned char)fr_random_below(&random, 256);
        }
        client_connect(&c, running.port);
        (void)client_send(&c, bytes, sizeof bytes);
        client_close(&c);
    }
}

static void headers_without_end_are_closed(void **state) {
    (void)state;
    test_client c;
    client_connect(&c, running.port);
    assert_true(client_send_text(&c, "GET / HTTP/1.1\r\n"));
    bool taken = true;
    for (int i = 0; i < 4000 && taken; i++) {
        taken = client_send_text(&c, "X-Header: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n");
    }
    char byte;
    assert_false(taken && client_receive(&c, &byte, 1) && byte != 'H');
    client_close(&c);
}

// One connection says nothing, one begins its handshake and goes no further, one shakes hands and says no hello.
static void who_is_slow_is_closed_in_time(void **state) {
    (void)state;
    test_client silent, half, no_hello;
    client_connect(&silent, running.port);
    client_connect(&half, running.port);
    assert_true(client_send_text(&half, "GET / HT"));
    raw_open(&no_hello, running.port);
    uint64_t begin_ns = fr_clock_ns();
    assert_int_equal(close_code(&no_hello), 1008);
    assert_true(fr_clock_ms_since(begin_ns) > 4000.0);
    char byte;
    assert_false(client_receive(&half, &byte, 1));
    assert_false(client_receive(&silent, &byte, 1));
    assert_true(fr_clock_ms_since(begin_ns) < 9000.0);
    client_close(&half);
    client_close(&silent);
}

static void there_are_so_many_clients_and_no_more(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.max_clients = def.max_clients_per_address = 8;
    running_server small;
    server_start(&small, &def);
    test_client clients[100];
    int accepted = 0, refused = 0;
    for (int i = 0; i < 100; i++) {
        int status = client_upgrade(&clients[i], small.port, CLIENT_PROTOCOL);
        accepted += status == 101;
        refused += status == 503 || status == 0;
    }
    assert_int_equal(accepted, 8);
    assert_int_equal(refused, 92);
    // One goes, another may come.
    client_close(&clients[0]);
    test_client next;
    int status = 503;
    for (int i = 0; i < 100 && status != 101; i++) {
        status = client_upgrade(&next, small.port, CLIENT_PROTOCOL);
        if (status != 101) { client_close(&next); }
    }
    assert_int_equal(status, 101);
    client_close(&next);
    for (int i = 1; i < 100; i++) {
        client_close(&clients[i]);
    }
    fr_server_stats stats = server_end(&small);
    assert_int_equal(stats.clients_ever, 9);
    assert_true(stats.refused >= 92);
}

// The oldest ones that never became a client make room, at once and not after the time of a handshake.
static void connections_beyond_the_limit_are_closed(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.max_clients = 2;
    running_server small;
    server_start(&small, &def);
    enum { COUNT = 150 };
    static test_client clients[COUNT];
    for (int i = 0; i < COUNT; i++) {
        client_connect(&clients[i], small.port);
    }
    uint64_t begin_ns = fr_clock_ns();
    char byte;
    assert_false(client_receive(&clients[0], &byte, 1));
    assert_true(fr_clock_ms_since(begin_ns) < 3000.0);
    assert_int_equal(client_request(&clients[COUNT - 1], "GET", "/", CLIENT_UPGRADE CLIENT_PROTOCOL), 101);
    for (int i = 0; i < COUNT; i++) {
        client_close(&clients[i]);
    }
    assert_true(server_end(&small).refused > 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

static void frames_in_pieces_are_put_together(void **state) {
    (void)state;
    test_client c;
    raw_open(&c, running.port);
    fr_array bytes = fr_array_make(1, NULL);
    fr_message message = {.type = FR_MESSAGE_HELLO};
    message.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, CLIENT_WANTS, "pieces"};
    assert_int_equal(fr_protocol_write(&message, &bytes, NULL), FR_OK);
    const unsigned char *at = bytes.data;
    for (size_t i = 0; i < bytes.count; i++) {
        int first = (i == 0 ? OPCODE_BINARY : OPCODE_CONTINUATION) | (i + 1 == bytes.count ? FRAME_LAST : 0);
        assert_true(client_frame(&c, first, true, at + i, 1));
        // A ping may stand between the pieces.
        if (i == 3) { assert_true(client_frame(&c, FRAME_LAST | OPCODE_PING, true, "x", 1)); }
    }
    client_follow_states(&c, 2);

    // Several messages in one frame, and a frame without any.
    bytes.count = 0;
    for (uint64_t i = 1; i <= 5; i++) {
        fr_message ping = {.type = FR_MESSAGE_PING};
        ping.as.ping.token = i << 60;
        assert_int_equal(fr_protocol_write(&ping, &bytes, NULL), FR_OK);
    }
    assert_true(client_frame(&c, FRAME_LAST | OPCODE_BINARY, true, "", 0));
    assert_true(client_frame(&c, FRAME_LAST | OPCODE_BINARY, true, bytes.data, bytes.count));
    while (c.pong != UINT64_C(5) << 60) {
        assert_true(client_take(&c));
    }
    fr_array_destroy(&bytes);
    client_close(&c);
}

static void text_is_refused(void **state) {
    (void)state;
    test_client c;
    raw_open(&c, running.port);
    assert_true(client_frame(&c, FRAME_LAST | OPCODE_TEXT, true, "hello", 5));
    assert_int_equal(close_code(&c), 1003);
    raw_open(&c, running.port);
    assert_true(client_frame(&c, FRAME_LAST | OPCODE_TEXT, true, "\xff\xfe\xc0\x80", 4));
    assert_int_not_equal(close_code(&c), 0);
}

static void frames_that_no_client_sends_are_refused(void **state) {
    (void)state;
    test_client c;
    // A reserved opcode; a reserved bit; a continuation of nothing; a control frame in pieces, or too long.
    static const int firsts[] = {FRAME_LAST | 3, FRAME_LAST | 11, FRAME_LAST | 0x40 | OPCODE_BINARY,
                                 FRAME_LAST | OPCODE_CONTINUATION, OPCODE_PING};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        raw_open(&c, running.port);
        (void)client_frame(&c, firsts[i], true, "abc", 3);
        client_drain(&c);
        client_close(&c);
    }
    char longer[200] = {0};
    raw_open(&c, running.port);
    (void)client_frame(&c, FRAME_LAST | OPCODE_PING, true, longer, sizeof longer);
    client_drain(&c);
    client_close(&c);
    // A length of 2^63.
    raw_open(&c, running.port);
    static const unsigned char huge[] = {0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5};
    (void)client_send(&c, huge, sizeof huge);
    client_drain(&c);
    client_close(&c);
}

// Without a mask a frame is no client's, but it does no harm: it is read or refused as any other.
static void a_frame_without_a_mask_does_no_harm(void **state) {
    (void)state;
    test_client c;
    raw_open(&c, running.port);
    (void)client_frame(&c, FRAME_LAST | OPCODE_BINARY, false, "garbage", 7);
    assert_int_equal(close_code(&c), 1002);
}

static void messages_that_are_too_large_are_refused(void **state) {
    (void)state;
    test_client c;
    static char bytes[65537];
    raw_open(&c, running.port);
    (void)client_frame(&c, FRAME_LAST | OPCODE_BINARY, true, bytes, sizeof bytes);
    assert_int_equal(close_code(&c), 1009);
    // The same in pieces that are small.
    raw_open(&c, running.port);
    bool taken = client_frame(&c, OPCODE_BINARY, true, bytes, 1000);
    for (int i = 0; i < 100 && taken; i++) {
        taken = client_frame(&c, OPCODE_CONTINUATION, true, bytes, 1000);
    }
    assert_int_equal(close_code(&c), 1009);
    // A frame that only says it is large.
    raw_open(&c, running.port);
    static const unsigned char head[] = {0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4};
    (void)client_send(&c, head, sizeof head);
    for (int i = 0; i < 100; i++) {
        if (!client_send(&c, bytes, 4096)) { break; }
    }
    client_drain(&c);
    client_close(&c);
}

static void garbage_messages_are_refused(void **state) {
    (void)state;
    test_client c;
    fr_random random = fr_random_seed(7);
    for (int i = 0; i < 100; i++) {
        unsigned char bytes[64];
        size_t size = 1 + fr_random_below(&random, sizeof bytes);
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (unsigned char)fr_random_below(&random, k < 8 ? 12 : 256);
        }
        raw_open(&c, running.port);
        client_hello(&c, "g", FR_WANTS_POSES);
        (void)client_frame(&c, FRAME_LAST | OPCODE_BINARY, true, bytes, size);
        if (i % 4 == 0) {
            client_drain(&c);
            assert_int_equal(c.close_code, 1002);
        }
        client_close(&c);
    }
}

static void the_first_message_is_hello_and_no_other(void **state) {
    (void)state;
    test_client c;
    fr_message ping = {.type = FR_MESSAGE_PING};
    raw_open(&c, running.port);
    assert_true(client_say(&c, &ping));
    client_drain(&c);
    assert_string_equal(c.error_text, "the first message must be hello");
    assert_int_equal(close_code(&c), 1002);
    client_open(&c, running.port, "twice", FR_WANTS_POSES);
    client_hello(&c, "twice", FR_WANTS_POSES);
    client_drain(&c);
    assert_string_equal(c.error_text, "hello was said already");
    client_close(&c);
    // A message that only servers send.
    client_open(&c, running.port, "server", FR_WANTS_POSES);
    fr_message pong = {.type = FR_MESSAGE_PONG};
    assert_true(client_say(&c, &pong));
    client_drain(&c);
    assert_int_equal(c.error_status, FR_ERROR_UNSUPPORTED);
    client_close(&c);
}

static void another_version_is_refused(void **state) {
    (void)state;
    test_client c;
    raw_open(&c, running.port);
    fr_array bytes = fr_array_make(1, NULL);
    fr_message message = {.type = FR_MESSAGE_HELLO};
    message.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, CLIENT_WANTS, ""};
    assert_int_equal(fr_protocol_write(&message, &bytes, NULL), FR_OK);
    ((unsigned char *)bytes.data)[FR_PROTOCOL_HEADER_BYTES] = 99;
    assert_true(client_frame(&c, FRAME_LAST | OPCODE_BINARY, true, bytes.data, bytes.count));
    client_drain(&c);
    assert_int_equal(c.error_status, FR_ERROR_VERSION);
    fr_array_destroy(&bytes);
    client_close(&c);
}

// ---------------------------------------------------------------------------------------------------------------
// Floods

static void a_few_messages_too_many_are_refused_one_by_one(void **state) {
    (void)state;
    test_client c;
    client_open(&c, running.port, "flood", FR_WANTS_POSES);
    client_follow_states(&c, 1);
    fr_message play = {.type = FR_MESSAGE_PLAY};
    play.as.play.mode = FR_PLAY_GO;
    for (uint32_t i = 1; i <= 700; i++) {
        play.as.play.request = i;
        assert_true(client_say(&c, &play));
    }
    uint32_t refused = 0;
    while (c.reply_count < 700) {
        uint32_t before = c.reply_count;
        assert_true(client_take(&c));
        if (c.reply_count > before && c.reply.status == FR_ERROR_LIMIT) { refused = c.reply_count; }
    }
    assert_true(refused > 0);
    client_close(&c);
}

static void far_too_many_messages_end_the_connection(void **state) {
    (void)state;
    test_client c, other;
    client_open(&other, running.port, "other", FR_WANTS_POSES);
    client_follow_states(&other, 1);
    raw_open(&c, running.port);
    client_hello(&c, "flood", FR_WANTS_POSES);
    fr_array bytes = fr_array_make(1, NULL);
    fr_message ping = {.type = FR_MESSAGE_PING};
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fr_protocol_write(&ping, &bytes, NULL), FR_OK);
    }
    bool taken = true;
    for (int i = 0; i < 100 && taken; i++) {
        taken = client_frame(&c, FRAME_LAST | OPCODE_BINARY, true, bytes.data, bytes.count);
    }
    client_drain(&c);
    client_close(&c);
    fr_array_destroy(&bytes);
    client_follow_states(&other, 5);
    client_close(&other);
}

static void too_many_bytes_end_the_connection(void **state) {
    (void)state;
    // 16 messages of the largest size a second, and twice as many at once.
    fr_server_def def = test_server_def("pair");
    def.max_message_bytes = 1024;
    running_server small;
    server_start(&small, &def);
    test_client c;
    client_open(&c, small.port, "bytes", FR_WANTS_POSES);
    client_follow_states(&c, 1);
    static char name[901];
    memset(name, 'a', sizeof name - 1);
    fr_message message = {.type = FR_MESSAGE_SET_STATE};
    message.as.set_state = (fr_message_set_state){1, client_ref(&c, "right"), name, 1.0};
    bool taken = true;
    for (int i = 0; i < 400 && taken; i++) {
        taken = client_say(&c, &message);
    }
    client_drain(&c);
    assert_true(c.reply_count < 400);
    client_close(&c);
    server_end(&small);
}

// One that reads nothing and is refused goes all the same; what it was sent first fills its sockets.
static void who_never_reads_is_closed_all_the_same(void **state) {
    (void)state;
    fr_server_def def = test_server_def("big");
    def.max_clients = 1;
    running_server small;
    server_start(&small, &def);
    test_client deaf, next;
    client_connect(&deaf, small.port);
    int little = 4096;
    assert_int_equal(setsockopt(deaf.socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little), 0);
    assert_int_equal(client_request(&deaf, "GET", "/", CLIENT_UPGRADE CLIENT_PROTOCOL), 101);
    client_hello(&deaf, "deaf", CLIENT_WANTS);
    struct timespec moment = {.tv_nsec = 300000000};
    (void)nanosleep(&moment, NULL);
    assert_true(client_frame(&deaf, FRAME_LAST | OPCODE_BINARY, true, "garbage", 7));
    uint64_t begin_ns = fr_clock_ns();
    int status = 503;
    while (status != 101 && fr_clock_ms_since(begin_ns) < 15000.0) {
        status = client_upgrade(&next, small.port, CLIENT_PROTOCOL);
        client_close(&next);
        (void)nanosleep(&moment, NULL);
    }
    assert_int_equal(status, 101);
    client_close(&deaf);
    server_end(&small);
}

static void connections_that_come_and_go_leave_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 300; i++) {
        test_client c;
        if (i % 3 == 0) {
            client_connect(&c, running.port);
        } else if (i % 3 == 1) {
            (void)client_upgrade(&c, running.port, CLIENT_PROTOCOL);
        } else {
            raw_open(&c, running.port);
            client_hello(&c, "passing", CLIENT_WANTS);
        }
        // Closed hard, so that the server meets a connection that is reset.
        struct linger hard = {.l_onoff = 1};
        (void)setsockopt(c.socket, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        client_close(&c);
    }
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(only_hosts_and_origins_of_ours_shake_hands),
        SERVED(only_our_protocol_is_spoken),
        SERVED(garbage_in_place_of_a_handshake_is_closed),
        SERVED(headers_without_end_are_closed),
        SERVED(who_is_slow_is_closed_in_time),
        SERVED(there_are_so_many_clients_and_no_more),
        SERVED(connections_beyond_the_limit_are_closed),
        SERVED(frames_in_pieces_are_put_together),
        SERVED(text_is_refused),
        SERVED(frames_that_no_client_sends_are_refused),
        SERVED(a_frame_without_a_mask_does_no_harm),
        SERVED(messages_that_are_too_large_are_refused),
        SERVED(garbage_messages_are_refused),
        SERVED(the_first_message_is_hello_and_no_other),
        SERVED(another_version_is_refused),
        SERVED(a_few_messages_too_many_are_refused_one_by_one),
        SERVED(far_too_many_messages_end_the_connection),
        SERVED(too_many_bytes_end_the_connection),
        SERVED(who_never_reads_is_closed_all_the_same),
        SERVED(connections_that_come_and_go_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
