// The inside of a world.
//
//   space, collide   what is there, and who is asked what touches; over_step: who is asked about the step
//   bodies           by the space's places: label, states, hold, input
//   wishes, step     what is wished in this tick, and what was done to the space for it
//   joints           the order in which joints carry their children, and where they got them
//   touches, faces   who touches whom, and which faces do
//   events           what is told
//   pool, newest     snapshots
//   recorder         who gets the operations that change the world; NULL: nobody
#ifndef FUREAI_WORLD_WORLD_H
#define FUREAI_WORLD_WORLD_H

#include "fureai/world.h"
#include "space/space.h"
#include "world/body.h"
#include "world/face_list.h"
#include "world/joint_tree.h"
#include "world/record.h"
#include "world/snapshot.h"
#include "world/step.h"
#include "world/touch_list.h"
#include "world/wish.h"

// Who moves or corrects, with a name of its own.
typedef struct fr__proposer {
    fr_propose_fn *propose;
    void *user;
    char name[FR_WORLD_NAME_MAX_BYTES + 1];
} fr__proposer;

typedef struct fr__proposers {
    fr__proposer list[FR_WORLD_MAX_CORRECTORS];
    uint32_t count;
} fr__proposers;

struct fr_world {
    fr_allocator allocator;
    fr_space *space;
    fr_collide *collide, *over_step;
    double step;
    fr_want want;
    fr_sense sense;
    double margin;
    uint64_t budget;

    uint64_t tick;
    uint64_t sequence; // of the newest snapshot; 0 before the first
    bool is_ticking;   // a tick is under way: no other begins, and nobody who proposes comes or goes

    fr__body_array bodies; // by the space's places; may be shorter
    fr__proposers movers, correctors;

    fr_wishes wishes;
    fr__step_changes steps;
    fr__joint_tree joints;
    fr_collide_output sensed; // of the last tick; lives in `collide`
    fr_collide_output over;   // of the step; lives in `over_step`
    fr__touch_list touches;
    fr__face_list faces;
    fr__event_array events; // of this tick
    fr__snapshot_pool *pool;
    fr__snapshot *newest;         // retained; NULL before the first tick
    fr__world_recorder *recorder; // NULL: nobody records
};

#endif
