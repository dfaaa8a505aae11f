// From when to when the faces of a pair are in contact.
#ifndef FUREAI_COLLIDE_INTERVAL_H
#define FUREAI_COLLIDE_INTERVAL_H

#include "collide/run.h"

// The intervals of each pair of the output, whose contacts are made, shared among the workers of `tasks`. False without
// memory.
bool fr__intervals_find(fr__run *run, const fr_tasks *tasks);

#endif
