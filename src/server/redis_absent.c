// What there is of a broadcast by Redis in a build without hiredis.
#include "fureai/server_redis.h"

#define REDIS_COOKIE UINT32_C(0x72656469)

fr_redis_def fr_default_redis_def(void) {
    return (fr_redis_def){.timeout_seconds = 1.0, .max_waiting_bytes = (size_t)1 << 26, .cookie = REDIS_COOKIE};
}

bool fr_redis_is_built(void) { return false; }

fr_status fr_redis_create(const fr_redis_def *def, fr_redis **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != REDIS_COOKIE) { return fr_error_set_cookie(error, "fr_default_redis_def"); }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build has no Redis: hiredis was not found");
}

void fr_redis_destroy(fr_redis *redis) {
    (void)redis;
    FR_ASSERT(redis == NULL);
}

fr_broadcast fr_redis_table(fr_redis *redis) {
    (void)redis;
    return (fr_broadcast){0};
}
