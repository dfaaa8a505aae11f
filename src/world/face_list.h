// Which faces touch, from tick to tick.
#ifndef FUREAI_WORLD_FACE_LIST_H
#define FUREAI_WORLD_FACE_LIST_H

#include "fureai/world.h"

FR_ARRAY_TYPE(fr__face_touch_array, fr_face_touch);

typedef struct fr__face_list {
    fr__face_touch_array now;   // of the newest tick, as its snapshot has them
    fr__face_touch_array after; // of the tick that is under way
    uint64_t last_id;
    uint64_t last_id_after;
} fr__face_list;

void fr__face_list_make(fr__face_list *list, const fr_allocator *allocator);
void fr__face_list_free(fr__face_list *list);

// Compares what was sensed (world->sensed, world->over) with the face touches that last: makes the list `after`. A
// partial answer ends none but of objects that are gone. Nothing of a world that does not want them. False without
// memory.
bool fr__faces_compare(fr_world *world, bool is_paused);

// The two lists change places with every tick: gives both the room of the larger one. False without memory.
bool fr__faces_provide(fr_world *world);

// The list `after` is the one that counts from now on.
void fr__faces_take(fr_world *world);

// Whether a face touch goes on after its tick.
static inline bool fr__face_lasts(const fr_face_touch *touch) { return fr_is_unknown(touch->end); }

#endif
