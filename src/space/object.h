// What the files of the room share about objects.
#ifndef FUREAI_SPACE_OBJECT_H
#define FUREAI_SPACE_OBJECT_H

#include "space/space.h"

// All flags of objects.
#define FR__OBJECT_FLAGS                                                                                               \
    ((uint32_t)(FR_OBJECT_STATIC | FR_OBJECT_SENSOR | FR_OBJECT_REAL | FR_OBJECT_SELF | FR_OBJECT_GHOST |              \
                FR_OBJECT_PROXY))

// Makes the next update look at the object's trees and boxes, or the next commit at the object at a place if it moves.
void fr__object_mark_deformed(fr_space *space, fr__object *object);
void fr__object_list_moving(fr_space *space, uint32_t index);

// Takes memory for the vertices of an object, and for those at the end of the step, where there is none. What they are
// is for the caller to say.
fr_status fr__object_take_vertices(fr_space *space, fr__object *object, bool has_next, fr_error *error);

// Puts an object at a checked pose, without motion.
void fr__object_place(fr__object *object, const fr_pose *pose);

// fr_object_set_next with a checked pose for the object at a place, in two halves, so that objects can be set side by
// side: the first writes the object alone and returns on which lists of the space it is to come, the second puts it
// there. Objects for which fr__object_may_set_alone is false concern more than themselves.
typedef enum fr__object_lists {
    FR__LIST_CHANGED = 1,
    FR__LIST_MOVING = 2,
    FR__LIST_POSED = 4,  // it has another motion
    FR__LIST_REFUSED = 8 // nothing was done
} fr__object_lists;
bool fr__object_may_set_alone(const fr_space *space, const fr__object *object);
uint32_t fr__object_set_next_alone(fr_space *space, uint32_t index, const fr_pose *next);
void fr__object_list(fr_space *space, uint32_t index, uint32_t lists);

// Forget the vertices and bones that were set for the end of the step, or make them the object's own; nothing happens
// where none were set.
void fr__object_drop_next_vertices(fr_space *space, fr__object *object);
void fr__object_take_next_vertices(fr_space *space, fr__object *object);

// Releases what an object owns: parts, vertices, attachments.
void fr__object_release(fr_space *space, fr__object *object);

// Destroys what is attached to an object.
void fr__object_detach(fr_space *space, fr__object *object);

// Removes every joint of the object at a place.
void fr__object_remove_joints(fr_space *space, uint32_t index);

// Adds a new place that is a hole, for a replay.
fr_status fr__object_add_hole(fr_space *space, fr_error *error);
fr_status fr__joint_add_hole(fr_space *space, fr_error *error);

// Reserves room for one more place; false without memory.
bool fr__object_reserve_place(fr_space *space);

#endif
