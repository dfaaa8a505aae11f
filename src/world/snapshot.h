// Snapshots and their pool.
//
// A snapshot is one block with room for a number of elements of each kind. All blocks in use have the same room. When
// more is needed, as many larger ones are made as there were, so that a user who retains snapshots as before causes no
// further allocation. Blocks with less room are freed when they return.
//
// The pool lives as long as the world or a snapshot. Blocks return by a list that any thread may add to; only the
// world's thread takes from it.
#ifndef FUREAI_WORLD_SNAPSHOT_H
#define FUREAI_WORLD_SNAPSHOT_H

#include "fureai/world.h"

#include <stdatomic.h>

// The number of elements of each kind.
typedef struct fr__snapshot_room {
    size_t objects, bones, pairs, contacts, touches, face_touches, events;
    size_t step_pairs, step_contacts, step_intervals; // of the step
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
    fr_pose *bones; // of the objects, one after another
    fr_face_pair *pairs;
    fr_contact *contacts;
    fr_touch *touches;
    fr_face_touch *face_touches;
    fr_event *events;
    fr_face_pair *step_pairs;
    fr_contact *step_contacts;
    fr_touch_interval *step_intervals;
} fr__snapshot;

// NULL without memory.
fr__snapshot_pool *fr__snapshot_pool_create(const fr_allocator *allocator);

// The world releases the pool.
void fr__snapshot_pool_leave(fr__snapshot_pool *pool);

// Whether there is room for that much; objects and bones are not counted.
bool fr__snapshot_holds(const fr__snapshot *snapshot, const fr__snapshot_room *needed);

// A block with at least that much room, with one user; NULL without memory.
fr__snapshot *fr__snapshot_take(fr__snapshot_pool *pool, const fr__snapshot_room *needed);

void fr__snapshot_retain(fr__snapshot *snapshot);

#endif
