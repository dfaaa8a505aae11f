// Fureai clash: which parts of assemblies meet (clash detection of CAD), at rest and while a world moves them:
// touching, penetrating or contained, how deep, and the lines where their surfaces meet.
//
// Results do not depend on the number of threads.
#ifndef FUREAI_CLASH_H
#define FUREAI_CLASH_H

#include "collide.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// A clash

typedef enum fr_clash_kind {
    FR_CLASH_TOUCHING,   // the surfaces meet and neither part enters the other by more than the tolerance
    FR_CLASH_PROTRUSION, // the parts enter one another: a vertex of one lies inside the other or on its surface
    FR_CLASH_PIERCING,   // the parts enter one another, and no vertex does: an edge goes in and comes out again, or the
                         // parts are open
    FR_CLASH_ENCLOSED,   // one part lies inside the other
    FR_CLASH_DUPLICATE,  // the same part twice in one place
    FR_CLASH_CLEARANCE,  // the parts are apart, by no more than the clearance
    FR_CLASH_KIND_COUNT
} fr_clash_kind;

// "touching", "protrusion", "piercing", "enclosed", "duplicate" or "clearance".
FR_API const char *fr_clash_kind_name(fr_clash_kind kind);

// One line through points[first .. first + count). A closed line ends with its first point; a line of one point is a
// place where the surfaces touch in that point alone.
typedef struct fr_contact_line {
    size_t first, count;
} fr_contact_line;

// Where two surfaces meet: the lines where they cross, and the outlines of the areas where they lie on one another.
typedef struct fr_contact_region {
    const fr_vec3 *points; // in the world
    size_t point_count;
    const fr_contact_line *lines;
    size_t line_count;
} fr_contact_region;

// ---------------------------------------------------------------------------------------------------------------
// The finder

// The memory of clash queries: results live in it until its next query. One thread at a time.
typedef struct fr_clash_finder fr_clash_finder;

// Makes a finder. `allocator` may be NULL for the process default. FR_ERROR_MEMORY.
FR_API fr_status fr_clash_finder_create(const fr_allocator *allocator, fr_clash_finder **out, fr_error *error);
FR_API void fr_clash_finder_destroy(fr_clash_finder *finder);

// ---------------------------------------------------------------------------------------------------------------
// Parts at rest

// A part: a mesh where its pose puts it. The mesh is retained during the query.
typedef struct fr_clash_part {
    fr_mesh *mesh;
    fr_pose pose; // fr_pose_identity() for a mesh that is given in the world
} fr_clash_part;

// What is done with pairs of parts, by their names.
typedef enum fr_clash_rule_kind {
    FR_CLASH_RULE_IGNORE,   // they are not compared
    FR_CLASH_RULE_ONLY,     // where there is a rule of this kind, pairs that none is about are not compared
    FR_CLASH_RULE_CLEARANCE // they shall be this far apart; of several such rules the last one counts
} fr_clash_rule_kind;

typedef struct fr_clash_rule {
    fr_clash_rule_kind kind;
    const char *a, *b; // patterns of the two names, in either order: `*` is any text, `?` one byte
    double clearance;  // of FR_CLASH_RULE_CLEARANCE: metres, 0 .. FR_LENGTH_MAX
} fr_clash_rule;

#define FR_CLASH_MAX_RULES 64u

typedef struct fr_clash_input {
    const fr_clash_part *parts;
    size_t part_count;        // 0 .. UINT32_MAX - 1
    const char *const *names; // of the parts, for rules and groups; NULL, the default: there are none
    const fr_clash_rule *rules;
    size_t rule_count; // 0 .. FR_CLASH_MAX_RULES
    double clearance;  // metres, 0 .. FR_LENGTH_MAX, default 0: parts beyond the tolerance and up to this far apart are
                       // reported (FR_CLASH_CLEARANCE), where no rule says otherwise
    double tolerance;  // metres, 0 .. FR_LENGTH_MAX, default 0: surfaces up to this far apart, and parts that
                       // enter one another by no more, touch
    const fr_tasks *tasks;       // NULL: the calling thread
    const fr_control *control;   // may be NULL
    const fr_exchange *exchange; // the ranks that do the query together, each with the same parts, names and rules, and
                                 // each of which gets the whole result (collide.h); NULL: the caller alone
    uint32_t cookie;             // set by fr_default_clash_input
} fr_clash_input;

FR_API fr_clash_input fr_default_clash_input(void);

// Two parts that meet.
typedef struct fr_clash {
    uint32_t a, b; // indices of the parts, a < b
    fr_clash_kind kind;
    size_t shared_count; // pairs of triangles that share a point; of a duplicate: its triangles, each with its twin
    double depth;        // metres: the greatest distance from the surface of one closed part of a vertex of the other
                         // part that lies inside it; FR_UNKNOWN when there is no such vertex
    double distance;     // metres between the surfaces: 0 where they meet, FR_UNKNOWN where one part is enclosed in the
                         // other farther from its surface than tolerance and clearance
    fr_contact_region region;
    size_t first, count; // its pairs of triangles, those within tolerance or clearance included: pairs[first .. first +
                         // count)
    uint32_t group;      // of like clashes
} fr_clash;

