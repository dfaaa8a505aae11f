// The command serve with a force pen and a tracker: devices that are none, that another host has, that are gone, and
// packets that are late, doubled, of another version, from another sender or with a number that is none.
#include "served.h"

#include "udp_packet.h"

#include <arpa/inet.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

static const fr_vec3 tip = {0.1, 0.2, 0.05}; // of the arm
static const fr_vec3 far_away = {-0.5, 0.5, -0.5};

// A socket of this machine at a free port.
static int open_socket(uint16_t *port) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&own, sizeof own) == 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&own, &size), 0);
    *port = ntohs(own.sin_port);
    return fd;
}

// A port that was free a moment ago.
static void free_port(char text[8]) {
    uint16_t port;
    int fd = open_socket(&port);
    close(fd);
    snprintf(text, 8, "%u", (unsigned)port);
}

// ---------------------------------------------------------------------------------------------------------------
// An arm whose packets are ours to spoil

typedef struct arm {
    int fd, other; // its socket, and that of one who is not the device
    uint16_t port, other_port;
    pthread_t thread;
    atomic_bool shall_stop, is_hostile, is_silent;
    atomic_uint commands, safe; // that came, and how many of the last ones said that motors are off
    uint32_t sequence;
    struct sockaddr_in host;
    bool has_host;
    char name[64];
} arm;

static void send_bytes(int fd, const struct sockaddr_in *to, const uint8_t *bytes, size_t size) {
    (void)sendto(fd, bytes, size, 0, (const struct sockaddr *)to, sizeof *to);
}

// Makes the check right again: what is wrong is something else.
static void check_again(uint8_t *bytes, size_t size) {
    uint32_t check = fr__udp_check(bytes, size - 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[size - 4 + i] = (uint8_t)(check >> (8 * i));
    }
}

static fr__udp_packet reading_at(arm *a, fr_vec3 at) {
    fr__udp_packet packet = {.kind = FR__UDP_READING, .sequence = a->sequence++, .time_ns = fr_clock_ns()};
    packet.reading.buttons = FR_DEVICE_BUTTON_HELD;
    packet.reading.tip = at;
    return packet;
}

// All that a device should not send, with a tip that must never be shown.
static void send_wrong(arm *a, const fr__udp_packet *good) {
    uint8_t bytes[FR__UDP_MAX_BYTES], spoiled[FR__UDP_MAX_BYTES];
    fr__udp_packet packet = *good;
    packet.reading.tip = far_away;
    size_t size = fr__udp_encode(&packet, bytes);
    send_bytes(a->fd, &a->host, bytes, size); // doubled: its sequence was taken
    packet.sequence -= 5;
    size = fr__udp_encode(&packet, spoiled);
    send_bytes(a->fd, &a->host, spoiled, size); // late
    packet.sequence = good->sequence + 1;
    packet.time_ns = good->time_ns;
    size = fr__udp_encode(&packet, bytes);
    send_bytes(a->other, &a->host, bytes, size); // from another sender
    memcpy(spoiled, bytes, size);
    spoiled[4] = 9;
    check_again(spoiled, size);
    send_bytes(a->fd, &a->host, spoiled, size); // of another version
    packet.reading.tip.y = (double)NAN;
    size = fr__udp_encode(&packet, spoiled);
    send_bytes(a->fd, &a->host, spoiled, size);   // with a number that is none
    send_bytes(a->fd, &a->host, bytes, size - 1); // short
    bytes[70] ^= 1;
    send_bytes(a->fd, &a->host, bytes, size); // changed in transit
    a->sequence = good->sequence + 1;
}

