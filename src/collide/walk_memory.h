// The memory that the walks of a worker need. It belongs to the fr_collide: a stack has no room for it.
#ifndef FUREAI_COLLIDE_WALK_MEMORY_H
#define FUREAI_COLLIDE_WALK_MEMORY_H

#include "collide/run.h"
#include "collide/swept_kernel.h"

// Memory for every worker of a query that walks trees. False without memory.
bool fr__walk_memory_provide(fr__run *run);
void fr__walk_memory_free(fr_collide *collide);

// Gives a worker's memory to its next walk over a slice.
void fr__walk_memory_use(fr__swept_walk *walk, const fr__worker *worker);

#endif
