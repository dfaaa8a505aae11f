// What there is of sockets in a build without them: nothing can be listened on, so that a server has sessions alone.
#include "server/server.h"
#include "server/tls.h"

static fr_status refuse(fr_error *error) {
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build has no sockets: a server of it is local");
}

bool fr__listener_is_local(const char *address) {
    (void)address;
    return true;
}

fr_status fr__listener_open(const char *address, uint16_t port, fr__listener *out, fr_error *error) {
    (void)address;
    (void)port;
    out->descriptor = -1;
    return refuse(error);
}

void fr__listener_close(fr__listener *listener) { listener->descriptor = -1; }

fr_status fr__tls_check(const char *certificate_path, const char *key_path, fr_error *error) {
    (void)certificate_path;
    (void)key_path;
    return refuse(error);
}

fr_status fr__sockets_open(fr_server *server, fr_error *error) {
    (void)server;
    return refuse(error);
}

void fr__sockets_close(fr_server *server) { (void)server; }

bool fr__sockets_service(fr_server *server, uint64_t wait_ns) {
    (void)server;
    (void)wait_ns;
    return true;
}

void fr__sockets_end_deaf(fr_server *server, uint64_t now_ns) {
    (void)server;
    (void)now_ns;
}

void fr__sockets_wake(const fr_server *server) { (void)server; }

void fr__sockets_end_floods(fr_server *server, uint64_t now_ns) {
    (void)server;
    (void)now_ns;
}

void fr__sockets_send_states(fr_server *server) { (void)server; }
