// Fureai haptic: haptic rendering. A pen on four strings (a cable-driven device), and the force at it, 1000 times a
// second, by a proxy (god object) that planes hold.
// Pure jobs: the caller reads and moves the devices.
#ifndef FUREAI_HAPTIC_H
#define FUREAI_HAPTIC_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Strings: a pen held by four strings whose lengths are measured and which motors pull

#define FR_STRING_COUNT 4

typedef struct fr_strings {
    fr_vec3 anchors[FR_STRING_COUNT]; // the eyelets the strings leave by, in the device's frame, all different;
                                      // default: a tetrahedron, every second corner of a cube of 0.5
    fr_vec3 home;                     // amid where the pen is used, on the user's side of the frame; default 0
    double tension_min;               // newtons, >= 0: keeps a string taut; default 0.3
    double tension_max;               // newtons, > tension_min: what a motor can do; default 6
    uint32_t cookie;                  // set by fr_default_strings
} fr_strings;

FR_API fr_strings fr_default_strings(void);

typedef struct fr_strings_tip_output {
    fr_vec3 tip;         // in the device's frame
    double residual;     // metres: the root of the sum of squares of what the four lengths disagree by
    uint32_t iterations; // steps of the search
    bool is_settled;     // the last step was below 1e-7 m
} fr_strings_tip_output;

// The tip from four lengths (>= 0) by Gauss-Newton, from `last` (a tip found before; NULL: home). Where all anchors lie
// in a plane two tips fit, mirrored in it; the one on home's side is given. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE.
// Allocates nothing, any thread, about a microsecond.
FR_API fr_status fr_strings_tip(const fr_strings *strings, const double lengths[FR_STRING_COUNT], const fr_vec3 *last,
                                fr_strings_tip_output *out, fr_error *error);

// Watches for a slipped or slack string: residuals above `limit` without a break for `seconds`. One string more than
// needed shows that one is wrong, not which. Plain data: set `limit` and `seconds`, read the rest.
typedef struct fr_string_watch {
    double limit;   // metres: a residual above it counts; default 8e-4
    double seconds; // above the limit until the alarm; default 0.05
    double above;   // seconds above the limit up to now
    bool is_alarm;  // stays until the watch is made again, after the strings were set right
} fr_string_watch;

FR_API fr_string_watch fr_default_string_watch(void);

// Takes the residual of a tip, `dt` seconds after the last; returns is_alarm. A residual or dt that is no number counts
// as an alarm.
FR_API bool fr_strings_watch(fr_string_watch *watch, double residual, double dt);

// What to do with a force that strings, which only pull, cannot give.
typedef enum fr_pull_mode {
    FR_PULL_NEAREST,       // the nearest force they can give
    FR_PULL_SAME_DIRECTION // the greatest part of it in its direction; where there is none, the nearest
} fr_pull_mode;

typedef struct fr_strings_pull_output {
    double tensions[FR_STRING_COUNT]; // newtons, always within the strings' limits
    fr_vec3 force;                    // what they give together
    double error;                     // |force - the wanted force|
    double share;                     // of the wanted force that was aimed at: below 1 with FR_PULL_SAME_DIRECTION only
    bool is_reached;                  // the aim is reached within 1e-3 of the wanted force, or 1e-4 N
} fr_strings_pull_output;

// Tensions for a force at a tip: the min of |sum of pulls - force|^2 + 1e-6 |tensions - tension_min|^2, exactly, over
// the 81 states of strings at their low limit, their high limit or between. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE; a
// tip in an eyelet is FR_ERROR_ARGUMENT. Allocates nothing, any thread.
FR_API fr_status fr_strings_pull(const fr_strings *strings, fr_vec3 tip, fr_vec3 force, fr_pull_mode mode,
                                 fr_strings_pull_output *out, fr_error *error);

typedef struct fr_capability_input {
    const fr_strings *strings;
    fr_bounds bounds;          // of the grid of tips, in the device's frame
    uint32_t count[3];         // tips along each axis, 1 .. 1024; one stands in the middle
    double force;              // newtons, > 0; default 2
    uint32_t directions;       // tried at each tip, evenly spread, 1 .. 65536; default 200
    const fr_control *control; // stops between two rows of tips, and hears of each; may be NULL, the default
    uint32_t cookie;           // set by fr_default_capability_input
} fr_capability_input;

FR_API fr_capability_input fr_default_capability_input(void);

