// The tree method for swept hulls: two trees whose boxes hold all that they pass over a step.
#ifndef FUREAI_COLLIDE_HULL_TREE_H
#define FUREAI_COLLIDE_HULL_TREE_H

#include "collide/schedule.h"

// Lists the pairs of faces whose paths have boxes near each other, at whatever times they are there, each once.
bool fr__hull_tree_list(fr__run *run);

#endif
