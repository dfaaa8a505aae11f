// The parts of an object, for queries about it where it does not stand.
#ifndef FUREAI_ACTOR_RETAINED_PARTS_H
#define FUREAI_ACTOR_RETAINED_PARTS_H

#include "fureai/space.h"

typedef struct fr__retained_parts {
    fr_part_def *parts; // their meshes are retained
    uint32_t part_count;
    fr_allocator allocator;
} fr__retained_parts;

// Takes the parts of an object that is there; false without memory, with nothing to release.
bool fr__retained_parts_take(fr__retained_parts *retained, const fr_allocator *allocator, const fr_space *space,
                             fr_object_id object);

// A struct of all zeros is ignored.
void fr__retained_parts_release(fr__retained_parts *retained);

// The box about all parts at a pose.
fr_bounds fr__retained_parts_bounds(const fr__retained_parts *retained, const fr_pose *pose);

#endif
