// What is told of a meeting: its contact data, and the time by which it is proven.
#ifndef FUREAI_SHAPE_MEETING_H
#define FUREAI_SHAPE_MEETING_H

#include "shape/advance.h"

// The answer from where a search ended: none, or all that is told of a hit.
void fr__meeting_answer(const fr__chase *chase, const fr__arrival *at, fr_time_result *out);

// An answer without a hit.
fr_time_result fr__no_meeting(uint32_t steps);

#endif
