// The addresses that connections come from. What an address may do is counted over all its connections, so that one
// machine cannot shut the others out.
#ifndef FUREAI_SERVER_PEER_H
#define FUREAI_SERVER_PEER_H

#include "server/rate.h"

#include <sys/socket.h>

#define FR__PEER_TEXT_BYTES 48 // of an address as text, with the zero at its end

enum { FR__PEERS_REMEMBERED = 256 }; // addresses without a connection that are remembered

// An address: IPv6, or IPv4 as ::ffff:a.b.c.d. Of IPv6 the first 64 bits count: the rest is chosen by whom it was given
// to.
typedef struct fr__peer_key {
    unsigned char bytes[16];
} fr__peer_key;

typedef struct fr__peer {
    fr__peer_key key;
    bool is_known;        // false: the place is free
    uint32_t connections; // that are open
    uint32_t clients;     // of them WebSockets
    uint32_t added;       // objects that its clients added to the scene
    uint32_t commands;    // of its clients to people that wait or are carried out, also of clients that are gone
    uint64_t seen_ns;     // when a connection of it came last
    fr__rate arrivals;    // of connections
    fr__rate requests;    // of HTTP
    fr__rate messages;    // of its clients
    fr__rate bytes;       // in them
    fr__rate overhead;    // bytes that carry no message: control frames, empty fragments
    fr__rate mistakes;    // tokens that were wrong
} fr__peer;

FR_ARRAY_TYPE(fr__peer_array, fr__peer);

typedef struct fr__peers {
    fr__peer_array list; // places stay as long as a connection refers to them
    uint32_t max;        // places
    double messages_per_second, bytes_per_second;
} fr__peers;

// `max_connections` may be open at once; the rates are those of an address.
fr__peers fr__peers_make(uint32_t max_connections, double messages_per_second, double bytes_per_second,
                         const fr_allocator *allocator);
void fr__peers_free(fr__peers *peers);

// The key of an address of IPv4, IPv6, or any other family, which all count as one.
fr__peer_key fr__peer_key_of(const struct sockaddr *address);

// The address as people write it.
void fr__peer_text(const fr__peer_key *key, char out[FR__PEER_TEXT_BYTES]);

// The place of an address, given where it has none: that of the address without connections that was seen longest ago
// is taken where no other is left. UINT32_MAX: there is no memory, or more addresses are connected than may be.
uint32_t fr__peers_place(fr__peers *peers, const fr__peer_key *key, uint64_t now_ns);

// Forgets what was added to a scene that goes, and what its people were to do.
void fr__peers_forget_scene(fr__peers *peers);

#endif
