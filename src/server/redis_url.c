// Reading the address of a Redis server.
#include "server/redis_url.h"

#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#define WORLD "world"

static fr_status refuse(const char *text, fr_error *error) {
    return fr_error_set(error, FR_ERROR_ARGUMENT,
                        "'%.100s' is no address of Redis such as redis://HOST:PORT, redis://HOST/WORLD or unix:PATH",
                        text != NULL ? text : "");
}

bool fr__broadcast_is_name(const char *text) {
    size_t size = 0;
    for (; text != NULL && text[size] != '\0' && size <= FR_BROADCAST_NAME_MAX_BYTES; size++) {
        char c = text[size];
        bool is_right = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
        if (!is_right) { return false; }
    }
    return size > 0 && size <= FR_BROADCAST_NAME_MAX_BYTES;
}

static bool read_world(const char *text, fr__redis_url *out) {
    if (!fr__broadcast_is_name(text)) { return false; }
    memcpy(out->world, text, strlen(text) + 1);
    return true;
}

// unix:PATH or unix:PATH#WORLD.
static bool read_path(const char *text, fr__redis_url *out) {
    size_t size = strcspn(text, "#");
    if (size == 0 || size >= sizeof((struct sockaddr_un *)0)->sun_path) { return false; }
    memcpy(out->host, text, size);
    out->is_path = true;
    return text[size] == '\0' || read_world(text + size + 1, out);
}

// HOST, HOST:PORT, and either with /, or /WORLD behind: what stands before the last is as the address of a server.
static bool read_host(const char *text, fr__redis_url *out) {
    char as_server[FR__URL_MAX_BYTES + 1];
    size_t size = strcspn(text, "/");
    fr__url url;
    int length = snprintf(as_server, sizeof as_server, "ws://%.*s", (int)size, text);
    if (length < 0 || (size_t)length >= sizeof as_server) { return false; }
    if (fr__url_read(as_server, FR_REDIS_PORT, &url, NULL) != FR_OK) { return false; }
    memcpy(out->host, url.host, strlen(url.host) + 1);
    out->port = url.port;
    return text[size] == '\0' || text[size + 1] == '\0' || read_world(text + size + 1, out);
}

fr_status fr__redis_url_read(const char *text, fr__redis_url *out, fr_error *error) {
    *out = (fr__redis_url){.world = WORLD};
    if (text == NULL || strlen(text) > FR_REDIS_ADDRESS_MAX_BYTES) { return refuse(text, error); }
    bool is_read = false;
    if (strncmp(text, "unix:", 5) == 0) {
        is_read = read_path(text + 5, out);
    } else if (strncmp(text, "redis://", 8) == 0) {
        is_read = read_host(text + 8, out);
    }
    return is_read ? FR_OK : refuse(text, error);
}
