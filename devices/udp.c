// A device on a network: the host side and the server side over UDP.
#define _GNU_SOURCE
#include "udp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_AT_ONCE 64    // packets looked at in a step: a flood does not hold the loop
#define HELLO_NS 10000000  // between two greetings
#define DESCRIBE_EVERY 1.0 // seconds
#define WATCHDOG_MS 20u

// One end: a socket, who is on the other, and what came in.
typedef struct endpoint {
    int socket;
    struct sockaddr_in peer;
    bool has_peer;
    bool has_heard; // a packet of this peer, whose sequence and time the next must come after
    uint32_t last_sequence;
    uint64_t last_time_ns;
    uint32_t sequence; // of the next packet that goes out
    udp_counts counts;
} endpoint;

static fr_status parse_address(const char *address, uint16_t port, struct sockaddr_in *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->sin_family = AF_INET;
    out->sin_port = htons(port);
    if (inet_pton(AF_INET, address, &out->sin_addr) != 1) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is no address such as 127.0.0.1", address);
    }
    return FR_OK;
}

static fr_status open_endpoint(endpoint *e, const struct sockaddr_in *own, fr_error *error) {
    memset(e, 0, sizeof *e);
    e->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (e->socket < 0) { return fr_error_set(error, FR_ERROR_SYSTEM, "no socket: %s", strerror(errno)); }
    if (bind(e->socket, (const struct sockaddr *)own, sizeof *own) != 0) {
        fr_error_set(error, FR_ERROR_SYSTEM, "port %u: %s", (unsigned)ntohs(own->sin_port), strerror(errno));
        close(e->socket);
        return FR_ERROR_SYSTEM;
    }
    return FR_OK;
}

static bool is_same(const struct sockaddr_in *a, const struct sockaddr_in *b) {
    return a->sin_addr.s_addr == b->sin_addr.s_addr && a->sin_port == b->sin_port;
}

static fr_status send_packet(endpoint *e, udp_packet *packet) {
    uint8_t bytes[UDP_MOST_BYTES];
    packet->sequence = e->sequence++;
    size_t size = udp_encode(packet, bytes);
    ssize_t sent = sendto(e->socket, bytes, size, MSG_NOSIGNAL, (const struct sockaddr *)&e->peer, sizeof e->peer);
    if (sent != (ssize_t)size) {
        e->counts.unsent++;
        return FR_ERROR_SYSTEM;
    }
    e->counts.sent++;
    return FR_OK;
}

// The next packet of a kind that belongs here (a bit for each in `kinds`); false when there is none. `from` is set.
static bool receive(endpoint *e, unsigned kinds, int *looks, udp_packet *packet, struct sockaddr_in *from) {
    uint8_t bytes[UDP_MOST_BYTES + 1]; // one more, so that a packet that is too long shows
    while (*looks > 0) {
        socklen_t length = sizeof *from;
        ssize_t size = recvfrom(e->socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)from, &length);
        if (size < 0 && errno != ECONNREFUSED && errno != EINTR) { return false; }
        (*looks)--;
        if (size < 0) { continue; } // no program listens at the port that was sent to: not a packet
        udp_fault fault = udp_decode(bytes, (size_t)size, packet);
        if (fault == UDP_FINE && (kinds >> packet->kind & 1u) == 0) { fault = UDP_WRONG_KIND; }
        if (fault == UDP_FINE) { return true; }
        e->counts.wrong[fault]++;
    }
    return false;
}

