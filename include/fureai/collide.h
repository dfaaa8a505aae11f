// Fureai collide: which faces touch. Finds every pair of triangles of different objects that share a point, at one
// instant or at any time of a step: none missed, sorted, the same for every method, number of threads and instruction
// set.
//
// The exact test (narrow phase) of a pair at an instant is fr_triangle_overlap on the corners of fr_object_corners, or
// fr_triangle_distance with a margin; no tolerance is added. Over the step it is fr_triangle_time on the paths of the
// corners. Methods decide only which pairs it tests (candidate pairs).
#ifndef FUREAI_COLLIDE_H
#define FUREAI_COLLIDE_H

#include "collide_exchange.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Input

typedef enum fr_collide_method {
    FR_COLLIDE_AUTO,        // the fastest: the tree
    FR_COLLIDE_TREE,        // two trees of boxes walked together
    FR_COLLIDE_FACE_OCTREE, // four steps over cubes that are never stored (Kitamura ch. 3)
    FR_COLLIDE_OCTREE,      // an octree of each part's faces, stored, and all walked together (Kitamura ch. 2)
    FR_COLLIDE_BRUTE        // every triangle with every triangle: the oracle
} fr_collide_method;

// How work is shared among workers.
typedef enum fr_balance {
    FR_BALANCE_AUTO,    // the fastest: steal
    FR_BALANCE_SERIAL,  // one worker
    FR_BALANCE_STATIC,  // one worker lists the pairs; worker i of N tests pairs i, i + N, i + 2N, ...
    FR_BALANCE_DYNAMIC, // one worker lists the pairs, all others test each as soon as it is listed
    FR_BALANCE_STEAL    // all workers list and test; with the face octree they share testing only
} fr_balance;

// What is wanted of each pair; each level includes the ones before.
typedef enum fr_want {
    FR_WANT_PAIRS,    // the two triangles, and their flags COPLANAR, TOUCHING, NEAR, ...
    FR_WANT_TIMES,    // when they first meet; at an instant 0
    FR_WANT_CONTACTS, // fr_contact: point, normal, distance, feature
    FR_WANT_INTERVALS // over a step: from when to when they are in contact, each time; at an instant as CONTACTS
} fr_want;

// Which contacts of a step.
typedef enum fr_contact_set {
    FR_SET_ALL,  // every pair of faces that comes together at any time of the step
    FR_SET_FIRST // per pair of objects: those with time <= its time_sure + 1e-3; all where contact is not proven
} fr_contact_set;

// What decides a pair over a step.
typedef enum fr_narrow {
    FR_NARROW_EXACT, // the exact test
    FR_NARROW_HULL   // the swept hulls of the faces meet: all that the exact test finds, and also faces that use the
                     // same place at different times (Kitamura 2.3.4); always NEAR, with time 0, so that all are first
} fr_narrow;

typedef struct fr_collide_input {
    const fr_space *space; // current (fr_space_update)
    fr_want want;
    double margin;      // also pairs up to this far apart, at an instant with NEAR; 0 .. FR_LENGTH_MAX, default 0
    double tolerance;   // over a step no pair is reported that stays farther apart than margin plus this; metres, 0 ..
                        // FR_LENGTH_MAX, default 1e-6. Where rounding is more (3e-13 of the coordinates), that counts
    fr_contact_set set; // over a step; default all
    double time_tolerance; // of intervals: contacts of a pair that are less apart, in parts of the step, may be
                           // reported as one; 0 .. 1, default 1e-6
    fr_narrow narrow;      // over a step; default the exact test
    fr_collide_method method;
    fr_balance balance;
    const fr_tasks *tasks;       // NULL: the calling thread
    const fr_control *control;   // may be NULL
    uint64_t budget;             // max pairs of triangles to test; 0: no limit. Beyond it the output is partial, and
                                 // the same for any number of workers: the work is not shared then
    const fr_exchange *exchange; // the ranks that do the query together (below), NULL: the caller alone
    fr_filter_fn *filter;        // may refuse a pair of objects; may be NULL
    void *filter_context;
    bool is_from_scratch;       // over a step: use nothing that earlier queries proved. The output is the same
    bool is_containment_wanted; // also report pairs of objects where one is inside the other and no faces meet
    fr_vec3 octree_min;         // face octree: low corner of the root cube, used when octree_edge > 0
    double octree_edge;         // 0, or not holding all boxes that overlap: a cube about these, so nothing is cut off
    uint32_t octree_depth;      // 1 .. 16; 0: round(log2(edge / mean longest edge of a face)) (Kitamura 2.5)
    bool is_as_printed; // face octree: as the thesis prints it: faces outside a given cube are not seen, and pairs
                        // are listed without comparing the boxes of the two faces
    uint32_t cookie;    // set by fr_default_collide_input
} fr_collide_input;

