// Opens the address that a server listens on.
#include "server/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024, UNSENT_BYTES = 128 << 10 };

static fr_status refuse(fr_error *error, const char *address, uint16_t port, const char *reason) {
    bool is_six = strchr(address, ':') != NULL;
    return fr_error_set(error, FR_ERROR_SYSTEM, "cannot listen on %s%s%s:%u: %s", is_six ? "[" : "", address,
                        is_six ? "]" : "", (unsigned)port, reason);
}

static bool set_up(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

static bool bind_and_listen(int descriptor, const struct addrinfo *where) {
    int yes = 1;
    // A port whose last connections are still being forgotten may be taken again at once.
    return setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
           bind(descriptor, where->ai_addr, where->ai_addrlen) == 0 && listen(descriptor, BACKLOG) == 0 &&
           set_up(descriptor);
}

static uint16_t port_of(int descriptor) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } name;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    if (getsockname(descriptor, &name.any, &size) != 0) { return 0; }
    return ntohs(name.any.sa_family == AF_INET6 ? name.six.sin6_port : name.four.sin_port);
}

// A numeric address, or "localhost"; NULL for anything else. The caller frees it.
static struct addrinfo *find_address(const char *address, uint16_t port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found = NULL;
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    const char *numeric = strcmp(address, "localhost") == 0 ? "127.0.0.1" : address;
    return getaddrinfo(numeric, service, &hints, &found) == 0 ? found : NULL;
}

bool fr__listener_is_local(const char *address) {
    struct addrinfo *found = find_address(address, 1);
    if (found == NULL) { return true; }
    fr__peer_key key = fr__peer_key_of(found->ai_addr);
    struct sockaddr_in6 six = {0};
    if (found->ai_family == AF_INET6) { memcpy(&six, found->ai_addr, sizeof six); }
    bool is_six = found->ai_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
    freeaddrinfo(found);
    // The first byte of IPv4 stands behind its prefix in the key.
    return is_six || key.bytes[12] == 127;
}

fr_status fr__listener_open(const char *address, uint16_t port, fr__listener *out, fr_error *error) {
    *out = (fr__listener){.descriptor = -1};
    struct addrinfo *found = find_address(address, port);
    if (found == NULL) { return refuse(error, address, port, "that is no numeric address"); }
    int descriptor = socket(found->ai_family, SOCK_STREAM, 0);
    bool good = descriptor >= 0 && bind_and_listen(descriptor, found);
    int reason = errno;
    freeaddrinfo(found);
    if (!good) {
        if (descriptor >= 0) { close(descriptor); }
        return refuse(error, address, port, strerror(reason));
    }
    out->descriptor = descriptor;
    out->port = port_of(descriptor);
    return FR_OK;
}

void fr__listener_close(fr__listener *listener) {
    if (listener->descriptor >= 0) { close(listener->descriptor); }
    listener->descriptor = -1;
}

int fr__listener_accept(const fr__listener *listener, fr__peer_key *key) {
    int descriptor;
    union {
        struct sockaddr any;
        struct sockaddr_storage storage;
    } from;
    do {
        socklen_t size = sizeof from;
        memset(&from, 0, sizeof from);
        descriptor = accept(listener->descriptor, &from.any, &size);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) { return -1; }
    *key = fr__peer_key_of(&from.any);
    return descriptor;
}

bool fr__listener_set_up(int descriptor) {
    if (!set_up(descriptor)) { return false; }
    int yes = 1;
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#ifdef TCP_NOTSENT_LOWAT
    // A client counts as ready for the newest state only while little of the older ones still waits in the kernel.
    int unsent = UNSENT_BYTES;
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
#endif
    return true;
}
