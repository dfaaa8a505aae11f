// Fureai human: work study (ergonomics, digital human modelling): angles of joints as worksheets name them, and how
// hard a posture is on the body by RULA and REBA.
//
// RULA: L. McAtamney, E. N. Corlett, "RULA: a survey method for the investigation of work-related upper limb
// disorders", Applied Ergonomics 24(2), 1993. REBA: S. Hignett, L. McAtamney, "Rapid Entire Body Assessment (REBA)",
// Applied Ergonomics 31(2), 2000. Beside them bodies of a published survey (percentiles, anthropometry) and what a hand
// reaches (reach envelope). All calls are pure, need no memory, and may be made from any thread.
#ifndef FUREAI_HUMAN_STUDY_H
#define FUREAI_HUMAN_STUDY_H

#include "human_reach.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Angles of a posture

typedef enum fr_work_side { FR_WORK_RIGHT, FR_WORK_LEFT, FR_WORK_SIDE_COUNT } fr_work_side;

// All angles are radians. The trunk's are away from the vertical, all others away from the link before; 0 is a body
// that stands upright with hanging arms, thumbs to the front.
typedef struct fr_arm_angles {
    double elevation;       // of the upper arm from hanging along the trunk, to any direction, 0 .. pi
    double flexion;         // of the upper arm, forwards in the trunk's sagittal plane; below 0 backwards (extension)
    double abduction;       // of the upper arm out of that plane, away from the body; below 0 across it
    double elbow;           // flexion, 0 .. pi; 0: stretched
    double outward;         // of the forearm out of the trunk's sagittal plane, away from the body
    double wrist_flexion;   // towards the palm; below 0 extension
    double wrist_deviation; // towards the thumb (radial); below 0 ulnar
    double wrist_twist;     // of forearm and palm: pronation; below 0 supination
    bool is_across;         // the wrist is on the other side of the trunk's midline
} fr_arm_angles;

typedef struct fr_leg_angles {
    double thigh;    // from hanging straight down, to any direction, 0 .. pi
    double knee;     // flexion, 0 .. pi
    bool is_bearing; // the posture's contacts say that the foot stands on something
} fr_leg_angles;

typedef struct fr_work_angles {
    double trunk_flexion; // forwards; below 0 extension; a headstand is pi
    double trunk_side;    // bent to the left; below 0 to the right
    double trunk_twist;   // of the chest over the hips, to the left
    double neck_flexion;  // of the head over the chest: as of the trunk
    double neck_side;
    double neck_twist;
    fr_arm_angles arms[FR_WORK_SIDE_COUNT];
    fr_leg_angles legs[FR_WORK_SIDE_COUNT];
} fr_work_angles;

