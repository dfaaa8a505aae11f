// Who may speak to the server: the Host and Origin headers of a request.
//
// A page of any site can make a browser connect to the loopback address, and a name that its owner points at 127.0.0.1
// makes such a page look like ours. So a request is served only when its Host is one of our own, and a browser's
// Origin must be one of ours, too, or one that the definition allows.
#ifndef FUREAI_SERVER_ORIGIN_H
#define FUREAI_SERVER_ORIGIN_H

#include "fureai/base.h"

typedef struct fr__origins {
    const char *address; // that is listened on, as text
    uint16_t port;
    const char *const *allowed; // such as "https://example.org:8443"
    uint32_t allowed_count;
    bool is_secure; // it speaks TLS: the port that a host leaves away is 443
} fr__origins;

// Whether a text is an origin that may be allowed: http:// or https://, a host, perhaps a port, and nothing behind it.
bool fr__origin_check(const char *origin);

// Whether a Host header names us: the loopback addresses and "localhost" with our port, the address that is listened
// on, any numeric address where all are listened on, and the hosts of allowed origins.
bool fr__host_allowed(const fr__origins *origins, const char *host);

// Whether an Origin header is one of ours or allowed. `host` is the Host header of the same request: where all
// addresses are listened on, a numeric origin is ours only when it is the one that is spoken to, as others may have a
// page at our port, too. `origin` NULL: there is none, as with what is no browser.
bool fr__origin_allowed(const fr__origins *origins, const char *origin, const char *host);

#endif
