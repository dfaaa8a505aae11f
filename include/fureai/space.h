// Fureai space: where objects are. Objects of parts with a pose and a motion, filters for collisions, derived data and
// whether they are up to date, the broad phase, and the queries that all rooms use: rays, overlaps, closest points.
//
// Only one thread at a time changes a space, and none while a const call runs on it; const calls may run at once. The
// data of an object can be read at once after they were set. Pairs, queries and bounds come from derived data: they
// return FR_ERROR_STALE_DATA on a space that was changed since the last fr_space_update, never an old result.
//
// A callback of a const call must not change the space: every call that changes it refuses with FR_ERROR_BUSY and does
// nothing while a const call is calling back, so an object cannot be removed during a query.
#ifndef FUREAI_SPACE_H
#define FUREAI_SPACE_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Names

typedef struct fr_space fr_space;

// Names an object of a space. All zeros names nothing. An id of a removed object, or of another space, is stale: every
// call returns FR_ERROR_STALE_ID for it.
typedef struct fr_object_id {
    uint32_t index1;     // 1 + the index of the object's place; places are used again
    uint32_t generation; // how often the place was used before
    uint32_t space;      // which space of this process, from 1
} fr_object_id;

static inline bool fr_object_id_equal(fr_object_id a, fr_object_id b) {
    return a.index1 == b.index1 && a.generation == b.generation && a.space == b.space;
}

#define FR_SPACE_MAX_OBJECTS (1u << 24)
#define FR_SPACE_MAX_PARTS (1u << 26)

// ---------------------------------------------------------------------------------------------------------------
// The space

typedef struct fr_space_def {
    fr_vec3 origin;         // the broad phase's float boxes are kept about it; default 0; choose it amid far objects
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_space_def
} fr_space_def;

FR_API fr_space_def fr_default_space_def(void);
FR_API fr_status fr_space_create(const fr_space_def *def, fr_space **out, fr_error *error);

// Destroys all objects, attachments included. NULL is ignored.
FR_API void fr_space_destroy(fr_space *space);

// Brings boxes and the broad phase up to date. `tasks` may be NULL; what comes out does not depend on them. The trees
// of deformed parts follow in the first query that meets the object; those of an object of more than 16,384 triangles
// follow at once. O(changed parts) boxes and O(parts) for the tree they stand in; O(parts log parts) when parts came or
// went. Allocates nothing when no more parts, and no more triangles of deformed ones, are there than ever before. On
// failure (memory) the space stays stale, and another update does all of it.
FR_API fr_status fr_space_update(fr_space *space, const fr_tasks *tasks, fr_error *error);

// Whether nothing changed since the last fr_space_update.
FR_API bool fr_space_is_current(const fr_space *space);

// Every object's pose becomes its next pose, and its motion still: the step was taken. Cost by what moves.
FR_API fr_status fr_space_commit(fr_space *space, fr_error *error);

