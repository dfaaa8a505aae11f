// What the world stores for each object of its space (a body). Bodies are indexed by the space's places. The field
// `owner` names a body's object: the data of an earlier object of the place is cleared when a new one takes the place,
// or by the next tick.
#ifndef FUREAI_WORLD_BODY_H
#define FUREAI_WORLD_BODY_H

#include "fureai/world.h"

typedef struct fr__state {
    char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
    double value;
    bool is_changed; // since it was last reported
    bool is_removed; // it is gone when that was reported
} fr__state;

FR_ARRAY_TYPE(fr__state_array, fr__state);

// What every tick looks at comes first.
typedef struct fr__world_body {
    fr_object_id known; // the object that events reported as added and not as removed; all zeros: none
    fr_object_id owner; // the object of the rest; all zeros: none, and the rest is empty
    fr_hold hold, reported_hold;
    bool has_raw;      // since the last tick
    bool is_raw_taken; // by the tick that is running
    bool has_label;
    fr__state_array states;
    char *name;        // NULL: none
    size_t name_bytes; // of its memory
    fr_color color;
    fr_pose raw; // where a person wants it, checked
} fr__world_body;

FR_ARRAY_TYPE(fr__body_array, fr__world_body);

static inline fr__world_body *fr__bodies(const fr__body_array *bodies) { return bodies->data; }

// The body of an object, or NULL where nothing was ever stored for it or the id is stale.
const fr__world_body *fr__body_find(const fr_world *world, fr_object_id id);

// The body of an object, to change. NULL with the status for a stale id or without memory.
fr__world_body *fr__body_open(fr_world *world, fr_object_id id, fr_status *status, fr_error *error);

// Makes a body for every place; false without memory.
bool fr__bodies_provide(fr_world *world);

// Empties bodies whose owners are gone, and notes that everything was reported. Called after the events of a tick.
void fr__bodies_settle(fr_world *world);

void fr__bodies_free(fr_world *world);

// All changes of states were reported: what was removed goes.
void fr__states_settle(fr__state_array *states);

// Sets whether a state of an object is still to be reported.
void fr__state_mark(fr_world *world, fr_object_id id, const char *name, bool is_changed);

// Whether a text is valid UTF-8 of at most `max_bytes`.
bool fr__text_is_right(const char *text, size_t max_bytes);

#endif