// What a layout can do: at each tip the share of directions, 0 .. 1, in which the force is given within 2 %. `shares`
// holds count[0] count[1] count[2] numbers, x fastest; 0 for a tip in an eyelet. FR_ERROR_ARGUMENT,
// FR_ERROR_NOT_FINITE; FR_ERROR_STOPPED, after which the shares mean nothing.
FR_API fr_status fr_strings_capability(const fr_capability_input *input, float *shares, fr_error *error);

// The tip of a share, by its index.
FR_API fr_vec3 fr_capability_tip(const fr_capability_input *input, size_t index);

// What all shares say together.
typedef struct fr_capability_summary {
    double mean, best; // share of a tip
    size_t full_count; // tips with a share of at least 0.99
    // Of the tips inside the tetrahedron of the eyelets, and of those well inside it: means of the eyelets in which
    // each has at least a tenth. 0 where there are none.
    double mean_inside, mean_middle;
    size_t inside_count, middle_count;
} fr_capability_summary;

FR_API fr_capability_summary fr_capability_summarize(const fr_capability_input *input, const float *shares);

// The colour of a share: from red, no direction, to green, all of them.
FR_API fr_color fr_capability_color(float share);

// Draws the eyelets with the lines between them in two colours, and every tip in the colour of its share.
FR_API void fr_capability_draw(const fr_capability_input *input, const float *shares, fr_color eyelet, fr_color frame,
                               const fr_draw *draw);

// ---------------------------------------------------------------------------------------------------------------
// Haptics: the force at a pen, a thousand times a second
//
// The loop that finds contacts is too slow for a hand. It sends what it found: planes that a pen leans on, or how
// a held object is shown beside where the hand has it. Between two of them the tick works with these and the newest
// tip. Planes never pull; a magnet does, up to where it comes off. A load is at most half of `force_max` and comes and
// goes by a fifth of `rise`. The force rises no faster than `rise`, whatever the pose does, and is zero at once when
// anything is wrong.

#define FR_HAPTIC_PLANES 3

// What a hand may lean on: the half space on one side of a plane.
typedef struct fr_haptic_plane {
    uint32_t id;     // the same as long as it is the same face; not 0
    fr_vec3 normal;  // unit within 1e-6
    double offset;   // the plane is normal . x = offset
    int32_t side;    // 1 where the normal points, -1 behind it; 0: where the tip is at first, kept while the id stays
    double distance; // metres, >= 0: force begins this far before the plane; 0: at the surface itself
} fr_haptic_plane;

// A held object that faces constrain: SHOWN is where it may be, RAW where the hand has it. Between two of these SHOWN
// follows the hand along what is left free: in the plane and about the normal of one, along two, not at all in three.
typedef struct fr_haptic_hold {
    fr_pose raw, shown;                  // of the point that is felt, such as the middle of the held face; scale unused
    fr_vec3 normals[FR_HAPTIC_PLANES];   // of the planes that hold it, unit within 1e-6, to where it is pulled off
    double thresholds[FR_HAPTIC_PLANES]; // metres, > 0: how far the hand is pulled away until each lets go
    uint32_t count;                      // up to FR_HAPTIC_PLANES, no two parallel; 0: nothing holds it
} fr_haptic_hold;

typedef struct fr_haptic_def {
    double stiffness; // N/m, >= 0; default 400. Passive up to 2 (b - |damping|) / dt, b the damping of pen and hand
    double damping;   // N s/m, >= 0; default 0.1
    double force_max; // newtons, >= 0; default 4, for strings; 8 for an arm on a desk
    double rise;      // newtons a second, > 0, may be infinite; default 50
    double turn_stiffness;  // N m/rad, >= 0, of a held object; default 0.5
    double turn_damping;    // N m s/rad, >= 0; default 0.001
    double torque_max;      // newton metres, >= 0; default 0.3
    double torque_rise;     // newton metres a second, > 0, may be infinite; default 2
    double blend;           // seconds over which new planes take over, >= 0; default 0.01
    double stale;           // seconds after which what was not sent again counts no more, > 0; default 0.1
    double cutoff;          // hertz, > 0, not infinite, of the filter of velocities; default 30
    double jump;            // metres a tick, > 0: a tip that goes farther jumped; default 0.05
    double late;            // seconds, > 0: a tick later than this is a fault of the clock; default 0.02
    double pulse_force;     // newtons, >= 0, of a pulse; default 1
    double pulse_time;      // seconds of a pulse, >= 0; default 0.06
    double energy_store;    // joules, >= 0: of what the hand put in, this much may come back; default 0.1
    bool is_observed;       // a passivity observer limits force that would add energy; default true
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_haptic_def
} fr_haptic_def;