FR_API fr_collide_input fr_default_collide_input(void);

// ---------------------------------------------------------------------------------------------------------------
// Output
//
// Flags of a pair: START when the faces share a point, with TOUCHING when their insides do not cross, and COPLANAR when
// both lie in one plane; NEAR alone when they are only within the margin; SENSOR, REAL and SELF by the objects. All of
// them are exact. Degenerate faces count as the segments or points they are; the orientation of faces and whether a
// mesh is open make no difference.
//
// Self-collision: triangles of one part that have corners in common (neighbours) collide when they share a point beyond
// those and the edge between them, such as cloth that folds onto itself. Corners are common when they are at the same
// place, over a step at both ends of it: those of one vertex, and of vertices that a file repeats along a seam. At an
// instant this is exact. Over a step it is decided by elements without a common corner: a vertex and a face that it is
// not of, two edges (fr_vertex_face_time, fr_edge_edge_time); what goes with one motion is decided at its ends. With a
// margin neighbours are near where such elements are; their intervals last to the end of the step; and FR_NARROW_HULL
// does not change how they are decided.
//
// A contact adds, rounded:
//   near      point between the closest points, normal from the one on a to the one on b, their distance
//   touching  distance 0, point in the middle of what is shared; normal that of the face in VERTEX_FACE (against b's
//             normal) and FACE_VERTEX (a's), across both edges from a's middle to b's in EDGE_EDGE; coplanar: a's, and
//             the feature is unknown
//   crossing  point in the middle of what is shared; normal a's or against b's, whichever direction has the other
//             triangle reach less far behind the face; distance is minus that reach (penetration depth)
// A normal that is not defined (both faces degenerate) is zero.

// How two objects meet.
typedef enum fr_relation {
    FR_RELATION_NEAR,     // only within the margin; over a step also where touching is not proven
    FR_RELATION_TOUCHING, // faces share points, and what is inside the one stays outside the other
    FR_RELATION_CROSSING, // faces cross, or the insides of two closed parts overlap though no face crosses another one:
                          // aligned boxes, whose edges run in one another's faces; or a face without area leads
                          // through the surface of a closed part
    FR_RELATION_A_INSIDE, // a is inside b, their faces share nothing (or only touch): a vertex of each part of a is
                          // within a closed part of b, whatever the orientation of its faces; where faces touch, none
                          // of its vertices is outside
    FR_RELATION_B_INSIDE  // b is inside a
} fr_relation;

// The inside of a closed part (no edge is left over, see fr_mesh_winding) is what its faces enclose; all of them look
// outwards, or all inwards. An open part has no inside. At an instant whether insides overlap is decided exactly, from
// the faces that share points. Over a step it is decided exactly at the poses and at the next poses, and proven between
// them by a point that is inside both, clear of all rounding; objects that deform are decided at both ends alone, and
// with a margin a short overlap between the ends may be missed. The pairs of faces do not change by it: a pair whose
// crossing is not proven keeps NEAR.

typedef struct fr_object_pair {
    uint32_t a, b; // index1 - 1 of the objects' ids, a < b (a = b with FR_OBJECT_SELF)
    fr_relation relation;
    double time_sure;    // by when contact is proven, 0 .. 1 of the step: the min of its pairs, or where none is sure
                         // and insides overlap, about when they begin to; at an instant 0; FR_UNKNOWN: not proven
    size_t first, count; // its pairs are pairs[first .. first + count)
} fr_object_pair;

typedef struct fr_collide_stats {
    uint64_t object_pairs; // pairs of parts whose boxes overlap
    uint64_t nodes;        // pairs of tree nodes, or cubes, visited
    uint64_t candidates;   // pairs of triangles listed (P)
    uint64_t tested;       // pairs given to the exact test
    uint64_t exact;        // of these, those whose batch left them to exact arithmetic (tree)
    uint64_t skipped;      // pairs of parts that earlier queries proved to be apart still
    uint64_t accesses;     // to shared lists: P + p (static) or 2 P + p (dynamic); 0 otherwise
    double ms_bounds, ms_extract, ms_divide, ms_test, ms_total; // steps 1 to 4 add up to the total; what is not
                                                                // listed first is all in ms_bounds (pairs of
                                                                // parts) and ms_test
} fr_collide_stats;

