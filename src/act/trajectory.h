// A trajectory: where a person is going to be, tick by tick.
#ifndef FUREAI_ACT_TRAJECTORY_H
#define FUREAI_ACT_TRAJECTORY_H

#include "fureai/human_skill.h"

#define FR__TRAJECTORY_STEP 6u // ticks between two places

// A place of a trajectory. `is_closed`: things closed it already when the trajectory was made.
typedef struct fr__trajectory_place {
    float x, z;
    bool is_closed;
} fr__trajectory_place;

FR_ARRAY_TYPE(fr__trajectory_place_array, fr__trajectory_place);

// Places at ticks begin, begin + FR__TRAJECTORY_STEP and so on; after the last one the person stands there.
typedef struct fr__trajectory {
    uint64_t begin;
    fr__trajectory_place_array places; // at least one
    float min[2], max[2];              // of x and z
} fr__trajectory;

// A trajectory that stands at a place. FR_ERROR_MEMORY.
fr_status fr__trajectory_stand(fr__trajectory *trajectory, uint64_t tick, fr_vec3 place, fr_error *error);

// The trajectory of a walk as it goes on from now, `delay` ticks later. FR_ERROR_MEMORY, FR_ERROR_LIMIT.
fr_status fr__trajectory_walk(fr__trajectory *trajectory, uint64_t tick, uint32_t delay, fr_vec3 place,
                              const fr_walk *walk, fr_error *error);

// Where it is at a tick.
fr_vec3 fr__trajectory_at(const fr__trajectory *trajectory, uint64_t tick);

// The tick from which on it stands.
uint64_t fr__trajectory_end(const fr__trajectory *trajectory);

// Whether two trajectories come nearer to one another than `limit` in ticks from .. to; those that are nearer at first
// may go apart.
bool fr__trajectories_meet(const fr__trajectory *a, const fr__trajectory *b, uint64_t from, uint64_t to, double limit);

uint64_t fr__trajectory_hash(const fr__trajectory *trajectory, uint64_t hash);

#endif
