// A walking body as a figure: where the hips are, how the upper body is turned and where the feet stand; and the
// posture of a skeleton that has it.
#ifndef FUREAI_HUMAN_WALK_FIGURE_H
#define FUREAI_HUMAN_WALK_FIGURE_H

#include "fureai/human.h"

#define FR__LEFT 0
#define FR__RIGHT 1

// The turns of a figure: away from upright, in the world's axes, each relative to the one before it in the body; the
// head is relative to the chest.
enum {
    FR__FIGURE_HIP,
    FR__FIGURE_CHEST,
    FR__FIGURE_HEAD,
    FR__FIGURE_UPPER_ARM,                          // left, then right
    FR__FIGURE_FOREARM = FR__FIGURE_UPPER_ARM + 2, // likewise
    FR__FIGURE_PALM = FR__FIGURE_FOREARM + 2,      // likewise
    FR__FIGURE_TURNS = FR__FIGURE_PALM + 2
};

typedef struct fr__walk_leg {
    fr_vec3 ankle;
    double heading; // of the foot
    double pitch;   // of the foot, toes up positive
    double knee;    // heading of the plane in which the knee bends
} fr__walk_leg;

typedef struct fr__walk_figure {
    fr_vec3 middle; // between the hip joints
    fr_quat turns[FR__FIGURE_TURNS];
    fr__walk_leg legs[2];
} fr__walk_figure;

// The measures of a skeleton that walking needs, and how its links at rest differ from a body that stands upright.
typedef struct fr__walk_body {
    double thigh, shin;     // lengths of the bones
    double ankle;           // height of the ankle over the sole
    double half;            // half the distance between the hip joints
    double heel, toe;       // distances of the sole's ends behind and before the ankle
    double leg;             // thigh, shin and ankle
    double toes_up;         // how far a foot may turn up against its shin by its limit; FR_PI: any angle
    double toes_aside;      // likewise aside, to either side
    double tip_in, tip_out; // likewise tipped to the inner edge of its sole, to the outer one
    fr_vec3 root_to_middle; // from the root's origin to the middle of the hip joints, at rest
    uint32_t links[FR_BODY_LINK_COUNT];
    fr_quat straight[FR_BODY_LINK_COUNT]; // turn each link at rest into an upright body's: bones down
} fr__walk_body;

// Reads the measures. FR_ERROR_ARGUMENT, with what is missing, for a skeleton without two legs with soles.
fr_status fr__walk_body_read(const fr_skeleton *skeleton, fr__walk_body *body, fr_error *error);

// Where the ankle of a planted foot is: the heel stays while the toes are up, the toes while the heel is up. The print
// is where the ankle's foot point is when the sole is flat, at the heading that the foot had when it landed.
typedef struct fr__walk_print {
    double x, z, heading;
} fr__walk_print;

fr_vec3 fr__walk_planted(const fr__walk_body *body, const fr__walk_print *print, double heading, double pitch);

// The heights of the lowest sole point over the ground.
double fr__walk_sole(const fr__walk_body *body, const fr__walk_leg *leg);

// How much lower the hips must be so that the leg of that side reaches its ankle with some room, 0 or more.
double fr__walk_need(const fr__walk_body *body, const fr__walk_figure *figure, int side);

// Where the hip joint of that side is.
fr_vec3 fr__walk_hip_joint(const fr__walk_body *body, const fr__walk_figure *figure, int side);

// Where the knee of that side is.
fr_vec3 fr__walk_knee(const fr__walk_body *body, const fr__walk_figure *figure, int side);

// The posture of the figure: hips lowered smoothly where a leg is too short, toes lowered and knees turned smoothly
// where an ankle would turn beyond its limit (the point on which a foot stands stays), legs by two-bone inverse
// kinematics. The figure becomes that of the posture. Links that it does not name keep what they have in `posture`.
// Contacts are left alone.
void fr__walk_pose(const fr_skeleton *skeleton, const fr__walk_body *body, fr__walk_figure *figure,
                   fr_posture *posture);

// Likewise of a figure whose hips were lowered as fr__walk_need says: legs may be straighter.
void fr__walk_pose_planned(const fr_skeleton *skeleton, const fr__walk_body *body, fr__walk_figure *figure,
                           fr_posture *posture);

// The figure of a posture, with heights over its lowest sole point, and the height of that.
void fr__walk_read(const fr_skeleton *skeleton, const fr__walk_body *body, const fr_posture *posture,
                   fr__walk_figure *figure, double *ground);

// The heading of the hips.
double fr__walk_hip_heading(const fr__walk_figure *figure);

// The print of a foot as it would stand if its sole were flat: at its toes when the heel is up, else at its heel.
fr__walk_print fr__walk_print_of(const fr__walk_body *body, const fr__walk_leg *leg);

// Turns about the axes: left (x), up (y), forward (z).
fr_quat fr__turn_x(double angle);
fr_quat fr__turn_y(double angle);
fr_quat fr__turn_z(double angle);

// An angle brought into -pi .. pi.
double fr__wrap(double angle);

// u^3 (10 - 15 u + 6 u^2) of u brought into 0 .. 1.
double fr__ease(double u);

#endif
