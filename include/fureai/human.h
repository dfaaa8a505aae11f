// Fureai human: a body, its postures and its motions (skeletal animation of virtual humans).
//
// A skeleton is a tree of links (bones); a posture has one rotation a link; a clip is a recorded motion. All of it is
// pure: arrays in, arrays out, no file, the same bits on every machine. Right-handed, Y up, metres, seconds, radians.
// A person who stands upright at rest faces +Z, and +X is the person's left.
#ifndef FUREAI_HUMAN_H
#define FUREAI_HUMAN_H

#include "human_links.h"
#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Skeleton: links, parents, offsets, limits, masses, names (rig)

#define FR_MAX_LINKS 256u
#define FR_MAX_LINK_NAME 63u // bytes

// What kind of limit a joint has. Limits speak of the turn away from rest, in the link's axes: with the turn q of a
// posture, conjugate(rest) q.
typedef enum fr_limit_kind {
    FR_LIMIT_NONE,  // every turn
    FR_LIMIT_HINGE, // a turn about axes[0] alone, by min[0] .. max[0]
    FR_LIMIT_AXES,  // turns about axes[0], axes[1] and axes[2], the first outermost, each by its min .. max
    FR_LIMIT_SWING  // axes[0] is the bone, axes[1] the lateral and axes[2] the forward direction: the bone leaves rest
                    // by the elevation at most, and turns about itself by min[0] .. max[0] (cone and twist)
} fr_limit_kind;

typedef struct fr_limit {
    fr_limit_kind kind;
    fr_vec3 axes[3];      // unit, perpendicular to one another; a hinge has the first alone
    double min[3];        // radians, -pi .. max
    double max[3];        // radians, min .. pi
    double elevations[4]; // of a swing: greatest angles of the bone from rest where it goes sideways, forward, across
                          // and back, 0 .. pi; between them by the cosine
} fr_limit;

// A point that is fixed to a link.
typedef struct fr_link_point {
    uint32_t link;  // FR_NO_LINK: the skeleton has no such point
    fr_vec3 offset; // in the link's frame
} fr_link_point;

// The links of a body with all that is known of them. Immutable and reference-counted; any thread may read it.
typedef struct fr_skeleton fr_skeleton;

typedef struct fr_skeleton_def {
    uint32_t link_count;      // 1 .. FR_MAX_LINKS
    const uint32_t *parents;  // of each link: FR_NO_LINK of link 0, the root, and a lower index of every other
    const char *const *names; // of each link, unique, 1 .. FR_MAX_LINK_NAME bytes of UTF-8, copied
    const fr_vec3 *offsets;   // of each link's origin in its parent's frame; the root's: its place at rest
    const fr_quat *rests;     // of each link in its parent's frame at rest, the root in the world; NULL: identities
    const fr_vec3 *tips;      // where each link ends, in its own frame (End Site of BVH); NULL: at its origin
    const fr_limit *limits;   // of each link's turn; NULL: none
    const double *masses;     // of each link, kilograms, 0 or more; NULL: 0
    const uint32_t *partners; // of each link: the one on the other side of the body, itself in the middle, FR_NO_LINK
                              // where mirroring leaves it alone. The partner of a parent is the parent of the
                              // partner. NULL: by the roles, else by names such as LeftArm, l_hip, Hand.L
    const uint32_t *roles;    // FR_LINK_COUNT of them: the link that has the role of that fr_link, or FR_NO_LINK;
                              // NULL: no link has a role
    const fr_link_point *points; // FR_POINT_COUNT of them; NULL: none
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_skeleton_def
} fr_skeleton_def;

FR_API fr_skeleton_def fr_default_skeleton_def(void);

// Makes a skeleton with one reference; all arrays are copied, rotations and axes made unit. Fails with the first defect
// named in the message: FR_ERROR_LIMIT for too many links or too long a name, FR_ERROR_NOT_FINITE for a number that is
// not finite or over FR_LENGTH_MAX, FR_ERROR_ARGUMENT for a parent that does not come before its link, a name twice, a
// rotation that fr_quat_normalize refuses, a limit that contradicts itself, a negative mass, a link with two roles, or
// partners that do not fit (which link); FR_ERROR_MEMORY.
FR_API fr_status fr_skeleton_create(const fr_skeleton_def *def, fr_skeleton **out, fr_error *error);

// One more, one fewer reference; the last one destroys. Any thread. NULL is ignored by release.
FR_API fr_skeleton *fr_skeleton_retain(const fr_skeleton *skeleton);
FR_API void fr_skeleton_release(const fr_skeleton *skeleton);

