// Fureai touch: contact response (rebound, fall), and proximity between the elements of models.
//
// Rebound and fall: the velocities of bodies after contacts of any sense (collide's, radar's), and the path of a body
// that was set loose, down to the next face below it. Not a physics engine: no stacks, no joints. Element pairs: which
// points of one model come near which faces of others, and what blinks then.
#ifndef FUREAI_TOUCH_H
#define FUREAI_TOUCH_H

#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Rebound

// A body as a collision sees it: SI units, world axes.
typedef struct fr_rebound_body {
    fr_object_id object;     // that the body belongs to
    fr_vec3 center;          // of mass
    fr_vec3 velocity;        // of the centre, metres a second
    fr_vec3 spin;            // radians a second
    double inverse_mass;     // 1 / kg; 0: impulses do not move it, and its velocity stays
    fr_mat3 inverse_inertia; // about the centre; all zeros: it does not turn by impulses
    double restitution;      // 0 .. 1; of two bodies the smaller counts
    double friction;         // Coulomb's, >= 0; of two bodies the geometric mean
} fr_rebound_body;

// The body of an object of a density (kg a cubic metre, > 0) where it stands now, at rest, without restitution and
// friction: its parts are solids together. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for a density that is none,
// FR_ERROR_UNSUPPORTED for parts that enclose no volume.
FR_API fr_status fr_rebound_body_of(const fr_space *space, fr_object_id id, double density, fr_rebound_body *out,
                                    fr_error *error);

#define FR_REBOUND_ROUNDS 8

typedef struct fr_rebound_input {
    fr_rebound_body *bodies; // sorted by object.index1; velocity and spin are changed
    uint32_t body_count;
    const fr_contact *contacts; // point, normal, time and objects are read; an object that is no body does not move
    uint32_t contact_count;
    double slow;     // metres a second: contacts that approach more slowly do not rebound; default 1e-3
    uint32_t cookie; // set by fr_default_rebound_input
} fr_rebound_input;

FR_API fr_rebound_input fr_default_rebound_input(void);

typedef struct fr_rebound_output {
    uint32_t rounds;    // 0 .. FR_REBOUND_ROUNDS
    bool is_done;       // no contact comes nearer any more, but for rounding
    double impulse;     // of all contacts along their normals, newton seconds
    double energy_lost; // joules
} fr_rebound_output;

