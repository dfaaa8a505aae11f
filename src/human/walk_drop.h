// How much the hips of a walk are lowered so that the legs reach their feet: known ahead, so that it is smooth.
#ifndef FUREAI_HUMAN_WALK_DROP_H
#define FUREAI_HUMAN_WALK_DROP_H

#include "fureai/math.h"

#define FR__DROP_RING 256 // frames that are remembered: twice the window at the greatest rate

// How much lower than planned the hips must be at a whole frame of the plan, 0 or more.
typedef double fr__walk_need_fn(int64_t frame, void *context);

// The needs that were computed: those of the frames `first` .. `end` - 1, each at its frame modulo the ring.
typedef struct fr__walk_drops {
    int64_t first, end;
    double needs[FR__DROP_RING];
} fr__walk_drops;

// Forgets all needs: the plan has changed.
void fr__walk_drops_clear(fr__walk_drops *drops);

// The drop at a time, in frames: at least the need there, and smooth, since it begins `width` frames before a need and
// ends as much after it. Width: 1 .. 30.
double fr__walk_drops_at(fr__walk_drops *drops, double time, double width, fr__walk_need_fn *need, void *context);

#endif
