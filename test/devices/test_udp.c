// Both ends of the network: a simulated device served on the loopback, a loop that feels through it, and what comes
// from elsewhere.
#define _GNU_SOURCE
#include "frame.h"

#include "udp_packet.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static double seconds(void) { return 1e-9 * (double)fr_clock_ns(); }

static void pause_ms(int ms) {
    struct timespec pause = {0, 1000000L * ms};
    nanosleep(&pause, NULL);
}

// A device in a thread of its own; silent while told so.
typedef struct served {
    fr_simulated_pen *device;
    fr_simulated_wander wander;
    fr_udp_server *server;
    atomic_bool shall_stop, is_silent;
    pthread_t thread;
} served;

static void *serve(void *user) {
    served *s = user;
    while (!atomic_load(&s->shall_stop)) {
        if (!atomic_load(&s->is_silent)) { fr_udp_server_step(s->server, seconds()); }
        pause_ms(1);
    }
    return NULL;
}

static void start(served *s) {
    memset(s, 0, sizeof *s);
    s->wander = (fr_simulated_wander){.centre = {0.0, -0.03, 0.0}, .seconds = 1.0};
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.is_real_time = true;
    def.wish = fr_simulated_wander_wish;
    def.wish_user = &s->wander;
    assert_int_equal(fr_simulated_pen_create(&def, &s->device, NULL), FR_OK);
    fr_udp_server_def server = fr_default_udp_server_def();
    server.device = fr_simulated_pen_device(s->device);
    server.patience = 0.1;
    fr_error error;
    assert_int_equal(fr_udp_server_create(&server, &s->server, &error), FR_OK);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void stop(served *s) {
    atomic_store(&s->shall_stop, true);
    pthread_join(s->thread, NULL);
}

static fr_haptic_contact wall(void) {
    fr_haptic_contact c;
    memset(&c, 0, sizeof c);
    c.has_planes = true;
    c.plane_count = 1;
    c.planes[0] = (fr_haptic_plane){.id = 1, .normal = {0.0, 1.0, 0.0}, .side = 1};
    return c;
}

// Ticks for a while by the clock; the most force that was felt, and whether the device was ever lost.
static double feel(fr_haptic_loop *loop, int ticks, bool *was_lost) {
    double most = 0.0;
    for (int i = 0; i < ticks; i++) {
        if (i % 10 == 0) {
            fr_haptic_contact c = wall();
            fr_haptic_loop_send(loop, &c);
        }
        fr_haptic_loop_step(loop, seconds());
        fr_haptic_state now = fr_haptic_loop_state(loop);
        most = fmax(most, fr_vec3_length(now.force));
        if ((now.status & FR_DEVICE_LOST) != 0) {
            *was_lost = true;
            assert_true(fr_vec3_length(now.force) == 0.0);
        }
        pause_ms(1);
    }
    return most;
}

static void test_a_wall_is_felt_through_the_network(void **state) {
    (void)state;
    served s;
    start(&s);
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    def.haptic.late = 1.0; // a busy machine is not what this is about
    fr_error error;
    assert_int_equal(fr_udp_host_open("127.0.0.1", fr_udp_server_port(s.server), 10.0, &def.device, &error), FR_OK);
    assert_int_equal(def.device.kind, FR_DEVICE_STRINGS);
    assert_true(fr_vec3_equal(def.device.strings.anchors[2], fr_default_strings().anchors[2]));
    fr_haptic_loop *loop;
    assert_int_equal(fr_haptic_loop_create(&def, &loop, &error), FR_OK);
    bool was_lost = false;
    double most = 0.0;
    for (int i = 0; i < 20 && most < 0.5; i++) {
        most = fmax(most, feel(loop, 100, &was_lost));
    }
    assert_true(most > 0.5);
    // It falls silent in contact: no force. It speaks again: felt again
    atomic_store(&s.is_silent, true);
    was_lost = false;
    feel(loop, 60, &was_lost);
    assert_true(was_lost);
    atomic_store(&s.is_silent, false);
    feel(loop, 100, &was_lost);
    fr_haptic_state now = fr_haptic_loop_state(loop);
    for (int i = 0; i < 50 && (now.status & FR_DEVICE_LOST) != 0; i++) {
        feel(loop, 10, &was_lost);
        now = fr_haptic_loop_state(loop);
    }
    assert_int_equal(now.status & FR_DEVICE_LOST, 0);
    fr_udp_counts counts = fr_udp_host_counts(&def.device);
    assert_true(counts.taken > 50 && counts.sent > 50 && counts.strangers == 0);
    fr_haptic_loop_destroy(loop);
    stop(&s);
    assert_true(fr_udp_server_counts(s.server).taken > 50);
    fr_udp_server_destroy(s.server);
    assert_true(fr_simulated_pen_get(s.device).commanded[0] == 0.0);
    fr_simulated_pen_destroy(s.device);
}

// A socket of nobody's.
static int stranger(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    return fd;
}

static void send_to(int fd, uint16_t port, const void *bytes, size_t size) {
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(sendto(fd, bytes, size, 0, (struct sockaddr *)&to, sizeof to), (ssize_t)size);
}

static size_t command(uint32_t sequence, uint64_t time, double tension, uint8_t bytes[FR__UDP_MAX_BYTES]) {
    fr__udp_packet p;
    memset(&p, 0, sizeof p);
    p.kind = FR__UDP_COMMAND;
    p.sequence = sequence;
    p.time_ns = time;
    p.watchdog_ms = 20;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        p.command.tensions[i] = tension;
    }
    return fr__udp_encode(&p, bytes);
}

