// The hot part of the tree method: two trees walked together, and batches of triangle pairs judged.
#ifndef FUREAI_COLLIDE_FACE_KERNEL_H
#define FUREAI_COLLIDE_FACE_KERNEL_H

#include "collide/candidate.h"
#include "math/simd.h"
#include "shape/tree.h"

// Two tree nodes to be opened together: children as a node has them, and where their boxes stand
// (8 * node + lane; FR_NONE for a root).
typedef struct fr__node_pair {
    uint32_t a, b;
    uint32_t slot_a, slot_b;
} fr__node_pair;

// Opening one pair puts at most this many in its place.
enum { FR__NODE_PAIRS = 64 };

// Pairs that wait at most in a walk in depth: on any path down at most FR__TREE_MAX_DEPTH pairs are opened, and each
// puts on at most 64.
enum { FR__WAITING_PAIRS = 63 * FR__TREE_MAX_DEPTH + 64 };

// The memory of one walk, more than a stack is good for; aligned to FR__WALK_ALIGN.
#define FR__FACE_WALK_BYTES 61440u
#define FR__WALK_ALIGN 64u

typedef struct fr__face_walk {
    const fr__side *a, *b;
    const fr__relation *relation;
    fr__candidates_fn *found;
    fr__candidates_fn *crossing; // takes those that surely cross; NULL: `found` too
    void *context;
    void *memory;        // FR__FACE_WALK_BYTES, for this walk alone
    uint64_t nodes;      // pairs of nodes and leaves opened, added up
    uint64_t candidates; // handed on to either, added up
} fr__face_walk;

// A candidate that the cheap part of the judge did not refuse.
typedef struct fr__judged {
    uint32_t index; // in the batch
    bool sure;      // the triangles cross; else only exact arithmetic can decide
} fr__judged;

typedef struct fr__face_walk_kernel_table {
    // Hands on every pair of triangles below `start` that boxes and float arithmetic do not prove apart, each once.
    // Those of which that proves that they cross, by an edge through a face and clear of all rounding, go to
    // `crossing`. With relation->tree.self each unordered pair comes once, all to `found`. False when one of them ended
    // it.
    bool (*walk)(fr__face_walk *walk, fr__node_pair start);
    // Opens one pair, not both leaves: its children that are not proven apart, pairs of leaves included, into `out`.
    // Returns how many.
    uint32_t (*open)(fr__face_walk *walk, fr__node_pair pair, fr__node_pair out[FR__NODE_PAIRS]);
} fr__face_walk_kernel_table;

FR__KERNEL_TABLE(fr__face_walk_kernel_table, fr__face_walk_kernel)

typedef struct fr__face_judge_kernel_table {
    // The cheap part of fr_triangle_overlap on the world corners, of neighbours that of fr__faces_overlap where
    // `is_one_part`. Returns how many were not refused, written to `out` in order.
    uint32_t (*judge)(const fr__side *a, const fr__side *b, bool is_one_part, const fr__candidate *candidates,
                      uint32_t count, fr__judged *out);
} fr__face_judge_kernel_table;

FR__KERNEL_TABLE(fr__face_judge_kernel_table, fr__face_judge_kernel)

#endif