FR_API fr_haptic_def fr_default_haptic_def(void);

// Why the force is as it is, as flags. Those up to FR_HAPTIC_NOT_FINITE make it zero.
typedef enum fr_haptic_flags {
    FR_HAPTIC_FAULT = 1,       // the input says so
    FR_HAPTIC_RELEASED = 2,    // the dead-man's button is not held
    FR_HAPTIC_SLIPPED = 4,     // a string slipped
    FR_HAPTIC_STALE = 8,       // what was sent is too old
    FR_HAPTIC_CLOCK = 16,      // the time since the last tick is not above 0, or over `late`
    FR_HAPTIC_NOT_FINITE = 32, // tip, turn, planes or hold are not finite, a normal is not unit, or two of a hold are
                               // parallel
    FR_HAPTIC_JUMPED = 64,     // the tip went farther than `jump`, or turned by more than half a radian
    FR_HAPTIC_RISING = 128,    // held back by `rise` or `torque_rise`
    FR_HAPTIC_CLAMPED = 256,   // held back by `force_max` or `torque_max`
    FR_HAPTIC_PASSIVE = 512    // held back by the observer
} fr_haptic_flags;

// What goes on from tick to tick. Opaque; one thread at a time.
typedef struct fr_haptic fr_haptic;

// Creates a state at rest. It allocates once, here. FR_ERROR_ARGUMENT for a definition outside its limits,
// FR_ERROR_MEMORY.
FR_API fr_status fr_haptic_create(const fr_haptic_def *def, fr_haptic **out, fr_error *error);
FR_API void fr_haptic_destroy(fr_haptic *haptic); // NULL is ignored

typedef struct fr_haptic_input {
    double dt;         // seconds since the last tick
    fr_vec3 tip;       // in the room; of a held object the point that is felt, as the hand has it
    bool has_rotation; // the device measures how it is turned; else there is no torque
    fr_quat rotation;  // unit; of a held object as the hand has it
    bool has_planes;   // the planes are new; else the last ones go on
    fr_haptic_plane planes[FR_HAPTIC_PLANES]; //
    uint32_t plane_count;                     // up to FR_HAPTIC_PLANES; 0: nothing is near
    bool has_hold;                            // instead of planes: how a held object is shown is new
    fr_haptic_hold hold;                      //
    fr_vec3 load;                             // newtons, new with planes or hold: the weight of what the hand carries
    bool has_pulse;                           // a point met a point: no direction is known, a pulse shows it
    fr_vec3 pulse_from;                       // the point that was met
    bool is_held;                             // the dead-man's button
    bool is_fault;                            // of device or tracker
    bool is_slipped;                          // fr_strings_watch
} fr_haptic_input;

typedef struct fr_haptic_output {
    fr_vec3 force;    // on the hand, newtons
    fr_vec3 torque;   // on the hand, newton metres
    fr_vec3 proxy;    // the nearest place that all planes allow, or SHOWN; the tip where it is free
    fr_quat rotation; // of SHOWN; the input's where it is free
    double energy;    // joules given to the hand: >= -energy_store; > 0: not passive. Without the load, whose energy
                      // is that of lifting what is carried
    uint32_t flags;   // of fr_haptic_flags
} fr_haptic_output;

// One tick. Allocates nothing, never fails: what is wrong is in the flags, with no force. One thread a state.
FR_API void fr_haptic_tick(fr_haptic *haptic, const fr_haptic_input *input, fr_haptic_output *output);

// ---------------------------------------------------------------------------------------------------------------
// Tracking: where a device that is worn is in the room
//
// A sensor on the device reports its pose now and then, late and with noise; what holds the tip is measured a thousand
// times a second. A point of the device is in the room at T_sensor(now) T_mount p. The sensor's pose is filtered and
// carried on between two samples. What cannot be right is left out and flagged: a caller whose pose is LOST ends
// its force, and everything else moves the pose no faster than the filter.

// The errors of a tracker's field, measured over a room: offsets on a grid, linear between grid points.
typedef struct fr_track_map {
    fr_bounds bounds;       // of the grid; beyond it the offset at the border holds
    uint32_t count[3];      // places along each axis, 2 .. 1024
    const fr_vec3 *offsets; // what is added to a measured position: count[0] count[1] count[2] of them, x fastest
} fr_track_map;

// FR_ERROR_ARGUMENT or FR_ERROR_NOT_FINITE where it is no map.
FR_API fr_status fr_track_map_check(const fr_track_map *map, fr_error *error);