// A device that is stepped by hand.
static fr_udp_server *serve_stepped(fr_simulated_pen **device) {
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    assert_int_equal(fr_simulated_pen_create(&def, device, NULL), FR_OK);
    fr_udp_server_def server_def = fr_default_udp_server_def();
    server_def.device = fr_simulated_pen_device(*device);
    fr_udp_server *server;
    assert_int_equal(fr_udp_server_create(&server_def, &server, NULL), FR_OK);
    return server;
}

static void test_strangers_old_and_wrong_packets_are_counted(void **state) {
    (void)state;
    fr_simulated_pen *device;
    fr_udp_server *server = serve_stepped(&device);
    uint16_t port = fr_udp_server_port(server);
    int host = stranger(), other = stranger();
    uint8_t bytes[FR__UDP_MAX_BYTES + 8] = {0};
    double now = 100.0;

    size_t size = command(10, 1000, 1.0, bytes);
    send_to(host, port, bytes, size);
    fr_udp_server_step(server, now);
    assert_true(fr_udp_server_has_host(server) && fr_simulated_pen_get(device).commanded[0] == 1.0);

    size = command(9, 2000, 2.0, bytes); // an older sequence
    send_to(host, port, bytes, size);
    size = command(11, 500, 2.0, bytes); // an older time
    send_to(host, port, bytes, size);
    size = command(12, 3000, 2.0, bytes); // of somebody else
    send_to(other, port, bytes, size);
    send_to(host, port, bytes, size - 1);
    send_to(host, port, bytes, sizeof bytes);
    send_to(host, port, "FRHD", 4);
    bytes[40] ^= 1;
    send_to(host, port, bytes, size);
    fr__udp_packet reading;
    memset(&reading, 0, sizeof reading);
    reading.kind = FR__UDP_READING; // not for a device
    size = fr__udp_encode(&reading, bytes);
    send_to(host, port, bytes, size);
    fr_udp_server_step(server, now += 0.001);
    fr_udp_counts c = fr_udp_server_counts(server);
    assert_true(c.taken == 1 && c.old == 2 && c.strangers == 1);
    assert_true(c.wrong[FR_UDP_WRONG_SIZE] == 3 && c.wrong[FR_UDP_WRONG_CHECK] == 1 && c.wrong[FR_UDP_WRONG_KIND] == 1);
    assert_true(fr_simulated_pen_get(device).commanded[0] == 1.0);

    // A tension that the device cannot give is refused by the device itself
    size = command(13, 4000, 100.0, bytes);
    send_to(host, port, bytes, size);
    fr_udp_server_step(server, now += 0.001);
    assert_true(fr_simulated_pen_get(device).commanded[0] == 1.0 && fr_simulated_pen_get(device).refused == 1);
    close(host);
    close(other);
    fr_udp_server_destroy(server);
    fr_simulated_pen_destroy(device);
}

