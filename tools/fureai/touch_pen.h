// The pen of a touch session: what it touches step by step, the force of each touch, and what a hand that leads it
// feels. The command touch and a served world both go by it.
#ifndef FUREAI_TOOL_TOUCH_PEN_H
#define FUREAI_TOOL_TOUCH_PEN_H

#include "fureai/haptic.h"
#include "fureai/scene.h"
#include "fureai/touch.h"

typedef struct touch_contact {
    fr_touch_hit hit;
    int32_t side;   // of the face where it was first touched; 0 where points met
    uint64_t since; // step at which it was first touched
    bool is_new;    // in this step
    fr_vec3 force;
} touch_contact;

typedef struct touch_pen {
    fr_scene_touch touch; // as the scene has it, or as the user does
    fr_object_id object;  // the operated one
    fr_query_filter filter;
    fr_touch_input input;
    fr_array parts;            // fr_part_def, of the operated object
    fr_array hits;             // fr_touch_hit, of the step
    fr_array contacts, before; // touch_contact of this step, and of the last one by their elements
    fr_haptic haptic;
    uint64_t steps;        // so far
    fr_vec3 tip, velocity; // of the operating point
    fr_vec3 felt;          // force on the hand at the end of the step
} touch_pen;

// Begins with an object of a space, which must have it as long as steps are taken. End it whatever the status.
fr_status touch_pen_begin(touch_pen *p, const fr_scene_touch *touch, const fr_space *space, fr_object_id object,
                          fr_error *error);
void touch_pen_end(touch_pen *p);

// Takes the object where it stands now, `step` seconds after the last call. From there a hand is moved straight, a
// thousand ticks a second, along what was touched then; after that what is touched now is found, in `contacts`.
fr_status touch_pen_step(touch_pen *p, const fr_space *space, double step, const fr_control *control, fr_error *error);

#endif
