// Joints carry their children: parents first, each child where its joint puts it, with a motion that follows the arc.
#ifndef FUREAI_WORLD_JOINT_TREE_H
#define FUREAI_WORLD_JOINT_TREE_H

#include "fureai/world.h"

// The new value of a joint in a tick.
typedef struct fr__joint_turn {
    uint32_t index;  // place of the joint
    bool is_changed; // `joint` differs from what the space has
    int limit;       // it came to: -1 low, 1 high; 0: to none
    fr_joint joint;
} fr__joint_turn;

FR_ARRAY_TYPE(fr__joint_turn_array, fr__joint_turn);

typedef struct fr__joint_tree {
    fr__joint_turn_array turns; // parents before children
    fr_byte_array marks;        // by place of a joint: it is in the list
} fr__joint_tree;

void fr__joint_tree_make(fr__joint_tree *tree, const fr_allocator *allocator);
void fr__joint_tree_free(fr__joint_tree *tree);

// Lists the joints as they are now, parents before children; false without memory. O(joints).
bool fr__joints_begin(fr_world *world);

// Moves the children by their parents' next poses and by wishes. Never fails: a child whose place cannot be computed
// stays. Joints are not changed before fr__joints_write.
void fr__joints_solve(fr_world *world);

// Writes the new values to the space.
void fr__joints_write(fr_world *world);

#endif
