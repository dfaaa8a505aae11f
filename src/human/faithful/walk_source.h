// How the source makes clips of walks meet and deforms them (Ichiguchi 2000, 5.3.2, appendix A), with its misprints
// mended: Euler angles, and tracks of points on the ground. fr_walk does neither; this is what it is measured against.
#ifndef FUREAI_HUMAN_FAITHFUL_WALK_SOURCE_H
#define FUREAI_HUMAN_FAITHFUL_WALK_SOURCE_H

#include "fureai/human.h"

// Angles of M(yaw, pitch, roll) = Rz(yaw) Ry(pitch) Rx(roll), and the quaternion of them.
typedef struct fr_source_angles {
    double yaw, pitch, roll;
} fr_source_angles;

fr_source_angles fr_source_angles_of(fr_quat q);
fr_quat fr_source_turn_of(fr_source_angles angles);

// (A.4) - (A.7): changes the turns of one joint, `count` (2 or more) of them, so that they begin and end with the
// wanted ones; the exponents are 1 or more.
void fr_source_meet(fr_quat *turns, uint32_t count, fr_quat first, fr_quat last, int first_exponent, int last_exponent);

// A place on the ground, and a heading away from the clip's own.
typedef struct fr_source_spot {
    double x, z, heading;
} fr_source_spot;

// Where the deformed body is in one frame.
typedef struct fr_source_frame {
    fr_vec3 hip;
    fr_vec3 hip_forward;  // unit
    fr_vec3 knees[2];     // left, right
    fr_vec3 tracks[2];    // where the ankles would be by their tracks alone
    fr_vec3 ankles[2];    // where they are: the heel or toe of a foot that stands stays
    fr_quat feet[2];      // turned with the hips
    uint8_t contacts[2];  // left, right, of the clip
    fr_vec3 shin_ends[2]; // where the shins end
} fr_source_frame;

typedef struct fr_source_output {
    double hip_axis_error; // greatest difference of an axis' length from 1 before it is made unit
    double shin_miss;      // greatest height between the end of a shin and its ankle, metres
    double planted_turn;   // greatest turn of a foot within one contact, radians
    double planted_slip;   // greatest travel of the heel or toe that stands from one frame to the next, metres
    double absorbed;       // greatest distance of a foot from its track, metres
    double foot_end;       // greatest distance of the ankle of a foot that steps from where it should end, metres
    fr_source_spot end;    // of the hip
} fr_source_output;

// Deforms a clip of a body of fr_skeleton_create_body (5.3.2, A.3.2) from its own ends to `first` and `last`, rigid
// motions on the ground of its first and its last posture about the origin. `unit_axes` takes unit vectors X, Y as
// printed, which misses the end. `frames` has one element a frame. FR_ERROR_ARGUMENT for a clip that does not travel.
fr_status fr_source_deform(const fr_skeleton *skeleton, const fr_clip *clip, fr_source_spot first, fr_source_spot last,
                           bool unit_axes, fr_source_frame *frames, fr_source_output *output, fr_error *error);

#endif