// A time interval in which the faces of a pair are in contact. It never begins late and never ends early.
typedef struct fr_touch_interval {
    size_t pair;       // its index in `pairs`
    double begin, end; // 0 .. 1 of the step; end 1 where it lasts
} fr_touch_interval;

typedef struct fr_collide_output {
    const fr_face_pair *pairs; // sorted by a, b, triangle_a, triangle_b; each once
    size_t pair_count;
    const fr_contact *contacts;         // one a pair, in the same order; NULL unless wanted
    const fr_touch_interval *intervals; // sorted by pair, then by time; several turns may give several; NULL
    size_t interval_count;              // unless wanted
    const fr_object_pair *object_pairs; // sorted by a, b; those with pairs, and the contained ones where wanted
    size_t object_pair_count;
    bool is_partial;  // stopped by control or budget: some pairs are missing, and those that contain one another
    double free_time; // over a step: nothing comes together before this, 0 .. 1, not even what is missing in a partial
                      // output; 1 when nothing does at all
    fr_collide_stats stats;
} fr_collide_output;

// ---------------------------------------------------------------------------------------------------------------
// Queries
//
// With an exchange all of its ranks make the same query of equal spaces, and every one gets the output that it would
// get alone, but for `stats`, which are about what this rank did. The tree shares its work among the ranks, for all
// contacts; a budget, first contacts, swept hulls and the other methods are done by each rank in full. Shared work over
// a step uses nothing that earlier queries proved. A control that stops one rank stops all of them. Where a query fails
// on one rank it fails on all, there or at their next one: FR_ERROR_MEMORY for memory of any rank, FR_ERROR_ARGUMENT
// when the ranks do not have the same objects, FR_ERROR_SYSTEM when one has ended. The exchange is of no use after
// that.

// The context of queries: their memory. Outputs live in it until its next query. A query that needs no more than an
// earlier one allocates nothing, whichever worker is faster. One thread at a time; several contexts may query one space
// at once.
typedef struct fr_collide fr_collide;

FR_API fr_status fr_collide_create(const fr_allocator *allocator, fr_collide **out, fr_error *error);
FR_API void fr_collide_destroy(fr_collide *collide);

// The colliding faces of the space's objects at their poses. FR_ERROR_STALE_DATA when the space is not current,
// FR_ERROR_ARGUMENT for an input outside its limits, FR_ERROR_MEMORY. On failure `output` is empty.
FR_API fr_status fr_collide_static(fr_collide *collide, const fr_collide_input *input, fr_collide_output *output,
                                   fr_error *error);

