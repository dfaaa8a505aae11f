// Which faces touch, from tick to tick.
#ifndef FUREAI_WORLD_FACE_LIST_H
#define FUREAI_WORLD_FACE_LIST_H

#include "fureai/world.h"

FR_ARRAY_TYPE(fr__face_touch_array, fr_face_touch);

typedef struct fr__face_list {
    fr__face_touch_array now;   // of the newest tick, as its snapshot has them
    fr__face_touch_array after; // of the tick that is running
    uint64_t last_id;
    uint64_t last_id_after;
} fr__face_list;

void fr__face_list_make(fr__face_list *list, const fr_allocator *allocator);
void fr__face_list_free(fr__face_list *list);

// Compares the results (world->pose_result, world->step_result) with the lasting face touches and makes the list
// `after`. A partial result ends only touches of removed objects. Does nothing in a world that does not want face
// touches. False without memory.
bool fr__faces_compare(fr_world *world, bool is_paused);

// The two lists are swapped at every tick: gives both the capacity of the larger one. False without memory.
bool fr__faces_provide(fr_world *world);

// Makes the list `after` the current one.
void fr__faces_take(fr_world *world);

// Whether a face touch goes on after its tick.
static inline bool fr__face_lasts(const fr_face_touch *touch) { return fr_is_unknown(touch->end); }

#endif
