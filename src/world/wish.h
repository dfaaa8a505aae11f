// The wishes (requested motions) of one tick: the last one for each object.
#ifndef FUREAI_WORLD_WISH_H
#define FUREAI_WORLD_WISH_H

#include "fureai/world.h"

// Where the vertices of an object are to be, or its bones.
typedef struct fr__deform {
    fr_object_id object;
    const fr_vec3 *vertices; // NULL: bones
    const fr_pose *bones;
    uint32_t count;
} fr__deform;

FR_ARRAY_TYPE(fr__wish_array, fr_wish);
FR_ARRAY_TYPE(fr__deform_array, fr__deform);
FR_ARRAY_TYPE(fr__event_array, fr_event);

struct fr_wishes {
    const fr_world *world;
    fr__wish_array list;      // in the order in which objects were first wished for
    fr_uint32_array slots;    // by place: 1 + index in the list; 0: none
    uint64_t count;           // of wishes that were ever added
    bool from_movers;         // objects that people hold or placed are left alone
    fr__deform_array deforms; // in the order in which they came
    fr__event_array events;   // events of handling, in the order in which they came
};

void fr__wishes_make(fr_wishes *wishes, const fr_world *world, const fr_allocator *allocator);
void fr__wishes_free(fr_wishes *wishes);

// Forgets all wishes and reserves room for one for each of `places` objects; false, with all forgotten, without memory.
bool fr__wishes_begin(fr_wishes *wishes, uint32_t places);

// The wish for the object at a place; NULL: none.
const fr_wish *fr__wishes_at(const fr_wishes *wishes, uint32_t index);

#endif
