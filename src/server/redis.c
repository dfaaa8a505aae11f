// A broadcast by Redis: its making, and what the server's thread calls.
#include "server/redis.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define REDIS_COOKIE UINT32_C(0x72656469)

fr_redis_def fr_default_redis_def(void) {
    return (fr_redis_def){.timeout_seconds = 1.0, .max_waiting_bytes = (size_t)1 << 26, .cookie = REDIS_COOKIE};
}

bool fr_redis_is_built(void) { return true; }

// ---------------------------------------------------------------------------------------------------------------
// Queues

bool fr__redis_pack(fr_byte_array *queue, const fr__redis_packed *packed) {
    const fr__redis_head *head = &packed->head;
    size_t size = sizeof *head + head->topic_bytes + head->entry_bytes + head->size;
    unsigned char *at = fr_byte_array_push(queue, size);
    if (at == NULL) { return false; }
    memcpy(at, head, sizeof *head);
    at += sizeof *head;
    if (head->topic_bytes > 0) { memcpy(at, packed->topic, head->topic_bytes); }
    at += head->topic_bytes;
    if (head->entry_bytes > 0) { memcpy(at, packed->entry, head->entry_bytes); }
    at += head->entry_bytes;
    if (head->size > 0) { memcpy(at, packed->bytes, head->size); }
    return true;
}

bool fr__redis_unpack(const fr_byte_array *queue, size_t *at, fr__redis_packed *out) {
    if (*at >= queue->count) { return false; }
    memcpy(&out->head, queue->data + *at, sizeof out->head);
    out->topic = (const char *)queue->data + *at + sizeof out->head;
    out->entry = out->topic + out->head.topic_bytes;
    out->bytes = (const unsigned char *)out->entry + out->head.entry_bytes;
    *at += sizeof out->head + out->head.topic_bytes + out->head.entry_bytes + out->head.size;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The table

static void ring(const fr_redis *redis) {
    ssize_t written;
    do {
        written = write(redis->alarm[1], "", 1);
    } while (written < 0 && errno == EINTR);
}

static fr_status start_thread(fr_redis *redis, fr_error *error) {
    // Signals are the program's: the thread takes none, not even that of a connection that is gone.
    sigset_t all, before;
    sigfillset(&all);
    bool is_blocked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    redis->has_thread = pthread_create(&redis->thread, NULL, fr__redis_run, redis) == 0;
    if (is_blocked) { (void)pthread_sigmask(SIG_SETMASK, &before, NULL); }
    return redis->has_thread ? FR_OK : fr_error_set(error, FR_ERROR_SYSTEM, "no thread can be had for Redis");
}

static fr_status listen_to(const char *const *topics, uint32_t count, bool reads_board, void *user, fr_error *error) {
    fr_redis *redis = user;
    bool is_right = !redis->has_thread && count > 0 && count <= FR_BROADCAST_MAX_TOPICS;
    for (uint32_t i = 0; is_right && i < count; i++) {
        is_right = fr__broadcast_is_name(topics[i]);
        if (is_right) { memcpy(redis->topics[i], topics[i], strlen(topics[i]) + 1); }
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "these are no topics, or they were given already"); }
    redis->topic_count = count;
    redis->reads_board = reads_board;
    memcpy(redis->own_topic, redis->topics[count - 1], sizeof redis->own_topic);
    return start_thread(redis, error);
}

static fr_status check_item(const fr_broadcast_item *item, fr_error *error) {
    bool has_entry = item->change != FR_BROADCAST_SEND;
    bool is_right = fr__broadcast_is_name(item->topic) && (!has_entry || fr__broadcast_is_name(item->entry)) &&
                    item->size <= FR_BROADCAST_MAX_BYTES;
    return is_right ? FR_OK : fr_error_set(error, FR_ERROR_ARGUMENT, "this can be no message of a broadcast");
}

static fr_status post(const fr_broadcast_item *item, void *user, fr_error *error) {
    fr_redis *redis = user;
    fr_status status = check_item(item, error);
    if (status != FR_OK) { return status; }
    fr__redis_packed packed = {
        .head = {.kind = item->change, .topic_bytes = (uint32_t)strlen(item->topic), .size = (uint32_t)item->size},
        .topic = item->topic,
        .entry = item->entry,
        .bytes = item->bytes};
    if (item->change != FR_BROADCAST_SEND) { packed.head.entry_bytes = (uint32_t)strlen(item->entry); }
    pthread_mutex_lock(&redis->lock);
    size_t waiting = redis->outgoing.count + atomic_load(&redis->unsent);
    if (!redis->is_connected) {
        status = FR_ERROR_STOPPED;
    } else if (waiting > redis->def.max_waiting_bytes || item->size > redis->def.max_waiting_bytes - waiting) {
        status = FR_ERROR_LIMIT;
    } else if (!fr__redis_pack(&redis->outgoing, &packed)) {
        status = FR_ERROR_MEMORY;
    }
    pthread_mutex_unlock(&redis->lock);
    if (status != FR_OK) {
        return fr_error_set(error, status, "it cannot be sent to Redis: %s", fr_status_text(status));
    }
    ring(redis);
    return FR_OK;
}

