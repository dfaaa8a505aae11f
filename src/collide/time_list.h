// What the judge told about each pair that comes together, kept for the answer: records that any worker adds.
//
// It is kept in chunks that double, so nothing moves when it grows; as many hits as an earlier question had need no
// memory, whoever finds them.
#ifndef FUREAI_COLLIDE_TIME_LIST_H
#define FUREAI_COLLIDE_TIME_LIST_H

#include "fureai/collide.h"

#include <stdatomic.h>

enum { FR__TIMES_CHUNKS = 24, FR__TIMES_FIRST = 256 };

typedef struct fr__time_list {
    _Atomic(fr_time_result *) chunks[FR__TIMES_CHUNKS]; // chunk k holds FR__TIMES_FIRST << k
    atomic_uint count;
    fr_allocator allocator;
} fr__time_list;

void fr__time_list_make(fr__time_list *list, const fr_allocator *allocator);
void fr__time_list_free(fr__time_list *list);

// Empties it and keeps its memory.
void fr__time_list_clear(fr__time_list *list);

// Sees to it that `count` records need no memory; one thread. What there is no memory for now is asked for again when
// it is needed.
void fr__time_list_provide(fr__time_list *list, size_t count);

// Adds a record; any thread. Its number, or FR_NONE without memory.
uint32_t fr__time_list_add(fr__time_list *list, const fr_time_result *result);

// Record i, which was added.
fr_time_result *fr__time_list_at(fr__time_list *list, uint32_t i);

#endif
