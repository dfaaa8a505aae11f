// A broadcast within the process, which can be cut and filled with anything: a broker with a board, and a table for
// each member.
#ifndef FUREAI_TEST_SERVER_LOOP_BROADCAST_H
#define FUREAI_TEST_SERVER_LOOP_BROADCAST_H

#include "fureai/server_broadcast.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LOOP_MEMBERS = 4, LOOP_ENTRIES = 4096 };

typedef struct loop_event {
    fr_broadcast_kind kind;
    void *bytes;
    size_t size;
    struct loop_event *after;
} loop_event;

typedef struct loop_entry {
    char name[FR_BROADCAST_NAME_MAX_BYTES + 1];
    void *bytes; // NULL: the place is free
    size_t size;
} loop_entry;

struct loop_broker;

typedef struct loop_member {
    struct loop_broker *broker;
    char topics[FR_BROADCAST_MAX_TOPICS][FR_BROADCAST_NAME_MAX_BYTES + 1];
    uint32_t topic_count;
    bool reads_board, is_connected, is_stuck; // stuck: what it posts waits for ever
    size_t stuck_bytes;
    loop_event *first, *last, *taken;
    fr_broadcast_wake_fn *wake;
    void *context;
    uint64_t posts; // that were taken
} loop_member;

typedef struct loop_broker {
    pthread_mutex_t lock;
    loop_entry entries[LOOP_ENTRIES];
    loop_member members[LOOP_MEMBERS];
    uint32_t member_count;
} loop_broker;

static inline void *loop_copy(const void *bytes, size_t size) {
    void *copy = malloc(size + 1);
    if (size > 0) { memcpy(copy, bytes, size); }
    ((char *)copy)[size] = '\0';
    return copy;
}

// All with the lock.
static inline void loop_tell(loop_member *m, fr_broadcast_kind kind, const void *bytes, size_t size) {
    loop_event *event = malloc(sizeof *event);
    *event = (loop_event){kind, loop_copy(bytes, size), size, NULL};
    if (m->last != NULL) {
        m->last->after = event;
    } else {
        m->first = event;
    }
    m->last = event;
    if (m->wake != NULL) { m->wake(m->context); }
}

static inline void loop_set(loop_broker *b, const char *name, const void *bytes, size_t size) {
    loop_entry *place = NULL;
    for (int i = 0; i < LOOP_ENTRIES; i++) {
        loop_entry *entry = &b->entries[i];
        if (entry->bytes != NULL && (name == NULL || strcmp(entry->name, name) == 0)) {
            free(entry->bytes);
            entry->bytes = NULL;
        }
        if (entry->bytes == NULL && place == NULL) { place = entry; }
    }
    if (bytes == NULL || name == NULL || place == NULL) { return; }
    memcpy(place->name, name, strlen(name) + 1);
    place->bytes = loop_copy(bytes, size);
    place->size = size;
}

static inline void loop_join(loop_member *m) {
    m->is_connected = true;
    loop_tell(m, FR_BROADCAST_CONNECTED, NULL, 0);
    for (int i = LOOP_ENTRIES - 1; m->reads_board && i >= 0; i--) {
        const loop_entry *entry = &m->broker->entries[i];
        if (entry->bytes != NULL) { loop_tell(m, FR_BROADCAST_ENTRY, entry->bytes, entry->size); }
    }
    if (m->reads_board) { loop_tell(m, FR_BROADCAST_BOARD, NULL, 0); }
}

static inline void loop_send(loop_broker *b, const char *topic, const void *bytes, size_t size) {
    for (uint32_t i = 0; i < b->member_count; i++) {
        loop_member *m = &b->members[i];
        for (uint32_t k = 0; k < m->topic_count && m->is_connected; k++) {
            if (strcmp(m->topics[k], topic) == 0) { loop_tell(m, FR_BROADCAST_MESSAGE, bytes, size); }
        }
    }
}

// The table.
static inline fr_status loop_listen(const char *const *topics, uint32_t count, bool reads_board, void *user,
                                    fr_error *error) {
    (void)error;
    loop_member *m = user;
    pthread_mutex_lock(&m->broker->lock);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(m->topics[i], topics[i], strlen(topics[i]) + 1);
    }
    m->topic_count = count;
    m->reads_board = reads_board;
    loop_join(m);
    pthread_mutex_unlock(&m->broker->lock);
    return FR_OK;
}

