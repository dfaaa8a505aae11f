// The wishes of one tick: the last one for each object.
#ifndef FUREAI_WORLD_WISH_H
#define FUREAI_WORLD_WISH_H

#include "fureai/world.h"

struct fr_wishes {
    const fr_world *world;
    fr_array list;    // fr_wish, in the order in which objects were first wished for
    fr_array slots;   // uint32_t, by place: 1 + index in the list; 0: none
    uint64_t count;   // of wishes that were ever added
    bool from_movers; // objects that people hold or placed are left alone
    fr_array deforms; // fr__deform, in the order in which they came
    fr_array told;    // fr_event of handling, in the order in which they were told
};

// Where the vertices of an object are to be.
typedef struct fr__deform {
    fr_object_id object;
    const fr_vec3 *vertices;
    uint32_t count;
} fr__deform;

void fr__wishes_make(fr_wishes *wishes, const fr_world *world, const fr_allocator *allocator);
void fr__wishes_free(fr_wishes *wishes);

// Forgets all wishes, and provides for one for each of `places` objects; false, with all forgotten, without memory.
bool fr__wishes_begin(fr_wishes *wishes, uint32_t places);

// The wish for the object at a place; NULL: none.
const fr_wish *fr__wishes_at(const fr_wishes *wishes, uint32_t index);

#endif
