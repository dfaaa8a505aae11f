// Walks through a tree for the queries of this room: along a line, and by the distance to a point. Both run in the
// tree's own frame, nearest first, with a bound that shrinks. They serve the broad phase's trees and the parts' trees.
#ifndef FUREAI_SPACE_WALK_H
#define FUREAI_SPACE_WALK_H

#include "math/simd.h"
#include "shape/tree.h"

// A line from a point, prepared for tests against boxes. Travel along it is measured in lengths of its direction scaled
// by a power of two, so that floats neither overflow nor vanish.
typedef struct fr__line {
    float start_near[3], start_far[3]; // the start moved by the growth, against and along the direction
    float inverse[3];                  // 1 / direction
    bool is_down[3];                   // the direction is negative: the near side of a box is its maximum
    bool is_flat[3];                   // the direction is 0: a box is beside the line or not, all along
    double unit;                       // travel in the scaled direction for one length of the given direction
} fr__line;

// A line of direction not 0 that meets a box where it comes within `growth` >= 0 of it on every axis.
fr__line fr__line_make(fr_vec3 start, fr_vec3 direction, double growth);

// The bound for a walk that searches up to `travel` lengths of the given direction.
float fr__line_bound(const fr__line *line, double travel);

// A point, prepared for distances to boxes: squares of distances scaled by a power of two.
typedef struct fr__spot {
    float low[3], high[3]; // the point moved by the slack, rounded outwards
    float scale;
} fr__spot;

// Distances to boxes are taken from a point that is anywhere within `slack` of `point`; `reach` is the largest
// coordinate of point and boxes.
fr__spot fr__spot_make(fr_vec3 point, double slack, double reach);

// The bound for a walk that searches within `distance`, in the tree's lengths.
float fr__spot_bound(const fr__spot *spot, double distance);

// Visits an item and returns the new bound, which is at most the one given. A negative bound ends the walk.
typedef float fr__space_walk_fn(uint32_t item, float bound, void *context);

typedef struct fr__space_walk_table {
    // Visits every item whose box the line may meet within the bound.
    void (*along)(const fr_tree *tree, const fr__line *line, float bound, fr__space_walk_fn *item, void *context);
    // Visits every item whose box may be within the bound of the point.
    void (*near)(const fr_tree *tree, const fr__spot *spot, float bound, fr__space_walk_fn *item, void *context);
} fr__space_walk_table;

FR__KERNEL_TABLE(fr__space_walk_table, fr__space_walk_kernel)

#endif