// The angles of a posture. FR_ERROR_ARGUMENT for a skeleton that has no link for hip, chest, head, or a limb's three
// (which), or a posture of another number of links.
FR_API fr_status fr_work_angles_of(const fr_skeleton *skeleton, const fr_posture *posture, fr_work_angles *out,
                                   fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Conditions: what a posture alone does not show

typedef struct fr_work_conditions {
    double load;                               // kilograms in the hands, 0 or more
    bool is_seated;                            // on a seat that bears it
    bool is_trunk_supported;                   // by a back rest, or lying
    bool is_walking;                           // feet take turns
    bool is_static;                            // the posture is held for longer than a minute
    bool is_repeated;                          // the same motion comes more than four times a minute
    bool is_rapid;                             // large changes of posture come fast
    bool is_shock;                             // the load comes suddenly
    bool is_arm_supported[FR_WORK_SIDE_COUNT]; // or the person leans
    bool is_shoulder_raised[FR_WORK_SIDE_COUNT];
    uint32_t coupling; // how well a hand holds the load: 0 well .. 3 not acceptably; more counts as 3
} fr_work_conditions;

// ---------------------------------------------------------------------------------------------------------------
// RULA and REBA: scores of parts of the body, and what their tables make of them

#define FR_RULA_MAX 7u
#define FR_REBA_MAX 15u

// Scores of RULA's boxes for one arm. fr_rula_combine brings those that are out of range to the nearest that is not.
typedef struct fr_rula_parts {
    uint32_t upper_arm;   // 1 .. 6
    uint32_t lower_arm;   // 1 .. 3
    uint32_t wrist;       // 1 .. 4
    uint32_t wrist_twist; // 1 .. 2
    uint32_t neck;        // 1 .. 6
    uint32_t trunk;       // 1 .. 6
    uint32_t legs;        // 1 .. 2
    uint32_t muscle;      // 0 .. 1, of both groups
    uint32_t force;       // 0 .. 3, of both groups
} fr_rula_parts;

typedef struct fr_rula {
    fr_rula_parts parts;
    uint32_t a;      // table A: arm and wrist, 1 .. 9
    uint32_t b;      // table B: neck, trunk and legs, 1 .. 9
    uint32_t c, d;   // with muscle use and force
    uint32_t score;  // table C: 1 .. FR_RULA_MAX
    uint32_t action; // level 1 (acceptable) .. 4 (change at once)
} fr_rula;

FR_API fr_rula fr_rula_combine(const fr_rula_parts *parts);
FR_API fr_rula fr_rula_of(const fr_work_angles *angles, const fr_work_conditions *conditions, fr_work_side side);

// Scores of REBA's boxes for one arm; out of range as of RULA.
typedef struct fr_reba_parts {
    uint32_t trunk;     // 1 .. 5
    uint32_t neck;      // 1 .. 3
    uint32_t legs;      // 1 .. 4
    uint32_t load;      // 0 .. 3
    uint32_t upper_arm; // 1 .. 6
    uint32_t lower_arm; // 1 .. 2
    uint32_t wrist;     // 1 .. 3
    uint32_t coupling;  // 0 .. 3
    uint32_t activity;  // 0 .. 3
} fr_reba_parts;

typedef struct fr_reba {
    fr_reba_parts parts;
    uint32_t a;      // table A with the load, 1 .. 12
    uint32_t b;      // table B with the coupling, 1 .. 12
    uint32_t c;      // table C, 1 .. 12
    uint32_t score;  // with the activity, 1 .. FR_REBA_MAX
    uint32_t action; // level 0 (none necessary) .. 4 (necessary at once)
} fr_reba;

FR_API fr_reba fr_reba_combine(const fr_reba_parts *parts);
FR_API fr_reba fr_reba_of(const fr_work_angles *angles, const fr_work_conditions *conditions, fr_work_side side);

// What is not in the papers, and so is ours. The worksheets name some things without an angle; they count from:
#define FR_WORK_NEUTRAL_DEG 5.0    // an upright trunk, a straight wrist and a neck that is not extended: up to this
#define FR_WORK_TURNED_DEG 10.0    // neck or trunk twisted or bent sideways, wrist deviated
#define FR_WORK_ABDUCTED_DEG 20.0  // upper arm abducted
#define FR_WORK_OUTWARD_DEG 30.0   // forearm out to the side of the body
#define FR_WORK_WRIST_END_DEG 60.0 // wrist twisted near the end of its range

// ---------------------------------------------------------------------------------------------------------------
// Bodies of a published survey

// The 2012 survey of the United States Army: C. C. Gordon et al., "2012 Anthropometric Survey of U.S. Army Personnel:
// Methods and Summary Statistics", NATICK/TR-15/007, 2014; percentiles of its public data set.
#define FR_SURVEY_NAME "ANSUR II (Gordon et al. 2014): 1,986 women and 4,082 men"

typedef enum fr_survey_sex { FR_SURVEY_WOMAN, FR_SURVEY_MAN, FR_SURVEY_SEX_COUNT } fr_survey_sex;

// What the survey has of a percentile, each measure by itself; metres and kilograms. Landmarks are on the skin.
typedef struct fr_survey_measures {
    double stature;
    double mass;
    double trochanterion; // height of the hip's bony landmark over the ground
    double upper_arm;     // acromion to radiale
    double forearm;       // radiale to stylion
    double biacromial;    // breadth of the shoulders from acromion to acromion
    double foot;          // length
} fr_survey_measures;

// Percentiles 1, 5, 10, 25, 50, 75, 90, 95 and 99 are the survey's, those between them lie on straight lines.
// FR_ERROR_ARGUMENT for one outside 1 .. 99.
FR_API fr_status fr_survey_find(fr_survey_sex sex, double percentile, fr_survey_measures *out, fr_error *error);

// The definition of a body whose measures all have that percentile, for fr_skeleton_create_body: stature, mass, leg and
// foot as they are; arm and shoulders, whose landmarks are not the joints, so that the mean of both median bodies has
// the default's proportions; head and hips the default's. The statuses of fr_survey_find.
FR_API fr_status fr_survey_body(fr_survey_sex sex, double percentile, fr_body_def *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Reach envelope: how far the middle of a hand's grip comes in each direction

#define FR_ENVELOPE_MAX_BANDS 37u

// The posture of a body that sits upright on a seat as high as its knees let it, feet flat on the ground at y = 0: the
// turns of thighs and shins, and the height of the place, change; all else is as before. FR_ERROR_ARGUMENT for a
// skeleton without legs and soles, or another number of links.
FR_API fr_status fr_work_sit(const fr_skeleton *skeleton, fr_posture *posture, fr_error *error);

typedef struct fr_envelope_input {
    const fr_skeleton *skeleton;
    const fr_posture *posture; // where the body is
    fr_side side;
    uint32_t bands;  // of elevation, odd, 3 .. FR_ENVELOPE_MAX_BANDS: -90 .. 90 degrees; each has 2 (bands - 1)
                     // headings; default 9, which is every 22.5 degrees
    double lean_max; // of fr_reach_input; default 0: the arm alone
    double floor;    // nothing lower is reached; default 0
    uint32_t cookie; // set by fr_default_envelope_input
} fr_envelope_input;

FR_API fr_envelope_input fr_default_envelope_input(void);

typedef struct fr_envelope {
    fr_vec3 shoulder; // joint that the directions leave from
    fr_vec3 front;    // unit, horizontal: where the chest faces
    double top;       // height of the highest point, of all directions
    double ahead;     // metres from the shoulder joint to the farthest point in front of it, along the front
    double aside;     // likewise away from the body's middle
    double across;    // likewise to the other side
} fr_envelope;

// How many directions there are: bands * 2 (bands - 1).
FR_API uint32_t fr_envelope_count(uint32_t bands);

// A direction in the world by its index, band by band from straight down to straight up; in a band from the front to
// the left. `index` is below fr_envelope_count.
FR_API fr_vec3 fr_envelope_direction(const fr_envelope *envelope, uint32_t bands, uint32_t index);

// The farthest place of the grip (FR_POINT_RIGHT_GRIP) in each direction from the shoulder, in metres, that
// fr_reach_solve comes to within the limits of all joints, with any of 24 turns of the palm, in line with the forearm
// or with the direction: `radii` has room for fr_envelope_count of them; 0: none. Below what the solver reaches by up
// to 0.1 % of the arm's length; where only a bent wrist gets there, more (of places that an arm has within its limits
// 0.04 % lie outside). Obstacles and the body itself are not looked at. About 0.3 s for 9 bands. FR_ERROR_ARGUMENT as
// fr_reach_solve and for bands, lean or floor out of range.
FR_API fr_status fr_envelope_find(const fr_envelope_input *input, double *radii, fr_envelope *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
