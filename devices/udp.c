// A device on a network: the host side and the server side over UDP.
#define _GNU_SOURCE
#include "udp_endpoint.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SERVER_COOKIE 0x55445053u
#define HELLO_NS 10000000  // between two greetings
#define DESCRIBE_EVERY 1.0 // seconds
#define WATCHDOG_MS 20u

// ---------------------------------------------------------------------------------------------------------------
// The host's side

typedef struct udp_host {
    fr__udp_endpoint end;
    fr_device_reading reading;
    fr__udp_description description;
    bool has_reading, has_description;
    double heard; // seconds, of our clock
} udp_host;

static double clock_seconds(void) { return 1e-9 * (double)fr_clock_ns(); }

// A device that was silent for too long may begin its numbers again.
static void listen_to_device(udp_host *host) {
    fr__udp_packet packet;
    struct sockaddr_in from;
    double now = clock_seconds();
    int looks = FR__UDP_AT_ONCE;
    while (fr__udp_receive(&host->end, 1u << FR__UDP_READING | 1u << FR__UDP_DESCRIPTION, &looks, &packet, &from)) {
        if (!fr__udp_is_same(&from, &host->end.peer)) {
            host->end.counts.strangers++;
            continue;
        }
        if (now - host->heard > FR_UDP_SILENCE) { host->end.has_heard = false; }
        if (!fr__udp_take(&host->end, &packet)) { continue; }
        host->heard = now;
        if (packet.kind == FR__UDP_READING) {
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
    fr__udp_packet packet;
    memset(&packet, 0, sizeof packet);
    packet.kind = FR__UDP_COMMAND;
    packet.time_ns = fr_clock_ns();
    packet.command = *command;
    packet.watchdog_ms = WATCHDOG_MS;
    return fr__udp_send(&host->end, &packet);
}

static fr_status host_read(fr_device_reading *out, void *user) {
    udp_host *host = user;
    listen_to_device(host);
    *out = host->reading;
    return host->has_reading && clock_seconds() - host->heard <= FR_UDP_SILENCE ? FR_OK : FR_ERROR_SYSTEM;
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

fr_status fr_udp_host_open(const char *address, uint16_t port, double seconds, fr_haptic_device *out, fr_error *error) {
    struct sockaddr_in peer, own;
    fr_status status = fr__udp_parse_address(address, port, &peer, error);
    if (status != FR_OK) { return status; }
    memset(&own, 0, sizeof own);
    own.sin_family = AF_INET;
    bool is_here = (ntohl(peer.sin_addr.s_addr) >> 24) == 127;
    own.sin_addr.s_addr = htonl(is_here ? INADDR_LOOPBACK : INADDR_ANY);
    udp_host *host = fr_allocate(NULL, 1, sizeof *host, _Alignof(udp_host));
    if (host == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the device"); }
    memset(host, 0, sizeof *host);
    status = fr__udp_open(&host->end, &own, error);
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

fr_udp_counts fr_udp_host_counts(const fr_haptic_device *device) {
    FR_ASSERT(device->read == host_read);
    return ((const udp_host *)device->user)->end.counts;
}

// ---------------------------------------------------------------------------------------------------------------
// The device's side

struct fr_udp_server {
    fr_udp_server_def def;
    fr__udp_endpoint end;
    uint16_t port;
    double heard;     // when the last command of the host came
    double described; // when the description was last sent to the host
    double watchdog;  // seconds
    bool is_safe;     // the device was let go
};

fr_udp_server_def fr_default_udp_server_def(void) {
    return (fr_udp_server_def){.address = "127.0.0.1", .patience = 1.0, .cookie = SERVER_COOKIE};
}

fr_status fr_udp_server_create(const fr_udp_server_def *def, fr_udp_server **out, fr_error *error) {
    *out = NULL;
    if (def->cookie != SERVER_COOKIE) { return fr_error_set_cookie(error, "fr_default_udp_server_def"); }
    struct sockaddr_in own;
    fr_status status = fr__udp_parse_address(def->address, def->port, &own, error);
    if (status != FR_OK) { return status; }
    fr_udp_server *server = fr_allocate(NULL, 1, sizeof *server, _Alignof(fr_udp_server));
    if (server == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the device"); }
    memset(server, 0, sizeof *server);
    server->def = *def;
    server->def.address = NULL; // the caller's text is not kept
    server->heard = server->described = -INFINITY;
    server->is_safe = true;
    status = fr__udp_open(&server->end, &own, error);
    if (status != FR_OK) {
        fr_deallocate(NULL, server, 1, sizeof *server);
        return status;
    }
    socklen_t length = sizeof own;
    if (getsockname(server->end.socket, (struct sockaddr *)&own, &length) == 0) { server->port = ntohs(own.sin_port); }
    *out = server;
    return FR_OK;
}

static void let_go(fr_udp_server *server) {
    fr_device_command safe;
    memset(&safe, 0, sizeof safe);
    safe.is_safe = true;
    (void)server->def.device.write(&safe, server->def.device.user); // a device that cannot be reached lets go by itself
    server->is_safe = true;
}

void fr_udp_server_destroy(fr_udp_server *server) {
    if (server == NULL) { return; }
    let_go(server);
    if (server->def.device.close != NULL) { server->def.device.close(server->def.device.user); }
    close(server->end.socket);
    fr_deallocate(NULL, server, 1, sizeof *server);
}

uint16_t fr_udp_server_port(const fr_udp_server *server) { return server->port; }
bool fr_udp_server_has_host(const fr_udp_server *server) { return server->end.has_peer; }
fr_udp_counts fr_udp_server_counts(const fr_udp_server *server) { return server->end.counts; }

// The first who sends a command is the host until it is silent for long.
static bool is_host(fr_udp_server *server, const struct sockaddr_in *from, double now) {
    fr__udp_endpoint *e = &server->end;
    if (e->has_peer && !fr__udp_is_same(from, &e->peer)) {
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
    if (now - server->heard > FR_UDP_SILENCE) { e->has_heard = false; }
    return true;
}

static void take_commands(fr_udp_server *server, double now) {
    fr__udp_packet packet, newest;
    struct sockaddr_in from;
    bool has_newest = false;
    int looks = FR__UDP_AT_ONCE;
    while (fr__udp_receive(&server->end, 1u << FR__UDP_COMMAND, &looks, &packet, &from)) {
        if (!is_host(server, &from, now) || !fr__udp_take(&server->end, &packet)) { continue; }
        newest = packet;
        has_newest = true;
        server->heard = now;
    }
    if (!has_newest) { return; }
    server->watchdog = 1e-3 * newest.watchdog_ms;
    server->is_safe = newest.command.is_safe;
    (void)server->def.device.write(&newest.command, server->def.device.user); // its reading shows when it is faulty
}

static void report(fr_udp_server *server, double now) {
    const fr_haptic_device *device = &server->def.device;
    fr__udp_packet packet;
    memset(&packet, 0, sizeof packet);
    packet.time_ns = (uint64_t)(1e9 * fmax(now, 0.0));
    if (now - server->described >= DESCRIBE_EVERY) {
        packet.kind = FR__UDP_DESCRIPTION;
        packet.description = (fr__udp_description){device->kind, device->strings, device->pulleys, device->force_max};
        (void)fr__udp_send(&server->end, &packet); // counted
        server->described = now;
    }
    packet.kind = FR__UDP_READING;
    if (device->read(&packet.reading, device->user) != FR_OK) { packet.reading.status |= FR_DEVICE_FAULT; }
    packet.heard = server->end.last_sequence;
    (void)fr__udp_send(&server->end, &packet);
}

void fr_udp_server_step(fr_udp_server *server, double now) {
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
