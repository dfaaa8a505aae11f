// Fureai human: skills of objects: what a cup, a door, a button, a lever or a dial does when hands of people come near
// (reactive behaviours). A skill moves nothing by itself: it returns an intent, which the caller turns into a joint of
// the world or into a fall.
#ifndef FUREAI_HUMAN_OBJECT_H
#define FUREAI_HUMAN_OBJECT_H

#include "human_reach.h"

#ifdef __cplusplus
extern "C" {
#endif

// What an object wants to do in this frame.
typedef enum fr_intent_kind {
    FR_INTENT_NONE,   // stay as it is
    FR_INTENT_ATTACH, // go with a palm: `side`, `offset`, `pose`
    FR_INTENT_JOINT,  // take a value of its joint: `value`
    FR_INTENT_FALL    // fall freely until something holds it
} fr_intent_kind;

typedef struct fr_intent {
    fr_intent_kind kind;
    fr_side side;   // of ATTACH
    fr_pose offset; // of ATTACH: the object in the palm's frame, the same bits in every frame
    fr_pose pose;   // of ATTACH: the object in the world in this frame: the palm's pose composed with the offset
    double value;   // of JOINT: radians or metres, within the joint's limits
} fr_intent;

// A hand of a person, all of it of the same frame.
typedef struct fr_object_hand {
    bool is_there;
    fr_pose palm; // frame of the palm in the world
    fr_vec3 grip; // the centre of what the palm grips (FR_POINT_RIGHT_GRIP) in the world
    fr_vec3 tip;  // of the index finger in the world
} fr_object_hand;

// What a skill of an object sees in one frame. `joint` is the frame that the object moves in, in the world: of a door,
// a hinged lever and a dial z is the axis; of a sliding lever z is the direction of the slide; of a button and a panel
// the origin is on the surface and z points outwards.
typedef struct fr_object_input {
    fr_pose object; // where the object is
    fr_pose joint;
    fr_joint_kind kind;      // of a lever: FR_JOINT_HINGE or FR_JOINT_SLIDER; default FR_JOINT_HINGE
    double low, high;        // limits of the value; of a button 0 and its travel; default 0 and 1
    double value;            // of the joint now, within its limits
    fr_vec3 knob;            // what is held of a door, lever, dial or of what follows a hand, in the joint's frame at
                             // the value 0; default 0: of what follows a hand its origin
    double threshold;        // metres within which a hand holds; default 0.15
    double size;             // metres across the face of a button; default 0.02
    fr_object_hand hands[2]; // FR_RIGHT, FR_LEFT
    uint32_t cookie;         // set by fr_default_object_input
} fr_object_input;

FR_API fr_object_input fr_default_object_input(void);

// What an object remembers between frames: plain, without pointers, zeros at first.
typedef struct fr_object_state {
    fr_pose offset;       // of what follows a palm; of a lever its position is the knob's in the palm's frame
    fr_quat turn;         // of the palm in the last frame, of a dial
    double value;         // that a dial would have without limits; that a door or lever had when it was taken
    uint32_t side;        // of the hand that holds it
    uint32_t is_attached; // 1: a hand holds it
    uint32_t is_pressed;  // 1: a button that is down
    uint32_t is_at_limit; // 1: it stands at a limit
} fr_object_state;

#define FR_MAX_OBJECT_EVENTS 4u // of one object in one frame

// What happened: "attached", "released", "limit", "press", "moved", "fall".
typedef struct fr_object_event {
    const char *name; // a constant
    double value;     // of the joint
} fr_object_event;

typedef struct fr_object_output {
    fr_intent intent;
    fr_object_event events[FR_MAX_OBJECT_EVENTS];
    uint32_t event_count;
    bool is_done; // nothing will happen any more
} fr_object_output;

// One frame of a skill. FR_ERROR_ARGUMENT for a forgotten default, limits in the wrong order, a threshold or size below
// 0; FR_ERROR_NOT_FINITE; then the state has not changed. It does not allocate. Any thread.
typedef fr_status fr_object_step_fn(const fr_object_input *input, fr_object_state *state, fr_object_output *output,
                                    fr_error *error);

// One row of the table of objects' skills.
typedef struct fr_object_skill {
    const char *name;
    const char *words; // one sentence
    fr_object_step_fn *step;
} fr_object_skill;

// The rows in alphabetical order, below fr_object_skill_count; or by name, NULL for none:
//   button       goes in by the depth of an index tip, and is pressed once each time that it goes in by half its travel
//   dial         turns about its axis with the palm that holds it
//   door         turns about its hinge after the hand that is within the threshold of its knob, and follows it as long
//                as the hand stays within the threshold of the knob's arc (Ichiguchi 2000)
//   fall         falls
//   follow_hand  goes with the first palm whose grip comes within the threshold, at a constant offset, for good
//   lever        goes along its hinge or slider with the place of the palm that its knob was at when it was taken
FR_API uint32_t fr_object_skill_count(void);
FR_API const fr_object_skill *fr_object_skill_at(uint32_t index);
FR_API const fr_object_skill *fr_object_skill_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