// The offset at a place, of a map that was checked.
FR_API fr_vec3 fr_track_map_offset(const fr_track_map *map, fr_vec3 position);

#define FR_TRACK_CUTOFF_MAX 1e6 // hertz

typedef struct fr_track_def {
    fr_pose mount;          // the device's frame in the sensor's, of scale 1; default: the same frame
    double cutoff;          // hertz, > 0, up to FR_TRACK_CUTOFF_MAX, of the filter of poses; default 8
    double velocity_cutoff; // the same of the filter of velocities; default 2
    double ahead;           // seconds, >= 0, that a sample is carried on by its velocity; default 0.02
    double jump;            // metres, > 0: a sample farther than this from where it should be is left out; default 0.05
    double jump_turn;       // the same in radians; default 0.5
    double lost;            // seconds, > 0, without a sample that counts; default 0.1
    const fr_track_map *map; // of the field, kept by the caller while it is used; NULL, the default: none
    fr_allocator allocator;  // default: the process default
    uint32_t cookie;         // set by fr_default_track_def
} fr_track_def;

FR_API fr_track_def fr_default_track_def(void);

// What was wrong, as flags. With FR_TRACK_LOST the pose is not to be used: no force.
typedef enum fr_track_flags {
    FR_TRACK_LOST = 1,        // no sample that counts for `lost` seconds, or none yet
    FR_TRACK_OLD = 2,         // the newest sample is older than `ahead`: the pose stands
    FR_TRACK_JUMPED = 4,      // a sample went too far and was left out
    FR_TRACK_CLOCK = 8,       // a sample or the call is not after the one before, or a sample is of the future
    FR_TRACK_NOT_FINITE = 16, // a sample is no pose and was left out
    FR_TRACK_STARTED = 32     // the pose begins here, for the first time or after it was lost: it may have jumped
} fr_track_flags;

// What goes on from tick to tick. Opaque; one thread at a time.
typedef struct fr_track fr_track;

// Creates a state that is lost. It allocates once, here. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE for a definition
// outside its limits, FR_ERROR_MEMORY.
FR_API fr_status fr_track_create(const fr_track_def *def, fr_track **out, fr_error *error);
FR_API void fr_track_destroy(fr_track *track); // NULL is ignored

typedef struct fr_track_input {
    double now;         // seconds of the clock that samples are stamped by
    bool has_sample;    // the sensor reported a new pose
    double sample_time; // when it was so, at most now
    fr_pose sample;     // of the sensor in the room; its scale is passed over
} fr_track_input;

typedef struct fr_track_output {
    fr_pose sensor; // in the room, now; the last one known while it is lost
    fr_pose mount;  // the definition's
    uint32_t flags; // of fr_track_flags
} fr_track_output;

// One tick, at any rate. Allocates nothing, never fails. After it was lost three samples that agree start it again. One
// thread a state.
FR_API void fr_track_tick(fr_track *track, const fr_track_input *input, fr_track_output *output);

// Where a point of the device is in the room: T_sensor T_mount p.
FR_API fr_vec3 fr_track_point(const fr_track_output *output, fr_vec3 point_device);

// A pose that a sensor of a tracker has measured, and how well.
typedef struct fr_sensor_pose {
    uint32_t sensor;       // its number, which the tracker gives
    double time;           // seconds, when it was so
    fr_pose pose;          // of the sensor in the room, of scale 1
    double position_error; // metres, >= 0: deviation along each axis
    double rotation_error; // radians, >= 0: about each axis
} fr_sensor_pose;

#define FR_TRACK_MOUNT_POSES 10

typedef struct fr_track_mount_input {
    const fr_pose *sensors; // poses of the sensor while the tip was on one fixed point, the body turned each time
    const fr_vec3 *tips;    // the tips then, in the device's frame
    uint32_t count;         // of both, FR_TRACK_MOUNT_POSES .. 4096
} fr_track_mount_input;

typedef struct fr_track_mount_output {
    fr_pose mount;   // for fr_track_def
    fr_vec3 point;   // the fixed point, in the room
    double residual; // metres: root mean square of what the tips miss it by
    double worst;    // metres: the max that one of them misses it by
} fr_track_mount_output;

