// The addresses that connections come from, and what each may do.
#include "server/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

// A second, and at once.
enum {
    ARRIVALS_RATE = 100,
    ARRIVALS_MAX = 500,
    REQUESTS_RATE = 200,
    REQUESTS_MAX = 1000,
    OVERHEAD_RATE = 128 << 10,
    OVERHEAD_MAX = 512 << 10,
    MISTAKES_MAX = 10
};

#define MISTAKES_RATE 1.0
#define MESSAGES_SECONDS 2.0 // of the rate of messages and of bytes that may come at once

fr__peers fr__peers_make(uint32_t max_connections, double messages_per_second, double bytes_per_second,
                         const fr_allocator *allocator) {
    return (fr__peers){.list = fr__peer_array_make(allocator),
                       .max = max_connections + FR__PEERS_REMEMBERED,
                       .messages_per_second = messages_per_second,
                       .bytes_per_second = bytes_per_second};
}

void fr__peers_free(fr__peers *peers) { fr__peer_array_destroy(&peers->list); }

fr__peer_key fr__peer_key_of(const struct sockaddr *address) {
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    fr__peer_key key = {{0}};
    if (address->sa_family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, address, sizeof four);
        memcpy(key.bytes, mapped, sizeof mapped);
        memcpy(key.bytes + sizeof mapped, &four.sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 six;
        memcpy(&six, address, sizeof six);
        bool is_four = memcmp(&six.sin6_addr, mapped, sizeof mapped) == 0;
        memcpy(key.bytes, &six.sin6_addr, is_four ? 16 : 8);
    }
    return key;
}

void fr__peer_text(const fr__peer_key *key, char out[FR__PEER_TEXT_BYTES]) {
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    bool is_four = memcmp(key->bytes, mapped, sizeof mapped) == 0;
    const void *from = is_four ? key->bytes + sizeof mapped : key->bytes;
    if (inet_ntop(is_four ? AF_INET : AF_INET6, from, out, FR__PEER_TEXT_BYTES) == NULL) { out[0] = '\0'; }
}

static void begin_peer(const fr__peers *peers, fr__peer *peer, const fr__peer_key *key, uint64_t now_ns) {
    double messages = peers->messages_per_second, bytes = peers->bytes_per_second;
    *peer = (fr__peer){.key = *key,
                       .is_known = true,
                       .arrivals = fr__rate_make(ARRIVALS_RATE, ARRIVALS_MAX, now_ns),
                       .requests = fr__rate_make(REQUESTS_RATE, REQUESTS_MAX, now_ns),
                       .messages = fr__rate_make(messages, MESSAGES_SECONDS * messages, now_ns),
                       .bytes = fr__rate_make(bytes, MESSAGES_SECONDS * bytes, now_ns),
                       .overhead = fr__rate_make(OVERHEAD_RATE, OVERHEAD_MAX, now_ns),
                       .mistakes = fr__rate_make(MISTAKES_RATE, MISTAKES_MAX, now_ns)};
}

uint32_t fr__peers_place(fr__peers *peers, const fr__peer_key *key, uint64_t now_ns) {
    fr__peer *list = peers->list.data;
    size_t count = peers->list.count, oldest = SIZE_MAX, found = SIZE_MAX;
    for (size_t i = 0; i < count && found == SIZE_MAX; i++) {
        if (list[i].is_known && memcmp(&list[i].key, key, sizeof *key) == 0) { found = i; }
        bool may_go = list[i].connections == 0;
        if (may_go && (oldest == SIZE_MAX || list[i].seen_ns < list[oldest].seen_ns)) { oldest = i; }
    }
    if (found == SIZE_MAX && count < peers->max && fr__peer_array_push(&peers->list, 1) != NULL) {
        found = count;
        begin_peer(peers, &peers->list.data[found], key, now_ns);
    } else if (found == SIZE_MAX && oldest != SIZE_MAX) {
        found = oldest;
        begin_peer(peers, &list[found], key, now_ns);
    }
    if (found == SIZE_MAX) { return UINT32_MAX; }
    peers->list.data[found].seen_ns = now_ns;
    return (uint32_t)found;
}

void fr__peers_forget_scene(fr__peers *peers) {
    for (size_t i = 0; i < peers->list.count; i++) {
        peers->list.data[i].added = peers->list.data[i].commands = 0;
    }
}
