// Measured curves of sitting down and standing up, by the height of the seat.
#ifndef FUREAI_HUMAN_SIT_CURVE_H
#define FUREAI_HUMAN_SIT_CURVE_H

typedef enum fr__sit_motion { FR__SIT_DOWN, FR__STAND_UP, FR__SIT_MOTIONS } fr__sit_motion;

#define FR__SIT_SEATS 2 // a chair, a high stool
#define FR__SIT_SAMPLES 26

typedef enum fr__sit_curve {
    FR__SIT_HIPS_UP,      // of the middle of the hip joints: 0 on the seat, 1 standing
    FR__SIT_HIPS_FORWARD, // of the ankles, in leg lengths
    FR__SIT_LEAN,         // of the trunk, degrees, forward
    FR__SIT_TILT,         // of the pelvis, likewise
    FR__SIT_SHOULDER_FLEXION,
    FR__SIT_SHOULDER_ABDUCTION,
    FR__SIT_ELBOW,
    FR__SIT_CURVES
} fr__sit_curve;

// Seconds from the first lean of the trunk until the hips have arrived.
extern const double fr__sit_seconds[FR__SIT_MOTIONS];

// Height of the middle of the hip joints on each seat, in leg lengths.
extern const double fr__sit_heights[FR__SIT_SEATS];

// Seconds of the whole motion: the trunk goes on for half a second.
double fr__sit_duration(fr__sit_motion motion);

// A curve at a time of the motion, for hips that are this many leg lengths high on the seat.
double fr__sit_curve_at(fr__sit_motion motion, fr__sit_curve curve, double height, double time);

// The same as a part of the change from its first value to its last: 0 at first, 1 in the end.
double fr__sit_part_at(fr__sit_motion motion, fr__sit_curve curve, double height, double time);

#endif
