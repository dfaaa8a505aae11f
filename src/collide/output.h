// From what the workers found to the output of a query.
#ifndef FUREAI_COLLIDE_OUTPUT_H
#define FUREAI_COLLIDE_OUTPUT_H

#include "collide/run.h"

// Which kind of records the workers hold.
typedef enum fr__found_kind { FR__FOUND_CANDIDATES, FR__FOUND_HITS, FR__FOUND_INTERVALS } fr__found_kind;

// Puts all records of the workers, and of those of other ranks, into `found`, by object pairs, and sorts those of each
// by triangles; `ends` gets the ends of the object pairs. False without memory, or when a rank fails.
bool fr__output_gather(fr__run *run, fr__found_kind kind, const fr_tasks *tasks);

// Brings the hits of all workers and ranks together, sorts them, and makes the output. False without memory, or when a
// rank fails.
bool fr__output_make(fr__run *run, const fr_tasks *tasks, fr_collide_output *output);

#endif
