// Snapshots and the pool they come from and go back to.
//
// A snapshot is one block with room for a number of things of each kind. All blocks that are given out have the same
// room; when more is needed, as many larger ones are made as there were, so that whoever retains snapshots as before
// causes no further allocation. Blocks with less room are given back to the allocator when they come home.
//
// The pool lives as long as the world or a snapshot. Blocks come home by a list that any thread may add to and the
// world's alone takes from.
#ifndef FUREAI_WORLD_SNAPSHOT_H
#define FUREAI_WORLD_SNAPSHOT_H

#include "fureai/world.h"

#include <stdatomic.h>

// How many things of each kind.
typedef struct fr__snapshot_room {
    size_t objects, pairs, contacts, touches, face_touches, events;
    size_t over_pairs, over_contacts, over_intervals; // of the step
} fr__snapshot_room;

typedef struct fr__snapshot_pool fr__snapshot_pool;

typedef struct fr__snapshot {
    fr_snapshot view; // first: a pointer to it is one to the snapshot
    atomic_uint users;
    fr__snapshot_pool *pool;
    struct fr__snapshot *next; // in the pool's list
    fr__snapshot_room room;
    size_t bytes; // of the block
    fr_snapshot_object *objects;
    fr_face_pair *pairs;
    fr_contact *contacts;
    fr_touch *touches;
    fr_face_touch *face_touches;
    fr_event *events;
    fr_face_pair *over_pairs;
    fr_contact *over_contacts;
    fr_touch_interval *over_intervals;
} fr__snapshot;

// NULL without memory.
fr__snapshot_pool *fr__snapshot_pool_create(const fr_allocator *allocator);

// The world lets go of the pool.
void fr__snapshot_pool_leave(fr__snapshot_pool *pool);

// Whether there is room for that much; objects are not counted.
bool fr__snapshot_holds(const fr__snapshot *snapshot, const fr__snapshot_room *least);

// A block with at least that much room, with one user; NULL without memory.
fr__snapshot *fr__snapshot_take(fr__snapshot_pool *pool, const fr__snapshot_room *least);

void fr__snapshot_retain(fr__snapshot *snapshot);

#endif