// The same for two objects alone, or with a = b for one with itself, whatever their filters. It needs no broad phase:
// poses that were set count at once, and only new vertices need fr_space_update (else FR_ERROR_STALE_DATA).
// FR_ERROR_STALE_ID for an id that names nothing, FR_ERROR_UNSUPPORTED for a ghost that has bones. All parts of one
// meet all of the other: for objects of many parts fr_collide_static is faster.
FR_API fr_status fr_collide_static_pair(fr_collide *collide, const fr_collide_input *input, fr_object_id a,
                                        fr_object_id b, fr_collide_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Over the step
//
// Every object goes along its motion from its pose to its next one (fr_object_set_next, fr_object_set_motion); turns of
// any angle, several revolutions included. The output holds
//   - every pair of faces that comes together, and none that stays farther apart than the tolerance;
//   - every pair that shares a point at the poses or at the next poses as they were given.
// `time` is the part of the step gone by, never later than the first touch. A pair whose crossing is not proven carries
// NEAR, and its time_sure is unknown; a pair that shares points at the start carries START, COPLANAR and TOUCHING as
// at an instant. CAPPED: the search for the time stopped early, the pair may stay farther apart than the tolerance.
//
// With START a contact is as at an instant; else its point and normal are those of the closest points at `time`.
// `approach` is known. Which object is inside another is decided at the beginning of the step. With FR_SET_FIRST, where
// faces are proven to meet, the relation is that of the first contacts.
//
// The swept hull of a face (FR_NARROW_HULL) is the convex hull of all places of its three corners over the step, 0 <= t
// <= 1, along fr_motion or straight, and of its corners at the next pose as it was given. A corner that turns counts
// with its whole arc. With hulls the output holds every pair of faces whose hulls come within the margin and the
// tolerance, whenever each of them is there, so all that the exact test finds within the tolerance (a pair with CAPPED
// may be farther apart). It holds none whose hulls are farther apart than that and 2.4e-7 of the size of both hulls. It
// is the same for every method.
//
// A budget counts pairs given to the exact test; the tree then tests first the pairs that may meet first.

// The colliding faces of the space's objects over the step. Failures as of fr_collide_static.
FR_API fr_status fr_collide_continuous(fr_collide *collide, const fr_collide_input *input, fr_collide_output *output,
                                       fr_error *error);

// The same for two objects alone, or one with itself, as fr_collide_static_pair: poses and motions that were set count
// at once.
FR_API fr_status fr_collide_continuous_pair(fr_collide *collide, const fr_collide_input *input, fr_object_id a,
                                            fr_object_id b, fr_collide_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// When poses are not known exactly
//
// A tracked object is somewhere near where its pose puts it. Its reference point is the pivot of its motion, or of the
// object where it is still. A truth is admissible when at every time of the step the reference point is within
// position_error + speed latency of where the pose has it, and the rest is turned about it by at most rotation_error +
// angular_speed latency. A vertex at the distance rho from the reference point is then off by at most
//   position_error + 2 rho sin(rotation_error / 2) + latency (speed + rho angular_speed).
// The separation of a pair of faces is the sum of this for the farthest corner of each, and what arithmetic adds.
//
// Objects that are not listed have exact poses. Contacts of two real things (FR_OBJECT_REAL) carry
// FR_CONTACT_REAL and are information only: a response to contacts leaves them as they are.

typedef struct fr_uncertainty {
    double position_error; // metres
    double rotation_error; // radians, at most pi
    double latency;        // seconds since the pose was true
    double speed;          // the highest of the reference point during the latency, metres a second
    double angular_speed;  // the highest of the object, radians a second
} fr_uncertainty;

// How far a vertex at `distance` >= 0 metres from the reference point may be off; rounded up.
FR_API double fr_uncertainty_reach(const fr_uncertainty *uncertainty, double distance);

// Takes the speeds of an object that goes on as in a step of `seconds` > 0.
FR_API void fr_uncertainty_set_speeds(fr_uncertainty *uncertainty, const fr_motion *motion, double seconds);

typedef struct fr_object_uncertainty {
    fr_object_id id;
    fr_uncertainty uncertainty; // finite, nothing below 0
} fr_object_uncertainty;

typedef struct fr_uncertain_input {
    fr_collide_input query; // margin 0 and set all; want, narrow and is_containment_wanted are not read
    bool is_over_step;      // about the step; default about the instant
    const fr_object_uncertainty *uncertainties; // each object once
    size_t uncertainty_count;
    uint32_t draws; // admissible truths to try on each pair, 0 .. 64; default 32
    uint64_t seed;  // of these
    uint32_t cookie;
} fr_uncertain_input;

FR_API fr_uncertain_input fr_default_uncertain_input(void);

// How sure a pair is; a pair of one grade also fulfils the grades before it.
typedef enum fr_grade {
    FR_GRADE_POSSIBLE, // within the separation: some admissible truth may collide
    FR_GRADE_LIKELY,   // collides at the poses as they are given
    FR_GRADE_CERTAIN   // collides in every admissible truth: at some time an edge of one face goes through the other,
                       // its ends farther than the separation from the other's plane and the whole edge farther than
                       // that from the other's border. A pair without this proof may be certain too
} fr_grade;

typedef struct fr_uncertain_pair {
    uint32_t a, b;                   // as in fr_face_pair
    uint32_t triangle_a, triangle_b; // in the objects
    fr_grade grade;
    uint32_t flags;    // of fr_contact_flags where the poses have them; NEAR when only possible
    float time;        // no admissible truth collides earlier, 0 .. 1 of the step
    float share;       // of the draws that collide, 0 .. 1; negative where none were wanted
    double separation; // of the two faces, metres; 0 where both objects are certain
} fr_uncertain_pair;

typedef struct fr_uncertain_objects {
    uint32_t a, b;
    fr_grade grade; // the highest of its pairs
    float share;    // of the draws in which any faces of the two collide; negative where none were wanted
    size_t first, count;
} fr_uncertain_objects;

typedef struct fr_uncertain_output {
    const fr_uncertain_pair *pairs; // sorted by a, b, triangle_a, triangle_b; each once
    size_t pair_count;
    const fr_uncertain_objects *objects; // sorted by a, b
    size_t object_count;
    bool is_partial;        // stopped by control or budget
    double separation;      // the largest that was looked for
    fr_collide_stats stats; // of both queries: among certain objects, and about the others
} fr_uncertain_output;

// The faces that may collide, at the poses or over the step. Every pair that the output about any admissible truth
// holds is in it, but for those whose search over the step ran into its cap. The same for every method and number of
// workers. Outputs live in the context until its next query. Failures as of fr_collide_static; FR_ERROR_ARGUMENT for
// an error outside its limits or an object listed twice, FR_ERROR_STALE_ID.
FR_API fr_status fr_collide_uncertain(fr_collide *collide, const fr_uncertain_input *input, fr_uncertain_output *output,
                                      fr_error *error);

// Merges the output about uncertain poses into the output about the given poses, so that code for the one can read
// the other. The arrays are the caller's and must live as long as the merged output.
typedef struct fr_uncertain_merge {
    const fr_uncertain_input *input;   // of the query
    const fr_uncertain_output *output; // of the same query
    fr_face_pair *pairs;               // room for output->pair_count
    fr_contact *contacts;              // the same; NULL: the output about the poses has none
    fr_object_pair *object_pairs;      // room for output->object_count and the object pairs of the other output
} fr_uncertain_merge;

// `output` is that of fr_collide_static or fr_collide_continuous about the same space: then it holds all pairs that may
// collide. Contacts stay as they were; a pair that is only possible has one where its faces first come within their
// separation, or at an instant where they are closest. Allocates nothing.
FR_API void fr_collide_merge_uncertain(const fr_uncertain_merge *merge, fr_collide_output *output);

// What makes up the separation: the terms for the farthest vertex of an object, metres.
typedef struct fr_error_budget {
    double position;   // of the pose
    double rotation;   // of the pose
    double prediction; // what the object did since: latency times speeds
    double path;       // half the tolerance over a step; rigid paths are exact, none is replaced by its chord
    double arithmetic; // more than rounding adds
    double total;      // no separation of faces of two objects is larger than the sum of theirs
} fr_error_budget;

FR_API fr_status fr_collide_budget(const fr_uncertain_input *input, fr_object_id id, fr_error_budget *out,
                                   fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// What if
//
// A geometry that is no object of the space goes along a motion: what would it touch, and when?

typedef struct fr_move_input {
    const fr_space *space;    // current
    const fr_part_def *parts; // the geometry: meshes in poses of their own; at least one
    uint32_t part_count;
    fr_motion motion;              // from where it stands, over t = 0 .. 1
    bool may_others_move;          // the objects go along their motions meanwhile; default: they stand at their poses
    double margin;                 // also what comes this near; 0 .. FR_LENGTH_MAX, default 0
    double tolerance;              // as of fr_collide_input
    const fr_query_filter *filter; // which objects; NULL: all
    fr_contact *contacts;          // room for the earliest contacts; may be NULL
    uint32_t capacity;             // of contacts
    uint32_t cookie;               // set by fr_default_move_input
} fr_move_input;

typedef struct fr_move_output {
    bool is_hit;            // something would touch; else the rest is not set
    double free_time;       // nothing is touched before this; 1 when nothing is at all
    fr_contact first;       // the earliest contact; of equals the lowest object, then triangle a, then triangle b
    uint32_t contact_count; // written to `contacts`: those with time <= min time_sure + 1e-3, the earliest first
    bool has_more;          // `contacts` had no room for all of them
} fr_move_output;

FR_API fr_move_input fr_default_move_input(void);

// Const on the space, any thread, many at once; allocates nothing. In contacts a is the geometry, with all zeros
// as id and its parts and triangles counted as an object's, and b the object; the normal leads from a to b.
// FR_ERROR_STALE_DATA when the space is not current, FR_ERROR_STALE_ID for a filter whose object is gone,
// FR_ERROR_ARGUMENT and FR_ERROR_NOT_FINITE for a wrong input.
FR_API fr_status fr_collide_move(const fr_move_input *input, fr_move_output *output, fr_error *error);

// Two objects go on, each along a motion of the caller's, from wherever the motion begins: when do they first touch?
typedef struct fr_meet_input {
    const fr_space *space;
    fr_object_id a, b;            // filters are not looked at
    fr_motion motion_a, motion_b; // over t = 0 .. 1; deformed objects keep the vertices that they have now
    double margin;                // also what comes this near; 0 .. FR_LENGTH_MAX, default 0
    double tolerance;             // as of fr_collide_input
    uint32_t cookie;              // set by fr_default_meet_input
} fr_meet_input;

FR_API fr_meet_input fr_default_meet_input(void);

// Const on the space, any thread, many at once; allocates nothing. `contacts` of the output are none; `first` is the
// earliest contact, with `a` as input->a and the normal from a to b; where they touch at the beginning it is any one of
// then. It needs no broad phase: only new vertices need fr_space_update (else FR_ERROR_STALE_DATA). All parts of one
// meet all of the other. FR_ERROR_STALE_ID; FR_ERROR_ARGUMENT and FR_ERROR_NOT_FINITE for a wrong input.
FR_API fr_status fr_collide_meet(const fr_meet_input *input, fr_move_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Move and slide
//
// A body goes along a motion, stops before what it meets, and goes on along it: the mover of a character controller.

#define FR_SLIDE_SCRATCH_BYTES 65536

// Where a body was stopped.
typedef struct fr_slide_stop {
    fr_pose pose;               // of the body, `gap` before what it met
    const fr_contact *contacts; // what stopped it, the earliest first; normals lead from the body to the other
    uint32_t contact_count;     // at least 1
    uint32_t round;             // stops before this one
} fr_slide_stop;

// Changes the rest of a motion, which begins at the stop's pose and presses on the contacts. False: the body stays.
typedef bool fr_deflect_fn(const fr_slide_stop *stop, fr_motion *rest, void *context);

typedef struct fr_slide_input {
    fr_move_input query; // geometry, motion, margin, tolerance, filter; `contacts` has room for the first of each stop;
                         // the others stand
    double gap;          // metres beyond the margin that are left before what is met; > 0, default 1e-4
    uint32_t max_rounds; // stops after which the body goes on; default 4; 0: it stays at the first stop
    fr_deflect_fn *deflect;    // NULL: along all planes met so far; a turn ends where it presses on one
    void *deflect_context;     // of deflect
    const fr_control *control; // looked at before each motion; may be NULL
    void *scratch;             // FR_SLIDE_SCRATCH_BYTES, aligned as a max_align_t, for one call at a time; needed
    uint32_t cookie;           // set by fr_default_slide_input
} fr_slide_input;

// Why a body stands where it stands.
typedef enum fr_slide_end {
    FR_SLIDE_ARRIVED, // nothing stops the rest of the motion any more
    FR_SLIDE_HELD,    // what is met leaves no direction, or deflect returned false
    FR_SLIDE_ROUNDS,  // it was stopped once more after max_rounds
    FR_SLIDE_INSIDE,  // it begins in something or within the margin, and no step off is clear; or inside a solid: a
                      // closed part with its faces outwards
    FR_SLIDE_STOPPED  // by the control
} fr_slide_end;

typedef struct fr_slide_output {
    fr_pose pose;           // of the body at the end
    double free_part;       // of the input's motion that was gone before the first stop, 0 .. 1
    uint32_t rounds;        // stops after which the body went on
    uint32_t contact_count; // written to `query.contacts`: the first of each stop, in order
    fr_slide_end end;
} fr_slide_output;

FR_API fr_slide_input fr_default_slide_input(void);

// Moves a body and slides it along what it meets. Every motion on its path is checked as by fr_collide_move, so the
// body is nowhere nearer to anything than the margin, but for what is nearer at the start: from that it steps off,
// straight and up to three times by the margin and the gap. It does so only where the step is proven to touch nothing
// but what is touched at the start, and to end beyond the margin of everything. Motions of any length are right: beyond
// the last object nothing is looked for. Const on the space, any thread, many at once; allocates nothing.
// FR_ERROR_STALE_DATA when the space is not current, FR_ERROR_STALE_ID for a filter whose object is gone,
// FR_ERROR_ARGUMENT and FR_ERROR_NOT_FINITE for a wrong input.
FR_API fr_status fr_collide_slide(const fr_slide_input *input, fr_slide_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
