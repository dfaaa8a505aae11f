// The events of a tick, before they go into its snapshot.
#ifndef FUREAI_WORLD_EVENT_H
#define FUREAI_WORLD_EVENT_H

#include "fureai/world.h"

// An event of the tick that is under way, added to the list; NULL without memory.
fr_event *fr__event_add(fr_world *world, fr_event_kind kind, fr_object_id a, fr_object_id b);

// Whether events of a kind are told by correctors; whether all that such an event says is finite.
bool fr__event_is_handling(fr_event_kind kind);
bool fr__event_is_finite(const fr_event *event);

// What came and went, was held and let go, came to limits, was corrected, was told by correctors and changed its state,
// in this order. The steps' motions are set. False without memory.
bool fr__events_collect(fr_world *world);

// The same of a tick that is replayed: the record tells of limits, corrections and handling.
bool fr__events_collect_told(fr_world *world, const fr_event *told, size_t count);

#endif
