// Fureai collide: ranks that share a query. A rank is a process, mostly one of many on several machines (message
// passing, MPI); each holds the whole space and does a part of the work, and each gets the whole result.
//
// How ranks speak to one another is an adapter: it fills this table. The program fureai-mpi has one for MPI.
#ifndef FUREAI_COLLIDE_EXCHANGE_H
#define FUREAI_COLLIDE_EXCHANGE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// How pieces of work are given to ranks.
typedef enum fr_exchange_cut {
    FR_EXCHANGE_STATIC, // rank r of N does pieces r, r + N, r + 2N, ...
    FR_EXCHANGE_COUNTER // a rank takes the number of its next piece from a counter that all share
} fr_exchange_cut;

// What all ranks gave, in the order of the ranks.
typedef struct fr_gathered {
    const unsigned char *bytes; // of rank 0, then of rank 1, and so on
    const size_t *ends;         // one a rank: where its bytes end
} fr_gathered;

typedef struct fr_exchange {
    uint32_t rank;       // this one's number, from 0
    uint32_t rank_count; // 1 or more; the same on all ranks, as the cut
    fr_exchange_cut cut;

    // Collective: every rank gives `size` bytes, of which it may have none, and receives those of all, valid until the
    // next call. Called by one thread of a rank at a time. False when a rank has ended or cannot be reached; no call
    // succeeds after that.
    bool (*gather)(const void *bytes, size_t size, fr_gathered *out, void *user);

    // The counter: 0, 1, 2, ... from the last gather on, each number to one caller. Several threads of a rank may call
    // it at once. False as above. May be NULL where the cut is static.
    bool (*next)(uint64_t *out, void *user);

    // Collective, as gather: each rank gives bytes for every rank, those for rank r up to ends[r], and receives those
    // that all have for it, valid until the next collective call. Only faces that are distributed (collide_domain.h)
    // need it; may be NULL otherwise.
    bool (*all_to_all)(const void *bytes, const size_t *ends, fr_gathered *out, void *user);

    // Called where work that is shared begins and where this rank's part of it ends, for measurements; may be NULL.
    void (*work)(bool begins, void *user);

    void *user; // given to all of them
} fr_exchange;

#ifdef __cplusplus
}
#endif

#endif
