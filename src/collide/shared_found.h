// A query of collide that ranks share: what each of them finds goes to all.
#ifndef FUREAI_COLLIDE_SHARED_FOUND_H
#define FUREAI_COLLIDE_SHARED_FOUND_H

#include "collide/output.h"

// Begins to share a query whose part pairs are listed. Only the work of the tree for all contacts without a budget,
// whose pieces can be done in any order, is split among ranks (plan.is_split).
void fr__shared_begin(fr__run *run, fr_balance balance);

// How many pieces a walk is to be split into: 1 where one worker of one rank does all. With ranks it depends on how
// many there are, and on nothing that differs among them.
size_t fr__shared_piece_count(const fr__run *run, const fr_tasks *tasks, size_t pieces_a_worker);

// Adds a piece to what must be the same on all ranks.
void fr__shared_check(fr__run *run, const fr__node_pair *nodes);

// Adds what the workers of other ranks found to that of worker 0. Does nothing without ranks. False when this or
// another rank fails.
bool fr__shared_found_gather(fr__run *run, fr__found_kind kind);

// Ends a query: where its work was not split the ranks learn here whether one was stopped, and otherwise those that
// failed say so. Whether it is done on all ranks.
bool fr__shared_end(fr__run *run, bool is_done);

// Announces a failure before fr__shared_begin.
void fr__shared_fail(fr__run *run, fr_status failure);

#endif