// What a skeleton holds, to read while it lives. Arrays have one element a link.
typedef struct fr_skeleton_view {
    uint32_t link_count;
    const uint32_t *parents; // FR_NO_LINK of the root
    const char *const *names;
    const fr_vec3 *offsets;
    const fr_quat *rests;    // in the parent's frame
    const fr_quat *uprights; // at rest in the world: products of the rests
    const fr_vec3 *tips;
    const fr_limit *limits;
    const double *masses;
    double mass;                 // of all links
    const uint32_t *partners;    // of each link; itself in the middle, FR_NO_LINK: it is not mirrored
    const uint32_t *roles;       // FR_LINK_COUNT: the link of each role, or FR_NO_LINK
    const fr_link_point *points; // FR_POINT_COUNT
} fr_skeleton_view;

FR_API const fr_skeleton_view *fr_skeleton_get(const fr_skeleton *skeleton);

// The link of that name, which need not end in a zero; FR_NO_LINK for none. O(links).
FR_API uint32_t fr_skeleton_find(const fr_skeleton *skeleton, const char *name, size_t bytes);

// By how many radians a turn of a link exceeds its limit; 0 within it. Of a swing: how far the bone is from the nearest
// direction within, or by how much the link is twisted there. `turn` is unit.
FR_API double fr_skeleton_excess(const fr_skeleton *skeleton, uint32_t link, fr_quat turn);

// A turn of a link within its limit (to 1e-9 radians; 1e-5 where the second of three axes is turned by a quarter), the
// given one bit for bit where that already is: each angle of the limit is brought into its range by itself, the bone of
// a swing to the nearest direction within.
FR_API fr_quat fr_skeleton_clamp(const fr_skeleton *skeleton, uint32_t link, fr_quat turn);

// ---------------------------------------------------------------------------------------------------------------
// The body of 43 links (Ichiguchi 2000, 4.3): hip, chest, head, arms, legs and the fingers' 28 phalanges

// A body's measures. Each is a fraction of the stature; 0: as people of that stature have it on average.
typedef struct fr_body_def {
    double stature;        // metres, 1.0 .. 2.0; default 1.70
    double mass;           // kilograms, 1 .. 500; 0: by the body mass index (WHO medians: 15.4 at 1.0 m, 22 from 1.7 m)
    double head;           // height of the head over its joint, 0.10 .. 0.25; 0: 0.135 of an adult, 0.183 at 1.0 m
                           // (Stratz 1909: a small child has 5 1/2 heads, an adult 7 1/2)
    double leg;            // height of the hip joints, 0.35 .. 0.60; 0: 0.530 of an adult, 0.486 at 1.0 m (sitting
                           // height over stature: Fredriks et al. 2005)
    double arm;            // upper arm and forearm, 0.20 .. 0.50; 0: 0.332
    double shoulder_width; // between the shoulder joints, 0.10 .. 0.40; 0: 0.224
    double hip_width;      // between the hip joints, 0.05 .. 0.25; 0: 0.106
    double foot;           // heel to toe, 0.08 .. 0.25; 0: 0.141
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_body_def
} fr_body_def;

FR_API fr_body_def fr_default_body_def(void);

// Makes the skeleton of a body: links in the order of fr_link, masses by the fractions of human-motion studies (head
// 8.1 % .. foot 1.45 %), limits of a healthy adult, every role and point. At rest it stands upright on the plane y = 0,
// arms hanging, palms to the thighs, facing +Z, the hip above the origin. Link frames are those of the thesis: bones
// along -x (feet +x), y across the body. FR_ERROR_ARGUMENT for a measure out of its range, FR_ERROR_MEMORY.
FR_API fr_status fr_skeleton_create_body(const fr_body_def *def, fr_skeleton **out, fr_error *error);

// The names that others give the links of a body: H-Anim's joint, and the joint in BVH files of the CMU collection ("":
// none). `link` is below FR_LINK_COUNT.
FR_API const char *fr_link_h_anim_name(fr_link link);
FR_API const char *fr_link_bvh_name(fr_link link);

// ---------------------------------------------------------------------------------------------------------------
// Posture: where the root is, and one rotation a link (pose of a skeleton)

#define FR_CONTACT_HEEL 1u
#define FR_CONTACT_TOE 2u

// The memory of the turns is the caller's; a copy of the struct shares it. turns[0] is the root in the world, every
// other the link in its parent's frame: the rest of the skeleton is a posture too.
typedef struct fr_posture {
    fr_vec3 place;         // of the root's origin in the world
    fr_quat *turns;        // `count` unit quaternions
    uint32_t count;        // links of the skeleton
    uint8_t contact_left;  // FR_CONTACT_ bits of the left foot: what stands on the ground
    uint8_t contact_right; // likewise
} fr_posture;