// Whether a packet comes after the last one of this peer; then it is the last one.
static bool take(endpoint *e, const udp_packet *packet) {
    bool is_new =
        !e->has_heard || (udp_is_after(packet->sequence, e->last_sequence) && packet->time_ns >= e->last_time_ns);
    if (!is_new) {
        e->counts.old++;
        return false;
    }
    e->has_heard = true;
    e->last_sequence = packet->sequence;
    e->last_time_ns = packet->time_ns;
    e->counts.taken++;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The host's side

struct udp_host {
    endpoint end;
    fr_device_reading reading;
    udp_description description;
    bool has_reading, has_description;
    double heard; // seconds, of our clock
};

static double clock_seconds(void) { return 1e-9 * (double)fr_clock_ns(); }

// A device that was silent for too long may begin its numbers again.
static void listen_to_device(udp_host *host) {
    udp_packet packet;
    struct sockaddr_in from;
    double now = clock_seconds();
    int looks = MOST_AT_ONCE;
    while (receive(&host->end, 1u << UDP_READING | 1u << UDP_DESCRIPTION, &looks, &packet, &from)) {
        if (!is_same(&from, &host->end.peer)) {
            host->end.counts.strangers++;
            continue;
        }
        if (now - host->heard > UDP_SILENCE) { host->end.has_heard = false; }
        if (!take(&host->end, &packet)) { continue; }
        host->heard = now;
        if (packet.kind == UDP_READING) {
            host->reading = packet.reading;
            host->has_reading = true;
        } else if (!host->has_description) {
            host->description = packet.description;
            host->has_description = true;
        }
    }
}

static fr_status host_write(const fr_device_command *command, void *user) {
    udp_host *host = user;
    udp_packet packet;
    memset(&packet, 0, sizeof packet);
    packet.kind = UDP_COMMAND;
    packet.time_ns = fr_clock_ns();
    packet.command = *command;
    packet.watchdog_ms = WATCHDOG_MS;
    return send_packet(&host->end, &packet);
}

static fr_status host_read(fr_device_reading *out, void *user) {
    udp_host *host = user;
    listen_to_device(host);
    *out = host->reading;
    return host->has_reading && clock_seconds() - host->heard <= UDP_SILENCE ? FR_OK : FR_ERROR_SYSTEM;
}

static void host_close(void *user) {
    udp_host *host = user;
    close(host->end.socket);
    fr_deallocate(NULL, host, 1, sizeof *host);
}

// Greets until the device has described itself.
static bool greet(udp_host *host, double seconds) {
    fr_device_command safe;
    memset(&safe, 0, sizeof safe);
    safe.is_safe = true;
    double end = clock_seconds() + seconds;
    while (!(host->has_description && host->has_reading)) {
        if (clock_seconds() >= end) { return false; }
        (void)host_write(&safe, host); // a device that is not there yet takes none
        struct timespec pause = {0, HELLO_NS};
        nanosleep(&pause, NULL);
        listen_to_device(host);
    }
    return true;
}

fr_status udp_host_open(const char *address, uint16_t port, double seconds, fr_haptic_device *out, fr_error *error) {
    struct sockaddr_in peer, own;
    fr_status status = parse_address(address, port, &peer, error);
    if (status != FR_OK) { return status; }
    memset(&own, 0, sizeof own);
    own.sin_family = AF_INET;
    bool is_here = (ntohl(peer.sin_addr.s_addr) >> 24) == 127;
    own.sin_addr.s_addr = htonl(is_here ? INADDR_LOOPBACK : INADDR_ANY);
    udp_host *host = fr_allocate(NULL, 1, sizeof *host, _Alignof(udp_host));
    if (host == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the device"); }
    memset(host, 0, sizeof *host);
    status = open_endpoint(&host->end, &own, error);
    if (status != FR_OK) {
        fr_deallocate(NULL, host, 1, sizeof *host);
        return status;
    }
    host->end.peer = peer;
    host->end.has_peer = true;
    if (!greet(host, seconds)) {
        host_close(host);
        return fr_error_set(error, FR_ERROR_SYSTEM, "no device responds at %s:%u", address, (unsigned)port);
    }
    *out = (fr_haptic_device){.kind = host->description.kind,
                              .strings = host->description.strings,
                              .pulleys = host->description.pulleys,
                              .force_max = host->description.force_max,
                              .read = host_read,
                              .write = host_write,
                              .close = host_close,
                              .user = host};
    return FR_OK;
}

udp_counts udp_host_counts(const fr_haptic_device *device) {
    FR_ASSERT(device->read == host_read);
    return ((const udp_host *)device->user)->end.counts;
}

// ---------------------------------------------------------------------------------------------------------------
// The device's side

struct udp_server {
    udp_server_def def;
    endpoint end;
    uint16_t port;
    double heard;     // when the last command of the host came
    double described; // when the description was last sent to the host
    double watchdog;  // seconds
    bool is_safe;     // the device was let go
};

udp_server_def udp_server_default_def(void) { return (udp_server_def){.address = "127.0.0.1", .patience = 1.0}; }

fr_status udp_server_create(const udp_server_def *def, udp_server **out, fr_error *error) {
    *out = NULL;
    struct sockaddr_in own;
    fr_status status = parse_address(def->address, def->port, &own, error);
    if (status != FR_OK) { return status; }
    udp_server *server = fr_allocate(NULL, 1, sizeof *server, _Alignof(udp_server));
    if (server == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the device"); }
    memset(server, 0, sizeof *server);
    server->def = *def;
    server->def.address = NULL; // the caller's text is not kept
    server->heard = server->described = -INFINITY;
    server->is_safe = true;
    status = open_endpoint(&server->end, &own, error);
    if (status != FR_OK) {
        fr_deallocate(NULL, server, 1, sizeof *server);
        return status;
    }
    socklen_t length = sizeof own;
    if (getsockname(server->end.socket, (struct sockaddr *)&own, &length) == 0) { server->port = ntohs(own.sin_port); }
    *out = server;
    return FR_OK;
}

static void let_go(udp_server *server) {
    fr_device_command safe;
    memset(&safe, 0, sizeof safe);
    safe.is_safe = true;
    (void)server->def.device.write(&safe, server->def.device.user); // a device that cannot be reached lets go by itself
    server->is_safe = true;
}

void udp_server_destroy(udp_server *server) {
    if (server == NULL) { return; }
    let_go(server);
    if (server->def.device.close != NULL) { server->def.device.close(server->def.device.user); }
    close(server->end.socket);
    fr_deallocate(NULL, server, 1, sizeof *server);
}

uint16_t udp_server_port(const udp_server *server) { return server->port; }
bool udp_server_has_host(const udp_server *server) { return server->end.has_peer; }
udp_counts udp_server_counts(const udp_server *server) { return server->end.counts; }

// The first who sends a command is the host until it is silent for long.
static bool is_host(udp_server *server, const struct sockaddr_in *from, double now) {
    endpoint *e = &server->end;
    if (e->has_peer && !is_same(from, &e->peer)) {
        e->counts.strangers++;
        return false;
    }
    if (!e->has_peer) {
        e->peer = *from;
        e->has_peer = true;
        e->has_heard = false;
        server->heard = now;
        server->described = -INFINITY;
    }
    if (now - server->heard > UDP_SILENCE) { e->has_heard = false; }
    return true;
}

static void take_commands(udp_server *server, double now) {
    udp_packet packet, newest;
    struct sockaddr_in from;
    bool has_newest = false;
    int looks = MOST_AT_ONCE;
    while (receive(&server->end, 1u << UDP_COMMAND, &looks, &packet, &from)) {
        if (!is_host(server, &from, now) || !take(&server->end, &packet)) { continue; }
        newest = packet;
        has_newest = true;
        server->heard = now;
    }
    if (!has_newest) { return; }
    server->watchdog = 1e-3 * newest.watchdog_ms;
    server->is_safe = newest.command.is_safe;
    (void)server->def.device.write(&newest.command, server->def.device.user); // its reading shows when it is faulty
}

static void report(udp_server *server, double now) {
    const fr_haptic_device *device = &server->def.device;
    udp_packet packet;
    memset(&packet, 0, sizeof packet);
    packet.time_ns = (uint64_t)(1e9 * fmax(now, 0.0));
    if (now - server->described >= DESCRIBE_EVERY) {
        packet.kind = UDP_DESCRIPTION;
        packet.description = (udp_description){device->kind, device->strings, device->pulleys, device->force_max};
        (void)send_packet(&server->end, &packet); // counted
        server->described = now;
    }
    packet.kind = UDP_READING;
    if (device->read(&packet.reading, device->user) != FR_OK) { packet.reading.status |= FR_DEVICE_FAULT; }
    packet.heard = server->end.last_sequence;
    (void)send_packet(&server->end, &packet);
}

void udp_server_step(udp_server *server, double now) {
    take_commands(server, now);
    if (!server->is_safe && now - server->heard > server->watchdog) { let_go(server); }
    if (server->end.has_peer && now - server->heard > server->def.patience) { server->end.has_peer = false; }
    if (server->end.has_peer) {
        report(server, now);
        return;
    }
    fr_device_reading unread; // a device goes on although no host reads it
    (void)server->def.device.read(&unread, server->def.device.user);
}
