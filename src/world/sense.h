// What a tick asks about the space: the step before it is taken, and the poses after.
#ifndef FUREAI_WORLD_SENSE_H
#define FUREAI_WORLD_SENSE_H

#include "fureai/world.h"
#include "world/tick.h"

// Brings the space up to date and asks about the step as its motions are now: world->over. Nothing of a world that does
// not sense its steps. On failure `over` is empty.
fr_status fr__sense_step(fr_world *world, fr__tick *tick, fr_error *error);

// Brings the space up to date and asks about the poses: world->sensed. On failure it is empty.
fr_status fr__sense_poses(fr_world *world, fr__tick *tick, fr_error *error);

#endif
