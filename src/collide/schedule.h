// How the pairs of triangles that a method lists are shared among workers.
#ifndef FUREAI_COLLIDE_SCHEDULE_H
#define FUREAI_COLLIDE_SCHEDULE_H

#include "collide/judge.h"

// Lists pairs by fr__list_put until done; false when the work is to end before that.
typedef bool fr__lister_fn(fr__question *q);

// Adds a batch of pairs of one pair of parts to the question's list. False when the work is to end.
bool fr__list_put(fr__question *q, uint32_t parts, const fr__candidate *candidates, uint32_t count);

// Lists, and tests what is listed, as `balance` says: not FR_BALANCE_AUTO. FR_BALANCE_STEAL: one lists, then all test.
void fr__schedule(fr__question *q, fr__lister_fn *lister, fr_balance balance);

#endif
