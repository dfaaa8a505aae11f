// A task of a performer: one block of memory with the skill's state, the posture that it made last, and copies of its
// fields.
#ifndef FUREAI_HUMAN_PERFORMER_TASK_H
#define FUREAI_HUMAN_PERFORMER_TASK_H

#include "fureai/human_skill.h"

// A task that waits or runs: one block of memory with all that it points to.
typedef struct fr__task {
    fr_task given; // its pointers are of this block
    fr_posture goal;
    uint64_t motion; // id of its motion in the fusion
    uint32_t wait;   // frames until it begins
    uint32_t frame, frames;
    bool has_begun;
    bool is_replaced; // another task walks
    bool is_over;     // it is removed at the end of the frame
    fr_pose target;
    fr_posture posture; // of its last frame
    double *weights;
    fr_skill_state state;
    size_t bytes; // of the block
} fr__task;

// Checks what was given and makes a task that waits. Fails as fr_performer_begin does for fields.
fr_status fr__task_make(const fr_skeleton *skeleton, const fr_allocator *allocator, const fr_task *given,
                        fr__task **out, fr_error *error);

// NULL is ignored.
void fr__task_free(const fr_allocator *allocator, fr__task *task);

uint64_t fr__task_hash(uint64_t hash, const fr__task *task);

#endif
