// Reading the address of a server.
#include "server/url.h"

#include <stdio.h>
#include <string.h>

static fr_status refuse(fr_error *error) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the address of a server is ws://HOST:PORT or wss://HOST:PORT");
}

// Letters, digits, dots and hyphens; of a number in brackets digits, letters up to f, dots and colons.
static bool is_host(const char *text, size_t size, bool is_six) {
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool is_right = is_hex || c == '.' || (is_six ? c == ':' : is_letter || c == '-');
        if (!is_right) { return false; }
    }
    return size > 0;
}

fr_status fr__url_read(const char *text, uint16_t port, fr__url *out, fr_error *error) {
    *out = (fr__url){.port = port};
    if (text == NULL || strlen(text) > FR__URL_MAX_BYTES) { return refuse(error); }
    out->is_secure = strncmp(text, "wss://", 6) == 0;
    if (!out->is_secure && strncmp(text, "ws://", 5) != 0) { return refuse(error); }
    const char *host = text + (out->is_secure ? 6 : 5);
    bool is_six = *host == '[';
    host += is_six ? 1 : 0;
    size_t size = strcspn(host, is_six ? "]" : ":/");
    if (!is_host(host, size, is_six) || (is_six && host[size] != ']')) { return refuse(error); }
    memcpy(out->host, host, size);
    const char *at = host + size + (is_six ? 1 : 0);
    if (*at == ':') {
        uint32_t number = 0;
        size_t digits = strspn(at + 1, "0123456789");
        for (size_t i = 1; i <= digits && number <= UINT16_MAX; i++) {
            number = 10 * number + (uint32_t)(at[i] - '0');
        }
        if (digits == 0 || number == 0 || number > UINT16_MAX) { return refuse(error); }
        out->port = (uint16_t)number;
        at += 1 + digits;
    }
    if (*at == '/') { at++; }
    if (*at != '\0') { return refuse(error); }
    snprintf(out->host_port, sizeof out->host_port, is_six ? "[%s]:%u" : "%s:%u", out->host, (unsigned)out->port);
    return FR_OK;
}
