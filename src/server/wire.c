// Asks the kernel what came over a socket, and compares it with what was heard.
#include "server/wire.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// What a piece of a message may have around it: the heads of its frame and of a record of TLS. What is credited for it
// beyond what there was is forgotten above a limit.
enum { AROUND_BYTES = 64, CREDIT_BYTES = 64 << 10 };

bool fr__wire_read(int descriptor, uint64_t *out) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    int waiting = 0;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) { return false; }
    // An older kernel fills less of it.
    if (size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) { return false; }
    if (ioctl(descriptor, SIOCINQ, &waiting) != 0 || waiting < 0) { return false; }
    uint64_t received = info.tcpi_bytes_received;
    // More may have come between the two calls.
    *out = received > (uint64_t)waiting ? received - (uint64_t)waiting : 0;
    return true;
}

void fr__wire_hear(fr__traffic *wire, size_t size) { wire->heard += (int64_t)size + AROUND_BYTES; }

uint64_t fr__wire_count(fr__traffic *wire, uint64_t bytes) {
    int64_t taken = (int64_t)(bytes - wire->first);
    if (taken > wire->taken) { wire->taken = taken; }
    if (wire->heard > wire->taken + CREDIT_BYTES) { wire->heard = wire->taken + CREDIT_BYTES; }
    int64_t unheard = wire->taken - wire->heard;
    if (wire->charged > unheard + CREDIT_BYTES) { wire->charged = unheard + CREDIT_BYTES; }
    if (unheard <= wire->charged) { return 0; }
    uint64_t more = (uint64_t)(unheard - wire->charged);
    wire->charged = unheard;
    return more;
}
