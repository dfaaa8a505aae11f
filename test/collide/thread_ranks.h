// An exchange whose ranks are threads of the test: what MPI does, without it.
#ifndef FUREAI_TEST_COLLIDE_THREAD_RANKS_H
#define FUREAI_TEST_COLLIDE_THREAD_RANKS_H

#include "fureai/collide_exchange.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREAD_MOST_RANKS = 16 };

typedef struct thread_group thread_group;

// One rank, as the callbacks see it.
typedef struct thread_rank {
    thread_group *group;
    uint32_t number;
    fr_exchange exchange;
    const void *given; // to the gather in progress
    size_t given_bytes;
    const size_t *given_ends; // of all_to_all
    unsigned char *received;  // from all_to_all
    size_t received_ends[THREAD_MOST_RANKS];
    uint64_t gathers, all_to_alls;
    uint64_t calls; // of the counter
    uint64_t bytes; // it gave
    bool begins;    // the last that work reported
    pthread_t thread;
    void *context;
} thread_rank;

struct thread_group {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t count, arrived;
    uint64_t round;
    bool has_left; // a rank is gone
    unsigned char *joined;
    size_t ends[THREAD_MOST_RANKS];
    atomic_ullong counter;
    thread_rank ranks[THREAD_MOST_RANKS];
};

static inline bool thread_join_bytes(thread_group *g) {
    size_t total = 0;
    for (uint32_t r = 0; r < g->count; r++) {
        g->ends[r] = total += g->ranks[r].given_bytes;
    }
    free(g->joined);
    g->joined = malloc(total + 1);
    for (uint32_t r = 0; r < g->count && g->joined != NULL; r++) {
        size_t size = g->ranks[r].given_bytes;
        if (size > 0) { memcpy(g->joined + g->ends[r] - size, g->ranks[r].given, size); }
    }
    return g->joined != NULL;
}

// Gives each rank what all have for it. A rank in another call than the others is one that does not keep to the order.
static inline bool thread_deal_bytes(thread_group *g) {
    bool is_dealt = true;
    for (uint32_t r = 0; r < g->count && is_dealt; r++) {
        size_t total = 0;
        for (uint32_t from = 0; from < g->count && is_dealt; from++) {
            const size_t *ends = g->ranks[from].given_ends;
            is_dealt = ends != NULL;
            g->ranks[r].received_ends[from] = total += is_dealt ? ends[r] - (r > 0 ? ends[r - 1] : 0) : 0;
        }
        free(g->ranks[r].received);
        unsigned char *out = g->ranks[r].received = is_dealt ? malloc(total + 1) : NULL;
        is_dealt = out != NULL;
        for (uint32_t from = 0; from < g->count && is_dealt; from++) {
            const size_t *ends = g->ranks[from].given_ends;
            size_t begin = r > 0 ? ends[r - 1] : 0;
            if (ends[r] > begin) { memcpy(out, (const char *)g->ranks[from].given + begin, ends[r] - begin); }
            out += ends[r] - begin;
        }
    }
    return is_dealt;
}

// Waits until all ranks are here; the last one deals out what was given.
static inline bool thread_meet(thread_group *g, bool (*deal)(thread_group *)) {
    uint64_t round = g->round;
    if (++g->arrived == g->count) {
        g->has_left |= !deal(g);
        atomic_store(&g->counter, 0);
        g->arrived = 0;
        g->round++;
        pthread_cond_broadcast(&g->changed);
    }
    while (g->round == round && !g->has_left) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    return g->round != round;
}

static inline bool thread_gather(const void *bytes, size_t size, fr_gathered *out, void *user) {
    thread_rank *rank = user;
    thread_group *g = rank->group;
    pthread_mutex_lock(&g->lock);
    rank->given = bytes;
    rank->given_bytes = size;
    rank->given_ends = NULL;
    rank->gathers++;
    rank->bytes += size;
    bool is_done = thread_meet(g, thread_join_bytes);
    *out = (fr_gathered){g->joined, g->ends};
    pthread_mutex_unlock(&g->lock);
    return is_done;
}

static inline bool thread_all_to_all(const void *bytes, const size_t *ends, fr_gathered *out, void *user) {
    thread_rank *rank = user;
    thread_group *g = rank->group;
    pthread_mutex_lock(&g->lock);
    rank->given = bytes;
    rank->given_bytes = 0;
    rank->given_ends = ends;
    rank->all_to_alls++;
    rank->bytes += ends[g->count - 1];
    bool is_done = thread_meet(g, thread_deal_bytes);
    *out = (fr_gathered){rank->received, rank->received_ends};
    pthread_mutex_unlock(&g->lock);
    return is_done;
}

static inline bool thread_next(uint64_t *out, void *user) {
    thread_rank *rank = user;
    *out = atomic_fetch_add(&rank->group->counter, 1);
    pthread_mutex_lock(&rank->group->lock);
    rank->calls++;
    pthread_mutex_unlock(&rank->group->lock);
    return true;
}

static inline void thread_work(bool begins, void *user) {
    thread_rank *rank = user;
    rank->begins = begins;
}

// A rank that has ended, well or not: gathers that it has not joined fail from now on, so that none waits for it.
static inline void thread_leave(thread_rank *rank) {
    pthread_mutex_lock(&rank->group->lock);
    rank->group->has_left = true;
    pthread_cond_broadcast(&rank->group->changed);
    pthread_mutex_unlock(&rank->group->lock);
}

// Lets each of `count` ranks run `body` in a thread of its own, with its element of `contexts`, and waits for all. The
// body does not assert: what it found is checked afterwards.
static inline void thread_ranks_run(thread_group *g, uint32_t count, fr_exchange_cut cut, void *(*body)(void *rank),
                                    void *contexts, size_t context_bytes) {
    memset(g, 0, sizeof *g);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    g->count = count;
    for (uint32_t r = 0; r < count; r++) {
        thread_rank *rank = &g->ranks[r];
        rank->group = g;
        rank->number = r;
        rank->context = (char *)contexts + r * context_bytes;
        rank->exchange = (fr_exchange){r, count, cut, thread_gather, thread_next, thread_all_to_all, thread_work, rank};
    }
    for (uint32_t r = 0; r < count; r++) {
        assert_int_equal(pthread_create(&g->ranks[r].thread, NULL, body, &g->ranks[r]), 0);
    }
    for (uint32_t r = 0; r < count; r++) {
        pthread_join(g->ranks[r].thread, NULL);
    }
    for (uint32_t r = 0; r < count; r++) {
        free(g->ranks[r].received);
        g->ranks[r].received = NULL;
    }
    free(g->joined);
    g->joined = NULL;
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
}

#endif
