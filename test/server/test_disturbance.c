// Clients that disturb: they read slowly or never, shake hands by half, or come and go a hundred times a second. Who
// behaves is sent states as often as without them.
#include "frame.h"
#include "provider.h"

#include <stdatomic.h>

enum { MAX_ROUNDS = 10, STATES = 100, STANDING = 12, CONNECTS_PER_SECOND = 100 };

// Of the ticks without a disturbance; what sanitizers do to every byte that comes leaves less time for them.
#define LEAST_SHARE (TEST_SAMPLE_DIVISOR > 1 ? 0.4 : 0.8)

static running_server running;
static atomic_bool is_calm;
static atomic_uint connects;

static int begin(void **state) {
    (void)state;
    fr_server_def def = test_server_def("crowd:200");
    server_start(&running, &def);
    return 0;
}

static int end(void **state) {
    (void)state;
    server_end(&running);
    return 0;
}

// What disturbs, on a thread of its own until it is calm again.
typedef void disturb_fn(void);

static void *run_disturbance(void *context) {
    disturb_fn *const *disturb = context;
    (*disturb)();
    return NULL;
}

// The ticks a second, and the longest time between two states in milliseconds, that a client sees.
typedef struct seen {
    double rate, longest_ms;
} seen;

static seen look(test_client *c) {
    client_follow_states(c, 1);
    uint64_t first = fr_mirror_get(c->mirror)->tick, begin_ns = fr_clock_ns(), last_ns = begin_ns;
    seen s = {0};
    for (int i = 0; i < STATES; i++) {
        client_follow_states(c, 1);
        double ms = fr_clock_ms_since(last_ns);
        s.longest_ms = ms > s.longest_ms ? ms : s.longest_ms;
        last_ns = fr_clock_ns();
    }
    s.rate = 1e3 * (double)(fr_mirror_get(c->mirror)->tick - first) / fr_clock_ms_since(begin_ns);
    return s;
}

