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
    uint64_t gathers, calls; // it made, of the counter
    uint64_t bytes;          // it gave
    bool begins;             // the last that work reported
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

static inline bool thread_gather(const void *bytes, size_t size, fr_gathered *out, void *user) {
    thread_rank *rank = user;
    thread_group *g = rank->group;
    pthread_mutex_lock(&g->lock);
    rank->given = bytes;
    rank->given_bytes = size;
    rank->gathers++;
    rank->bytes += size;
    uint64_t round = g->round;
    if (++g->arrived == g->count) {
        g->has_left |= !thread_join_bytes(g);
        atomic_store(&g->counter, 0);
        g->arrived = 0;
        g->round++;
        pthread_cond_broadcast(&g->changed);
    }
    while (g->round == round && !g->has_left) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    bool is_done = g->round != round;
    *out = (fr_gathered){g->joined, g->ends};
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
        rank->exchange = (fr_exchange){r, count, cut, thread_gather, thread_next, thread_work, rank};
    }
    for (uint32_t r = 0; r < count; r++) {
        assert_int_equal(pthread_create(&g->ranks[r].thread, NULL, body, &g->ranks[r]), 0);
    }
    for (uint32_t r = 0; r < count; r++) {
        pthread_join(g->ranks[r].thread, NULL);
    }
    free(g->joined);
    g->joined = NULL;
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
}

#endif
