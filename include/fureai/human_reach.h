// Fureai human: arms and hands. All angles of an arm that take the palm to a goal (analytic inverse kinematics), the
// reach of a body with lean and step, and how far fingers bend round a thing.
//
// The arm is a ball at the shoulder (t1, t2, t3), a hinge at the elbow (t4) and a ball at the wrist (t5, t6, t7), after
// Tolani and Badler (1996). Frame 0 is fixed to the chest with its origin at the shoulder: x forward, y up, z to the
// right of a person who stands upright. At zero angles the arm lies straight along z, and t4 bends z towards x. In
// frame 0 the wrist is at
//     Rz(t1) Rx(t2) Rz(t3) T(0,0,upper) Ry(t4) T(0,0,lower) Ry(t5) Rx(t6) Rz(t7).
#ifndef FUREAI_HUMAN_REACH_H
#define FUREAI_HUMAN_REACH_H

#include "human.h"
#include "human_figure.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// The arm alone

#define FR_ARM_ANGLES 7u
#define FR_ARM_SOLUTIONS_MAX 25u // four for each of the six angles that may be fixed, and the one that keeps the swivel

// Where the wrist is at these angles, in frame 0 (forward kinematics).
FR_API fr_pose fr_arm_wrist(double upper, double lower, const double angles[FR_ARM_ANGLES]);

// What makes one solution better than another: the smaller change from the previous angles.
typedef enum fr_arm_metric {
    FR_ARM_ROTATIONS, // of the turns of shoulder, elbow and wrist as rotations: the smoother; also tries to keep the
                      // swivel of the elbow
    FR_ARM_ANGLE_SUM  // of the seven angles, each difference wrapped, as in the source
} fr_arm_metric;

typedef struct fr_arm_input {
    double upper, lower; // lengths of upper arm and forearm, over 0
    fr_pose wrist;       // the goal in frame 0; its scale is not used
    double previous[FR_ARM_ANGLES];
    fr_arm_metric metric;
    bool is_swivel_only; // the one solution that keeps the swivel of the elbow, in a tenth of the time; default false
    double swivel;   // of that one solution: by how much the elbow turns about the line from shoulder to wrist, from
                     // where it was, by the right-hand rule; default 0
    uint32_t cookie; // set by fr_default_arm_input
} fr_arm_input;

// An arm of 0.316 and 0.248 m, hanging, to where it hangs.
FR_API fr_arm_input fr_default_arm_input(void);

typedef struct fr_arm_solution {
    double angles[FR_ARM_ANGLES]; // each in -pi .. pi
    double change;                // from the previous angles, by the metric, squared
    uint32_t fixed;               // 1, 2, 3, 5, 6, 7: the angle that was kept; 4: the swivel of the elbow
} fr_arm_solution;

typedef struct fr_arm_output {
    fr_arm_solution solutions[FR_ARM_SOLUTIONS_MAX]; // in the order of `fixed`, some of them equal
    uint32_t count;                                  // 1 or more
    uint32_t best;                                   // the one of the smallest change
    double miss; // metres from the goal to what the arm reaches; 0 where it reaches the goal
} fr_arm_output;

