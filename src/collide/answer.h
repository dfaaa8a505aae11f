// From what the workers found to what the caller gets.
#ifndef FUREAI_COLLIDE_ANSWER_H
#define FUREAI_COLLIDE_ANSWER_H

#include "collide/question.h"

// All that workers put to their hits into `records`, sorted; `offsets` gets the ends of the object pairs. False without
// memory.
bool fr__answer_gather(fr__question *q, const fr_tasks *tasks);

// Brings the hits of all workers together, sorts them, and makes the output. False without memory.
bool fr__answer_make(fr__question *q, const fr_tasks *tasks, fr_collide_output *output);

#endif