// Like clashes: of one kind, between parts whose names differ in the numbers at their ends alone (bolt.1, bolt.2), or,
// without names, that have the same meshes.
typedef struct fr_clash_group {
    fr_clash_kind kind;
    uint32_t first;      // the first of its clashes, which stands for them
    uint32_t count;      // how many there are
    double max_depth;    // FR_UNKNOWN: none has a depth
    double min_distance; // metres; infinite: none has a distance
} fr_clash_group;

typedef struct fr_clash_output {
    const fr_clash *clashes; // sorted by a, b
    size_t count;
    const fr_face_pair *pairs; // a, b are indices of parts; FR_CONTACT_NEAR: within the tolerance only
    size_t pair_count;
    const fr_clash_group *groups; // in the order of their first clashes
    size_t group_count;
} fr_clash_output;

// Finds every two parts that meet. Parts that share a mesh share what is prepared of it, wherever they stand. Parts are
// the same (FR_CLASH_DUPLICATE) when they have as many triangles and each corner is within 1e-9 of the part's size at
// the same corner of the other, or the triangles are the same ones in another order, bit for bit: of several such parts
// each is reported once, with the first of them, without pairs, depth and region. FR_ERROR_ARGUMENT for an input
// outside its limits, FR_ERROR_STOPPED when the control says so, FR_ERROR_MEMORY; `output` is empty then.
FR_API fr_status fr_clash_find(fr_clash_finder *finder, const fr_clash_input *input, fr_clash_output *output,
                               fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Parts in motion

typedef struct fr_motion_clash_input {
    fr_world *world; // senses continuously with intervals (FR_SENSE_CONTINUOUS, FR_WANT_INTERVALS); was never ticked
    uint64_t steps;  // ticks to take
    uint64_t joint_steps;  // over 0, in place of `steps`: every joint goes through its whole range, one after another,
                           // while all else stands still, its movers included; 3 .. 1e6 ticks for a range. Default 0
    double tolerance;      // metres, 0 .. FR_LENGTH_MAX, default 0: parts that enter one another by no more, touch
    const fr_tasks *tasks; // NULL: the calling thread
    const fr_control *control; // may be NULL
    const fr_exchange
        *exchange;   // ranks with equal worlds, which share the sensing of their steps; NULL: there are none
    uint32_t cookie; // set by fr_default_motion_clash_input
} fr_motion_clash_input;

FR_API fr_motion_clash_input fr_default_motion_clash_input(void);

// A part of an object of the world.
typedef struct fr_motion_part {
    fr_object_id owner;
    uint32_t number; // of the part in its object
} fr_motion_part;

typedef struct fr_clash_interval {
    double begin, end; // seconds of the world
} fr_clash_interval;

typedef struct fr_triangle_pair {
    uint32_t a, b; // triangles of the parts' objects
} fr_triangle_pair;

// Two parts of different objects that meet while they move.
typedef struct fr_motion_clash {
    uint32_t a, b; // indices of the parts, a < b
    fr_clash_kind kind;
    const fr_clash_interval *intervals; // sorted: when the parts meet; being inside counts
    size_t interval_count;
    const fr_triangle_pair *triangles; // sorted: those that ever share a point
    size_t triangle_count;
    bool is_lasting; // the last interval goes on at the end
    double first;    // seconds: when the parts first meet
    fr_vec3 point;   // where; FR_UNKNOWN when one part is inside the other from the beginning
    fr_vec3 normal;  // from a to b, there
    double at;    // seconds: the instant with the greatest number of colliding triangles, or the middle of the longest
                  // meeting between two instants; depth and region are those at this time
    double depth; // as of fr_clash; FR_UNKNOWN for objects that deform
    fr_contact_region region; // as of fr_clash; the first point where the surfaces only come near
} fr_motion_clash;

// How a joint goes through its range: from its value to the low limit, to the high limit, and back. A hinge without
// limits goes one turn from its value on.
typedef struct fr_joint_drive {
    fr_joint_id joint;
    double low, high, start; // values: radians, or metres of a slider
    double begin, end;       // seconds of the world
    uint64_t down, up, back; // ticks of the three stretches
} fr_joint_drive;

// The value of the joint at a time; before and after its drive `start`.
FR_API double fr_joint_drive_value(const fr_joint_drive *drive, double time);

typedef struct fr_motion_clash_output {
    const fr_motion_clash *clashes; // sorted by a, b
    size_t count;
    const fr_joint_drive *drives; // with joint_steps: of the joints in their order, but for those that are fixed or
                                  // attached, have no range, or slide without limits
    size_t drive_count;
    const fr_motion_part *parts; // the objects in their order, and of each its parts
    size_t part_count;
    bool is_partial; // the control stopped it: clashes after `until` are missing, or the depth of some
    double until;    // seconds: every clash that begins up to here is in the result
} fr_motion_clash_output;

// Ticks a world and finds every two parts of different objects that meet at any time, between two instants included.
// The world stays where the last tick left it. A stopped query returns FR_OK and a partial result. FR_ERROR_ARGUMENT
// for an input outside its limits or another world than that, FR_ERROR_LIMIT when the world has no place for one more
// corrector, FR_ERROR_MEMORY, and what a tick returns; `output` is empty then.
FR_API fr_status fr_clash_find_motion(fr_clash_finder *finder, const fr_motion_clash_input *input,
                                      fr_motion_clash_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
