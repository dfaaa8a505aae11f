// The memory of one reading: an allocator over the caller's that counts what is held and refuses what comes over a
// bound, which grows with the bytes of the files that are read.
#ifndef FUREAI_MODEL_BUDGET_H
#define FUREAI_MODEL_BUDGET_H

#include "fureai/model.h"

typedef struct fr__budget {
    fr_allocator inner;  // the caller's
    uint64_t held_bytes; // now
    uint64_t bound_bytes;
    uint64_t bytes_a_byte; // by which the bound grows with the files
    bool is_open;          // a reading counts; what is left of it afterwards belongs to the model alone
    bool has_refused;
} fr__budget;

// The budget of the limits, before the first file; NULL when there is no memory.
fr__budget *fr__budget_create(const fr_model_limits *limits, const fr_allocator *inner);

// The memory that the budget's allocator gave is given back before, through that allocator. NULL is ignored.
void fr__budget_destroy(fr__budget *budget);

// The allocator for all that the reading makes. One thread; when the reading has ended, any.
fr_allocator fr__budget_allocator(fr__budget *budget);

// One more file of `size` bytes is read.
void fr__budget_add_file(fr__budget *budget, uint64_t size);

// Ends the reading: from now on nothing is counted and nothing refused.
void fr__budget_close(fr__budget *budget);

// Bytes that are left of the bound.
static inline uint64_t fr__budget_left(const fr__budget *budget) { return budget->bound_bytes - budget->held_bytes; }

#endif
