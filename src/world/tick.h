// The second half of a tick, which a replay shares.
#ifndef FUREAI_WORLD_TICK_H
#define FUREAI_WORLD_TICK_H

#include "fureai/world.h"
#include "world/snapshot.h"

// A tick that is under way.
typedef struct fr__tick {
    const fr_tick_input *input;
    uint64_t start; // fr_clock_ns
    fr_tick_stats stats;
    fr__snapshot *snapshot; // taken before the commit, with room for what cannot be done without
} fr__tick;

// Memory for what is kept by places; a status without it, and nothing changed.
fr_status fr__tick_begin(fr_world *world, fr_error *error);

// Memory for all that must not fail once the step was taken. After the events were collected.
fr_status fr__tick_provide(fr_world *world, fr__tick *tick, fr_error *error);

// The inputs that wait are taken.
void fr__tick_forget_inputs(fr_world *world);

// The step was taken: counts it, senses, tells, makes the snapshot. FR_ERROR_MEMORY: sensed nothing, and says partial.
fr_status fr__tick_end(fr_world *world, fr__tick *tick, fr_error *error);

#endif