// The velocities after the contacts: the earliest first, those within a thousandth of a step together; a round goes
// over all of them, until none comes nearer or FR_REBOUND_ROUNDS are done. Contacts without a normal are passed over.
// What one body gains in momentum the other loses; at restitution 1 without friction a single contact keeps the energy.
// Allocates nothing; any thread. FR_ERROR_NOT_FINITE, and then nothing is changed. O(contacts log bodies) a round.
FR_API fr_status fr_touch_rebound(const fr_rebound_input *input, fr_rebound_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Fall

#define FR_FALL_SCRATCH_BYTES 65536

typedef struct fr_fall_input {
    const fr_space *space;         // current; the others stand
    const fr_part_def *parts;      // of the body
    uint32_t part_count;           //
    fr_pose pose;                  // where it is
    fr_rebound_body body;          // its centre and inertia belong to the pose
    fr_vec3 gravity;               // default 0, -9.81, 0
    double step;                   // seconds, > 0; default 0.01
    double skin;                   // metres it stays away from everything, > 0; default 1e-4
    double friction;               // of what stands; default 0.5
    double restitution;            // of what stands; default 0
    const fr_query_filter *filter; // which objects are obstacles; ignore the body itself there
    void *scratch;                 // FR_FALL_SCRATCH_BYTES, aligned as a max_align_t, for one step at a time; needed
    uint32_t cookie;               // set by fr_default_fall_input
} fr_fall_input;

FR_API fr_fall_input fr_default_fall_input(void);

typedef struct fr_fall_output {
    fr_pose pose;         // at the end of the step
    fr_rebound_body body; // with its centre, inertia, velocity and spin there
    uint32_t contacts;    // met in the step
    bool is_resting;      // something carries it, and it does not move any more
} fr_fall_output;

// One step of a body that was set loose among bodies that stand: gravity, contacts, rebound, at most FR_REBOUND_ROUNDS
// times. It never goes into anything: every piece of its path was checked over its whole course. What is met in the
// last round ends its step there. Faces that lie flat on one another carry by all that they share: what lands flat,
// with its centre over that, does not turn. Const on the space, any thread, allocates nothing. Errors as of
// fr_collide_move.
FR_API fr_status fr_touch_fall(const fr_fall_input *input, fr_fall_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Element pairs: what of a held model comes within a distance of what of the others
//
// The held model is a few points: its operating point (the pen's tip), the corners of its boxes, or all its vertices.
// The others are the corners and faces of their boxes, or their vertices and polygons. Every part counts as a model
// with a box in its own axes; a polygon is what fr_mesh_face says, its triangles one after another in the mesh.

// The ten pairs of the source, and polygon against polygon.
typedef enum fr_touch_pair {
    FR_TOUCH_ORIGIN_BOX_VERTEX = 1 << 0,
    FR_TOUCH_BOX_BOX_VERTEX = 1 << 1,
    FR_TOUCH_ORIGIN_VERTEX = 1 << 2,
    FR_TOUCH_BOX_VERTEX = 1 << 3,
    FR_TOUCH_VERTEX_VERTEX = 1 << 4,
    FR_TOUCH_ORIGIN_BOX_FACE = 1 << 5,
    FR_TOUCH_BOX_BOX_FACE = 1 << 6,
    FR_TOUCH_ORIGIN_FACE = 1 << 7,
    FR_TOUCH_BOX_FACE = 1 << 8,
    FR_TOUCH_VERTEX_FACE = 1 << 9,
    FR_TOUCH_FACE_FACE = 1 << 10 // polygon against polygon: vertices of both, and edge against edge
} fr_touch_pair;

#define FR_TOUCH_PAIRS 11
#define FR_TOUCH_ALL_PAIRS 0x7ffu

// How the polygons are found; the last three give the same hits.
typedef enum fr_touch_strategy {
    FR_TOUCH_BOX,          // pairs with boxes alone, the others are passed over
    FR_TOUCH_POLYGON_ALL,  // every polygon is tested
    FR_TOUCH_COMBINED,     // every polygon of a part whose box is near
    FR_TOUCH_COMBINED_NEAR // the polygons near the point, by trees
} fr_touch_strategy;

typedef enum fr_touch_flags {
    FR_TOUCH_CLOSEST = 1, // distance to faces with their edges and corners: without it a face is met only where the
                          // foot of the perpendicular lies in it, which leaves gaps outside edges
    FR_TOUCH_SWEPT = 2    // the straight path from `last` counts in place of the point, with CLOSEST: nothing is jumped
} fr_touch_flags;

typedef struct fr_touch_hit {
    fr_touch_pair pair;
    uint32_t point_index; // of the held model: 0 the operating point; 8 part + corner, bit k the upper end of axis k; a
                          // vertex or, of FACE_FACE, a triangle, counted over its parts
    fr_object_id object;  // the near one
    uint32_t part;
    uint32_t element;  // corner 0 .. 7 or face 0 .. 5 (2 axis + upper) of the box, vertex or polygon of the part
    uint32_t triangle; // in the object, of a polygon; else FR_NONE
    double distance;
    fr_vec3 point;  // of the held model; of its path, the place that is nearest
    fr_vec3 foot;   // on the near one
    fr_vec3 normal; // of the near face, unit, as it is wound; zero where two points met
    int32_t side;   // of the face's plane the point is on, or its path began on: 1 where the normal points, else -1; 0
                    // without a normal
} fr_touch_hit;

typedef struct fr_touch_input {
    const fr_space *space;            // current
    const fr_part_def *parts;         // of the held model; may be none: a bare pen
    uint32_t part_count;              //
    fr_pose pose;                     // where it is; default: the identity
    fr_pose last;                     // where it was, with FR_TOUCH_SWEPT
    fr_vec3 origin_local;             // the operating point; default 0
    const fr_query_filter *filter;    // which objects are near ones; ignore the held one there
    uint32_t pairs;                   // of fr_touch_pair; default FR_TOUCH_ORIGIN_FACE
    double distance;                  // metres, >= 0: what is not farther is a hit; default 0.01
    double distances[FR_TOUCH_PAIRS]; // of one pair by its bit, instead of `distance`; 0: that
    fr_touch_strategy strategy;       // default FR_TOUCH_COMBINED_NEAR
    uint32_t flags;                   // of fr_touch_flags
    fr_touch_hit *hits;               // the first `capacity` are written
    uint32_t capacity;
    const fr_control *control; // may stop it, at every point and every near triangle of FACE_FACE; may be NULL
    fr_allocator allocator;    // of memory while it works; default: the process default
    uint32_t cookie;           // set by fr_default_touch_input
} fr_touch_input;

FR_API fr_touch_input fr_default_touch_input(void);

// All hits, by point, then boxes before polygons, then object, part and element; a polygon once a point. `count` gets
// how many there are. Polygons without an area are met with CLOSEST only. FACE_FACE reports, of each near polygon, the
// nearest of the held triangles, where the model is now. Const on the space, any thread. FR_ERROR_STALE_DATA,
// FR_ERROR_ARGUMENT, FR_ERROR_MEMORY, FR_ERROR_STOPPED when the control said so. O(log polygons) a point by
// COMBINED_NEAR; of FACE_FACE as much a near triangle, whatever the distance.
FR_API fr_status fr_touch_pairs(const fr_touch_input *input, uint32_t *count, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Blinking: what is shown where something was touched
//
// A hit of two points, or with a box, has no face, so the whole model blinks. A polygon of a fine model is too small to
// be seen: all polygons of its inclination blink with it.

// Whether a hit of this pair lets the whole model blink.
FR_API bool fr_blink_is_whole(fr_touch_pair pair);

// The polygons of a mesh by their inclination. Made once, read from any thread.
typedef struct fr_blink_groups fr_blink_groups;

typedef struct fr_blink_def {
    double angle;                 // normals within this are of one inclination, radians, 0 .. pi / 4; default 1 degree
    bool is_either_side;          // those with opposite normals, too; default no
    const fr_topology *connected; // of the same mesh: only what is reached over edges through polygons of that
                                  // inclination; it must stay as long as the groups do. Default NULL: everywhere
    fr_allocator allocator;       // default: the process default
    uint32_t cookie;              // set by fr_default_blink_def
} fr_blink_def;

FR_API fr_blink_def fr_default_blink_def(void);

// Sorts the polygons of a mesh, which is retained, by their normals; `def` may be NULL. O(triangles), 40 bytes each.
// FR_ERROR_ARGUMENT, FR_ERROR_MEMORY.
FR_API fr_status fr_blink_groups_create(const fr_mesh *mesh, const fr_blink_def *def, fr_blink_groups **out,
                                        fr_error *error);
FR_API void fr_blink_groups_destroy(fr_blink_groups *groups); // NULL is ignored

// The triangles that blink when one of them was struck, its polygon's among them, ascending, into `out`, which has room
// for all triangles of the mesh; returns how many. A polygon without an area blinks alone. As many steps as there
// are triangles of about that inclination, and O(log triangles); with `connected` O(triangles).
FR_API uint32_t fr_blink_triangles(const fr_blink_groups *groups, uint32_t triangle, uint32_t *out);

// Which triangles of a space's objects have blinked so far.
typedef struct fr_blink_marks fr_blink_marks;

// Makes marks for the objects that the space has now; it must live as long. `allocator` may be NULL. FR_ERROR_MEMORY.
FR_API fr_status fr_blink_marks_create(const fr_space *space, const fr_allocator *allocator, fr_blink_marks **out,
                                       fr_error *error);
FR_API void fr_blink_marks_destroy(fr_blink_marks *marks);

// Marks what blinks for a hit. FR_ERROR_STALE_ID for an object that the marks do not have, FR_ERROR_STALE_DATA for one
// that took the place of another since, FR_ERROR_ARGUMENT for a part or triangle it does not have, FR_ERROR_MEMORY.
FR_API fr_status fr_blink_marks_add(fr_blink_marks *marks, const fr_touch_hit *hit, fr_error *error);

// One byte a triangle of an object, not 0 when it has blinked; NULL and a count of 0 for an object that the marks do
// not have. Valid as long as the marks.
FR_API const unsigned char *fr_blink_marks_get(const fr_blink_marks *marks, fr_object_id object, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
