// The address of a Redis server as people write it: redis://HOST:PORT/WORLD or unix:PATH#WORLD.
#ifndef FUREAI_SERVER_REDIS_URL_H
#define FUREAI_SERVER_REDIS_URL_H

#include "server/url.h"

#include "fureai/server_redis.h"

typedef struct fr__redis_url {
    char host[FR_REDIS_ADDRESS_MAX_BYTES + 1]; // a name or a number, without brackets; of a socket its path
    char world[FR_BROADCAST_NAME_MAX_BYTES + 1];
    uint16_t port;
    bool is_path; // `host` is the path of a socket
} fr__redis_url;

// FR_ERROR_ARGUMENT, with a sentence, for what is no such address.
fr_status fr__redis_url_read(const char *text, fr__redis_url *out, fr_error *error);

// Whether a text is the name of a topic, an entry or a world: 1 .. FR_BROADCAST_NAME_MAX_BYTES letters, digits and '-'.
bool fr__broadcast_is_name(const char *text);

#endif
