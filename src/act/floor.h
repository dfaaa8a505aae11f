// The floor that people walk on: where bodies may be among what stands there, as cells, and paths over it.
#ifndef FUREAI_ACT_FLOOR_H
#define FUREAI_ACT_FLOOR_H

#include "fureai/human_skill.h"
#include "fureai/plan.h"

// Which cells are closed.
typedef enum fr__floor_layer {
    FR__FLOOR_ROOMY, // nearer to a thing than the radius of a body, and people who stand
    FR__FLOOR_TIGHT, // nearer than a body can be that goes sideways, and people who stand
    FR__FLOOR_BARE,  // the same without people
    FR__FLOOR_LAYERS
} fr__floor_layer;

typedef struct fr__floor_def {
    double radius;    // of the largest body, metres
    double clearance; // between the middles of two people, metres
    double ground;    // height of the floor
    double height;    // of the tallest body
    fr_allocator allocator;
} fr__floor_def;

// A thing as it was drawn last.
typedef struct fr__floor_thing {
    fr_object_id object;
    fr_pose pose;
    bool is_drawn;
    bool has_cells;
    bool is_skipped;
} fr__floor_thing;

typedef struct fr__floor_stand {
    fr_vec3 place;
    bool is_there;
} fr__floor_stand;

FR_ARRAY_TYPE(fr__floor_thing_array, fr__floor_thing);
FR_ARRAY_TYPE(fr__floor_stand_array, fr__floor_stand);
FR_ARRAY_TYPE(fr__floor_box_array, fr_plan_box);
FR_ARRAY_TYPE(fr__floor_mask, uint8_t);

typedef struct fr__floor {
    fr__floor_def def;
    fr_plan_world *layers[FR__FLOOR_LAYERS];
    fr_plan_robot *point;         // a body
    double edge;                  // of a cell, metres
    double min_x, min_z;          // of cell 0, 0
    int64_t size;                 // cells in a row
    fr_bounds needed;             // that the cells must cover
    fr__floor_thing_array things; // by their place in the space
    fr__floor_stand_array stands; // by the number of the person
    uint64_t version;             // grows whenever cells of things open or close
    // Scratch.
    fr__floor_mask footprint, grown;
    fr__floor_box_array boxes;
} fr__floor;

fr_status fr__floor_create(const fr__floor_def *def, fr__floor **out, fr_error *error);
void fr__floor_destroy(fr__floor *floor); // NULL is ignored

// Whether an object stands on no floor, such as one in a hand.
typedef bool fr__floor_skip_fn(fr_object_id object, void *context);

// Looks where all things of a space are; those that have moved are drawn again. Ghosts, sensors and proxies are none.
fr_status fr__floor_refresh(fr__floor *floor, const fr_space *space, fr__floor_skip_fn *skip, void *context,
                            fr_error *error);

// Whether the cells reach all that they must.
bool fr__floor_covers(const fr__floor *floor);

// Whether an object closes cells.
bool fr__floor_has(const fr__floor *floor, fr_object_id object);

// The floor reaches a point from the next refresh on.
void fr__floor_include(fr__floor *floor, fr_vec3 point);

// A person, by its number, stands at a place, or does so no more.
fr_status fr__floor_put_person(fr__floor *floor, uint32_t person, fr_vec3 place, fr_error *error);
void fr__floor_take_person(fr__floor *floor, uint32_t person);

// Whether a body can have its middle there.
bool fr__floor_is_free(const fr__floor *floor, fr__floor_layer layer, fr_vec3 point);

#define FR__FLOOR_MAX_POINTS 48u // of a path

typedef struct fr__floor_path {
    bool is_found;
    fr_pose points[FR__FLOOR_MAX_POINTS]; // after the start, without the goal
    uint32_t count;
} fr__floor_path;

// Finds a path from a place to another in a layer. Near the start a body comes out of where it is, near the goal it may
// go sideways; a goal that is not free in FR__FLOOR_TIGHT (of FR__FLOOR_BARE in that) has no path. FR_ERROR_MEMORY.
fr_status fr__floor_find(const fr__floor *floor, fr__floor_layer layer, fr_vec3 start, fr_vec3 goal,
                         fr__floor_path *out, fr_error *error);

// Whether the straight line is a path of FR__FLOOR_ROOMY: a path that needs no search.
bool fr__floor_is_straight(const fr__floor *floor, fr_vec3 start, fr_vec3 goal);

// Whether there were a path of FR__FLOOR_BARE without a thing. FR_ERROR_MEMORY.
fr_status fr__floor_find_without(fr__floor *floor, const fr_space *space, fr_object_id thing, fr_vec3 start,
                                 fr_vec3 goal, bool *is_found, fr_error *error);

#endif
