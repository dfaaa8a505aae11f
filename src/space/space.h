// The private structure of a space. Rooms above may read it (after fr__space_check_current) and must not change it.
//
//   objects    by place, with parts, frames and counters
//   proxies    every part once, in one of two dense sets (what moves, what is static), each with its boxes and tree
//   joints     by place, linked to their objects
//   recorder   receives the operations that change the space; NULL: not recorded
//
// Only fr_space_update makes derived data (boxes, proxies). `is_current` says whether they are up to date. The trees of
// deformed parts are refitted by the first query that meets them: what reads trees or local bounds of parts gets the
// object from fr__space_fresh or fr__object_fresh.
#ifndef FUREAI_SPACE_SPACE_H
#define FUREAI_SPACE_SPACE_H

#include "fureai/space.h"
#include "math/frame.h"
#include "shape/mesh.h"
#include "shape/tree.h"
#include "space/place.h"
#include "space/pool.h"

#include <stdatomic.h>

// ---------------------------------------------------------------------------------------------------------------
// Parts

// The box and the bounding ball of a part in its object. The box in the world is computed from them at any pose.
typedef struct fr__part_extent {
    fr_vec3 center;  // of both
    fr_vec3 half;    // of the box, along the part's axes; rounded up
    double radius;   // of the ball; rounded up; infinite for a deformed part
    double rounding; // how far placed points may be outside the placed box, for an object at its origin with scale 1
    bool is_turned;  // the part's axes are not the object's
} fr__part_extent;

// One mesh of an object. Its vertices are `vertices` where that is not NULL, else the mesh's floats or doubles; a
// vertex v is in the world at fr__frame_apply(&object->frame, fr__frame_apply(&part->frame, v)).
typedef struct fr__part {
    const fr_mesh *mesh; // retained
    fr_pose pose;        // in the object
    fr__frame frame;     // of the pose
    uint32_t first_triangle, first_vertex;
    const fr_skin *skin;   // retained; NULL: the part is rigid, or is deformed by hand
    fr_skin_method method; // of the skin
    fr_bounds *reach;      // of each bone of the skin: the vertices that follow it, in the part's frame

    // The triangles in the part's frame. For a deformed part these are valid after an update, and those that follow the
    // vertices while the object is fresh.
    const fr_vec3 *vertices; // part of the object's deformed vertices; NULL: the mesh's own
    const fr_tree *tree;     // the mesh's, or own_tree
    fr_tree *own_tree;       // of a deformed part; NULL before its first update
    uint32_t refits;         // of own_tree so far
    bool is_worn;            // the next update builds own_tree again
    fr_bounds bounds_local;  // of all triangles
    double largest;          // largest absolute coordinate of any vertex
    fr__part_extent extent;  // of bounds_local
    bool is_closed;          // the winding number around a point off the surface is a whole number; valid always

    // Valid after an update.
    fr_bounds bounds_world; // over the whole step, both end poses included
    uint32_t proxy;         // index in the object's set of proxies
} fr__part;

// ---------------------------------------------------------------------------------------------------------------
// Objects

typedef struct fr__attachment {
    void *data;
    fr_versions made_from;
} fr__attachment;

// Whether the trees and local bounds of an object's parts follow its vertices.
typedef enum fr__trees_state {
    FR__TREES_FRESH,
    FR__TREES_STALE, // whoever reads them first refits them
    FR__TREES_BUSY   // a thread refits them
} fr__trees_state;

