// The player of records.
#ifndef FUREAI_WORLD_REPLAY_H
#define FUREAI_WORLD_REPLAY_H

#include "world/operation.h"

// fr_world_replay; `counts` (may be NULL) gets how often each kind of the world's operations was done.
fr_status fr__world_replay(fr_world *world, const void *bytes, size_t size, const fr_replay_input *input,
                           uint64_t counts[FR__WORLD_OPERATION_COUNT], fr_error *error);

#endif
