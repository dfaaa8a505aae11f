// The tree method over a step: two trees walked together while their frames move.
#ifndef FUREAI_COLLIDE_SWEPT_TREE_H
#define FUREAI_COLLIDE_SWEPT_TREE_H

#include "collide/schedule.h"

// Walks, then tests, both shared among the workers of `tasks` (NULL: the calling thread).
void fr__swept_tree_run(fr__run *run, const fr_tasks *tasks);

// The same for the first contacts of each pair of objects: walks and tests at once, near ones first.
void fr__swept_tree_first(fr__run *run, const fr_tasks *tasks);

// Lists the pairs that the walk finds, each once.
bool fr__swept_tree_list(fr__run *run);

// When two parts may meet at the earliest, by their balls; FR__NO_TIME_LIMIT: never.
double fr__swept_tree_start(const fr__run *run, uint32_t part_pair);

#endif
