// The address of a server as people write it: ws://HOST:PORT, or wss://HOST:PORT over TLS.
#ifndef FUREAI_SERVER_URL_H
#define FUREAI_SERVER_URL_H

#include "fureai/base.h"

#define FR__URL_MAX_BYTES 255

typedef struct fr__url {
    char host[FR__URL_MAX_BYTES + 1];      // a name or a number, without brackets
    char host_port[FR__URL_MAX_BYTES + 8]; // as a Host header has it
    uint16_t port;
    bool is_secure; // wss: over TLS
} fr__url;

// Reads "ws://HOST", "ws://HOST:PORT", the same with wss, and each with a "/" behind. FR_ERROR_ARGUMENT for anything
// else; `port` is taken where none is given.
fr_status fr__url_read(const char *text, uint16_t port, fr__url *out, fr_error *error);

#endif