// Checks the whole structure: lists, links, boxes, trees. For tests.
FR_API bool fr_space_validate(const fr_space *space, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Objects

// What an object is for, as flags.
typedef enum fr_object_flags {
    FR_OBJECT_STATIC = 1, // seldom moves: kept apart in the broad phase, never paired with another static one
    FR_OBJECT_SENSOR = 2, // its contacts carry FR_CONTACT_SENSOR; nothing is pushed by it
    FR_OBJECT_REAL = 4,   // stands for a real thing: never moved by us; contacts of two carry FR_CONTACT_REAL
    FR_OBJECT_SELF = 8,   // its own triangles are paired too (self-collision, see collide.h)
    FR_OBJECT_GHOST = 16, // is shown and never touched: in no pair, and found by no query but those of its own id
    FR_OBJECT_PROXY = 32  // is touched and never shown, such as a rigid piece under the skin of a body
} fr_object_flags;

// Which objects may collide. Two objects in one group other than 0 always meet (> 0) or never (< 0); else each one's
// layers must be in the other's mask.
typedef struct fr_filter {
    uint32_t layers; // default 1
    uint32_t mask;   // default all
    int32_t group;   // default 0
} fr_filter;

static inline bool fr_filter_meets(const fr_filter *a, const fr_filter *b) {
    if (a->group != 0 && a->group == b->group) { return a->group > 0; }
    return (a->layers & b->mask) != 0 && (b->layers & a->mask) != 0;
}

typedef struct fr_part_def {
    const fr_mesh *mesh; // retained
    fr_pose pose;        // of the part in the object; default: the identity
} fr_part_def;

typedef struct fr_object_def {
    const fr_part_def *parts; // at least one
    uint32_t part_count;
    fr_pose pose;        // default: the identity
    fr_vec3 pivot_local; // what fr_object_set_next turns about; default: the object's origin
    fr_filter filter;
    uint32_t flags;  // of fr_object_flags
    void *user;      // the caller's; given back by fr_object_get
    uint32_t cookie; // set by fr_default_object_def
} fr_object_def;

FR_API fr_part_def fr_default_part_def(void);

// Draws all triangles of parts where an object at `pose` has them, each in one call of `draw`.
FR_API void fr_parts_draw(const fr_part_def *parts, uint32_t count, const fr_pose *pose, const fr_draw *draw,
                          fr_color color);

FR_API fr_object_def fr_default_object_def(void);

// Adds an object, at the lowest place that is free. Poses are checked as by fr_pose_check, flags and pivot too;
// FR_ERROR_LIMIT beyond FR_SPACE_MAX_OBJECTS or FR_SPACE_MAX_PARTS. Nothing is added on failure.
FR_API fr_status fr_object_add(fr_space *space, const fr_object_def *def, fr_object_id *out, fr_error *error);

// Adds an object of one part, the mesh, all else as by fr_default_object_def. `pose` may be NULL for the identity.
FR_API fr_status fr_object_add_mesh(fr_space *space, const fr_mesh *mesh, const fr_pose *pose, fr_object_id *out,
                                    fr_error *error);

// Removes an object with its joints and attachments.
FR_API fr_status fr_object_remove(fr_space *space, fr_object_id id, fr_error *error);

FR_API bool fr_object_exists(const fr_space *space, fr_object_id id);
FR_API uint32_t fr_space_object_count(const fr_space *space);

// The id at a place, index < fr_space_object_places; all zeros where nothing is.
FR_API uint32_t fr_space_object_places(const fr_space *space);
FR_API fr_object_id fr_space_object_at(const fr_space *space, uint32_t index);

// An object's pose and motion. A pose that is not finite, not scaled > 0, or whose quaternion is not near unit is
// refused with a status and changes nothing. set_pose puts it there, still. set_next lets it go from its pose to `next`
// by fr_motion_between about its pivot. set_motion lets it go along a motion that starts at its pose (bit for bit, else
// FR_ERROR_ARGUMENT) to `end`, the pose it is committed with.
FR_API fr_status fr_object_set_pose(fr_space *space, fr_object_id id, const fr_pose *pose, fr_error *error);
FR_API fr_status fr_object_set_next(fr_space *space, fr_object_id id, const fr_pose *next, fr_error *error);
FR_API fr_status fr_object_set_motion(fr_space *space, fr_object_id id, const fr_motion *motion, const fr_pose *end,
                                      fr_error *error);
FR_API fr_status fr_object_set_filter(fr_space *space, fr_object_id id, fr_filter filter, fr_error *error);
FR_API fr_status fr_object_set_flags(fr_space *space, fr_object_id id, uint32_t flags, fr_error *error);

// New positions of all vertices of an object, part after part, in the parts' own frames; the triangles stay. `count`
// must be the object's vertices. Not finite, or a coordinate over FR_LENGTH_MAX: a status, nothing changed. The first
// time takes memory for them and O(triangles log triangles) to see which parts stay closed when vertices at one place
// come apart; the parts get trees of their own at the next update. FR_ERROR_UNSUPPORTED for an object with a skin.
FR_API fr_status fr_object_set_vertices(fr_space *space, fr_object_id id, const fr_vec3 *vertices, uint32_t count,
                                        fr_error *error);

// Positions of all vertices of an object at the end of the step, given as for fr_object_set_vertices. The first call
// also makes the object deformable, as that one does. Each vertex goes straight, in the world, from where its position
// and the object's pose put it to where this one and the next pose do, whatever the motion. fr_space_commit makes them
// the object's vertices; fr_object_set_pose and fr_object_set_vertices take them back. Boxes and trees hold both ends
// of the step.
FR_API fr_status fr_object_set_next_vertices(fr_space *space, fr_object_id id, const fr_vec3 *vertices, uint32_t count,
                                             fr_error *error);

// Makes the vertices of a part follow bones (skeletal animation). `skin` is retained; it has the part's mesh, or none
// and as many vertices. The part's pose is the identity, so that bones are in the object's frame, and all skins of an
// object have as many bones. Until bones are set the mesh's own vertices stand. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT,
// FR_ERROR_UNSUPPORTED for a part that has a skin or was deformed, FR_ERROR_MEMORY; nothing changed.
FR_API fr_status fr_object_set_skin(fr_space *space, fr_object_id id, uint32_t part, const fr_skin *skin,
                                    fr_skin_method method, fr_error *error);

// Poses of all bones of an object, in the object's frame: now, or at the end of the step, where each vertex goes
// straight as after fr_object_set_next_vertices. Vertices follow at the next update, those of a ghost never: its bounds
// are those of what its bones take along. fr_object_set_pose and fr_object_set_bones take the next bones back. A pose
// that fr_pose_check refuses, or farther away than FR_LENGTH_MAX: a status that names the bone, nothing changed.
// FR_ERROR_ARGUMENT for another number of bones, FR_ERROR_STALE_ID.
FR_API fr_status fr_object_set_bones(fr_space *space, fr_object_id id, const fr_pose *bones, uint32_t count,
                                     fr_error *error);
FR_API fr_status fr_object_set_next_bones(fr_space *space, fr_object_id id, const fr_pose *bones, uint32_t count,
                                          fr_error *error);

// What an object is, to read until the space is changed. NULL for a stale id.
typedef struct fr_object_view {
    fr_pose pose;     // now
    fr_pose next;     // at the end of the step; equals pose when still
    fr_motion motion; // from pose to next
    bool is_moving;   // next, motion or next vertices were set since the last commit
    fr_vec3 pivot_local;
    fr_filter filter;
    uint32_t flags;
    uint32_t part_count;
    uint32_t triangle_count;      // of all parts: triangle indices of an object run over its parts one after another
    uint32_t vertex_count;        // of all parts
    const fr_vec3 *vertices;      // what fr_object_set_vertices gave; NULL while the meshes' own stand
    const fr_vec3 *next_vertices; // what fr_object_set_next_vertices gave since the last commit; NULL: nothing
    const fr_pose *bones;         // what fr_object_set_bones gave; NULL: the meshes' own vertices stand
    const fr_pose *next_bones;    // what fr_object_set_next_bones gave since the last commit; NULL: nothing
    uint32_t bone_count;          // 0: no part has a skin
    void *user;
} fr_object_view;

FR_API const fr_object_view *fr_object_get(const fr_space *space, fr_object_id id);

typedef struct fr_part_view {
    const fr_mesh *mesh;
    fr_pose pose;            // in the object
    uint32_t first_triangle; // index in the object of the part's triangle 0
    uint32_t first_vertex;
    const fr_skin *skin; // NULL: none
    fr_skin_method method;
} fr_part_view;

// Part of an object; its mesh is NULL for a stale id or a part it does not have.
FR_API fr_part_view fr_object_part(const fr_space *space, fr_object_id id, uint32_t part);

// The part that holds a triangle of the object; FR_NONE for a stale id or a triangle it does not have.
FR_API uint32_t fr_object_part_of_triangle(const fr_space *space, fr_object_id id, uint32_t triangle);

// The corners of a triangle in the world at the object's pose: fr_pose_apply(object, fr_pose_apply(part, v)). THE
// doubles that all results are exact for. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for a triangle it does not have, or
// FR_ERROR_UNSUPPORTED for a ghost that has bones.
FR_API fr_status fr_object_corners(const fr_space *space, fr_object_id id, uint32_t triangle, fr_vec3 corners[3],
                                   fr_error *error);

// The polygon of the file a triangle came from, counted within its part; FR_NONE for a stale id or triangle.
FR_API uint32_t fr_object_face(const fr_space *space, fr_object_id id, uint32_t triangle);

// Bounds in the world over the whole step, as the broad phase has them.
FR_API fr_status fr_object_bounds(const fr_space *space, fr_object_id id, fr_bounds *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Versions and what is derived

// How often each was changed at the object's place. They are never reset, also when the place is used again; equal
// numbers mean nothing changed between.
typedef struct fr_versions {
    uint64_t shape;    // added with these parts
    uint64_t vertices; // set_vertices, set_next_vertices, and what takes these over or back
    uint64_t pose;     // set_pose, set_next, set_motion, commit of a moving one
    uint64_t filter;   // set_filter, set_flags
} fr_versions;

// Zeros for a stale id.
FR_API fr_versions fr_object_versions(const fr_space *space, fr_object_id id);

// A kind of derived data that rooms keep with objects, such as an octree.
typedef struct fr_attachment_type {
    const char *name;
    void (*destroy)(void *data, void *user); // called when it is replaced, or its object or the space goes; may be NULL
    void *user;
} fr_attachment_type;

#define FR_SPACE_MAX_SLOTS 16

// Registers a kind and returns its slot in this space. FR_ERROR_LIMIT beyond FR_SPACE_MAX_SLOTS.
FR_API fr_status fr_space_attach(fr_space *space, const fr_attachment_type *type, uint32_t *slot, fr_error *error);

// Keeps `data` in the object's slot, made from the object as it is now (its versions are noted). What was there before
// is destroyed, unless it is the same. NULL empties the slot. On failure `data` stays the caller's.
FR_API fr_status fr_object_attach(fr_space *space, fr_object_id id, uint32_t slot, void *data, fr_error *error);

// The data of a slot with the versions it was made from (which may be NULL); NULL where there is none.
FR_API void *fr_object_attachment(const fr_space *space, fr_object_id id, uint32_t slot, fr_versions *made_from);

// ---------------------------------------------------------------------------------------------------------------
// Joints, as data: the world moves by them

typedef enum fr_joint_kind {
    FR_JOINT_FIXED,
    FR_JOINT_HINGE,
    FR_JOINT_SLIDER,
    FR_JOINT_SCREW,
    FR_JOINT_ATTACHED
} fr_joint_kind;

typedef struct fr_joint {
    fr_joint_kind kind;
    fr_object_id parent, child; // parent may be all zeros: the world
    fr_pose frame_parent;       // the joint in the parent; its z is the axis
    fr_pose frame_child;        // the joint in the child
    double low, high;           // limits of the angle or the travel; low <= high
    double pitch;               // metres a radian, of a screw
    double value;               // the angle or the travel now
} fr_joint;

typedef struct fr_joint_id {
    uint32_t index1, generation, space;
} fr_joint_id;

// An object is the child of one joint at most. Joints go with either of their objects. Checked: kinds, finite numbers
// (limits may be infinite), order of limits, ids, no object its own ancestor. Joints do not make a space stale.
FR_API fr_status fr_joint_add(fr_space *space, const fr_joint *joint, fr_joint_id *out, fr_error *error);
FR_API fr_status fr_joint_remove(fr_space *space, fr_joint_id id, fr_error *error);
FR_API fr_status fr_joint_set(fr_space *space, fr_joint_id id, const fr_joint *joint, fr_error *error);

// NULL for a stale id; to read until the space is changed.
FR_API const fr_joint *fr_joint_get(const fr_space *space, fr_joint_id id);
FR_API uint32_t fr_space_joint_places(const fr_space *space);
FR_API fr_joint_id fr_space_joint_at(const fr_space *space, uint32_t index);

// ---------------------------------------------------------------------------------------------------------------
// Contacts: what every sense reports

typedef enum fr_contact_flags {
    FR_CONTACT_NEAR = 1,   // within the tolerance or margin, not proven to touch
    FR_CONTACT_CAPPED = 2, // the search stopped at its cap: time is never late, the faces may be farther than tolerance
    FR_CONTACT_COPLANAR = 4, // the two faces lie in one plane
    FR_CONTACT_TOUCHING = 8, // they share points but do not cross
    FR_CONTACT_START = 16,   // they share points at the beginning of the step
    FR_CONTACT_SENSOR = 32,  // one of them is a sensor
    FR_CONTACT_REAL = 64,    // both are real things
    FR_CONTACT_SELF = 128    // both are of one object
} fr_contact_flags;

// How a contact was found.
typedef enum fr_sense {
    FR_SENSE_STATIC,     // at one instant
    FR_SENSE_CONTINUOUS, // over a step
    FR_SENSE_RADAR       // by looking along a path
} fr_sense;

// One pair of triangles, the small record: millions of them.
typedef struct fr_face_pair {
    uint32_t a, b;                   // index1 - 1 of the objects' ids, a < b (a = b for one object with itself)
    uint32_t triangle_a, triangle_b; // in the objects
    float time;                      // 0 .. 1 of the step, rounded down; 0 in static results
    uint32_t flags;                  // of fr_contact_flags
} fr_face_pair;

// One contact, the whole record.
typedef struct fr_contact {
    fr_object_id a, b;               // a.index1 < b.index1, or one object with itself
    uint32_t part_a, part_b;         // parts of the objects
    uint32_t triangle_a, triangle_b; // in the objects
    uint32_t face_a, face_b;         // polygons of the parts
    double time;                     // first touch, 0 .. 1 of the step, never late; 0 in static results
    double time_sure;                // by when contact is proven; FR_UNKNOWN with NEAR
    double time_end;                 // when it ends, on request; else FR_UNKNOWN
    fr_vec3 point;                   // in the world
    fr_vec3 normal;                  // unit, from a to b; zero where it is not defined
    double distance;                 // > 0 apart, 0 touching, < 0 overlap at the start where it is defined
    double approach;                 // metres a step along the normal, > 0 closing; FR_UNKNOWN in static results
    fr_feature feature;
    fr_sense sense;
    uint32_t flags; // of fr_contact_flags
} fr_contact;

// ---------------------------------------------------------------------------------------------------------------
// Broad phase

// Two parts whose boxes over the step overlap and whose objects may meet.
typedef struct fr_part_pair {
    uint32_t object_a, object_b; // index1 - 1, a < b; equal only for one object with FR_OBJECT_SELF
    uint32_t part_a, part_b;
} fr_part_pair;

typedef bool fr_part_pair_fn(const fr_part_pair *pair, void *context);

// May refuse a pair that layers, masks and groups let pass. Called from one thread at a time by each call that is given
// it; must not change the space.
typedef bool fr_filter_fn(const fr_space *space, fr_object_id a, fr_object_id b, void *context);

typedef struct fr_space_pairs_input {
    double margin;        // also parts up to this far apart; >= 0, may be infinite
    fr_filter_fn *filter; // may be NULL
    void *filter_context;
} fr_space_pairs_input;

// Every pair of parts that may meet, each once, in no particular order, until `found` returns false: no pair is lost
// that has points within the margin of one another at any time of the step or at its end poses. Parts of one object,
// and of two static ones, are no pair. With FR_OBJECT_SELF the parts of one object are paired among themselves, each
// with itself too; filters are not applied then.
FR_API fr_status fr_space_pairs(const fr_space *space, const fr_space_pairs_input *query, fr_part_pair_fn *found,
                                void *context, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Queries about the objects at their poses
//
// All are const, may run at once and allocate nothing. FR_ERROR_STALE_DATA before an update, FR_ERROR_ARGUMENT for
// invalid input (not finite, without direction, below 0, or a radius or a coordinate of a point, of a ray's origin or
// of either end of a cast over FR_LENGTH_MAX, 2^300). Limits of distances and rays may be infinite. Results are those
// of the doubles of fr_object_corners, however they were found. A NULL filter accepts all objects.

// Which objects a query is about: those that pass every field.
typedef struct fr_query_filter {
    uint32_t mask;          // objects with a layer in it; default all
    fr_object_id ignore;    // this object is left out; default all zeros: none
    fr_object_id as_object; // the query runs as if this object made it: only objects that may meet it
                            // (fr_filter_meets), neither it nor sensors; default all zeros: off. Every query refuses a
                            // stale id with FR_ERROR_STALE_ID
    fr_filter_fn *accept;   // called last, with the object as `a` and all zeros as `b`; may be NULL
    void *context;
} fr_query_filter;

FR_API fr_query_filter fr_default_query_filter(void);

typedef struct fr_space_hit {
    fr_object_id object; // all zeros when nothing was hit
    uint32_t part, triangle;
    double distance; // in lengths of the ray's direction
    fr_vec3 point;   // on the triangle, in the world
    fr_vec3 normal;  // of the triangle, unit, whichever side was met; zero without an area
} fr_space_hit;

// The nearest triangle a ray meets, of equals the lowest object, then triangle; nothing: object all zeros. Closed
// surfaces do not leak, as with fr_mesh_ray; a triangle without area is not met.
FR_API fr_status fr_space_ray(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter,
                              fr_space_hit *out, fr_error *error);

// The same for many rays, in parallel; inline when the filter has a function.
FR_API fr_status fr_space_ray_many(const fr_space *space, const fr_ray *rays, size_t count,
                                   const fr_query_filter *filter, const fr_tasks *tasks, fr_space_hit *out,
                                   fr_error *error);

// Whether a ray meets anything.
FR_API fr_status fr_space_ray_any(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter, bool *is_hit,
                                  fr_error *error);

// Every triangle a ray meets, sorted by distance, object, triangle. The first `capacity` are written; `count` gets all.
FR_API fr_status fr_space_ray_all(const fr_space *space, const fr_ray *ray, const fr_query_filter *filter,
                                  fr_space_hit *hits, uint32_t capacity, uint32_t *count, fr_error *error);

typedef struct fr_space_item {
    fr_object_id object;
    uint32_t part, triangle;
} fr_space_item;

typedef enum fr_overlap_kind { FR_OVERLAP_BOX, FR_OVERLAP_BALL, FR_OVERLAP_CAPSULE, FR_OVERLAP_MESH } fr_overlap_kind;

// The shape of an overlap query, in the world.
typedef struct fr_overlap_shape {
    fr_overlap_kind kind;
    fr_bounds box;       // of FR_OVERLAP_BOX
    fr_vec3 points[2];   // centre of a ball, ends of a capsule
    double radius;       // of both, 0 .. FR_LENGTH_MAX
    const fr_mesh *mesh; // of FR_OVERLAP_MESH, at `pose`
    fr_pose pose;
} fr_overlap_shape;

// Every triangle that shares a point with the shape, sorted by object, triangle. Box, ball and capsule are solid; they
// never miss one and may add one within rounding (fr_triangle_box_overlap; 64 e D beside the radius). The mesh is its
// surface, and exact. The first `capacity` are written; `count` gets all.
FR_API fr_status fr_space_overlap(const fr_space *space, const fr_overlap_shape *shape, const fr_query_filter *filter,
                                  fr_space_item *items, uint32_t capacity, uint32_t *count, fr_error *error);

typedef struct fr_space_closest {
    fr_object_id object; // all zeros when nothing lies within the limit
    uint32_t part, triangle;
    double distance; // negative inside a closed part in a signed query
    fr_vec3 point;
} fr_space_closest;

// The closest point of any object within `limit` (may be infinite), of equals the lowest object, then triangle. With
// `is_signed`, a point inside a part that is closed (its winding around the point is not 0) has minus the distance to
// the part's surface, whatever the limit, and the smallest distance counts: inside several, the deepest.
FR_API fr_status fr_space_closest_point(const fr_space *space, fr_vec3 point, double limit, bool is_signed,
                                        const fr_query_filter *filter, fr_space_closest *out, fr_error *error);

// The same for many points, in parallel; inline when the filter has a function.
FR_API fr_status fr_space_closest_many(const fr_space *space, const fr_vec3 *points, size_t count, double limit,
                                       bool is_signed, const fr_query_filter *filter, const fr_tasks *tasks,
                                       fr_space_closest *out, fr_error *error);

typedef struct fr_object_distance {
    double distance; // 0 when some two triangles share a point
    fr_vec3 on_a, on_b;
    uint32_t triangle_a, triangle_b;
} fr_object_distance;

// The distance of the surfaces of two objects up to `limit` (infinite: no limit; beyond it the triangles are FR_NONE
// and the distance is the limit), by fr_triangle_distance; of equals the lowest triangle of a, then of b.
// FR_ERROR_UNSUPPORTED for a ghost that has bones: its vertices are not computed.
FR_API fr_status fr_space_distance(const fr_space *space, fr_object_id a, fr_object_id b, double limit,
                                   fr_object_distance *out, fr_error *error);

// The first triangle a ball touches that goes from `from` by `displacement` (which may be zero); `distance` is the
// fraction 0 .. 1 of it, 0 when it touches at once. Never late and never missed: at `distance` ball and triangle are
// apart by at most 2^-40 of the largest distance between `from`, the end and the triangle's corners, and one that comes
// no nearer than that may be reported. `point` is the triangle's closest to the centre. Of equals the lowest object,
// then triangle.
FR_API fr_status fr_space_cast_ball(const fr_space *space, fr_vec3 from, fr_vec3 displacement, double radius,
                                    const fr_query_filter *filter, fr_space_hit *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Record and replay

// Called with the bytes of operations that changed the space, in order; keep them one after another. One operation may
// come in several pieces, all of them during the call that did it.
typedef void fr_record_fn(const void *bytes, size_t size, void *context);

// From now on every call that changes the space is recorded, beginning with what it holds now. NULL ends it. Ids,
// places and versions are part of a record; attachments, user pointers and the space's definition are not. While a
// space is recorded, adding an object whose mesh is new needs memory for the mesh once more.
FR_API fr_status fr_space_record(fr_space *space, fr_record_fn *record, void *context, fr_error *error);

// Applies recorded operations to a space that never had an object; meshes are part of the record. Objects get the same
// places, generations and versions; updates before the last operation are passed over. Checked in full: a malformed
// record is a status with the byte its operation begins at in the message, and the operations before it stand. Time and
// memory are bounded by the record's size: FR_ERROR_LIMIT when objects with more triangles than the record has bytes
// are deformed.
FR_API fr_status fr_space_replay(fr_space *space, const void *bytes, size_t size, const fr_control *control,
                                 fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
