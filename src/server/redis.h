// The inside of a broadcast by Redis: two queues, and the thread between them and the connections.
#ifndef FUREAI_SERVER_REDIS_INTERNAL_H
#define FUREAI_SERVER_REDIS_INTERNAL_H

#include "server/redis_url.h"

#include <pthread.h>
#include <stdatomic.h>

struct redisContext;

// What stands before a message in a queue.
typedef struct fr__redis_head {
    uint32_t kind;                     // fr_broadcast_change or fr_broadcast_kind
    uint32_t topic_bytes, entry_bytes; // of names, without zeros
    uint32_t size;                     // of the message, or of the text with its zero
} fr__redis_head;

// A message of a queue; names are not ended by zeros.
typedef struct fr__redis_packed {
    fr__redis_head head;
    const char *topic, *entry;
    const unsigned char *bytes;
} fr__redis_packed;

struct fr_redis {
    fr_redis_def def;
    fr_allocator allocator;
    fr__redis_url url;
    char name[FR_REDIS_ADDRESS_MAX_BYTES + 1];

    // Set before the thread begins.
    char topics[FR_BROADCAST_MAX_TOPICS][FR_BROADCAST_NAME_MAX_BYTES + 1];
    uint32_t topic_count;
    bool reads_board;
    char own_topic[FR_BROADCAST_NAME_MAX_BYTES + 1]; // that only this one listens to, for its marks

    // Of both threads, under the lock.
    pthread_mutex_t lock;
    fr_byte_array outgoing, incoming;
    bool is_connected;
    fr_broadcast_wake_fn *wake;
    void *wake_context;

    atomic_bool is_stopped;
    atomic_size_t unsent; // bytes that the thread took out of `outgoing` and has not sent yet
    int alarm[2];         // a pipe that ends the thread's waits
    pthread_t thread;
    bool has_thread;

    // Of the caller's thread.
    fr_byte_array taken; // what `next` walks over
    size_t taken_at;

    // Of the thread.
    struct redisContext *commands, *messages; // NULL: there is no connection
    fr_byte_array sending;                    // taken out of `outgoing`
    size_t sending_at;
    uint64_t replies_due;   // that are waited for
    uint64_t heard_ns;      // when a reply came last, or none was waited for
    uint64_t messages_ns;   // when something came over `messages` last
    uint64_t pinged_ns;     // when a sign of life was last requested
    bool has_reported_loss; // since the last connection
};

// Appends a message to a queue; false when there is no memory.
bool fr__redis_pack(fr_byte_array *queue, const fr__redis_packed *packed);

// Reads the one at *at and goes behind it; false at the end.
bool fr__redis_unpack(const fr_byte_array *queue, size_t *at, fr__redis_packed *out);

// redis_link.c: what the thread does, until it is stopped.
void *fr__redis_run(void *redis);

#endif
