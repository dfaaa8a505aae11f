// A simulated person who places an object by hand: reaches, looks, corrects, and lets go.
//
// The hand is a model with noise: Fitts's reach, corrections by what is seen, tremor, the tracker. What it meets is
// real: faces by `collide`, the aid by `hand`, on a space, frame by frame. Its times were fitted to the time gains
// that Kitamura prints (table 6.2), so these are no evidence: every report of it says OPERATOR_NOTE.
#ifndef FUREAI_EXPERIMENTS_OPERATOR_H
#define FUREAI_EXPERIMENTS_OPERATOR_H

#include "fureai/collide.h"
#include "fureai/hand.h"

#define OPERATOR_NOTE "fitted to the source's time gains"

// Traits of a person and of what is worn; metres, radians, seconds; standard deviations are for each axis.
typedef struct operator_def {
    fr_aid_mode mode;                 // what the person is given; default FR_AID_MODE_AID
    double factor;                    // of the subject: noise times this, criteria times 0.8 + 0.2 of it; default 1
    double reach, reach_growth;       // T = reach + reach_growth log2(2 D / 20 mm); 1.2, 0.15
    double spread, spread_angle;      // of the end of a reach, in parts of D; 0.04, 4 degrees
    double see, see_angle, see_share; // perception, and of the error itself; 1 mm, 0.9 degrees, 0.1
    double see_depth;                 // perception is worse in depth (z) by this; 1.5
    double accept, accept_angle;      // good enough; 2.8 mm, 2.8 degrees
    double motor, motor_angle, motor_share; // of a movement, and in parts of it; 0.9 mm, 0.8 degrees, 0.1
    double tremor, tremor_angle, tremor_hz; // of first order; 0.45 mm, 0.35 degrees, 3
    double sensor, sensor_angle;            // of the tracker, white; 0.15 mm, 0.05 degrees
    double look, look_face, look_colour;    // time, more for each face not held, in modes 2 and 6; 0.3, 0.1, 0.1
    double look_heard;                      // less of it from the first SNAP that is heard on; 0.1
    double vernier;                         // perception and criteria with a face held; 0.8
    double push;                            // aims so far into a face that does not hold yet; 8 mm
    double attend;                          // chance to correct place and turn together; 0.6
    double dwell;                           // looks before letting go; 1
    uint32_t patience;                      // corrections before giving up; 14
    double rate;                            // frames a second; 30
    double delay;                           // of what is shown, rounded to frames; 0
    bool is_heard_once;                     // a SNAP shortens the next look alone; default no
    fr_aid_def aid;                         // modes 3 to 5
} operator_def;

operator_def operator_default(void);

#define OPERATOR_FACES 3
#define OPERATOR_CORNERS 8

// Called before each frame, at its time: moves what moves by itself, and updates the space where it did.
typedef fr_status operator_frame_fn(double time, void *context, fr_error *error);

// Called for each event of the hand, with its time.
typedef void operator_event_fn(const fr_hand_event *event, void *context);

// What is to be placed, and where.
typedef struct operator_job {
    fr_space *space; // current; the held object is moved in it
    fr_object_id held;
    fr_pose target;
    fr_vec3 normals[OPERATOR_FACES]; // of the faces that it is to touch, outwards of these
    uint32_t normal_count;
    fr_vec3 corners_local[OPERATOR_CORNERS]; // that are to coincide with where the target has them
    uint32_t corner_count;
    double limit;      // metres: done when the mean of their distances is below, in any frame; 0: the hand decides
    double most;       // seconds before it is given up; default 120
    double start_time; // of the grasp; default 0
    operator_frame_fn *before_frame; // may be NULL
    void *frame_context;
    operator_event_fn *on_event; // may be NULL
    void *event_context;
} operator_job;

typedef struct operator_result {
    double distance;          // sum over the corners, metres
    double angle;             // azimuth, elevation and roll, their sizes added, radians
    double seconds;           // from the grasp to the release, or until it was done
    fr_pose pose;             // where it lies
    uint32_t corrections;     //
    uint32_t snaps, releases; // faces that took hold; that came off before the hand let go
    uint32_t held;            // faces at the end
    uint32_t frames;          //
    bool is_done;             // within patience: accepted, or below the limit
} operator_result;

// The errors of a pose: the sum of the corners' distances, and |azimuth| + |elevation| + |roll| (about the upward
// axis, depth and x, in this order: the source's z, y, x).
void operator_errors(const operator_job *job, const fr_pose *pose, double *distance, double *angle);

// Places the object. The numbers come from `random` in one order alone, so a seed repeats a trial bit for bit.
fr_status operator_place(const operator_def *def, const operator_job *job, fr_random *random, operator_result *result,
                         fr_error *error);

// A number with mean 0 and deviation 1, without libm: the same on every machine.
double operator_gauss(fr_random *random);

// Seconds that a reach over `distance` metres takes.
double operator_reach_time(const operator_def *def, double distance);

#endif
