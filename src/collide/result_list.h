// What the judge of a step reported about each hit, until the output is made: records that any worker adds.
//
// It stands in chunks that double, so nothing moves when it grows; as many hits as an earlier query had need no memory,
// whichever worker finds them.
#ifndef FUREAI_COLLIDE_RESULT_LIST_H
#define FUREAI_COLLIDE_RESULT_LIST_H

#include "fureai/collide.h"

#include <stdatomic.h>

enum { FR__RESULT_CHUNKS = 24, FR__RESULT_FIRST = 256 };

typedef struct fr__result_list {
    _Atomic(fr_time_output *) chunks[FR__RESULT_CHUNKS]; // chunk k holds FR__TIMES_FIRST << k
    atomic_uint count;
    fr_allocator allocator;
} fr__result_list;

void fr__result_list_make(fr__result_list *list, const fr_allocator *allocator);
void fr__result_list_free(fr__result_list *list);

// Empties it; its memory stays.
void fr__result_list_clear(fr__result_list *list);

// Makes sure that `count` records need no memory; one thread. What there is no memory for now is allocated when it is
// needed.
void fr__result_list_provide(fr__result_list *list, size_t count);

// Adds a record; any thread. Its number, or FR_NONE without memory.
uint32_t fr__result_list_add(fr__result_list *list, const fr_time_output *result);

// Record i, which was added.
fr_time_output *fr__result_list_at(fr__result_list *list, uint32_t i);

#endif
