// The leaves of two trees that are near one another at some poses, and a direction along which each two of them are
// apart there, kept for queries about motions from poses nearby. As long as nothing has moved farther
// than the list reaches, a motion needs no walk of trees: of the leaves listed most are still apart along their
// directions. It is only ever used to leave out what surely finds nothing.
#ifndef FUREAI_COLLIDE_NEAR_LIST_H
#define FUREAI_COLLIDE_NEAR_LIST_H

#include "collide/near_leaf_kernel.h"
#include "collide/swept_pair.h"
#include "space/space.h"

enum { FR__NEAR_LEAVES = 8192 };

// How a point of one part stands in the frame of the other.
typedef struct fr__sight {
    fr_vec3 turn[3]; // rows
    fr_vec3 move;
} fr__sight;

typedef struct fr__near_list {
    bool is_known;
    uint32_t part_a;                            // of the geometry of the query
    uint32_t space, object, generation, part_b; // what it is near to
    fr__sight sight;                            // of a in b's frame when it was made
    fr_vec3 reach;           // what is not listed does not meet until a point of a has changed more, in b's frame
    double slack;            // what is rounded, in b's frame
    uint32_t wait, patience; // queries until a new list is made
    uint32_t uses;           // queries that it served for
    fr__pair_geometry worst; // of the query at hand: the two parts whose walk took the most nodes
    uint32_t count;
    fr__near_rows rows[FR__NEAR_LEAVES / 8];
    fr__two_leaves pairs[FR__NEAR_LEAVES];
    fr__two_leaves active[FR__NEAR_LEAVES]; // those that a piece of a motion has to look at
} fr__near_list;

// NULL without memory.
fr__near_list *fr__near_list_create(const fr_allocator *allocator);
void fr__near_list_destroy(fr__near_list *list, const fr_allocator *allocator); // NULL is ignored

// Whether the list is about two parts. `part` is the geometry's.
bool fr__near_list_is_about(const fr__near_list *list, const fr__swept_pair *pair, uint32_t part,
                            const fr_space *space);

// Puts the pairs of leaves that may meet during the motion of these two parts from t0 to t1 into `active`, in all
// `count`. False: the list does not reach that far.
bool fr__near_list_pick(fr__near_list *list, const fr__swept_pair *pair, double t0, double t1, uint32_t *count);

// Makes it again about where the motion of two parts begins, if that is worth it: `nodes` is what their walk took. The
// memory is for a walk.
void fr__near_list_renew(fr__near_list *list, const fr__swept_pair *pair, uint32_t part, const fr_space *space,
                         uint64_t nodes, fr__swept_memory *memory);

#endif
