// The recorder of a world: turns operations into bytes.
#ifndef FUREAI_WORLD_RECORD_H
#define FUREAI_WORLD_RECORD_H

#include "space/record.h"
#include "world/operation.h"

typedef struct fr__world_recorder fr__world_recorder;

// Records an operation that was done. Does nothing without a recorder; never fails.
void fr__world_record(fr_world *world, const fr__world_operation *operation);

// Records that collisions were detected over the next step; does nothing in a world that does not detect them.
void fr__record_step(fr_world *world);

// Records that the step of a tick was taken, and the hash of its snapshot: the first after the events were collected,
// the second after the tick. `is_whole` is false when the detection was stopped.
void fr__record_tick(fr_world *world, bool is_paused);
void fr__record_hash(fr_world *world, bool is_whole);

// fr_world_record, without the meshes and skins that are known; NULL: none are.
fr_status fr__world_record_begin(fr_world *world, const fr__record_known *known, fr_record_fn *record, void *context,
                                 fr_error *error);

// Ends the recording.
void fr__world_recorder_destroy(fr_world *world);

#endif