// No command for 20 ms lets go, and any sequence is taken again; for a second, and another host may come.
static void test_who_is_silent_is_let_go(void **state) {
    (void)state;
    fr_simulated_pen *device;
    fr_udp_server *server = serve_stepped(&device);
    uint16_t port = fr_udp_server_port(server);
    int host = stranger(), other = stranger();
    uint8_t bytes[FR__UDP_MAX_BYTES];
    double now = 100.0;
    send_to(host, port, bytes, command(10, 1000, 1.0, bytes));
    fr_udp_server_step(server, now);
    assert_true(fr_udp_server_has_host(server) && fr_simulated_pen_get(device).commanded[0] == 1.0);
    assert_int_equal(fr_udp_server_counts(server).sent, 2); // a description and a reading
    fr_udp_server_step(server, now += 0.03);
    assert_true(fr_simulated_pen_get(device).commanded[0] == 0.0);
    assert_int_equal(fr_udp_server_counts(server).sent, 3);
    send_to(host, port, bytes, command(3, 5, 2.0, bytes));
    fr_udp_server_step(server, now += 0.001);
    assert_true(fr_simulated_pen_get(device).commanded[0] == 2.0 && fr_udp_server_counts(server).old == 0);
    fr_udp_server_step(server, now += 0.98);
    assert_int_equal(fr_udp_server_counts(server).sent, 6); // described again after a second
    fr_udp_server_step(server, now += 0.1);
    assert_false(fr_udp_server_has_host(server));
    send_to(other, port, bytes, command(1, 1, 3.0, bytes));
    fr_udp_server_step(server, now += 0.001);
    assert_true(fr_udp_server_has_host(server) && fr_simulated_pen_get(device).commanded[0] == 3.0);
    close(host);
    close(other);
    fr_udp_server_destroy(server);
    fr_simulated_pen_destroy(device);
}

static void test_what_cannot_be_opened_is_told(void **state) {
    (void)state;
    fr_haptic_device device;
    fr_error error;
    assert_int_equal(fr_udp_host_open("localhost", 1, 0.0, &device, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_udp_host_open("127.0.0.1", 9, 0.03, &device, &error), FR_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "no device responds at 127.0.0.1:9"));
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    fr_simulated_pen *simulated_pen;
    assert_int_equal(fr_simulated_pen_create(&def, &simulated_pen, NULL), FR_OK);
    fr_udp_server_def server_def = fr_default_udp_server_def();
    server_def.device = fr_simulated_pen_device(simulated_pen);
    fr_udp_server *first, *second;
    assert_int_equal(fr_udp_server_create(&server_def, &first, &error), FR_OK);
    server_def.port = fr_udp_server_port(first);
    assert_int_equal(fr_udp_server_create(&server_def, &second, &error), FR_ERROR_SYSTEM);
    server_def.address = "::1";
    assert_int_equal(fr_udp_server_create(&server_def, &second, &error), FR_ERROR_ARGUMENT);
    fr_udp_server_destroy(first);
    fr_simulated_pen_destroy(simulated_pen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wall_is_felt_through_the_network),
        cmocka_unit_test(test_strangers_old_and_wrong_packets_are_counted),
        cmocka_unit_test(test_who_is_silent_is_let_go),
        cmocka_unit_test(test_what_cannot_be_opened_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
