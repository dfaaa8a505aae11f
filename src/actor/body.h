// The parts of an object, for queries about it where it does not stand.
#ifndef FUREAI_ACTOR_BODY_H
#define FUREAI_ACTOR_BODY_H

#include "fureai/space.h"

typedef struct fr__body {
    fr_part_def *parts; // their meshes are retained
    uint32_t part_count;
    fr_allocator allocator;
} fr__body;

// Takes the parts of an object that is there; false without memory, with nothing to release.
bool fr__body_take(fr__body *body, const fr_allocator *allocator, const fr_space *space, fr_object_id object);

// A body of all zeros is ignored.
void fr__body_release(fr__body *body);

// The box about all parts at a pose.
fr_bounds fr__body_bounds(const fr__body *body, const fr_pose *pose);

#endif
