// Fureai server, Redis: a broadcast (server_broadcast.h) by a Redis server, of version 2.6 or later. Library
// libfureai-world.
//
// One thread of its own alone speaks with Redis, so that a Redis that is slow, gone or wrong delays no one. Topics are
// channels fureai:WORLD:TOPIC, the board is the hash fureai:WORLD:board. Who can reach the Redis server can read and
// direct the world: let only homes and edges reach it.
#ifndef FUREAI_SERVER_REDIS_H
#define FUREAI_SERVER_REDIS_H

#include "server_broadcast.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_REDIS_PORT 6379               // where an address names none
#define FR_REDIS_ADDRESS_MAX_BYTES 255u  // of a url
#define FR_REDIS_MIN_WAITING_BYTES 65536 // of max_waiting_bytes

typedef struct fr_redis fr_redis;

typedef struct fr_redis_def {
    const char *url;           // "redis://HOST[:PORT][/WORLD]", HOST a name, an IPv4 address, or an IPv6 address in
                               // brackets, or "unix:PATH[#WORLD]" of a socket in the file system. WORLD keeps several
                               // homes at one Redis apart: letters, digits and '-'; "world" where it is not there
    const char *password_path; // file with the password of Redis in its first line; read with each connection, and
                               // must live as long; NULL, the default: none
    double timeout_seconds;    // in which Redis must reply, 0.05 .. 60; default 1
    size_t max_waiting_bytes;  // that wait to be sent, and that wait to be taken; default 2^26
    fr_allocator allocator;    // used on both threads; of all but hiredis's own memory. Default: the process default
    uint32_t cookie;           // set by fr_default_redis_def
} fr_redis_def;

FR_API fr_redis_def fr_default_redis_def(void);

// Whether this build has hiredis; without it fr_redis_create returns FR_ERROR_UNSUPPORTED.
FR_API bool fr_redis_is_built(void);

// Makes a broadcast, which begins to connect when it is listened to. Texts but the path are copied. FR_ERROR_ARGUMENT
// for a url that is none and for numbers outside their limits, FR_ERROR_SYSTEM where no thread can be had,
// FR_ERROR_MEMORY.
FR_API fr_status fr_redis_create(const fr_redis_def *def, fr_redis **out, fr_error *error);

// Sends what waits for at most a quarter of a second, and closes the connection. NULL is ignored.
FR_API void fr_redis_destroy(fr_redis *redis);

// Redis as a broadcast; valid while it lives.
FR_API fr_broadcast fr_redis_table(fr_redis *redis);

#ifdef __cplusplus
}
#endif

#endif
