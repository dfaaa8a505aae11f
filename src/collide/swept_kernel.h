// Two trees walked together while their frames move: the hot part of the tree method over a step.
#ifndef FUREAI_COLLIDE_SWEPT_KERNEL_H
#define FUREAI_COLLIDE_SWEPT_KERNEL_H

#include "collide/face_kernel.h"

// Takes boxes of one tree into the frame of the other at both ends of a slice of time; see swept_pair.c.
typedef struct fr__swept_frame {
    float turn[2][3][3];
    float move[2][3];
    float size[3][3]; // the larger of the two turns, absolute
    float growth;     // added on every side of a box: margin, tolerance, what paths bulge, all rounding
    float grown[3];   // the same for boxes of nodes, of each axis: more, where the other tree may be elsewhere
    float min_path;   // a shorter path of a box counts as this long
} fr__swept_frame;

// How planes of one side's faces are taken into the frame of the other: see swept_pair.c.
typedef struct fr__plane_frame {
    float scale_squared; // of the turn
    float bound, floor;  // a value is sure beyond bound times the size of the plane's products, and floor
} fr__plane_frame;

typedef struct fr__swept_relation {
    bool self;        // one part with itself
    bool is_still;    // both ends of the slice are one time
    bool has_planes;  // the plane frames are of use
    bool is_small;    // both are rigid, and no product of three coordinates can overflow
    bool b_is_better; // paths bulge less in b's frame than in a's
    fr__swept_frame b_to_a, a_to_b;
    fr__plane_frame planes_b_to_a, planes_a_to_b;
} fr__swept_relation;

// A pair of triangles that may meet, and from when to when in the slice, 0 .. 1: never late, never early.
typedef struct fr__swept_candidate {
    uint32_t a, b;
    float enter, exit;
} fr__swept_candidate;

// A leaf of each tree.
typedef struct fr__two_leaves {
    uint32_t a, b;
} fr__two_leaves;

// A pair of children, by their lanes in the two nodes that were opened together.
typedef struct fr__child_pair {
    float enter;
    uint16_t level;    // of the opened pair, in the walk
    uint8_t row, lane; // of a, of b; 0 of a leaf, which was not opened
} fr__child_pair;

// The memory of a walk in depth: the pairs that wait, and the pair that was opened on each level of the path down to
// the last one. The pair that a walk begins with is on level 0.
typedef struct fr__swept_memory {
    fr__node_pair opened[FR__TREE_MAX_DEPTH + 1];
    fr__child_pair pairs[FR__WAITING_PAIRS];
    uint32_t count; // of pairs
} fr__swept_memory;

// Candidates that a walk by time hands on at once, at most.
enum { FR__FEW = 64 };

struct fr__swept_walk;

// Takes over candidates, at most FR__BATCH, in memory that it may use; may lower walk->limit. False ends the walk.
typedef bool fr__swept_fn(struct fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count);

// Takes over pairs of leaves, at most FR__BATCH; false ends the walk.
typedef bool fr__leaves_fn(struct fr__swept_walk *walk, const fr__two_leaves *pairs, uint32_t count);

typedef struct fr__swept_walk {
    const fr__side *a, *b;
    const fr__swept_relation *relation;
    fr__swept_fn *found;
    void *context;
    fr__swept_memory *memory;     // for this walk alone; not of `open` and `meet`
    fr__swept_candidate *waiting; // room for FR__FEW by time, else FR__BATCH; not of `open` and `list`
    bool by_time;                 // near ones first, handed on a few at a time
    bool culls_itself;            // `found` does: candidates are handed on without the cull
    bool at_once;                 // each is handed on as soon as it is found
    float limit;                  // what enters later than this is left out; 1: nothing is
    uint64_t nodes;               // pairs of nodes and leaves opened, added up
    uint64_t candidates;          // handed on, added up
} fr__swept_walk;

typedef struct fr__swept_kernel_table {
    // Hands on every pair of triangles below `start` whose boxes and planes do not prove them apart during the slice.
    // Of a part with itself each pair comes once. False when `found` ended it.
    bool (*walk)(fr__swept_walk *walk, fr__node_pair start);
    // Opens one pair, not both leaves: its children that are not proven apart, pairs of leaves included, into `out`.
    // Returns how many.
    uint32_t (*open)(fr__swept_walk *walk, fr__node_pair pair, fr__node_pair out[FR__NODE_PAIRS]);
    // Hands on the pairs of leaves that a walk from the roots meets. False when `found` ended it.
    bool (*list)(fr__swept_walk *walk, fr__leaves_fn *found);
    // As the walk, of these pairs of leaves.
    bool (*meet)(fr__swept_walk *walk, const fr__two_leaves *pairs, uint32_t count);
} fr__swept_kernel_table;

FR__KERNEL_TABLE(fr__swept_kernel_table, fr__swept_kernel)

typedef struct fr__swept_cull_kernel_table {
    // Takes out pairs that are proven apart all the time from their enter to their exit, or to walk->limit; those that
    // are left enter later, where that is proven. Returns how many, in order. For relations that are small.
    uint32_t (*cull)(const fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count);
} fr__swept_cull_kernel_table;

FR__KERNEL_TABLE(fr__swept_cull_kernel_table, fr__swept_cull_kernel)

#endif
