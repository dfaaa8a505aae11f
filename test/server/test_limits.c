// What one address may do, so that the others are not disturbed: connections, control frames, empty fragments,
// requests. Addresses are those of the loopback network: 127.0.0.2 disturbs, 127.0.0.1 goes on.
#include "provider.h"

#include <poll.h>
#include <stdatomic.h>

enum { CLIENTS = 8, RUDE = 2, OTHER = 3 };

static running_server running;

static int begin(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.max_clients = CLIENTS;
    server_start(&running, &def);
    return 0;
}

static int end(void **state) {
    (void)state;
    server_end(&running);
    return 0;
}

static void open_from(test_client *c, uint32_t host) {
    int status = client_upgrade_from(c, running.port, host, CLIENT_PROTOCOL);
    if (status != 101) { fail_msg("127.0.0.%u is refused: %d", (unsigned)host, status); }
}

// ---------------------------------------------------------------------------------------------------------------
// Connections

static void one_address_leaves_room_for_others(void **state) {
    (void)state;
    test_client rude[CLIENTS], c;
    for (int i = 0; i < CLIENTS; i++) {
        int status = client_upgrade_from(&rude[i], running.port, RUDE, CLIENT_PROTOCOL);
        assert_int_equal(status, i < CLIENTS / 2 ? 101 : 503);
    }
    client_open(&c, running.port, "polite", FR_WANTS_POSES);
    client_follow_states(&c, 2);
    client_close(&c);
    // A place that was given back can be had again.
    client_close(&rude[0]);
    int status = 503;
    for (int i = 0; i < 100 && status != 101; i++) {
        status = client_upgrade_from(&rude[0], running.port, RUDE, CLIENT_PROTOCOL);
        if (status != 101) {
            client_close(&rude[0]);
            wait_ms(10);
        }
    }
    assert_int_equal(status, 101);
    for (int i = 0; i < CLIENTS; i++) {
        client_close(&rude[i]);
    }
}

