// Measured curves of human walking by speed and leg length, as Fourier sums over the stride.
//
// The right stride begins at phase 0 with the landing of the right heel. Curves of the middle of the body take the
// phase of the right stride; curves of a limb take the phase of the stride of their own side. Axes and signs: Y up,
// facing +Z, +X left; every link is the identity when the body stands upright.
#ifndef FUREAI_HUMAN_GAIT_H
#define FUREAI_HUMAN_GAIT_H

#include "fureai/math.h"

#define FR__GAIT_ORDERS 6
#define FR__GRAVITY 9.81

// The curves of the table. Turns are in degrees, lengths in leg lengths.
typedef enum fr__gait_curve {
    FR__PELVIS_UP,
    FR__PELVIS_LEFT,
    FR__PELVIS_FORWARD,
    FR__PELVIS_TURN,
    FR__PELVIS_TILT,
    FR__PELVIS_ROLL,
    FR__CHEST_TURN,
    FR__CHEST_TILT,
    FR__CHEST_ROLL,
    FR__HEAD_TURN,
    FR__HEAD_TILT,
    FR__HEAD_ROLL,
    FR__HIP_FLEXION,
    FR__HIP_ABDUCTION,
    FR__HIP_TWIST,
    FR__KNEE_FLEXION,
    FR__ANKLE_FLEXION,
    FR__FOOT_PITCH,
    FR__FOOT_OUT,
    FR__SHOULDER_FLEXION,
    FR__SHOULDER_ABDUCTION,
    FR__SHOULDER_TWIST,
    FR__ELBOW_FLEXION,
    FR__FOREARM_TWIST,
    FR__WRIST_DEVIATION,
    FR__WRIST_FLEXION,
    FR__ANKLE_FORWARD,
    FR__ANKLE_OUT,
    FR__ANKLE_UP,
    FR__GAIT_CURVES
} fr__gait_curve;

// One order k of a curve: a cos(2 pi k phase) + b sin(2 pi k phase) at the relative speed 0.4.
typedef struct fr__gait_term {
    double a, b;                 // means
    double a_slope, b_slope;     // by relative speed
    double a_sd, b_sd;           // deviation over all strides
    double a_within, b_within;   // deviation between strides of one person at one speed
    double a_between, b_between; // deviation between people
} fr__gait_term;

extern const fr__gait_term fr__gait_terms[FR__GAIT_CURVES][FR__GAIT_ORDERS];

// Cosines and sines of the multiples of a phase.
typedef struct fr__gait_wave {
    double cosines[FR__GAIT_ORDERS], sines[FR__GAIT_ORDERS];
} fr__gait_wave;

fr__gait_wave fr__gait_wave_at(double phase);

// Walking of one leg length at one speed.
typedef struct fr__gait {
    double leg;    // metres: thigh, shin and height of the ankle
    double speed;  // relative: metres a second over sqrt(gravity leg)
    double stride; // metres from a landing to the next of the same foot
    double period; // seconds of a stride
    double stance; // fraction of the stride in which a foot is on the ground
    double delay;  // phase of the table at which the foot lands, which is phase 0 here
    double terms[FR__GAIT_CURVES][FR__GAIT_ORDERS][2];
} fr__gait;

// The range of relative speeds that was measured.
#define FR__GAIT_SPEED_MIN 0.17
#define FR__GAIT_SPEED_MAX 0.68

// A stiff foot lands that late: the measured heel still moves at half the walking speed as it touches the ground.
#define FR__GAIT_DELAY 0.03

// The gait of a leg length at a speed in metres a second, which is brought into the range that was measured. The phases
// of all curves begin `delay` after those of the table.
void fr__gait_init(fr__gait *gait, double leg, double speed, double delay);

double fr__gait_value(const fr__gait *gait, fr__gait_curve curve, const fr__gait_wave *wave);

// A curve at a phase, for a single value.
double fr__gait_at(const fr__gait *gait, fr__gait_curve curve, double phase);

// base^exponent for a base in 2^-20 .. 2^20, the same bits everywhere.
double fr__gait_power(double base, double exponent);

#endif