static void take_commands(arm *a) {
    uint8_t bytes[512];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    for (;;) {
        ssize_t size = recvfrom(a->fd, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
        fr__udp_packet packet;
        if (size < 0) { return; }
        if (fr__udp_decode(bytes, (size_t)size, &packet) != FR_UDP_FINE || packet.kind != FR__UDP_COMMAND) { continue; }
        if (a->has_host && memcmp(&from, &a->host, sizeof from) != 0) { continue; } // a second host
        if (!a->has_host) {
            fr__udp_packet about = {.kind = FR__UDP_DESCRIPTION, .sequence = a->sequence++, .time_ns = fr_clock_ns()};
            about.description.kind = FR_DEVICE_ARM;
            about.description.force_max = 4.0;
            a->host = from;
            a->has_host = true;
            size_t described = fr__udp_encode(&about, bytes);
            send_bytes(a->fd, &a->host, bytes, described);
        }
        atomic_fetch_add(&a->commands, 1);
        atomic_store(&a->safe, packet.command.is_safe ? atomic_load(&a->safe) + 1 : 0);
    }
}

static void *run_arm(void *user) {
    arm *a = user;
    while (!atomic_load(&a->shall_stop)) {
        take_commands(a);
        if (a->has_host && !atomic_load(&a->is_silent)) {
            uint8_t bytes[FR__UDP_MAX_BYTES];
            fr__udp_packet packet = reading_at(a, tip);
            size_t size = fr__udp_encode(&packet, bytes);
            send_bytes(a->fd, &a->host, bytes, size);
            if (atomic_load(&a->is_hostile)) { send_wrong(a, &packet); }
        }
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static void begin_arm(arm *a) {
    memset(a, 0, sizeof *a);
    a->fd = open_socket(&a->port);
    a->other = open_socket(&a->other_port);
    a->sequence = 100;
    snprintf(a->name, sizeof a->name, "udp:127.0.0.1:%u,arm", (unsigned)a->port);
    assert_int_equal(pthread_create(&a->thread, NULL, run_arm, a), 0);
    // A device has a processor of its own: where the test may, its thread goes before others of a busy machine.
    const struct sched_param first = {.sched_priority = 10};
    (void)pthread_setschedparam(a->thread, SCHED_FIFO, &first);
}

static void end_arm(arm *a) {
    atomic_store(&a->shall_stop, true);
    pthread_join(a->thread, NULL);
    close(a->fd);
    close(a->other);
}

// ---------------------------------------------------------------------------------------------------------------

#define CUP "{\"name\":\"cup\",\"shape\":\"box\",\"position\":[1,0,0],\"scale\":0.1,\"tracked\":3}"

static void put_scene(void) {
    put_file("cup.json", "{\"fureai\":1,\"step\":0.01,\"steps\":1,\"objects\":[" CUP "],\"aid\":{}}");
}

static double count_of(const char *object, const char *name) {
    char key[40];
    snprintf(key, sizeof key, "\"%s\":{", object);
    const char *at = strstr(served.out, key);
    if (at == NULL) { fail_msg("no %s in %s", key, served.out); }
    snprintf(key, sizeof key, "\"%s\":", name);
    at = strstr(at, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static fr_vec3 place_of(test_client *c, const char *name) { return fr_mirror_find(c->mirror, name)->pose.position; }

static bool is_at(fr_vec3 place, fr_vec3 expected) { return fr_vec3_distance(place, expected) < 1e-6; }

// The cone's tip is half of its 6 cm below its origin, and the device is at --place.
static fr_vec3 expected_pen(void) { return fr_vec3_make(tip.x + 1.0, tip.y + 0.03, tip.z - 1.0); }

static void wrong_packets_leave_the_pen_where_it_is(void **state) {
    (void)state;
    put_scene();
    static arm a;
    begin_arm(&a);
    test_client c;
    uint16_t port = SERVE("cup.json", "--device", a.name, "--place", "1,0,-1");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 2);
    for (int i = 0; i < 1000 && !is_at(place_of(&c, "pen"), expected_pen()); i++) {
        client_follow_states(&c, 1);
    }
    assert_true(is_at(place_of(&c, "pen"), expected_pen()));
    atomic_store(&a.is_hostile, true);
    for (int i = 0; i < 60; i++) {
        client_follow_states(&c, 1);
        assert_true(is_at(place_of(&c, "pen"), expected_pen()));
    }
    atomic_store(&a.is_hostile, false);
    client_close(&c);
    // Ctrl-C with a device: at once, and the last commands let it go
    end(SIGINT);
    struct timespec pause = {0, 50000000};
    nanosleep(&pause, NULL);
    assert_true(atomic_load(&a.commands) > 50 && atomic_load(&a.safe) > 0);
    end_arm(&a);
    assert_true(count_of("device", "taken") > 50.0 && count_of("device", "old") > 20.0);
    assert_true(count_of("device", "strangers") > 20.0 && count_of("device", "wrong") > 80.0);
    expect_in(served.err, "--device: packets left out: ");
    expect_in(served.err, " late or doubled, ");
    expect_in(served.err, " from another address, ");
    expect_in(served.err, " shorter or longer than its kind, ");
    expect_in(served.err, " of another version, ");
    expect_in(served.err, " changed in transit, ");
    expect_in(served.err, " with a value out of range");
}

// A device that another host has does not respond; one that is gone is said, and does not end the server.
static void a_device_that_is_gone_or_taken(void **state) {
    (void)state;
    put_scene();
    static arm a;
    begin_arm(&a);
    uint16_t port = SERVE("cup.json", "--device", a.name);
    RUN("serve", "cup.json", "--port", "0", "--device", a.name);
    expect_failure(1, "no device responds at 127.0.0.1:");
    test_client c;
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 2);
    atomic_store(&a.is_silent, true);
    bool is_lost = false;
    for (int i = 0; i < 2000 && !is_lost; i++) {
        client_follow_states(&c, 1);
        const fr_message_events *events = &fr_mirror_get(c.mirror)->events;
        for (uint32_t k = 0; k < events->event_count; k++) {
            is_lost = is_lost || strcmp(events->events[k].name, "device_lost") == 0;
        }
    }
    assert_true(is_lost);
    client_follow_states(&c, 20);
    client_close(&c);
    end(SIGTERM);
    end_arm(&a);
}

// ---------------------------------------------------------------------------------------------------------------
// Trackers

static void send_sensor(int fd, const struct sockaddr_in *to, uint32_t sequence, double seconds, fr_vec3 at,
                        int version) {
    uint8_t bytes[FR__UDP_MAX_BYTES];
    fr__udp_packet packet = {.kind = FR__UDP_SENSOR, .sequence = sequence, .time_ns = (uint64_t)(1e9 * seconds)};
    packet.sensor = (fr_sensor_pose){.sensor = 3, .pose = fr_pose_identity(), .position_error = 1e-4};
    packet.sensor.pose.position = at;
    size_t size = fr__udp_encode(&packet, bytes);
    bytes[4] = (uint8_t)version;
    check_again(bytes, size);
    send_bytes(fd, to, bytes, size);
}

static void wrong_poses_leave_an_object_where_it_is(void **state) {
    (void)state;
    put_scene();
    char text[8];
    uint16_t own, others;
    int fd = open_socket(&own), other = open_socket(&others);
    free_port(text); // after all others, which would take it
    test_client c;
    uint16_t port = SERVE("cup.json", "--sensors", text);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(text));
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 2);
    fr_vec3 none = far_away;
    none.x = (double)NAN;
    for (uint32_t i = 0; i < 100; i++) {
        send_sensor(fd, &to, 10 + i, 5.0 + 0.01 * i, tip, 1);
        send_sensor(fd, &to, 10 + i, 5.0 + 0.01 * i, far_away, 1);           // doubled
        send_sensor(fd, &to, 5 + i, 4.9 + 0.01 * i, far_away, 1);            // late
        send_sensor(fd, &to, 11 + i, 5.0 + 0.01 * i + 1e-3, far_away, 7);    // of another version
        send_sensor(fd, &to, 11 + i, 5.0 + 0.01 * i + 1e-3, none, 1);        // with a number that is none
        send_sensor(other, &to, 11 + i, 5.0 + 0.01 * i + 1e-3, far_away, 1); // from another sender
        client_follow_states(&c, 1);
        assert_true(!is_at(place_of(&c, "cup"), far_away));
    }
    client_follow_states(&c, 3);
    assert_true(is_at(place_of(&c, "cup"), tip));
    // The port is in use
    RUN("serve", "cup.json", "--port", "0", "--sensors", text);
    expect_failure(1, text);
    client_close(&c);
    end(SIGINT);
    close(fd);
    close(other);
    assert_true(count_of("sensors", "taken") >= 90.0 && count_of("sensors", "old") >= 150.0);
    assert_true(count_of("sensors", "strangers") >= 90.0 && count_of("sensors", "wrong") >= 150.0);
    expect_in(served.err, "--sensors: packets left out: ");
}

static void wrong_usage_is_told(void **state) {
    (void)state;
    put_scene();
    static const char *const names[] = {"simulated",
                                        "tcp:127.0.0.1:8430",
                                        "udp:127.0.0.1",
                                        "udp:127.0.0.1:0",
                                        "udp:127.0.0.1:70000",
                                        "udp:127.0.0.1:8430,lever",
                                        ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        RUN("serve", "cup.json", "--device", names[i]);
        expect_failure(2, "--device: ");
    }
    RUN("serve", "cup.json", "--device", "udp:localhost:8430");
    expect_failure(2, "--device: ");
    RUN("serve", "cup.json", "--device", "udp:127.0.0.1:9", "--device", "second"); // the last of two counts
    expect_failure(2, "--device: 'second' is not ");
    static const char *const ports[] = {"0", "65536", "-1", "here"};
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        RUN("serve", "cup.json", "--sensors", ports[i]);
        expect_failure(2, "--sensors: ");
    }
    static const char *const places[] = {"1,2", "1,2,nan", "1,2,1e7", "1,2,3,4", ""};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        RUN("serve", "cup.json", "--place", places[i]);
        expect_failure(2, "--place: ");
    }
    static arm a;
    begin_arm(&a);
    char strings[64];
    snprintf(strings, sizeof strings, "udp:127.0.0.1:%u,string", (unsigned)a.port);
    RUN("serve", "cup.json", "--device", strings);
    expect_failure(2, "is of another kind: arm");
    end_arm(&a);
    RUN("device", "simulate", "--send", "udp:here");
    expect_failure(2, "--send: ");
    RUN("device", "simulate", "--send", "udp:127.0.0.1:70000");
    expect_failure(2, "--send: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_told),
        cmocka_unit_test(wrong_packets_leave_the_pen_where_it_is),
        cmocka_unit_test(a_device_that_is_gone_or_taken),
        cmocka_unit_test(wrong_poses_leave_an_object_where_it_is),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