static seen look_while(test_client *c, disturb_fn *disturb) {
    pthread_t thread;
    atomic_store(&is_calm, false);
    assert_int_equal(pthread_create(&thread, NULL, run_disturbance, &disturb), 0);
    seen s = look(c);
    atomic_store(&is_calm, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return s;
}

// Looks in turn without the disturbance and with it, up to the first time that both are alike: the machine may do
// something else at any time, but a disturbance that harms does so each time.
static void compare(const char *name, disturb_fn *disturb) {
    test_client c;
    client_open(&c, running.port, "calm", FR_WANTS_POSES);
    bool is_alike = false;
    for (int i = 0; i < MAX_ROUNDS && !is_alike; i++) {
        seen calm = look(&c), disturbed = look_while(&c, disturb);
        print_message("%s: %.1f ticks a second, without it %.1f; longest wait %.1f ms, without it %.1f\n", name,
                      disturbed.rate, calm.rate, disturbed.longest_ms, calm.longest_ms);
        is_alike = disturbed.rate > LEAST_SHARE * calm.rate && disturbed.longest_ms < 2.0 * calm.longest_ms + 50.0;
    }
    client_close(&c);
    assert_true(is_alike);
}

// ---------------------------------------------------------------------------------------------------------------
// The disturbances

// Some connections stand there until it is calm.
static void stand(void (*come)(test_client *c)) {
    test_client standing[STANDING];
    for (int i = 0; i < STANDING; i++) {
        come(&standing[i]);
    }
    while (!atomic_load(&is_calm)) {
        wait_ms(10);
    }
    for (int i = 0; i < STANDING; i++) {
        client_close(&standing[i]);
    }
}

static void come_deaf(test_client *c) {
    client_connect(c, running.port);
    int little = 4096;
    assert_int_equal(setsockopt(c->socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little), 0);
    assert_int_equal(client_request(c, "GET", "/", CLIENT_UPGRADE CLIENT_PROTOCOL), 101);
    client_hello(c, "deaf", CLIENT_WANTS);
}

static void come_by_half(test_client *c) {
    client_connect(c, running.port);
    (void)client_send_text(c, "GET / HTTP/1.1\r\nHost: 127");
}

// They stop reading in the middle of a frame and end the connection: by half, so that only reading ends, or hard.
static void end_in_a_frame(void) {
    while (!atomic_load(&is_calm)) {
        test_client c[2];
        for (int i = 0; i < 2; i++) {
            come_deaf(&c[i]);
        }
        wait_ms(100);
        for (int i = 0; i < 2; i++) {
            (void)shutdown(c[i].socket, i == 0 ? SHUT_WR : SHUT_RD);
        }
        wait_ms(300);
        for (int i = 0; i < 2; i++) {
            client_close(&c[i]);
        }
    }
}

static void never_read(void) { stand(come_deaf); }
static void shake_hands_by_half(void) { stand(come_by_half); }

static void read_slowly(void) {
    test_client slow[STANDING];
    char bytes[512];
    for (int i = 0; i < STANDING; i++) {
        come_deaf(&slow[i]);
    }
    while (!atomic_load(&is_calm)) {
        for (int i = 0; i < STANDING; i++) {
            (void)recv(slow[i].socket, bytes, sizeof bytes, MSG_DONTWAIT);
        }
        wait_ms(20);
    }
    for (int i = 0; i < STANDING; i++) {
        client_close(&slow[i]);
    }
}

static void come_and_go(void) {
    uint64_t begin_ns = fr_clock_ns();
    for (unsigned i = 0; !atomic_load(&is_calm); i++) {
        test_client c;
        if (i % 2 == 0) {
            client_connect(&c, running.port);
        } else {
            raw_open(&c, running.port);
            client_hello(&c, "passing", CLIENT_WANTS);
        }
        struct linger hard = {.l_onoff = 1};
        (void)setsockopt(c.socket, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        client_close(&c);
        atomic_fetch_add(&connects, 1);
        double due_ms = 1e3 * (i + 1) / CONNECTS_PER_SECOND - fr_clock_ms_since(begin_ns);
        if (due_ms > 0.0) { wait_ms((long)due_ms); }
    }
}

// ---------------------------------------------------------------------------------------------------------------

static void those_who_never_read_disturb_no_other(void **state) {
    (void)state;
    compare("never read", never_read);
}

static void those_who_read_slowly_disturb_no_other(void **state) {
    (void)state;
    compare("read slowly", read_slowly);
}

static void those_who_end_in_a_frame_disturb_no_other(void **state) {
    (void)state;
    compare("end in a frame", end_in_a_frame);
}

static void half_a_handshake_disturbs_no_other(void **state) {
    (void)state;
    compare("half a handshake", shake_hands_by_half);
}

static void a_hundred_connections_a_second_disturb_no_other(void **state) {
    (void)state;
    compare("come and go", come_and_go);
    assert_true(atomic_load(&connects) > 10);
}

// A client whose other end is gone takes what it is sent, as far as can be seen, and never replies to a ping.
static void who_does_not_reply_to_pings_is_closed(void **state) {
    (void)state;
    if (!test_is_long()) { skip(); } // it takes a minute
    test_client c;
    raw_open(&c, running.port);
    client_hello(&c, "half open", FR_WANTS_POSES);
    uint64_t begin_ns = fr_clock_ns();
    char bytes[65536];
    ssize_t got = 1;
    while (got > 0 && fr_clock_ms_since(begin_ns) < 100e3) {
        got = recv(c.socket, bytes, sizeof bytes, 0);
    }
    double seconds = 1e-3 * fr_clock_ms_since(begin_ns);
    print_message("closed after %.1f s\n", seconds);
    assert_true(got <= 0 && seconds > 50.0 && seconds < 75.0);
    client_close(&c);
}

// Nor is one that never reads kept for ever.
static void who_never_reads_is_closed(void **state) {
    (void)state;
    if (!test_is_long()) { skip(); }
    test_client deaf, watcher;
    come_deaf(&deaf);
    client_open(&watcher, running.port, "watcher", FR_WANTS_POSES | FR_WANTS_STATS);
    uint64_t begin_ns = fr_clock_ns();
    uint32_t clients = 2;
    while (clients == 2 && fr_clock_ms_since(begin_ns) < 100e3) {
        client_follow_states(&watcher, 20);
        clients = fr_mirror_get(watcher.mirror)->stats.clients;
    }
    print_message("closed after %.1f s\n", 1e-3 * fr_clock_ms_since(begin_ns));
    assert_int_equal(clients, 1);
    client_close(&watcher);
    client_close(&deaf);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(those_who_end_in_a_frame_disturb_no_other),
        SERVED(those_who_never_read_disturb_no_other),
        SERVED(those_who_read_slowly_disturb_no_other),
        SERVED(half_a_handshake_disturbs_no_other),
        SERVED(a_hundred_connections_a_second_disturb_no_other),
        SERVED(who_does_not_reply_to_pings_is_closed),
        SERVED(who_never_reads_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
