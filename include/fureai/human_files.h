// Fureai human: motions as bytes. BVH files (motion capture, any skeleton) read and written, and motions of one
// skeleton carried over to another (retargeting).
//
// Everything works on memory; whoever has a file reads it first. Text is bounded in time and memory by its size.
#ifndef FUREAI_HUMAN_FILES_H
#define FUREAI_HUMAN_FILES_H

#include "human.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// BVH

typedef struct fr_bvh_input {
    const char *text;
    size_t size; // bytes
    double unit; // metres a unit of the file; 0, the default: guessed from the size of the skeleton, so that it
                 // stands between 0.5 and 2.5 m high
    fr_allocator allocator;    // of the results; default: the process default
    const fr_control *control; // looked at while frames are read; may be NULL
    uint32_t cookie;           // set by fr_default_bvh_input
} fr_bvh_input;

FR_API fr_bvh_input fr_default_bvh_input(void);

// What a file said of itself.
typedef struct fr_bvh_facts {
    uint32_t joint_count;     // without end sites
    uint32_t channel_count;   // numbers a frame
    uint32_t declared_frames; // by the line "Frames:"; the clip has those that are there
    double frame_time;        // seconds
    double unit;              // metres a unit, as used
    double height;            // metres from the lowest to the highest joint of the skeleton at rest
    double lost_travel;       // metres by which a joint that is not the root leaves its place: a clip holds turns alone
} fr_bvh_facts;

// Reads a file: its skeleton, with the joints in the order of the file, all rests the identity and roles by their names
// (CMU, Mixamo, Poser, H-Anim), and its motion as one clip of class FR_CLIP_MOCAP. Channels may come in any order and
// number; turns multiply in the order in which they are listed. `facts` may be NULL.
// FR_ERROR_SYNTAX with line and column for what is no BVH, a number that is missing or not finite, a name twice, a
// frame that ends early, no frame at all; FR_ERROR_LIMIT for more than FR_MAX_LINKS joints or FR_MAX_CLIP_FRAMES
// frames; FR_ERROR_STOPPED by the control; FR_ERROR_MEMORY.
FR_API fr_status fr_bvh_read(const fr_bvh_input *input, fr_skeleton **skeleton, fr_clip **clip, fr_bvh_facts *facts,
                             fr_error *error);

// Takes bytes of a file that is being written; false stops the writing.
typedef bool fr_bytes_fn(const char *bytes, size_t size, void *context);

