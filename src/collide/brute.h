// Every triangle with every triangle: the oracle of the other methods.
#ifndef FUREAI_COLLIDE_BRUTE_H
#define FUREAI_COLLIDE_BRUTE_H

#include "collide/schedule.h"

// Tests all at once, shared among the workers of `tasks` (NULL: the calling thread).
void fr__brute_run(fr__run *run, const fr_tasks *tasks);

// Lists all pairs.
bool fr__brute_list(fr__run *run);

#endif
