// The collision queries of a tick: over the step before it is committed, and at the poses after.
#ifndef FUREAI_WORLD_SENSE_H
#define FUREAI_WORLD_SENSE_H

#include "fureai/world.h"
#include "world/tick.h"

// Updates the space and detects collisions over the step with the present motions: world->step_result. Does nothing in
// a world that does not sense its steps. On failure the result is empty.
fr_status fr__sense_step(fr_world *world, fr__tick *tick, fr_error *error);

// Updates the space and detects collisions at the poses: world->pose_result. On failure the result is empty.
fr_status fr__sense_poses(fr_world *world, fr__tick *tick, fr_error *error);

#endif
