// The tree method over a step: two trees walked together while their frames move.
#ifndef FUREAI_COLLIDE_SWEPT_TREE_H
#define FUREAI_COLLIDE_SWEPT_TREE_H

#include "collide/schedule.h"

// Walks, then tests, both shared among the workers of `tasks` (NULL: the calling thread).
void fr__swept_tree_run(fr__question *q, const fr_tasks *tasks);

// The same for the first contacts of each pair of objects: walks and tests at once, near ones first.
void fr__swept_tree_first(fr__question *q, const fr_tasks *tasks);

// Lists the pairs that the walk finds, each once.
bool fr__swept_tree_list(fr__question *q);

// When two parts may meet at the earliest, by their balls; 2: never.
double fr__swept_tree_start(const fr__question *q, uint32_t parts);

#endif