// The posture at rest, written into turns[0 .. posture->count); FR_ERROR_ARGUMENT for another number of links.
FR_API fr_status fr_posture_rest(const fr_skeleton *skeleton, fr_posture *posture, fr_error *error);

// Copies all of `from` into `to`, whose memory stays its own. FR_ERROR_ARGUMENT for another number of links.
FR_API fr_status fr_posture_copy(const fr_posture *from, fr_posture *to, fr_error *error);

// Checks a posture that came from outside and makes its turns unit. FR_ERROR_ARGUMENT for another number of links than
// the skeleton's or a turn that fr_quat_normalize refuses (which link), FR_ERROR_NOT_FINITE for numbers that are not
// finite or a place over FR_LENGTH_MAX; then nothing has changed. All calls below trust in it: what they are given
// unchecked makes their numbers wrong and nothing else.
FR_API fr_status fr_posture_check(const fr_skeleton *skeleton, fr_posture *posture, fr_error *error);

// Where all links of `count` postures are (forward kinematics): link_count poses in the world a posture, one posture
// after another, scale 1. The product of the turns from the root on, Ichiguchi (4.9), (4.10). Several bodies are
// computed side by side; the same bits for any count and every instruction set. Any thread, no memory.
// FR_ERROR_ARGUMENT for a posture of another number of links (which); then nothing is written.
FR_API fr_status fr_posture_poses(const fr_skeleton *skeleton, const fr_posture *postures, size_t count, fr_pose *poses,
                                  fr_error *error);

// The posture of the body's mirror image, in the plane x = 0 (Ichiguchi 5.3.4): turns of partners change places, turns
// across the body stay, all others change their sign; contacts change places. Twice gives the same bits again for the
// body of 43 links, and for any other whose frames at rest are mirror images up to quarter turns. A link without a
// partner keeps its turn. `to` may be `from`. FR_ERROR_ARGUMENT for another number of links.
FR_API fr_status fr_posture_mirror(const fr_skeleton *skeleton, const fr_posture *from, fr_posture *to,
                                   fr_error *error);

// The posture a fraction t, 0 .. 1, of the path from one to another: every turn at constant speed by the shorter arc
// (slerp), the place along a line, contacts of the nearer one. At 0 and 1 it is `from` and `to`, turns up to their
// sign. `out` may be one of them. The same bits for every instruction set. FR_ERROR_ARGUMENT for postures of different
// numbers of links or t outside 0 .. 1.
FR_API fr_status fr_posture_slerp(const fr_posture *from, const fr_posture *to, double t, fr_posture *out,
                                  fr_error *error);

// One of several motions that are fused: its posture in a frame, and how important each of its turns is.
typedef struct fr_weighted_posture {
    fr_posture posture;
    const double *weights; // posture.count + 1: of each link, and last of the place. 0: this motion does not care, 1:
                           // normal, 100: it must be so. Below FR_MIN_WEIGHT and not a number count as 0, above
                           // FR_MAX_WEIGHT as it
} fr_weighted_posture;

#define FR_MIN_WEIGHT 1e-12
#define FR_MAX_WEIGHT 1e12

// The mean of postures, turn by turn, with weights (motion fusion, blending; Ichiguchi 4.11): the sum of the turns,
// each of the sign that is nearer to the one of the largest weight (the first of equal ones), made unit. A turn and a
// place that no motion cares for stay those of `previous`; where one motion alone cares, its own is taken bit for bit.
// Contacts are those of the motion with the largest weight of the root's turn. `out` may be `previous` or a posture of
// a motion. Any thread, no memory, the same bits for every instruction set. FR_ERROR_ARGUMENT for different numbers of
// links (which motion); then nothing is written.
FR_API fr_status fr_posture_mean(const fr_weighted_posture *motions, size_t count, const fr_posture *previous,
                                 fr_posture *out, fr_error *error);

// The turn of a link in its parent's frame from its turn away from upright in the world's axes, relative to its
// parent's (the root's: of itself), as tables of gait have it; and back. Both of the identity is rest. `link` is below
// the skeleton's link count.
FR_API fr_quat fr_skeleton_turn_from_upright(const fr_skeleton *skeleton, uint32_t link, fr_quat away);
FR_API fr_quat fr_skeleton_turn_to_upright(const fr_skeleton *skeleton, uint32_t link, fr_quat turn);

// ---------------------------------------------------------------------------------------------------------------
// Clip: a recorded motion

#define FR_MAX_CLIP_FRAMES 1000000u
#define FR_MAX_CLIP_NAME 63u // bytes
#define FR_MAX_WEIGHT_KEYS 256u