static bool is_closed(const test_client *c) {
    struct pollfd watched = {.fd = c->socket, .events = POLLIN};
    char byte;
    return poll(&watched, 1, 0) > 0 && recv(c->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

// Three hundred connections that say nothing: who comes after them is served at once, of the same address, too.
static void idle_connections_make_room(void **state) {
    (void)state;
    enum { IDLE = 300 };
    static test_client idle[IDLE];
    test_client c, neighbour;
    client_open(&c, running.port, "calm", FR_WANTS_POSES);
    for (int i = 0; i < IDLE; i++) {
        client_connect_from(&idle[i], running.port, RUDE);
    }
    uint64_t begin_ns = fr_clock_ns();
    open_from(&neighbour, RUDE);
    assert_true(fr_clock_ms_since(begin_ns) < 2000.0);
    // The oldest went first, and the newest are still there.
    assert_true(is_closed(&idle[0]));
    assert_true(is_closed(&idle[IDLE / 2]));
    assert_false(is_closed(&idle[IDLE - 1]));
    client_follow_states(&c, 2);
    client_close(&neighbour);
    client_close(&c);
    for (int i = 0; i < IDLE; i++) {
        client_close(&idle[i]);
    }
}

// Who has asked for something stays longer than who never did.
static void who_never_asked_goes_first(void **state) {
    (void)state;
    enum { IDLE = CLIENTS / 2 + 32 };
    test_client asked, idle[IDLE];
    client_connect_from(&asked, running.port, OTHER);
    int status = client_request(&asked, "HEAD", "/index.html", "");
    assert_true(status == 200 || status == 404);
    if (status == 404) { client_close(&asked); } // there is no viewer in this build, and the connection was closed
    for (int i = 0; i < IDLE; i++) {
        client_connect_from(&idle[i], running.port, OTHER);
    }
    uint64_t begin_ns = fr_clock_ns();
    while (status == 200 && !is_closed(&idle[0]) && fr_clock_ms_since(begin_ns) < 2000.0) {
        wait_ms(10);
    }
    assert_true(status == 404 || (is_closed(&idle[0]) && !is_closed(&asked)));
    if (status == 200) { client_close(&asked); }
    for (int i = 0; i < IDLE; i++) {
        client_close(&idle[i]);
    }
}

static void connections_of_one_address_are_slowed(void **state) {
    (void)state;
    int refused = 0;
    for (int i = 0; i < 1500; i++) {
        test_client c;
        client_connect_from(&c, running.port, RUDE);
        refused += is_closed(&c);
        client_close(&c);
    }
    test_client c;
    client_open(&c, running.port, "calm", FR_WANTS_POSES);
    client_follow_states(&c, 1);
    client_close(&c);
    server_halt(&running);
    assert_true(fr_server_get_stats(running.server).refused > 300);
    print_message("of 1500 connections %d were seen closed at once\n", refused);
    assert_int_equal(pthread_create(&running.thread, NULL, run_server, &running), 0);
}

static void requests_of_one_address_are_slowed(void **state) {
    (void)state;
    int slowed = 0;
    for (int i = 0; i < 1300; i++) {
        test_client c;
        client_connect_from(&c, running.port, 10 + (uint32_t)i % 4);
        slowed += client_request(&c, "GET", "/nothing.html", "") == 429;
        client_close(&c);
    }
    assert_int_equal(slowed, 0);
    test_client c;
    client_connect_from(&c, running.port, RUDE);
    int status = 0;
    for (int i = 0; i < 4000 && status != 429; i++) {
        status = client_request(&c, "HEAD", "/index.html", "");
        if (status == 200 || status == 429) { continue; }
        // Without a viewer each request ends its connection, and those are limited, too.
        client_close(&c);
        client_connect_from(&c, running.port, RUDE);
        if (status == 0) { break; }
    }
    assert_true(status == 429 || status == 0);
    client_close(&c);
}

// ---------------------------------------------------------------------------------------------------------------
// Floods

typedef struct flood {
    int first;     // byte of the frame
    size_t size;   // of its payload
    uint32_t host; // that it comes from
    bool is_begun; // a message that goes on without end was begun
    double megabytes, seconds;
    int connections, codes[3000];
} flood;

// Sends frames as fast as they are taken, and comes back each time it is closed, for two seconds.
static void *run_flood(void *context) {
    flood *f = context;
    unsigned char frames[4096];
    static const unsigned char mask[4] = {0};
    size_t filled = 0;
    while (filled + 6 + f->size <= sizeof frames) {
        frames[filled] = (unsigned char)f->first;
        frames[filled + 1] = (unsigned char)(0x80 | f->size);
        memcpy(frames + filled + 2, mask, 4);
        memset(frames + filled + 6, 'x', f->size);
        filled += 6 + f->size;
    }
    uint64_t begin_ns = fr_clock_ns();
    while (fr_clock_ms_since(begin_ns) < 2000.0) {
        test_client c;
        if (client_upgrade_from(&c, running.port, f->host, CLIENT_PROTOCOL) == 101) {
            f->connections++;
            struct timeval wait = {.tv_usec = 200000};
            (void)setsockopt(c.socket, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
            client_hello(&c, "flood", FR_WANTS_POSES);
            if (f->is_begun) { (void)client_frame(&c, OPCODE_BINARY, true, "", 0); }
            while (fr_clock_ms_since(begin_ns) < 2000.0 && client_send(&c, frames, filled)) {
                f->megabytes += 1e-6 * (double)filled;
            }
        } else {
            wait_ms(5);
        }
        client_close(&c);
    }
    f->seconds = 1e-3 * fr_clock_ms_since(begin_ns);
    return NULL;
}

// States that came while it lasted, and processor time that the server took of it, both by the second.
static void check_flood(flood *f, const char *name) {
    test_client c;
    client_open(&c, running.port, "calm", FR_WANTS_POSES);
    client_follow_states(&c, 10);
    uint64_t first = fr_mirror_get(c.mirror)->tick, begin_ns = fr_clock_ns();
    pthread_t thread;
    clockid_t clock;
    struct timespec before, after;
    assert_int_equal(pthread_getcpuclockid(running.thread, &clock), 0);
    assert_int_equal(clock_gettime(clock, &before), 0);
    assert_int_equal(pthread_create(&thread, NULL, run_flood, f), 0);
    double longest_ms = 0.0;
    while (fr_clock_ms_since(begin_ns) < 2000.0) {
        uint64_t waited_ns = fr_clock_ns();
        client_follow_states(&c, 1);
        double ms = fr_clock_ms_since(waited_ns);
        longest_ms = ms > longest_ms ? ms : longest_ms;
    }
    double ticks = 1e3 * (double)(fr_mirror_get(c.mirror)->tick - first) / fr_clock_ms_since(begin_ns);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(clock_gettime(clock, &after), 0);
    double taken = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    print_message("%s: %d connections, %.2f MB/s, %.0f %% of a core, %.0f ticks a second, longest wait %.1f ms\n", name,
                  f->connections, f->megabytes / f->seconds, 100.0 * taken / f->seconds, ticks, longest_ms);
    // 88 MB by one connection and 85 % of a core before there was a limit; what is sent now fills the kernel's buffers
    // once a connection, unread.
    assert_true(f->connections > 0);
    assert_true(taken / f->seconds < 0.4);
    assert_true(f->megabytes / f->connections < 20.0);
    client_follow_states(&c, 2);
    client_close(&c);
}

static void floods_of_pings_are_ended(void **state) {
    (void)state;
    static flood f = {.host = 21, .first = FRAME_LAST | OPCODE_PING, .size = 100};
    check_flood(&f, "pings");
    static flood small = {.host = 22, .first = FRAME_LAST | OPCODE_PING};
    check_flood(&small, "empty pings");
    static flood pongs = {.host = 23, .first = FRAME_LAST | OPCODE_PONG, .size = 100};
    check_flood(&pongs, "pongs");
}

static void floods_of_empty_pieces_are_ended(void **state) {
    (void)state;
    static flood f = {.host = 24, .first = OPCODE_CONTINUATION, .is_begun = true};
    check_flood(&f, "empty pieces");
    static flood crumbs = {.host = 25, .first = OPCODE_CONTINUATION, .size = 1, .is_begun = true};
    check_flood(&crumbs, "pieces of a byte");
    static flood empty = {.host = 26, .first = FRAME_LAST | OPCODE_BINARY};
    check_flood(&empty, "empty messages");
}

static void a_flood_is_told_why_it_ends(void **state) {
    (void)state;
    test_client c;
    raw_open(&c, running.port);
    client_hello(&c, "flood", FR_WANTS_POSES);
    char payload[100] = {0};
    for (int i = 0; i < 2000; i++) {
        if (!client_frame(&c, FRAME_LAST | OPCODE_PING, true, payload, sizeof payload)) { break; }
    }
    client_drain(&c);
    assert_int_equal(c.error_status, FR_ERROR_LIMIT);
    assert_int_equal(c.close_code, 1008);
    client_close(&c);
}

// A client that pings ten times a second and sends all its messages in pieces does nothing wrong.
static void a_few_pings_are_no_flood(void **state) {
    (void)state;
    test_client c;
    raw_open(&c, running.port);
    client_hello(&c, "polite", FR_WANTS_POSES);
    for (int i = 0; i < 30; i++) {
        fr_message ping = {.type = FR_MESSAGE_PING};
        ping.as.ping.token = (uint64_t)i + 1;
        assert_true(client_frame(&c, FRAME_LAST | OPCODE_PING, true, "x", 1));
        assert_true(client_say(&c, &ping));
        while (c.pong != (uint64_t)i + 1) {
            assert_true(client_take(&c));
        }
        wait_ms(20);
    }
    client_close(&c);
}

// ---------------------------------------------------------------------------------------------------------------
// People

enum { OF_CLIENT = 1024, OF_ADDRESS = 4096 };

// An actor whose people take all commands and carry out none, until they shall end some.
static struct {
    uint64_t tickets[OF_ADDRESS];
    atomic_uint count, to_end;
} people;

static fr_status take_command(const fr_command *command, void *user, fr_error *error) {
    (void)user, (void)error;
    if (people.count < OF_ADDRESS) { people.tickets[people.count] = command->ticket; }
    people.count++;
    return FR_OK;
}

static bool end_command(fr_command_end *out, void *user) {
    (void)user;
    if (people.to_end == 0 || people.count == 0) { return false; }
    people.to_end--;
    *out = (fr_command_end){.ticket = people.tickets[--people.count]};
    return true;
}

static fr_status open_people(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, out, user, error);
    if (status != FR_OK) { return status; }
    fr_cast_def def = fr_default_cast_def();
    def.world = out->world;
    assert_int_equal(fr_cast_create(&def, &out->cast, error), FR_OK);
    const fr_actor actor = {.name = "people", .command = take_command, .ended = end_command};
    assert_int_equal(fr_cast_add(out->cast, &actor, error), FR_OK);
    return FR_OK;
}

static void close_people(fr_served_scene *scene, void *user) {
    fr_cast_destroy(scene->cast);
    test_scene_close(scene, user);
}

static int begin_people(void **state) {
    (void)state;
    people.count = 0;
    people.to_end = 0;
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_people;
    def.provider.close = close_people;
    def.max_clients = 16;
    def.messages_per_second = 100000;
    server_start(&running, &def);
    return 0;
}

static fr_status command(test_client *c) {
    fr_message message = {.type = FR_MESSAGE_COMMAND};
    const fr_wire_motion motion = {.name = "wave"};
    message.as.command.person = "Hana";
    message.as.command.motions = &motion;
    message.as.command.motion_count = 1;
    return client_ask(c, &message, &message.as.command.request);
}

static void open_commander(test_client *c, uint32_t host) {
    raw_open_from(c, running.port, host);
    client_hello(c, "commander", FR_WANTS_POSES);
}

// One address cannot keep all people busy: of its commands so many wait, over all its clients, also those that are
// gone.
static void one_address_leaves_people_for_others(void **state) {
    (void)state;
    test_client rude[OF_ADDRESS / OF_CLIENT], another, c;
    for (int k = 0; k < OF_ADDRESS / OF_CLIENT; k++) {
        open_commander(&rude[k], RUDE);
        for (int i = 0; i < OF_CLIENT; i++) {
            assert_int_equal(command(&rude[k]), FR_OK);
        }
        assert_int_equal(command(&rude[k]), FR_ERROR_LIMIT);
    }
    open_commander(&another, RUDE);
    assert_int_equal(command(&another), FR_ERROR_LIMIT);
    assert_non_null(strstr(another.reply_text, "from this address"));
    // Those of a client that went away wait on.
    client_close(&rude[0]);
    wait_ms(50);
    assert_int_equal(command(&another), FR_ERROR_LIMIT);
    open_commander(&c, OTHER);
    assert_int_equal(people.count, OF_ADDRESS);
    // Where some have ended, of whomever, as many are taken.
    people.to_end = OF_ADDRESS;
    client_follow_states(&c, 20);
    assert_int_equal(people.count, 0);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(command(&another), FR_OK);
    }
    people.count = 0;
    assert_int_equal(command(&c), FR_OK);
    client_close(&c);
    client_close(&another);
    for (int k = 1; k < OF_ADDRESS / OF_CLIENT; k++) {
        client_close(&rude[k]);
    }
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(one_address_leaves_room_for_others),
        SERVED(idle_connections_make_room),
        SERVED(who_never_asked_goes_first),
        SERVED(connections_of_one_address_are_slowed),
        SERVED(requests_of_one_address_are_slowed),
        SERVED(floods_of_pings_are_ended),
        SERVED(floods_of_empty_pieces_are_ended),
        SERVED(a_flood_is_told_why_it_ends),
        SERVED(a_few_pings_are_no_flood),
        cmocka_unit_test_setup_teardown(one_address_leaves_people_for_others, begin_people, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
