// The second half of a tick, which a replay shares.
#ifndef FUREAI_WORLD_TICK_H
#define FUREAI_WORLD_TICK_H

#include "fureai/world.h"
#include "world/snapshot.h"

// A tick that is running.
typedef struct fr__tick {
    const fr_tick_input *input;
    uint64_t start; // fr_clock_ns
    fr_tick_stats stats;
    fr__snapshot *snapshot; // taken before the commit, with room for the indispensable data
} fr__tick;

// Reserves memory for the data that is indexed by places; without memory it returns a status and changes nothing.
fr_status fr__tick_begin(fr_world *world, fr_error *error);

// Reserves memory for all that must not fail after the commit. Called after the events were collected.
fr_status fr__tick_provide(fr_world *world, fr__tick *tick, fr_error *error);

// Forgets the waiting inputs, which were used.
void fr__tick_forget_inputs(fr_world *world);

// Ends a committed tick: counts it, detects collisions, collects events, makes the snapshot. With FR_ERROR_MEMORY the
// result is empty and partial.
fr_status fr__tick_end(fr_world *world, fr__tick *tick, fr_error *error);

#endif
