// The parts that may meet: the first list of every question.
#ifndef FUREAI_COLLIDE_PARTS_H
#define FUREAI_COLLIDE_PARTS_H

#include "collide/question.h"

// Those whose boxes over the step are at most `margin` apart: the broad phase.
fr_status fr__parts_find(fr__question *q, double margin, fr_error *error);

// More than the judge of a step raises its tolerance by for any two objects: see fr__course.
double fr__parts_slack(const fr_space *space);

// All parts of the objects at two places, a <= b, or of one with itself.
fr_status fr__parts_of_two(fr__question *q, uint32_t a, uint32_t b, fr_error *error);

#endif