// How a sensor is mounted, by least squares. FR_ERROR_ARGUMENT for too few poses, and where they determine too little:
// a body that was not turned about two axes, or a tip that stayed at one place of the device. FR_ERROR_NOT_FINITE.
// Allocates nothing; O(count).
FR_API fr_status fr_track_mount(const fr_track_mount_input *input, fr_track_mount_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Devices: what an adapter fills

// How counts of pulleys become lengths of strings.
typedef struct fr_pulleys {
    double length_zero[FR_STRING_COUNT]; // metres, where the counter is 0
    double radius;                       // metres, > 0
    double per_turn;                     // counts a turn, > 0
} fr_pulleys;

// Sets length_zero by a pen in its dock, a known place in the device's frame, and the counts there; radius and
// per_turn are given. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE.
FR_API fr_status fr_pulleys_dock(const fr_strings *strings, fr_vec3 dock, const int64_t counts[FR_STRING_COUNT],
                                 fr_pulleys *pulleys, fr_error *error);

// length_zero + 2 pi radius count / per_turn of each.
FR_API void fr_pulleys_lengths(const fr_pulleys *pulleys, const int64_t counts[FR_STRING_COUNT],
                               double lengths[FR_STRING_COUNT]);

typedef enum fr_device_kind {
    FR_DEVICE_STRINGS, // counts in, tensions out
    FR_DEVICE_ARM      // a tip and its turn in, force and torque out
} fr_device_kind;

// What a device says of itself, as flags. Any of them is a fault: no force.
typedef enum fr_device_status {
    FR_DEVICE_LOST = 1,  // nothing was heard for too long
    FR_DEVICE_FAULT = 2, // the device's own: a motor, a supply, a stop button
    FR_DEVICE_UNSET = 4  // not calibrated
} fr_device_status;

#define FR_DEVICE_BUTTON_HELD 1u  // the dead-man's button: force only while it is down
#define FR_DEVICE_BUTTON_GRASP 2u // takes and lets go

typedef struct fr_device_reading {
    uint64_t time_ns;                // when it was so, by fr_clock_ns or a clock of the device's that never goes back
    uint32_t status;                 // of fr_device_status
    uint32_t buttons;                // of FR_DEVICE_BUTTON_
    int64_t counts[FR_STRING_COUNT]; // of pulleys: strings
    fr_vec3 tip;                     // metres, in the device's frame: an arm
    fr_quat rotation;                // of the pen, in the device's frame: an arm; all zeros where it is not measured
} fr_device_reading;

typedef struct fr_device_command {
    double tensions[FR_STRING_COUNT]; // newtons: strings
    fr_vec3 force;                    // newtons on the hand, in the device's frame: an arm
    fr_vec3 torque;                   // newton metres: an arm that can
    bool is_safe;                     // nothing may pull or push: motors off, brakes as the device has them
} fr_device_command;

// A device as the loop sees it. Calls come from one thread, and none of them waits.
typedef struct fr_haptic_device {
    fr_device_kind kind;
    fr_strings strings; // of FR_DEVICE_STRINGS
    fr_pulleys pulleys; // of FR_DEVICE_STRINGS
    double force_max;   // newtons the device can do
    // The newest reading. Anything but FR_OK: it is lost.
    fr_status (*read)(fr_device_reading *out, void *user);
    // The command until the next one; the device switches its force off when none comes for 20 ms.
    fr_status (*write)(const fr_device_command *command, void *user);
    // Lets go and closes; may be NULL.
    void (*close)(void *user);
    void *user; // given to all three
} fr_haptic_device;

// What a slower loop that finds contacts sends to the loop of the device.
typedef struct fr_haptic_contact {
    bool has_planes; // as in fr_haptic_input, all of these
    fr_haptic_plane planes[FR_HAPTIC_PLANES];
    uint32_t plane_count;
    bool has_hold;
    fr_haptic_hold hold;
    fr_vec3 load;
    bool has_pulse;
    fr_vec3 pulse_from;
} fr_haptic_contact;

// What the loop of a device publishes for the slower one.
typedef struct fr_haptic_state {
    uint64_t tick;    // from 1; 0 before the first
    fr_vec3 tip;      // in the room
    fr_quat rotation; // of the pen in the room
    uint32_t buttons; // of FR_DEVICE_BUTTON_
    fr_vec3 force, torque;
    fr_vec3 proxy;
    double tensions[FR_STRING_COUNT];
    fr_vec3 delivered;    // what the strings give of the force; an arm's: the force
    uint32_t flags;       // of fr_haptic_flags
    uint32_t track_flags; // of fr_track_flags
    uint32_t status;      // of fr_device_status
    double energy;        // joules, of the observer
} fr_haptic_state;

// What a flag means, as a sentence without a full stop; of several the gravest one's. Never NULL.
FR_API const char *fr_haptic_flags_text(uint32_t flags);
FR_API const char *fr_track_flags_text(uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
