// The events of a tick, before they are copied into its snapshot.
#ifndef FUREAI_WORLD_EVENT_H
#define FUREAI_WORLD_EVENT_H

#include "fureai/world.h"

// Adds an event of the running tick to the list; NULL without memory.
fr_event *fr__event_add(fr_world *world, fr_event_kind kind, fr_object_id a, fr_object_id b);

// Whether movers and correctors report events of a kind; whether all numbers of such an event are finite; whether it
// has the name that FR_EVENT_NAMED needs.
bool fr__event_is_reported(fr_event_kind kind);
bool fr__event_is_finite(const fr_event *event);
bool fr__event_has_name(const fr_event *event);

// Collects the events of a tick in this order: objects added and removed, held and released, joint limits, corrections,
// events of correctors, states. The step's motions are set already. False without memory.
bool fr__events_collect(fr_world *world);

// The same for a tick that is replayed: limits, corrections and handling come from the record.
bool fr__events_collect_recorded(fr_world *world, const fr_event *reported, size_t count);

#endif