// The place of an object. Counters and list marks stay when the object is removed.
typedef struct fr__object {
    fr_object_view view;
    fr__frame frame; // of view.pose
    fr__part *parts;
    atomic_uint trees;           // of fr__trees_state
    fr_vec3 *vertices;           // view.vertices, to write; NULL: not deformed
    fr_vec3 *next_vertices;      // memory of view.next_vertices; NULL: never set
    fr_pose *bones;              // memory of view.bones, and of view.next_bones after them; NULL: no part has a skin
    fr__attachment *attachments; // FR_SPACE_MAX_SLOTS, or NULL
    fr_versions versions;
    uint32_t joint_up;   // index1 of the joint whose child this is; 0: none
    uint32_t joint_down; // index1 of the first joint whose parent this is; 0: none

    uint64_t changed_for;  // the update that has it in its list; 0: none
    bool has_new_filter;   // filter or flags were set since the last update
    bool has_new_vertices; // vertices or bones were set since the last update
    bool has_new_bones;    // the vertices are not those of view.bones
    bool is_listed_moving; // in the list of the next commit
} fr__object;

FR_ARRAY_TYPE(fr__object_array, fr__object);

// ---------------------------------------------------------------------------------------------------------------
// Broad phase

// A part as the broad phase sees it.
typedef struct fr__proxy {
    uint32_t object, part; // index of the place, and of the part in it
    uint32_t flags;        // the object's
    fr_filter filter;      // the object's
} fr__proxy;

FR_ARRAY_TYPE(fr__proxy_array, fr__proxy);
FR_ARRAY_TYPE(fr__box_array, fr_box);
FR_ARRAY_TYPE(fr__corner_box_array, fr__corner_box);

// Memory for the refit of one tree at a time.
typedef struct fr__refit_scratch {
    atomic_bool is_taken;
    fr__corner_box_array boxes; // of vertices and leaves; only the capacity counts
} fr__refit_scratch;

// A set of parts: their boxes about the space's origin, rounded outwards, and the tree over them.
typedef struct fr__proxy_set {
    fr__proxy_array proxies; // by object and part
    fr__box_array boxes;     // one a proxy
    fr_tree *tree;
    bool is_changed; // boxes changed since the tree was last brought up to date
} fr__proxy_set;

// The sets up to FR__SET_COUNT are searched. That of ghosts is not and has no tree.
typedef enum fr__set {
    FR__SET_MOVING,
    FR__SET_STATIC,
    FR__SET_COUNT,
    FR__SET_GHOST = FR__SET_COUNT,
    FR__SET_ALL
} fr__set;

// ---------------------------------------------------------------------------------------------------------------
// Joints

typedef struct fr__joint {
    fr_joint joint;
    uint32_t next, before; // index1 of the joints beside it among those of its parent; 0: none
} fr__joint;

FR_ARRAY_TYPE(fr__joint_array, fr__joint);

// ---------------------------------------------------------------------------------------------------------------
// The space

typedef struct fr__recorder fr__recorder;

struct fr_space {
    fr_allocator allocator;
    fr_vec3 origin;
    uint32_t number; // of this space in the process, from 1

    fr__places object_places;
    fr__object_array objects;   // one a place
    fr_double_array path_sizes; // one a place: fr__object_path_size at the last update; 0 where no object is
    double path_size;           // the largest of them
    fr_uint32_array changed;    // places to look at by the next update, each once; room for all
    fr_uint32_array moving;     // places to look at by the next commit, each once; room for all
    uint32_t part_count;        // of all objects
    uint64_t next_update;       // number of the update to come, from 1
    bool has_new_members;       // parts came, went or changed their set since the last update
    bool has_deformed;          // vertices of some object were set since the last update
    bool is_current;
    atomic_uint callbacks; // const calls that may be calling back now

    fr__proxy_set sets[FR__SET_ALL];
    fr_uint32_array self_objects;                    // places with FR_OBJECT_SELF
    fr__box_array triangle_boxes;                    // scratch of trees that are built
    fr__refit_scratch refit_scratch[FR_MAX_WORKERS]; // for threads that refit at once
    int refit_scratch_count;
    fr_arena *skin_scratch[FR_MAX_WORKERS]; // of vertices that follow bones, one a worker
    int skin_scratch_count;
    size_t bone_total; // of all objects with skins
    fr__pool pool;     // memory of the trees

    fr__places joint_places;
    fr__joint_array joints; // one a place

