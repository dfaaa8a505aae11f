// One end of a connection over UDP: packets out and in, and which of them count.
#define _GNU_SOURCE
#include "udp_endpoint.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

bool fr_udp_parse_name(const char *text, char address[FR_UDP_ADDRESS_BYTES], uint16_t *port) {
    const char *colon = strrchr(text, ':');
    bool is_name = strncmp(text, "udp:", 4) == 0 && colon >= text + 5 && colon - text - 4 < FR_UDP_ADDRESS_BYTES;
    if (!is_name) { return false; }
    memcpy(address, text + 4, (size_t)(colon - text - 4));
    address[colon - text - 4] = '\0';
    const char *at = colon + 1, *end = at + strlen(at);
    int64_t number;
    if (!fr_number_read_whole(&at, end, &number) || at != end || number < 1 || number > 65535) { return false; }
    *port = (uint16_t)number;
    return true;
}

fr_status fr__udp_parse_address(const char *address, uint16_t port, struct sockaddr_in *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->sin_family = AF_INET;
    out->sin_port = htons(port);
    if (inet_pton(AF_INET, address, &out->sin_addr) != 1) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is no address such as 127.0.0.1", address);
    }
    return FR_OK;
}

fr_status fr__udp_open(fr__udp_endpoint *e, const struct sockaddr_in *own, fr_error *error) {
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

bool fr__udp_is_same(const struct sockaddr_in *a, const struct sockaddr_in *b) {
    return a->sin_addr.s_addr == b->sin_addr.s_addr && a->sin_port == b->sin_port;
}

fr_status fr__udp_send(fr__udp_endpoint *e, fr__udp_packet *packet) {
    uint8_t bytes[FR__UDP_MAX_BYTES];
    packet->sequence = e->sequence++;
    size_t size = fr__udp_encode(packet, bytes);
    ssize_t sent = sendto(e->socket, bytes, size, MSG_NOSIGNAL, (const struct sockaddr *)&e->peer, sizeof e->peer);
    if (sent != (ssize_t)size) {
        e->counts.unsent++;
        return FR_ERROR_SYSTEM;
    }
    e->counts.sent++;
    return FR_OK;
}

bool fr__udp_receive(fr__udp_endpoint *e, unsigned kinds, int *looks, fr__udp_packet *packet,
                     struct sockaddr_in *from) {
    uint8_t bytes[FR__UDP_MAX_BYTES + 1]; // one more, so that a packet that is too long shows
    while (*looks > 0) {
        socklen_t length = sizeof *from;
        ssize_t size = recvfrom(e->socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)from, &length);
        if (size < 0 && errno != ECONNREFUSED && errno != EINTR) { return false; }
        (*looks)--;
        if (size < 0) { continue; } // no program listens at the port that was sent to: not a packet
        fr_udp_fault fault = fr__udp_decode(bytes, (size_t)size, packet);
        if (fault == FR_UDP_FINE && (kinds >> packet->kind & 1u) == 0) { fault = FR_UDP_WRONG_KIND; }
        if (fault == FR_UDP_FINE) { return true; }
        e->counts.wrong[fault]++;
    }
    return false;
}

bool fr__udp_take(fr__udp_endpoint *e, const fr__udp_packet *packet) {
    bool is_new =
        !e->has_heard || (fr__udp_is_after(packet->sequence, e->last_sequence) && packet->time_ns >= e->last_time_ns);
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