// Writes a clip of a skeleton as BVH: metres times `scale`, one joint a link with Z, Y and X rotations in degrees (the
// rests become turns of the frames), end sites from the tips. Read back it gives the same places and turns within 1e-4
// degrees. FR_ERROR_ARGUMENT for a clip of more links than the skeleton, a name that holds a line break or a brace, or
// a scale that is not over 0; FR_ERROR_FILE where `write` returned false.
FR_API fr_status fr_bvh_write(const fr_skeleton *skeleton, const fr_clip *clip, double scale, fr_bytes_fn *write,
                              void *context, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Clip files (.ahmc): a header of lines "key value", then the frames as text or as floats

typedef struct fr_ahmc_input {
    const char *text;
    size_t size;            // bytes
    fr_allocator allocator; // of the clip; default: the process default
    uint32_t cookie;        // set by fr_default_ahmc_input
} fr_ahmc_input;

FR_API fr_ahmc_input fr_default_ahmc_input(void);

// Reads a clip. FR_ERROR_SYNTAX with line and column for what is no clip file, an unknown or doubled key, a number that
// is missing or not finite, frames that end early or go on; FR_ERROR_VERSION for another version; FR_ERROR_LIMIT,
// FR_ERROR_ARGUMENT and FR_ERROR_NOT_FINITE as of fr_clip_create; FR_ERROR_MEMORY.
FR_API fr_status fr_ahmc_read(const fr_ahmc_input *input, fr_clip **clip, fr_error *error);

// Writes a clip, with frames as text or, `is_binary`, as little-endian floats. It reads back within the rounding to
// floats. A name with a line break is refused by FR_ERROR_ARGUMENT; FR_ERROR_FILE where `write` returned false.
FR_API fr_status fr_ahmc_write(const fr_clip *clip, bool is_binary, fr_bytes_fn *write, void *context, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Sensors on a body (magnetic motion capture): one orientation a body link, mounted anyhow

// The turns of a body's first 15 links from the orientations of 15 sensors in the world, now and while the person stood
// upright, in the order of fr_link (Ichiguchi 5.1, 5.2). Other links and the place stay. FR_ERROR_ARGUMENT for a
// skeleton without the 15 roles, the hip its root, or a posture of another number of links.
FR_API fr_status fr_sensors_correct(const fr_skeleton *skeleton, const fr_quat upright[FR_BODY_LINK_COUNT],
                                    const fr_quat now[FR_BODY_LINK_COUNT], fr_posture *posture, fr_error *error);

typedef struct fr_sensors_input {
    const char *text; // lines "time,sensor,yaw,pitch,roll": seconds, name of a link or its number 0 .. 14, degrees
    size_t size;      // bytes
    const fr_skeleton *skeleton; // a body, or any skeleton whose root is its hip and that has the 15 roles and soles
    double upright;              // seconds at which the person stands upright; default 0: the first time
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_sensors_input
} fr_sensors_input;

FR_API fr_sensors_input fr_default_sensors_input(void);

// Reads a table of sensors as a clip. Angles are those of the capture's own frame, z up, x forward: first yaw about z,
// then pitch about y, then roll about x. Times are equal intervals, each with the 15 sensors in any order; a first line
// of names is passed over. The hip's place follows from the foot that stands, on a flat ground (Ichiguchi 5.3, with the
// height of the ground kept). FR_ERROR_SYNTAX with line and column for a number that is missing, an unknown sensor, a
// sensor twice or missing at a time, times that do not rise by equal steps; FR_ERROR_ARGUMENT, FR_ERROR_LIMIT,
// FR_ERROR_MEMORY.
FR_API fr_status fr_sensors_read(const fr_sensors_input *input, fr_clip **clip, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// A motion of one skeleton for another (retargeting)

// The posture in which both skeletons are alike: the person stands upright, arms hanging, level or between.
typedef enum fr_reference {
    FR_REFERENCE_GUESS, // the first frame where it is a T-pose, else the rest
    FR_REFERENCE_REST,  // the rest of the skeleton
    FR_REFERENCE_FIRST  // the first frame of the clip
} fr_reference;

typedef struct fr_retarget_input {
    const fr_skeleton *from; // with roles: at least the hip and both thighs, shins and feet
    const fr_clip *clip;     // of that skeleton
    const fr_skeleton *to;   // a body, or any skeleton with the same roles
    fr_reference reference;
    double frame_rate;      // of the result, up to 1,000; 0, the default: the clip's
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_retarget_input
} fr_retarget_input;

FR_API fr_retarget_input fr_default_retarget_input(void);

// Makes the clip that moves `to` as `clip` moves `from`. Every link of the body goes in the direction of its partner in
// the world (within 1e-4 degrees); a forearm bends about the axis about which it bends in the clip. The middle of the
// hips travels by the ratio of the legs' lengths, and the feet come down to y = 0. A first frame that was found to be a
// T-pose is left out. Links without a partner stay at
// rest. FR_ERROR_ARGUMENT for a skeleton without the roles (which) or a rate out of range; FR_ERROR_MEMORY.
FR_API fr_status fr_retarget(const fr_retarget_input *input, fr_clip **out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Feet on the ground

// How well the feet of a clip stand, and how smooth it is.
typedef struct fr_clip_facts {
    uint32_t contact_count; // phases in which a heel or a toe stands
    double slide_max;       // metres that a heel or toe moves on the ground within a phase, the largest
    double slide_mean;      // over all phases
    double below;           // metres by which a sole goes below y = 0, the largest
    double speed_jump;      // radians a second: the largest change of a joint's velocity from one frame to the next
    double travel;          // metres of the hip along the ground
} fr_clip_facts;

// Measures a clip of a skeleton with feet by the contacts that it carries. FR_ERROR_ARGUMENT where the skeleton has no
// feet or fewer links than the clip.
FR_API fr_status fr_clip_measure(const fr_skeleton *skeleton, const fr_clip *clip, fr_clip_facts *facts,
                                 fr_error *error);

typedef struct fr_clean_input {
    const fr_skeleton *skeleton; // with legs and soles
    const fr_clip *clip;
    bool is_contact_only;   // finds the contacts and moves nothing; default false
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_clean_input
} fr_clean_input;

FR_API fr_clean_input fr_default_clean_input(void);

// Finds where heels and toes stand (below 30 mm and slower than 0.15 m a second for three frames or more), and makes
// the clip in which they neither slide nor sink: a phase has one place of its foot on the ground, the error is taken
// back while the foot swings, and the legs follow by two-bone inverse kinematics; the hip is lowered where a leg is too
// short. FR_ERROR_ARGUMENT as fr_clip_measure; FR_ERROR_MEMORY.
FR_API fr_status fr_clip_clean(const fr_clean_input *input, fr_clip **out, fr_error *error);

// Draws a clip in the plane z = 0: twelve postures from the front and from the side, then the ground from above with
// the paths of hip and palms and the soles that stand, then the speeds of the joints over time; right red, left blue.
// FR_ERROR_ARGUMENT for a clip of more links than the skeleton, or a skeleton of more than 128.
FR_API fr_status fr_clip_draw(const fr_skeleton *skeleton, const fr_clip *clip, const fr_draw *draw, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
