// Ways through a tree for the questions of this room: along a line, and by the distance to a point. Both in the tree's
// own frame, nearest first, with a bound that shrinks; the broad phase's trees and the parts' are walked alike.
#ifndef FUREAI_SPACE_WALK_H
#define FUREAI_SPACE_WALK_H

#include "math/simd.h"
#include "shape/tree.h"

// A line from a point, made ready for boxes. Ways along it are counted in lengths of its direction scaled by a power
// of two, so that floats neither overflow nor vanish.
typedef struct fr__line {
    float start_near[3], start_far[3]; // the start moved by the growth, against and along the direction
    float inverse[3];                  // 1 / direction
    bool is_down[3];                   // the direction is negative: the near side of a box is its maximum
    bool is_flat[3];                   // the direction is 0: a box is beside the line or not, all along
    double unit;                       // ways in the scaled direction a length of the direction as it was given
} fr__line;

// A line of direction not 0 that meets a box where it comes within `growth` >= 0 of it on every axis.
fr__line fr__line_make(fr_vec3 start, fr_vec3 direction, double growth);

// The bound for a walk that looks for what lies up to `way` lengths of the direction as it was given.
float fr__line_bound(const fr__line *line, double way);

// A point, made ready for distances to boxes: squares of distances scaled by a power of two.
typedef struct fr__spot {
    float low[3], high[3]; // the point moved by the slack, rounded outwards
    float scale;
} fr__spot;

// Distances to boxes are taken from a point that is anywhere within `slack` of `point`; `reach` is the largest
// coordinate of point and boxes.
fr__spot fr__spot_make(fr_vec3 point, double slack, double reach);

// The bound for a walk that looks for what lies within `distance`, in the tree's lengths.
float fr__spot_bound(const fr__spot *spot, double distance);

// Looks at an item and returns the bound from now on: at most the one given. Negative ends the walk.
typedef float fr__space_walk_fn(uint32_t item, float bound, void *context);

typedef struct fr__space_walk_table {
    // Every item whose box the line may meet within the bound.
    void (*along)(const fr_tree *tree, const fr__line *line, float bound, fr__space_walk_fn *item, void *context);
    // Every item whose box may be within the bound of the point.
    void (*near)(const fr_tree *tree, const fr__spot *spot, float bound, fr__space_walk_fn *item, void *context);
} fr__space_walk_table;

FR__KERNEL_TABLE(fr__space_walk_table, fr__space_walk_kernel)

#endif