static bool next_event(fr_broadcast_event *out, void *user) {
    fr_redis *redis = user;
    if (redis->taken_at >= redis->taken.count) {
        redis->taken.count = redis->taken_at = 0;
        pthread_mutex_lock(&redis->lock);
        fr_byte_array empty = redis->taken;
        redis->taken = redis->incoming;
        redis->incoming = empty;
        pthread_mutex_unlock(&redis->lock);
        // The thread may wait for the room.
        if (redis->taken.count > 0) { ring(redis); }
    }
    fr__redis_packed packed;
    if (!fr__redis_unpack(&redis->taken, &redis->taken_at, &packed)) { return false; }
    bool is_loss = packed.head.kind == FR_BROADCAST_LOST;
    *out = (fr_broadcast_event){.kind = (fr_broadcast_kind)packed.head.kind,
                                .bytes = packed.bytes,
                                .size = is_loss ? 0 : packed.head.size,
                                .text = is_loss ? (const char *)packed.bytes : ""};
    return true;
}

static size_t count_waiting(void *user) {
    fr_redis *redis = user;
    pthread_mutex_lock(&redis->lock);
    size_t waiting = redis->outgoing.count + atomic_load(&redis->unsent);
    pthread_mutex_unlock(&redis->lock);
    return waiting;
}

static void watch(fr_broadcast_wake_fn *wake, void *context, void *user) {
    fr_redis *redis = user;
    pthread_mutex_lock(&redis->lock);
    redis->wake = wake;
    redis->wake_context = context;
    bool has_something = redis->incoming.count > 0;
    if (has_something && wake != NULL) { wake(context); }
    pthread_mutex_unlock(&redis->lock);
}

fr_broadcast fr_redis_table(fr_redis *redis) {
    FR_ASSERT(redis != NULL);
    return (fr_broadcast){.listen = listen_to,
                          .post = post,
                          .next = next_event,
                          .waiting = count_waiting,
                          .watch = watch,
                          .name = redis->name,
                          .user = redis};
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static bool open_alarm(fr_redis *redis) {
    if (pipe(redis->alarm) != 0) {
        redis->alarm[0] = redis->alarm[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(redis->alarm[i], F_SETFL, O_NONBLOCK);
        (void)fcntl(redis->alarm[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

fr_status fr_redis_create(const fr_redis_def *def, fr_redis **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != REDIS_COOKIE) { return fr_error_set_cookie(error, "fr_default_redis_def"); }
    fr__redis_url url;
    fr_status status = fr__redis_url_read(def->url, &url, error);
    if (status != FR_OK) { return status; }
    bool is_patient = def->timeout_seconds >= 0.05 && def->timeout_seconds <= 60.0;
    if (!is_patient || def->max_waiting_bytes < FR_REDIS_MIN_WAITING_BYTES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "timeout_seconds must be from 0.05 to 60, max_waiting_bytes %d or more",
                            FR_REDIS_MIN_WAITING_BYTES);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_redis *redis = fr_allocate(&allocator, 1, sizeof *redis, _Alignof(fr_redis));
    if (redis == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a broadcast"); }
    memset(redis, 0, sizeof *redis);
    redis->def = *def;
    redis->allocator = allocator;
    redis->url = url;
    memcpy(redis->name, def->url, strlen(def->url) + 1);
    redis->outgoing = redis->incoming = redis->taken = redis->sending = fr_byte_array_make(&allocator);
    atomic_init(&redis->is_stopped, false);
    atomic_init(&redis->unsent, 0);
    bool has_lock = pthread_mutex_init(&redis->lock, NULL) == 0;
    if (!has_lock || !open_alarm(redis)) {
        if (has_lock) { pthread_mutex_destroy(&redis->lock); }
        fr_deallocate(&allocator, redis, 1, sizeof *redis);
        return fr_error_set(error, FR_ERROR_SYSTEM, "no pipe can be had for Redis: %s", strerror(errno));
    }
    *out = redis;
    return FR_OK;
}

void fr_redis_destroy(fr_redis *redis) {
    if (redis == NULL) { return; }
    atomic_store(&redis->is_stopped, true);
    ring(redis);
    if (redis->has_thread) { (void)pthread_join(redis->thread, NULL); }
    close(redis->alarm[0]);
    close(redis->alarm[1]);
    pthread_mutex_destroy(&redis->lock);
    fr_byte_array_destroy(&redis->outgoing);
    fr_byte_array_destroy(&redis->incoming);
    fr_byte_array_destroy(&redis->taken);
    fr_byte_array_destroy(&redis->sending);
    fr_allocator allocator = redis->allocator;
    fr_deallocate(&allocator, redis, 1, sizeof *redis);
}
