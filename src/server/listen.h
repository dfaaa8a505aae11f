// The socket that connections come in by.
#ifndef FUREAI_SERVER_LISTEN_H
#define FUREAI_SERVER_LISTEN_H

#include "server/peer.h"

typedef struct fr__listener {
    int descriptor; // -1: none; does not block
    uint16_t port;
} fr__listener;

// Whether an address can be reached from this machine alone; true for what is no address, too, which
// cannot be listened on.
bool fr__listener_is_local(const char *address);

// Listens on a numeric address, or "localhost". `port` 0: any that is free. FR_ERROR_SYSTEM with the reason.
fr_status fr__listener_open(const char *address, uint16_t port, fr__listener *out, fr_error *error);
void fr__listener_close(fr__listener *listener);

// The next connection that waits, and the address it comes from; -1: none.
int fr__listener_accept(const fr__listener *listener, fr__peer_key *key);

// Sets a connection up for short messages and little unsent data; it does not block from then on.
bool fr__listener_set_up(int descriptor);

#endif
