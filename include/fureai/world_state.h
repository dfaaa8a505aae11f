// Fureai world, states that go: a state that fr_world_set_state (world.h) made is removed again.
#ifndef FUREAI_WORLD_STATE_H
#define FUREAI_WORLD_STATE_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Removes a state of an object, with its name. The next tick reports it as FR_EVENT_STATE with `value` 0 and
// `second` 1. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT where the object has no such state, FR_ERROR_MEMORY.
FR_API fr_status fr_world_remove_state(fr_world *world, fr_object_id id, const char *name, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
