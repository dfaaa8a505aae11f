// One end of a connection over UDP: a socket, who is on the other end, and what came in.
#ifndef FUREAI_DEVICES_UDP_ENDPOINT_H
#define FUREAI_DEVICES_UDP_ENDPOINT_H

#include "udp_packet.h"

#include <netinet/in.h>
#include <sys/socket.h>

#define FR__UDP_AT_ONCE 64 // packets looked at in a step: a flood does not hold the loop

typedef struct fr__udp_endpoint {
    int socket;
    struct sockaddr_in peer;
    bool has_peer;
    bool has_heard; // a packet of this peer, whose sequence and time the next must come after
    uint32_t last_sequence;
    uint64_t last_time_ns;
    uint32_t sequence; // of the next packet that goes out
    fr_udp_counts counts;
} fr__udp_endpoint;

// FR_ERROR_ARGUMENT for what is no numeric IPv4 address.
fr_status fr__udp_parse_address(const char *address, uint16_t port, struct sockaddr_in *out, fr_error *error);

// A socket that does not wait, at this address. FR_ERROR_SYSTEM.
fr_status fr__udp_open(fr__udp_endpoint *e, const struct sockaddr_in *own, fr_error *error);

bool fr__udp_is_same(const struct sockaddr_in *a, const struct sockaddr_in *b);

// Sends a packet to the peer under the next sequence number. FR_ERROR_SYSTEM, which is counted.
fr_status fr__udp_send(fr__udp_endpoint *e, fr__udp_packet *packet);

// The next packet of a kind that belongs here (a bit for each in `kinds`); false when there is none. `from` is set.
bool fr__udp_receive(fr__udp_endpoint *e, unsigned kinds, int *looks, fr__udp_packet *packet, struct sockaddr_in *from);

// Whether a packet comes after the last one of this peer; then it is the last one.
bool fr__udp_take(fr__udp_endpoint *e, const fr__udp_packet *packet);

#endif
