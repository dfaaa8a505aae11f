// The work of a query that is shared among the ranks of an exchange: loops whose pieces ranks divide among themselves,
// and gathers after which every rank has the results of all.
//
// A rank that fails says so in a gather, so that the others, which come to one, fail too and do not wait.
#ifndef FUREAI_COLLIDE_SHARE_H
#define FUREAI_COLLIDE_SHARE_H

#include "fureai/collide_exchange.h"

typedef struct fr__share {
    const fr_exchange *exchange; // NULL: there is none, or only this rank
    uint64_t check;              // a hash of what must be the same on all ranks; compared by every gather
    fr_byte_array bytes;         // what this rank gives to the next gather
    bool lacks_memory;           // for these
    bool is_stopped;             // some rank was stopped by its control
    fr_status status;            // FR_OK until a gather fails
} fr__share;

void fr__share_make(fr__share *share, const fr_allocator *allocator);
void fr__share_free(fr__share *share);

// FR_ERROR_ARGUMENT for an exchange that is not complete. It may be NULL.
fr_status fr__share_check(const fr_exchange *exchange, fr_error *error);

// Begins a query. `exchange` may be NULL.
void fr__share_begin(fr__share *share, const fr_exchange *exchange, uint64_t check);

// Does this rank's pieces of [0, count), of at most `grain` items each: all of them without an exchange. Which these
// are depends on the exchange's cut.
void fr__share_run(const fr__share *share, const fr_tasks *tasks, size_t count, size_t grain, fr_range_fn *fn,
                   void *context);

// Notes that work of this rank begins or ends which it took of a larger one by itself.
void fr__share_note(const fr__share *share, bool begins);

// The grain at which a loop has enough pieces for the ranks, and not many more: `least` or more.
size_t fr__share_grain(const fr__share *share, size_t count, size_t least);

// Room for `size` bytes that the next gather gives to all; NULL without memory, which the gather reports.
void *fr__share_put(fr__share *share, size_t size);

// Gives what was put, or that this rank has failed (not FR_OK), and receives what all ranks gave. False: the status
// says why.
bool fr__share_gather(fr__share *share, bool is_stopped, fr_status failure, fr_gathered *out);

// What a rank gave.
const unsigned char *fr__share_of(const fr_gathered *gathered, uint32_t rank, size_t *size);

// Does a loop that writes data[begin .. end) for each range, elements of `element_bytes` without pointers, and gathers
// what the ranks wrote. Pieces are cut statically. False: the status says why.
bool fr__share_array(fr__share *share, const fr_tasks *tasks, void *data, size_t element_bytes, size_t count,
                     size_t grain, fr_range_fn *fn, void *context);

// Announces that this rank's query failed. Nothing where it failed by a gather: the others know.
void fr__share_fail(fr__share *share, fr_status failure);

// The status with its sentence.
fr_status fr__share_error(const fr__share *share, fr_error *error);

#endif