static inline fr_status loop_post(const fr_broadcast_item *item, void *user, fr_error *error) {
    (void)error;
    loop_member *m = user;
    loop_broker *b = m->broker;
    fr_status status = FR_OK;
    pthread_mutex_lock(&b->lock);
    if (!m->is_connected) {
        status = FR_ERROR_STOPPED;
    } else if (m->is_stuck) {
        m->stuck_bytes += item->size;
        if (m->stuck_bytes > 1 << 22) { status = FR_ERROR_LIMIT; }
    } else {
        m->posts++;
        if (item->change == FR_BROADCAST_CLEAR) { loop_set(b, NULL, NULL, 0); }
        if (item->change == FR_BROADCAST_REMOVE) { loop_set(b, item->entry, NULL, 0); }
        if (item->change == FR_BROADCAST_CLEAR || item->change == FR_BROADCAST_SET) {
            loop_set(b, item->entry, item->bytes, item->size);
        }
        loop_send(b, item->topic, item->bytes, item->size);
    }
    pthread_mutex_unlock(&b->lock);
    return status;
}

static inline void loop_free(loop_event *event) {
    if (event != NULL) { free(event->bytes); }
    free(event);
}

static inline bool loop_next(fr_broadcast_event *out, void *user) {
    loop_member *m = user;
    pthread_mutex_lock(&m->broker->lock);
    loop_free(m->taken);
    m->taken = m->first;
    if (m->first != NULL) { m->first = m->first->after; }
    if (m->first == NULL) { m->last = NULL; }
    pthread_mutex_unlock(&m->broker->lock);
    if (m->taken == NULL) { return false; }
    *out = (fr_broadcast_event){m->taken->kind, m->taken->bytes, m->taken->size, m->taken->bytes};
    return true;
}

static inline size_t loop_waiting(void *user) {
    loop_member *m = user;
    pthread_mutex_lock(&m->broker->lock);
    size_t waiting = m->stuck_bytes;
    pthread_mutex_unlock(&m->broker->lock);
    return waiting;
}

static inline void loop_watch(fr_broadcast_wake_fn *wake, void *context, void *user) {
    loop_member *m = user;
    pthread_mutex_lock(&m->broker->lock);
    m->wake = wake;
    m->context = context;
    pthread_mutex_unlock(&m->broker->lock);
}

// A table of a member that is new, or was there before (fr_server_destroy has left it).
static inline fr_broadcast loop_table(loop_broker *b, uint32_t member) {
    loop_member *m = &b->members[member];
    pthread_mutex_lock(&b->lock);
    if (b->member_count <= member) { b->member_count = member + 1; }
    m->broker = b;
    pthread_mutex_unlock(&b->lock);
    return (fr_broadcast){loop_listen, loop_post, loop_next, loop_waiting, loop_watch, "a loop", m};
}

static inline void loop_empty(loop_member *m) {
    while (m->first != NULL) {
        loop_event *event = m->first;
        m->first = event->after;
        loop_free(event);
    }
    loop_free(m->taken);
    m->last = m->taken = NULL;
}

// A member leaves without a word, as by kill -9.
static inline void loop_leave(loop_broker *b, uint32_t member) {
    pthread_mutex_lock(&b->lock);
    loop_empty(&b->members[member]);
    b->members[member] = (loop_member){.broker = b};
    pthread_mutex_unlock(&b->lock);
}

// The broker goes with all that it has, and comes back empty.
static inline void loop_cut(loop_broker *b) {
    pthread_mutex_lock(&b->lock);
    loop_set(b, NULL, NULL, 0);
    for (uint32_t i = 0; i < b->member_count; i++) {
        loop_member *m = &b->members[i];
        if (m->topic_count == 0) { continue; }
        m->is_connected = false;
        loop_tell(m, FR_BROADCAST_LOST, "it was cut", 11);
    }
    pthread_mutex_unlock(&b->lock);
}

static inline void loop_restore(loop_broker *b) {
    pthread_mutex_lock(&b->lock);
    for (uint32_t i = 0; i < b->member_count; i++) {
        if (b->members[i].topic_count > 0) { loop_join(&b->members[i]); }
    }
    pthread_mutex_unlock(&b->lock);
}

static inline void loop_begin(loop_broker *b) {
    memset(b, 0, sizeof *b);
    (void)pthread_mutex_init(&b->lock, NULL);
}

static inline void loop_end(loop_broker *b) {
    loop_set(b, NULL, NULL, 0);
    for (uint32_t i = 0; i < b->member_count; i++) {
        loop_empty(&b->members[i]);
    }
    pthread_mutex_destroy(&b->lock);
}

#endif