    fr_attachment_type slots[FR_SPACE_MAX_SLOTS];
    uint32_t slot_count;

    fr__recorder *recorder;
};

static inline fr__object *fr__space_objects(const fr_space *space) { return space->objects.data; }
static inline fr__joint *fr__space_joints(const fr_space *space) { return space->joints.data; }

// The object at a used place.
static inline const fr__object *fr__space_object(const fr_space *space, uint32_t index) {
    FR_ASSERT(fr__places_is_used(&space->object_places, index));
    return &fr__space_objects(space)[index];
}

static inline fr_object_id fr__space_object_id(const fr_space *space, uint32_t index) {
    fr_object_id id = {index + 1, fr__places_generation(&space->object_places, index), space->number};
    return id;
}

// Whether what follows the vertices of an object may be read.
static inline bool fr__object_is_fresh(const fr__object *object) {
    return atomic_load_explicit(&object->trees, memory_order_acquire) == FR__TREES_FRESH;
}

// Refits the trees of an object that is not fresh, or waits for the thread that does. Any number of threads may call
// this at once, for objects whose vertices were not set since the last update.
void fr__object_refit(const fr_space *space, const fr__object *object);

// The same without waiting: an object that another thread refits may still be busy afterwards.
void fr__object_try_refit(const fr_space *space, const fr__object *object);

// Returns the object with trees and local bounds that may be read. The second takes a used place.
static inline const fr__object *fr__object_fresh(const fr_space *space, const fr__object *object) {
    if (!fr__object_is_fresh(object)) { fr__object_refit(space, object); }
    return object;
}

static inline const fr__object *fr__space_fresh(const fr_space *space, uint32_t index) {
    return fr__object_fresh(space, fr__space_object(space, index));
}

// The object of an id, or NULL where it is stale.
static inline fr__object *fr__space_find(const fr_space *space, fr_object_id id) {
    bool is_here = id.space == space->number && fr__places_has(&space->object_places, id.index1, id.generation);
    return is_here ? &fr__space_objects(space)[id.index1 - 1] : NULL;
}

static inline fr__set fr__set_of(uint32_t object_flags) {
    if ((object_flags & FR_OBJECT_GHOST) != 0) { return FR__SET_GHOST; }
    return (object_flags & FR_OBJECT_STATIC) != 0 ? FR__SET_STATIC : FR__SET_MOVING;
}

// FR_OK, or FR_ERROR_STALE_DATA when parts came, went or changed their set since the last update.
fr_status fr__space_check_members(const fr_space *space, fr_error *error);

// FR_OK, or FR_ERROR_STALE_DATA when something changed since the last update.
fr_status fr__space_check_current(const fr_space *space, fr_error *error);

// FR_OK, or FR_ERROR_BUSY while a const call of the space may be calling back: nothing may change then.
fr_status fr__space_check_change(const fr_space *space, fr_error *error);

// fr_space_commit on tasks, which may be NULL.
fr_status fr__space_commit(fr_space *space, const fr_tasks *tasks, fr_error *error);

// Called around callbacks of const calls; changes are refused between the two.
void fr__space_enter(const fr_space *space);
void fr__space_leave(const fr_space *space);

// Whether an object is on the list of the next update.
static inline bool fr__object_is_changed(const fr_space *space, const fr__object *object) {
    return object->changed_for == space->next_update;
}

// Puts an object on the list of the next update; the space is no longer current. Adding an object makes room for it in
// the list, so this never fails.
static inline void fr__space_mark_changed(fr_space *space, uint32_t index) {
    fr__object *object = &fr__space_objects(space)[index];
    space->is_current = false;
    space->sets[fr__set_of(object->view.flags)].is_changed = true;
    if (fr__object_is_changed(space, object)) { return; }
    object->changed_for = space->next_update;
    FR_ASSERT(space->changed.count < space->changed.capacity);
    space->changed.data[space->changed.count++] = index;
}

#endif
