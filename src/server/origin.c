// Checks the headers Host and Origin of a request.
#include "server/origin.h"

#include "fureai/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

#define HOST_MAX_BYTES 255

// A host and its port as a header has them.
typedef struct authority {
    char host[HOST_MAX_BYTES + 1]; // without the brackets of IPv6
    bool in_brackets;
    bool has_port;
    uint32_t port;
} authority;

// The port behind a colon: 1 .. 5 digits up to 65535, and nothing after them.
static bool read_port(const char *text, authority *out) {
    size_t length = strlen(text);
    if (length == 0 || length > 5 || strspn(text, "0123456789") != length) { return false; }
    out->port = 0;
    for (size_t i = 0; i < length; i++) {
        out->port = out->port * 10 + (uint32_t)(text[i] - '0');
    }
    out->has_port = true;
    return out->port <= UINT16_MAX;
}

// Divides "host:port", "host", "[v6]:port" or "[v6]". Hosts are letters, digits, dots and dashes, or a numeric address.
static bool read_authority(const char *text, authority *out) {
    *out = (authority){0};
    out->in_brackets = text[0] == '[';
    const char *begin = out->in_brackets ? text + 1 : text;
    const char *letters = out->in_brackets ? "0123456789abcdefABCDEF:."
                                           : "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-";
    size_t length = strspn(begin, letters);
    if (length == 0 || length > HOST_MAX_BYTES) { return false; }
    memcpy(out->host, begin, length);
    const char *rest = begin + length;
    if (out->in_brackets) {
        if (rest[0] != ']') { return false; }
        rest++;
    }
    return rest[0] == '\0' || (rest[0] == ':' && read_port(rest + 1, out));
}

// Behind the scheme of an origin; NULL where it has another one than http and https.
static const char *after_scheme(const char *origin, uint32_t *port) {
    if (strncasecmp(origin, "http://", 7) == 0) {
        *port = 80;
        return origin + 7;
    }
    if (strncasecmp(origin, "https://", 8) == 0) {
        *port = 443;
        return origin + 8;
    }
    return NULL;
}

// Divides an origin; the port is the scheme's where it has none.
static bool read_origin(const char *origin, authority *out) {
    uint32_t port = 0;
    const char *rest = after_scheme(origin, &port);
    if (rest == NULL || !read_authority(rest, out)) { return false; }
    if (!out->has_port) { out->port = port; }
    return true;
}

bool fr__origin_check(const char *origin) {
    authority parts;
    return read_origin(origin, &parts);
}

static bool is_numeric(const authority *a) {
    struct in_addr four;
    struct in6_addr six;
    return a->in_brackets ? inet_pton(AF_INET6, a->host, &six) == 1 : inet_pton(AF_INET, a->host, &four) == 1;
}

// The loopback addresses and the one that is listened on.
static bool is_named_ours(const fr__origins *origins, const authority *a) {
    if (a->port != origins->port) { return false; }
    if (a->in_brackets) { return strcasecmp(a->host, "::1") == 0 || strcasecmp(a->host, origins->address) == 0; }
    return strcasecmp(a->host, "127.0.0.1") == 0 || strcasecmp(a->host, "localhost") == 0 ||
           strcasecmp(a->host, origins->address) == 0;
}

// Any other address that may be ours, where all are listened on.
static bool may_be_ours(const fr__origins *origins, const authority *a) {
    bool listens_to_six = strcmp(origins->address, "::") == 0;
    bool listens_to_four = listens_to_six || strcmp(origins->address, "0.0.0.0") == 0;
    return a->port == origins->port && (a->in_brackets ? listens_to_six : listens_to_four) && is_numeric(a);
}

bool fr__host_allowed(const fr__origins *origins, const char *host) {
    authority named;
    if (host == NULL || !read_authority(host, &named)) { return false; }
    if (!named.has_port) { named.port = origins->is_secure ? 443 : 80; }
    if (is_named_ours(origins, &named) || may_be_ours(origins, &named)) { return true; }
    for (uint32_t i = 0; i < origins->allowed_count; i++) {
        authority allowed;
        if (!read_origin(origins->allowed[i], &allowed) || strcasecmp(allowed.host, named.host) != 0) { continue; }
        // A proxy before us may leave the port of https away, or put ours there.
        if (!named.has_port || named.port == allowed.port || named.port == origins->port) { return true; }
    }
    return false;
}

bool fr__origin_allowed(const fr__origins *origins, const char *origin, const char *host) {
    if (origin == NULL) { return true; }
    for (uint32_t i = 0; i < origins->allowed_count; i++) {
        if (strcasecmp(origins->allowed[i], origin) == 0) { return true; }
    }
    authority named, spoken_to;
    if (!read_origin(origin, &named)) { return false; }
    if (is_named_ours(origins, &named)) { return true; }
    return may_be_ours(origins, &named) && host != NULL && read_authority(host, &spoken_to) &&
           spoken_to.in_brackets == named.in_brackets && strcasecmp(spoken_to.host, named.host) == 0;
}

uint32_t fr_origins_divide(char *text, const char **out, uint32_t max) {
    uint32_t count = 0;
    for (char *at = text; at != NULL && count < max;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) { *comma = '\0'; }
        out[count++] = at;
        at = comma != NULL ? comma + 1 : NULL;
        if (at != NULL && count == max) { return 0; }
    }
    return count;
}
