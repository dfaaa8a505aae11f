// How two objects meet: from the hits of their faces to their relation and the time by which contact is proven.
#ifndef FUREAI_COLLIDE_OBJECT_RELATION_H
#define FUREAI_COLLIDE_OBJECT_RELATION_H

#include "collide/run.h"

// Finds the relation of every object pair into `relations`, one an object pair of the plan, from the hits in `found`.
// Where first contacts are wanted, it takes the later ones out of `found`. False without memory.
bool fr__object_relations_find(fr__run *run, const fr_tasks *tasks);

#endif