// All angles that bring the wrist to the goal while one of six angles stays as it was. A goal out of reach is replaced
// by the nearest point within reach. Every solution meets that place within 1e-9 m and its turn within 1e-9 rad.
// FR_ERROR_NOT_FINITE for a number that is not finite, FR_ERROR_ARGUMENT for a length that is not over 0. It does not
// allocate. Any thread.
FR_API fr_status fr_arm_solve(const fr_arm_input *input, fr_arm_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The arm of a body

typedef enum fr_side { FR_RIGHT, FR_LEFT } fr_side;

// The seven angles of an arm of a skeleton. FR_ERROR_ARGUMENT where the skeleton has no upper arm, forearm and palm on
// that side (roles), each the parent of the next.
FR_API fr_status fr_reach_angles(const fr_skeleton *skeleton, const fr_posture *posture, fr_side side,
                                 double angles[FR_ARM_ANGLES], fr_error *error);

typedef struct fr_reach_input {
    const fr_skeleton *skeleton;
    const fr_posture *posture; // where the body is, and what the arm does now
    fr_side side;
    fr_pose palm; // the goal of the palm's frame in the world; its scale is not used
    fr_arm_metric metric;
    bool is_swivel_only; // as of fr_arm_input
    double swivel;       // likewise
    double lean_max;     // radians by which the chest may turn on the hip to bring the goal within reach, 0 .. pi / 2;
                         // default 0.6
    uint32_t cookie;     // set by fr_default_reach_input
} fr_reach_input;

FR_API fr_reach_input fr_default_reach_input(void);

typedef struct fr_reach_output {
    fr_quat upper_arm, forearm, palm; // turns of the three links
    fr_quat chest;                // turn of the link that carries the arm: as it was where the arm reaches by itself
    double angles[FR_ARM_ANGLES]; // of the arm
    double lean;                  // radians by which the chest was turned
    double miss;                  // metres that are left from the goal to the wrist; 0: it is reached
    double excess;                // radians beyond the limits of the arm's joints, summed; 0: none
    fr_vec3 step;                 // horizontal displacement of the body that would bring the goal within reach; zero
                                  // where it is
    uint32_t solution_count;      // of the arm
} fr_reach_output;

// The turns of an arm that bring the palm to a goal: of all solutions those within the limits of the skeleton, of those
// the one nearest to the present posture. Where the nearest of all is beyond a limit, the elbow is also swivelled as
// little as brings the arm within, by up to a half turn. Where nothing helps, the solution is the one that exceeds the
// limits least. A goal beyond the arm's length is first met by a lean of the chest, as far as lean_max and the chest's
// limit let it; what is then left is `miss` and `step`. FR_ERROR_ARGUMENT as fr_reach_angles and for another number of
// links; FR_ERROR_NOT_FINITE. It does not allocate. Any thread.
FR_API fr_status fr_reach_solve(const fr_reach_input *input, fr_reach_output *output, fr_error *error);

// Writes the turns of a result into a posture of the same skeleton.
FR_API void fr_reach_apply(const fr_skeleton *skeleton, fr_side side, const fr_reach_output *output,
                           fr_posture *posture);

// ---------------------------------------------------------------------------------------------------------------
// A body that is posed by hand

// What of a body is pulled.
typedef enum fr_pull_part { FR_PULL_HEAD, FR_PULL_RIGHT_PALM, FR_PULL_LEFT_PALM, FR_PULL_PART_COUNT } fr_pull_part;

// Brings a part of a body to a point, as near as the joints let it: a palm with the turn that it has, by
// fr_reach_solve; the head (the joint below it) by a lean of the chest, and then by the hip, with knees that bend while
// the feet stay. FR_ERROR_ARGUMENT for a skeleton without these links or with more than FR_LINK_COUNT,
// FR_ERROR_NOT_FINITE for a point that is not finite or beyond FR_LENGTH_MAX; then the posture is as it was. It does
// not allocate. Any thread.
FR_API fr_status fr_posture_pull(const fr_skeleton *skeleton, fr_pull_part part, fr_vec3 point, fr_posture *posture,
                                 fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// How a hand travels

// The part of the travel done at a part of the time, both 0 .. 1: at rest at both ends, least jerk between (the speed
// of reaching people, peak 1.875 times the mean, within 5 % of the mean of what was measured on 94 reaches).
FR_API double fr_reach_progress(double time);

// Seconds that people take to move a hand by so many metres: 0.9 d^0.33, between 0.3 and 1.5 (measured; a weak law).
FR_API double fr_reach_duration(double distance);

// ---------------------------------------------------------------------------------------------------------------
// A reach that avoids obstacles (motion planning of one arm)

#define FR_REACH_LINKS 4u // what carries the arm (the chest), upper arm, forearm, palm
#define FR_REACH_MAX_KNOTS 8u

// The path of an arm from a posture to a goal: a smooth curve through knots, each of them the turns of four links.
// Plain data that owns nothing; evaluated by fr_reach_plan_apply.
typedef struct fr_reach_plan {
    fr_side side;
    uint32_t links[FR_REACH_LINKS];
    uint32_t knot_count;               // 2 .. FR_REACH_MAX_KNOTS; the first is the start, the last the goal
    double params[FR_REACH_MAX_KNOTS]; // of each knot on the curve, 0 .. 1, rising
    fr_quat middles[FR_REACH_LINKS];   // turns halfway from the start to the goal
    fr_vec3 knots[FR_REACH_MAX_KNOTS][FR_REACH_LINKS]; // rotation vectors of each knot from these
    uint32_t limited;                                  // bit i: turns of links[i] are brought within the link's limit
    bool has_lean;                                     // links[0] turns too
    double seconds;                                    // natural duration
} fr_reach_plan;

// How the search for a plan ended.
typedef enum fr_reach_result {
    FR_REACH_FOUND,
    FR_REACH_TOO_FAR,       // the goal is out of reach, leaning included: `miss`, `step`
    FR_REACH_BEYOND_LIMITS, // the goal is met only beyond the limits of the joints: `excess`
    FR_REACH_GOAL_BLOCKED,  // where the goal is met, the arm touches something: `obstacle`
    FR_REACH_PATH_BLOCKED   // the goal is free, but no path to it was found: `obstacle` of the first path tried
} fr_reach_result;

typedef struct fr_reach_plan_input {
    const fr_skeleton *skeleton;
    const fr_figure *figure;   // of this skeleton: its rigid pieces must stay clear; NULL: nothing is looked at
    const fr_posture *posture; // where the body is, and what arm and fingers do now
    fr_side side;
    const fr_quat *fingers; // turns of the hand's 14 links at the goal, from the thumb's first on; they go over from
                            // the posture's along the path. NULL: the fingers stay as they are
    const fr_pose *goals;   // of the palm's frame in the world, scales not used; the one liked best first
    uint32_t goal_count;    // 1 or more
    bool is_tip;            // places of the goals are of the tip of the index finger, turns still of the palm
    const fr_space *space;  // current; NULL: only the body itself is an obstacle
    const fr_query_filter *filter; // objects that are obstacles; NULL: all. It leaves out the body's own pieces
    fr_vec3 approach; // displacement of a last, straight part to the goal, which is looked at too; the plan ends where
                      // it begins. Default 0: the plan ends at the goal
    fr_object_id touched; // on that part fingers may touch this object, and the tip of the index finger anything;
                          // default all zeros: none
    double clearance;     // metres that the pieces stay away from objects, 0 .. 0.1; default 0.001
    double lean_max;      // as of fr_reach_input
    uint32_t cookie;      // set by fr_default_reach_plan_input
} fr_reach_plan_input;

FR_API fr_reach_plan_input fr_default_reach_plan_input(void);

typedef struct fr_reach_plan_output {
    fr_reach_result result;
    fr_reach_plan plan;  // where it was found
    uint32_t goal;       // which of the goals is met
    uint32_t path_count; // paths that were looked at
    double miss;         // metres left to the first goal
    double excess;       // radians beyond the limits at the first goal
    fr_vec3 step;        // horizontal displacement of the body that would help
    fr_contact obstacle; // b is the object met (part, triangle, face); b all zeros: the body itself
    uint32_t link;       // the link of the body that would meet it; FR_NO_LINK: none
} fr_reach_plan_output;

// Finds how an arm gets from a posture to the first of the goals that it can: straight, then by other swivels of the
// elbow and round by via points, then with the chest turned by up to lean_max. Every piece of the moving links is
// checked along the whole path with fr_collide_move against the faces of the objects at their poses, and against the
// body's own trunk, head and thighs. What a piece touches at the start it may leave, not enter deeper. Joints stay
// within their limits where start and goal are. Const on the space, any thread, many at once; allocates nothing.
// FR_ERROR_ARGUMENT and FR_ERROR_NOT_FINITE as fr_reach_solve and for a figure of another skeleton,
// FR_ERROR_STALE_DATA, FR_ERROR_STALE_ID as fr_collide_move.
FR_API fr_status fr_reach_plan_find(const fr_reach_plan_input *input, fr_reach_plan_output *output, fr_error *error);

// Writes the turns of the plan's links at a part of its time, 0 .. 1, into a posture of the same skeleton: at rest at
// both ends, with the speed of fr_reach_progress along the curve.
FR_API void fr_reach_plan_apply(const fr_skeleton *skeleton, const fr_reach_plan *plan, double time,
                                fr_posture *posture);

// One sentence on why nothing was found, up to `bytes` with its final zero, and what would help. `obstacle` is the name
// of the obstacle; NULL or "": its number.
FR_API void fr_reach_plan_words(const fr_skeleton *skeleton, const fr_reach_plan_output *output, const char *obstacle,
                                char *text, size_t bytes);

// ---------------------------------------------------------------------------------------------------------------
// A reach of a body that moves on

// How a palm goes to a goal and stays there while the body moves past, as it walks. Plain data that owns nothing;
// evaluated by fr_reach_pass_apply.
typedef struct fr_reach_pass {
    fr_side side;
    uint32_t links[FR_REACH_LINKS];
    uint32_t start, meet, end;     // frames of the course: the palm sets out, is at the goal, and leaves it
    uint32_t near;                 // frame from which the palm goes straight; until then the joints go by curves
    fr_pose goal;                  // of the palm, in the world
    fr_vec3 approach;              // from the goal to the palm where it is near
    fr_vec3 chest;                 // rotation vector by which the chest turns besides, in the frame of what carries it
    fr_quat first[FR_REACH_LINKS]; // turns at the start
    fr_vec3 turn[FR_REACH_LINKS];  // from there to those where the palm is near, rotation vectors
    fr_vec3 speeds[2][FR_REACH_LINKS]; // of these at both ends, in the time from the start
    fr_vec3 detour[FR_REACH_LINKS];    // of these, midway
} fr_reach_pass;

typedef struct fr_reach_pass_input {
    const fr_skeleton *skeleton;
    const fr_figure *figure; // of this skeleton: the pieces of the arm must stay clear; NULL: nothing is looked at
    const fr_clip *course;   // how the body moves meanwhile, in the world
    uint32_t start, meet, end;
    fr_side side;
    const fr_quat *fingers;        // as of fr_reach_plan_input
    const fr_pose *goals;          // of the palm's frame in the world; the one liked best first
    uint32_t goal_count;           // 1 or more
    const fr_space *space;         // current; NULL: only the body itself is an obstacle
    const fr_query_filter *filter; // as of fr_reach_plan_input
    double clearance;              // likewise
    uint32_t cookie;               // set by fr_default_reach_pass_input
} fr_reach_pass_input;

FR_API fr_reach_pass_input fr_default_reach_pass_input(void);

// Finds how a palm meets one of the goals in a frame of the course and stays there until another, from the pose and
// the velocity that it has in a third: frame by frame within the limits of the joints, without a leap, clear of
// objects and of the body's own trunk and thighs. The chest turns where the arm alone does not come there. `output` is
// as of fr_reach_plan_find, without a plan. Const on the space, any thread; allocates nothing. FR_ERROR_ARGUMENT for
// frames that the course does not have or that do not rise, else as fr_reach_plan_find.
FR_API fr_status fr_reach_pass_find(const fr_reach_pass_input *input, fr_reach_pass *pass, fr_reach_plan_output *output,
                                    fr_error *error);

// Writes chest and arm of a frame, start .. end, into a posture whose arm is that of the frame before.
FR_API fr_status fr_reach_pass_apply(const fr_skeleton *skeleton, const fr_reach_pass *pass, const fr_clip *course,
                                     uint32_t frame, fr_posture *posture, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The hand round a cylinder (grasp)

// Angles by which the joints of a finger bend so that its phalanges touch a circle, the first joint first; each at most
// 90, 110 and 80 degrees. `lengths` of 2 or 3 phalanges in metres; the radius is that of the thing, over 0, and the
// flesh of the finger, 8 mm, comes on top.
FR_API void fr_grip_bends(double radius, const double *lengths, uint32_t count, double *bends);

// Writes the turns of one hand's 14 finger links that hold a cylinder of that radius: the fingers wrap round it, the
// thumb turns 60 degrees towards them and wraps from the other side. Only turns of finger links change.
// FR_ERROR_ARGUMENT for a skeleton without fingers on that side or a radius that is not over 0 and finite.
FR_API fr_status fr_grip_posture(const fr_skeleton *skeleton, fr_side side, double radius, fr_posture *posture,
                                 fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The hand round anything: each phalanx turns until it touches

typedef enum fr_grip_result {
    FR_GRIP_HELD,    // what is touched lies between faces of the hand that look at one another
    FR_GRIP_NOTHING, // nothing is touched
    FR_GRIP_TOO_BIG, // all that is touched lies on one side: the hand does not get round it
    FR_GRIP_INSIDE   // a piece of the open hand is in something already
} fr_grip_result;

typedef struct fr_grip_input {
    const fr_skeleton *skeleton;
    const fr_figure *figure;   // of this skeleton
    const fr_posture *posture; // of the body; its fingers are opened first
    fr_side side;
    const fr_space *space;         // current
    const fr_query_filter *filter; // what the hand may touch; NULL: all objects. It leaves out the body's own pieces
    double gap;                    // metres that are left between a phalanx and what it touches; default 2e-4
    uint32_t cookie;               // set by fr_default_grip_input
} fr_grip_input;

FR_API fr_grip_input fr_default_grip_input(void);

typedef struct fr_grip_output {
    fr_grip_result result;
    uint32_t touching;   // bit i: phalanx i of the hand touches (thumb 0, 1; index 2 .. 4; ...), bit 14: the palm
    uint32_t link;       // of FR_GRIP_INSIDE: which
    fr_object_id object; // that the first phalanx to stop met; all zeros: none
} fr_grip_output;

#define FR_GRIP_PALM_BIT (1u << 14)

// Closes a hand: joint after joint from the palm to the tips, each turned by fr_collide_move with all phalanges beyond
// it until one of them touches or the joint's limit is met; then the thumb, which also stops before the fingers. Only
// turns of the 14 finger links change in `posture`, which may be the input's; no phalanx enters anything. The result
// is written whatever it is, so that the hand can be seen. Const on the space, any thread; allocates nothing.
// FR_ERROR_ARGUMENT for a skeleton without fingers, a figure of another one, no space or a gap outside 0 .. 0.01;
// FR_ERROR_STALE_DATA and FR_ERROR_STALE_ID as fr_collide_move.
FR_API fr_status fr_grip_close(const fr_grip_input *input, fr_posture *posture, fr_grip_output *output,
                               fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
