// What a forecast knows of the objects of its world.
#ifndef FUREAI_ACTOR_FORECAST_H
#define FUREAI_ACTOR_FORECAST_H

#include "collide/move.h"
#include "fureai/actor.h"
#include "fureai/sector.h"

// An object, and how it was seen to move when it was last looked at.
typedef struct fr__forecast_body {
    fr_object_id id;
    fr_versions versions;
    fr_motion motion;  // of a second, from its pose at `since`; all zeros but the start: it stands
    fr_motion now;     // of a second, from its pose in this tick
    double since;      // seconds of the world
    double until;      // it was looked at up to this time; -infinity: never
    double seconds;    // it is watched this far ahead; 0: it is not
    fr_bounds local;   // box of its parts, in the object
    double reach;      // greatest distance of a corner of that box from the pivot, in the world
    fr_bounds swept;   // all that it covers from `since` to `until`
    fr_sector sector;  // the same; of what is watched and turns
    bool has_sector;   //
    bool is_moving;    // in this tick
    bool is_looked_at; // it is new in this tick, or moves otherwise than before, or its time ran out
} fr__forecast_body;

FR_ARRAY_TYPE(fr__forecast_body_array, fr__forecast_body);

// A meeting of two objects, or one that lasts. `hit.a` is watched.
typedef struct fr__forecast_record {
    fr_forecast_hit hit;
    uint64_t key;       // of the two places, the lower one first
    uint64_t announced; // ticks taken when it was announced, and one more; 0: it was not
    bool is_touching;   // they touch now: nothing is to come before they are apart
} fr__forecast_record;

FR_ARRAY_TYPE(fr__forecast_record_array, fr__forecast_record);
FR_ARRAY_TYPE(fr__forecast_hit_array, fr_forecast_hit);
FR_ARRAY_TYPE(fr__forecast_object_array, fr_forecast_object);

struct fr_forecast {
    fr_allocator allocator;
    fr_world *world;
    fr__forecast_object_array objects; // that are watched; none: all
    double seconds;                    // the farthest that any is watched
    fr__forecast_body_array bodies;    // one a place of the space
    fr_uint32_array watched;           // bodies that are watched, in this tick
    fr_byte_array children;            // one a place: it hangs on a joint
    fr__forecast_record_array records; // by key
    fr__forecast_record_array next;    // those of the tick that is made
    fr__forecast_hit_array hits;       // what is to come, as callers read it
    fr__move_memory memory;            // of one query
};

// Draws what is watched: the sectors to come, and where something will be hit.
void fr__forecast_paint(fr_painter *painter, const fr_proposal *proposal, void *user);

// The sector that a body sweeps in so many seconds from its pose in this tick; false: it does not turn.
bool fr__forecast_sector(const fr__forecast_body *body, double seconds, fr_sector *out);

#endif
