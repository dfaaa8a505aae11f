// The private structure of a world.
//
//   space, collide   the objects, and collision detection at the poses; step_collide: over the step
//   bodies           by the space's places: label, states, hold, input
//   wishes, step     the requested motions of this tick, and the changes made to the space for them
//   joints           the order in which joints carry their children, and the new joint values
//   touches, faces   the objects and the faces that touch
//   events           the events of this tick
//   pool, newest     snapshots
//   recorder         receives the operations that change the world; NULL: not recorded
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

// A mover or corrector with its name.
typedef struct fr__proposer {
    fr_propose_fn *propose;
    void *user;
    char name[FR_WORLD_NAME_MAX_BYTES + 1];
    bool is_idle; // it would propose nothing now, and is not called
} fr__proposer;

typedef struct fr__proposers {
    fr__proposer list[FR_WORLD_MAX_CORRECTORS];
    uint32_t count;
} fr__proposers;

struct fr_world {
    fr_allocator allocator;
    fr_space *space;
    fr_collide *collide, *step_collide;
    double step;
    fr_want want;
    fr_sense sense;
    double margin;
    uint64_t budget;

    uint64_t tick;
    uint64_t sequence; // of the newest snapshot; 0 before the first
    bool is_ticking;   // a tick is running: no other begins, and no mover or corrector is added or removed

    fr__body_array bodies; // by the space's places; may be shorter
    bool has_inputs;       // some body may have one
    bool has_holds;        // some body may be held or placed
    fr__proposers movers, correctors;

    fr_wishes wishes;
    fr__step_changes steps;
    fr__joint_tree joints;
    fr_collide_output pose_result; // of the poses of the last tick; lives in `collide`
    fr_collide_output step_result; // of the step; lives in `step_collide`
    fr__touch_list touches;
    fr__face_list faces;
    fr__event_array events; // of this tick
    fr__snapshot_pool *pool;
    fr__snapshot *newest;         // retained; NULL before the first tick
    fr__world_recorder *recorder; // NULL: not recorded
};

// The object at a place; all zeros: none.
static inline fr_object_id fr__body_object(const fr_world *world, uint32_t index) {
    bool is_used = fr__places_is_used(&world->space->object_places, index);
    return is_used ? fr__space_object_id(world->space, index) : (fr_object_id){0, 0, 0};
}

// Says, between ticks, whether a corrector has nothing to do: a tick brings the space up to date for each one that is
// not idle, and an idle one costs nothing.
void fr__world_set_idle(fr_world *world, fr_propose_fn *corrector, const void *user, bool is_idle);

#endif
