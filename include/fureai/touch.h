// Fureai touch: what happens where bodies meet and hands let go.
//
// Rebound and fall: the velocities of bodies after contacts of any sense (collide's, radar's), and the way of a body
// that was set loose, down to the next face below it. Not a physics engine: no stacks, no joints.
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
    fr_object_id object;     // whose it is
    fr_vec3 center;          // of mass
    fr_vec3 velocity;        // of the centre, metres a second
    fr_vec3 spin;            // radians a second
    double inverse_mass;     // 1 / kg; 0: it does not give way, and its velocity stays
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
    const fr_contact *contacts; // point, normal, time and objects are read; who is no body does not give way
    uint32_t contact_count;
    double slow;     // metres a second: what comes nearer more slowly does not spring back; default 1e-3
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

typedef struct fr_fall_input {
    const fr_space *space;         // current; the others stand
    const fr_part_def *parts;      // of the body
    uint32_t part_count;           //
    fr_pose pose;                  // where it is
    fr_rebound_body body;          // its centre belongs to the pose
    fr_vec3 gravity;               // default 0, -9.81, 0
    double step;                   // seconds, > 0; default 0.01
    double skin;                   // metres it stays away from everything, > 0; default 1e-4
    double friction;               // of what stands; default 0.5
    double restitution;            // of what stands; default 0
    const fr_query_filter *filter; // who stands in the way; ignore the body itself there
    uint32_t cookie;               // set by fr_default_fall_input
} fr_fall_input;

FR_API fr_fall_input fr_default_fall_input(void);

typedef struct fr_fall_output {
    fr_pose pose;         // at the end of the step
    fr_rebound_body body; // with its velocity and spin there
    uint32_t contacts;    // met in the step
    bool is_resting;      // something carries it, and it does not move any more
} fr_fall_output;

// One step of a body that was set loose among bodies that stand: gravity, contacts, rebound, at most FR_REBOUND_ROUNDS
// times. It never goes into anything: every piece of its way was asked over its whole course. What is met in the last
// round ends its step there. Const on the space, any thread, allocates nothing. Errors as of fr_collide_move.
FR_API fr_status fr_touch_fall(const fr_fall_input *input, fr_fall_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Strings: a pen held by four strings whose lengths are measured and which motors pull

#define FR_STRING_COUNT 4

typedef struct fr_strings {
    fr_vec3 anchors[FR_STRING_COUNT]; // the eyelets the strings leave by, in the device's frame, all different;
                                      // default: a tetrahedron, every second corner of a cube of 0.5
    fr_vec3 home;       // amid where the pen is used, on the user's side of the frame; default 0
    double tension_min; // newtons, >= 0: keeps a string taut; default 0.3
    double tension_max; // newtons, > tension_min: what a motor can do; default 6
    uint32_t cookie;    // set by fr_default_strings
} fr_strings;

FR_API fr_strings fr_default_strings(void);

// The length of a string: `length_zero` where its pulley's counter was 0, `radius` of the pulley in metres, > 0, and
// `per_turn` counts a turn, > 0.
FR_API double fr_string_length(double length_zero, double radius, int64_t count, double per_turn);

typedef struct fr_string_tip {
    fr_vec3 tip;         // in the device's frame
    double residual;     // metres: the root of the sum of squares of what the four lengths disagree by
    uint32_t iterations; // steps of the search; 0 of the direct solution
    bool is_settled;     // the last step was below 1e-7 m
} fr_string_tip;

// The tip from four lengths (>= 0) by Gauss-Newton, from `last` (a tip found before; NULL: home). Where all anchors lie
// in a plane two tips fit, mirrored in it; the one on home's side is given. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE.
// Allocates nothing, any thread, about a microsecond.
FR_API fr_status fr_strings_tip(const fr_strings *strings, const double lengths[FR_STRING_COUNT], const fr_vec3 *last,
                                fr_string_tip *out, fr_error *error);

// The same by three linear equations, without a start: less exact than fr_strings_tip when lengths are rounded.
// FR_ERROR_UNSUPPORTED for anchors in one plane.
FR_API fr_status fr_strings_tip_direct(const fr_strings *strings, const double lengths[FR_STRING_COUNT],
                                       fr_string_tip *out, fr_error *error);

// Watches for a slipped or slack string: residuals above `limit` without a break for `seconds`. One string more than
// needed tells that one is wrong, not which.
typedef struct fr_string_watch {
    double limit;   // metres; default 8e-4
    double seconds; // default 0.05
    double above;   // seconds above the limit up to now
    bool is_alarm;  // stays until the watch is made anew, after the strings were set right
} fr_string_watch;

FR_API fr_string_watch fr_default_string_watch(void);

// Takes the residual of a tip, `dt` seconds after the last; returns is_alarm. A residual or dt that is no number counts
// as an alarm.
FR_API bool fr_strings_watch(fr_string_watch *watch, double residual, double dt);

// What to do with a force that strings, which only pull, cannot give.
typedef enum fr_pull_mode {
    FR_PULL_NEAREST,       // the nearest force they can give
    FR_PULL_KEEP_DIRECTION // the greatest part of it in its direction; where there is none, the nearest
} fr_pull_mode;

typedef struct fr_pull {
    double tensions[FR_STRING_COUNT]; // newtons, always within the strings' limits
    fr_vec3 force;                    // what they give together
    double error;                     // |force - what was asked for|
    double share;                     // of the asked force that was aimed at: below 1 with KEEP_DIRECTION only
    bool is_kept;                     // the aim is reached within 1e-3 of the asked force
} fr_pull;

// Tensions for a force at a tip: the least |sum of pulls - force|^2 + 1e-6 |tensions - tension_min|^2, exactly, over
// the 81 states of strings at their low limit, their high limit or between. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE; a
// tip in an eyelet is FR_ERROR_ARGUMENT. Allocates nothing, any thread.
FR_API fr_status fr_strings_pull(const fr_strings *strings, fr_vec3 tip, fr_vec3 force, fr_pull_mode mode, fr_pull *out,
                                 fr_error *error);

typedef struct fr_capability_input {
    const fr_strings *strings;
    fr_bounds bounds;    // of the grid of tips, in the device's frame
    uint32_t count[3];   // tips along each axis, 1 .. 1024; one stands in the middle
    double force;        // newtons, > 0; default 2
    uint32_t directions; // tried at each tip, evenly spread, 1 .. 65536; default 200
    uint32_t cookie;     // set by fr_default_capability_input
} fr_capability_input;

FR_API fr_capability_input fr_default_capability_input(void);

// What a layout can do: at each tip the share of directions, 0 .. 1, in which the force is given within 2 %. `shares`
// holds count[0] count[1] count[2] numbers, x fastest; 0 for a tip in an eyelet.
FR_API fr_status fr_strings_capability(const fr_capability_input *input, float *shares, fr_error *error);
#ifdef __cplusplus
}
#endif

#endif
