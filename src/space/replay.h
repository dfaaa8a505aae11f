// The player of records.
#ifndef FUREAI_SPACE_REPLAY_H
#define FUREAI_SPACE_REPLAY_H

#include "space/operation.h"

// fr_space_replay; `counts` (may be NULL) gets how often each kind of operation was done.
fr_status fr__replay(fr_space *space, const void *bytes, size_t size, const fr_control *control,
                     uint64_t counts[FR__OPERATION_COUNT], fr_error *error);

#endif
