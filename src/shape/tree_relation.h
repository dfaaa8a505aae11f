// The relation of two trees, each in its own frame, for walking both at once.
#ifndef FUREAI_SHAPE_TREE_RELATION_H
#define FUREAI_SHAPE_TREE_RELATION_H

#include "fureai/shape.h"

// Takes boxes of one tree into the frame of the other: x = turn x' + move.
typedef struct fr__tree_frame {
    float turn[3][3];
    float size[3][3]; // absolute values of turn
    float move[3];
    float growth; // added on every side of a box: margin and all rounding
} fr__tree_frame;

typedef struct fr__tree_relation {
    bool same_frame; // both trees stand in one frame: only b_to_a.growth is used
    bool self;       // the trees are one, and so is the frame
    fr__tree_frame b_to_a;
    fr__tree_frame a_to_b;
} fr__tree_relation;

// Looks at a pair of leaves, by index; false ends the walk.
typedef bool fr__tree_leaf_pair_fn(uint32_t leaf_a, uint32_t leaf_b, void *context);

// The relation of two posed trees such that no pair of items is lost that holds two points whose places in the world,
// by fr_pose_apply, are within `margin` (metres, >= 0) of one another.
fr__tree_relation fr__tree_relate(const fr_tree *a, const fr_pose *pose_a, const fr_tree *b, const fr_pose *pose_b,
                                  double margin);

// The relation of two trees in one frame, or of a tree with itself, such that no pair of items is lost whose boxes are
// at most `margin` (>= 0) apart on every axis.
fr__tree_relation fr__tree_relate_same(const fr_tree *a, const fr_tree *b, double margin);

#endif
