// The address of a server for other machines, and its QR code.
#include "serve_address.h"

#include "qr_code.h"
#include "terminal.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void serve_url(const char *scheme, const char *address, unsigned port, char *text, size_t size) {
    bool is_six = strchr(address, ':') != NULL;
    snprintf(text, size, "%s://%s%s%s:%u", scheme, is_six ? "[" : "", address, is_six ? "]" : "", port);
}

static bool is_loop(const char *address) {
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, address, &four) == 1) { return ntohl(four.s_addr) >> 24 == 127; }
    return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

static bool is_all(const char *address) {
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, address, &four) == 1) { return four.s_addr == htonl(INADDR_ANY); }
    return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_UNSPECIFIED(&six);
}

bool serve_reached_address(const char *address, char *text, size_t size) {
    if (!is_all(address)) {
        int length = snprintf(text, size, "%s", address);
        return !is_loop(address) && length >= 0 && (size_t)length < size;
    }
    // A server on all addresses of IPv6 takes those of IPv4 too, which are easier to read.
    struct ifaddrs *list = NULL;
    bool is_found = false;
    if (getifaddrs(&list) != 0) { return false; }
    for (const struct ifaddrs *each = list; each != NULL && !is_found; each = each->ifa_next) {
        if (each->ifa_addr == NULL || each->ifa_addr->sa_family != AF_INET) { continue; }
        struct sockaddr_in four;
        memcpy(&four, each->ifa_addr, sizeof four);
        is_found = inet_ntop(AF_INET, &four.sin_addr, text, (socklen_t)size) != NULL && !is_loop(text);
    }
    freeifaddrs(list);
    return is_found;
}

void serve_print_code(tool *t, const char *scheme, const char *address, unsigned port) {
    char reached[INET6_ADDRSTRLEN], url[SERVE_URL_BYTES], picture[QR_CODE_TEXT_BYTES];
    qr_code code;
    if (t->json || !terminal_redraws(STDOUT_FILENO) || !serve_reached_address(address, reached, sizeof reached)) {
        return;
    }
    serve_url(scheme, reached, port, url, sizeof url);
    if (!qr_code_encode(url, &code) || qr_code_columns(&code) > terminal_columns(STDOUT_FILENO)) { return; }
    qr_code_draw(&code, picture, sizeof picture);
    tool_print(t, "%s%s\n", picture, url);
}