// What a clip is for (Ichiguchi A.1).
typedef enum fr_clip_class {
    FR_CLIP_MOCAP,      // played as it is
    FR_CLIP_ONE_STEP,   // a walk of one step
    FR_CLIP_TWO_STEPS,  // a walk of two
    FR_CLIP_START,      // the beginning of a longer walk
    FR_CLIP_STRAIGHT,   // one step of its middle
    FR_CLIP_END,        // its end
    FR_CLIP_POSE,       // postures to go to
    FR_CLIP_WRIST_PATH, // of one link: poses of the wrist in the frame of an object
    FR_CLIP_CLASS_COUNT
} fr_clip_class;

typedef enum fr_stride { FR_STRIDE_NONE, FR_STRIDE_NORMAL, FR_STRIDE_SMALL } fr_stride;
typedef enum fr_foot { FR_FOOT_NONE, FR_FOOT_LEFT, FR_FOOT_RIGHT } fr_foot;

// Frames of a motion at equal intervals. Immutable and reference-counted; any thread may read it.
typedef struct fr_clip fr_clip;

typedef struct fr_clip_def {
    const char *name;           // up to FR_MAX_CLIP_NAME bytes, copied; default ""
    fr_clip_class clip_class;   // default FR_CLIP_MOCAP
    double direction;           // of walking, from the first facing, radians, left positive; default 0
    double facing;              // the last one, from the direction of walking; default 0
    fr_stride stride;           // default FR_STRIDE_NONE
    fr_foot last_foot;          // the foot that is joined last; default FR_FOOT_NONE
    double frame_rate;          // frames a second, above 0, up to 100,000; default 60
    double length;              // of the root's horizontal travel, metres, 0 or more; default 0
    uint32_t frame_count;       // 1 .. FR_MAX_CLIP_FRAMES
    uint32_t link_count;        // 1 .. FR_MAX_LINKS; links of the skeleton beyond these have the identity
    const fr_vec3 *places;      // of the root, one a frame
    const fr_quat *turns;       // link_count a frame
    const uint8_t *contacts;    // 2 a frame, left and right, FR_CONTACT_ bits; NULL: none
    uint32_t weight_key_count;  // 0 .. FR_MAX_WEIGHT_KEYS; 0: every weight is 1
    const double *weight_times; // of each key, 0 .. 1 of the clip's time, rising
    const float *weights;       // link_count + 1 a key, 0 or more: of each link, then of the root's place
    fr_allocator allocator;     // default: the process default
    uint32_t cookie;            // set by fr_default_clip_def
} fr_clip_def;

FR_API fr_clip_def fr_default_clip_def(void);

// Makes a clip with one reference; all arrays are copied, turns as four floats and places as floats from the first one
// on: a turn is right within 1.5e-7 radians, a place within 2^-23 of its distance from the first. Fails with the first
// defect named in the message: FR_ERROR_LIMIT, FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT (which frame), FR_ERROR_MEMORY.
FR_API fr_status fr_clip_create(const fr_clip_def *def, fr_clip **out, fr_error *error);

// One more, one fewer reference; the last one destroys. Any thread. NULL is ignored by release.
FR_API fr_clip *fr_clip_retain(const fr_clip *clip);
FR_API void fr_clip_release(const fr_clip *clip);

// What a clip holds, to read while it lives.
typedef struct fr_clip_view {
    const char *name;
    fr_clip_class clip_class;
    double direction, facing;
    fr_stride stride;
    fr_foot last_foot;
    double frame_rate;
    double length;
    double duration; // seconds from the first frame to the last
    uint32_t frame_count;
    uint32_t link_count;
    uint32_t weight_key_count;
    const double *weight_times;
    const float *weights; // link_count + 1 a key
    size_t bytes;         // memory of the clip
} fr_clip_view;

FR_API const fr_clip_view *fr_clip_get(const fr_clip *clip);

// The posture of a frame, below the frame count; or at a time, brought into 0 .. duration (not finite: 0), between two
// frames by slerp and a straight line, contacts of the earlier frame. The posture has at least the clip's links: those
// beyond get the identity. Turns are unit. Any thread, no memory. FR_ERROR_ARGUMENT for fewer links or no such frame.
FR_API fr_status fr_clip_frame(const fr_clip *clip, uint32_t frame, fr_posture *posture, fr_error *error);
FR_API fr_status fr_clip_sample(const fr_clip *clip, double seconds, fr_posture *posture, fr_error *error);

// The importance of each link, and last of the root's place, at a fraction of the clip's time, brought into 0 .. 1:
// straight between keys. Writes `count` weights, those of links beyond the clip's 0, the last one the place's.
FR_API fr_status fr_clip_weights(const fr_clip *clip, double fraction, double *weights, uint32_t count,
                                 fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
