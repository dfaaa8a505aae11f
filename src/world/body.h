// What the world keeps beside an object of the space. Bodies stand at the space's places; whose a body is, its owner
// says: what an earlier object of the place left is cleared when a new one takes it, or by the next tick.
#ifndef FUREAI_WORLD_BODY_H
#define FUREAI_WORLD_BODY_H

#include "fureai/world.h"

typedef struct fr__state {
    char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
    double value;
    bool is_changed; // since it was last told
} fr__state;

FR_ARRAY_TYPE(fr__state_array, fr__state);

typedef struct fr__body {
    fr_object_id known; // whom the events told as added, and not as removed; all zeros: nobody
    fr_object_id owner; // whose the rest is; all zeros: nobody's, and the rest is empty
    char *name;         // NULL: none
    size_t name_bytes;  // of its memory
    fr_color color;
    bool has_label;
    fr__state_array states;
    fr_hold hold, hold_told;
    fr_pose raw;       // where a person wants it, checked
    bool has_raw;      // since the last tick
    bool is_raw_taken; // by the tick that is under way
} fr__body;

FR_ARRAY_TYPE(fr__body_array, fr__body);

static inline fr__body *fr__bodies(const fr__body_array *bodies) { return bodies->data; }

// The body of an object, or NULL where nothing was ever kept for it or the id is stale.
const fr__body *fr__body_find(const fr_world *world, fr_object_id id);

// The body of an object, to change. NULL with the status for a stale id or without memory.
fr__body *fr__body_open(fr_world *world, fr_object_id id, fr_status *status, fr_error *error);

// A body for every place; false without memory.
bool fr__bodies_provide(fr_world *world);

// Empties bodies whose owners are gone, and notes that all that is there was told. After the events of a tick.
void fr__bodies_settle(fr_world *world);

void fr__bodies_free(fr_world *world);

// Says whether a state of an object is yet to be told.
void fr__state_mark(fr_world *world, fr_object_id id, const char *name, bool is_changed);

// Whether a text is UTF-8 of at most `max_bytes`.
bool fr__text_is_right(const char *text, size_t max_bytes);

#endif
