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
// How a hand travels

// The part of the travel done at a part of the time, both 0 .. 1: at rest at both ends, least jerk between (the speed
// of reaching people, peak 1.875 times the mean, within 5 % of the mean of what was measured on 94 reaches).
FR_API double fr_reach_progress(double time);

// Seconds that people take to move a hand by so many metres: 0.9 d^0.33, between 0.3 and 1.5 (measured; a weak law).
FR_API double fr_reach_duration(double distance);

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

#ifdef __cplusplus
}
#endif

#endif
