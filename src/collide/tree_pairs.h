// The tree method: two trees of boxes walked together.
#ifndef FUREAI_COLLIDE_TREE_PAIRS_H
#define FUREAI_COLLIDE_TREE_PAIRS_H

#include "collide/schedule.h"

// Walks and tests at once, shared among the workers of `tasks` (NULL: the calling thread).
void fr__tree_pairs_run(fr__run *run, const fr_tasks *tasks);

// Lists the pairs that the walk finds.
bool fr__tree_pairs_list(fr__run *run);

#endif
