// How the pairs of triangles that a method lists are shared among workers.
#ifndef FUREAI_COLLIDE_SCHEDULE_H
#define FUREAI_COLLIDE_SCHEDULE_H

#include "collide/judge.h"

// Lists pairs by fr__list_put until done; false when the work is to end before that.
typedef bool fr__lister_fn(fr__run *run);

// Adds a batch of candidates of one part pair to the list. False when the work is to end.
bool fr__list_put(fr__run *run, uint32_t part_pair, const fr__candidate *candidates, uint32_t count);

// Lists, and tests what is listed, as `balance` says: not FR_BALANCE_AUTO. FR_BALANCE_STEAL: one lists, then all test.
void fr__schedule(fr__run *run, fr__lister_fn *lister, fr_balance balance);

#endif
