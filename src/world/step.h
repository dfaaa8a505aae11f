// The changes of a tick to the space before the commit, and their undo.
#ifndef FUREAI_WORLD_STEP_H
#define FUREAI_WORLD_STEP_H

#include "fureai/world.h"

// An object as it was before the tick touched it.
typedef struct fr__before {
    bool moving;
    fr_pose pose;
    fr_pose next;     // where it was moving
    fr_motion motion; // likewise
} fr__before;

FR_ARRAY_TYPE(fr__before_array, fr__before);

// What a wish that was carried out side by side with others leaves for one thread to do.
typedef struct fr__step_rest {
    uint32_t index;  // place of the object
    uint32_t lists;  // of fr__object_lists
    bool is_touched; // it is to come to `touched`
} fr__step_rest;

FR_ARRAY_TYPE(fr__step_rest_array, fr__step_rest);

typedef struct fr__step_changes {
    fr_uint32_array touched;  // places, each once
    fr__before_array before;  // by place: of those that are touched
    fr_byte_array marks;      // by place: of fr__step_mark
    fr__step_rest_array rest; // scratch, by wish
} fr__step_changes;

typedef enum fr__step_mark { FR__STEP_TOUCHED = 1, FR__STEP_JUMPED = 2 } fr__step_mark;

void fr__step_make(fr__step_changes *step, const fr_allocator *allocator);
void fr__step_free(fr__step_changes *step);

// Begins without changes, with room for one of every object; false without memory.
bool fr__step_begin(fr_world *world);

// Sets the motions of all wishes on tasks, which may be NULL, and those of the joints' children by them, which never
// fails; then sets the wished vertices, which the space may refuse.
fr_status fr__step_apply(fr_world *world, const fr_tasks *tasks, fr_error *error);

// Undoes fr__step_apply, whatever it returned.
void fr__step_revert(fr_world *world);

// What joints do to their children: each notes how the object was before. Poses and motions were checked.
void fr__step_stay(fr_world *world, uint32_t index);
void fr__step_jump(fr_world *world, uint32_t index, const fr_pose *pose);
void fr__step_next(fr_world *world, uint32_t index, const fr_pose *next);
void fr__step_move(fr_world *world, uint32_t index, const fr_motion *motion, const fr_pose *end);

// Whether the object at a place jumps in this tick.
bool fr__step_jumps(const fr_world *world, uint32_t index);

#endif
