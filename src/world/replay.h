// The player of records.
#ifndef FUREAI_WORLD_REPLAY_H
#define FUREAI_WORLD_REPLAY_H

#include "space/replay.h"
#include "world/operation.h"

// The state of a replay, operation by operation.
typedef struct fr__world_player {
    fr_world *world;
    fr__player space; // reads for both
    const fr_tasks *tasks;
    const fr_control *control;
    fr_replay_fn *ticked;
    void *context;
    bool is_silent; // collisions are not detected, and no snapshot is made or compared
    bool has_begun;
    bool is_over;     // the caller stopped it
    bool has_tick;    // a tick was taken whose hash comes next
    bool has_step;    // collisions over the next step were detected
    uint64_t ticks;   // that were replayed
    size_t at;        // where the last operation begins
    uint64_t *counts; // by kind; may be NULL
    fr_error *error;
} fr__world_player;

// Reads what a record of a world begins with.
fr_status fr__world_player_begin(fr__world_player *player);

// Goes on until so many ticks were replayed, or to the end of the record. With 0 it stops before the first step.
fr_status fr__world_player_play(fr__world_player *player, uint64_t ticks);

// fr_world_replay; `counts` (may be NULL) gets how often each kind of the world's operations was done.
fr_status fr__world_replay(fr_world *world, const void *bytes, size_t size, const fr_replay_input *input,
                           uint64_t counts[FR__WORLD_OPERATION_COUNT], fr_error *error);

#endif
