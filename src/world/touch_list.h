// Which objects touch, from tick to tick.
#ifndef FUREAI_WORLD_TOUCH_LIST_H
#define FUREAI_WORLD_TOUCH_LIST_H

#include "fureai/world.h"

#define FR__SPAN_GAP 1e-6 // a part of the step: spans with a smaller gap are one touch, as for reported intervals

// A time of the step, 0 .. 1.
typedef struct fr__time_span {
    double begin, end;
} fr__time_span;

FR_ARRAY_TYPE(fr__touch_array, fr_touch);
FR_ARRAY_TYPE(fr__time_span_array, fr__time_span);

typedef struct fr__touch_list {
    fr__touch_array now;   // sorted by index of a, then b
    fr__touch_array after; // of the tick that is running
    uint64_t last_id;
    uint64_t last_id_after;
    fr__time_span_array spans; // of one pair of objects: when they touched during the step
} fr__touch_list;

void fr__touch_list_make(fr__touch_list *list, const fr_allocator *allocator);
void fr__touch_list_free(fr__touch_list *list);

// Compares the results (world->pose_result, world->step_result) with the touches so far, makes the list `after` and
// adds the events of its begins and ends. A partial result ends only touches of removed objects, and its times are
// those of the poses. False without memory, perhaps after some events were added.
bool fr__touches_compare(fr_world *world);

// The two lists are swapped at every tick: gives both the capacity of the larger one. False without memory.
bool fr__touches_provide(fr_world *world);

// Makes the list `after` the current one.
void fr__touches_take(fr_world *world);

#endif
